import numpy as np
import pytest

from markscheme.adapters.hashing_embedder import HashingEmbedder
from markscheme.adapters.snowball_stemmer import SnowballStemmer
from markscheme.grading.alignment import Alignment, align
from markscheme.grading.answer import Answer
from markscheme.grading.coverage import Calibration
from markscheme.grading.cuts import Cuts
from markscheme.grading.decision import Decider
from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.grade import PointGrade
from markscheme.grading.logistic import Logistic
from markscheme.grading.marking import MarkingScheme
from markscheme.grading.reading import Verify
from markscheme.grading.rubric import Point, Rubric
from markscheme.grading.statement import WeighedStatement, Weigher
from markscheme.grading.text import Span, normalise
from markscheme.pipeline.statements import statements_of


class Bench:
    """The core put together without a splitter, an index or a fitted calibration: one sentence, one segment.

    `calibration` reads similarity alone, `verified` what a verifier says as well.
    """

    def __init__(self) -> None:
        self.stem = SnowballStemmer().stem
        self.embed = HashingEmbedder().embed
        self.calibration = Calibration(
            name="by hand",
            coverage=Logistic(
                features=("match_passage", "weakest_words", "meaning_segment", "numbers_missing"),
                centre=(0.5, 0.5, 0.5, 0.0),
                scale=(0.25, 0.5, 0.25, 1.0),
                weights=(1.0, 0.5, 0.5, 0.5),
                intercept=0.0,
            ),
            cuts=Cuts(covered=0.6, partial=0.3),
        )
        self.verified = Calibration(
            name="by hand, verified",
            coverage=Logistic(
                features=("match_passage", "numbers_missing", "supported", "not_contradicted"),
                centre=(0.5, 0.0, 0.0, 0.0),
                scale=(0.5, 1.0, 1.0, 1.0),
                weights=(0.5, 0.5, 1.0, 0.1),
                intercept=0.0,
            ),
            contradiction=Logistic(("not_contradicted",), (0.0,), (1.0,), (-1.0,), 0.0),
            cuts=Cuts(covered=0.6, partial=0.3, contradicted=0.5),
        )

    def statement(self, text: str, question: str = "", points: tuple[str, ...] = ()) -> WeighedStatement:
        return Weigher(self.stem, question, points).weigh(text, self.embed([text])[0])

    def answer(self, *sentences: str) -> Answer:
        """Each sentence is normalised by itself, so that their bounds are known."""
        raw = "\n".join(sentences)
        normal = normalise(raw)
        spans, start = [], 0
        for sentence in sentences:
            end = start + len(normalise(sentence).text)
            spans.append((start, end))
            start = end + 1
        embeddings = self.embed([normal.text[start:end] for start, end in spans])
        return Answer.of(normal, spans, embeddings, self.stem)

    def scheme(self, *points: Point, question: str = "") -> MarkingScheme:
        rubric = Rubric("topic/question", question, points)
        rows = [(one.point, one.kind == "misconception", one.text) for one in statements_of(rubric)]
        return MarkingScheme.of(rubric, rows, self.embed([text for _, _, text in rows]), self.stem)

    def windows(self, answer: Answer, *spans: Span) -> Answer:
        """The same answer, cut into these segments."""
        embeddings = self.embed([answer.normal.text[start:end] for start, end in spans])
        return Answer.of(answer.normal, spans, embeddings, self.stem)

    def cosines(self, answer: Answer, embeddings: list[Embedding]) -> Vectors:
        if not len(answer):
            return np.zeros((0, len(embeddings)), np.float32)
        queries = np.concatenate([answer.vectors, answer.pair_vectors])
        return np.asarray(queries @ np.stack([one.vector for one in embeddings]).T)

    def align(self, statement: str, answer: Answer) -> Alignment:
        weighed = self.statement(statement)
        column = self.cosines(answer, [weighed.embedding])[:, 0]
        found = align(weighed, answer, column[: len(answer)], column[len(answer) :])
        assert found is not None
        return found

    def decider(
        self,
        answer: Answer,
        scheme: MarkingScheme,
        verify: Verify | None = None,
        calibration: Calibration | None = None,
    ) -> Decider:
        """With a verifier, `calibration` is by default the one that reads it."""
        candidates = [one for marked in scheme.points for one in (*marked.making, *marked.contradicting)]
        in_order = sorted(candidates, key=lambda one: one.row)
        cosines = self.cosines(answer, [one.statement.embedding for one in in_order])
        chosen = calibration or (self.verified if verify else self.calibration)
        return Decider(answer, scheme.points, cosines, chosen, question=scheme.rubric.question, verify=verify)

    def decide(
        self,
        sentences: list[str],
        *points: Point,
        question: str = "",
        verify: Verify | None = None,
        calibration: Calibration | None = None,
    ) -> list[PointGrade]:
        scheme = self.scheme(*points, question=question)
        return list(self.decider(self.answer(*sentences), scheme, verify, calibration).decide())


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench()
