"""`tf.keras.preprocessing.sequence`: lists of different lengths, windows, pairs of words."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.data_utils import pad_sequences as pad_sequences
from gradtape._src.keras.sequences import TimeseriesGenerator as TimeseriesGenerator
from gradtape._src.keras.sequences import make_sampling_table as make_sampling_table
from gradtape._src.keras.sequences import skipgrams as skipgrams

__getattr__ = _missing(__name__, globals())
