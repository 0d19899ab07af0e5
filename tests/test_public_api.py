"""The public names and signatures are those of tests/data/public_api.txt.

A change to the public surface shows in that file, where a reviewer sees it. After an intended change:

    python tests/test_public_api.py --write
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gradtape

SNAPSHOT = Path(__file__).parent / "data" / "public_api.txt"


def modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name.split(".")[-1].startswith("_"):
            continue
        module = importlib.import_module(found.name)
        if module.__name__ == found.name:  # `gradtape.compat.v2` is gradtape
            yield from modules(module) if found.ispkg else [module]


def signature(value: Any) -> str:
    """Parameters and their defaults; annotations and the default's address would differ without a change."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return "(...)"
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty, default=Default(parameter.default))
        if parameter.default is not inspect.Parameter.empty
        else parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in parameters
    ]
    return str(inspect.Signature(plain))


class Default:
    """A default value, shown the same on every Python and in every process."""

    def __init__(self, value: Any):
        self.value = value

    def __repr__(self) -> str:
        plain = self.value is None or isinstance(self.value, (bool, int, float, str, tuple))
        return repr(self.value) if plain else f"<{type(self.value).__name__}>"


def described(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, type):
        yield f"class {name}{signature(value)}"
        for member in sorted(vars(value)):
            if not member.startswith("_") and hasattr(value, member):  # some only say that they are not there
                inner = inspect.getattr_static(value, member)
                called = getattr(inner, "__func__", inner)
                shown = signature(called) if callable(called) else f": {type(inner).__name__}"
                yield f"  {name}.{member}{shown}"
    elif callable(value):
        yield f"{name}{signature(value)}"
    else:
        yield f"{name}: {type(value).__name__}"


def public_api() -> str:
    lines = []
    for module in modules(gradtape):
        lines += ["", f"[{module.__name__}]"]
        for name in sorted(vars(module)):
            value = vars(module)[name]
            if not name.startswith("_") and not isinstance(value, ModuleType):
                lines += described(name, value)
    return "\n".join(lines[1:]) + "\n"


def test_public_api_is_the_one_on_record():
    recorded = SNAPSHOT.read_text(encoding="utf-8").splitlines()
    # In a process of its own: names that other tests have looked up in passing would count here.
    run = subprocess.run(
        [sys.executable, __file__, "--print"], capture_output=True, encoding="utf-8", check=True
    )
    now = run.stdout.splitlines()
    gone, new = sorted(set(recorded) - set(now)), sorted(set(now) - set(recorded))
    assert (gone, new) == ([], []), (
        "the public names or signatures changed; if that is intended: python tests/test_public_api.py --write"
    )
    assert recorded == now


@pytest.mark.parametrize("module", list(modules(gradtape)), ids=lambda module: module.__name__)
def test_every_public_module_explains_a_missing_name(module: ModuleType):
    assert "__getattr__" in vars(module), (
        f"{module.__name__} should end with `__getattr__ = _missing(__name__, globals())`: CONTRIBUTING.md"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        SNAPSHOT.write_text(public_api(), encoding="utf-8")
    else:
        sys.stdout.buffer.write(public_api().encode())
