"""The element types: `tf.DType`, its singletons, and the way between them and NumPy's dtypes.

Every `DType` is interned, so code inside the package compares with `is` and reads `dtype.np` (the NumPy
dtype object) and the `is_*` flags as plain slots. bfloat16, float8 and the 2- and 4-bit types come from
ml_dtypes. NumPy's `kind` does not know those types (it is 'V' for most and 'f' for float8_e5m2), so kernels
ask the predicates at the end of this file instead. Reference dtypes (`float32_ref`, what a TF1 variable
prints) are made when first asked for.

Rests on NumPy and ml_dtypes, and on nothing else of this package.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

NpDType = np.dtype[Any]

_REF = 100  # TensorFlow's offset between the number of a dtype and of its reference dtype


class DType:
    """The type of a tensor's elements.

    >>> import gradtape as tf
    >>> tf.float32, tf.float32.size, tf.float32.is_floating
    (tf.float32, 4, True)
    >>> tf.float32 == "float32"
    True
    """

    __slots__ = (
        "_is_ref_dtype", "_kind", "_type_enum", "base_dtype", "is_bool", "is_complex", "is_floating",
        "is_integer", "is_numeric", "is_numpy_compatible", "is_quantized", "is_unsigned", "name", "np",
        "size",
    )  # fmt: skip

    _type_enum: int
    _kind: str
    name: str
    np: NpDType
    size: int
    base_dtype: DType
    is_floating: bool
    is_integer: bool
    is_unsigned: bool
    is_bool: bool
    is_complex: bool
    is_quantized: bool
    is_numeric: bool
    is_numpy_compatible: bool
    _is_ref_dtype: bool

    def __new__(cls, type_enum: int) -> DType:
        """The dtype with TensorFlow's number `type_enum`; there is one object for each number."""
        found = _BY_ENUM.get(int(type_enum)) or _reference(int(type_enum) - _REF)
        if found is None:
            raise TypeError(f"{type_enum} does not correspond to a valid tensorflow::DataType")
        return found

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number for this dtype, as in its `DataType` protocol buffer."""
        return self._type_enum

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type (`object` for strings, a structured dtype for the quantized types)."""
        if self.is_quantized:
            return self.np
        if not self.is_numpy_compatible:
            raise TypeError(f"{self} has no NumPy dtype: its values are handles, not numbers.")
        return object if self.name == "string" else self.np.type

    @property
    def real_dtype(self) -> DType:
        """The dtype of the real part: float32 for complex64, float64 for complex128, else itself."""
        return from_numpy(real_np(self.np)) if self.is_complex else self

    @property
    def min(self) -> Any:
        """The smallest value that can be represented."""
        return self._extreme("min", "minimum")

    @property
    def max(self) -> Any:
        """The largest value that can be represented."""
        return self._extreme("max", "maximum")

    def _extreme(self, end: str, word: str) -> Any:
        if self.is_floating:
            return getattr(ml_dtypes.finfo(self.np), end)
        if self.is_integer:
            return getattr(ml_dtypes.iinfo(self.np), end)
        kind = "quantized type" if self.is_quantized else "type"
        raise TypeError(
            f"Cannot find {word} value of {self} with {kind} {self.base_dtype}. "
            "Only integer and real floating-point dtypes have one."
        )

    @property
    def limits(self) -> tuple[Any, Any]:
        """The range of intensities of an image of this dtype, negatives clipped: (0, 1) for floats."""
        base = self.base_dtype
        if base.is_bool:
            return (0, True)
        if base in (float32, float64):
            return (0, 1)
        if base.is_integer and base.np.num < np.dtype(np.object_).num:  # NumPy's own integers only
            return (0, base.max)
        raise ValueError(f"{self} does not have defined limits.")

    @property
    def _as_ref(self) -> DType:
        """The reference dtype that belongs to this dtype."""
        ref = self if self._is_ref_dtype else _reference(self._type_enum)
        assert ref is not None
        return ref

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a value of dtype `other` may stand where this one is wanted: the same, or its reference."""
        other = as_dtype(other)
        return other is self or other.base_dtype is self

    def is_subtype_of(self, other: Any) -> bool:
        """Whether `other` is the same dtype: dtypes form no hierarchy."""
        return self == other

    def most_specific_common_supertype(self, types: Any) -> DType | None:
        """This dtype if all of `types` are the same dtype, else None."""
        return self if all(self == t for t in types) else None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is not DType and _lookup(other) is self

    def __hash__(self) -> int:
        return self._type_enum

    def __repr__(self) -> str:
        return "tf." + self.name

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __int__(self) -> int:
        return self._type_enum

    # Pickling (to another process too) and copying keep identity, because `is` is how dtypes are compared.
    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)

    def __copy__(self) -> DType:
        return self

    def __deepcopy__(self, memo: Any) -> DType:
        return self


_BY_ENUM: dict[int, DType] = {}
_BY_NAME: dict[str, DType] = {}


def _make(number: int, name: str, scalar: Any, kind: str, base: DType | None = None) -> DType:
    """Build and register one dtype. `kind`: f, i, u, b, c as in NumPy, q quantized, s string, h handle."""
    dtype = object.__new__(DType)
    dtype._type_enum = number
    dtype._kind = kind
    dtype.name = name
    dtype.np = np.dtype(scalar)
    dtype.size = 0 if kind in "sh" else dtype.np.itemsize
    dtype.base_dtype = base or dtype
    dtype.is_floating = kind == "f"
    dtype.is_integer = kind in "iu"
    dtype.is_unsigned = kind == "u"
    dtype.is_bool = kind == "b"
    dtype.is_complex = kind == "c"
    dtype.is_quantized = kind == "q"
    dtype.is_numeric = kind in "fiucq" and number % _REF < 24  # TensorFlow leaves out its newest, small types
    dtype.is_numpy_compatible = kind != "h"
    dtype._is_ref_dtype = base is not None
    _BY_ENUM[number] = _BY_NAME[name] = dtype
    return dtype


def _reference(number: int) -> DType | None:
    """The reference dtype of the dtype with this number, made at the first call; None if there is none."""
    base = _BY_ENUM.get(number)
    if base is None or base._is_ref_dtype:
        return None
    found = _BY_ENUM.get(number + _REF)
    if found is None:
        found = _make(number + _REF, base.name + "_ref", base.np, base._kind, base)
    return found


float32 = _make(1, "float32", np.float32, "f")
float64 = _make(2, "float64", np.float64, "f")
int32 = _make(3, "int32", np.int32, "i")
uint8 = _make(4, "uint8", np.uint8, "u")
int16 = _make(5, "int16", np.int16, "i")
int8 = _make(6, "int8", np.int8, "i")
string = _make(7, "string", np.object_, "s")
complex64 = _make(8, "complex64", np.complex64, "c")
int64 = _make(9, "int64", np.int64, "i")
bool_ = _make(10, "bool", np.bool_, "b")
qint8 = _make(11, "qint8", [("qint8", np.int8)], "q")
quint8 = _make(12, "quint8", [("quint8", np.uint8)], "q")
qint32 = _make(13, "qint32", [("qint32", np.int32)], "q")
bfloat16 = _make(14, "bfloat16", ml_dtypes.bfloat16, "f")
qint16 = _make(15, "qint16", [("qint16", np.int16)], "q")
quint16 = _make(16, "quint16", [("quint16", np.uint16)], "q")
uint16 = _make(17, "uint16", np.uint16, "u")
complex128 = _make(18, "complex128", np.complex128, "c")
float16 = _make(19, "float16", np.float16, "f")
resource = _make(20, "resource", np.object_, "h")
variant = _make(21, "variant", np.object_, "h")
uint32 = _make(22, "uint32", np.uint32, "u")
uint64 = _make(23, "uint64", np.uint64, "u")
float8_e5m2 = _make(24, "float8_e5m2", ml_dtypes.float8_e5m2, "f")
float8_e4m3fn = _make(25, "float8_e4m3fn", ml_dtypes.float8_e4m3fn, "f")
float8_e4m3fnuz = _make(26, "float8_e4m3fnuz", ml_dtypes.float8_e4m3fnuz, "f")
float8_e4m3b11fnuz = _make(27, "float8_e4m3b11fnuz", ml_dtypes.float8_e4m3b11fnuz, "f")
float8_e5m2fnuz = _make(28, "float8_e5m2fnuz", ml_dtypes.float8_e5m2fnuz, "f")
int4 = _make(29, "int4", ml_dtypes.int4, "i")
uint4 = _make(30, "uint4", ml_dtypes.uint4, "u")
int2 = _make(31, "int2", ml_dtypes.int2, "i")
uint2 = _make(32, "uint2", ml_dtypes.uint2, "u")
float4_e2m1fn = _make(33, "float4_e2m1fn", ml_dtypes.float4_e2m1fn, "f")
half, double = float16, float64
DTYPES: dict[str, DType] = dict(_BY_NAME)  # every dtype by its one name: no aliases, no reference dtypes
_BY_NAME.update(half=float16, float=float32, double=float64)

DTYPES = {d.name: d for d in _BY_ENUM.values()}  # every dtype but the references, by name

QUANTIZED_DTYPES = frozenset({qint8, quint8, qint16, quint16, qint32})
_BY_PYTHON_TYPE: dict[Any, DType] = {float: float32, bool: bool_, object: string}


class _NumpyTable(dict[NpDType, DType]):
    """NumPy dtype to DType: a dictionary, so that a hit costs one C-level lookup."""

    def __missing__(self, key: NpDType) -> DType:
        if key.kind in "SUT":
            found = string
        else:
            found = None if key.isnative else self.get(key.newbyteorder("="))
        if found is None:
            raise TypeError(
                f"Cannot convert the NumPy dtype {key!r} to a TensorFlow DType. "
                "Convert the array first, for example with .astype(np.float64)."
            )
        if key.kind not in "SUT":  # a string type for every length would fill the table
            self[key] = found
        return found


_BY_NUMPY = _NumpyTable({d.np: d for d in reversed(_BY_ENUM.values()) if d.is_numpy_compatible})

from_numpy: Callable[[NpDType], DType] = _BY_NUMPY.__getitem__
"""The DType of a NumPy dtype (big-endian ones give the native type; any string type gives `string`).

