"""`tf.compat.v1.data`: `tf.data`, with the iterators of TensorFlow 1."""

import gradtape.data as _data
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.v1 import Dataset as Dataset
from gradtape._src.data.v1 import FixedLengthRecordDataset as FixedLengthRecordDataset
from gradtape._src.data.v1 import GraphIterator as Iterator
from gradtape._src.data.v1 import TextLineDataset as TextLineDataset
from gradtape._src.data.v1 import TFRecordDataset as TFRecordDataset
from gradtape._src.data.v1 import get_output_classes as get_output_classes
from gradtape._src.data.v1 import get_output_shapes as get_output_shapes
from gradtape._src.data.v1 import get_output_types as get_output_types
from gradtape._src.data.v1 import make_initializable_iterator as make_initializable_iterator
from gradtape._src.data.v1 import make_one_shot_iterator as make_one_shot_iterator

__getattr__ = _missing(__name__, globals(), base=_data)
__dir__ = _listing(globals(), base=_data)
