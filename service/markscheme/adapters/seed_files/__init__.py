"""Seed documents: scraped question pages, and the project's own Markdown."""

from markscheme.adapters.seed_files.reader import SeedFiles

__all__ = ["SeedFiles"]
