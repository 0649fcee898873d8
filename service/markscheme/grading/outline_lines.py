"""Physical lines brought together into the lines that their author meant."""

import re
from dataclasses import dataclass
from itertools import pairwise

from markscheme.grading.outline_markers import Marker, line_marker

WRAPPED_WIDTH = 50
"""Lines shorter than this, in characters, are short because their author ended them, not because of a margin."""

JOINABLE_WIDTH = 40
_WRAPPED_LINES = 3
_RULE = frozenset("-*_=~+•\u2013\u2014#> \t")
_FENCES = ("```", "~~~")
_HASHES = re.compile(r"#{1,6}(?=[ \t])")


@dataclass(slots=True)
class Line:
    """One line as it was meant: `start` to `end` may hold several physical lines.

    `kind` is `heading` (Markdown, with its `depth`), `code` (the inside of a fence), `item` (has a `marker`) or
    `plain`. `indent` counts characters of white space. `after_blank` tells of an empty line before it.
    """

    start: int
    end: int
    kind: str
    indent: int
    after_blank: bool
    depth: int = 0
    marker: Marker | None = None


def read_lines(text: str) -> list[Line]:
    """Every line that holds something, wrapped ones joined, in order."""
    lines: list[Line] = []
    for block in _blocks(_physical_lines(text)):
        lines.extend(_joined(text, block))
    return lines


def _physical_lines(text: str) -> list[Line]:
    lines: list[Line] = []
    position = 0
    after_blank = True
    fence: str | None = None
    code: Line | None = None
    for raw in text.splitlines(keepends=True):
        content = raw.strip()
        start = position + len(raw) - len(raw.lstrip())
        position += len(raw)
        if fence is not None:
            if content.startswith(fence) and not content.strip(fence[0]):
                fence, code = None, None
            elif content and code is None:
                code = Line(start, start + len(content), "code", 0, after_blank)
                lines.append(code)
            elif content and code is not None:
                code.end = start + len(content)
        elif _opens_fence(content):
            fence = content[:3]
        elif not content:
            after_blank = True
            continue
        elif not all(character in _RULE for character in content):
            indent = start - (position - len(raw))
            lines.append(_classified(text, start, start + len(content), indent, after_blank=after_blank))
        after_blank = False
    return lines


def _opens_fence(content: str) -> bool:
    """Whether a line opens a fence; what stands behind the fence is lost, so it may be the name of a language only."""
    info = content.lstrip(content[:1])
    return content.startswith(_FENCES) and len(info.split()) <= 1 and content[0] not in info


def _classified(text: str, start: int, end: int, indent: int, *, after_blank: bool) -> Line:
    hashes = _HASHES.match(text, start, end)
    if hashes:
        marker = Marker(start, hashes.end(), "heading")
        return Line(start, end, "heading", indent, after_blank, depth=len(hashes.group()), marker=marker)
    marker_found = line_marker(text, start, end)
    kind = "item" if marker_found else "plain"
    return Line(start, end, kind, indent, after_blank, marker=marker_found)


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """Runs in which a plain line may continue the one before it."""
    blocks: list[list[Line]] = []
    for line in lines:
        joins = line.kind == "plain" and not line.after_blank and blocks and blocks[-1][-1].kind in {"plain", "item"}
        if joins:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _joined(text: str, block: list[Line]) -> list[Line]:
    parts: list[list[Line]] = [[]]
    for line in block:
        parts[-1].append(line)
        if text[line.end - 1] == ":":
            parts.append([])
    result: list[Line] = []
    for part in parts:
        wrapped = _is_wrapped(text, part)
        for index, line in enumerate(part):
            if index and (wrapped or _continues(text, part[index - 1], line, result[-1])):
                result[-1].end = line.end
            else:
                result.append(line)
    return result


def _is_wrapped(text: str, lines: list[Line]) -> bool:
    """Whether every line breaks because its next word would have crossed one margin."""
    if len(lines) < _WRAPPED_LINES:
        return False
    width = max(line.indent + line.end - line.start for line in lines)
    if width < WRAPPED_WIDTH or all(text[line.start].isupper() for line in lines[1:]):
        return False
    return all(
        line.indent + line.end - line.start + 1 + _first_word_length(text, following) > width
        for line, following in pairwise(lines)
    )


def _first_word_length(text: str, line: Line) -> int:
    return len(text[line.start : line.end].split(maxsplit=1)[0])


def _continues(text: str, before: Line, line: Line, item: Line) -> bool:
    if item.kind == "item" and line.indent >= item.indent + 2:
        return True
    ended = text[before.end - 1] in ".!?:;"
    return not ended and text[line.start].islower() and before.end - before.start >= JOINABLE_WIDTH
