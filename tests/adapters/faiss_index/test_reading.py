import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.faiss_index import manifest as on_disk
from markscheme.adapters.faiss_index.builds import Builds
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.faiss_index.reading import open_index, open_unmatched
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.embedding import Embedding
from markscheme.grading.errors import (
    IndexDamagedError,
    IndexMismatchError,
    IndexMissingError,
    UnknownQuestionError,
)
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import Statement
from markscheme.pipeline.statements import index_rubric, question_vector, statements_of

WriteRubrics = Callable[[list[Rubric]], Path]
SPLITTER = "splitter@1"


def test_what_was_written_is_read(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    write(rubrics)
    index = open_index(tmp_path, embedder, SPLITTER)
    assert index.embedder_fingerprint == embedder.fingerprint
    assert index.question_ids() == [rubric.id for rubric in rubrics]
    for rubric in rubrics:
        assert index.rubric(rubric.id) == rubric
        assert index.rubric(rubric.id).version == rubric.version
        wanted, found = index_rubric(rubric, embedder), index.indexed(rubric.id)
        assert found.statements == wanted.statements
        for one, other in zip(found.embeddings, wanted.embeddings, strict=True):
            for field in ("vector", "tokens", "offsets", "rarity"):
                mine, theirs = getattr(one, field), getattr(other, field)
                assert mine.tobytes() == theirs.tobytes()
                assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype)
                assert not mine.flags.writeable


def test_statements_keep_points_first(write: WriteRubrics, tmp_path: Path, rubrics: list[Rubric]) -> None:
    write(rubrics)
    assert open_unmatched(tmp_path).indexed("batches/large").statements == (
        Statement(0, "point", "The gradient varies less"),
        Statement(1, "point", "Cost: Memory grows"),
        Statement(0, "alternative", "Less noise"),
        Statement(0, "alternative", "Lower variance"),
        Statement(1, "misconception", "Cost: Memory shrinks"),
    )


