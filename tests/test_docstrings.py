"""Every example in a docstring prints what it says. `tf` is gradtape and `np` NumPy there."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import gradtape

MODULES = ["gradtape"] + [
    found.name
    for found in pkgutil.walk_packages(gradtape.__path__, "gradtape.")
    if found.name not in ("gradtape.__main__", "gradtape.compat.v2")  # the command; gradtape itself
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report: list[str] = []
    for test in finder.find(module, name, globs={"tf": gradtape, "np": np}):
        if test.examples:
            runner.run(test, out=report.append)
    assert not report, "".join(report)
