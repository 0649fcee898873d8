"""Fit the similarity calibration on answers that people graded.

    python evaluation/fit_calibration.py DATA OUT.json [--measured FILE] [--without SET FOLD FOLDS]

DATA is a folder with the graded sets (graded_sets.py names them). Measuring takes minutes; `--measured` keeps it in a
file. `--without realsumm_dev 0 5` leaves one fold of the documents of a set out, so that those can be graded by a
calibration that never saw them (out_of_fold.py).
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from graded_sets import DECIDED, SCORED, fold_of, read_bank, read_graded, strangers
from logistic import Table, fit
from numpy.typing import NDArray

from markscheme import bootstrap
from markscheme.adapters.calibration_file.reading import write_calibration
from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import NOT_BY_CHANCE, Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.settings import Settings

# Answers to other questions of the same set, so many a question: nothing in them makes a point.
STRANGERS = {"realsumm_dev": 3, "saf_training": 25, "interview_bank": 3}
STRANGERS_SUFFIX = "+strangers"

BANK = "interview_bank"

# How much each set weighs as a whole; within a set all rows weigh the same.
SET_WEIGHTS = {
    "realsumm_dev": 3.0,
    "argkp_train": 0.8,
    "argkp_dev": 0.2,
    "scientsbank_train": 1.0,
    "beetle_train": 1.0,
    "realsumm_dev+strangers": 1.0,
    "saf_training+strangers": 1.0,
    "interview_bank+strangers": 1.0,
}
# Not fitted: no graded set has answers to a neighbouring question, which is what this feature is for. Chosen by hand,
# as the cuts were, on tests/content (each sample answer against the rubrics of the other questions) and tests/golden.
NOT_BY_CHANCE_WEIGHT = 5.0
CUTS = Cuts(covered=0.30, partial=0.10)
# Takes a coverage of .02 to .10 and one of .25 to .30. Chosen by hand on saf_training: fitted freely it would be softer
# still, and give half of the marks to an answer to another question of the same field.
RELAXATION = Relaxation(slope=0.483, offset=-0.316, chance=0.1)


class Measured(NamedTuple):
    """One entry a decision: features (n, f), what people decided (n,), and the set, group and row of each."""

    table: Table
    made: Table
    sets: NDArray[np.str_]
    groups: NDArray[np.str_]
    rows: NDArray[np.int64]


def measure(data: Path) -> Measured:
    """Measure every decided point of every set."""
    found = [entry for name in (*DECIDED, *SCORED, BANK) for entry in _measure_set(data, name)]
    table, made, sets, groups, rows = zip(*found, strict=True)
    return Measured(np.array(table), np.array(made), np.array(sets), np.array(groups), np.array(rows))


def _measure_set(data: Path, name: str) -> Iterator[tuple[list[float], float, str, str, int]]:
    grader = bootstrap.grader(Settings())
    rows = list(read_bank(data / f"{name}.md") if name == BANK else read_graded(data / f"{name}.jsonl"))
    named = [] if name == BANK else [(name, row) for row in rows]
    named += [(name + STRANGERS_SUFFIX, row) for row in strangers(rows, STRANGERS.get(name, 0))]
    for number, (label, row) in enumerate(named):
        if number % 500 == 0:
            print(f"{name}: {number} of {len(named)}", file=sys.stderr)
        rubrics = grader.measure(row.request)
        if row.request.points is None:
            # Each accepted answer is a rubric; the one that is matched best is what people spoke of.
            rubrics = [max(rubrics, key=_mean_match)]
        for points in rubrics:
            made = row.made if len(row.made) == len(points) else row.made[:1] * len(points)
            for found, share in zip(points, made, strict=True):
                if found is not None and share is not None:
                    yield [found[feature] for feature in FEATURES], share, label, row.group, number


def _mean_match(points: Sequence[Mapping[str, float] | None]) -> float:
    return sum(found["match_passage"] for found in points if found) / len(points)


def calibration(measured: Measured, name: str, keep: NDArray[np.bool_]) -> Calibration:
    """Fit on the kept rows."""
    counts = {one: max(1, int((keep & (measured.sets == one)).sum())) for one in SET_WEIGHTS}
    weights = np.array([SET_WEIGHTS.get(one, 0.0) / counts.get(one, 1) for one in measured.sets])
    fitted = [FEATURES.index(feature) for feature in FEATURES if feature != NOT_BY_CHANCE]
    found = fit(measured.table[keep][:, fitted], measured.made[keep], weights[keep])
    return Calibration(
        name=name,
        features=(*(FEATURES[at] for at in fitted), NOT_BY_CHANCE),
        centre=(*(float(value) for value in found.centre.round(4)), 1.0),
        scale=(*(float(value) for value in found.scale.round(4)), 1.0),
        weights=(*(float(value) for value in found.weights.round(4)), NOT_BY_CHANCE_WEIGHT),
        intercept=round(found.intercept, 4),
        cuts=CUTS,
        relaxation=RELAXATION,
    )


def main() -> None:
    """Read the arguments, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--measured", type=Path)
    parser.add_argument("--without", nargs=3, metavar=("SET", "FOLD", "FOLDS"))
    options = parser.parse_args()
    if options.measured and options.measured.exists():
        with np.load(options.measured) as kept:
            measured = Measured(*(kept[field] for field in Measured._fields))
    else:
        measured = measure(options.data)
        if options.measured:
            np.savez(options.measured, **measured._asdict())
    keep = np.ones(len(measured.made), np.bool_)
    if options.without:
        held, fold, folds = options.without[0], int(options.without[1]), int(options.without[2])
        in_set = np.char.partition(measured.sets, "+")[:, 0] == held
        groups = list(measured.groups[in_set])
        folds_by_group = {group: fold_of(group, groups, folds) for group in set(groups)}
        held_groups = [group for group, at in folds_by_group.items() if at == fold]
        keep = ~(in_set & np.isin(measured.groups, held_groups))
    name = "similarity-1" if not options.without else f"similarity-1-without-{'-'.join(options.without)}"
    found = calibration(measured, name, keep)
    write_calibration(options.out, found, fitted_on=f"{', '.join(SET_WEIGHTS)}: {int(keep.sum())} decisions")
    for feature, weight in zip(found.features, found.weights, strict=True):
        print(f"{feature:<18} {weight:.3f}")


if __name__ == "__main__":
    main()
