import pytest
from hypothesis import given
from hypothesis import strategies as st

from markscheme.grading.prompt_points import prompt_points


def texts(question: str) -> list[str]:
    return [point.text for point in prompt_points(question)]


def test_factors_and_numbered_cases() -> None:
    question = (
        "You choose a store for two jobs: 1) a shopping cart that never sleeps, and 2) a nightly report. "
        "List the factors you weigh (read rate, cost, staff) and recommend a store for each with its reason."
    )
    points = prompt_points(question)
    assert [one.text for one in points] == [
        "Considers read rate as a factor in the choice",
        "Considers cost as a factor in the choice",
        "Considers staff as a factor in the choice",
        "Recommends a choice for a shopping cart and gives the reason",
        "Recommends a choice for a nightly report and gives the reason",
    ]
    spans = [question[slice(*one.span)] for one in points if one.span]
    assert spans == ["read rate", "cost", "staff", "a shopping cart", "a nightly report"]


def test_listed_topics_and_the_task_around_them() -> None:
    question = "Explain how a log survives a crash, including write order, checkpoints and torn pages."
    assert texts(question) == [
        "Discusses write order",
        "Discusses checkpoints",
        "Discusses torn pages",
        "Explains how a log survives a crash",
    ]


def test_tasks_are_taken_apart() -> None:
    question = "Describe locks (shared, e.g. for reads), latches, and leases. Then justify your own pick and assess it."
    assert texts(question) == ["Describes locks", "Describes latches", "Describes leases", "Assesses it"]


def test_verbs_of_every_form() -> None:
    assert texts("Identify the leader. Discuss a split vote.") == ["Identifies the leader", "Discusses a split vote"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is a lease?", "Says what is a lease"),
        ("Leases", "Answers: Leases"),
        ("Tell me of  a lease (short, long).", "Answers: Tell me of a lease (short, long)."),
        (
            "Leases of many kinds (e.g., short, long, endless)",
            "Answers: Leases of many kinds (e.g., short, long, endless)",
        ),
    ],
)
def test_at_the_least_the_question_itself(question: str, text: str) -> None:
    assert texts(question) == [text]


@pytest.mark.parametrize("question", ["", " ", "?!"])
def test_nothing_asked(question: str) -> None:
    assert prompt_points(question) == ()


def test_a_number_without_a_case() -> None:
    assert texts("0).") == ["Answers: 0)."]


@given(
    st.text(max_size=200) | st.lists(st.sampled_from(["List ", "a, ", "(", ")", "1) ", "and ", ". ", "é"])).map("".join)
)
def test_spans_are_inside_the_question(question: str) -> None:
    points = prompt_points(question)
    assert bool(points) == any(one.isalnum() for one in question)
    for point in points:
        assert point.span is not None
        start, end = point.span
        assert 0 <= start < end <= len(question)
        assert point.text.strip()
