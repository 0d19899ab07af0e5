"""`tf.random`: random numbers."""

from gradtape._src.api.candidates import all_candidate_sampler as all_candidate_sampler
from gradtape._src.api.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from gradtape._src.api.candidates import (
    learned_unigram_candidate_sampler as learned_unigram_candidate_sampler,
)
from gradtape._src.api.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from gradtape._src.api.candidates import uniform_candidate_sampler as uniform_candidate_sampler
from gradtape._src.api.generator import Generator as Generator
from gradtape._src.api.generator import create_rng_state as create_rng_state
from gradtape._src.api.generator import get_global_generator as get_global_generator
from gradtape._src.api.generator import set_global_generator as set_global_generator
from gradtape._src.api.random import categorical as categorical
from gradtape._src.api.random import gamma as gamma
from gradtape._src.api.random import normal as normal
from gradtape._src.api.random import poisson as poisson
from gradtape._src.api.random import set_seed as set_seed
from gradtape._src.api.random import shuffle as shuffle
from gradtape._src.api.random import truncated_normal as truncated_normal
from gradtape._src.api.random import uniform as uniform
from gradtape._src.api.stateless_random import Algorithm as Algorithm
from gradtape._src.api.stateless_random import fold_in as fold_in
from gradtape._src.api.stateless_random import split as split
from gradtape._src.api.stateless_random import stateless_binomial as stateless_binomial
from gradtape._src.api.stateless_random import stateless_categorical as stateless_categorical
from gradtape._src.api.stateless_random import stateless_gamma as stateless_gamma
from gradtape._src.api.stateless_random import stateless_normal as stateless_normal
from gradtape._src.api.stateless_random import (
    stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal,
)
from gradtape._src.api.stateless_random import stateless_poisson as stateless_poisson
from gradtape._src.api.stateless_random import stateless_truncated_normal as stateless_truncated_normal
from gradtape._src.api.stateless_random import stateless_uniform as stateless_uniform
from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape.random import experimental as experimental

__getattr__ = _missing(__name__, globals())
__dir__ = _listing(globals())
