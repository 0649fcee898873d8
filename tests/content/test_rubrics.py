from collections import Counter

import pytest

from markscheme import bootstrap
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import SeedQuestion
from markscheme.settings import Settings

RUBRICS = bootstrap.rubric_store(Settings()).load()


def test_each_of_the_ten_questions_has_a_rubric(own_seeds: list[SeedQuestion]) -> None:
    assert len(RUBRICS) == 10
    assert {rubric.id for rubric in RUBRICS} == {seed.id for seed in own_seeds}


def test_rubric_and_seed_ask_the_same(own_seeds: list[SeedQuestion]) -> None:
    asked = {seed.id: (seed.topic, seed.question, seed.difficulty) for seed in own_seeds}

    assert {rubric.id: (rubric.topic, rubric.question, rubric.difficulty) for rubric in RUBRICS} == asked


def test_sample_answers_are_neither_thin_nor_essays(own_seeds: list[SeedQuestion]) -> None:
    for seed in own_seeds:
        assert seed.sample_answer is not None
        assert 150 <= len(seed.sample_answer.split()) <= 400, seed.id


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda rubric: rubric.id)
def test_a_rubric_was_reviewed_and_is_fit_to_mark_by(rubric: Rubric) -> None:
    assert rubric.status == "reviewed"
    assert 8 <= len(rubric.points) <= 15
    assert {point.importance for point in rubric.points} == {"vital", "okay"}
    assert sum(len(point.misconceptions) >= 2 for point in rubric.points) >= 4
    for point in rubric.points:
        assert 4 <= len(point.text.split()) <= 40, point.id
        assert point.alternatives or point.importance == "okay", point.id


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda rubric: rubric.id)
def test_no_statement_stands_twice_in_a_rubric(rubric: Rubric) -> None:
    said = Counter(
        text.casefold() for point in rubric.points for text in (point.text, *point.alternatives, *point.misconceptions)
    )

    assert said.most_common(1)[0][1] == 1
