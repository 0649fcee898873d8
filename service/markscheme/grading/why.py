"""Why a point was decided as it was, in words that a person understands, for whoever shows it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from markscheme.grading.grade import Explanation, PointGrade
from markscheme.grading.logistic import sigmoid

# What was measured, for every name that a calibration can read. "It" is the wording that was looked for.
MEASURES: Mapping[str, str] = {
    "match_passage": "How much of it one sentence, or two running, say in its words or near ones",
    "weakest_words": "How well even those of its words are found that are found worst",
    "meaning_segment": "How near one sentence comes to it in meaning, whatever the words",
    "cosine_passage": "How like it the nearest passage is as a whole",
    "numbers_missing": "Whether its numbers are in the answer: 0 is all of them, -1 none",
    "not_by_chance": "Whether the likeness is no chance: it is said whole, or the answer is about this question",
    "supported": "How sure the verifier is that the passage says it, in log-odds",
    "not_contradicted": "How sure the verifier is that the passage does not deny it, in log-odds",
}

# From here on, as a probability.
SURE = 0.90
FAIRLY_SURE = 0.70
# What rounding to four digits can move.
_ROUNDED = 1e-4


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that was measured: what, its value, and the log-odds that it added to those of an average point."""

    words: str
    value: float
    effect: float


@dataclass(frozen=True, slots=True)
class Why:
    """An explanation as people read it.

    `wording` was looked for and `passage` read; `verifier`, `start` and `outcome` are sentences; `measures` come with
    the largest effect first.
    """

    wording: str
    passage: str
    verifier: str
    start: str
    measures: tuple[Measure, ...]
    outcome: str


def why(point: PointGrade) -> Why | None:
    """Put the explanation of a point into words; None where it has none, as for an answer without a word."""
    one = point.explanation
    if one is None:
        return None
    measures = (Measure(MEASURES.get(effect.name, effect.name), effect.value, effect.effect) for effect in one.effects)
    return Why(
        wording=one.statement,
        passage=one.passage,
        verifier=_said(one),
        start=f"An average point has a coverage of {sigmoid(one.average):.2f}. What moved it, in log-odds:",
        measures=tuple(sorted(measures, key=lambda measure: abs(measure.effect), reverse=True)),
        outcome=" ".join(filter(None, (_bound(point, one), _outcome(point, one)))),
    )


def confidence_in_words(confidence: float) -> str:
    """What a probability of being right means to a reader."""
    if confidence >= SURE:
        return "sure"
    return "fairly sure" if confidence >= FAIRLY_SURE else "a person should look"


def _said(one: Explanation) -> str:
    if one.supported is None or one.contradicted is None:
        return "There is none: words and meaning alone decided."
    return f"The passage says it with a probability of {one.supported:.2f}, and denies it with {one.contradicted:.2f}."


def _bound(point: PointGrade, one: Explanation) -> str:
    """What else than the measures has a hand in the coverage."""
    measured = sigmoid(one.average + math.fsum(effect.effect for effect in one.effects))
    if measured - point.coverage <= _ROUNDED:
        return ""
    reason = "speaks against the point" if point.status == "contradicted" else "has other numbers than the point"
    return f"By these measures alone it would be {measured:.4f}, but the answer {reason}."


def _outcome(point: PointGrade, one: Explanation) -> str:
    cuts, coverage = one.cuts, f"Coverage {point.coverage:.4f}"
    if point.status == "covered":
        return f"{coverage} reaches {cuts.covered:g}, from where on a point is covered."
    if point.status == "partial":
        return (
            f"{coverage} lies between {cuts.partial:g}, where partial begins, and {cuts.covered:g}, where covered is."
        )
    if point.status == "contradicted" and point.contradicts is not None:
        return f"A listed misconception is said instead, with a probability of {point.confidence:.2f}."
    if point.status == "contradicted":
        from_where = "" if cuts.contradicted is None else f"; from {cuts.contradicted:g} on the point is contradicted"
        return f"The opposite is said with a probability of {point.confidence:.2f}{from_where}."
    return f"{coverage} is under {cuts.partial:g}, where partial begins."
