"""When a function is traced, what it takes and gives, and how it says that something does not fit."""

from __future__ import annotations

import functools
import gc
import weakref
from collections import namedtuple

import numpy as np
import pytest

import gradtape as tf


def counted(**options):
    """A function that returns its argument, and the list of what it was traced with."""
    seen = []

    @tf.function(**options)
    def f(x):
        seen.append(x)
        return x

    return f, seen


class TestRetracing:
    def test_dtype_and_shape(self):
        f, seen = counted()
        for x in (tf.zeros(2), tf.ones(2), np.zeros(2, np.float32), tf.zeros(3), tf.zeros(2, tf.float64)):
            f(x)
        assert len(seen) == f.experimental_get_tracing_count() == 3
        assert str(seen[0]) == 'Tensor("x:0", shape=(2,), dtype=float32)'

    @pytest.mark.parametrize(
        "values", [(1, 2), ("a", "b"), ((1, 2), (1, 3)), ([1], (1,)), ({"a": 1}, {"b": 1}), (None, 1)]
    )
    def test_python_values(self, values):
        f, seen = counted()
        for x in (*values, *values):
            f(x)
        assert len(seen) == 2

    def test_objects_are_known_by_identity_and_not_kept_alive(self):
        class Thing:
            pass

        things = [Thing(), Thing()]
        f = tf.function(lambda thing: tf.constant(1))
        for thing in (*things, *things):
            f(thing)
        assert f.experimental_get_tracing_count() == 2
        died = weakref.ref(things[0])
        del thing, things
        gc.collect()
        assert died() is None

    def test_what_cannot_be_a_key(self):
        with pytest.raises(TypeError, match="Could not generate a generic TraceType for {1, 2}"):
            counted()[0]({1, 2})

    def test_defaults_and_keywords_are_one_form(self):
        calls = []

        @tf.function
        def f(x, n=2, *, scale=1.0):
            calls.append(n)
            return x * float(n) * scale

        x = tf.constant(3.0)
        for y in (f(x), f(x, 2), f(x, n=2), f(x=x, scale=1.0)):
            assert float(y) == 6.0
        assert calls == [2]
        assert float(f(x, scale=2.0)) == 12.0 and calls == [2, 2]

    def test_reduce_retracing(self):
        f, seen = counted(reduce_retracing=True)
        for shape in ([2], [3], [4], [2, 2], [5, 5]):
            f(tf.zeros(shape))
        assert [x.shape.rank and x.shape.as_list() for x in seen] == [[2], [None], None]

    def test_a_more_general_trace_serves(self):
        f, seen = counted()
        f.get_concrete_function(tf.TensorSpec([None], tf.float32))
        f(tf.zeros(3)), f(tf.zeros(4))
        assert len(seen) == 1
        f(tf.zeros([2, 2]))
        assert len(seen) == 2

    def test_warning(self, caplog):
        f = tf.function(lambda n: tf.constant(n))
        with caplog.at_level("WARNING", "tensorflow"):
            for n in range(6):
                f(n)
        assert (
            "5 out of the last 5 calls to" in caplog.text and "triggered tf.function retracing" in caplog.text
        )


class TestStructures:
    def test_results(self):
        Pair = namedtuple("Pair", "a b")
        x = tf.constant(1)
        found = tf.function(lambda x: {"n": None, "t": (1, 2.5), "x": [x, True], "p": Pair(x, "s")})(x)
        assert found["n"] is None and found["t"][0].dtype == tf.int32 and found["t"][1].dtype == tf.float32
        assert (
            found["x"][1].dtype == tf.bool and isinstance(found["p"], Pair) and found["p"].b.numpy() == b"s"
        )
        assert tf.function(lambda: None)() is None
        assert tf.function(lambda: ())() == ()

    def test_arguments(self):
        f = tf.function(lambda nest, *rest, **more: nest["a"][0] + rest[0] * more["k"])
        assert float(f({"a": [tf.constant(1.0)]}, tf.constant(2.0), k=tf.constant(3.0))) == 7.0

    def test_slices(self):
        slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([1]), tf.constant([2, 1]))
        found = tf.function(lambda s: tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape))(slices)
        np.testing.assert_array_equal(tf.convert_to_tensor(found), [[0.0], [2.0]])

    def test_the_same_tensor_twice(self):
        a, b = tf.function(lambda x: (x, x))(tf.constant(2.0))
        assert float(a) == float(b) == 2.0

    def test_a_result_that_is_no_tensor(self):
        with pytest.raises(
            TypeError, match="must return zero or more Tensors .* found return value of type object"
        ):
            tf.function(lambda: object())()

    def test_shapes_and_dtypes_as_arguments(self):
        assert tf.function(tf.zeros)(tf.TensorShape([2]), tf.float64).dtype == tf.float64


