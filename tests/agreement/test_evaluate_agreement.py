"""The whole outcome, each kind against scikit-learn and scipy on rows that have everything."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, roc_auc_score, root_mean_squared_error

from markscheme.agreement.baseline import Likeness
from markscheme.agreement.evaluate import WORST, evaluate
from markscheme.agreement.gold import Gold, Label, Relation
from markscheme.agreement.judged import JudgedAnswer, OurGrade, OurPoint
from markscheme.agreement.results import KindAgreement
from markscheme.grading.grade import PointStatus, Verdict

SIZE = 60
LABELS: tuple[Label, ...] = ("correct", "partial", "incorrect", "contradictory")
RELATIONS: tuple[Relation, ...] = ("entailment", "neutral", "contradiction", "not_entailment")
VERDICTS: tuple[Verdict, ...] = ("correct", "partial", "incorrect", "contradictory")
STATUSES: tuple[PointStatus, ...] = ("covered", "partial", "missing", "contradicted")
DICE = random.Random(5)  # noqa: S311 - rows for tests


def judged(place: int, gold: Gold, points: int = 3) -> JudgedAnswer:
    references = tuple(f"point {at}" for at in range(points))
    return JudgedAnswer(f"a{place}", "answer", references, are_points=True, group=f"q{place % 7}", gold=gold)


def grade(points: int = 3) -> OurGrade:
    made = tuple(OurPoint(f"point {at}", DICE.choice(STATUSES), DICE.random(), DICE.random()) for at in range(points))
    return OurGrade(round(100 * DICE.random(), 1), DICE.choice(VERDICTS), made, DICE.random())


def like(count: int) -> dict[str, list[Likeness]]:
    return {
        "word_overlap": [Likeness((DICE.random(), DICE.random(), DICE.random()), DICE.random()) for _ in range(count)]
    }


def only(rows: Sequence[JudgedAnswer], grades: Sequence[OurGrade | None], samples: int = 20) -> KindAgreement:
    (found,) = evaluate(rows, grades, like(len(rows)), samples=samples).kinds
    return found


def values(found: KindAgreement, judge: str = "markscheme") -> dict[str, float | None]:
    return {name: figure.value for name, figure in found.figures[judge].items()}


def test_points() -> None:
    shares = (0.0, 0.25, 0.75, 1.0)
    rows = [judged(place, Gold(points=(DICE.choice(shares), None, DICE.choice(shares)))) for place in range(SIZE)]
    grades = [grade() for _ in rows]
    found = only(rows, grades)
    pairs = [(row, one, at) for row, one in zip(rows, grades, strict=True) for at in (0, 2)]
    truth = [(row.gold.points or ())[at] in {0.75, 1.0} for row, _, at in pairs]
    chosen = [one.points[at].status == "covered" for _, one, at in pairs]
    coverage = [one.points[at].coverage for _, one, at in pairs]
    assert (found.kind, found.answers, found.points, found.groups) == ("points", SIZE, 2 * SIZE, 7)
    assert (found.not_graded, found.points_not_graded) == (0, 0)
    told = values(found)
    assert told["accuracy"] == pytest.approx(accuracy_score(truth, chosen))
    assert told["macro_f1"] == pytest.approx(f1_score(truth, chosen, average="macro"))
    assert told["kappa"] == pytest.approx(cohen_kappa_score(truth, chosen))
    assert told["auc"] == pytest.approx(roc_auc_score(truth, coverage))
    assert set(values(found, "word_overlap")) == {"accuracy", "macro_f1", "kappa", "auc"}
    assert [curve.sorted_by for curve in found.risk] == ["points", "answers"]
    assert all(curve.steps[0].value == pytest.approx(told["accuracy"]) for curve in found.risk)
    assert sum(one.count for one in found.reliability) == 2 * SIZE
    for figure in found.figures["markscheme"].values():
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= figure.high


def test_labels() -> None:
    rows = [judged(place, Gold(label=DICE.choice(LABELS))) for place in range(SIZE)]
    grades = [grade() for _ in rows]
    found = only(rows, grades)
    truth = [row.gold.label == "correct" for row in rows]
    chosen = [one.verdict == "correct" for one in grades]
    told = values(found)
    assert told["macro_f1"] == pytest.approx(f1_score(truth, chosen, average="macro"))
    assert told["auc"] == pytest.approx(roc_auc_score(truth, [one.score for one in grades]))
    wrong = [one for row, one in zip(rows, grades, strict=True) if row.gold.label == "contradictory"]
    others = [one for row, one in zip(rows, grades, strict=True) if row.gold.label != "contradictory"]
    assert told["contradictory_passed"] == pytest.approx(np.mean([one.verdict == "correct" for one in wrong]))
    assert told["contradictory_flagged"] == pytest.approx(np.mean([one.verdict == "contradictory" for one in wrong]))
    assert told["false_flags"] == pytest.approx(np.mean([one.verdict == "contradictory" for one in others]))
    assert "contradictory_flagged" not in found.figures["word_overlap"]
    assert found.points == 0


def test_scores() -> None:
    rows = [judged(place, Gold(score=DICE.randrange(5) / 4)) for place in range(SIZE)]
    grades = [grade() for _ in rows]
    found = only(rows, grades)
    truth = np.array([row.gold.score for row in rows])
    ours = np.array([one.score / 100 for one in grades])
    groups = np.array([row.group for row in rows])
    told = values(found)
    assert told["pearson"] == pytest.approx(pearsonr(truth, ours).statistic)
    within = [spearmanr(truth[groups == one], ours[groups == one]).statistic for one in sorted(set(groups))]
    assert told["spearman_within_question"] == pytest.approx(np.mean(within))
    assert told["rmse"] == pytest.approx(root_mean_squared_error(truth, ours))
    assert told["offset"] == pytest.approx((ours - truth).mean())
    levels = np.rint(truth * 4), np.rint(ours * 4)
    assert told["qwk"] == pytest.approx(cohen_kappa_score(*levels, weights="quadratic"))
    assert [(dot.theirs, dot.ours) for dot in found.scatter] == list(zip(truth.tolist(), ours.tolist(), strict=True))
    assert found.risk[0].measure == "rmse"
    assert found.risk[0].steps[0].value == pytest.approx(told["rmse"])


def test_entailment() -> None:
    rows = [judged(place, Gold(nli=DICE.choice(RELATIONS)), points=1) for place in range(SIZE)]
    grades = [grade(1) for _ in rows]
    told = values(only(rows, grades))
    pairs = [(row.gold.nli, one.points[0].status) for row, one in zip(rows, grades, strict=True)]

    def share(of: set[Relation], status: str) -> float:
        return float(np.mean([found == status for relation, found in pairs if relation in of]))

    assert told["entailed_covered"] == pytest.approx(share({"entailment"}, "covered"))
    assert told["others_covered"] == pytest.approx(share(set(RELATIONS) - {"entailment"}, "covered"))
    assert told["contradiction_flagged"] == pytest.approx(share({"contradiction"}, "contradicted"))


@pytest.mark.parametrize(
    ("gold", "name", "value"),
    [
        (Gold(points=(1.0, 0.0, None)), "accuracy", 0.0),
        (Gold(label="incorrect"), "accuracy", 0.0),
        (Gold(label="contradictory"), "contradictory_passed", 1.0),
        (Gold(score=0.75), "rmse", 0.75),
        (Gold(nli="entailment"), "entailed_covered", 0.0),
        (Gold(nli="neutral"), "accuracy", 0.0),
    ],
)
def test_without_a_grade_an_answer_counts_as_wrong(gold: Gold, name: str, value: float) -> None:
    found = only([judged(0, gold)], [None])
    assert found.not_graded == 1
    assert values(found)[name] == value
    assert found.worst == ()
    assert found.reliability == ()
    assert found.scatter == ()
    assert all(step.kept >= 1 for curve in found.risk for step in curve.steps)


def test_a_grade_with_too_few_points_leaves_the_rest_wrong() -> None:
    found = only([judged(0, Gold(points=(1.0, 1.0, 1.0)))], [OurGrade(50, "partial", grade(1).points, 0.5)])
    assert (found.not_graded, found.points_not_graded) == (0, 2)


def test_references_that_only_a_grade_would_tell_are_no_likeness() -> None:
    row = JudgedAnswer("a", "answer", (), are_points=True, group="q", gold=Gold(points=(1.0, 0.0)))
    (found,) = evaluate([row], [None], {"word_overlap": [Likeness((), 0.0)]}).kinds
    assert found.cuts == {"word_overlap": 0.0}


@pytest.mark.parametrize("made", [0.0, 1.0])
def test_every_baseline_can_say_that_all_points_are_made_and_that_none_is(made: float) -> None:
    rows = [judged(place, Gold(points=(made,)), points=1) for place in range(SIZE)]
    nears = [Likeness((place / SIZE - 0.3,), place / SIZE - 0.3) for place in range(SIZE)]
    (found,) = evaluate(rows, [grade(1) for _ in rows], {"word_overlap": nears, "cosine": nears}, samples=0).kinds
    assert [values(found, judge)["accuracy"] for judge in ("word_overlap", "cosine")] == [1.0, 1.0]


def test_a_row_may_have_several_kinds_and_a_file_rows_of_several() -> None:
    rows = [judged(0, Gold(label="correct", score=1.0)), judged(1, Gold(score=0.0)), judged(2, Gold())]
    found = evaluate(rows, [grade() for _ in rows], like(3), samples=0)
    assert [(one.kind, one.answers, one.groups) for one in found.kinds] == [("label", 1, 1), ("score", 2, 2)]
    assert (found.samples, found.seed) == (0, 0)


def test_points_that_nobody_judged_are_no_kind() -> None:
    assert evaluate([judged(0, Gold(points=(None,)))], [grade()], like(1)).kinds == ()


def test_one_class_and_constant_scores_are_undefined_and_never_a_warning() -> None:
    rows = [judged(place, Gold(points=(1.0, 1.0, 1.0), label="correct", score=0.5)) for place in range(4)]
    grades = [OurGrade(50, "correct", tuple(OurPoint("p", "covered", 0.5, 0.5) for _ in range(3)), 0.5)] * 4
    points, labels, scores = evaluate(rows, grades, like(4)).kinds
    assert (values(points)["kappa"], values(points)["auc"], values(points)["accuracy"]) == (None, None, 1.0)
    assert (values(labels)["kappa"], values(labels)["contradictory_passed"]) == (None, None)
    assert (values(scores)["pearson"], values(scores)["spearman_within_question"], values(scores)["qwk"]) == (None,) * 3


def test_the_worst_are_sorted_and_those_we_agree_on_are_not_among_them() -> None:
    rows = [judged(place, Gold(score=place / 40)) for place in range(41)]
    found = only(rows, [OurGrade(0.0, "incorrect", (), 0.5) for _ in rows])
    assert [one.place for one in found.worst] == list(range(40, 40 - WORST, -1))
    assert only(rows[:1], [OurGrade(0.0, "incorrect", (), 0.5)]).worst == ()


def point(status: PointStatus, coverage: float) -> OurGrade:
    return OurGrade(100 * coverage, "partial", (OurPoint("p", status, coverage, 0.5),), 0.5)


@pytest.mark.parametrize(
    ("gold", "ours", "size"),
    [
        (Gold(points=(1.0,)), point("missing", 0.25), 0.75),
        (Gold(points=(1.0,)), point("covered", 0.25), None),
        (Gold(label="correct"), point("missing", 0.25), 0.75),
        (Gold(label="partial"), point("covered", 0.25), None),
        (Gold(nli="neutral"), point("covered", 0.75), 0.75),
        (Gold(nli="entailment"), point("covered", 0.75), None),
    ],
)
def test_how_far_apart_the_sides_are(gold: Gold, ours: OurGrade, size: float | None) -> None:
    worst = only([judged(0, gold, points=1)], [ours]).worst
    assert [one.size for one in worst] == ([] if size is None else [size])


def test_two_people_against_each_other() -> None:
    first = [DICE.random() > 0.5 for _ in range(SIZE)]
    second = [one if DICE.random() > 0.3 else not one for one in first]
    rows = [
        judged(place, Gold(points=(float(one),), points_raters=((float(one),), (float(two),))), points=1)
        for place, (one, two) in enumerate(zip(first, second, strict=True))
    ]
    told = values(only(rows, [grade(1) for _ in rows]), "humans")
    assert told["accuracy"] == pytest.approx(accuracy_score(first, second))
    assert told["kappa"] == pytest.approx(cohen_kappa_score(first + second, second + first))
    assert set(told) == {"accuracy", "macro_f1", "kappa"}


def test_each_of_several_people_against_the_most_of_the_others() -> None:
    votes = ((1.0,), (1.0,), (0.0,))
    told = values(only([judged(0, Gold(points=(1.0,), points_raters=votes), points=1)], [grade(1)]), "humans")
    # Each of the two meets a one and a zero, which decide nothing; the third meets two ones.
    assert told["accuracy"] == 0.0


def test_people_who_label_and_people_who_score() -> None:
    rows = [
        judged(0, Gold(label="correct", label_raters=("correct", "correct"), score=1.0, score_raters=(1.0, 0.5))),
        judged(
            1,
            Gold(label="contradictory", label_raters=("contradictory", "correct"), score=0.0, score_raters=(0.0, 0.0)),
        ),
        judged(2, Gold(label="correct", label_raters=("correct",), score=0.0)),
    ]
    labels, scores = evaluate(rows, [grade() for _ in rows], like(3)).kinds
    assert values(labels, "humans")["accuracy"] == 0.5
    assert values(labels, "humans")["contradictory_flagged"] == 0.0
    assert values(scores, "humans")["rmse"] == pytest.approx(math.sqrt((0.25 + 0.25) / 4))
    assert values(scores, "humans")["pearson"] == pytest.approx(pearsonr([1, 0.5, 0, 0], [0.5, 1, 0, 0]).statistic)


def test_without_second_judgements_people_are_not_compared() -> None:
    rows = [judged(0, Gold(points=(1.0, 1.0, 1.0), label="correct", score=1.0)), judged(1, Gold(nli="neutral"), 1)]
    for one in evaluate(rows, [grade(), grade(1)], like(2)).kinds:
        assert "humans" not in one.figures
