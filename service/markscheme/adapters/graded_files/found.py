"""One row of a file that people graded."""

from dataclasses import dataclass

from markscheme.agreement.gold import Gold


@dataclass(frozen=True, slots=True)
class GradedRow:
    """What stands in one row: `request` is unchecked and in the form of a batch line, `group` None where none is told.

    `line` counts from 1; a row of a table may take several lines, and this is the first.
    """

    line: int
    request: dict[str, object]
    gold: Gold
    group: str | None
