"""Finding tensors and operations of a graph by name: `get_tensor_by_name` and its relatives."""

from __future__ import annotations

from typing import Any


class Lookup:
    """The part of a graph that finds its elements."""

    operations: list[Any]
    _by_name: dict[str, Any]

    def get_operations(self) -> list[Any]:
        """The operations, in order of creation."""
        return list(self.operations)

    def get_operation_by_name(self, name: str) -> Any:
        """The operation of this name.

        Raises:
          TypeError: the name is no string. ValueError: it is that of a tensor. KeyError: there is none.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False)

    def get_tensor_by_name(self, name: str) -> Any:
        """The tensor of this name, ``"<operation>:<number of the output>"``; errors as `get_operation_by_name`."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that an object stands for: a name, a variable, or itself.

        Raises:
          TypeError: it stands for neither. ValueError: it belongs to another graph, or is not of the kind that is
          allowed. KeyError: there is nothing of this name.
        """
        kinds = " or ".join(["Tensor"] * allow_tensor + ["Operation"] * allow_operation)
        if isinstance(obj, str):
            return self._named(obj, allow_tensor, allow_operation, kinds)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        is_tensor = hasattr(obj, "value_index")
        is_operation = hasattr(obj, "control_inputs")
        if not (is_tensor and allow_tensor or is_operation and allow_operation):
            raise TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")
        if obj.graph is not self:
            raise ValueError(
                f"{'Tensor' if is_tensor else 'Operation'} {obj} is not an element of this graph. It was made in "
                f"another one{_at(obj)}; use the graph and the session that it belongs to."
            )
        return obj

    def _named(self, name: str, allow_tensor: bool, allow_operation: bool, kinds: str) -> Any:
        operation, colon, index = name.rpartition(":")
        if not colon:
            if not allow_operation:
                if name in self._by_name:
                    raise ValueError(
                        f"The name '{name}' refers to an Operation, not a {kinds}. Tensor names must be of the form "
                        '"<op_name>:<output_index>".'
                    )
                raise ValueError(
                    f"The name '{name}' looks like an (invalid) Operation name, not a {kinds}. Tensor names must be "
                    'of the form "<op_name>:<output_index>".'
                )
            if name not in self._by_name:
                raise KeyError(f"The name '{name}' refers to an Operation not in the graph.")
            return self._by_name[name]
        if not allow_tensor:
            raise ValueError(f"Name '{name}' appears to refer to a Tensor, not a {kinds}.")
        if not index.isdigit():
            raise ValueError(
                f"The name '{name}' looks a like a Tensor name, but is not a valid one. Tensor names must be of the "
                'form "<op_name>:<output_index>".'
            )
        if operation not in self._by_name:
            raise KeyError(
                f"The name '{name}' refers to a Tensor which does not exist. The operation, '{operation}', does not "
                "exist in the graph."
            )
        outputs = self._by_name[operation].outputs
        if int(index) >= len(outputs):
            raise KeyError(
                f"The name '{name}' refers to a Tensor which does not exist. The operation, '{operation}', exists but "
                f"only has {len(outputs)} outputs."
            )
        return outputs[int(index)]


def _at(obj: Any) -> str:
    location = (obj if hasattr(obj, "control_inputs") else obj.op).location
    return "" if location is None else f" (at {location[0]}:{location[1]})"
