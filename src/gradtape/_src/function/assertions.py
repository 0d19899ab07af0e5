"""The operation under all assertions: it checks when it is executed, and says what it found.

In eager mode that is at once. In a function it is an operation of the graph, which is executed whether or not anybody
waits for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import EagerTensor, Tensor
from gradtape._src.graph.ir import current_graph


def _assert(condition: Any, *data: Any, summarize: int | None = None) -> tuple[()]:
    if not np.all(condition):
        most = 3 if summarize is None else summarize
        parts = " ".join(f"[{summarized(x, most)}]" for x in data)
        raise InvalidArgumentError.of(f"assertion failed: {parts}")
    return ()


assert_op = Op(
    "Assert", _assert, multi=True, shape=lambda *_, **__: [], dtype=np.dtype(np.bool_), stateful=True
)
"""Arguments: a boolean, and what to say of it if it is false: texts and tensors."""


def summarized(x: Any, most: int) -> str:
    """The first elements of an array, as TensorFlow's assertions show them: ``[-1 0][1...]...``."""
    if isinstance(x, str):
        return x
    x = np.asarray(x)
    limit = x.size if most < 0 else most
    shown = 0

    def text(part: np.ndarray) -> str:
        nonlocal shown
        if part.ndim > 1:
            return "".join(f"[{text(row)}]" for row in part if shown < limit)
        chosen = [element(value) for value in part[: limit - shown]]
        shown += len(chosen)
        return " ".join(chosen) + ("..." if len(chosen) < len(part) and x.ndim > 1 else "")

    return (text(x) if x.ndim else element(x[()])) + ("..." if x.size > limit else "")


def element(value: Any) -> str:
    """One element, in the shortest of TensorFlow's two precisions that tells it from its neighbours."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (complex, np.complexfloating)):
        return "?"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    kind = np.dtype(type(value))
    short, long = (15, 17) if kind == np.float64 else (6, 9)
    number = float(value)
    text = f"{number:.{short}g}"
    return text if number != number or kind.type(float(text)) == value else f"{number:.{long}g}"


def check(condition: Any, data: Any, summarize: int | None, eager_message: Any) -> Any:
    """Raises ``eager_message()`` at once if the condition is known and false; else leaves it to the graph.

    Returns:
      None, or the operation of the graph.
    """
    graph = current_graph()
    if graph is None or not isinstance(condition, Tensor) and not condition:
        if not np.all(condition._data if type(condition) is EagerTensor else condition):
            raise InvalidArgumentError.of(eager_message())
        return None
    assert_op.of(
        as_tensor(condition), *[x if isinstance(x, str) else as_tensor(x) for x in data], summarize=summarize
    )
    return graph.operations[-1]


def assert_true(condition: Any, text: str) -> Any:
    """A check of AutoGraph's own."""
    return check(condition, [text], None, lambda: text)
