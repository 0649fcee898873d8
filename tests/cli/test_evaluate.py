"""`markscheme evaluate`: what is read, what is told, and what it is worth."""

import csv
import html.parser
import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]

QUESTION = "databases/what-an-index-costs"
OPTIONS = ("--json", "--samples", "20")
MAKES_IT = "Every insert and update must also write the index."
ANSWERS = (MAKES_IT, "The index takes disk space.", f"{MAKES_IT} The index takes disk space.", "I do not know.")


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    assert home.exists()


def by_points(place: int, **gold: object) -> dict[str, object]:
    answer = ANSWERS[place % len(ANSWERS)]
    return {"id": f"a{place}", "answer": answer, "points": [MAKES_IT, "It takes disk space."], "gold": gold}


def by_sample(place: int, **gold: object) -> dict[str, object]:
    row = {**by_points(place, **gold), "sample_answer": [MAKES_IT]}
    del row["points"]
    return row


def write(rows: list[dict[str, object]], name: str = "marks.jsonl") -> str:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return name


ALL_KINDS: list[dict[str, object]] = [
    *(by_points(place, points=[float(place % 2 == 0), None], group=f"g{place % 3}") for place in range(8)),
    *(by_sample(place + 8, label=("correct", "incorrect", "contradictory")[place % 3]) for place in range(8)),
    *(by_sample(place + 16, score=place / 8, raters=[place / 8, 0.5]) for place in range(8)),
    {"id": "n", "answer": MAKES_IT, "points": [MAKES_IT], "gold": {"nli": "entailment"}},
    {"id": "q", "answer": MAKES_IT, "question_id": QUESTION, "gold": {"points": [1, 0], "group": "g3"}},
]


def test_a_table_for_every_kind(run: Run) -> None:
    result = run("evaluate", write(ALL_KINDS), "--samples", "20")
    assert (result.exit_code, result.stderr) == (0, "")
    told = result.stdout
    assert "Points: 10 points of 9 answers, 4 questions" in told
    assert "Labels: 8 answers, 1 question\n" in told
    assert "Scores: 8 answers, 1 question\n" in told
    assert "Entailment: 1 point of 1 answer, 1 question" in told
    assert "In brackets: where 95% of 20 draws of whole questions lie." in told
    assert "The baselines have the cut that suits these very rows best, which flatters them: word overlap" in told
    assert "Human with human: each person in turn against the others." in told
    heads = [line for line in told.splitlines() if "Markscheme" in line]
    assert ["human with human" in head for head in heads] == [False, False, True, False]
    assert all("word overlap" in head and "sentence cosine" in head for head in heads)
    rows = {line.split("|")[1].strip() for line in told.splitlines() if line.startswith("|")}
    assert {"AUC", "ECE of coverage", "others flagged contradictory", "QWK (5 levels)", "Pearson"} <= rows
    # Nobody contradicts the one statement, so that there is nothing to tell of it.
    assert "contradiction flagged" not in rows


def test_everything_as_json(run: Run) -> None:
    result = run("evaluate", write(ALL_KINDS), "--samples", "20", "--seed", "3", "--json")
    told = json.loads(result.stdout)
    assert list(told) == ["samples", "seed", "bad_rows", "not_graded", "kinds"]
    assert (told["samples"], told["seed"], told["bad_rows"], told["not_graded"]) == (20, 3, [], [])
    assert list(told["kinds"]) == ["points", "label", "score", "nli"]
    points = told["kinds"]["points"]
    assert (points["answers"], points["points"], points["groups"]) == (9, 10, 4)
    accuracy = points["figures"]["markscheme"]["accuracy"]
    assert accuracy["low"] <= accuracy["value"] <= accuracy["high"]
    assert set(points["best_cuts"]) == {"word_overlap", "cosine"}
    assert points["risk_coverage"][0]["steps"][0] == {"set_aside": 0.0, "kept": 10, "value": accuracy["value"]}
    assert sum(one["count"] for one in points["reliability"]) == 10
    assert told["kinds"]["nli"]["figures"]["markscheme"]["contradiction_flagged"]["value"] is None
    worst = told["kinds"]["score"]["worst"]
    assert [one["size"] for one in worst] == sorted((one["size"] for one in worst), reverse=True)
    assert "NaN" not in result.stdout
    assert run("evaluate", "marks.jsonl", "--samples", "20", "--seed", "3", "--json").stdout == result.stdout


def test_grades_of_a_batch_give_the_same_figures(run: Run) -> None:
    name = write(ALL_KINDS)
    assert run("batch", name, "grades.jsonl").exit_code == 0
    now, given = run("evaluate", name, *OPTIONS), run("evaluate", name, *OPTIONS, "--grades", "grades.jsonl")
    assert given.exit_code == 0
    assert json.loads(given.stdout)["kinds"]["score"] == json.loads(now.stdout)["kinds"]["score"]
    assert json.loads(given.stdout)["kinds"]["label"]["figures"] == json.loads(now.stdout)["kinds"]["label"]["figures"]
    assert json.loads(given.stdout)["kinds"]["points"]["groups"] == 4


