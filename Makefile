# `make demo` and `make test` do all the set-up on a machine that has Python (3.11 to 3.14), pip and make.

VENV := .venv
BIN := $(VENV)/bin
# The first Python that is new enough; `make PYTHON=...` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' >/dev/null 2>&1 \
	&& echo "$$p" && break; done)
# What an installed package is built of, but for its Python files, which are used where they are.
PACKAGE := pyproject.toml setup.py $(wildcard src/gradtape/_src/native/*.[ch])
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test test-slow lint format clean

# Run the programs of examples/ and show what they print.
demo: $(VENV)/demo-ready
	@for program in examples/guide/*.py examples/question/*.py; do \
		echo "\$$ gradtape run $$program"; \
		$(BIN)/gradtape run "$$program" || exit 1; \
		echo; \
	done

# The tests, on all cores.
test: $(VENV)/test-ready
	$(BIN)/python -m pytest -n auto -m "not slow"

# Those that take minutes: a thousand programs with control flow, in every mode.
test-slow: $(VENV)/test-ready
	$(BIN)/python -m pytest -n auto -m slow

# Style, formatting and types.
lint: $(VENV)/dev-ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright

format: $(VENV)/dev-ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV)

# Some systems ship Python without ensurepip; there the pip they do have installs one into the environment.
$(BIN)/pip:
	@test -n "$(PYTHON)" || { echo "No Python from 3.11 to 3.14 found: install one, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "Creating $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
		$(PYTHON) -m venv --clear --without-pip $(VENV) \
		&& $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }

$(VENV)/demo-ready: $(PACKAGE) | $(BIN)/pip
	@echo "Installing gradtape into $(VENV)"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/test-ready: $(PACKAGE) | $(BIN)/pip
	@echo "Installing gradtape and its test tools into $(VENV)"
	@$(PIP) install --editable ".[test]"
	@touch $@

$(VENV)/dev-ready: $(PACKAGE) | $(BIN)/pip
	@echo "Installing gradtape and its development tools into $(VENV)"
	@$(PIP) install --editable ".[dev]"
	@touch $@
