"""Calibrations as JSON files, and the one that ships with the package."""
