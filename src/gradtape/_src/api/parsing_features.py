"""What is to be read out of an example: `tf.io.FixedLenFeature` and its kin."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradtape._src.core.dtypes import int32


class FixedLenFeature(NamedTuple):
    """A feature with a fixed number of values: a dense tensor.

    Attributes:
      shape: of the values of one example.
      dtype: float32, int64 or string.
      default_value: what stands for a missing feature. Without it the feature must be there.

    >>> import gradtape as tf
    >>> tf.io.FixedLenFeature([2], tf.float32)
    FixedLenFeature(shape=[2], dtype=tf.float32, default_value=None)
    """

    shape: Any
    dtype: Any
    default_value: Any = None


class VarLenFeature(NamedTuple):
    """A feature with any number of values: a `tf.SparseTensor`.

    Attributes:
      dtype: float32, int64 or string.

    >>> import gradtape as tf
    >>> tf.io.VarLenFeature(tf.string)
    VarLenFeature(dtype=tf.string)
    """

    dtype: Any


class FixedLenSequenceFeature(NamedTuple):
    """A feature with any number of steps of a fixed shape: a dense tensor, padded where a batch is parsed.

    Attributes:
      shape: of the values of one step.
      dtype: float32, int64 or string.
      allow_missing: whether it may be missing; it has no steps then.
      default_value: a scalar, to pad with: zero or the empty string by default.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class SparseFeature(NamedTuple):
    """Two features, places and values, as one `tf.SparseTensor`.

    Attributes:
      index_key: the feature with the places; a list of features, one for each dimension.
      value_key: the feature with the values.
      dtype: of the values.
      size: the length of each dimension.
      already_sorted: without effect.
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


class RaggedFeature(NamedTuple):
    """A feature with any number of values: a `tf.RaggedTensor` with a row for each example; of one example a tensor.

    Attributes:
      dtype: float32, int64 or string.
      value_key: the name of the feature, if it is not that in the dictionary.
      partitions: must be empty: rows within rows are not read.
      row_splits_dtype, validate: int32 or int64; without effect.
    """

    dtype: Any
    value_key: str | None = None
    partitions: Any = ()
    row_splits_dtype: Any = int32
    validate: bool = False
