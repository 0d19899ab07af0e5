"""TensorFlow 1's forms of norms."""

from __future__ import annotations

from gradtape._src.api import norms


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """`tf.norm`, with TensorFlow 1's name `keep_dims` for `keepdims`.

    Raises:
      ValueError: both are given.

    >>> import gradtape.compat.v1 as tf
    >>> print(tf.norm([3., 4.], keep_dims=True).numpy())
    [5.]

    As TensorFlow 2.21.
    """
    if keep_dims is not None:
        if keepdims is not None:
            raise ValueError("Cannot specify both 'keep_dims' and 'keepdims'.")
        keepdims = keep_dims
    return norms.norm(tensor, ord, axis, keepdims, name)
