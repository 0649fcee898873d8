import json
from pathlib import Path
from typing import Any

import pytest
from graded_sets import GradedRow, family_group, fold_of, read_bank, read_graded, strangers

from markscheme.pipeline.request import GradeRequest


def read(tmp_path: Path, *rows: dict[str, Any]) -> list[GradedRow]:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return list(read_graded(path))


def test_points_labels_scores_and_entailment_are_read_as_what_was_made(tmp_path: Path) -> None:
    points, correct, wrong, score, nli, no_nli = read(
        tmp_path,
        {"id": "rs/doc7/system", "points": ["One", "Two"], "answer": "a", "gold": {"points": [0.5, None]}},
        {"sample_answer": "One", "question": "Q?", "answer": "a", "gold": {"label": "correct"}},
        {"sample_answer": "One", "question": "Q?", "answer": "a", "gold": {"label": "contradictory"}},
        {"sample_answer": "One", "question": "Q?", "answer": "a", "gold": {"score": 0.25}},
        {"id": "neg/RTE/4", "points": ["One"], "answer": "a", "gold": {"nli": "entailment"}},
        {"id": "neg/RTE/5", "points": ["One"], "answer": "a", "gold": {"nli": "not_entailment"}},
    )
    assert (points.made, points.label) == ((0.5, None), None)
    assert (correct.made, correct.label) == ((1.0,), "correct")
    assert (wrong.made, wrong.label) == ((0.0,), "contradictory")
    assert (score.made, score.label) == ((0.25,), None)
    assert [(one.made, one.label) for one in (nli, no_nli)] == [((1.0,), "entailment"), ((0.0,), "not_entailment")]
    assert points.request.points is not None
    assert [one.text for one in points.request.points] == ["One", "Two"]


def test_a_group_is_what_must_stay_on_one_side(tmp_path: Path) -> None:
    def row(**more: Any) -> dict[str, Any]:
        return {"sample_answer": "One", "answer": "a", "gold": {"score": 1.0}} | more

    rows = read(
        tmp_path,
        row(id="x/1", question="Q?", gold={"label": "correct", "group": "BULB_C"}),
        row(id="x/2", question="Q?"),
        row(id="rs/doc7/system"),
        *(row(id=f"neg/RTE/{number}", gold={"nli": "neutral"}) for number in range(6)),
    )
    assert [one.group for one in rows] == ["BULB_C", "Q?", "doc7", "0", "0", "0", "1", "1", "1"]


def test_two_files_of_a_family_share_their_groups() -> None:
    row = GradedRow(GradeRequest("a"), (1.0,), "BULB_C")
    names = ["beetle_train", "beetle_unseen_answers", "beetle_train+strangers"]
    assert {family_group(name, row) for name in names} == {"beetle:BULB_C"}
    assert family_group("scientsbank_train", row) != "beetle:BULB_C"


@pytest.mark.parametrize(
    ("group", "fold"), [("saf:1.1", 0), ("saf:10.1", 1), ("beetle:A", 1), ("realsumm:cnndm1", 2), ("argkp:Why?", 2)]
)
def test_a_group_stays_in_its_fold_for_ever(group: str, fold: int) -> None:
    # Verifiers were trained without these folds: dealt otherwise, they would be graded by what they have seen.
    assert fold_of(group, 3) == fold


def test_folds_are_about_equally_large() -> None:
    dealt = [fold_of(f"group {number}", 3) for number in range(3000)]
    assert min(dealt.count(fold) for fold in range(3)) > 900
    assert set(dealt) == {0, 1, 2}


BANK = """# Bank
**What is a cache?**

<details>
A cache keeps what was read last, so that the next reading
is served without a way to the slow store behind it.
</details>

**Too short?**
Yes.
**Not answered?**
Answer here, and as long as it takes to be no short answer any more, which is fifteen words.
**What is a lock?**
A lock lets one thread in at a time, so that no other sees what is half done.
"""


def test_a_bank_gives_questions_whose_answer_makes_itself(tmp_path: Path) -> None:
    path = tmp_path / "bank.md"
    path.write_text(BANK, encoding="utf-8")
    cache, lock = read_bank(path)
    assert [cache.group, lock.group] == ["What is a cache?", "What is a lock?"]
    assert cache.request.answer.startswith("A cache keeps")
    assert cache.request.answer.endswith("behind it.")
    assert (lock.request.sample_answers, lock.made) == ((lock.request.answer,), (1.0,))


def rows_of(groups: int, each: int) -> list[GradedRow]:
    return [
        GradedRow(GradeRequest(f"answer {group}-{number}", sample_answers=(f"s{group}",)), (1.0,), f"g{group}")
        for group in range(groups)
        for number in range(each)
    ]


def test_strangers_answer_other_questions() -> None:
    rows = rows_of(groups=4, each=3)
    found = list(strangers(rows, each=5))
    assert [one.group for one in found] == [f"g{group}" for group in range(4) for _ in range(5)]
    for one in found:
        said = one.request.answer.splitlines()
        assert 2 <= len(said) <= 7
        assert len(set(said)) == len(said)
        assert not any(answer.startswith(f"answer {one.group[1:]}-") for answer in said)
        assert (one.made, one.request.sample_answers) == ((0.0,), (f"s{one.group[1:]}",))
    assert found == list(strangers(rows, each=5))
    assert list(strangers(rows, each=0)) == []
