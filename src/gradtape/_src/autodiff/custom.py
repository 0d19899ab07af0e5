"""Gradients that the user writes: ``custom_gradient``, ``recompute_grad``, ``grad_pass_through``.

A call of such a function becomes one operation, ``with_gradient``: it takes the results of the function and the
tensors that they depend on, gives the results back, and its vjp is the user's. The operations inside the function are
recorded as always, so that a gradient function may use what was computed there, to any order.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import numpy as np

from gradtape._src.autodiff.batching import Batcher, with_leading
from gradtape._src.autodiff.sweep import raw_of
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.context import (
    Listener,
    add_recorder,
    current,
    current_interpreter,
    remove_recorder,
    under,
)
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import is_differentiable_np
from gradtape._src.core.nest import flatten, pack_sequence_as
from gradtape._src.core.op import Op, apply
from gradtape._src.core.shapes import broadcast
from gradtape._src.core.values import EagerTensor, Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import broadcast_like, identity, sum_to
from gradtape._src.ops.indexed_slices import IndexedSlices, dense
from gradtape._src.ops.variables import Variable


class _VariableWatcher(Listener):
    """A recorder that only notes which variables are read."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []

    def record_read(self, variable: Variable, out: Any) -> None:
        if variable._trainable and all(variable is not known for known in self.variables):
            self.variables.append(variable)

    def record_access(self, variable: Variable) -> None:
        self.record_read(variable, None)


def with_gradient(
    grad_fn: Callable[..., Sequence[Any]], results: Sequence[Any], inputs: Sequence[Any]
) -> list[Any]:
    """The results, as outputs of an operation whose cotangents to ``inputs`` are ``grad_fn(*cotangents)``.

    ``grad_fn`` works on tensors, also where the sweep runs raw: it is the user's.
    """
    n = len(results)

    def vjp_all(wanted: Sequence[bool], g: Sequence[Any], y: Any, *xs: Any) -> list[Any]:
        raw = not any(isinstance(part, Tensor) for part in g)
        interpreter, recorders = current()
        with under(
            getattr(interpreter, "plain", interpreter), recorders
        ):  # the user's arithmetic absorbs nothing
            found = grad_fn(*[EagerTensor(part) for part in g] if raw else g)
        cts = [_cotangent(ct, x, i) for i, (ct, x) in enumerate(zip(found, xs[n:], strict=True))]
        return [None] * n + [raw_of(ct) if raw else ct for ct in cts]

    batcher = current_interpreter()

    def batch(rows: int, xs: Sequence[Any], has_axis: Sequence[bool]) -> Any:
        many = [x if has else with_leading(x, rows) for x, has in zip(xs[:n], has_axis, strict=False)]
        if not isinstance(batcher, Batcher) or batcher.raw:  # nobody asks for gradients
            return tuple(many)
        return tuple(with_gradient(_of_all_rows(grad_fn, batcher, xs[n:], has_axis[n:]), many, xs[n:]))

    op = Op(
        "WithGradient",
        lambda *args: args[:n],
        vjp_all=vjp_all,
        reads="",
        batch=batch,
        multi=True,
        holomorphic=False,
        shape=lambda *args: [shape_of(x) for x in args[:n]],
        dtype=lambda *args: [dtype_of(x) for x in args[:n]],
    )
    return list(apply(op, (*results, *inputs), {})) if n else []


def _of_all_rows(
    grad_fn: Callable[..., Sequence[Any]], batcher: Batcher, inputs: Sequence[Any], has_axis: Sequence[bool]
) -> Callable[..., list[Any]]:
    """A gradient function of one row, which may hold tensors of the batcher, as one of all rows."""

    def one_row(ct: Any, x: Any, i: int) -> Any:
        return None if ct is None else sum_to(dense(_cotangent(ct, x, i)), x)

    def grads(*gs: Any) -> list[Any]:
        rows = [batcher.batch(x) if has else x for x, has in zip(inputs, has_axis, strict=True)]
        with batcher.resumed():
            found = grad_fn(*[None if g is None else batcher.batch(g) for g in gs])
            cts = [one_row(ct, x, i) for i, (ct, x) in enumerate(zip(found, rows, strict=True))]
        many = [None if ct is None else batcher.unbatch(ct) for ct in cts]
        return [
            ct if ct is None or has else sum_to(ct, x)
            for ct, x, has in zip(many, inputs, has_axis, strict=True)
        ]

    return grads


