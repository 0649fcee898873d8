"""What an index says of itself."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

FORMAT = 1

POINTS = "points.faiss"
QUESTIONS = "questions.faiss"
RUBRICS = "points.jsonl"
VECTORS = "tokens.npy"
OFFSETS = "token_offsets.npy"
RARITY = "token_rarity.npy"
STARTS = "token_starts.npy"
FILES = (POINTS, QUESTIONS, RUBRICS, VECTORS, OFFSETS, RARITY, STARTS)
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class QuestionEntry:
    """Where one question stands: rows of `points.faiss` and of `token_starts.npy`, tokens of the token files.

    Both ranges are [start, stop]. The question's own row in `questions.faiss` is its place in the manifest.
    """

    id: str
    rubric_version: str
    rows: tuple[int, int]
    tokens: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Probe:
    """A text and the vector that the embedder gave for it when the index was built."""

    text: str
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that must agree before an index is served. `files` maps each file's name to its SHA-256."""

    embedder: str
    dimension: int
    splitter: str
    files: dict[str, str]
    questions: tuple[QuestionEntry, ...]
    probes: tuple[Probe, ...]
    format: int = FORMAT

    def to_bytes(self) -> bytes:
        """The same manifest gives the same bytes."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"


def read_manifest(content: bytes) -> Manifest:
    """What `to_bytes` was given.

    Raises:
        ValueError, KeyError, TypeError: the bytes are no manifest of this format.
    """
    record = json.loads(content)
    questions = tuple(
        QuestionEntry(entry["id"], entry["rubric_version"], tuple(entry["rows"]), tuple(entry["tokens"]))
        for entry in record.pop("questions")
    )
    probes = tuple(Probe(probe["text"], tuple(probe["vector"])) for probe in record.pop("probes"))
    return Manifest(questions=questions, probes=probes, **record)


def checksum(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def file_checksum(path: Path) -> str:
    """SHA-256 of a file of any size. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
