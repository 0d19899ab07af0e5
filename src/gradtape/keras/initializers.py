"""`tf.keras.initializers`, also `tf.initializers`: what new weights begin with."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.initializers import Constant as Constant
from gradtape._src.keras.initializers import Constant as constant
from gradtape._src.keras.initializers import GlorotNormal as GlorotNormal
from gradtape._src.keras.initializers import GlorotNormal as glorot_normal
from gradtape._src.keras.initializers import GlorotUniform as GlorotUniform
from gradtape._src.keras.initializers import GlorotUniform as glorot_uniform
from gradtape._src.keras.initializers import HeNormal as HeNormal
from gradtape._src.keras.initializers import HeNormal as he_normal
from gradtape._src.keras.initializers import HeUniform as HeUniform
from gradtape._src.keras.initializers import HeUniform as he_uniform
from gradtape._src.keras.initializers import Identity as Identity
from gradtape._src.keras.initializers import Identity as IdentityInitializer
from gradtape._src.keras.initializers import Identity as identity
from gradtape._src.keras.initializers import Initializer as Initializer
from gradtape._src.keras.initializers import LecunNormal as LecunNormal
from gradtape._src.keras.initializers import LecunNormal as lecun_normal
from gradtape._src.keras.initializers import LecunUniform as LecunUniform
from gradtape._src.keras.initializers import LecunUniform as lecun_uniform
from gradtape._src.keras.initializers import Ones as Ones
from gradtape._src.keras.initializers import Ones as ones
from gradtape._src.keras.initializers import Orthogonal as Orthogonal
from gradtape._src.keras.initializers import Orthogonal as OrthogonalInitializer
from gradtape._src.keras.initializers import Orthogonal as orthogonal
from gradtape._src.keras.initializers import RandomNormal as RandomNormal
from gradtape._src.keras.initializers import RandomNormal as random_normal
from gradtape._src.keras.initializers import RandomUniform as RandomUniform
from gradtape._src.keras.initializers import RandomUniform as random_uniform
from gradtape._src.keras.initializers import TruncatedNormal as TruncatedNormal
from gradtape._src.keras.initializers import TruncatedNormal as truncated_normal
from gradtape._src.keras.initializers import VarianceScaling as VarianceScaling
from gradtape._src.keras.initializers import VarianceScaling as variance_scaling
from gradtape._src.keras.initializers import Zeros as Zeros
from gradtape._src.keras.initializers import Zeros as zeros
from gradtape._src.keras.initializers import deserialize as deserialize
from gradtape._src.keras.initializers import get as get
from gradtape._src.keras.initializers import serialize as serialize

__getattr__ = _missing(__name__, globals())
