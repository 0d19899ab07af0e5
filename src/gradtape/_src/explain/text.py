"""Guesses from the text of the program, where nothing is known of the lines of operations.

Only what nothing contradicts is answered: that there is no path was found from the tape's recording.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gradtape._src.explain import names
from gradtape._src.explain.case import Case, Finding, leaving
from gradtape._src.explain.walk import ancestors
from gradtape._src.explain.wording import AFTER, BEFORE, STOPPED, not_recorded
from gradtape._src.ops.variables import Variable

_SHOWS = ("print", "gradient", "explain", "watch", "check")


class Program(NamedTuple):
    """The text around a tape."""

    file: str
    module: ast.Module
    block: ast.With  # the `with` statement of the tape
    scope: Any  # the function or module around it


def guess(case: Case, finding: Finding) -> Finding:
    """A better finding than that the target does not depend on the source, or that the source is not watched."""
    program = _program(case)
    source, target = _name(case.source), _name(case.targets[0])
    if program is None or source is None:
        return finding
    if finding.cause == "source_not_watched":
        line = None if isinstance(case.source, Variable) else _replaced(program.scope, source)
        return finding if line is None else Finding("variable_replaced_by_tensor", (program.file, line), {})
    if case.followed is None or case.source_vertex not in case.followed:
        outside = None if target is None else _made_outside(case, program, target, related=True)
        return outside or _left(case) or _shape_of(program, source) or finding
    if case.watched is not None and case.watched[0] is not None:
        line = _first_use(program.block, source, case.watched[0][1])
        if line is not None:
            words = {"watch": f" on line {case.watched[0][1]}"}
            return Finding("watched_too_late", (program.file, line), words)
    outside = None if target is None else _made_outside(case, program, target)
    if outside is not None:
        return outside
    return _left(case) or _not_recording(case, program) or _shape_of(program, source) or finding


def _program(case: Case) -> Program | None:
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
    return Program(location[0], module, blocks[0], scope)


def _name(x: Any) -> str | None:
    """The name that leads to a tensor: of ``weights[0]`` that of the list."""
    name = names.name_of(x)
    return None if name is None else re.split(r"[\[.]", name)[0]


# --- The reason ----------------------------------------------------------------------------------------------------


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


def _first_use(block: ast.With, name: str, before: float) -> int | None:
    """The first line of the block that uses a name, if it comes before a line."""
    for statement in block.body:
        for use in names.mentions(statement, name):
            shows = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            if use.lineno < before and not (
                shows and ast.unparse(statement.value.func).split(".")[-1] in _SHOWS  # type: ignore[attr-defined]
            ):
                return use.lineno
    return None


def _made_outside(case: Case, program: Program, target: str, related: bool = False) -> Finding | None:
    """The target, or what it is computed from, is given its value outside of the block only.

    related: whether that has to mention the source, or what holds it, also where it is the target.
    """
    block = program.block
    inside = lambda line: block.lineno <= line <= (block.end_lineno or 0)
    own = names.names_of(case.source)
    waiting, seen = [target], {target}
    for name in waiting:
        found = _assignments(program.scope, name)
        within = [value for line, value in found if inside(line)]
        if within:
            new = {
                part.id for value in within for part in ast.walk(value) if isinstance(part, ast.Name)
            } - seen
            seen |= new
            waiting += sorted(new)
            continue
        if not found or ((related or name != target) and not any(_mentions_any(found[-1][1], own))):
            continue
        line, value = found[-1]
        if _takes_gradient(program.module, value):
            return Finding("first_gradient_not_recorded", (program.file, line), {})
        when = AFTER if line > (block.end_lineno or 0) else BEFORE
        return Finding("target_computed_outside_tape", (program.file, line), not_recorded(when))
    return None


def _mentions_any(value: ast.expr, wanted: Iterable[str]) -> Iterator[ast.expr]:
    for name in wanted:
        yield from names.mentions(value, name)


def _takes_gradient(module: ast.Module, value: ast.expr) -> bool:
    """Whether an expression is ``tape.gradient(...)``, or calls a function of this file that asks for one."""
    if not isinstance(value, ast.Call):
        return False
    name = ast.unparse(value.func).split(".")[-1]
    if name == "gradient":
        return True
    functions = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef) and n.name == name]
    return any(
        isinstance(n, ast.Attribute) and n.attr == "gradient"
        for function in functions
        for n in ast.walk(function)
    )


def _left(case: Case) -> Finding | None:
    """What was computed from the source became Python's or NumPy's while the tape recorded."""
    for event in case.history.events:
        if event.kind == "left" and event.location is not None:
            if case.source_vertex in ancestors(case.history, [v for v in event.inputs if v is not None]):
                return leaving(event.name, event.location)
    return None


def _not_recording(case: Case, program: Program) -> Finding | None:
    """The tape was told to stop for a while."""
    if len(case.spans) < 2:
        return None
    for node in ast.walk(program.module):
        if isinstance(node, ast.With) and any(
            ast.unparse(item.context_expr).endswith(".stop_recording()") for item in node.items
        ):
            first = node.body[0]
            if isinstance(first, ast.Assign) and _takes_gradient(program.module, first.value):
                return Finding("first_gradient_not_recorded", (program.file, first.lineno), {})
            return Finding(
                "target_computed_outside_tape", (program.file, first.lineno), not_recorded(STOPPED)
            )
    return None


def _shape_of(program: Program, source: str) -> Finding | None:
    """The block asks for no more than the shape of the source."""
    uses = [use.lineno for use in names.mentions(program.block, source)]
    shapes = [line for line in uses if names.asks_shape((program.file, line), source)]
    if shapes and shapes == uses:
        return Finding("used_only_as_index", (program.file, shapes[0]), {"how": "for its shape"})
    return None


# --- The line ------------------------------------------------------------------------------------------------------

_CALLS = {
    "integer_dtype": "cast saturate_cast to_int32 to_int64 bitcast",
    "op_not_differentiable": "argmax argmin argsort round rint floor ceil one_hot top_k categorical count_nonzero sign",
    "used_only_as_index": "where gather boolean_mask gather_nd embedding_lookup",
    "stop_gradient": "stop_gradient",
}


def located(case: Case, finding: Finding) -> Finding:
    """The finding with the line of the program that its operation is on, where that is not known."""
    program = _program(case)
    entered = case.spans[0].entered if case.spans else None
    if program is None or finding.location not in (None, entered):
        return finding
    source, target = _name(case.source), _name(case.targets[0])
    line = None
    if finding.cause in ("source_not_watched", "variable_not_trainable"):
        called = [source, *sorted(names.names_of(case.source) - {source})]
        line = next((use for name in called if name and (use := _use_of(program, name)) is not None), None)
    elif finding.cause == "target_does_not_depend_on_source" or _is(case.targets[0], finding):
        line = _made_at(program, target)
    elif finding.cause == "equal_value_but_other_tensor" or _is(case.source, finding):
        line = _made_at(program, source)
    elif finding.cause == "hidden_inside_function_call":
        line = _made_at(program, source) or _made_at(program, target)
    elif finding.cause == "rule_returned_none":
        line = _call_of(program, _with_own_gradients(program.module))
    elif finding.cause in _CALLS:
        line = _call_of(program, _CALLS[finding.cause].split())
    return finding if line is None else finding._replace(location=(program.file, line))


def _is(x: Any, finding: Finding) -> bool:
    """Whether the finding is that this tensor is of integers."""
    return finding.cause == "integer_dtype" and finding.words.get("what") == names.called(x, "")


def _use_of(program: Program, name: str) -> int | None:
    """The first line that uses a name: of the block, or of a function in the same scope."""
    line = _first_use(program.block, name, float("inf"))
    if line is not None:
        return line
    functions = [n for n in ast.walk(program.scope) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
    inner = [n for n in functions if n is not program.scope]
    return next((use.lineno for function in inner for use in names.mentions(function, name)), None)


def _made_at(program: Program, name: str | None) -> int | None:
    """The last line that gives a name its value."""
    found = [] if name is None else _assignments(program.scope, name)
    return found[-1][0] if found else None


def _with_own_gradients(module: ast.Module) -> list[str]:
    return [
        node.name
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        and any("custom_gradient" in ast.unparse(decorator) for decorator in node.decorator_list)
    ]


def _call_of(program: Program, functions: Iterable[str]) -> int | None:
    """The line that calls one of these functions: in the block; or in all of the file, if only one does."""
    wanted = set(functions)

    def calls(part: Any) -> list[int]:
        return [
            node.lineno
            for node in ast.walk(part)
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in wanted
        ]

    inside = calls(program.block)
    if inside:
        return inside[0]
    everywhere = set(calls(program.module))
    return everywhere.pop() if len(everywhere) == 1 else None
