"""``tf.test.compute_gradient`` of TensorFlow 1: derivatives in a graph, by `tf.gradients` and by differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.autodiff.graph_gradients import gradients
from gradtape._src.core import notes
from gradtape._src.graph.ir import placeholder
from gradtape._src.graph.running import default_session
from gradtape._src.ops.indexed_slices import dense
from gradtape._src.testing.gradients import as_matrix, check_dtype, differences, parts, units


def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The Jacobian of ``y`` by ``x`` as `tf.gradients` gives it, and as central differences do, in the default session.

        numerical[j, i] = (y[i] at x + delta e_j - y[i] at x - delta e_j) / (2 delta)

    Args:
      x: a tensor or a variable, or a list of them.
      x_shape: its shape, or a list of shapes.
      y: a tensor.
      y_shape: its shape.
      x_init_value: an array: where to differentiate; or a list of arrays. By default random numbers.
      delta: the step.
      init_targets: operations to execute first, such as `tf.global_variables_initializer()`.
      extra_feed_dict: what else to feed.

    Returns:
      A pair of arrays of shape (size of ``x``, size of ``y``); for a list, a list of pairs. A complex number counts as
      two.

    Raises:
      ValueError: there is no default session.
      AssertionError: a dtype without derivatives, a value that does not have the shape, or no path from ``x`` to ``y``.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session():
    ...     x = tf.placeholder(tf.float64, [2])
    ...     pair = tf.test.compute_gradient(x, [2], x * x, [2], x_init_value=np.array([1.0, 2.0]))
    >>> print(pair[0])
    [[2. 0.]
     [0. 4.]]

    As TensorFlow 2.21 (1.15).
    """
    session = default_session.get()
    if session is None:
        raise ValueError(
            "No default session is registered. Write `with tf.Session():` around tf.test.compute_gradient."
        )
    if init_targets is not None:
        session.run(init_targets)
    several = isinstance(x, (list, tuple))
    xs, shapes = (list(x), list(x_shape)) if several else ([x], [x_shape])
    given = [None] * len(xs) if x_init_value is None else x_init_value if several else [x_init_value]
    values = [_value(one, shape, value) for one, shape, value in zip(xs, shapes, given, strict=True)]
    check_dtype(y.dtype.np, "y")
    feeds = {**(extra_feed_dict or {}), **dict(zip(xs, values, strict=True))}
    pairs = [_pair(session, one, y, tuple(y_shape), feeds, delta) for one in xs]
    return pairs if several else pairs[0]


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The largest difference between the two Jacobians of `compute_gradient`, which has the same arguments.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session():
    ...     x = tf.placeholder(tf.float64, [2])
    ...     print(tf.test.compute_gradient_error(x, [2], tf.sin(x), [2]) < 1e-6)
    True

    As TensorFlow 2.21 (1.15).
    """
    found = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = found if isinstance(found, list) else [found]
    return max(np.abs(a - b).max(initial=0) for a, b in pairs)


def _value(x: Any, shape: Any, value: Any) -> Any:
    """Where to differentiate by ``x``."""
    dtype = x.dtype.base_dtype.np
    check_dtype(dtype, "x")
    if value is None:
        drawn = np.random.random_sample(tuple(shape))
        return (drawn + 1j * np.random.random_sample(drawn.shape) if dtype.kind == "c" else drawn).astype(
            dtype
        )
    value = np.asarray(value, dtype)
    if value.shape != tuple(shape):
        raise AssertionError(
            f"x_shape = {list(shape)}, init_data shape = {list(value.shape)}: x_shape must be that of x_init_value."
        )
    return value


def _pair(session: Any, x: Any, y: Any, y_shape: tuple[int, ...], feeds: Any, delta: float) -> Any:
    with session.graph.as_default():
        seed = y.graph.append(placeholder, (), {"shape": y_shape, "dtype": y.dtype.np}, "grad_y").outputs[0]
        (g,) = gradients(y, x, seed)
        if g is None:
            raise AssertionError(f"dx = None: there is no gradient of y = {y} by x = {x}.{notes.because()}")
        g = dense(g)
    rows = [parts(session.run(g, {**feeds, seed: unit})) for unit in units(y_shape, y.dtype.np)]
    measured = differences(lambda value: session.run(y, {**feeds, x: value}), feeds[x], delta)
    return as_matrix(rows, feeds[x].dtype, len(measured)).T, measured
