import json
from pathlib import Path
from typing import Any

import pytest
import quality_agreement
from quality_table import COLUMNS, ENTRIES, SURE, Entry, Measured, measure, rows_of, table

from markscheme.agreement.baseline import Likeness
from markscheme.agreement.evaluate import evaluate
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import JudgedAnswer, OurGrade, OurPoint
from markscheme.agreement.results import COSINE, OVERLAP

MAIN, NO_FEATURES, NO_VERIFIER = COLUMNS
POINTS = ["Caching keeps hot rows in memory.", "Writes invalidate the cache."]
SMALL = Entry("Small", ("small_a", "small_b"), "is it there?", ("accuracy", "auc", SURE))


def gold_line(name: str, shares: list[float]) -> dict[str, Any]:
    answer = "Caching keeps hot rows in memory."
    return {"id": name, "question": f"Q{name[-1]}", "points": POINTS, "answer": answer, "gold": {"points": shares}}


def grade_line(name: str, coverages: list[float]) -> dict[str, Any]:
    points = [
        {"text": text, "status": "covered" if one > 0.5 else "missing", "coverage": one, "confidence": abs(2 * one - 1)}
        for text, one in zip(POINTS, coverages, strict=True)
    ]
    return {"id": name, "score": 50.0, "verdict": "partial", "confidence": 0.5, "points": points}


def write_lines(file: Path, lines: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two sets of two answers each, and the grades of what ships: seven of eight points right."""
    data, work = tmp_path / "bench", tmp_path / "work"
    for name, coverages in (("small_a", [0.9, 0.2]), ("small_b", [0.8, 0.6])):
        # The same ids in both sets, as each set counts its own.
        write_lines(data / f"{name}.jsonl", [gold_line("r1", [1, 0]), gold_line("r2", [1, 0])])
        graded = [grade_line("r1", coverages), grade_line("r2", [0.9, 0.1])]
        write_lines(work / "grades" / "verified" / f"{name}.jsonl", graded)
    return data, work


def test_sets_are_read_as_one_and_missing_variants_are_dashes(folders: tuple[Path, Path]) -> None:
    rows = rows_of(SMALL, measure(SMALL, *folders, samples=20))
    assert [row[2] for row in rows] == ["accuracy", "AUC", SURE]
    assert rows[0][:2] == ["Small, 4 answers, 8 points", "is it there?"]
    assert rows[1][:2] == ["", ""]
    # Words of the point in the answer tell these apart without fault.
    assert rows[0][3].startswith(".875 (")
    assert rows[0][4:7] == ["-", "-", "1.000"]
    # Without the two least sure (six of eight are kept) nothing is wrong.
    assert rows[2][3:] == ["1.000", "-", "-", "-", "-"]


def test_a_variant_is_shown_without_an_interval_once_its_grades_are_there(folders: tuple[Path, Path]) -> None:
    data, work = folders
    for name in SMALL.sets:
        write_lines(work / "grades" / "similarity" / f"{name}.jsonl", [grade_line(f"r{n}", [0.9, 0.9]) for n in (1, 2)])
    (accuracy, *_) = rows_of(SMALL, measure(SMALL, data, work, samples=20))
    assert accuracy[4:6] == ["-", ".500"]


def test_groups_are_those_of_the_folds(folders: tuple[Path, Path]) -> None:
    rows = quality_agreement.judged_rows(folders[0], "small_a")
    assert [row.judged.group for row in rows] == ["small:Q1", "small:Q2"]


def test_the_figures_of_what_ships_are_needed(folders: tuple[Path, Path]) -> None:
    data, work = folders
    (work / "grades" / "verified" / "small_b.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match="lacks the grades of small_a, small_b"):
        measure(SMALL, data, work, samples=0)


def test_grades_that_are_not_whole_are_refused(folders: tuple[Path, Path]) -> None:
    data, work = folders
    write_lines(work / "grades" / "verified" / "small_b.jsonl", [grade_line("r1", [0.9, 0.1])])
    with pytest.raises(ValueError, match="lacks 1 of 2 grades"):
        measure(SMALL, data, work, samples=0)


def test_grades_of_other_points_are_refused(folders: tuple[Path, Path]) -> None:
    data, work = folders
    graded = [grade_line(name, [0.9, 0.1]) for name in ("r1", "r2")]
    graded[1]["points"].reverse()
    write_lines(work / "grades" / "verified" / "small_b.jsonl", graded)
    with pytest.raises(ValueError, match=r"lacks 1 of 2 grades.*line 2: Left out: .*small_b\.jsonl:2 is no grade"):
        measure(SMALL, data, work, samples=0)


def test_a_set_with_a_row_that_cannot_be_used_is_refused(folders: tuple[Path, Path]) -> None:
    data, _ = folders
    write_lines(data / "small_a.jsonl", [gold_line("r1", [1, 0, 1])])
    with pytest.raises(ValueError, match=r"1 rows of .*small_a\.jsonl cannot be used"):
        quality_agreement.judged_rows(data, "small_a")


def test_baselines_are_computed_once_for_a_set_and_again_for_another(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, _ = folders
    kept = tmp_path / "kept"
    rows = [row.judged for row in quality_agreement.judged_rows(data, "small_a")]
    first = quality_agreement.likenesses(data, "small_a", rows, kept)
    computed: list[int] = []

    def counted(rows: list[JudgedAnswer], *_: object) -> dict[str, list[Likeness]]:
        computed.append(len(rows))
        return first

    monkeypatch.setattr(quality_agreement, "baselines", counted)
    assert quality_agreement.likenesses(data, "small_a", rows, kept) == first
    assert computed == []
    write_lines(data / "small_a.jsonl", [gold_line("r1", [0, 1]), gold_line("r2", [1, 0])])
    quality_agreement.likenesses(data, "small_a", rows, kept)
    assert computed == [2]


@pytest.mark.parametrize("figures", [("accuracy", "contradictory_flagged")])
def test_a_figure_that_a_judge_lacks_is_a_dash(figures: tuple[str, ...]) -> None:
    row = JudgedAnswer("a", "text", ("point",), are_points=True, group="g", gold=Gold(points=(1.0,)))
    grade = OurGrade(90.0, "correct", (OurPoint("point", "covered", 0.9, 0.8),), 0.8)
    like = {judge: [Likeness((0.5,), 0.5)] for judge in (OVERLAP, COSINE)}
    (found,) = evaluate([row], [grade], like, 0).kinds
    told = rows_of(Entry("One", ("one",), "?", figures), Measured({MAIN: found}, found))
    assert told[0][:4] == ["One, 1 answers", "?", "accuracy", "1.000"]
    assert told[1][3:] == ["-"] * 5


def test_the_table_has_a_row_a_figure_and_as_many_cells_as_heads(folders: tuple[Path, Path]) -> None:
    measured = measure(SMALL, *folders, samples=0)
    lines = table({entry.name: measured for entry in ENTRIES}).splitlines()
    assert len(lines) == 2 + sum(len(entry.figures) for entry in ENTRIES)
    assert {line.count("|") for line in lines} == {1 + 3 + len(COLUMNS) + 2}
