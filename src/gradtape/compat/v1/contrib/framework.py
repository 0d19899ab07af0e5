"""`tf.contrib.framework`: the global step, and nests."""

from gradtape import nest as nest
from gradtape._src.compat_v1.variables import model_variables as get_model_variables
from gradtape._src.compat_v1.variables import trainable_variables as get_trainable_variables
from gradtape._src.core.missing import missing as _missing
from gradtape._src.train.global_step import assert_global_step as assert_global_step
from gradtape._src.train.global_step import create_global_step as create_global_step
from gradtape._src.train.global_step import get_global_step as get_global_step
from gradtape._src.train.global_step import get_or_create_global_step as get_or_create_global_step

__getattr__ = _missing(__name__, globals())
