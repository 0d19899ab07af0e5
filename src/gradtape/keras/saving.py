"""`tf.keras.saving`: objects as configurations, and back."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.custom_objects import custom_object_scope as CustomObjectScope
from gradtape._src.keras.custom_objects import custom_object_scope as custom_object_scope
from gradtape._src.keras.custom_objects import get_custom_objects as get_custom_objects
from gradtape._src.keras.custom_objects import get_registered_name as get_registered_name
from gradtape._src.keras.custom_objects import get_registered_object as get_registered_object
from gradtape._src.keras.custom_objects import register_keras_serializable as register_keras_serializable
from gradtape._src.keras.serialization import deserialize_keras_object as deserialize_keras_object
from gradtape._src.keras.serialization import serialize_keras_object as serialize_keras_object

__getattr__ = _missing(__name__, globals())
