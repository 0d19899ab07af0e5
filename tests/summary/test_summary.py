"""``tf.summary``: the messages are TensorFlow's, and the files are read back record by record."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import make_summary as golden
from tensorboardX.crc32c import crc32c
from tensorboardX.proto.event_pb2 import Event
from tensorboardX.proto.graph_pb2 import GraphDef

import gradtape as tf

t1 = tf.compat.v1
EXPECTED = json.loads((Path(golden.__file__).parent / "summary.json").read_text(encoding="utf-8"))


def events(folder: Path) -> list[Any]:
    """The events of the files in a folder; every checksum is looked at."""
    found = []
    for file in sorted(folder.iterdir()):
        data, at = file.read_bytes(), 0
        while at < len(data):
            (size,) = struct.unpack("<Q", data[at : at + 8])
            body = data[at + 12 : at + 12 + size]
            for text, end in (data[at : at + 8], at + 12), (body, at + 16 + size):
                crc = crc32c(text) & 0xFFFFFFFF
                masked = (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF
                assert struct.unpack("<I", data[end - 4 : end]) == (masked,)
            found.append(Event.FromString(body))
            at += 16 + size
    return found


def values(folder: Path) -> list[tuple[str, int, Any]]:
    return [(value.tag, event.step, value) for event in events(folder) for value in event.summary.value]


def array(value: Any) -> np.ndarray:
    proto = value.tensor
    shape = [dim.size for dim in proto.tensor_shape.dim]
    if proto.string_val:
        return np.array(list(proto.string_val), object).reshape(shape)
    dtype = {1: np.float32, 2: np.float64}[proto.dtype]
    return np.frombuffer(proto.tensor_content, dtype).reshape(shape)


# --- TensorFlow 1 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(EXPECTED))
def test_messages_are_tensorflows(name: str):
    assert ANSWERS[name] == EXPECTED[name]


ANSWERS = golden.answers(tf)


def test_a_program_of_tensorflow_1(tmp_path: Path):
    with tf.Graph().as_default() as graph, t1.Session() as session:
        x = t1.placeholder(tf.float32, [], name="x")
        with tf.name_scope("losses"):
            t1.summary.scalar("loss", x * x)
            t1.summary.scalar("loss", x)
        t1.summary.histogram("xs", tf.stack([x, x]))
        apart = t1.summary.scalar("apart", x, collections=["mine"])
        assert graph.get_collection("mine") == [apart]
        merged = t1.summary.merge_all()
        assert (merged.dtype, merged.shape, merged.name) == (tf.string, [], "Merge/MergeSummary:0")
        with t1.summary.FileWriter(tmp_path / "logs", session.graph) as writer:
            for step in range(3):
                value, text = session.run([x * 2.0, merged], {x: float(step)})
                assert value == 2 * step and isinstance(text, bytes)
                writer.add_summary(text, step)
            writer.add_summary(session.run(apart, {x: 9.0}))
            writer.add_summary(t1.Summary(value=[t1.Summary.Value(tag="own", simple_value=7.0)]), 4)
    found = [
        (tag, step, v.simple_value) for tag, step, v in values(tmp_path / "logs") if not v.HasField("histo")
    ]
    assert found == [
        *[(tag, i, y) for i in range(3) for tag, y in (("losses/loss", i * i), ("losses/loss_1", i))],
        ("apart", 0, 9.0),
        ("own", 4, 7.0),
    ]
    graphs = [GraphDef.FromString(event.graph_def) for event in events(tmp_path / "logs") if event.graph_def]
    nodes = {node.name: node for node in graphs[0].node}
    assert list(nodes["losses/mul"].input) == ["x", "x"] and nodes["x"].op == "Placeholder"
    assert nodes["x"].attr["_output_shapes"].list.shape[0].unknown_rank is False


def test_a_picture_of_a_graph_has_the_bodies_of_loops_branches_and_functions(tmp_path: Path):
    @tf.function
    def f(x):
        for _ in tf.range(3):
            x = tf.cond(tf.reduce_sum(x) > 0.0, lambda x=x: tf.sin(x), lambda x=x: tf.cos(x))
        return x

    graph = tf.Graph()
    with graph.as_default():
        x = t1.placeholder(tf.float32, [2], name="x")
        f(x)
    with tf.summary.create_file_writer(tmp_path).as_default():
        tf.summary.graph(graph)
    (found,) = [GraphDef.FromString(event.graph_def) for event in events(tmp_path) if event.graph_def]
    names = [node.name for node in found.node]
    assert len(set(names)) == len(names)
    assert {
        source.removeprefix("^").partition(":")[0] for node in found.node for source in node.input
    } <= set(names)
    assert {"Sin", "Cos", "While", "If", "PartitionedCall", "_Arg"} <= {node.op for node in found.node}
    (sin,) = [node for node in found.node if node.op == "Sin"]
    assert sin.name.startswith("PartitionedCall/") and "/while/step/" in sin.name and "/branches" in sin.name
    assert "_output_shapes" in sin.attr
    assert len(graph.as_graph_def().node) == len(graph.operations)


def test_what_is_written_is_on_the_disk_after_flush(tmp_path: Path):
    with tf.Graph().as_default():
        writer = t1.summary.FileWriter(tmp_path, max_queue=1000)
        writer.add_summary(t1.Summary(value=[t1.Summary.Value(tag="a", simple_value=1.0)]), 1)
        assert values(tmp_path) == []
        writer.flush()
        assert [tag for tag, _, _ in values(tmp_path)] == ["a"]
        writer.close()
        writer.close()
        writer.add_summary(b"", 2)
        assert len(os.listdir(tmp_path)) == 1
        writer.reopen()
        writer.add_summary(t1.Summary(value=[t1.Summary.Value(tag="b", simple_value=1.0)]), 1)
        writer.close()
        assert sorted(tag for tag, _, _ in values(tmp_path)) == ["a", "b"]


def test_merge_all_of_nothing_is_none():
    with tf.Graph().as_default():
        assert t1.summary.merge_all() is None


def test_errors_of_version_1(tmp_path: Path):
    with pytest.raises(RuntimeError, match="create_file_writer"):
        t1.summary.FileWriter(tmp_path)
    with tf.Graph().as_default(), t1.Session() as session:
        with pytest.raises(ValueError, match="dtype string"):
            t1.summary.text("t", tf.constant(1.0))
        with pytest.raises(TypeError):
            t1.summary.scalar("s", tf.constant(True))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Nan in summary histogram for: h"):
            session.run(t1.summary.histogram("h", tf.constant([float("nan")])))
        with pytest.raises(tf.errors.InvalidArgumentError, match="not the same shape"):
            session.run(t1.summary.scalar("s", tf.constant([1.0, 2.0])))


# --- TensorFlow 2 -------------------------------------------------------------------------------------------


def test_scalars_in_eager_mode(tmp_path: Path):
    writer = tf.summary.create_file_writer(tmp_path)
    assert not tf.summary.scalar("before", 1.0, step=0).numpy()
    with writer.as_default(step=5):
        assert tf.summary.scalar("a", 0.5, description="text").numpy()
        with tf.name_scope("scope"):
            tf.summary.scalar("b", tf.constant(2), step=6)
    with writer.as_default(), pytest.raises(ValueError, match="No step set"):
        tf.summary.scalar("c", 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="scalar shape.*'d'"), writer.as_default():
        tf.summary.scalar("d", [1.0, 2.0], step=1)
    writer.close()
    found = values(tmp_path)
    assert [(tag, step, array(v)) for tag, step, v in found] == [("a", 5, 0.5), ("scope/b", 6, 2.0)]
    about = found[0][2].metadata
    assert (about.plugin_data.plugin_name, about.summary_description) == ("scalars", "text")


def test_a_function_writes_when_it_is_executed(tmp_path: Path):
    step = tf.Variable(10, dtype=tf.int64)

    @tf.function
    def train(x: tf.Tensor) -> tf.Tensor:
        tf.summary.scalar("loss", x)
        with tf.summary.record_if(x > 1.0):
            tf.summary.scalar("big", x)
        return x * 2.0

    with tf.summary.create_file_writer(tmp_path).as_default():
        tf.summary.experimental.set_step(step)
        for x in 1.0, 2.0, 3.0:
            train(tf.constant(x))
            step.assign_add(1)
        tf.summary.experimental.set_step(None)
    assert [(tag, step, float(array(v))) for tag, step, v in values(tmp_path)] == [
        ("loss", 10, 1.0),
        ("loss", 11, 2.0),
        ("big", 11, 2.0),
        ("loss", 12, 3.0),
        ("big", 12, 3.0),
    ]


@pytest.mark.parametrize(
    "data, rows",
    [  # as tensorboard.plugins.histogram.summary.histogram_pb
        ([1.0, 2.0, 5.0], [[1, 7 / 3, 2], [7 / 3, 11 / 3, 0], [11 / 3, 5, 1]]),
        ([2.0, 2.0], [[2, 2, 0], [2, 2, 0], [2, 2, 2]]),
        ([], [[0, 0, 0]] * 3),
    ],
)
def test_histograms(tmp_path: Path, data: list[float], rows: list[list[float]]):
    with tf.summary.create_file_writer(tmp_path).as_default():
        tf.summary.histogram("h", data, step=1, buckets=3)
    ((_, _, value),) = values(tmp_path)
    np.testing.assert_allclose(array(value), rows)


def test_pictures_and_texts(tmp_path: Path):
    picture = np.linspace(0, 1, 24).reshape(1, 2, 4, 3)
    with tf.summary.create_file_writer(tmp_path).as_default(step=1):
        tf.summary.image("i", np.concatenate([picture] * 5), max_outputs=2)
        tf.summary.text("t", ["hey", "you"])
        with pytest.raises(tf.errors.InvalidArgumentError, match="batch, height, width"):
            tf.summary.image("wrong", picture[0])
    (_, _, image), (_, _, text) = values(tmp_path)
    width, height, *files = array(image)
    assert (width, height, len(files)) == (b"4", b"2", 2)
    assert golden.decoded(files[0]) == [int(x * 255.5) if x < 1 else 255 for x in picture.reshape(-1)]
    assert array(text).tolist() == [b"hey", b"you"]


def test_a_trace_shows_the_functions(tmp_path: Path):
    double = tf.function(lambda x: x + x)
    with pytest.raises(ValueError, match="trace_on"):
        tf.summary.trace_export("t", step=0)
    with tf.summary.create_file_writer(tmp_path).as_default():
        tf.summary.trace_on()
        double(tf.constant(1.0))
        tf.summary.trace_export("double", step=0)
    graphs = [GraphDef.FromString(event.graph_def) for event in events(tmp_path) if event.graph_def]
    assert [node.op for node in graphs[0].node][:2] == ["Placeholder", "AddV2"]


def test_two_writers_in_one_folder_have_files_of_their_own(tmp_path: Path):
    writers = [tf.summary.create_file_writer(tmp_path, filename_suffix=".mine") for _ in range(2)]
    for i, writer in enumerate(writers):
        with writer.as_default(step=i):
            tf.summary.scalar("a", float(i))
        writer.close()
    assert len(os.listdir(tmp_path)) == 2 and all(name.endswith(".mine") for name in os.listdir(tmp_path))
    assert sorted(step for _, step, _ in values(tmp_path)) == [0, 1]
