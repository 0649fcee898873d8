"""What the Dockerfile says. No image is built here; the steps themselves run in test_image_steps.py."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml


@pytest.fixture(scope="module")
def stages(repository: Path) -> list[list[tuple[str, str]]]:
    """The instructions of each stage, lines joined."""
    text = (repository / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]
    starts = [place for place, (word, _) in enumerate(pairs) if word == "FROM"]
    return [pairs[start:end] for start, end in zip(starts, [*starts[1:], len(pairs)], strict=True)]


def test_the_linter_finds_no_fault(repository: Path) -> None:
    beside = Path(sys.executable).with_name("hadolint")
    linter = str(beside) if beside.exists() else shutil.which("hadolint")
    if linter is None:
        pytest.skip("hadolint is not here: it comes with `make install`, beside the Python of .venv")
    done = subprocess.run([linter, repository / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_is_copied_exists_and_is_not_ignored(repository: Path, stages: list[list[tuple[str, str]]]) -> None:
    ignore = (repository / ".dockerignore").read_text("utf-8").splitlines()
    assert ignore[1] == "*"
    kept = {line[1:] for line in ignore if line.startswith("!")}
    copied = {one.rstrip("/") for word, rest in stages[0] if word == "COPY" for one in rest.split()[:-1]}
    assert copied == kept
    assert all((repository / name).exists() for name in copied)


def test_only_what_was_installed_and_built_is_taken_over(stages: list[list[tuple[str, str]]]) -> None:
    copied = [rest for word, rest in stages[-1] if word == "COPY"]
    assert copied
    assert all(rest.startswith("--from=builder ") for rest in copied)
    assert not [rest for word, rest in stages[-1] if word == "RUN" and "pip" in rest]


def test_both_stages_have_the_same_python(stages: list[list[tuple[str, str]]]) -> None:
    images = [stage[0][1].split()[0] for stage in stages]
    assert len(set(images)) == 1
    assert re.fullmatch(r"python:3\.1[1-4]-slim", images[0])


def test_the_service_is_no_root_and_says_whether_it_lives(stages: list[list[tuple[str, str]]]) -> None:
    final = dict(stages[-1])
    assert final["USER"].isdigit()
    assert int(final["USER"]) > 0
    assert final["EXPOSE"] == "8000"
    assert "/healthz" in final["HEALTHCHECK"]
    assert json.loads(final["CMD"]) == ["markscheme", "serve"]


def test_compose_gives_the_service_no_more_than_it_needs(repository: Path) -> None:
    services = yaml.safe_load((repository / "compose.yaml").read_text("utf-8"))["services"]
    assert set(services) == {"markscheme", "redis"}
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
    assert services["markscheme"]["ports"] == ["127.0.0.1:8000:8000"]
