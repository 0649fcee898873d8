import json
from typing import Any

import pytest

from markscheme.adapters.wire import Limits, check_profile, parse_body, parse_line, parse_match, request_from_data
from markscheme.grading.errors import AnswerTooLongError, EmptyRubricError, InputError, MalformedJsonError
from markscheme.grading.rubric import Point
from markscheme.pipeline.request import GradeRequest


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def fault_of(data: object) -> InputError:
    with pytest.raises(InputError) as caught:
        request_from_data(data)
    return caught.value


def test_an_answer_to_an_indexed_question() -> None:
    request = parse_line(line(id="a-1", question_id="topic/question", answer="Some words."))
    assert request == GradeRequest(answer="Some words.", question_id="topic/question", id="a-1")


def test_points_as_text_and_as_objects_become_points_in_order() -> None:
    detailed = {
        "id": "speed",
        "text": "Collisions make it slower.",
        "heading": "Cost",
        "importance": "okay",
        "weight": 2,
        "alternatives": ["Clashes cost time."],
        "misconceptions": ["Collisions make it faster."],
    }
    request = parse_body(line(answer="x", points=["The hash says where.", detailed], question="Why?"))
    assert request.question == "Why?"
    assert request.points == (
        Point(id="p1", text="The hash says where."),
        Point(
            id="speed",
            text="Collisions make it slower.",
            heading="Cost",
            importance="okay",
            weight=2.0,
            alternatives=("Clashes cost time.",),
            misconceptions=("Collisions make it faster.",),
        ),
    )


@pytest.mark.parametrize(("given", "read"), [("one", ("one",)), (["one", "two"], ("one", "two"))])
def test_a_sample_answer_is_text_or_a_list(given: object, read: tuple[str, ...]) -> None:
    assert parse_line(line(answer="x", sample_answer=given)).sample_answers == read


@pytest.mark.parametrize("answer", ["", "  \n\t "])
def test_an_empty_answer_is_well_formed(answer: str) -> None:
    assert parse_line(line(answer=answer, question_id="q")).answer == answer


def test_null_counts_as_absent() -> None:
    names = ("points", "sample_answer", "id", "question", "profile", "explain")
    data = {"answer": "x", "question_id": "q", **dict.fromkeys(names)}
    assert request_from_data(data) == GradeRequest(answer="x", question_id="q")
    point = {"text": "t", "heading": None, "weight": None, "alternatives": None}
    assert request_from_data({"answer": "x", "points": [point]}).points == (Point(id="p1", text="t"),)


def test_a_profile_and_explanations_are_asked_for() -> None:
    request = parse_body(line(answer="x", question_id="q", profile="our-school", explain=True))
    assert request == GradeRequest(answer="x", question_id="q", profile="our-school", explain=True)
    assert parse_line(line(answer="x", question_id="q")).explain is False


@pytest.mark.parametrize("name", ["../x", "", "A\n", "x" * 70])
def test_what_is_no_name_of_a_profile_is_refused_by_other_ways_too(name: str) -> None:
    assert check_profile("our-school") == "our-school"
    with pytest.raises(InputError, match="is no name of a profile") as caught:
        check_profile(name)
    assert caught.value.pointer == "/profile"


def test_a_number_as_id_comes_back_as_text() -> None:
    assert parse_line(line(answer="x", question_id="q", id=17)).id == "17"


def test_a_batch_line_ignores_other_columns_and_a_body_does_not() -> None:
    raw = line(answer="x", question_id="q", gold=3, comment={"deep": [1]})
    assert parse_line(raw) == GradeRequest(answer="x", question_id="q")
    with pytest.raises(InputError, match="not a field of this form") as caught:
        parse_body(raw)
    assert [fault.pointer for fault in (caught.value, *caught.value.others)] == ["/gold", "/comment"]


def test_a_slip_inside_a_point_is_told_in_a_batch_too() -> None:
    with pytest.raises(InputError, match="not a field") as caught:
        parse_line(line(answer="x", points=[{"text": "t", "importence": "okay"}]))
    assert caught.value.pointer == "/points/0/importence"


