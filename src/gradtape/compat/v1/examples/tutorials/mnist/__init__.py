"""`tensorflow.examples.tutorials.mnist` of TensorFlow 1."""

from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1.examples.tutorials.mnist import input_data as input_data

__getattr__ = _missing(__name__, globals())
