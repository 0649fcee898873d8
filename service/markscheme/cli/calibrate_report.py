"""What a calibration changed, as people and as programs read it."""

from dataclasses import asdict
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from markscheme.cli.evaluate_words import FIGURES, number
from markscheme.grading.cuts import Cuts
from markscheme.pipeline.calibrate import CalibrationReport
from markscheme.pipeline.calibration_proof import Loss, Side

_PIPED_WIDTH = 100
_LOSSES: dict[Loss, str] = {
    "log_loss": "log-loss of coverage",
    "rmse": "RMSE of scores",
    "wrong_verdicts": "share of wrong verdicts",
}


def print_calibration(report: CalibrationReport) -> None:
    """Print the figures on held-out answers before and after, and what has moved."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # A fixed width, so that what is saved does not depend on the window of the moment.
        console = Console(highlight=False, no_color=True, width=_PIPED_WIDTH)
    size = f"{report.answers:,} answers to {report.questions:,} questions"
    console.print(Text(f"Fitted to {size}, marked by {report.kind}.", style="bold"))
    console.print(Text(f"Each question was graded without its own marks, in {report.folds} folds:"))
    table = Table("On held-out questions", "before", "after", box=box.ROUNDED if console.is_terminal else box.ASCII)
    table.add_row(_LOSSES[report.loss], number(report.before.loss), number(report.after.loss))
    for name in report.before.figures:
        before, after = report.before.figures[name], report.after.figures.get(name)
        if name != report.loss and (before is not None or after is not None):
            table.add_row(FIGURES[name], _told(before), _told(after))
    console.print(table)
    if report.scale is not None:
        slope, offset = report.scale
        console.print(Text(f"Log-odds of coverage: times {slope:.3f}, plus {offset:.3f}"))
    for name, old, new in _cuts(report.base.cuts, report.calibration.cuts):
        console.print(Text(f"Cut of {name}: {_told(old)} before, {_told(new)} after"))


def report_json(report: CalibrationReport, bad_rows: int, saved: Path | None) -> dict[str, object]:
    """Everything that is printed, as one object; null stands for what is not defined."""
    return {
        "name": report.calibration.name,
        "saved": None if saved is None else str(saved),
        "kind": report.kind,
        "answers": report.answers,
        "questions": report.questions,
        "folds": report.folds,
        "bad_rows": bad_rows,
        "left_out": [{"id": answer, "message": why} for answer, why in report.left_out],
        "scale": None if report.scale is None else dict(zip(("slope", "offset"), report.scale, strict=True)),
        "cuts": {"before": asdict(report.base.cuts), "after": asdict(report.calibration.cuts)},
        "loss": report.loss,
        "helps": report.helps,
        "before": _side(report.before),
        "after": _side(report.after),
    }


def _cuts(before: Cuts, after: Cuts) -> list[tuple[str, float | None, float | None]]:
    cuts = [
        ("covered", before.covered, after.covered),
        ("partial", before.partial, after.partial),
        ("contradicted", before.contradicted, after.contradicted),
    ]
    return [one for one in cuts if one[1] is not None]


def _side(side: Side) -> dict[str, object]:
    return {"loss": side.loss, **side.figures}


def _told(value: float | None) -> str:
    return "-" if value is None else number(value)
