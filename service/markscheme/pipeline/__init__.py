"""One module an arrow: draft (seeds to rubrics), build (rubrics to index), grade (index to a grade)."""
