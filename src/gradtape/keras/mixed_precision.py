"""`tf.keras.mixed_precision`: computations in another dtype than the weights."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.dtype_policy import DTypePolicy as DTypePolicy
from gradtape._src.keras.dtype_policy import DTypePolicy as Policy
from gradtape._src.keras.dtype_policy import dtype_policy as dtype_policy
from gradtape._src.keras.dtype_policy import dtype_policy as global_policy
from gradtape._src.keras.dtype_policy import set_dtype_policy as set_dtype_policy
from gradtape._src.keras.dtype_policy import set_dtype_policy as set_global_policy
from gradtape._src.keras.loss_scaling import LossScaleOptimizer as LossScaleOptimizer

__getattr__ = _missing(__name__, globals())
