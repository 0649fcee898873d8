"""The distributions of runtime.txt, and no others, are enough to serve and to grade."""

import json
import subprocess
from collections.abc import Callable
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

PROGRAM = """
import json, sys
from importlib.util import find_spec
from markscheme import bootstrap
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import Settings
import markscheme.web.asgi

grader = bootstrap.grader(Settings(home=sys.argv[1]))
graded = grader.grade(GradeRequest(answer="Each insert writes the index too.", sample_answers=(sys.argv[2],)))
heavy = ("torch", "transformers", "sentence_transformers", "scipy", "sklearn", "onnx")
print(json.dumps({
    "verdict": graded.verdict,
    "embedder": graded.grader.embedder,
    "app": markscheme.web.asgi.app.title,
    "heavy": [name for name in heavy if find_spec(name)],
    "from": bootstrap.__file__,
}))
"""


def test_one_answer_is_graded_where_torch_cannot_be_found(
    new_environment: Callable[[Path], Path], repository: Path, tmp_path: Path, plain_environment: dict[str, str]
) -> None:
    packages = new_environment(tmp_path / "venv")
    listed = (repository / "requirements" / "runtime.txt").read_text("utf-8").splitlines()
    for name in [line.partition("==")[0] for line in listed if not line.startswith("#")]:
        link(name, packages)
    done = subprocess.run(
        [tmp_path / "venv" / "bin" / "python", "-c", PROGRAM, tmp_path / "home", "Every insert must write the index."],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=plain_environment,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["heavy"] == []
    assert Path(told["from"]).is_relative_to(packages)
    assert told["embedder"].startswith("all-MiniLM-L6-v2@")
    assert (told["app"], told["verdict"]) == ("Markscheme", "correct")


def link(name: str, packages: Path) -> None:
    """Put one distribution of this environment into another, without copying it."""
    found = distribution(name)
    files = found.files
    assert files, f"{name} does not say what it consists of"
    for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        source = Path(str(found.locate_file(top)))
        if not (packages / top).exists() and source.suffix != ".pth":
            (packages / top).symlink_to(source)


def test_the_interpreter_of_these_tests_has_torch() -> None:
    """Else the test above would prove nothing."""
    assert find_spec("torch")
