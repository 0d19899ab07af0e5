"""`tf.contrib`, which only TensorFlow 1 had: the parts that public programs use most."""

from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1 import distributions as distributions
from gradtape.compat.v1.contrib import framework as framework
from gradtape.compat.v1.contrib import layers as layers
from gradtape.compat.v1.contrib import learn as learn
from gradtape.compat.v1.contrib import legacy_seq2seq as legacy_seq2seq
from gradtape.compat.v1.contrib import opt as opt
from gradtape.compat.v1.contrib import rnn as rnn
from gradtape.compat.v1.contrib import seq2seq as seq2seq

__getattr__ = _missing(__name__, globals())
