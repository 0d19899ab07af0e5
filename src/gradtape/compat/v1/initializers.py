"""`tf.compat.v1.initializers`: TensorFlow 1's initializers, under their shorter names."""

from gradtape._src.compat_v1.initializers import constant_initializer as constant
from gradtape._src.compat_v1.initializers import glorot_normal_initializer as glorot_normal
from gradtape._src.compat_v1.initializers import glorot_uniform_initializer as glorot_uniform
from gradtape._src.compat_v1.initializers import he_normal as he_normal
from gradtape._src.compat_v1.initializers import he_uniform as he_uniform
from gradtape._src.compat_v1.initializers import identity_initializer as identity
from gradtape._src.compat_v1.initializers import lecun_normal as lecun_normal
from gradtape._src.compat_v1.initializers import lecun_uniform as lecun_uniform
from gradtape._src.compat_v1.initializers import ones_initializer as ones
from gradtape._src.compat_v1.initializers import orthogonal_initializer as orthogonal
from gradtape._src.compat_v1.initializers import random_normal_initializer as random_normal
from gradtape._src.compat_v1.initializers import random_uniform_initializer as random_uniform
from gradtape._src.compat_v1.initializers import truncated_normal_initializer as truncated_normal
from gradtape._src.compat_v1.initializers import uniform_unit_scaling_initializer as uniform_unit_scaling
from gradtape._src.compat_v1.initializers import variance_scaling_initializer as variance_scaling
from gradtape._src.compat_v1.initializers import zeros_initializer as zeros
from gradtape._src.compat_v1.variables import global_variables_initializer as global_variables
from gradtape._src.compat_v1.variables import local_variables_initializer as local_variables
from gradtape._src.compat_v1.variables import tables_initializer as tables_initializer
from gradtape._src.compat_v1.variables import variables_initializer as variables
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
