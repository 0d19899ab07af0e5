"""`tf.compat.v1.test`: `tf.test`, with the arguments of TensorFlow 1."""

import gradtape.test as _test
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.testing.gradients_v1 import compute_gradient as compute_gradient
from gradtape._src.testing.gradients_v1 import compute_gradient_error as compute_gradient_error

__getattr__ = _missing(__name__, globals(), base=_test)
__dir__ = _listing(globals(), base=_test)
