"""`tf.contrib.legacy_seq2seq`: decoders, and losses of lists of steps."""

from gradtape._src.compat_v1.contrib.seq2seq import basic_rnn_seq2seq as basic_rnn_seq2seq
from gradtape._src.compat_v1.contrib.seq2seq import rnn_decoder as rnn_decoder
from gradtape._src.compat_v1.contrib.seq2seq import sequence_loss as sequence_loss
from gradtape._src.compat_v1.contrib.seq2seq import sequence_loss_by_example as sequence_loss_by_example
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
