"""Collections: lists of things that belong to a graph, by key, and the keys that TensorFlow uses."""

from __future__ import annotations

import re
from typing import Any


class GraphKeys:
    """The standard names of a graph's collections (`tf.compat.v1.GraphKeys`), as TensorFlow 2.21 (1.15).

    >>> import gradtape.compat.v1 as tf
    >>> tf.GraphKeys.GLOBAL_VARIABLES
    'variables'
    """

    ACTIVATIONS = "activations"
    ASSET_FILEPATHS = "asset_filepaths"
    BIASES = "biases"
    CONCATENATED_VARIABLES = "concatenated_variables"
    COND_CONTEXT = "cond_context"
    EVAL_STEP = "eval_step"
    GLOBAL_STEP = "global_step"
    GLOBAL_VARIABLES = "variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    LOCAL_RESOURCES = "local_resources"
    LOCAL_VARIABLES = "local_variables"
    LOSSES = "losses"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    QUEUE_RUNNERS = "queue_runners"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    READY_OP = "ready_op"
    REGULARIZATION_LOSSES = "regularization_losses"
    RESOURCES = "resources"
    SAVEABLE_OBJECTS = "saveable_objects"
    SAVERS = "savers"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    TABLE_INITIALIZERS = "table_initializer"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    TRAIN_OP = "train_op"
    UPDATE_OPS = "update_ops"
    VARIABLES = "variables"
    WEIGHTS = "weights"
    WHILE_CONTEXT = "while_context"


class Collections:
    """The part of a graph that keeps its collections."""

    _collections: dict[Any, list[Any]]

    def _check_not_finalized(self) -> None: ...

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends a value to a collection; a value may be in it several times."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends a value to several collections; a name that comes twice counts once."""
        names = (names,) if isinstance(names, str) else dict.fromkeys(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of a collection.

        scope: a regular expression: only values with a name that it matches from its beginning.
        """
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [value for value in values if hasattr(value, "name") and pattern.match(value.name)]

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The collection itself: what is done to the list is done to the collection."""
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[Any]:
        """The names of the collections that are not empty."""
        return [name for name, values in self._collections.items() if isinstance(name, str) and values]

    def clear_collection(self, name: Any) -> None:
        """Empties a collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)
