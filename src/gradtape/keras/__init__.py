"""`tf.keras`: layers, models, and what they are trained with."""

from typing import TYPE_CHECKING

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.dtype_policy import DTypePolicy as DTypePolicy
from gradtape._src.keras.initializers import Initializer as Initializer
from gradtape._src.keras.input_spec import InputSpec as InputSpec
from gradtape._src.keras.keras_tensor import KerasTensor as KerasTensor
from gradtape._src.keras.layer import Layer as Layer
from gradtape._src.keras.layers.core import Input as Input
from gradtape._src.keras.layers.core import InputLayer as InputLayer
from gradtape._src.keras.loss import Loss as Loss
from gradtape._src.keras.metric import Metric as Metric
from gradtape._src.keras.optimizer import Optimizer as Optimizer
from gradtape._src.keras.regularizers import Regularizer as Regularizer

# Submodules that are imported when first named: start-up cost.
if TYPE_CHECKING:
    from gradtape._src.keras.models.model import Functional as Functional
    from gradtape._src.keras.models.model import Model as Model
    from gradtape._src.keras.models.sequential import Sequential as Sequential
    from gradtape.keras import activations as activations
    from gradtape.keras import applications as applications
    from gradtape.keras import backend as backend
    from gradtape.keras import callbacks as callbacks
    from gradtape.keras import config as config
    from gradtape.keras import constraints as constraints
    from gradtape.keras import datasets as datasets
    from gradtape.keras import dtype_policies as dtype_policies
    from gradtape.keras import experimental as experimental
    from gradtape.keras import initializers as initializers
    from gradtape.keras import layers as layers
    from gradtape.keras import losses as losses
    from gradtape.keras import metrics as metrics
    from gradtape.keras import mixed_precision as mixed_precision
    from gradtape.keras import models as models
    from gradtape.keras import ops as ops
    from gradtape.keras import optimizers as optimizers
    from gradtape.keras import preprocessing as preprocessing
    from gradtape.keras import random as random
    from gradtape.keras import regularizers as regularizers
    from gradtape.keras import saving as saving
    from gradtape.keras import tree as tree
    from gradtape.keras import utils as utils
else:
    _LAZY = (
        "activations",
        "applications",
        "backend",
        "callbacks",
        "config",
        "constraints",
        "datasets",
        "dtype_policies",
        "experimental",
        "initializers",
        "layers",
        "losses",
        "metrics",
        "mixed_precision",
        "models",
        "ops",
        "optimizers",
        "preprocessing",
        "random",
        "regularizers",
        "saving",
        "tree",
        "utils",
    )
    _ELSEWHERE = {
        "Functional": "gradtape._src.keras.models.model:Functional",
        "Model": "gradtape._src.keras.models.model:Model",
        "Sequential": "gradtape._src.keras.models.sequential:Sequential",
    }
    __getattr__ = _missing(__name__, globals(), lazy=_LAZY, elsewhere=_ELSEWHERE)
    __dir__ = _listing(globals(), lazy=(*_LAZY, *_ELSEWHERE))

del TYPE_CHECKING
