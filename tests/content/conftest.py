import shutil
from pathlib import Path

import pytest

from markscheme import bootstrap
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import SeedQuestion
from markscheme.settings import Settings


@pytest.fixture(scope="session")
def own_seeds() -> list[SeedQuestion]:
    """The questions of the project's own seed documents."""
    settings = Settings()
    reader = bootstrap.seed_reader(settings)
    return [seed for path in bootstrap.rooms(settings).seed_documents() for seed in reader.read(path)]


@pytest.fixture(scope="session")
def own_grader(tmp_path_factory: pytest.TempPathFactory) -> Grader:
    """Grades by the project's own rubrics, built with the real model in a home of its own."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(bootstrap.rooms(Settings()).rubrics, home / "rubrics")
    settings = Settings(home=Path(home))
    bootstrap.build_index(settings)
    return bootstrap.grader(settings)
