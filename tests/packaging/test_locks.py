"""The lock files against what pyproject.toml allows."""

import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HEAVY = {"onnx", "scikit-learn", "scipy", "sentence-transformers", "torch", "transformers"}


def locked(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    pairs = [(name, version) for name, version in (line.split("==") for line in lines)]
    names = [name for name, _ in pairs]
    assert names == sorted({canonicalize_name(name) for name in names}), f"{file.name} is not sorted"
    return dict(pairs)


@pytest.fixture(scope="module")
def lock(repository: Path) -> dict[str, str]:
    return locked(repository / "requirements" / "lock.txt")


def wanted(repository: Path) -> list[Requirement]:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    serving, development = project["project"]["dependencies"], project["dependency-groups"]["dev"]
    return [Requirement(text) for text in [*serving, *development, *project["build-system"]["requires"]]]


def test_every_dependency_is_locked_in_a_version_that_is_allowed(repository: Path, lock: dict[str, str]) -> None:
    for requirement in wanted(repository):
        version = lock[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} forbids the locked {version}; run `make lock`"


@pytest.mark.parametrize("name", ["build.txt", "runtime.txt"])
def test_the_smaller_lists_are_parts_of_the_lock(repository: Path, lock: dict[str, str], name: str) -> None:
    part = locked(repository / "requirements" / name)
    assert part
    assert part.items() <= lock.items()


def test_what_serves_is_complete_but_for_what_only_exports_need(repository: Path) -> None:
    runtime = locked(repository / "requirements" / "runtime.txt")
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    direct = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    assert HEAVY & runtime.keys() == set()
    assert direct - runtime.keys() == HEAVY & direct


def test_installing_again_does_nothing(repository: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    environment.mkdir()
    (environment / ".installed").touch()
    done = subprocess.run(
        ["make", "install", f"VENV={environment}"],  # noqa: S607 - wherever make is
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip" not in done.stdout
    assert list(environment.iterdir()) == [environment / ".installed"]
