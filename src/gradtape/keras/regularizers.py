"""`tf.keras.regularizers`: what weights add to the loss."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.regularizers import L1 as L1
from gradtape._src.keras.regularizers import L1 as l1
from gradtape._src.keras.regularizers import L1L2 as L1L2
from gradtape._src.keras.regularizers import L1L2 as l1_l2
from gradtape._src.keras.regularizers import L2 as L2
from gradtape._src.keras.regularizers import L2 as l2
from gradtape._src.keras.regularizers import OrthogonalRegularizer as OrthogonalRegularizer
from gradtape._src.keras.regularizers import OrthogonalRegularizer as orthogonal_regularizer
from gradtape._src.keras.regularizers import Regularizer as Regularizer
from gradtape._src.keras.regularizers import deserialize as deserialize
from gradtape._src.keras.regularizers import get as get
from gradtape._src.keras.regularizers import serialize as serialize

__getattr__ = _missing(__name__, globals())