Raises TypeError for a NumPy dtype that has no counterpart (dates, long doubles, structures).
"""


def _lookup(value: Any) -> DType | None:
    """The dtype that `value` names, or None."""
    if isinstance(value, DType):
        return value
    if isinstance(value, np.dtype):
        try:
            return from_numpy(value)
        except TypeError:
            return None
    if isinstance(value, str):
        found = _BY_NAME.get(value)
        if found is None and value.endswith("_ref") and (base := _BY_NAME.get(value[:-4])):
            found = _reference(base._type_enum)
        return found
    if isinstance(value, type):
        if value in _BY_PYTHON_TYPE:
            return _BY_PYTHON_TYPE[value]
        # Python's int, str, complex are refused, as TensorFlow does: their width would be a guess.
        return _lookup(np.dtype(value)) if issubclass(value, np.generic) or value in _ML_TYPES else None
    if type(value) is int:
        return _BY_ENUM.get(value) or _reference(value - _REF)
    inner = value.dtype if isinstance(value, (np.ndarray, np.generic)) else None
    return None if inner is None else _lookup(inner)


_ML_TYPES = frozenset(d.np.type for d in _BY_ENUM.values() if not issubclass(d.np.type, np.generic))


def as_dtype(type_value: Any) -> DType:
    """The `DType` named by a DType, a string, a NumPy dtype or scalar type, `float`, `bool` or a number.

    Raises TypeError for anything else.

    >>> import gradtape as tf
    >>> import numpy as np
    >>> tf.as_dtype("half"), tf.as_dtype(np.dtype(">i8")), tf.as_dtype(float)
    (tf.float16, tf.int64, tf.float32)
    """
    if type(type_value) is DType:
        return type_value
    found = _lookup(type_value)
    if found is None:
        raise TypeError(
            f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType. "
            + _advice(type_value)
        )
    return found


def _advice(value: Any) -> str:
    """The way out of a failed `as_dtype`."""
    known = {int: "tf.int32 or tf.int64", str: "tf.string", bytes: "tf.string", complex: "tf.complex128"}
    name = value.__name__ if isinstance(value, type) else value
    for python_type, instead in known.items():
        if name == python_type.__name__:
            return f"Write {instead}."
    if isinstance(name, str):
        import difflib  # only on the way to an error: not worth its start-up time

        near = difflib.get_close_matches(name, _BY_NAME, n=1)
        if near:
            return f"Did you mean {_BY_NAME[near[0]]!r}?"
    return "Expected a tf.DType such as tf.float32, its name ('float32'), or a NumPy dtype (np.float32)."


# What kernels ask about a NumPy dtype. Bound set lookups: each costs one C call. Both byte orders are in.
def _having(flag: str) -> frozenset[NpDType]:
    native = {d.np for d in _BY_ENUM.values() if getattr(d, flag)}
    return frozenset(native | {d.newbyteorder() for d in native})


FLOATING_NP = _having("is_floating")
COMPLEX_NP = _having("is_complex")
INTEGER_NP = _having("is_integer")

is_floating_np: Callable[[NpDType], bool] = FLOATING_NP.__contains__
is_complex_np: Callable[[NpDType], bool] = COMPLEX_NP.__contains__
is_integer_np: Callable[[NpDType], bool] = INTEGER_NP.__contains__
is_differentiable_np: Callable[[NpDType], bool] = (FLOATING_NP | COMPLEX_NP).__contains__

_REAL_OF = {complex64.np: float32.np, complex128.np: float64.np}


def real_np(dtype: NpDType) -> NpDType:
    """The NumPy dtype of the real part of an array of this dtype."""
    return _REAL_OF.get(dtype, dtype)
