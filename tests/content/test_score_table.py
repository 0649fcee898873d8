"""Every sample answer against every rubric: its own gives nearly all, any other nearly nothing."""

from pathlib import Path

import pytest

from markscheme import bootstrap
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.ports import SeedQuestion
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import Settings

OWN_AT_LEAST = 95
OTHER_AT_MOST = 15

Table = dict[tuple[str, str], float]


def _table(grader: Grader, answers: dict[str, str]) -> Table:
    return {
        (asked, rubric): grader.grade(GradeRequest(answer, question_id=rubric)).score
        for asked, answer in answers.items()
        for rubric in answers
    }


def _faults(table: Table) -> list[str]:
    return [
        f"answer to {asked} by the rubric of {rubric}: {score}"
        for (asked, rubric), score in table.items()
        if (score < OWN_AT_LEAST if asked == rubric else score > OTHER_AT_MOST)
    ]


@pytest.mark.slow
def test_our_own_sample_answers_fit_their_rubrics_and_no_other(
    own_grader: Grader, own_seeds: list[SeedQuestion]
) -> None:
    answers = {str(seed.id): str(seed.sample_answer) for seed in own_seeds}

    table = _table(own_grader, answers)

    assert len(table) == 100
    assert not _faults(table)


@pytest.mark.slow
@pytest.mark.seed_pages
def test_scraped_pages_make_drafts_that_fit_their_answers_and_no_other(seed_pages: list[Path], tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    report = bootstrap.draft_rubrics(settings, seed_pages)
    bootstrap.build_index(settings)
    ids = {outcome.question: outcome.id for outcome in report.outcomes}
    reader = bootstrap.seed_reader(settings)
    seeds = [seed for page in seed_pages for seed in reader.read(page)]
    answers = {ids[seed.question]: seed.sample_answer for seed in seeds if seed.sample_answer}

    table = _table(bootstrap.grader(settings), answers)

    assert len(seeds) == 10
    assert len(table) == 81
    assert not _faults(table)
