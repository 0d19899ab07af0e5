"""Whether a function can be traced as it is, without AutoGraph: what its byte code says, and that of what it calls.

Converting a function takes some 20 ms and the first one loads the package that does it, so it is worth a look that
takes 0.1 ms. A function is traced as it is if it and all that it calls by name have no `if`, `while`, `for`, `and`,
`or`, `not`, no call of a built-in function that AutoGraph replaces, and nothing in reach that is an object of the
user's classes (whose methods could be anything). If that was wrong and Python asks a symbol for its value, the function
is traced again, converted.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import sys
import types
from typing import Any

import numpy as np

from gradtape._src.core.values import Tensor
from gradtape._src.ops.variables import Variable

# Built-in functions that behave otherwise on tensors in a converted function.
REPLACED = frozenset(
    "abs float int len range enumerate zip map filter any all sorted min max next super eval".split()
)
_BRANCHES = frozenset(
    name
    for name in dis.opname
    if ("JUMP" in name and "IF" in name) or name in ("FOR_ITER", "UNARY_NOT", "GET_ITER")
)
_PLAIN = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    type(None),
    np.ndarray,
    np.generic,
    Tensor,
    Variable,
    types.ModuleType,
)
_STANDARD = frozenset(sys.stdlib_module_names) - {"__main__"}
_LIBRARIES = frozenset(
    {"gradtape", "numpy", "scipy", "tensorflow", "malt", "matplotlib", "pandas", "PIL", "builtins"}
)


def is_library(f: Any) -> bool:
    """Whether a function or class belongs to this library, the standard one, or another that is never converted."""
    module = getattr(f, "__module__", None) or getattr(type(f), "__module__", "")
    return isinstance(module, str) and _is_of_library(module)


def _is_of_library(module: str) -> bool:
    top = module.partition(".")[0]
    return top in _LIBRARIES or top in _STANDARD


def can_run_unconverted(f: Any, arguments: list[Any]) -> bool:
    """Whether AutoGraph is not needed for calling ``f`` with these (flat) arguments."""
    seen: set[int] = set()
    return all(_is_plain(x, seen) for x in arguments) and _is_plain(f, seen)


def _is_plain(x: Any, seen: set[int]) -> bool:
    if isinstance(x, _PLAIN) or id(x) in seen:
        return True
    seen.add(id(x))
    if isinstance(x, functools.partial):
        return all(_is_plain(part, seen) for part in (x.func, *x.args, *x.keywords.values()))
    if isinstance(x, types.MethodType):
        return _is_plain(x.__func__, seen) and _is_plain(x.__self__, seen)
    if isinstance(x, types.FunctionType):
        return is_library(x) or hasattr(x, "autograph_info__") or _is_plain_function(x, seen)
    if isinstance(x, (list, tuple)):
        return all(_is_plain(part, seen) for part in x)
    if isinstance(x, dict):
        return all(_is_plain(part, seen) for part in x.values())
    return is_library(x) or is_library(
        type(x)
    )  # a `tf.function` or custom gradient has the module of its function


def _is_plain_function(f: types.FunctionType, seen: set[int]) -> bool:
    if inspect.isgeneratorfunction(f) or f.__code__.co_filename == "<string>":
        return True  # which AutoGraph leaves alone
    # What a library puts around a user's function (`tf.recompute_grad`) is plain if that function is.
    if not _is_of_library(f.__globals__.get("__name__", "")):
        if not _is_plain_code(f.__code__):
            return False
        for name in _names(f.__code__):
            if name in f.__globals__:
                if not _is_plain(f.__globals__[name], seen):
                    return False
            elif name in REPLACED and hasattr(builtins, name):
                return False
    for cell in f.__closure__ or ():
        try:
            if not _is_plain(cell.cell_contents, seen):
                return False
        except ValueError:  # not set yet
            return False
    return True


@functools.cache
def _names(code: types.CodeType) -> frozenset[str]:
    """The global names that are read in a function and in those that it defines; not attributes, as in `tf.range`."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names |= _names(const)
    return frozenset(names)


@functools.cache
def _is_plain_code(code: types.CodeType) -> bool:
    """Whether there is no control flow. That of comprehensions is never converted, and a `with` is none."""
    before = ""
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name in _BRANCHES and not (before == "WITH_EXCEPT_START" and "JUMP" in name):
            if name != "GET_ITER" and not (
                name == "FOR_ITER" and code.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
            ):
                return False
        if name not in ("TO_BOOL", "CACHE"):  # which newer Pythons put between
            before = name
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return all(map(_is_plain_code, inner))
