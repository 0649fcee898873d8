"""The Protocols that the pipeline needs. Each has one adapter or more, and a fake that ships with the package."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from markscheme.agreement.arrays import Floats
from markscheme.grading.embedding import Embedding, Vectors
from markscheme.grading.errors import Fault
from markscheme.grading.rubric import Difficulty, Rubric
from markscheme.grading.verification import Claim, Verification

Span = tuple[int, int]


class Embedder(Protocol):
    """Text in, vectors out. The same text gives the same bits, alone or in any batch."""

    @property
    def fingerprint(self) -> str:
        """Names the model and the version of its files; vectors of two fingerprints never mix."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    @property
    def max_tokens(self) -> int:
        """The longest text, in tokens without the special ones, that `embed` takes."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones left out."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Embedding]:
        """Embed each text whole. Raises EmbedderError for a text over `max_tokens`: nothing is cut."""
        ...


class Verifier(Protocol):
    """Reads a statement and a passage together. The same claim gives the same bits, alone or in any batch."""

    @property
    def fingerprint(self) -> str:
        """Names the model and the version of its files."""
        ...

    def verify(self, claims: Sequence[Claim]) -> list[Verification]:
        """Judge each claim, in order. Raises VerifierError."""
        ...


class Fitter(Protocol):
    """Finds the numbers that fit best."""

    def lowest(
        self, loss: Callable[[Floats], tuple[float, Floats]], start: Floats, bounds: Sequence[float | None]
    ) -> Floats:
        """Where a smooth loss is lowest: (k,), none under its bound. The same input gives the same numbers.

        Args:
            loss: from the numbers, (k,), to the loss and its gradient, (k,).
            start: where to begin, (k,).
            bounds: the least that each number may be; None for no such limit.
        """
        ...


class SentenceSplitter(Protocol):
    """Finds sentences in running text, in linear time."""

    @property
    def version(self) -> str:
        """Changes whenever the same text may be split differently."""
        ...

    def sentences(self, text: str) -> list[Span]:
        """Spans that cover every character but white space, in order and without overlap."""
        ...


class Stemmer(Protocol):
    """Brings the forms of a word together."""

    def stem(self, word: str) -> str:
        """The stem of one lower-case word."""
        ...


@dataclass(frozen=True, slots=True)
class SeedQuestion:
    """A question as a source document has it.

    `sample_answer` is word for word, and None where the document gives none; so is `id`. `line` is where the question
    begins, from 1.
    """

    topic: str
    question: str
    difficulty: Difficulty | None
    sample_answer: str | None
    document: str
    id: str | None = None
    line: int = 1


class SeedReader(Protocol):
    """Reads source documents."""

    def read(self, path: Path) -> list[SeedQuestion]:
        """Every question of one document, in its order. Raises ContentError."""
        ...


class RubricStore(Protocol):
    """The rubric files that people edit."""

    def load(self) -> list[Rubric]:
        """Every rubric, ordered by id. Raises ContentError with every fault of every file."""
        ...

    def find(self, rubric_id: str) -> Rubric | None:
        """One rubric, or None where no file has it."""
        ...

    def check(self, rubric: Rubric) -> list[Fault]:
        """What would keep `save` from writing a rubric; none where it may be written."""
        ...

    def save(self, rubric: Rubric) -> Path:
        """Write one rubric, whole or not at all, and give its path."""
        ...


StatementKind = Literal["point", "alternative", "misconception"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One indexed row: a point as it is read, another wording of it, or what contradicts it."""

    point: int
    kind: StatementKind
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class IndexedRubric:
    """A rubric with the embeddings of its statements: points first, in order, then the rest."""

    rubric: Rubric
    statements: tuple[Statement, ...]
    embeddings: tuple[Embedding, ...]


@dataclass(frozen=True, slots=True)
class QuestionMatch:
    """A question of the index that a text is near to."""

    question_id: str
    question: str
    topic: str
    similarity: float


class RubricIndex(Protocol):
    """A built index, read only."""

    @property
    def embedder_fingerprint(self) -> str:
        """The model that made its vectors."""
        ...

    def question_ids(self) -> list[str]:
        """Ids in order."""
        ...

    def rubric(self, question_id: str) -> Rubric:
        """The rubric of one question. Raises UnknownQuestionError."""
        ...

    def indexed(self, question_id: str) -> IndexedRubric:
        """The rubric with its embeddings. Raises UnknownQuestionError."""
        ...

    def question_vector(self, question_id: str) -> Vectors:
        """What stands for the question in `match`: (d,). Raises UnknownQuestionError."""
        ...

    def similarities(self, question_id: str, queries: Vectors) -> Vectors:
        """Cosine of each query (n, d) with each statement of the question: (n, s)."""
        ...

    def match(self, query: Vectors, limit: int) -> list[QuestionMatch]:
        """The questions nearest to one vector (d,), best first."""
        ...


class IndexWriter(Protocol):
    """Writes a new index beside the served one and switches to it in one step."""

    def exclusive(self) -> AbstractContextManager[None]:
        """Keeps every other build of this index away until it is left. Raises IndexBusyError, and never waits."""
        ...

    def current(self) -> RubricIndex | None:
        """The served index, or None where there is none that can be read."""
        ...

    def write(self, rubrics: Iterable[IndexedRubric], questions: Vectors, embedder: Embedder, splitter: str) -> Path:
        """Write, then switch. `questions` is (n, d), one vector a rubric. The old one serves until the switch."""
        ...
