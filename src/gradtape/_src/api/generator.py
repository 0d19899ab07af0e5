"""`tf.random.Generator`: random numbers whose state the user holds, in a variable."""

from __future__ import annotations

import os
from threading import Lock
from typing import Any

import numpy as np

from gradtape._src.api.random import COUNTS, FLOATS, as_sizes, one_of, parameter
from gradtape._src.api.stateless_random import INTEGERS, Algorithm, algorithm_number, binomial_parameters
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, float32, int32, int64, uint64
from gradtape._src.core.errors import UnimplementedError
from gradtape._src.core.values import EagerTensor
from gradtape._src.ops import random as ops
from gradtape._src.ops.arithmetic import add, multiply, subtract
from gradtape._src.ops.arrays import pack, zeros_like
from gradtape._src.ops.variables import Variable

_SIZES = {Algorithm.PHILOX.value: 3, Algorithm.THREEFRY.value: 2, Algorithm.AUTO_SELECT.value: 3}
_BITS64 = (1 << 64) - 1


def _state_size(alg: int) -> int:
    if alg not in _SIZES:
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are 1 for the Philox algorithm, "
            "2 for the ThreeFry algorithm, and 3 for auto-selection."
        )
    return _SIZES[alg]


def _words(value: Any) -> np.ndarray:
    """Integers as int64; those from 2^63 to 2^64 - 1 by their bits."""
    if isinstance(value, (list, tuple)):
        return np.array([_words(item) for item in value], np.int64).reshape(np.shape(value))
    if isinstance(value, int):
        return np.array([value & _BITS64], np.uint64).view(np.int64).reshape(())
    data = value if isinstance(value, np.ndarray) else as_tensor(value)._data
    return np.asarray(data).astype(np.int64)


