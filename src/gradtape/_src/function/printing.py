"""``tf.print``: prints values of tensors, when they are there."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pprint import pformat
from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.log import get_logger
from gradtape._src.core.op import Op
from gradtape._src.core.values import Tensor
from gradtape._src.function.assertions import element
from gradtape._src.graph.ir import current_graph
from gradtape._src.ops.variables import Variable

_LEVELS = {"log(info)": "info", "log(warning)": "warning", "log(error)": "error"}


class _Hole:
    """Where the value of a tensor is put into the text."""

    def __repr__(self) -> str:
        return "\0"


def print_tensors(*inputs: Any, **kwargs: Any) -> Any:
    """Prints the values of tensors and of anything else; in a graph whenever it is executed.

    Python's ``print`` in a `tf.function` prints while the function is traced, and shows symbols.

    Args:
      *inputs: tensors, nests of them, texts, other objects.
      output_stream: ``sys.stdout``, ``sys.stderr`` (the default), ``"file:///path"`` to append to, or a function of
        ``tf.compat.v1.logging``.
      summarize: how many elements to show at the beginning and end of each axis; 3 by default, -1 for all.
      sep, end: as Python's.
      name: of the operation.

    Returns:
      None in eager mode; in a graph the operation.

    Raises:
      ValueError: an unknown argument or stream.

    >>> import sys
    >>> import gradtape as tf
    >>> tf.print("x:", tf.range(10), output_stream=sys.stdout)
    x: [0 1 2 ... 7 8 9]

    As TensorFlow 2.21.
    """
    stream = _stream(kwargs.pop("output_stream", sys.stderr))
    kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    tensors: list[Any] = []
    template = (sep or "").join(_text(x, tensors) for x in inputs)
    if len(inputs) == 1 and _is_text(inputs[0]):  # a single text is printed without quotes
        template, tensors = "\0", [as_tensor(inputs[0])]
    print_op.of(
        *tensors,
        template=template,
        stream=stream,
        summarize=3 if summarize is None else int(summarize),
        end="\n" if end is None else end,
        bare=len(inputs) == 1 and _is_text(inputs[0]),
    )
    graph = current_graph()
    return None if graph is None else graph.operations[-1]


def _is_text(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype.name == "string" and x.shape.rank == 0


def _text(x: Any, tensors: list[Any]) -> str:
    """An input as a piece of text with holes for tensors."""
    return x if isinstance(x, str) else pformat(_with_holes(x, tensors), width=10**9)


def _with_holes(x: Any, tensors: list[Any]) -> Any:
    if isinstance(x, (Tensor, Variable)):
        tensors.append(as_tensor(x))
        return _Hole()
    if hasattr(x, "_components"):
        return {
            name: _with_holes(getattr(x, name), tensors)
            for name in ("indices", "values", "shape")
            if hasattr(x, name)
        }
    if isinstance(x, Mapping):
        keys = list(x)
        try:
            keys.sort()
        except TypeError:
            pass
        return {key: _with_holes(x[key], tensors) for key in keys}
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[_with_holes(part, tensors) for part in x])
    if type(x) in (list, tuple):
        return type(x)([_with_holes(part, tensors) for part in x])
    return x


def _stream(given: Any) -> str:
    if given is sys.stdout:
        return "stdout"
    if given is sys.stderr:
        return "stderr"
    name = getattr(given, "__name__", None)
    if name in ("info", "warning", "warn", "error"):
        return f"log({'warning' if name == 'warn' else name})"
    if isinstance(given, str) and given.startswith("file://"):
        return given
    raise ValueError(
        f"Unsupported output stream, logging level, or file.{given}. Supported streams are sys.stdout, sys.stderr, "
        f"tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of 'file://<filepath>'."
    )


def formatted(x: Any, summarize: int, bare: bool = False) -> str:
    """An array as ``tf.print`` shows it."""
    x = np.asarray(x)
    quoted = (lambda v: f'"{element(v)}"') if x.dtype == object and not bare else element
    if x.ndim == 0:
        return quoted(x[()])
    return _rows(x, summarize, quoted, 1)


def _rows(x: np.ndarray, summarize: int, shown: Any, depth: int) -> str:
    n = len(x)
    cut = 0 <= summarize and n > 2 * summarize
    places = [*range(summarize), None, *range(n - summarize, n)] if cut else list(range(n))
    if x.ndim == 1:
        return "[" + " ".join("..." if i is None else shown(x[i]) for i in places) + "]"
    between = "\n" * (x.ndim - 1) + " " * depth
    return (
        "["
        + between.join("..." if i is None else _rows(x[i], summarize, shown, depth + 1) for i in places)
        + "]"
    )


def _print(*arrays: Any, template: str, stream: str, summarize: int, end: str, bare: bool) -> tuple[()]:
    first, *rest = template.split("\0")
    parts = [formatted(x, summarize, bare) + after for x, after in zip(arrays, rest, strict=True)]
    text = first + "".join(parts) + end
    if stream in _LEVELS:
        getattr(get_logger(), _LEVELS[stream])(text.removesuffix("\n"))
    elif stream.startswith("file://"):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(text)
    else:
        out = getattr(sys, stream)
        out.write(text)
        out.flush()
    return ()


print_op = Op(
    "PrintV2", _print, multi=True, shape=lambda *_, **__: [], dtype=np.dtype(np.bool_), stateful=True
)
