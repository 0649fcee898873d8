"""Grades against people: every figure, with its interval, beside the baselines and beside people among themselves."""

from collections.abc import Callable, Mapping, Sequence

from markscheme.agreement.baseline import Likeness
from markscheme.agreement.comparison import Comparison, Row
from markscheme.agreement.gold import KINDS, Gold, Kind
from markscheme.agreement.judged import JudgedAnswer, OurGrade
from markscheme.agreement.of_labels import compare_labels
from markscheme.agreement.of_nli import compare_nli
from markscheme.agreement.of_people import people
from markscheme.agreement.of_points import compare_points
from markscheme.agreement.of_scores import compare_scores
from markscheme.agreement.resampling import Draws
from markscheme.agreement.results import HUMANS, Agreement, Disagreement, KindAgreement

WORST = 20
_COMPARE: Mapping[Kind, Callable[[Sequence[Row], Sequence[str]], Comparison]] = {
    "points": compare_points,
    "label": compare_labels,
    "score": compare_scores,
    "nli": compare_nli,
}


def evaluate(
    rows: Sequence[JudgedAnswer],
    grades: Sequence[OurGrade | None],
    baselines: Mapping[str, Sequence[Likeness]],
    samples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Measure how far grades agree with people.

    Args:
        rows: Answers that people judged.
        grades: The grade of each, in the same order; None where there is none, which counts as wrong.
        baselines: By name, what a plain likeness says of each, in the same order.
        samples: How many times the groups are drawn for the intervals; 0 leaves them out.
        seed: The same seed gives the same intervals.

    Returns:
        One entry for each kind of judgement that occurs.
    """
    kinds = [(kind, _rows_of(kind, rows, grades, baselines)) for kind in KINDS]
    found = [_agreement(kind, chosen, tuple(baselines), samples, seed) for kind, chosen in kinds if chosen]
    return Agreement(tuple(found), samples, seed)


def _rows_of(
    kind: Kind,
    rows: Sequence[JudgedAnswer],
    grades: Sequence[OurGrade | None],
    baselines: Mapping[str, Sequence[Likeness]],
) -> list[Row]:
    chosen = [place for place, row in enumerate(rows) if _has(row.gold, kind)]
    numbers = {name: number for number, name in enumerate(sorted({rows[place].group for place in chosen}))}
    return [
        Row(
            place,
            numbers[rows[place].group],
            rows[place],
            grades[place],
            {name: values[place] for name, values in baselines.items()},
        )
        for place in chosen
    ]


def _has(gold: Gold, kind: Kind) -> bool:
    if kind == "points":
        return any(share is not None for share in gold.points or ())
    return {"label": gold.label, "score": gold.score, "nli": gold.nli}[kind] is not None


def _agreement(kind: Kind, rows: Sequence[Row], baselines: Sequence[str], samples: int, seed: int) -> KindAgreement:
    compared = _COMPARE[kind](rows, baselines)
    humans = people(kind, rows)
    columns = {**compared.columns, **({HUMANS: humans} if humans else {})}
    groups = 1 + max(row.group for row in rows)
    draws = Draws.of(groups, samples, seed)
    return KindAgreement(
        kind=kind,
        answers=len(rows),
        points=compared.points,
        groups=groups,
        not_graded=sum(row.grade is None for row in rows),
        points_not_graded=compared.points_not_graded,
        figures={
            judge: {name: draws.figure(measure, column.groups) for name, measure in column.measures.items()}
            for judge, column in columns.items()
        },
        cuts=compared.cuts,
        risk=compared.risk,
        reliability=compared.reliability,
        scatter=compared.scatter,
        worst=_worst(rows, compared.sizes),
    )


def _worst(rows: Sequence[Row], sizes: Sequence[float]) -> tuple[Disagreement, ...]:
    ordered = sorted(zip(sizes, rows, strict=True), key=lambda pair: -pair[0])
    return tuple(
        Disagreement(row.place, row.answer, row.grade, size)
        for size, row in ordered[:WORST]
        if size > 0 and row.grade is not None
    )
