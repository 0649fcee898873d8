import json

from markscheme.adapters.wire import error_json, grade_json
from markscheme.grading.errors import AnswerTooLongError, EmbedderError, InputError
from markscheme.grading.grade import Evidence, Flag, Grade, GraderVersions, PointGrade

GRADE = Grade(
    question_id="topic/question",
    rubric_version="0123456789ab",
    score=100 / 3,
    verdict="contradictory",
    vital_coverage=1 / 3,
    points=(
        PointGrade(
            id="p1",
            text="The hash says where.",
            importance="vital",
            weight=1.0,
            status="covered",
            coverage=0.9,
            credit=1.0,
            decided_by="similarity",
            evidence=(Evidence(0, 5, "Words"),),
        ),
        PointGrade(
            id="p2",
            text="Collisions cost.",
            importance="okay",
            weight=0.5,
            status="contradicted",
            coverage=0.1,
            credit=0.0,
            decided_by="verifier",
            contradicts="Collisions help.",
        ),
    ),
    missing=(),
    contradicted=("p2",),
    flags=(Flag("keyword_list", "Keywords."),),
    needs_review=True,
    review_reasons=("Contradicts itself.",),
    feedback="Look at collisions.",
    grader=GraderVersions("0.1.0", "minilm", "1", "2"),
    id="a-1",
)


def test_a_grade_has_every_field_in_the_documented_order() -> None:
    assert list(grade_json(GRADE)) == [
        "id",
        "question_id",
        "rubric_version",
        "score",
        "verdict",
        "vital_coverage",
        "points",
        "missing",
        "contradicted",
        "flags",
        "needs_review",
        "review_reasons",
        "feedback",
        "grader",
    ]


def test_a_grade_survives_json_with_every_value() -> None:
    shown = json.loads(json.dumps(grade_json(GRADE)))
    assert shown["score"] == GRADE.score
    assert shown["points"][0] == {
        "id": "p1",
        "text": "The hash says where.",
        "importance": "vital",
        "weight": 1.0,
        "status": "covered",
        "coverage": 0.9,
        "credit": 1.0,
        "decided_by": "similarity",
        "evidence": [{"start": 0, "end": 5, "text": "Words"}],
    }
    assert shown["points"][1]["contradicts"] == "Collisions help."
    assert shown["flags"] == [{"code": "keyword_list", "message": "Keywords."}]
    assert shown["contradicted"] == ["p2"]
    assert shown["grader"] == {"markscheme": "0.1.0", "embedder": "minilm", "calibration": "1", "splitter": "2"}


def test_an_error_names_its_line_its_code_and_its_field() -> None:
    error = AnswerTooLongError("Too long.", pointer="/answer", answer_id="read")
    told = {"code": "answer_too_long", "message": "Too long.", "pointer": "/answer"}
    assert error_json(error) == {"id": "read", "error": told}
    assert error_json(error, "line 4") == {"id": "line 4", "error": told}


def test_an_error_of_the_whole_line_has_no_pointer() -> None:
    assert error_json(InputError("Bad.")) == {"id": None, "error": {"code": "invalid_input", "message": "Bad."}}
    assert error_json(EmbedderError("Gone."), "a") == {
        "id": "a",
        "error": {"code": "embedder_unavailable", "message": "Gone."},
    }
