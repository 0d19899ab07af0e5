"""`tf.contrib.layers`: layers, regularizers and initializers."""

from gradtape._src.compat_v1.contrib.layers import avg_pool2d as avg_pool2d
from gradtape._src.compat_v1.contrib.layers import batch_norm as batch_norm
from gradtape._src.compat_v1.contrib.layers import conv2d as conv2d
from gradtape._src.compat_v1.contrib.layers import conv2d as convolution2d
from gradtape._src.compat_v1.contrib.layers import dropout as dropout
from gradtape._src.compat_v1.contrib.layers import flatten as flatten
from gradtape._src.compat_v1.contrib.layers import fully_connected as fully_connected
from gradtape._src.compat_v1.contrib.layers import max_pool2d as max_pool2d
from gradtape._src.compat_v1.contrib.regularizers import apply_regularization as apply_regularization
from gradtape._src.compat_v1.contrib.regularizers import l1_l2_regularizer as l1_l2_regularizer
from gradtape._src.compat_v1.contrib.regularizers import l1_regularizer as l1_regularizer
from gradtape._src.compat_v1.contrib.regularizers import l2_regularizer as l2_regularizer
from gradtape._src.compat_v1.contrib.regularizers import sum_regularizer as sum_regularizer
from gradtape._src.compat_v1.contrib.regularizers import (
    variance_scaling_initializer as variance_scaling_initializer,
)
from gradtape._src.compat_v1.contrib.regularizers import xavier_initializer as xavier_initializer
from gradtape._src.compat_v1.contrib.regularizers import xavier_initializer as xavier_initializer_conv2d
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
