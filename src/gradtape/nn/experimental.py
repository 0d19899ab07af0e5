"""`tf.nn.experimental`: names that TensorFlow may still change."""

from gradtape._src.api.nn_dropout import general_dropout as general_dropout
from gradtape._src.api.nn_dropout import stateless_dropout as stateless_dropout
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
