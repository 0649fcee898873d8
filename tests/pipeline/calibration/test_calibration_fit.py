"""What the fit finds where the truth is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from markscheme.adapters.scipy_fitting import ScipyFitter
from markscheme.agreement.arrays import Floats
from markscheme.agreement.gold import Gold, Kind
from markscheme.grading.coverage import NOT_BY_CHANCE
from markscheme.grading.cuts import Cuts
from markscheme.pipeline import calibration_fit
from markscheme.pipeline.calibration_answers import ReadAnswer
from markscheme.pipeline.calibration_cuts import LEAST_CONTRADICTORY
from markscheme.pipeline.calibration_family import LEAST_SLOPE, Scaled, Weighed
from markscheme.pipeline.calibration_fit import fit
from markscheme.pipeline.calibration_marks import Marks
from markscheme.pipeline.evaluate import JudgedRequest
from markscheme.pipeline.grade import Grader

MakeRows = Callable[..., list[JudgedRequest]]
ReadAll = Callable[[Grader, Sequence[JudgedRequest]], list[ReadAnswer]]
Regold = Callable[[ReadAnswer, Gold], ReadAnswer]
TRUE_SCALE = np.array([0.6, 1.2])


def unmarked(_rng: np.random.Generator, _shares: Sequence[float]) -> Gold:
    return Gold(points=(0.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def read(make_rows: MakeRows, read_all: ReadAll, grader: Grader) -> list[ReadAnswer]:
    return read_all(grader, make_rows(60, unmarked))


@pytest.fixture(scope="module")
def read_by_sample(make_rows: MakeRows, read_all: ReadAll, grader: Grader) -> list[ReadAnswer]:
    def mark(_rng: np.random.Generator, _shares: Sequence[float]) -> Gold:
        return Gold(score=0.0)

    return read_all(grader, make_rows(40, mark, by_sample=True))


@pytest.fixture
def freely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing pulls back to the calibration in use."""
    monkeypatch.setattr(calibration_fit, "PRIOR_ANSWERS", 0.0)


def marked_by(
    answers: Sequence[ReadAnswer], family: Scaled | Weighed, numbers: Floats, regold: Regold
) -> list[ReadAnswer]:
    """The same answers with as many people saying that a point is made as a member of the family gives coverage."""
    coverage = Marks.of(answers, family.base, family).coverage(numbers)
    shares = coverage.reshape(len(answers), -1)
    return [regold(one, Gold(points=tuple(row.tolist()))) for one, row in zip(answers, shares, strict=True)]


