"""Gradients that TensorFlow 1's programs register, and use in the place of an operation's own.

    @tf.RegisterGradient("GuidedRelu")
    def guided(op, grad): ...
    with graph.gradient_override_map({"Relu": "GuidedRelu"}):
        y = tf.nn.relu(x)

An operation that is made in such a block is one with the same kernel and other rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from gradtape._src.core.context import current, under
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor

_registered: dict[str, Callable[..., Any] | None] = {}


class RegisterGradient:
    """Registers a function as a gradient, for `tf.Graph.gradient_override_map`.

    The function is called with the operation (its ``inputs`` and ``outputs`` are tensors) and a cotangent for each
    output, and gives one for each input, or None.

    Args:
      op_type: the name to register it by.

    Raises:
      TypeError: the name is no string.
      KeyError: the name is taken.

    >>> import gradtape.compat.v1 as tf
    >>> @tf.RegisterGradient("Twice")
    ... def twice(op, grad):
    ...     return 2.0 * grad
    >>> with tf.Graph().as_default() as graph, tf.Session() as session:
    ...     x = tf.constant([1.0, 2.0])
    ...     with graph.gradient_override_map({"Round": "Twice"}):
    ...         y = tf.round(x)
    ...     print(session.run(tf.gradients(y, x)))
    [array([2., 2.], dtype=float32)]

    As TensorFlow 2.21.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        _register(self._op_type, f)
        return f


def no_gradient(op_type: str) -> None:
    """Registers that there is no gradient, by a name for `tf.Graph.gradient_override_map`.

    Raises:
      TypeError: the name is no string.
      KeyError: the name is taken.

    >>> import gradtape as tf
    >>> tf.no_gradient("NoPath")

    As TensorFlow 2.21.
    """
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _register(op_type, None)


def _register(name: str, f: Callable[..., Any] | None) -> None:
    if name in _registered or _of_library(name) is not None:
        raise KeyError(f"Registering two gradient with name '{name}'! Choose another name.")
    _registered[name] = f


def _of_library(name: str) -> Op | None:
    """The library's operation of this name that has a gradient."""
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("gradtape._src."):
            for value in list(vars(module).values()):
                if isinstance(value, Op) and value.name == name and value.differentiable:
                    return value
    return None


class GradientOverrides:
    """What a graph knows of gradients that replace others."""

    _gradient_map: Mapping[str, str] = {}

    @contextmanager
    def gradient_override_map(self, op_type_map: Mapping[str, str]) -> Iterator[None]:
        """Operations of these types that are made in a ``with`` block get other gradients.

        Args:
          op_type_map: for the type of an operation the name of a gradient (`tf.RegisterGradient`), or the type of an
            operation whose gradient to use: ``{"Sign": "Identity"}``.

        Raises:
          TypeError: not a dictionary of strings.
          LookupError (when a gradient is taken): no gradient is registered by this name.
        """
        if not isinstance(op_type_map, Mapping) or not all(
            isinstance(part, str) for pair in op_type_map.items() for part in pair
        ):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        before = self._gradient_map
        self._gradient_map = {**before, **op_type_map}
        try:
            yield
        finally:
            self._gradient_map = before

    def _with_other_gradient(self, op: Op) -> Op:
        """The operation as it is to be made in this graph now."""
        name = self._gradient_map.get(op.name.removesuffix("Absorbing"))
        if name is None:
            return op
        other = None if name in _registered else _of_library(name)
        if other is None:
            return _like(op, vjp_all=_rule_of(name), holomorphic=False)
        return _like(op, vjp=other.vjps, vjp_all=other.vjp_all, holomorphic=other.holomorphic)


def _like(op: Op, **rules: Any) -> Op:
    """An operation with the same values and other rules."""
    made = Op(
        op.name,
        op.kernel,
        **rules,
        shape=op.shape_rule,
        dtype=op.dtype_rule,
        same_dtype=op.same_dtype,
        multi=op.multi,
        stateful=op.stateful,
        lazy=op.lazy,
    )
    made.accepts, made.batch, made.elementwise = op.accepts, op.batch, op.elementwise
    return made


def _rule_of(name: str) -> Callable[..., Any]:
    """The rule that calls a user's function."""

    def rule(wanted: Sequence[bool], g: Any, y: Any, *xs: Any, **params: Any) -> Sequence[Any]:
        node = (y[0] if isinstance(y, (tuple, list)) else y).op
        if name not in _registered:
            raise LookupError(
                f"No gradient defined for operation {node.name!r} (op type: {node.type}): there is none by the name "
                f'{name!r}. Register it: @tf.RegisterGradient("{name}").'
            )
        f = _registered[name]
        if f is None:
            return [None] * len(xs)
        interpreter, recorders = current()
        with under(getattr(interpreter, "plain", interpreter), recorders):
            called = _Called(node, xs)
            found = f(called, *g) if isinstance(g, (tuple, list)) else f(called, g)
            found = list(found) if isinstance(found, (list, tuple)) else [found]
        if len(found) != len(called.inputs):
            raise ValueError(
                f"Num gradients {len(found)} generated for op name: {node.name!r} do not match num inputs "
                f"{len(called.inputs)}: the function registered as {name!r} must give one for each input, or None."
            )
        given = iter(found)
        cts = [next(given) if _is_tensor(x) else None for x in xs]
        return [None if ct is None else as_tensor(ct) for ct in cts]

    rule.registered = name  # type: ignore[attr-defined]  # for reports
    return rule


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (Tensor, np.ndarray, np.generic))


class _Called:
    """An operation as a user's gradient function sees it: constants are among its inputs."""

    def __init__(self, node: Any, xs: Sequence[Any]) -> None:
        self._node = node
        self.inputs = tuple([as_tensor(x) for x in xs if _is_tensor(x)])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._node, name)
