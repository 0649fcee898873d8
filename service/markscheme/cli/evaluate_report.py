"""Agreement as people read it in a terminal."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from markscheme.agreement.resampling import Figure
from markscheme.agreement.results import Agreement, KindAgreement
from markscheme.agreement.risk import TOLD
from markscheme.cli.evaluate_words import FIGURES, JUDGES, TITLES, figure_names, notes, number, risk_rows, size_of

_PIPED_WIDTH = 120


def print_agreement(agreement: Agreement) -> None:
    """Print a table of figures and one of risk for each kind; plain where no terminal reads them."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # A fixed width, so that what is saved does not depend on the window of the moment.
        console = Console(highlight=False, no_color=True, width=_PIPED_WIDTH)
    frame = box.ROUNDED if console.is_terminal else box.ASCII
    for one in agreement.kinds:
        console.print(Text.assemble((TITLES[one.kind], "bold"), f": {size_of(one)}"))
        console.print(_figures(one, frame))
        if rows := risk_rows(one):
            table = Table("Set aside", *(f"{share:.0%}" for share in TOLD), box=frame)
            for name, values in rows:
                table.add_row(name, *values)
            console.print(table)
        for note in notes(one, agreement.samples):
            console.print(Text(note))


def _figures(one: KindAgreement, frame: box.Box) -> Table:
    table = Table("", *(JUDGES[judge] for judge in one.figures), box=frame)
    for name in figure_names(one):
        cells = [cell(figures.get(name)) for figures in one.figures.values()]
        table.add_row(FIGURES[name], *(Text(text) for text in cells))
    return table


def cell(figure: Figure | None) -> str:
    """A figure with its interval; a dash where it makes no sense or is not defined."""
    if figure is None or figure.value is None:
        return "-"
    if figure.low is None or figure.high is None:
        return number(figure.value)
    return f"{number(figure.value)} [{number(figure.low)}, {number(figure.high)}]"