@pytest.mark.usefixtures("freely")
def test_a_known_slope_and_offset_are_recovered(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    base = grader.calibration
    family = Scaled(base)
    found, numbers = fit(marked_by(read, family, TRUE_SCALE, regold), "points", base, family, ScipyFitter())
    assert numbers == pytest.approx(TRUE_SCALE, abs=0.01)
    assert found.name == base.name
    assert found.coverage.intercept == pytest.approx(base.coverage.intercept * 0.6 + 1.2, abs=0.02)


@pytest.mark.usefixtures("freely")
def test_known_weights_are_recovered_but_for_the_one_that_no_answer_shows(
    read: list[ReadAnswer], grader: Grader, regold: Regold
) -> None:
    base = grader.calibration
    family = Weighed(base)
    true = family.start * np.array([0.3, 1.0, 1.8, 0.0, 1.0, 0.5])
    marked = marked_by(read, family, true, regold)
    found, numbers = fit(marked, "points", base, family, ScipyFitter())
    gap = Marks.of(read, base, family)
    assert gap.coverage(numbers) == pytest.approx(gap.coverage(true), abs=0.02)
    assert min(found.coverage.weights) >= 0
    at = base.coverage.features.index(NOT_BY_CHANCE)
    assert found.coverage.weights[at] == base.coverage.weights[at]


@pytest.mark.usefixtures("freely")
def test_scores_alone_show_the_scale_too(read_by_sample: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    """People give the share of points that a calibration expects; of two sample answers the best counts."""
    base = grader.calibration
    family = Scaled(base)
    marks = Marks.of(read_by_sample, base, family)
    coverage = marks.coverage(TRUE_SCALE)
    scores = [coverage[marks.rubric == chosen].mean() for chosen in marks.chosen]
    marked = [regold(one, Gold(score=float(score))) for one, score in zip(read_by_sample, scores, strict=True)]
    found, numbers = fit(marked, "score", base, family, ScipyFitter())
    assert numbers == pytest.approx(TRUE_SCALE, abs=0.05)
    # As it is used for sample answers, with the relaxation that was there before.
    before, after = base.for_sample_answers.coverage, found.for_sample_answers.coverage
    assert after.weights == pytest.approx([0.6 * weight for weight in before.weights], abs=0.05)
    assert after.intercept == pytest.approx(0.6 * before.intercept + 1.2, abs=0.05)


def test_few_answers_move_little_and_many_follow(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    base = grader.calibration
    family = Scaled(base)
    marked = marked_by(read, family, np.array([1.0, 2.0]), regold)
    offsets = [
        fit(several, "points", base, family, ScipyFitter())[1][1] for several in (marked[:30], marked * 8, marked * 50)
    ]
    assert 0.1 < offsets[0] < 0.9
    assert 1.2 < offsets[1] < 1.95
    assert 1.85 < offsets[2] < 2.05


def test_what_agrees_already_is_left_alone(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    base = grader.calibration
    found, numbers = fit(
        marked_by(read, Scaled(base), np.array([1.0, 0.0]), regold), "points", base, Scaled(base), ScipyFitter()
    )
    assert numbers == pytest.approx([1.0, 0.0], abs=1e-3)
    assert found.coverage.weights == pytest.approx(base.coverage.weights, abs=1e-2)


def test_marks_that_run_the_wrong_way_stop_at_the_least_slope(
    read: list[ReadAnswer], grader: Grader, regold: Regold
) -> None:
    base = grader.calibration
    family = Scaled(base)
    marked = marked_by(read, family, np.array([-1.0, 0.0]), regold) * 20
    _, numbers = fit(marked, "points", base, family, ScipyFitter())
    assert numbers[0] == LEAST_SLOPE


@pytest.mark.usefixtures("freely")
def test_the_cut_goes_where_people_draw_it(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    """People say that a point is made from a coverage of .62 on, nearly by coverage itself."""
    base = replace(grader.calibration, cuts=Cuts(0.3, 0.1))
    family = Scaled(base)
    coverage = Marks.of(read, base, family).coverage(family.start).reshape(len(read), -1)
    lifted = np.where(coverage >= 0.62, np.maximum(coverage, 0.51), np.minimum(coverage, 0.5))
    marked = [regold(one, Gold(points=tuple(row.tolist()))) for one, row in zip(read, lifted, strict=True)]
    found, numbers = fit(marked, "points", base, family, ScipyFitter())
    after = Marks.of(read, base, family).coverage(numbers).reshape(len(read), -1)
    assert ((after >= found.cuts.covered) == (lifted > 0.5)).mean() > 0.97
    assert found.cuts.covered > 0.35
    assert found.cuts.partial == pytest.approx(found.cuts.covered / 3, abs=1e-5)


def test_points_that_nobody_judged_or_nothing_was_read_of_say_nothing(
    make_rows: MakeRows, read_all: ReadAll, grader: Grader, regold: Regold
) -> None:
    base = grader.calibration
    (row,) = make_rows(1, unmarked)
    blank = read_all(grader, [replace(row, request=replace(row.request, answer=""))])[0]
    found, numbers = fit([regold(blank, Gold(points=(1.0, None, 1.0)))], "points", base, Scaled(base), ScipyFitter())
    assert (numbers.tolist(), found) == ([1.0, 0.0], base)


@pytest.mark.parametrize("kind", ["score", "label"])
def test_an_answer_without_words_does_not_disturb_the_others(
    make_rows: MakeRows, read_all: ReadAll, grader: Grader, regold: Regold, kind: Kind
) -> None:
    base = grader.calibration
    rows = make_rows(12, unmarked)
    rows[5] = replace(rows[5], request=replace(rows[5].request, answer=""))
    gold = {"score": Gold(score=0.7), "label": Gold(label="partial")}[kind]
    answers = [regold(one, gold) for one in read_all(grader, rows)]
    _, numbers = fit(answers, kind, base, Scaled(base), ScipyFitter())
    others = [one for one in answers if one.request.answer]
    prior = calibration_fit.PRIOR_ANSWERS
    assert prior / len(answers) < prior / len(others)
    _, without = fit(others, kind, base, Scaled(base), ScipyFitter())
    assert numbers == pytest.approx(without, abs=0.1)


def test_the_cuts_follow_scores(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    """People give full marks for what earns half, and credit from a lower cut on."""
    base = grader.calibration
    family = Scaled(base)
    marks = Marks.of(read, base, family)
    coverage = marks.coverage(family.start)
    theirs = marks.outcome(coverage, Cuts(0.8, 0.6)).score
    ours = marks.outcome(coverage, base.cuts).score
    marked = [regold(one, Gold(score=float(score))) for one, score in zip(read, theirs, strict=True)] * 5
    found, numbers = fit(marked, "score", base, family, ScipyFitter())
    after = marks.outcome(marks.coverage(numbers), found.cuts).score
    assert np.abs(after - theirs).mean() < 0.5 * np.abs(ours - theirs).mean()
    assert 0 < found.cuts.partial < found.cuts.covered < 1


def test_the_cuts_follow_labels(read: list[ReadAnswer], grader: Grader, regold: Regold) -> None:
    base = grader.calibration
    family = Scaled(base)
    marks = Marks.of(read, base, family)
    coverage = marks.coverage(family.start)
    theirs = marks.outcome(coverage, Cuts(0.15, 0.02)).correct
    assert 5 < theirs.sum() < len(read) - 5
    marked = [
        regold(one, Gold(label="correct" if good else "incorrect")) for one, good in zip(read, theirs, strict=True)
    ]
    found, numbers = fit(marked * 10, "label", base, family, ScipyFitter())
    after = marks.outcome(marks.coverage(numbers), found.cuts).correct
    before = marks.outcome(coverage, base.cuts).correct
    assert (before == theirs).mean() < 0.9
    assert (after == theirs).mean() > (before == theirs).mean() + 0.05


@pytest.mark.parametrize("contradictory", [0, 4, 12])
def test_the_cut_of_contradictions_moves_only_where_enough_are_shown(
    make_rows: MakeRows, read_all: ReadAll, verifying: Grader, regold: Regold, contradictory: int
) -> None:
    moves = contradictory >= LEAST_CONTRADICTORY
    base = replace(verifying.calibration, cuts=Cuts(0.5, 0.2, 0.98))
    grader = replace(verifying, calibration=base)
    answers = read_all(grader, make_rows(40, unmarked, negate=0.4))
    # What a lower cut would flag is what people call contradictory; all else they call what it is called already.
    lower = replace(verifying, calibration=replace(base, cuts=Cuts(0.5, 0.2, 0.6)))
    denying = [at for at, one in enumerate(answers) if lower.grade(one.request).verdict == "contradictory"]
    assert len(denying) > 12
    assert all(answer.grade.verdict != "contradictory" for answer in answers)
    golds = [Gold(label="correct" if one.grade.verdict == "correct" else "incorrect") for one in answers]
    for at in denying[:contradictory]:
        golds[at] = Gold(label="contradictory")
    marked = [regold(one, gold) for one, gold in zip(answers, golds, strict=True)]
    # Many of them, so that the pull to what was decided before is weak.
    marked = marked * 10 if moves else marked
    found, _ = fit(marked, "label", base, Scaled(base), ScipyFitter())
    assert (found.cuts.contradicted != 0.98) == moves
    if moves:
        after = replace(grader, calibration=found)
        flagged = [at for at, one in enumerate(answers) if after.grade(one.request).verdict == "contradictory"]
        assert len(set(flagged) & set(denying[:contradictory])) > 6
