"""`tf.test.TestCase` and the decorators of TensorFlow's tests: what passes, and above all what fails."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import gradtape as tf
from gradtape._src.testing import modes

v1 = tf.compat.v1


class Case(tf.test.TestCase):
    """Gives its assertions to the tests below."""

    __test__ = False

    def runTest(self):
        pass


@pytest.fixture
def case():
    case = Case()
    case.setUp()
    yield case
    case.tearDown()


HALF = np.float16(1.0)
BOTH = [  # an assertion, arguments that pass, arguments that fail
    ("assertAllEqual", ([1, 2], tf.constant([1, 2])), ([1, 2], [1, 3])),
    ("assertAllEqual", ([np.nan, 1.0], [np.nan, 1.0]), ([np.nan, 1.0], [1.0, 1.0])),
    ("assertAllEqual", ([1, 2], (1, 2)), ([1, 1], 1)),
    ("assertAllEqual", (["a"], ["a"]), ([None, 1.0], [None, None])),
    ("assertNotAllEqual", ([1, 2], [1, 3]), ([1, 2], [1, 2])),
    ("assertAllClose", (1.0, 1.0 + 1e-7), (1.0, 1.0 + 1e-4)),
    (
        "assertAllClose",
        ({"a": [1.0, (2.0, [3.0])]}, {"a": [1.0, (2.0, [3.0])]}),
        ({"a": [1.0]}, {"b": [1.0]}),
    ),
    (
        "assertAllClose",
        ([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]]),
        ([[1.0], [2.0, 3.0]], [[1.0], [2.0, 4.0]]),
    ),
    ("assertAllClose", (np.zeros(2), [0, 0]), (np.zeros(2), 0.0)),
    ("assertNotAllClose", (1.0, 2.0), (1.0, 1.0)),
    ("assertAllCloseAccordingToType", (HALF, np.float16(1.0005)), (np.float32(1.0), np.float32(1.0005))),
    (
        "assertAllCloseAccordingToType",
        (tf.constant(1.0, tf.bfloat16), 1.005),
        (tf.constant(1.0, tf.bfloat16), 1.05),
    ),
    ("assertNear", (1.0, 1.1, 0.2), (1.0, 1.3, 0.2)),
    ("assertArrayNear", ([1.0], [1.1], 0.2), ([1.0], [1.3], 0.2)),
    ("assertNDArrayNear", ([1.0, 1.0], [1.1, 1.1], 0.2), ([1.0, 1.0], [1.3, 1.0], 0.2)),
    ("assertAllGreater", ([2, 3], 1), ([1, 3], 1)),
    ("assertAllLess", ([2, 3], 4), ([1, 4], 4)),
    ("assertAllGreaterEqual", ([1, 3], 1), ([0, 3], 1)),
    ("assertAllLessEqual", ([1, 4], 4), ([1, 5], 4)),
    ("assertAllInRange", ([1, 2], 1, 2), ([1, 2], 1, 2, True)),
    ("assertAllInRange", ([1, 2], 1, 3, False, True), ([1, 3], 1, 3, False, True)),
    ("assertAllInSet", ([1, 2, 1], [1, 2]), ([1, 3], [1, 2])),
    ("assertShapeEqual", (np.zeros([2, 1]), tf.zeros([2, 1])), (np.zeros([2]), tf.zeros([2, 1]))),
    ("assertDTypeEqual", (tf.zeros([2]), "float32"), (np.zeros(2), "float32")),
]


@pytest.mark.parametrize(
    "name, passes, fails", BOTH, ids=[f"{i}-{name}" for i, (name, *_) in enumerate(BOTH)]
)
def test_assertions(case, name, passes, fails):
    getattr(case, name)(*passes)
    with pytest.raises(AssertionError):
        getattr(case, name)(*fails)


def test_errors(case):
    with case.assertRaisesOpError("not in"):
        raise tf.errors.InvalidArgumentError(None, None, "index 3 is not in [0, 2)")
    with case.assertRaisesWithPredicateMatch(ValueError, lambda error: "a" in str(error)):
        raise ValueError("a")
    with case.assertRaisesIncompatibleShapesError():
        tf.ones([2]) + tf.ones([3])
    with pytest.raises(AssertionError), case.assertRaisesOpError("other"):
        raise tf.errors.InvalidArgumentError(None, None, "words")
    with pytest.raises(AssertionError), case.assertRaisesWithPredicateMatch(ValueError, lambda error: False):
        raise ValueError("a")
    with pytest.raises(AssertionError, match="not raised"), case.assertRaisesOpError("x"):
        pass


def test_tensors_of_a_graph_are_evaluated(case):
    with tf.Graph().as_default():
        x, v = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
        case.evaluate(v.initializer)
        case.assertAllEqual(x, [1.0, 2.0])
        case.assertAllClose({"x": [x, v]}, {"x": [[1.0, 2.0], v]})
        assert case.evaluate({"x": x[0], "y": [v[1]]}) == {"x": 1.0, "y": [4.0]}
        with pytest.raises(AssertionError):
            case.assertAllClose(x, v)


def test_sessions(case):
    with tf.Graph().as_default():
        v = tf.Variable(1.0)
        with case.cached_session() as first:
            first.run(v.initializer)
        with case.test_session() as same:
            assert same is first and v.eval() == 1.0
        with case.session() as other, pytest.raises(tf.errors.FailedPreconditionError):
            other.run(v)
    with case.session() as eager:
        assert eager.run([tf.constant(1.0)]) == [1.0]
        with pytest.raises(RuntimeError):
            eager.run(tf.constant(1.0), feed_dict={1: 2})


def test_seeds_are_the_same_for_every_test(case):
    first = tf.random.normal([3]), np.random.rand()
    case.setUp()
    assert np.random.rand() == first[1]
    np.testing.assert_array_equal(tf.random.normal([3]), first[0])


def test_output_files_threads(case, capfd):
    with case.captureWritesToStream(sys.__stderr__) as captured:
        print("text", file=sys.__stderr__)
    assert captured.contents() == "text\n"
    assert case.get_temp_dir() == case.get_temp_dir()
    good, bad = case.checkedThread(lambda x: None, (1,)), case.checkedThread(lambda: 1 / 0)
    good.start(), bad.start()
    good.join()
    assert not good.is_alive()
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        bad.join()


def ran(decorator, **attributes):
    """In which modes a decorated test runs, and what came of it."""
    seen = []

    class Inner(tf.test.TestCase):
        __test__ = False

        def test(self):
            seen.append("eager" if tf.executing_eagerly() else "graph")
            self.assertAllClose(tf.constant([1.0]) * 2, [2.0])

    result = (decorator(Inner) if attributes.get("whole") else Inner)("test")
    if not attributes.get("whole"):
        Inner.test = decorator(Inner.test)
    outcome = result.run()
    assert outcome.wasSuccessful()
    return seen, len(outcome.skipped)


@pytest.mark.parametrize(
    "decorator, want",
    [
        (modes.run_in_graph_and_eager_modes, (["graph", "eager"], 0)),
        (modes.run_in_graph_and_eager_modes(use_gpu=True), (["graph", "eager"], 0)),
        (modes.run_deprecated_v1, (["graph"], 0)),
        (modes.deprecated_graph_mode_only, (["graph"], 0)),
        (modes.run_v1_only("why"), ([], 1)),
        (modes.run_v2_only, (["eager"], 0)),
        (modes.run_gpu_only, ([], 1)),
        (modes.disable_control_flow_v2("why"), ([], 1)),
        (modes.with_control_flow_v2, (["eager"], 0)),
        (modes.disable_xla("why"), (["eager"], 0)),
    ],
)
def test_decorators(decorator, want):
    assert ran(decorator) == want


def test_decorated_classes():
    assert ran(modes.run_all_in_graph_and_eager_modes, whole=True) == (["graph", "eager"], 0)


def test_failures_in_either_mode_are_failures():
    for bad in (True, False):

        class Inner(tf.test.TestCase):
            __test__ = False
            fails_eagerly = bad

            @modes.run_in_graph_and_eager_modes
            def test(self):
                self.assertNotEqual(tf.executing_eagerly(), self.fails_eagerly)

        assert len(Inner("test").run().failures) == 1


def test_programs_for_tensorflow_1():
    """Where graph mode is the default, each test begins in a new default graph, whatever ran before."""
    v1.disable_v2_behavior()
    try:
        assert ran(modes.run_in_graph_and_eager_modes) == (["graph", "eager"], 0)
        twice = lambda test: modes.run_in_graph_and_eager_modes(modes.run_in_graph_and_eager_modes(test))
        assert ran(twice) == (["graph", "eager"] * 2, 0)
        before = v1.get_default_graph()
        assert ran(modes.run_v1_only("why")) == (["graph"], 0)
        assert ran(modes.run_v2_only) == ([], 1)
        assert ran(modes.run_deprecated_v1) == (["graph"], 0)
        assert v1.get_default_graph() is not before
    finally:
        v1.reset_default_graph()
        v1.enable_v2_behavior()


def test_its_own_methods_are_no_tests():
    assert len(Case("test_session").run().skipped) == 1