def test_a_row_without_its_grade_counts_as_wrong_and_is_told(run: Run) -> None:
    rows = [by_points(0, points=[1, 0]), {**by_points(1, points=[1, 0]), "id": None}, by_points(2, points=[1, 0])]
    twice = [by_points(3, points=[1, 0]), by_points(3, points=[1, 0])]
    name = write([*rows, *twice])
    run("batch", write([rows[0], twice[0]], "some.jsonl"), "grades.jsonl")
    result = run("evaluate", name, "--grades", "grades.jsonl", "--json")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "marks.jsonl:2: Not graded: it has no id to find its grade by.",
        "marks.jsonl:3: Not graded: grades.jsonl has no grade of 'a2'.",
        "marks.jsonl:4: Not graded: several rows have the id 'a3'.",
        "marks.jsonl:5: Not graded: several rows have the id 'a3'.",
    ]
    told = json.loads(result.stdout)
    assert [fault["line"] for fault in told["not_graded"]] == [2, 3, 4, 5]
    assert (told["kinds"]["points"]["not_graded"], told["kinds"]["points"]["points_not_graded"]) == (4, 8)
    result = run("evaluate", name, "--grades", "grades.jsonl", "--samples", "0")
    assert (
        "10 points of 5 answers, 1 question; 4 answers and 8 points without a grade counted as wrong" in result.stdout
    )
    assert "In brackets" not in result.stdout


def test_bad_rows_are_told_with_their_line_and_the_rest_is_used(run: Run) -> None:
    bad: list[dict[str, object]] = [
        {"id": "x", "answer": "a", "points": ["p"]},
        by_points(0, points=[1]),
        by_sample(0, points=[1]),
        {"answer": "a", "gold": {"score": 1}},
        by_points(0, score=3),
        {"answer": "a", "question_id": "no/such", "gold": {"score": 1}},
        {"answer": "a", "question_id": QUESTION, "gold": {"points": [1, 0, 1]}},
    ]
    result = run("evaluate", write([*bad, by_points(0, points=[1, 0])]))
    assert result.exit_code == 1
    told = [line for line in result.stderr.splitlines() if line.startswith("marks.jsonl:")]
    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4", "5", "7", "6"]
    assert "gold is missing" in told[0]
    assert "is about 1 points, but the answer is marked by 2" in told[1]
    assert "a sample answer has none of its own" in told[2]
    assert "Give exactly one of" in told[3]
    assert "divide marks by the most there are" in told[4]
    assert "is about 3 points, but the answer is marked by 2" in told[5]
    assert "Not graded: " in told[6]
    assert "6 graded" not in result.stderr
    assert "Points: 2 points of 1 answer, 1 question" in result.stdout
    assert "1 answer without a grade counted as 0" in result.stdout


def test_only_some_of_many_faults_are_told(run: Run) -> None:
    rows: list[dict[str, object]] = [{"answer": "a"}] * 30
    result = run("evaluate", write([*rows, by_points(0, points=[1, 0])]), "--json")
    assert len(result.stderr.splitlines()) == 21
    assert result.stderr.splitlines()[-1] == "and 10 more; --json lists all"
    assert len(json.loads(result.stdout)["bad_rows"]) == 30


@pytest.mark.parametrize("rows", [[], [{"answer": "a"}], [by_points(0, points=[1])]])
def test_no_usable_row_is_refused(run: Run, rows: list[dict[str, object]]) -> None:
    result = run("evaluate", write(rows))
    assert result.exit_code == 2
    assert "error[invalid_input]: No row of marks.jsonl can be used." in result.stderr
    assert result.stdout == ""


def test_when_nothing_could_be_graded_that_is_refused_too(run: Run) -> None:
    Path("none.jsonl").touch()
    result = run("evaluate", write([by_points(0, points=[1, 0])]), "--grades", "none.jsonl")
    assert result.exit_code == 2
    assert "none.jsonl has no grade of 'a0'" in result.stderr