POINT = {"text": "t"}


@pytest.mark.parametrize(
    ("data", "pointer", "said"),
    [
        ({"question_id": "q"}, "/answer", "/answer is missing"),
        ({"answer": None, "question_id": "q"}, "/answer", "/answer is missing"),
        ({"answer": 7, "question_id": "q"}, "/answer", "must be text"),
        ({"answer": "x"}, "", "this has none of them"),
        ({"answer": "x", "question_id": "q", "sample_answer": "s"}, "", "question_id and sample_answer"),
        ({"answer": "x", "question_id": "q", "points": ["p"]}, "", "question_id and points"),
        ({"answer": "x", "question_id": ""}, "/question_id", "is blank"),
        ({"answer": "x", "question_id": "q" * 201}, "/question_id", "longer than 200 characters"),
        ({"answer": "x", "question_id": ["q"]}, "/question_id", "must be text"),
        ({"answer": "x", "points": "p"}, "/points", "must be a list"),
        ({"answer": "x", "points": ["p"] * 201}, "/points", "more than 200 entries"),
        ({"answer": "x", "points": ["p", ""]}, "/points/1", "/points/1 is blank"),
        ({"answer": "x", "points": ["p", 7]}, "/points/1", "must be an object"),
        ({"answer": "x", "points": [{}]}, "/points/0/text", "is missing"),
        ({"answer": "x", "points": [POINT | {"weight": "1"}]}, "/points/0/weight", "must be a number"),
        ({"answer": "x", "points": [POINT | {"weight": True}]}, "/points/0/weight", "must be a number"),
        ({"answer": "x", "points": [POINT | {"weight": 0}]}, "/points/0/weight", "must be more than 0"),
        ({"answer": "x", "points": [POINT | {"weight": 1e9}]}, "/points/0/weight", "must be 1000.0 or less"),
        ({"answer": "x", "points": [POINT | {"weight": float("nan")}]}, "/points/0/weight", "must be"),
        ({"answer": "x", "points": [POINT | {"importance": "nice"}]}, "/points/0/importance", "'vital' or 'okay'"),
        ({"answer": "x", "points": [POINT | {"alternatives": ["a", 1]}]}, "/points/0/alternatives/1", "must be text"),
        ({"answer": "x", "points": [POINT | {"misconceptions": ["m"] * 21}]}, "/points/0/misconceptions", "20 entries"),
        ({"answer": "x", "points": [POINT | {"a/b~": 1}]}, "/points/0/a~1b~0", "not a field"),
        ({"answer": "x", "points": [{"text": "t", "id": "p2"}, "u"]}, "/points/1/id", "both called 'p2'"),
        ({"answer": "x", "sample_answer": " "}, "/sample_answer", "/sample_answer is blank"),
        ({"answer": "x", "sample_answer": ["s", " "]}, "/sample_answer/1", "is blank"),
        ({"answer": "x", "sample_answer": ["s"] * 21}, "/sample_answer", "more than 20 entries"),
        ({"answer": "x", "sample_answer": "s" * 20_001}, "/sample_answer", "longer than 20,000 characters"),
        ({"answer": "x", "sample_answer": {"a": 1}}, "/sample_answer", "must be a list"),
        ({"answer": "a\0b", "question_id": "q"}, "/answer", "NUL"),
        ({"answer": "a\ud800b", "question_id": "q"}, "/answer", "surrogate"),
        ({"answer": "x", "points": ["\udfff"]}, "/points/0", "surrogate"),
        ({"answer": "x", "question_id": "q", "profile": "Ours"}, "/profile", "/profile is no name of a profile."),
        ({"answer": "x", "question_id": "q", "profile": "../ours"}, "/profile", "is no name of a profile"),
        ({"answer": "x", "question_id": "q", "profile": "ours\n"}, "/profile", "is no name of a profile"),
        ({"answer": "x", "question_id": "q", "profile": ""}, "/profile", "is no name of a profile"),
        ({"answer": "x", "question_id": "q", "profile": 7}, "/profile", "must be text"),
        ({"answer": "x", "question_id": "q", "explain": 1}, "/explain", "must be true or false"),
        ({"answer": "x", "question_id": "q", "explain": "yes"}, "/explain", "must be true or false"),
        ({"answer": "x", "question_id": "q", "id": True}, "/id", "must be text"),
        ({"answer": "x", "question_id": "q", "id": 1.5}, "/id", "must be text"),
        (["answer"], "", "The body must be an object"),
        ("answer", "", "The body must be an object"),
    ],
)
def test_each_fault_is_told_with_its_pointer(data: object, pointer: str, said: str) -> None:
    fault = fault_of(data)
    assert fault.pointer == pointer
    assert said in str(fault)
    assert fault.code == "invalid_input"


