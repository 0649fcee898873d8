"""What a calibration changed, as people and as programs read it."""

from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from markscheme.cli.evaluate_words import FIGURES, number
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import Fault
from markscheme.pipeline.calibrate import CalibrationReport
from markscheme.pipeline.calibration_answers import LeftOut
from markscheme.pipeline.calibration_figures import WITHIN_FOLDS
from markscheme.pipeline.calibration_proof import LOSS_WORDS, SAMPLES, Proof, Side

_PIPED_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Unused:
    """The rows of one file that have no part in the fit: those that cannot be read, and those left out afterwards."""

    file: str
    bad_rows: list[Fault]
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        """All of them, in the order of the file."""
        left_out = [Fault(self.file, one.line, f"{one.name} is left out: {one.message}") for one in self.left_out]
        return sorted([*self.bad_rows, *left_out], key=lambda fault: fault.line or 0)


def print_calibration(report: CalibrationReport, unused: Unused) -> None:
    """Print the figures on held-out answers before and after, what got worse, and what has moved."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # A fixed width, so that what is saved does not depend on the window of the moment.
        console = Console(highlight=False, no_color=True, width=_PIPED_WIDTH)
    size = f"{report.answers:,} answers to {report.questions:,} questions"
    console.print(Text(f"Fitted to {size}, marked by {report.kind}.", style="bold"))
    if unused.faults:
        bad, left = len(unused.bad_rows), len(unused.left_out)
        console.print(Text(f"Not used: {bad + left:,} rows, {bad:,} that cannot be read and {left:,} left out."))
    console.print(Text(f"Each question was graded without its own marks, in {report.folds} folds:"))
    console.print(_table(report.proof, box.ROUNDED if console.is_terminal else box.ASCII))
    for line in _in_words(report.proof):
        console.print(Text(line))
    if report.scale is not None:
        slope, offset = report.scale
        console.print(Text(f"Log-odds of coverage: times {slope:.3f}, plus {offset:.3f}"))
    for name, old, new in _cuts(report.base.cuts, report.calibration.cuts):
        console.print(Text(f"Cut of {name}: {_told(old)} before, {_told(new)} after"))


def report_json(report: CalibrationReport, unused: Unused, saved: Path | None) -> dict[str, object]:
    """Everything that is printed, as one object; null stands for what is not defined."""
    proof = report.proof
    return {
        "name": report.calibration.name,
        "saved": None if saved is None else str(saved),
        "kind": report.kind,
        "answers": report.answers,
        "questions": report.questions,
        "folds": report.folds,
        "not_used": len(unused.faults),
        "bad_rows": [{"line": fault.line, "message": fault.message} for fault in unused.bad_rows],
        "left_out": [{"id": one.name, "line": one.line, "message": one.message} for one in unused.left_out],
        "scale": None if report.scale is None else dict(zip(("slope", "offset"), report.scale, strict=True)),
        "cuts": {"before": asdict(report.base.cuts), "after": asdict(report.calibration.cuts)},
        "loss": proof.loss,
        "helps": report.helps,
        "objections": list(proof.objections),
        "worse": list(proof.worse),
        "before": _side(proof.before),
        "after": _side(proof.after),
        "change": {"loss": asdict(proof.loss_change), proof.agreement: asdict(proof.agreement_change)},
    }


def _table(proof: Proof, edges: box.Box) -> Table:
    table = Table("On held-out questions", "before", "after", "", box=edges)
    worse = proof.worse

    def add(name: str, words: str, before: float | None, after: float | None) -> None:
        table.add_row(words, _told(before), _told(after), "worse" if name in worse else "")

    add(proof.loss, LOSS_WORDS[proof.loss], proof.before.loss, proof.after.loss)
    for name in proof.before.figures:
        before, after = proof.before.figures[name], proof.after.figures[name]
        if name != proof.loss and (before is not None or after is not None):
            add(name, FIGURES[name] + (" (mean of folds)" if name in WITHIN_FOLDS else ""), before, after)
    return table


def _in_words(proof: Proof) -> list[str]:
    words = {**FIGURES, proof.loss: LOSS_WORDS[proof.loss]}
    change, loss = proof.loss_change, words[proof.loss]
    lines = []
    if change.low is not None and change.high is not None:
        interval = f"from {change.low:+.4f} to {change.high:+.4f} in 95% of {SAMPLES:,} draws of whole questions"
        lines.append(f"Change of the {loss}: {proof.after.loss - proof.before.loss:+.4f}, {interval}")
    worse = ", ".join(words[name] for name in proof.worse)
    return [*lines, f"Got worse: {worse}." if worse else "No figure got worse."]


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
