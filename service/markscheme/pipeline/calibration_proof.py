"""What a calibration is worth on questions that it never saw, and whether that is enough.

It is worth saving where both hold on held-out answers:

- The loss falls, and no chance explains it: the interval that holds the change in 95% of draws of whole questions lies
  under 0.
- Agreement does not fall clearly: kappa of points and of labels, Pearson of scores, is at most .05 lower, and the
  interval of its change does not lie wholly under 0.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from markscheme.agreement.arrays import Floats, once
from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.resampling import Draws, Figure
from markscheme.pipeline.calibration_figures import LOSS, Pair, sides_of

SAMPLES = 1000
MOST_FALL = 0.05
Loss = Literal["log_loss", "rmse", "wrong_verdicts"]
LOSSES: dict[Kind, Loss] = {"points": "log_loss", "score": "rmse", "label": "wrong_verdicts"}
LOSS_WORDS: dict[Loss, str] = {
    "log_loss": "log-loss of coverage",
    "rmse": "RMSE of scores",
    "wrong_verdicts": "share of wrong verdicts",
}
AGREEMENT: dict[Kind, str] = {"points": "kappa", "score": "pearson", "label": "kappa"}
# All others are better when they are higher.
_BETTER_LOW = frozenset({LOSS, "ece", "rmse", "contradictory_passed", "false_flags"})
_BETTER_NEAR_ZERO = frozenset({"offset"})
# What readers are shown.
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Side:
    """How grades by one calibration agree with people; the figures have the names that `evaluate` has for them."""

    loss: float
    figures: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Proof:
    """Held-out answers before and after. `changes` are after less before, of the loss and of what must not fall."""

    kind: Kind
    before: Side
    after: Side
    loss_change: Figure
    agreement_change: Figure

    @property
    def loss(self) -> Loss:
        """What must fall."""
        return LOSSES[self.kind]

    @property
    def agreement(self) -> str:
        """The figure that must not fall clearly."""
        return AGREEMENT[self.kind]

    @property
    def worse(self) -> tuple[str, ...]:
        """The names of what got worse, in the digits that are shown: the loss first, where it did."""
        told: dict[str, bool] = {self.loss: _worsened(LOSS, self.before.loss, self.after.loss)}
        for name, before in self.before.figures.items():
            told.setdefault(name, _worsened(name, before, self.after.figures[name]))
        return tuple(name for name, worsened in told.items() if worsened)

    @property
    def objections(self) -> tuple[str, ...]:
        """Why it is not shown to help, a sentence each; none where it is."""
        found = []
        words, change = LOSS_WORDS[self.loss], self.loss_change
        both = f"On held-out questions the {words} is {self.after.loss:.4f} after and {self.before.loss:.4f} before"
        if self.after.loss >= self.before.loss:
            found.append(f"{both}: it does not fall.")
        elif change.low is None or change.high is None or change.high >= 0:
            within = "" if change.low is None else f", a change from {change.low:.4f} to {change.high:.4f}"
            found.append(f"{both}{within} in 95% of draws of whole questions: this may be chance.")
        if self._falls:
            before, after = (side.figures[self.agreement] or 0.0 for side in (self.before, self.after))
            name = "Pearson correlation of scores" if self.agreement == "pearson" else "kappa"
            found.append(f"On held-out questions the {name} falls from {before:.3f} to {after:.3f}.")
        return tuple(found)

    @property
    def _falls(self) -> bool:
        change = self.agreement_change
        surely = change.high is not None and change.high < 0
        return surely or (change.value is not None and change.value < -MOST_FALL)


def prove(  # noqa: PLR0913 - two gradings, and how they came about
    kind: Kind,
    judged: Sequence[JudgedAnswer],
    before: Sequence[OurGrade],
    after: Sequence[OurGrade],
    folds: Sequence[int],
    *,
    seed: int = 0,
) -> Proof:
    """Compare two gradings of the same answers; `after` has each by what was fitted to the other folds."""
    sides = sides_of(kind, judged, before, after, folds)
    told = {name: pair(once(len(sides.groups))) for name, pair in sides.pairs.items()}
    first, last = (
        Side(both[LOSS], {name: _defined(value) for name, value in both.items() if name != LOSS})
        for both in ({name: values[at] for name, values in told.items()} for at in (0, 1))
    )
    draws = Draws.of(len(set(sides.groups.tolist())), SAMPLES, seed)
    loss, agreement = (
        draws.figure(partial(_change, sides.pairs[name]), sides.groups) for name in (LOSS, AGREEMENT[kind])
    )
    return Proof(kind, first, last, loss, agreement)


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


def _change(pair: Pair, weights: Floats) -> float:
    before, after = pair(weights)
    return after - before


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _worsened(name: str, before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return False
    if name in _BETTER_NEAR_ZERO:
        before, after = -abs(before), -abs(after)
    elif name in _BETTER_LOW:
        before, after = -before, -after
    return round(after, _DIGITS) < round(before, _DIGITS)
