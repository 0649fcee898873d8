"""The pages that users have, read from a folder that is not ours to ship."""

from pathlib import Path

import pytest

from markscheme.adapters.rubric_files import RubricFiles
from markscheme.adapters.seed_files import SeedFiles
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.grading.draft_words import word_count
from markscheme.grading.outline import outline
from markscheme.pipeline.draft import draft
from markscheme.pipeline.ports import SeedQuestion

pytestmark = pytest.mark.seed_pages


def every_question(pages: list[Path]) -> list[SeedQuestion]:
    return [question for page in pages for question in SeedFiles().read(page)]


def test_every_question_is_read_whole(seed_pages: list[Path]) -> None:
    questions = every_question(seed_pages)
    assert len(questions) >= 2 * len(seed_pages)
    for one in questions:
        assert one.difficulty is not None
        assert not one.topic.endswith("Questions")
        assert "practiced" not in one.question
        assert "Unlock Full" not in (one.sample_answer or "")


def test_no_letter_of_a_sample_answer_is_lost(seed_pages: list[Path]) -> None:
    for one in every_question(seed_pages):
        text = one.sample_answer or ""
        inside = bytearray(len(text))
        for item in outline(text):
            inside[item.start : item.end] = b"\1" * (item.end - item.start)
        assert not any(character.isalpha() for character, kept in zip(text, inside, strict=True) if not kept)


def test_every_question_gets_a_rubric_of_gradable_points(seed_pages: list[Path], tmp_path: Path) -> None:
    store = RubricFiles(tmp_path)
    report = draft(seed_pages, SeedFiles(), store, SentencexSplitter())
    assert report.count("drafted") == len(report.outcomes) == len(every_question(seed_pages))
    for rubric in store.load():
        assert 5 <= len(rubric.points) <= 60
        for point in rubric.points:
            assert 4 <= word_count(point.statement) <= 60
            assert word_count(point.text) <= 45
            assert not point.text.endswith((":", ";", " -", "—"))
            assert not point.text.startswith(("- ", "• ", "* "))
            assert ".- " not in point.text
