"""`tf.train`: checkpoints, moving averages."""

from gradtape._src.core.missing import listing as _listing
from gradtape._src.core.missing import missing as _missing
from gradtape._src.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from gradtape._src.train.checkpoint import Checkpoint as Checkpoint
from gradtape._src.train.checkpoint_manager import CheckpointManager as CheckpointManager
from gradtape._src.train.checkpoint_reader import list_variables as list_variables
from gradtape._src.train.checkpoint_reader import load_checkpoint as load_checkpoint
from gradtape._src.train.checkpoint_reader import load_variable as load_variable
from gradtape._src.train.checkpoint_state import get_checkpoint_state as get_checkpoint_state
from gradtape._src.train.checkpoint_state import latest_checkpoint as latest_checkpoint
from gradtape._src.train.coordinator import Coordinator as Coordinator

# Messages of protocol buffers.
_MESSAGES = {
    name: f"gradtape._src.ops.example_messages:{name}"
    for name in (
        "BytesList", "Example", "Feature", "FeatureList", "FeatureLists", "Features", "FloatList", "Int64List",
        "SequenceExample",
    )
}  # fmt: skip

__getattr__ = _missing(__name__, globals(), elsewhere=_MESSAGES)
__dir__ = _listing({**globals(), **_MESSAGES})
