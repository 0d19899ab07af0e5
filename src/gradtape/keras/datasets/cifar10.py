"""`tf.keras.datasets.cifar10`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import load_cifar10 as load_data

__getattr__ = _missing(__name__, globals())
