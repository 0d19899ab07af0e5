"""TensorFlow 1's functions of examples and bytes, whose arguments TensorFlow 2 put in another order."""

from __future__ import annotations

from gradtape._src.api import decoding, parsing_examples


def parse_example(serialized, features, name=None, example_names=None):
    """Tensors of the features of a vector of serialized examples; see `tf.io.parse_example`."""
    return parsing_examples.parse_example(serialized, features, example_names, name)


def parse_single_example(serialized, features, name=None, example_names=None):
    """Tensors of the features of one serialized example; see `tf.io.parse_example`."""
    return parsing_examples.parse_single_example(serialized, features, example_names, name)


def decode_csv(
    records, record_defaults, field_delim=",", use_quote_delim=True, name=None, na_value="", select_cols=None
):
    """The fields of rows of CSV text; see `tf.io.decode_csv`."""
    return decoding.decode_csv(
        records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name
    )


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """The numbers whose bytes a string is; see `tf.io.decode_raw`."""
    return decoding.decode_raw(
        bytes if input_bytes is None else input_bytes, out_type, little_endian, name=name
    )
