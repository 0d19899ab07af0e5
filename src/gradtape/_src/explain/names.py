"""What the user calls a tensor, and what the text of the user's program says."""

from __future__ import annotations

import ast
import gc
import linecache
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from gradtape._src.core.errors import _is_users
from gradtape._src.ops.variables import Variable

_MOST_ELEMENTS = 100
_COND = ("cond", "case", "switch_case")


def name_of(x: Any) -> str | None:
    """The name of a tensor in the user's code: a variable of a function or module that is running, an attribute, or an
    element of such a variable (``weights[0]``, ``params['w']``)."""
    for name, value in _in_sight():
        if value is x:
            return name
    owned = next((name for name, owner in _holders(x) if owner is not None), None)
    return owned or _element_of(x) if isinstance(x, Variable) else _element_of(x) or owned


def _in_sight() -> Iterator[tuple[str, Any]]:
    """The variables of the user's functions and modules that are running, the innermost first."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if _is_users(frame.f_code.co_filename):
            for scope in (frame.f_locals, frame.f_globals):
                yield from [
                    item for item in list(scope.items()) if item[0].isidentifier() and item[0][:2] != "__"
                ]
        frame = frame.f_back


def _element_of(x: Any) -> str | None:
    return next(
        (found for name, value in _in_sight() if (found := _within(name, value, x, 2)) is not None), None
    )


def _within(name: str, value: Any, x: Any, depth: int) -> str | None:
    """How to write an element of a list or dictionary, or of those in it down to a depth."""
    if not isinstance(value, (list, tuple, dict)) or len(value) > _MOST_ELEMENTS:
        return None
    for key, element in value.items() if isinstance(value, dict) else enumerate(value):
        place = f"{name}[{key!r}]"
        if element is x:
            return place
        if depth > 1 and (found := _within(place, element, x, depth - 1)) is not None:
            return found
    return None


def names_of(x: Any) -> set[str]:
    """All names that lead to it: its own, its attributes', and those of the layers and models that hold it."""
    found = {name} if (name := name_of(x)) is not None else set()
    level = [x]
    for _ in range(2):
        holders = [holder for one in level for holder in _holders(one)]
        found |= {name for name, _ in holders}
        owners = [owner for _, owner in holders if owner is not None]
        found |= {name for name, value in _in_sight() if any(value is owner for owner in owners)}
        level = [owner for _, owner in holders if owner is not None][:8]
    return found


def _holders(x: Any) -> Iterator[tuple[str, Any]]:
    """Names of attributes that hold an object, and the objects that have them."""
    for holder in gc.get_referrers(x):
        names = holder if isinstance(holder, dict) else getattr(holder, "__dict__", None)
        if not isinstance(names, dict):
            continue
        for name, value in list(names.items()):
            if value is x and isinstance(name, str) and name.isidentifier() and not name.startswith("_"):
                owner = holder
                if holder is names:
                    owner = next(
                        (o for o in gc.get_referrers(names) if getattr(o, "__dict__", None) is names), None
                    )
                yield name, owner


def called(x: Any, otherwise: str) -> str:
    """The name to use in a message: of a layer's weight its path, which tells layers apart."""
    own = getattr(x, "path", None) if isinstance(x, Variable) else None
    if own is not None and "/" in own:
        return own
    name = name_of(x)
    if name is None and isinstance(x, Variable):
        name = x.name
    return otherwise if name is None else name


def code_of(x: Any, otherwise: str) -> str:
    """How the program writes it: a name, ``layer.kernel`` of a layer that has one, ``weights[0]``."""
    sight = list(_in_sight())
    for name, value in sight:
        if value is x:
            return name
    for attribute, owner in _holders(x):
        for name, value in sight:
            if owner is not None and value is owner:
                return f"{name}.{attribute}"
    return name_of(x) or otherwise


# What asks for gradients: each takes the target as its first argument, and some the sources as their second.
_ASKING = frozenset(
    "gradient jacobian batch_jacobian explain gradients explain_gradients hessians get_gradients minimize "
    "compute_gradients".split()
)
_LONGEST = 40


def argument(i: int) -> str | None:
    """The text of an argument of the call that asks, ``x[0]`` of ``tape.gradient(y, x[0])``, if it is one short
    expression."""
    frame: Any = sys._getframe(1)
    while frame is not None and not _is_users(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None or (module := tree(frame.f_code.co_filename)) is None:
        return None
    place = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        if (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset) != place:
            continue
        if len(node.args) <= i or ast.unparse(node.func).split(".")[-1] not in _ASKING:
            return None
        given = node.args[i]
        text = ast.unparse(given)
        several = isinstance(given, (ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.Lambda, ast.Constant))
        return None if several or len(text) > _LONGEST else text
    return None


@lru_cache(maxsize=64)
def tree(filename: str) -> ast.Module | None:
    """The parsed file; None if there is none."""
    text = "".join(linecache.getlines(filename))
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


@lru_cache(maxsize=4096)
def statement_at(location: tuple[str, int] | None) -> ast.stmt | None:
    """The innermost simple statement on a line."""
    module = None if location is None else tree(location[0])
    if module is None or location is None:
        return None
    found = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.stmt) and node.lineno <= location[1] <= (node.end_lineno or node.lineno)
    ]
    return min(found, key=lambda node: (node.end_lineno or node.lineno) - node.lineno, default=None)


