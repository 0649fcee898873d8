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
                "id": "candidate-7",
                "question": "Why is a hash table quick to search?",
                "points": [
                    "The hash of the key says where the value is kept.",
                    {"text": "Collisions make it slower.", "importance": "okay", "weight": 0.5},
                ],
                "answer": "The hash of the key says in which place the value is kept.",
            },
        },
        "by_sample_answer": {
            "summary": "By a sample answer, with an explanation of every point",
            "value": {
                "explain": True,
                "sample_answer": "The hash of the key says where the value is kept. Collisions make it slower.",
                "answer": "You hash the key and look straight into that bucket.",
            },
        },
    },
    "MatchBody": {
        "text": {"summary": "A question in other words", "value": {"text": "What do big batches cost?", "limit": 3}},
    },
}

# What the request `by_points` gets; a test sends it.
GRADE: dict[str, object] = {
    "id": "candidate-7",
    "question_id": "inline",
    "rubric_version": "a48bfe070550",
    "score": 66.7,
    "verdict": "partial",
    "vital_coverage": 1.0,
    "points": [
        {
            "id": "p1",
            "text": "The hash of the key says where the value is kept.",
            "importance": "vital",
            "weight": 1.0,
            "status": "covered",
            "coverage": 0.9184,
            "credit": 1.0,
            "confidence": 0.9184,
            "decided_by": "verifier",
            "evidence": [{"start": 0, "end": 58, "text": "The hash of the key says in which place the value is kept."}],
        },
        {
            "id": "p2",
            "text": "Collisions make it slower.",
            "importance": "okay",
            "weight": 0.5,
            "status": "missing",
            "coverage": 0.031,
            "credit": 0.0,
            "confidence": 0.969,
            "decided_by": "verifier",
            "evidence": [],
        },
    ],
    "missing": ["Collisions make it slower."],
    "contradicted": [],
    "flags": [],
    "confidence": 0.9353,
    "needs_review": False,
    "review_reasons": [],
    "feedback": "The answer makes 1 of 2 points in full. Also missing: Collisions make it slower.",
    "grader": {
        "markscheme": "0.1.0",
        "embedder": "all-MiniLM-L6-v2@af02dcb3c014",
        "calibration": "verified-0a274e",
        "splitter": "segments-1+sentencex-1.0.32-en-1",
        "verifier": "minilm-verifier@d6bd4d344d1b",
    },
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
