"""`InputSpec`: what a layer asks of its inputs, and the errors of inputs that are otherwise."""

from __future__ import annotations

from typing import Any

from gradtape._src.core.nest import flatten
from gradtape._src.core.values import shape_of


class InputSpec:
    """What an input of a layer must be: its rank, and the sizes of some of its axes.

    Args:
      dtype: for information.
      shape: of the input, with None for any size.
      ndim, max_ndim, min_ndim: of its number of dimensions.
      axes: a dictionary: axis -> size.
      allow_last_axis_squeeze: whether a last axis of size 1 may be missing, or be there although not asked for.
      name: of the input.
      optional: whether it may be None.

    >>> import gradtape as tf
    >>> tf.keras.layers.InputSpec(min_ndim=2, axes={-1: 3})
    InputSpec(min_ndim=2, axes={-1: 3})

    As Keras 3.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Any = None,
        allow_last_axis_squeeze: bool = False,
        name: str | None = None,
        optional: bool = False,
    ) -> None:
        self.dtype, self.name, self.optional = dtype, name, optional
        self.shape = None if shape is None else tuple(shape)
        self.ndim = ndim if shape is None else len(tuple(shape))
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.allow_last_axis_squeeze = allow_last_axis_squeeze
        if axes is not None and not isinstance(axes, dict):
            raise TypeError(f"Argument `axes` must be a dict. Received: {axes}")
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        limit = ndim if ndim is not None else max_ndim
        if limit is not None and any(axis >= limit for axis in self.axes):
            raise ValueError(
                f"Axis {max(self.axes)} is greater than the maximum allowed value: {limit - 1}. Received: axes={axes}"
            )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a specification like this one."""
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """The specification of `get_config`."""
        return cls(**config)

    def __repr__(self) -> str:
        parts = {"dtype": self.dtype, "shape": self.shape, "ndim": self.ndim}
        parts |= {"max_ndim": self.max_ndim, "min_ndim": self.min_ndim, "axes": self.axes}
        return f"InputSpec({', '.join(f'{k}={v}' for k, v in parts.items() if v)})"


def check_inputs(specs: Any, inputs: Any, layer: str) -> None:
    """Compares the inputs of a layer with its specification.

    Raises:
      ValueError: they differ.
    """
    if not specs:
        return
    specs = flatten(specs)
    values = _by_name(specs, inputs) if isinstance(inputs, dict) else flatten(inputs)
    if len(values) != len(specs):
        raise ValueError(
            f'Layer "{layer}" expects {len(specs)} input(s), but it received {len(values)} input tensors. Inputs '
            f"received: {inputs}"
        )
    for i, (spec, x) in enumerate(zip(specs, values)):
        if spec is None or (x is None and spec.optional):
            continue
        shape = shape_of(x) if hasattr(x, "shape") else None
        if shape is not None:
            _check(
                spec,
                tuple(shape),
                f"Input {i} with name '{spec.name}' of layer '{layer}' is incompatible with the layer: ",
            )


def _by_name(specs: list[Any], inputs: dict[str, Any]) -> list[Any]:
    names = [spec.name for spec in specs]
    return [inputs[name] for name in names] if all(name in inputs for name in names) else flatten(inputs)


def _check(spec: InputSpec, shape: tuple[Any, ...], where: str) -> None:
    """One input."""
    ndim = len(shape)
    squeezed = spec.allow_last_axis_squeeze and spec.ndim is not None
    if spec.ndim is not None and ndim != spec.ndim and not (squeezed and abs(ndim - spec.ndim) == 1):
        raise ValueError(f"{where}expected ndim={spec.ndim}, found ndim={ndim}. Full shape received: {shape}")
    if spec.max_ndim is not None and ndim > spec.max_ndim:
        raise ValueError(f"{where}expected max_ndim={spec.max_ndim}, found ndim={ndim}")
    if spec.min_ndim is not None and ndim < spec.min_ndim:
        raise ValueError(
            f"{where}expected min_ndim={spec.min_ndim}, found ndim={ndim}. Full shape received: {shape}"
        )
    for axis, size in spec.axes.items():
        if size is not None and -ndim <= axis < ndim and shape[axis] not in (size, None):
            raise ValueError(
                f"{where}expected axis {axis} of input shape to have value {size}, but received input with shape "
                f"{shape}"
            )
    if spec.shape is not None:
        wanted = spec.shape
        if squeezed and wanted[-1:] == (1,) and ndim == len(wanted) - 1:
            wanted = wanted[:-1]
        if squeezed and shape[-1:] == (1,) and ndim == len(wanted) + 1:
            shape = shape[:-1]
        if any(None not in (m, n) and m != n for m, n in zip(wanted, shape)):
            raise ValueError(f"{where}expected shape={spec.shape}, found shape={shape}")
