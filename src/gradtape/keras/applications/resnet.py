"""`tf.keras.applications.resnet`."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.applications.imagenet import decode_predictions as decode_predictions
from gradtape._src.keras.applications.imagenet import to_blue_green_red as preprocess_input
from gradtape._src.keras.applications.resnet import ResNet50 as ResNet50
from gradtape._src.keras.applications.resnet import ResNet101 as ResNet101
from gradtape._src.keras.applications.resnet import ResNet152 as ResNet152

__getattr__ = _missing(__name__, globals())
