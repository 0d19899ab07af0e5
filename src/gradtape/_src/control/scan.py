"""``map_fn``, ``scan``, ``foldl`` and ``foldr``: a function along the first axis.

The input is taken apart by one operation and the results are put together by one, so that n elements cost O(n),
forwards and backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gradtape._src.control.body import is_symbolic
from gradtape._src.control.graph_forms import graph_scan
from gradtape._src.control.tensor_array import TensorArray
from gradtape._src.core.convert import as_tensor
from gradtape._src.core.dtypes import as_dtype, from_numpy
from gradtape._src.core.errors import OutOfRangeError
from gradtape._src.core.log import warn
from gradtape._src.core.nest import assert_same_structure, flatten, map_structure, pack_sequence_as
from gradtape._src.core.notes import note
from gradtape._src.core.specs import TensorSpec
from gradtape._src.core.values import Tensor, dtype_of, shape_of
from gradtape._src.ops.arrays import expand_dims, stop_gradient
from gradtape._src.ops.joining import concat, unpack
from gradtape._src.ops.variables import Variable


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """``tf.stack([fn(x) for x in elems])``, for nests of tensors too.

    Args:
      fn: a function of one element: of a tensor, or of a nest with the structure of ``elems``.
      elems: a tensor, or a nest of tensors with equal first dimensions.
      fn_output_signature: dtypes (or ``tf.TensorSpec``) in the structure of what ``fn`` returns, if that differs from
        ``elems`` in structure or dtype. ``dtype`` is its older name.
      back_prop: False stops the gradient at the result.
      parallel_iterations, swap_memory: without effect.
      infer_shape: all results have one shape.

    Returns:
      Tensors of shape (n, …), in the structure of what ``fn`` returns.

    Raises:
      ValueError: an element of ``elems`` is a scalar, or there is none; first dimensions differ; ``fn`` returns
        another structure or shape.
      InvalidArgumentError: ``fn`` returns another dtype.

    Example:
    >>> import gradtape as tf
    >>> print(tf.map_fn(lambda a: a**2, tf.constant([1.0, 2.0, 3.0])))
    tf.Tensor([1. 4. 9.], shape=(3,), dtype=float32)

    As TensorFlow 2.21.
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    if parallel_iterations is not None and parallel_iterations > 1:
        warn(
            "Setting parallel_iterations > 1 has no effect when executing eagerly. Consider calling map_fn with "
            "tf.function to execute fn in parallel.",
            first=1,
        )
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if is_symbolic():
        return _mapped(fn, elems, signature, back_prop, name)
    n, columns = _columns(elems)
    if signature is None:
        signature = map_structure(lambda x: from_numpy(dtype_of(as_tensor(x))), elems)
    arrays = [_array(spec, n, infer_shape) for spec in flatten(signature)]
    for i in range(n):
        result = fn(pack_sequence_as(elems, [column[i] for column in columns]))
        assert_same_structure(signature, result)
        arrays = [array.write(i, x) for array, x in zip(arrays, flatten(result), strict=True)]
    return _noted([elems], _packed(signature, [array.stack() for array in arrays], back_prop))


def _noted(given: Any, result: Any) -> Any:
    """The result of a loop of Python; tells who wants to know that it was one."""
    tensors = lambda structure: [x for x in flatten(structure) if isinstance(x, (Tensor, Variable))]
    note("whole", "While", tensors(given), tensors(result))
    return result


def _columns(elems: Any) -> tuple[int, list[list[Any]]]:
    """The number of elements, and the elements of each tensor of the nest."""
    flat = [as_tensor(x) for x in flatten(elems)]
    if not flat:
        raise ValueError(
            f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which does not contain any "
            f"Tensors."
        )
    if any(shape_of(x) == () for x in flat):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    n = shape_of(flat[0])[0]
    for x in flat[1:]:
        if shape_of(x)[0] != n:
            raise ValueError(
                f"Dimensions {n} and {shape_of(x)[0]} are not compatible: elems differ in first dimension."
            )
    return n, [list(unpack(x, num=n, axis=0)) if n else [] for x in flat]


def _array(spec: Any, n: int, infer_shape: bool) -> TensorArray:
    if isinstance(spec, TensorSpec):
        return TensorArray(spec.dtype, n, infer_shape=infer_shape, element_shape=spec.shape)
    return TensorArray(spec, n, infer_shape=infer_shape)


