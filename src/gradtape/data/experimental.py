"""`tf.data.experimental`: older names of what datasets do by their methods."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.csv_dataset import make_csv_dataset as make_csv_dataset
from gradtape._src.data.experimental import Counter as Counter
from gradtape._src.data.experimental import RandomDataset as RandomDataset
from gradtape._src.data.experimental import TFRecordWriter as TFRecordWriter
from gradtape._src.data.experimental import assert_cardinality as assert_cardinality
from gradtape._src.data.experimental import bucket_by_sequence_length as bucket_by_sequence_length
from gradtape._src.data.experimental import cardinality as cardinality
from gradtape._src.data.experimental import choose_from_datasets as choose_from_datasets
from gradtape._src.data.experimental import copy_to_device as copy_to_device
from gradtape._src.data.experimental import enumerate_dataset as enumerate_dataset
from gradtape._src.data.experimental import get_next_as_optional as get_next_as_optional
from gradtape._src.data.experimental import get_single_element as get_single_element
from gradtape._src.data.experimental import get_structure as get_structure
from gradtape._src.data.experimental import group_by_window as group_by_window
from gradtape._src.data.experimental import ignore_errors as ignore_errors
from gradtape._src.data.experimental import load as load
from gradtape._src.data.experimental import map_and_batch as map_and_batch
from gradtape._src.data.experimental import parallel_interleave as parallel_interleave
from gradtape._src.data.experimental import prefetch_to_device as prefetch_to_device
from gradtape._src.data.experimental import rejection_resample as rejection_resample
from gradtape._src.data.experimental import sample_from_datasets as sample_from_datasets
from gradtape._src.data.experimental import save as save
from gradtape._src.data.experimental import scan as scan
from gradtape._src.data.experimental import shuffle_and_repeat as shuffle_and_repeat
from gradtape._src.data.experimental import snapshot as snapshot
from gradtape._src.data.experimental import take_while as take_while
from gradtape._src.data.experimental import unbatch as unbatch
from gradtape._src.data.experimental import unique as unique
from gradtape._src.data.iterators import Optional as Optional
from gradtape._src.data.options import OptionGroup as OptimizationOptions
from gradtape._src.data.options import OptionGroup as ThreadingOptions
from gradtape._src.data.recipe import INFINITE as INFINITE_CARDINALITY
from gradtape._src.data.recipe import UNKNOWN as UNKNOWN_CARDINALITY
from gradtape._src.data.records import CsvDataset as CsvDataset

AUTOTUNE = -1

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
