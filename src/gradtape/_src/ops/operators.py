"""Python's operators on tensors and variables. The only place that attaches anything to a class from outside.

A Python number, a list or a NumPy array takes the dtype of the tensor that it meets. Where it cannot, it
keeps its own, and the operation says that the two dtypes differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from gradtape._src.core.convert import as_operands, as_tensor, use_operations
from gradtape._src.core.dtypes import is_integer_np
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.op import Binary, Unary
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops import graph_variables as graph_variables  # makes variables in graphs
from gradtape._src.ops.arithmetic import multiply, negative, power, real_divide, subtract
from gradtape._src.ops.arrays import pack, unpack
from gradtape._src.ops.bitwise import bitwise_and, bitwise_or, bitwise_xor, invert
from gradtape._src.ops.casting import cast
from gradtape._src.ops.comparison import (
    equal,
    equal_or_false,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
    not_equal_or_true,
)
from gradtape._src.ops.complex import absolute
from gradtape._src.ops.division import floordiv, floormod, true_divide
from gradtape._src.ops.elementwise import round_half_even
from gradtape._src.ops.products import matmul
from gradtape._src.ops.strings import add_or_join
from gradtape._src.ops.variables import Variable


def attach(name: str, method: Any) -> None:
    """Makes ``__name__`` of tensors and variables this function."""
    setattr(Tensor, f"__{name}__", method)
    setattr(Variable, f"__{name}__", method)


# --- Two operands -------------------------------------------------------------------------------------------


def _attach_binary(name: str, of: Callable[[Any, Any], Any]) -> None:
    # A function is called at once, as a method; a bound method would get no `self`.
    attach(name, of if isinstance(of, FunctionType) else lambda self, other: of(self, other))
    attach(f"r{name}", lambda self, other: of(other, self))


def _saying_that_dtypes_differ(of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """As ``of``; for a number that the tensor's dtype cannot represent, the operation itself is the one to complain."""

    def method(x: Any, y: Any) -> Any:
        try:
            return of(x, y)
        except TypeError:
            if isinstance(y, Tensor) or (isinstance(y, int) and dtype_of(x).kind in "iub"):
                raise
        return of(x, as_tensor(y))

    return method


def _times(x: Any, y: Any) -> Any:
    try:
        return multiply.of(x, y)
    except InvalidArgumentError:
        x, y = as_operands(x, y)
        if dtype_of(x).kind == dtype_of(y).kind == "b":  # TensorFlow multiplies truth values by "and"
            return logical_and.of(x, y)
        raise


def _by_dtype(logical: Binary, bitwise: Binary) -> Callable[[Any, Any], Any]:
    def of(x: Any, y: Any) -> Any:
        x, y = as_operands(x, y)
        return (logical if dtype_of(x).kind == "b" else bitwise).of(x, y)

    return of


def _divided(x: Any, y: Any) -> Any:
    try:
        return real_divide.of(x, y)
    except InvalidArgumentError:  # integers; or operands that do not fit, of which true_divide says more
        pass
    return true_divide(x, y)


_attach_binary("add", _saying_that_dtypes_differ(add_or_join))
_attach_binary("sub", subtract.of)
_attach_binary("mul", _times)
_attach_binary("truediv", _saying_that_dtypes_differ(_divided))
_attach_binary("floordiv", floordiv.of)
_attach_binary("mod", floormod.of)
_attach_binary("matmul", _saying_that_dtypes_differ(matmul.of))
_attach_binary("and", _by_dtype(logical_and, bitwise_and))
_attach_binary("or", _by_dtype(logical_or, bitwise_or))
_attach_binary("xor", _by_dtype(logical_xor, bitwise_xor))
attach("pow", lambda self, other: power.of(self, other))
attach("rpow", lambda self, other: power.of(other, self))
attach("lt", lambda self, other: less.of(self, other))
attach("le", lambda self, other: less_equal.of(self, other))
attach("gt", lambda self, other: greater.of(self, other))
attach("ge", lambda self, other: greater_equal.of(self, other))


def _equal(self: Any, other: Any) -> Any:
    if other is None:
        return False
    if not Tensor._USE_EQUALITY:
        return self is other
    try:
        return equal.of(self, other)
    except (InvalidArgumentError, ValueError):  # eagerly, in a graph
        return equal_or_false.of(*as_operands(self, other))


def _not_equal(self: Any, other: Any) -> Any:
    if other is None:
        return True
    if not Tensor._USE_EQUALITY:
        return self is not other
    try:
        return not_equal.of(self, other)
    except (InvalidArgumentError, ValueError):
        return not_equal_or_true.of(*as_operands(self, other))


attach("eq", _equal)
attach("ne", _not_equal)


# --- One operand --------------------------------------------------------------------------------------------


def _round(self: Any, ndigits: int | None = None) -> Any:
    """To ``ndigits`` decimals, halves to even; of the same dtype."""
    x = as_tensor(self)
    if is_integer_np(dtype_of(x)):
        return x
    if not ndigits:
        return round_half_even.of(x)
    scale = 10.0**ndigits
    return round_half_even.of(x * scale) / scale


def _invert(self: Any) -> Any:
    x = as_tensor(self)
    return (logical_not if dtype_of(x).kind == "b" else invert).of(x)


def _unary(op: Unary) -> Callable[[Any], Any]:
    of = op.of
    return lambda self: of(self)


attach("neg", _unary(negative))
attach("abs", lambda self: absolute(as_tensor(self)))
attach("invert", _invert)
attach("round", _round)


def _iter(self: Any) -> Iterator[Any]:
    """The rows. One operation takes the tensor apart, so that the gradient is put together once."""
    x = as_tensor(self)
    shape = shape_of(x)
    if shape is None or (shape and shape[0] is None):
        raise TypeError("Cannot iterate over a tensor with unknown first dimension.")
    if not shape:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(unpack.of(x, num=shape[0]) if shape[0] else ())


attach("iter", _iter)

Tensor.OVERLOADABLE_OPERATORS = {  # type: ignore[attr-defined]  # what the operators of other types may ask for
    f"__{name}__"
    for name in """add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod lt le gt
    ge ne eq and rand or ror xor rxor getitem pow rpow invert neg abs matmul rmatmul""".split()
}

use_operations(
    stack=lambda parts: pack.of(*parts),
    cast=lambda tensor, dtype: cast.of(tensor, dtype=dtype.np),
)
