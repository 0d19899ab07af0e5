"""``tf.io.parse_example`` and its kin: tensors of serialized examples, as an operation without gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradtape._src.api.parsing_columns import (
    Column,
    Dense,
    Padded,
    PaddedSteps,
    Placed,
    Ragged,
    Sparse,
    SparseSteps,
    values_of,
)
from gradtape._src.api.parsing_features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from gradtape._src.api.ragged_tensor import RaggedTensor
from gradtape._src.api.sparse_tensor import SparseTensor
from gradtape._src.core.convert import as_array, as_tensor
from gradtape._src.core.dtypes import as_dtype, string
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Op
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import shape_of

# --- The operation -------------------------------------------------------------------------------------------


def _parse(
    serialized: Any, *, columns: tuple[Any, ...], steps: tuple[Any, ...], sequences: bool
) -> list[Any]:
    # start-up cost: protocol buffers are needed by programs that read examples only
    from gradtape._src.ops.example_messages import Example, SequenceExample

    kind = SequenceExample if sequences else Example
    texts = np.asarray(serialized, object)
    examples = [_read(kind, text) for text in texts.reshape(-1)]
    single = texts.ndim == 0
    found = []
    context = [x.context.feature if sequences else x.features.feature for x in examples]
    for column in columns:
        rows = [[values_of(_get(f, key), key, dtype) for f in context] for key, dtype in column.keys]
        parts = column.gathered(*rows)
        found += _of_one(column, parts) if single else parts
    for column in steps:
        lists = [_get(x.feature_lists.feature_list, column.key) for x in examples]
        values = [
            None if one is None else [values_of(f, column.key, column.dtype) for f in one.feature]
            for one in lists
        ]
        parts = column.gathered(values)
        found += _of_one(column, parts) if single else parts
    return found


def _get(features: Any, key: str) -> Any:
    """A feature of a message's map, which would make the missing one."""
    return features[key] if key in features else None


def _read(kind: Any, text: Any) -> Any:
    # start-up cost: protocol buffers are needed by programs that read examples only
    from google.protobuf.message import DecodeError

    try:
        return kind.FromString(text)
    except DecodeError:
        raise InvalidArgumentError.of(
            f"Could not parse example input, value: {text!r:.100}. Expected a serialized {kind.__name__}."
        ) from None


def _of_one(column: Column, parts: list[Any]) -> list[Any]:
    """The parts for a single example: without the axis of examples."""
    if isinstance(column, (Sparse, Placed)):
        indices, values, sizes = parts
        return [indices[:, 1:], values, sizes[1:]]
    if isinstance(column, Ragged):
        return parts
    return [part[0] if part.ndim else part for part in map(np.asarray, parts)]


def _shapes(serialized: Any, *, columns: Any, steps: Any, sequences: bool) -> list[Any]:
    known = shape_of(serialized)
    if known is not None and len(known) > 1:
        raise ValueError(f"serialized must be one string, or a vector of them, received shape {known}.")
    if known is None:  # the rank is known where the value is
        return [None for column in (*columns, *steps) for _ in column.dtypes]
    if known:
        return [shape for column in (*columns, *steps) for shape in column.shapes(known[0])]
    found: list[Any] = []
    for column in (*columns, *steps):
        shapes = column.shapes(1)
        if isinstance(column, (Sparse, Placed)):
            found += [(None, shapes[0][1] - 1), (None,), (shapes[0][1] - 1,)]
        elif isinstance(column, Ragged):
            found += shapes
        else:
            found += [shape[1:] for shape in shapes]
    return found


_parse_example = Op(
    "ParseExampleV2",
    lambda *args, **params: tuple(_parse(*args, **params)),
    multi=True,
    shape=_shapes,
    dtype=lambda x, *, columns, steps, sequences: [d for c in (*columns, *steps) for d in c.dtypes],
    accepts="string",
)


# --- From features to columns and back -----------------------------------------------------------------------


