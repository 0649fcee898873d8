"""Agreement as one page that needs no other file: plots, and the answers on which we differ most."""

from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from markscheme import __version__
from markscheme.agreement.gold import Kind
from markscheme.agreement.judged import OurGrade, Span
from markscheme.agreement.results import Agreement, Disagreement, KindAgreement
from markscheme.agreement.risk import TOLD
from markscheme.cli.evaluate_plots import (
    FRAME,
    Plot,
    reliability_plot,
    risk_plot,
    scatter_plot,
)
from markscheme.cli.evaluate_report import cell
from markscheme.cli.evaluate_words import FIGURES, JUDGES, TITLES, figure_names, notes, number, risk_rows, size_of

environment = Environment(
    loader=PackageLoader("markscheme.cli"),
    # An answer is never markup.
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer, and whether it is evidence."""

    text: str
    is_evidence: bool


def page(agreement: Agreement, name: str, bad_rows: int) -> str:
    """The whole page.

    Args:
        agreement: What was measured.
        name: What the graded file is called.
        bad_rows: How many rows of it could not be used.
    """
    return environment.get_template("evaluation.html").render(
        name=name,
        bad_rows=bad_rows,
        version=__version__,
        sections=[_section(one, agreement.samples) for one in agreement.kinds],
        frame=FRAME,
        told=[f"{share:.0%}" for share in TOLD],
    )


def _section(one: KindAgreement, samples: int) -> dict[str, object]:
    return {
        "title": TITLES[one.kind],
        "size": size_of(one),
        "judges": [JUDGES[judge] for judge in one.figures],
        "rows": [
            (FIGURES[name], [cell(figures.get(name)) for figures in one.figures.values()]) for name in figure_names(one)
        ],
        "risk": risk_rows(one),
        "notes": notes(one, samples),
        "plots": _plots(one),
        "worst": [_worst(one.kind, worst) for worst in one.worst],
    }


def _plots(one: KindAgreement) -> list[Plot]:
    plots = [reliability_plot(one.reliability)] if one.reliability else []
    if one.scatter:
        plots.append(scatter_plot(one.scatter))
    return plots + [risk_plot(curve) for curve in one.risk if curve.steps]


def _worst(kind: Kind, worst: Disagreement) -> dict[str, object]:
    gold = worst.answer.gold
    theirs = {
        "points": "",
        "label": f"people: {gold.label}",
        "score": "" if gold.score is None else f"people: {number(gold.score)}",
        "nli": f"people: {(gold.nli or '').replace('_', ' ')}",
    }[kind]
    shares = gold.points or () if kind == "points" else ()
    return {
        "name": worst.answer.name,
        "question": worst.answer.question,
        "theirs": theirs,
        "verdict": worst.grade.verdict.replace("_", " "),
        "score": f"{worst.grade.score:.1f}",
        "pieces": pieces(worst.answer.answer, _evidence(worst.grade)),
        "references": () if worst.grade.points and worst.answer.are_points else worst.answer.references,
        "points": [
            {
                "text": point.text,
                "people": _share(shares[at] if at < len(shares) else None),
                "status": point.status.replace("_", " "),
                "coverage": number(point.coverage),
            }
            for at, point in enumerate(worst.grade.points)
        ],
        "people_judged_points": bool(shares),
    }


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _evidence(grade: OurGrade) -> list[Span]:
    return [span for point in grade.points for span in point.evidence]


def pieces(answer: str, spans: list[Span]) -> list[Piece]:
    """Cut an answer into what is evidence and what is not; joined, the pieces are the answer.

    Spans may overlap and come in any order; what lies outside the answer is left out.
    """
    found: list[Piece] = []
    done = 0
    for start, end in sorted(spans):
        start, end = max(done, start), min(end, len(answer))  # noqa: PLW2901 - the part that is not marked yet
        if start < end:
            found += [Piece(answer[done:start], is_evidence=False), Piece(answer[start:end], is_evidence=True)]
            done = end
    found.append(Piece(answer[done:], is_evidence=False))
    return [piece for piece in found if piece.text]
