"""`markscheme calibrate`: mark as one's own people do."""

from pathlib import Path
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.cli.batch_progress import Progress
from markscheme.cli.calibrate_report import Unused, print_calibration, report_json
from markscheme.cli.evaluate_rows import read_judged
from markscheme.cli.inputs import STANDARD
from markscheme.cli.start import start
from markscheme.cli.terminal import print_json, print_line, print_note
from markscheme.grading.errors import CalibrationRefusedError
from markscheme.pipeline.calibrate import CalibrationReport, Options, refuse_unless_it_helps
from markscheme.pipeline.calibrate import calibrate as fit_to
from markscheme.pipeline.calibration_answers import LeftOut
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import Fitter

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
    seed: Annotated[int, typer.Option(min=0, help="The same seed holds out and draws the same questions.")] = 0,
    force: Annotated[
        bool,
        typer.Option("--force", help="Save it even where it is not shown to help; replace a profile of this name."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as one line of JSON.")] = False,
) -> None:
    """Fit a calibration profile to graded answers, if it marks held-out questions more as people marked them.

    Exit status 1 where it is refused, and where a row could not be used, whether a profile was saved or not.
    """
    settings = start()
    bootstrap.rooms(settings).require_writable_profiles()
    # Before anything takes time.
    bootstrap.profiles(settings, None).refuse_taken(name, replace=force)
    fitter = bootstrap.fitter()
    rows, faults = read_judged(graded, settings)
    unused = Unused(graded, faults)
    grader = bootstrap.grader(settings)
    try:
        report = _fitted(rows, grader, fitter, unused, name, Options(weights=weights, folds=folds, seed=seed))
    finally:
        # Also where nothing can be fitted: what was left out may be the reason.
        _tell(unused)
    refusal = None if force else _refusal(report)
    saved = None
    if refusal is None:
        profiles = bootstrap.profiles(settings, grader.verifier)
        saved = profiles.save(report.calibration, _origin(graded, report), replace=force)
    if as_json:
        print_json(report_json(report, unused, saved))
    else:
        print_calibration(report, unused)
    if refusal:
        raise refusal
    if not as_json:
        print_line(f"Saved as {saved}. Use it with --profile {name}, or set MARKSCHEME_CALIBRATION={name}.")
    if unused.faults:
        raise typer.Exit(1)


def _fitted(  # noqa: PLR0913, PLR0917 - the parts, and how they are used
    rows: list[JudgedRequest], grader: Grader, fitter: Fitter, unused: Unused, name: str, options: Options
) -> CalibrationReport:
    progress = Progress()

    def count(lost: LeftOut | None) -> None:
        progress.count(graded=lost is None)
        if lost is not None:
            unused.left_out.append(lost)

    try:
        return fit_to(rows, grader, fitter, name=name, options=options, count=count)
    finally:
        progress.close()


def _tell(unused: Unused) -> None:
    for fault in unused.faults[:_MOST_TOLD]:
        print_note(str(fault))
    if len(unused.faults) > _MOST_TOLD:
        print_note(f"and {len(unused.faults) - _MOST_TOLD:,} more rows that cannot be used")


def _refusal(report: CalibrationReport) -> CalibrationRefusedError | None:
    try:
        refuse_unless_it_helps(report)
    except CalibrationRefusedError as error:
        return error
    return None


def _origin(graded: str, report: CalibrationReport) -> str:
    source = "standard input" if graded == STANDARD else Path(graded).name
    return f"{source}: {report.answers} answers to {report.questions} questions, starting from {report.base.name}"