class TestBinding:
    def test_errors(self):
        @tf.function
        def named(x, y=2, *args, k=3):
            return x

        text = r"\(x, y=<captured_default_value>, \*args, k=<captured_default_value>\)"
        with pytest.raises(
            TypeError, match=f"Binding inputs to tf.function failed due to `missing .*'x'`.*{text}"
        ):
            named()
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'z'"):
            named(1.0, z=3)
        with pytest.raises(TypeError, match="3 is not a callable object"):
            tf.function(3)

    def test_input_signature(self):
        f = tf.function(lambda x: x + 1, input_signature=[tf.TensorSpec([None], tf.int32)])
        np.testing.assert_array_equal(f([1, 2, 3]), [2, 3, 4])
        f(np.array([1], np.int32))
        assert f.experimental_get_tracing_count() == 1
        with pytest.raises(
            TypeError, match=r"Can not cast TensorSpec\(shape=\(1, 1\), dtype=tf.int32, name=None\) to"
        ):
            f(tf.constant([[1]]))
        with pytest.raises(TypeError, match="Can not cast .*tf.float32.* to .*tf.int32"):
            f(tf.constant([1.0]))
        with pytest.raises(TypeError, match="too many positional arguments"):
            f(1, 2)
        with pytest.raises(TypeError, match="input_signature missing type constraint for y"):
            tf.function(lambda x, y: x, input_signature=[tf.TensorSpec([])])
        with pytest.raises(TypeError, match="must be either a tuple or a list"):
            tf.function(lambda x: x, input_signature=tf.TensorSpec([]))

    def test_input_signature_of_nests(self):
        f = tf.function(
            lambda d: d["a"] + d["b"][0], input_signature=[{"a": tf.TensorSpec([]), "b": [tf.TensorSpec([])]}]
        )
        assert float(f({"a": 1.0, "b": [2.0]})) == 3.0


class TestMethods:
    class Scaler:
        def __init__(self, n):
            self.n = n

        @tf.function
        def __call__(self, x):
            return x * self.n

    def test_each_object_has_its_traces(self):
        two, three = self.Scaler(2.0), self.Scaler(3.0)
        assert (float(two(tf.constant(1.0))), float(three(tf.constant(1.0)))) == (2.0, 3.0)
        assert two.__call__.experimental_get_tracing_count() == 1

    def test_an_object_can_die(self):
        scaler = self.Scaler(2.0)
        scaler(tf.constant(1.0))
        died = weakref.ref(scaler)
        del scaler
        gc.collect()
        assert died() is None

    def test_partial(self):
        f = tf.function(functools.partial(lambda a, b: a - b, b=1.0))
        assert float(f(tf.constant(3.0))) == 2.0


