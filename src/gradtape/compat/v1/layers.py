"""`tf.compat.v1.layers`: TensorFlow 1's layers, which make their variables by `tf.get_variable`."""

from gradtape._src.compat_v1.layer import Layer as Layer
from gradtape._src.compat_v1.layers import Conv2D as Conv2D
from gradtape._src.compat_v1.layers import Dense as Dense
from gradtape._src.compat_v1.layers import Dropout as Dropout
from gradtape._src.compat_v1.layers import Flatten as Flatten
from gradtape._src.compat_v1.layers import conv2d as conv2d
from gradtape._src.compat_v1.layers import dense as dense
from gradtape._src.compat_v1.layers import dropout as dropout
from gradtape._src.compat_v1.layers import flatten as flatten
from gradtape._src.compat_v1.layers_norm import BatchNormalization as BatchNormalization
from gradtape._src.compat_v1.layers_norm import batch_normalization as batch_normalization
from gradtape._src.compat_v1.layers_pooling import AveragePooling1D as AveragePooling1D
from gradtape._src.compat_v1.layers_pooling import AveragePooling2D as AveragePooling2D
from gradtape._src.compat_v1.layers_pooling import AveragePooling3D as AveragePooling3D
from gradtape._src.compat_v1.layers_pooling import MaxPooling1D as MaxPooling1D
from gradtape._src.compat_v1.layers_pooling import MaxPooling2D as MaxPooling2D
from gradtape._src.compat_v1.layers_pooling import MaxPooling3D as MaxPooling3D
from gradtape._src.compat_v1.layers_pooling import average_pooling1d as average_pooling1d
from gradtape._src.compat_v1.layers_pooling import average_pooling2d as average_pooling2d
from gradtape._src.compat_v1.layers_pooling import average_pooling3d as average_pooling3d
from gradtape._src.compat_v1.layers_pooling import max_pooling1d as max_pooling1d
from gradtape._src.compat_v1.layers_pooling import max_pooling2d as max_pooling2d
from gradtape._src.compat_v1.layers_pooling import max_pooling3d as max_pooling3d
from gradtape._src.compat_v1.layers_transposed import Conv2DTranspose as Conv2DTranspose
from gradtape._src.compat_v1.layers_transposed import conv2d_transpose as conv2d_transpose
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
