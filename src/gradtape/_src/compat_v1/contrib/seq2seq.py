"""``tf.contrib.legacy_seq2seq`` and ``tf.contrib.seq2seq``: decoders step by step, and losses of sequences."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import add_n
from gradtape._src.api.arrays import shape
from gradtape._src.api.casting import cast
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.nn_losses import sparse_softmax_cross_entropy_with_logits
from gradtape._src.api.reduction import reduce_sum
from gradtape._src.compat_v1.rnn import static_rnn
from gradtape._src.compat_v1.variable_scope import variable_scope
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32
from gradtape._src.core.values import shape_of
from gradtape._src.ops.arrays import reshape

_TINY = 1e-12  # in place of no weight at all


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    """Runs a cell along a list of inputs, or from the second step on along what it gave before.

    Args:
      decoder_inputs: a list of tensors of shape (batch, size).
      initial_state: of the cell.
      cell: a `tf.nn.rnn_cell.RNNCell`.
      loop_function: a function of the output before and of the number of the step that gives the input.
      scope: of the variables, "rnn_decoder" by default.

    Returns:
      A pair: the list of outputs, and the last state.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.contrib.rnn.GRUCell(3)
    ...     inputs = [tf.ones([2, 4])] * 5
    ...     outputs, state = tf.contrib.legacy_seq2seq.rnn_decoder(inputs, cell.zero_state(2, tf.float32), cell)
    ...     len(outputs), state.shape.as_list()
    (5, [2, 3])

    As TensorFlow 1.15.
    """
    with variable_scope(scope or "rnn_decoder") as opened:
        state, outputs = initial_state, []
        for i, x in enumerate(decoder_inputs):
            if loop_function is not None and outputs:
                with variable_scope("loop_function", reuse=True):
                    x = loop_function(outputs[-1], i)
            if i > 0:
                opened.reuse_variables()
            output, state = cell(x, state)
            outputs.append(output)
    return outputs, state


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=float32, scope=None):
    """Runs a cell along the encoder's inputs, and from its last state along the decoder's; see `rnn_decoder`.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     inputs = [tf.ones([2, 4])] * 5
    ...     outputs, _ = tf.contrib.legacy_seq2seq.basic_rnn_seq2seq(inputs, inputs, tf.contrib.rnn.GRUCell(3))
    ...     len(outputs)
    5
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def _cross_entropies(logits: Any, targets: Any, softmax_loss_function: Any) -> Any:
    if softmax_loss_function is None:
        return sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
    return softmax_loss_function(labels=targets, logits=logits)


def sequence_loss_by_example(
    logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None
):
    """The cross-entropies of a sequence, for each example: sum over steps of weight times cross-entropy.

    Args:
      logits: a list of tensors of shape (batch, classes).
      targets: a list of tensors of shape (batch,), of integers.
      weights: a list of tensors of shape (batch,).
      average_across_timesteps: whether to divide by the sum of the weights.
      softmax_loss_function: a function of ``labels`` and ``logits`` in place of the cross-entropy.

    Raises:
      ValueError: the lists are not of one length.

    >>> import gradtape.compat.v1 as tf
    >>> loss = tf.contrib.legacy_seq2seq.sequence_loss_by_example(
    ...     [tf.zeros([2, 4])], [tf.constant([1, 2])], [tf.ones([2])])
    >>> print(loss.numpy())
    [1.3862944 1.3862944]

    As TensorFlow 1.15.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}."
        )
    with scope_of(name or "sequence_loss_by_example"):
        weights = [as_tensor(weight) for weight in weights]
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            target = as_tensor(target)
            if softmax_loss_function is None:
                target = reshape(target, (-1,))
            losses.append(_cross_entropies(logit, target, softmax_loss_function) * weight)
        total = add_n(losses)
        return total / (add_n(weights) + _TINY) if average_across_timesteps else total


def sequence_loss(
    logits,
    targets,
    weights,
    average_across_timesteps=True,
    average_across_batch=True,
    softmax_loss_function=None,
    name=None,
):
    """The sum of `sequence_loss_by_example` over the examples, divided by their number.

    >>> import gradtape.compat.v1 as tf
    >>> loss = tf.contrib.legacy_seq2seq.sequence_loss(
    ...     [tf.zeros([2, 4])], [tf.constant([1, 2])], [tf.ones([2])])
    >>> print(loss.numpy())
    1.3862944

    As TensorFlow 1.15.
    """
    with scope_of(name or "sequence_loss"):
        each = sequence_loss_by_example(
            logits, targets, weights, average_across_timesteps, softmax_loss_function
        )
        cost = reduce_sum(each)
        return cost / cast(shape(targets[0])[0], cost.dtype) if average_across_batch else cost


def batched_sequence_loss(
    logits,
    targets,
    weights,
    average_across_timesteps=True,
    average_across_batch=True,
    softmax_loss_function=None,
    name=None,
):
    """The weighted cross-entropy of sequences in one tensor: `tf.contrib.seq2seq.sequence_loss`.

    Args:
      logits: of shape (batch, steps, classes).
      targets, weights: of shape (batch, steps).
      average_across_timesteps, average_across_batch: whether to divide by the weights over steps, and over examples.
      softmax_loss_function: a function of ``labels`` and ``logits`` in place of the cross-entropy.

    Raises:
      ValueError: other ranks.

    >>> import gradtape.compat.v1 as tf
    >>> loss = tf.contrib.seq2seq.sequence_loss(tf.zeros([2, 3, 4]), tf.ones([2, 3], tf.int32), tf.ones([2, 3]))
    >>> print(loss.numpy())
    1.3862944

    As TensorFlow 1.15.
    """
    logits, targets, weights = as_tensor(logits), as_tensor(targets), as_tensor(weights)
    for what, tensor, rank in (("Logits", logits, 3), ("Targets", targets, 2), ("Weights", weights, 2)):
        dims = shape_of(tensor)
        if dims is not None and len(dims) != rank:
            raise ValueError(f"{what} must be a {rank}-dimensional tensor, received shape {dims}")
    with scope_of(name or "sequence_loss"):
        losses = _cross_entropies(logits, targets, softmax_loss_function) * weights
        if average_across_timesteps and average_across_batch:
            return reduce_sum(losses) / (reduce_sum(weights) + _TINY)
        axes = [axis for axis, whole in ((0, average_across_batch), (1, average_across_timesteps)) if whole]
        if not axes:
            return losses
        return reduce_sum(losses, axes) / (reduce_sum(weights, axes) + _TINY)
