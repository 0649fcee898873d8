"""Which of the headings over a passage helps to read it, and which sections matter less."""

# ruff: noqa: SIM905 - lists of words, read as prose

from markscheme.grading.draft_words import content_stems, word_count

LONGEST_HEADING = 14
"""Words; a longer one would drown the point that it heads."""

_FRAMING = frozenset(
    "answer|background|brief overview|conclusion|context|definition|definitions|description|details|explanation|"
    "how|idea|in short|in summary|intro|introduction|key concepts|key ideas|key points|key trade-offs|"
    "key tradeoffs|main ideas|main points|note|notes|overview|sample answer|short answer|situation|step by step|"
    "step-by-step|steps|summary|tl;dr|tldr|what|what it does|what it is".split("|")
)
_FRAMING_STARTS = ("start with ", "start by ", "begin with ", "begin by ", "here are ", "here is ", "these are ")
_COUNTS = frozenset(
    "one two three four five six seven several some many common possible main key different the".split()
)
_COUNTED = frozenset(
    "advantages approaches aspects challenges differences disadvantages examples factors heuristics ideas kinds "
    "methods options points reasons steps strategies techniques things types ways".split()
)
_LEANING = frozenset(
    "advantage advantages alternatives benefit benefits caveat caveats challenge challenges con cons consequence "
    "consequences cost costs deterioration diagnostics disadvantage disadvantages downside downsides drawback "
    "drawbacks effect effects example examples fix improvements limitation limitations metrics mitigation "
    "mitigations practical pro problem problems pros risk risks solution solutions trade-off trade-offs tradeoff "
    "tradeoffs upside upsides usage".split()
)
_LEANING_STARTS = ("why ", "when ", "how ", "typical ", "newer ", "main ", "key ", "use ", "other ")
_LEANING_WORDS = 4
_SUMMARIES = ("summary", "in summary", "conclusion", "takeaway", "key takeaway")
_OKAY_STARTS = (
    *_SUMMARIES,
    *"practical tip|tip|additional|next step|note|further|example|bonus|optional|other considerations|extra".split("|"),
    *"miscellaneous|recommended checklist|see also|reference|closing|wrap-up|in practice".split("|"),
)
_CLOSING_STARTS = tuple(
    "this |these |overall|in summary|in short|in practice|to sum up|to summarise|to summarize|in conclusion|summary|"
    "all in all|together, |taken together".split("|")
)


def heading_for(path: tuple[str, ...]) -> str | None:
    """The heading that a point under `path` carries, or None.

    Framing (`Brief overview`) and empty labels (`What`) fall away; a label that means nothing alone leans on the
    heading above it (`Checkpointing: Trade-offs`).
    """
    telling = [heading for heading in path if not is_framing(heading)]
    if not telling:
        return None
    heading = telling[-1]
    if len(telling) > 1 and _leans(heading) and not _leans(telling[-2]):
        joined = f"{_without_remark(telling[-2])}: {heading}"
        return joined if word_count(joined) <= LONGEST_HEADING else heading
    return heading if word_count(heading) <= LONGEST_HEADING else None


def is_framing(heading: str) -> bool:
    """Whether a heading only announces: it says nothing of what stands under it."""
    bare = _bare(heading)
    words = bare.split()
    announces = bool(words) and words[0] in _COUNTS and not _COUNTED.isdisjoint(words)
    return bare in _FRAMING or bare.startswith(_FRAMING_STARTS) or announces or "following" in words


def is_okay_section(path: tuple[str, ...], question: str | None) -> bool:
    """Whether a heading names a side matter that the question does not ask for."""
    asked = content_stems(question or "")
    return any(_begins(_bare(one), _OKAY_STARTS) and not content_stems(one) & asked for one in path)


def is_summary(path: tuple[str, ...], text: str, *, after_list: bool) -> bool:
    """Whether a passage sums up: by its heading, or as a closing paragraph behind a list."""
    named = any(
        _begins(_bare(one), ("summary", "in summary", "conclusion", "takeaway", "key takeaway")) for one in path
    )
    return named or (after_list and not path and text.lower().startswith(_CLOSING_STARTS))


def _leans(heading: str) -> bool:
    bare = _bare(heading)
    return bare in _LEANING or (bare.startswith(_LEANING_STARTS) and len(bare.split()) <= _LEANING_WORDS)


def _begins(bare: str, starts: tuple[str, ...]) -> bool:
    return any(
        bare == start or bare.startswith((f"{start} ", f"{start}s", f"{start}:", f"{start},")) for start in starts
    )


def _without_remark(heading: str) -> str:
    """The heading without the parenthesis that it ends with."""
    start = heading.rfind(" (")
    return heading[:start] if start > 0 and heading.endswith(")") and ")" not in heading[start:-1] else heading


def _bare(heading: str) -> str:
    return heading.partition("(")[0].strip(" :.-").lower()
