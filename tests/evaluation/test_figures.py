import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import figures
import pytest
from quality_plots import drawing
from quality_table import ENTRIES, Measured

from markscheme.agreement.baseline import Likeness
from markscheme.agreement.evaluate import evaluate
from markscheme.agreement.gold import Gold
from markscheme.agreement.judged import JudgedAnswer, OurGrade, OurPoint
from markscheme.agreement.results import COSINE, OVERLAP
from markscheme.cli.evaluate_plots import Axis, Dot, Plot

SVG = "{http://www.w3.org/2000/svg}"


def test_every_step_writes_into_the_work_folder_and_comes_after_what_it_reads(tmp_path: Path) -> None:
    planned = figures.steps(Path("data"), tmp_path)
    outputs = [output for output, _ in planned]
    assert all(output.is_relative_to(tmp_path) for output in outputs)
    assert len(set(outputs)) == len(outputs) == 3 + 3 * figures.FOLDS + 3
    for place, (output, command) in enumerate(planned):
        read = {Path(word) for word in command if word.startswith(str(tmp_path))} - {output, tmp_path}
        assert read <= set(outputs[:place])


def test_every_step_names_a_program_that_knows_its_arguments(tmp_path: Path) -> None:
    options = {"--rate", "--start", "--without", "--out", "--graph", "--only", "--folds", "--variants"}
    for _, command in figures.steps(Path("data"), tmp_path):
        source = (figures.HERE / command[0]).read_text("utf-8")
        named = {word for word in command if word.startswith("--")}
        assert named <= options
        assert all(f'"{name}"' in source for name in named), command[0]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that counts its runs, writes to its first argument, and stops half-way if its second is "stop"."""
    file = tmp_path / "step.py"
    file.write_text(
        "import pathlib, sys\n"
        "runs = pathlib.Path(__file__).with_name('runs')\n"
        "runs.write_text((runs.read_text() if runs.exists() else '') + 'x')\n"
        "pathlib.Path(sys.argv[1]).write_text('half' if sys.argv[2] == 'stop' else 'whole')\n"
        "sys.exit(sys.argv[2] == 'stop')\n",
        "utf-8",
    )
    monkeypatch.setattr(figures, "HERE", tmp_path)
    return file


def test_what_a_stopped_step_wrote_is_not_taken_for_the_whole(program: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    with pytest.raises(subprocess.CalledProcessError):
        figures.run_step(output, [program.name, str(output), "stop"])
    assert not output.exists()
    figures.run_step(output, [program.name, str(output), "go"])
    assert output.read_text("utf-8") == "whole"


def test_a_step_whose_output_stands_is_skipped(program: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    for _ in range(2):
        figures.run_step(output, [program.name, str(output), "go"])
    assert (tmp_path / "runs").read_text("utf-8") == "x"


def test_training_keeps_the_name_by_which_it_goes_on(program: Path, tmp_path: Path) -> None:
    program.rename(tmp_path / figures.TRAINER)
    output = tmp_path / "own.pt"
    figures.run_step(output, [figures.TRAINER, str(output), "go"])
    assert output.exists()
    assert not list(tmp_path.glob("*.part"))


def test_only_the_table_cannot_be_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["figures.py", str(tmp_path), str(tmp_path), "--only-table", "--ship"])
    with pytest.raises(SystemExit):
        figures.main()


def test_the_document_shows_the_table_and_every_plot(tmp_path: Path) -> None:
    golds, coverages = (1.0, 0.0, 1.0), (0.9, 0.2, 0.4)
    rows = [
        JudgedAnswer(f"a{n}", "x", ("p",), are_points=True, group=f"g{n}", gold=Gold(points=(one,)))
        for n, one in enumerate(golds)
    ]
    grades = [
        OurGrade(50.0, "correct", (OurPoint("p", "covered" if one > 0.5 else "missing", one, one),), one)
        for one in coverages
    ]
    like = {judge: [Likeness((0.5,), 0.5)] * 3 for judge in (OVERLAP, COSINE)}
    (found,) = evaluate(rows, [*grades], like, 10).kinds
    column = "Markscheme (95% interval)"
    figures.write({entry.name: Measured({column: found}, found) for entry in ENTRIES}, tmp_path, samples=10)
    text = (tmp_path / "quality.md").read_text("utf-8")
    assert "from 10 draws" in text
    assert "| REALSumm, 3 answers |" in text
    for name in ("reliability.svg", "risk.svg"):
        assert f"]({name})" in text
        assert ET.parse(tmp_path / name).getroot().tag == f"{SVG}svg"  # noqa: S314 - written one line above


def test_a_drawing_stands_alone_and_escapes_what_it_says() -> None:
    plot = Plot("c", 'less < more & "so"', Axis("across & up"), Axis("up"), (Dot(50, 60), Dot(70, 80)), is_joined=True)
    root = ET.fromstring(drawing(plot))  # noqa: S314 - our own drawing
    (inner,) = root.findall(f"{SVG}svg")
    assert inner.get("aria-label") == 'less < more & "so"'
    assert "across & up" in [text.text for text in inner.iter(f"{SVG}text")]
    assert [dot.get("cx") for dot in inner.iter(f"{SVG}circle")] == ["50", "70"]
    assert inner.findall(f"{SVG}polyline")
    used = {element.get("class") for element in root.iter() if element.get("class")}
    style = root.findtext(f"{SVG}style") or ""
    assert used
    assert all(f".{name} " in style for name in used)
