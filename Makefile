# Three commands matter: `make play`, `make check` and `make test`. Each sets itself up.

VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
CORES  := $(shell $(PYTHON) -c 'import os; print(os.cpu_count())')
# One more than there are cores: a test with a server or a browser keeps one process after the other busy, seldom two at once.
WORKERS ?= $(shell expr $(CORES) + 1)
TESTS   = $(BIN)/python scripts/run_tests.py
# A file's tests stay on one worker, which starts its servers, browsers and trainings once.
WHOLE   = $(TESTS) -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# Workers of pytest and processes of the tests read compiled bytecode instead of compiling the sources again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install play tools check fast-tests test most-tests classics-tests test-full all-tests lint python-lint web-lint docs lock benchmarks clean

help:
	@echo "make play     play in the browser, at http://127.0.0.1:8000 (sets everything up first)"
	@echo "make check    lint, types and the fast tests; run it while you work"
	@echo "make test     everything CI checks; brings a browser, Node and PostgreSQL by apt if it may"
	@echo "make test-full  the same and the slowest tests; run it before a release"
	@echo "make install  virtual environment and packages; the games are compiled when they are first served"
	@echo "make docs     the documentation site, in site/; \`make play\` then serves it at /docs/"
	@echo "make lint     ruff, mypy, import-linter, Prettier, tsc"
	@echo "make lock     the hashes of what the container installs, for this platform"
	@echo "make benchmarks  every figure of the README beside our peers', and docs/benchmarks.md; hours"
	@echo "make clean    remove the virtual environment and caches"
	@echo
	@echo "In the terminal: $(BIN)/ludex play"

install: $(VENV)/.installed

play: install
	@$(BIN)/ludex serve --open $(if $(wildcard site/index.html),--docs site)

tools:
	@scripts/test_tools

# mypy and tsc keep one core busy for a minute and a half: the tests run beside them.
check:
	@$(MAKE) --no-print-directory --jobs 3 --output-sync fast-tests python-lint web-lint

fast-tests: $(VENV)/.developed $(VENV)/.compiled node_modules/.package-lock.json
	$(TESTS) -q -n $(CORES) --dist worksteal -m "not slow and not full"

test: tools
	@$(MAKE) --no-print-directory --jobs 3 most-tests classics-tests

most-tests: $(VENV)/.compiled $(VENV)/.collected node_modules/.package-lock.json
	$(WHOLE) -m "not full"

# Beside the others, once lint has left its core to them: the files that end last leave cores idle.
classics-tests: python-lint web-lint $(VENV)/.compiled node_modules/.package-lock.json
	$(TESTS) -q packages/classics/tests

test-full: tools
	@$(MAKE) --no-print-directory --jobs 3 all-tests classics-tests

all-tests: $(VENV)/.compiled $(VENV)/.collected node_modules/.package-lock.json
	$(WHOLE)

lint: python-lint web-lint

python-lint: $(VENV)/.developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

web-lint: $(VENV)/.developed node_modules/.package-lock.json
	npm run --silent formatted
	npm run --silent check
	PATH="$(abspath $(BIN)):$$PATH" npm run --silent fresh

docs: install
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

lock:
	$(PYTHON) scripts/lock.py deploy/build.lock hatchling
	$(PYTHON) scripts/lock.py deploy/requirements.lock '.[postgres]'

benchmarks: $(VENV)/.developed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[peers,train,cluster]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps minesweeper-env-rl==0.9.0
	$(BIN)/python -m benchmarks run

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The pip that comes with Python takes half a minute longer to read what 150 packages offer.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Ludex needs Python 3.11 or newer; set PYTHON=python3.x"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "cannot make a virtual environment: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --upgrade pip

# Of 18,000 modules of all packages a few thousand are imported: compiling the others would take a minute of one core.
$(VENV)/.installed: $(VENV)/bin/python pyproject.toml packages/classics/pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e . -e packages/classics
	@touch $@

# Ludex is installed and stays as it is: its kernels compile while these are downloaded.
$(VENV)/.developed: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt 'ludex[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt --no-deps openenv
	@touch $@

# Apart from the installation, so that lint and types are checked while one game is still being compiled.
$(VENV)/.compiled: $(VENV)/.installed
	$(BIN)/ludex warmup --all
	@touch $@

# Once, while kernels compile: else every worker of pytest would rewrite the assertions of the same 500 files at once.
# What cannot be collected is an error of the tests, which say more about it.
$(VENV)/.collected: $(VENV)/.developed
	-@$(BIN)/python -m pytest --collect-only -q >/dev/null
	@touch $@

# npm writes this file last.
node_modules/.package-lock.json: package.json package-lock.json
	@npm ci --silent --no-audit --no-fund
	@touch $@
