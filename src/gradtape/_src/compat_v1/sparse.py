"""Sparse tensors of TensorFlow 1: placeholders, and strings cut into pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.arrays import reshape
from gradtape._src.api.sparse import reduce_sum
from gradtape._src.api.sparse_tensor import SparseTensor
from gradtape._src.api.strings_cut import split
from gradtape._src.compat_v1.placeholders import placeholder
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.op import Op
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import shape_of
from gradtape._src.ops.strings import pieces


def sparse_placeholder(dtype, shape=None, name=None):
    """A sparse tensor that has no value but the one that it is fed: a `tf.SparseTensorValue`, or a tuple of three.

    Args:
      dtype: of the values.
      shape: of the dense array; None if it is not known, and then fed with the rest.
      name: what the names of the three placeholders begin with.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.sparse_placeholder(tf.float32)
    ...     y = tf.sparse_reduce_sum(x)
    ...     print(session.run(y, {x: tf.SparseTensorValue([[0, 1], [2, 3]], [1.0, 2.0], [3, 4])}))
    3.0
    """
    dims = as_shape_tuple(shape)
    part = lambda what: f"{name}/{what}" if name else None
    rank = None if dims is None else len(dims)
    values = placeholder(dtype, [None], part("values"))
    indices = placeholder("int64", [None, rank], part("indices"))
    if dims is not None and None not in dims:
        return SparseTensor(indices, values, dims)
    return SparseTensor(indices, values, placeholder("int64", [rank], part("shape")))


def sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
    """The sum of a sparse tensor over axes, as a dense tensor; see `tf.sparse.reduce_sum`.

    >>> import gradtape.compat.v1 as tf
    >>> tf.sparse_reduce_sum(tf.SparseTensor([[0], [2]], [1, 2], [3])).numpy()
    np.int32(3)
    """
    return reduce_sum(
        sp_input, reduction_axes if axis is None else axis, keep_dims if keepdims is None else keepdims
    )


def _split(x: Any, *, separator: str, skip_empty: bool) -> tuple[Any, Any, Any]:
    rows = [
        [piece for piece in pieces(item, separator, -1) if piece or not skip_empty] for item in np.asarray(x)
    ]
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    values = np.array([piece for row in rows for piece in row], object).reshape(len(places))
    shape = np.array([len(rows), max(map(len, rows), default=0)], np.int64)
    return np.array(places, np.int64).reshape(-1, 2), values, shape


_string_split = Op(
    "StringSplit",
    _split,
    multi=True,
    shape=lambda x, **params: [(None, 2), (None,), (2,)],
    dtype=lambda x, **params: [np.dtype(np.int64), np.dtype(object), np.dtype(np.int64)],
    accepts="string",
)


def string_split(source, sep=None, skip_empty=True, delimiter=" "):
    """The pieces of each of a vector of strings, as a sparse matrix of strings with a row for each.

    >>> import gradtape.compat.v1 as tf
    >>> tf.string_split(["a b", "c"]).values.numpy().tolist()
    [b'a', b'b', b'c']
    """
    separator = delimiter if sep is None else sep
    found: Any = _string_split.of(as_tensor(source), separator=separator, skip_empty=bool(skip_empty))
    return SparseTensor(*found)


def strings_split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """The pieces of strings, as `tf.strings.split` of TensorFlow 2; as a sparse tensor, unless it is said.

    result_type: "SparseTensor" or "RaggedTensor".

    >>> import gradtape.compat.v1 as tf
    >>> tf.strings.split(["a b", "c"]).values.numpy().tolist()
    [b'a', b'b', b'c']
    """
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError(f"result_type must be 'SparseTensor' or 'RaggedTensor', received {result_type!r}.")
    given = as_tensor(source if input is None else input)
    rows = split(reshape(given, [-1]) if shape_of(given) == () else given, sep, maxsplit, name)
    return rows if result_type == "RaggedTensor" else rows.to_sparse()
