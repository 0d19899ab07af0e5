"""`tf.keras.datasets.california_housing`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import load_california_housing as load_data

__getattr__ = _missing(__name__, globals())
