"""Ids for questions that bring none."""

import hashlib
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from markscheme.grading.errors import ContentError, Fault
from markscheme.grading.rubric import Rubric
from markscheme.pipeline.ports import SeedQuestion

QUESTION_WORDS = 8
LONGEST_SLUG = 60


def slug(text: str, fallback: str) -> str:
    """Small letters, figures and hyphens; a text that has none of them becomes `<fallback>-<hash>`."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'").replace("'", "")).encode("ascii", "ignore").decode()  # noqa: RUF001 - a curly apostrophe
    words = "".join(character if character.isalnum() else " " for character in folded.lower()).split()
    while len(words) > 1 and len("-".join(words)) > LONGEST_SLUG:
        words.pop()
    short = "-".join(words)[:LONGEST_SLUG]
    return short or f"{fallback}-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:8]}"


def question_ids(seeds: Sequence[SeedQuestion], rubrics: Iterable[Rubric]) -> list[str]:
    """One id a seed, all different: its own, else that of a rubric with its wording, else topic and first words.

    Seeds of the same wording are given the rubrics of that wording in turn, those of their own topic first.

    Raises:
        ContentError: two seeds bring the same id.
    """
    faults = [
        Fault(seed.document, seed.line, f"has the id '{seed.id}' of another question: give each its own")
        for index, seed in enumerate(seeds)
        if seed.id is not None and seed.id in {one.id for one in seeds[:index]}
    ]
    if faults:
        raise ContentError(faults)
    ids = [seed.id for seed in seeds]
    # By length first: ten questions of one wording have ids from -2 to -10.
    ordered = sorted(rubrics, key=lambda rubric: (len(rubric.id), rubric.id))
    _hand_out(seeds, ids, [((_folded(one.question), _folded(one.topic)), one.id) for one in ordered], _by_topic)
    _hand_out(seeds, ids, [((_folded(one.question),), one.id) for one in ordered], _by_wording)
    taken = set(ids)
    return [_unlike(taken, _made_of(seed)) if own is None else own for seed, own in zip(seeds, ids, strict=True)]


def _hand_out(
    seeds: Sequence[SeedQuestion],
    ids: list[str | None],
    offered: Sequence[tuple[tuple[str, ...], str]],
    key_of: Callable[[SeedQuestion], tuple[str, ...]],
) -> None:
    """Give every seed that has no id yet the next one that is offered under its key and free."""
    taken = set(ids)
    waiting: dict[tuple[str, ...], deque[str]] = {}
    for key, one in offered:
        if one not in taken:
            waiting.setdefault(key, deque()).append(one)
    for index, seed in enumerate(seeds):
        free = waiting.get(key_of(seed))
        if ids[index] is None and free:
            ids[index] = free.popleft()


def _by_topic(seed: SeedQuestion) -> tuple[str, ...]:
    return _folded(seed.question), _folded(seed.topic)


def _by_wording(seed: SeedQuestion) -> tuple[str, ...]:
    return (_folded(seed.question),)


def _unlike(taken: set[str | None], base: str) -> str:
    """`base`, or that with the first number that makes it new; it is taken from then on."""
    chosen, number = base, 1
    while chosen in taken:
        number += 1
        chosen = f"{base}-{number}"
    taken.add(chosen)
    return chosen


def _made_of(seed: SeedQuestion) -> str:
    words = " ".join(seed.question.split()[:QUESTION_WORDS])
    return f"{slug(seed.topic, 'topic')}/{slug(words, 'question')}"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
