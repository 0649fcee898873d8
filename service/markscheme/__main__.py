"""`python -m markscheme` and the `markscheme` command."""

import os
import signal
import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line. Ctrl-C ends it with exit status 130, from the first import on."""
    # The matrices here are small: more threads only wait for each other, at twice the processor time. numpy reads this
    # when it is first imported, so everything else has to come after.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        # Whoever started this may want Ctrl-C ignored.
        heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if heeds:
            signal.signal(signal.SIGINT, _leave_at_once)
        from markscheme.cli.app import app  # noqa: PLC0415 - see above

        if heeds:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        app()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _leave_at_once(*_: object) -> None:
    """Leave while nothing was begun that wants an end: an import can swallow an exception, or tell it on stderr."""
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
