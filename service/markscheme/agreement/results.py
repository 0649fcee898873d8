"""What comes out: figures, curves and the answers to read, ready to be printed, written or drawn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.numbers import ReliabilityBin
from markscheme.agreement.resampling import Figure

MARKSCHEME, OVERLAP, COSINE, HUMANS = "markscheme", "word_overlap", "cosine", "humans"


@dataclass(frozen=True, slots=True)
class RiskStep:
    """`value` over the `kept` surest, after the share `set_aside` of the least sure was left to a person."""

    set_aside: float
    kept: int
    value: float


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """How agreement grows where the least sure are set aside: `measure` over the rest, sorted as `sorted_by` says."""

    sorted_by: Literal["points", "answers"]
    measure: Literal["accuracy", "rmse"]
    steps: tuple[RiskStep, ...]


@dataclass(frozen=True, slots=True)
class ScatterDot:
    """One answer: people's score and ours, 0 to 1."""

    theirs: float
    ours: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer to read: where the two sides differ by `size`, 0 to 1. `place` is its place among the rows."""

    place: int
    answer: JudgedAnswer
    grade: OurGrade
    size: float


@dataclass(frozen=True, slots=True)
class KindAgreement:
    """Agreement in one kind of judgement.

    `figures` are by who judged ("markscheme", a baseline, "humans") and by name of the figure; a judge lacks the
    figures that make no sense for it. `points` counts point decisions, and is 0 for labels and scores. `not_graded`
    counts answers, and `points_not_graded` points, that have no grade: they count as wrong. `cuts` are the cuts that
    the baselines were given.
    """

    kind: Kind
    answers: int
    points: int
    groups: int
    not_graded: int
    points_not_graded: int
    figures: Mapping[str, Mapping[str, Figure]]
    cuts: Mapping[str, float]
    risk: tuple[RiskCurve, ...]
    reliability: tuple[ReliabilityBin, ...] = ()
    scatter: tuple[ScatterDot, ...] = ()
    worst: tuple[Disagreement, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """The whole outcome: one entry a kind, and how the intervals were drawn."""

    kinds: tuple[KindAgreement, ...]
    samples: int
    seed: int
