"""The wheel, built from the checkout, and an environment that it is installed into."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, REPOSITORY],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    (found,) = distributions.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def sdist(distributions: Path) -> Path:
    (found,) = distributions.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def plain_environment() -> dict[str, str]:
    """No settings, and nothing that leads to the checkout."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("MARKSCHEME_", "PYTHON", "COVERAGE_"))
    }


@pytest.fixture(scope="session")
def new_environment(wheel: Path) -> Callable[[Path], Path]:
    """Makes a virtual environment that holds the wheel and nothing else, and gives its folder of packages."""

    def make(folder: Path) -> Path:
        venv.create(folder, symlinks=True)
        python = folder / "bin" / "python"
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel],
            check=True,
        )
        return Path(sysconfig.get_path("purelib", vars={"base": str(folder)}))

    return make
