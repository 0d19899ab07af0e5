"""`tensorflow.python.framework.function`: `Defun`, TensorFlow 1's decorator of functions."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import gradtape.compat.v1 as _v1
from gradtape import TensorSpec, custom_gradient
from gradtape import function as _function
from gradtape._src.core.missing import missing as _missing


class Defun:
    """Makes a function of tensors of the given dtypes a `tf.function`.

    Args:
      *input_types: the dtypes of the arguments.
      func_name: of the function.
      grad_func: a function from the arguments and the cotangents of the results to the cotangents of the arguments.
      python_grad_func: the same, of an operation (of which it reads ``inputs``) and the cotangents.
      **options: without effect.

    Raises:
      ValueError: two gradients.
    """

    def __init__(
        self,
        *input_types: Any,
        func_name: str | None = None,
        grad_func: Callable[..., Any] | None = None,
        python_grad_func: Callable[..., Any] | None = None,
        **options: Any,
    ) -> None:
        if grad_func is not None and python_grad_func is not None:
            raise ValueError("Gradient defined twice: by grad_func and by python_grad_func.")
        self._signature = [TensorSpec(None, dtype) for dtype in input_types]
        self._name = func_name
        self._grad = grad_func
        if python_grad_func is not None:
            self._grad = lambda *args: python_grad_func(
                SimpleNamespace(inputs=args[: len(input_types)]), *args[len(input_types) :]
            )

    def __call__(self, f: Callable[..., Any]) -> Any:
        grad = self._grad
        if grad is not None:
            inner = f
            f = custom_gradient(lambda *xs: (inner(*xs), lambda *dys: grad(*xs, *dys)))
        made = _function(f, input_signature=self._signature, autograph=False)
        made.__name__ = self._name or getattr(f, "__name__", "function")  # type: ignore[attr-defined]
        return made


__getattr__ = _missing(__name__, globals(), base=_v1)
