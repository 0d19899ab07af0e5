"""`GroupQueryAttention`: attention whose heads share keys and values in groups."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.comparison import logical_and
from gradtape._src.api.creation import range as arange
from gradtape._src.api.joining import repeat
from gradtape._src.keras.layers.attention import MultiHeadAttention


class GroupQueryAttention(MultiHeadAttention):
    """`MultiHeadAttention` with fewer heads of keys and values than of queries.

    Args:
      head_dim: the size of all projections.
      num_query_heads: how many heads the queries have.
      num_key_value_heads: how many the keys and values have; a divisor of the former.
      dropout, use_bias, kernel_initializer, ...: as of `MultiHeadAttention`.
      sliding_window: if given, a query looks only at keys that are nearer than this.
      seed: of the dropout.
      flash_attention: without effect.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.GroupQueryAttention(3, 4, 2)
    >>> layer(tf.ones([1, 5, 8]), tf.ones([1, 6, 8])).shape
    TensorShape([1, 5, 8])

    J. Ainslie et al., "GQA: Training generalized multi-query transformer models from multi-head checkpoints", 2023.
    As Keras 3.
    """

    _config = ("head_dim", "num_query_heads", "num_key_value_heads", "sliding_window")
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
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, seed=seed, **kwargs,
        )  # fmt: skip
        self.head_dim, self.num_query_heads = head_dim, num_query_heads
        self.num_key_value_heads, self.sliding_window = num_key_value_heads, sliding_window

    def _key_heads(self) -> int:
        return self.num_key_value_heads

    def _for_queries(self, x: Any) -> Any:
        return repeat(x, self.num_query_heads // self.num_key_value_heads, axis=2)

    def _mask(self, query, value, of_query, of_value, of_key, mask, causal):
        found = super()._mask(query, value, of_query, of_value, of_key, mask, causal)
        if self.sliding_window is None:
            return found
        rows, columns = (arange(shape_of_tensor(x)[1]) for x in (query, value))
        near = expand_dims(abs(rows[:, None] - columns[None, :]) < self.sliding_window, 0)
        return near if found is None else logical_and(found, near)

    def get_config(self):
        """The arguments that make a layer like this one."""
        return {key: value for key, value in super().get_config().items() if key not in self._not_arguments}
