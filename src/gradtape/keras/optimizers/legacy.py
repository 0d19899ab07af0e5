"""`tf.keras.optimizers.legacy`: Keras 2's optimizers."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.legacy_optimizers import SGD as SGD
from gradtape._src.keras.legacy_optimizers import Adadelta as Adadelta
from gradtape._src.keras.legacy_optimizers import Adagrad as Adagrad
from gradtape._src.keras.legacy_optimizers import Adam as Adam
from gradtape._src.keras.legacy_optimizers import Adamax as Adamax
from gradtape._src.keras.legacy_optimizers import Ftrl as Ftrl
from gradtape._src.keras.legacy_optimizers import Nadam as Nadam
from gradtape._src.keras.legacy_optimizers import RMSprop as RMSprop
from gradtape._src.keras.optimizer import Optimizer as Optimizer

__getattr__ = _missing(__name__, globals())
