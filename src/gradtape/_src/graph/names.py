"""Names of operations and variables: unique, and in scopes, as TensorFlow makes them.

A graph has `Names` of its own. In eager mode names need not be unique, and there is only the scope of this thread or
task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_IN_ROOT = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*\Z")
_IN_SCOPE = re.compile(r"[A-Za-z0-9_.\\/>-]*\Z")

# The names that TensorFlow gives where the user gives none, of operations that have another type.
DEFAULT_NAMES = {
    "AddV2": "add",
    "ConcatV2": "concat",
    "FloorDiv": "floordiv",
    "FloorMod": "mod",
    "If": "cond",
    "Mul": "mul",
    "OneHot": "one_hot",
    "Ones": "ones",
    "OnesLike": "ones_like",
    "Pack": "stack",
    "Pow": "pow",
    "Range": "range",
    "RealDiv": "truediv",
    "Split": "split",
    "SplitV": "split",
    "StridedSlice": "strided_slice",
    "Sub": "sub",
    "Transpose": "transpose",
    "Unpack": "unstack",
    "While": "while",
    "Zeros": "zeros",
    "ZerosLike": "zeros_like",
}


class Names:
    """The names that a graph has given, and its current scope."""

    def __init__(self) -> None:
        self.scope = ""  # ends with a slash, unless it is empty
        self._taken: dict[str, int] = {}

    def unique(self, name: str, mark_as_used: bool = True) -> str:
        """The name in the current scope, with a number appended if it is taken; upper and lower case are one.

        A name that ends with a slash is that of a scope, and stays as it is, without the slash.

        Raises:
          ValueError: it is not a name.
        """
        if name.endswith("/"):
            return name[:-1]
        check(name, self.scope)
        full = self.scope + name
        key = full.lower()
        n = self._taken.get(key, 0)
        if mark_as_used:
            self._taken[key] = n + 1
        if n:
            base = key
            while key in self._taken:
                key = f"{base}_{n}"
                n += 1
            if mark_as_used:
                self._taken[key] = 1
            full = f"{full}_{n - 1}"
        return full

    @contextmanager
    def entered(self, name: str | None) -> Iterator[str]:
        """Puts ``name/`` before the names made in a ``with`` block; gives that prefix, in full.

        A name that ends with a slash is a prefix that has been given already; None or "" leaves all scopes.
        """
        before = self.scope
        if not name:
            scope = ""
        else:
            scope = name if name.endswith("/") else self.unique(name) + "/"
        self.scope = scope
        try:
            yield scope
        finally:
            self.scope = before


def check(name: str, scope: str = "") -> None:
    """ValueError for what is no name of an operation or a scope."""
    if not isinstance(name, str):
        raise TypeError(
            f"The name of an operation must be a string, received {name!r} of type {type(name).__name__}."
        )
    pattern, what = (_IN_SCOPE, "scope") if scope else (_IN_ROOT, "root scope")
    if not pattern.match(name):
        raise ValueError(
            f"'{name}' is not a valid {what} name. A {what} name has to match the following pattern: "
            f"^{pattern.pattern[:-2]}$"
        )


_eager_scope: ContextVar[str] = ContextVar("gradtape name scope", default="")


def eager_scope() -> str:
    """The name scope of eager mode: what goes before the names of variables."""
    return _eager_scope.get()


@contextmanager
def in_eager_scope(name: str | None) -> Iterator[str]:
    """`Names.entered`, in eager mode: names are not made unique."""
    before = _eager_scope.get()
    if not name:
        scope = ""
    else:
        scope = name if name.endswith("/") else f"{before}{name}/"
    token = _eager_scope.set(scope)
    try:
        yield scope
    finally:
        _eager_scope.reset(token)
