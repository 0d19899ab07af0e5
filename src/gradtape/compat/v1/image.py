"""`tf.compat.v1.image`: `tf.image`, with TensorFlow 1's resizing."""

import gradtape.image as _image
from gradtape._src.api.image_geometry import resize_with_crop_or_pad as resize_image_with_crop_or_pad
from gradtape._src.api.image_geometry import transpose as transpose_image
from gradtape._src.compat_v1.image import ResizeMethod as ResizeMethod
from gradtape._src.compat_v1.image import extract_image_patches as extract_image_patches
from gradtape._src.compat_v1.image import resize_area as resize_area
from gradtape._src.compat_v1.image import resize_bicubic as resize_bicubic
from gradtape._src.compat_v1.image import resize_bilinear as resize_bilinear
from gradtape._src.compat_v1.image import resize_images as resize
from gradtape._src.compat_v1.image import resize_images as resize_images
from gradtape._src.compat_v1.image import resize_nearest_neighbor as resize_nearest_neighbor
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_image)
__dir__ = _listing(globals(), base=_image)
