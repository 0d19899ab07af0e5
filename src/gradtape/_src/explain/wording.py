"""What the user calls an operation, and what to write in its place."""

from __future__ import annotations

import ast
import re
import sys
from functools import lru_cache

from gradtape._src.explain import names

# Those whose names do not lead to the functions that make them.
_FUNCTIONS = {
    "AssignVariableOp": "assign", "AssignAddVariableOp": "assign_add", "AssignSubVariableOp": "assign_sub",
    "ArgMax": "tf.argmax", "ArgMin": "tf.argmin", "ArgSort": "tf.argsort", "Rint": "tf.math.rint",
    "Greater": "the comparison >", "GreaterEqual": "the comparison >=", "Less": "the comparison <",
    "LessEqual": "the comparison <=", "Equal": "the comparison ==", "NotEqual": "the comparison !=",
    "SelectV2": "tf.where", "While": "the condition of the loop", "If": "the condition of a branch",
    "TopKV2": "tf.math.top_k (its indices)", "FloorDiv": "the integer division //", "StridedSlice": "a slice",
    "RealDiv": "the division /", "MatMul": "tf.matmul", "AddV2": "the sum +", "Mul": "the product *",
    "Sub": "the difference -", "Pow": "the power **", "CountNonzero": "tf.math.count_nonzero",
    "Multinomial": "tf.random.categorical", "StatelessMultinomial": "tf.random.stateless_categorical",
    "RandomPoissonV2": "tf.random.poisson", "StatefulRandomBinomial": "tf.random.Generator.binomial",
    "ReadVariableOp": "a variable", "LowerBound": "tf.searchsorted", "UpperBound": "tf.searchsorted",
    "StringToNumber": "tf.strings.to_number", "HistogramFixedWidth": "tf.histogram_fixed_width",
    "DenseBincount": "tf.math.bincount", "IntegerQuotient": "the integer division //",
}  # fmt: skip
_MODULES = ("", "math.", "nn.", "random.", "linalg.", "strings.", "image.")


@lru_cache(maxsize=256)
def function_of(name: str) -> str:
    """What the user calls an operation: ``tf.boolean_mask`` for "BooleanMask"."""
    name = name.removesuffix("Absorbing")
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    if name.endswith("Assign"):
        return "assign"
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub(r"V\d$", "", name)).lower()
    public = vars(sys.modules["gradtape"])
    for module in _MODULES:
        place = public if not module else vars(public[module[:-1]]) if module[:-1] in public else {}
        if callable(place.get(snake)):
            return f"tf.{module}{snake}"
    return f"the operation {name}"


def update(name: str) -> str:
    """What the user calls what gave a variable another value: "assign" for "AssignVariableOp"."""
    found = function_of(name)
    return name if found.startswith("the operation") else found


def instead_of_op(function: str) -> str:
    """What to write for a function that has no derivative."""
    if function.startswith("tf.random."):
        return (
            "A sample has no slope: let the loss have the logarithm of the probability of the sample, or draw noise "
            "that does not depend on the source and compute the sample of both."
        )
    return (
        "Use a smooth function in its place (tf.sigmoid for a comparison, tf.nn.softmax for argmax and one_hot), or "
        "tf.grad_pass_through(f) to let the gradient pass unchanged."
    )


# --- Where a value leaves the library ------------------------------------------------------------------------------

_INSTEAD = {
    "model.predict": "Call the model itself: model(x) in place of model.predict(x), whose result is a NumPy array.",
    "feed_dict": "Build on the tensor itself in place of the placeholder, so that one Session.run does all.",
    "the result of a Session.run as a constant": "Build on the tensor itself in place of the number that "
    "Session.run gave.",
    "tf.numpy_function": "Write the function in operations of the library, or give it a gradient with "
    "tf.custom_gradient.",
}
_RENAMED = {
    "mean": "reduce_mean", "sum": "reduce_sum", "max": "reduce_max", "min": "reduce_min", "prod": "reduce_prod",
    "amax": "reduce_max", "amin": "reduce_min", "std": "math.reduce_std", "var": "math.reduce_variance",
    "log": "math.log", "dot": "tensordot", "array": "convert_to_tensor", "asarray": "convert_to_tensor",
    "concatenate": "concat",
    "power": "pow", "float32": "constant", "float64": "constant", "linalg.norm": "norm", "absolute": "abs",
    "clip": "clip_by_value", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "append": "concat",
    "log1p": "math.log1p", "vstack": "concat", "hstack": "concat", "fabs": "abs", "matmul": "matmul",
}  # fmt: skip


def instead_of_leaving(how: str, location: tuple[str, int] | None) -> str:
    """What to write where a value became one of Python's or NumPy's; ``how`` says by what."""
    if how in _INSTEAD:
        return _INSTEAD[how]
    numpy = _functions_of_numpy(location)
    if numpy:
        return f"Stay in the library: write {', '.join(f'{new} for {old}' for old, new in numpy)}" + (
            ", and leave out .numpy()." if how == ".numpy()" else "."
        )
    if how == ".numpy()":
        return "Leave out .numpy() and go on with the tensor; tf.stack makes one tensor of a list of them."
    if how.endswith("()"):
        return f"Leave out {how} and go on with the tensor; tf.stack makes one tensor of a list of them."
    return "Use the library's functions in place of NumPy's: tf.reduce_mean for np.mean, tf.exp for np.exp."


def _functions_of_numpy(location: tuple[str, int] | None) -> list[tuple[str, str]]:
    """The functions of NumPy that a line calls, and what they are called here, as far as they are there."""
    module = None if location is None else names.tree(location[0])
    if module is None or location is None:
        return []
    public = sys.modules["gradtape"]
    found = {}
    for node in ast.walk(module):
        if not isinstance(node, ast.Call) or not node.lineno <= location[1] <= (node.end_lineno or 0):
            continue
        old = ast.unparse(node.func)
        if old.startswith(("np.", "numpy.")):
            name = old.partition(".")[2]
            place, _, last = _RENAMED.get(name, name).rpartition(".")
            if callable(getattr(getattr(public, place) if place else public, last, None)):
                found[old] = f"tf.{place}{'.' * bool(place)}{last}"
    return list(found.items())[:3]


# --- What the tape has not recorded ---------------------------------------------------------------------------------

BEFORE, AFTER = "before the tape was entered", "after the tape was left"
STOPPED = "while the tape was not recording (stop_recording)"
FORGOTTEN = "before tape.reset()"
_WITHIN = (
    "Move this line, or the call that leads to it, into the `with tf.GradientTape()` block, where the tape "
    "records."
)


def not_recorded(when: str) -> dict[str, str]:
    """The words for an operation that was executed at one of these times."""
    instead = {
        STOPPED: "Move this line out of the `with tape.stop_recording()` block.",
        FORGOTTEN: "Leave out tape.reset(), or compute this again behind it.",
    }
    return {"when": when, "instead": instead.get(when, _WITHIN)}
