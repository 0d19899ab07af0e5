"""The scripts of ``tests/golden``, which made the stored answers and know the programs that were answered."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent / "golden"


def script(name: str) -> Any:
    """A script as a module; ``tests/golden`` is no package."""
    spec = importlib.util.spec_from_file_location(name, GOLDEN / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
