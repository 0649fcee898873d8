"""How much a calibration is worth on questions that it never saw."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from markscheme.agreement.evaluate import evaluate
from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.results import MARKSCHEME

Loss = Literal["log_loss", "rmse", "wrong_verdicts"]
LOSSES: dict[Kind, Loss] = {"points": "log_loss", "score": "rmse", "label": "wrong_verdicts"}
# Grades are rounded to four digits; none is taken for certain.
_CERTAIN = 5e-5


@dataclass(frozen=True, slots=True)
class Side:
    """How grades by one calibration agree with people on answers to questions that it never saw.

    `loss` is what must fall: of points the mean log-loss of their coverage, of scores the RMSE, of labels the share of
    verdicts that call right what is not or the reverse. `figures` are by name as `evaluate` has them.
    """

    loss: float
    figures: dict[str, float | None]


def folds_of(groups: Sequence[str], folds: int, seed: int) -> list[int]:
    """The fold of each answer, from 0: whole groups, drawn by the seed, the largest first into the smallest fold.

    One group a fold where there are fewer groups than folds.
    """
    sizes = Counter(groups)
    names = sorted(sizes)
    drawn = [names[at] for at in np.random.default_rng(seed).permutation(len(names))]
    filled = [0] * min(folds, len(names))
    fold_by_group: dict[str, int] = {}
    for name in sorted(drawn, key=lambda one: -sizes[one]):
        fold_by_group[name] = filled.index(min(filled))
        filled[fold_by_group[name]] += sizes[name]
    return [fold_by_group[group] for group in groups]


def side_of(kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade]) -> Side:
    """How grades agree with people; both in the same order."""
    agreement = evaluate(judged, grades, {}, samples=0)
    figures = {
        name: figure.value
        for one in agreement.kinds
        if one.kind == kind
        for name, figure in one.figures[MARKSCHEME].items()
    }
    return Side(_loss(kind, judged, grades), figures)


def _loss(kind: Kind, judged: Sequence[JudgedAnswer], grades: Sequence[OurGrade]) -> float:
    pairs = list(zip(judged, grades, strict=True))
    if kind == "score":
        gaps = [grade.score / 100 - (one.gold.score or 0.0) for one, grade in pairs]
        return float(np.sqrt(np.square(gaps).mean()))
    if kind == "label":
        return float(np.mean([(grade.verdict == "correct") != (one.gold.label == "correct") for one, grade in pairs]))
    told = [
        (share, point.coverage)
        for one, grade in pairs
        for share, point in zip(one.gold.points or (), grade.points, strict=True)
        if share is not None
    ]
    made, coverage = np.array(told, np.float64).T
    coverage = np.clip(coverage, _CERTAIN, 1 - _CERTAIN)
    return float(-(made * np.log(coverage) + (1 - made) * np.log(1 - coverage)).mean())
