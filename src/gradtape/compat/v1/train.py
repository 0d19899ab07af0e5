"""`tf.compat.v1.train`: optimizers, global steps, learning rates and moving averages of TensorFlow 1."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from gradtape._src.train.decays import cosine_decay as cosine_decay
from gradtape._src.train.decays import exponential_decay as exponential_decay
from gradtape._src.train.decays import inverse_time_decay as inverse_time_decay
from gradtape._src.train.decays import natural_exp_decay as natural_exp_decay
from gradtape._src.train.decays import piecewise_constant as piecewise_constant
from gradtape._src.train.decays import piecewise_constant as piecewise_constant_decay
from gradtape._src.train.decays import polynomial_decay as polynomial_decay
from gradtape._src.train.global_step import assert_global_step as assert_global_step
from gradtape._src.train.global_step import create_global_step as create_global_step
from gradtape._src.train.global_step import get_global_step as get_global_step
from gradtape._src.train.global_step import get_or_create_global_step as get_or_create_global_step
from gradtape._src.train.global_step import global_step as global_step
from gradtape._src.train.optimizer import Optimizer as Optimizer
from gradtape._src.train.optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from gradtape._src.train.optimizers import AdagradOptimizer as AdagradOptimizer
from gradtape._src.train.optimizers import AdamOptimizer as AdamOptimizer
from gradtape._src.train.optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from gradtape._src.train.optimizers import MomentumOptimizer as MomentumOptimizer
from gradtape._src.train.optimizers import RMSPropOptimizer as RMSPropOptimizer

__getattr__ = _missing(__name__, globals())
