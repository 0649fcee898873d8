"""The commands, from their options to their output, on the embedder that needs no model."""

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from markscheme import __version__

Run = Callable[..., Result]

QUESTION = "databases/what-an-index-costs"
GOOD = "Every insert and update must also write the index. The index takes disk space."
COMMANDS = ("draft", "build", "grade", "batch", "questions", "match", "serve", "check")
SEED = """# Caching

Where answers are kept.

## What can go wrong when a cache is never emptied?

- id: caching/never-emptied
- difficulty: easy

### Sample answer

Memory fills up until the process is killed. Old values are served long after the truth has changed.
"""


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").stdout == f"markscheme {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_works_even_where_a_setting_is_wrong(monkeypatch: pytest.MonkeyPatch, run: Run, command: str) -> None:
    monkeypatch.setenv("MARKSCHEME_PORT", "none")
    result = run(command, "--help")
    assert result.exit_code == 0
    assert command in result.stdout


def test_help_lists_every_command(run: Run) -> None:
    listed = run("--help").stdout
    assert [name for name in COMMANDS if name not in listed] == []


def test_a_wrong_setting_is_one_line_and_status_2(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("MARKSCHEME_PORT", "none")
    result = run("questions")
    assert result.exit_code == 2
    assert result.stderr.startswith("error[invalid_settings]: MARKSCHEME_PORT is 'none'")
    assert result.stderr.count("\n") == 1
    assert home.exists()


# questions, match


def test_questions_lists_what_can_be_graded(home: Path, run: Run) -> None:
    assert home.exists()
    result = run("questions")
    assert f"{QUESTION}  (easy, 2 points)\n    What does an index on a table cost?\n" in result.stdout
    assert "networks/why-udp  (no difficulty, 1 points)" in result.stdout


def test_questions_as_json_is_one_object_a_line(home: Path, run: Run) -> None:
    assert home.exists()
    first, second = map(json.loads, run("questions", "--json").stdout.splitlines())
    assert list(first) == ["id", "topic", "question", "difficulty", "points"]
    assert (first["id"], first["topic"], first["difficulty"]) == (QUESTION, "Databases", "easy")
    assert [point["importance"] for point in first["points"]] == ["vital", "okay"]
    assert second["difficulty"] is None
    assert second["points"][0]["heading"] == "Latency"


def test_match_finds_the_nearest_question_first(home: Path, run: Run) -> None:
    assert home.exists()
    nearest, _ = run("match", "a late packet in a game").stdout.splitlines()
    assert "networks/why-udp" in nearest
    (found,) = map(
        json.loads, run("match", "insert and update the index", "--limit", "1", "--json").stdout.splitlines()
    )
    assert found["question_id"] == QUESTION
    assert 0 < found["similarity"] <= 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "/text is blank"),
        ("\udcff abc", "/text holds half of a surrogate pair"),
        ("x" * 2_001, "/text "),
    ],
)
def test_match_refuses_what_the_service_refuses(home: Path, run: Run, text: str, said: str) -> None:
    assert home.exists()
    result = run("match", text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[invalid_input]: {said}")


@pytest.mark.parametrize("arguments", [("questions",), ("match", "text")])
def test_without_an_index_the_way_to_one_is_named(empty_home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error[index_missing]: ")
    assert "markscheme build" in result.stderr
    assert not empty_home.exists()


# grade


def test_grade_by_a_question_of_the_index(home: Path, tmp_path: Path, run: Run) -> None:
    assert home.exists()
    (tmp_path / "answer.txt").write_text(GOOD, "utf-8")
    result = run("grade", "--question-id", QUESTION, "--answer", "answer.txt", "--json")
    grade = json.loads(result.stdout)
    assert result.exit_code == 0
    assert grade["question_id"] == QUESTION
    assert [point["status"] for point in grade["points"]] == ["covered", "covered"]
    for point in grade["points"]:
        for passage in point["evidence"]:
            assert GOOD[passage["start"] : passage["end"]] == passage["text"]


def test_evidence_counts_characters_of_the_file_as_it_is(home: Path, tmp_path: Path, run: Run) -> None:
    assert home.exists()
    answer = "Zunächst:\r\n\r\n" + GOOD + "\r\n"
    (tmp_path / "answer.txt").write_bytes(answer.encode())
    grade = json.loads(run("grade", "--question-id", QUESTION, "--answer", "answer.txt", "--json").stdout)
    passages = [passage for point in grade["points"] for passage in point["evidence"]]
    assert passages
    for passage in passages:
        assert answer[passage["start"] : passage["end"]] == passage["text"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("--sample-answer", GOOD),
        ("--points", "Every insert and update must also write the index.\n\nThe index takes disk space.\n"),
        ("--points", json.dumps(["Every insert writes the index.", {"text": "It takes disk space.", "weight": 2}])),
        ("--points", "[1] Every insert must also write the index.\n[2] The index takes disk space.\n"),
        ("--points", "- Every insert must also write the index.\n  * The index takes disk space.\n- \n"),
    ],
)
def test_grade_by_a_rubric_of_ones_own_needs_no_index(
    empty_home: Path, tmp_path: Path, run: Run, name: str, content: str
) -> None:
    (tmp_path / "own").write_text(content, "utf-8")
    result = run("grade", name, "own", "--answer", "-", "--question", "What does it cost?", "--json", stdin=GOOD)
    grade = json.loads(result.stdout)
    assert (grade["question_id"], len(grade["points"])) == ("inline", 2)
    assert grade["score"] > 50
    assert not empty_home.exists()


def test_the_best_of_several_sample_answers_counts(empty_home: Path, tmp_path: Path, run: Run) -> None:
    assert not empty_home.exists()
    (tmp_path / "far").write_text("Penguins cannot fly but swim very well.", "utf-8")
    (tmp_path / "near").write_text(GOOD, "utf-8")
    samples = ("--sample-answer", "far", "--sample-answer", "near")
    assert json.loads(run("grade", *samples, "--answer", "near", "--json").stdout)["score"] > 50


def test_the_report_tells_score_status_and_evidence_in_words(home: Path, run: Run) -> None:
    assert home.exists()
    result = run("grade", "--question-id", QUESTION, "--answer", "-", stdin="An index needs no space.")
    assert result.stdout.startswith("Score ")
    assert "contradicted" in result.stdout
    assert "missing" in result.stdout
    assert "\x1b" not in result.stdout


def test_an_answer_cannot_send_control_sequences_or_markup_to_the_terminal(home: Path, run: Run) -> None:
    assert home.exists()
    attack = "Every insert and update must also write the index \x1b[2J\u202e [bold red]."
    result = run("grade", "--question-id", QUESTION, "--answer", "-", stdin=attack)
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    assert "[bold" in result.stdout


def test_an_empty_answer_is_graded(home: Path, run: Run) -> None:
    assert home.exists()
    result = run("grade", "--question-id", QUESTION, "--answer", "-", "--json")
    assert (result.exit_code, json.loads(result.stdout)["score"]) == (0, 0)


@pytest.fixture
def odd_files(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that cannot be graded with, beside a built home."""
    assert home.exists()
    monkeypatch.setenv("MARKSCHEME_MAX_BODY_BYTES", "2000")
    Path("blank").write_text(" \n", "utf-8")
    Path("broken").write_text("[1, 2", "utf-8")
    Path("object").write_text('{"text": "a"}', "utf-8")
    Path("twice").write_text('[{"text": "a", "text": "b"}]', "utf-8")
    Path("no_number").write_text('[{"text": "a", "weight": NaN}]', "utf-8")
    Path("huge").write_text(f"[{'9' * 1500}]", "utf-8")
    Path("faulty").write_text('[{"text": "a", "weight": "heavy"}]', "utf-8")
    Path("latin").write_bytes(b"sie\xdf")
    Path("large").write_text("x" * 2001, "utf-8")


@pytest.mark.usefixtures("odd_files")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--question-id", "no/such"), "unknown_question", "'no/such'"),
        (("--sample-answer", "missing"), "invalid_input", "Cannot read missing: No such file"),
        (("--sample-answer", "blank"), "invalid_input", "/sample_answer/0 is blank"),
        (("--points", "blank"), "empty_rubric", "/points is an empty list"),
        (("--points", "broken"), "invalid_input", "broken starts like a JSON list"),
        (("--points", "object"), "invalid_input", "Give a JSON list, or one point a line."),
        (("--points", "twice"), "invalid_input", "The key 'text' is given twice"),
        (("--points", "no_number"), "invalid_input", "NaN is not JSON"),
        (("--points", "huge"), "invalid_input", "A number has 1500 digits"),
        (("--points", "faulty"), "invalid_input", "/points/0/weight"),
        (("--points", "latin"), "invalid_input", "latin is not UTF-8: byte 3"),
        (("--points", "large"), "invalid_input", "large is longer than 2,000 bytes"),
    ],
)
def test_what_cannot_be_graded_is_one_line_and_status_2(
    run: Run, arguments: tuple[str, ...], code: str, said: str
) -> None:
    result = run("grade", *arguments, "--answer", "-", stdin=GOOD)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error[{code}]: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_every_fault_of_a_request_is_told(home: Path, run: Run) -> None:
    assert home.exists()
    Path("points").write_text('[{"text": "a", "weight": -1}, {"text": ""}]', "utf-8")
    lines = run("grade", "--points", "points", "--answer", "-", stdin=GOOD).stderr.splitlines()
    assert [line.split()[1] for line in lines] == ["/points/0/weight", "/points/1/text"]


def test_an_answer_over_the_limit_is_refused_whole(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    assert home.exists()
    monkeypatch.setenv("MARKSCHEME_MAX_ANSWER_CHARS", "10")
    result = run("grade", "--question-id", QUESTION, "--answer", "-", stdin=GOOD)
    assert result.exit_code == 2
    assert result.stderr.startswith("error[answer_too_long]: The answer has 78 characters; the limit is 10.")


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--question-id", QUESTION, "--points", "a"),
        ("--sample-answer", "-"),
    ],
)
def test_wrong_options_are_status_2(home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    assert home.exists()
    result = run("grade", *arguments, "--answer", "-", stdin=GOOD)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


# draft, build


def test_from_a_document_to_a_grade_in_a_home_that_was_empty(empty_home: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "caching.md").write_text(SEED, "utf-8")
    drafted = run("draft", "caching.md").stdout
    assert "caching/never-emptied: drafted, 2 points" in drafted
    assert f"1 of 1 rubrics written to {empty_home / 'rubrics'}" in drafted
    assert (empty_home / "rubrics" / "caching" / "never-emptied.yaml").is_file()
    assert run("build").stdout.startswith("1 questions in the index: 1 embedded, 0 unchanged, 0 removed. ")
    assert run("build").stdout.startswith("1 questions in the index: 0 embedded, 1 unchanged, 0 removed. ")
    answer = "Memory fills up until the process is killed."
    result = run("grade", "--question-id", "caching/never-emptied", "--answer", "-", "--json", stdin=answer)
    assert json.loads(result.stdout)["points"][0]["status"] == "covered"


def test_draft_takes_the_seeds_where_no_path_is_given(empty_home: Path, run: Run) -> None:
    seeds = empty_home / "seeds"
    (seeds / "more").mkdir(parents=True)
    (seeds / "more" / "caching.md").write_text(SEED, "utf-8")
    (seeds / "README.md").write_text("How to write one.", "utf-8")
    (seeds / "picture.png").write_bytes(b"\x89PNG")
    assert "1 of 1 rubrics written" in run("draft").stdout
    assert "caching/never-emptied: unchanged, 2 points" in run("draft").stdout


def test_draft_says_how_a_source_has_changed(empty_home: Path, tmp_path: Path, run: Run) -> None:
    document = tmp_path / "caching.md"
    document.write_text(SEED, "utf-8")
    run("draft", document)
    document.write_text(SEED.replace("Old values are served", "Stale values may be served"), "utf-8")
    lines = run("draft", document).stdout.splitlines()
    assert lines[0].startswith("caching/never-emptied: drafted anew")
    assert lines[1:4] == [
        "    its sample answer was changed since it was drafted",
        "    + Stale values may be served long after the truth has changed.",
        "    - Old values are served long after the truth has changed.",
    ]
    assert empty_home.exists()


@pytest.mark.parametrize("arguments", [(), ("folder",)])
def test_draft_without_a_document_says_where_it_looked(empty_home: Path, run: Run, arguments: tuple[str, ...]) -> None:
    Path("folder").mkdir()
    result = run("draft", *arguments)
    assert result.exit_code == 2
    assert f"There is no document in {arguments[0] if arguments else empty_home / 'seeds'}." in result.stderr


def test_draft_of_broken_documents_tells_every_fault(empty_home: Path, run: Run) -> None:
    Path("one.md").write_text("", "utf-8")
    Path("two.md").write_bytes(b"\xff")
    result = run("draft", "one.md", "two.md", "three.md")
    assert result.exit_code == 1
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()] == ["one.md", "two.md", "three.md"]
    assert not empty_home.exists()


# serve


def test_serve_hands_settings_and_options_to_the_server(home: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    import uvicorn  # noqa: PLC0415 - as serve does

    assert home.exists()
    asked: dict[str, object] = {}
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: asked.update(app=app, **options))
    with socket.create_server(("127.0.0.1", 0)) as found:
        free = found.getsockname()[1]
    monkeypatch.setenv("MARKSCHEME_PORT", str(free))
    assert run("serve").exit_code == 0
    assert (asked["app"], asked["host"], asked["port"]) == ("markscheme.web.asgi:app", "127.0.0.1", free)
    run("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - nothing listens
    assert (asked["host"], asked["port"]) == ("0.0.0.0", 0)  # noqa: S104 - nothing listens


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_serve_tells_of_a_port_in_use(home: Path, run: Run, host: str) -> None:
    assert home.exists()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        taken = socket.create_server((host, 0), family=family)
    except OSError:
        pytest.skip(f"this machine has no {host}")
    with taken:
        port = taken.getsockname()[1]
        result = run("serve", "--host", host, "--port", str(port))
    assert result.exit_code == 1
    assert result.stderr == f"error[os_error]: Address already in use: {host}:{port}\n"


def test_points_keep_the_text_of_a_line_but_not_its_bullet(empty_home: Path, run: Run) -> None:
    assert not empty_home.exists()
    Path("own").write_text("[1] First point\n\n- Second point\n* Third -point\n-\tFourth\n", "utf-8")
    grade = json.loads(run("grade", "--points", "own", "--answer", "-", "--json", stdin=GOOD).stdout)
    texts = [point["text"] for point in grade["points"]]
    assert texts == ["[1] First point", "Second point", "Third -point", "-\tFourth"]
