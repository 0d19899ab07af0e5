"""The switches between TensorFlow 1's behaviour and TensorFlow 2's: eager execution, shapes, equality.

gradtape behaves like TensorFlow 2 from the start. A program for TensorFlow 1 begins in graph mode where it says so
(`tf.disable_v2_behavior()`, `tf.disable_eager_execution()`), where `gradtape run` sees that it is one, and where it is
a script that imports `gradtape.compat.v1` as its only gradtape: see `start_as_tensorflow_1`.
"""

from __future__ import annotations

import linecache
import re
import sys
from typing import Any

from gradtape._src.control import loop_op
from gradtape._src.core.context import current_interpreter
from gradtape._src.core.tensor_shape import set_v2_tensorshape
from gradtape._src.core.values import Tensor
from gradtape._src.graph.default import outermost, start_graph_mode, stop_graph_mode
from gradtape._src.graph.ir import current_graph


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Execute operations at once.

    config, device_policy, execution_mode: without effect; there is one device, and execution is synchronous.

    Raises:
      ValueError: the default graph has operations already: this has to come first in a program.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_eager_execution()
    """
    if current_interpreter() is None:
        return
    if current_interpreter() is not outermost() or outermost().operations:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    stop_graph_mode()


def disable_eager_execution() -> None:
    """From here on operations are added to the default graph, for a `tf.Session` to execute.

    Raises:
      ValueError: while a function is traced or a graph is built.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_eager_execution()
    >>> tf.constant(1.0)
    <tf.Tensor 'Const:0' shape=() dtype=float32>
    >>> tf.reset_default_graph()
    >>> tf.enable_eager_execution()
    """
    interpreter = current_interpreter()
    if interpreter is None:
        start_graph_mode()
    elif current_graph() is None or current_graph().building_function:  # type: ignore[union-attr]
        raise ValueError(
            "tf.disable_eager_execution must be called at program startup, outside of all functions."
        )


def enable_v2_behavior() -> None:
    """Eager execution, TensorFlow 2's shapes and equality: what there is from the start.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_v2_behavior()
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_tensor_equality()
    enable_control_flow_v2()


def disable_v2_behavior() -> None:
    """TensorFlow 1's behaviour: graphs, `Dimension`s in shapes, tensors that are equal if they are the same.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_v2_behavior()
    >>> tf.placeholder(tf.float32, [None, 2]).shape[1].value
    2
    >>> tf.reset_default_graph()
    >>> tf.enable_v2_behavior()
    """
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_tensor_equality()
    disable_control_flow_v2()


def enable_resource_variables() -> None:
    """Variables whose reads are ordered with their writes: the only kind here.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_resource_variables()
    """


def disable_resource_variables() -> None:
    """TensorFlow 1's first kind of variables: accepted, and without effect.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_resource_variables()
    """


def resource_variables_enabled() -> bool:
    """Whether reads of variables are ordered with their writes: yes.

    >>> import gradtape.compat.v1 as tf
    >>> tf.resource_variables_enabled()
    True
    """
    return True


def enable_tensor_equality() -> None:
    """`==` between tensors compares elements: so from the start.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_tensor_equality()
    """
    Tensor._USE_EQUALITY = True


def disable_tensor_equality() -> None:
    """`==` between tensors asks whether they are the same one, and they are keys of dictionaries.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_tensor_equality()
    >>> tf.constant(1.0) == tf.constant(1.0)
    False
    >>> tf.enable_tensor_equality()
    """
    Tensor._USE_EQUALITY = False  # pyright: ignore[reportAttributeAccessIssue]


def enable_v2_tensorshape() -> None:
    """Indexing a `TensorShape` gives an int or None: so from the start.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_v2_tensorshape()
    """
    set_v2_tensorshape(True)


def disable_v2_tensorshape() -> None:
    """Indexing a `TensorShape` gives a `Dimension`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_v2_tensorshape()
    >>> tf.TensorShape([2, 3])[0].value
    2
    >>> tf.enable_v2_tensorshape()
    """
    set_v2_tensorshape(False)


def enable_control_flow_v2() -> None:
    """What a loop of a graph does not use has the gradient zero: so from the start.

    >>> import gradtape.compat.v1 as tf
    >>> tf.enable_control_flow_v2()
    """
    loop_op.use_version(2)


def disable_control_flow_v2() -> None:
    """What a loop of a graph does not use has no gradient: None. `tf.disable_v2_behavior` does it too.

    >>> import gradtape.compat.v1 as tf
    >>> tf.disable_control_flow_v2()
    >>> with tf.Graph().as_default():
    ...     x, y = tf.while_loop(lambda x, y: x < 9.0, lambda x, y: (2.0 * x, 3.0 * y), [tf.ones([]), tf.ones([])])
    ...     tf.gradients(x, y.op.inputs[1])
    [None]
    >>> tf.enable_control_flow_v2()
    """
    loop_op.use_version(1)


def control_flow_v2_enabled() -> bool:
    """Whether what a loop of a graph does not use has the gradient zero.

    >>> import gradtape.compat.v1 as tf
    >>> tf.control_flow_v2_enabled()
    True
    """
    return loop_op.version() == 2


# --- Programs for TensorFlow 1 ------------------------------------------------------------------------------

_TENSORFLOW_2_TOO = re.compile(
    rb"(^|;)\s*(import\s+([\w. ]+,\s*)*gradtape\s*($|as\b|[,;#])|from\s+gradtape\s+import\b)", re.MULTILINE
)


def start_as_tensorflow_1(depth: int = 2) -> None:
    """Called when `gradtape.compat.v1` is imported: starts TensorFlow 1.13's defaults for a script that is written so.

    That is a script (`__main__`, a notebook too) with the statement ``import gradtape.compat.v1 as tf`` that does not
    import gradtape itself besides. Where `tf.compat.v1` is reached as an attribute of gradtape, or imported by a
    library, nothing changes: eager execution is a matter of the whole program, and not the library's.
    """
    frame: Any = sys._getframe(depth)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen "):
        frame = frame.f_back
    if frame is None or frame.f_globals.get("__name__") != "__main__" or not _is_statement(frame):
        return
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)).encode()
    if not _TENSORFLOW_2_TOO.search(source) and current_interpreter() is None:
        disable_v2_behavior()


def _is_statement(frame: Any) -> bool:
    """Whether the frame imports with ``import gradtape.compat.v1``, and not in passing."""
    names = frame.f_code.co_names
    return any(name.startswith("gradtape.compat") for name in names)
