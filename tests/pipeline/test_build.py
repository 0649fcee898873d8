import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from markscheme.adapters.faiss_index.builds import Builds
from markscheme.adapters.faiss_index.reading import open_index
from markscheme.adapters.faiss_index.writer import FaissIndexWriter
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.grading.embedding import Embedding
from markscheme.grading.errors import ContentError, Fault, IndexBusyError
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.build import BuildReport, build
from markscheme.pipeline.ports import RubricStore
from markscheme.pipeline.statements import index_rubric, question_vector

SPLITTER = "splitter@1"


class Shelf(RubricStore):
    """A store in memory, which may hold files that cannot be read."""

    def __init__(self, *rubrics: Rubric, faults: Sequence[Fault] = ()) -> None:
        self.rubrics = rubrics
        self.faults = faults

    def load(self) -> list[Rubric]:
        if self.faults:
            raise ContentError(list(self.faults))
        return list(self.rubrics)

    def find(self, rubric_id: str) -> Rubric | None:
        return next((rubric for rubric in self.rubrics if rubric.id == rubric_id), None)

    def check(self, rubric: Rubric) -> list[Fault]:
        raise NotImplementedError

    def save(self, rubric: Rubric) -> Path:
        raise NotImplementedError


class CountingEmbedder(HashingEmbedder):
    """Remembers what it was asked to embed, and may go by another name."""

    def __init__(self, name: str = "hashing@1") -> None:
        self.name = name
        self.texts: list[str] = []

    @property
    def fingerprint(self) -> str:
        return self.name

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        self.texts += texts
        return super().embed(texts)


def rubric(name: str, *points: str, topic: str = "") -> Rubric:
    numbered = tuple(Point(f"p{number}", text) for number, text in enumerate(points, 1))
    return Rubric(f"topic/{name}", f"What about {name}?", numbered, topic=topic)


@pytest.fixture
def writer(tmp_path: Path) -> FaissIndexWriter:
    return FaissIndexWriter(tmp_path)


def run(
    writer: FaissIndexWriter, embedder: CountingEmbedder, *rubrics: Rubric, splitter: str = SPLITTER
) -> BuildReport:
    embedder.texts.clear()
    return build(Shelf(*rubrics), writer, embedder, splitter)


