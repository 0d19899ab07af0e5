"""`tf.contrib.learn`: the preparation of documents."""

from gradtape._src.core.missing import missing as _missing
from gradtape.compat.v1.contrib.learn import preprocessing as preprocessing

__getattr__ = _missing(__name__, globals())
