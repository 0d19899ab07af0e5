"""`tf.version`: the release of TensorFlow whose public behaviour gradtape follows.

gradtape's own release is `gradtape.__version__`.
"""

from gradtape._src.core.missing import missing as _missing

VERSION = "2.21.0"
GIT_VERSION = "v2.21.0"

__getattr__ = _missing(__name__, globals())
