"""Answers in made-up words, of which some make more of a point than others, and a grader of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from markscheme.adapters.faiss_index.inline import InlineRubricIndex
from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.scripted_verifier import ScriptedVerifier
from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.agreement.gold import Gold
from markscheme.grading.coverage import Calibration, Relaxation
from markscheme.grading.cuts import Cuts
from markscheme.grading.logistic import Logistic
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.calibration_answers import ReadAnswer, read_answer
from markscheme.pipeline.evaluate import JudgedRequest, judged_request
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest
from markscheme.pipeline.statements import index_rubric

CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
EMBEDDER = HashingEmbedder()
INDEXED = Rubric("made/up", "Which?", (Point("p1", "Kobavuti lasorime sadupanu"), Point("p2", "Mitoraga nubeviso")))
# Not the packaged one: what these tests expect shall not hang on its numbers.
SIMILARITY = Calibration(
    name="similarity-for-tests",
    coverage=Logistic(
        ("match_passage", "weakest_words", "meaning_segment", "cosine_passage", "numbers_missing", "not_by_chance"),
        (0.365, 0.194, 0.325, 0.513, -0.067, 1.0),
        (0.284, 0.32, 0.269, 0.202, 0.245, 1.0),
        (0.672, 0.022, 0.785, 0.178, 0.265, 5.0),
        -1.564,
    ),
    cuts=Cuts(0.3, 0.1),
    relaxation=Relaxation(0.483, -0.316, 0.1),
)
# Reads the verifier, and knows contradictions.
VERIFIED = Calibration(
    name="verified-for-tests",
    coverage=Logistic(
        ("match_passage", "cosine_passage", "not_by_chance", "supported"),
        (0.5, 0.5, 1.0, 0.0),
        (0.3, 0.3, 1.0, 3.0),
        (0.7, 0.2, 2.0, 0.6),
        -0.4,
    ),
    cuts=Cuts(0.5, 0.2, 0.6),
    contradiction=Logistic(("not_contradicted",), (0.0,), (3.0,), (-2.0,), -0.5),
)
Mark = Callable[[np.random.Generator, Sequence[float]], Gold]
MakeRows = Callable[..., list[JudgedRequest]]
ReadAll = Callable[[Grader, Sequence[JudgedRequest]], list[ReadAnswer]]


def grader_of(calibration: Calibration, verifier: ScriptedVerifier | None = None) -> Grader:
    return Grader(
        embedder=EMBEDDER,
        splitter=SentencexSplitter(),
        stemmer=SnowballStemmer(),
        calibration=calibration,
        index=InlineRubricIndex(index_rubric(INDEXED, EMBEDDER), EMBEDDER.fingerprint),
        inline_index=InlineRubricIndex,
        verifier=verifier,
    )


@pytest.fixture(scope="session")
def grader() -> Grader:
    """Grades by similarity alone."""
    return grader_of(SIMILARITY)


@pytest.fixture(scope="session")
def verifying() -> Grader:
    """Grades with a verifier that counts words, and with a calibration that reads it."""
    return grader_of(VERIFIED, ScriptedVerifier())


def _word(rng: np.random.Generator) -> str:
    return "".join(str(rng.choice(list(letters))) for _ in range(4) for letters in (CONSONANTS, VOWELS))


@pytest.fixture(scope="session")
def make_rows() -> MakeRows:
    """`count` answers to `questions` questions of three points each.

    `mark` says what people decide, from how much of each point stands in the answer, 0 to 1. With `by_sample` they are
    marked by two sample answers, of which the second has nothing of the answer.
    """

    def make(  # noqa: PLR0913 - what tests vary
        count: int, mark: Mark, *, questions: int = 5, by_sample: bool = False, negate: float = 0.0, seed: int = 0
    ) -> list[JudgedRequest]:
        rng = np.random.default_rng(seed)
        texts = [[[_word(rng) for _ in range(6)] for _ in range(4)] for _ in range(questions)]
        rows = []
        for number in range(count):
            *points, other = texts[number % questions]
            shares = rng.integers(0, 7, len(points)) / 6
            said = [
                " ".join(["Never", *words] if rng.random() < negate else words[: round(6 * share)]).capitalize()
                for words, share in zip(points, shares, strict=True)
            ]
            answer = ". ".join(text for text in said if text) + "."
            whole = [" ".join(words).capitalize() + "." for words in points]
            request = GradeRequest(
                answer=answer,
                points=None if by_sample else tuple(Point(f"p{at}", text) for at, text in enumerate(whole)),
                sample_answers=(" ".join(whole), " ".join(other) + ".") if by_sample else None,
            )
            gold = mark(rng, [float(share) for share in shares])
            rows.append(judged_request(request, gold, f"q{number % questions}", number + 1))
        return rows

    return make


@pytest.fixture(scope="session")
def read_all() -> ReadAll:
    """Reads every row."""

    def read(grader: Grader, rows: Sequence[JudgedRequest]) -> list[ReadAnswer]:
        return [read_answer(grader, row) for row in rows]

    return read


@pytest.fixture(scope="session")
def regold() -> Callable[[ReadAnswer, Gold], ReadAnswer]:
    """The same answer, marked otherwise."""

    def change(answer: ReadAnswer, gold: Gold) -> ReadAnswer:
        return replace(answer, judged=replace(answer.judged, gold=gold))

    return change
