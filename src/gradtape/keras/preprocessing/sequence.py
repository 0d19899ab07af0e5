"""`tf.keras.preprocessing.sequence`: lists of different lengths."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.data_utils import pad_sequences as pad_sequences

__getattr__ = _missing(__name__, globals())