def _column(name: str, feature: Any) -> Column:
    if not isinstance(
        feature, (FixedLenFeature, FixedLenSequenceFeature, VarLenFeature, SparseFeature, RaggedFeature)
    ):
        raise ValueError(f"Unsupported feature type {type(feature).__name__} for {name!r}: {feature!r}.")
    dtype = as_dtype(feature.dtype)
    if dtype.name not in ("float32", "int64", "string"):
        raise InvalidArgumentError.of(
            f"Feature {name!r}: the values of examples are float32, int64 or string, received {dtype.name}."
        )
    raw = dtype.np
    if isinstance(feature, FixedLenFeature):
        shape = _whole_shape(name, feature.shape)
        return Dense(name, raw, shape, _default(name, feature.default_value, raw, shape))
    if isinstance(feature, FixedLenSequenceFeature):
        if not feature.allow_missing:
            raise ValueError(
                f"Unsupported: FixedLenSequenceFeature {name!r} requires allow_missing to be True here."
            )
        return Padded(name, raw, _whole_shape(name, feature.shape), _filler(feature.default_value, raw))
    if isinstance(feature, VarLenFeature):
        return Sparse(name, raw)
    if isinstance(feature, SparseFeature):
        several = isinstance(feature.index_key, (list, tuple))
        keys = tuple(feature.index_key) if several else (feature.index_key,)
        sizes = tuple(feature.size) if several else (int(feature.size),)
        return Placed(feature.value_key, raw, keys, sizes)
    if feature.partitions:
        raise ValueError(f"RaggedFeature {name!r}: partitions are not read; received {feature.partitions}.")
    return Ragged(feature.value_key or name, raw)


def _step_column(name: str, feature: Any) -> Column:
    """The column of a list of features."""
    if not isinstance(feature, (FixedLenSequenceFeature, VarLenFeature)):
        raise ValueError(
            f"Unsupported feature type {type(feature).__name__} for the list {name!r}: use "
            f"tf.io.FixedLenSequenceFeature or tf.io.VarLenFeature."
        )
    raw = as_dtype(feature.dtype).np
    if isinstance(feature, FixedLenSequenceFeature):
        shape, filler = _whole_shape(name, feature.shape), _filler(feature.default_value, raw)
        return PaddedSteps(name, raw, shape, filler, not feature.allow_missing)
    return SparseSteps(name, raw)


def _whole_shape(name: str, shape: Any) -> tuple[int, ...]:
    dims: Any = as_shape_tuple(shape)
    if dims is None or None in dims:
        raise ValueError(f"Feature {name!r} needs a shape that is wholly known, received {shape}.")
    return dims


def _default(name: str, given: Any, dtype: Any, shape: tuple[int, ...]) -> tuple[Any, ...] | None:
    if given is None:
        return None
    flat = np.asarray(as_array(given)).astype(dtype).reshape(-1)
    if flat.size != int(np.prod(shape)):
        raise InvalidArgumentError.of(
            f"Feature {name!r}: the default_value has {flat.size} values, but the requested shape has {list(shape)}."
        )
    return tuple(x.encode() if isinstance(x, str) else x for x in flat.tolist())


def _filler(given: Any, dtype: np.dtype) -> Any:
    if given is None:
        return b"" if dtype.kind == "O" else dtype.type(0).item()
    found = np.asarray(as_array(given)).item()
    return found.encode() if isinstance(found, str) else found


def _packed(column: Column, parts: list[Any], single: bool) -> Any:
    if isinstance(column, (Sparse, Placed)):
        return SparseTensor(*parts)
    if isinstance(column, Ragged):
        return parts[0] if single else RaggedTensor(*parts)
    return parts[0]


def _parsed(
    serialized: Any, columns: dict[str, Column], steps: dict[str, Column], sequences: bool, name: Any
):
    """The values of columns and of steps by name, and the lengths of steps."""
    serialized = as_tensor(serialized, string)
    known = shape_of(serialized)
    if known is None:
        raise ValueError("The rank of `serialized` must be known: one string, or a vector of them.")
    params = {"columns": (*columns.values(),), "steps": (*steps.values(),), "sequences": sequences}
    found = list(_parse_example.of(serialized, name=name, **params))
    values: dict[str, Any] = {}
    lengths: dict[str, Any] = {}
    for key, column in (*columns.items(), *steps.items()):
        parts = [found.pop(0) for _ in column.dtypes]
        values[key] = _packed(column, parts, not known)
        if isinstance(column, PaddedSteps):
            lengths[key] = parts[1]
    return {k: values[k] for k in columns}, {k: values[k] for k in steps}, lengths


