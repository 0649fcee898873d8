"""Rebuild every figure of docs/quality.md from the data: measure, train, verify, fit, grade, compare.

    python evaluation/figures.py DATA WORK [--samples 1000] [--only-table] [--ship]

DATA holds bench/ and train/. Each step is skipped where its output stands in WORK, so a run that was stopped goes on;
`--only-table` skips them all and compares the grades that WORK holds. On two cores that others used too, the steps took
two hours and a quarter, more than half of it training. `--ship` also writes the packaged verifier and calibrations.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from fit_calibration import VARIANTS
from graded_pairs import SETS
from quality_plots import drawing
from quality_table import ENTRIES, Measured, curve_of_points, measure, table

from markscheme.adapters.calibration_file import reading
from markscheme.cli.evaluate_plots import reliability_plot, risk_plot

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PACKAGED = Path(reading.__file__).parent
FOLDS = 2
TRAINER = "train_verifier.py"
PLOTTED = "REALSumm"
HEAD = """# Agreement with people

Written by `make figures`; do not edit. Every question, document or topic was graded by a verifier and a calibration
that were trained without it (two halves). What was chosen by hand was chosen on these same sets, so the first three
columns of figures flatter a little: the cuts, the relaxation for sample answers, the weight of `not_by_chance`, and on
negated MNLI also the verifier's head and learning rate.

"no features" is the verifier alone, with the cuts and the relaxation that were chosen for both together, so only its
AUC and its order of scores compare fairly; "no verifier" is similarity alone, with its own. Word overlap and sentence
cosine have the cut that suits these very rows best, which flatters them. Intervals come from {samples:,} draws of whole
questions. SciEntsBank and Beetle are their `train` and `unseen_answers` parts, SAF its `training` and `unseen_answers`.

"""


def steps(data: Path, work: Path) -> list[tuple[Path, list[str]]]:
    """What each step writes last, and its command."""
    bench, train = str(data / "bench"), str(data / "train")
    points, first, own = work / "points.jsonl", work / "entailment.pt", work / "own.pt"
    bank = str(data / "bench" / "interview_bank.md")
    found = [
        (points, ["graded_pairs.py", bench, str(points)]),
        (first, [TRAINER, "entailment", train, bank, str(first), "--rate", "3e-4"]),
        (own, [TRAINER, "own", train, str(own), "--start", str(first), "--rate", "2e-4"]),
    ]
    for fold in range(FOLDS):
        trained, graph, said = work / f"fold-{fold}.pt", work / f"fold-{fold}.onnx", work / f"verdicts-{fold}.jsonl"
        part = [str(fold), str(FOLDS)]
        graded = [TRAINER, "graded", str(points), str(trained), "--start", str(own), "--rate", "2e-4"]
        found += [
            (trained, [*graded, "--without", *part]),
            (graph, ["export_verifier.py", str(trained), "--out", str(graph)]),
            (said, ["verdicts.py", str(points), str(said), "--graph", str(graph), "--only", *part]),
        ]
    grade = ["out_of_fold.py", bench, str(work), "--folds", str(FOLDS), "--variants"]
    return found + [(work / "grades" / name / f"{SETS[-1]}.jsonl", [*grade, name]) for name in VARIANTS]


def run_step(output: Path, command: Sequence[str]) -> None:
    """Run a step unless its output stands; what a step that was stopped has written never stands for the whole."""
    if output.exists():
        return
    if command[0] == TRAINER:
        # It writes only what is whole, and finds its state by the name of its output.
        _run(command)
        return
    part = output.with_name(f"{output.name}.part")
    _run([str(part) if word == str(output) else word for word in command])
    if part.exists():
        part.replace(output)


def ship(work: Path) -> None:
    """Write what the package holds: the mean of the verifiers, and calibrations on what they said out of fold."""
    trained = [str(work / f"fold-{fold}.pt") for fold in range(FOLDS)]
    verdicts = [str(work / f"verdicts-{fold}.jsonl") for fold in range(FOLDS)]
    _run(["average_verifiers.py", *trained, str(work / "mean.pt")])
    _run(["export_verifier.py", str(work / "mean.pt")])
    points = str(work / "points.jsonl")
    _run(["fit_calibration.py", points, str(PACKAGED / reading.VERIFIED), "--verdicts", *verdicts])
    _run(["fit_calibration.py", points, str(PACKAGED / reading.SIMILARITY), "--variant", "similarity"])


def write(measured: Mapping[str, Measured], docs: Path, samples: int) -> None:
    """Write quality.md and the plots that it shows."""
    plotted = measured[PLOTTED].main
    plots = {
        "reliability.svg": reliability_plot(plotted.reliability),
        "risk.svg": risk_plot(curve_of_points(plotted)),
    }
    shown = [f"![{plot.told}]({name})" for name, plot in plots.items()]
    for name, plot in plots.items():
        (docs / name).write_text(drawing(plot), "utf-8")
    parts = [HEAD.format(samples=samples) + table(measured), f"## {PLOTTED} in plots", *shown]
    (docs / "quality.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _run(command: Sequence[str]) -> None:
    print("==", *command, flush=True)
    subprocess.run([sys.executable, str(HERE / command[0]), *command[1:]], check=True)


def main() -> None:
    """Read the arguments and run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--only-table", action="store_true")
    parser.add_argument("--ship", action="store_true")
    options = parser.parse_args()
    if options.only_table and options.ship:
        parser.error("--ship needs the steps that --only-table skips")
    options.work.mkdir(parents=True, exist_ok=True)
    if not options.only_table:
        for output, command in steps(options.data, options.work):
            run_step(output, command)
    if options.ship:
        ship(options.work)
    measured: dict[str, Measured] = {}
    for entry in ENTRIES:
        print("== agreement:", entry.name, flush=True)
        measured[entry.name] = measure(entry, options.data / "bench", options.work, options.samples)
    write(measured, DOCS, options.samples)


if __name__ == "__main__":
    main()
