"""Opening an index: nothing of it is used before it has been checked."""

import io
import json
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from markscheme.adapters.faiss_index import manifest as on_disk
from markscheme.adapters.faiss_index.builds import CHECKSUM_DIGITS, Builds
from markscheme.adapters.faiss_index.index import Entry, FaissRubricIndex, TokenTable
from markscheme.adapters.faiss_index.manifest import Manifest, checksum, file_checksum, read_manifest
from markscheme.adapters.faiss_index.records import from_line
from markscheme.adapters.faiss_index.rows import Rows
from markscheme.grading.errors import IndexDamagedError, IndexMismatchError
from markscheme.pipeline.ports import Embedder

# Processors of another kind round differently in the seventh digit; another model differs in the first.
_PROBE_TOLERANCE = 1e-5


def open_index(root: Path, embedder: Embedder, splitter: str) -> FaissRubricIndex:
    """Open the served build of the index in `root`, to be used with this embedder and this version of the splitter.

    Raises:
        IndexMissingError: nothing was built yet.
        IndexDamagedError: a file is missing, or differs from what was written.
        IndexMismatchError: it was built with another model, splitter or layout.
        EmbedderError: the model failed.
    """
    build = Builds(root).current()
    manifest = _checked_manifest(build)
    for name, built, used in (
        ("embedder", manifest.embedder, embedder.fingerprint),
        ("sentence splitter", manifest.splitter, splitter),
    ):
        if built != used:
            message = f"The index in {build} was built with the {name} {built}, and {used} is set."
            raise _mismatch(message)
    embedded = embedder.embed([probe.text for probe in manifest.probes])
    for probe, embedding in zip(manifest.probes, embedded, strict=True):
        difference = float(np.abs(np.array(probe.vector, np.float32) - embedding.vector).max())
        if not difference <= _PROBE_TOLERANCE:
            message = (
                f"The embedder {embedder.fingerprint} gives other vectors than when the index in {build} was built: "
                f"they differ by {difference:.1e}."
            )
            raise _mismatch(message)
    return _load(build, manifest)


def open_unmatched(root: Path) -> FaissRubricIndex:
    """Open the served build for what it holds, whatever it was built with. Raises UnservableIndexError."""
    build = Builds(root).current()
    return _load(build, _checked_manifest(build))


def _checked_manifest(build: Path) -> Manifest:
    content = _read(build / on_disk.MANIFEST)
    if not build.name.endswith(checksum(content)[:CHECKSUM_DIGITS]):
        raise _damaged(build / on_disk.MANIFEST)
    try:
        layout = json.loads(content)["format"]
        if layout == on_disk.FORMAT:
            return read_manifest(content)
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(build / on_disk.MANIFEST) from error
    message = f"The index in {build} has the layout {layout}, and this version of Markscheme reads {on_disk.FORMAT}."
    raise _mismatch(message)


def _load(build: Path, manifest: Manifest) -> FaissRubricIndex:
    points = _rows(build, manifest, on_disk.POINTS)
    questions = _rows(build, manifest, on_disk.QUESTIONS)
    tokens = _tokens(build, manifest)
    lines = _checked(build, manifest, on_disk.RUBRICS).decode().split("\n")[:-1]
    try:
        entries = [
            Entry(place, where, *from_line(line))
            for place, (where, line) in enumerate(zip(manifest.questions, lines, strict=True))
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(build / on_disk.RUBRICS) from error
    rows = sum(len(entry.statements) for entry in entries)
    shapes = points.shape, questions.shape, tokens.starts.shape
    if shapes != ((rows, manifest.dimension), (len(entries), manifest.dimension), (rows + 1,)):
        raise _damaged(build)
    return FaissRubricIndex(manifest.embedder, entries, points, questions, tokens)


def _rows(build: Path, manifest: Manifest, name: str) -> Rows:
    # FAISS trusts what it reads, so it gets bytes whose checksum is right, and none that could change meanwhile.
    content = np.frombuffer(_checked(build, manifest, name), np.uint8)
    try:
        return Rows(faiss.deserialize_index(content))
    except RuntimeError as error:
        raise _damaged(build / name) from error


def _tokens(build: Path, manifest: Manifest) -> TokenTable:
    path = build / on_disk.VECTORS
    # Far larger than the rest: mapped, so that processes share one copy and pages are read when they are needed.
    try:
        if file_checksum(path) != manifest.files.get(on_disk.VECTORS):
            raise _damaged(path)
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise _damaged(path) from error
    offsets, rarity, starts = (
        _array(build, manifest, name) for name in (on_disk.OFFSETS, on_disk.RARITY, on_disk.STARTS)
    )
    return TokenTable(vectors, offsets, rarity, starts)


def _array(build: Path, manifest: Manifest, name: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = np.load(io.BytesIO(_checked(build, manifest, name)), allow_pickle=False)
    except ValueError as error:
        raise _damaged(build / name) from error
    array.flags.writeable = False
    return array


def _checked(build: Path, manifest: Manifest, name: str) -> bytes:
    content = _read(build / name)
    if checksum(content) != manifest.files.get(name):
        raise _damaged(build / name)
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> IndexDamagedError:
    return IndexDamagedError(f"{path} is missing or not as it was built. Run `markscheme build`.")


def _mismatch(message: str) -> IndexMismatchError:
    return IndexMismatchError(f"{message} Run `markscheme build`.")
