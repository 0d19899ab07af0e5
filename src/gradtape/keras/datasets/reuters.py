"""`tf.keras.datasets.reuters`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import load_reuters as load_data
from gradtape._src.keras.datasets import reuters_word_index as get_word_index

__getattr__ = _missing(__name__, globals())
