"""One record per operation: its kernel and every rule about it, made in one statement beside the kernel.

    tanh = unary("Tanh", np.tanh, vjp=lambda g, y, x: g * (1 - y * y), reads="y")

Rules are written in operations and Python operators, one function for each input, so that one text serves all
executions: called with raw arrays an ``Op`` is its kernel; called with tensors it is executed (or given to the
context's interpreter: a graph builder, a batcher) and shown to the recorders. Array arguments are positional,
metadata is keyword. ``None`` is a structural zero.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache, wraps
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy import ndarray

from gradtape._src.core.context import NO_PARAMS, current
from gradtape._src.core.convert import NotOneTensor, as_operands, as_tensor
from gradtape._src.core.dtypes import DTYPES, from_numpy
from gradtape._src.core.errors import InvalidArgumentError
from gradtape._src.core.shapes import broadcast
from gradtape._src.core.values import Described, EagerTensor, Tensor, dtype_of, shape_of

_new = object.__new__
Rule = Callable[..., Any]

# TensorFlow's arithmetic is silent about divisions by zero, overflows and invalid operands. NumPy's is made so here: by
# a filter for its warnings; in silence from the start for the operations that meet such operands in everyday programs,
# because the filters that a test runner sets hide ours; and where the user has asked for errors, by a second run.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"gradtape\._src\.")
FLOATING_POINT_COMPLAINTS = (FloatingPointError, RuntimeWarning)
_LOUD = frozenset(
    "Log Log1p Sqrt Rsqrt Reciprocal Inv RealDiv Div Pow Exp Expm1 Acos Asin Acosh Atanh Sinh Cosh Cast Xlogy "
    "Xdivy Xlog1py LogSumExp Softplus Mod FloorMod FloorDiv TruncateDiv TruncateMod Tan Square L2Loss".split()
)

_HAS_STAR_ARGS = 4  # inspect.CO_VARARGS


class Op:
    """An operation.

    Attributes:
      name: TensorFlow's name of it (``"MatMul"``), as graphs and error messages show it.
      kernel: raw arrays to a raw array, or to a tuple of them if ``multi``.
      vjps: one rule an input, ``rule(g, y, *xs, **params)`` giving the cotangent of that input from the output's
        cotangent ``g``, or None for an input without a derivative. A rule may ignore broadcasting: the sweep sums
        a cotangent to the shape of its input.
      vjp_all: instead of ``vjps``, for operations with any number of inputs or with work shared between their
        cotangents: ``rule(wanted, g, y, *xs, **params)`` gives a sequence with one entry an input, where
        ``wanted[i]`` says whether anybody needs entry ``i``.
      reads: the arguments of the rules whose *data* they use, by the rules' own names of them, separated by spaces;
        a tape keeps no others, and a rule sees a Ghost (shape and dtype) in their place. A tuple gives one such
        string a rule. None: all.
      vanishing: positions of inputs that the output depends on with a derivative that is zero wherever it exists. Their
        entry in ``vjps`` is None; but a path through them is a path, and what is at its end has the derivative zero.
      jvp: ``rule(ts, y, *xs, **params)`` gives the output's tangent; ``ts[i]`` is the tangent of input ``i``, or
        None. Of several outputs a tangent may be a function that gives it, if it is seldom asked for. Without a rule:
        ``elementwise``, ``linear`` and ``multilinear`` operations need none, others get it from two applications of
        the vjp.
      elementwise: output element i depends on the inputs' elements i only (after broadcasting).
      linear: positions of the inputs in which the operation is jointly linear.
      multilinear: positions of the inputs in each of which it is linear.
      batch: ``rule(n, xs, batched, **params)`` computes n applications at once; ``xs[i]`` has a leading axis of
        length n where ``batched[i]``. Without it an elementwise operation is batched by broadcasting, any other
        by a loop.
      shape: ``rule(*args, **params)`` gives the output's shape (a list of shapes if ``multi``); dimensions may be
        None, and so may a whole shape. Without it: broadcasting.
      dtype: the output's dtype, or a rule like ``shape``. Without it: that of the first tensor.
      accepts: kinds of dtype that the first input may have, see ``dtype_numbers``.
      same_dtype: all inputs must be of one dtype.
      absorbing: the operation to use instead in arithmetic where zero absorbs infinity and NaN.
      holomorphic: on complex arrays the vjp is written like a real one, ``g * f'(x)`` without conjugations, and the
        sweep conjugates around it: TensorFlow's cotangent is ``g * conj(f'(x))``. An operation that mixes real and
        complex, or conjugates, says False and gives its cotangent as it is.
      takes_slices: the vjp can work with an IndexedSlices; otherwise the sweep makes it dense first.
      takes_none: the vjp can work with None as the cotangent of an output (of several) that nobody used, and with an
        IndexedSlices; otherwise it gets zeros.
      lazy: the kernel takes ``used``, which says of each output whether anybody reads it, and may give None for
        the others.
      stateful: two calls with the same arguments may differ, or the call has an effect.
    """

    __slots__ = (
        "absorbing", "accepts", "batch", "differentiable", "dtype_rule", "elementwise", "holomorphic", "jvp",
        "keeps", "keeps_for", "keeps_rest", "keeps_y", "kernel", "lazy", "linear", "multi", "multilinear",
        "name", "plain", "same_dtype", "shape_rule", "stateful", "takes_none", "takes_slices", "unguarded",
        "vanishing", "vjp_all", "vjps",
    )  # fmt: skip

    arity: int | None = None  # known and fixed for the subclasses made for speed

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        vjp: Rule | tuple[Rule | None, ...] | None = None,
        *,
        vjp_all: Rule | None = None,
        reads: str | tuple[str, ...] | None = None,
        vanishing: tuple[int, ...] = (),
        jvp: Rule | None = None,
        elementwise: bool = False,
        linear: tuple[int, ...] | None = None,
        multilinear: tuple[int, ...] | None = None,
        batch: Rule | None = None,
        shape: Rule | None = None,
        dtype: Any = None,
        accepts: str = "any",
        same_dtype: bool = False,
        multi: bool = False,
        absorbing: Op | None = None,
        stateful: bool = False,
        takes_slices: bool = False,
        takes_none: bool = False,
        holomorphic: bool = True,
        lazy: bool = False,
    ) -> None:
        self.name = name
        self.kernel = _silent(kernel) if name in _LOUD else kernel
        self.vjps: Any = vjp if vjp is None or isinstance(vjp, tuple) else (vjp,)
        self.vjp_all = vjp_all
        self.differentiable = vjp is not None or vjp_all is not None
        self.plain = self.differentiable and dtype is None  # a tape need not ask what dtype it makes
        self.vanishing = vanishing
        self.jvp = jvp
        self.elementwise = elementwise
        self.linear = linear
        self.multilinear = multilinear
        self.batch = batch
        self.shape_rule = shape
        self.dtype_rule = dtype
        self.accepts = dtype_numbers(accepts)
        self.same_dtype = same_dtype
        self.multi = multi
        self.absorbing = absorbing
        self.unguarded: Op | None = None  # of an absorbing form: the operation whose form it is
        if absorbing is not None:
            absorbing.unguarded = self
        self.stateful = stateful
        self.takes_none = takes_none
        self.takes_slices = takes_slices
        self.holomorphic = holomorphic
        self.lazy = lazy
        self._read(reads)

    def _read(self, reads: str | tuple[str, ...] | None) -> None:
        """Works out which arguments a tape must keep, from the rules' own names of them."""
        self.keeps_y, self.keeps_rest = False, False
        self.keeps: Any = ()
        # Whether a unary operation keeps x; what a binary one keeps if a tape follows neither input, x, y, both.
        self.keeps_for: Any = (None, None, None, None)
        if not self.differentiable:
            if self.arity == 2:  # a tape notes that a path ends here
                self.keeps_for = (None, (), (), ())
            return
        rules = self.vjps or (self.vjp_all,)
        texts = reads if isinstance(reads, tuple) else [reads] * len(rules)
        pairs = list(zip(rules, texts, strict=True))
        needs = [self._needs(rule, text) for rule, text in pairs if rule is not None]
        self.keeps_y = any(y for y, _, _ in needs)
        self.keeps = tuple(map(any, zip_longest(*(xs for _, xs, _ in needs), fillvalue=False)))
        self.keeps_rest = any(rest for _, _, rest in needs)
        if self.arity == 1:
            self.keeps_for = self.keeps[0]
        if self.arity == 2:
            first, second = (
                (False, False, False)
                if rule is None
                else (*self._needs(rule, text)[1], self._needs(rule, text)[0])
                for rule, text in pairs
            )
            both = tuple(p or q for p, q in zip(first, second, strict=True))
            self.keeps_for = (None, first, second, both)

    def _needs(self, rule: Rule, reads: str | None) -> tuple[bool, list[bool], bool]:
        """Whether one rule reads y, each of the inputs it names, and the inputs it takes as ``*xs``."""
        code = rule.__code__
        first = 1 if self.vjp_all is None else 2  # after g, or after wanted and g
        y, *xs = code.co_varnames[first : code.co_argcount]
        rest = (
            code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
            if code.co_flags & _HAS_STAR_ARGS
            else None
        )
        words = {y, rest, *xs} if reads is None else set(reads.split())
        if not words <= {y, rest, *xs}:
            raise TypeError(
                f"{self.name}: reads={reads!r} names arguments that its rule does not take: {(y, *xs, rest)}"
            )
        return y in words, [x in words for x in xs], rest in words

    def __call__(self, *args: Any, name: str | None = None, **params: Any) -> Any:
        for arg in args:
            if isinstance(arg, Tensor):
                return apply(self, args, params, name)
        return self.kernel(*args, **params)

    def of(self, *args: Any, name: str | None = None, **params: Any) -> Any:
        """The operation on tensors: gives a tensor also when no argument is one. What public functions call."""
        return apply(self, args, params, name)

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def execute(self, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The output tensors of the kernel, computed now. Every argument has its data."""
        raw = [arg._data if type(arg) is EagerTensor else arg for arg in args]
        try:
            self.check_dtypes(raw)
        except Described as found:
            return found.tensor.stands_in(self, args, params)
        out = self.run(raw, params)
        if type(out) is bytes:  # what NumPy takes out of an array of strings is no array
            out = np.array(out, object)
        return tuple(map(EagerTensor, out)) if self.multi else EagerTensor(out)

    def run(self, raw: Sequence[Any], params: dict[str, Any]) -> Any:
        """The kernel, without a word about infinities and NaNs."""
        try:
            return self.kernel(*raw, **params)
        except FLOATING_POINT_COMPLAINTS:
            with np.errstate(all="ignore"):
                return self.kernel(*raw, **params)

    def check_dtypes(self, args: Sequence[Any]) -> None:
        """Refuses what TensorFlow would refuse, with its exception type."""
        first = None
        for i, arg in enumerate(args):
            if type(arg) is ndarray:
                dtype: Any = arg.dtype
            else:
                dtype = getattr(arg, "dtype", None)
                if dtype is None:
                    continue
                if not isinstance(dtype, np.dtype):
                    if isinstance(
                        arg, Tensor
                    ):  # without data: a symbol that has outlived its graph, which says so
                        arg._data  # noqa: B018
                    dtype = dtype.np  # of a variable
            if first is None:
                first = dtype
                if dtype.num not in self.accepts and from_numpy(dtype).np.num not in self.accepts:
                    allowed = ", ".join(
                        _kernel_name(d.np) for d in DTYPES.values() if d.np.num in self.accepts
                    )
                    if len(self.accepts) == 1:  # TensorFlow says it so where the dtype is no attribute
                        raise InvalidArgumentError.of(
                            f"cannot compute {self.name} as input #{i}(zero-based) was expected to be a {allowed} "
                            f"tensor but is a {_kernel_name(dtype)} tensor [Op:{self.name}]. "
                            f"Use tf.cast to convert the input."
                        )
                    raise InvalidArgumentError.of(
                        f"Value for attr 'T' of {_kernel_name(dtype)} is not in the list of allowed values: {allowed} "
                        f"[Op:{self.name}]. Use tf.cast to convert the input."
                    )
            elif self.same_dtype and dtype != first:
                raise InvalidArgumentError.of(
                    f"cannot compute {self.name} as input #{i}(zero-based) was expected to be a "
                    f"{_kernel_name(first)} tensor but is a {_kernel_name(dtype)} tensor [Op:{self.name}]. "
                    f"Use tf.cast to bring both to one dtype."
                )

    def infer(self, args: Sequence[Any], params: dict[str, Any]) -> list[tuple[Any, np.dtype]]:
        """Shape and dtype of each output, from arguments that need not have data."""
        if self.shape_rule is not None:
            shapes: Any = self.shape_rule(*args, **params)
        else:
            shapes = broadcast(*map(shape_of, args))
        if not self.multi:
            shapes = [shapes]
        dtypes: Any = self.dtype_rule
        if dtypes is None:
            dtypes = next(dtype_of(arg) for arg in args if hasattr(arg, "dtype"))
        elif callable(dtypes) and not isinstance(dtypes, type):
            dtypes = dtypes(*args, **params)
        dtypes = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes] * len(shapes)
        return [(shape, np.dtype(dtype)) for shape, dtype in zip(shapes, dtypes, strict=True)]


def _silent(kernel: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(kernel, assigned=())
    def silent(*args: Any, **params: Any) -> Any:
        with np.errstate(all="ignore"):
            return kernel(*args, **params)

    return silent


def _kernel_name(dtype: np.dtype) -> str:
    """TensorFlow's errors speak of float, double and half tensors."""
    name = from_numpy(dtype).name
    return {"float32": "float", "float64": "double", "float16": "half"}.get(name, name)


def apply(op: Op, args: tuple[Any, ...], params: dict[str, Any], name: str | None = None) -> Any:
    """Executes an operation on tensors, or hands it to the interpreter; then shows it to the recorders."""
    interpreter, recorders = current()
    out = op.execute(args, params) if interpreter is None else interpreter.apply(op, args, params, name)
    for recorder in recorders:
        recorder.record(op, args, params, out)
    return out


_KINDS = {
    "any": lambda d: True,
    "float": lambda d: d.is_floating,
    "complex": lambda d: d.is_complex,
    "int": lambda d: d.is_integer,
    "signed": lambda d: d.is_integer and not d.is_unsigned,
    "bool": lambda d: d.is_bool,
    "string": lambda d: d is DTYPES["string"],
}


@cache
def dtype_numbers(kinds: str) -> frozenset[int]:
    """NumPy's numbers of the dtypes of these kinds or names (``"float complex"``, ``"int32 int64"``).

    What ``Op.accepts`` looks a dtype up in.
    """
    return frozenset(
        d.np.num
        for d in DTYPES.values()
        for kind in kinds.split()
        if (d.name == kind if kind in DTYPES else _KINDS[kind](d))
    )


class Unary(Op):
    """An operation of one input and no parameters: the same as Op, with less to do for each call."""

    __slots__ = ()
    arity = 1

    def __call__(self, x: Any, name: str | None = None) -> Any:  # type: ignore[override]
        return self.of(x, name) if isinstance(x, Tensor) else self.kernel(x)

    def of(self, x: Any, name: str | None = None) -> Any:  # type: ignore[override]
        """The operation on anything that converts to a tensor."""
        if type(x) is not EagerTensor:
            try:
                x = as_tensor(x)
            except NotOneTensor:
                several: Any = type(x)
                return several._elementwise(self.of, x)
            if type(x) is not EagerTensor:
                return apply(self, (x,), NO_PARAMS, name)
        interpreter, recorders = current()
        if interpreter is not None:
            return apply(self, (x,), NO_PARAMS, name)
        data = x._data
        if data.dtype.num not in self.accepts:
            self.check_dtypes((data,))
        out = _new(EagerTensor)
        out._ghost = None
        try:
            out._data = self.kernel(data)
        except FLOATING_POINT_COMPLAINTS:
            out._data = self.run((data,), NO_PARAMS)
        for recorder in recorders:
            recorder.record_unary(self, x, out)
        return out


class Binary(Op):
    """An operation of two inputs without parameters: likewise."""

    __slots__ = ()
    arity = 2

    def __call__(self, x: Any, y: Any, name: str | None = None) -> Any:  # type: ignore[override]
        if type(x) is ndarray is type(y):
            return self.kernel(x, y)
        if type(x) is EagerTensor is type(y):
            return self.of(x, y, name)
        if isinstance(x, Tensor) or isinstance(y, Tensor):
            return apply(self, (x, y), NO_PARAMS, name)
        return self.kernel(x, y)

    def of(self, x: Any, y: Any, name: str | None = None) -> Any:  # type: ignore[override]
        """The operation on anything that converts to tensors; a Python number takes the other operand's dtype."""
        if type(x) is not EagerTensor or type(y) is not EagerTensor:
            try:
                x, y = as_operands(x, y) if self.same_dtype else (as_tensor(x), as_tensor(y))
            except NotOneTensor:
                several: Any = type(x) if hasattr(type(x), "_elementwise") else type(y)
                return several._elementwise(self.of, x, y)
        interpreter, recorders = current()
        if interpreter is not None:
            return apply(self, (x, y), NO_PARAMS, name)
        try:
            a = x._data if type(x) is EagerTensor or isinstance(x, Tensor) else x
            b = y._data if type(y) is EagerTensor or isinstance(y, Tensor) else y
            dtype: Any = a.dtype
            if dtype is not b.dtype or dtype.num not in self.accepts:
                self.check_dtypes((a, b))
        except (Described, AttributeError):  # a tensor without data: `execute` says what becomes of it
            return apply(self, (x, y), NO_PARAMS, name)
        out = _new(EagerTensor)
        out._ghost = None
        try:
            out._data = self.kernel(a, b)
        except FLOATING_POINT_COMPLAINTS:
            out._data = self.run((a, b), NO_PARAMS)
        except ValueError:
            raise self.shapes_do_not_fit(a, b) from None
        for recorder in recorders:
            recorder.record_binary(self, x, y, out)
        return out

    def run(self, raw: Sequence[Any], params: dict[str, Any]) -> Any:
        try:
            return super().run(raw, params)
        except ValueError:
            raise self.shapes_do_not_fit(*raw) from None

    def shapes_do_not_fit(self, a: Any, b: Any) -> Exception:
        return InvalidArgumentError.of(
            f"Incompatible shapes: {_shape_text(a)} vs. {_shape_text(b)} [Op:{self.name}]"
        )


def _shape_text(x: Any) -> str:
    return "[" + ",".join(map(str, x.shape)) + "]"
