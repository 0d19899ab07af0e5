"""`model.summary()`: a table of the layers, drawn as Keras 3 draws it."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np

from gradtape._src.core.nest import flatten
from gradtape._src.core.values import shape_of
from gradtape._src.keras.keras_tensor import KerasTensor, OpCall


def print_summary(model: Any, line_length: Any, print_fn: Any, nested: bool, trainable: bool) -> None:
    """Prints the table and the totals."""
    connected = model._network is not None and not _is_chain(model)
    names = ["Layer (type)", "Output Shape", "Param #"]
    if connected:
        names.append("Connected to")
    if trainable:
        names.append("Trai…")
    rows = [row for layer in _listed(model) for row in _rows(layer, model, connected, trainable, nested, 0)]
    width = line_length or min(shutil.get_terminal_size().columns, 100 if connected else 80)
    text = "\n".join([f'Model: "{model.name}"', *_table(names, rows, width), *_totals(model)])
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
        "  " * depth + f"{layer.name} ({_kind(layer)})",
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
    nodes = _nodes(layer, model)
    if nodes:
        shapes = [str(tuple(shape_of(x))) for x in nodes[0].outputs]
    elif getattr(layer, "_build_shape", None) is not None and layer.built:
        try:
            found = layer.compute_output_shape(layer._build_shape)
            shapes = [str(tuple(found))] if isinstance(found, tuple) else [str(found)]
        except (ValueError, TypeError, NotImplementedError):  # it needs more than one shape
            shapes = ["?"]
    else:
        shapes = ["?"]
    return shapes[0] if len(shapes) == 1 else "[" + ", ".join(shapes) + "]"


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


def _table(names: list[str], rows: list[list[str]], width: int) -> list[str]:
    """The lines of a table in box characters; long cells go on in the next line."""
    shares = {3: (33, 24, 15), 4: (21, 19, 12, 19)}.get(len(names), (19, 17, 11, 17, 7))
    free = width - 4 - (len(names) + 1)
    widths = [free * share // sum(shares) - 2 for share in shares]
    widths[0] += free - sum(widths) - 2 * len(widths)
    right = names.index("Param #")
    draw = lambda left, fill, mid, end: left + mid.join(fill * (w + 2) for w in widths) + end

    def line(cells: list[str], bar: str) -> list[str]:
        parts = [_folded(cell, w) for cell, w in zip(cells, widths)]
        height = max(len(part) for part in parts)
        lines = []
        for k in range(height):
            texts = [part[k] if k < len(part) else "" for part in parts]
            padded = [t.rjust(w) if i == right else t.ljust(w) for i, (t, w) in enumerate(zip(texts, widths))]
            lines.append(f"{bar} " + f" {bar} ".join(padded) + f" {bar}")
        return lines

    lines = [draw("┏", "━", "┳", "┓"), *line(names, "┃"), draw("┡", "━", "╇", "┩")]
    for i, row in enumerate(rows):
        lines += [draw("├", "─", "┼", "┤")] if i else []
        lines += line(row, "│")
    return [*lines, draw("└", "─", "┴", "┘")]


def _folded(text: str, width: int) -> list[str]:
    """A text in lines, broken between words where possible."""
    lines, words = [""], text.split(" ")
    for word in words:
        start = f"{lines[-1]} {word}" if lines[-1] else word
        if len(start) <= width:
            lines[-1] = start
            continue
        if lines[-1]:
            lines.append("")
        while len(word) > width:
            lines[-1], word = word[:width], word[width:]
            lines.append("")
        lines[-1] = word
    return lines


def _totals(model: Any) -> list[str]:
    trained, frozen = model.trainable_weights, model.non_trainable_weights
    parts = [("Trainable params", trained), ("Non-trainable params", frozen)]
    optimizer = getattr(model, "optimizer", None)
    extra = list(getattr(optimizer, "variables", [])) if optimizer is not None else []
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
