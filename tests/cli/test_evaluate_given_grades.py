"""`markscheme evaluate --grades`: a grade counts only beside the row that it was given for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Row = dict[str, Any]

INDEX, UDP = "databases/what-an-index-costs", "networks/why-udp"
MAKES_IT = "Every insert and update must also write the index."
SPACE = "The index takes disk space."
MEND = " Grade the rows anew with `markscheme batch`, or give the grades that it wrote of them."


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    assert home.exists()


def row(answer_id: str, gold: Row | None = None, **way: object) -> Row:
    return {
        "id": answer_id,
        "answer": f"{MAKES_IT} I know no more.",
        **(way or {"points": [MAKES_IT, SPACE]}),
        "gold": gold or {"score": 0.5},
    }


ALL_WAYS = [
    row("points", {"points": [1, 0]}),
    row("sample", sample_answer=[f"{MAKES_IT} {SPACE}", "It costs time."]),
    row("index", {"points": [1, 0]}, question_id=INDEX),
    row("bare", points=[{"text": SPACE, "heading": "Disk", "id": "d", "weight": 2}], question="What does it cost?"),
]


def write(rows: list[Row], name: str) -> str:
    Path(name).write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    return name


def read(name: str) -> list[Row]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


def batch(run: Run, rows: list[Row]) -> list[Row]:
    run("batch", write(rows, "rows.jsonl"), "graded.jsonl")
    return read("graded.jsonl")


def evaluate(run: Run, rows: list[Row], grades: list[Row], *options: str) -> Result:
    names = write(rows, "marks.jsonl"), write(grades, "grades.jsonl")
    return run("evaluate", names[0], "--grades", names[1], "--samples", "0", *options)


def test_grades_of_the_very_rows_fit_by_every_way_to_mark(run: Run) -> None:
    result = evaluate(run, ALL_WAYS, batch(run, ALL_WAYS))
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("graded", "asked", "why"),
    [
        (
            {"question_id": UDP},
            {"question_id": INDEX},
            f"it was marked by the question '{UDP}', the row by the question '{INDEX}'",
        ),
        (
            {"question_id": INDEX},
            {"points": [MAKES_IT, SPACE]},
            f"it was marked by the question '{INDEX}', the row by points of its own",
        ),
        (
            {"points": [MAKES_IT, SPACE]},
            {"sample_answer": SPACE},
            f"its point '{MAKES_IT}' does not come from a sample answer of the row",
        ),
        (
            {"sample_answer": f"{MAKES_IT} {SPACE}"},
            {"question_id": INDEX},
            f"it was marked by points or a sample answer of its own, the row by the question '{INDEX}'",
        ),
        ({"points": [SPACE, MAKES_IT]}, {}, f"its point 1 is '{SPACE}', the row's '{MAKES_IT}'"),
        ({"points": [MAKES_IT, SPACE, SPACE]}, {}, "it has 3 points, the row 2"),
        ({"points": [{"text": MAKES_IT, "id": "a"}, SPACE]}, {}, "its point 1 is called 'a', the row's 'p1'"),
    ],
)
def test_a_grade_by_other_points_is_told_and_its_row_counts_nowhere(
    run: Run, graded: Row, asked: Row, why: str
) -> None:
    fits = row("fits", {"score": 1})
    result = evaluate(run, [row("a", **asked), fits], batch(run, [row("a", **graded), fits]), "--json")
    assert result.exit_code == 1
    message = f"Left out: grades.jsonl:1 is no grade of this row: {why}.{MEND}"
    assert result.stderr == f"marks.jsonl:1: {message}\n"
    told = json.loads(result.stdout)
    assert told["bad_rows"] == [{"line": 1, "message": message}]
    assert told["not_graded"] == []
    alone = json.loads(evaluate(run, [fits], batch(run, [fits]), "--json").stdout)
    assert told["kinds"] == alone["kinds"]


@pytest.mark.parametrize(
    "changed",
    [
        {"question": "What does an index cost?"},
        {"points": [{"text": MAKES_IT, "weight": 3}, SPACE]},
        {"points": [{"text": MAKES_IT, "alternatives": ["Writes get slower."]}, SPACE]},
    ],
)
def test_what_else_may_change_a_grade_is_told_by_the_version_of_its_rubric(run: Run, changed: Row) -> None:
    grades = batch(run, [row("a") | changed])
    result = evaluate(run, [row("a"), row("b")], [*grades, *batch(run, [row("b")])])
    assert result.exit_code == 1
    version = grades[0]["rubric_version"]
    assert f"grades.jsonl:1 is no grade of this row: its rubric is '{version}', the row's '" in result.stderr
    assert "the question, or a heading, weight, importance, alternative or misconception of a point differs" in (
        result.stderr
    )


def test_a_grade_by_part_of_the_sample_answer_is_no_grade_by_the_whole(run: Run) -> None:
    rows = [row("a", sample_answer=f"{MAKES_IT} {SPACE}"), row("b")]
    grades = batch(run, [row("a", sample_answer=MAKES_IT), row("b")])
    result = evaluate(run, rows, grades)
    assert result.exit_code == 1
    version = grades[0]["rubric_version"]
    assert f"its rubric is '{version}', which no sample answer of the row gives" in result.stderr
    # Another release may draft otherwise; then the words are all there is to compare.
    grades[0]["grader"]["markscheme"] = "0.0.1"
    assert evaluate(run, rows, grades).exit_code == 0


def test_a_grade_of_another_answer_is_told_by_its_evidence(run: Run) -> None:
    other = row("a") | {"answer": f"Well. {MAKES_IT}"}
    result = evaluate(run, [row("a"), row("b")], batch(run, [other, row("b")]))
    assert result.exit_code == 1
    assert f"its evidence '{MAKES_IT}' does not stand at characters 6 to 56 of the row's answer" in result.stderr
    short = row("a") | {"answer": "No."}
    result = evaluate(run, [short, row("b")], batch(run, [other, row("b")]))
    assert "does not stand at characters 6 to 56" in result.stderr


def test_swapped_ids_are_told_for_both_rows(run: Run) -> None:
    rows = [row("a", points=[MAKES_IT]), row("b", points=[SPACE]), row("c")]
    first, second, third = batch(run, rows)
    swapped = [first | {"id": "b"}, second | {"id": "a"}, third]
    result = evaluate(run, rows, swapped)
    assert result.exit_code == 1
    assert [line.split(" is no grade")[0] for line in result.stderr.splitlines()] == [
        "marks.jsonl:1: Left out: grades.jsonl:2",
        "marks.jsonl:2: Left out: grades.jsonl:1",
    ]


def test_when_no_grade_is_of_its_row_there_is_nothing_to_measure(run: Run) -> None:
    result = evaluate(run, [row("a")], batch(run, [row("a", points=[SPACE])]))
    assert result.exit_code == 2
    assert "grades.jsonl:1 is no grade of this row" in result.stderr
    assert "error[invalid_input]: No row of marks.jsonl can be used." in result.stderr


def test_points_that_a_grade_lacks_are_told_and_count_as_wrong(run: Run) -> None:
    rows = [row("a", {"points": [1, 0]}), row("b", {"points": [1, 0]}), row("c", {"points": [1, 0]})]
    grades = batch(run, rows)
    grades[0]["points"] = grades[0]["points"][:1]
    grades[1]["points"] = []
    result = evaluate(run, rows, grades, "--json")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "marks.jsonl:1: Not graded in full: grades.jsonl:1 has 1 of its 2 points; the rest count as wrong.",
        "marks.jsonl:2: Not graded in full: grades.jsonl:2 has 0 of its 2 points; the rest count as wrong.",
    ]
    told = json.loads(result.stdout)
    assert [fault["line"] for fault in told["not_graded"]] == [1, 2]
    assert (told["bad_rows"], told["kinds"]["points"]["points_not_graded"]) == ([], 3)
    assert "0 answers and 3 points without a grade counted as wrong" in evaluate(run, rows, grades).stdout


def test_an_error_line_is_told_with_its_reason(run: Run) -> None:
    fails = row("a", points=["..."])
    grades = batch(run, [fails, row("b")])
    result = evaluate(run, [fails, row("b")], grades)
    assert result.exit_code == 1
    assert result.stderr == (
        "marks.jsonl:1: Not graded: grades.jsonl:1 is an error: This point has no word to look for: '...'. "
        "Write it as a sentence.\n"
    )
    assert "1 answer without a grade counted as 0" in result.stdout
    again = batch(run, [row("a")])
    assert evaluate(run, [row("a"), row("b")], [*grades, *again]).exit_code == 0


def test_only_some_of_many_misfits_are_told(run: Run) -> None:
    names = [f"a{place}" for place in range(30)]
    grades = batch(run, [row(name, points=[SPACE]) for name in names] + [row("b")])
    result = evaluate(run, [row(name) for name in names] + [row("b")], grades, "--json")
    assert len(result.stderr.splitlines()) == 21
    assert result.stderr.splitlines()[-1] == "and 10 more; --json lists all"
    assert len(json.loads(result.stdout)["bad_rows"]) == 30
