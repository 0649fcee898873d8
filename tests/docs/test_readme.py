"""README against the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from markscheme.grading.errors import MarkschemeError
from markscheme.web.errors import KINDS


def rows(readme: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = readme.split(f"\n{heading}\n", 1)[1]
    table = re.findall(r"^\|.*\|$", section.split("\n## ", 1)[0], re.MULTILINE)[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table]


def codes_of(kind: type[MarkschemeError]) -> set[str]:
    return {kind.code}.union(*(codes_of(below) for below in kind.__subclasses__()))


def test_every_command_is_listed_with_every_option(readme: str, commands: dict[str, set[str]]) -> None:
    listed = {row[0].strip("`").split()[1]: row for row in rows(readme, "### The command line")}
    assert set(listed) == set(commands)
    for name, options in commands.items():
        assert set(re.findall(r"--[a-z-]+", listed[name][2])) == options, name


def test_every_error_code_is_listed_with_its_status(readme: str) -> None:
    listed = {code.strip("`"): status for code, status, _ in rows(readme, "## Errors")}
    raised_by_the_package = {code for code in codes_of(MarkschemeError) if not code.startswith("test_")}
    assert set(listed) == raised_by_the_package | set(KINDS) | {"os_error"}
    for code, status in listed.items():
        assert status == (str(KINDS[code].status) if code in KINDS else ""), code


def test_the_addresses_are_those_of_the_service(readme: str) -> None:
    from markscheme.settings import Settings  # noqa: PLC0415 - the other tests need no web framework
    from markscheme.web.app import create_app  # noqa: PLC0415 - likewise

    app = create_app(lambda: pytest.fail("no grader is needed"), settings=Settings())
    served = {(method.upper(), path) for path, methods in app.openapi()["paths"].items() for method in methods}
    listed = {
        (method, path)
        for row in rows(readme, "### HTTP")
        for method, path in re.findall(r"(GET|POST) (/[^`]*)", row[0])
    }
    assert {(method, re.sub(r":path", "", path)) for method, path in served} | {("GET", "/openapi.json")} == {
        (method, path.replace("{id}", "{question_id}")) for method, path in listed
    }


def test_the_grade_that_is_shown_is_what_the_command_prints(
    readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = re.search(r"<!-- example -->\n```sh\n(.*?)```\n\n```text\n(.*?)```", readme, re.DOTALL)
    assert shown is not None
    monkeypatch.setenv("MARKSCHEME_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MARKSCHEME_EMBEDDER", raising=False)
    monkeypatch.delenv("MARKSCHEME_CALIBRATION", raising=False)
    monkeypatch.delenv("MARKSCHEME_VERIFIER", raising=False)
    commands = f'markscheme() {{ "{sys.executable}" -m markscheme "$@"; }}\n{shown[1]}'
    done = subprocess.run(
        ["/bin/sh", "-ec", commands], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    )
    trimmed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    assert trimmed == shown[2], "grades have changed: paste the new one into README.md"