class TestConcreteFunctions:
    def test_call(self):
        @tf.function
        def f(x, y=2):
            return x * y

        concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), y=5)
        for found in (
            concrete(tf.constant([1.0])),
            concrete(x=tf.constant([1.0])),
            concrete(tf.constant([1.0]), 5),
        ):
            assert found.numpy() == [5.0]
        with pytest.raises(TypeError, match=r"Can not cast 6 to Literal\[5\]"):
            concrete(tf.constant([1.0]), 6)
        with pytest.raises(TypeError, match="missing a required argument: 'x'"):
            concrete()
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"input #0\(zero-based\) was expected to be a float"
        ):
            concrete(tf.constant([1]))

    def test_description(self):
        @tf.function
        def two(a, b=3, *, c="x"):
            return {"o": a * 2, "p": (a, None)}

        concrete = two.get_concrete_function(tf.constant(1.0))
        assert str(concrete) == (
            "ConcreteFunction Input Parameters:\n"
            "  a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)\n"
            "  b (POSITIONAL_OR_KEYWORD): Literal[3]\n"
            "  c (KEYWORD_ONLY): Literal['x']\n"
            "Output Type:\n"
            "  Dict[['o', TensorSpec(shape=(), dtype=tf.float32, name=None)], "
            "['p', Tuple[TensorSpec(shape=(), dtype=tf.float32, name=None), Literal[None]]]]\n"
            "Captures:\n"
            "  None"
        )
        assert concrete.pretty_printed_signature(verbose=False) == (
            "(a: TensorSpec(shape=(), dtype=tf.float32, name=None), b: Literal[3], *, c: Literal['x']) -> "
            "Dict[['o', TensorSpec(shape=(), dtype=tf.float32, name=None)], "
            "['p', Tuple[TensorSpec(shape=(), dtype=tf.float32, name=None), Literal[None]]]]"
        )
        assert concrete.structured_input_signature == ((tf.TensorSpec([], name="a"), 3), {"c": "x"})
        assert concrete.output_dtypes == {"o": tf.float32, "p": (tf.float32, None)}
        assert str(concrete.structured_outputs["o"]) == 'Tensor("Identity:0", shape=(), dtype=float32)'


class TestGraphs:
    def test_python_runs_while_tracing_only(self, capsys):
        @tf.function
        def f(x):
            print("tracing", x)
            return x + 1

        f(tf.constant(1)), f(tf.constant(2))
        assert capsys.readouterr().out == 'tracing Tensor("x:0", shape=(), dtype=int32)\n'

    def test_not_executing_eagerly(self):
        seen = []
        tf.function(lambda: seen.append(tf.executing_eagerly()))()
        assert seen == [False] and tf.executing_eagerly()

    def test_init_scope(self):
        @tf.function
        def f(x):
            with tf.init_scope():
                assert tf.executing_eagerly()
                y = tf.constant(2.0) * 3.0
            return x * y

        assert float(f(tf.constant(1.0))) == 6.0

    def test_a_closure_over_a_symbol(self):
        @tf.function
        def outer(x):
            @tf.function
            def inner(y):
                return y * x

            return inner(x) + inner(1.0)

        assert float(outer(tf.constant(3.0))) == 12.0

    def test_in_a_graph_of_the_users(self):
        f = tf.function(lambda x: x * 2.0)
        with tf.Graph().as_default() as graph:
            y = f(tf.compat.v1.constant(3.0))
            with tf.compat.v1.Session(graph=graph) as session:
                assert session.run(y) == 6.0
        assert float(f(tf.constant(1.0))) == 2.0

    def test_a_leaked_tensor(self):
        leaked = []

        @tf.function
        def leak(x):
            leaked.append(x + 1.0)  # made here
            return x

        leak(tf.constant(1.0))
        text = r"(?s)is out of scope and cannot be used here.*test_tracing.py.*made here"
        for use in (lambda: leaked[0] + 1.0, lambda: tf.exp(leaked[0]), tf.function(lambda: leaked[0] * 2.0)):
            with pytest.raises(TypeError, match=text):
                use()
        with pytest.raises(AttributeError, match="no attribute 'numpy'"):
            leaked[0].numpy()

    def test_recursion_through_python_values(self):
        @tf.function
        def factorial(n):
            return 1 if n <= 1 else n * factorial(n - 1)

        assert int(factorial(5)) == 120

    def test_run_functions_eagerly(self):
        f, seen = counted()
        tf.config.run_functions_eagerly(True)
        try:
            assert tf.config.functions_run_eagerly()
            f(tf.constant(1.0))
            assert float(seen[0]) == 1.0
        finally:
            tf.config.run_functions_eagerly(False)
