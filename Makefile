# A machine needs Python 3.11 or newer, git and make. Everything else is installed into .venv.

PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_ARGS ?=
DATA ?= ../shared

.DEFAULT_GOAL := help
.PHONY: help install serve test check dist figures lock clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

install: $(STAMP) ## Install everything, in the locked versions, into .venv

# The stamp is written last, so an installation that was broken off is begun again.
$(STAMP): pyproject.toml requirements/lock.txt
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer was found. Install one, or give PYTHON=path." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

serve: install ## Build the index and serve on http://127.0.0.1:8000
	$(BIN)/markscheme build
	exec $(BIN)/markscheme serve

test: install ## Check the import contracts, run the tests and measure their coverage
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --cov $(PYTEST_ARGS)

check: install ## Run the linters, the type checker and the checks of rubrics, seeds and index
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/markscheme build
	$(BIN)/markscheme check

dist: install ## Build the wheel and the source distribution into dist/ and check what is in them
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/check-wheel-contents dist

figures: install ## Rebuild docs/quality.md from DATA (bench/ and train/); two hours and a quarter on two busy cores
	$(BIN)/python evaluation/figures.py $(DATA) out/figures

lock: install ## Resolve the dependencies anew and write requirements/
	$(BIN)/python requirements/write_locks.py

clean: ## Remove what was installed and built
	rm -rf $(VENV) dist .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find index -mindepth 1 ! -name README.md -delete
