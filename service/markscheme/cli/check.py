"""`markscheme check`: every fault of rubrics, seeds and index."""

from collections.abc import Iterator

import typer

from markscheme import bootstrap
from markscheme.cli.start import start
from markscheme.cli.terminal import print_line
from markscheme.grading.errors import ContentError, EmbedderError, Fault, UnservableIndexError
from markscheme.grading.rubric import Rubric
from markscheme.settings import Settings


def check() -> None:
    """Check every rubric and seed, the schema, and that the index opens and is fresh. Exit status 1 for any fault."""
    settings = start()
    faults: list[Fault] = []
    rubrics: list[Rubric] | None = None
    try:
        rubrics = bootstrap.rubric_store(settings).load()
    except ContentError as error:
        faults.extend(error.faults)
    faults.extend(_seed_faults(settings))
    faults.extend(_schema_faults(settings))
    faults.extend(_index_faults(settings, rubrics))
    for fault in faults:
        print_line(str(fault))
    if faults:
        print_line(f"{len(faults):,} faults")
        raise typer.Exit(1)
    print_line(f"{len(rubrics or ()):,} rubrics, the seeds and the index are in order")


def _seed_faults(settings: Settings) -> Iterator[Fault]:
    reader = bootstrap.seed_reader(settings)
    for document in bootstrap.rooms(settings).seed_documents():
        try:
            reader.read(document)
        except ContentError as error:
            yield from error.faults


def _schema_faults(settings: Settings) -> Iterator[Fault]:
    rooms = bootstrap.rooms(settings)
    # A home of one's own needs none: it only serves the editors of those who want it.
    if rooms.kind == "home" and not rooms.schema.exists():
        return
    try:
        current = rooms.schema.read_text("utf-8") == bootstrap.rubric_schema()
    except (OSError, UnicodeDecodeError):
        current = False
    if not current:
        yield Fault(str(rooms.schema), None, "is not the schema of this version: generate it again")


def _index_faults(settings: Settings, rubrics: list[Rubric] | None) -> Iterator[Fault]:
    folder = str(bootstrap.rooms(settings).index)
    try:
        built = bootstrap.index(settings, bootstrap.embedder(settings))
    except (UnservableIndexError, EmbedderError) as error:
        yield Fault(folder, None, str(error))
        return
    if rubrics is not None:
        for change in bootstrap.changes_since_build(rubrics, built):
            yield Fault(folder, None, f"{change}. Run `markscheme build`.")
