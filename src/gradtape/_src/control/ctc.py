"""`tf.nn.ctc_loss`: the loss of sequences whose labels are not aligned with their steps."""

from __future__ import annotations

from typing import Any

from gradtape._src.api.arithmetic import maximum
from gradtape._src.api.arrays import expand_dims, reshape, shape
from gradtape._src.api.casting import cast
from gradtape._src.api.comparison import equal, not_equal
from gradtape._src.api.creation import fill, ones_like, zeros_like
from gradtape._src.api.creation import range as arange
from gradtape._src.api.elementwise import exp, log
from gradtape._src.api.gathering import gather
from gradtape._src.api.joining import concat, stack
from gradtape._src.api.nn_losses import log_softmax
from gradtape._src.api.reordering import transpose
from gradtape._src.api.segment import unsorted_segment_sum
from gradtape._src.api.selection import where
from gradtape._src.api.sparse import to_dense
from gradtape._src.control.scan import foldl
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import float32, int32
from gradtape._src.core.values import dtype_of, shape_of
from gradtape._src.ops.arrays import stop_gradient

_NEVER = -1e30  # the logarithm of a probability of 0, which may be added to itself


def ctc_loss(
    labels,
    logits,
    label_length,
    logit_length,
    logits_time_major=True,
    unique=None,
    blank_index=None,
    name=None,
):
    """Minus the logarithm of the probability that steps give labels, when equal neighbours and then blanks are dropped.

    The probabilities of all alignments are added up step by step: of the path that ends at place s of the labels with
    blanks between them, ``a[t, s] = (a[t - 1, s] + a[t - 1, s - 1] + a[t - 1, s - 2]) p[t, s]``, the last term only
    where s is no blank and another label than that at s - 2.

    Args:
      labels: integers of shape (batch, labels).
      logits: (time, batch, classes), or with ``logits_time_major=False`` (batch, time, classes).
      label_length, logit_length: how many labels and steps count, each (batch,).
      logits_time_major: see above.
      unique: without effect: it makes TensorFlow quicker.
      blank_index: the class that stands for no label, 0 by default; negative ones count from the end.
      name: of the operation.

    Returns:
      A tensor of shape (batch,), of the logits' dtype; about 1e30 where no path gives the labels.

    Raises:
      ValueError: other ranks.

    >>> import gradtape as tf
    >>> tf.nn.ctc_loss([[1]], tf.zeros([2, 1, 2]), [1], [2]).numpy().round(4)
    array([0.2877], dtype=float32)

    A. Graves et al., "Connectionist temporal classification", ICML 2006.
    """
    labels, logits = cast(as_tensor(labels), int32), as_tensor(logits)
    for what, x, rank in (("labels", labels, 2), ("logits", logits, 3)):
        if shape_of(x) is not None and len(shape_of(x)) != rank:
            raise ValueError(f"ctc_loss needs `{what}` of rank {rank}. Received: shape={shape_of(x)}")
    labels_counted: Any = cast(as_tensor(label_length), int32)
    steps_counted: Any = cast(as_tensor(logit_length), int32)
    dtype = dtype_of(logits)
    scores: Any = cast(logits, float32) if dtype.itemsize < 4 else logits
    if not logits_time_major:
        scores = transpose(scores, [1, 0, 2])
    blank: Any = 0 if blank_index is None else int(blank_index)
    if blank < 0:
        blank = cast(shape(scores)[2], int32) + blank
    batch, count = shape(labels)[0], shape(labels)[1]
    blanks = fill([batch, count], 0) + blank
    # Blanks before, between and behind the labels: 2 * count + 1 places.
    places = concat(
        [reshape(stack([blanks, labels], axis=2), [batch, 2 * count]), fill([batch, 1], 0) + blank], 1
    )
    before = concat([fill([batch, 2], -1), places[:, :-2]], axis=1)
    never: Any = cast(_NEVER, dtype_of(scores))
    skips = where(not_equal(places, blank) & not_equal(places, before), zeros_like(never), never)
    at = expand_dims(arange(2 * count + 1), 0)
    start = where(at <= 1, zeros_like(never), never)  # the first step is at one of the first two places
    chances = gather(
        log_softmax(scores), expand_dims(places, 0) + zeros_like(cast(scores[:, :, :1], int32)), batch_dims=2
    )
    outside = fill([batch, 2], never)

    def step(paths: Any, given: Any) -> Any:
        t, chance = given
        one, two = concat([outside[:, :1], paths[:, :-1]], 1), concat([outside, paths[:, :-2]], 1) + skips
        moved = where(equal(t, 0), start + zeros_like(paths), _log_sum(paths, one, two))
        return where(expand_dims(t < steps_counted, 1), moved + chance, paths)

    first = fill([batch, 2 * count + 1], never)
    paths = foldl(step, (arange(shape(scores)[0]), chances), initializer=first)
    last: Any = labels_counted + labels_counted
    ends = [gather(paths, maximum(i, 0), batch_dims=1) for i in (last, last - 1)]
    return cast(-_log_sum(ends[0], where(last > 0, ends[1], never)), dtype)


def _log_sum(*terms: Any) -> Any:
    """The logarithm of a sum, of the logarithms of its terms."""
    most = terms[0]
    for term in terms[1:]:
        most = maximum(most, term)
    most = stop_gradient(most)  # the sum does not depend on it
    total: Any = 0.0
    for term in terms:
        total = total + exp(term - most)
    return most + log(total)


def ctc_loss_v1(
    labels,
    inputs=None,
    sequence_length=None,
    preprocess_collapse_repeated=False,
    ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False,
    time_major=True,
    logits=None,
):
    """TensorFlow 1's `tf.nn.ctc_loss`: labels are a `tf.SparseTensor`, and the last class stands for no label.

    Args:
      labels: of shape (batch, labels).
      inputs: logits of shape (time, batch, classes), or with ``time_major=False`` (batch, time, classes).
      sequence_length: how many steps count, of shape (batch,).
      preprocess_collapse_repeated, ctc_merge_repeated: as they are by default.
      ignore_longer_outputs_than_inputs: without effect: such a loss is about 1e30.
      time_major: see above.
      logits: another name of ``inputs``.

    Raises:
      ValueError: other values of the arguments that are to be as they are.
    """
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise ValueError(
            "ctc_loss computes the usual loss only: preprocess_collapse_repeated=False, ctc_merge_repeated=True. "
            f"Received: {preprocess_collapse_repeated}, {ctc_merge_repeated}"
        )
    inputs = as_tensor(inputs if inputs is not None else logits)
    there = ones_like(labels.values, int32)
    batch = shape(inputs)[1 if time_major else 0]
    lengths = unsorted_segment_sum(there, labels.indices[:, 0], batch)
    return ctc_loss(to_dense(labels), inputs, lengths, sequence_length, time_major, blank_index=-1)
