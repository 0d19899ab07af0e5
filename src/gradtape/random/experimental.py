"""`tf.random.experimental`: names that came before those of `tf.random`, and shuffles."""

from gradtape._src.api.generator import Generator as Generator
from gradtape._src.api.generator import create_rng_state as create_rng_state
from gradtape._src.api.generator import get_global_generator as get_global_generator
from gradtape._src.api.generator import set_global_generator as set_global_generator
from gradtape._src.api.stateless_random import Algorithm as Algorithm
from gradtape._src.api.stateless_random import fold_in as stateless_fold_in
from gradtape._src.api.stateless_random import index_shuffle as index_shuffle
from gradtape._src.api.stateless_random import split as stateless_split
from gradtape._src.api.stateless_random import stateless_shuffle as stateless_shuffle
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