def decides(location: tuple[str, int] | None, made: Collection[tuple[str, int] | None]) -> bool:
    """Whether the decision on a line is about one of these lines: those of the branches of an ``if``, say."""
    module = None if location is None else tree(location[0])
    if module is None or location is None:
        return False
    lines = {place[1] for place in made if place is not None and place[0] == location[0]}
    return any(
        node.lineno == location[1] and any(node.lineno <= n <= (node.end_lineno or 0) for n in lines)
        for node in ast.walk(module)
        if isinstance(node, (ast.stmt, ast.IfExp))
    )


def mentions(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """Where a name or an attribute of that name is read."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            yield part
        elif isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Load):
            yield part


def replaces_itself(location: tuple[str, int] | None) -> bool:
    """Whether the statement there computes a name's new value from the old one: ``w = w - g``, ``w -= g``."""
    statement = statement_at(location)
    if isinstance(statement, ast.AugAssign):
        return True
    if isinstance(statement, ast.Assign):
        read = {
            ast.unparse(node)
            for node in ast.walk(statement.value)
            if isinstance(node, (ast.Name, ast.Attribute))
        }
        written = {
            ast.unparse(node)
            for target in statement.targets
            for node in ast.walk(target)
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))
        }
        read |= {ast.unparse(node) for node in ast.walk(statement.value) if isinstance(node, ast.Subscript)}
        return bool(read & written)
    return False


def is_literal(location: tuple[str, int] | None, value: Any) -> bool:
    """Whether a number or array that appeared on a line is written there, and does not come from elsewhere."""
    statement = statement_at(location)
    if statement is None:
        return False
    numbers = [
        n.value
        for n in ast.walk(statement)
        if isinstance(n, ast.Constant) and isinstance(n.value, (int, float))
    ]
    if isinstance(value, (int, float)) and any(abs(abs(value) - abs(n)) <= 1e-6 * abs(n) for n in numbers):
        return True
    functions = {
        id(node) for call in ast.walk(statement) if isinstance(call, ast.Call) for node in ast.walk(call.func)
    }
    return bool(numbers) and not any(
        isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in functions
        for n in ast.walk(statement)
    )


def asks_shape(location: tuple[str, int] | None, name: str) -> bool:
    """Whether the statement there asks for the shape of what has this name: ``tf.size(x)``, ``x.shape``, ``len(x)``."""
    statement = statement_at(location)
    for node in ast.walk(statement) if statement is not None else ():
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ("shape", "ndim")
            and ast.unparse(node.value) == name
        ):
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in (
            "shape",
            "size",
            "rank",
            "len",
        ):
            if any(True for argument in node.args for _ in mentions(argument, name)):
                return True
    return False


def is_report(location: tuple[str, int] | None) -> bool:
    """Whether the statement there only tells somebody: ``print(...)``, ``assert ...``."""
    statement = statement_at(location)
    if isinstance(statement, ast.Assert):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = ast.unparse(statement.value.func)
        return function == "print" or function.split(".")[0] in ("logging", "logger", "log", "np", "numpy")
    return False


class Branch(NamedTuple):
    """A branch that mentions a name: lines of the decision and of the mention, and whether the branch was executed."""

    decision: int
    use: int
    executed: bool


def branch_with(filename: str, name: str, lines: Collection[int], made: Collection[int]) -> Branch | None:
    """A branch that reads ``name`` and was not executed, near what was.

    Args:
      lines: what is known to have been executed.
      made: the lines that made the target; none if they are not known.
    """
    module = tree(filename)
    if module is None:
        return None
    for scope in _scopes(module):
        if made and not any(scope.lineno <= n <= (scope.end_lineno or 0) for n in made):
            continue
        found = []
        for use, branch in _uses(scope, name, None):
            if branch is None:
                continue
            statement, decision, whole = branch
            ran = whole and any(statement.lineno <= n <= (statement.end_lineno or 0) for n in lines)
            if not ran:
                found.append(Branch(decision, use.lineno, ran))
        if found:  # of several decisions that about a line that made the target
            places = {(filename, n) for n in made}
            return next((b for b in found if decides((filename, b.decision), places)), found[0])
    return None


def _scopes(module: ast.Module) -> list[Any]:
    """The `with` statements and functions, the innermost first."""
    found = [node for node in ast.walk(module) if isinstance(node, (ast.With, ast.FunctionDef, ast.Lambda))]
    return sorted(found, key=lambda node: (node.end_lineno or 0) - node.lineno)


def _uses(node: ast.AST, name: str, branch: Any) -> Iterator[tuple[ast.expr, Any]]:
    """Where a name is read, each place with its branch: (the part, the line of the decision, if it is statements)."""
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
        if (node.id if isinstance(node, ast.Name) else node.attr) == name:
            yield node, branch
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            inner = branch
            if isinstance(node, (ast.If, ast.IfExp)) and field in ("body", "orelse"):
                inner = (child, node.lineno, isinstance(node, ast.If))
            elif isinstance(node, ast.Call) and field in ("args", "keywords"):
                function = ast.unparse(node.func).split(".")[-1]
                if function in _COND and not (function == "cond" and child in node.args[:1]):
                    inner = (child, node.lineno, False)
            yield from _uses(child, name, inner)
