"""Concrete functions: how they bind arguments, what they say of themselves, the shapes of their results."""

from __future__ import annotations

import gc
import pickle
import weakref

import numpy as np
import pytest

import gradtape as tf

F32, I32 = tf.float32, tf.int32


def scalar(name=None):
    return tf.TensorSpec([], F32, name)


def one(x=1.0):
    return tf.constant(x)


class Method:
    @tf.function(input_signature=[scalar()])
    def scaled(self, x, by=2.0):
        return x * by

    @tf.function(input_signature=[scalar(), scalar()])
    def added(self, *parts):
        return tf.add(*parts)

    @tf.function(input_signature=[])
    def none(self, x=3):
        return x

    @tf.function
    def plain(self, x, y):
        return x + y


def test_an_input_signature_says_nothing_of_self():
    method = Method()
    assert method.scaled(one(3.0)).numpy() == 6.0
    assert method.scaled.get_concrete_function()(one(3.0)).numpy() == 6.0
    assert Method.scaled(method, one(3.0)).numpy() == 6.0
    assert method.added.get_concrete_function()(1.0, 2.0).numpy() == 3.0
    assert method.none().numpy() == 3 and method.none.input_signature == ()
    with pytest.raises(TypeError, match="Can not cast"):
        method.scaled(tf.constant(1))


def test_methods_of_objects_that_nobody_holds():
    assert Method().plain(one(), one()).numpy() == 2.0
    again = tf.function(Method().plain)
    assert again(x=one(), y=one()).numpy() == 2.0
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        again(y=one())


def test_names_of_inputs():
    function = tf.function(lambda x: x[0] * x[1])
    concrete = function.get_concrete_function([scalar(), scalar()])
    assert concrete(one(2.0), one(3.0)).numpy() == 6.0
    assert concrete(x=one(2.0), x_1=one(3.0)).numpy() == 6.0
    named = function.get_concrete_function([scalar("left"), scalar("right")])
    assert named is concrete
    assert named(right=one(2.0), left=one(3.0)).numpy() == 6.0
    assert [spec.name for spec in named.structured_input_signature[0][0]] == ["left", "right"]
    assert function.get_concrete_function([scalar(), scalar()])(left=one(), right=one()).numpy() == 1.0


def test_the_structured_signature_comes_before_the_flat_one():
    concrete = tf.function(lambda x, y: 10.0 * x + y).get_concrete_function(x=scalar("y"), y=scalar("x"))
    assert concrete(x=one(5.0), y=one(6.0)).numpy() == 56.0


def test_parameters_as_text():
    @tf.function
    def f(x, y=5, *rest, z=1, **more):
        return x

    concrete = f.get_concrete_function(one(), one(), one(), 4, q=one())
    tensor = "TensorSpec(shape=(), dtype=tf.float32, name=None)"
    assert concrete.pretty_printed_signature(False) == (
        f"(x: {tensor}, y: {tensor}, rest_0: {tensor}, rest_1: Literal[4], *, z: Literal[1], q: {tensor}) -> {tensor}"
    )
    assert "  rest_1 (POSITIONAL_ONLY): Literal[4]\n  z (KEYWORD_ONLY): Literal[1]" in str(concrete)
    assert [spec.name for spec in concrete.structured_input_signature[0][:3]] == ["x", "y", "rest_0"]


