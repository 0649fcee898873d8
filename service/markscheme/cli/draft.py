"""`markscheme draft`: seed documents to rubrics."""

from pathlib import Path
from typing import Annotated

import typer

from markscheme import bootstrap
from markscheme.cli.start import start
from markscheme.cli.terminal import print_line
from markscheme.grading.errors import InputError
from markscheme.pipeline.draft import DraftOutcome

_SAID = {
    "drafted": "drafted",
    "redrafted": "drafted anew",
    "unchanged": "unchanged",
    "kept_reviewed": "kept, it was reviewed",
    "kept_edited": "kept, it was edited",
}


def draft(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATHS]...", help="Documents or folders; without any: seeds.")
    ] = None,
) -> None:
    """Propose rubrics for the questions of source documents. What a person edited or reviewed is never overwritten."""
    settings = start()
    rooms = bootstrap.rooms(settings)
    documents = rooms.seed_documents(paths or ())
    if not documents:
        places = ", ".join(map(str, paths or [rooms.seeds]))
        message = f"There is no document in {places}. Name files or folders that hold .md or .txt files."
        raise InputError(message)
    report = bootstrap.draft_rubrics(settings, documents)
    for outcome in report.outcomes:
        _print(outcome)
    written = report.count("drafted") + report.count("redrafted")
    print_line(f"{written:,} of {len(report.outcomes):,} rubrics written to {rooms.rubrics}")


def _print(outcome: DraftOutcome) -> None:
    print_line(f"{outcome.id}: {_SAID[outcome.action]}, {outcome.points} points")
    if change := outcome.source_changed:
        print_line("    its sample answer was changed since it was drafted")
        for text in change.added:
            print_line(f"    + {text}")
        for text in change.removed:
            print_line(f"    - {text}")
