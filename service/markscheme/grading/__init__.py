"""The pure core: rubric, text, segments, coverage, score, grade. Standard library and numpy only."""
