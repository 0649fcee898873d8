"""Plots laid out for the page: every place in units of the drawing, from its upper left corner."""

from collections.abc import Sequence
from dataclasses import dataclass

from markscheme.agreement.numbers import ReliabilityBin
from markscheme.agreement.results import RiskCurve, ScatterDot
from markscheme.cli.evaluate_words import number, risk_name

LEFT, TOP, SIDE = 46, 12, 260
WIDTH, HEIGHT = LEFT + SIDE + 14, TOP + SIDE + 44
FRAME = {"left": LEFT, "top": TOP, "side": SIDE, "width": WIDTH, "height": HEIGHT}
_LEAST_FOR_TWO_DECIMALS = 0.1
_LEAST_RADIUS, _MOST_RADIUS = 3.0, 11.0


@dataclass(frozen=True, slots=True)
class Axis:
    """What one direction shows, and from where to where."""

    name: str
    low: float = 0.0
    high: float = 1.0
    steps: int = 4

    def part(self, value: float) -> float:
        """Where a value stands, 0 at the low end and 1 at the high one."""
        return (value - self.low) / (self.high - self.low)

    @property
    def values(self) -> list[float]:
        """The values that are written beside the axis."""
        return [self.low + step * (self.high - self.low) / self.steps for step in range(self.steps + 1)]

    def text(self, value: float) -> str:
        """A value as it is written: with as many decimals as neighbours need to differ."""
        return f"{value:.2f}" if self.high - self.low >= _LEAST_FOR_TWO_DECIMALS else f"{value:.3f}"


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot with its centre."""

    x: float
    y: float
    radius: float = _LEAST_RADIUS


@dataclass(frozen=True, slots=True)
class Plot:
    """A square with two axes. `told` says the same in words; `has_equals` asks for the line where both are equal."""

    caption: str
    told: str
    across: Axis
    upwards: Axis
    dots: tuple[Dot, ...]
    is_joined: bool = False
    has_equals: bool = False

    @property
    def ticks_across(self) -> list[tuple[float, str]]:
        """Places and texts, left to right."""
        return [(_x(self.across, value), self.across.text(value)) for value in self.across.values]

    @property
    def ticks_upwards(self) -> list[tuple[float, str]]:
        """Places and texts, from below."""
        return [(_y(self.upwards, value), self.upwards.text(value)) for value in self.upwards.values]


def reliability_plot(bins: Sequence[ReliabilityBin]) -> Plot:
    """Mean coverage against the share that people call made, a dot a bin, larger for more decisions."""
    across, upwards = Axis("mean coverage"), Axis("made, people say")
    most = max(one.count for one in bins)
    dots = (
        Dot(
            _x(across, one.mean_coverage),
            _y(upwards, one.share_made),
            round(_LEAST_RADIUS + (_MOST_RADIUS - _LEAST_RADIUS) * (one.count / most) ** 0.5, 1),
        )
        for one in bins
    )
    told = "; ".join(f"{number(one.mean_coverage)}: {number(one.share_made)} of {one.count:,}" for one in bins)
    caption = "Coverage, and how often people say that the point is made"
    return Plot(caption, f"{caption}. {told}.", across, upwards, tuple(dots), has_equals=True)


def scatter_plot(scores: Sequence[ScatterDot]) -> Plot:
    """People's score against ours, a dot an answer."""
    across, upwards = Axis("people's score"), Axis("our score")
    dots = tuple(Dot(_x(across, one.theirs), _y(upwards, one.ours)) for one in scores)
    told = f"Scores of {len(dots):,} answers: people's across, ours upwards."
    return Plot("Score by score", told, across, upwards, dots, has_equals=True)


def risk_plot(curve: RiskCurve) -> Plot:
    """How agreement changes as more of the least sure decisions are set aside."""
    values = [step.value for step in curve.steps]
    room = max(0.01, (max(values) - min(values)) / 10)
    across = Axis(f"share of {curve.sorted_by} set aside", 0.0, curve.steps[-1].set_aside, steps=5)
    upwards = Axis(curve.measure, max(0.0, min(values) - room), min(1.0, max(values) + room))
    dots = tuple(Dot(_x(across, step.set_aside), _y(upwards, step.value)) for step in curve.steps)
    told = "; ".join(f"{step.set_aside:.0%}: {number(step.value)}" for step in curve.steps)
    caption = risk_name(curve)
    return Plot(caption, f"{caption}: {told}.", across, upwards, dots, is_joined=True)


def _x(axis: Axis, value: float) -> float:
    return round(LEFT + SIDE * axis.part(value), 1)


def _y(axis: Axis, value: float) -> float:
    return round(TOP + SIDE * (1 - axis.part(value)), 1)
