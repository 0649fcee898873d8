"""The JSON schema by which editors check a rubric while a person types."""

import json

from markscheme.adapters.rubric_files.model import RubricModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def rubric_schema() -> str:
    """The text of rubrics/rubric.schema.json."""
    schema = {"$schema": DIALECT, **RubricModel.model_json_schema(), "title": "Rubric"}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
