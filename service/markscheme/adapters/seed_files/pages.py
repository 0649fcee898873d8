"""Scraped question pages.

<Topic> Questions
<description>
HardTechnical                  difficulty and kind, run together
73 practiced
<question>
Sample Answer                  optional
<answer>
Unlock Full Question Bank      the footer: it and what follows is dropped
"""

import re
from dataclasses import dataclass, field
from typing import get_args

from markscheme.adapters.seed_files.found import Found, stripped_block
from markscheme.grading.rubric import Difficulty
from markscheme.pipeline.ports import SeedQuestion

_LEVEL = re.compile(r"(Easy|Medium|Hard)(\s?)((?:[A-Z][A-Za-z]{0,30}[ /&-]{0,3}){0,4})")
_PRACTICED = re.compile(r"[\d.,]{1,12}\s?[kKmM]?\s+practi[cs]ed", re.IGNORECASE)
_TOPIC_END = re.compile(r"\s+questions$", re.IGNORECASE)
_ANSWER_LINE = "sample answer"
_FOOTER_LINE = "unlock full question bank"


@dataclass(slots=True)
class _Entry:
    line: int
    difficulty: Difficulty | None
    question: list[str] = field(default_factory=list)
    answer: list[str] | None = None


def read_page(text: str, document: str, found: Found) -> None:
    """Add the page's questions and faults to `found`."""
    lines = text.splitlines(keepends=True)
    topic = ""
    entries: list[_Entry] = []
    for number, line in enumerate(lines, start=1):
        content = line.strip()
        level = _level(content, _following(lines, number))
        if level is not None:
            entries.append(_Entry(number, level))
        elif content.lower() == _FOOTER_LINE:
            break
        elif not entries:
            topic = topic or _TOPIC_END.sub("", content)
        else:
            _add(entries[-1], line, content)
    if not entries:
        found.fault(1, "holds no question: a page has a line such as 'HardTechnical' before each, Markdown has '## '")
    elif not topic:
        found.fault(1, "has no topic: its first line is '<Topic> Questions'")
    for entry in entries:
        _close(entry, topic, document, found)


def _level(content: str, following: str) -> Difficulty | None:
    """The difficulty where a line opens a question; a bare or spaced one does only before `73 practiced`."""
    match = _LEVEL.fullmatch(content)
    if match is None:
        return None
    run_together = match.group(3) and not match.group(2)
    if not run_together and not _PRACTICED.fullmatch(following):
        return None
    return next(level for level in get_args(Difficulty) if level == match.group(1).lower())


def _following(lines: list[str], number: int) -> str:
    """The next line that holds something, within the two after line `number`."""
    return next((line.strip() for line in lines[number : number + 2] if line.strip()), "")


def _add(entry: _Entry, line: str, content: str) -> None:
    if entry.answer is not None:
        entry.answer.append(line)
    elif content.lower() == _ANSWER_LINE:
        entry.answer = []
    elif not _PRACTICED.fullmatch(content) or any(one.strip() for one in entry.question):
        entry.question.append(line)


def _close(entry: _Entry, topic: str, document: str, found: Found) -> None:
    question = stripped_block(entry.question).strip()
    answer = None if entry.answer is None else stripped_block(entry.answer)
    if not question:
        found.fault(entry.line, "opens a question that has no text: write it under the line with its difficulty")
    if answer == "":
        found.fault(entry.line, "opens a question whose sample answer is empty: write it, or drop its heading")
    found.questions.append(SeedQuestion(topic, question, entry.difficulty, answer, document, line=entry.line))
