"""The one place where adapters meet the pipeline: from settings to what a command or the service works with."""

# ruff: noqa: PLC0415 - each part is imported when it is asked for, so that `--help` waits for no model and no library,
# and a command for none that it does not use.

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from markscheme.grading.coverage import Calibration
from markscheme.grading.embedding import Vectors
from markscheme.grading.errors import (
    CalibrationRefusedError,
    ContentError,
    SettingsError,
    UnknownProfileError,
    UnservableIndexError,
    UnusableProfileError,
)
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.build import BuildReport, build
from markscheme.pipeline.draft import DraftReport, draft
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import (
    Embedder,
    Fitter,
    RubricIndex,
    RubricStore,
    SeedReader,
    SentenceSplitter,
    Verifier,
)
from markscheme.rooms import Rooms, find_rooms
from markscheme.settings import Settings

if TYPE_CHECKING:
    from markscheme.adapters.calibration_file.profiles import ProfileFolder

_LOG = logging.getLogger(__name__)


def rooms(settings: Settings) -> Rooms:
    """Where everything is. Raises SettingsError."""
    return find_rooms(settings.home)


def embedder(settings: Settings, *, export: bool = False) -> Embedder:
    """The model that MARKSCHEME_EMBEDDER names; `export` prepares one that is new here. Raises EmbedderError."""
    if settings.embedder == "hashing":
        from markscheme.adapters.hashing_embedder import HashingEmbedder

        return HashingEmbedder()
    from markscheme.adapters.onnx_models.embedder import OnnxEmbedder

    if settings.embedder == "minilm":
        from markscheme.adapters.onnx_models.minilm import minilm_files

        return OnnxEmbedder(minilm_files(), settings.usable_threads)
    from markscheme.adapters.onnx_models.model_files import exported_model
    from markscheme.adapters.sentence_transformers_export.export import export_model, exported_folder

    find = export_model if export else exported_folder
    return OnnxEmbedder(exported_model(find(settings.embedder, rooms(settings).models)), settings.usable_threads)


def verifier(settings: Settings) -> Verifier | None:
    """The model that MARKSCHEME_VERIFIER names, or None where that is `off`. Raises VerifierError."""
    if settings.verifier == "off":
        return None
    if settings.verifier == "scripted":
        from markscheme.adapters.scripted_verifier import ScriptedVerifier

        return ScriptedVerifier()
    if settings.verifier == "minilm":
        from markscheme.adapters.onnx_models.verifier import OnnxVerifier

        return OnnxVerifier(threads=settings.usable_threads)
    from markscheme.adapters.cross_encoder_verifier.verifier import CrossEncoderVerifier

    return CrossEncoderVerifier(settings.verifier, settings.usable_threads)


def splitter() -> SentenceSplitter:
    """What finds sentences, in sample answers and in answers alike."""
    from markscheme.adapters.sentencex_splitter import SentencexSplitter

    return SentencexSplitter()


def seed_reader(settings: Settings) -> SeedReader:
    """What reads source documents."""
    from markscheme.adapters.seed_files import SeedFiles

    return SeedFiles(rooms(settings).seeds.parent)


def rubric_store(settings: Settings) -> RubricStore:
    """The rubric files."""
    from markscheme.adapters.rubric_files.store import RubricFiles

    return RubricFiles(rooms(settings).rubrics)


def rubric_schema() -> str:
    """The JSON schema of a rubric file, as it ought to lie beside them."""
    from markscheme.adapters.rubric_files import schema

    return schema.rubric_schema()


def draft_rubrics(settings: Settings, documents: Iterable[Path]) -> DraftReport:
    """Seeds to rubrics. Raises ContentError, EmbedderError, or SettingsError where rubrics cannot be written."""
    rooms(settings).require_writable_rubrics()
    model = embedder(settings, export=True)

    def similar(texts: Sequence[str]) -> Vectors:
        # A text that is too long for the model is like no other, rather than an error: a person is going to split it.
        lengths = model.count_tokens(texts)
        readable = [text if length <= model.max_tokens else "" for text, length in zip(texts, lengths, strict=True)]
        vectors = np.stack([embedding.vector for embedding in model.embed(readable)])
        cosines: Vectors = vectors @ vectors.T
        return cosines

    return draft(documents, seed_reader(settings), rubric_store(settings), splitter(), similar)


def build_index(settings: Settings) -> BuildReport:
    """Rubrics to index. Raises ContentError, IndexBusyError, UnservableIndexError or EmbedderError."""
    from markscheme.adapters.faiss_index.writer import FaissIndexWriter

    writer = FaissIndexWriter(rooms(settings).index)
    return build(rubric_store(settings), writer, embedder(settings, export=True), splitter().version)


