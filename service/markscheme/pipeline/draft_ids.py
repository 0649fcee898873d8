"""Ids for questions that bring none."""

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence

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
    """One id a seed, all different: its own, else that of the rubric with its wording, else topic and first words.

    Raises:
        ContentError: two seeds bring the same id.
    """
    by_wording = {_folded(rubric.question): rubric.id for rubric in rubrics}
    own = [seed.id for seed in seeds if seed.id is not None]
    faults = [
        Fault(seed.document, seed.line, f"has the id '{seed.id}' of another question: give each its own")
        for index, seed in enumerate(seeds)
        if seed.id is not None and seed.id in {one.id for one in seeds[:index]}
    ]
    if faults:
        raise ContentError(faults)
    taken = set(own)
    ids: list[str] = []
    for seed in seeds:
        chosen = seed.id
        if chosen is None:
            chosen = by_wording.get(_folded(seed.question)) or _made_of(seed)
            base, number = chosen, 1
            while chosen in taken:
                number += 1
                chosen = f"{base}-{number}"
            taken.add(chosen)
        ids.append(chosen)
    return ids


def _made_of(seed: SeedQuestion) -> str:
    words = " ".join(seed.question.split()[:QUESTION_WORDS])
    return f"{slug(seed.topic, 'topic')}/{slug(words, 'question')}"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
