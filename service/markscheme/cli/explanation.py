"""Why one point was decided as it was, as people read it in a terminal."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from markscheme.cli.terminal import printable
from markscheme.grading.grade import PointGrade
from markscheme.grading.why import Measure, confidence_in_words, why

_INDENT = (0, 0, 0, 3)


def explanation(point: PointGrade) -> RenderableType:
    """What was looked for, what was read, what was measured of it, and what became of that."""
    told = why(point)
    confidence = f"Confidence {point.confidence:.2f}, {confidence_in_words(point.confidence)}."
    if told is None:
        return Padding(Text("There was no word to read."), _INDENT)
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(no_wrap=True)
    facts.add_column()
    facts.add_row("Looked for", Text(f"“{printable(told.wording)}”"))
    facts.add_row("Read", Text(f"“{printable(told.passage)}”"))
    facts.add_row("The verifier", Text(told.verifier))
    return Padding(
        Group(facts, Text(told.start), _measures(told.measures), Text(told.outcome), Text(confidence)), _INDENT
    )


def _measures(measures: tuple[Measure, ...]) -> Table:
    table = Table("Effect", "Value", "What was measured", box=None, pad_edge=False, header_style="dim")
    for column in table.columns[:2]:
        column.justify = "right"
    for one in measures:
        table.add_row(f"{one.effect:+.2f}", f"{one.value:.2f}", Text(one.words))
    return table
