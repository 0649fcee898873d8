"""Fit a calibration on answers that people graded.

    python evaluation/fit_calibration.py POINTS.jsonl OUT.json [--verdicts FILE ...] [--variant verified]

POINTS is what graded_pairs.py wrote, the verdicts what verdicts.py did. With the verdicts of verifiers that never saw
what they judge, this writes the calibrations that ship with the package; out_of_fold.py fits others without a fold.
"""

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from graded_pairs import GradedPoint, read_points
from graded_sets import fold_of
from numpy.typing import NDArray
from verdicts import read_verdicts

from markscheme.adapters.calibration_file.reading import write_calibration
from markscheme.adapters.scipy_fitting import fit
from markscheme.grading.alignment import FEATURES
from markscheme.grading.coverage import NOT_BY_CHANCE, Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.grading.logistic import Logistic, log_odds_of
from markscheme.grading.reading import VERIFIER_FEATURES
from markscheme.grading.verification import Claim, Verification

Table = NDArray[np.float64]

# How much each set weighs as a whole; within a set all rows weigh the same.
COVERAGE_SETS = {
    "realsumm_dev": 3.0,
    "argkp_train": 0.8,
    "argkp_dev": 0.2,
    "realsumm_dev+strangers": 0.5,
    "interview_bank+strangers": 0.5,
}
CONTRADICTION_SETS = {
    "scientsbank_train": 1.0,
    "scientsbank_unseen_answers": 0.1,
    "beetle_train": 1.0,
    "beetle_unseen_answers": 0.1,
    "negation_mnli": 0.5,
}
CONTRADICTIONS = frozenset({"contradictory", "contradiction"})
SIMILARITY_FEATURES = tuple(name for name in FEATURES if name != NOT_BY_CHANCE)
AGAINST_FEATURES = ("not_contradicted", "supported", "match_passage")
# The first two speak against a contradiction.
AGAINST_SIGNS = np.array([-1.0, -1.0, 1.0])


@dataclass(frozen=True, slots=True)
class Variant:
    """What decides, and the numbers that are chosen by hand: LOG.md says why and on what."""

    features: tuple[str, ...]
    cuts: Cuts
    relaxation: Relaxation
    not_by_chance: float = 0.0

    @property
    def verifier(self) -> bool:
        """Whether a verifier takes part."""
        return "supported" in self.features


VARIANTS = {
    "similarity": Variant(
        SIMILARITY_FEATURES,
        Cuts(covered=0.30, partial=0.10),
        Relaxation(slope=0.483, offset=-0.316, chance=0.1),
        not_by_chance=5.0,
    ),
    "verified": Variant(
        (*SIMILARITY_FEATURES, *VERIFIER_FEATURES),
        Cuts(covered=0.35, partial=0.12, contradicted=0.45),
        Relaxation(slope=0.3, offset=-0.7, chance=0.1),
        not_by_chance=5.5,
    ),
    "verifier": Variant(
        VERIFIER_FEATURES,
        Cuts(covered=0.35, partial=0.12, contradicted=0.45),
        Relaxation(slope=0.3, offset=-0.7, chance=0.1),
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Every decided point that the grader would have decided alike: (n,) each, features by name."""

    features: Mapping[str, Table]
    made: Table
    sets: NDArray[np.str_]
    groups: Sequence[str]
    contradicts: NDArray[np.bool_]
    single: NDArray[np.bool_]

    def outside(self, fold: int, folds: int) -> NDArray[np.bool_]:
        """Those whose group is not in a fold."""
        return np.array([fold_of(group, folds) != fold for group in self.groups])

    def weights(self, sets: Mapping[str, float], keep: NDArray[np.bool_]) -> Table:
        """The weight of each: that of its set, spread over the kept ones; 0 elsewhere."""
        counts = {name: max(1, int((keep & (self.sets == name)).sum())) for name in sets}
        return np.array([sets.get(name, 0.0) / counts.get(name, 1) for name in self.sets]) * keep


def read_decisions(file: Path, verdicts: Mapping[Claim, Verification]) -> Decisions:
    """Read graded points and look up what a verifier said of them; without verdicts, features of similarity alone."""
    points = [point for point in read_points(file) if point.nearest]
    if verdicts:
        points = [point for point in points if point.claim in verdicts]
    rows = [_features(point, verdicts) for point in points]
    return Decisions(
        features={name: np.array([row[name] for row in rows]) for name in rows[0]},
        made=np.array([float(point.gold["made"]) for point in points]),
        sets=np.array([point.set for point in points]),
        groups=[point.group for point in points],
        contradicts=np.array([point.gold.get("label") in CONTRADICTIONS for point in points]),
        single=np.array([point.points == 1 for point in points]),
    )


def fit_variant(decisions: Decisions, keep: NDArray[np.bool_], variant: Variant, name: str) -> Calibration:
    """Fit on the kept rows."""
    coverage = _fit(decisions, variant.features, decisions.made, decisions.weights(COVERAGE_SETS, keep))
    if variant.not_by_chance:
        # Not fitted: no graded set has answers to a neighbouring question, which is what this feature is for.
        coverage = Logistic(
            features=(*coverage.features, NOT_BY_CHANCE),
            centre=(*coverage.centre, 1.0),
            scale=(*coverage.scale, 1.0),
            weights=(*coverage.weights, variant.not_by_chance),
            intercept=coverage.intercept,
        )
    against = None
    if variant.verifier:
        rows = decisions.weights(CONTRADICTION_SETS, keep & decisions.single)
        names = tuple(one for one in AGAINST_FEATURES if one in {*variant.features})
        signs = AGAINST_SIGNS[[AGAINST_FEATURES.index(one) for one in names]]
        against = _fit(decisions, names, decisions.contradicts.astype(np.float64), rows, signs)
    return Calibration(name, coverage, variant.cuts, against, variant.relaxation)


def _fit(
    decisions: Decisions, names: tuple[str, ...], made: Table, weights: Table, signs: Table | None = None
) -> Logistic:
    used = weights > 0
    signs = np.ones(len(names)) if signs is None else signs
    table = np.column_stack([decisions.features[name][used] for name in names])
    found = fit(table * signs, made[used], weights[used])
    return Logistic(
        features=names,
        centre=tuple(float(value) for value in (found.centre * signs).round(4)),
        scale=tuple(float(value) for value in found.scale.round(4)),
        weights=tuple(float(value) for value in (found.weights * signs).round(4)),
        intercept=round(found.intercept, 4),
    )


def _features(point: GradedPoint, verdicts: Mapping[Claim, Verification]) -> dict[str, float]:
    said = verdicts.get(point.claim)
    if said is None:
        return point.features
    return {
        **point.features,
        "supported": log_odds_of(said.supported),
        "not_contradicted": -log_odds_of(said.contradicted),
    }


def main() -> None:
    """Read the arguments, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--verdicts", type=Path, nargs="*", default=[])
    parser.add_argument("--variant", choices=sorted(VARIANTS), default="verified")
    options = parser.parse_args()
    decisions = read_decisions(options.points, read_verdicts(options.verdicts))
    everything = np.ones(len(decisions.made), np.bool_)
    digest = hashlib.sha256(options.points.read_bytes()).hexdigest()[:6]
    found = fit_variant(decisions, everything, VARIANTS[options.variant], name=f"{options.variant}-{digest}")
    used = int((decisions.weights(COVERAGE_SETS, everything) > 0).sum())
    write_calibration(options.out, found, fitted_on=f"{', '.join(COVERAGE_SETS)}: {used} decisions")
    print(found)


if __name__ == "__main__":
    main()
