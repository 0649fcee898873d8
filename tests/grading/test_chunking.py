from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from markscheme.adapters.sentencex_splitter import SentencexSplitter
from markscheme.grading.chunking import draft_points
from markscheme.grading.draft_ideas import MOST_CHARACTERS, MOST_WORDS
from markscheme.grading.draft_words import word_count
from markscheme.grading.rubric import Point

SENTENCES = SentencexSplitter().sentences


def draft(text: str, question: str | None = None) -> tuple[Point, ...]:
    return draft_points(text, SENTENCES, question)


def statements(text: str, question: str | None = None) -> list[str]:
    return [point.statement for point in draft(text, question)]


@pytest.mark.parametrize("text", ["", "  \n", "?!", "--- ***", "→ ∞"])
def test_nothing_gradable_gives_no_point(text: str) -> None:
    assert draft(text) == ()


@pytest.mark.parametrize("text", ["Evaporation", "Yes.", "The salt stays in the pan.", "42"])
def test_a_short_answer_gives_one_point(text: str) -> None:
    points = draft(text)
    assert [(one.id, one.text, one.heading, one.importance) for one in points] == [("p1", text, None, "vital")]
    assert points[0].span == (0, len(text))


def test_headings_alone_become_points() -> None:
    assert statements("## Caching the pages\n\n## Sharding") == ["Caching the pages", "Sharding"]


def test_code_alone_becomes_a_point() -> None:
    assert statements("```\nrow = rows[0]\n```") == ["row = rows[0]"]


def test_a_point_carries_its_heading_and_not_its_bullet() -> None:
    points = draft("Cache policies- LRU: it drops the oldest entry first.- LFU: it drops the rarest entry first;")
    assert [(one.heading, one.text) for one in points] == [
        ("LRU", "it drops the oldest entry first."),
        ("LFU", "it drops the rarest entry first"),
    ]


def test_empty_labels_fold_into_the_heading_and_telling_ones_join_it() -> None:
    text = "1) Sharding by key (hash)- What: rows are split over many nodes.- Trade-offs: joins cross the network."
    assert [one.heading for one in draft(text)] == ["Sharding by key (hash)", "Sharding by key: Trade-offs"]


@pytest.mark.parametrize(
    "frame",
    [
        "Start with the mechanism",
        "Brief overview",
        "Situation (brief)",
        "Step-by-step",
        "Three ways that help",
        "Summary",
    ],
)
def test_framing_is_no_heading_and_no_point(frame: str) -> None:
    points = draft(f"{frame}: a lease ends when its owner goes silent.")
    assert [(one.heading, one.text) for one in points] == [(None, "a lease ends when its owner goes silent.")]


@pytest.mark.parametrize("name", ["Two-phase commit", "Two pointers", "First normal form", "Context switching"])
def test_names_are_no_framing(name: str) -> None:
    assert draft(f"{name}: every node votes before the end.")[0].heading == name


def test_short_items_lean_on_their_lead_in() -> None:
    text = "Fields that only one of them has :\n-Sequence number\n-Window"
    lead = "Fields that only one of them has"
    assert statements(text) == [f"{lead}: Sequence number", f"{lead}: Window"]


def test_a_framing_heading_is_no_help_to_short_items() -> None:
    assert statements("Overview:\n- Speed\n- Cost") == ["Speed", "Cost"]


def test_a_heading_too_long_to_help_is_left_out_but_for_short_items() -> None:
    lead = " ".join(["very"] * 15) + " long"
    text = f"{lead}:\n- the cache keeps what was read last\n- Speed"
    assert statements(text) == ["the cache keeps what was read last", f"{lead}: Speed"]


def test_semicolons_part_ideas_that_stand_alone() -> None:
    text = "Readers never wait for writers; writers copy the page before they change it; it costs memory."
    assert statements(text) == [
        "Readers never wait for writers",
        "writers copy the page before they change it; it costs memory.",
    ]


def test_a_part_loses_the_word_that_joined_it() -> None:
    text = "Readers never wait for writers; but writers copy pages first."
    assert statements(text) == ["Readers never wait for writers", "writers copy pages first."]


def test_nothing_is_split_inside_parentheses() -> None:
    text = "The plan names its steps (measure the queue first; then add three nodes) and who takes them."
    assert statements(text) == [text]


def test_fragments_join_their_neighbour() -> None:
    assert statements("No. Bursts make arrivals depend on each other. Truly so.") == [
        "No. Bursts make arrivals depend on each other. Truly so."
    ]


