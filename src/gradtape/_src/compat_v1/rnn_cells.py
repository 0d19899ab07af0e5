"""TensorFlow 1's recurrent cells (`tf.nn.rnn_cell`): one step of a recurrent network, with its variables.

Sources: S. Hochreiter and J. Schmidhuber, "Long short-term memory", Neural Computation 9(8), 1997; F. Gers, N.
Schraudolph and J. Schmidhuber, "Learning precise timing with LSTM recurrent networks", JMLR 3, 2002 (peepholes); H.
Sak, A. Senior and F. Beaufays, "Long short-term memory recurrent neural network architectures for large scale acoustic
modeling", Interspeech 2014 (projection); K. Cho et al., "Learning phrase representations using RNN encoder-decoder for
statistical machine translation", EMNLP 2014 (GRU).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from gradtape._src.api import creation
from gradtape._src.api.arithmetic import clip_by_value
from gradtape._src.api.arrays import shape as shape_of_tensor
from gradtape._src.api.elementwise import sigmoid, tanh
from gradtape._src.api.graphs import scope_of
from gradtape._src.api.joining import concat, split
from gradtape._src.api.nn_activations import bias_add
from gradtape._src.compat_v1.initializers import ones_initializer, zeros_initializer
from gradtape._src.compat_v1.layer import Layer, activation_of, last_size
from gradtape._src.compat_v1.variable_scope import variable_scope
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.nest import flatten, is_nested, map_structure
from gradtape._src.core.shapes import as_text
from gradtape._src.core.tensor_shape import as_shape_tuple
from gradtape._src.core.values import shape_of
from gradtape._src.ops.products import matmul

_LSTMStateTuple = namedtuple("_LSTMStateTuple", ("c", "h"))


class LSTMStateTuple(_LSTMStateTuple):
    """The state of an LSTM cell: ``c``, what it remembers, and ``h``, its last output.

    >>> import gradtape.compat.v1 as tf
    >>> tf.nn.rnn_cell.LSTMStateTuple(1, 2)
    LSTMStateTuple(c=1, h=2)
    """

    __slots__ = ()

    @property
    def dtype(self):
        """The dtype of both. TypeError if they differ."""
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent dtypes for internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


class RNNCell(Layer):
    """A recurrent cell: ``output, new_state = cell(inputs, state)``.

    A cell of one's own has `state_size`, `output_size` and ``call(inputs, state)``, which may use `tf.get_variable`;
    the variables are made in the first call and used in the others.

    >>> import gradtape.compat.v1 as tf
    >>> class Sum(tf.nn.rnn_cell.RNNCell):
    ...     state_size = output_size = 2
    ...     def call(self, inputs, state):
    ...         return inputs + state, inputs + state
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     y, last = tf.nn.dynamic_rnn(Sum(), tf.ones([1, 3, 2]), dtype=tf.float32)
    ...     print(session.run(y))
    [[[1. 1.]
      [2. 2.]
      [3. 3.]]]

    As TensorFlow 1.15.
    """

    @property
    def state_size(self):
        """The size of the state without the batch: an integer, a shape, or a nest of them."""
        raise AttributeError(f"{type(self).__name__} does not say its size: define `state_size`.")

    @property
    def output_size(self):
        """The size of the output without the batch."""
        raise AttributeError(f"{type(self).__name__} does not say its size: define `output_size`.")

    def __call__(self, inputs, state, scope=None):
        """The output and the new state of one step."""
        return super().__call__(inputs, state, scope=scope)

    def zero_state(self, batch_size, dtype):
        """Zeros for a state: of shape [batch_size, n] for each size n."""
        with scope_of(f"{type(self).__name__}ZeroState"):
            return zeros_of(self.state_size, batch_size, dtype)

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """`zero_state` for the batch and dtype of ``inputs``, or for those that are given."""
        if inputs is not None:
            inputs = as_tensor(inputs)
            known = shape_of(inputs)
            batch_size = known[0] if known and known[0] is not None else shape_of_tensor(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                f"batch_size and dtype cannot be None while constructing initial state: batch_size={batch_size}, "
                f"dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)


def zeros_of(size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros for a nest of sizes; of a nest of dtypes each has its own."""
    if is_nested(size):
        dtypes = dtype if is_nested(dtype) else map_structure(lambda _: dtype, size)
        return map_structure(lambda n, d: zeros_of(n, batch_size, d), size, dtypes)
    dims = as_shape_tuple(size if hasattr(size, "__iter__") else [size])
    if isinstance(batch_size, int):
        return creation.zeros([batch_size, *dims], dtype)  # type: ignore[misc]
    from_static = as_tensor(batch_size)
    return creation.zeros([from_static, *dims], dtype)  # type: ignore[misc]


