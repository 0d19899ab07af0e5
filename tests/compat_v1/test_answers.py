"""Graphs, sessions and TensorFlow 1's variables against TensorFlow 2.21: tests/golden/graphs.txt."""

from __future__ import annotations

import pytest
from golden import make_graphs as golden

import gradtape as tf
from gradtape._src.graph import verify

# Where gradtape's answer is another one on purpose: what is known of sizes is more, the outputs of an operation are a
# tuple, what was fed for a scalar comes back as one, and messages name the way out.
OTHERWISE = {
    "tf.get_static_value(tf.constant(3) + 4), tf.get_static_value(tf.shape(k)), tf.get_static_value(tf.reduce_sum(x))",
    "t1.name_scope(None, None, [x])",
    "x.op, x.op.inputs, x.op.outputs, x.op.values()",
    "tf.hessians(tf.constant(1.), tf.constant(1.))",
    "x + 1.",
    "f = t1.placeholder_with_default(2., []); s.run(f), s.run(f, {f: 3.})",
    "t1.placeholder_with_default([1.], [2])",
}


@pytest.mark.parametrize("section", golden.sections())
def test_answers_are_tensorflows(section: str):
    differing = golden.disagreements(section, tf)
    assert not [text for line, text in differing.items() if line not in OTHERWISE]


def test_the_values_of_operations_are_checked_in_these_tests():
    assert verify.during_execution
