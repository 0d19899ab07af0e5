"""`tf.compat.v1.io`: `tf.io`, and what only TensorFlow 1 has."""

import gradtape.io as _io
from gradtape._src.compat_v1.parsing import decode_csv as decode_csv
from gradtape._src.compat_v1.parsing import decode_raw as decode_raw
from gradtape._src.compat_v1.parsing import parse_example as parse_example
from gradtape._src.compat_v1.parsing import parse_single_example as parse_single_example
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.record_writing import TFRecordCompressionType as TFRecordCompressionType
from gradtape._src.data.record_writing import tf_record_iterator as tf_record_iterator

__getattr__ = _missing(__name__, globals(), base=_io)
__dir__ = _listing(globals(), base=_io)
