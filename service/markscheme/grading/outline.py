"""The structure of a text: which passages stand under which headings.

Reads Markdown, plain lists, and pages that lost their line breaks when they were scraped
(`Trade-offs- Speed: fast.- Cost: high.`). Serves sample answers and candidates' answers alike: linear in the length
of the text, and every character but white space and list markers is in exactly one item.
"""

from dataclasses import dataclass
from typing import Literal

from markscheme.grading.outline_labels import is_bold_title, is_title, label_end, lead_start, plain
from markscheme.grading.outline_lines import Line, read_lines
from markscheme.grading.outline_markers import inside_markers

ItemKind = Literal["text", "heading", "code"]


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """One passage: `text[start:end]`, stripped.

    `headings` are the headings over it, outermost first, as they are read; a heading is an item too, and its own
    text is not among its `headings`. `level` is 0 for a paragraph and grows with each list that it is nested in.
    `marker` is where the bullet or number stands that was left out, empty where there is none.
    """

    start: int
    end: int
    level: int
    headings: tuple[str, ...]
    kind: ItemKind = "text"
    marker: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Segment:
    """A line, or what stands between two markers of one; `key` tells its siblings."""

    start: int
    end: int
    key: str
    marker: tuple[int, int]
    line: Line
    opens_line: bool


def outline(text: str) -> list[OutlineItem]:
    """Items in the order of the text, without overlap."""
    segments = [segment for line in read_lines(text) for segment in _segments(text, line)]
    builder = _Builder(text)
    following: list[_Segment | None] = [*segments[1:], None]
    for segment, after in zip(segments, following, strict=False):
        builder.add(segment, after)
    return builder.items


def _segments(text: str, line: Line) -> list[_Segment]:
    first = line.marker
    start = first.end if first else line.start
    key = f"{first.kind}@{line.indent}" if first else "line"
    if line.kind == "code":
        return [_Segment(line.start, line.end, key, (line.start, line.start), line, opens_line=True)]
    opening = (first.start, first.end) if first else (line.start, line.start)
    markers = inside_markers(text, start, line.end, first) if line.kind != "heading" else []
    starts = [(start, key, opening)]
    for marker in markers:
        same_list = first is not None and first.kind == marker.kind == "number"
        starts.append((marker.end, key if same_list else marker.kind, (marker.start, marker.end)))
    ends = [marker.start for marker in markers] + [line.end]
    found: list[_Segment] = []
    begun: int | None = None
    for (begin, one_key, span), stop in zip(starts, ends, strict=True):
        passage = text[begin:stop]
        left = begin + len(passage) - len(passage.lstrip())
        # A marker with nothing behind it goes to the next one; the last always has text, or it would not be one.
        begun = span[0] if begun is None else begun
        if left < stop:
            found.append(
                _Segment(left, left + len(passage.strip()), one_key, (begun, span[1]), line, opens_line=not found)
            )
            begun = None
    return found


@dataclass(slots=True)
class _Frame:
    """An open passage. Its `lead` (`Three ways help:`) stands over what follows, its `label` over its own line only."""

    key: str
    label: tuple[str, ...] = ()
    lead: tuple[str, ...] = ()


class _Builder:
    """Keeps the open lists, and turns segments into items."""

    def __init__(self, text: str) -> None:
        self.items: list[OutlineItem] = []
        self._text = text
        self._sections: list[tuple[int, str]] = []
        self._open: list[_Frame] = []
        self._line_depth = 0
        self._awaits_body = False

    def add(self, segment: _Segment, following: _Segment | None) -> None:
        if segment.line.kind == "heading":
            self._add_section(segment)
            return
        self._place(segment)
        kind = segment.line.kind
        if kind == "code":
            self._emit(segment, segment.start, segment.end, (), "code")
            self._open.append(_Frame(segment.key))
            return
        parent = following is not None and self._holds(segment, following)
        self._open.append(self._split(segment, parent=parent, followed=following is not None))
        if segment.opens_line:
            self._line_depth = len(self._open)

    def _add_section(self, segment: _Segment) -> None:
        depth = segment.line.depth
        self._open.clear()
        self._awaits_body = False
        self._sections = [section for section in self._sections if section[0] < depth]
        self._emit(segment, segment.start, segment.end, (), "heading")
        self._sections.append((depth, plain(self._text[segment.start : segment.end])))

    def _place(self, segment: _Segment) -> None:
        """Close the lists that the segment is not part of."""
        if segment.opens_line and self._open and self._open[0].key == "line":
            self._open[0].label = ()
        if segment.key == "break":
            del self._open[self._line_depth :]
        elif segment.key == "line":
            if self._continues_section(segment):
                del self._open[1:]
            else:
                self._open.clear()
        else:
            if segment.opens_line:
                self._open = [one for one in self._open if _indent(one.key) <= segment.line.indent]
            keys = [one.key for one in self._open]
            # In a line, ` - ` lists stand inside `.- ` lists, whichever comes first.
            level = next((key for key in (segment.key, "spaced" * (segment.key == "glued")) if key in keys), None)
            if level is not None:
                del self._open[keys.index(level) :]

    def _continues_section(self, segment: _Segment) -> bool:
        """A plain line stands under the heading line before it until an empty line or a list ends that."""
        if not self._open or not self._open[0].lead:
            return False
        if self._awaits_body:
            return True
        keys = [one.key for one in self._open]
        lists = any("@" in key or key in {"glued", "spaced", "bullet", "number"} for key in keys)
        return not segment.line.after_blank and not lists

    def _holds(self, segment: _Segment, following: _Segment) -> bool:
        """Whether the next segment opens a list inside this one."""
        if following.key in {"line", "break"} or following.line.kind in {"heading", "code"}:
            return False
        if following.opens_line and following.line.indent < _indent(segment.key):
            return False
        if segment.key == f"bullet@{following.line.indent}" and following.key.startswith("number@"):
            return False
        return following.key != segment.key and following.key not in {one.key for one in self._open}

    def _split(self, segment: _Segment, *, parent: bool, followed: bool) -> _Frame:
        """Emit the label, the body and the lead-in of one segment; give its frame."""
        text, start, end = self._text, segment.start, segment.end
        label: tuple[str, ...] = ()
        body = None if is_bold_title(text, start, end) else label_end(text, start, end)
        if body is not None:
            self._emit(segment, start, _stripped_end(text, start, body), (), "heading")
            label = (plain(text[start:body]),)
            start = body
        lead = lead_start(text, start, end) if followed else None
        title = parent and body is None and is_title(text, start, end)
        if lead is None and (title or is_bold_title(text, start, end)):
            lead = start
        self._awaits_body = lead is not None and segment.key == "line"
        if lead is None:
            self._emit(segment, start, end, label, "text")
            return _Frame(segment.key, label)
        if lead > start:
            self._emit(segment, start, _stripped_end(text, start, lead), label, "text")
        self._emit(segment, lead, end, label, "heading")
        return _Frame(segment.key, label, (plain(text[lead:end]),))

    def _emit(self, segment: _Segment, start: int, end: int, over: tuple[str, ...], kind: ItemKind) -> None:
        path = [title for _, title in self._sections]
        for frame in self._open:
            path.extend((*frame.label, *frame.lead))
        opens = start == segment.start
        marker = segment.marker if opens else (start, start)
        self.items.append(OutlineItem(start, end, len(self._open), (*path, *over), kind, marker))


def _indent(key: str) -> int:
    return int(key.partition("@")[2] or 0)


def _stripped_end(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
