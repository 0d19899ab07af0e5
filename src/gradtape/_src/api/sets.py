"""``tf.sets``, and distances of sequences: what is computed with the rows along the last axis, one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape._src.api.sparse_tensor import SparseTensor
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.values import dtype_of, shape_of

Rows = dict[tuple[int, ...], list[Any]]


def _rows(x: tuple[Any, ...]) -> tuple[Rows, tuple[int, ...]]:
    """The elements of each row along the last axis, by its place, and the shape without that axis."""
    found: Rows = {}
    if len(x) == 1:
        dense = np.asarray(x[0])
        for at in np.ndindex(dense.shape[:-1]):
            found[at] = dense[at].tolist()
        return found, dense.shape[:-1]
    indices, values, sizes = map(np.asarray, x)
    for place, value in zip(indices.tolist(), values.tolist()):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found, tuple(sizes[:-1].tolist())


def _parts(x: Any) -> tuple[Any, ...]:
    return (x.indices, x.values, x.dense_shape) if isinstance(x, SparseTensor) else (as_tensor(x),)


_OPERATIONS: dict[str, Callable[[set[Any], set[Any]], set[Any]]] = {
    "intersection": set.__and__,
    "union": set.__or__,
    "a-b": set.__sub__,
    "b-a": lambda a, b: b - a,
}


def _combined(*args: Any, first: int, operation: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    (a, shape), (b, other) = _rows(args[:first]), _rows(args[first:])
    if shape != other:
        raise InvalidArgumentError.of(f"Mismatched group shapes: {list(shape)} vs {list(other)}")
    dtype = args[0].dtype if first == 1 else args[1].dtype
    places, values, most = [], [], 0
    for at in np.ndindex(shape):
        row = sorted(_OPERATIONS[operation](set(a.get(at, ())), set(b.get(at, ()))))
        places += [(*at, i) for i in range(len(row))]
        values += row
        most = max(most, len(row))
    out = np.empty(len(values), dtype)
    out[:] = values
    return np.array(places, np.int64).reshape(-1, len(shape) + 1), out, np.array([*shape, most], np.int64)


def _set_shapes(*args: Any, first: int, operation: str) -> list[Any]:
    shape = shape_of(args[0])
    rank = None if shape is None else shape[1] if first == 3 else len(shape)
    return [(None, rank), (None,), (rank,)]


_set_operation = Op(
    "DenseToDenseSetOperation",
    _combined,
    multi=True,
    shape=_set_shapes,
    dtype=lambda *args, first, operation: [
        np.dtype(np.int64),
        dtype_of(args[first // 2]),
        np.dtype(np.int64),
    ],
)


def _set(operation: str, a: Any, b: Any) -> SparseTensor:
    if not isinstance(a, SparseTensor):
        a = as_tensor(a)
    if not isinstance(b, SparseTensor):
        b = as_tensor(b, a.dtype)
    first, second = _parts(a), _parts(b)
    found: Any = _set_operation.of(*first, *second, first=len(first), operation=operation)
    return SparseTensor(*found)


def intersection(a, b, validate_indices=True):
    """The elements of each row (along the last axis) that both have, each once, in order.

    Args:
      a, b: tensors or sparse tensors of integers or strings, of one shape but for the last axis.
      validate_indices: without effect.

    Returns:
      A `tf.SparseTensor`.

    Raises:
      InvalidArgumentError: the shapes differ.

    >>> import gradtape as tf
    >>> print(tf.sets.intersection([[1, 2, 3]], [[2, 3, 9]]).values.numpy())
    [2 3]

    As TensorFlow 2.21.
    """
    return _set("intersection", a, b)


def union(a, b, validate_indices=True):
    """The elements of each row that one of both has, each once, in order. Args: see `tf.sets.intersection`.

    >>> import gradtape as tf
    >>> print(tf.sets.union([[1, 2, 2]], [[5, 2, 9]]).values.numpy())
    [1 2 5 9]
    """
    return _set("union", a, b)


def difference(a, b, aminusb=True, validate_indices=True):
    """The elements of each row of a that b does not have, or the other way round. Args: see `tf.sets.intersection`.

    >>> import gradtape as tf
    >>> print(tf.sets.difference([[1, 2, 3]], [[5, 2, 9]]).values.numpy())
    [1 3]
    """
    return _set("a-b" if aminusb else "b-a", a, b)


def _sizes(*args: Any) -> np.ndarray:
    rows, shape = _rows(args)
    out = np.zeros(shape, np.int32)
    for at, row in rows.items():
        out[at] = len(set(row))
    return out


_set_size = Op(
    "SetSize",
    _sizes,
    shape=lambda indices, values, sizes: (
        None
        if shape_of(indices) is None or shape_of(indices)[1] is None
        else (None,) * (shape_of(indices)[1] - 1)
    ),
    dtype=np.dtype(np.int32),
)


def size(a, validate_indices=True):
    """How many different elements each row of a sparse tensor has.

    >>> import gradtape as tf
    >>> print(tf.sets.size(tf.sets.union([[1, 2, 2]], [[5, 2, 9]])).numpy())
    [4]
    """
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected a tf.SparseTensor, received {a!r}.")
    return _set_size.of(*_parts(a))


# --- Distances -----------------------------------------------------------------------------------------------


def _levenshtein(a: list[Any], b: list[Any]) -> int:
    """V. I. Levenshtein, 1965: the least number of insertions, deletions and substitutions that make b of a."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def _distances(*args: Any, normalize: bool) -> np.ndarray:
    (a, one), (b, two) = _rows(args[:3]), _rows(args[3:])
    if len(one) != len(two):
        raise InvalidArgumentError.of(
            f"hypothesis and truth must have one rank, received shapes {one} and {two} of rows"
        )
    shape = tuple(map(max, zip(one, two)))
    out = np.zeros(shape, np.float32)
    for at in np.ndindex(shape):
        x, y = a.get(at, []), b.get(at, [])
        distance = _levenshtein(x, y)
        out[at] = distance if not normalize else distance / len(y) if y else np.inf if x else 0
    return out


_edit_distance = Op(
    "EditDistance",
    _distances,
    shape=lambda *args, normalize: (
        None
        if shape_of(args[0]) is None or shape_of(args[0])[1] is None
        else (None,) * (shape_of(args[0])[1] - 1)
    ),
    dtype=np.dtype(np.float32),
)


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """The least number of insertions, deletions and substitutions between sequences along the last axis.

    Args:
      hypothesis, truth: `tf.SparseTensor` of one rank, whose elements are those of the sequences, in order.
      normalize: divide by the length of the truth; for an empty truth infinity.

    Returns:
      float32, of the shape without the last axis.

    Raises:
      TypeError: they are no sparse tensors.

    >>> import gradtape as tf
    >>> a, b = (tf.sparse.from_dense([list(word)]) for word in ("kitten", "sitting"))
    >>> print(tf.edit_distance(a, b, normalize=False).numpy())
    [3.]

    As TensorFlow 2.21.
    """
    for what, x in (("Hypothesis", hypothesis), ("Truth", truth)):
        if not isinstance(x, SparseTensor):
            raise TypeError(f"{what} must be a SparseTensor, received {x!r}.")
    return _edit_distance.of(*_parts(hypothesis), *_parts(truth), normalize=bool(normalize), name=name)
