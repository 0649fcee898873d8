"""How far a batch is, told on stderr while somebody watches."""

import sys
import time

import typer

_SECONDS_BETWEEN = 0.2


class Progress:
    """Counts rows and shows count and rate on one line that is written over; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self.graded = 0
        self.failed = 0
        self._started = self._shown = time.monotonic()
        self._watched = sys.stderr.isatty()

    def count(self, *, graded: bool) -> None:
        """Count one row."""
        self.graded += graded
        self.failed += not graded
        now = time.monotonic()
        if self._watched and now - self._shown >= _SECONDS_BETWEEN:
            self._shown = now
            typer.echo(f"\r{self.summary()}", err=True, nl=False)

    def close(self) -> None:
        """Leave the last figures in sight. Where nobody watched, speak only of failed lines."""
        if self._watched:
            typer.echo(f"\r{self.summary()}", err=True)
        elif self.failed:
            typer.echo(self.summary(), err=True)

    def summary(self) -> str:
        """Figures in words."""
        elapsed = max(time.monotonic() - self._started, 1e-9)
        rate = (self.graded + self.failed) / elapsed
        return f"{self.graded:,} graded, {self.failed:,} failed, {rate:,.1f} a second"
