# Every target sets up what it needs. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)
PACKAGES := hopsight curation refine training evaluation assets pipelines

.PHONY: help demo dev test test-services verify bench lint types imports lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# A stamp per lock: installing again happens when a lock or the project file changes.
$(VENV)/.app: pyproject.toml locks/app.txt
	@echo "Installing into $(VENV) (once; about two minutes) ..."
ifdef UV
	@test -x $(BIN)/python || uv venv -q --python ">=3.11,<3.13" $(VENV)
	@uv pip install -q --python $(BIN)/python -r locks/app.txt
	@uv pip install -q --python $(BIN)/python --no-deps -e .
else
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 13) else \
	  "Python 3.11 or 3.12 is needed, this is %d.%d - set PYTHON=python3.12 or install uv" \
	  % sys.version_info[:2])'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r locks/app.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
endif
	@touch $@

$(VENV)/.dev: $(VENV)/.app locks/dev.txt
	@echo "Installing the developer's tools ..."
ifdef UV
	@uv pip install -q --python $(BIN)/python -r locks/dev.txt
else
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r locks/dev.txt
endif
	@touch $@

demo: $(VENV)/.app  ## the whole loop on the mini world: no key, no GPU, no network
	@$(BIN)/hopsight demo

dev: $(VENV)/.app  ## open the Dagster UI
	@$(BIN)/hopsight dev

test: $(VENV)/.dev  ## the test suite (about ten minutes on two cores)
	@$(BIN)/pytest -n 2

test-services: $(VENV)/.dev  ## what needs a browser or a package from outside
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash tests/services/run

verify: $(VENV)/.dev  ## hours: kills, soak, long benchmarks; writes benchmarks/RESULTS.md
	@$(BIN)/python -m pip install -q --disable-pip-version-check -r locks/services.txt
	@HOPSIGHT_TEST_MODEL="$$($(BIN)/python tests/services/fetch_model.py .services/model)" \
	  $(BIN)/python -m benchmarks.verify

bench: $(VENV)/.dev  ## one benchmark, into benchmarks/RESULTS.md: make bench NAME=rollouts
	@test -n "$(NAME)" || { echo "Name one: make bench NAME=..., of: $$(ls benchmarks | \
	  sed -n 's/^bench_\(.*\)\.py/\1/p' | xargs)"; exit 2; }
	@$(BIN)/python -m benchmarks.verify --only bench_$(NAME)

lint: $(VENV)/.dev  ## ruff
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(VENV)/.dev  ## mypy, strict
	@$(BIN)/mypy $(PACKAGES) examples tests benchmarks

imports: $(VENV)/.dev  ## the import contract
	@$(BIN)/lint-imports

lock:  ## resolve the locks anew (needs uv)
	@for extra in app sft rl; do \
	  uv pip compile -q --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	    --no-emit-find-links pyproject.toml --extra $$extra -o locks/$$extra.txt; done
	@uv pip compile -q --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	  --no-emit-find-links pyproject.toml --extra app --group dev -c locks/app.txt \
	  -o locks/dev.txt
	@uv pip compile -q --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	  --no-emit-find-links --group services -c locks/app.txt -o locks/services.txt

clean:  ## remove what was built and made (data/ included)
	@rm -rf data storage history schedules logs .logs_queue .nux .telemetry
