"""`markscheme check`: names every fault of rubrics, seeds, schema and index."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]


def faults_of(result: Result) -> list[str]:
    assert result.exit_code == 1
    *faults, last = result.stdout.splitlines()
    assert last == f"{len(faults)} faults"
    return faults


def test_a_home_in_order_has_no_fault(home: Path, run: Run) -> None:
    assert home.exists()
    result = run("check")
    assert (result.exit_code, result.stdout) == (0, "2 rubrics, the seeds and the index are in order\n")


def test_a_home_where_nothing_was_built_yet_has_one(empty_home: Path, run: Run) -> None:
    (fault,) = faults_of(run("check"))
    assert fault.startswith(str(empty_home / "index"))
    assert "markscheme build" in fault


def test_faults_are_told_with_file_and_line_and_all_at_once(home: Path, run: Run) -> None:
    rubric = home / "rubrics" / "networks" / "why-udp.yaml"
    rubric.write_text(rubric.read_text("utf-8") + "colour: blue\n", "utf-8")
    line = len(rubric.read_text("utf-8").splitlines())
    (home / "seeds").mkdir()
    (home / "seeds" / "empty.md").touch()
    (home / "rubrics" / "rubric.schema.json").write_text("{}", "utf-8")
    of_rubric, of_seed, of_schema = faults_of(run("check"))
    assert of_rubric.startswith(f"{rubric}:{line}: ")
    assert of_seed.startswith(f"{home / 'seeds' / 'empty.md'}:1: ")
    assert of_schema.startswith(f"{home / 'rubrics' / 'rubric.schema.json'}: ")


def test_a_current_schema_is_no_fault_and_one_that_cannot_be_read_is(home: Path, run: Run) -> None:
    from markscheme import bootstrap  # noqa: PLC0415 - only here

    schema = home / "rubrics" / "rubric.schema.json"
    schema.write_text(bootstrap.rubric_schema(), "utf-8")
    assert run("check").exit_code == 0
    schema.write_bytes(b"\xff")
    assert len(faults_of(run("check"))) == 1


def test_an_index_older_than_the_rubrics_is_a_fault_for_each(home: Path, run: Run) -> None:
    rubrics = home / "rubrics"
    changed = rubrics / "networks" / "why-udp.yaml"
    text = changed.read_text("utf-8")
    changed.write_text(text.replace("Why would a game use UDP?", "Why do games use UDP?"), "utf-8")
    (rubrics / "networks" / "more.yaml").write_text(text.replace("networks/why-udp", "networks/more"), "utf-8")
    (rubrics / "databases" / "what-an-index-costs.yaml").unlink()
    assert [fault.partition(": ")[2] for fault in faults_of(run("check"))] == [
        "databases/what-an-index-costs is in the index, but its file is gone. Run `markscheme build`.",
        "networks/more is not in the index. Run `markscheme build`.",
        "networks/why-udp was changed. Run `markscheme build`.",
    ]
    run("build")
    assert run("check").exit_code == 0


def test_an_index_of_another_model_is_a_fault(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    assert home.exists()
    monkeypatch.setenv("MARKSCHEME_EMBEDDER", "minilm")
    (fault,) = faults_of(run("check"))
    assert "hashing@1" in fault


def test_a_model_that_cannot_be_loaded_is_a_fault(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    assert home.exists()
    monkeypatch.setenv("MARKSCHEME_EMBEDDER", "nobody/no-model")
    (fault,) = faults_of(run("check"))
    assert "Run `markscheme build`" in fault