@pytest.mark.parametrize("separator", [" — ", "—", ", but ", ", and "])
def test_long_sentences_are_split_where_they_breathe(separator: str) -> None:
    half = " ".join(["word"] * 25)
    points = draft(f"{half}{separator}{half} end.")
    assert len(points) == 2
    assert all(word_count(one.text) <= MOST_WORDS for one in points)
    assert not points[1].text.startswith(("—", "but"))


def test_endless_text_is_cut_all_the_same() -> None:
    points = draft(" ".join(f"w{n}" for n in range(500)))
    assert max(word_count(one.text) for one in points) <= 2 * MOST_WORDS
    assert " ".join(one.text for one in points).split() == [f"w{n}" for n in range(500)]
    assert [len(one.text) for one in draft("x" * 1500)] == [MOST_CHARACTERS, MOST_CHARACTERS, 300]
    assert all(len(one.text) <= MOST_CHARACTERS for one in draft(("y" * 400 + " ") * 5))


LONG = """The log is written before the data page is.

Recovery:
- Redo repeats every change that the log holds.
- Undo takes back what no transaction finished.

Practical tips:
- Keep the log on a disk of its own.

Next steps:
- Try a crash in the middle of a checkpoint.

{closing}"""


def test_side_sections_are_okay_and_the_rest_vital() -> None:
    points = draft(LONG.format(closing="This design makes every crash look the same to its clients."))
    assert [one.importance for one in points] == ["vital", "vital", "vital", "okay", "okay", "okay"]


def test_a_side_section_that_the_question_asks_for_is_vital() -> None:
    points = draft(LONG.format(closing=""), "Explain recovery, with practical advice for the disk.")
    assert [one.importance for one in points] == ["vital", "vital", "vital", "vital", "okay"]


def test_a_point_that_says_the_question_again_is_okay() -> None:
    text = LONG.format(closing="") + "\n\nA database recovers from a crash by its log."
    points = draft(text, "How does a database recover from a crash with its log?")
    assert [one.text for one in points if one.importance == "okay"][
        -1
    ] == "A database recovers from a crash by its log."
    assert (
        draft("A database recovers from a crash.", "How does a database recover from a crash?")[0].importance == "vital"
    )


def test_a_closing_summary_that_repeats_is_merged() -> None:
    text = LONG.format(closing="Summary: redo repeats changes, undo takes back what is not finished.")
    assert [one.text for one in draft(text)] == [one.text for one in draft(LONG.format(closing=""))]


def test_a_repeated_sentence_is_merged_but_not_its_denial() -> None:
    text = "The leader sends every write on. The leader sends writes on. The leader never sends every write on."
    assert [one.text for one in draft(text)] == [
        "The leader sends every write on.",
        "The leader never sends every write on.",
    ]


def test_other_figures_make_another_point() -> None:
    text = "A read quorum needs 2 of the replicas. A read quorum needs 3 of the replicas."
    assert len(draft(text)) == 2


def test_cosines_merge_other_words_for_the_same() -> None:
    asked: list[Sequence[str]] = []

    def similar(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.append(texts)
        return np.array([[1, 0.99, 0.1], [0.99, 1, 0.1], [0.1, 0.1, 1]], dtype=np.float32)

    text = "Replicas answer reads. Followers serve the queries of clients. Leaders take every write first."
    points = draft_points("- " + text.replace(". ", ".\n- "), SENTENCES, None, similar)
    assert [one.text for one in points] == ["Replicas answer reads.", "Leaders take every write first."]
    assert [one.id for one in points] == ["p1", "p2"]
    assert len(asked[0]) == 3


PIECES = [
    "A lock ends",
    "; ",
    ". ",
    ", but ",
    "- ",
    "\n",
    ": ",
    "Reads",
    "(e.g. ",
    ")",
    " — ",
    "Summary",
    "1. ",
    "é😀 ",
    "\n\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=120))
@example(", but . ")
def test_points_are_in_order_and_word_for_word(text: str) -> None:
    place = 0
    points = draft(text)
    for number, point in enumerate(points, start=1):
        assert point.id == f"p{number}"
        assert point.span is not None
        start, end = point.span
        assert place <= start < end <= len(text)
        assert " ".join(text[start:end].split()) == point.text
        place = end
    # A word that only joins is no idea.
    said = text.replace("but ", "").replace("and ", "")
    assert points or not any(one.isalpha() for one in said)
