"""``cond``, ``case`` and ``switch_case``: one of several branches.

In eager mode a branch is a Python call, and the tape sees the operations of the branch taken only: what was used in
another branch gets the gradient None. In a graph all branches are traced, and what was used in another branch gets
zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_cond
from gradtape._src.core.dtypes import from_numpy, is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor, dtype_of
from gradtape._src.ops.comparison import not_equal

Branch = Callable[[], Any]


def cond(
    pred: Any, true_fn: Branch | None = None, false_fn: Branch | None = None, name: str | None = None
) -> Any:
    """``true_fn()`` if ``pred`` else ``false_fn()``.

    Args:
      pred: a scalar tensor, or anything that Python can take for true or false.
      true_fn, false_fn: functions without arguments. Both must be given.

    Raises:
      TypeError: a branch is missing or cannot be called.

    Example:
    >>> import gradtape as tf
    >>> x = tf.constant(-2.0)
    >>> print(tf.cond(x > 0.0, lambda: x, lambda: -x))
    tf.Tensor(2.0, shape=(), dtype=float32)

    As TensorFlow 2.21.
    """
    for role, branch in (("true_fn", true_fn), ("false_fn", false_fn)):
        if branch is None:
            raise TypeError(f"cond(): '{role}' argument required")
        if not callable(branch):
            raise TypeError(f"'{role}' must be callable. Got {branch!r}; write lambda: {branch!r}.")
    if pred is None:
        raise ValueError("cond(): pred must not be None. Expected a scalar tensor, or a Python bool.")
    if is_symbolic() and isinstance(pred, Tensor):
        fns: Any = (true_fn, false_fn)
        return graph_cond(_truth(pred), fns, "true_fn and false_fn arguments to tf.cond", name)
    return true_fn() if pred else false_fn()  # type: ignore[misc]


def _truth(pred: Tensor) -> Tensor:
    """A number is true if it is not 0, a string if it is not empty."""
    kind = dtype_of(pred).kind
    return pred if kind == "b" else not_equal.of(pred, b"" if kind == "O" else 0)


def case(
    pred_fn_pairs: Any,
    default: Branch | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The function beside the first true predicate; ``default`` if none is true.

        for pred, fn in pred_fn_pairs:
            if pred: return fn()
        return default()

    Args:
      pred_fn_pairs: pairs of a scalar boolean tensor and a function without arguments.
      default: a function without arguments.
      exclusive: it is an error if two predicates are true.
      strict: results of one element are not taken out of their list. Without effect in eager mode.

    Raises:
      InvalidArgumentError: none is true and there is no default; or ``exclusive`` and two are true.
      TypeError: a predicate is not a boolean tensor, a branch cannot be called, or the pairs are no pairs.

    Example:
    >>> import gradtape as tf
    >>> x = tf.constant(3)
    >>> print(tf.case([(x < 2, lambda: "low"), (x < 5, lambda: "middle")], default=lambda: "high"))
    middle

    As TensorFlow 2.21, except that ``exclusive`` is checked in eager mode too.
    """
    pairs = _pairs(pred_fn_pairs)
    for pred, fn in pairs:
        if not isinstance(pred, Tensor):
            raise TypeError(f"pred must be a Tensor, got: {pred}. Write tf.constant({pred!r}).")
        if from_numpy(dtype_of(pred)).name != "bool":
            raise TypeError(
                f"pred must be of type bool, got a tensor of {from_numpy(dtype_of(pred)).name}: {pred}"
            )
        if not callable(fn):
            raise TypeError(f"fn for pred {pred} must be callable, got {fn!r}.")
    if default is not None and not callable(default):
        raise TypeError(f"default must be callable, got {default!r}.")
    first = _checked.of(*(pred for pred, _ in pairs), exclusive=exclusive, complete=default is None)
    branches = [(first, pairs[0][1]), *pairs[1:]]
    if default is None:
        *branches, (_, default) = branches
    for pred, fn in reversed(branches):
        default = partial(cond, pred, fn, default, name)
    return default()  # type: ignore[misc]


def _check(*preds: Any, exclusive: bool, complete: bool) -> Any:
    """The first predicate, if the predicates are as they have to be."""
    true = sum(map(bool, preds))
    values = ", ".join(str(bool(pred)) for pred in preds)
    if exclusive and true > 1:
        raise InvalidArgumentError.of(
            f"Input error: exclusive=True: more than 1 conditions evaluated as True: {values}"
        )
    if complete and not true:
        raise InvalidArgumentError.of(
            f"Input error: None of conditions evaluated as True: {values}. Give a default."
        )
    return preds[0]


_checked = Op("CheckedCase", _check, shape=lambda *preds, **_: (), dtype=np.dtype(bool))


def _pairs(pred_fn_pairs: Any) -> list[tuple[Any, Any]]:
    if isinstance(pred_fn_pairs, Mapping):
        pairs = [(key.deref() if hasattr(key, "deref") else key, fn) for key, fn in pred_fn_pairs.items()]
    elif isinstance(pred_fn_pairs, (list, tuple)):
        pairs = list(pred_fn_pairs)
    else:
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
    if not pairs:
        raise ValueError("Must provide at least one pair in 'pred_fn_pairs'.")
    return pairs


def switch_case(
    branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str = "switch_case"
) -> Any:
    """``branch_fns[branch_index]()``; ``default`` (or else the last branch) if the index is out of range.

    Args:
      branch_index: an integer tensor.
      branch_fns: a list of functions without arguments, a list of pairs (int, function), or a dict of these. The ints
        must be 0 … n-1.
      default: a function without arguments.

    Raises:
      TypeError: the index is not an integer tensor, a key no int, or a branch cannot be called.
      ValueError: the keys leave gaps, or there is no branch.

    Example:
    >>> import gradtape as tf
    >>> print(tf.switch_case(tf.constant(1), [lambda: "zero", lambda: "one"]))
    one

    As TensorFlow 2.21.
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(
            f"'branch_index' must be a Tensor, got {type(branch_index)}. Write tf.constant({branch_index!r})."
        )
    if not is_integer_np(dtype_of(branch_index)):
        raise TypeError(f"'branch_index' must be an integer Tensor, got {from_numpy(dtype_of(branch_index))}")
    branches = _branches(branch_fns)
    if default is not None and not callable(default):
        raise TypeError(f"'default' must be callable, got {default!r}.")
    if is_symbolic():
        whole = branches if default is None else [*branches, default]
        return graph_cond(
            branch_index, whole, "branches[0] and branches[1] arguments to tf.switch_case", name
        )
    i = int(branch_index)  # type: ignore[call-overload]
    if 0 <= i < len(branches):
        return branches[i]()
    return branches[-1]() if default is None else default()


def _branches(branch_fns: Any) -> Sequence[Branch]:
    if isinstance(branch_fns, Mapping):
        entries = list(branch_fns.items())
    elif isinstance(branch_fns, (list, tuple)):
        entries = list(branch_fns)
        if entries and all(callable(entry) for entry in entries):
            return entries
    else:
        raise TypeError(f"'branch_fns' must be a list, tuple, or dict. Got {type(branch_fns).__name__}.")
    if not entries:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    for entry in entries:
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {entry}.")
        key, fn = entry
        if type(key) is not int:
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(fn):
            raise TypeError(f"fn for key {key} must be callable, got {fn!r}.")
    keys = sorted(key for key, _ in entries)
    if keys != list(range(len(keys))):
        found = ",".join(map(str, keys))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {{{found}}}"
        )
    return [fn for _, fn in sorted(entries, key=lambda entry: entry[0])]
