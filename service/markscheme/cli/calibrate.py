"""`markscheme calibrate`: mark as one's own people do."""

from pathlib import Path
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.cli.batch_progress import Progress
from markscheme.cli.calibrate_report import print_calibration, report_json
from markscheme.cli.evaluate_rows import read_judged
from markscheme.cli.inputs import STANDARD
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_line, print_note
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.calibrate import CalibrationReport, Options, refuse_unless_it_helps
from markscheme.pipeline.calibrate import calibrate as fit_to

_MOST_TOLD = 20


def calibrate(  # noqa: PLR0913 - one parameter an option
    graded: Annotated[
        str,
        typer.Argument(
            metavar="GRADED",
            help="Answers that people graded: JSON lines (also -, standard input), or a table called .csv or .tsv.",
        ),
    ],
    *,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the profile is called.")],
    weights: Annotated[
        bool, typer.Option("--weights", help="Fit every weight anew, as another verifier needs it.")
    ] = False,
    folds: Annotated[int, typer.Option(min=2, max=1_000, help="Parts of the questions, each held out once.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="The same seed holds the same questions out together.")] = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Save it even where it does not help; replace a profile of this name.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as one line of JSON.")] = False,
) -> None:
    """Fit a calibration profile to graded answers, if it marks held-out questions more as people marked them."""
    settings = start()
    bootstrap.rooms(settings).require_writable_profiles()
    # Before anything takes time.
    bootstrap.profiles(settings, None).refuse_taken(name, replace=force)
    fitter = bootstrap.fitter()
    rows, faults = read_judged(graded, settings)
    for fault in faults[:_MOST_TOLD]:
        print_note(str(fault))
    if len(faults) > _MOST_TOLD:
        print_note(f"and {len(faults) - _MOST_TOLD:,} more rows that cannot be used")
    grader = bootstrap.grader(settings)
    progress = Progress()
    try:
        report = fit_to(
            rows,
            grader,
            fitter,
            name=name,
            options=Options(weights=weights, folds=folds, seed=seed),
            count=lambda: progress.count(graded=True),
        )
    finally:
        progress.close()
    for answer, why in report.left_out[:_MOST_TOLD]:
        print_note(f"{answer} is left out: {why}")
    refusal = None if force else _refusal(report)
    saved = None
    if refusal is None:
        profiles = bootstrap.profiles(settings, grader.verifier)
        saved = profiles.save(report.calibration, _origin(graded, report), replace=force)
    if as_json:
        print_json(report_json(report, len(faults), saved))
    else:
        print_calibration(report)
    if refusal:
        raise refusal
    if not as_json:
        print_line(f"Saved as {saved}. Use it with --profile {name}, or set MARKSCHEME_CALIBRATION={name}.")


def _refusal(report: CalibrationReport) -> CalibrationRefusedError | None:
    try:
        refuse_unless_it_helps(report)
    except CalibrationRefusedError as error:
        return error
    return None


def _origin(graded: str, report: CalibrationReport) -> str:
    source = "standard input" if graded == STANDARD else Path(graded).name
    return f"{source}: {report.answers} answers to {report.questions} questions, starting from {report.base.name}"
