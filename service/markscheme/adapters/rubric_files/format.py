"""A rubric written as people would write it."""

from typing import Any

import yaml

from markscheme.grading.rubric import Point, Rubric

SCHEMA_LINE = "# yaml-language-server: $schema=../rubric.schema.json\n"
WIDTH = 100
_LONG = 80


class _Dumper(yaml.SafeDumper):
    """Lists are indented under their key, and long texts folded."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        # The signature is the library's; it passes `indentless` to save two columns, at the reader's cost.
        super().increase_indent(flow=flow, indentless=False)


class _Span(list[int]):
    """Written on one line."""


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if "\n" in text:
        style = "|"
    elif len(text) > _LONG and " " in text:
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _write_span(dumper: yaml.SafeDumper, span: _Span) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", list(span), flow_style=True)


_Dumper.add_representer(str, _write_text)
_Dumper.add_representer(_Span, _write_span)


def format_rubric(rubric: Rubric) -> str:
    """YAML text; the order of keys is always the same, and what is empty is left out."""
    source = rubric.source
    data: dict[str, Any] = {
        "id": rubric.id,
        "topic": rubric.topic,
        "question": rubric.question,
        "difficulty": rubric.difficulty,
        "status": rubric.status,
        "source": _filled(
            {
                "document": source.document,
                "derived_from": source.derived_from,
                "checksum": source.checksum,
                "drafted": source.drafted,
            }
        ),
        "points": [_point(point) for point in rubric.points],
    }
    return SCHEMA_LINE + yaml.dump(
        _filled(data), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=False
    )


def _point(point: Point) -> dict[str, Any]:
    return _filled(
        {
            "id": point.id,
            "text": point.text,
            "heading": point.heading,
            "importance": point.importance,
            "weight": int(point.weight) if float(point.weight).is_integer() else point.weight,
            "alternatives": list(point.alternatives) or None,
            "misconceptions": list(point.misconceptions) or None,
            "span": None if point.span is None else _Span(point.span),
        }
    )


def _filled(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}
