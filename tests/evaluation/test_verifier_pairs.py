import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import verifier_pairs
from verifier_pairs import (
    CONTRADICTED,
    NEITHER,
    SUPPORTED,
    Pair,
    entailment_pairs,
    graded_pairs,
    made_pairs,
    own_pairs,
)

OWN = Path(verifier_pairs.__file__).with_name("own_pairs")
STATEMENTS = [
    ("Caches are fast.", "I think that caches are fast.", "What of caches?"),
    ("A heap is larger than a stack.", "The heap is larger than the stack.", "What of heaps?"),
    ("Locks are held for 7 seconds.", "They hold locks for 7 seconds, which is long.", ""),
    ("Nothing turns round here", "Nothing to see", "Why?"),
] * 60


def write(path: Path, *rows: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def entailments(monkeypatch: pytest.MonkeyPatch, folder: Path, **sets: list[dict[str, Any]]) -> list[Pair]:
    monkeypatch.setattr(verifier_pairs, "SHARES", dict.fromkeys(sets, 3))
    for name, rows in sets.items():
        write(folder / f"{name}.jsonl", *rows)
    return list(entailment_pairs(folder))


def test_entailment_says_what_a_passage_does_to_a_statement(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = [{"a": f"a -LRB- {y} -RRB-", "b": "b  c", "y": y} for y in ("entail", "neutral", "contradict")]
    found = entailments(monkeypatch, tmp_path, esnli=rows)
    assert {one.passage: one.classes for one in found} == {
        "a ( entail )": SUPPORTED,
        "a ( neutral )": NEITHER,
        "a ( contradict )": CONTRADICTED,
    }
    assert {(one.point, one.source, one.only_made, one.question) for one in found} == {("b c", "esnli", False, "")}


def test_where_only_not_entailed_is_known_nothing_more_is_taught(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (found,) = entailments(monkeypatch, tmp_path, creak=[{"a": "a", "b": "b", "y": "not_entail"}])
    assert (found.classes, found.only_made) == (NEITHER, True)


def test_an_answer_to_a_question_is_read_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    row = {"a": "It was Röntgen", "b": "Question: who Answer: X", "y": "entail", "q": "who was it", "gold": "Röntgen"}
    (found,) = entailments(monkeypatch, tmp_path, evouna=[row])
    assert (found.question, found.point, found.passage) == ("who was it?", "Röntgen", "It was Röntgen")


def test_each_set_is_capped_and_long_passages_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = [{"a": f"passage {number}", "b": "b", "y": "entail"} for number in range(20)]
    rows += [{"a": "word " * (verifier_pairs.MOST_WORDS + 1), "b": "b", "y": "entail"}] * 20
    found = entailments(monkeypatch, tmp_path, one=rows, other=rows)
    assert Counter(one.source for one in found) == {"one": 3, "other": 3}
    assert all(one.passage.startswith("passage") for one in found)
    assert found == list(entailment_pairs(tmp_path))
    assert found != list(entailment_pairs(tmp_path, seed=1))


def test_each_statement_makes_one_pair_of_a_known_kind() -> None:
    found = list(made_pairs(STATEMENTS))
    assert len(found) == len(STATEMENTS)
    assert found == list(made_pairs(STATEMENTS))
    kinds = {f"made-{kind}" for kind in ("turned", "same", "bag", "other", "question", "filler")}
    assert {one.source for one in found} == kinds


def test_what_is_made_is_true_of_statement_and_passage() -> None:
    for (statement, passage, question), made in zip(STATEMENTS, made_pairs(STATEMENTS), strict=True):
        assert made.question == question
        match made.source.removeprefix("made-"):
            case "turned":
                assert made.classes == CONTRADICTED
                assert (made.point == statement) != (made.passage == passage)
            case "same":
                assert made.classes == SUPPORTED
                assert made.point == made.passage or (made.point, made.passage) == (statement, passage)
            case "filler":
                assert made.classes == SUPPORTED
                assert (made.point, passage in made.passage) == (statement, True)
            case "bag":
                assert made.classes == NEITHER
                assert {word.strip(",.") for word in made.passage.split()} <= {
                    word.strip(",.") for word in passage.split()
                }
            case "other":
                assert made.classes == NEITHER
                assert passage not in made.passage
            case kind:
                assert (kind, made.classes, made.passage) == ("question", NEITHER, question)
                assert question


def test_a_statement_is_no_stranger_to_itself() -> None:
    alone = [STATEMENTS[0]] * 50
    assert {one.source for one in made_pairs(alone)} <= {
        f"made-{kind}" for kind in ("turned", "same", "bag", "question")
    }


def test_own_examples_mark_each_passage_by_each_point() -> None:
    found = list(own_pairs(OWN))
    assert {one.classes for one in found} == {SUPPORTED, (0.5, 0.5, 0.0), NEITHER, CONTRADICTED}
    assert {one.source for one in found} == {f"own-{path.stem}" for path in OWN.glob("*.jsonl")}
    assert len(found) > 5_000
    assert all(one.point.strip() and one.passage.strip() for one in found)


def test_own_examples_are_taught_once() -> None:
    counted = Counter((one.question, one.point, one.passage) for one in own_pairs(OWN))
    assert [key for key, times in counted.items() if times > 1] == []


def row(name: str, made: float = 1.0, label: str | None = None, **more: Any) -> dict[str, Any]:
    gold = {"made": made, **({"label": label} if label else {})}
    common = {"set": name, "group": f"{name}:g", "question": "Q?", "statement": "point", "passage": "said", "points": 1}
    return {**common, "gold": gold, "nearest": True, **more}


def taught(tmp_path: Path, *rows: Mapping[str, Any]) -> list[Pair]:
    return list(graded_pairs(write(tmp_path / "points.jsonl", *rows)))


@pytest.mark.parametrize(
    ("given", "classes", "only_made", "weight"),
    [
        (row("beetle_train", 1.0, "correct"), SUPPORTED, False, 1.0),
        (row("beetle_train", 0.0, "incorrect"), NEITHER, False, 1.0),
        (row("beetle_train", 0.0, "contradictory"), CONTRADICTED, False, 1.0),
        (row("beetle_train", 0.0, "partially_correct_incomplete"), (0.0, 1.0, 0.0), True, 1.0),
        (row("beetle_train", 1.0, "correct", points=3), SUPPORTED, False, 0.4),
        (row("negation_mnli", 0.0, "contradiction"), CONTRADICTED, False, 1.0),
        (row("negation_rte", 0.0, "not_entailment"), (0.0, 1.0, 0.0), True, 1.0),
        (row("realsumm_dev", 0.75), (0.75, 0.25, 0.0), True, 1.0),
    ],
)
def test_a_decision_of_people_becomes_a_pair(
    tmp_path: Path, given: dict[str, Any], classes: tuple[float, ...], weight: float, *, only_made: bool
) -> None:
    first = taught(tmp_path, given)[0]
    assert (first.classes, first.only_made, first.weight) == (classes, only_made, weight)
    assert (first.point, first.passage, first.question) == ("point", "said", "Q?")
    assert (first.source, first.group) == (given["set"], given["group"])


@pytest.mark.parametrize(
    "given",
    [
        row("beetle_train", 0.0, "incorrect", points=3),
        row("beetle_train", 0.0, "contradictory", points=2),
        row("beetle_train", 1.0, "correct", nearest=False),
        row("realsumm_dev+strangers", 0.0, nearest=False),
    ],
)
def test_what_says_nothing_of_the_point_is_left_out(tmp_path: Path, given: dict[str, Any]) -> None:
    assert taught(tmp_path, given) == []


def test_what_there_is_too_much_of_is_thinned_and_what_is_scarce_repeated(tmp_path: Path) -> None:
    sets = ["realsumm_dev", "argkp_train", "saf_training", "saf_training+strangers", "scientsbank_unseen_answers"]
    rows = [row(name, made) for name in sets for made in (0.0, 1.0) for _ in range(300)]
    counted = Counter((one.source, one.classes[0]) for one in taught(tmp_path, *rows))
    assert counted["realsumm_dev", 1.0] == counted["realsumm_dev", 0.0] == 600
    assert counted["scientsbank_unseen_answers", 0.0] == counted["argkp_train", 1.0] == 300
    assert counted["argkp_train", 0.0] == pytest.approx(120, abs=35)
    assert counted["saf_training", 1.0] == pytest.approx(120, abs=35)
    assert counted["saf_training+strangers", 0.0] == pytest.approx(90, abs=35)
    assert counted["saf_training+strangers", 1.0] == 0
