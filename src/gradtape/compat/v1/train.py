"""`tf.compat.v1.train`: optimizers, learning rates, checkpoints and what else trains in TensorFlow 1."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.train.averages import ExponentialMovingAverage as ExponentialMovingAverage
from gradtape._src.train.checkpoint import Checkpoint as Checkpoint
from gradtape._src.train.checkpoint_manager import CheckpointManager as CheckpointManager
from gradtape._src.train.checkpoint_reader import CheckpointReader as NewCheckpointReader
from gradtape._src.train.checkpoint_reader import list_variables as list_variables
from gradtape._src.train.checkpoint_reader import load_checkpoint as load_checkpoint
from gradtape._src.train.checkpoint_reader import load_variable as load_variable
from gradtape._src.train.checkpoint_state import checkpoint_exists as checkpoint_exists
from gradtape._src.train.checkpoint_state import get_checkpoint_mtimes as get_checkpoint_mtimes
from gradtape._src.train.checkpoint_state import get_checkpoint_state as get_checkpoint_state
from gradtape._src.train.checkpoint_state import latest_checkpoint as latest_checkpoint
from gradtape._src.train.checkpoint_state import remove_checkpoint as remove_checkpoint
from gradtape._src.train.checkpoint_state import update_checkpoint_state as update_checkpoint_state
from gradtape._src.train.coordinator import Coordinator as Coordinator
from gradtape._src.train.coordinator import LooperThread as LooperThread
from gradtape._src.train.coordinator import QueueRunner as QueueRunner
from gradtape._src.train.coordinator import add_queue_runner as add_queue_runner
from gradtape._src.train.coordinator import start_queue_runners as start_queue_runners
from gradtape._src.train.decays import cosine_decay as cosine_decay
from gradtape._src.train.decays import exponential_decay as exponential_decay
from gradtape._src.train.decays import inverse_time_decay as inverse_time_decay
from gradtape._src.train.decays import natural_exp_decay as natural_exp_decay
from gradtape._src.train.decays import piecewise_constant as piecewise_constant
from gradtape._src.train.decays import piecewise_constant as piecewise_constant_decay
from gradtape._src.train.decays import polynomial_decay as polynomial_decay
from gradtape._src.train.global_step import assert_global_step as assert_global_step
from gradtape._src.train.global_step import create_global_step as create_global_step
from gradtape._src.train.global_step import get_global_step as get_global_step
from gradtape._src.train.global_step import get_or_create_global_step as get_or_create_global_step
from gradtape._src.train.global_step import global_step as global_step
from gradtape._src.train.meta_graph import export_meta_graph as export_meta_graph
from gradtape._src.train.meta_graph import import_meta_graph as import_meta_graph
from gradtape._src.train.optimizer import Optimizer as Optimizer
from gradtape._src.train.optimizers import AdadeltaOptimizer as AdadeltaOptimizer
from gradtape._src.train.optimizers import AdagradOptimizer as AdagradOptimizer
from gradtape._src.train.optimizers import AdamOptimizer as AdamOptimizer
from gradtape._src.train.optimizers import GradientDescentOptimizer as GradientDescentOptimizer
from gradtape._src.train.optimizers import MomentumOptimizer as MomentumOptimizer
from gradtape._src.train.optimizers import RMSPropOptimizer as RMSPropOptimizer
from gradtape._src.train.saver import Saver as Saver
from gradtape.train import _MESSAGES

__getattr__ = _missing(__name__, globals(), elsewhere=_MESSAGES)
