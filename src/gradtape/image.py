"""`tf.image`: images."""

from gradtape._src.api.nn_pooling import extract_patches as extract_patches
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
