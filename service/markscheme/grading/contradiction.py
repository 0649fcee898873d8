"""Whether an answer speaks against a point: by a misconception that the rubric lists, or in words of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from markscheme.grading.answer import Answer
from markscheme.grading.contrast import contrast, decisive
from markscheme.grading.coverage import Calibration
from markscheme.grading.reading import Reading
from markscheme.grading.statement import WeighedStatement

# How much better a passage must fit the misconception's own words than the point's before it speaks against the point.
CONTRADICTS = 0.20
# How much of the misconception one passage must say by itself.
SAYS_IT = 0.75
# Share of the point's own words beside which a passage is not held against it.
ALSO_RIGHT = 0.25


@dataclass(frozen=True, slots=True)
class Against:
    """A segment that speaks against a point, how likely it does, and the listed misconception that it says, if any."""

    probability: float
    segment: int
    misconception: str | None = None


def denied(best: Reading, coverage: float, calibration: Calibration) -> Against | None:
    """What the verifier says of the point itself: its opposite is said, and the point is not."""
    cut = calibration.cuts.contradicted
    if calibration.contradiction is None or cut is None or coverage >= calibration.cuts.covered:
        return None
    probability = round(calibration.contradiction.probability(best.features), 4)
    return Against(probability, best.alignment.best_segment) if probability >= cut else None


def misconceptions_said(
    answer: Answer, making: Sequence[Reading], contradicting: Sequence[Reading], calibration: Calibration
) -> list[Against]:
    """The misconceptions of a point that some passage says, and says better than any wording of the point.

    Where the rest of the answer makes the point, nothing is held against it.
    """
    found: list[tuple[Against, NDArray[np.bool_]]] = []
    for wrong in contradicting:
        probability = _held(wrong, making, calibration)
        if probability < calibration.cuts.covered:
            continue
        leaning = np.min([contrast(wrong.alignment, right.alignment) for right in making], axis=0)
        told = (
            (leaning >= CONTRADICTS) & _of_one_polarity(answer, wrong.alignment.statement) & ~_also_right(wrong, making)
        )
        said = np.where(told, wrong.alignment.said, -1.0)
        if said.max() >= SAYS_IT:
            text = wrong.alignment.statement.text
            found.append((Against(probability, int(said.argmax()), text), said >= SAYS_IT))
    if not found or _otherwise(answer, making, [segments for _, segments in found], calibration) >= (
        calibration.cuts.covered
    ):
        return []
    return [against for against, _ in found]


def _held(wrong: Reading, making: Sequence[Reading], calibration: Calibration) -> float:
    return calibration.coverage.probability(_with_verification(wrong, making))


def _with_verification(reading: Reading, making: Sequence[Reading]) -> dict[str, float]:
    """Its features; one that no verifier was asked about borrows what it said of the best wording of the point."""
    return {**making[0].features, **reading.features}


def _of_one_polarity(answer: Answer, misconception: WeighedStatement) -> NDArray[np.bool_]:
    """Segments that negate as the misconception does, (s,): who denies a misconception does not hold it."""
    negated = any(word.is_negation for word in misconception.words)
    return np.array([any(word.is_negation for word in words) == negated for words in answer.words], np.bool_)


def _otherwise(
    answer: Answer, making: Sequence[Reading], wrong: Sequence[NDArray[np.bool_]], calibration: Calibration
) -> float:
    """Coverage of the point by the rest of the answer: who says both is not marked for the slip alone.

    Windows that share words with a wrong passage are no rest: they say part of it again.
    """
    beside = (answer.overlaps & np.any(wrong, axis=0)).any(axis=1)
    rest = ({**_with_verification(one, making), **one.alignment.without(beside).features} for one in making)
    return max(calibration.coverage.probability(features) for features in rest)


def _also_right(wrong: Reading, making: Sequence[Reading]) -> NDArray[np.bool_]:
    """Segments that have, letter for letter, much of what only a wording of the point has, (s,).

    "Small batches flat, large ones sharp" says both sides; word by word nobody can tell which way round.
    """
    found = np.zeros(len(wrong.alignment.said), np.bool_)
    for right in making:
        words = decisive(right.alignment.statement, wrong.alignment.statement)
        if words.any():
            found |= right.alignment.by_stem[words].mean(axis=0) >= ALSO_RIGHT
    return found
