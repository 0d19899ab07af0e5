"""`tf.compat.v1.distributions`: probabilities, moments and samples."""

from gradtape._src.compat_v1.discrete_distributions import Bernoulli as Bernoulli
from gradtape._src.compat_v1.discrete_distributions import Categorical as Categorical
from gradtape._src.compat_v1.distribution import Distribution as Distribution
from gradtape._src.compat_v1.distribution import kl_divergence as kl_divergence
from gradtape._src.compat_v1.distributions import Beta as Beta
from gradtape._src.compat_v1.distributions import Exponential as Exponential
from gradtape._src.compat_v1.distributions import Gamma as Gamma
from gradtape._src.compat_v1.distributions import Laplace as Laplace
from gradtape._src.compat_v1.distributions import Normal as Normal
from gradtape._src.compat_v1.distributions import Uniform as Uniform
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
