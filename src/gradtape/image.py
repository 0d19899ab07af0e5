"""`tf.image`: images."""

from gradtape._src.api.image_colour import adjust_brightness as adjust_brightness
from gradtape._src.api.image_colour import adjust_contrast as adjust_contrast
from gradtape._src.api.image_colour import convert_image_dtype as convert_image_dtype
from gradtape._src.api.image_colour import grayscale_to_rgb as grayscale_to_rgb
from gradtape._src.api.image_colour import image_gradients as image_gradients
from gradtape._src.api.image_colour import per_image_standardization as per_image_standardization
from gradtape._src.api.image_colour import psnr as psnr
from gradtape._src.api.image_colour import random_brightness as random_brightness
from gradtape._src.api.image_colour import random_contrast as random_contrast
from gradtape._src.api.image_colour import rgb_to_grayscale as rgb_to_grayscale
from gradtape._src.api.image_colour import sobel_edges as sobel_edges
from gradtape._src.api.image_colour import total_variation as total_variation
from gradtape._src.api.image_geometry import ResizeMethod as ResizeMethod
from gradtape._src.api.image_geometry import central_crop as central_crop
from gradtape._src.api.image_geometry import crop_to_bounding_box as crop_to_bounding_box
from gradtape._src.api.image_geometry import flip_left_right as flip_left_right
from gradtape._src.api.image_geometry import flip_up_down as flip_up_down
from gradtape._src.api.image_geometry import pad_to_bounding_box as pad_to_bounding_box
from gradtape._src.api.image_geometry import random_crop as random_crop
from gradtape._src.api.image_geometry import random_flip_left_right as random_flip_left_right
from gradtape._src.api.image_geometry import random_flip_up_down as random_flip_up_down
from gradtape._src.api.image_geometry import resize as resize
from gradtape._src.api.image_geometry import resize_with_crop_or_pad as resize_with_crop_or_pad
from gradtape._src.api.image_geometry import resize_with_pad as resize_with_pad
from gradtape._src.api.image_geometry import rot90 as rot90
from gradtape._src.api.image_geometry import transpose as transpose
from gradtape._src.api.nn_pooling import extract_patches as extract_patches
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
