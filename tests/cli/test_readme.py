"""The README's example prints what the README says."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_prints_what_the_readme_says(launcher):
    text = README.read_text(encoding="utf-8")
    example = re.search(r"```python\n(?P<program>.*?)```.*?```text\n(?P<printed>.*?)```", text, re.DOTALL)
    assert example is not None
    done = launcher.program(example["program"])
    assert (done.stderr, done.stdout) == ("", example["printed"])
