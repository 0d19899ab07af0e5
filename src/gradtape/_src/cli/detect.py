"""Whether a script was written for TensorFlow 1.

It was if it uses, of a name bound to `tensorflow`, an attribute that only TensorFlow 1 has: under
TensorFlow 2 the script would stop there. Uses behind a test of the version, of an attribute's presence or
of eager mode do not count, since such a script has made its own arrangements; nor do uses of a name that is
also bound otherwise (`tf = tf.compat.v1`). Rests on `v1_names`.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Set
from typing import NamedTuple

from gradtape._src.cli.v1_names import NESTED, TOP

# Names in a condition that show that the script asks where it runs, and errors that it catches to find out.
_PROBES = frozenset({"__version__", "VERSION", "executing_eagerly", "hasattr", "getattr"})
_ERRORS = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError"})


class Evidence(NamedTuple):
    name: str
    line: int


def tensorflow1(source: bytes) -> Evidence | None:
    """The first use of a TensorFlow 1 name in `source`, or None; None too for what cannot be parsed."""
    if b"tensorflow" not in source:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):  # the script's own come when it is compiled
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):  # running it will say so
        return None
    names = _names_of_tensorflow(tree)
    found = [evidence for node in _unguarded(tree) for evidence in _evidence(node, names)]
    return min(found, key=lambda evidence: evidence.line, default=None)


def _names_of_tensorflow(tree: ast.AST) -> set[str]:
    """Names that mean the module `tensorflow` wherever they stand."""
    meanings: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                bound, meaning = item.asname or item.name.split(".")[0], item.name
                meanings.setdefault(bound, set()).add(meaning if item.asname else bound)
        elif isinstance(node, ast.ImportFrom):
            for item in node.names:
                meanings.setdefault(item.asname or item.name, set()).add(f"{node.module}.{item.name}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            meanings.setdefault(node.id, set()).add("another object")
    return {name for name, meaning in meanings.items() if meaning == {"tensorflow"}}


def _unguarded(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of `tree` outside whatever depends on where the script finds itself."""
    probes = set(_PROBES)
    for node in ast.walk(tree):  # also by way of a variable: `is_tf2 = tf.__version__ >= "2"`
        if isinstance(node, ast.Assign) and _mentions(node.value, _PROBES):
            probes.update(target.id for target in node.targets if isinstance(target, ast.Name))
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If | ast.IfExp):
            guarded = _mentions(node.test, probes)
        elif isinstance(node, ast.BoolOp):
            guarded = _mentions(node, probes)
        elif isinstance(node, ast.Try):
            guarded = any(handler.type and _mentions(handler.type, _ERRORS) for handler in node.handlers)
        else:
            guarded = False
        if not guarded:
            yield node
            todo.extend(ast.iter_child_nodes(node))


def _mentions(node: ast.AST, names: Set[str]) -> bool:
    return any(
        (isinstance(part, ast.Name) and part.id in names)
        or (isinstance(part, ast.Attribute) and part.attr in names)
        for part in ast.walk(node)
    )


def _evidence(node: ast.AST, names: set[str]) -> Iterator[Evidence]:
    if isinstance(node, ast.Attribute):
        name, *path = _dotted(node)
        used = _version_1(path) if name in names else None
        if used:
            yield Evidence(f"{name}.{used}", node.lineno)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        root, *path = node.module.split(".")
        for item in node.names if root == "tensorflow" else ():
            if _version_1([*path, item.name]):
                yield Evidence(f"from {node.module} import {item.name}", node.lineno)
    elif isinstance(node, ast.Import):
        for item in node.names:
            root, *path = item.name.split(".")
            if root == "tensorflow" and _version_1(path):
                yield Evidence(f"import {item.name}", node.lineno)


def _version_1(path: list[str]) -> str | None:
    """The part of a dotted path below `tensorflow` that only TensorFlow 1 has."""
    if path and path[0] in TOP:
        return path[0]
    pair = ".".join(path[:2])
    return pair if pair in NESTED else None


def _dotted(node: ast.expr) -> list[str]:
    """['tf', 'train', 'Saver'] for `tf.train.Saver`; [''] where it does not begin with a name."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    path.append(node.id if isinstance(node, ast.Name) else "")
    return path[::-1]
