"""What the documents point to is there."""

import re
from pathlib import Path

import pytest

# First parts of a path that is meant from the root of the repository; the rest are paths of users, or inside a build.
ROOMS = ("service", "tests", "evaluation", "rubrics", "seeds", "index", "requirements", ".ci")
PACKAGE = ("grading", "pipeline", "adapters", "web", "cli")
FILE = re.compile(r"[A-Za-z.][\w.-]*\.(?:md|toml|py|yaml|txt)|Makefile|Dockerfile|LICENSE")
NOT_OURS = {"answer.txt", "sample.txt"}


def test_every_path_exists(quoted: list[tuple[str, str]], repository: Path) -> None:
    seen = 0
    for document, code in quoted:
        if re.search(r"[\s<>*{]", code):
            continue
        first = code.split("/")[0]
        if "/" in code and first in ROOMS:
            place = repository / code
        elif "/" in code and first in PACKAGE:
            place = repository / "service" / "markscheme" / code
        elif FILE.fullmatch(code) and code not in NOT_OURS:
            inside = list((repository / "service" / "markscheme").glob(code))
            place = inside[0] if inside else repository / code
        else:
            continue
        seen += 1
        assert place.exists(), f"{document} names `{code}`, which does not exist"
    assert seen > 30


def test_every_make_target_exists(quoted: list[tuple[str, str]], repository: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (repository / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {(document, code.split()[1]) for document, code in quoted if code.startswith("make ")}
    assert {"install", "serve", "test", "check"} <= {target for _, target in named}
    for document, target in named:
        assert target in targets, f"{document} names `make {target}`, which does not exist"


def test_every_command_exists(quoted: list[tuple[str, str]], commands: dict[str, set[str]]) -> None:
    seen = 0
    for document, code in quoted:
        name, _, rest = code.partition(" ")
        if name != "markscheme" or rest in {"", "--help", "--version"}:
            continue
        seen += 1
        words = rest.split()
        assert words[0] in commands, f"{document} names `{code}`, which does not exist"
        assert {word for word in words if word.startswith("--")} <= commands[words[0]], f"{document}: `{code}`"
    assert seen > 10


def test_every_setting_that_is_named_exists(repository: Path) -> None:
    from markscheme.settings import PREFIX, Settings  # noqa: PLC0415 - the other tests need none

    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    for_tests = {"MARKSCHEME_TEST_DATA", "MARKSCHEME_TEST_NETWORK", "MARKSCHEME_TEST_REDIS_URL"}
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Dockerfile", "compose.yaml", "index/README.md"):
        named = set(re.findall(r"MARKSCHEME_[A-Z_]+", (repository / name).read_text("utf-8")))
        assert named <= known | for_tests, name


@pytest.mark.parametrize("name", ["rubrics/README.md", "index/README.md"])
def test_the_rooms_explain_themselves(repository: Path, name: str) -> None:
    assert len((repository / name).read_text("utf-8").splitlines()) > 10
