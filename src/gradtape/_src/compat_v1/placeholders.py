"""`tf.placeholder`: tensors whose values a session is given."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.op import Op
from gradtape._src.core.shapes import as_text, compatible
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import shape_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.ir import placeholder as fed


def placeholder(dtype, shape=None, name=None):
    """A tensor that has no value but the one that it is fed: ``session.run(y, feed_dict={x: value})``.

    Args:
      dtype: of the elements.
      shape: what may be fed; None for an unknown dimension, or for a shape of which nothing is known.
      name: of the operation.

    Raises:
      RuntimeError: in eager mode, where a function's argument is what a placeholder is in a graph.
      InvalidArgumentError: when it is needed and was not fed.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [None, 2], name="x")
    ...     print(x)
    ...     print(session.run(2.0 * x, feed_dict={x: [[1.0, 2.0]]}))
    Tensor("x:0", shape=(None, 2), dtype=float32)
    [[2. 4.]]

    As TensorFlow 2.21 (1.15).
    """
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            "tf.placeholder() is not compatible with eager execution. Build a graph: call "
            "tf.compat.v1.disable_eager_execution() first, or work within `with tf.Graph().as_default():`; or make "
            "what is fed the argument of a function."
        )
    params = {"shape": as_shape_tuple(shape), "dtype": as_dtype(dtype).np}
    return graph.append(fed, (), params, name).outputs[0]


_with_default = Op(
    "PlaceholderWithDefault",
    lambda x, shape: x,
    vjp=lambda g, y, x, shape: g,
    reads="",
    linear=(0,),
    shape=lambda x, shape: shape,
    stateful=True,  # else it would be folded into what it is by default
)


def placeholder_with_default(input, shape, name=None):
    """A tensor that has the value of ``input``, unless it is fed another one.

    Raises:
      ValueError: ``input`` does not have the shape.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     rate = tf.placeholder_with_default(0.5, [])
    ...     print(session.run(rate), session.run(rate, {rate: 0.0}))
    0.5 0.0

    As TensorFlow 2.21 (1.15).
    """
    value: Any = as_tensor(input)
    dims = as_shape_tuple(shape)
    if not compatible(shape_of(value), dims):
        raise ValueError(
            f"Shapes {as_text(shape_of(value))} and {as_text(dims)} are not compatible: the default of a placeholder "
            "must be of its shape."
        )
    return _with_default.of(value, shape=dims, name=name)