# --- Public functions ----------------------------------------------------------------------------------------


def _checked(features: Any) -> Mapping[str, Any]:
    if not features:
        raise ValueError("Invalid argument: features cannot be empty.")
    return features


def parse_example(serialized, features, example_names=None, name=None):
    """Tensors of the features of a vector of serialized examples.

    Args:
      serialized: strings, as ``tf.train.Example.SerializeToString`` gives them.
      features: for each name what is to be read: `tf.io.FixedLenFeature` (a dense tensor with a first axis for the
        examples), `tf.io.FixedLenSequenceFeature` (dense, padded), `tf.io.VarLenFeature` or `tf.io.SparseFeature` (a
        `tf.SparseTensor`), `tf.io.RaggedFeature` (a `tf.RaggedTensor`).
      example_names: without effect.

    Returns:
      A dictionary with the keys of ``features``.

    Raises:
      ValueError: no features, or one of an unknown kind.
      InvalidArgumentError: a string is no example; a feature is missing, or has other values than it is to have.

    >>> import gradtape as tf
    >>> size = tf.train.Feature(float_list=tf.train.FloatList(value=[1.5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"size": size})).SerializeToString()
    >>> found = tf.io.parse_example([example, example], {"size": tf.io.FixedLenFeature([], tf.float32)})
    >>> print(found["size"].numpy())
    [1.5 1.5]

    As TensorFlow 2.21.
    """
    columns = {key: _column(key, feature) for key, feature in _checked(features).items()}
    return _parsed(serialized, columns, {}, False, name)[0]


def parse_single_example(serialized, features, example_names=None, name=None):
    """Tensors of the features of one serialized example; see `tf.io.parse_example`.

    >>> import gradtape as tf
    >>> size = tf.train.Feature(int64_list=tf.train.Int64List(value=[3, 4]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"size": size})).SerializeToString()
    >>> tf.io.parse_single_example(example, {"size": tf.io.FixedLenFeature([2], tf.int64)})
    {'size': <tf.Tensor: shape=(2,), dtype=int64, numpy=array([3, 4])>}
    """
    return parse_example(serialized, features, example_names, name)


def parse_sequence_example(
    serialized, context_features=None, sequence_features=None, example_names=None, name=None
):
    """Tensors of a vector of serialized `tf.train.SequenceExample`.

    Args:
      serialized: strings.
      context_features: as the ``features`` of `tf.io.parse_example`.
      sequence_features: for each name a `tf.io.FixedLenSequenceFeature`, whose steps of the examples are padded to the
        longest, or a `tf.io.VarLenFeature`, a `tf.SparseTensor` of rank 3.
      example_names: without effect.

    Returns:
      Three dictionaries: of the context, of the sequences, and of the numbers of steps of dense sequences.

    Raises:
      ValueError, InvalidArgumentError: as `tf.io.parse_example`.

    As TensorFlow 2.21.
    """
    if not context_features and not sequence_features:
        raise ValueError(
            "Both `context_features` and `sequence_features` are empty: there is nothing to read."
        )
    columns = {key: _column(key, feature) for key, feature in (context_features or {}).items()}
    steps = {key: _step_column(key, feature) for key, feature in (sequence_features or {}).items()}
    return _parsed(serialized, columns, steps, True, name)


def parse_single_sequence_example(
    serialized, context_features=None, sequence_features=None, example_name=None, name=None
):
    """The context and the sequences of one serialized example; see `tf.io.parse_sequence_example`.

    >>> import gradtape as tf
    >>> step = lambda word: tf.train.Feature(bytes_list=tf.train.BytesList(value=[word]))
    >>> words = tf.train.FeatureLists(feature_list={"words": tf.train.FeatureList(feature=[step(b"a"), step(b"b")])})
    >>> text = tf.train.SequenceExample(feature_lists=words).SerializeToString()
    >>> wanted = {"words": tf.io.FixedLenSequenceFeature([], tf.string)}
    >>> context, sequences = tf.io.parse_single_sequence_example(text, sequence_features=wanted)
    >>> print(sequences["words"].numpy())
    [b'a' b'b']
    """
    found = parse_sequence_example(serialized, context_features, sequence_features, None, name)
    return found[:2]