def _cotangent(ct: Any, x: Any, i: int) -> Any:
    """What the user gave for the cotangent of input i: a tensor that has, or broadcasts to or from, its shape."""
    if ct is None or isinstance(ct, IndexedSlices):
        return ct
    ct = as_tensor(np.asarray(ct, dtype_of(x)) if isinstance(ct, (int, float)) else ct)
    given, wanted = shape_of(ct), shape_of(x)
    if given == wanted or given is None or wanted is None:
        return ct
    try:
        both = broadcast(given, wanted)
    except ValueError:
        both = None
    if both == wanted:
        return broadcast_like(ct, x)
    if both != given:
        raise ValueError(
            f"grad_fn of a custom_gradient gave a gradient of shape {given} for input {i}, whose shape is {wanted}."
        )
    return ct


class CustomGradient:
    """A function together with its gradient: what ``tf.custom_gradient`` makes of ``f``."""

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f)
        self._f = f

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else CustomGradient(self._f.__get__(instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        watcher = _VariableWatcher()
        add_recorder(watcher)
        try:
            result, grad_fn = self._f(*args, **kwargs)
        finally:
            remove_recorder(watcher)
        flat_args = flatten(args)
        given = {id(x) for x in [*flat_args, *flatten(kwargs)]}
        variables = [v for v in watcher.variables if id(v) not in given]
        if variables and not _takes_variables(grad_fn):
            raise TypeError(
                f"@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: "
                f"{variables}. Write def grad_fn(*dys, variables=None) and return (gradients of the inputs, gradients "
                f"of "
                f"the variables), or pass the variables to the function as arguments."
            )
        inputs = [as_tensor(x) for x in (*flat_args, *variables)]
        grads = functools.partial(_user_gradients, grad_fn, len(flat_args), variables)
        results = with_gradient(grads, [as_tensor(x) for x in flatten(result)], inputs)
        return pack_sequence_as(result, results)


def _takes_variables(grad_fn: Callable[..., Any]) -> bool:
    parameters = inspect.signature(grad_fn).parameters.values()
    return any(p.name == "variables" or p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


def _user_gradients(
    grad_fn: Callable[..., Any], n_inputs: int, variables: Sequence[Variable], *dys: Any
) -> list[Any]:
    if variables:
        found = grad_fn(*dys, variables=list(variables))
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise TypeError(
                f"grad_fn of a custom_gradient that uses variables must return (gradients of the inputs, list of "
                f"gradients "
                f"of the variables), got {type(found).__name__}."
            )
        inputs, of_variables = found
        of_variables = flatten(of_variables)
        if len(of_variables) != len(variables):
            raise ValueError(
                f"Must return gradient for each variable from @custom_gradient grad_fn. Expected {len(variables)}, "
                f"got {len(of_variables)}."
            )
    else:
        inputs, of_variables = grad_fn(*dys), []
    inputs = flatten(inputs)
    if len(inputs) != n_inputs:
        raise ValueError(
            f"custom_gradient function expected to return {n_inputs} gradients, but returned {len(inputs)} instead."
        )
    return inputs + of_variables


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Gives a function a gradient of your own.

    ``f(*args)`` returns ``(result, grad_fn)``. ``grad_fn(*dys)`` gets the cotangent of each tensor of ``result`` (of a
    nest: in flat order) and returns the cotangent of each tensor in ``args``: for y = f(x), dL/dx from dL/dy. If ``f``
    reads variables that are not arguments, ``grad_fn(*dys, variables=None)`` returns a pair: the cotangents of the
    arguments, and a list of those of ``variables``.

    ``grad_fn`` may be differentiated in turn, and may itself be a custom gradient.

    Raises:
      TypeError: ``f`` uses variables that ``grad_fn`` does not take.
      ValueError: (when the gradient is taken) ``grad_fn`` returned another number of gradients than there are inputs.

    Example, log(1 + e^x) with a slope that does not overflow:
    >>> import gradtape as tf
    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     return tf.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(1.0, shape=(), dtype=float32)

    As TensorFlow 2.21.
    """
    return custom_gradient if f is None else CustomGradient(f)


_scopes: list[Callable[[], Callable[[], AbstractContextManager[Any]]]] = []


def restored_when_recomputed(scope: Callable[[], Callable[[], AbstractContextManager[Any]]]) -> None:
    """Names what a function depends on beside its arguments, for `recompute_grad`, which calls it twice.

    scope: is called in the first call, and gives what makes the context of the second.
    """
    _scopes.append(scope)


def recompute_grad(f: Callable[..., Any]) -> Any:
    """``f``, computed again when its gradient is taken, instead of keeping its intermediate values.

    Trades time for memory: a tape keeps the arguments of ``f`` only. Gradients of any order, of the arguments and of
    the variables that ``f`` reads, are those of ``f``. ``result.__wrapped__`` is ``f``.

    Example:
    >>> import gradtape as tf
    >>> square = tf.recompute_grad(lambda x: x * x)
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = square(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)

    Chen, Xu, Zhang & Guestrin, Training deep nets with sublinear memory cost, 2016. As TensorFlow 2.21.
    """

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        @custom_gradient
        def once(*args: Any) -> Any:
            scopes = [scope() for scope in _scopes]
            interpreter, recorders = current()
            watchers = tuple(r for r in recorders if isinstance(r, _VariableWatcher))
            with under(interpreter, watchers):
                result = f(*args, **kwargs)

            def grad(*dys: Any, variables: Sequence[Variable] | None = None) -> Any:
                variables = list(variables or ())
                flat = [
                    identity(as_tensor(x)) for x in flatten(args)
                ]  # a tensor given twice is two arguments
                moving = [x for x in flat if is_differentiable_np(dtype_of(x))]
                with ExitStack() as stack, GradientTape() as tape:
                    for scope in scopes:
                        stack.enter_context(scope())
                    tape.watch([moving, variables])
                    again = f(*pack_sequence_as(args, flat), **kwargs)
                found = tape.gradient(again, [*moving, *variables], output_gradients=list(dys))
                of_moving = iter(found)
                inputs = [next(of_moving) if is_differentiable_np(dtype_of(x)) else None for x in flat]
                return (inputs, list(of_moving)) if variables else inputs

            return result, grad

        return once(*args)

    return wrapped


def grad_pass_through(f: Callable[..., Any]) -> Any:
    """``f``, with the gradient of the identity: the cotangent of the result goes to the arguments unchanged.

    The straight-through estimator. Variables that ``f`` reads get none.

    Example:
    >>> import gradtape as tf
    >>> rounded = tf.grad_pass_through(tf.round)
    >>> x = tf.constant(1.7)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = 3.0 * rounded(x)
    >>> print(y.numpy(), tape.gradient(y, x).numpy())
    6.0 3.0

    Bengio, Léonard & Courville, Estimating or propagating gradients through stochastic neurons, 2013.
    As TensorFlow 2.21.
    """

    @custom_gradient
    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        def grad(*dys: Any, variables: Sequence[Variable] | None = None) -> Any:
            given = dys[0] if len(dys) == 1 else list(dys)
            return given if variables is None else (given, [None] * len(variables))

        return f(*args, **kwargs), grad

    return wrapped
