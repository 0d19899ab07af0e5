"""`tf.keras.datasets.mnist`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import load_mnist as load_data

__getattr__ = _missing(__name__, globals())
