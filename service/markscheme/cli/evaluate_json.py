"""Agreement as one JSON object."""

from dataclasses import asdict

from markscheme.agreement.results import Agreement, KindAgreement
from markscheme.grading.errors import Fault

Json = dict[str, object]


def agreement_json(agreement: Agreement, bad_rows: list[Fault], not_graded: list[Fault]) -> Json:
    """Every figure, curve and fault; null stands for what is not defined."""
    return {
        "samples": agreement.samples,
        "seed": agreement.seed,
        "bad_rows": [_fault_json(fault) for fault in bad_rows],
        "not_graded": [_fault_json(fault) for fault in not_graded],
        "kinds": {one.kind: _kind_json(one) for one in agreement.kinds},
    }


def _fault_json(fault: Fault) -> Json:
    return {"line": fault.line, "message": fault.message}


def _kind_json(one: KindAgreement) -> Json:
    return {
        "answers": one.answers,
        "points": one.points,
        "groups": one.groups,
        "not_graded": one.not_graded,
        "points_not_graded": one.points_not_graded,
        "figures": {
            judge: {name: asdict(figure) for name, figure in figures.items()} for judge, figures in one.figures.items()
        },
        "best_cuts": dict(one.cuts),
        "risk_coverage": [asdict(curve) for curve in one.risk],
        "reliability": [asdict(one_bin) for one_bin in one.reliability],
        "worst": [{"id": worst.answer.name, "group": worst.answer.group, "size": worst.size} for worst in one.worst],
    }
