from collections.abc import Callable
from typing import Any

import pytest

from markscheme.adapters.graded_files import GradedRow, sheet_rows
from markscheme.agreement.gold import Gold
from markscheme.grading.errors import Fault, InputError

Reader = Callable[[bytes | str], object]


@pytest.fixture
def read(json_reader: Reader) -> Callable[[str], list[Any]]:
    """Reads a table."""
    return lambda text: list(sheet_rows(text.encode(), "marks.csv", json_reader))


Read = Callable[[str], list[Any]]


def test_a_row_of_every_kind(read: Read) -> None:
    points, label, score, relation = read(
        "ID,Answer,Question,Group,points,sample_answer,question_id,gold_points,label,score,nli,notes\n"
        'a,"One, two.",Why?,g1,"first\n\n second ",,,"[1, null]",,,,good\n'
        "b,,,,,Because.,,,contradictory,,,\n"
        "c,  Spaces stay. ,,,,,db/q,,,0.25,,\n"
        'd,Yes,,,"[""only""]",,,,,,neutral\n'
    )
    assert points == GradedRow(
        2,
        {"id": "a", "answer": "One, two.", "question": "Why?", "points": ["first", "second"]},
        Gold(points=(1.0, None)),
        "g1",
    )
    assert label.request == {"id": "b", "answer": "", "sample_answer": "Because."}
    assert (label.line, label.gold) == (5, Gold(label="contradictory"))
    assert score.request == {"id": "c", "answer": "  Spaces stay. ", "question_id": "db/q"}
    assert score.gold == Gold(score=0.25)
    assert relation.request["points"] == ["only"]
    assert relation.gold == Gold(nli="neutral")


def test_several_sample_answers_are_a_json_list_and_a_bracket_alone_is_text(read: Read) -> None:
    several, one, bracket = read(
        "answer,sample_answer,points,score\n"
        'a,"[""x"", ""y""]",,1\n'
        'a,"[ {""text"": 1}]",,1\n'
        'a,,"[1] first point\n[2] second point",1\n'
    )
    assert several.request["sample_answer"] == ["x", "y"]
    assert one.request["sample_answer"] == [{"text": 1}]
    assert bracket.request["points"] == ["[1] first point", "[2] second point"]


def test_a_second_person(read: Read) -> None:
    both, alone, _ = read(
        "answer,question_id,gold_points,gold_points_2,label,label_2,score,score_2\n"
        'a,q,"[1, 0]","[1, null]",correct,partial,1,0.5\n'
        "a,q,,,,correct,1,\n"
        "a,q,,,,,,1\n"
    )
    assert both.gold == Gold(
        points=(1.0, 0.0),
        label="correct",
        score=1.0,
        points_raters=((1.0, 0.0), (1.0, None)),
        label_raters=("correct", "partial"),
        score_raters=(1.0, 0.5),
    )
    # A second judgement without a first is none of two.
    assert alone.gold == Gold(score=1.0)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found_in_the_header(read: Read, separator: str) -> None:
    (row,) = read("\n\ufeff".lstrip() + separator.join(["answer", "points", "score"]) + "\r\n" + separator.join("ab1"))
    assert row.request == {"answer": "a", "points": ["b"]}


def test_blank_rows_are_none_and_a_byte_order_mark_does_no_harm(read: Read) -> None:
    rows = read("\ufeffanswer,points,score\n,,\n\na,b,1\n,,\n")
    assert [row.line for row in rows] == [4]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("a,b,,", "There is nothing that people decided. Give points, label, score or nli."),
        ('a,b,"0,5",', "score must be a number from 0 to 1, with a decimal point; it is '0,5'."),
        ("a,b,75,", "score must be a number from 0 to 1 (divide"),
        ("a,b,nan,", "score must be a number from 0 to 1"),
        ("a,b,,[1", "gold_points is no JSON list: The JSON is broken"),
        ('a,"[""b",1,', "points is no JSON list: The JSON is broken"),
        ("a,b,1,,more,", "The row has 6 cells; the header has 4."),
        ('a,"b"c,1,', "The row cannot be read: "),
    ],
)
def test_a_bad_row_is_a_fault_and_the_next_one_is_read(read: Read, cells: str, said: str) -> None:
    fault, row = read(f"answer,points,score,gold_points\n{cells}\na,b,1,\n")
    assert isinstance(fault, Fault)
    assert (fault.file, fault.line) == ("marks.csv", 2)
    assert said in fault.message
    assert isinstance(row, GradedRow)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("answer,points\na,b\n", "marks.csv lacks a column: gold_points or label or score or nli."),
        ("points,score\n", "lacks a column: answer"),
        ("answer,score\n", "question_id or points or sample_answer"),
        ("answer,points,score,score\n", "has the column score twice"),
        ('"answer"x,points,score\n', "The header of marks.csv cannot be read"),
    ],
)
def test_a_header_that_will_not_do_is_refused(read: Read, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(text)


def test_an_empty_file_has_no_rows(read: Read) -> None:
    assert read("") == []


def test_another_encoding_is_refused_with_its_line(json_reader: Reader) -> None:
    with pytest.raises(InputError, match=r"line 2 cannot be read\. Save it as CSV in UTF-8"):
        list(sheet_rows("answer,points,score\nä,b,1\n".encode("latin-1"), "marks.csv", json_reader))
