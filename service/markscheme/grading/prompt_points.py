"""Drafts points for a question that has no sample answer, from what its own wording asks for."""

import re
from itertools import pairwise

from markscheme.grading.draft_words import word_count
from markscheme.grading.outline import outline
from markscheme.grading.outline_parentheses import Parentheses
from markscheme.grading.rubric import Point

FEWEST_FACTORS = 3
FACTOR_WORDS = 5
LISTED_TASK_WORDS = 12
_CASE_WORDS = 12

_EXAMPLES = ("e.g", "i.e", "for example", "such as")
_LISTS = re.compile(r"\(([^()]{1,300})\)|\b(?:including|such as|covering|considering)\s([^.;:?!()]{1,300})")
_COMMAS = re.compile(r",\s*(?:(?:and|or)\s)?")
_FACTOR_BREAKS = re.compile(r",\s*(?:(?:and|or)\s)?|\s(?:and|or)\s")
_CHOICE = re.compile(r"\b(?:decid|choos|choice|recommend|versus|vs|whether)", re.IGNORECASE)
_CASE_END = re.compile(r"\s(?:that|which|who|where|when|with|and)\s|[.;,:?!](?:\s|$)")
_VERBS = (
    "analyse|analyze|assess|compare|define|describe|design|discuss|estimate|evaluate|explain|give|identify|include|justify|list|"
    "mention|name|outline|propose|provide|recommend|state|suggest|summarise|summarize"
)
_TASK = re.compile(rf"(?:^|[.;?!:]\s|\band\s|,\s)({_VERBS})\s", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;?!](?:\s|$)")
_LISTING = frozenset({"give", "identify", "list", "mention", "name", "state"})
_NOWHERE = re.compile(r"(?!)")
_ASKED = re.compile(r"\b(?:how|why|what|when|which)\s", re.IGNORECASE)
_PRONOUNS = frozenset("me us you your".split())  # noqa: SIM905 - one list, read as prose

_Found = tuple[str, int, int]


def prompt_points(question: str) -> tuple[Point, ...]:
    """Points p1, p2, ... with spans in the question; () for a text without a letter or figure.

    Every factor that the prompt lists becomes a point, and a recommendation with its reason for every numbered case;
    then every task that it sets and that these do not cover. At the least the question itself is a point.
    """
    factors = _factors(question)
    cases = _cases(question)
    tasks = _tasks(question, [(start, end) for _, start, end in factors], recommended=bool(cases))
    found = factors + cases + tasks or _asked(question)
    return tuple(
        Point(f"p{number}", text, span=(start, end)) for number, (text, start, end) in enumerate(found, start=1)
    )


def _factors(question: str) -> list[_Found]:
    choosing = _CHOICE.search(question) is not None
    found: list[_Found] = []
    for match in _LISTS.finditer(question):
        group = 1 if match.group(1) is not None else 2
        if match.group(group).lstrip().lower().startswith(_EXAMPLES):
            continue
        factors = _split(question, match.start(group), match.end(group), _FACTOR_BREAKS)
        if len(factors) < FEWEST_FACTORS or any(word_count(name) > FACTOR_WORDS for name, _, _ in factors):
            continue
        for name, start, end in factors:
            text = f"Considers {name} as a factor in the choice" if choosing else f"Discusses {name}"
            found.append((text, start, end))
    return found


def _split(text: str, start: int, end: int, breaks: re.Pattern[str]) -> list[_Found]:
    """What stands between the breaks, stripped, with its place."""
    edges = [(start, start), *(match.span() for match in breaks.finditer(text, start, end)), (end, end)]
    parts: list[_Found] = []
    for (_, begin), (stop, _) in pairwise(edges):
        part = text[begin:stop]
        name = part.strip(" \t\r\n,")
        if any(character.isalnum() for character in name):
            left = begin + part.index(name)
            parts.append((" ".join(name.split()), left, left + len(name)))
    return parts


def _cases(question: str) -> list[_Found]:
    found: list[_Found] = []
    for item in outline(question):
        marker = question[slice(*item.marker)]
        if not any(character.isdigit() for character in marker):
            continue
        passage = question[item.start : item.end]
        end = _CASE_END.search(passage)
        words = (passage[: end.start()] if end else passage).split(" ")[:_CASE_WORDS]
        name = " ".join(words)
        if not any(character.isalnum() for character in name):
            continue
        text = f"Recommends a choice for {' '.join(name.split())} and gives the reason"
        found.append((text, item.start, item.start + len(name)))
    return found


def _tasks(question: str, factors: list[tuple[int, int]], *, recommended: bool) -> list[_Found]:
    """What the prompt tells the candidate to do; not the listing of factors, nor a recommendation made above."""
    # What stands in parentheses explains a task; blanked out, it leaves every place where it was.
    parentheses = Parentheses(question)
    bare = "".join(" " if parentheses.hold(i) or one in "()" else one for i, one in enumerate(question))
    verbs = list(_TASK.finditer(bare))
    limits = [*(match.start() for match in verbs[1:]), len(bare)]
    found: list[_Found] = []
    for match, limit in zip(verbs, limits, strict=False):
        end = _SENTENCE_END.search(bare, match.end(), limit)
        start, stop = match.end(), end.start() if end else limit
        verb = match.group(1).lower()
        lists = verb in _LISTING and any(start <= begin < stop for begin, _ in factors)
        first = bare[start:stop].split(maxsplit=1)[:1]
        if lists or (recommended and verb == "recommend") or not first or first[0].lower() in _PRONOUNS:
            continue
        parts = _split(bare, start, stop, _COMMAS)
        if len(parts) < FEWEST_FACTORS or any(word_count(name) > LISTED_TASK_WORDS for name, _, _ in parts):
            parts = _split(bare, start, stop, _NOWHERE)
        elif factors:
            parts = [part for part in parts if not any(part[1] < last and begin < part[2] for begin, last in factors)]
        found.extend((f"{_third_person(verb)} {name}", begin, last) for name, begin, last in parts)
    return found


def _third_person(verb: str) -> str:
    if verb.endswith("fy"):
        return f"{verb[:-1]}ies".capitalize()
    return f"{verb}es".capitalize() if verb.endswith("ss") else f"{verb}s".capitalize()


def _asked(question: str) -> list[_Found]:
    """The question itself."""
    whole = question.strip()
    if not any(character.isalnum() for character in whole):
        return []
    start = question.index(whole)
    asked = _ASKED.match(whole)
    text = " ".join(whole.split())
    said = f"Says {text[0].lower()}{text[1:].rstrip('?')}" if asked else f"Answers: {text}"
    return [(said, start, start + len(whole))]
