"""Public losses over many classes, estimated from a few that are drawn at random.

Arguments that mean the same in all functions:

- ``weights`` (num_classes, dim), or a list of tensors that are its parts; ``biases`` (num_classes,);
- ``labels``: int64 of shape (batch, num_true), the true classes; ``inputs`` (batch, dim);
- ``num_sampled``: how many classes to draw for the whole batch; ``num_classes``: of how many;
- ``sampled_values``: what a sampler of `tf.random` gives, `tf.random.log_uniform_candidate_sampler` by default;
- ``remove_accidental_hits``: whether a drawn class that is one of the true ones does not count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape._src.api.candidates import log_uniform_candidate_sampler
from gradtape._src.api.v1_indexing import embedding_lookup
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops.arithmetic import constant
from gradtape._src.ops.arrays import expand_dims, ones_like, reshape, stop_gradient, zeros_like
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import equal
from gradtape._src.ops.elementwise import log
from gradtape._src.ops.joining import concat
from gradtape._src.ops.products import matmul_nt
from gradtape._src.ops.reduction import reduce_any, reduce_sum
from gradtape._src.ops.selection import select
from gradtape._src.ops.softmax import sigmoid_cross_entropy, softmax_cross_entropy


def nce_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=False,
    name="nce_loss",
):
    """Noise-contrastive estimation: the cross entropy of telling true classes from drawn ones.

    With the logit of a class, inputs · weights + bias, less the logarithm of how often it is to be expected among the
    samples: the sum of `tf.nn.sigmoid_cross_entropy_with_logits` over the true classes (label 1 / num_true)
    and the drawn ones (label 0).

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes: see this module.
      num_true: how many true classes each row of labels has.
      sampled_values, remove_accidental_hits: see this module.
      name: of the operations in a graph.

    Returns:
      A tensor (batch,).

    >>> import gradtape as tf
    >>> drawn = ([2, 3], [[0.5], [0.5]], [0.5, 0.5])
    >>> w, x = tf.zeros([4, 3]), tf.ones([2, 3])
    >>> print(tf.nn.nce_loss(w, tf.zeros([4]), [[0], [1]], x, 2, 4, sampled_values=drawn).numpy().round(4))
    [2.6027 2.6027]

    Gutmann, Hyvärinen: Noise-contrastive estimation (2010).
    """
    logits, truths = _sampled_logits(
        (weights, biases), labels, inputs, (num_sampled, num_classes, num_true), sampled_values,
        remove_accidental_hits, "div",
    )  # fmt: skip
    return reduce_sum.of(sigmoid_cross_entropy.of(logits, truths), (1,), False)


def sampled_softmax_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=True,
    seed=None,
    name="sampled_softmax_loss",
):
    """The cross entropy of a softmax over the true and the drawn classes only: for training, not for evaluation.

    The logits are those of `tf.nn.nce_loss`.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes: see this module.
      num_true: how many true classes each row of labels has.
      sampled_values, remove_accidental_hits: see this module.
      seed: an integer that makes the choice repeatable.
      name: of the operations in a graph.

    Returns:
      A tensor (batch,).

    >>> import gradtape as tf
    >>> drawn = ([2, 3], [[0.5], [0.5]], [0.5, 0.5])
    >>> w, x = tf.zeros([4, 3]), tf.ones([2, 3])
    >>> loss = tf.nn.sampled_softmax_loss(w, tf.zeros([4]), [[0], [1]], x, 2, 4, sampled_values=drawn)
    >>> print(loss.numpy().round(4))
    [1.0986 1.0986]

    Jean et al.: On using very large target vocabulary for neural machine translation, arXiv:1412.2007.
    """
    return _softmax_loss(
        (weights, biases), labels, inputs, (num_sampled, num_classes, num_true), sampled_values,
        remove_accidental_hits, "div", seed,
    )  # fmt: skip


def _softmax_loss(*arguments: Any) -> Any:
    logits, truths = _sampled_logits(*arguments)
    return softmax_cross_entropy.of(logits, truths, axis=-1)


def _sampled_logits(
    layer: tuple[Any, Any],
    labels: Any,
    inputs: Any,
    sizes: tuple[int, int, int],
    sampled_values: Any,
    remove_hits: bool,
    strategy: str,
    seed: Any = None,
) -> tuple[Any, Any]:
    """Logits (batch, num_true + num_sampled) and their labels."""
    (weights, biases), (num_sampled, num_classes, num_true) = layer, sizes
    inputs = as_tensor(inputs)
    labels = as_tensor(labels) if isinstance(labels, Tensor) else as_tensor(labels, "int64")
    if dtype_of(labels) != np.int64:
        labels = cast.of(labels, dtype=np.dtype(np.int64))
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed)
    drawn, true_count, drawn_count = (stop_gradient.of(as_tensor(v)) for v in sampled_values)
    drawn = cast.of(drawn, dtype=np.dtype(np.int64))

    flat = reshape.of(labels, (-1,))
    # One lookup for both, so that the gradient of the table is one set of slices.
    ids = concat.of(flat, drawn, axis=0)
    rows = _like(embedding_lookup(weights, ids, strategy), inputs)
    shift = _like(embedding_lookup(biases, ids, strategy), inputs)
    n = shape_of(drawn)[0] if shape_of(drawn) else num_sampled  # type: ignore[index]
    true_rows = reshape.of(rows[:-n], (-1, num_true, shape_of(rows)[-1]))  # type: ignore[index]
    true_logits = reduce_sum.of(expand_dims.of(inputs, axis=1) * true_rows, (2,), False)
    true_logits = true_logits + reshape.of(shift[:-n], (-1, num_true)) - log.of(_like(true_count, inputs))
    logits = matmul_nt.of(inputs, rows[-n:]) + shift[-n:]
    if remove_hits:
        hits = reduce_any.of(equal.of(expand_dims.of(labels, axis=2), drawn), (1,), False)
        lowest = constant(float(np.finfo(np.float32).min), dtype_of(inputs))
        logits = logits + select.of(hits, as_tensor(lowest), as_tensor(constant(0, dtype_of(inputs))))
    logits = logits - log.of(_like(drawn_count, inputs))
    truths = concat.of(ones_like.of(true_logits) / num_true, zeros_like.of(logits), axis=1)
    return concat.of(true_logits, logits, axis=1), truths


def _like(x: Any, inputs: Any) -> Any:
    return x if dtype_of(x) == dtype_of(inputs) else cast.of(x, dtype=dtype_of(inputs))


# --- As TensorFlow 1 has them -------------------------------------------------------------------------------


def v1_nce_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=False,
    partition_strategy="mod",
    name="nce_loss",
):
    """`tf.nn.nce_loss`, for tables in parts also by the strategy "mod": class i is in part `i % parts`.

    >>> import gradtape.compat.v1 as tf
    >>> drawn = ([2, 3], [[0.5], [0.5]], [0.5, 0.5])
    >>> w, x = tf.zeros([4, 3]), tf.ones([2, 3])
    >>> print(tf.nn.nce_loss(w, tf.zeros([4]), [[0], [1]], x, 2, 4, sampled_values=drawn).numpy().round(4))
    [2.6027 2.6027]

    As TensorFlow 2.21.
    """
    logits, truths = _sampled_logits(
        (weights, biases), labels, inputs, (num_sampled, num_classes, num_true), sampled_values,
        remove_accidental_hits, partition_strategy,
    )  # fmt: skip
    return reduce_sum.of(sigmoid_cross_entropy.of(logits, truths), (1,), False)


def v1_sampled_softmax_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=True,
    partition_strategy="mod",
    name="sampled_softmax_loss",
    seed=None,
):
    """`tf.nn.sampled_softmax_loss`, for tables in parts also by the strategy "mod".

    >>> import gradtape.compat.v1 as tf
    >>> drawn = ([2, 3], [[0.5], [0.5]], [0.5, 0.5])
    >>> w, x = tf.zeros([4, 3]), tf.ones([2, 3])
    >>> loss = tf.nn.sampled_softmax_loss(w, tf.zeros([4]), [[0], [1]], x, 2, 4, sampled_values=drawn)
    >>> print(loss.numpy().round(4))
    [1.0986 1.0986]

    As TensorFlow 2.21.
    """
    return _softmax_loss(
        (weights, biases), labels, inputs, (num_sampled, num_classes, num_true), sampled_values,
        remove_accidental_hits, partition_strategy, seed,
    )  # fmt: skip
