import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from markscheme.adapters.rubric_files import RubricFiles, rubric_schema
from markscheme.grading.rubric import Rubric

COMMITTED = Path(__file__).parents[3] / "rubrics" / "rubric.schema.json"


def test_the_committed_schema_is_current() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == rubric_schema()


def test_it_takes_what_we_write(store: RubricFiles, rubric: Rubric) -> None:
    schema = json.loads(rubric_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    data = yaml.safe_load(store.save(rubric).read_text(encoding="utf-8"))
    jsonschema.validate(data, schema)


@pytest.mark.parametrize("change", [{"colour": "red"}, {"points": []}, {"id": "a"}, {"status": "done"}])
def test_it_refuses_what_we_refuse(store: RubricFiles, rubric: Rubric, change: dict[str, object]) -> None:
    data = yaml.safe_load(store.save(rubric).read_text(encoding="utf-8"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, **change}, json.loads(rubric_schema()))
