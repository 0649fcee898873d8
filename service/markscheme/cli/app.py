"""The `markscheme` command and its parts."""

from typing import Annotated

import typer

from markscheme import __version__
from markscheme.cli import batch, build, calibrate, check, draft, evaluate, grade, match, questions, serve
from markscheme.cli.failures import reported

app = typer.Typer(
    name="markscheme",
    no_args_is_help=True,
    add_completion=False,
    # A traceback is for a defect only, and its local variables would show people's answers.
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer hands the value of the flag over by position
    if wanted:
        typer.echo(f"markscheme {__version__}")
        raise typer.Exit


@app.callback()
def markscheme(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and leave.", callback=reported(_print_version), is_eager=True
        ),
    ] = False,
) -> None:
    """Grade free-text answers to interview questions point by point, with evidence, offline."""


app.command()(reported(draft.draft))
app.command()(reported(build.build))
app.command()(reported(grade.grade))
app.command()(reported(batch.batch))
app.command()(reported(evaluate.evaluate))
app.command()(reported(calibrate.calibrate))
app.command()(reported(questions.questions))
app.command()(reported(match.match))
app.command()(reported(serve.serve))
app.command()(reported(check.check))
