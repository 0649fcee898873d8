import pytest

from markscheme.grading.errors import ContentError
from markscheme.grading.rubric import Point, Rubric
from markscheme.pipeline.draft_ids import LONGEST_SLUG, question_ids, slug
from markscheme.pipeline.ports import SeedQuestion


def seed(question: str, own: str | None = None, line: int = 1) -> SeedQuestion:
    return SeedQuestion("Locks & Leases", question, None, None, "seeds/locks.md", id=own, line=line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's an Élan (v2)?", "whats-an-elan-v2"),
        ("  a -- b  ", "a-b"),
        ("x" * 99, "x" * LONGEST_SLUG),
        ("cat " * 30, "-".join(["cat"] * 15)),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    assert slug(text, "question") == expected


def test_a_text_without_latin_letters_still_has_a_slug() -> None:
    assert slug("什么", "question") != slug("为什么", "question")
    assert slug("什么", "question").startswith("question-")


def test_ids_are_made_of_topic_and_first_words() -> None:
    seeds = [seed("One two three four five six seven eight nine?"), seed("One two three four five six seven eight?")]
    made = "locks-leases/one-two-three-four-five-six-seven-eight"
    assert question_ids(seeds, []) == [made, f"{made}-2"]


def test_an_own_id_comes_first_and_is_never_taken() -> None:
    assert question_ids([seed("One?"), seed("Two?", "locks-leases/one")], []) == [
        "locks-leases/one-2",
        "locks-leases/one",
    ]


def test_a_rubric_with_the_same_wording_is_the_same_question() -> None:
    rubric = Rubric("mine/renamed", "What ends\na lease?", (Point("p1", "Time."),))
    assert question_ids([seed("what  ends a lease?"), seed("Else?")], [rubric]) == ["mine/renamed", "locks-leases/else"]


def test_two_seeds_with_one_id_are_faults() -> None:
    with pytest.raises(ContentError) as caught:
        question_ids([seed("One?", "a/b"), seed("Two?", "a/b", 7), seed("Three?", "a/b", 9)], [])
    assert [fault.line for fault in caught.value.faults] == [7, 9]


def test_seeds_of_one_wording_are_given_their_rubrics_in_turn() -> None:
    seeds = [seed("What ends it?") for _ in range(12)]
    first = question_ids(seeds, [])
    made = "locks-leases/what-ends-it"
    assert first == [made, *(f"{made}-{number}" for number in range(2, 13))]
    rubrics = [Rubric(one, "What ends it?", (Point("p1", "Time."),), "Locks & Leases") for one in sorted(first)]
    assert question_ids(seeds, rubrics) == first
    assert question_ids([*seeds, seed("What ends it?")], rubrics) == [*first, f"{made}-13"]


def test_rubrics_of_the_seeds_own_topic_come_first() -> None:
    rubrics = [Rubric(f"{one}/q", "What ends it?", (Point("p1", "Time."),), one) for one in ("a", "locks & leases")]
    other = SeedQuestion("a", "What ends it?", None, None, "seeds/a.md")
    same = seed("What ends it?")
    assert question_ids([same, same, other], rubrics) == ["locks & leases/q", "locks-leases/what-ends-it", "a/q"]


def test_a_rubric_that_a_seed_names_is_not_handed_out() -> None:
    rubric = Rubric("a/b", "One?", (Point("p1", "Time."),))
    assert question_ids([seed("One?"), seed("One?", "a/b")], [rubric]) == ["locks-leases/one", "a/b"]
