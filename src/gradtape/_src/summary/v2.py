"""``tf.summary`` of TensorFlow 2: functions that write to the default writer when they are executed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.function import func_graph
from gradtape._src.graph.graph_def import graph_def_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.graph.names import eager_scope
from gradtape._src.summary.event_file import EventFile
from gradtape._src.summary.messages import (
    encoded_images,
    histogram_buckets,
    metadata,
    protos,
    tensor_value,
)

_writer: ContextVar[Any] = ContextVar("gradtape summary writer", default=None)
_step: ContextVar[Any] = ContextVar("gradtape summary step", default=None)
_condition: ContextVar[Any] = ContextVar("gradtape summary condition", default=True)

# --- Writers ------------------------------------------------------------------------------------------------


class SummaryWriter:
    """Writes summaries into an event file; see `tf.summary.create_file_writer`."""

    def __init__(self, file: EventFile | None) -> None:
        self._file = file

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        """Makes this the writer of the summaries in a ``with`` block, and ``step`` their step; flushes at the end."""
        tokens = _writer.set(self), (_step.set(step) if step is not None else None)
        try:
            yield self
        finally:
            _writer.reset(tokens[0])
            if tokens[1] is not None:
                _step.reset(tokens[1])
            self.flush()

    def set_as_default(self, step: Any = None) -> None:
        """Makes this the writer of the summaries from here on, and ``step`` their step."""
        _writer.set(self)
        if step is not None:
            _step.set(step)

    def init(self) -> None:
        """For graphs: the file is there already."""

    def flush(self) -> None:
        """Puts what was written on the disk."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Ends the file; nothing can be written any more."""
        if self._file is not None:
            self._file.close()

    def _write(self, values: list[Any], step: int) -> bool:
        if self._file is None or self._file.closed:
            return False
        self._file.write_values(values, step)
        return True


def create_file_writer(
    logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None, experimental_trackable=False
):
    """A writer of summaries, into an event file for TensorBoard.

    Args:
      logdir: the folder, made if it is not there.
      max_queue, flush_millis: after how many events or thousandths of a second what was written is put on the disk;
        10 and two minutes by default.
      filename_suffix: what the name of the file ends with; ".v2" by default.
      name, experimental_trackable: without effect.

    >>> import gradtape as tf, tempfile
    >>> writer = tf.summary.create_file_writer(tempfile.mkdtemp())
    >>> with writer.as_default():
    ...     for step in range(3):
    ...         written = tf.summary.scalar("loss", 1.0 / (step + 1), step=step)
    >>> writer.close()

    As TensorFlow 2.21.
    """
    file = EventFile(
        os.fspath(logdir),
        10 if max_queue is None else int(max_queue),
        120.0 if flush_millis is None else float(flush_millis) / 1000,
        ".v2" if filename_suffix is None else str(filename_suffix),
    )
    return SummaryWriter(file)


def create_noop_writer():
    """A writer that writes nothing.

    >>> import gradtape as tf
    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.scalar("loss", 1.0, step=0).numpy())
    False
    """
    return SummaryWriter(None)


def flush(writer=None, name=None):
    """Puts what a writer, by default the default one, has written on the disk.

    >>> import gradtape as tf
    >>> tf.summary.flush()
    """
    writer = _writer.get() if writer is None else writer
    if writer is not None:
        writer.flush()


# --- Whether, and when --------------------------------------------------------------------------------------


@contextmanager
def record_if(condition):
    """Writes the summaries in a ``with`` block only if a condition holds.

    Args:
      condition: True, False, a tensor, or a function without arguments that gives one of these.

    >>> import gradtape as tf, tempfile
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default(step=1):
    ...     with tf.summary.record_if(lambda: False):
    ...         print(tf.summary.scalar("loss", 1.0).numpy())
    False
    """
    token = _condition.set(condition)
    try:
        yield
    finally:
        _condition.reset(token)


def should_record_summaries():
    """Whether summaries are written now: there is a default writer, and the condition of `record_if` holds.

    >>> import gradtape as tf
    >>> tf.summary.should_record_summaries()
    <tf.Tensor: shape=(), dtype=bool, numpy=False>
    """
    return as_tensor(_writer.get() is not None and _holds())


