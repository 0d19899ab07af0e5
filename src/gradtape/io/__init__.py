"""`tf.io`: files."""

from gradtape._src.api.decoding import decode_base64 as decode_base64
from gradtape._src.api.decoding import decode_compressed as decode_compressed
from gradtape._src.api.decoding import decode_csv as decode_csv
from gradtape._src.api.decoding import decode_raw as decode_raw
from gradtape._src.api.decoding import encode_base64 as encode_base64
from gradtape._src.api.decoding import parse_tensor as parse_tensor
from gradtape._src.api.decoding import serialize_tensor as serialize_tensor
from gradtape._src.api.files import matching_files as matching_files
from gradtape._src.api.files import read_file as read_file
from gradtape._src.api.files import write_file as write_file
from gradtape._src.api.image_files import decode_bmp as decode_bmp
from gradtape._src.api.image_files import decode_gif as decode_gif
from gradtape._src.api.image_files import decode_image as decode_image
from gradtape._src.api.image_files import decode_jpeg as decode_jpeg
from gradtape._src.api.image_files import decode_png as decode_png
from gradtape._src.api.image_files import encode_jpeg as encode_jpeg
from gradtape._src.api.image_files import encode_png as encode_png
from gradtape._src.api.image_files import extract_jpeg_shape as extract_jpeg_shape
from gradtape._src.api.image_files import is_jpeg as is_jpeg
from gradtape._src.api.parsing_examples import parse_example as parse_example
from gradtape._src.api.parsing_examples import parse_sequence_example as parse_sequence_example
from gradtape._src.api.parsing_examples import parse_single_example as parse_single_example
from gradtape._src.api.parsing_examples import parse_single_sequence_example as parse_single_sequence_example
from gradtape._src.api.parsing_features import FixedLenFeature as FixedLenFeature
from gradtape._src.api.parsing_features import FixedLenSequenceFeature as FixedLenSequenceFeature
from gradtape._src.api.parsing_features import RaggedFeature as RaggedFeature
from gradtape._src.api.parsing_features import SparseFeature as SparseFeature
from gradtape._src.api.parsing_features import VarLenFeature as VarLenFeature
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.record_writing import TFRecordOptions as TFRecordOptions
from gradtape._src.data.record_writing import TFRecordWriter as TFRecordWriter
from gradtape.io import gfile as gfile

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
