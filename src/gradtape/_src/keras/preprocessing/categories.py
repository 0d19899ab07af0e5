"""Numbers of categories as rows of zeros and ones, or of counts; `CategoryEncoding`, `Hashing`."""

from __future__ import annotations

from typing import Any

from gradtape._src.api import strings
from gradtape._src.api.arrays import ensure_shape, expand_dims, squeeze
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal
from gradtape._src.api.counting import bincount
from gradtape._src.api.creation import zeros_like
from gradtape._src.api.reduction import reduce_max, reduce_sum
from gradtape._src.api.selection import one_hot, where
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, int64
from gradtape._src.core.dtypes import string as string_dtype
from gradtape._src.core.values import shape_of
from gradtape._src.keras.preprocessing.data_layer import DataLayer
from gradtape._src.keras.settings import floatx

MODES = ("int", "one_hot", "multi_hot", "count")


def checked_mode(mode: Any, modes: tuple[str, ...], layer: str) -> str:
    """The mode of an output, by its present name.

    Raises:
      ValueError: there is none of that name.
    """
    mode = {"binary": "multi_hot", "tf-idf": "tf_idf"}.get(mode, mode)
    if mode not in modes:
        raise ValueError(
            f"Unknown value for `output_mode` of layer {layer}. Expected one of {modes}. Received: output_mode={mode}"
        )
    return mode


def refuse_sparse(sparse: Any, layer: str) -> None:
    """Keras gives sparse tensors on demand; layers of this library have none."""
    if sparse:
        raise ValueError(f"{layer}(sparse=True) is not supported: its outputs are dense.")


def encoded(x: Any, mode: str, depth: int, dtype: Any, weights: Any = None) -> Any:
    """Numbers of categories as they are, or as rows of ``depth``; numbers out of range leave no mark.

    Args:
      x: integers; in the modes "multi_hot" and "count" the last axis is that of one sample.
      mode: of `MODES`.
      depth: how many categories there are.
      dtype: of the result.
      weights: in place of the ones that are counted.
    """
    if mode == "int":
        return cast(x, dtype)
    shape = shape_of(x)
    if shape == ():
        x, shape = expand_dims(x, -1), (1,)
    if mode == "one_hot":
        return one_hot(squeeze(x, -1) if len(shape) > 1 and shape[-1] == 1 else x, depth, dtype=dtype)
    if len(shape) <= 2:
        spec: Any = {"minlength": depth, "maxlength": depth, "axis": -1}
        if weights is None:
            rows = bincount(x, binary_output=mode == "multi_hot", **spec)
        else:
            rows = bincount(x, weights=weights, **spec)
        return ensure_shape(cast(rows, dtype), [*shape[:-1], depth])
    rows = one_hot(x, depth, dtype=dtype)
    if mode == "multi_hot":
        return reduce_max(rows, axis=1)
    return reduce_sum(rows if weights is None else rows * expand_dims(weights, -1), axis=1)


class CategoryEncoding(DataLayer):
    """Numbers of categories as rows of zeros and ones, or of counts.

    Args:
      num_tokens: how many categories there are.
      output_mode: "one_hot": a row for each number; "multi_hot": a row for each sample, with ones for the numbers that
        occur; "count": how often they do.
      sparse: not supported.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.CategoryEncoding(4, "count")([[0, 1], [3, 3]]).numpy()
    array([[1., 1., 0., 0.],
           [0., 0., 0., 2.]], dtype=float32)

    As Keras 3.
    """

    _config = ("num_tokens", "output_mode")

    def __init__(self, num_tokens=None, output_mode="multi_hot", sparse=False, **kwargs):
        super().__init__(**kwargs)
        if num_tokens is None:
            raise ValueError(
                "num_tokens must be set to use this layer. If the number of tokens is not known beforehand, use the "
                "IntegerLookup layer instead."
            )
        if num_tokens < 1:
            raise ValueError(f"`num_tokens` must be >= 1. Received: num_tokens={num_tokens}.")
        refuse_sparse(sparse, "CategoryEncoding")
        self.num_tokens = num_tokens
        self.output_mode = checked_mode(output_mode, MODES[1:], "CategoryEncoding")

    def call(self, inputs, count_weights=None):
        if count_weights is not None:
            if self.output_mode != "count":
                raise ValueError(
                    "`count_weights` is not used when `output_mode` is not `'count'`. Received "
                    f"`count_weights={count_weights}`."
                )
            count_weights = cast(as_tensor(count_weights), self.compute_dtype)
        return encoded(inputs, self.output_mode, self.num_tokens, self.compute_dtype, count_weights)


def hash_bins(x: Any, bins: int, salt: Any, mask_value: Any = None) -> Any:
    """The bins that values are hashed into; a mask takes the first one."""
    masked = None
    if mask_value is not None and bins > 1:
        bins -= 1
        masked = equal(x, as_tensor(mask_value, x.dtype))
    if x.dtype.is_floating:
        x = cast(x, int64)
    if x.dtype is not string_dtype:
        x = strings.as_string(x)
    if salt is None:
        found = strings.to_hash_bucket_fast(x, bins)
    else:
        found = strings.to_hash_bucket_strong(x, bins, salt)
    return found if masked is None else where(masked, zeros_like(found), found + 1)


class Hashing(DataLayer):
    """The bins that integers or strings are hashed into: ``hash(x) mod num_bins``.

    Args:
      num_bins: how many there are.
      mask_value: a value that has bin 0 to itself.
      salt: an integer or two: another hash, which nobody can foresee who does not know it.
      output_mode: "int", or as of `CategoryEncoding`.
      sparse: not supported.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.Hashing(3)([["A"], ["B"], ["C"], ["D"], ["E"]]).numpy().ravel()
    array([1, 0, 1, 1, 2])

    As Keras 3: FarmHash, or SipHash with a salt.
    """

    _config = ("num_bins", "salt", "mask_value", "output_mode")

    def __init__(self, num_bins, mask_value=None, salt=None, output_mode="int", sparse=False, **kwargs):
        if kwargs.get("dtype") is None:
            kwargs["dtype"] = "int64" if output_mode == "int" else floatx()
        super().__init__(**kwargs)
        if num_bins is None or num_bins <= 0:
            raise ValueError(
                f"The `num_bins` for `Hashing` cannot be `None` or non-positive values. Received: num_bins={num_bins}."
            )
        refuse_sparse(sparse, "Hashing")
        self.num_bins, self.mask_value = num_bins, mask_value
        self.output_mode = checked_mode(output_mode, MODES, "Hashing")
        if output_mode == "int" and not as_dtype(self.compute_dtype).is_integer:
            raise ValueError(
                "When `output_mode=\"int\"`, `dtype` should be an integer type, 'int32' or 'int64'. Received: "
                f"dtype={kwargs['dtype']}"
            )
        self.salt = salt_of(salt, "Hashing")

    def call(self, inputs):
        bins = hash_bins(inputs, self.num_bins, self.salt, self.mask_value)
        return encoded(bins, self.output_mode, self.num_bins, self.compute_dtype)


def salt_of(salt: Any, layer: str) -> list[int] | None:
    """A salt as two integers.

    Raises:
      ValueError: it is neither one nor two.
    """
    if salt is None:
        return None
    if isinstance(salt, int):
        return [salt, salt]
    if isinstance(salt, (tuple, list)) and len(salt) == 2:
        return list(salt)
    raise ValueError(
        f"The `salt` argument for `{layer}` can only be a tuple of size 2 integers, or a single integer. Received: "
        f"salt={salt}."
    )
