"""YAML text in, a rubric or faults with their lines out."""

from typing import Any

import yaml
from pydantic import ValidationError

from markscheme.adapters.rubric_files.checks import Location, cross_checks
from markscheme.adapters.rubric_files.model import PointModel, RubricModel, SourceModel
from markscheme.grading.errors import Fault
from markscheme.grading.rubric import Rubric

# The C loader is ten times as fast; both read the same YAML. A date is taken for the text that it is: no field of a
# rubric holds one.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVERS = {
    first: [one for one in resolvers if one[0] != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}


def _construct_object(loader: object, node: yaml.Node, deep: bool = False) -> object:  # noqa: FBT001, FBT002 - the library's signature
    """The library lets slip whatever its conversions raise (`!!bool x`, `!!int ""`), which tells of no line."""
    try:
        return _Base.construct_object(loader, node, deep)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        problem = f"a value does not fit its type {node.tag}: change it, or put it in quotes without a tag"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from error


_Loader: Any = type("_Loader", (_Base,), {"yaml_implicit_resolvers": _RESOLVERS, "construct_object": _construct_object})
_FIELDS = {
    "points": ", ".join(PointModel.model_fields),
    "source": ", ".join(SourceModel.model_fields),
    "": ", ".join(RubricModel.model_fields),
}


def parse_rubric(text: str, file: str, expected_id: str) -> Rubric | list[Fault]:
    """The rubric, or everything that is wrong with the file, by line."""
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return [Fault(file, 1, "is empty: a rubric has at least id, topic, question and points")]
            faults = _node_faults(node, file)
            if faults:
                return faults
            data = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return [Fault(file, mark.line + 1 if mark else None, f"is no valid YAML: {error.problem or error.context}")]
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        return [Fault(file, line, f"holds a character that YAML forbids ({error.reason}): remove it")]
    except (ValueError, RecursionError) as error:
        return [Fault(file, None, f"is no valid YAML: {error}")]
    return _validated(data, node, file, expected_id)


def _validated(data: object, node: yaml.Node, file: str, expected_id: str) -> Rubric | list[Fault]:
    faults = [
        Fault(file, _line(node, location), f"{_name(location)} {message}")
        for location, message in cross_checks(data, expected_id)
    ]
    try:
        model = RubricModel.model_validate(data)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=False):
            location = detail["loc"]
            message = _message(detail["type"], location, detail["msg"])
            faults.append(Fault(file, _line(node, location), message))
        return sorted(faults, key=lambda fault: (fault.line or 0, fault.message))
    return faults or model.to_rubric()


def _message(kind: str, location: Location, said: str) -> str:
    name = _name(location)
    if kind == "missing":
        return f"{name} is missing: add it"
    if kind == "extra_forbidden":
        section = str(location[0]) if len(location) > 1 else ""
        return f"{name} is no field here: remove it, or use one of {_FIELDS.get(section, _FIELDS[''])}"
    if kind == "string_type":
        return f"{name} must be text: put it in quotes"
    if kind == "model_type":
        return f"{name} must be a mapping of fields to values"
    return f"{name}: {said}"


def _name(location: Location) -> str:
    """`points[2].weight`, counted from 1 as people count."""
    name = ""
    for step in location:
        name += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if name else str(step)
    return name or "the file"


def _line(node: yaml.Node, location: Location) -> int:
    """The line of the deepest node on the way to a place that may not exist."""
    line: int = node.start_mark.line
    for step in location:
        following: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == str(step):
                    line, following = key.start_mark.line, value
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            following = node.value[step]
            line = following.start_mark.line
        if following is None:
            break
        node = following
    return line + 1


def _node_faults(root: yaml.Node, file: str) -> list[Fault]:
    """Keys given twice, of which YAML keeps the last without a word, and aliases, which can grow without end."""
    faults: list[Fault] = []
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            faults.append(Fault(file, node.start_mark.line + 1, "is used again by an alias: write it out instead"))
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            keys: set[str] = set()
            for key, value in node.value:
                name = str(key.value)
                if name in keys:
                    faults.append(Fault(file, key.start_mark.line + 1, f"'{name}' is given twice: keep one"))
                keys.add(name)
                waiting.extend((key, value))
    return sorted(faults, key=lambda fault: fault.line or 0)
