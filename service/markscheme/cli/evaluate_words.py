"""What figures and judges are called where people read them."""

from collections.abc import Mapping

from markscheme.agreement.gold import Kind
from markscheme.agreement.results import COSINE, HUMANS, MARKSCHEME, OVERLAP, KindAgreement, RiskCurve
from markscheme.agreement.risk import TOLD

JUDGES: Mapping[str, str] = {
    MARKSCHEME: "Markscheme",
    OVERLAP: "word overlap",
    COSINE: "sentence cosine",
    HUMANS: "human with human",
}
FIGURES: Mapping[str, str] = {
    "accuracy": "accuracy",
    "macro_f1": "macro-F1",
    "kappa": "kappa",
    "auc": "AUC",
    "ece": "ECE of coverage",
    "contradictory_passed": "contradictory passed as correct",
    "contradictory_flagged": "contradictory flagged",
    "false_flags": "others flagged contradictory",
    "pearson": "Pearson",
    "spearman_within_question": "Spearman within question",
    "rmse": "RMSE",
    "offset": "offset (ours less theirs)",
    "qwk": "QWK (5 levels)",
    "entailed_covered": "entailed called covered",
    "others_covered": "others called covered",
    "contradiction_flagged": "contradiction flagged",
}
TITLES: Mapping[Kind, str] = {"points": "Points", "label": "Labels", "score": "Scores", "nli": "Entailment"}


def number(value: float) -> str:
    """Three decimals without the zero before the point."""
    # Rounded first, so that what becomes zero has no sign.
    text = f"{round(value, 3) + 0.0:.3f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def size_of(one: KindAgreement) -> str:
    """How much was compared, in words."""
    points = f"{_counted(one.points, 'point')} of " if one.points else ""
    lost = _counted(one.not_graded, "answer")
    if one.points_not_graded:
        lost += f" and {_counted(one.points_not_graded, 'point')}"
    as_what = "as 0" if one.kind == "score" else "as wrong"
    counted = f"; {lost} without a grade counted {as_what}" if one.not_graded or one.points_not_graded else ""
    return f"{points}{_counted(one.answers, 'answer')}, {_counted(one.groups, 'question')}{counted}"


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def figure_names(one: KindAgreement) -> list[str]:
    """The figures that are defined for anybody, in order."""
    names = dict.fromkeys(name for figures in one.figures.values() for name in figures)
    return [
        name for name in names if any(name in told and told[name].value is not None for told in one.figures.values())
    ]


def notes(one: KindAgreement, samples: int) -> list[str]:
    """What a reader must know of the figures of one kind."""
    found = []
    if samples and one.groups > 1:
        found.append(f"In brackets: where 95% of {samples:,} draws of whole questions lie.")
    if one.cuts:
        cuts = ", ".join(f"{JUDGES[name]} {number(cut)}" for name, cut in one.cuts.items())
        found.append(f"The baselines have the cut that suits these very rows best, which flatters them: {cuts}.")
    if one.reliability:
        found.append("A point counts as made where more than half of the people say so. ECE is over 10 equal bins.")
    if HUMANS in one.figures:
        found.append("Human with human: each person in turn against the others.")
    return found


def risk_rows(one: KindAgreement) -> list[tuple[str, list[str]]]:
    """A row a curve: what is measured, and its value where none and 10, 20 and 30% are set aside."""
    return [
        (risk_name(curve), [number(step.value) for step in curve.steps if step.set_aside in TOLD])
        for curve in one.risk
        if curve.steps
    ]


def risk_name(curve: RiskCurve) -> str:
    """What a curve shows, in words."""
    return f"{FIGURES[curve.measure]}, least sure {curve.sorted_by} set aside"
