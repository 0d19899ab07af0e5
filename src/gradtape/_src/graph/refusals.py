"""What a symbol does not do, because it has no value while the graph is built; in TensorFlow's exception types."""

from __future__ import annotations

from typing import Any, NoReturn

from gradtape._src.core.errors import InaccessibleTensorError, OperatorNotAllowedInGraphError, frame_at

_OUT_OF_SCOPE = (
    "{symbol!r} is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow "
    "collections to access it.\n"
    "Please see https://www.tensorflow.org/guide/function#all_outputs_of_a_tffunction_must_be_return_values for more "
    "information.\n\n"
    "{symbol!r} was defined here:\n    {where}\n\n"
    "The tensor {symbol!r} cannot be accessed from {here}, because it was defined in {home!r}, which is out of scope."
)


class Refusals:
    """The part of a symbol that says no, where the symbol was made, and what to write instead."""

    __slots__ = ()

    name: str
    op: Any

    def _described(self) -> str:
        location = self.op.location
        made = "" if location is None else f", made at {location[0]}:{location[1]}"
        return f"{self.name} ({self.op.type}{made})"

    def _out_of_scope(self, here: str = "here") -> InaccessibleTensorError:
        """The error that the symbol was used where its graph cannot be reached."""
        where = "unknown" if self.op.location is None else str(frame_at(self.op.location))
        return InaccessibleTensorError(
            _OUT_OF_SCOPE.format(symbol=self, where=where, here=here, home=self.op.graph)
        )

    @property
    def _data(self) -> NoReturn:
        """What is computed now asks for it; a symbol that comes there has outlived its graph."""
        raise TypeError(
            str(self._out_of_scope())
        )  # TensorFlow's type where the operation is executed at once

    def __bool__(self) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: {self._described()} has no value while "
            "the graph is built. Write tf.cond or tf.where in place of `if`, tf.while_loop in place of `while`, "
            "tf.logical_and in place of `and`; or put the code into a function with @tf.function, where AutoGraph "
            "does so; or use eager execution. For `x == None` write `x is None`."
        )

    def __iter__(self) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            f"Iterating over a symbolic `tf.Tensor` is not allowed: {self._described()} has no value while the graph "
            "is built. Write tf.map_fn, tf.scan or tf.while_loop for a loop, tf.unstack(x) for a list of its rows; or "
            "put the code into a function with @tf.function, where AutoGraph does so; or use eager execution."
        )

    def __len__(self) -> NoReturn:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). Please call `x.shape` rather than `len(x)` "
            "for shape information; tf.shape(x)[0] gives it when the graph is executed."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array: {self._described()} has no value "
            "while the graph is built. This error may indicate that you're trying to pass a Tensor to a NumPy call, "
            "which is not supported: use the function of the same name in tf, or NumPy on what session.run gives."
        )

    def __float__(self) -> NoReturn:
        raise self._no_number("float")

    def __int__(self) -> NoReturn:
        raise self._no_number("int")

    def __complex__(self) -> NoReturn:
        raise self._no_number("complex")

    def __index__(self) -> NoReturn:
        raise TypeError(
            f"A symbolic tf.Tensor cannot be interpreted as an integer: {self._described()} has no value while the "
            "graph is built. Use tf.range in place of range, and x.shape for sizes that are known."
        )

    def _no_number(self, kind: str) -> TypeError:
        return TypeError(
            f"{kind}() argument must be a string or a number, not a symbolic tf.Tensor: {self._described()} has no "
            f"value while the graph is built. Use tf.cast, or {kind}() of what session.run gives."
        )

    def _no_attribute(self, name: str) -> str:
        return (
            f"'SymbolicTensor' object has no attribute '{name}': {self._described()} has no value while the graph is "
            "built. Write session.run(x) or x.eval() for its value (a NumPy array can also be fed as it is, in place "
            "of tf.ones(...) write np.ones(...)), or use eager execution."
        )
