"""`tf.keras.models`: models, their copies and their files."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.models.files import clone_model as clone_model
from gradtape._src.keras.models.files import load_model as load_model
from gradtape._src.keras.models.files import model_from_json as model_from_json
from gradtape._src.keras.models.files import save_model as save_model
from gradtape._src.keras.models.model import Functional as Functional
from gradtape._src.keras.models.model import Model as Model
from gradtape._src.keras.models.sequential import Sequential as Sequential

__getattr__ = _missing(__name__, globals())
