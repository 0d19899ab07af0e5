"""`tf.contrib.rnn`: recurrent cells."""

from gradtape._src.compat_v1.rnn import static_rnn as static_rnn
from gradtape._src.compat_v1.rnn_cells import BasicLSTMCell as BasicLSTMCell
from gradtape._src.compat_v1.rnn_cells import BasicRNNCell as BasicRNNCell
from gradtape._src.compat_v1.rnn_cells import GRUCell as GRUCell
from gradtape._src.compat_v1.rnn_cells import LSTMCell as LSTMCell
from gradtape._src.compat_v1.rnn_cells import LSTMStateTuple as LSTMStateTuple
from gradtape._src.compat_v1.rnn_cells import MultiRNNCell as MultiRNNCell
from gradtape._src.compat_v1.rnn_cells import RNNCell as RNNCell
from gradtape._src.compat_v1.rnn_wrappers import DropoutWrapper as DropoutWrapper
from gradtape._src.compat_v1.rnn_wrappers import ResidualWrapper as ResidualWrapper
from gradtape._src.core.missing import missing as _missing

__getattr__ = _missing(__name__, globals())