class _OneLayer(RNNCell):
    """A cell of variables of its own, whose output has ``num_units`` elements."""

    def __init__(self, num_units, activation, reuse, name, dtype, kwargs, default=tanh):
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        self._num_units = int(num_units)
        self._activation = default if activation is None else activation_of(activation) or (lambda x: x)

    @property
    def state_size(self):
        return self._num_units

    @property
    def output_size(self):
        return self._num_units

    def _rows(self, inputs_shape: Any) -> int:
        """How many elements the input and the last output have together."""
        if inputs_shape is None or len(inputs_shape) != 2 or inputs_shape[-1] is None:
            raise ValueError(
                f"Expected inputs.shape[-1] to be known and inputs to be a matrix, saw shape: {as_text(inputs_shape)}"
            )
        return last_size(inputs_shape, f"a {type(self).__name__}") + self.output_size


class BasicRNNCell(_OneLayer):
    """new h = output = tanh([x, h] · W + b).

    Args:
      num_units: the size of the state.
      activation: instead of tanh; a function, or its name.
      reuse: whether its variables are there already.
      name: of its scope; ``basic_rnn_cell`` by default.
      dtype: of its variables; that of the first input by default.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicRNNCell(3)
    ...     y, h = cell(tf.ones([2, 5]), cell.zero_state(2, tf.float32))
    ...     y.shape.as_list(), [v.name for v in cell.variables]
    ([2, 3], ['basic_rnn_cell/kernel:0', 'basic_rnn_cell/bias:0'])

    As TensorFlow 1.15.
    """

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)

    def build(self, inputs_shape):
        n = self._num_units
        self._kernel = self.add_weight("kernel", [self._rows(inputs_shape), n])
        self._bias = self.add_weight("bias", [n], initializer=zeros_initializer())

    def call(self, inputs, state):
        output = self._activation(_affine(inputs, state, self._kernel, self._bias))
        return output, output


def _affine(inputs: Any, h: Any, kernel: Any, bias: Any) -> Any:
    return bias_add(matmul.of(concat([inputs, h], 1), as_tensor(kernel)), bias)


class GRUCell(_OneLayer):
    """new h = output = u · h + (1 - u) · tanh([x, r · h] · W + b), with r, u = sigmoid([x, h] · V + c) (Cho et al.).

    Args: those of `BasicRNNCell`, and
      kernel_initializer, bias_initializer: of the variables; by default that of the scope, and ones for the gates'
        bias, zeros for the candidate's.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.GRUCell(3)
    ...     y, h = cell(tf.ones([2, 5]), cell.zero_state(2, tf.float32))
    ...     [v.name for v in cell.variables if "kernel" in v.name]
    ['gru_cell/gates/kernel:0', 'gru_cell/candidate/kernel:0']

    As TensorFlow 1.15.
    """

    def __init__(
        self,
        num_units,
        activation=None,
        reuse=None,
        kernel_initializer=None,
        bias_initializer=None,
        name=None,
        dtype=None,
        **kwargs,
    ):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._initializers = kernel_initializer, bias_initializer

    def build(self, inputs_shape):
        n, rows = self._num_units, self._rows(inputs_shape)
        kernel, bias = self._initializers
        ones, zeros = (ones_initializer(), zeros_initializer()) if bias is None else (bias, bias)
        self._gate_kernel = self.add_weight("gates/kernel", [rows, 2 * n], initializer=kernel)
        self._gate_bias = self.add_weight("gates/bias", [2 * n], initializer=ones)
        self._candidate_kernel = self.add_weight("candidate/kernel", [rows, n], initializer=kernel)
        self._candidate_bias = self.add_weight("candidate/bias", [n], initializer=zeros)

    def call(self, inputs, state):
        r, u = split(sigmoid(_affine(inputs, state, self._gate_kernel, self._gate_bias)), 2, 1)
        c = self._activation(_affine(inputs, r * state, self._candidate_kernel, self._candidate_bias))
        output = u * state + (1 - u) * c
        return output, output


def _halves(state: Any, is_tuple: bool, sizes: list[int]) -> Any:
    """c and h of a state, which may be one tensor."""
    return state if is_tuple else split(state, sizes, 1)


class BasicLSTMCell(_OneLayer):
    """c' = sigmoid(f + forget_bias) · c + sigmoid(i) · tanh(j), h' = tanh(c') · sigmoid(o).

    i, j, f and o are the four parts of [x, h] · W + b.

    Args: those of `BasicRNNCell`, and
      forget_bias: added to f, so that at first little is forgotten.
      state_is_tuple: False: the state is one tensor, c and h side by side.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    ...     cell.state_size
    LSTMStateTuple(c=3, h=3)

    As TensorFlow 1.15.
    """

    def __init__(
        self,
        num_units,
        forget_bias=1.0,
        state_is_tuple=True,
        activation=None,
        reuse=None,
        name=None,
        dtype=None,
        **kwargs,
    ):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    def build(self, inputs_shape):
        n = self._num_units
        self._kernel = self.add_weight("kernel", [self._rows(inputs_shape), 4 * n])
        self._bias = self.add_weight("bias", [4 * n], initializer=zeros_initializer())

    def call(self, inputs, state):
        c, h = _halves(state, self._state_is_tuple, [self._num_units] * 2)
        i, j, f, o = split(_affine(inputs, h, self._kernel, self._bias), 4, 1)
        c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * self._activation(j)
        h = self._activation(c) * sigmoid(o)
        return h, (LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1))


