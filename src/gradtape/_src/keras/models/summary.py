"""`model.summary()`: a table of the layers, drawn as Keras 3 draws it."""

from __future__ import annotations

import re
import shutil
from itertools import zip_longest
from typing import Any

import numpy as np

from gradtape._src.core.nest import flatten
from gradtape._src.core.values import shape_of
from gradtape._src.keras.keras_tensor import KerasTensor, OpCall


def print_summary(model: Any, line_length: Any, print_fn: Any, nested: bool, trainable: bool) -> None:
    """Prints the table and the totals."""
    connected = model._network is not None and not _is_chain(model)
    names = ["Layer (type)", "Output Shape", "Param #"]
    ends, length = (0.45, 0.8, 1.0), 88
    if connected:
        names.append("Connected to")
        ends, length = (0.3, 0.56, 0.74, 1.0), 108
    if trainable:
        names.append("Trainable")
        ends, length = (*(0.9 * end for end in ends), 1.0), length + 12
    rows = [row for layer in _listed(model) for row in _rows(layer, model, connected, trainable, nested, 0)]
    length = line_length or min(length, shutil.get_terminal_size().columns - 4)
    table = _table(names, rows, _widths(ends, length))
    text = "\n".join([f'Model: "{model.name}"', *table, *_totals(model)])
    (print_fn or print)(text)


def _listed(model: Any) -> list[Any]:
    network = model._network
    if network is None or hasattr(model, "_stack"):
        return model.layers
    return network.operations


def _is_chain(model: Any) -> bool:
    if hasattr(model, "_stack"):
        return True
    nodes = model._network.nodes
    return all(len(node.inputs) == 1 for node in nodes) and len(
        {id(x) for n in nodes for x in n.inputs}
    ) == len(nodes)


def _rows(
    layer: Any, model: Any, connected: bool, trainable: bool, nested: bool, depth: int
) -> list[list[str]]:
    inner = [] if not nested else getattr(layer, "layers", [])
    row = [
        ("   " * depth + "└ " if depth else "") + f"{layer.name} ({_kind(layer)})",
        _shape_text(layer, model),
        _count(layer),
    ]
    if connected:
        row.append(", ".join(_sources(layer, model)) or "-")
    if trainable:
        row.append(("Y" if layer.trainable else "N") if getattr(layer, "weights", []) else "-")
    return [
        row,
        *(r for other in inner for r in _rows(other, layer, connected, trainable, nested, depth + 1)),
    ]


def _nodes(layer: Any, model: Any) -> list[Any]:
    network = getattr(model, "_network", None)
    if network is None:
        return layer._inbound_nodes
    inside = {id(node) for node in network.nodes} | {id(x.node) for x in network._flat_inputs}
    return [node for node in layer._inbound_nodes if id(node) in inside]


def _shape_text(layer: Any, model: Any) -> str:
    nodes, network = _nodes(layer, model), getattr(layer, "_network", None)
    if nodes:
        return _joined([_written(shape_of(x)) for x in nodes[0].outputs], "[]")
    if network is not None:
        return _joined([_written(shape_of(x)) for x in network._flat_outputs], "()")
    if getattr(layer, "_build_shape", None) is None or not layer.built:
        return "?"
    try:
        found = layer.compute_output_shape(layer._build_shape)
    except (ValueError, TypeError, NotImplementedError):  # it needs more than one shape
        return "?"
    if found and all(isinstance(shape, tuple) for shape in found):
        return _joined([_written(shape) for shape in found], "[]" if isinstance(found, list) else "()")
    return _written(found) if isinstance(found, tuple) else str(found)


def _written(shape: Any) -> str:
    """As Keras does it: `(None)`, without the comma of a tuple."""
    return "(" + ", ".join(map(str, shape)) + ")"


def _joined(shapes: list[str], brackets: str) -> str:
    return shapes[0] if len(shapes) == 1 else brackets[0] + ", ".join(shapes) + brackets[1]


def _count(layer: Any) -> str:
    if not hasattr(layer, "count_params"):
        return "0"
    return f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"


def _kind(layer: Any) -> str:
    return layer.op.name if isinstance(layer, OpCall) else type(layer).__name__


def _sources(layer: Any, model: Any) -> list[str]:
    found = []
    for node in _nodes(layer, model):
        for x in flatten((node.args, node.kwargs)):
            if isinstance(x, KerasTensor):
                source, i = x._keras_history or (x.node, 0)
                found.append(f"{source.operation.name}[{source.operation._inbound_nodes.index(source)}][{i}]")
    return found


def _widths(ends: Any, length: int) -> list[int]:
    """The widths of columns that end at these parts of a line; what borders and spaces take is taken from all alike."""
    places = [0, *(int(end * length) for end in ends)]
    widths = [end - start for start, end in zip(places, places[1:])]
    if min(widths) < 4:
        raise ValueError("Insufficient console width to print summary.")
    excess = 3 * len(widths) + 1
    for i, left in enumerate(range(len(widths), 0, -1)):
        share = min(widths[i], round(excess / left))
        widths[i] -= share
        excess -= share
    return widths


def _table(names: list[str], rows: list[list[str]], widths: list[int]) -> list[str]:
    """The lines of a table in box characters; long cells go on in the next line."""
    put = [{"Param #": str.rjust, "Trainable": str.center}.get(name, str.ljust) for name in names]
    draw = lambda left, fill, mid, end: left + mid.join(fill * (w + 2) for w in widths) + end

    def line(cells: list[str], bar: str) -> list[str]:
        parts = [_folded(cell, w) for cell, w in zip(cells, widths)]
        lines = []
        for texts in zip_longest(*parts, fillvalue=""):
            padded = [place(text, w) for place, text, w in zip(put, texts, widths)]
            lines.append(f"{bar} " + f" {bar} ".join(padded) + f" {bar}")
        return lines

    lines = [draw("┏", "━", "┳", "┓"), *line(names, "┃"), draw("┡", "━", "╇", "┩")]
    for i, row in enumerate(rows):
        lines += [draw("├", "─", "┼", "┤")] if i else []
        lines += line(row, "│")
    return [*lines, draw("└", "─", "┴", "┘")]


def _folded(text: str, width: int) -> list[str]:
    """A text in lines, broken between words; longer words are cut."""
    lines = [""]
    for word in re.findall(r"\s*\S+", text):
        if lines[-1] and len(lines[-1] + word) > width:
            lines.append("")
            word = word.lstrip()
        lines[-1] += word
    return [line if len(line) <= width else line[: max(width - 1, 0)] + "…" for line in lines]


def _totals(model: Any) -> list[str]:
    trained, frozen = model.trainable_weights, model.non_trainable_weights
    parts = [("Trainable params", trained), ("Non-trainable params", frozen)]
    optimizer = getattr(model, "optimizer", None)
    extra = list(optimizer.variables) if optimizer is not None and optimizer.built else []
    everything = [*trained, *frozen, *extra]
    lines = [f" Total params: {_size(everything)}"]
    lines += [f" {name}: {_size(weights)}" for name, weights in parts]
    return lines + ([f" Optimizer params: {_size(extra)}"] if extra else [])


def _size(weights: list[Any]) -> str:
    count = sum(int(np.prod(shape_of(w))) for w in weights)
    size = float(sum(int(np.prod(shape_of(w))) * w.dtype.size for w in weights))
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1024 or unit == "GB":
            break
        size /= 1024
    return f"{count:,} ({size:.2f} {unit})"
