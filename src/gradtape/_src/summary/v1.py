"""``tf.summary`` of TensorFlow 1: operations whose values are serialized summaries, and the writer that takes them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gradtape._src.api.graphs import scope_of
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.log import get_logger
from gradtape._src.core.op import Op
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph
from gradtape._src.graph.graph_def import graph_def_of
from gradtape._src.graph.ir import current_graph
from gradtape._src.summary.event_file import EventFile
from gradtape._src.summary.messages import histogram_proto, image_values, metadata, protos, tensor_value


def _serialized(values: list[Any]) -> np.ndarray:
    return np.array(protos().Summary(value=values).SerializeToString(), object)


def _scalar(x: Any, *, tag: str) -> np.ndarray:
    if np.ndim(x) and np.size(x) != 1:
        raise InvalidArgumentError.of(
            f"tags and values are not the same shape: [] != {list(np.shape(x))} (tag '{tag}')"
        )
    return _serialized([protos().Summary.Value(tag=tag, simple_value=float(np.reshape(x, ())))])


def _histogram(x: Any, *, tag: str) -> np.ndarray:
    try:
        return _serialized([protos().Summary.Value(tag=tag, histo=histogram_proto(x))])
    except InvalidArgumentError as error:
        raise InvalidArgumentError.of(f"{error.message} for: {tag}") from None


def _summary_op(name: str, kernel: Any, accepts: str = "float int") -> Op:
    return Op(
        name,
        kernel,
        shape=lambda *args, **params: (),
        dtype=np.dtype(object),
        accepts=accepts,
    )


scalar_summary = _summary_op("ScalarSummary", _scalar)
histogram_summary = _summary_op("HistogramSummary", _histogram)
image_summary = _summary_op(
    "ImageSummary",
    lambda x, *, tag, max_outputs: _serialized(image_values(tag, x, max_outputs)),
    "uint8 float32 float16 float64",
)
text_summary = _summary_op(
    "TensorSummaryV2",
    lambda x, *, tag, description: _serialized([tensor_value(tag, x, metadata("text", description))]),
    "string",
)
merge_summary = _summary_op(
    # Serialized messages one after the other are the message of all.
    "MergeSummary",
    lambda *parts: np.array(b"".join(bytes(np.asarray(part)[()]) for part in parts), object),
    "string",
)


def _made(op: Op, name: str, family: str | None, tensor: Any, collections: Any, **params: Any) -> Any:
    """The operation, named after its tag, in the collections that `merge_all` looks at."""
    clean = _clean(name)
    with scope_of(clean if family is None else f"{_clean(family)}/{clean}") as scope:
        tag = scope.rstrip("/")
        if family is not None:
            tag = f"{_clean(family)}/{tag}"
        out = op.of(tensor, name=scope, tag=tag, **params)
    graph = current_graph()
    if graph is not None:
        graph.add_to_collections([GraphKeys.SUMMARIES] if collections is None else collections, out)
    return out


def _clean(name: str) -> str:
    """A name that an operation may have."""
    made = re.sub(r"[^-/\w.]", "_", name).lstrip("/")
    if made != name:
        get_logger().info("Summary name %s is illegal; using %s instead.", name, made)
    return made


def scalar(name, tensor, collections=None, family=None):
    """A tensor of strings: the serialized `tf.Summary` of a number.

    Args:
      name: of the operation; its tag in TensorBoard is that with the name scopes.
      tensor: a number.
      collections: of the graph, to add the tensor to; by default the one that `merge_all` looks at.
      family: a prefix for the tag.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     summary = tf.summary.scalar("loss", tf.constant(2.0))
    ...     print(tf.Summary.FromString(session.run(summary)).value[0].simple_value)
    2.0

    As TensorFlow 2.21 (1.15).
    """
    return _made(scalar_summary, name, family, as_tensor(tensor), collections)


def histogram(name, values, collections=None, family=None):
    """A tensor of strings: the serialized `tf.Summary` of the distribution of a tensor's elements; see `scalar`.

    Raises:
      InvalidArgumentError: when it is executed, an element is not finite.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     summary = tf.summary.histogram("weights", tf.constant([1.0, 2.0]))
    ...     print(tf.Summary.FromString(session.run(summary)).value[0].histo.num)
    2.0
    """
    return _made(histogram_summary, name, family, as_tensor(values), collections)


def image(name, tensor, max_outputs=3, collections=None, family=None):
    """A tensor of strings: the serialized `tf.Summary` of pictures; see `scalar`.

    Args:
      tensor: of shape (batch, height, width, channels) with 1, 3 or 4 channels. Bytes are taken as they are, floating
        point is stretched so that each picture uses all of 0 to 255, with 0 in the middle if there is less than 0.
      max_outputs: how many of the batch.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     summary = tf.summary.image("digits", tf.zeros([2, 8, 8, 1]))
    ...     print([value.tag for value in tf.Summary.FromString(session.run(summary)).value])
    ['digits/image/0', 'digits/image/1']
    """
    return _made(image_summary, name, family, as_tensor(tensor), collections, max_outputs=max_outputs)


def text(name, tensor, collections=None):
    """A tensor of strings: the serialized `tf.Summary` of texts; see `scalar`.

    Raises:
      ValueError: the tensor is not of strings.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.summary.text("note", tf.constant("hello"))
    <tf.Tensor 'note:0' shape=() dtype=string>
    """
    tensor = as_tensor(tensor)
    if tensor.dtype != as_dtype("string"):
        raise ValueError(f"Expected tensor {tensor} to have dtype string, got {tensor.dtype}")
    return _made(text_summary, name, None, tensor, collections, description="")


def merge(inputs, collections=None, name=None):
    """A tensor of strings: the serialized `tf.Summary` of all values of several.

    Args:
      inputs: what `scalar` and its relatives gave.
      collections: to add the result to; none by default.
      name: of the operation.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     both = tf.summary.merge([tf.summary.scalar("a", 1.0), tf.summary.scalar("b", 2.0)])
    ...     print([value.tag for value in tf.Summary.FromString(session.run(both)).value])
    ['a', 'b']
    """
    with scope_of(name or "Merge"):
        out = merge_summary.of(*map(as_tensor, inputs), name=name)
    graph = current_graph()
    if graph is not None:
        graph.add_to_collections(collections or [], out)
    return out


def merge_all(key=GraphKeys.SUMMARIES, scope=None, name=None):
    """`merge` of all summaries of the default graph; None if there are none.

    Args:
      key: the collection that they are in.
      scope: a regular expression that their names begin with.
      name: of the operation.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.summary.merge_all())
    None
    """
    found = get_default_graph().get_collection(key, scope)
    return merge(found, name=name) if found else None


class FileWriter:
    """Writes summaries into an event file, for TensorBoard.

    Args:
      logdir: the folder, made if it is not there.
      graph: to show, as by `add_graph`.
      max_queue, flush_secs: after how many events or seconds what was written is put on the disk.
      filename_suffix: what the name of the file ends with.
      graph_def, session: without effect.

    Raises:
      RuntimeError: in eager mode, which has no such summaries.

    >>> import gradtape.compat.v1 as tf, tempfile
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     merged = tf.summary.merge([tf.summary.scalar("loss", 2.0)])
    ...     with tf.summary.FileWriter(tempfile.mkdtemp(), session.graph) as writer:
    ...         writer.add_summary(session.run(merged), global_step=7)

    As TensorFlow 2.21 (1.15).
    """

    def __init__(
        self,
        logdir,
        graph=None,
        max_queue=10,
        flush_secs=120,
        graph_def=None,
        filename_suffix=None,
        session=None,
    ):
        if current_graph() is None and graph is None:
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. Use tf.summary.create_file_writer of "
                "TensorFlow 2 instead."
            )
        self._logdir = str(logdir)
        self._options = (max_queue, flush_secs, filename_suffix or "")
        self._file = EventFile(self._logdir, *self._options)
        if graph is not None:
            self.add_graph(graph)

    def get_logdir(self):
        """The folder."""
        return self._logdir

    def add_summary(self, summary, global_step=None):
        """Writes a summary: what a session gave for one, or a `tf.Summary`."""
        summary = np.asarray(summary)[()] if isinstance(summary, (np.ndarray, np.generic)) else summary
        if isinstance(summary, bytes):
            summary = protos().Summary.FromString(summary)
        self.add_event(protos().Event(summary=summary), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Writes the operations of a graph, for TensorBoard's picture of it."""
        data = (graph_def or graph_def_of(graph, picture=True)).SerializeToString()
        self.add_event(protos().Event(graph_def=data), global_step)

    def add_session_log(self, session_log, global_step=None):
        """Writes a `tf.SessionLog`."""
        self.add_event(protos().Event(session_log=session_log), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Accepted for TensorFlow's sake: sessions measure nothing, and nothing is written."""

    def add_event(self, event, global_step=None):
        """Writes a `tf.Event`."""
        if self._file.closed:
            get_logger().warning("Attempting to use a closed FileWriter. The operation will be a noop.")
            return
        if global_step is not None:
            event.step = int(global_step)
        self._file.write(event)

    def flush(self):
        """Puts what was written on the disk."""
        self._file.flush()

    def close(self):
        """Ends the file."""
        self._file.close()

    def reopen(self):
        """After `close`: what is written goes to a new file in the same folder."""
        if self._file.closed:
            self._file = EventFile(self._logdir, *self._options)

    def __enter__(self):
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()


class FileWriterCache:
    """One `FileWriter` for each folder.

    >>> import gradtape.compat.v1 as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with tf.Graph().as_default():
    ...     tf.summary.FileWriterCache.get(folder) is tf.summary.FileWriterCache.get(folder)
    True
    >>> tf.summary.FileWriterCache.clear()
    """

    _writers: dict[str, FileWriter] = {}

    @classmethod
    def get(cls, logdir):
        """The writer of a folder, made if there is none."""
        if logdir not in cls._writers:
            cls._writers[logdir] = FileWriter(logdir, get_default_graph())
        return cls._writers[logdir]

    @classmethod
    def clear(cls):
        """Closes all writers."""
        for writer in cls._writers.values():
            writer.close()
        cls._writers.clear()
