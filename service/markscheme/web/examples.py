"""Worked examples for the description of the API."""

REQUESTS: dict[str, dict[str, object]] = {
    "GradeBody": {
        "by_question": {
            "summary": "By a question of the index",
            "value": {
                "id": "candidate-7",
                "question_id": "training-vs-inference/large-batch-trade-offs",
                "answer": "Large batches use the hardware well, but they can hurt how well the model generalises.",
            },
        },
        "by_points": {
            "summary": "By points of your own",
            "value": {
                "question": "Why is a hash table quick to search?",
                "points": [
                    "The hash of the key says where the value is kept.",
                    {"text": "Collisions make it slower.", "importance": "okay", "weight": 0.5},
                ],
                "answer": "You hash the key and look straight into that bucket.",
            },
        },
        "by_sample_answer": {
            "summary": "By a sample answer",
            "value": {
                "sample_answer": "The hash of the key says where the value is kept. Collisions make it slower.",
                "answer": "You hash the key and look straight into that bucket.",
            },
        },
    },
    "MatchBody": {
        "text": {"summary": "A question in other words", "value": {"text": "What do big batches cost?", "limit": 3}},
    },
}

GRADE: dict[str, object] = {
    "id": "candidate-7",
    "question_id": "inline",
    "rubric_version": "3f1c0a9be2d4",
    "score": 50.0,
    "verdict": "partial",
    "vital_coverage": 0.5,
    "points": [
        {
            "id": "p1",
            "text": "The hash of the key says where the value is kept.",
            "importance": "vital",
            "weight": 1.0,
            "status": "covered",
            "coverage": 0.93,
            "decided_by": "similarity",
            "evidence": [{"start": 0, "end": 16, "text": "You hash the key"}],
        },
        {
            "id": "p2",
            "text": "Collisions make it slower.",
            "importance": "vital",
            "weight": 1.0,
            "status": "missing",
            "coverage": 0.04,
            "decided_by": "similarity",
            "evidence": [],
        },
    ],
    "missing": ["p2"],
    "contradicted": [],
    "flags": [],
    "needs_review": False,
    "review_reasons": [],
    "feedback": "Say also: Collisions make it slower.",
    "grader": {"markscheme": "0.1.0", "embedder": "minilm", "calibration": "1", "splitter": "1"},
}

# One code for each status that an operation can answer with.
PROBLEM_CODES: dict[int, str] = {
    400: "malformed_json",
    404: "unknown_question",
    413: "answer_too_long",
    415: "wrong_content_type",
    422: "invalid_input",
    503: "index_missing",
}
