"""`tf.keras.preprocessing`: data as arrays."""

from gradtape._src.core.missing import missing as _missing
from gradtape.keras.preprocessing import image as image
from gradtape.keras.preprocessing import sequence as sequence

__getattr__ = _missing(__name__, globals())
