"""Grade a graded set with calibrations that never saw the question or document that they grade.

    python evaluation/out_of_fold.py DATA SET OUT.jsonl [--folds 5] [--measured FILE]

For each fold of the set's groups: fit on everything else (fit_calibration.py), then grade the fold's rows with
`markscheme batch` as any user would. OUT holds the grades of all folds in the order of the set.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from graded_sets import fold_of, read_graded

HERE = Path(__file__).parent


def main() -> None:
    """Read the arguments, fit and grade each fold, put the rows together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("set")
    parser.add_argument("out", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--measured", type=Path)
    options = parser.parse_args()
    source = options.data / f"{options.set}.jsonl"
    lines = source.read_text(encoding="utf-8").splitlines()
    groups = [row.group for row in read_graded(source)]
    fold_by_group = {group: fold_of(group, groups, options.folds) for group in set(groups)}
    graded: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        measured = options.measured or room / "measured.npz"
        for fold in range(options.folds):
            calibration = room / f"calibration-{fold}.json"
            fit = [sys.executable, str(HERE / "fit_calibration.py"), str(options.data), str(calibration)]
            held = ["--measured", str(measured), "--without", options.set, str(fold), str(options.folds)]
            subprocess.run([*fit, *held], check=True, stdout=subprocess.DEVNULL)
            part, out = room / f"in-{fold}.jsonl", room / f"out-{fold}.jsonl"
            chosen = [line for line, group in zip(lines, groups, strict=True) if fold_by_group[group] == fold]
            part.write_text("\n".join(chosen) + "\n", encoding="utf-8")
            command = [sys.executable, "-m", "markscheme", "batch", str(part), str(out)]
            subprocess.run(command, check=True, env=os.environ | {"MARKSCHEME_CALIBRATION": str(calibration)})
            graded |= {json.loads(line)["id"]: line for line in out.read_text(encoding="utf-8").splitlines()}
    ids = [json.loads(line)["id"] for line in lines]
    options.out.write_text("\n".join(graded[one] for one in ids) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
