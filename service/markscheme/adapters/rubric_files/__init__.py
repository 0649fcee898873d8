"""Rubrics as YAML files that people edit."""

from markscheme.adapters.rubric_files.schema import rubric_schema
from markscheme.adapters.rubric_files.store import RubricFiles

__all__ = ["RubricFiles", "rubric_schema"]
