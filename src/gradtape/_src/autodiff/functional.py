"""Derivatives of Python functions, in one call each: ``tf.autodiff.jvp``, ``vjp``, ``hvp``, ``jacobian``, ...

``primals`` is the argument of the function, or a tuple or list of all its arguments. An argument may be a nest of
tensors; derivatives have the structure of ``primals``.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters
from typing import Any

from gradtape._src.autodiff.accumulator import ForwardAccumulator
from gradtape._src.autodiff.tape import GradientTape
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten, is_nested, map_structure
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import identity, reshape
from gradtape._src.ops.einsum import einsum_one
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.ops.variables import Variable


def _tensors(primals: Any) -> Any:
    """The arguments as tensors of their own: one that is given twice is two arguments."""
    own = lambda x: x if isinstance(x, Variable) else identity.of(as_tensor(x))
    argument = lambda x: map_structure(own, x) if is_nested(x) and not _is_of_numbers(x) else own(x)
    return tuple(map(argument, primals)) if isinstance(primals, (tuple, list)) else argument(primals)


def _is_of_numbers(nest: Any) -> bool:
    """Whether it is a list of Python numbers, which is one tensor."""
    numbers = all(isinstance(x, (bool, int, float, complex)) for x in flatten(nest))
    return isinstance(nest, (list, tuple)) and numbers


def _called(f: Callable[..., Any], primals: Any) -> Any:
    return f(*primals) if isinstance(primals, tuple) else f(primals)


def jvp(f: Callable[..., Any], primals: Any, tangents: Any) -> tuple[Any, Any]:
    """``f(*primals)`` and the directional derivative of ``f`` along ``tangents``: J v, in one pass forwards.

    Args:
      f: a function of tensors.
      primals: its argument, or a tuple or list of its arguments.
      tangents: a tensor for each, of its shape.

    Returns:
      The value and the tangent, in the structure of the value; a tangent is None where there is no path.

    >>> import gradtape as tf
    >>> y, dy = tf.autodiff.jvp(lambda x: x ** 2, tf.constant(3.0), tf.constant(1.0))
    >>> print(y.numpy(), dy.numpy())
    9.0 6.0
    """
    primals = _tensors(primals)
    tangents = tuple(tangents) if isinstance(tangents, list) else tangents
    with ForwardAccumulator(primals, tangents) as accumulator:
        y = _called(f, primals)
    return y, accumulator.jvp(y)


def vjp(f: Callable[..., Any], primals: Any, cotangents: Any = None) -> tuple[Any, Any]:
    """``f(*primals)`` and the gradient weighted with ``cotangents``: v J, in one pass backwards.

    Args:
      f: a function of tensors.
      primals: its argument, or a tuple or list of its arguments.
      cotangents: weights in the structure and of the shapes of the value; ones by default.

    Returns:
      The value, and a cotangent for each argument; None where there is no path.

    >>> import gradtape as tf
    >>> y, (dx, dw) = tf.autodiff.vjp(lambda x, w: x * w, (tf.constant(3.0), tf.constant(2.0)), tf.constant(1.0))
    >>> print(y.numpy(), dx.numpy(), dw.numpy())
    6.0 2.0 3.0
    """
    primals = _tensors(primals)
    with GradientTape() as tape:
        tape.watch(primals)
        y = _called(f, primals)
    return y, tape.gradient(y, primals, output_gradients=cotangents)


def hvp(f: Callable[..., Any], primals: Any, tangents: Any) -> Any:
    """The product of the Hessian of ``f`` with a vector: forward over reverse, at the cost of a few gradients.

    Args:
      f: a function whose value is a scalar (of another value the sum is differentiated).
      primals: its argument, or a tuple or list of its arguments.
      tangents: the vector: a tensor for each argument, of its shape.

    >>> import gradtape as tf
    >>> print(tf.autodiff.hvp(lambda x: tf.reduce_sum(x ** 3), tf.constant([1.0, 2.0]), tf.constant([1.0, 1.0])))
    tf.Tensor([ 6. 12.], shape=(2,), dtype=float32)

    Pearlmutter, Fast exact multiplication by the Hessian, 1994.
    """
    primals = _tensors(primals)
    tangents = tuple(tangents) if isinstance(tangents, list) else tangents
    with ForwardAccumulator(primals, tangents) as accumulator:
        gradient = _gradient(f, primals)
    return accumulator.jvp(gradient, unconnected_gradients="zero")


def _gradient(f: Callable[..., Any], primals: Any) -> Any:
    with GradientTape() as tape:
        tape.watch(primals)
        y = _called(f, primals)
    found = tape.gradient(y, primals, unconnected_gradients="zero")
    return map_structure(dense, found)


def jacobian(f: Callable[..., Any], primals: Any, mode: str = "auto") -> Any:
    """The Jacobian of ``f``: d f(x)[i...] / d x[j...], in the cheaper direction.

    Args:
      f: a function of tensors whose value is a tensor, or a nest of tensors.
      primals: its argument, or a tuple or list of its arguments.
      mode: "forward", "reverse" or "auto", see `tf.GradientTape.jacobian`.

    Returns:
      For each argument a tensor of shape ``value.shape + argument.shape``; None where there is no path. Of a nest of
      values, such a result for each of them, in a nest of the same structure.

    >>> import gradtape as tf
    >>> print(tf.autodiff.jacobian(lambda x: x ** 2, tf.constant([1.0, 2.0])).numpy())
    [[2. 0.]
     [0. 4.]]
    """
    primals = _tensors(primals)
    with GradientTape(persistent=True) as tape:
        tape.watch(primals)
        y = _called(f, primals)
    return map_structure(lambda one: tape.jacobian(one, primals, mode=mode), y)


def hessian(f: Callable[..., Any], primals: Any) -> Any:
    """The matrix of second derivatives of ``f``: d² f(x) / d x[i...] d x[j...].

    Args:
      f: a function whose value is a scalar (of another value the sum is differentiated).
      primals: its argument, or a tuple or list of its arguments.

    Returns:
      A tensor of shape ``x.shape + x.shape``; for several arguments a tuple of tuples, one for each pair.

    >>> import gradtape as tf
    >>> print(tf.autodiff.hessian(lambda x: x[0] ** 2 * x[1], tf.constant([1.0, 2.0])).numpy())
    [[4. 2.]
     [2. 0.]]
    """
    primals = _tensors(primals)
    with GradientTape(persistent=True) as tape:
        tape.watch(primals)
        gradient = _gradient(f, primals)
    rows = lambda g: tape.jacobian(g, primals, unconnected_gradients="zero")
    return map_structure(rows, gradient)


def hessian_diagonal(f: Callable[..., Any], x: Any, batch_axis: int | None = None) -> Any:
    """The second derivatives of ``f`` by each element of its argument: d² f(x) / d x[i...]², of the shape of ``x``.

    Args:
      f: a function whose value is a scalar; with ``batch_axis``, of one value (or several, whose sum is taken) for each
        example, which depends on that example only.
      x: its argument.
      batch_axis: the axis of ``x`` that numbers the examples, if there are any.

    >>> import gradtape as tf
    >>> print(tf.autodiff.hessian_diagonal(lambda x: tf.reduce_sum(x ** 3), tf.constant([1.0, 2.0])))
    tf.Tensor([ 6. 12.], shape=(2,), dtype=float32)
    """
    if batch_axis is not None and _rank(x) == 1:
        return reshape(hessian_diagonal(*_as_rows(f, x, batch_axis)), (-1,))
    labels, equation = _diagonal(x, batch_axis)
    return einsum_one(_second(f, x, batch_axis), equation=f"{equation}->{labels}")


def laplacian(f: Callable[..., Any], x: Any, batch_axis: int | None = None) -> Any:
    """The sum of the second derivatives of ``f`` by each element of its argument, the trace of its Hessian.

    Args:
      f: a function whose value is a scalar; with ``batch_axis``, of one value (or several, whose sum is taken) for each
        example, which depends on that example only.
      x: its argument.
      batch_axis: the axis of ``x`` that numbers the examples, if there are any; the result has one value for each.

    >>> import gradtape as tf
    >>> print(tf.autodiff.laplacian(lambda x: tf.reduce_sum(x ** 3), tf.constant([1.0, 2.0])))
    tf.Tensor(18.0, shape=(), dtype=float32)
    >>> points = tf.constant([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]])
    >>> print(tf.autodiff.laplacian(lambda p: p[:, 0] ** 2 * p[:, 1], points, batch_axis=0))
    tf.Tensor([4. 2. 0.], shape=(3,), dtype=float32)
    """
    if batch_axis is not None and _rank(x) == 1:
        return laplacian(*_as_rows(f, x, batch_axis))
    labels, equation = _diagonal(x, batch_axis)
    kept = "" if batch_axis is None else labels[batch_axis]
    return einsum_one(_second(f, x, batch_axis), equation=f"{equation}->{kept}")


def _second(f: Callable[..., Any], x: Any, batch_axis: int | None) -> Any:
    x = _tensors(x)
    with GradientTape() as tape:
        tape.watch(x)
        gradient = _gradient(f, x)
    if batch_axis is None:
        return tape.jacobian(gradient, x, unconnected_gradients="zero")
    return tape.batch_jacobian(gradient, x, batch_axis=batch_axis)


def _rank(x: Any) -> int:
    shape = shape_of(x if isinstance(x, Variable) else as_tensor(x))
    if shape is None:
        raise ValueError("The rank of x is not known while the graph is built. Use tf.ensure_shape.")
    return len(shape)


def _as_rows(f: Callable[..., Any], x: Any, batch_axis: int) -> tuple[Callable[..., Any], Any, int]:
    """The same problem, where an example is no number but a row of one number."""
    _check_axis(batch_axis, 1)
    return lambda rows: f(reshape(rows, (-1,))), reshape(as_tensor(x), (-1, 1)), 0


def _check_axis(batch_axis: int, rank: int) -> None:
    if not -rank <= batch_axis < rank:
        raise ValueError(f"batch_axis={batch_axis} is out of range for x, which has rank {rank}.")


def _diagonal(x: Any, batch_axis: int | None) -> tuple[str, str]:
    """Labels for the axes of x, and for those of the second derivatives whose diagonal is wanted."""
    labels = ascii_letters[: _rank(x)]
    if batch_axis is not None:
        _check_axis(batch_axis, len(labels))
    inner = labels if batch_axis is None else labels.replace(labels[batch_axis], "")
    return labels, labels + inner