@pytest.mark.parametrize(
    "traced, args, kwargs, text",
    [
        (((1, one()), {}), (1,), {}, "missing a required argument: 'y'"),
        (((1, 2, one()), {}), (1, 2), {}, "missing a required argument: 'rest_0'"),
        (((1, 2), {}), (1, 2, 3), {}, "too many positional arguments"),
        (((1, 2), {"c": one()}), (1, 2), {}, "missing a required argument: 'c'"),
        (((1, 2), {}), (1, 2), {"c": one()}, "got an unexpected keyword argument 'c'"),
        (((1, 2), {}), (1, 2), {"x": 1}, "got an unexpected keyword argument 'x'"),
        (((1, 2), {"c": one()}), (1, 2), {"c": one(), "d": 1}, "got an unexpected keyword argument 'd'"),
        ((({"a": one()},), {}), (one(), 5), {}, "Can not cast .* to a Dict type"),
        ((((one(), one()),), {}), (one(), 5), {}, "Can not cast .* to tuple type"),
        ((([one(), one()],), {}), ([one()], 5), {}, "Can not cast .*same nested structure"),
        (((5,), {}), (8, 5), {}, r"Can not cast 8 to Literal\[5\]"),
        (((5,), {}), (one(), 5), {}, r"Can not cast .*Tensor.* to Literal\[5\]"),
    ],
)
def test_arguments_that_do_not_fit(traced, args, kwargs, text):
    function = tf.function(lambda x, y=5, *rest, **more: x)
    concrete = function.get_concrete_function(*traced[0], **traced[1])
    with pytest.raises(TypeError, match=f"(?s)Binding inputs to tf.function failed due to `{text}"):
        concrete(*args, **kwargs)


@pytest.mark.parametrize(
    "args, kwargs, text",
    [
        ((one(),), {}, r"f\(x, y\) missing required arguments: y"),
        ((one(),), {"x": one(), "y": one()}, r"f\(x, y\) got two values for 'x'"),
        ((one(),) * 3, {}, r"f\(x, y\) takes 2 positional arguments, got 3"),
        ((one(), one()), {"c": one()}, r"f\(x, y\) got unexpected keyword arguments: c"),
        ((5, one()), {}, r"f\(x, y\): expected argument #0\(zero-based\) to be a Tensor; got int \(5\)"),
    ],
)
def test_what_does_not_fit_the_flat_signature(args, kwargs, text):
    @tf.function
    def f(x, y):
        return x + y

    with pytest.raises(TypeError, match=text):
        f.get_concrete_function(one(), one())._call_with_flat_signature(args, kwargs)


def test_a_spec_that_does_not_fit_the_input_signature():
    function = tf.function(lambda x: x, input_signature=[tf.TensorSpec([2], F32)])
    assert function.get_concrete_function(tf.TensorSpec([2], F32)).inputs[0].shape == [2]
    for spec in (tf.TensorSpec([3], F32), tf.TensorSpec([2], I32)):
        with pytest.raises(TypeError, match="Can not cast"):
            function.get_concrete_function(spec)


def test_shapes_are_checked_where_a_graph_is_built():
    concrete = tf.function(lambda x: x + 1.0).get_concrete_function(tf.ones([1]))
    with pytest.raises(
        TypeError, match=r"Can not cast TensorSpec\(shape=\(2,\).* to TensorSpec\(shape=\(1,\)"
    ):
        tf.function(lambda: concrete(tf.ones([2])))()


def grows(x):
    x.append(one())


@pytest.mark.parametrize(
    "modifies, argument",
    [
        (grows, [one()]),
        (lambda x: x.pop(), [one(), one()]),
        (lambda x: x.reverse(), [one(), one()]),
        (lambda x: x.update(b=one()), {"a": one()}),
        (lambda x: x.pop("a"), {"a": one()}),
        (lambda x: x[0]["a"].append(one()), [{"a": [one()]}, one()]),
        (lambda x: x[0].append(x[1].pop(0)), [[one()], [one(), one()]]),
    ],
)
@pytest.mark.parametrize("keyword", [False, True])
def test_arguments_are_left_as_they_are(modifies, argument, keyword):
    def f(x):
        modifies(x)

    with pytest.raises(ValueError, match=r"f\(x\) should not modify its Python input arguments"):
        tf.function(f)(x=argument) if keyword else tf.function(f)(argument)


