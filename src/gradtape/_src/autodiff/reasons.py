"""Why gradients are None: the questions that a program can ask. The answers are loaded when one is asked."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gradtape._src.core import notes
from gradtape._src.core.notes import checking, pictures, reasons


def enable_explanations() -> None:
    """From now on keeps a birth record of every tensor: the operation, its inputs, and the line of the program.

    `tf.GradientTape.explain` then answers with the exact line. Programs run more slowly; the records hold no data, and
    the oldest are forgotten. They are of this thread. ``gradtape run --explain`` does this from the start.

    >>> import gradtape as tf
    >>> tf.debugging.enable_explanations()
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.round(x) * 2.0
    >>> tape.explain(y, x).cause
    'op_not_differentiable'
    >>> tf.debugging.disable_explanations()
    """
    reasons().enable()


def disable_explanations() -> None:
    """Forgets the birth records, and keeps no more: see `tf.debugging.enable_explanations`.

    >>> import gradtape as tf
    >>> tf.debugging.disable_explanations()
    """
    reasons().disable()


def explain_gradients(ys: Any, xs: Any, stop_gradients: Any = None) -> Any:
    """Why ``tf.gradients(ys, xs)`` has a None, for each x.

    Args:
      ys, xs, stop_gradients: as for `tf.gradients`.

    Returns:
      For each x, in their structure, an `tf.debugging.Explanation`, as `tf.GradientTape.explain` gives it. The graph
      is not changed.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant([1.0, 2.0])
    ...     y = tf.argmax(x)
    ...     print(tf.debugging.explain_gradients(y, x).cause)
    op_not_differentiable
    """
    return reasons().explain_graph(ys, xs, stop_gradients)


def check_gradients(
    ys: Any,
    xs: Any,
    feed_dict: Any = None,
    grad_ys: Any = None,
    stop_gradients: Any = None,
    session: Any = None,
) -> Any:
    """Whether ``tf.gradients(ys, xs)`` is right: compares it with differences in float64, as `tf.GradientTape.check`.

    Args:
      ys, xs, grad_ys, stop_gradients: as for `tf.gradients`. The gradient becomes a part of the graph.
      feed_dict: what to feed.
      session: by default the default session.

    Returns:
      For each x, in their structure, a `tf.debugging.GradientCheck`.

    Raises:
      ValueError: there is no session.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session():
    ...     x = tf.placeholder(tf.float32, [2])
    ...     print(tf.debugging.check_gradients(tf.sin(x), x, {x: [1.0, 2.0]}).ok)
    True
    """
    return import_module("gradtape._src.explain.check_graph").check_graph(
        ys, xs, feed_dict, grad_ys, stop_gradients, session
    )


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on every result of an operation must be finite if its inputs are, in eager mode and in graphs.

    The error names the operation, its inputs, the line, and the safe form. ``gradtape run --check-numerics`` reports
    such results on standard error instead. Both arguments are without effect.

    Raises (later, where it happens):
      InvalidArgumentError: a result is NaN or infinite.

    >>> import gradtape as tf
    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     tf.math.log(tf.constant(0.0))
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error.message.splitlines()[0])
    !!! Detected Infinity or NaN in 1 element !!!
    >>> tf.debugging.disable_check_numerics()

    As TensorFlow 2.21.
    """
    checking().enable(checking().refuse)


def disable_check_numerics() -> None:
    """Results are checked no more: see `tf.debugging.enable_check_numerics`.

    >>> import gradtape as tf
    >>> tf.debugging.disable_check_numerics()
    """
    checking().disable()


def enable_gradient_checks() -> None:
    """From now on tapes keep all numbers, so that `tf.GradientTape.check` can execute the recorded program again.

    >>> import gradtape as tf
    >>> tf.debugging.enable_gradient_checks()
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(tf.exp(x))
    >>> print(tape.check(y, x).ok)
    True
    >>> tf.debugging.disable_gradient_checks()
    """
    notes.keeps_all = True


def disable_gradient_checks() -> None:
    """Tapes keep only what gradients need: see `tf.debugging.enable_gradient_checks`.

    >>> import gradtape as tf
    >>> tf.debugging.disable_gradient_checks()
    """
    notes.keeps_all = False


def enable_pictures() -> None:
    """From now on tapes keep all that `tf.GradientTape.picture` can show: lines, name scopes, values, and reasons.

    That is `enable_explanations` and `enable_gradient_checks` together. A tape can then be drawn after its gradient was
    taken, too. Programs run more slowly. ``gradtape run --picture FILE SCRIPT`` does this from the start.

    >>> import gradtape as tf
    >>> tf.debugging.enable_pictures()
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(x * x)
    >>> "y = tf.reduce_sum(x * x)" in tape.picture(y, x).svg()
    True
    >>> tf.debugging.disable_pictures()
    """
    pictures().enable()


def disable_pictures() -> None:
    """Tapes keep only what gradients need: see `tf.debugging.enable_pictures`.

    >>> import gradtape as tf
    >>> tf.debugging.disable_pictures()
    """
    pictures().disable()


def draw_gradients(ys: Any, xs: Any, stop_gradients: Any = None) -> Any:
    """A drawing of the graph between ``xs`` and ``ys``: where ``tf.gradients(ys, xs)`` flow, where and why they stop.

    Args:
      ys, xs, stop_gradients: as for `tf.gradients`.

    Returns:
      A `tf.debugging.Picture`, as `tf.GradientTape.picture` gives it, without numbers. The graph is not changed.

    Raises:
      TypeError: a y or an x is not a tensor.
      ValueError: no tensor is one of a graph.

    >>> import gradtape as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.constant([1.0, 2.0])
    ...     y = tf.stop_gradient(x * x)
    ...     print("stop_gradient" in tf.debugging.draw_gradients(y, x).svg())
    True
    """
    return pictures().picture_of_gradients(ys, xs, stop_gradients)