def test_a_table_of_a_spreadsheet(run: Run) -> None:
    with Path("marks.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "answer", "question", "sample_answer", "score", "score_2"])
        writer.writerows(
            [f"a{place}", answer, "Why?", MAKES_IT, place / 4, 0.5] for place, answer in enumerate(ANSWERS)
        )
    result = run("evaluate", "marks.csv")
    assert result.exit_code == 0
    assert "Scores: 4 answers, 1 question" in result.stdout
    assert "human with human" in result.stdout


def test_standard_input_is_json_lines(run: Run) -> None:
    given = json.dumps(by_points(0, points=[1, 0])).encode()
    assert "Points: 2 points of 1 answer" in run("evaluate", "-", stdin=given).stdout


class Reader(html.parser.HTMLParser):
    """Collects what would load or run something, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in {"src", "href"} or name.startswith("on")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def test_the_page_stands_by_itself(run: Run) -> None:
    result = run("evaluate", write(ALL_KINDS), "--samples", "20", "--html", "page.html")
    assert result.exit_code == 0
    page = Path("page.html").read_text("utf-8")
    reader = read(page)
    assert reader.loads == []
    assert {"script", "link", "img", "iframe"}.isdisjoint(reader.tags)
    assert "url(" not in page
    assert "@import" not in page
    # Reliability, twice risk; risk; scatter, risk; risk.
    assert reader.tags.count("svg") == 7
    assert all(f"<h2>{title}</h2>" in page for title in ("Points", "Labels", "Scores", "Entailment"))
    assert f"<mark>{MAKES_IT}</mark>" in page
    assert "Sample answer: Every insert" in page
    assert "people: incorrect" in page


def test_what_people_wrote_is_never_markup(run: Run) -> None:
    sly = '<script>alert("x")</script>&amp;'
    row = {"id": sly, "answer": f"{sly} {MAKES_IT}", "question": sly, "points": [sly, MAKES_IT]}
    write([{**row, "gold": {"points": [1, 0]}}], "<b>.jsonl")
    run("evaluate", "<b>.jsonl", "--html", "page.html")
    page = Path("page.html").read_text("utf-8")
    reader = read(page)
    assert {"script", "b"}.isdisjoint(reader.tags)
    assert reader.text.count("alert(") >= 3


def test_only_the_twenty_worst_are_shown_and_the_worst_first(run: Run) -> None:
    run(
        "evaluate",
        write([by_sample(0, score=place / 50) for place in range(50)]),
        "--samples",
        "0",
        "--html",
        "page.html",
    )
    page = Path("page.html").read_text("utf-8")
    assert page.count("<article>") == 20
    assert page.index("people: .000") < page.index("people: .020")


@pytest.mark.parametrize("target", ["folder", "no/such/page.html"])
def test_a_page_that_cannot_be_written_is_refused_before_anything_is_graded(run: Run, target: str) -> None:
    Path("folder").mkdir()
    result = run("evaluate", write(ALL_KINDS), "--html", target)
    assert result.exit_code == 2
    assert f"{target} cannot be written" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("target", ["marks.jsonl", "grades.jsonl", "link"])
def test_a_page_never_writes_over_what_it_is_made_from(run: Run, target: str) -> None:
    write(ALL_KINDS)
    write([], "grades.jsonl")
    Path("link").symlink_to("marks.jsonl")
    before = Path("marks.jsonl").read_bytes()
    result = run("evaluate", "marks.jsonl", "--grades", "grades.jsonl", "--html", target)
    assert result.exit_code == 2
    assert "would write over" in result.stderr
    assert Path("marks.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "no-such.jsonl"), "Cannot read no-such.jsonl"),
        (("evaluate", "no-such.csv"), "Cannot read no-such.csv"),
        (("evaluate", "marks.jsonl", "--grades", "no-such"), "Cannot read no-such"),
        (("evaluate", "marks.jsonl", "--grades", "marks.jsonl"), "marks.jsonl:1 is no grade"),
        (("evaluate", "marks.jsonl", "--samples", "-1"), "--samples"),
        (("evaluate",), "GRADED"),
    ],
)
def test_wrong_use_is_status_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    write(ALL_KINDS)
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_without_an_index_a_question_by_id_stops_the_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARKSCHEME_HOME", "elsewhere")
    result = run("evaluate", write([{"answer": "a", "question_id": QUESTION, "gold": {"score": 1}}]))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("error[index_missing]:")


def test_control_sequences_of_a_file_do_not_reach_the_terminal(run: Run) -> None:
    result = run("evaluate", write([{"answer": "a", "gold": {"label": "\x1b[2J"}}], "marks.jsonl"))
    assert "\x1b" not in result.stderr


def test_progress_is_shown_where_somebody_watches(command: list[str]) -> None:
    parent, child = pty.openpty()
    name = write([by_points(place, points=[1, 0]) for place in range(3)])
    done: Any = subprocess.run([*command, "evaluate", name], stdout=subprocess.PIPE, stderr=child, check=True)
    os.close(child)
    told = os.read(parent, 4096).decode()
    os.close(parent)
    assert "3 graded, 0 failed" in told
    assert "Comparing with word overlap and sentence cosine." in told
    assert b"Points: 6 points of 3 answers" in done.stdout
