"""What becomes of errors: a line on stderr and an exit status, never a traceback for what was to be expected."""

import sys
from collections.abc import Callable
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
            place = error.filename or "standard input or output"
            print_error("os_error", f"{error.strerror or error}: {place}")
            raise typer.Exit(FAILED) from None

    return run
