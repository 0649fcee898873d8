from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from turned_round import OPPOSITES, bag, contradictions, denied, opposed, recounted, swapped


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("The cache is fast.", "The cache is not fast."),
        ("The cache is not fast.", "The cache is fast."),
        ("Locks are never held for long.", "Locks are held for long."),
        ("A thread can wait.", "A thread can not wait."),
        ("The disk has two heads.", "The disk does not have two heads."),
        ("Threads have a stack.", "Threads do not have a stack."),
        ("It has worked and it is done.", "It has worked and it is not done."),
        ("Is it fast", None),
        ("Nobody knows why", None),
        ("That is how it is", "That is not how it is"),
        ("So it is", None),
        ("", None),
    ],
)
def test_a_negation_is_put_in_or_taken_out(text: str, turned: str | None) -> None:
    assert denied(text) == turned


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Caches are fast.", "Caches are slow."),
        ("Caches are slow, and small.", {"Caches are fast, and small.", "Caches are slow, and large."}),
        ("More noise", "less noise"),
        ("Breakfast is served", None),
    ],
)
def test_one_word_becomes_its_opposite(text: str, turned: str | set[str] | None) -> None:
    found = {opposed(text, rng(seed)) for seed in range(20)}
    assert found == (turned if isinstance(turned, set) else {turned})


def test_opposites_are_two_different_words_each() -> None:
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in OPPOSITES)


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("A heap is larger than a stack.", "a stack is larger than A heap."),
        ("Threads need less memory than processes, mostly.", "processes need less memory than Threads, mostly."),
        ("The loss falls because the rate is high.", "the rate is high because The loss falls"),
        ("Wait before lock", None),
        ("Nothing to swap", None),
    ],
)
def test_the_two_sides_of_a_comparison_or_a_cause_change_places(text: str, turned: str | None) -> None:
    assert swapped(text) == turned


def test_one_number_becomes_another() -> None:
    for seed in range(50):
        text = recounted("Port 443 of 2 in v1.2.3 or x86", rng(seed))
        assert text is not None
        one, other = text.removeprefix("Port ").removesuffix(" in v1.2.3 or x86").split(" of ")
        assert (float(one) == 443) != (float(other) == 2)
    assert recounted("None in v1 or 1.2.3", rng()) is None


WORDS = st.sampled_from([
    "a", "cache", "is", "not", "are", "never", "can", "has", "have", "fast", "more", "less", "than", "because",
    "before", "larger", "2", "1.11111", "4", "10", "the,", "always.", "all",
])  # fmt: skip
TEXTS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=40)


@given(TEXTS, st.integers(0, 100))
def test_no_contradiction_is_the_text_itself(text: str, seed: int) -> None:
    found = list(contradictions(text, rng(seed)))
    assert text not in found
    assert len(found) <= 4
    assert found == list(contradictions(text, rng(seed)))


@given(TEXTS)
def test_who_denies_or_opposes_says_something_else(text: str) -> None:
    assert denied(text) != text
    assert opposed(text, rng()) != text


def test_every_trick_has_its_turn_first() -> None:
    text = "The cache is larger than 2 disks."
    firsts = {next(contradictions(text, rng(seed))) for seed in range(60)}
    tricks = {denied(text), opposed(text, rng()), swapped(text)}
    assert tricks <= firsts
    assert len(firsts) > 3


@given(st.lists(st.sampled_from(["cache", "is", "the", "fast,", "(small)", "7"]), min_size=1, max_size=9))
def test_a_bag_has_the_words_of_meaning_and_no_order(words: list[str]) -> None:
    text = " ".join(words)
    said = sorted(word.strip(",()") for word in bag(text, rng()).replace(", ", " ").split())
    long = sorted(word.strip(",()") for word in words if len(word) > 3)
    assert said == (long or sorted(words))


def test_a_bag_comes_as_a_list_or_run_together() -> None:
    text = "large batches converge to sharp minima"
    found = [bag(text, rng(seed)) for seed in range(20)]
    assert {", " in one for one in found} == {True, False}
    assert len(set(found)) > 10


Growth = Callable[[Callable[[int], object]], float]


@pytest.mark.parametrize(
    "unit", ["is not ", "more ", "a is more ", "aer than ", "7 ", "7", "7.", " because it is", "x,", "than is "]
)
def test_time_grows_with_length(unit: str, growth: Growth) -> None:
    def work(scale: int) -> object:
        text = unit * (20_000 * scale // len(unit))
        return [denied(text), opposed(text, rng()), swapped(text), recounted(text, rng()), bag(text, rng())]

    assert growth(work) < 9
