"""`tf.keras.datasets.fashion_mnist`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import load_fashion_mnist as load_data

__getattr__ = _missing(__name__, globals())
