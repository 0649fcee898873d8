"""What becomes of errors: a line on stderr and an exit status, never a traceback for what was to be expected."""

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec

import typer

from markscheme.cli.terminal import print_error
from markscheme.grading.errors import InputError, MarkschemeError, SettingsError

FAILED = 1
WRONG_USE = 2

P = ParamSpec("P")


def reported(command: Callable[P, None]) -> Callable[P, None]:
    """Give a command its exit status: 2 for a wrong request or setting, 1 for what failed.

    Typer sees to the rest: 2 for wrong options, 130 for Ctrl-C, silence for a closed pipe.
    """

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        if sys.stdout is None:
            _stand_in_for_stdout()
        try:
            command(*args, **kwargs)
            # Here a closed pipe is still told apart from a failure; at interpreter exit it would print a warning.
            sys.stdout.flush()
        except MarkschemeError as error:
            print_error(error.code, str(error))
            for other in error.others if isinstance(error, InputError) else ():
                print_error(other.code, str(other))
            raise typer.Exit(WRONG_USE if isinstance(error, InputError | SettingsError) else FAILED) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            _give_up_unwritten()
            place = error.filename or "standard input or output"
            message = f"{error.strerror or error}: {place}"
            if error.errno == errno.EBADF and not error.filename:
                message = "Standard output is closed. Open it, or send it to a file."
            print_error("os_error", message)
            raise typer.Exit(FAILED) from None

    return run


def _stand_in_for_stdout() -> None:
    """Make writing to a closed standard output fail; Python gives None for it, which swallows or raises at random."""
    # A descriptor that is open for reading only refuses what is written, and what writes nothing never meets it.
    sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: PTH123, SIM115 - a descriptor


def _give_up_unwritten() -> None:
    """Drop what standard output did not take: at interpreter exit it would be tried again, with a traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        # An output that a test or a program put in its place has no descriptor.
        with suppress(OSError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - no path of ours
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
