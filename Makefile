PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.memory37-requirements
JOBS ?= auto
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet
# uv takes half of pip's time. Where it can't be had, or can't reach the packages that pip is set up for, pip does it.
FAST_INSTALL := $(PIP_INSTALL) uv==0.13.9 && $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -r requirements-dev.txt
# What `make test-fast` leaves out: pyproject.toml describes these marks.
SLOW := browser or journey or slow

.PHONY: setup clients demo test test-fast check lint types imports migrations snapshot fmt openapi bench

setup:
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@hash=$$(cat requirements.txt requirements-dev.txt | $(BIN)/python -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'); \
	if [ "$$(cat $(STAMP) 2>/dev/null)" != "$$hash" ]; then \
		echo "Installing what Memory37 needs into $(VENV), about a minute ..."; \
		{ $(FAST_INSTALL) || $(PIP_INSTALL) -r requirements-dev.txt; } && echo "$$hash" > $(STAMP); \
	fi

# The official MCP clients that tests run beside our own: Python 1.x and, where there is Node.js, TypeScript.
clients:
	@[ -x qa/clients/python1/.venv/bin/python ] || $(PYTHON) -m venv qa/clients/python1/.venv
	@qa/clients/python1/.venv/bin/python -m pip install --disable-pip-version-check --quiet -r qa/clients/python1/requirements.txt
	@if command -v npm >/dev/null; then npm ci --prefix qa/clients/typescript --no-audit --no-fund; else echo "No npm: the TypeScript client is left out."; fi

demo: setup
	@$(BIN)/python manage.py demo $(ARGS)

test: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

test-fast: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not ($(SLOW))" $(ARGS)

check: lint imports migrations snapshot types

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

imports: setup
	$(BIN)/lint-imports

migrations: setup
	$(BIN)/python manage.py makemigrations --check --dry-run

snapshot: setup
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file .data/openapi.yaml
	diff -u docs/openapi.yaml .data/openapi.yaml

types: setup
	$(BIN)/mypy

fmt: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

openapi: setup
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml
	$(BIN)/python manage.py mcp_contracts

bench: setup
	$(BIN)/python -m bench all
