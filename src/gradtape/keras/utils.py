"""`tf.keras.utils`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.backend_state import clear_session as clear_session
from gradtape._src.keras.custom_objects import custom_object_scope as CustomObjectScope
from gradtape._src.keras.custom_objects import custom_object_scope as custom_object_scope
from gradtape._src.keras.custom_objects import get_custom_objects as get_custom_objects
from gradtape._src.keras.custom_objects import get_registered_name as get_registered_name
from gradtape._src.keras.custom_objects import get_registered_object as get_registered_object
from gradtape._src.keras.custom_objects import register_keras_serializable as register_keras_serializable
from gradtape._src.keras.data_utils import PyDataset as PyDataset
from gradtape._src.keras.data_utils import PyDataset as Sequence
from gradtape._src.keras.data_utils import img_to_array as img_to_array
from gradtape._src.keras.data_utils import normalize as normalize
from gradtape._src.keras.data_utils import pack_x_y_sample_weight as pack_x_y_sample_weight
from gradtape._src.keras.data_utils import pad_sequences as pad_sequences
from gradtape._src.keras.data_utils import split_dataset as split_dataset
from gradtape._src.keras.data_utils import to_categorical as to_categorical
from gradtape._src.keras.data_utils import unpack_x_y_sample_weight as unpack_x_y_sample_weight
from gradtape._src.keras.folder_datasets import image_dataset_from_directory as image_dataset_from_directory
from gradtape._src.keras.folder_datasets import text_dataset_from_directory as text_dataset_from_directory
from gradtape._src.keras.folder_datasets import timeseries_dataset_from_array as timeseries_dataset_from_array
from gradtape._src.keras.image_files import array_to_img as array_to_img
from gradtape._src.keras.image_files import load_img as load_img
from gradtape._src.keras.image_files import save_img as save_img
from gradtape._src.keras.keras_tensor import is_keras_tensor as is_keras_tensor
from gradtape._src.keras.local_files import get_file as get_file
from gradtape._src.keras.models.progbar import Progbar as Progbar
from gradtape._src.keras.random import set_random_seed as set_random_seed
from gradtape._src.keras.serialization import deserialize_keras_object as deserialize_keras_object
from gradtape._src.keras.serialization import serialize_keras_object as serialize_keras_object
from gradtape._src.keras.settings import standardize_dtype as standardize_dtype
from gradtape._src.viz.models import plot_model as plot_model

__getattr__ = _missing(__name__, globals())
