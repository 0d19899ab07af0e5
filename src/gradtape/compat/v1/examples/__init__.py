"""`tensorflow.examples` of TensorFlow 1."""

from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1.examples import tutorials as tutorials

__getattr__ = _missing(__name__, globals())
