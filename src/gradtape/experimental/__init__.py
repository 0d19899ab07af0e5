"""`tf.experimental`: names that TensorFlow may still change."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.data.iterators import Optional as Optional
from gradtape.experimental import dlpack as dlpack

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
