"""`tf.keras.preprocessing`: data as arrays."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.folder_datasets import image_dataset_from_directory as image_dataset_from_directory
from gradtape._src.keras.folder_datasets import text_dataset_from_directory as text_dataset_from_directory
from gradtape._src.keras.folder_datasets import timeseries_dataset_from_array as timeseries_dataset_from_array
from gradtape.keras.preprocessing import image as image
from gradtape.keras.preprocessing import sequence as sequence
from gradtape.keras.preprocessing import text as text

__getattr__ = _missing(__name__, globals())
