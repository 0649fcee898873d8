"""`markscheme questions`: what can be graded by its id."""

from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_line
from markscheme.grading.rubric import Rubric


def questions(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line, with the points.")] = False
) -> None:
    """List the questions of the index."""
    index = bootstrap.index(start())
    for question_id in index.question_ids():
        rubric = index.rubric(question_id)
        if as_json:
            print_json(_json(rubric))
        else:
            print_line(f"{rubric.id}  ({rubric.difficulty or 'no difficulty'}, {len(rubric.points)} points)")
            print_line(f"    {rubric.question}")


def _json(rubric: Rubric) -> dict[str, object]:
    return {
        "id": rubric.id,
        "topic": rubric.topic,
        "question": rubric.question,
        "difficulty": rubric.difficulty,
        "points": [
            {
                "id": point.id,
                "text": point.text,
                "heading": point.heading,
                "importance": point.importance,
                "weight": point.weight,
            }
            for point in rubric.points
        ],
    }
