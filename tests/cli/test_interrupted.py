"""Ctrl-C while the command line is still being imported: status 130, and no word."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from select import select

import pytest

# Tells or sends something when a module is looked for, in the process that imports it.
AT_IMPORT = """
import os, signal, sys
from markscheme.__main__ import main

wanted = sys.argv[1]

class Finder:
    def find_spec(self, name, *_):
        if name == wanted:
            sys.meta_path.remove(self)
            {does}

sys.meta_path.insert(0, Finder())
{before}
sys.argv[0:2] = ["markscheme"]
main()
"""
SEND = "os.kill(os.getpid(), signal.SIGINT)"
SWALLOW = f"""
            try:
                {SEND}
            except BaseException:
                pass
"""
WHEN_CALLED = f"""
def watch(frame, event, _):
    if event == "call" and frame.f_code.co_name == "get_command":
        sys.setprofile(None)
        {SEND}
sys.setprofile(watch)
"""
# From the first module that the command line needs to the last of its own.
MODULES = ("markscheme.cli.app", "typer", "numpy", "pydantic", "markscheme.cli.serve")


def program(does: str, before: str = "") -> list[str]:
    return [sys.executable, "-c", AT_IMPORT.format(does=does, before=before)]


def outcome(arguments: list[str]) -> tuple[int, str, str]:
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("does", [SEND, SWALLOW], ids=["plain", "swallowed"])
@pytest.mark.parametrize("module", MODULES)
def test_an_interrupted_import_is_quiet(module: str, does: str) -> None:
    assert outcome([*program(does), module, "--version"]) == (130, "", "")


def test_what_interrupts_between_the_imports_and_the_command_is_quiet_too() -> None:
    assert outcome([*program("pass", WHEN_CALLED), "none", "--version"]) == (130, "", "")


def test_where_ctrl_c_is_ignored_it_stays_ignored() -> None:
    ignoring = program(SEND, "signal.signal(signal.SIGINT, signal.SIG_IGN)")
    status, told, said = outcome([*ignoring, "numpy", "--version"])
    assert (status, said) == (0, "")
    assert told.startswith("markscheme ")


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1, 0.2, 0.4, 0.8])
def test_ctrl_c_at_any_moment_is_quiet(empty_home: Path, seconds: float) -> None:
    assert not empty_home.exists()
    Path("points").write_text("Every insert must also write the index.", "utf-8")
    # It waits for an answer, so that it is there at every moment.
    arguments = [*program("os.write(1, b'begun')"), MODULES[0], "grade", "--points", "points", "--answer", "-"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        ready, _, _ = select([process.stdout], [], [], 60)
        assert ready
        assert os.read(process.stdout.fileno(), 5) == b"begun"
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        told, said = process.communicate(timeout=60)
    assert (process.returncode, told, said) == (130, b"", b"")
