"""`markscheme build`: rubrics to index."""

from markscheme import bootstrap
from markscheme.cli.start import start
from markscheme.cli.terminal import print_line


def build() -> None:
    """Build the index from the rubrics. The old one serves until the new one is whole."""
    report = bootstrap.build_index(start())
    print_line(
        f"{report.questions:,} questions in the index: {report.embedded:,} embedded, {report.reused:,} unchanged, "
        f"{report.removed:,} removed. {report.path}"
    )
