"""Sentences found by sentencex, with the breaks taken back that split a thought."""

import re
from importlib.metadata import version

import sentencex

from markscheme.grading.outline_parentheses import Parentheses
from markscheme.pipeline.ports import SentenceSplitter, Span

_RULES = 1
_ABBREVIATIONS = frozenset("e.g i.e vs approx cf resp incl excl viz ca est".split())  # noqa: SIM905 - one list, read as prose
_BEFORE_FIGURE = frozenset("fig figs eq eqs sec ch no nos vol ver pp al".split())  # noqa: SIM905 - one list, read as prose
_BEFORE_SMALL_LETTER = frozenset("etc al a.k.a w.r.t inc dept".split())  # noqa: SIM905 - one list, read as prose
_LONGEST_ABBREVIATION = 12

# sentencex breaks nothing between a pair of brackets or quotes, however far apart: `a < b. ... c > d`, or an answer
# that is one long quotation. All are hidden from it, one character for one, as a sign that opens a word or one that
# closes it; short parentheses are looked after here.
_OPENED = re.compile(r"(?<!\S)[\"'](?=\S)")
_OPENS, _CLOSES = "\u00b7", "\u2019"
_PAIRED = str.maketrans(dict.fromkeys("<[{(\u201c\u2018\u00ab", _OPENS) | dict.fromkeys(">]})\u201d\u00bb\"'", _CLOSES))


class SentencexSplitter(SentenceSplitter):
    """English sentences.

    A break is taken back behind an abbreviation and inside parentheses; sentencex leaves some of those. Linear in the
    length of the text.
    """

    @property
    def version(self) -> str:
        """The library's version and that of the rules above."""
        return f"sentencex-{version('sentencex')}-en-{_RULES}"

    def sentences(self, text: str) -> list[Span]:
        """Spans in characters that cover everything but white space, in order, without overlap."""
        parentheses = Parentheses(text)
        hidden = _OPENED.sub(_OPENS, text).translate(_PAIRED)
        spans: list[Span] = []
        joins = False
        for boundary in sentencex.get_sentence_boundaries("en", hidden):
            raw = text[boundary["start_index"] : boundary["end_index"]]
            sentence = raw.strip()
            if not sentence:
                joins = False
                continue
            start = boundary["start_index"] + len(raw) - len(raw.lstrip())
            end = start + len(sentence)
            if spans and (parentheses.hold(start) or (joins and _goes_on(text, spans[-1], start))):
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            joins = True
        return spans


def _goes_on(text: str, before: Span, start: int) -> bool:
    """Whether the sentence before ends in an abbreviation or an aside, so that `start` begins none."""
    if text[before[1] - 1] == ")":
        return text[start].islower()
    if text[before[1] - 1] != ".":
        return False
    last = text[max(before[0], before[1] - _LONGEST_ABBREVIATION) : before[1] - 1].split()
    word = last[-1].lstrip("([{\"'\u201c\u2018").lower() if last else ""
    if text[start].isdigit() and word in _BEFORE_FIGURE:
        return True
    return word in _ABBREVIATIONS or (text[start].islower() and word in _BEFORE_SMALL_LETTER)
