"""The HTTP API and the page, over one grader."""
