import json
from collections.abc import Callable

import pytest

from markscheme.adapters.graded_files import GradedRow, json_rows
from markscheme.agreement.gold import Gold
from markscheme.grading.errors import Fault

Reader = Callable[[bytes | str], object]
REQUEST = {"id": 7, "answer": "An index.", "points": ["a", "b"]}


def row_of(gold: object, json_reader: Reader, **more: object) -> GradedRow | Fault:
    line = json.dumps({**REQUEST, "gold": gold, **more}).encode()
    (found,) = json_rows([(3, line)], "marks.jsonl", json_reader)
    return found


@pytest.mark.parametrize(
    ("gold", "read"),
    [
        ({"points": [1, 0.333, None]}, Gold(points=(1.0, 0.333, None))),
        ({"points": [True, False], "label": None}, Gold(points=(1.0, 0.0))),
        ({"label": " Correct "}, Gold(label="correct")),
        ({"label": "partially_correct_incomplete"}, Gold(label="partial")),
        ({"label": "non_domain"}, Gold(label="incorrect")),
        ({"score": 0.375}, Gold(score=0.375)),
        ({"score": 1, "label": "correct"}, Gold(score=1.0, label="correct")),
        ({"nli": "not_entailment"}, Gold(nli="not_entailment")),
        ({"points": [1], "raters": [[1], [None]]}, Gold(points=(1.0,), points_raters=((1.0,), (None,)))),
        (
            {"label": "correct", "raters": ["correct", "partial"]},
            Gold(label="correct", label_raters=("correct", "partial")),
        ),
        ({"score": 0.5, "raters": [0.25, 0.75]}, Gold(score=0.5, score_raters=(0.25, 0.75))),
    ],
)
def test_what_people_decided(gold: object, read: Gold, json_reader: Reader) -> None:
    assert row_of(gold, json_reader) == GradedRow(3, REQUEST, read, None)


@pytest.mark.parametrize(
    ("gold", "more", "group"),
    [
        ({"score": 1, "group": "10.1"}, {"group": "other"}, "10.1"),
        ({"score": 1}, {"group": 4}, "4"),
        ({"score": 1}, {}, None),
    ],
)
def test_the_group_stands_with_the_gold_or_beside_it(
    gold: object, more: dict[str, object], group: str | None, json_reader: Reader
) -> None:
    found = row_of(gold, json_reader, **more)
    assert isinstance(found, GradedRow)
    assert found.group == group


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        (None, "gold is missing or no object"),
        ([1], "gold is missing or no object"),
        ({}, "There is nothing that people decided. Give gold.points, label, score or nli."),
        ({"group": "a", "score": None}, "There is nothing that people decided"),
        ({"points": []}, "gold.points must be a list with a number from 0 to 1, or null, for each point; it is []."),
        ({"points": "yes"}, "gold.points must be a list"),
        ({"points": [1, "yes"]}, "gold.points/1 must be a number from 0 to 1"),
        ({"points": [None, None]}, "gold.points judges no point"),
        ({"label": "good"}, "gold.label must be one of correct, partial,"),
        ({"label": 1}, "it is 1."),
        ({"score": 7.5}, "gold.score must be a number from 0 to 1 (divide marks by the most there are); it is 7.5."),
        ({"score": -1}, "gold.score must be a number from 0 to 1"),
        ({"score": "x" * 100}, "it is '" + "x" * 39 + "...."),
        ({"nli": "maybe"}, "gold.nli must be one of entailment, neutral, contradiction, not_entailment"),
        ({"points": [1], "raters": [[1, 0], [1]]}, "gold.raters judge another number of points"),
        ({"score": 1, "raters": [1]}, "gold.raters must be a list of what two or more people decided; it is [1]."),
        ({"score": 1, "raters": 1}, "gold.raters must be a list"),
        ({"score": 1, "label": "correct", "raters": [1, 1]}, "gold.raters goes with exactly one of"),
        ({"nli": "neutral", "raters": ["neutral", "neutral"]}, "gold.raters goes with exactly one of"),
        ({"score": 1, "raters": [1, 2]}, "gold.raters must be a number from 0 to 1"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(gold: object, said: str, json_reader: Reader) -> None:
    found = row_of(gold, json_reader)
    assert isinstance(found, Fault)
    assert (found.file, found.line) == ("marks.jsonl", 3)
    assert said in found.message


def test_broken_lines_are_faults_and_the_others_are_read(json_reader: Reader) -> None:
    good = json.dumps({**REQUEST, "gold": {"score": 1}}).encode()
    lines = [(1, None), (2, b""), (3, b"{"), (4, b"[1]"), (5, b'"text"'), (6, good)]
    *faults, row = json_rows(lines, "marks.jsonl", json_reader)
    assert [fault.line for fault in faults] == [1, 2, 3, 4, 5]
    said = [fault.message for fault in faults if isinstance(fault, Fault)]
    assert [text.split(".")[0] for text in said] == [
        "The line is longer than MARKSCHEME_MAX_BODY_BYTES allows",
        "The line is empty",
        "The JSON is broken at line 1, column 2: Expecting property name enclosed in double quotes",
        "The line is no JSON object",
        "The line is no JSON object",
    ]
    assert isinstance(row, GradedRow)
