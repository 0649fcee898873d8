"""`markscheme grade`: one answer."""

from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.adapters.wire import Limits, grade_json, read_json, request_from_data
from markscheme.cli.inputs import STANDARD, read_text
from markscheme.cli.report import print_report
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json
from markscheme.grading.errors import InputError, MalformedJsonError

_BULLETS = ("- ", "* ")


def grade(  # noqa: PLR0913 - one parameter an option
    *,
    answer: Annotated[str, typer.Option(metavar="FILE", help="The answer; - reads standard input.")],
    question_id: Annotated[str | None, typer.Option(metavar="ID", help="Mark by this question's rubric.")] = None,
    sample_answer: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Mark by this complete accepted answer. Give several: the best one counts."),
    ] = None,
    points: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Mark by these points: one a line, or a JSON list of texts or of points."),
    ] = None,
    question: Annotated[str | None, typer.Option(metavar="TEXT", help="The wording of the question.")] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Mark as this calibration profile was taught to.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say of every point why it was decided so.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the grade as one line of JSON.")] = False,
) -> None:
    """Grade one answer: by a question of the index, by sample answers, or by points of your own."""
    settings = start()
    files = [answer, *(sample_answer or ()), *([points] if points else ())]
    if files.count(STANDARD) > 1:
        message = "Only one FILE can be standard input. Save the others and give their names."
        raise typer.BadParameter(message)
    if sum(map(bool, (question_id, sample_answer, points))) != 1:
        message = "Give exactly one of --question-id, --sample-answer and --points."
        raise typer.BadParameter(message)
    limit = settings.max_body_bytes
    form = {
        "answer": read_text(answer, limit),
        "question_id": question_id,
        "sample_answer": [read_text(name, limit) for name in sample_answer] if sample_answer else None,
        "points": _points(read_text(points, limit), points) if points else None,
        "question": question,
        "profile": profile,
        "explain": explain,
    }
    request = request_from_data(form, Limits(max_answer_chars=settings.max_answer_chars))
    graded = bootstrap.grader(settings).grade(request)
    if as_json:
        print_json(grade_json(graded, explain=explain))
    else:
        print_report(graded, explain=explain)


def _points(text: str, name: str) -> object:
    begin = text.lstrip()
    if begin.startswith("{"):
        message = f"{name} holds a JSON object. Give a JSON list, or one point a line."
        raise InputError(message)
    if not begin.startswith("[") or _has_label(begin):
        return [point for point in map(_without_bullet, text.splitlines()) if point]
    try:
        return read_json(text)
    except MalformedJsonError as error:
        message = f"{name} starts like a JSON list but is none: {error} Or write one point a line."
        raise InputError(message) from error


def _has_label(text: str) -> bool:
    """Whether `[1] First point` begins a text: in a JSON list only a comma or a bracket can follow a bracket."""
    label, _, rest = text.splitlines()[0].partition("]")
    return '"' not in label and "{" not in label and rest.lstrip()[:1] not in {"", ",", "]"}


def _without_bullet(line: str) -> str:
    line = line.lstrip()
    return (line[2:] if line.startswith(_BULLETS) else line).strip()
