"""docs/quality.md is what `make figures` writes today, but for the numbers."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from figures import HEAD
from quality_table import COLUMNS, ENTRIES

from markscheme.cli.evaluate_words import FIGURES

INTERVAL = re.compile(r"(\S+) \((\S+) to (\S+)\)")


@pytest.fixture(scope="module")
def text(repository: Path) -> str:
    return (repository / "docs" / "quality.md").read_text("utf-8")


@pytest.fixture(scope="module")
def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_head_is_the_one_of_the_program(text: str) -> None:
    assert text.startswith(HEAD.format(samples=1000))


def test_every_figure_of_every_set_has_its_row(rows: list[list[str]]) -> None:
    heads, _, *body = rows
    assert heads[3 : 3 + len(COLUMNS)] == [*COLUMNS]
    assert [row[2] for row in body] == [FIGURES.get(name, name) for entry in ENTRIES for name in entry.figures]
    assert [row[0].partition(",")[0] for row in body if row[0]] == [entry.name.partition(",")[0] for entry in ENTRIES]


def test_no_variant_is_left_out_and_every_interval_holds_its_figure(rows: list[list[str]]) -> None:
    for row in rows[2:]:
        assert "-" not in row[3 : 3 + len(COLUMNS)]
        found = INTERVAL.fullmatch(row[3])
        assert found is not None or row[2].startswith("accuracy without")
        if found is not None:
            value, low, high = map(float, found.groups())
            assert low <= value <= high


def test_every_plot_that_is_shown_is_there_and_is_told_in_words(text: str, repository: Path) -> None:
    shown = re.findall(r"!\[(.+)\]\((\w+\.svg)\)", text)
    assert {name for _, name in shown} == {file.name for file in (repository / "docs").glob("*.svg")}
    for told, name in shown:
        root = ET.parse(repository / "docs" / name).getroot()  # noqa: S314 - our own drawing
        assert [inner.get("aria-label") for inner in root if inner.get("aria-label")] == [told]
