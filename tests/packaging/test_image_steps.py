"""The commands of the Dockerfile, run one after another in a folder that stands for the image."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.network, pytest.mark.slow]

# What the steps name from the root on; the rest of the image is this machine.
INSIDE = re.compile(r"(?<![\w.])/(?=(?:src|wheels|opt/markscheme|srv/markscheme)\b)")


class Image:
    """A folder, the variables that ENV has set, and what the last stage declares."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root = root
        self.environment = environment
        self.folder = root
        self.declared: dict[str, str] = {}

    def moved(self, text: str) -> str:
        return INSIDE.sub(f"{self.root}/", text)

    def set_variables(self, rest: str) -> None:
        for name, value in (pair.split("=", 1) for pair in rest.split()):
            self.environment[name] = self.moved(value).replace("$PATH", self.environment["PATH"])

    def enter(self, rest: str) -> None:
        self.folder = Path(self.moved(rest))
        self.folder.mkdir(parents=True)

    def copy(self, rest: str, context: Path) -> None:
        *sources, target = rest.split()
        for source in sources:
            if (context / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(context / source, self.folder / target, ignore=ignored)
            else:
                shutil.copy(context / source, self.folder / target)

    def run(self, rest: str) -> None:
        done = subprocess.run(
            ["/bin/sh", "-ec", self.moved(rest)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{rest}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def image(repository: Path, tmp_path_factory: pytest.TempPathFactory, plain_environment: dict[str, str]) -> Image:
    if not os.environ.get("MARKSCHEME_TEST_NETWORK"):
        pytest.skip("MARKSCHEME_TEST_NETWORK is not set: it allows tests to install packages")
    root = tmp_path_factory.mktemp("image")
    # Stands for the Python of the base image.
    venv.create(root / "python", with_pip=True, symlinks=True)
    path = f"{root}/python/bin:{plain_environment['PATH']}"
    made = Image(root, {**plain_environment, "PATH": path})
    text = (repository / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for word, _, rest in (line.partition(" ") for line in lines):
        match word:
            case "ENV":
                made.set_variables(rest)
            case "WORKDIR":
                made.enter(rest)
            case "COPY" if not rest.startswith("--from="):
                made.copy(rest, repository)
            case "RUN" if not rest.startswith("useradd "):
                made.run(rest)
            case _:
                made.declared[word] = rest
    return made


@pytest.fixture(scope="module")
def service(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What CMD starts, by its address; the rooms of the image are read only, as they are for its user."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    image.environment |= {"MARKSCHEME_HOST": "127.0.0.1", "MARKSCHEME_PORT": port}
    started = subprocess.Popen(
        json.loads(image.declared["CMD"]),
        cwd=tmp_path_factory.mktemp("anywhere"),
        env=image.environment,
        executable=image.root / "opt" / "markscheme" / "bin" / "markscheme",
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        started.terminate()
        assert started.wait(timeout=20) is not None


def test_the_health_check_passes(image: Image, service: str) -> None:
    assert service
    check = json.loads(image.declared["HEALTHCHECK"].partition("CMD ")[2])
    python = image.root / "opt" / "markscheme" / "bin" / "python"
    deadline = time.monotonic() + 60
    while subprocess.run([python, *check[1:]], env=image.environment, capture_output=True, check=False).returncode:
        assert time.monotonic() < deadline, "the health check never passed"
        time.sleep(0.2)


def test_the_baked_index_grades_an_answer(service: str) -> None:
    answer = "With the linear scaling rule the learning rate is multiplied by k when the batch size is multiplied by k."
    body = {"question_id": "training-vs-inference/large-batch-trade-offs", "answer": answer}
    request = urllib.request.Request(  # noqa: S310 - an address of this test's own
        f"{service}/v1/grade", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310 - likewise
        graded = json.load(reply)
    assert "covered" in {point["status"] for point in graded["points"]}


def test_torch_is_not_in_the_image(image: Image) -> None:
    packages = image.root / "opt" / "markscheme" / "lib"
    names = {path.name for path in packages.glob("python3*/site-packages/*")}
    assert "markscheme" in names
    assert names & {"torch", "transformers", "sentence_transformers", "scipy", "sklearn", "pip"} == set()
    # A budget against what creeps in: torch alone would double it.
    size = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file() and not path.is_symlink())
    assert size < 600 * 2**20
