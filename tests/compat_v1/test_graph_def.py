"""``tf.import_graph_def``: frozen models that TensorFlow wrote compute what they compute there."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from golden import make_graph_def as golden

import gradtape as tf

v1 = tf.compat.v1
EXPECTED = json.loads((Path(golden.__file__).parent / "graph_def.json").read_text(encoding="utf-8"))
X = np.array(EXPECTED["input"], np.float32)


def read(name: str):
    graph_def = v1.GraphDef()
    graph_def.ParseFromString(base64.b64decode(EXPECTED[name]["graph"]))
    return graph_def


@pytest.mark.parametrize("model", golden.MODELS)
def test_a_frozen_model(model: str):
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v1.import_graph_def(read(model), name="")
        assert set(EXPECTED[model]["names"]) <= {op.name for op in graph.get_operations()}
        np.testing.assert_allclose(
            session.run("output:0", {"input:0": X}), EXPECTED[model]["output"], rtol=2e-5, atol=1e-6
        )


def test_an_image_that_excites_a_layer():
    """Gradients with respect to the input of an imported model (deep dream)."""
    with tf.Graph().as_default() as graph, v1.Session() as session:
        image = v1.placeholder(tf.float32, [None, 8, 6, 2])
        (layer,) = v1.import_graph_def(read("conv"), {"input": image * 0.5}, ["pool1:0"])
        assert layer is graph.get_tensor_by_name("import/pool1:0")
        gradient = tf.gradients(tf.reduce_mean(layer), image)[0]
        f, g = session.run([tf.reduce_mean(layer), gradient], {image: X})
        step = np.random.default_rng(0).normal(size=X.shape).astype(np.float32) * 1e-2
        more, less = (session.run(tf.reduce_mean(layer), {image: X + s * step}) for s in (1, -1))
        np.testing.assert_allclose(more - less, 2 * np.sum(g * step), rtol=0.02)
        assert f > 0


def test_what_cannot_be_imported():
    graph_def = read("conv")
    with pytest.raises(RuntimeError, match="adds to a graph"):
        v1.import_graph_def(graph_def)
    with tf.Graph().as_default() as graph:
        with pytest.raises(TypeError, match="GraphDef"):
            v1.import_graph_def("model.pb")
        with pytest.raises(ValueError, match="not found in graph_def"):
            v1.import_graph_def(graph_def, return_elements=["nothing:0"])
        with pytest.raises(ValueError, match="not found in graph_def.*'nothing'"):
            v1.import_graph_def(graph_def, {"nothing": tf.constant(1.0)})
        graph_def.node[3].op = "QueueDequeueV2"
        with pytest.raises(tf.errors.UnimplementedError, match="QueueDequeueV2"):
            v1.import_graph_def(graph_def)
        with pytest.raises(tf.errors.UnimplementedError, match="Python functions"):
            v1.import_graph_def(graph.as_graph_def())
        cut = v1.GraphDef()
        cut.node.add(name="y", op="Square", input=["x"])
        with pytest.raises(ValueError, match="Unknown input node 'x'"):
            v1.import_graph_def(cut)


def test_as_graph_def_describes_a_graph():
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        v = v1.get_variable("v", [2, 3])
        tf.matmul(x, v, name="y")
    nodes = {node.name: node for node in graph.as_graph_def().node}
    assert (
        list(nodes["y"].input) == ["x", "v"] and nodes["y"].op == "MatMul" and nodes["v"].op == "VariableV2"
    )
    assert [dim.size for dim in nodes["y"].attr["_output_shapes"].list.shape[0].dim] == [-1, 3]
