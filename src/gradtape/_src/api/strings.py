"""``tf.strings``: functions of tensors of strings. A string is a sequence of bytes."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.convert import as_array, as_tensor
from gradtape._src.core.dtypes import as_dtype, float32
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.values import shape_of
from gradtape._src.ops import strings as ops


def _unit(unit: Any) -> str:
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f'unit must be "BYTE" or "UTF8_CHAR", received {unit!r}')
    return unit


def _encoding(encoding: Any) -> str:
    if encoding not in ("", "utf-8"):
        raise ValueError(f'encoding must be "" or "utf-8", received {encoding!r}')
    return encoding


def length(input, unit="BYTE", name=None):
    """The number of bytes, or of characters (``unit="UTF8_CHAR"``), of each string.

    >>> import gradtape as tf
    >>> print(tf.strings.length(["ab", "é"]).numpy(), tf.strings.length("é", unit="UTF8_CHAR").numpy())
    [2 2] 1
    """
    return ops.string_length.of(as_tensor(input), unit=_unit(unit), name=name)


def join(inputs, separator="", name=None):
    """The strings of several tensors of one shape, or of single strings, one after the other.

    Raises:
      InvalidArgumentError: the shapes differ.

    >>> import gradtape as tf
    >>> print(tf.strings.join(["a", ["b", "c"]], separator="-").numpy())
    [b'a-b' b'a-c']
    """
    return ops.string_join.of(*map(as_tensor, inputs), separator=separator, name=name)


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None):
    """The strings along axes, all by default, one after the other.

    >>> import gradtape as tf
    >>> print(tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="-").numpy())
    [b'a-b' b'c-d']
    """
    inputs = as_tensor(inputs)
    rank = len(shape_of(inputs) or ())
    axes = list(range(rank)) if axis is None else axis if isinstance(axis, (list, tuple)) else [axis]
    for one in axes:
        if not -rank <= one < rank:
            raise InvalidArgumentError.of(
                f"Invalid reduction dimension {one} for input with {rank} dimensions."
            )
    axes = tuple([one % rank for one in axes])
    return ops.reduce_join.of(inputs, axes=axes, keepdims=bool(keepdims), separator=separator, name=name)


def lower(input, encoding="", name=None):
    """Small letters: of ASCII, or of all alphabets with ``encoding="utf-8"``.

    >>> import gradtape as tf
    >>> tf.strings.lower("AB").numpy()
    b'ab'
    """
    return ops.string_lower.of(as_tensor(input), encoding=_encoding(encoding), name=name)


def upper(input, encoding="", name=None):
    """Capital letters: of ASCII, or of all alphabets with ``encoding="utf-8"``.

    >>> import gradtape as tf
    >>> tf.strings.upper("ab").numpy()
    b'AB'
    """
    return ops.string_upper.of(as_tensor(input), encoding=_encoding(encoding), name=name)


def strip(input, name=None):
    """The strings without blanks at both ends.

    >>> import gradtape as tf
    >>> tf.strings.strip("  a ").numpy()
    b'a'
    """
    return ops.string_strip.of(as_tensor(input), name=name)


def substr(input, pos, len, name=None, unit="BYTE"):
    """Parts of strings: from a position, which counts from the end if it is negative, and so long.

    Raises:
      InvalidArgumentError: a position is not in the string.

    >>> import gradtape as tf
    >>> print(tf.strings.substr(["hello", "world"], 1, 3).numpy())
    [b'ell' b'orl']
    """
    return ops.substr.of(as_tensor(input), as_tensor(pos), as_tensor(len), unit=_unit(unit), name=name)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    r"""Puts ``rewrite`` in the place of what a regular expression matches; ``\1`` in it is the first group.

    >>> import gradtape as tf
    >>> tf.strings.regex_replace("a1b2", r"(\d)", r"<\1>").numpy()
    b'a<1>b<2>'
    """
    return ops.regex_replace.of(
        as_tensor(input), pattern=pattern, rewrite=rewrite, everywhere=bool(replace_global), name=name
    )


def regex_full_match(input, pattern, name=None):
    """Whether a regular expression matches the whole of each string.

    >>> import gradtape as tf
    >>> print(tf.strings.regex_full_match(["ab", "b"], "a.*").numpy())
    [ True False]
    """
    return ops.regex_full_match.of(as_tensor(input), pattern=pattern, name=name)


def to_number(input, out_type=float32, name=None):
    """Numbers of their texts.

    Raises:
      InvalidArgumentError: a string is no number.

    >>> import gradtape as tf
    >>> print(tf.strings.to_number(["1.5", "-2e3"]).numpy())
    [ 1.5e+00 -2.0e+03]
    """
    return ops.string_to_number.of(as_tensor(input), dtype=as_dtype(out_type).np, name=name)


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None):
    """The texts of numbers.

    Args:
      input: numbers or booleans.
      precision: digits behind the point; 6 by default.
      scientific, shortest: 1.5e+00, or the shorter of both forms.
      width: the least length; "0" as ``fill`` puts zeros before, "-" blanks behind.

    Raises:
      ValueError: both ``scientific`` and ``shortest``.

    >>> import gradtape as tf
    >>> print(tf.strings.as_string([1.5, 2.25], precision=1).numpy(), tf.strings.as_string(3).numpy())
    [b'1.5' b'2.2'] b'3'
    """
    if scientific and shortest:
        raise ValueError("Cannot select both scientific and shortest notation")
    return ops.as_string.of(
        as_tensor(input),
        precision=int(precision),
        scientific=bool(scientific),
        shortest=bool(shortest),
        width=int(width),
        fill=fill,
        name=name,
    )


def to_hash_bucket_fast(input, num_buckets, name=None):
    """A number from 0 to ``num_buckets - 1`` for each string, the same in every process.

    >>> import gradtape as tf
    >>> tf.strings.to_hash_bucket_fast(["a", "b", "c"], 10).numpy()
    array([9, 2, 2])

    FarmHash, as TensorFlow 2.21.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets must be at least 1, received {num_buckets}")
    return ops.to_hash_bucket.of(as_tensor(input), buckets=int(num_buckets), name=name)


