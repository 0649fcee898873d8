"""What the distributions hold."""

import email
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import markscheme


def files_under(folder: Path, name: str) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{name}/{path.relative_to(folder).as_posix()}" for path in found}


def test_the_wheel_holds_the_package_the_rubrics_and_the_seeds_and_nothing_else(wheel: Path, repository: Path) -> None:
    expected = files_under(repository / "service" / "markscheme", "markscheme")
    expected |= files_under(repository / "rubrics", "markscheme/_rooms/rubrics")
    expected |= files_under(repository / "seeds", "markscheme/_rooms/seeds")
    names = zipfile.ZipFile(wheel).namelist()
    about = {name.partition(".dist-info/")[2] for name in names if ".dist-info/" in name}
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert about == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


def test_what_no_import_would_miss_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert names >= {
        "markscheme/py.typed",
        "markscheme/adapters/calibration_file/similarity.json",
        "markscheme/adapters/onnx_models/minilm.onnx",
        "markscheme/web/static/grade.css",
        "markscheme/web/static/markscheme.css",
        "markscheme/web/templates/page.html",
        "markscheme/_rooms/rubrics/rubric.schema.json",
        "markscheme/_rooms/seeds/training-vs-inference.md",
    }


def test_the_wheel_passes_its_linter(wheel: Path) -> None:
    lint = [sys.executable, "-m", "check_wheel_contents", str(wheel)]
    done = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith("OK")


def test_the_source_distribution_holds_no_index_and_no_environment(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert [name for name in names if name.startswith("index/")] == ["index/README.md"]
    assert not [name for name in names if name.startswith((".venv", ".git/", "dist/"))]
    assert {"Makefile", "rubrics/README.md", "tests/conftest.py"} <= set(names)


def test_metadata_package_and_changelog_name_one_version(wheel: Path, repository: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = email.message_from_bytes(archive.read(name))
    newest = re.search(r"^## (\S+) - \d{4}-\d\d-\d\d$", (repository / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert metadata["Version"] == markscheme.__version__ == newest[1]
    assert metadata["License-Expression"] == "MIT"
