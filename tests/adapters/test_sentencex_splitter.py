from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.adapters.sentencex_splitter import SentencexSplitter

SPLITTER = SentencexSplitter()


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in SPLITTER.sentences(text)]


def test_the_version_names_the_library() -> None:
    assert version("sentencex") in SPLITTER.version


@pytest.mark.parametrize(
    "text",
    [
        "Some tools, e.g. hammers, are old.",
        "It waits, i.e. it blocks.",
        "Compare reads vs. writes here.",
        "It takes approx. 0.5 seconds.",
        "Keep it small (e.g., 32 rows) at first.",
        "It holds both (It is slow. It is old.) and more.",
        "Locks, latches, etc. are alike.",
        "See fig. 3 and eq. 4 for the rest.",
        "See vol. 2 for it.",
        "Lamport et al. proved it.",
        "Call step.run() and v1.2 of it.",
    ],
)
def test_one_sentence_stays_one(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        ["Naïve caches 😀 fail.", "Café λ stays!", "Does it?"],
        ["The cost < gain.", "Then its load > two.", "All is well."],
        ['A 5" disk is small.', 'A 9" disk is large.'],
        ["The answer is no.", "The limit is its max.", "We stop."],
        ["It holds no vol.", "Then go."],
        ["Keep locks, etc.", "Then go."],
        ["It has an end (as all).", "Then it rests."],
        ["(An open one.", "It never ends.", "So be it."],
        ['He said "go."', '"We go now," she said.', "(It is so.)", "[Noted.]", "'Fine.'", "So it ended."],
        ["“One goes first.", "Two goes next.", "Three ends it.”"],
        ["'One goes first.", "The teachers' rule holds.", "It's over.'"],
        ["{Here it begins.", "Here it goes on.", "Here it ends.}"],
        ["第一句。", "第二句。"],
    ],
)
def test_sentences_part(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


def test_paragraphs_part_even_behind_an_abbreviation() -> None:
    assert split("This is all, approx.\n\nNext comes more.") == ["This is all, approx.", "Next comes more."]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_no_text_no_sentence(text: str) -> None:
    assert split(text) == []


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["e.g. ", "Ab. ", "(", ") ", "é. ", "x.\n\n", "5. ", '"', "…"])).map("".join)
)
def test_every_character_but_white_space_is_in_one_sentence(text: str) -> None:
    place = 0
    for start, end in SPLITTER.sentences(text):
        assert place <= start < end <= len(text)
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()
