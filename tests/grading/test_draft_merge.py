import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.draft_merge import repeats
from markscheme.grading.draft_words import content_stems, word_count

SENTENCE = st.lists(st.sampled_from(["lock", "page", "write", "not", "3", "4", "node", "vote"]), max_size=8).map(
    " ".join
)


def test_what_holds_all_but_a_tenth_is_repeated() -> None:
    long = "replica leader follower quorum vote term log index commit"
    first = f"{long} heartbeat extra words"
    assert repeats([first, f"{long} unheard"], [False, False], None) == [None, 0]
    assert repeats([first, f"{long} unheard unsaid"], [False, False], None) == [None, None]


def test_two_words_alone_repeat_nothing() -> None:
    assert repeats(["locks protect pages", "locks"], [False, False], None) == [None, None]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("readers always block writers", "writers always block readers"),
        ("the more load the more locks wait", "the more load the less locks wait"),
        ("flush logs before data pages", "flush logs after data pages"),
        ("locks end in 3 seconds", "locks end in 4 seconds"),
        ("locks always end first", "locks never always end first"),
    ],
)
def test_what_differs_in_a_telling_way_is_no_repeat(first: str, second: str) -> None:
    assert repeats([first, second], [False, False], None) == [None, None]


def test_a_summary_repeats_what_several_say() -> None:
    parts = ["replicas answer every read", "leaders order every write", "summary replicas leaders order every write"]
    assert repeats(parts, [False, False, True], None) == [None, None, 1]
    assert repeats(parts, [False, False, False], None) == [None, None, None]
    assert repeats(["entirely new words here"], [True], None) == [None]


@given(st.lists(SENTENCE, max_size=12), st.booleans())
def test_a_repeat_always_names_a_kept_one(statements: list[str], summary: bool) -> None:  # noqa: FBT001 - hypothesis
    found = repeats(statements, [summary] * len(statements), None)
    for index, original in enumerate(found):
        assert original is None or (original < index and found[original] is None)


def test_forms_of_a_word_share_a_stem() -> None:
    assert content_stems("The caches are caching") == content_stems("cached")
    assert content_stems("it’s 3.5 units") == content_stems("unit 3.5")  # noqa: RUF001 - a curly apostrophe
    assert word_count("a - b (c) → 3") == 4