@pytest.mark.parametrize("name", ["points", "sample_answer"])
def test_an_empty_list_is_an_empty_rubric(name: str) -> None:
    fault = fault_of({"answer": "x", name: [], "id": "a"})
    assert isinstance(fault, EmptyRubricError)
    assert (fault.pointer, fault.answer_id) == (f"/{name}", "a")


def test_an_answer_at_the_limit_passes_and_one_more_character_does_not() -> None:
    limits = Limits(max_answer_chars=5)
    assert parse_line(line(answer="12345", question_id="q"), limits).answer == "12345"
    with pytest.raises(AnswerTooLongError, match=r"has 6 characters; the limit is 5\.") as caught:
        parse_line(line(answer="123456", question_id="q", id="a"), limits)
    assert (caught.value.pointer, caught.value.answer_id) == ("/answer", "a")


def test_every_fault_is_told_up_to_twenty() -> None:
    fault = fault_of({"answer": 1, "points": [{"weight": "x"} for _ in range(200)]})
    assert fault.pointer == "/answer"
    assert len(fault.others) == 19
    assert fault.others[1].pointer == "/points/0/weight"


def test_a_long_key_does_not_fill_the_message() -> None:
    fault = fault_of({"answer": "x", "question_id": "q", "k" * 5_000: 1})
    assert len(str(fault)) < 200


@pytest.mark.parametrize(
    ("given", "read"), [("a-1", "a-1"), (7, "7"), (True, None), (["a"], None), ("\ud800", None), ("i" * 201, None)]
)
def test_the_id_of_a_broken_line_is_kept_where_it_can_be_read(given: Any, read: str | None) -> None:
    assert fault_of({"id": given, "answer": 1}).answer_id == read


def test_a_line_that_is_no_json_has_no_id() -> None:
    with pytest.raises(MalformedJsonError) as caught:
        parse_line(b'{"id": "a", ')
    assert caught.value.answer_id is None


def test_a_match_request() -> None:
    assert parse_match(b'{"text": "big batches"}').limit == 5
    assert parse_match(b'{"text": "big batches", "limit": 2}').limit == 2


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        (b"{}", "/text"),
        (b'{"text": ""}', "/text"),
        (b'{"text": "a", "limit": 0}', "/limit"),
        (b'{"text": "a", "limit": 51}', "/limit"),
        (b'{"text": "a", "limit": "2"}', "/limit"),
        (b'{"text": "a", "extra": 1}', "/extra"),
        (json.dumps({"text": "a" * 2_001}).encode(), "/text"),
        (b"[]", ""),
    ],
)
def test_a_match_request_at_fault(raw: bytes, pointer: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_match(raw)
    assert caught.value.pointer == pointer


def test_a_request_cannot_fill_every_list_at_once() -> None:
    point = {"text": "Readers wait", "alternatives": [f"wording {n}" for n in range(20)]}
    many = {"answer": "a", "points": [point] * 40}
    with pytest.raises(InputError, match="840 points, alternatives and misconceptions in all") as caught:
        parse_line(json.dumps(many))
    assert caught.value.pointer == "/points"
    long = {"answer": "a", "sample_answer": ["word " * 3_500] * 4}
    with pytest.raises(InputError, match="70,000 characters in all") as caught:
        parse_line(json.dumps(long))
    assert caught.value.pointer == "/sample_answer"
