"""Put today's grades where one is shown: into README.md and into the description of the API.

    python evaluation/paste_examples.py

Run it when the calibration, a model or the report has changed; tests hold both places to what the grader says.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

from markscheme.web.examples import REQUESTS

IN_README = re.compile(
    r"(?<=<!-- example -->\n```sh\n)(?P<commands>.*?)```\n\n```text\n(?P<shown>.*?)(?=```)", re.DOTALL
)
IN_EXAMPLES = re.compile(r"(?<=^GRADE: dict\[str, object\] = )\{.*?^\}", re.DOTALL | re.MULTILINE)


def main() -> None:
    """Read the options and paste both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=Path(__file__).parents[1], help="the checkout to paste into")
    folder = parser.parse_args().into
    _paste_readme(folder / "README.md")
    _paste_examples(folder / "service" / "markscheme" / "web" / "examples.py")


def _paste_readme(path: Path) -> None:
    text = path.read_text("utf-8")
    found = IN_README.search(text)
    if found is None:
        sys.exit(f"{path} has no example to replace.")
    commands = f'markscheme() {{ "{sys.executable}" -m markscheme "$@"; }}\n{found["commands"]}'
    printed = "".join(f"{line.rstrip()}\n" for line in _run(["/bin/sh", "-ec", commands]).splitlines())
    path.write_text(text[: found.start("shown")] + printed + text[found.end("shown") :], "utf-8")


def _paste_examples(path: Path) -> None:
    text = path.read_text("utf-8")
    request = cast("dict[str, object]", REQUESTS["GradeBody"]["by_points"])["value"]
    grade = json.loads(_run([sys.executable, "-m", "markscheme", "batch", "-", "-"], json.dumps(request)))
    pasted, places = IN_EXAMPLES.subn(lambda _: repr(grade), text)
    if places != 1:
        sys.exit(f"{path} has no GRADE to replace.")
    path.write_text(pasted, "utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", path], check=True)


def _run(command: list[str], stdin: str = "") -> str:
    """What a command prints in a home of its own, with the default settings."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MARKSCHEME_")}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            command,
            cwd=folder,
            env={**settings, "MARKSCHEME_HOME": str(Path(folder, "home"))},
            input=stdin,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
        ).stdout


if __name__ == "__main__":
    main()
