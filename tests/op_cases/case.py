"""What a row of ``op_cases`` says, and the arrays it is tried on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradtape._src.core.op import Op


@dataclass(frozen=True)
class Make:
    """An array argument: made anew for every test from a random generator and a dtype."""

    make: Callable[[np.random.Generator, np.dtype], np.ndarray]
    moves: bool = True  # whether it is differentiated

    def __call__(self, rng: np.random.Generator, dtype: Any = np.float64) -> np.ndarray:
        return self.make(rng, np.dtype(dtype))


def _filled(draw: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    def make(rng: np.random.Generator, dtype: np.dtype) -> np.ndarray:
        values = draw(rng)
        if dtype.kind == "c":
            values = values + 1j * draw(rng)
        return np.asarray(values).astype(dtype)

    return make


def normal(*shape: int) -> Make:
    """Standard normal numbers, both parts of them if complex."""
    return Make(_filled(lambda rng: rng.normal(size=shape)))


def uniform(low: float, high: float, *shape: int) -> Make:
    """Uniform between low and high: for domains, and for keeping away from a kink."""
    return Make(_filled(lambda rng: rng.uniform(low, high, size=shape)))


def away_from_zero(*shape: int) -> Make:
    """Of either sign, and of size 0.3 at least."""
    return Make(_filled(lambda rng: rng.choice([-1.0, 1.0], size=shape) * rng.uniform(0.3, 2.0, size=shape)))


def distinct(*shape: int) -> Make:
    """Numbers that differ from each other by 0.1 at least: for sorts and maxima."""
    n = int(np.prod(shape))
    return Make(_filled(lambda rng: (rng.permutation(n) * 0.1 - n * 0.05 + 0.03).reshape(shape)))


def positive_definite(*shape: int) -> Make:
    """Symmetric (Hermitian) positive definite matrices."""

    def make(rng: np.random.Generator, dtype: np.dtype) -> np.ndarray:
        a = rng.normal(size=shape) + (1j * rng.normal(size=shape) if dtype.kind == "c" else 0)
        return (a @ np.swapaxes(a.conj(), -1, -2) + shape[-1] * np.eye(shape[-1])).astype(dtype)

    return Make(make)


def integers(low: int, high: int, *shape: int, dtype: Any = np.int32) -> Make:
    return Make(lambda rng, _: rng.integers(low, high, size=shape).astype(dtype), moves=False)


def booleans(*shape: int) -> Make:
    return Make(lambda rng, _: rng.integers(0, 2, size=shape).astype(bool), moves=False)


def const(value: Any, dtype: Any = None) -> Make:
    """This very array, not differentiated."""
    return Make(lambda rng, _: np.array(value, dtype), moves=False)


def _text(value: Any) -> str:
    """A value as part of a test's name: the same in every process."""
    return type(value).__name__ if " at 0x" in repr(value) else str(value)


@dataclass
class Case:
    """A row.

    Attributes:
      op: the operation.
      args: its positional arguments; what is not a ``Make`` is passed as it is.
      ref: a function of NumPy or SciPy of the same arguments and parameters, for the value.
      params: its keyword arguments.
      wrt: positions to differentiate; all that move, by default.
      dtypes: dtypes of the moving arguments for which value, dtype and shape are checked. With a complex one the
        derivatives are checked for complex128 too.
      edges: further argument lists, at singular points: a cotangent of zero has to stay zero there.
      order: the order up to which derivatives are checked.
      rtol: for the values, in double precision.
      make_y: brings an output whose value has some freedom (signs of eigenvectors) to a standard form.
      step: brings a random step of an argument into the set that the arguments belong to (symmetric matrices).
      dynamic: the shape of the output depends on data, and the shape rule need not know it.
    """

    op: Op
    args: Sequence[Any]
    ref: Callable[..., Any] | None = None
    params: dict[str, Any] = field(default_factory=dict)
    wrt: Sequence[int] | None = None
    dtypes: Sequence[str] = ("float64", "float32")
    edges: Sequence[Sequence[Any]] = ()
    order: int = 2
    rtol: float = 1e-12
    make_y: Callable[[Any], Any] | None = None
    step: Callable[[Any], Any] = lambda e: e
    dynamic: bool = False

    def __post_init__(self) -> None:
        if self.wrt is None:
            moving = [i for i, arg in enumerate(self.args) if isinstance(arg, Make) and arg.moves]
            rules = self.op.vjps
            self.wrt = [i for i in moving if rules is None or (i < len(rules) and rules[i] is not None)]
        if not self.op.differentiable:
            self.order = 0

    @property
    def id(self) -> str:
        shapes = [
            str(np.shape(a(np.random.default_rng(0)))).replace(" ", "")
            for a in self.args
            if isinstance(a, Make)
        ]
        params = [f"{k}={_text(v)}" for k, v in self.params.items()]
        return "-".join([self.op.name, *shapes, *params])

    def draw(self, seed: int = 0, dtype: Any = None, edge: Sequence[Any] | None = None) -> list[Any]:
        """The arguments, raw; in double precision if it is not said."""
        if dtype is None:
            dtype = "float64" if "float64" in self.dtypes else self.dtypes[0]
        rng = np.random.default_rng(seed)
        return [arg(rng, dtype) if isinstance(arg, Make) else arg for arg in (edge or self.args)]
