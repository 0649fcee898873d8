from collections.abc import Callable
from pathlib import Path

import pytest

from markscheme.adapters.faiss_index import manifest as on_disk
from markscheme.adapters.faiss_index.reading import open_unmatched
from markscheme.adapters.faiss_index.writer import FaissIndexWriter
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.errors import UnservableIndexError
from markscheme.grading.rubric import Rubric

WriteRubrics = Callable[[list[Rubric]], Path]


def test_nothing_that_can_be_read_is_none(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    writer = FaissIndexWriter(tmp_path)
    assert writer.current() is None
    build = write(rubrics)
    served = writer.current()
    assert served
    assert served.question_ids() == [rubric.id for rubric in rubrics]
    (build / on_disk.VECTORS).unlink()
    assert writer.current() is None


def test_the_same_rubrics_leave_the_served_build(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    build = write(rubrics)
    assert write(rubrics) == build
    assert [path.name for path in build.parent.iterdir()] == [build.name]
    assert open_unmatched(tmp_path).question_ids()


def test_the_same_rubrics_mend_a_damaged_build(tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]) -> None:
    damaged = write(rubrics)
    (damaged / on_disk.POINTS).write_bytes(b"")
    assert write(rubrics) != damaged
    assert open_unmatched(tmp_path).question_ids() == [rubric.id for rubric in rubrics]


def test_going_back_to_an_older_state_is_a_new_build(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric]
) -> None:
    first, second, third = write(rubrics), write(rubrics[:1]), write(rubrics)
    assert len({first, second, third}) == 3
    assert open_unmatched(tmp_path).question_ids() == [rubric.id for rubric in rubrics]


def test_an_open_index_outlives_the_removal_of_its_build(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], embedder: HashingEmbedder
) -> None:
    build = write(rubrics)
    index = open_unmatched(tmp_path)
    write(rubrics[:1])
    write(rubrics[1:])
    assert not build.exists()
    assert index.indexed("caches/why").embeddings[0].tokens.shape == (7, embedder.dimension)


def test_a_folder_that_cannot_be_written_leaves_the_served_build(
    tmp_path: Path, write: WriteRubrics, rubrics: list[Rubric], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(rubrics)

    def full(path: Path, *_: object) -> int:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as disk:
        disk.setattr(Path, "write_bytes", full)
        with pytest.raises(UnservableIndexError, match=r"cannot be written to .*No space left"):
            write(rubrics[:1])
    assert open_unmatched(tmp_path).question_ids() == [rubric.id for rubric in rubrics]