def test_a_build_is_served(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    report = run(writer, embedder, rubric("a", "one point"), rubric("b", "first", "second"))
    assert report == BuildReport(questions=2, embedded=2, reused=0, removed=0, path=Builds(tmp_path).current())
    index = open_index(tmp_path, embedder, SPLITTER)
    assert index.question_ids() == ["topic/a", "topic/b"]
    assert [point.text for point in index.rubric("topic/b").points] == ["first", "second"]


def test_only_what_changed_is_embedded_and_the_rest_keeps_its_bits(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    kept, changed, gone = rubric("kept", "stays", "as it is"), rubric("changed", "old"), rubric("gone", "away")
    run(writer, embedder, changed, gone, kept)
    before = open_index(tmp_path, embedder, SPLITTER).question_vector(kept.id)
    report = run(writer, embedder, rubric("changed", "new"), kept, rubric("new", "fresh"))
    assert (report.questions, report.embedded, report.reused, report.removed) == (3, 2, 1, 1)
    assert {"new", "fresh", "What about new?", "What about changed?"} <= set(embedder.texts)
    assert not {"stays", "as it is", "What about kept?", "old", "away"} & set(embedder.texts)
    index = open_index(tmp_path, embedder, SPLITTER)
    assert index.question_vector(kept.id).tobytes() == before.tobytes()
    wanted = index_rubric(kept, embedder)
    for one, other in zip(index.indexed(kept.id).embeddings, wanted.embeddings, strict=True):
        assert one.vector.tobytes() == other.vector.tobytes()
        assert one.tokens.tobytes() == other.tokens.tobytes()


def test_what_no_vector_hangs_on_changes_without_embedding(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    run(writer, embedder, rubric("a", "point"))
    report = run(writer, embedder, dataclasses.replace(rubric("a", "point", topic="Renamed"), status="reviewed"))
    assert (report.embedded, report.reused) == (0, 1)
    served = open_index(tmp_path, embedder, SPLITTER).rubric("topic/a")
    assert (served.topic, served.status) == ("Renamed", "reviewed")


def test_another_embedder_embeds_everything_again(tmp_path: Path, writer: FaissIndexWriter) -> None:
    run(writer, CountingEmbedder(), rubric("a", "point"), rubric("gone", "point"))
    other = CountingEmbedder("hashing@2")
    report = run(writer, other, rubric("a", "point"))
    assert (report.embedded, report.reused, report.removed) == (1, 0, 1)
    assert open_index(tmp_path, other, SPLITTER).embedder_fingerprint == "hashing@2"


def test_another_splitter_embeds_nothing_again(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    run(writer, embedder, rubric("a", "point"))
    assert run(writer, embedder, rubric("a", "point"), splitter="splitter@2").reused == 1
    assert open_index(tmp_path, embedder, "splitter@2").question_ids() == ["topic/a"]


def test_faults_of_files_leave_the_served_index(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    served = run(writer, embedder, rubric("a", "point")).path
    faults = [Fault("a.yaml", 3, "no id"), Fault("b.yaml", None, "empty")]
    with pytest.raises(ContentError) as caught:
        build(Shelf(faults=faults), writer, embedder, SPLITTER)
    assert list(caught.value.faults) == faults
    assert Builds(tmp_path).current() == served
    assert open_index(tmp_path, embedder, SPLITTER).question_ids() == ["topic/a"]


def test_texts_that_are_too_long_are_all_named_and_nothing_is_built(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    served = run(writer, embedder, rubric("a", "point")).path
    long = "word " * 300
    wordy = Rubric("topic/wordy", long, (Point("p1", "fine"), Point("p2", "fine too", misconceptions=(long,))))
    with pytest.raises(ContentError) as caught:
        run(writer, embedder, rubric("a", long), wordy)
    assert [fault.file for fault in caught.value.faults] == ["topic/a.yaml", "topic/wordy.yaml", "topic/wordy.yaml"]
    messages = [fault.message for fault in caught.value.faults]
    assert all("300 tokens; the embedder hashing@1 takes 254" in message for message in messages)
    assert "the point of p1" in messages[0]
    assert "the question" in messages[1]
    assert "the misconception of p2" in messages[2]
    assert embedder.texts == []
    assert Builds(tmp_path).current() == served


def test_no_rubrics_make_an_index_of_nothing(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    run(writer, embedder, rubric("a", "point"))
    assert run(writer, embedder).removed == 1
    assert open_index(tmp_path, embedder, SPLITTER).question_ids() == []


def test_a_second_build_at_the_same_time_is_refused_before_it_embeds(tmp_path: Path, writer: FaissIndexWriter) -> None:
    embedder = CountingEmbedder()
    with FaissIndexWriter(tmp_path).exclusive(), pytest.raises(IndexBusyError):
        run(writer, embedder, rubric("a", "point"))
    assert embedder.texts == []


def test_a_question_stands_half_for_its_words_and_half_for_its_points() -> None:
    embedder = CountingEmbedder()
    entry = index_rubric(
        Rubric("t/q", "", (Point("p1", "alpha"), Point("p2", "beta", alternatives=("not counted",)))), embedder
    )
    words, alpha, beta, nothing = embedder.embed(["gamma", "alpha", "beta", ""])
    mean = (alpha.vector + beta.vector) / np.linalg.norm(alpha.vector + beta.vector)
    both = words.vector + mean
    assert question_vector(words, entry) == pytest.approx(both / np.linalg.norm(both), abs=1e-6)
    assert question_vector(nothing, entry) == pytest.approx(mean, abs=1e-6)
    silent = index_rubric(Rubric("t/q", "", (Point("p1", "…"),)), embedder)
    assert not question_vector(nothing, silent).any()