def test_arguments_that_are_rebuilt_have_not_been_modified():
    assert tf.function(lambda x: float(len(list(x))))(range(1000, 1003)).numpy() == 3.0
    assert tf.function(lambda x: x["a"][0] + 0.5)({"a": (1000.5, np.float32(2.0))}).numpy() == 1001.0


def test_results_have_the_shapes_that_the_arguments_allow():
    """What is not known in the trace may be known where it is called."""
    vague = tf.TensorSpec(None, F32)
    rows = tf.function(lambda x: tf.reshape(x, [-1, 3])).get_concrete_function(vague)
    sized = tf.function(
        lambda x, n: tf.ones([tf.shape(x)[0], n]), input_signature=[vague, tf.TensorSpec([], I32)]
    )
    apart = tf.function(lambda x: tf.zeros(tf.unstack(tf.shape(x))[::-1])).get_concrete_function(
        tf.TensorSpec([None, None], F32)
    )
    around = tf.function(lambda x: rows(x) * 2.0).get_concrete_function(vague)
    shapes = []

    @tf.function
    def f(x):
        shapes.extend([rows(x).shape, sized(x, 7).shape, apart(tf.ones([2, 5])).shape, around(x).shape])
        return rows(x)

    assert f(tf.ones([10, 10, 3])).shape == [100, 3]
    assert shapes == [[100, 3], [10, 7], [5, 2], [100, 3]]
    assert rows.output_shapes == [None, 3]


def test_pickling():
    again = pickle.loads(
        pickle.dumps(tf.function(doubled, input_signature=[scalar()], reduce_retracing=True))
    )
    assert again(one(2.0)).numpy() == 4.0 and again.input_signature == (scalar(),)


def doubled(x):
    return 2.0 * x


def test_functions_and_objects_are_not_kept_alive():
    function = tf.function(lambda x: 2.0 * x)
    function(one())
    method = Method()
    method.plain(one(), one())
    seen = [weakref.ref(x) for x in (function, method, method.plain)]
    del function, method
    gc.collect()
    assert [ref() for ref in seen] == [None] * 3


def test_too_many_traces_of_one_piece_of_code(caplog):
    """A function that is made again and again traces as often as one that gets new arguments."""
    for i in range(9):
        fresh().get_concrete_function(i)
    for i in range(5):
        assert not caplog.records
        fresh()(i)
    assert "Tracing is expensive" in caplog.records[0].getMessage()


def fresh():
    return tf.function(lambda x: x + 1)


LEAKS = {
    "+": lambda x: x + x,
    "+ number": lambda x: 1.0 + x,
    "+ tensor": lambda x: tf.ones([2, 2]) + x,
    "unary": lambda x: -x,
    "matmul": lambda x: x @ x,
    "reduction": tf.reduce_sum,
    "slice": lambda x: x[0],
    "concat": lambda x: tf.concat([x, tf.ones([2, 2])], 0),
    "variable": lambda x: tf.Variable(tf.zeros([2, 2])).assign_add(x),
    "function": lambda x: tf.function(lambda y: y + 1.0)(x),
    "comparison": lambda x: x > 0.0,
    "loop": lambda x: tf.while_loop(lambda i: i < 1.0, lambda i: [i + x[0, 0]], [0.0]),
}


@pytest.mark.parametrize("use", LEAKS)
@pytest.mark.parametrize("where", ["eager", "another function", "init_scope"])
def test_a_tensor_that_outlived_its_trace(use, where):
    leaked = []

    @tf.function
    def f(x):
        leaked.append(x * 2.0)
        if where == "init_scope":
            with tf.init_scope():
                LEAKS[use](leaked[-1])
        return x

    with pytest.raises(TypeError, match=r"(?s)mul:0.* is out of scope.*test_concrete\.py"):
        f(tf.ones([2, 2]))
        LEAKS[use](leaked[0]) if where == "eager" else tf.function(lambda: LEAKS[use](leaked[0]))()
