"""Markscheme grades a free-text answer against a rubric, point by point, with evidence."""

__version__ = "0.1.0"
