"""The project's own seeds, in Markdown.

# <Topic>
<description>
## <question>
- id: <topic>/<question>       optional
- difficulty: hard             optional
<the rest of a long question>  optional
### Sample answer              optional
<answer>
"""

import re
from dataclasses import dataclass, field
from typing import cast, get_args

from markscheme.adapters.seed_files.found import Found, stripped_block
from markscheme.grading.rubric import Difficulty
from markscheme.pipeline.ports import SeedQuestion

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")
_FIELD = re.compile(r"-\s+([A-Za-z_]{1,30}):\s*(.*)")
_FENCES = ("```", "~~~")


@dataclass(slots=True)
class _Entry:
    line: int
    title: str
    fields: dict[str, str] = field(default_factory=dict)
    more: list[str] = field(default_factory=list)
    answer: list[str] | None = None


def read_markdown(text: str, document: str, found: Found) -> None:
    """Add the document's questions and faults to `found`."""
    topic = ""
    entries: list[_Entry] = []
    fence: str | None = None
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        content = line.strip()
        mark = next((one for one in _FENCES if content.startswith(one)), None)
        if mark is not None and fence in {None, mark}:
            fence = mark if fence is None else None
        if fence is None and line.startswith("# "):
            if topic:
                found.fault(number, "is a second topic: a seed document has one, '# <Topic>', in its first line")
            topic = topic or content[2:].strip()
        elif fence is None and line.startswith("## "):
            entries.append(_Entry(number, content[3:].strip()))
        elif entries:
            _add(entries[-1], line, number, found)
    if not topic:
        found.fault(1, "has no topic: begin with '# <Topic>'")
    if not entries:
        found.fault(1, "holds no question: each begins with '## <question>'")
    ids: dict[str, int] = {}
    for entry in entries:
        _close(entry, topic, document, found, ids)


def _add(entry: _Entry, line: str, number: int, found: Found) -> None:
    content = line.strip()
    if entry.answer is not None:
        entry.answer.append(line)
    elif content.lower() == "### sample answer":
        entry.answer = []
    elif content.startswith("### "):
        found.fault(number, f"'{content}' is no section of a seed: only '### Sample answer' is")
    elif content and (match := _FIELD.fullmatch(content)) and not any(one.strip() for one in entry.more):
        _add_field(entry, match.group(1).lower(), match.group(2).strip(), number, found)
    else:
        entry.more.append(line)


def _add_field(entry: _Entry, name: str, value: str, number: int, found: Found) -> None:
    if name in entry.fields:
        found.fault(number, f"'{name}' is given twice: keep one")
    elif name == "id" and not _ID.fullmatch(value):
        found.fault(number, f"'{value}' is no id: use <topic>/<question> in small letters, figures and hyphens")
    elif name == "difficulty" and value not in get_args(Difficulty):
        found.fault(number, f"'{value}' is no difficulty: use {', '.join(get_args(Difficulty))}")
    elif name not in {"id", "difficulty"}:
        found.fault(number, f"'{name}' is no field of a seed: use id or difficulty")
    entry.fields.setdefault(name, value)


def _close(entry: _Entry, topic: str, document: str, found: Found, ids: dict[str, int]) -> None:
    more = stripped_block(entry.more).strip()
    question = f"{entry.title}\n\n{more}" if more else entry.title
    answer = None if entry.answer is None else stripped_block(entry.answer)
    if not entry.title:
        found.fault(entry.line, "is a question without text: write it behind '## '")
    if answer == "":
        found.fault(entry.line, "is a question whose sample answer is empty: write it, or drop its heading")
    own = entry.fields.get("id")
    if own is not None and own in ids:
        found.fault(entry.line, f"has the id '{own}' of the question in line {ids[own]}: give each its own")
    elif own is not None:
        ids[own] = entry.line
    difficulty = cast("Difficulty | None", entry.fields.get("difficulty"))
    found.questions.append(SeedQuestion(topic, question, difficulty, answer, document, id=own, line=entry.line))
