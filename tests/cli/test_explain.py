"""`--explain` and `--profile`: what is asked for reaches the grader, and what it says is shown."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import Result

from markscheme import bootstrap
from markscheme.grading.cuts import Cuts
from markscheme.grading.grade import Grade
from markscheme.grading.reading import ALL_FEATURES
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import load_settings

Run = Callable[..., Result]

QUESTION = "databases/what-an-index-costs"
GOOD = "Every insert and update must also write the index \x1b[2J."
LINE: dict[str, object] = {"question_id": QUESTION, "answer": GOOD}


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    assert home.exists()


def report(run: Run, *options: str, stdin: str = GOOD) -> str:
    result = run("grade", "--question-id", QUESTION, "--answer", "-", *options, stdin=stdin)
    assert result.exit_code == 0
    return result.stdout


def batch(run: Run, *options: str, lines: list[dict[str, object]]) -> Result:
    Path("in").write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return run("batch", "in", "out", *options)


def rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in Path("out").read_text("utf-8").splitlines()]


def test_the_report_says_how_sure_it_is(run: Run) -> None:
    second = report(run).splitlines()[1]
    assert second.startswith("Confidence 0.")
    assert second.endswith((", sure", ", fairly sure", ", a person should look"))


def test_each_point_says_why_when_asked_and_not_otherwise(run: Run) -> None:
    assert "Looked for" not in report(run)
    shown = report(run, "--explain")
    first, second = shown.split("\n1. ")[1].split("\n2. ")
    for block in (first, second):
        for said in ("Looked for", "Read ", "The verifier", "What was measured", "Coverage 0.", "Confidence 0."):
            assert said in block
    assert first.startswith("covered: Every insert and update must also write the index.")
    assert "“Every insert and update must also write the index." in first
    assert "\x1b" not in shown


def test_effects_stand_in_order_of_their_size(run: Run) -> None:
    block = report(run, "--explain").split("\n1. ")[1].split("\n2. ")[0]
    table = block.split("What was measured")[1].split("Coverage")[0].splitlines()
    sizes = [abs(float(line.split()[0])) for line in table if line.strip() and line.split()[0][0] in "+-"]
    assert len(sizes) > 3
    assert sizes == sorted(sizes, reverse=True)


def test_an_answer_without_a_word_says_that_there_was_none_to_read(run: Run) -> None:
    assert report(run, "--explain", stdin=" ").count("There was no word to read.") == 2
    grade = json.loads(report(run, "--explain", "--json", stdin=" "))
    assert [point["explanation"] for point in grade["points"]] == [None, None]


def test_the_json_holds_explanations_only_when_asked(run: Run) -> None:
    plain = json.loads(report(run, "--json"))
    asked = json.loads(report(run, "--json", "--explain"))
    for point in asked["points"]:
        explanation = point.pop("explanation")
        assert explanation["passage"]
        assert {effect["name"] for effect in explanation["effects"]} <= set(ALL_FEATURES)
        assert explanation["cuts"]["partial"] < explanation["cuts"]["covered"]
    assert asked == plain


def test_a_batch_explains_the_lines_that_ask_or_all(run: Run) -> None:
    lines = [LINE, {**LINE, "explain": True}, {**LINE, "explain": False}]
    for options, explained in (((), [False, True, False]), (("--explain",), [True, True, True])):
        assert batch(run, *options, lines=lines).exit_code == 0
        assert ['"explanation"' in json.dumps(row) for row in rows()] == explained


def test_a_row_that_is_explained_is_what_grade_prints(run: Run) -> None:
    batch(run, "--explain", lines=[LINE])
    assert rows() == [json.loads(report(run, "--json", "--explain"))]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[GradeRequest]:
    """Requests as they reach the grader. There are three profiles: `ours`, `theirs`, and `broken`."""
    settings = load_settings()
    folder = bootstrap.profiles(settings, None)
    plain = bootstrap.calibration(settings, None)
    for name, cuts in (("ours", Cuts(0.999, 0.998)), ("theirs", Cuts(0.5, 0.4)), ("broken", plain.cuts)):
        path = folder.save(replace(plain, name=name, cuts=cuts), "a test", replace=False)
    path.write_text("{}", "utf-8")
    seen: list[GradeRequest] = []
    grade = Grader.grade

    def watch(grader: Grader, request: GradeRequest) -> Grade:
        seen.append(request)
        return grade(grader, request)

    monkeypatch.setattr(Grader, "grade", watch)
    return seen


def test_grade_hands_profile_and_explain_on(run: Run, asked: list[GradeRequest]) -> None:
    explained = report(run, "--profile", "ours", "--explain")
    assert "where partial begins" in explained
    assert "0.998" in explained
    report(run)
    assert [(one.profile, one.explain) for one in asked] == [("ours", True), (None, False)]


def test_a_profile_of_a_line_goes_before_that_of_the_batch(run: Run, asked: list[GradeRequest]) -> None:
    assert batch(run, "--profile", "ours", lines=[LINE, {**LINE, "profile": "theirs"}]).exit_code == 0
    assert [one.profile for one in asked] == ["ours", "theirs"]
    assert [cast("Any", row)["grader"]["calibration"] for row in rows()] == ["ours", "theirs"]


def test_an_unknown_profile_of_a_line_costs_that_line(run: Run, asked: list[GradeRequest]) -> None:
    assert batch(run, lines=[LINE, {**LINE, "id": "b", "profile": "nobodys"}, LINE]).exit_code == 1
    assert len(asked) == 3
    error = cast("Any", rows()[1])["error"]
    assert (error["code"], error["pointer"]) == ("unknown_profile", "/profile")
    assert [(row["id"], "error" in row) for row in rows()] == [(None, False), ("b", True), (None, False)]


@pytest.mark.parametrize(("name", "code"), [("nobodys", "unknown_profile"), ("broken", "unusable_profile")])
def test_a_profile_of_the_batch_that_cannot_be_used_stops_it(
    run: Run, asked: list[GradeRequest], name: str, code: str
) -> None:
    result = batch(run, "--profile", name, lines=[LINE, LINE])
    assert result.exit_code == 2
    assert f"error[{code}]: " in result.stderr
    assert len(asked) == 1


def test_a_profile_of_a_line_that_cannot_be_used_costs_that_line(run: Run, asked: list[GradeRequest]) -> None:
    assert batch(run, lines=[{**LINE, "profile": "broken"}, LINE]).exit_code == 1
    assert len(asked) == 2
    assert cast("Any", rows()[0])["error"]["code"] == "unusable_profile"
    assert cast("Any", rows()[0])["error"]["pointer"] == "/profile"


@pytest.mark.parametrize("command", ["grade", "batch"])
def test_what_is_no_name_of_a_profile_is_refused_at_once(run: Run, asked: list[GradeRequest], command: str) -> None:
    if command == "grade":
        result = run("grade", "--question-id", QUESTION, "--answer", "-", "--profile", "../ours", stdin=GOOD)
    else:
        result = batch(run, "--profile", "../ours", lines=[LINE])
    assert result.exit_code == 2
    assert result.stderr.startswith("error[invalid_input]: ")
    assert "is no name of a profile. Write 1 to 64 small letters" in result.stderr
    assert asked == []
    assert not list(Path().glob("out*"))


def test_a_batch_is_not_resumed_with_other_options(
    run: Run, asked: list[GradeRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Grader.grade

    def stop(grader: Grader, request: GradeRequest) -> Grade:
        if request.id == "1":
            raise KeyboardInterrupt
        return watched(grader, request)

    lines = [{**LINE, "id": "0"}, {**LINE, "id": "1"}]
    monkeypatch.setattr(Grader, "grade", stop)
    assert batch(run, "--explain", "--profile", "ours", lines=lines).exit_code == 130
    monkeypatch.setattr(Grader, "grade", watched)
    for options, differing in (
        (("--explain", "--profile", "theirs"), "--profile"),
        (("--profile", "ours"), "--explain"),
        ((), "--profile, --explain"),
    ):
        refused = batch(run, "--resume", *options, lines=lines)
        assert refused.exit_code == 2
        assert f"what differs is {differing}. Delete it" in refused.stderr
    assert batch(run, "--resume", "--explain", "--profile", "ours", lines=lines).exit_code == 0
    assert [row["id"] for row in rows()] == ["0", "1"]
    assert len(asked) == 2
