"""`tf.keras.applications.mobilenet`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.applications.imagenet import decode_predictions as decode_predictions
from gradtape._src.keras.applications.imagenet import to_unit_range as preprocess_input
from gradtape._src.keras.applications.mobilenet import MobileNet as MobileNet

__getattr__ = _missing(__name__, globals())
