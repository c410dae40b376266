PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.memory37-requirements
JOBS ?= auto

.PHONY: setup demo test check bench

setup:
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@hash=$$(cat requirements.txt requirements-dev.txt | $(BIN)/python -c 'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'); \
	if [ "$$(cat $(STAMP) 2>/dev/null)" != "$$hash" ]; then \
		echo "Installing what Memory37 needs into $(VENV), a minute or two ..."; \
		$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements-dev.txt && echo "$$hash" > $(STAMP); \
	fi

demo: setup
	@$(BIN)/python manage.py demo $(ARGS)

test: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file .data/openapi.yaml
	diff -u docs/openapi.yaml .data/openapi.yaml

bench: setup
	$(BIN)/python -m bench all
