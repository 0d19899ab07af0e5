"""`tf.keras.optimizers`, also `tf.optimizers`: what changes the variables."""

from typing import TYPE_CHECKING

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.loss_scaling import LossScaleOptimizer as LossScaleOptimizer
from gradtape._src.keras.matrix_optimizers import Muon as Muon
from gradtape._src.keras.matrix_optimizers import ScheduleFreeAdamW as ScheduleFreeAdamW
from gradtape._src.keras.more_optimizers import Adadelta as Adadelta
from gradtape._src.keras.more_optimizers import Adafactor as Adafactor
from gradtape._src.keras.more_optimizers import Adagrad as Adagrad
from gradtape._src.keras.more_optimizers import Ftrl as Ftrl
from gradtape._src.keras.more_optimizers import Lamb as Lamb
from gradtape._src.keras.more_optimizers import Lion as Lion
from gradtape._src.keras.optimizer import Optimizer as Optimizer
from gradtape._src.keras.optimizer_names import deserialize as deserialize
from gradtape._src.keras.optimizer_names import get as get
from gradtape._src.keras.optimizer_names import serialize as serialize
from gradtape._src.keras.optimizers import SGD as SGD
from gradtape._src.keras.optimizers import Adam as Adam
from gradtape._src.keras.optimizers import Adamax as Adamax
from gradtape._src.keras.optimizers import AdamW as AdamW
from gradtape._src.keras.optimizers import Nadam as Nadam
from gradtape._src.keras.optimizers import RMSprop as RMSprop

# Submodules that are imported when first named: start-up cost.
if TYPE_CHECKING:
    from gradtape.keras.optimizers import experimental as experimental
    from gradtape.keras.optimizers import legacy as legacy
    from gradtape.keras.optimizers import schedules as schedules
else:
    _LAZY = (
        "experimental",
        "legacy",
        "schedules",
    )
    __getattr__ = _missing(__name__, globals(), lazy=_LAZY)
    __dir__ = _listing(globals(), lazy=_LAZY)

del TYPE_CHECKING
