"""`tf.keras.datasets.imdb`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.datasets import imdb_word_index as get_word_index
from gradtape._src.keras.datasets import load_imdb as load_data

__getattr__ = _missing(__name__, globals())
