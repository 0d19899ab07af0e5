"""Writes graphs.json: what TensorFlow 2.21 answers to the lines of graphs.txt, for tests/compat_v1 to compare with.

Run it with a Python that has TensorFlow: `python tests/golden/make_graphs.py`. The tests import no TensorFlow.
"""

from __future__ import annotations

import json
import pathlib
import re
import sys
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from golden import make_tensors

TEXTS = pathlib.Path(__file__).with_name("graphs.txt")
PATH = pathlib.Path(__file__).with_name("graphs.json")


def sections() -> dict[str, list[str]]:
    """The lines of graphs.txt by section."""
    found: dict[str, list[str]] = {}
    for line in TEXTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found[line[2:]] = current = []
        elif line:
            current.append(line)
    return found


def answers(lines: list[str], tf: Any) -> list[list[str]]:
    """What the lines give, without addresses and with one name for each kind of array."""
    return [[re.sub(r" at 0x\w+", "", part) for part in one] for one in make_tensors.answers(lines, tf)]


def disagreements(section: str, tf: Any, prefix: int = 30) -> dict[str, str]:
    """The lines where gradtape's answers are not TensorFlow's; of a message the first ``prefix`` characters count."""
    golden = json.loads(PATH.read_text(encoding="utf-8"))[section]
    lines = sections()[section]
    out = {}
    for line, wanted, found in zip(lines, golden, answers(lines, tf), strict=True):
        if wanted[0] == found[0] == "raises":
            same = found[1] == wanted[1] and found[2].startswith(wanted[2][:prefix])
        else:
            same = found == wanted
        if not same:
            out[line] = f"{line}\n    TensorFlow: {wanted}\n    gradtape:   {found}"
    return out


def _first_line(text: str, kind: str) -> str:
    """Of a message: what follows in TensorFlow are stack traces."""
    return text.split("\n")[0][:300] if kind == "raises" else text


def main() -> None:
    import tensorflow as tf

    golden: dict[str, Any] = {"tensorflow": tf.__version__}
    for section, lines in sections().items():
        golden[section] = [
            [kind, *texts[:-1], _first_line(texts[-1], kind)] for kind, *texts in answers(lines, tf)
        ]
    PATH.write_text(json.dumps(golden, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
