"""Strings cut into pieces: those of one string are a vector, those of several the rows of a ragged tensor."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import reshape
from gradtape._src.api.casting import cast
from gradtape._src.api.ragged import RaggedTensor
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import int32, int64, string
from gradtape._src.core.values import shape_of
from gradtape._src.ops import strings_cut as ops

_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be", "US-ASCII": "ascii"}
_ENCODINGS |= {"ISO-8859-1": "latin-1", "LATIN1": "latin-1"}


def _cut(op: Any, input: Any, name: Any, **params: Any) -> Any:
    """The pieces of strings, in rows."""
    if isinstance(input, RaggedTensor):
        return input.with_flat_values(_cut(op, input.flat_values, name, **params))
    x = as_tensor(input, string)
    shape = shape_of(x)
    if shape is None:
        raise ValueError("The rank of the strings must be known.")
    values, splits = op.of(x, name=name, **params)
    if not shape:
        return values
    rows: Any = RaggedTensor(values, splits)
    if len(shape) == 1:
        return rows
    if None in shape:
        raise ValueError(f"The shape of strings of rank 2 and more must be known, received {shape}.")
    for size in reversed(shape[1:]):
        rows = RaggedTensor.from_uniform_row_length(rows, size, validate=False)
    return rows


def _encoding(name: str) -> str:
    if name.upper() not in _ENCODINGS:
        raise ValueError(f"Unknown encoding {name!r}: expected one of {', '.join(_ENCODINGS)}.")
    return _ENCODINGS[name.upper()]


def _unicode(encoding: str, errors: str, replacement: int) -> dict[str, Any]:
    if errors not in ("strict", "replace", "ignore"):
        raise ValueError(f"errors must be 'strict', 'replace' or 'ignore', received {errors!r}.")
    return {"encoding": _encoding(encoding), "errors": errors, "replacement": int(replacement)}


def split(input, sep=None, maxsplit=-1, name=None) -> Any:
    """The pieces of strings: between blanks, or between ``sep``.

    Args:
      input: strings.
      sep: what lies between the pieces; any number of blanks by default.
      maxsplit: cut at most so often.

    Returns:
      A vector for one string, a `tf.RaggedTensor` for several.

    >>> import gradtape as tf
    >>> print(tf.strings.split("a b  c").numpy())
    [b'a' b'b' b'c']
    >>> tf.strings.split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    return _cut(ops.split_rows, input, name, separator=sep or "", maxsplit=int(maxsplit))


def bytes_split(input, name=None) -> Any:
    """The bytes of strings.

    >>> import gradtape as tf
    >>> tf.strings.bytes_split(["ab", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    return _cut(ops.bytes_rows, input, name)


def unicode_split(input, input_encoding, errors="replace", replacement_char=65533, name=None) -> Any:
    """The characters of strings, as strings.

    Args: see `tf.strings.unicode_decode`.

    >>> import gradtape as tf
    >>> tf.strings.unicode_split(["né"], "UTF-8")
    <tf.RaggedTensor [[b'n', b'\\xc3\\xa9']]>
    """
    return _cut(ops.character_rows, input, name, **_unicode(input_encoding, errors, replacement_char))


def unicode_decode(
    input,
    input_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
) -> Any:
    """The code points of the characters of strings, as int32.

    Args:
      input: strings.
      input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "US-ASCII" or "ISO-8859-1".
      errors: what becomes of bytes that are no characters: "replace", "ignore", or "strict" for an error.
      replacement_char: the code point that stands for them.
      replace_control_characters: must be False.

    Raises:
      InvalidArgumentError: (errors="strict") bytes that are no characters.
      ValueError: another encoding.

    >>> import gradtape as tf
    >>> print(tf.strings.unicode_decode("né", "UTF-8").numpy())
    [110 233]
    """
    if replace_control_characters:
        raise ValueError("Control characters are not replaced; use tf.strings.regex_replace.")
    return _cut(ops.code_point_rows, input, name, **_unicode(input_encoding, errors, replacement_char))


def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None) -> Any:
    """Strings of code points: of a vector one, of a ragged tensor one for each row.

    Args: see `tf.strings.unicode_decode`.

    >>> import gradtape as tf
    >>> tf.strings.unicode_encode([110, 233], "UTF-8").numpy()
    b'n\\xc3\\xa9'
    """
    params = _unicode(output_encoding, errors, replacement_char)
    params["output"] = params.pop("encoding")
    if isinstance(input, RaggedTensor):
        if input.ragged_rank > 1:
            return input.with_values(unicode_encode(input.values, output_encoding, errors, replacement_char))
        return ops.unicode_encode.of(cast(input.values, int32), input.row_splits, name=name, **params)
    codes = as_tensor(input, int32)
    rank = len(shape_of(codes))
    if rank == 0:
        raise ValueError("input must have at least one dimension: the code points of one string.")
    if rank > 1:
        return unicode_encode(
            RaggedTensor.from_tensor(codes, ragged_rank=1), output_encoding, errors, replacement_char
        )
    splits = RaggedTensor.from_tensor(codes[None]).row_splits
    return reshape(ops.unicode_encode.of(codes, splits, name=name, **params), [])


def unicode_transcode(
    input,
    input_encoding,
    output_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
) -> Any:
    """The same characters in another encoding. Args: see `tf.strings.unicode_decode`.

    >>> import gradtape as tf
    >>> tf.strings.unicode_transcode("é", "UTF-8", "UTF-16-BE").numpy()
    b'\\x00\\xe9'
    """
    if replace_control_characters:
        raise ValueError("Control characters are not replaced; use tf.strings.regex_replace.")
    params = _unicode(input_encoding, errors, replacement_char)
    return ops.unicode_transcode.of(
        as_tensor(input, string), output=_encoding(output_encoding), name=name, **params
    )


def ngrams(
    data,
    ngram_width,
    separator=" ",
    pad_values=None,
    padding_width=None,
    preserve_short_sequences=False,
    name=None,
) -> Any:
    """Runs of strings of a row, joined.

    Args:
      data: strings, of rank 1 or 2, or ragged.
      ngram_width: how many strings a run has; a list for several lengths.
      separator: what stands between them.
      pad_values: a string, or a pair: what is put before and behind each row.
      padding_width: how often; one less than the width by default.
      preserve_short_sequences: must be False.

    >>> import gradtape as tf
    >>> print(tf.strings.ngrams(["a", "b", "c"], 2).numpy())
    [b'a b' b'b c']
    """
    if preserve_short_sequences:
        raise ValueError("preserve_short_sequences is not taken here: pad with pad_values.")
    widths = (int(ngram_width),) if isinstance(ngram_width, int) else tuple(map(int, ngram_width))
    if any(width < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0, received {list(widths)}.")
    pads = (pad_values, pad_values) if isinstance(pad_values, (str, bytes)) else pad_values
    pads = None if pads is None else tuple([p.encode() if isinstance(p, str) else p for p in pads])
    params = {"widths": widths, "separator": separator, "pads": pads}
    params["padding"] = -1 if padding_width is None else int(padding_width)
    one = not isinstance(data, RaggedTensor) and len(shape_of(as_tensor(data, string))) == 1
    rows = (
        data
        if isinstance(data, RaggedTensor)
        else RaggedTensor.from_tensor(as_tensor(data, string)[None] if one else data)
    )
    values, splits = ops.string_ngrams.of(rows.values, cast(rows.row_splits, int64), name=name, **params)
    return values if one else RaggedTensor(values, splits)
