"""`markscheme batch`: a file of answers."""

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from markscheme import bootstrap
from markscheme.adapters.wire import Limits, check_profile, error_json, grade_json, parse_line
from markscheme.cli.batch_lines import Line, numbered_lines
from markscheme.cli.batch_progress import Progress
from markscheme.cli.batch_rows import FileRows, Origin, StreamRows, open_rows, rows_files
from markscheme.cli.inputs import STANDARD, can_be_read_again, is_same_file, open_bytes, sha256
from markscheme.cli.start import start
from markscheme.cli.terminal import print_note
from markscheme.grading.errors import (
    InputError,
    MalformedJsonError,
    MarkschemeError,
    UnknownProfileError,
    UnservableIndexError,
    UnusableProfileError,
)
from markscheme.pipeline.grade import Grader
from markscheme.pipeline.request import GradeRequest
from markscheme.settings import Settings

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the options ask of every line; a line's own `profile` goes before theirs."""

    profile: str | None
    explain: bool

    def of(self, request: GradeRequest) -> GradeRequest:
        return replace(request, profile=request.profile or self.profile, explain=request.explain or self.explain)

    def origin(self) -> dict[str, object]:
        """What was asked, and nothing of what was not: rows of a run without options have none."""
        return {name: value for name, value in asdict(self).items() if value}


def batch(
    source: Annotated[str, typer.Argument(metavar="IN", help="JSON lines, an answer each; - reads standard input.")],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="JSON lines, a grade or an error each; - writes standard output.")
    ],
    *,
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Mark as this calibration profile was taught to, where a line names none."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say of every point why it was decided so.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on after the rows of a run that was stopped.")] = False,
) -> None:
    """Grade a file of answers. A line that cannot be graded gives an error line, and exit status 1 at the end."""
    settings = start()
    asked = _Asked(None if profile is None else check_profile(profile), explain)
    progress = Progress()
    _refuse_resuming_a_stream(source, resume=resume)
    with open_bytes(source) as stream:
        _refuse_one_file_for_both(stream, target)
        grader = bootstrap.grader(settings)
        origin = None
        if can_be_read_again(source):
            origin = Origin(sha256(stream), asdict(grader.versions), asked.origin())
        with open_rows(target, origin, resume=resume) as rows:
            lines = islice(numbered_lines(stream, settings.max_body_bytes), rows.done, None)
            try:
                _write_rows(partial(_row, grader, asked, settings), lines, rows, progress)
                rows.finish()
            except BrokenPipeError:
                raise
            except BaseException:
                way_on = " The same command with --resume goes on after them." if rows.resumable else ""
                print_note(f"Stopped. {rows.done:,} finished rows are in {rows.place}.{way_on}")
                raise
            finally:
                progress.close()
    if progress.failed:
        raise typer.Exit(1)


def _refuse_resuming_a_stream(source: str, *, resume: bool) -> None:
    if resume and (source == STANDARD or Path(source).exists()) and not can_be_read_again(source):
        name = "Standard input" if source == STANDARD else source
        message = (
            f"{name} cannot be read again from its start, so --resume cannot go on in it. Save the answers in a file."
        )
        raise InputError(message)


def _refuse_one_file_for_both(stream: BinaryIO, target: str) -> None:
    # A folder is refused where the rows are opened.
    for path in () if target == STANDARD or Path(target).is_dir() else rows_files(Path(target)):
        if is_same_file(stream, path):
            message = f"IN is {path}, which the run would write over. Name another OUT."
            raise InputError(message)


def _write_rows(
    row_of: Callable[[Line], tuple[dict[str, object], bool]],
    lines: Iterable[Line],
    rows: FileRows | StreamRows,
    progress: Progress,
) -> None:
    for line in lines:
        row, graded = row_of(line)
        rows.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        progress.count(graded=graded)


def _row(grader: Grader, asked: _Asked, settings: Settings, line: Line) -> tuple[dict[str, object], bool]:
    answer_id = own_profile = None
    try:
        request = parse_line(_content(line, settings), Limits(max_answer_chars=settings.max_answer_chars))
        answer_id, own_profile = request.id, request.profile
        request = asked.of(request)
        return grade_json(grader.grade(request), explain=request.explain), True
    except UnservableIndexError:
        # Not this line's fault: every other line would fail alike.
        raise
    except (UnknownProfileError, UnusableProfileError) as error:
        if own_profile is None:
            raise
        told = error_json(error, answer_id)
    except MarkschemeError as error:
        told = error_json(error, answer_id)
    except Exception:  # noqa: BLE001 - a defect that one answer brings to light must not cost the thousands after it
        _LOG.exception("Line %d could not be graded", line.number)
        told = error_json(MarkschemeError("The grader failed on this line; the log says why."), answer_id)
    return {"id": told.pop("id"), "line": line.number, **told}, False


def _content(line: Line, settings: Settings) -> bytes:
    if line.content is None:
        limit = settings.max_body_bytes
        message = f"The line is longer than {limit:,} bytes. Shorten it, or raise MARKSCHEME_MAX_BODY_BYTES."
        raise InputError(message)
    if not line.content:
        message = "The line is empty."
        raise MalformedJsonError(message)
    return line.content
