"""What people decided about an answer."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["points", "label", "score", "nli"]
Label = Literal["correct", "partial", "incorrect", "contradictory"]
Relation = Literal["entailment", "neutral", "contradiction", "not_entailment"]
# Share of the people, 0 to 1, who say that the answer makes each point; None: not judged.
Shares = tuple[float | None, ...]

KINDS: tuple[Kind, ...] = ("points", "label", "score", "nli")


@dataclass(frozen=True, slots=True)
class Gold:
    """What is known of one answer: any of four kinds, each None where nobody decided it.

    `points` has a share for each point of the rubric; `score` runs from 0 to 1; `nli` says how the answer stands to a
    single point. The fields that end in `raters` hold what two or more single people decided, in the same form.
    """

    points: Shares | None = None
    label: Label | None = None
    score: float | None = None
    nli: Relation | None = None
    points_raters: tuple[Shares, ...] = ()
    label_raters: tuple[Label, ...] = ()
    score_raters: tuple[float, ...] = ()

    @property
    def point_count(self) -> int | None:
        """How many points the rubric must have for this to belong to it; None where any number will do."""
        if self.points is not None:
            return len(self.points)
        return 1 if self.nli is not None else None
