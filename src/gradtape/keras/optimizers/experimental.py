"""`tf.keras.optimizers.experimental`: the optimizers, by the name they had in Keras 2.9."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.more_optimizers import Adadelta as Adadelta
from gradtape._src.keras.more_optimizers import Adafactor as Adafactor
from gradtape._src.keras.more_optimizers import Adagrad as Adagrad
from gradtape._src.keras.more_optimizers import Ftrl as Ftrl
from gradtape._src.keras.more_optimizers import Lamb as Lamb
from gradtape._src.keras.more_optimizers import Lion as Lion
from gradtape._src.keras.optimizer import Optimizer as Optimizer
from gradtape._src.keras.optimizers import SGD as SGD
from gradtape._src.keras.optimizers import Adam as Adam
from gradtape._src.keras.optimizers import Adamax as Adamax
from gradtape._src.keras.optimizers import AdamW as AdamW
from gradtape._src.keras.optimizers import Nadam as Nadam
from gradtape._src.keras.optimizers import RMSprop as RMSprop

__getattr__ = _missing(__name__, globals())