def _packed(structure: Any, flat: list[Any], back_prop: bool) -> Any:
    return pack_sequence_as(structure, flat if back_prop else [stop_gradient(x) for x in flat])


# --- In a graph ---------------------------------------------------------------------------------------------


def _tensors(elems: Any) -> list[Any]:
    """The tensors of ``elems``, with an axis to go along."""
    flat = [as_tensor(x) for x in flatten(elems)]
    if not flat:
        raise ValueError(
            f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which does not contain any "
            f"Tensors."
        )
    if any(shape_of(x) == () for x in flat):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    lengths = {shape_of(x)[0] for x in flat if shape_of(x) is not None} - {None}
    if len(lengths) > 1:
        a, b = sorted(lengths)[:2]
        raise ValueError(f"Dimensions {a} and {b} are not compatible: elems differ in first dimension.")
    return flat


def _mapped(fn: Callable[..., Any], elems: Any, signature: Any, back_prop: bool, name: str | None) -> Any:
    def step(carry: list[Any], row: list[Any]) -> tuple[list[Any], list[Any]]:
        result = fn(pack_sequence_as(elems, row))
        assert_same_structure(elems if signature is None else signature, result)
        return [], flatten(result)

    columns = _tensors(elems)
    _, rows = graph_scan(step, [], columns, False, name)
    specs = [from_numpy(dtype_of(x)) for x in columns] if signature is None else flatten(signature)
    for spec, x in zip(specs, rows, strict=True):
        wanted = spec.dtype if isinstance(spec, TensorSpec) else as_dtype(spec)
        if from_numpy(dtype_of(x)) is not wanted:
            raise TypeError(
                f"fn returns the dtype {from_numpy(dtype_of(x)).name} where {wanted.name} was expected. Give "
                f"fn_output_signature, or use tf.cast."
            )
    return _packed(elems if signature is None else signature, rows, back_prop)


