"""`markscheme evaluate`: how far grades agree with people."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.agreement.evaluate import evaluate as measure
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.cli.batch_progress import Progress
from markscheme.cli.evaluate_grades import Graded, given_grades, graded_now
from markscheme.cli.evaluate_json import agreement_json
from markscheme.cli.evaluate_report import print_agreement
from markscheme.cli.evaluate_rows import read_judged
from markscheme.cli.inputs import STANDARD, is_same_file, open_bytes
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_note
from markscheme.grading.errors import Fault, InputError
from markscheme.pipeline.evaluate import JudgedRequest, baselines, with_references
from markscheme.settings import Settings

_MOST_TOLD = 20


def evaluate(  # noqa: PLR0913 - one parameter an option
    graded: Annotated[
        str,
        typer.Argument(
            metavar="GRADED",
            help="Answers that people graded: JSON lines (also -, standard input), or a table called .csv or .tsv.",
        ),
    ],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as one line of JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a page with plots and the worst disagreements.")
    ] = None,
    grades: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Take the grades that `markscheme batch` wrote, by id, and grade nothing."),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=0, max=100_000, help="How often the questions are drawn for the intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same intervals.")] = 0,
) -> None:
    """Measure how far grades agree with people. Exit status 1 where a row could not be used or graded."""
    settings = start()
    _refuse_to_write_over(html, [graded, *([grades] if grades else ())])
    rows, faults = read_judged(graded, settings)
    found = _grades(rows, graded, grades, settings) if rows else Graded()
    used, kept, unlike = _completed(found, graded)
    faults = sorted([*faults, *found.misfits, *unlike], key=lambda fault: fault.line or 0)
    if not any(kept):
        _tell(faults + found.faults)
        message = f"No row of {graded} can be used. Each needs an answer that can be graded, and what people decided."
        raise InputError(message)
    if sys.stderr.isatty():
        print_note("Comparing with word overlap and sentence cosine.")
    beside = baselines(used, bootstrap.embedder(settings), bootstrap.splitter())
    agreement = measure(used, kept, beside, samples, seed)
    _tell(faults + found.faults)
    if as_json:
        print_json(agreement_json(agreement, faults, found.faults))
    else:
        print_agreement(agreement)
    if html is not None:
        # Only here: the other ways to tell need no templates.
        from markscheme.cli.evaluate_page import page  # noqa: PLC0415

        html.write_text(page(agreement, graded, len(faults)), "utf-8")
    if faults or found.faults:
        raise typer.Exit(1)


def _grades(rows: list[JudgedRequest], name: str, grades: str | None, settings: Settings) -> Graded:
    if grades is not None:
        return given_grades(rows, name, grades, settings)
    progress = Progress()
    try:
        return graded_now(rows, name, bootstrap.grader(settings), progress)
    finally:
        progress.close()


def _completed(found: Graded, name: str) -> tuple[list[JudgedAnswer], list[OurGrade | None], list[Fault]]:
    used: list[JudgedAnswer] = []
    kept: list[OurGrade | None] = []
    faults: list[Fault] = []
    for row, grade in zip(found.rows, found.grades, strict=True):
        try:
            used.append(with_references(row.judged, grade))
            kept.append(grade)
        except InputError as error:
            faults.append(Fault(name, row.line, str(error)))
    return used, kept, faults


def _refuse_to_write_over(html: Path | None, sources: list[str]) -> None:
    if html is None:
        return
    if html.is_dir() or not html.parent.is_dir():
        message = f"{html} cannot be written. Name a file in a folder that exists."
        raise InputError(message)
    for source in sources:
        if source != STANDARD:
            with open_bytes(source) as stream:
                if is_same_file(stream, html):
                    message = f"{source} is the file that --html would write over. Name another."
                    raise InputError(message)


def _tell(faults: list[Fault]) -> None:
    for fault in faults[:_MOST_TOLD]:
        print_note(str(fault))
    if len(faults) > _MOST_TOLD:
        print_note(f"and {len(faults) - _MOST_TOLD:,} more; --json lists all")
