"""`tensorflow.examples.tutorials` of TensorFlow 1."""

from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1.examples.tutorials import mnist as mnist

__getattr__ = _missing(__name__, globals())
