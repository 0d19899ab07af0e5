"""What converted functions call in place of `if`, `while`, `for`, `and`, `or`, `not` and some built-in functions.

Each does what Python does, unless it meets a symbol: then it is `tf.cond` or `tf.while_loop`. The *state* of a
statement is what the function's variables hold that it may change; ``get_state`` and ``set_state`` read and write
them. Values in a state that no tensor can hold (objects, None) pass, if every path leaves the same.

As TensorFlow's AutoGraph (Moldovan et al., AutoGraph: Imperative-style coding with graph-based performance, 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from malt.operators.function_wrappers import FunctionScope as MaltFunctionScope
from malt.operators.py_builtins import UNSPECIFIED
from malt.operators.variables import UndefinedReturnValue

from gradtape._src.api.creation import range as tf_range
from gradtape._src.api.reduction import reduce_max, reduce_min
from gradtape._src.api.sorting import sort
from gradtape._src.control.body import is_symbolic
from gradtape._src.control.cond import cond as tf_cond
from gradtape._src.control.tensor_array import TensorArray
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import from_numpy
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.function.debugging import Assert
from gradtape._src.function.iteration import taken
from gradtape._src.function.staged_loops import for_stmt, while_stmt
from gradtape._src.function.states import (
    Get,
    Set,
    can_branch,
    check_condition,
    is_missing,
    is_staged,
    nothing_like,
)
from gradtape._src.graph.ir import Symbol
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import logical_not
from gradtape._src.ops.measuring import shape as shape_vector

# --- if -----------------------------------------------------------------------------------------------------


def if_stmt(
    cond: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Get,
    set_state: Set,
    names: Any,
    nouts: int,
) -> None:
    """``if cond: body() else: orelse()``; the first ``nouts`` entries of the state are used afterwards."""
    if not is_staged(cond):
        body() if cond else orelse()
        return
    check_condition(cond, "if statement")
    before = get_state()
    try:
        _staged_if(cond, body, orelse, before, get_state, set_state, names, nouts)
    except _TypeNotKnownYet:  # the other branch says what is returned
        set_state(before)
        _staged_if(logical_not.of(cond), orelse, body, before, get_state, set_state, names, nouts)


class _TypeNotKnownYet(Exception):
    """A branch returns nothing, and the branch that does has not been seen yet."""


def _staged_if(
    cond: Any, body: Any, orelse: Any, before: Any, get_state: Get, set_state: Set, names: Any, nouts: int
) -> None:
    seen: list[tuple[Any, ...]] = []

    def branch(run: Callable[[], Any]) -> Callable[[], Any]:
        def traced() -> tuple[Any, ...]:
            set_state(before)
            run()
            state = get_state()[:nouts]
            if seen:
                state = _like_other_branch(state, seen[0], names)
            elif any(isinstance(x, UndefinedReturnValue) for x in state) and "do_return" in names:
                raise _TypeNotKnownYet
            seen.append(state)
            return tuple([x if can_branch(x) else () for x in state])

        return traced

    try:
        found = tf_cond(cond, branch(body), branch(orelse))
    except BaseException:
        set_state(before)
        raise
    first, second = seen
    after = []
    for name, result, one, other in zip(names, found, first, second):
        after.append(result if can_branch(one) else _same_object(name, one, other))
        if (
            name == "do_return"
            and one is True
            and (other is True or other is getattr(cond, "_negated", None))
        ):
            after[-1] = True  # whatever it was before
    set_state((*after, *before[nouts:]))


def _like_other_branch(state: Sequence[Any], other: Sequence[Any], names: Sequence[str]) -> tuple[Any, ...]:
    """The state after the second branch, checked against that after the first."""
    found = []
    for name, x, y in zip(names, state, other):
        if isinstance(x, UndefinedReturnValue) and not is_missing(y) and "do_return" in names:
            x = map_structure(nothing_like, y, expand_composites=True)
        if is_missing(x) != is_missing(y):
            where = "else" if is_missing(x) else "main"
            if isinstance(x, UndefinedReturnValue) or isinstance(y, UndefinedReturnValue):
                raise ValueError(f"the {where} branch must also have a return statement.")
            raise ValueError(f"'{name}' must also be initialized in the {where} branch")
        if can_branch(x) != can_branch(y):
            where = "else" if can_branch(y) else "main"
            what = x if can_branch(y) else y
            if what is None:
                raise ValueError(f"'{name}' is None at the end of the {where} branch.")
            raise TypeError(
                f"'{name}' must be a tensor in both branches, but is {what!r} in the {where} branch"
            )
        if can_branch(x):
            _check_alike(name, y, x)
        found.append(x)
    return tuple(found)


def _check_alike(name: str, main: Any, orelse: Any) -> None:
    try:
        assert_same_structure(main, orelse, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"'{name}' must have the same nested structure in the main and else branches:\n\n{error}"
        ) from None
    for a, b in zip(flatten(main, True), flatten(orelse, True), strict=True):
        if isinstance(a, TensorArray) or isinstance(b, TensorArray) or a is None or b is None:
            continue
        a, b = from_numpy(dtype_of(as_tensor(a))), from_numpy(dtype_of(as_tensor(b)))
        if a is not b:
            raise TypeError(
                f"'{name}' has dtype {a.name} in the main branch, but dtype {b.name} in the else branch"
            )


def _same_object(name: str, one: Any, other: Any) -> Any:
    """A value that no graph can hold, if both branches leave the same."""
    if one is other or is_missing(one):
        return one
    try:
        if flatten(one) == flatten(other) and type(one) is type(other):
            return one
    except Exception:  # values that cannot be compared are different
        pass
    raise TypeError(
        f"'{name}' is {one!r} after the main branch and {other!r} after the else branch: which of them it is depends "
        f"on a tensor, so it has to be a tensor too."
    )


def if_exp(cond: Any, if_true: Callable[[], Any], if_false: Callable[[], Any], text: str) -> Any:
    """``if_true() if cond else if_false()``."""
    if not is_staged(cond):
        return if_true() if cond else if_false()
    seen: list[Any] = []

    def branch(run: Callable[[], Any]) -> Callable[[], Any]:
        def traced() -> Any:
            value = run()
            if seen and value is not None and seen[0] is not None:
                _check_alike(text, seen[0], value)
            seen.append(value)
            return value

        return traced

    return tf_cond(check_condition(cond, "conditional expression"), branch(if_true), branch(if_false))


# --- and, or, not -------------------------------------------------------------------------------------------


def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    x = a()
    return tf_cond(check_condition(x, "`and`"), b, lambda: x) if is_staged(x) else x and b()


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    x = a()
    return tf_cond(check_condition(x, "`or`"), lambda: x, b) if is_staged(x) else x or b()


def not_(x: Any) -> Any:
    if not is_staged(x):
        return not x
    found = logical_not.of(x)
    found._negated = x
    return found


def assert_stmt(condition: Any, message: Callable[[], Any]) -> None:
    """``assert condition, message()``."""
    if not is_staged(condition):
        assert condition, message()
        return
    text = message()
    Assert(condition, list(text) if isinstance(text, (tuple, list)) else [text])


class FunctionScope(MaltFunctionScope):
    """What the body of a converted function is in."""

    def ret(self, value: Any, did_return: Any) -> Any:
        if isinstance(did_return, Symbol):
            raise ValueError("the else branch must also have a return statement.")
        return super().ret(value, did_return)


def with_function_scope(thunk: Callable[..., Any], scope_name: str, options: Any) -> Any:
    """The same for a lambda."""
    with FunctionScope("lambda_", scope_name, options) as scope:
        return thunk(scope)


OPERATORS: dict[str, Any] = {
    f.__name__: f
    for f in (
        if_stmt,
        if_exp,
        while_stmt,
        for_stmt,
        and_,
        or_,
        not_,
        assert_stmt,
        FunctionScope,
        with_function_scope,
    )
}


# --- built-in functions -------------------------------------------------------------------------------------


def _float(x: Any = 0) -> Any:
    return _cast(x, np.float32) if is_staged(x) else float(x)


def _int(x: Any = 0, base: Any = UNSPECIFIED) -> Any:
    if is_staged(x):
        if base not in (10, UNSPECIFIED):
            raise NotImplementedError(f"base {base} not supported for int")
        return _cast(x, np.int32)
    return int(x) if base is UNSPECIFIED else int(x, base)


def _cast(x: Any, dtype: Any) -> Any:
    return cast.of(x, dtype=np.dtype(dtype))


def _len(x: Any) -> Any:
    if not is_staged(x):
        return len(x)
    shape = shape_of(x)
    if shape == ():
        raise ValueError("len requires a non-scalar tensor, got one of shape ()")
    known = None if shape is None else shape[0]
    return known if known is not None else shape_vector.of(x, out_type=np.dtype(np.int32))[0]


def _range(*args: Any) -> Any:
    return tf_range(*args) if any(map(is_staged, args)) else range(*args)


def _extreme(python: Callable[..., Any], reduce: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(*args: Any, **kwargs: Any) -> Any:
        if not any(map(is_staged, args)):
            return python(*args, **kwargs)
        return reduce(args[0] if len(args) == 1 else list(args))

    return chosen


def _sorted(x: Any, **kwargs: Any) -> Any:
    if not is_staged(x):
        return sorted(x, **kwargs)
    if kwargs.get("key") is not None:
        raise NotImplementedError("sorted() of a tensor takes no key; use tf.argsort and tf.gather")
    return sort(x, direction="DESCENDING" if kwargs.get("reverse") else "ASCENDING")


def _enumerate(x: Any, start: int = 0) -> Any:
    return (
        x.enumerate(start) if hasattr(x, "element_spec") and hasattr(x, "enumerate") else enumerate(x, start)
    )


def _next(iterator: Any, *default: Any) -> Any:
    if is_symbolic() and hasattr(iterator, "element_spec") and not default:
        return taken(iterator)
    return next(iterator, *default)


BUILTINS: dict[Any, Callable[..., Any]] = {
    float: _float,
    int: _int,
    len: _len,
    range: _range,
    max: _extreme(max, reduce_max),
    min: _extreme(min, reduce_min),
    sorted: _sorted,
    enumerate: _enumerate,
    next: _next,
}
