"""`tf.keras.applications.vgg19`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.applications.imagenet import decode_predictions as decode_predictions
from gradtape._src.keras.applications.imagenet import to_blue_green_red as preprocess_input
from gradtape._src.keras.applications.vgg import VGG19 as VGG19

__getattr__ = _missing(__name__, globals())
