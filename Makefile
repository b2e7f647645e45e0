# Everything is set up by itself on a machine that has only Python 3.11+, make and a package index:
#   make demo    citations from the shipped lists, in demo/
#   make test    the whole test suite
#   make check   style and types
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check clean

demo: $(STAMP)
	@$(BIN)/python -m bibtools.data.demo demo

test: $(STAMP)
	$(BIN)/python -m pytest -n auto -q

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(STAMP): pyproject.toml setup.cfg
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "bibtools needs Python 3.11 or newer: make PYTHON=python3.x")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) demo build dist man *.egg-info
