"""The closed list of causes, and what is said of each: what happened, and what to write instead.

``{source}`` and ``{target}`` are the user's names of them, ``{code}`` is how the program writes the source; the
others are given by the diagnosis.
"""

from __future__ import annotations

from typing import NamedTuple


class Cause(NamedTuple):
    message: str
    fix: str


CAUSES = {
    "connected": Cause("{target} depends on {source}, and the gradient exists.", "Nothing to repair."),
    "source_not_watched": Cause(
        "{source} is a tensor that the tape does not watch: a tape watches tf.Variables by itself, tensors only when "
        "told to.",
        "Write tape.watch({code}) first in the `with` block, or make {source} a tf.Variable.",
    ),
    "variable_not_trainable": Cause(
        "{source} is a variable that the tape does not watch, because {why}.",
        "Write tape.watch({code}) first in the `with` block, or {instead}.",
    ),
    "watched_too_late": Cause(
        "{source} was used here before tape.watch({source}){watch}: what was computed before is not recorded.",
        "Move tape.watch({source}) above this line, to the top of the `with` block.",
    ),
    "target_computed_outside_tape": Cause(
        "This was computed {when}, so the tape has not recorded it.",
        "{instead}",
    ),
    "target_does_not_depend_on_source": Cause(
        "{target} was computed without {source}: there is no path between them. It depends on {depends}.",
        "Use {source} in the computation of {target}, or ask for the gradient by what {target} does depend on.",
    ),
    "equal_value_but_other_tensor": Cause(
        "{source} may have the value of a tensor that {target} was computed from, but it is another tensor{made}. Both "
        "come from {ancestor}; neither is computed from the other.",
        "{instead}",
    ),
    "variable_replaced_by_tensor": Cause(
        "{source} was a tf.Variable and is now a tensor: this line puts the result of a computation in its place, and "
        "a tape does not watch tensors by itself.",
        "Keep the variable and change its value: {source}.assign(...), {source}.assign_add(...) or "
        "{source}.assign_sub(...).",
    ),
    "went_through_variable_state": Cause(
        "The path goes through the value stored in a variable ({how}), and gradients do not flow through state.",
        "Compute with the tensor itself, without storing it in a variable; store it after the gradient is taken.",
    ),
    "integer_dtype": Cause(
        "{what} is {dtype}: only floating and complex numbers have gradients.",
        "Use a floating dtype all the way: write 10.0 for 10, dtype=tf.float32, or tf.cast(..., tf.float32) before the "
        "first use.",
    ),
    "left_the_library": Cause(
        "The path leaves the library here ({how}): what is computed in Python or NumPy is not recorded.",
        "{instead}",
    ),
    "op_not_differentiable": Cause(
        "{op} has no derivative: its result does not change, or jumps, where its input changes a little.",
        "{instead}",
    ),
    "rule_returned_none": Cause(
        "The gradient function of {op} gave None for this input.",
        "Return a gradient for every input of the @tf.custom_gradient function that {source} reaches.",
    ),
    "used_only_as_index": Cause(
        "{source} is used only as an index, a shape or a condition ({how}), and such a choice has no derivative.",
        "Let its value itself enter the result: multiply by it, write tf.sigmoid(x - t) for x > t, or interpolate "
        "between the neighbours of the index.",
    ),
    "stop_gradient": Cause(
        "{how} ends the path here: that is what it is for.",
        "Remove it, or let {target} depend on {source} by another path too.",
    ),
    "branch_not_taken": Cause(
        "{source} is used only in a branch that was not executed{where}; only what was executed has gradients.",
        "For zero in place of None write unconnected_gradients=tf.UnconnectedGradients.ZERO; to use both branches, "
        "compute both and choose with tf.where.",
    ),
    "loop_variables_unrelated": Cause(
        "{what}",
        "{instead}",
    ),
    "data_pipeline": Cause(
        "The path goes through {how}: what comes out of a dataset or a queue is not connected to what went in.",
        "Compute with the tensor itself instead of with elements of the dataset or the queue.",
    ),
    "first_gradient_not_recorded": Cause(
        "{target} comes from a gradient that was taken here while the tape was not recording, so how that gradient "
        "depends on {source} is not known.",
        "Take the first gradient inside the `with` block of the outer tape.",
    ),
    "derivative_is_constant": Cause(
        "{source} no longer occurs in the gradient that was taken here (the function is linear in it), so this "
        "derivative is 0.",
        "The answer is zero: write unconnected_gradients=tf.UnconnectedGradients.ZERO to get it as a tensor.",
    ),
    "hidden_inside_function_call": Cause(
        "{source} and what {target} is made of are results of one call of a tf.function: what connects them is inside "
        "the call, where the tape does not see it.",
        "Take the gradient inside the function, or by the argument of the function, or split the function in two.",
    ),
}
