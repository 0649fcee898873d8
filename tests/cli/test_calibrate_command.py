"""`markscheme calibrate`, and grades by what it makes."""

import csv
import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from markscheme.adapters.calibration_file.reading import read_calibration

PACKAGED = read_calibration()
Run = Callable[..., Result]

WORDS = (
    "caching replication consistency partition throughput latency",
    "gradient momentum schedule regularisation initialisation curvature",
    "isolation durability snapshot transaction journal recovery",
)


def graded(
    count: int = 36, *, questions: int = 3, contrary: bool = False, inverted: bool = False
) -> list[dict[str, Any]]:
    """Answers of which people call a point made when two of its six words are there; or nothing ever follows."""
    rows = []
    for number in range(count):
        words = WORDS[number % questions].split()
        points = [" ".join(words), " ".join(reversed(words)) + " again"]
        said = [words[: number % 7], list(reversed(words))[: (number // 7) % 7]]
        made = [float(len(one) >= 2) for one in said]
        if inverted:
            made = [1 - one for one in made]
        if contrary:
            made = [float(number % questions == 0)] * 2
        rows.append(
            {
                "id": f"a{number}",
                "answer": ". ".join(" ".join(one).capitalize() for one in said if one) + ".",
                "points": points,
                "question": f"What of {words[0]}?",
                "gold": {"points": made},
            }
        )
    return rows


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "graded.jsonl", graded())


@pytest.fixture
def answer(tmp_path: Path) -> list[str | Path]:
    """Options of a grade that is partial."""
    (tmp_path / "answer.txt").write_text("Caching with some replication.", "utf-8")
    (tmp_path / "points.txt").write_text(f"{WORDS[0]}\n", "utf-8")
    return ["grade", "--answer", tmp_path / "answer.txt", "--points", tmp_path / "points.txt", "--json"]


def test_a_profile_is_made_told_and_used(
    home: Path, run: Run, file: Path, answer: list[str | Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("calibrate", file, "--name", "our-school")
    assert result.exit_code == 0, result.output
    for told in ("36 answers to 3 questions", "log-loss of coverage", "before", "after", "Cut of covered", "kappa"):
        assert told in result.stdout
    assert "AUC (mean of folds)" in result.stdout
    assert re.search(r"Change of the log-loss of coverage: -\S+, from -\S+ to -\S+ in 95% of 1,000", result.stdout)
    assert "Not used" not in result.stdout
    path = home / "profiles" / "our-school.json"
    assert f"Saved as {path}" in result.stdout.replace("\n", "")
    content = json.loads(path.read_text("utf-8"))
    assert content["name"] == "our-school"
    assert content["fitted_on"] == f"graded.jsonl: 36 answers to 3 questions, starting from {PACKAGED.name}"
    assert content["coverage"]["intercept"] != PACKAGED.coverage.intercept
    usual = json.loads(run(*answer).stdout)
    named = json.loads(run(*answer, "--profile", "our-school").stdout)
    assert named["grader"]["calibration"] == "our-school"
    assert named["points"][0]["coverage"] > usual["points"][0]["coverage"]
    monkeypatch.setenv("MARKSCHEME_CALIBRATION", "our-school")
    assert json.loads(run(*answer).stdout) == named
    monkeypatch.setenv("MARKSCHEME_CALIBRATION", str(path))
    assert json.loads(run(*answer).stdout) == named


def test_a_batch_uses_a_profile(home: Path, run: Run, file: Path, tmp_path: Path) -> None:
    del home
    assert run("calibrate", file, "--name", "ours").exit_code == 0
    rows = [{"answer": "Caching, replication.", "points": [WORDS[0]], "profile": name} for name in ("ours", "theirs")]
    result = run("batch", write(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl")
    assert result.exit_code == 1
    good, bad = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert good["grader"]["calibration"] == "ours"
    assert bad["error"]["code"] == "unknown_profile"


def test_json_has_everything_that_is_printed(home: Path, run: Run, file: Path) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"answer": "x"}\n')
        stream.write(json.dumps({**graded(1)[0], "points": ["..."], "gold": {"points": [1]}}) + "\n")
    result = run("calibrate", file, "--name", "ours", "--json", "--folds", "2", "--seed", "4")
    assert result.exit_code == 1, result.output
    told = json.loads(result.stdout)
    assert told["saved"] == str(home / "profiles" / "ours.json")
    assert (told["name"], told["kind"], told["answers"], told["questions"], told["folds"]) == (
        "ours",
        "points",
        36,
        3,
        2,
    )
    assert (told["helps"], told["objections"]) == (True, [])
    assert set(told["worse"]) < {*told["before"], told["loss"]}
    assert told["change"]["loss"]["low"] < told["change"]["loss"]["value"] < told["change"]["loss"]["high"] < 0
    assert told["change"]["kappa"].keys() == {"value", "low", "high"}
    assert told["before"].keys() == told["after"].keys() >= {"loss", "accuracy", "kappa", "auc", "ece"}
    assert told["after"]["loss"] < told["before"]["loss"]
    assert {"slope", "offset"} == told["scale"].keys()
    assert told["cuts"]["before"] == asdict(PACKAGED.cuts)
    assert told["not_used"] == 2
    assert [one["line"] for one in told["bad_rows"]] == [37]
    assert [(one["id"], one["line"]) for one in told["left_out"]] == [("a0", 38)]
    assert f"{file}:37: " in result.stderr
    assert f"{file}:38: a0 is left out: " in result.stderr
    assert (home / "profiles" / "ours.json").is_file()


def test_rows_that_cannot_be_used_are_counted_and_cost_the_exit_status(home: Path, run: Run, file: Path) -> None:
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"answer": "x"}\n')
        stream.write(json.dumps({**graded(1)[0], "id": "by score", "gold": {"score": 0.5}}) + "\n")
    result = run("calibrate", file, "--name", "ours")
    assert result.exit_code == 1
    assert "Not used: 2 rows, 1 that cannot be read and 1 left out." in result.stdout
    assert "Saved as" in result.stdout
    assert f"{file}:38: by score is left out: People did not judge it by points" in result.stderr
    assert "error[" not in result.stderr
    assert (home / "profiles" / "ours.json").is_file()


def test_why_rows_are_left_out_is_told_though_too_few_remain(home: Path, run: Run, tmp_path: Path) -> None:
    rows = [{**row, "points": ["..."], "gold": {"points": [1]}} for row in graded(30)]
    result = run("calibrate", write(tmp_path / "wordless.jsonl", rows), "--name", "ours")
    assert result.exit_code == 1
    assert result.stderr.count("is left out: ") == 20
    assert "and 10 more rows that cannot be used" in result.stderr
    assert "error[calibration_refused]: 0 answers" in result.stderr
    assert not (home / "profiles").exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_marks_that_run_against_the_grader_are_refused_whatever_force(
    home: Path, run: Run, tmp_path: Path, force: tuple[str, ...]
) -> None:
    file = write(tmp_path / "inverted.jsonl", graded(inverted=True))
    result = run("calibrate", file, "--name", "ours", *force)
    assert result.exit_code == 1
    assert "error[calibration_refused]: The marks run against the grader's reading" in result.stderr
    assert "Check that 1 stands for made and 0 for missed" in result.stderr
    assert not (home / "profiles").exists()


def test_what_got_worse_is_told(home: Path, run: Run, tmp_path: Path) -> None:
    """Nothing follows from what people said, so something must get worse; the table and the line below say what."""
    file = write(tmp_path / "contrary.jsonl", graded(contrary=True, questions=2))
    told = json.loads(run("calibrate", file, "--name", "ours", "--json").stdout)
    assert told["worse"]
    printed = run("calibrate", file, "--name", "ours").stdout
    assert re.search(r"log-loss of coverage .*\| worse +\|", printed)
    assert "Got worse: log-loss of coverage" in printed
    assert len(re.findall(r"\| worse +\|", printed)) == len(told["worse"])
    del home


def test_weights_are_fitted_where_asked(home: Path, run: Run, file: Path) -> None:
    """And refused: of few answers the log-loss falls, and more points are decided wrongly."""
    result = run("calibrate", file, "--name", "ours", "--weights")
    assert result.exit_code == 1, result.output
    assert "Log-odds" not in result.stdout
    assert re.search(r"kappa +\| \.\d+ +\| \.\d+ +\| worse", result.stdout)
    assert re.search(r"Got worse: .*kappa", result.stdout)
    assert "error[calibration_refused]: On held-out questions the kappa falls from" in result.stderr
    assert not (home / "profiles").exists()
    told = json.loads(run("calibrate", file, "--name", "ours", "--weights", "--json", "--force").stdout)
    assert told["scale"] is None
    assert told["after"]["loss"] < told["before"]["loss"]
    assert (told["helps"], len(told["objections"]), "kappa" in told["worse"]) == (False, 1, True)
    assert (home / "profiles" / "ours.json").is_file()


def test_a_table_with_scores(home: Path, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["answer", "sample_answer", "question", "score"])
        for row in graded():
            score = min(1.0, 0.3 + len(row["answer"].split()) / 12)
            writer.writerow([row["answer"], ". ".join(row["points"]), row["question"], score])
    result = run("calibrate", path, "--name", "scores")
    assert result.exit_code == 0, result.output
    assert "RMSE of scores" in result.stdout
    assert (home / "profiles" / "scores.json").is_file()


def test_standard_input(home: Path, run: Run, file: Path) -> None:
    result = run("calibrate", "-", "--name", "ours", stdin=file.read_bytes())
    assert result.exit_code == 0, result.output
    assert "standard input: 36" in (home / "profiles" / "ours.json").read_text("utf-8")


def test_what_does_not_help_is_told_and_saved_only_by_force(home: Path, run: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "contrary.jsonl", graded(contrary=True, questions=2))
    result = run("calibrate", file, "--name", "ours")
    assert result.exit_code == 1
    assert "error[calibration_refused]" in result.stderr
    assert "before: it does not fall." in result.stderr
    assert "This calibration is not shown to help, and nothing was saved." in result.stderr
    assert "log-loss" in result.stdout
    assert not (home / "profiles").exists()
    told = json.loads(run("calibrate", file, "--name", "ours", "--json").stdout)
    assert (told["saved"], told["helps"]) == (None, False)
    assert run("calibrate", file, "--name", "ours", "--force").exit_code == 0
    assert (home / "profiles" / "ours.json").is_file()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (graded(20), "takes 30"),
        (graded(questions=1), "one question"),
        ([{**row, "gold": {"points": [1, 1]}} for row in graded()], "one and the same mark"),
        ([], "0 answers"),
    ],
)
def test_what_cannot_carry_a_calibration_is_refused_whatever_force(
    home: Path, run: Run, tmp_path: Path, rows: list[dict[str, Any]], reason: str
) -> None:
    result = run("calibrate", write(tmp_path / "few.jsonl", rows), "--name", "ours", "--force")
    assert result.exit_code == 1
    assert "error[calibration_refused]" in result.stderr
    assert reason in result.stderr
    assert not (home / "profiles").exists()


def test_a_name_that_is_taken_is_told_before_the_work(
    home: Path, run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("calibrate", file, "--name", "ours").exit_code == 0
    before = (home / "profiles" / "ours.json").read_bytes()
    with monkeypatch.context() as changed:
        # Where this is read the work has begun.
        changed.setattr("markscheme.cli.calibrate.read_judged", lambda *_: pytest.fail("work was begun"))
        result = run("calibrate", file, "--name", "ours", "--weights")
    assert result.exit_code == 1
    assert "--force" in result.stderr
    assert (home / "profiles" / "ours.json").read_bytes() == before
    assert run("calibrate", file, "--name", "ours", "--weights", "--force").exit_code == 0
    assert (home / "profiles" / "ours.json").read_bytes() != before


@pytest.mark.parametrize("name", ["Our School", "../x", ""])
def test_a_name_that_cannot_be_is_wrong_use(home: Path, run: Run, file: Path, name: str) -> None:
    result = run("calibrate", file, "--name", name)
    assert (result.exit_code, "cannot be called" in result.stderr) == (2, True)
    assert not (home / "profiles").exists()


def test_many_bad_rows_are_told_in_short(home: Path, run: Run, file: Path) -> None:
    del home
    with file.open("a", encoding="utf-8") as stream:
        stream.write("{}\n" * 30)
    result = run("calibrate", file, "--name", "ours")
    assert result.exit_code == 1
    assert "and 10 more rows that cannot be used" in result.stderr
    assert result.stderr.count("graded.jsonl:") == 20


def test_a_profile_that_is_set_and_not_there_is_told(
    home: Path, run: Run, answer: list[str | Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARKSCHEME_CALIBRATION", "nobody")
    result = run(*answer)
    assert result.exit_code == 2
    assert "error[invalid_settings]: MARKSCHEME_CALIBRATION: There is no calibration profile 'nobody'" in result.stderr
    assert str(home / "profiles") in result.stderr


def test_without_scipy_it_says_where_to_calibrate(
    home: Path, run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del home
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    monkeypatch.delitem(sys.modules, "markscheme.adapters.scipy_fitting", raising=False)
    result = run("calibrate", file, "--name", "ours")
    assert result.exit_code == 1
    assert "error[calibration_refused]" in result.stderr
    assert "scipy" in result.stderr


def test_profiles_of_an_installed_package_are_not_written(
    run: Run, environment: None, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    del environment
    monkeypatch.setattr("markscheme.rooms._PACKAGE", tmp_path / "site" / "markscheme")
    result = run("calibrate", file, "--name", "ours")
    assert result.exit_code == 2
    assert "Set MARKSCHEME_HOME" in result.stderr
