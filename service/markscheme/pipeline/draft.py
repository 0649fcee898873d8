"""Seeds to rubrics: proposes points, and never overwrites what a person wrote or changed."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from markscheme.grading.chunking import draft_points
from markscheme.grading.draft_merge import Similar
from markscheme.grading.errors import ContentError, Fault
from markscheme.grading.prompt_points import prompt_points
from markscheme.grading.rubric import Rubric, Source
from markscheme.pipeline.draft_ids import question_ids
from markscheme.pipeline.ports import RubricStore, SeedQuestion, SeedReader, SentenceSplitter

Action = Literal["drafted", "redrafted", "unchanged", "kept_reviewed", "kept_edited"]


@dataclass(frozen=True, slots=True)
class SourceChange:
    """How a sample answer differs from the one that a rubric was drafted from.

    `added` are its ideas that no point of the rubric has; `removed` are points that it no longer says word for word.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftOutcome:
    """What became of one question. `points` is how many its rubric has now."""

    id: str
    question: str
    document: str
    action: Action
    points: int
    source_changed: SourceChange | None = None


@dataclass(frozen=True, slots=True)
class DraftReport:
    """What became of every question, in the order of the documents."""

    outcomes: tuple[DraftOutcome, ...]

    def count(self, action: Action) -> int:
        """How many questions one thing became of."""
        return sum(outcome.action == action for outcome in self.outcomes)


def draft(
    paths: Iterable[Path],
    reader: SeedReader,
    store: RubricStore,
    splitter: SentenceSplitter,
    similar: Similar | None = None,
) -> DraftReport:
    """Write a rubric for every question that has none, and anew where a draft is still as it was drafted.

    Args:
        paths: seed documents.
        reader: reads them.
        store: the rubrics.
        splitter: finds sentences in sample answers.
        similar: cosines of texts; merges points that say the same in other words.

    Raises:
        ContentError: with every fault of every document and rubric; nothing was written.
    """
    seeds, existing = _read(paths, reader, store)
    by_id = {rubric.id: rubric for rubric in existing}
    ids = question_ids(seeds, existing)
    proposals = [_proposal(seed, one, splitter, similar) for seed, one in zip(seeds, ids, strict=True)]
    settled = [_settled(one, by_id.get(one.id)) for one in proposals]
    written = [outcome.action in {"drafted", "redrafted"} for outcome in settled]
    faults = [
        fault
        for seed, proposal, write in zip(seeds, proposals, written, strict=True)
        for fault in _proposal_faults(seed, proposal, store, write=write)
    ]
    if faults:
        raise ContentError(faults)
    for proposal, write in zip(proposals, written, strict=True):
        if write:
            store.save(proposal)
    return DraftReport(tuple(settled))


def checksum(text: str) -> str:
    """Sixteen hexadecimal digits of SHA-256."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def drafted_checksum(rubric: Rubric) -> str:
    """Over everything in a rubric that drafting writes and people edit."""
    points = [asdict(point) for point in rubric.points]
    return checksum(json.dumps([rubric.question, rubric.topic, rubric.difficulty, points], sort_keys=True))


def _read(paths: Iterable[Path], reader: SeedReader, store: RubricStore) -> tuple[list[SeedQuestion], list[Rubric]]:
    seeds: list[SeedQuestion] = []
    existing: list[Rubric] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            seeds.extend(reader.read(path))
        except ContentError as error:
            faults.extend(error.faults)
    try:
        existing = store.load()
    except ContentError as error:
        faults.extend(error.faults)
    if faults:
        raise ContentError(faults)
    return seeds, existing


def _proposal(seed: SeedQuestion, rubric_id: str, splitter: SentenceSplitter, similar: Similar | None) -> Rubric:
    points = draft_points(seed.sample_answer or "", splitter.sentences, seed.question, similar)
    if points:
        source = Source(seed.document, "sample_answer", checksum(seed.sample_answer or ""))
    else:
        points = prompt_points(seed.question)
        source = Source(seed.document, "prompt")
    rubric = Rubric(rubric_id, seed.question, points, seed.topic, seed.difficulty, "draft", source)
    return replace(rubric, source=replace(source, drafted=drafted_checksum(rubric)))


def _proposal_faults(seed: SeedQuestion, proposal: Rubric, store: RubricStore, *, write: bool) -> list[Fault]:
    """Told of the seed, which a person can mend; the rubric's file is not there yet."""
    if not proposal.points:
        return [Fault(seed.document, seed.line, "has no letter or figure to be graded by: write the question out")]
    found = store.check(proposal) if write else []
    return [Fault(seed.document, seed.line, f"would make a rubric that cannot be read: {one.message}") for one in found]


def _settled(proposal: Rubric, existing: Rubric | None) -> DraftOutcome:
    if existing is None:
        return _outcome(proposal, proposal, "drafted")
    if existing.status == "reviewed":
        return _outcome(proposal, existing, "kept_reviewed", _source_change(existing, proposal))
    if existing.source.drafted != drafted_checksum(existing):
        return _outcome(proposal, existing, "kept_edited", _source_change(existing, proposal))
    if existing == proposal:
        return _outcome(proposal, existing, "unchanged")
    return _outcome(proposal, proposal, "redrafted", _source_change(existing, proposal))


def _outcome(proposal: Rubric, now: Rubric, action: Action, change: SourceChange | None = None) -> DraftOutcome:
    document = proposal.source.document or ""
    return DraftOutcome(now.id, now.question, document, action, len(now.points), change)


def _source_change(existing: Rubric, proposal: Rubric) -> SourceChange | None:
    """None where the rubric does not say what it was drafted from, or where that is still the same."""
    before, after = existing.source.checksum, proposal.source.checksum
    if before is None or before == after:
        return None
    old = {" ".join(point.text.split()) for point in existing.points}
    new = {" ".join(point.text.split()) for point in proposal.points}
    added = tuple(point.text for point in proposal.points if " ".join(point.text.split()) not in old)
    drafted = (point for point in existing.points if point.span is not None)
    return SourceChange(added, tuple(point.text for point in drafted if " ".join(point.text.split()) not in new))
