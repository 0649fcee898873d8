from pathlib import Path

import pytest

from markscheme.adapters.seed_files import SeedFiles
from markscheme.grading.errors import ContentError

PAGE = """Locks and Leases Questions

Covers how programs share things, and how they let go.

HardTechnical

73 practiced

What ends a lease? Say why.

Sample Answer

Time ends it- Clock: it runs out.

- Hard limits stay.

  An indented line.

EasySystem Design

1.2k practiced

Name two locks.
One a line.

Medium

5 practiced

A third question?

Sample Answer

Hard
Medium words here

Unlock Full Question Bank

Sample Answer
HardTechnical
"""


def read(tmp_path: Path, text: str | bytes, name: str = "page.txt") -> list[object]:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(SeedFiles(tmp_path).read(path))


def messages(tmp_path: Path, text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(ContentError) as caught:
        read(tmp_path, text)
    return [(fault.line, fault.message) for fault in caught.value.faults]


def test_a_page_word_for_word(tmp_path: Path) -> None:
    path = tmp_path / "seeds" / "page.txt"
    path.parent.mkdir()
    path.write_text(PAGE, encoding="utf-8")
    questions = SeedFiles(tmp_path).read(path)
    assert [one.question for one in questions] == [
        "What ends a lease? Say why.",
        "Name two locks.\nOne a line.",
        "A third question?",
    ]
    assert [one.difficulty for one in questions] == ["hard", "easy", "medium"]
    assert [one.sample_answer for one in questions] == [
        "Time ends it- Clock: it runs out.\n\n- Hard limits stay.\n\n  An indented line.",
        None,
        "Hard\nMedium words here",
    ]
    assert {one.topic for one in questions} == {"Locks and Leases"}
    assert {one.document for one in questions} == {"seeds/page.txt"}
    assert [one.line for one in questions] == [5, 19, 26]
    assert {one.id for one in questions} == {None}


def test_a_document_elsewhere_goes_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_text(PAGE, encoding="utf-8")
    assert SeedFiles().read(path)[0].document == "page.txt"
    assert SeedFiles(tmp_path / "home").read(path)[0].document == "page.txt"


def test_windows_line_ends_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes(b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())
    questions = SeedFiles().read(path)
    assert questions[0].topic == "Locks and Leases"
    assert questions[0].question == "What ends a lease? Say why."


@pytest.mark.parametrize("text", ["", "  \n\n"])
def test_an_empty_file(tmp_path: Path, text: str) -> None:
    assert messages(tmp_path, text) == [(1, "is empty: a seed document has a topic and questions")]


def test_no_question_found(tmp_path: Path) -> None:
    [(line, message)] = messages(tmp_path, "Locks Questions\n\nHard\n\nnothing more\n")
    assert line == 1
    assert "holds no question" in message


def test_every_fault_of_a_page_at_once(tmp_path: Path) -> None:
    text = "HardTechnical\n\n7 practiced\n\nSample Answer\n\nEasyTechnical\n\nWhat?\n\nSample Answer\n\n"
    assert [(line, message.split(":")[0]) for line, message in messages(tmp_path, text)] == [
        (1, "has no topic"),
        (1, "opens a question that has no text"),
        (1, "opens a question whose sample answer is empty"),
        (7, "opens a question whose sample answer is empty"),
    ]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    assert messages(tmp_path, b"Locks Questions\n\n\xff\n")[0][0] == 3


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="cannot be read: No such file"):
        SeedFiles().read(tmp_path / "none.txt")
