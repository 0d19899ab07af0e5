"""`tf.keras.layers`: layers, and the base to make one's own."""

from gradtape._src.core.missing import missing as _missing
from gradtape._src.keras.bidirectional import Bidirectional as Bidirectional
from gradtape._src.keras.input_spec import InputSpec as InputSpec
from gradtape._src.keras.layer import Layer as Layer
from gradtape._src.keras.rnn import RNN as RNN
from gradtape._src.keras.rnn_cells import GRUCell as GRUCell
from gradtape._src.keras.rnn_cells import LSTMCell as LSTMCell
from gradtape._src.keras.rnn_cells import SimpleRNNCell as SimpleRNNCell
from gradtape._src.keras.rnn_layers import GRU as GRU
from gradtape._src.keras.rnn_layers import LSTM as LSTM
from gradtape._src.keras.rnn_layers import SimpleRNN as SimpleRNN
from gradtape._src.keras.stacked_rnn_cells import StackedRNNCells as StackedRNNCells
from gradtape._src.keras.time_distributed import TimeDistributed as TimeDistributed

__getattr__ = _missing(__name__, globals())
