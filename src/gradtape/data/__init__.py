"""Sequences of elements: `tf.data`."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.dataset import Dataset as Dataset
from gradtape._src.data.elements import DatasetSpec as DatasetSpec
from gradtape._src.data.iterators import DatasetIterator as Iterator
from gradtape._src.data.iterators import NumpyIterator as NumpyIterator
from gradtape._src.data.options import OptionGroup as ThreadingOptions
from gradtape._src.data.options import Options as Options
from gradtape._src.data.recipe import INFINITE as INFINITE_CARDINALITY
from gradtape._src.data.recipe import UNKNOWN as UNKNOWN_CARDINALITY
from gradtape._src.data.records import FixedLengthRecordDataset as FixedLengthRecordDataset
from gradtape._src.data.records import TextLineDataset as TextLineDataset
from gradtape._src.data.records import TFRecordDataset as TFRecordDataset
from gradtape.data import experimental as experimental

AUTOTUNE = -1

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "Iterator",
    "NumpyIterator",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "experimental",
]
__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
