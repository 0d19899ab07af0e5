"""Writes tensors.json: what TensorFlow 2.21 answers to the lines of tensors.txt, for tests/api to compare
with.

Run it with a Python that has TensorFlow: `python tests/golden/make_tensors.py`. The tests read the JSON and
use `answers` of this file; they import no TensorFlow. The lines of a section share their names and are
executed in order.
"""

from __future__ import annotations

import ast
import collections
import copy
import datetime
import decimal
import enum
import fractions
import json
import math
import operator
import pathlib
import pickle
import warnings
from typing import Any

import numpy as np

TEXTS = pathlib.Path(__file__).with_name("tensors.txt")
PATH = pathlib.Path(__file__).with_name("tensors.json")

MODULES = (collections, copy, datetime, decimal, enum, fractions, math, operator, pickle)


def sections() -> dict[str, list[str]]:
    """The lines of tensors.txt by section."""
    found: dict[str, list[str]] = {}
    for line in TEXTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found[line[2:]] = current = []
        elif line:
            current.append(line)
    return found


def answers(lines: list[str], tf: Any) -> list[list[str]]:
    """What each line gives: the text of its last expression, or the type and message of its exception."""
    names = {"tf": tf, "np": np, **{module.__name__: module for module in MODULES}}
    return [_answer(line, names) for line in lines]


def _answer(line: str, names: dict[str, Any]) -> list[str]:
    *statements, last = ast.parse(line).body
    if not isinstance(last, ast.Expr):
        statements, last = [*statements, last], ast.Expr(ast.Constant(None))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(ast.Module(statements, []), "<line>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<line>", "eval"), names)
        return ["gives", repr(value)]
    except Exception as error:
        return ["raises", type(error).__name__, str(error)]


def disagreements(section: str, tf: Any, prefix: int = 40) -> dict[str, str]:
    """The lines where gradtape's answers are not TensorFlow's, with both answers.

    Of an exception's message the first `prefix` characters count.
    """
    golden = json.loads(PATH.read_text(encoding="utf-8"))[section]
    out = {}
    for line, wanted, found in zip(
        sections()[section], golden, answers(sections()[section], tf), strict=True
    ):
        if wanted[0] == found[0] == "raises":
            same = found[1] == wanted[1] and found[2].startswith(wanted[2][:prefix])
        else:
            same = found == wanted
        if not same:
            out[line] = f"{line}\n    TensorFlow: {wanted}\n    gradtape:   {found}"
    return out


def _without_places(found: list[str]) -> list[str]:
    """Messages without the names of modules, nodes and devices."""
    if found[0] == "raises":
        found[2] = found[2].replace("tensorflow.python.framework.ops.EagerTensor", "EagerTensor")
        start, brackets, rest = found[2].partition("}} ")
        found[2] = (rest if brackets and start.startswith("{{") else found[2]).split("\n")[0][:200]
    return found


def main() -> None:
    import tensorflow as tf

    golden: dict[str, Any] = {"tensorflow": tf.__version__}
    for section, lines in sections().items():
        golden[section] = list(map(_without_places, answers(lines, tf)))
    PATH.write_text(json.dumps(golden, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
