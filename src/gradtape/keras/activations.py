"""`tf.keras.activations`: activation functions."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.activations import celu as celu
from gradtape._src.keras.activations import deserialize as deserialize
from gradtape._src.keras.activations import elu as elu
from gradtape._src.keras.activations import exponential as exponential
from gradtape._src.keras.activations import gelu as gelu
from gradtape._src.keras.activations import get as get
from gradtape._src.keras.activations import glu as glu
from gradtape._src.keras.activations import hard_shrink as hard_shrink
from gradtape._src.keras.activations import hard_sigmoid as hard_sigmoid
from gradtape._src.keras.activations import hard_silu as hard_silu
from gradtape._src.keras.activations import hard_silu as hard_swish
from gradtape._src.keras.activations import hard_tanh as hard_tanh
from gradtape._src.keras.activations import leaky_relu as leaky_relu
from gradtape._src.keras.activations import linear as linear
from gradtape._src.keras.activations import log_sigmoid as log_sigmoid
from gradtape._src.keras.activations import log_softmax as log_softmax
from gradtape._src.keras.activations import mish as mish
from gradtape._src.keras.activations import relu as relu
from gradtape._src.keras.activations import relu6 as relu6
from gradtape._src.keras.activations import selu as selu
from gradtape._src.keras.activations import serialize as serialize
from gradtape._src.keras.activations import sigmoid as sigmoid
from gradtape._src.keras.activations import silu as silu
from gradtape._src.keras.activations import silu as swish
from gradtape._src.keras.activations import soft_shrink as soft_shrink
from gradtape._src.keras.activations import softmax as softmax
from gradtape._src.keras.activations import softplus as softplus
from gradtape._src.keras.activations import softsign as softsign
from gradtape._src.keras.activations import sparse_plus as sparse_plus
from gradtape._src.keras.activations import sparse_sigmoid as sparse_sigmoid
from gradtape._src.keras.activations import sparsemax as sparsemax
from gradtape._src.keras.activations import squareplus as squareplus
from gradtape._src.keras.activations import tanh as tanh
from gradtape._src.keras.activations import tanh_shrink as tanh_shrink
from gradtape._src.keras.activations import threshold as threshold

__getattr__ = _missing(__name__, globals())
