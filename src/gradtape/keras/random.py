"""`tf.keras.random`: random numbers that are functions of a seed."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.random import SeedGenerator as SeedGenerator
from gradtape._src.keras.random import beta as beta
from gradtape._src.keras.random import binomial as binomial
from gradtape._src.keras.random import categorical as categorical
from gradtape._src.keras.random import dropout as dropout
from gradtape._src.keras.random import gamma as gamma
from gradtape._src.keras.random import normal as normal
from gradtape._src.keras.random import randint as randint
from gradtape._src.keras.random import shuffle as shuffle
from gradtape._src.keras.random import truncated_normal as truncated_normal
from gradtape._src.keras.random import uniform as uniform

__getattr__ = _missing(__name__, globals())
