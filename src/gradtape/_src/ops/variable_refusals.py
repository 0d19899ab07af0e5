"""What a variable does not do: what it has in graphs only, and operators that would change it in place."""

from __future__ import annotations

from typing import Any, NoReturn


class Refusals:
    """The part of `tf.Variable` that says no, in TensorFlow's words."""

    @property
    def initializer(self) -> None:
        """The operation that initializes it in a graph."""

    @property
    def op(self) -> NoReturn:
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> NoReturn:
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    @property
    def initial_value(self) -> NoReturn:
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    @property
    def create(self) -> NoReturn:
        raise RuntimeError("This operation is not supported when eager execution is enabled.")

    def eval(self, session: Any = None) -> NoReturn:
        raise RuntimeError("This operation is not supported when eager execution is enabled. Use .numpy().")

    def to_proto(self, export_scope: Any = None) -> NoReturn:
        raise RuntimeError("This operation is not supported when eager execution is enabled.")

    def __iadd__(self, other: Any) -> NoReturn:
        raise _not_in_place("variable += value", "variable.assign_add(value)", "variable + value")

    def __isub__(self, other: Any) -> NoReturn:
        raise _not_in_place("variable -= value", "variable.assign_sub(value)", "variable - value")

    def __imul__(self, other: Any) -> NoReturn:
        raise _not_in_place("var *= value", "var.assign(var * value)", "var * value")

    def __itruediv__(self, other: Any) -> NoReturn:
        raise _not_in_place("var /= value", "var.assign(var / value)", "var / value")

    def __ipow__(self, other: Any) -> NoReturn:
        raise _not_in_place("var **= value", "var.assign(var ** value)", "var ** value")


def _not_in_place(what: str, assign: str, out: str) -> RuntimeError:
    return RuntimeError(
        f"`{what}` with `tf.Variable`s is not supported. Use `{assign}` to modify the variable, or `out = "
        f"{out}` "
        "if you need to get a new output Tensor."
    )