def to_hash_bucket(input, num_buckets, name=None):
    """A number for each string; here that of `tf.strings.to_hash_bucket_fast`.

    >>> import gradtape as tf
    >>> int(tf.strings.to_hash_bucket("a", 1))
    0
    """
    return to_hash_bucket_fast(input, num_buckets, name)


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """The strings with the same number, one after the other.

    Args:
      inputs: strings.
      segment_ids: a number for each of them, or for each along the first axes.
      num_segments: how many there are.

    Raises:
      InvalidArgumentError: a number is not less than ``num_segments``.

    >>> import gradtape as tf
    >>> print(tf.strings.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, "+").numpy())
    [b'a+c' b'b']
    """
    return ops.segment_join.of(
        as_tensor(inputs),
        as_tensor(segment_ids),
        n=int(as_array(num_segments)),
        separator=separator,
        name=name,
    )


def to_hash_bucket_strong(input, num_buckets, key, name=None):
    """A number from 0 to ``num_buckets - 1`` for each string, which nobody can foresee who does not know the key.

    Args:
      input: strings.
      num_buckets: at least 1.
      key: two integers.
      name: of the operation in a graph.

    >>> import gradtape as tf
    >>> tf.strings.to_hash_bucket_strong(["a", "b"], 1000, [1, 2]).numpy()
    array([646, 184])

    SipHash, as TensorFlow 2.21.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets must be at least 1, received {num_buckets}")
    if len(key) != 2:
        raise ValueError(f"key must be two integers, received {key}")
    return ops.to_hash_bucket_strong.of(as_tensor(input), buckets=int(num_buckets), key=tuple(key), name=name)
