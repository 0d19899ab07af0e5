"""Writes indexing.json: what TensorFlow 2.21 answers to the expressions of indexing.txt, and its signatures.

Run it with a Python that has TensorFlow: `python tests/golden/make_indexing.py`. In indexing.txt a line that
starts with > is a statement (with \\n for its line breaks), any other an expression; # is a comment. The
tests use `answers` of this file and compare with the JSON; they import no TensorFlow.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import re
import sys
from typing import Any

import numpy as np

HERE = pathlib.Path(__file__)
TEXT = HERE.with_name("indexing.txt")
PATH = HERE.with_name("indexing.json")

SIGNATURES = """
    tf.IndexedSlices tf.IndexedSlicesSpec tf.slice tf.strided_slice
    tf.gather tf.gather_nd tf.scatter_nd tf.tensor_scatter_nd_update
    tf.tensor_scatter_nd_add tf.tensor_scatter_nd_sub tf.tensor_scatter_nd_min tf.tensor_scatter_nd_max
    tf.dynamic_partition tf.dynamic_stitch tf.where tf.boolean_mask
    tf.one_hot tf.sequence_mask tf.nn.embedding_lookup v1.gather
    v1.gather_nd v1.batch_gather v1.where v1.where_v2
    v1.boolean_mask v1.nn.embedding_lookup v1.tensor_scatter_update v1.tensor_scatter_add
    v1.tensor_scatter_sub v1.scatter_update v1.scatter_add v1.scatter_sub
    v1.scatter_mul v1.scatter_div v1.scatter_min v1.scatter_max
    v1.scatter_nd_update v1.scatter_nd_add v1.scatter_nd_sub v1.batch_scatter_update
    v1.sparse_mask v1.convert_to_tensor_or_indexed_slices
""".split()


def shown(value: Any, tf: Any) -> str:
    """A result as text that does not depend on addresses."""
    if isinstance(value, tf.IndexedSlices):
        parts = [value.values, value.indices, value.dense_shape]
        return f"IndexedSlices({', '.join(shown(part, tf) for part in parts)})"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown(part, tf) for part in value) + "]"
    if hasattr(value, "numpy"):
        data = np.asarray(value.numpy())
        return f"{data.tolist()} {tuple(value.shape)} {value.dtype.name}"
    return repr(value)


def answers(tf: Any) -> dict[str, str]:
    """The answer to every expression, made in order: statements and assignments change what follows."""
    names = {"tf": tf, "v1": tf.compat.v1, "np": np}
    found = {}
    for line in TEXT.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(">"):
            exec(line[1:].replace("\\n", "\n"), names)
            continue
        try:
            found[line] = shown(eval(line, names), tf)
        except Exception as error:
            message = re.sub(r"\{\{.*?\}\} ", "", str(error))
            found[line] = f"{type(error).__name__}: {message}"[:300]
    return found


def signatures(tf: Any) -> dict[str, str]:
    """Parameters and their defaults, without annotations."""
    found = {}
    for path in SIGNATURES:
        function = tf
        for name in path.replace("v1.", "tf.compat.v1.").split(".")[1:]:
            function = getattr(function, name)
        parameters = inspect.signature(function).parameters.values()
        found[path] = ", ".join(
            f"{p.name}={p.default}" if p.default is not p.empty else p.name for p in parameters
        )
    return found


if __name__ == "__main__":
    import tensorflow

    result = {"signatures": signatures(tensorflow), "answers": answers(tensorflow)}
    PATH.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(result['answers'])} answers, {len(result['signatures'])} signatures\n")
