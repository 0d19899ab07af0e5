"""`tf.compat.v1.random`: `tf.random`, and what TensorFlow 1 calls differently."""

from gradtape import random as _random
from gradtape._src.api.random import get_seed as get_seed
from gradtape._src.api.random import set_random_seed as set_random_seed
from gradtape._src.api.random import v1_multinomial as multinomial
from gradtape._src.api.random import v1_poisson as poisson
from gradtape._src.api.stateless_random import v1_stateless_multinomial as stateless_multinomial
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals(), base=_random)
__dir__ = _listing(globals(), base=_random)
