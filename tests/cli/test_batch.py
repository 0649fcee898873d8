"""`markscheme batch`: bad lines, interruptions and full disks cost nothing that was finished."""

import json
import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from markscheme.cli import batch_progress
from markscheme.grading.errors import UnservableIndexError
from markscheme.pipeline.grade import Grader

Run = Callable[..., Result]

QUESTION = "databases/what-an-index-costs"
GOOD = {"question_id": QUESTION, "answer": "Every insert and update must also write the index."}
BROKEN: dict[str, bytes] = {
    "malformed_json": b'{"answer": "cut o',
    "empty_rubric": b'{"id": "b", "answer": "a", "points": []}',
    "unknown_question": b'{"id": "c", "answer": "a", "question_id": "no/such"}',
    "answer_too_long": json.dumps({**GOOD, "answer": "word " * 500}).encode(),
}
BROKEN_INPUT = (
    b'{"id": "e", "question_id": "databases/what-an-index-costs"}',
    b'{"id": "f", "answer": "neither"}',
    b'{"id": "g", "answer": 7, "question_id": "databases/what-an-index-costs"}',
    b"[]",
    b'{"id": "i", "answer": "\\ud800", "question_id": "databases/what-an-index-costs"}',
    b'{"answer": "' + b"x" * 5000 + b'"}',
)


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    assert home.exists()
    monkeypatch.setenv("MARKSCHEME_MAX_ANSWER_CHARS", "2000")
    monkeypatch.setenv("MARKSCHEME_MAX_BODY_BYTES", "4000")


def lines(count: int) -> list[bytes]:
    return [json.dumps({"id": str(number), **GOOD}).encode() for number in range(count)]


