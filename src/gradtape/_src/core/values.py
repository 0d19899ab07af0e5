"""The values that operations take and give.

A *raw* value is an ``ndarray`` or a NumPy scalar. A ``Tensor`` is what the user holds; its subclasses say
where the
data is: an ``EagerTensor`` has it. A ``Ghost`` is what stays of a tensor whose data nobody will read: tapes
  keep
ghosts, so that a recorded program holds alive only the arrays that its gradient needs.

What a tensor *is* (its data, shape, dtype, its conversions to Python and NumPy, its text) is here; what can
be *computed* with it (operators, indexing, iteration) is attached in ``ops/operators.py``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy import ndarray

from gradtape._src.core.dtypes import DType, from_numpy, resource
from gradtape._src.core.notes import left
from gradtape._src.core.printing import plain, tensor_repr, tensor_str
from gradtape._src.core.shapes import Shape, as_text, compatible
from gradtape._src.core.tensor_shape import TensorShape, as_shape_tuple

Raw = np.ndarray | np.generic

_new = object.__new__

DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"  # the only one; TensorFlow's name of it


class Ghost:
    """Identity, shape and dtype of a tensor, without its data.

    Tapes know a tensor by its ghost (compared by identity), and a rule that needs no more than the shape or
    the dtype of an input is given the ghost in place of the input.
    """

    __slots__ = ("__weakref__", "dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"Ghost({self.shape}, {self.dtype})"


class Described(ValueError):
    """The data of a tensor was asked for that is only described; what an operation on it gives, it says itself.

    ``tensor.stands_in(op, args, params)`` takes the operation in place of its execution.
    """

    def __init__(self, tensor: Any, message: str) -> None:
        super().__init__(message)
        self.tensor = tensor


class Reference:
    """A hashable stand-in for a tensor or a variable, which are not: equal if it is for the same object."""

    __slots__ = ("_referenced",)

    def __init__(self, referenced: Any) -> None:
        self._referenced = referenced

    def deref(self) -> Any:
        """The tensor or variable."""
        return self._referenced

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._referenced is other._referenced

    def __hash__(self) -> int:
        return id(self._referenced)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referenced!r}>"


class VariableHandle:
    """What stands for a variable itself, and not for its value, in operations on state."""

    dtype = resource
    shape = TensorShape([])

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape=(), dtype=resource, value=<ResourceHandle(name={self._name!r})>>"


class Absent:
    """A name that tensors lack: where it is asked for, an error says ``why(tensor, name)``.

    In place of a method ``__getattr__``, which would make every attribute of a tensor slow. What a user calls so on a
    tensor of his own comes first.
    """

    def __init__(self, name: str, why: Callable[[Any, str], str]) -> None:
        self._name = name
        self._why = why

    def __get__(self, tensor: Any, owner: type) -> NoReturn:
        name = self._name
        if tensor is None:
            raise AttributeError(f"type object '{owner.__name__}' has no attribute '{name}'", name=name)
        raise AttributeError(self._why(tensor, name), name=name)


_GRAPH_NAMES = ("name", "op", "graph", "value_index")

# Names that NumPy arrays have and tensors lack: the commonest slip. To each the way out.
_NUMPY_NAMES = {
    "T": "tf.transpose(x)",
    "astype": "tf.cast(x, dtype)",
    "ravel": "tf.reshape(x, [-1])",
    "transpose": "tf.transpose(x)",
    "reshape": "tf.reshape(x, shape)",
    "clip": "tf.clip_by_value(x, low, high)",
    "size": "tf.size(x)",
    "tolist": "x.numpy().tolist()",
    "data": "x.numpy().data",
}

_LACKED = frozenset({*_GRAPH_NAMES, *_NUMPY_NAMES, "numpy"})  # the last one by symbols


class Tensor:
    """A multi-dimensional array of elements of one dtype; it cannot be changed.

    Operations make tensors; `tf.constant` makes one of a value. Python's operators are TensorFlow's:
    elementwise, with broadcasting, both operands of one dtype; a Python number or NumPy array takes the dtype
    of the tensor that it meets.

    >>> import gradtape as tf
    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x.shape, x.dtype
    (TensorShape([2, 2]), tf.float32)
    >>> print(x @ x - 1)
    tf.Tensor(
    [[ 6.  9.]
     [14. 21.]], shape=(2, 2), dtype=float32)
    """

    __slots__ = ()
    __array_priority__ = 100  # ndarray * Tensor reaches Tensor.__rmul__

    if TYPE_CHECKING:  # what its kinds have, and what users hang on it

        def __getattr__(self, name: str) -> Any: ...

    _USE_EQUALITY = True  # whether == compares elements, as in TensorFlow 2, and not identity
    _keras_mask: Any = None  # which steps of a sequence count; layers hang it on their outputs

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return TensorShape._of(shape_of(self))

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return from_numpy(dtype_of(self))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        shape = shape_of(self)
        if shape is None:
            raise ValueError(
                "The rank of this tensor is not known while the graph is built; tf.rank(x) gives it."
            )
        return len(shape)

    def get_shape(self) -> TensorShape:
        """The shape: the older name of `shape`."""
        return self.shape

    def ref(self) -> Reference:
        """A hashable reference to this tensor, for sets and keys of dictionaries; `.deref()` gives it back.

        >>> import gradtape as tf
        >>> x = tf.constant(5.0)
        >>> names = {x.ref(): "x"}
        >>> names[x.ref()]
        'x'
        """
        return Reference(self)

    def experimental_ref(self) -> Reference:
        """The older name of `ref`."""
        return Reference(self)

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Tensor:
        return self

    def __hash__(self) -> int:
        if Tensor._USE_EQUALITY:
            raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")
        return id(self)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in _LACKED or hasattr(self, name)]


def _undefined(tensor: Tensor, name: str) -> str:
    return f"Tensor.{name} is undefined when eager execution is enabled."


def _of_arrays(tensor: Tensor, name: str) -> str:
    return (
        f"{type(tensor).__name__} object has no attribute '{name}'. A tensor is not a NumPy array: "
        f"write {_NUMPY_NAMES[name]}, or x.numpy() for an array."
    )


for _name in _GRAPH_NAMES:
    setattr(Tensor, _name, Absent(_name, _undefined))
for _name in _NUMPY_NAMES:
    setattr(Tensor, _name, Absent(_name, _of_arrays))


class EagerTensor(Tensor):
    """A tensor with its data: an immutable array, and its ghost once a tape has seen it."""

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_data",
        "_ghost",
    )  # a dictionary, because users hang things on tensors
    _data: Any
    _ghost: Any

    def __init__(self, data: Any) -> None:
        self._data = data
        self._ghost = None

    # --- What it is

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        shape = _new(TensorShape)  # written out: users ask for it in every layer
        shape._dims = self._data.shape
        return shape

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return from_numpy(self._data.dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._data.ndim

    @property
    def device(self) -> str:
        """Where the tensor is."""
        return DEVICE

    backing_device = device

    @property
    def is_packed(self) -> bool:
        """Whether this stands for several tensors on several devices: no."""
        return False

    def _shape_tuple(self) -> tuple[int, ...]:
        return self._data.shape

    def set_shape(self, shape: Any) -> None:
        """Checks the shape: that of a tensor with data cannot change.

        Raises:
          ValueError: it is another one.
        """
        wanted = as_shape_tuple(shape)
        if not compatible(self._data.shape, wanted):
            raise ValueError(
                f"Tensor's shape {self._data.shape} is not compatible with supplied shape {as_text(wanted)}."
            )

    # --- To NumPy

    def numpy(self) -> Any:
        """The value as a NumPy array of the user's own, or as a NumPy scalar (bytes for a string).

        >>> import gradtape as tf
        >>> tf.constant([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        left(self, ".numpy()")
        data = self._data
        if data.ndim == 0:
            return plain(data)[()]
        return plain(data).copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        left(self, "a NumPy function")
        data = np.asarray(plain(self._data))
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError(
                    "Unable to avoid copy while creating an array as requested: "
                    f"the tensor is of dtype {self.dtype.name} and not {np.dtype(dtype)}."
                )
            return data.astype(dtype)
        if copy:
            return data.copy()
        view = data.view()
        view.flags.writeable = False
        return view

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the CPU

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        if copy or max_version is None or max_version < (1, 0):
            # Older consumers cannot be told that they must not write.
            return np.array(self._data).__dlpack__()
        return self.__array__().__dlpack__(max_version=max_version, dl_device=dl_device)

    # --- To Python

    def __bool__(self) -> bool:
        left(self, "bool()")
        data = self._data
        return bool(data) if data.size else False

    def __int__(self) -> int:
        left(self, "int()")
        return int(self._data)

    def __float__(self) -> float:
        left(self, "float()")
        return float(self._data)

    def __complex__(self) -> complex:
        left(self, "complex()")
        return complex(self._data)

    def __index__(self) -> int:
        left(self, "an index")
        return operator.index(self._data)

    def __len__(self) -> int:
        if not self._data.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return self._data.shape[0]

    def __format__(self, spec: str) -> str:
        value = self._data[()] if self._data.ndim == 0 else self._data
        if spec and not self._data.ndim and self.dtype.is_floating and not isinstance(value, np.floating):
            value = float(value)  # ml_dtypes' scalars know no format
        return format(value, spec)

    def __str__(self) -> str:
        return tensor_str(self._data)

    def __repr__(self) -> str:
        return tensor_repr(self._data)

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return EagerTensor, (self._data,)

    # --- What it has in a graph, or on other devices

    def cpu(self) -> EagerTensor:
        """The tensor in the memory of the CPU: itself."""
        return self

    def gpu(self, gpu_index: int = 0) -> NoReturn:
        """The tensor in the memory of a GPU; there is none."""
        raise RuntimeError(f"GPU:{gpu_index} unknown device.")

    def consumers(self) -> NoReturn:
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )


def tensor_of(data: Any) -> EagerTensor:
    """`EagerTensor(data)`, in half the time."""
    tensor = _new(EagerTensor)
    tensor._data = data
    tensor._ghost = None
    return tensor


_one_ghost = Lock()


def new_ghost(tensor: EagerTensor) -> Ghost:
    """Gives a tensor its ghost."""
    data = tensor._data
    ghost = tensor._ghost = _new(Ghost)
    ghost.shape = data.shape
    ghost.dtype = data.dtype
    return ghost


def ghost_of(tensor: Any) -> Ghost:
    """The ghost of a tensor, made when first asked for."""
    ghost = tensor._ghost
    if ghost is None:
        with _one_ghost:  # threads that share a tensor
            ghost = tensor._ghost or new_ghost(tensor)
    return ghost


_WITH_SHAPE = frozenset({np.ndarray, Ghost})


def shape_of(value: Any) -> Any:
    """The shape as a tuple, of a tensor, raw value, ghost or Python number; None if the rank is unknown."""
    if type(value) is EagerTensor:
        return value._data.shape
    if type(value) in _WITH_SHAPE:
        return value.shape
    if isinstance(value, Tensor):
        return value._ghost.shape  # type: ignore[attr-defined]
    shape = getattr(value, "shape", None)
    if type(shape) is TensorShape:
        return shape._dims
    return np.shape(value) if shape is None else shape


def dtype_of(value: Any) -> np.dtype:
    """The NumPy dtype of a tensor, raw value, ghost or variable."""
    if type(value) is EagerTensor:
        return value._data.dtype
    if isinstance(value, Tensor):
        return value._ghost.dtype  # type: ignore[attr-defined]
    dtype = value.dtype
    return dtype.np if type(dtype) is DType else dtype
