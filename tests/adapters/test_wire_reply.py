import json
from dataclasses import asdict, replace

from markscheme.adapters.wire import error_json, grade_json
from markscheme.grading.cuts import Cuts
from markscheme.grading.errors import AnswerTooLongError, EmbedderError, InputError
from markscheme.grading.grade import Evidence, Explanation, Flag, Grade, GraderVersions, PointGrade
from markscheme.grading.logistic import Effect

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
            confidence=0.9,
            explanation=Explanation(
                statement="The hash says where.",
                passage="Words",
                supported=0.8,
                contradicted=0.05,
                average=-1.5,
                effects=(Effect("match_passage", 0.5, 1 / 3), Effect("supported", 1.4, -0.25)),
                cuts=Cuts(covered=0.3, partial=0.1, contradicted=0.6),
            ),
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
    confidence=0.7,
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
        "confidence",
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
        "confidence": 0.9,
        "decided_by": "similarity",
        "evidence": [{"start": 0, "end": 5, "text": "Words"}],
    }
    assert shown["points"][1]["contradicts"] == "Collisions help."
    assert shown["flags"] == [{"code": "keyword_list", "message": "Keywords."}]
    assert shown["contradicted"] == ["p2"]
    assert shown["confidence"] == 0.7
    versions = {"markscheme": "0.1.0", "embedder": "minilm", "calibration": "1", "splitter": "2"}
    assert shown["grader"] == {**versions, "verifier": None}


def test_the_verifier_is_among_the_versions() -> None:
    versions = replace(GRADE.grader, verifier="minilm-verifier@0123")
    assert grade_json(replace(GRADE, grader=versions))["grader"] == asdict(versions)


def test_explanations_are_given_when_asked_for_and_only_then() -> None:
    plain = json.loads(json.dumps(grade_json(GRADE)))
    assert ["explanation" in point for point in plain["points"]] == [False, False]
    asked = json.loads(json.dumps(grade_json(GRADE, explain=True)))
    assert asked["points"][0].pop("explanation") == {
        "statement": "The hash says where.",
        "passage": "Words",
        "supported": 0.8,
        "contradicted": 0.05,
        "average": -1.5,
        "effects": [
            {"name": "match_passage", "value": 0.5, "effect": 1 / 3},
            {"name": "supported", "value": 1.4, "effect": -0.25},
        ],
        "cuts": {"covered": 0.3, "partial": 0.1, "contradicted": 0.6},
    }
    assert asked["points"][1].pop("explanation") is None
    assert asked == plain


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
