"""Fit the similarity calibration on answers that people graded.

    python evaluation/fit_calibration.py DATA OUT.json [--measured FILE] [--without SET FOLD FOLDS]

DATA is a folder with the graded sets (graded_sets.py names them). Measuring takes minutes; `--measured` keeps it in a
file. `--without realsumm_dev 0 5` leaves one fold of the documents of a set out, so that those can be graded by a
calibration that never saw them (out_of_fold.py).
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from graded_sets import FITTED, fold_of, read_graded
from logistic import Table, fit
from numpy.typing import NDArray

from markscheme import bootstrap
from markscheme.adapters.calibration_file.reading import write_calibration
from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import Calibration
from markscheme.grading.score import Cuts
from markscheme.settings import Settings

# Long answers marked by several people a point are nearest to an interview: they weigh as much as the short ones
# together. Within a set all rows weigh the same.
SET_WEIGHTS = {"realsumm_dev": 3.0, "argkp_train": 0.8, "argkp_dev": 0.2, "scientsbank_train": 1.0, "beetle_train": 1.0}
# Half of the probability is where a decision is most often right; under a fifth a point is not even touched.
CUTS = Cuts(covered=0.50, partial=0.25)


class Measured(NamedTuple):
    """One entry a decision: features (n, f), what people decided (n,), and the set and group of each."""

    table: Table
    made: NDArray[np.bool_]
    sets: NDArray[np.str_]
    groups: NDArray[np.str_]


def measure(data: Path) -> Measured:
    """Measure every decided point of every set."""
    rows = [row for name in FITTED for row in _measure_set(data, name)]
    table, made, sets, groups = zip(*rows, strict=True)
    return Measured(np.array(table), np.array(made), np.array(sets), np.array(groups))


def _measure_set(data: Path, name: str) -> Iterator[tuple[list[float], bool, str, str]]:
    grader = bootstrap.grader(Settings())
    for count, row in enumerate(read_graded(data / f"{name}.jsonl")):
        if count % 500 == 0:
            print(f"{name}: {count}", file=sys.stderr)
        rubrics = grader.measure(row.request)
        if row.request.points is None:
            # Each accepted answer is a rubric; the one that is matched best is what the label speaks of.
            whole = [found for rubric in rubrics if len(rubric) == 1 and (found := rubric[0])]
            rubrics = [[max(whole, key=lambda one: one["match_passage"])]] if whole else []
        for points in rubrics:
            for found, made in zip(points, row.made, strict=True):
                if found is not None and made is not None:
                    yield [found[feature] for feature in FEATURES], made, name, row.group


def calibration(measured: Measured, name: str, keep: NDArray[np.bool_]) -> Calibration:
    """Fit on the kept rows."""
    counts = {one: max(1, int((keep & (measured.sets == one)).sum())) for one in FITTED}
    weights = np.array([SET_WEIGHTS[one] / counts[one] for one in measured.sets])
    found = fit(measured.table[keep], measured.made[keep], weights[keep])
    return Calibration(
        name=name,
        features=FEATURES,
        centre=tuple(float(value) for value in found.centre.round(4)),
        scale=tuple(float(value) for value in found.scale.round(4)),
        weights=tuple(float(value) for value in found.weights.round(4)),
        intercept=round(found.intercept, 4),
        cuts=CUTS,
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
        groups = list(measured.groups[measured.sets == held])
        folds_by_group = {group: fold_of(group, groups, folds) for group in set(groups)}
        held_groups = [group for group, at in folds_by_group.items() if at == fold]
        keep = ~((measured.sets == held) & np.isin(measured.groups, held_groups))
    name = "similarity-1" if not options.without else f"similarity-1-without-{'-'.join(options.without)}"
    found = calibration(measured, name, keep)
    write_calibration(options.out, found, fitted_on=f"{', '.join(FITTED)}: {int(keep.sum())} decisions")
    for feature, weight in zip(found.features, found.weights, strict=True):
        print(f"{feature:<18} {weight:.3f}")


if __name__ == "__main__":
    main()
