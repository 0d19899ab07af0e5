"""``tf.strings.format``: a text with tensors in it, as ``tf.print`` shows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.op import Op
from gradtape._src.function.printing import formatted


def _format(*arrays: Any, parts: tuple[str, ...], summarize: int) -> np.ndarray:
    texts = [formatted(x, summarize) + after for x, after in zip(arrays, parts[1:], strict=True)]
    return np.array((parts[0] + "".join(texts)).encode(), object)


string_format = Op("StringFormat", _format, shape=lambda *xs, **params: (), dtype=np.dtype(object))


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """A text with the values of tensors in the places of ``{}``.

    Args:
      template: the text.
      inputs: a tensor, or a list of as many as there are places.
      placeholder: what stands for a tensor in the text.
      summarize: how many elements to show at the beginning and end of each axis; -1 for all.

    Raises:
      ValueError: there are not as many places as tensors.

    >>> import gradtape as tf
    >>> tf.strings.format("x: {}", tf.range(10)).numpy()
    b'x: [0 1 2 ... 7 8 9]'
    """
    tensors = [as_tensor(x) for x in (inputs if isinstance(inputs, (list, tuple)) else [inputs])]
    parts = tuple(template.split(placeholder))
    if len(parts) - 1 != len(tensors):
        raise ValueError(
            f"{len(parts) - 1} placeholder(s) in template does not match {len(tensors)} tensor(s) provided as input"
        )
    if not tensors:
        return as_tensor(template)
    return string_format.of(*tensors, parts=parts, summarize=int(summarize), name=name)
