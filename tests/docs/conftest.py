"""The documents, and what the code offers."""

import re
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from markscheme.cli.app import app

REPOSITORY = Path(__file__).parents[2]
NAMES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def readme() -> str:
    return (REPOSITORY / "README.md").read_text("utf-8")


@pytest.fixture(scope="session")
def quoted() -> list[tuple[str, str]]:
    """What stands in backticks, with the document that it stands in; every line of a block of commands counts too."""
    found: list[tuple[str, str]] = []
    for name in NAMES:
        text = (REPOSITORY / name).read_text("utf-8")
        found += [(name, code) for code in CODE.findall(FENCE.sub("", text))]
        blocks = [block for block in FENCE.findall(text) if block.startswith("```sh\n")]
        found += [(name, line.partition("#")[0].strip()) for block in blocks for line in block.splitlines()[1:-1]]
    return found


@pytest.fixture(scope="session")
def commands() -> dict[str, set[str]]:
    """The options of each command, `--help` left out."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return {
        name: {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
        - {"--help"}
        for name, command in group.commands.items()
    }