def index(settings: Settings, model: Embedder | None = None) -> RubricIndex:
    """The built index; with `model`, checked to come from that and from the splitter. Raises UnservableIndexError."""
    from markscheme.adapters.faiss_index.reading import open_index, open_unmatched

    folder = rooms(settings).index
    return open_unmatched(folder) if model is None else open_index(folder, model, splitter().version)


def profiles(settings: Settings, verifying: Verifier | None) -> "ProfileFolder":
    """The calibrations that people made of their own graded answers, to be used with a verifier, if there is one."""
    from markscheme.adapters.calibration_file.profiles import ProfileFolder

    return ProfileFolder(rooms(settings).profiles, verifying.fingerprint if verifying else None)


def calibration(settings: Settings, verifying: Verifier | None) -> Calibration:
    """The profile or the file that MARKSCHEME_CALIBRATION names, else the packaged one. Raises SettingsError."""
    from markscheme.adapters.calibration_file.reading import read_calibration

    wanted = settings.calibration
    if isinstance(wanted, str):
        try:
            return profiles(settings, verifying).load(wanted)
        except UnknownProfileError as error:
            place = f"{rooms(settings).profiles} was searched; a file is named by a path, as in ./{wanted}."
            message = f"MARKSCHEME_CALIBRATION: {error} {place}"
            raise SettingsError(message) from error
        except UnusableProfileError as error:
            message = f"MARKSCHEME_CALIBRATION: profile {wanted}: {error.details}"
            raise SettingsError(message) from error
    # The packaged one goes with any verifier, or there would be none to start from when another is tried.
    fingerprint = verifying.fingerprint if verifying and wanted else None
    return read_calibration(wanted, with_verifier=verifying is not None, verifier=fingerprint)


def fitter() -> Fitter:
    """What fits calibrations. Raises CalibrationRefusedError where its library is left out, as in the image."""
    try:
        from markscheme.adapters.scipy_fitting import ScipyFitter
    except ImportError as error:
        message = (
            f"Fitting needs scipy, which cannot be imported here ({error}): what only serves is installed without it. "
            "Calibrate where the whole package is installed, and copy the profile."
        )
        raise CalibrationRefusedError(message) from error
    return ScipyFitter()


def grader(settings: Settings) -> Grader:
    """What grades. Where no index can be served, it refuses questions by id, and grades by what a request brings.

    Raises:
        EmbedderError: the model cannot be loaded.
        SettingsError: the calibration cannot be read.
    """
    from markscheme.adapters.faiss_index.inline import InlineRubricIndex
    from markscheme.adapters.refused_index import RefusedIndex
    from markscheme.adapters.snowball_stemmer import SnowballStemmer

    verifying = verifier(settings)
    marking = calibration(settings, verifying)
    model = embedder(settings)
    try:
        built = index(settings, model)
        _warn_of_changes(settings, built)
    except UnservableIndexError as error:
        _LOG.info("No question can be graded by its id: %s", error)
        built = RefusedIndex(error)
    return Grader(
        embedder=model,
        splitter=splitter(),
        stemmer=SnowballStemmer(),
        calibration=marking,
        index=built,
        inline_index=InlineRubricIndex,
        verifier=verifying,
        profiles=profiles(settings, verifying).load,
    )


def changes_since_build(rubrics: Iterable[Rubric], built: RubricIndex) -> list[str]:
    """What grades do not know of yet: a sentence for each rubric that is new, was changed or was removed."""
    indexed = {question_id: built.rubric(question_id).version for question_id in built.question_ids()}
    found = {rubric.id: rubric.version for rubric in rubrics}
    new = [f"{name} is not in the index" for name in found.keys() - indexed.keys()]
    gone = [f"{name} is in the index, but its file is gone" for name in indexed.keys() - found.keys()]
    changed = [f"{name} was changed" for name in found.keys() & indexed.keys() if found[name] != indexed[name]]
    return sorted(new + gone + changed)


def _warn_of_changes(settings: Settings, built: RubricIndex) -> None:
    """Log where the served index is older than the rubrics; what ails them never keeps it from being served."""
    try:
        if not rooms(settings).may_be_stale():
            return
        rubrics = rubric_store(settings).load()
    except ContentError as error:
        _LOG.warning(
            "The rubrics have %d faults; grades follow the last build. See `markscheme check`.", len(error.faults)
        )
        return
    except Exception as error:  # noqa: BLE001 - grading needs no rubric file, so that none may stop it
        _LOG.warning("The rubrics cannot be read (%r); grades follow the last build. See `markscheme check`.", error)
        return
    changes = changes_since_build(rubrics, built)
    if changes:
        _LOG.warning(
            "The index is older than %d rubrics; grades follow the last build. Run `markscheme build`.", len(changes)
        )
