"""`markscheme match`: which questions a text is near to."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.adapters.wire import parse_match
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_line


def match(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A question, or an answer to one.")],
    *,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Questions to print.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Find the questions of the index that a text is nearest to, best first."""
    settings = start()
    # By the form of `POST /v1/match`, so that both refuse the same texts. Escaped, since an argument that is not UTF-8
    # comes as surrogates, which the form refuses but no encoder takes.
    wanted = parse_match(json.dumps({"text": text, "limit": limit}).encode("ascii"))
    for found in bootstrap.grader(settings).match(wanted.text, wanted.limit):
        if as_json:
            print_json(asdict(found))
        else:
            print_line(f"{found.similarity:.3f}  {found.question_id}  {found.question}")
