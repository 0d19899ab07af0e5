"""`tf.compat.v1.image`: `tf.image`, with TensorFlow 1's resizing."""

import gradtape.image as _image
from gradtape._src.api.image_geometry import resize_with_crop_or_pad as resize_image_with_crop_or_pad
from gradtape._src.compat_v1.image import ResizeMethod as ResizeMethod
from gradtape._src.compat_v1.image import resize_images as resize
from gradtape._src.compat_v1.image import resize_images as resize_images
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_image)
__dir__ = _listing(globals(), base=_image)