def test_similarities_are_those_of_the_questions_own_statements(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    write(rubrics)
    index = open_index(tmp_path, embedder, SPLITTER)
    queries = np.stack([one.vector for one in embedder.embed(["lower variance", "memory grows", "twice"])])
    for rubric in rubrics:
        statements = embedder.embed([statement.text for statement in statements_of(rubric)])
        wanted = queries @ np.stack([one.vector for one in statements]).T
        assert index.similarities(rubric.id, queries) == pytest.approx(wanted, abs=1e-6)


def test_a_rubric_gives_the_same_bits_indexed_and_inline(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    write(rubrics)
    index = open_index(tmp_path, embedder, SPLITTER)
    queries = np.stack([one.vector for one in embedder.embed([f"memory of batch {n}" for n in range(40)])])
    for rubric in rubrics:
        inline = InlineRubricIndex(index_rubric(rubric, embedder), embedder.fingerprint)
        assert inline.similarities(rubric.id, queries).tobytes() == index.similarities(rubric.id, queries).tobytes()


def test_a_question_is_found_by_its_words_and_by_an_answer(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    write(rubrics)
    index = open_index(tmp_path, embedder, SPLITTER)
    for text in ("why cache activations", "nothing is computed twice"):
        (embedding,) = embedder.embed([text])
        first, second = index.match(embedding.vector, 2)
        assert (first.question_id, first.question) == ("caches/why", "Why cache activations?")
        assert first.similarity > second.similarity
    (embedding,) = embedder.embed([rubrics[2].question])
    wanted = question_vector(embedding, index.indexed("caches/why"))
    assert index.question_vector("caches/why").tobytes() == wanted.tobytes()
    assert index.match(np.zeros(embedder.dimension, np.float32), 3) == []
    assert index.match(embedding.vector, 99)[0].topic == ""


def test_an_unknown_question_is_named(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    write(rubrics)
    index = open_unmatched(tmp_path)
    for ask in (index.rubric, index.indexed, index.question_vector):
        with pytest.raises(UnknownQuestionError, match="'batches/none'") as caught:
            ask("batches/none")
        assert caught.value.pointer == "/question_id"


def test_an_index_of_nothing_can_be_served(tmp_path: Path, write: WriteRubrics, embedder: HashingEmbedder) -> None:
    write([])
    index = open_index(tmp_path, embedder, SPLITTER)
    assert index.question_ids() == []
    assert index.match(embedder.embed(["a"])[0].vector, 3) == []


def test_without_a_build_the_command_is_named(tmp_path: Path, embedder: HashingEmbedder) -> None:
    with pytest.raises(IndexMissingError, match="markscheme build"):
        open_index(tmp_path, embedder, SPLITTER)


class OtherName(HashingEmbedder):
    @property
    def fingerprint(self) -> str:
        return "other@2"


class OtherVectors(HashingEmbedder):
    """The same name, and vectors that are a little or not at all the same."""

    def __init__(self, change: float) -> None:
        self._change = np.float32(change)

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        return [dataclasses.replace(one, vector=one.vector + self._change) for one in super().embed(texts)]


def test_another_model_splitter_or_vector_is_a_mismatch(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    write(rubrics)
    for other, splitter, words in (
        (OtherName(), SPLITTER, r"the embedder hashing@1, and other@2 is set.*markscheme build"),
        (embedder, "splitter@2", r"the sentence splitter splitter@1, and splitter@2 is set.*markscheme build"),
        (OtherVectors(1e-3), SPLITTER, r"gives other vectors.*differ by 1.0e-03.*markscheme build"),
        (OtherVectors(float("nan")), SPLITTER, "gives other vectors"),
    ):
        with pytest.raises(IndexMismatchError, match=words):
            open_index(tmp_path, other, splitter)
    assert open_index(tmp_path, OtherVectors(1e-7), SPLITTER).question_ids()


@pytest.mark.parametrize("name", [*on_disk.FILES, on_disk.MANIFEST])
def test_a_missing_or_truncated_file_is_refused(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], name: str
) -> None:
    file = write(rubrics) / name
    content = file.read_bytes()
    for cut in (len(content) - 1, len(content) // 2, 1, 0):
        file.write_bytes(content[:cut])
        with pytest.raises(IndexDamagedError, match=f"{name}.*markscheme build"):
            open_unmatched(tmp_path)
    file.unlink()
    with pytest.raises(IndexDamagedError, match=f"{name}.*markscheme build"):
        open_unmatched(tmp_path)


@pytest.mark.parametrize("name", [*on_disk.FILES, on_disk.MANIFEST, "CURRENT"])
def test_a_flipped_bit_anywhere_is_refused(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], name: str
) -> None:
    build = write(rubrics)
    file = tmp_path / name if name == "CURRENT" else build / name
    content = file.read_bytes()
    random = np.random.default_rng(len(content))
    for offset in random.choice(len(content), min(len(content), 25), replace=False):
        flipped = bytearray(content)
        flipped[offset] ^= 1 << int(offset) % 8
        file.write_bytes(flipped)
        with pytest.raises(IndexDamagedError, match="markscheme build"):
            open_unmatched(tmp_path)
    file.write_bytes(content)
    assert open_unmatched(tmp_path).question_ids()


def rewrite(build: Path, changes: dict[str, bytes] | None = None, **fields: object) -> None:
    """Make another build whose checksums are right although its content is not."""
    builds = Builds(build.parent.parent)
    record = json.loads((build / on_disk.MANIFEST).read_bytes()) | fields
    folder = builds.start()
    for name in on_disk.FILES:
        content = (changes or {}).get(name, (build / name).read_bytes())
        (folder / name).write_bytes(content)
        record["files"][name] = on_disk.checksum(content)
    content = json.dumps(record).encode()
    (folder / on_disk.MANIFEST).write_bytes(content)
    builds.switch(folder, on_disk.checksum(content))


@pytest.mark.parametrize("name", on_disk.FILES)
def test_rubbish_with_the_right_checksum_is_refused_too(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], name: str
) -> None:
    rewrite(write(rubrics), {name: b"rubbish\nrubbish\nrubbish\n"})
    with pytest.raises(IndexDamagedError):
        open_unmatched(tmp_path)


def test_parts_that_do_not_fit_together_are_refused(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    other = (write(rubrics[:2]) / on_disk.POINTS).read_bytes()
    rewrite(write(rubrics), {on_disk.POINTS: other})
    with pytest.raises(IndexDamagedError):
        open_unmatched(tmp_path)


def test_another_layout_is_a_mismatch(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    build = write(rubrics)
    rewrite(build, format=on_disk.FORMAT + 1)
    with pytest.raises(IndexMismatchError, match=r"layout 2.*reads 1.*markscheme build"):
        open_unmatched(tmp_path)
    rewrite(build, questions=[{"id": "x"}])
    with pytest.raises(IndexDamagedError):
        open_unmatched(tmp_path)
