"""`tf.keras.constraints`: what weights are replaced by after a step."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.constraints import Constraint as Constraint
from gradtape._src.keras.constraints import MaxNorm as MaxNorm
from gradtape._src.keras.constraints import MaxNorm as max_norm
from gradtape._src.keras.constraints import MinMaxNorm as MinMaxNorm
from gradtape._src.keras.constraints import MinMaxNorm as min_max_norm
from gradtape._src.keras.constraints import NonNeg as NonNeg
from gradtape._src.keras.constraints import NonNeg as non_neg
from gradtape._src.keras.constraints import UnitNorm as UnitNorm
from gradtape._src.keras.constraints import UnitNorm as unit_norm
from gradtape._src.keras.constraints import deserialize as deserialize
from gradtape._src.keras.constraints import get as get
from gradtape._src.keras.constraints import serialize as serialize

__getattr__ = _missing(__name__, globals())
