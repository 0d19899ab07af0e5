"""Whole programs under `gradtape run --explain`: the Nones are TensorFlow's, and each is reported, with cause and line.

In the folder `scripts` the comment ``# HERE cause`` marks the lines; what TensorFlow 2.21 prints stands in ``.out``, by
``python tests/explain/scripts/X.py > tests/explain/scripts/X.out``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gradtape as tf

FOLDER = Path(__file__).parent / "scripts"
HELPERS = ("helper_mod", "harness")
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in HELPERS)
SOURCE = str(Path(tf.__file__).resolve().parents[1])


def marked(name: str) -> set[tuple[str, int, str]]:
    lines = enumerate((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines(), 1)
    found = [(i, re.search(r"# HERE (\w+)$", line)) for i, line in lines]
    return {(f"{name}.py", i, mark.group(1)) for i, mark in found if mark}


def in_other_file(reported: set[tuple[str, int, str]], name: str) -> set[tuple[str, int, str]]:
    return {one for one in reported if one[0] != f"{name}.py"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_reported(name):
    command = [sys.executable, "-m", "gradtape", "run", "--explain", str(FOLDER / f"{name}.py")]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (FOLDER / f"{name}.out").read_text(encoding="utf-8")
    found = re.findall(r"^.*?([^/\\]+\.py):(\d+): gradient is None: (\w+): ", done.stderr, re.MULTILINE)
    reported = {(file, int(line), cause) for file, line, cause in found}
    assert reported - in_other_file(reported, name) == marked(name)
    assert in_other_file(reported, name) <= marked("helper_mod")
    assert "the reason was not found" not in done.stderr
