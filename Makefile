# Everything here needs python3 (3.11 or newer) and make, nothing else: the tools live
# in .venv, which is made again whenever pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Errors only: pip warns about every index of a machine's own configuration.
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq install

.PHONY: help demo test soak agents check bench coverage docs clean

help:
	@echo 'make demo      a tour of what metier does'
	@echo 'make test      the test suite (ARGS="-k name" to choose)'
	@echo 'make soak      attacks, races and edits at full size, for minutes'
	@echo 'make agents    record the agents anew (ARGS="NAME NAME@VERSION" to choose; npm, Linux)'
	@echo 'make check     ruff, pyright, the import contracts'
	@echo 'make coverage  the suite again, with every branch of the core required'
	@echo 'make bench     the speed table (ARGS=--quick for a short one)'
	@echo 'make docs      write the generated parts of the documents again'
	@echo 'make clean     remove what the others made'

demo: $(VENV)/.base
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/.dev
	@# Two at a time: the budgets have room for a neighbour, not for many.
	@$(BIN)/python -m pytest --numprocesses 2 --dist worksteal $(ARGS)

soak: $(VENV)/.dev
	@$(BIN)/python -m pytest tests/soak $(ARGS)

agents: $(VENV)/.dev
	@$(BIN)/python -m tests.conformance.recording $(ARGS)

check: $(VENV)/.dev
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright --pythonpath $(BIN)/python
	@$(BIN)/lint-imports --no-cache --no-logo

coverage: $(VENV)/.dev
	@# Not the budgets: what is counted line by line is slower than what is not.
	@$(BIN)/coverage run -m pytest -q --ignore tests/perf $(ARGS)
	@$(BIN)/coverage report

bench: $(VENV)/.base
	@$(BIN)/python -m bench.speed $(ARGS)

docs: $(VENV)/.dev
	@$(BIN)/python -m tests.conformance.agreement
	@$(BIN)/cog -r -I . README.md $(wildcard docs/*.md)
	@$(BIN)/python -m tests.docs.blocks README.md $(wildcard docs/*.md)

clean:
	@rm -rf $(VENV) build dist .coverage .hypothesis .pytest_cache .ruff_cache \
		.benchmarks .import_linter_cache
	@find src tests bench examples -name __pycache__ -type d -prune -exec rm -rf {} +

# A user's install: metier and its two dependencies.
$(VENV)/.base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo >&2 "metier needs Python 3.11 or newer, and $(PYTHON) is" \
			"$$($(PYTHON) --version 2>&1); name another: make PYTHON=python3.13"; \
		exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --editable .
	@# What an install compiles, an editable one leaves to the first start of each.
	@$(BIN)/python -m compileall -q src
	@touch $@

# Not `pip install --group`: the pip that comes with Python 3.11 does not know it.
$(VENV)/.dev: $(VENV)/.base
	@$(BIN)/python -c 'import tomllib; \
		groups = tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]; \
		print(*groups["dev"], sep="\n")' > $(VENV)/dev.txt
	@$(PIP) --requirement $(VENV)/dev.txt
	@touch $@
