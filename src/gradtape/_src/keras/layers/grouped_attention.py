"""`GroupedQueryAttention`: attention whose heads share keys and values in groups."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.joining import repeat
from gradtape._src.keras.layers.attention import MultiHeadAttention


class GroupedQueryAttention(MultiHeadAttention):
    """`MultiHeadAttention` with fewer heads of keys and values than of queries.

    Args:
      head_dim: the size of all projections.
      num_query_heads: how many heads the queries have.
      num_key_value_heads: how many the keys and values have; a divisor of the former.
      dropout, use_bias, kernel_initializer, seed, sliding_window, ...: as of `MultiHeadAttention`.
      flash_attention: without effect.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.GroupedQueryAttention(3, 4, 2)
    >>> layer(tf.ones([1, 5, 8]), tf.ones([1, 6, 8])).shape
    TensorShape([1, 5, 8])

    J. Ainslie et al., "GQA: Training generalized multi-query transformer models from multi-head checkpoints", 2023.
    As Keras 3.
    """

    _config = ("head_dim", "num_query_heads", "num_key_value_heads")
    _file_names = {}
    _not_arguments = ("num_heads", "key_dim", "value_dim", "output_shape", "attention_axes")

    def __init__(
        self, head_dim, num_query_heads, num_key_value_heads, dropout=0.0, use_bias=True, flash_attention=None,
        kernel_initializer="glorot_uniform", bias_initializer="zeros", kernel_regularizer=None,
        bias_regularizer=None, activity_regularizer=None, kernel_constraint=None, bias_constraint=None,
        seed=None, sliding_window=None, **kwargs,
    ):  # fmt: skip
        if num_query_heads % num_key_value_heads:
            raise ValueError("`num_query_heads` must be divisible by `num_key_value_heads`.")
        super().__init__(
            num_query_heads, head_dim, dropout=dropout, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, seed=seed,
            sliding_window=sliding_window, **kwargs,
        )  # fmt: skip
        self.head_dim, self.num_query_heads = head_dim, num_query_heads
        self.num_key_value_heads = num_key_value_heads

    def _key_heads(self) -> int:
        return self.num_key_value_heads

    def _for_queries(self, x: Any) -> Any:
        return repeat(x, self.num_query_heads // self.num_key_value_heads, axis=2)

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {key: value for key, value in super().get_config().items() if key not in self._not_arguments}
