"""Guesses from the text of the program, where nothing is known of the lines of operations.

Only what nothing contradicts is answered: that there is no path was found from the tape's recording.
"""

from __future__ import annotations

import ast
from typing import Any

from gradtape._src.explain import names
from gradtape._src.explain.diagnosis import Case, Finding
from gradtape._src.ops.variables import Variable

_SHOWS = ("print", "gradient", "explain", "watch", "check")


def guess(case: Case, finding: Finding) -> Finding:
    """A better finding than that the target does not depend on the source, or that the source is not watched."""
    tape = _with_statement(case)
    source, target = names.name_of(case.source), names.name_of(case.targets[0])
    if tape is None or source is None:
        return finding
    file, block, scope = tape
    if finding.cause == "source_not_watched":
        line = None if isinstance(case.source, Variable) else _replaced(scope, source)
        return finding if line is None else Finding("variable_replaced_by_tensor", (file, line), {})
    if case.followed is None or case.source_vertex not in case.followed:
        return finding
    if case.watched is not None and case.watched[0] is not None:
        line = _first_use(block, source, case.watched[0][1])
        if line is not None:
            words = {"watch": f" on line {case.watched[0][1]}"}
            return Finding("watched_too_late", (file, line), words)
    outside = None if target is None else _made_outside(scope, block, target)
    if outside is None:
        return finding
    line, value = outside
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith(".gradient"):
        return Finding("first_gradient_not_recorded", (file, line), {})
    when = "after the tape was left" if line > (block.end_lineno or 0) else "before the tape was entered"
    return Finding("target_computed_outside_tape", (file, line), {"when": when})


def _with_statement(case: Case) -> tuple[str, Any, Any] | None:
    """The file, the `with` statement of the tape, and the function or module around it."""
    location = case.spans[0].entered if case.spans else None
    module = None if location is None else names.tree(location[0])
    if module is None or location is None:
        return None
    blocks = [node for node in ast.walk(module) if isinstance(node, ast.With) and node.lineno == location[1]]
    if not blocks:
        return None
    functions = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef) and node.lineno <= location[1] <= (node.end_lineno or 0)
    ]
    scope = max(functions, key=lambda node: node.lineno, default=module)
    return location[0], blocks[0], scope


def _assignments(scope: Any, name: str) -> list[tuple[int, ast.expr]]:
    """The lines that give a name or an attribute of that name a value, and the value."""
    found = []
    for node in ast.walk(scope):
        if not isinstance(node, (ast.Assign, ast.AugAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            for part in ast.walk(target):
                own = (
                    part.id
                    if isinstance(part, ast.Name)
                    else part.attr
                    if isinstance(part, ast.Attribute)
                    else None
                )
                if own == name:
                    found.append((node.lineno, node.value))
    return found


def _replaced(scope: Any, name: str) -> int | None:
    """The line that computes the new value of what was a variable from the old one."""
    return next(
        (line for line, value in _assignments(scope, name) if any(True for _ in names.mentions(value, name))),
        None,
    )


def _first_use(block: ast.With, name: str, before: int) -> int | None:
    """The first line of the block that uses a name, if it comes before a line."""
    for statement in block.body:
        for use in names.mentions(statement, name):
            shows = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            if use.lineno < before and not (
                shows and ast.unparse(statement.value.func).split(".")[-1] in _SHOWS  # type: ignore[attr-defined]
            ):
                return use.lineno
    return None


def _made_outside(scope: Any, block: ast.With, name: str) -> tuple[int, ast.expr] | None:
    """Where a name is given its value, if that is outside the block only."""
    found = _assignments(scope, name)
    inside = [line for line, _ in found if block.lineno <= line <= (block.end_lineno or 0)]
    return None if inside or not found else found[-1]