def _of_shape(words: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if words.shape != shape:
        raise ValueError(f"Shapes {words.shape} and {list(shape)} are incompatible")
    return words


def _state_of_seed(seed: Any, size: int) -> np.ndarray:
    """A state that begins with the bits of an integer, or ends with the integers of a tensor or list."""
    if isinstance(seed, int):
        return _words([seed >> 64 * i & _BITS64 for i in range(size)])
    words = _words(seed).reshape(-1)[:size]
    return np.concatenate([np.zeros(size - words.size, np.int64), words])


def create_rng_state(seed, alg):
    """A state for `tf.random.Generator.from_state`, from a seed: an int64 tensor.

    seed: an integer of any size, or a list or tensor of integers.
    alg: "philox", "threefry" or "auto_select", or a member of `tf.random.Algorithm`; ValueError otherwise.

    >>> import gradtape as tf
    >>> print(tf.random.create_rng_state(5, "philox"))
    tf.Tensor([5 0 0], shape=(3,), dtype=int64)

    As TensorFlow 2.21.
    """
    return EagerTensor(_state_of_seed(seed, _state_size(algorithm_number(alg))))


class Generator:
    """A generator of random numbers, whose state is a variable: its place in Philox's sequence.

    Made by `from_seed`, `from_state`, `from_key_counter` or `from_non_deterministic_state`, or as a copy.

    Args:
      copy_from: a generator whose state to begin with; nothing else may be given then.
      state: three integers, the two halves of a 128-bit counter and a key. A variable is used as it is.
      alg: "philox", "auto_select" (the same) or "threefry" (which gives no numbers: UnimplementedError).

    >>> import gradtape as tf
    >>> g = tf.random.Generator.from_seed(1234)
    >>> print(g.normal([3]).numpy().round(4))
    [ 0.9357  1.0854 -0.9379]
    >>> g.state
    <tf.Variable 'StateVar:0' shape=(3,) dtype=int64, numpy=array([2002,    0,    0])>

    Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. As TensorFlow 2.21.
    """

    def __init__(self, copy_from=None, state=None, alg=None):
        if copy_from is not None:
            if alg is not None or state is not None:
                raise AssertionError("Generator: with copy_from, neither state nor alg may be given")
            state, alg = copy_from.state.read_value(), copy_from.algorithm
        elif alg is None or state is None:
            raise AssertionError("Generator: expected both state and alg, e.g. Generator.from_seed(1)")
        self._alg = algorithm_number(alg)
        size = _state_size(self._alg)
        if isinstance(state, Variable):
            _of_shape(state.numpy(), (size,))
            self._state = state
        else:
            words = _of_shape(_words(state), (size,))
            self._state = Variable(EagerTensor(words), trainable=False, name="StateVar", dtype=int64)
        self._source = ops.VariableStream(self._state)

    @classmethod
    def from_state(cls, state, alg):
        """A generator in this state; see the class."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed, alg=None):
        """A generator from a seed: an integer, or a list or tensor of integers."""
        alg = algorithm_number("philox" if alg is None else alg)
        return cls(state=_state_of_seed(seed, _state_size(alg)), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg=None):
        """A generator whose numbers cannot be foreseen."""
        alg = algorithm_number("philox" if alg is None else alg)
        return cls(state=np.frombuffer(os.urandom(8 * _state_size(alg)), np.int64), alg=alg)

    @classmethod
    def from_key_counter(cls, key, counter, alg):
        """A generator with this key, an integer, and counter, two integers, the low half first."""
        alg = algorithm_number(alg)
        return cls(state=_joined(key, counter, _state_size(alg)), alg=alg)

    # --- The state

    @property
    def state(self):
        """The variable with the state."""
        return self._state

    @property
    def algorithm(self):
        """The number of the algorithm: a value of `tf.random.Algorithm`."""
        return self._alg

    @property
    def key(self):
        """The key, the last element of the state, as a tensor."""
        return self._state.read_value()[-1]

    def reset(self, state):
        """Puts the generator into this state."""
        self._state.assign(EagerTensor(_of_shape(_words(state), (_state_size(self._alg),))))

    def reset_from_seed(self, seed):
        """Puts the generator into the state that `from_seed` begins with."""
        self.reset(_state_of_seed(seed, _state_size(self._alg)))

    def reset_from_key_counter(self, key, counter):
        """Puts the generator into the state that `from_key_counter` begins with."""
        self.reset(_joined(key, counter, _state_size(self._alg)))

    def skip(self, delta):
        """Moves on as far as ``delta`` numbers would, and gives the state from before, as a tensor."""
        return ops.rng_read_and_skip.of(as_tensor(delta), stream=self._stream)

    @property
    def _stream(self) -> Any:
        if self._alg == Algorithm.THREEFRY.value:
            raise UnimplementedError.of(
                "Non-XLA devices don't support the ThreeFry algorithm. [Op:RngReadAndSkip] Use 'philox'."
            )
        return self._source

    # --- Numbers

    def normal(self, shape, mean=0.0, stddev=1.0, dtype=float32, name=None):
        """Normal numbers; see `tf.random.normal`."""
        return self._scaled(ops.random_standard_normal, shape, mean, stddev, dtype, name)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype=float32, name=None):
        """Normal numbers at most two standard deviations from the mean; see `tf.random.truncated_normal`."""
        return self._scaled(ops.truncated_normal, shape, mean, stddev, dtype, name)

    def _scaled(self, op: Any, shape: Any, mean: Any, stddev: Any, dtype: Any, name: Any) -> Any:
        dtype = as_dtype(dtype)
        mean, stddev = parameter(mean, dtype, "mean"), parameter(stddev, dtype, "stddev")
        one_of(dtype, FLOATS, op.name)
        standard = op.of(as_sizes(shape, op.name), dtype=dtype.np, stream=self._stream)
        return add.of(multiply.of(standard, stddev), mean, name)

    def uniform(self, shape, minval=0, maxval=None, dtype=float32, name=None):
        """Uniform numbers in [minval, maxval); of integers without bounds, all of the dtype.

        See `tf.random.uniform`.
        """
        dtype = as_dtype(dtype)
        if dtype.is_integer:
            if (minval is None) != (maxval is None):
                raise ValueError(
                    f"For integer dtype {dtype}, minval and maxval must be both `None` or both non-`None`; "
                    f"got minval={minval} and maxval={maxval}"
                )
            if minval is None:
                return self.uniform_full_int(shape, dtype, name)
            op = ops.random_uniform_int
            one_of(dtype, INTEGERS, op.name)
            low, high = as_tensor(minval, dtype), as_tensor(maxval, dtype)
            return op.of(as_sizes(shape, op.name), low, high, stream=self._stream, name=name)
        op = ops.random_uniform
        low, high = parameter(minval, dtype, "min"), parameter(1 if maxval is None else maxval, dtype, "max")
        one_of(dtype, FLOATS, op.name)
        standard = op.of(as_sizes(shape, op.name), dtype=dtype.np, stream=self._stream)
        return add.of(multiply.of(standard, subtract.of(high, low)), low, name)

    def uniform_full_int(self, shape, dtype=uint64, name=None):
        """Integers of which every one of the dtype (int32, int64, uint32 or uint64) is as likely."""
        op = ops.random_uniform_full_int
        dtype = one_of(dtype, INTEGERS, op.name)
        return op.of(as_sizes(shape, op.name), dtype=dtype.np, stream=self._stream, name=name)

    def binomial(self, shape, counts, probs, dtype=int32, name=None):
        """Numbers of successes; see `tf.random.stateless_binomial`."""
        op = ops.random_binomial
        counts, probs = binomial_parameters(counts, probs, op.name)
        dtype = one_of(dtype, COUNTS, op.name)
        return op.of(
            as_sizes(shape, op.name, "S"), counts, probs, dtype=dtype.np, stream=self._stream, name=name
        )

    def make_seeds(self, count=1):
        """Seeds for the stateless functions: an int64 tensor of shape [2, count], a seed a column."""
        keys = self.uniform_full_int([count], int64)
        return pack.of(keys, zeros_like.of(keys))

    def split(self, count=1):
        """A list of new generators, independent of each other and of this one, which moves on."""
        keys = self.uniform_full_int([count], int64)._data
        return [Generator(state=np.array([0, 0, key], np.int64), alg=self._alg) for key in keys]


def _joined(key: Any, counter: Any, size: int) -> np.ndarray:
    return np.concatenate([_of_shape(_words(counter), (size - 1,)), _of_shape(_words(key), ()).reshape(1)])


# --- The global one -----------------------------------------------------------------------------------------

_lock = Lock()
_global_generator: Any = None


def get_global_generator():
    """The generator that the library shares; made when first asked for, in a state that cannot be foreseen.

    >>> import gradtape as tf
    >>> tf.random.get_global_generator().normal([2]).shape
    TensorShape([2])

    As TensorFlow 2.21.
    """
    global _global_generator
    with _lock:
        if _global_generator is None:
            _global_generator = Generator.from_non_deterministic_state()
        return _global_generator


def set_global_generator(generator):
    """Replaces the generator that `tf.random.get_global_generator` gives.

    >>> import gradtape as tf
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    >>> tf.random.get_global_generator().state.numpy()
    array([1, 0, 0])

    As TensorFlow 2.21.
    """
    global _global_generator
    _global_generator = generator