def _holds() -> Any:
    condition = _condition.get()
    return condition() if callable(condition) else condition


def get_step():
    """The step of summaries that are given none, or None.

    >>> import gradtape as tf
    >>> print(tf.summary.experimental.get_step())
    None
    """
    return _step.get()


def set_step(step):
    """Sets the step of summaries that are given none: a number, a variable that counts, or None.

    >>> import gradtape as tf
    >>> tf.summary.experimental.set_step(5)
    >>> tf.summary.experimental.get_step()
    5
    >>> tf.summary.experimental.set_step(None)
    """
    _step.set(step)


# --- Writing ------------------------------------------------------------------------------------------------


def _write_now(data: Any, step: Any, record: Any, *, writer: Any, tag: str, value: Any) -> Any:
    if not np.all(record):
        return np.bool_(False)
    return np.bool_(writer._write([value(tag, np.asarray(data))], int(step)))


write_summary = Op(
    "WriteSummary",
    _write_now,
    shape=lambda data, step, record, **params: (),
    dtype=np.dtype(bool),
    stateful=True,
)
"""Writes a value when it is executed; true if it did."""


def _record(name: str, data: Any, step: Any, value: Callable[[str, np.ndarray], Any]) -> Any:
    """Writes ``value(tag, array)``, now or when the graph is executed."""
    writer = _writer.get()
    if writer is None:
        return as_tensor(False)
    step = _step.get() if step is None else step
    if step is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "tf.summary.experimental.set_step()"
        )
    tag = _tag(name)
    graph = current_graph()
    record = as_tensor(_holds())
    out = write_summary.of(as_tensor(data), as_tensor(step), record, writer=writer, tag=tag, value=value)
    if graph is not None:
        graph.add_to_collection("_SUMMARY_V2", out)
    return out


def _tag(name: str) -> str:
    """The name after the name scopes."""
    graph = current_graph()
    if graph is None:
        return f"{eager_scope()}{name}"
    scope = graph.get_name_scope()
    return f"{scope}/{name}" if scope else name


def write(tag, tensor, step=None, metadata=None, name=None):
    """Writes a tensor.

    Args:
      tag: its name in TensorBoard.
      tensor: anything that converts to a tensor.
      step: a number; by default that of `tf.summary.experimental.set_step` or of the writer's ``as_default``.
      metadata: a `SummaryMetadata` that says which plug-in of TensorBoard shows it.
      name: without effect.

    Returns:
      A boolean tensor: whether it was written. In a `tf.function` it is written whenever that is executed.

    Raises:
      ValueError: there is no step.

    >>> import gradtape as tf
    >>> tf.summary.write("tensor", [1.0, 2.0], step=0).numpy()
    np.False_
    """
    return _record(tag, tensor, step, lambda tag, array: tensor_value(tag, array, metadata))


def scalar(name, data, step=None, description=None):
    """Writes a number; see `tf.summary.write`.

    Raises:
      InvalidArgumentError: when it is executed, the data is no number.

    >>> import gradtape as tf, tempfile
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     tf.summary.scalar("loss", 0.5, step=1).numpy()
    np.True_
    """

    def value(tag: str, array: np.ndarray) -> Any:
        if array.ndim:
            raise InvalidArgumentError.of(
                f"Expected scalar shape for the summary '{tag}', saw shape: {array.shape}."
            )
        return tensor_value(tag, array.astype(np.float32), metadata("scalars", description))

    return _record(name, data, step, value)


def histogram(name, data, step=None, buckets=None, description=None):
    """Writes the distribution of a tensor's elements in ``buckets`` of one width, 30 by default.

    See `tf.summary.write`.

    >>> import gradtape as tf, tempfile
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     tf.summary.histogram("weights", tf.random.normal([100]), step=1).numpy()
    np.True_
    """
    count = 30 if buckets is None else int(buckets)

    def value(tag: str, array: np.ndarray) -> Any:
        return tensor_value(tag, histogram_buckets(array, count), metadata("histograms", description))

    return _record(name, data, step, value)


