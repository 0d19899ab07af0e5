"""Attention: means of values, weighted by how well keys fit queries."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arrays import expand_dims
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import logical_and
from gradtape._src.api.creation import range as arange
from gradtape._src.api.einsum import einsum
from gradtape._src.api.elementwise import tanh
from gradtape._src.api.products import matmul
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.api.selection import where
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.keras import activations
from gradtape._src.keras.layer import Layer
from gradtape._src.keras.layers.activation import Softmax, most_negative
from gradtape._src.keras.layers.dense import _DENSE, EinsumDense
from gradtape._src.keras.layers.kernel import KernelLayer
from gradtape._src.keras.layers.regularization import Dropout


def causal_mask(queries: Any, keys: Any) -> Any:
    """(1, queries, keys): True where the key is no later than the query."""
    rows, columns = arange(queries), arange(keys)
    return expand_dims(expand_dims(rows, 1) >= expand_dims(columns, 0), 0)


class BaseAttention(Layer):
    """Attention over [query, value] or [query, value, key], each (batch, steps, features)."""

    def __init__(self, dropout: float = 0.0, seed: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dropout, self.seed, self.supports_masking = dropout, seed, True
        if dropout:
            self._dropout = Dropout(dropout, seed=seed, dtype=self.dtype_policy)

    def call(self, inputs, mask=None, training=False, return_attention_scores=False, use_causal_mask=False):
        self._check(inputs, mask)
        query, value = inputs[0], inputs[1]
        key = inputs[2] if len(inputs) > 2 else value
        query_mask, value_mask = (mask[0], mask[1]) if mask else (None, None)
        scores = self._scores(query, key)
        allowed = None if value_mask is None else expand_dims(cast(value_mask, "bool"), 1)
        if use_causal_mask:
            dims = shape_of_tensor(scores)
            causal = causal_mask(dims[1], dims[2])
            allowed = causal if allowed is None else logical_and(allowed, causal)
        if allowed is not None:
            most = 65504.0 if dtype_of(scores).name == "float16" else 1e9
            away: Any = cast(~allowed, scores.dtype)
            scores = scores - most * away
        weights = activations.softmax(scores, axis=-1)
        if self.dropout:
            weights = self._dropout(weights, training=training)
        outputs = matmul(weights, value)
        if query_mask is not None:
            outputs = outputs * cast(expand_dims(query_mask, -1), outputs.dtype)
        return (outputs, weights) if return_attention_scores else outputs

    _scores: Any  # a method: (batch, queries, keys) of queries and keys

    def compute_mask(self, inputs, previous_mask=None):
        if not previous_mask or previous_mask[0] is None:
            return None
        return previous_mask[0]

    def _check(self, inputs: Any, mask: Any) -> None:
        name = type(self).__name__
        if not isinstance(inputs, (list, tuple)):
            raise ValueError(f"{name} layer must be called on a list of inputs. Received: inputs={inputs}.")
        if len(inputs) not in (2, 3):
            raise ValueError(
                f"{name} layer accepts inputs list of length 2 or 3. Received length: {len(inputs)}."
            )
        if mask is not None and (not isinstance(mask, (list, tuple)) or len(mask) not in (2, 3)):
            raise ValueError(f"{name} layer accepts `mask` list of length 2 or 3. Received: mask={mask}.")


class Attention(BaseAttention):
    """softmax(query keyᵀ) value: Luong's attention.

    Args:
      use_scale: whether the scores are multiplied by a trained number.
      score_mode: ``"dot"``, or ``"concat"``: the sum of tanh(query + key).
      dropout: the rate of a dropout of the weights.
      seed: of the dropout.
      **kwargs: of `Layer`.

    Inputs [query, value] or [query, value, key]: (batch, queries, n), (batch, keys, m), (batch, keys, n); outputs
    (batch, queries, m).

    >>> import gradtape as tf
    >>> tf.keras.layers.Attention()([tf.ones([1, 2, 3]), tf.ones([1, 4, 3])]).shape
    TensorShape([1, 2, 3])

    M. Luong et al., "Effective approaches to attention-based neural machine translation", 2015. As Keras 3.
    """

    _config = ("use_scale", "score_mode", "dropout")

    def __init__(self, use_scale=False, score_mode="dot", dropout=0.0, seed=None, **kwargs):
        super().__init__(dropout, seed, **kwargs)
        if score_mode not in ("dot", "concat"):
            raise ValueError(
                "Invalid value for argument score_mode. Expected one of {'dot', 'concat'}. Received: "
                f"score_mode={score_mode}"
            )
        self.use_scale, self.score_mode = use_scale, score_mode
        self.scale = self.concat_score_weight = None

    def build(self, input_shape):
        if self.use_scale:
            self.scale = self.add_weight(name="scale", shape=(), initializer="ones")
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight(
                name="concat_score_weight", shape=(), initializer="ones"
            )

    def _scores(self, query, key):
        if self.score_mode == "dot":
            scores = matmul(query, key, transpose_b=True)
            return scores if self.scale is None else scores * self.scale
        both = expand_dims(query, -2) + expand_dims(key, -3)
        both = both if self.scale is None else both * self.scale
        return self.concat_score_weight * reduce_sum(tanh(both), axis=-1)


class AdditiveAttention(BaseAttention):
    """softmax(sum(scale * tanh(query + key))) value: Bahdanau's attention.

    Args:
      use_scale: whether there is a trained scale, a number for each feature.
      dropout: the rate of a dropout of the weights.
      **kwargs: of `Layer`.

    >>> import gradtape as tf
    >>> tf.keras.layers.AdditiveAttention()([tf.ones([1, 2, 3]), tf.ones([1, 4, 3])]).shape
    TensorShape([1, 2, 3])

    D. Bahdanau, K. Cho, Y. Bengio, "Neural machine translation by jointly learning to align and translate", 2014.
    """

    _config = ("use_scale", "dropout")

    def __init__(self, use_scale=True, dropout=0.0, **kwargs):
        super().__init__(dropout, **kwargs)
        self.use_scale, self.scale = use_scale, None

    def build(self, input_shape):
        if self.use_scale:
            size = input_shape[0][-1]
            self.scale = self.add_weight(name="scale", shape=(size,), initializer="glorot_uniform")

    def _scores(self, query, key):
        both = tanh(expand_dims(query, -2) + expand_dims(key, -3))
        return reduce_sum(both if self.scale is None else self.scale * both, axis=-1)


class MultiHeadAttention(KernelLayer):
    """Attention of several heads, each of projections of its own of queries, keys and values.

    Args:
      num_heads: how many.
      key_dim: the size of the projections of queries and keys.
      value_dim: of values; ``key_dim`` by default.
      dropout: the rate of a dropout of the weights.
      use_bias: whether the projections have biases.
      output_shape: of the outputs' features; those of the queries by default.
      attention_axes: the axes that attention goes along; all between the batch and the features by default.
      kernel_initializer, ...: of the projections, as in `tf.keras.layers.Dense`.
      seed: of the dropout.
      sliding_window: if given, a query looks only at keys that are nearer than this.
      **kwargs: of `Layer`.

    `call(query, value, key=value, attention_mask=None, return_attention_scores=False, use_causal_mask=False)` takes
    (batch, queries, n), (batch, keys, m), and gives (batch, queries, n); the mask is (batch, queries, keys), True
    where a query may look at a key.

    >>> import gradtape as tf
    >>> layer = tf.keras.layers.MultiHeadAttention(num_heads=2, key_dim=4)
    >>> layer(tf.ones([1, 3, 8]), tf.ones([1, 5, 6])).shape
    TensorShape([1, 3, 8])

    A. Vaswani et al., "Attention is all you need", 2017. As Keras 3.
    """

    _config = ("num_heads", "key_dim", "value_dim", "dropout", "use_bias", "output_shape", "attention_axes",
               "sliding_window", *_DENSE, "seed")  # fmt: skip
    _file_names = {f"_{part}_dense": f"{part}_dense" for part in ("query", "key", "value", "output")}

    def __init__(
        self, num_heads, key_dim, value_dim=None, dropout=0.0, use_bias=True, output_shape=None,
        attention_axes=None, kernel_initializer="glorot_uniform", bias_initializer="zeros",
        kernel_regularizer=None, bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
        bias_constraint=None, seed=None, sliding_window=None, **kwargs,
    ):  # fmt: skip
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.sliding_window = sliding_window
        self._keep(
            num_heads=num_heads, key_dim=key_dim, value_dim=value_dim or key_dim, dropout=dropout,
            use_bias=use_bias, kernel_initializer=kernel_initializer, bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer, bias_regularizer=bias_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, seed=seed,
        )  # fmt: skip
        self.output_shape = (output_shape,) if isinstance(output_shape, int) else output_shape
        self.attention_axes = (attention_axes,) if isinstance(attention_axes, int) else attention_axes
        self.supports_masking = True

    def build(self, query_shape, value_shape, key_shape=None):
        key_shape = value_shape if key_shape is None else key_shape
        self._query_dense = self._projection("query", query_shape, self.key_dim)
        self._key_dense = self._projection("key", key_shape, self.key_dim, self._key_heads())
        self._value_dense = self._projection("value", value_shape, self.value_dim, self._key_heads())
        rank = len(query_shape)
        axes = self.attention_axes or tuple(range(1, rank - 1))
        self._equations = _attention_equations(rank, tuple(axis % rank for axis in axes))
        self._softmax = Softmax(axis=tuple(range(-len(axes), 0)), dtype=self.dtype_policy)
        self._dropout_layer = Dropout(self.dropout, seed=self.seed, dtype=self.dtype_policy)
        batch = _LETTERS[: rank - 1]
        outputs = tuple(self.output_shape or (query_shape[-1],))
        out = _LETTERS[rank + 1 : rank + 1 + len(outputs)]
        equation = f"{batch}{_HEAD}{_DIM},{_HEAD}{_DIM}{out}->{batch}{out}"
        self._output_dense = self._dense("attention_output", equation, (*[None] * (rank - 2), *outputs), out)
        self._output_dense.build((*query_shape[:-1], self.num_heads, self.value_dim))

    def _key_heads(self) -> int:
        """How many heads keys and values have."""
        return self.num_heads

    def _for_queries(self, x: Any) -> Any:
        """Keys or values with as many heads as the queries."""
        return x

    def _projection(self, name: str, shape: Any, size: int, heads: int | None = None) -> EinsumDense:
        batch = _LETTERS[: len(shape) - 1]
        equation = f"{batch}z,z{_HEAD}{_DIM}->{batch}{_HEAD}{_DIM}"
        sizes = (*[None] * (len(shape) - 2), heads or self.num_heads, size)
        layer = self._dense(name, equation, sizes, _HEAD + _DIM)
        layer.supports_masking = True  # no warning: this layer sees to the masks
        layer.build(shape)
        return layer

    def _dense(self, name: str, equation: str, shape: Any, bias_axes: str) -> EinsumDense:
        given = {argument: getattr(self, argument) for argument in _DENSE}
        for key in ("kernel_initializer", "bias_initializer"):  # each projection draws numbers of its own
            given[key] = type(given[key]).from_config(given[key].get_config())
        bias = bias_axes if self.use_bias else None
        return EinsumDense(equation, shape, bias_axes=bias, name=name, dtype=self.dtype_policy, **given)

    def call(
        self, query, value, key=None, query_mask=None, value_mask=None, key_mask=None, attention_mask=None,
        return_attention_scores=False, training=None, use_causal_mask=False,
    ):  # fmt: skip
        key = value if key is None else key
        mask = self._mask(query, value, query_mask, value_mask, key_mask, attention_mask, use_causal_mask)
        q = self._query_dense(query)
        k, v = self._for_queries(self._key_dense(key)), self._for_queries(self._value_dense(value))
        q = q * (1.0 / self.key_dim**0.5)
        of_scores, of_outputs = self._equations
        scores = einsum(of_scores, k, q)
        if mask is not None:
            while len(shape_of(mask)) < len(shape_of(scores)):
                mask = expand_dims(mask, 1)
        if mask is not None and not (self.dropout or return_attention_scores) and len(shape_of(q)) == 4:
            # Keras has an operation of its own for this, which looks everywhere alike where it may look nowhere.
            scores, mask = where(mask, scores, cast(most_negative(scores), scores.dtype)), None
        weights = self._softmax(scores, mask=mask)
        dropped = self._dropout_layer(weights, training=training) if self.dropout else weights
        outputs = self._output_dense(einsum(of_outputs, dropped, v))
        return (outputs, weights) if return_attention_scores else outputs

    def _mask(
        self, query: Any, value: Any, of_query: Any, of_value: Any, of_key: Any, mask: Any, causal: Any
    ) -> Any:
        """(batch, queries, keys): True where a query may look at a key; None: everywhere."""
        parts = [] if mask is None else [cast(mask, "bool")]
        if of_query is not None:
            parts.append(expand_dims(cast(of_query, "bool"), -1))
        parts.extend(expand_dims(cast(m, "bool"), -2) for m in (of_value, of_key) if m is not None)
        if causal:
            parts.append(causal_mask(shape_of_tensor(query)[1], shape_of_tensor(value)[1]))
        if self.sliding_window is not None:
            rows, columns = (arange(shape_of_tensor(x)[1]) for x in (query, value))
            parts.append(expand_dims(abs(rows[:, None] - columns[None, :]) < self.sliding_window, 0))
        found = None
        for part in parts:
            found = part if found is None else logical_and(found, part)
        return found

    def compute_mask(self, query, value, query_mask=None, value_mask=None, key=None, key_mask=None):
        return query_mask

    def _regularize_and_mask(self, inputs: Any, outputs: Any, mask: Any) -> None:
        self._regularize_activity(outputs)
        mask = inputs._keras_mask
        if mask is not None:  # of the attended values; the scores keep theirs
            (outputs[0] if isinstance(outputs, tuple) else outputs)._keras_mask = mask


_LETTERS = "abcdefghijklmnopqrstuv"
_HEAD, _DIM = "x", "y"


def _attention_equations(rank: int, axes: tuple[int, ...]) -> tuple[str, str]:
    """The equations of the scores (of keys and queries) and of the outputs (of scores and values).

    Keys and queries are (batch, ..., heads, size); the scores (batch, ..., heads, *queries, *keys).
    """
    queries = [_LETTERS[i] for i in range(rank - 1)]
    keys = list(queries)
    for i, axis in enumerate(axes):
        keys[axis] = _LETTERS[rank + i]
    free = "".join(c for i, c in enumerate(queries) if i not in axes)
    scores = f"{free}{_HEAD}{''.join(queries[a] for a in axes)}{''.join(keys[a] for a in axes)}"
    query, key = "".join(queries) + _HEAD + _DIM, "".join(keys) + _HEAD + _DIM
    return f"{key},{query}->{scores}", f"{scores},{key}->{query}"
