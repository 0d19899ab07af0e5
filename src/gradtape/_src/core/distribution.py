"""What `tf.Variable` takes for the sake of programs that run on several devices. Here there is one."""

from __future__ import annotations

from enum import Enum


class VariableSynchronization(Enum):
    """When the copies of a distributed variable are brought together; here there is one copy.

    >>> import gradtape as tf
    >>> tf.Variable(1.0).synchronization
    <VariableSynchronization.AUTO: 0>
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregationV2(Enum):
    """How the copies of a distributed variable are brought together; here there is one copy.

    >>> import gradtape as tf
    >>> tf.Variable(1.0).aggregation
    <VariableAggregationV2.NONE: 0>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
