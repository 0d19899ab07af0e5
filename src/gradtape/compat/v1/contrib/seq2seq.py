"""`tf.contrib.seq2seq`: the loss of sequences in one tensor."""

from gradtape._src.compat_v1.contrib.seq2seq import batched_sequence_loss as sequence_loss
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
