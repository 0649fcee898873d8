# ruff: noqa: RUF001 - letters that look like others are what is tested

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.text import NormalText, is_invisible, normalise

INVISIBLE = ["\u200b", "\u200d", "\u00ad", "\u202e", "\u2066", "\ufeff", "\U000e0041", "\u3164", "\u2060"]
AWKWARD = st.text(
    st.sampled_from([*INVISIBLE, *"aoéﬁ½Ａµ漢한ｶﾞ\u0301\u0323\u0327\u1161\u11ab\u09be\ufe0f😀\n ´’“‑−—.сοΑ7_", "\ud83d"])
)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("", ""),
        ("plain words, 3.5%", "plain words, 3.5%"),
        ("cafe\u0301", "café"),
        ("ﬁne-tuning", "fine-tuning"),
        ("ＧＰＵ　１", "GPU 1"),
        ("½ of x²", "1⁄2 of x2"),
        ("don’t “quote”", 'don\'t "quote"'),
        ("don´t", "don't"),
        ("co‑design 5−3", "co-design 5-3"),
        ("one — two – three", "one — two – three"),
        ("opti\u00admiser", "optimiser"),
        ("gra\u200bdi\u2060ent\ufeff", "gradient"),
        ("e\u200b\u0301tude", "étude"),
        ("\u202eevil\u202c", "evil"),
        ("hi\U000e0068\U000e0069", "hi"),
        ("\u1112\u1161\u11ab", "한"),
        ("ㅎㅏ", "하"),
        ("ｶﾞ", "ガ"),
        ("👨\u200d👩", "👨👩"),
        ("a \ud83d b", "a \ud83d b"),
        ("\u0301alone", "\u0301alone"),
        ("\u200b", ""),
    ],
)
def test_each_form_becomes_the_one_that_is_matched(raw: str, text: str) -> None:
    assert normalise(raw).text == text


@pytest.mark.parametrize(
    ("raw", "text", "folded"),
    [
        ("grаdiеnt", "gradient", 2),
        ("Αdam", "Adam", 1),
        ("обучение сети", "обучение сети", 0),
        ("сор", "сор", 0),
        ("η and ο", "η and ο", 0),
        ("μm", "μm", 0),
        ("модель model", "модель model", 0),
    ],
)
def test_look_alikes_are_folded_inside_mixed_words_only(raw: str, text: str, folded: int) -> None:
    normal = normalise(raw)
    assert (normal.text, normal.look_alikes) == (text, folded)


def test_invisible_characters_are_counted() -> None:
    assert normalise("".join(f"a{char}" for char in INVISIBLE)).invisible == len(INVISIBLE)
    assert normalise("a b\tc\n").invisible == 0


def test_a_span_leads_back_to_what_was_sent() -> None:
    raw = "Use ﬁne\u200b-tuning ½ cafe\u0301!"
    normal = normalise(raw)

    def sent(words: str) -> str:
        start = normal.text.index(words)
        first, last = normal.raw_span(start, start + len(words))
        return raw[first:last]

    assert sent("fine") == "ﬁne\u200b"
    assert sent("f") == "ﬁ"
    assert sent("1⁄2") == sent("⁄") == "½"
    assert sent("café") == "cafe\u0301"
    assert sent("tuning") == "tuning"


def test_an_empty_span_stays_empty() -> None:
    normal = normalise("a\u200bb")
    assert normal.raw_span(1, 1) == (2, 2)
    assert normal.raw_span(2, 2) == (3, 3)
    assert normalise("").raw_span(0, 0) == (0, 0)


def assert_leads_back(normal: NormalText) -> None:
    assert len(normal.text) == len(normal.starts) == len(normal.ends)
    assert list(normal.starts) == sorted(normal.starts)
    assert list(normal.ends) == sorted(normal.ends)
    assert all(0 <= start < end <= len(normal.raw) for start, end in zip(normal.starts, normal.ends, strict=True))


@given(AWKWARD | st.text())
def test_every_character_leads_back(raw: str) -> None:
    normal = normalise(raw)
    assert_leads_back(normal)
    assert normal.invisible == sum(is_invisible(char) for char in raw)
    seen = {place for start, end in zip(normal.starts, normal.ends, strict=True) for place in range(start, end)}
    assert all(place in seen or is_invisible(char) for place, char in enumerate(raw))


@given(AWKWARD.filter(lambda text: len(text) < 30), st.data())
def test_spans_nest_as_their_raw_spans_do(raw: str, data: st.DataObject) -> None:
    normal = normalise(raw)
    bounds = sorted(data.draw(st.lists(st.integers(0, len(normal.text)), min_size=4, max_size=4)))
    outer, inner = normal.raw_span(bounds[0], bounds[3]), normal.raw_span(bounds[1], bounds[2])
    assert outer[0] <= outer[1] <= len(raw)
    if bounds[1] < bounds[2]:
        assert outer[0] <= inner[0] < inner[1] <= outer[1]


@given(AWKWARD.filter(lambda text: len(text) < 30) | st.text(max_size=30))
def test_what_is_seen_is_in_compatibility_form(raw: str) -> None:
    normal = normalise(raw)
    visible = "".join(char for char in raw if not is_invisible(char))
    marks = "‘’“”´‐‑−"
    if normal.look_alikes == 0 and not any(mark in visible + unicodedata.normalize("NFKC", visible) for mark in marks):
        assert normal.text == unicodedata.normalize("NFKC", visible)


@pytest.mark.parametrize("unit", ["word ", "a\u0301\u0323", "\u0301\u0323", "\u200b", "aс", "ﬃ"])
def test_time_grows_with_length(unit: str, growth: Callable[[Callable[[int], object]], float]) -> None:
    assert growth(lambda scale: normalise(unit * (6_000 * scale // len(unit)))) < 9


def test_one_letter_under_endless_marks_is_read_at_once(growth: Callable[[Callable[[int], object]], float]) -> None:
    assert growth(lambda scale: normalise("a" + "\u0301\u0323" * (5_000 * scale))) < 9
