"""What a plain likeness of texts would say, given every advantage."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markscheme.agreement.arrays import Flags, Floats, once
from markscheme.agreement.judged import JudgedAnswer
from markscheme.agreement.tables import macro_f1, table

_TRIED = np.linspace(0.05, 0.95, 19)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like an answer is to each reference, in their order, and to what it is held against as a whole."""

    references: tuple[float, ...]
    whole: float


def likeness(answer: JudgedAnswer, measure: Callable[[str, str], float]) -> Likeness:
    """Compare an answer with each reference by `measure(reference, answer)`.

    As a whole it is as like as to the sample answer that fits best, or as to the mean point.
    """
    values = tuple(measure(reference, answer.answer) for reference in answer.references)
    return Likeness(values, whole_of(values, are_points=answer.are_points))


def whole_of(values: tuple[float, ...], *, are_points: bool) -> float:
    """One number for the whole answer: the mean over points, the most over sample answers; 0 for none."""
    if not values:
        return 0.0
    return sum(values) / len(values) if are_points else max(values)


def best_cut(truth: Flags, graded: Floats) -> float:
    """The cut with the best macro-F1 on these very decisions, the lowest of equals: it flatters the baseline.

    Tried are the lowest value, which makes everything, the 19 quantiles from 5 to 95%, and one that makes nothing.
    """
    weights = once(len(truth))
    cuts = [graded.min(), *np.quantile(graded, _TRIED), np.nextafter(graded.max(), np.inf)]
    return float(max(cuts, key=lambda cut: macro_f1(table(truth, graded >= cut, weights))))
