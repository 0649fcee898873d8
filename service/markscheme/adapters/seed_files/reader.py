"""Reads a seed document of either kind."""

from pathlib import Path

from markscheme.adapters.seed_files.found import Found
from markscheme.adapters.seed_files.markdown import read_markdown
from markscheme.adapters.seed_files.pages import read_page
from markscheme.grading.errors import ContentError, Fault
from markscheme.pipeline.ports import SeedQuestion, SeedReader


class SeedFiles(SeedReader):
    """Files of UTF-8 text. Markdown ends in .md or begins with a `# ` heading; the rest are scraped pages."""

    def __init__(self, home: Path | None = None) -> None:
        """Documents under `home` are named by their way from there, others by their file name alone."""
        self._home = home

    def read(self, path: Path) -> list[SeedQuestion]:
        """Every question of one document, in its order; sample answers are word for word.

        Raises:
            ContentError: with every fault of the document.
        """
        file = str(path)
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise ContentError([Fault(file, None, f"cannot be read: {error.strerror}")]) from error
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise ContentError([Fault(file, line, "is not UTF-8: save it in that encoding")]) from error
        if not text.strip():
            raise ContentError([Fault(file, 1, "is empty: a seed document has a topic and questions")])
        found = Found(file)
        markdown = path.suffix == ".md" or text.lstrip().startswith("# ")
        (read_markdown if markdown else read_page)(text, self._document(path), found)
        if found.faults:
            raise ContentError(sorted(found.faults, key=lambda fault: fault.line or 0))
        return found.questions

    def _document(self, path: Path) -> str:
        if self._home is not None and path.resolve().is_relative_to(self._home.resolve()):
            return path.resolve().relative_to(self._home.resolve()).as_posix()
        return path.name