def rows(path: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    assert content == b"" or content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def test_a_thousand_lines_with_twenty_broken_ones_of_ten_kinds(run: Run) -> None:
    given = lines(980)
    broken = [*BROKEN.values(), *BROKEN_INPUT] * 2
    places = range(0, 1000, 50)
    for place, line in zip(places, broken, strict=True):
        given.insert(place, line)
    Path("in").write_bytes(b"\n".join(given) + b"\n")
    result = run("batch", "in", "out")
    found = rows(Path("out"))
    errors = [row for row in found if "error" in row]
    assert result.exit_code == 1
    assert (len(found), len(errors)) == (1000, 20)
    assert [row["line"] for row in errors] == [place + 1 for place in places]
    assert [row["error"]["code"] for row in errors[:10]] == [*BROKEN, *["invalid_input"] * 6]
    assert [row["id"] for row in errors[:10]] == [None, "b", "c", None, "e", "f", "g", None, "i", None]
    assert all(list(row) == ["id", "line", "error"] and row["error"]["message"] for row in errors)
    assert [row["id"] for row in found if "error" not in row] == [str(number) for number in range(980)]
    assert len({json.dumps({**row, "id": None}) for row in found if "error" not in row}) == 1
    assert result.stderr.startswith("980 graded, 20 failed, ")


def test_all_graded_is_status_0_and_says_nothing(run: Run) -> None:
    Path("in").write_bytes(b"\n".join(lines(3)))
    result = run("batch", "in", "out")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert len(rows(Path("out"))) == 3
    assert not Path("out.partial").exists()


def test_a_row_is_what_grade_prints(run: Run) -> None:
    Path("in").write_bytes(lines(1)[0])
    run("batch", "in", "out")
    (row,) = rows(Path("out"))
    printed = run("grade", "--question-id", QUESTION, "--answer", "-", "--json", stdin=str(GOOD["answer"])).stdout
    assert row == {**json.loads(printed), "id": "0"}


def test_empty_lines_between_others_are_errors_and_at_the_end_they_are_nothing(run: Run) -> None:
    Path("in").write_bytes(b"\n\n".join(lines(2)) + b"\n\n\n")
    assert run("batch", "in", "out").exit_code == 1
    found = rows(Path("out"))
    assert ["error" in row for row in found] == [False, True, False]
    assert found[1]["error"] == {"code": "malformed_json", "message": "The line is empty."}


def test_a_byte_order_mark_and_foreign_columns_do_no_harm(run: Run) -> None:
    line = json.dumps({**GOOD, "gold": 5, "teacher": "ß"}, ensure_ascii=False)
    Path("in").write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n")
    assert run("batch", "in", "out").exit_code == 0


def test_standard_input_to_standard_output(run: Run) -> None:
    result = run("batch", "-", "-", stdin=b"\n".join(lines(3)))
    assert result.exit_code == 0
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["0", "1", "2"]


def test_standard_input_replaces_an_earlier_output(run: Run) -> None:
    Path("out").write_bytes(b"of an earlier run\n")
    assert run("batch", "-", "out", stdin=lines(1)[0]).exit_code == 0
    assert [row["id"] for row in rows(Path("out"))] == ["0"]


def test_an_empty_file_gives_an_empty_file(run: Run) -> None:
    Path("in").touch()
    assert run("batch", "in", "out").exit_code == 0
    assert Path("out").read_bytes() == b""


@pytest.mark.parametrize("target", ["both", "./both", "soft", "hard", "rest", "begun"])
def test_an_input_that_the_run_would_write_over_is_refused(run: Run, target: str) -> None:
    given = lines(1)[0]
    Path("both").write_bytes(given)
    Path("soft").symlink_to("both")
    Path("hard").hardlink_to("both")
    Path("rest.partial").symlink_to("both")
    Path("begun.partial.origin").symlink_to("both")
    result = run("batch", "both", target)
    assert result.exit_code == 2
    assert result.stderr.startswith("error[invalid_input]: IN is ")
    assert Path("both").read_bytes() == given
    assert not Path(f"{target}.partial").exists() or target == "rest"


def test_standard_input_that_the_run_would_write_over_is_refused(home: Path, command: list[str]) -> None:
    assert home.exists()
    Path("both").write_bytes(lines(1)[0])
    with Path("both").open("rb") as stdin:
        done = subprocess.run([*command, "batch", "-", "both"], stdin=stdin, capture_output=True, check=False)
    assert done.returncode == 2
    assert Path("both").read_bytes() == lines(1)[0]


@pytest.mark.parametrize("source", ["-", "pipe"])
def test_an_input_that_cannot_be_read_again_is_not_resumed(run: Run, source: str) -> None:
    os.mkfifo("pipe")
    result = run("batch", source, "out", "--resume", stdin=lines(1)[0])
    assert result.exit_code == 2
    assert "cannot be read again from its start" in result.stderr
    assert not Path("out").exists()


@pytest.mark.parametrize("arguments", [("missing", "out"), ("in", "missing/out"), ("in", "-", "--resume"), ("in", ".")])
def test_files_that_cannot_be_are_status_2_and_touch_nothing(run: Run, arguments: tuple[str, ...]) -> None:
    Path("in").write_bytes(lines(1)[0])
    result = run("batch", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("error[invalid_input]: ")
    assert not Path("out").exists()


def test_a_defect_costs_one_line_and_is_logged(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = Grader.grade

    def fail_on_one(self: Grader, request: Any) -> Any:
        if request.id == "1":
            raise ZeroDivisionError
        return real(self, request)

    monkeypatch.setattr(Grader, "grade", fail_on_one)
    Path("in").write_bytes(b"\n".join(lines(3)))
    assert run("batch", "in", "out").exit_code == 1
    first, second, third = rows(Path("out"))
    assert (second["id"], second["line"], second["error"]["code"]) == ("1", 2, "error")
    assert first["score"] == third["score"]
    assert "Line 2 could not be graded" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_without_an_index_the_batch_stops_at_the_first_line_that_needs_one(home: Path, run: Run) -> None:
    own = json.dumps({"answer": GOOD["answer"], "points": ["Every insert writes the index."]}).encode()
    (home / "index" / "CURRENT").unlink()
    Path("in").write_bytes(b"\n".join([own, *lines(1), own]))
    result = run("batch", "in", "out")
    assert result.exit_code == 1
    assert "error[index_missing]: " in result.stderr
    assert "1 finished rows are in out.partial" in result.stderr
    assert len(rows(Path("out.partial"))) == 1
    assert not Path("out").exists()


def stop_at(run: Run, monkeypatch: pytest.MonkeyPatch, answer_id: str) -> None:
    real = Grader.grade

    def fail(self: Grader, request: Any) -> Any:
        if request.id == answer_id:
            message = "The index is away."
            raise UnservableIndexError(message)
        return real(self, request)

    with monkeypatch.context() as patch:
        patch.setattr(Grader, "grade", fail)
        assert run("batch", "in", "out").exit_code == 1


def test_resuming_with_another_input_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in").write_bytes(b"\n".join(lines(3)))
    stop_at(run, monkeypatch, "1")
    kept = Path("out.partial").read_bytes()
    Path("in").write_bytes(b"\n".join(reversed(lines(3))))
    result = run("batch", "in", "out", "--resume")
    assert result.exit_code == 2
    assert "what differs is the input. Delete it" in result.stderr
    assert Path("out.partial").read_bytes() == kept


def test_resuming_with_another_grader_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in").write_bytes(b"\n".join(lines(3)))
    stop_at(run, monkeypatch, "1")
    monkeypatch.setattr("markscheme.pipeline.grade.__version__", "99.0")
    result = run("batch", "in", "out", "--resume")
    assert result.exit_code == 2
    assert "what differs is the grader (markscheme). Delete it" in result.stderr


def test_resume_goes_on_where_the_last_run_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given = lines(5)
    Path("in").write_bytes(b"\n".join(given))
    stop_at(run, monkeypatch, "2")
    assert len(rows(Path("out.partial"))) == 2
    refused = run("batch", "in", "out")
    assert refused.exit_code == 2
    assert "out.partial holds 2 finished rows" in refused.stderr
    # Rows that are marked, to be told from rows that are graded again.
    Path("out.partial").write_bytes(b'{"id":"0"}\n{"id":"1"}\n{"id":"2","sco')
    assert run("batch", "in", "out", "--resume").exit_code == 0
    assert not list(Path().glob("out.*"))
    found = rows(Path("out"))
    assert [row["id"] for row in found] == ["0", "1", "2", "3", "4"]
    assert ["score" in row for row in found] == [False, False, True, True, True]


def test_a_full_disk_is_told_in_one_line_without_a_traceback(run: Run) -> None:
    Path("in").write_bytes(b"\n".join(lines(2)))
    result = run("batch", "in", "/dev/full")
    assert result.exit_code == 1
    assert "error[os_error]: No space left on device" in result.stderr
    assert "0 finished rows are in /dev/full" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_disk_that_fills_up_keeps_the_finished_rows(home: Path, command: list[str]) -> None:
    resource = pytest.importorskip("resource")
    assert home.exists()
    Path("in").write_bytes(b"\n".join(lines(300)))
    size = 20_000

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        [*command, "batch", "in", "out"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    kept = rows(Path("out.partial"))
    assert done.returncode == 1
    assert "error[os_error]: File too large" in done.stderr
    assert f"{len(kept)} finished rows are in out.partial" in done.stderr
    assert "--resume" in done.stderr
    assert 0 < len(kept) < 300
    assert not Path("out").exists()


def test_ctrl_c_leaves_whole_rows_and_status_130_and_resume_finishes(home: Path, command: list[str], run: Run) -> None:
    assert home.exists()
    Path("in").write_bytes(b"\n".join(lines(3000)))
    with subprocess.Popen([*command, "batch", "in", "out"], stderr=subprocess.PIPE, text=True) as process:
        partial = Path("out.partial")
        deadline = time.monotonic() + 60
        while not (partial.exists() and partial.stat().st_size > 2000) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    kept = rows(partial)
    assert process.returncode == 130
    assert f"{len(kept):,} finished rows are in out.partial" in said
    assert "Traceback" not in said
    assert 0 < len(kept) < 3000
    assert run("batch", "in", "out", "--resume").exit_code == 0
    assert [row["id"] for row in rows(Path("out"))] == [str(number) for number in range(3000)]


def test_a_reader_that_goes_away_is_no_error_worth_a_word(home: Path, command: list[str]) -> None:
    assert home.exists()
    Path("in").write_bytes(b"\n".join(lines(300)))
    reading, writing = os.pipe()
    with subprocess.Popen([*command, "batch", "in", "-"], stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        assert os.read(reading, 10)
        os.close(reading)
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_progress_is_shown_to_who_watches(home: Path, command: list[str]) -> None:
    assert home.exists()
    Path("in").write_bytes(b"\n".join(lines(2)))
    leader, follower = pty.openpty()
    done = subprocess.run([*command, "batch", "in", "out"], stderr=follower, check=False)
    os.close(follower)
    said = os.read(leader, 1000)
    os.close(leader)
    assert done.returncode == 0
    assert b"\r2 graded, 0 failed, " in said


def test_progress_is_shown_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    progress = batch_progress.Progress()
    for _ in range(10):
        now += 0.1
        progress.count(graded=True)
    shown = [part for part in capsys.readouterr().err.split("\r") if part]
    assert shown[-1] == "10 graded, 0 failed, 10.0 a second"
    assert 3 <= len(shown) <= 6
