"""The programs of examples/guide and examples/question print what their authors show, to the character.

Beside each program stand its standard output (`.out`) and, where there is any, its standard error (`.err`).
The guide's page folds runs of spaces: NumPy prints `[  4. 108.]` where the page shows `[ 4. 108.]`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted([*EXAMPLES.glob("guide/*.py"), *EXAMPLES.glob("question/*.py")])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_prints_what_is_shown(launcher, program: Path):
    done = launcher.run(str(program))
    errors = program.with_suffix(".err")
    assert done.stderr == (errors.read_text(encoding="utf-8") if errors.exists() else "")
    assert done.stdout == program.with_suffix(".out").read_text(encoding="utf-8")
    assert done.returncode == 0


def test_there_are_programs():
    assert len(PROGRAMS) >= 11
