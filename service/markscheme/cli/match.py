"""`markscheme match`: which questions a text is near to."""

from dataclasses import asdict
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_line


def match(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A question, or an answer to one.")],
    *,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Questions to print.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Find the questions of the index that a text is nearest to, best first."""
    for found in bootstrap.grader(start()).match(text, limit):
        if as_json:
            print_json(asdict(found))
        else:
            print_line(f"{found.similarity:.3f}  {found.question_id}  {found.question}")
