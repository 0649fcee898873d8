"""The table of docs/quality.md: how the grades of every variant agree with people."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quality_agreement import agreement, grades_of, judged_rows, likenesses

from markscheme.agreement.resampling import Figure
from markscheme.agreement.results import COSINE, MARKSCHEME, OVERLAP, KindAgreement, RiskCurve
from markscheme.cli.evaluate_words import FIGURES, JUDGES, number

DASH = "-"
SET_ASIDE = 0.2
SURE = "accuracy without the least sure 20%"
# Heads of columns, and the variants of fit_calibration.py; the first is what ships.
COLUMNS = {"Markscheme (95% interval)": "verified", "no features": "verifier", "no verifier": "similarity"}
BASELINES = (OVERLAP, COSINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """Some rows of the table: which sets are read together, what people decided, and which figures are shown."""

    name: str
    sets: tuple[str, ...]
    decided: str
    figures: tuple[str, ...]


LABEL_FIGURES = ("macro_f1", "auc", "contradictory_passed", "contradictory_flagged", "false_flags")
ENTRIES = (
    Entry("REALSumm", ("realsumm_dev",), "is the point in the text?", ("accuracy", "kappa", "auc", "ece", SURE)),
    Entry("ArgKP, training part", ("argkp_train",), "does the argument make the key point?", ("macro_f1", "auc", SURE)),
    Entry("SciEntsBank", ("scientsbank_train", "scientsbank_unseen_answers"), "correct or not", LABEL_FIGURES),
    Entry("Beetle", ("beetle_train", "beetle_unseen_answers"), "correct or not", LABEL_FIGURES),
    Entry(
        "negated MNLI",
        ("negation_mnli",),
        "does the text entail the statement?",
        ("entailed_covered", "others_covered", "contradiction_flagged"),
    ),
    Entry(
        "SAF",
        ("saf_training", "saf_unseen_answers"),
        "a score from 0 to 1",
        ("pearson", "spearman_within_question", "rmse", "qwk"),
    ),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The agreement of one entry: of each column whose grades are there, and of the baselines."""

    columns: Mapping[str, KindAgreement]
    baselines: KindAgreement

    @property
    def main(self) -> KindAgreement:
        """That of what ships."""
        return self.columns[next(iter(COLUMNS))]


def measure(entry: Entry, data: Path, work: Path, samples: int) -> Measured:
    """Compare the grades in WORK/grades with people.

    Raises:
        FileNotFoundError: The grades of what ships are not there.
        ValueError: A set or its grades are not whole.
    """
    rows = {name: judged_rows(data, name) for name in entry.sets}
    judged = [row.judged for some in rows.values() for row in some]
    columns: dict[str, KindAgreement] = {}
    for column, variant in COLUMNS.items():
        grades = grades_of(rows, work / "grades" / variant)
        if grades is not None:
            # Intervals are shown of the first column only.
            columns[column] = agreement(judged, grades, {}, 0 if columns else samples)
        elif not columns:
            message = f"{work / 'grades' / variant} lacks the grades of {', '.join(entry.sets)}."
            raise FileNotFoundError(message)
    beside = [likenesses(data, name, [row.judged for row in some], work / "baselines") for name, some in rows.items()]
    joined = {judge: [one for found in beside for one in found[judge]] for judge in BASELINES}
    return Measured(columns, agreement(judged, [None] * len(judged), joined, 0))


def table(measured: Mapping[str, Measured]) -> str:
    """The table in Markdown, from what was measured by name of the entry."""
    heads = ["data", "what people decided", "figure", *COLUMNS, *(JUDGES[judge] for judge in BASELINES)]
    lines = [heads, ["---"] * len(heads)]
    lines += [row for entry in ENTRIES for row in rows_of(entry, measured[entry.name])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def rows_of(entry: Entry, measured: Measured) -> list[list[str]]:
    """The rows of one entry."""
    return [
        [
            size(entry, measured.main) if place == 0 else "",
            entry.decided if place == 0 else "",
            FIGURES.get(name, name),
            *(_ours(measured.columns.get(column), name) for column in COLUMNS),
            *(_cell(measured.baselines.figures[judge].get(name)) for judge in BASELINES),
        ]
        for place, name in enumerate(entry.figures)
    ]


def size(entry: Entry, found: KindAgreement) -> str:
    """Which data, and how much of it."""
    points = f", {found.points:,} points" if found.points and found.points != found.answers else ""
    return f"{entry.name}, {found.answers:,} answers{points}"


def curve_of_points(found: KindAgreement) -> RiskCurve:
    """How accuracy grows as the least sure points are set aside."""
    return next(curve for curve in found.risk if curve.sorted_by == "points")


def _ours(found: KindAgreement | None, name: str) -> str:
    if found is None:
        return DASH
    if name == SURE:
        steps = curve_of_points(found).steps
        return number(min(steps, key=lambda step: abs(step.set_aside - SET_ASIDE)).value)
    return _cell(found.figures[MARKSCHEME].get(name))


def _cell(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return DASH
    between = "" if figure.low is None or figure.high is None else f" ({number(figure.low)} to {number(figure.high)})"
    return number(figure.value) + between
