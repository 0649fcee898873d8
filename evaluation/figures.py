"""Rebuild every figure of docs/quality.md from the data: measure, train, verify, fit, grade, compare.

    python evaluation/figures.py DATA WORK [--samples 1000] [--ship]

DATA holds bench/ and train/. Each step is skipped where its output stands in WORK, so a run that was stopped goes on.
On two cores all steps take about an hour and a quarter, most of it training. `--ship` also writes the packaged verifier
and calibrations.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fit_calibration import VARIANTS
from graded_pairs import SETS
from quality_table import table

from markscheme.adapters.calibration_file import reading

HERE = Path(__file__).parent
PACKAGED = Path(reading.__file__).parent
FOLDS = 2
HEAD = """# Agreement with people

Written by `make figures`; do not edit. Every question, document or topic was graded by a verifier and a calibration
that were trained without it (two halves). "no features" is the verifier alone, "no verifier" similarity alone. Word
overlap and sentence cosine have the cut that suits these very rows best, which flatters them. Intervals are of the
first column and draw whole questions. SciEntsBank, Beetle and SAF are their `train` and `unseen_answers` parts.

"""


def steps(data: Path, work: Path) -> list[tuple[Path, list[str]]]:
    """What each step writes, and its command."""
    points = work / "points.jsonl"
    bench, train = data / "bench", data / "train"
    first = ["train_verifier.py", "entailment", str(train), str(bench / "interview_bank.md")]
    fine = ["--rate", "2e-4"]
    found = [
        (points, ["graded_pairs.py", str(bench), str(points)]),
        (
            work / "entailment.pt",
            [*first, str(work / "entailment.pt"), "--rate", "3e-4"],
        ),
        (
            work / "own.pt",
            [
                "train_verifier.py",
                "own",
                str(train),
                str(work / "own.pt"),
                "--start",
                str(work / "entailment.pt"),
                *fine,
            ],
        ),
    ]
    for fold in range(FOLDS):
        trained, graph, said = work / f"fold-{fold}.pt", work / f"fold-{fold}.onnx", work / f"verdicts-{fold}.jsonl"
        part = [str(fold), str(FOLDS)]
        command = ["train_verifier.py", "graded", str(points), str(trained), "--start", str(work / "own.pt"), *fine]
        found += [
            (trained, [*command, "--without", *part]),
            (graph, ["export_verifier.py", str(trained), "--out", str(graph)]),
            (said, ["verdicts.py", str(points), str(said), "--graph", str(graph), "--only", *part]),
        ]
    last = work / "grades" / max(VARIANTS) / f"{SETS[-1]}.jsonl"
    return [*found, (last, ["out_of_fold.py", str(bench), str(work), "--folds", str(FOLDS)])]


def ship(work: Path) -> None:
    """Write what the package holds: the mean of the verifiers, and calibrations on what they said out of fold."""
    trained = [str(work / f"fold-{fold}.pt") for fold in range(FOLDS)]
    verdicts = [str(work / f"verdicts-{fold}.jsonl") for fold in range(FOLDS)]
    _run(["average_verifiers.py", *trained, str(work / "mean.pt")])
    _run(["export_verifier.py", str(work / "mean.pt")])
    points = str(work / "points.jsonl")
    _run(["fit_calibration.py", points, str(PACKAGED / reading.VERIFIED), "--verdicts", *verdicts])
    _run(["fit_calibration.py", points, str(PACKAGED / reading.SIMILARITY), "--variant", "similarity"])


def _run(command: Sequence[str]) -> None:
    print("==", *command, flush=True)
    subprocess.run([sys.executable, str(HERE / command[0]), *command[1:]], check=True)


def main() -> None:
    """Read the arguments and run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--ship", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    for output, command in steps(options.data, options.work):
        if not output.exists():
            _run(command)
    if options.ship:
        ship(options.work)
    text = HEAD + table(options.data / "bench", options.work, options.samples) + "\n"
    (HERE.parent / "docs" / "quality.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
