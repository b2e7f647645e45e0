# The project's two commands for a machine that has only Python 3.11+, make and a package index.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: demo test check clean

demo: $(STAMP)  ## citations from the shipped lists, in demo/
	$(VENV)/bin/python -m bibtools.data.demo demo

test: $(STAMP)  ## the whole test suite
	$(VENV)/bin/python -m pytest -n auto -q

check: $(STAMP)  ## style and types
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade pip
	$(VENV)/bin/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) demo build dist man *.egg-info