def _folded(
    fn: Callable[..., Any], elems: Any, initializer: Any, reverse: bool, all_results: bool, name: str | None
) -> tuple[list[Any], list[Any]]:
    """The last accumulated value, and if wanted all of them, stacked."""
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    structure = elems if initializer is None else initializer
    columns = _tensors(elems)
    if initializer is None:
        start = [x[-1] if reverse else x[0] for x in columns]
        columns = [x[:-1] if reverse else x[1:] for x in columns]
    else:
        start = [as_tensor(x) for x in flatten(initializer)]

    def step(carry: list[Any], row: list[Any]) -> tuple[list[Any], list[Any]]:
        result = fn(pack_sequence_as(structure, carry), pack_sequence_as(elems, row))
        assert_same_structure(structure, result)
        flat = flatten(result)
        return flat, flat if all_results else []

    last, rows = graph_scan(step, start, columns, reverse, name)
    if initializer is None and all_results:
        firsts = [expand_dims(x, axis=0) for x in start]
        rows = [
            concat(r, f, axis=0) if reverse else concat(f, r, axis=0)
            for r, f in zip(rows, firsts, strict=True)
        ]
    return last, rows


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All intermediate results of a fold: y[i] = fn(y[i-1], x[i]).

    Args:
      fn: a function of the accumulated value and an element.
      elems: a tensor, or a nest of tensors with equal first dimensions.
      initializer: y[-1]; it determines the structure and the dtypes of the result. Without it the first element is
        the first result, and the result has the structure of ``elems``.
      reverse: goes from the last element to the first; y[i] = fn(y[i+1], x[i]).
      back_prop: False stops the gradient at the result.
      parallel_iterations, swap_memory: without effect.
      infer_shape: all results have one shape.

    Returns:
      Tensors of shape (n, …), in the structure of the accumulated value.

    Raises:
      ValueError: an element of ``elems`` is a scalar; ``fn`` returns another structure or shape.
      InvalidArgumentError: ``fn`` returns another dtype.
      OutOfRangeError: no elements and no initializer.

    Example:
    >>> import gradtape as tf
    >>> print(tf.scan(lambda a, x: a * x, tf.constant([1.0, 2.0, 3.0, 4.0])))
    tf.Tensor([ 1.  2.  6. 24.], shape=(4,), dtype=float32)

    As TensorFlow 2.21.
    """
    if is_symbolic():
        _, rows = _folded(fn, elems, initializer, reverse, True, name)
        return _packed(elems if initializer is None else initializer, rows, back_prop)
    results = list(_fold(fn, elems, initializer, reverse))
    _, first = results[0]
    n = len(results) - (initializer is not None)
    arrays = [TensorArray(from_numpy(dtype_of(x)), n, infer_shape=infer_shape) for x in first]
    for position, value in results:
        if position is not None:
            arrays = [array.write(position, x) for array, x in zip(arrays, value, strict=True)]
    found = _packed(
        elems if initializer is None else initializer, [array.stack() for array in arrays], back_prop
    )
    return _noted([elems, initializer], found)


def _fold(
    fn: Callable[..., Any], elems: Any, initializer: Any, reverse: bool
) -> Iterator[tuple[int | None, list[Any]]]:
    """Yields (position, accumulated value) for each result of a fold; first the initializer, with position None."""
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")
    n, columns = _columns(elems)
    positions = iter(range(n - 1, -1, -1) if reverse else range(n))
    element = lambda i: [column[i] for column in columns]
    if initializer is not None:
        position, value = None, [as_tensor(x) for x in flatten(initializer)]
    elif n:
        position = next(positions)
        value = element(position)
    else:
        raise OutOfRangeError.of(
            "Tried to read from index 0 but array size is: 0. There are no elements; give an initializer."
        )
    yield position, value
    structure = elems if initializer is None else initializer
    for position in positions:
        result = fn(pack_sequence_as(structure, value), pack_sequence_as(elems, element(position)))
        assert_same_structure(structure, result)
        value = [as_tensor(x) for x in flatten(result)]
        yield position, value


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds from the first element to the last: fn(…fn(fn(initializer, x[0]), x[1])…, x[n-1]).

    Args:
      fn: a function of the accumulated value and an element.
      elems: a tensor, or a nest of tensors with equal first dimensions.
      initializer: the accumulated value before the first step; it determines the structure of the result. Without it
        the first element is taken, and the result has the structure of ``elems``.
      back_prop: False stops the gradient at the result.
      parallel_iterations, swap_memory: without effect.

    Raises:
      ValueError: an element of ``elems`` is a scalar; ``fn`` returns another structure.
      OutOfRangeError: no elements and no initializer.

    Example:
    >>> import gradtape as tf
    >>> print(tf.foldl(lambda a, x: 10 * a + x, tf.constant([1, 2, 3])))
    tf.Tensor(123, shape=(), dtype=int32)

    As TensorFlow 2.21.
    """
    return _last(fn, elems, initializer, back_prop, reverse=False)


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds from the last element to the first: fn(…fn(fn(initializer, x[n-1]), x[n-2])…, x[0]).

    Args:
      fn: a function of the accumulated value and an element.
      elems: a tensor, or a nest of tensors with equal first dimensions.
      initializer: the accumulated value before the first step; it determines the structure of the result. Without it
        the last element is taken, and the result has the structure of ``elems``.
      back_prop: False stops the gradient at the result.
      parallel_iterations, swap_memory: without effect.

    Raises:
      ValueError: an element of ``elems`` is a scalar; ``fn`` returns another structure.
      OutOfRangeError: no elements and no initializer.

    Example:
    >>> import gradtape as tf
    >>> print(tf.foldr(lambda a, x: 10 * a + x, tf.constant([1, 2, 3])))
    tf.Tensor(321, shape=(), dtype=int32)

    As TensorFlow 2.21.
    """
    return _last(fn, elems, initializer, back_prop, reverse=True)


def _last(fn: Callable[..., Any], elems: Any, initializer: Any, back_prop: bool, reverse: bool) -> Any:
    if is_symbolic():
        last, _ = _folded(fn, elems, initializer, reverse, False, None)
        return _packed(elems if initializer is None else initializer, last, back_prop)
    value: list[Any] = []
    for _, result in _fold(fn, elems, initializer, reverse):
        value = result
    found = _packed(elems if initializer is None else initializer, value, back_prop)
    return _noted([elems, initializer], found)
