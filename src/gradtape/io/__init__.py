"""`tf.io`: files."""

from gradtape._src.api.files import matching_files as matching_files
from gradtape._src.api.files import read_file as read_file
from gradtape._src.api.files import write_file as write_file
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.record_writing import TFRecordOptions as TFRecordOptions
from gradtape._src.data.record_writing import TFRecordWriter as TFRecordWriter
from gradtape.io import gfile as gfile

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
