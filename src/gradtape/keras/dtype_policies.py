"""`tf.keras.dtype_policies`: the dtypes of layers."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.dtype_policy import DTypePolicy as DTypePolicy
from gradtape._src.keras.dtype_policy import DTypePolicy as FloatDTypePolicy
from gradtape._src.keras.dtype_policy import policy_of as get

__getattr__ = _missing(__name__, globals())