class LSTMCell(_OneLayer):
    """`BasicLSTMCell`, with peepholes, clipping and a projection of the output if wanted.

    Args: those of `BasicLSTMCell`, and
      use_peepholes: i and f see c, and o sees the new c, times a vector each.
      cell_clip: the new c is kept in ±cell_clip.
      initializer: of the kernels; by default that of the scope.
      num_proj: the output is h · P of this size.
      proj_clip: the projected output is kept in ±proj_clip.
      num_unit_shards, num_proj_shards: without effect.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.LSTMCell(3, num_proj=2)
    ...     cell.state_size, cell.output_size
    (LSTMStateTuple(c=3, h=2), 2)

    As TensorFlow 1.15.
    """

    def __init__(
        self,
        num_units,
        use_peepholes=False,
        cell_clip=None,
        initializer=None,
        num_proj=None,
        proj_clip=None,
        num_unit_shards=None,
        num_proj_shards=None,
        forget_bias=1.0,
        state_is_tuple=True,
        activation=None,
        reuse=None,
        name=None,
        dtype=None,
        **kwargs,
    ):
        super().__init__(num_units, activation, reuse, name, dtype, kwargs)
        self._use_peepholes, self._cell_clip, self._initializer = use_peepholes, cell_clip, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self):
        n, m = self._num_units, self.output_size
        return LSTMStateTuple(n, m) if self._state_is_tuple else n + m

    @property
    def output_size(self):
        return self._num_proj or self._num_units

    def build(self, inputs_shape):
        n, kernel = self._num_units, self._initializer
        self._kernel = self.add_weight("kernel", [self._rows(inputs_shape), 4 * n], initializer=kernel)
        self._bias = self.add_weight("bias", [4 * n], initializer=zeros_initializer())
        if self._use_peepholes:
            self._w_f, self._w_i, self._w_o = (
                self.add_weight(f"w_{gate}_diag", [n], initializer=kernel) for gate in "fio"
            )
        if self._num_proj:
            self._projection = self.add_weight("projection/kernel", [n, self._num_proj], initializer=kernel)

    def call(self, inputs, state):
        c, h = _halves(state, self._state_is_tuple, [self._num_units, self.output_size])
        i, j, f, o = split(_affine(inputs, h, self._kernel, self._bias), 4, 1)
        f = f + self._forget_bias
        if self._use_peepholes:
            i, f = i + self._w_i * c, f + self._w_f * c
        c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            c = clip_by_value(c, -self._cell_clip, self._cell_clip)
        if self._use_peepholes:
            o = o + self._w_o * c
        h = sigmoid(o) * self._activation(c)
        if self._num_proj:
            h = matmul.of(h, as_tensor(self._projection))
            if self._proj_clip is not None:
                h = clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, (LSTMStateTuple(c, h) if self._state_is_tuple else concat([c, h], 1))


class MultiRNNCell(RNNCell):
    """Cells one above the other: the output of each is the input of the next, the state a tuple of theirs.

    Args:
      cells: a list of cells.
      state_is_tuple: False: the states are one tensor, side by side.

    Raises:
      ValueError: no cells, or nested states without ``state_is_tuple``. TypeError: ``cells`` is no list.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(n) for n in (3, 4)])
    ...     cell.state_size, cell.output_size
    ((3, 4), 4)

    As TensorFlow 1.15.
    """

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        self._cells, self._state_is_tuple = list(cells), state_is_tuple
        if not state_is_tuple and any(is_nested(cell.state_size) for cell in cells):
            raise ValueError(
                f"Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: "
                f"{[cell.state_size for cell in cells]}"
            )

    @property
    def state_size(self):
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        return self._cells[-1].output_size

    @property
    def trainable_variables(self):
        return [v for cell in self._cells for v in cell.trainable_variables] if self.trainable else []

    @property
    def non_trainable_variables(self):
        found = [v for cell in self._cells for v in cell.non_trainable_variables]
        return (
            found if self.trainable else [v for cell in self._cells for v in cell.trainable_variables] + found
        )

    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables

    def zero_state(self, batch_size, dtype):
        """The cells' zero states."""
        with scope_of(f"{type(self).__name__}ZeroState"):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return zeros_of(self.state_size, batch_size, dtype)

    def call(self, inputs, state):
        if self._state_is_tuple:
            if not is_nested(state) or len(state) != len(self._cells):
                raise ValueError(
                    f"Expected state to be a tuple of length {len(self._cells)}, but received: {state}"
                )
        else:
            state = split(state, [cell.state_size for cell in self._cells], 1)
        states = []
        for i, (cell, old) in enumerate(zip(self._cells, state, strict=True)):
            with variable_scope(f"cell_{i}"):
                inputs, new = cell(inputs, old)
            states.append(new)
        return inputs, (tuple(states) if self._state_is_tuple else concat(flatten(states), 1))
