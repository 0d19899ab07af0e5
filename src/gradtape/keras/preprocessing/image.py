"""`tf.keras.preprocessing.image`: images as arrays."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.data_utils import img_to_array as img_to_array

__getattr__ = _missing(__name__, globals())
