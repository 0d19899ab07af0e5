"""Programs of tests/explain/programs: each of their functions gives an explanation with the cause that is the name of
its file, and the line that is marked HERE."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import gradtape as tf

FOLDER = Path(__file__).parent / "programs"
CAUSES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def programs():
    for cause in CAUSES:
        module = importlib.import_module(f"explain.programs.{cause}")
        for name, value in vars(module).items():
            if (
                inspect.isfunction(value)
                and value.__module__ == module.__name__
                and not value.__name__.startswith("only")
            ):
                yield pytest.param(cause, value, id=f"{cause}-{name}")


@pytest.fixture
def explanations():
    tf.debugging.enable_explanations()
    yield
    tf.debugging.disable_explanations()


@pytest.mark.parametrize(("cause", "program"), list(programs()))
def test_cause_and_line(cause, program, explanations):
    why = program()
    program = inspect.unwrap(program)
    lines, first = inspect.getsourcelines(program)
    expected = next(first + i for i, line in enumerate(lines) if line.rstrip().endswith("# HERE"))
    assert (why.cause, why.line, why.file) == (cause, expected, program.__code__.co_filename), why
    assert why.text and why.message and why.fix and "{" not in why.message + why.fix
