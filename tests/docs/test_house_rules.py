"""Rules that no linter has."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

MOST_LINES = 400
# Written apart, so that this file does not hold what it looks for.
MACHINE_PATHS = tuple(f"/{name}/" for name in ("work", "root"))
HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("pytorch", "org"),
        ("huggingface", "co"),
        ("docker", "io"),
        ("ghcr", "io"),
        ("quay", "io"),
    )
)


@pytest.fixture(scope="module")
def files(repository: Path) -> list[Path]:
    """Every file that is in git, or would be."""
    if not (repository / ".git").exists():
        pytest.skip("this is no git checkout, so nobody knows which files belong to it")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - wherever git is
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = [repository / name for name in listed.split("\0") if name and (repository / name).is_file()]
    assert len(found) > 100
    return found


def texts(files: list[Path]) -> Iterator[tuple[Path, str]]:
    for file in files:
        content = file.read_bytes()
        if b"\0" not in content:
            yield file, content.decode("utf-8")


def test_no_file_names_a_place_of_one_machine_or_a_registry(files: list[Path]) -> None:
    for file, text in texts(files):
        found = [name for name in (*MACHINE_PATHS, *HOSTS) if name in text]
        assert found == [], file


def test_no_python_file_is_too_long(files: list[Path]) -> None:
    lengths = {file: text.count("\n") for file, text in texts(files) if file.suffix == ".py"}
    assert {file: lines for file, lines in lengths.items() if lines > MOST_LINES} == {}


def test_every_text_ends_in_one_line_end_and_has_no_other_kind(files: list[Path]) -> None:
    for file, text in texts(files):
        assert "\r" not in text, file
        assert not text or text.endswith("\n"), file


def test_tests_cannot_import_one_another(files: list[Path], repository: Path) -> None:
    assert [file for file in files if file.is_relative_to(repository / "tests") and file.name == "__init__.py"] == []
