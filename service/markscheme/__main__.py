"""`python -m markscheme` and the `markscheme` command."""

import os


def main() -> None:
    """Run the command line."""
    # The matrices here are small: more threads only wait for each other, at twice the processor time. numpy reads this
    # when it is first imported, so everything else has to come after.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from markscheme.cli.app import app  # noqa: PLC0415 - see above

    app()


if __name__ == "__main__":
    main()
