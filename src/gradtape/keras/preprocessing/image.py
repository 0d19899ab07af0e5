"""`tf.keras.preprocessing.image`: images as arrays."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.data_utils import img_to_array as img_to_array
from gradtape._src.keras.image_files import array_to_img as array_to_img
from gradtape._src.keras.image_files import load_img as load_img
from gradtape._src.keras.image_files import save_img as save_img
from gradtape._src.keras.image_files import smart_resize as smart_resize
from gradtape._src.keras.image_generator import DirectoryIterator as DirectoryIterator
from gradtape._src.keras.image_generator import ImageDataGenerator as ImageDataGenerator
from gradtape._src.keras.image_generator import Iterator as Iterator
from gradtape._src.keras.image_generator import NumpyArrayIterator as NumpyArrayIterator
from gradtape._src.keras.image_generator import apply_affine_transform as apply_affine_transform

__getattr__ = _missing(__name__, globals())
