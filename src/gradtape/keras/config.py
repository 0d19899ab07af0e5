"""`tf.keras.config`: what Keras takes where a program says nothing."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.dtype_policy import dtype_policy as dtype_policy
from gradtape._src.keras.dtype_policy import set_dtype_policy as set_dtype_policy
from gradtape._src.keras.settings import epsilon as epsilon
from gradtape._src.keras.settings import floatx as floatx
from gradtape._src.keras.settings import image_data_format as image_data_format
from gradtape._src.keras.settings import set_epsilon as set_epsilon
from gradtape._src.keras.settings import set_floatx as set_floatx
from gradtape._src.keras.settings import set_image_data_format as set_image_data_format

__getattr__ = _missing(__name__, globals())