def image(name, data, step=None, max_outputs=3, description=None):
    """Writes pictures; see `tf.summary.write`.

    Args:
      data: of shape (batch, height, width, channels) with 1 to 4 channels; bytes, or floating point from 0 to 1.
      max_outputs: how many of the batch.

    >>> import gradtape as tf, tempfile
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     tf.summary.image("digits", tf.zeros([2, 8, 8, 1]), step=1).numpy()
    np.True_
    """

    def value(tag: str, array: np.ndarray) -> Any:
        if array.ndim != 4:
            raise InvalidArgumentError.of(
                f"Pictures of the summary '{tag}' have the shape (batch, height, width, channels), received "
                f"{array.shape}."
            )
        return tensor_value(tag, encoded_images(array[:max_outputs]), metadata("images", description))

    return _record(name, data, step, value)


def text(name, data, step=None, description=None):
    """Writes texts; see `tf.summary.write`.

    >>> import gradtape as tf, tempfile
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     tf.summary.text("note", "hello", step=1).numpy()
    np.True_
    """
    about = description
    return _record(name, data, step, lambda tag, array: tensor_value(tag, array, metadata("text", about)))


def graph(graph_data):
    """Writes the operations of a graph, for TensorBoard's picture of it; true if there is a default writer.

    >>> import gradtape as tf
    >>> tf.summary.graph(tf.Graph())
    <tf.Tensor: shape=(), dtype=bool, numpy=False>
    """
    writer = _writer.get()
    if writer is None or writer._file is None:
        return as_tensor(False)
    data = graph_def_of(graph_data, picture=True) if hasattr(graph_data, "operations") else graph_data
    writer._file.write(protos().Event(graph_def=data.SerializeToString()))
    return as_tensor(True)


# --- Traces -------------------------------------------------------------------------------------------------


def trace_on(graph=True, profiler=False, profiler_outdir=None):
    """From here on keeps the graphs of the functions that are traced, for `tf.summary.trace_export`.

    Args:
      graph: whether to.
      profiler, profiler_outdir: without effect: nothing is measured.

    >>> import gradtape as tf
    >>> tf.summary.trace_on()
    >>> tf.summary.trace_off()
    """
    func_graph.traced = [] if graph else None


def trace_export(name, step=None, profiler_outdir=None):
    """Writes the graphs of the functions that were traced since `tf.summary.trace_on`, and ends the trace.

    Args:
      name: of the run in TensorBoard.
      step: a number; see `tf.summary.write`.
      profiler_outdir: without effect.

    Raises:
      ValueError: there is no trace, no default writer, or no step.

    >>> import gradtape as tf, tempfile
    >>> double = tf.function(lambda x: x + x)
    >>> tf.summary.trace_on()
    >>> with tf.summary.create_file_writer(tempfile.mkdtemp()).as_default():
    ...     y = double(tf.constant(1.0))
    ...     tf.summary.trace_export("double", step=0)
    """
    graphs, writer = func_graph.traced, _writer.get()
    if graphs is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    if writer is None:
        raise ValueError("trace_export needs a default writer: with writer.as_default(): ...")
    step = _step.get() if step is None else step
    if step is None:
        raise ValueError("No step set. Give `step`, or call tf.summary.experimental.set_step().")
    merged: Any = None
    for one in {
        graph.name: graph for graph in graphs
    }.values():  # a function that made variables is traced twice
        made = graph_def_of(one, picture=True)
        for node in made.node:  # each graph in a box of its own
            node.name = f"{one.name}/{node.name}"
            node.input[:] = [_inside(one.name, source) for source in node.input]
        if merged is None:
            merged = made
        else:
            merged.MergeFrom(made)
    data = b"" if merged is None else merged.SerializeToString()
    trace = protos().TaggedRunMetadata(tag=name)
    if writer._file is not None:
        writer._file.write(protos().Event(graph_def=data))
        writer._file.write(protos().Event(tagged_run_metadata=trace, step=int(step)))
    trace_off()


def _inside(name: str, source: str) -> str:
    return f"^{name}/{source[1:]}" if source.startswith("^") else f"{name}/{source}"


def trace_off():
    """Ends a trace, without writing anything.

    >>> import gradtape as tf
    >>> tf.summary.trace_off()
    """
    func_graph.traced = None
