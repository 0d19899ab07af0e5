"""`tf.autograph.experimental`: names that TensorFlow may still change."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.function.directives import Feature as Feature
from gradtape._src.function.directives import do_not_convert as do_not_convert
from gradtape._src.function.directives import set_loop_options as set_loop_options

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
