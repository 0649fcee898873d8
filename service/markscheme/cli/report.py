"""A grade as people read it."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from markscheme.cli.explanation import explanation
from markscheme.cli.terminal import printable
from markscheme.grading.grade import Grade, PointGrade
from markscheme.grading.why import confidence_in_words

# Also told in words everywhere, so colour is never the only sign.
_COLOURS = {
    "covered": "green",
    "correct": "green",
    "partial": "yellow",
    "missing": "red",
    "incorrect": "red",
    "contradicted": "bold red",
    "contradictory": "bold red",
    "not_assessed": "dim",
}
_PIPED_WIDTH = 100


def print_report(grade: Grade, *, explain: bool = False) -> None:
    """Print score, verdict, every point with its evidence, flags and feedback; plain where no terminal reads it.

    Args:
        grade: The grade.
        explain: Also print why each point was decided as it was.
    """
    console = Console(highlight=False)
    if not console.is_terminal:
        # A fixed width, so that what is saved does not depend on the window of the moment.
        console = Console(highlight=False, no_color=True, width=_PIPED_WIDTH)
    console.print(
        Text.assemble(
            ("Score ", "bold"),
            (f"{grade.score:.1f}", "bold"),
            " of 100, ",
            (_words(grade.verdict), _COLOURS[grade.verdict]),
            f", {grade.vital_coverage:.0%} of the vital points",
        )
    )
    console.print(f"Confidence {grade.confidence:.2f}, {confidence_in_words(grade.confidence)}")
    console.print(_table(grade, box.ROUNDED if console.is_terminal else box.ASCII))
    for number, point in enumerate(grade.points if explain else (), start=1):
        console.print(_heading(number, point), explanation(point), "")
    _print_list(console, "Flags", [f"{flag.code}: {flag.message}" for flag in grade.flags])
    _print_list(console, "Needs review", list(grade.review_reasons))
    if grade.feedback:
        console.print(Text(printable(grade.feedback)))


def _table(grade: Grade, frame: box.Box) -> Table:
    table = Table("Status", "Coverage", "Importance", "Point", "Evidence", box=frame, show_lines=True)
    for point in grade.points:
        table.add_row(
            Text(_words(point.status), style=_COLOURS[point.status]),
            f"{point.coverage:.2f}",
            point.importance,
            Text(printable(point.text)),
            _evidence(point),
        )
    return table


def _heading(number: int, point: PointGrade) -> Text:
    status = (_words(point.status), f"bold {_COLOURS[point.status]}")
    return Text.assemble((f"{number}. ", "bold"), status, f": {printable(point.text)}")


def _evidence(point: PointGrade) -> Text:
    passages = [f"“{printable(passage.text)}”" for passage in point.evidence]
    if point.contradicts:
        passages.append(f"contradicts: {printable(point.contradicts)}")
    return Text("\n".join(passages))


def _print_list(console: Console, title: str, lines: list[str]) -> None:
    if lines:
        console.print(Text(title, style="bold"))
    for line in lines:
        console.print(Text(f"- {printable(line)}"))


def _words(name: str) -> str:
    return name.replace("_", " ")
