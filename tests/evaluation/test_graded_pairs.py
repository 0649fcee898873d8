import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import graded_pairs
import pytest
from graded_pairs import BANK, SETS, GradedPoint, read_points, read_sets

from markscheme.adapters.calibration_file.reading import read_calibration
from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.refused_index import RefusedIndex
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.alignment import FEATURES
from markscheme.grading.errors import IndexMissingError
from markscheme.pipeline.grade import Grader

SUMMARY = {
    "id": "rs/doc7/system",
    "points": ["Readers never wait", "Vacuums remove versions", "Nobody asks"],
    "answer": "Readers never wait for writers.",
    "gold": {"points": [1.0, 0.25, None]},
}
SHORT = {
    "id": "beetle/1",
    "question": "Why?",
    "sample_answer": ["Rain falls on the roof.", "Readers never wait. Writers do."],
    "answer": "Readers never wait.",
    "gold": {"label": "correct", "group": "BULB"},
}
BANK_PAGE = "".join(
    f"**Question {number}?**\nAnswer {number} says that cache {number} keeps what was read last so that "
    f"reading {number} is quick and cheap again.\n"
    for number in range(9)
)


@pytest.fixture(scope="module")
def grader() -> Grader:
    return Grader(
        embedder=HashingEmbedder(),
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=read_calibration(),
        index=RefusedIndex(IndexMissingError("nothing was built")),
        inline_index=InlineRubricIndex,
    )


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which every set has a row or none, and only the bank has strangers."""
    monkeypatch.setattr(graded_pairs, "STRANGERS", {BANK: 2})
    rows: dict[str, list[dict[str, Any]]] = {"realsumm_dev": [SUMMARY], "beetle_train": [SHORT]}
    for name in SETS:
        lines = [json.dumps(row) + "\n" for row in rows.get(name, [])]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (tmp_path / f"{BANK}.md").write_text(BANK_PAGE, encoding="utf-8")
    return tmp_path


def of(points: list[GradedPoint], name: str) -> list[GradedPoint]:
    return [one for one in points if one.set == name]


def test_each_decided_point_is_read_as_the_grader_reads_it(data: Path, grader: Grader) -> None:
    first, second = of(list(read_sets(data, grader)), "realsumm_dev")
    assert [(one.place, one.points, one.gold) for one in (first, second)] == [
        (0, 3, {"made": 1.0}),
        (1, 3, {"made": 0.25}),
    ]
    assert (first.statement, first.passage, first.group) == ("Readers never wait", SUMMARY["answer"], "realsumm:doc7")
    assert set(first.features) == set(FEATURES)
    assert first.features["match_passage"] > second.features["match_passage"]


def test_of_several_accepted_answers_the_best_matched_is_the_nearest(data: Path, grader: Grader) -> None:
    found = of(list(read_sets(data, grader)), "beetle_train")
    assert {one.nearest for one in found if "Rain" in one.statement} == {False}
    assert {one.nearest for one in found if "Rain" not in one.statement} == {True}
    assert {(one.group, one.question) for one in found} == {("beetle:BULB", "Why?")}
    assert {json.dumps(one.gold) for one in found} == {json.dumps({"made": 1.0, "label": "correct"})}


def test_the_bank_serves_for_strangers_alone(data: Path, grader: Grader) -> None:
    points = list(read_sets(data, grader))
    assert of(points, BANK) == []
    found = of(points, f"{BANK}+strangers")
    assert {one.row for one in found} == set(range(18))
    assert {one.gold["made"] for one in found} == {0.0}
    assert {one.group for one in found} == {f"interview:Question {number}?" for number in range(9)}


def test_what_is_written_is_read_again(data: Path, grader: Grader, tmp_path: Path) -> None:
    points = list(read_sets(data, grader))
    path = tmp_path / "points.jsonl"
    path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in points), encoding="utf-8")
    assert read_points(path) == points
