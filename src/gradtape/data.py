"""Sequences of elements: ``tf.data``."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.dataset import INFINITE as INFINITE_CARDINALITY
from gradtape._src.data.dataset import UNKNOWN as UNKNOWN_CARDINALITY
from gradtape._src.data.dataset import Dataset as Dataset
from gradtape._src.data.dataset import DatasetIterator as Iterator

AUTOTUNE = -1

__all__ = ["AUTOTUNE", "INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset", "Iterator"]
__getattr__ = _missing(__name__, globals())
