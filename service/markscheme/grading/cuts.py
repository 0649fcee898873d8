"""Where a probability becomes a status."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where coverage becomes a status: `covered` and above is covered, under `partial` is missing.

    `contradicted` is where the probability of a contradiction makes one of what is not covered; None: never.
    """

    covered: float
    partial: float
    contradicted: float | None = None
