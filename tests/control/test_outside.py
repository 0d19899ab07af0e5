"""What the parts of control flow share with the graph around them: tensors, variables, scopes, dependencies."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf

v1 = tf.compat.v1


@pytest.fixture
def session():
    with tf.Graph().as_default(), v1.Session() as session:
        yield session


def looped(f, x, n=2):
    return tf.while_loop(lambda i, _: i < n, lambda i, y: (i + 1, f(y)), (0, x))[1]


def branched(f, x):
    return tf.cond(x > 0.0, lambda: f(x), lambda: x)


def nested(f, x):
    return looped(lambda y: branched(f, y), x, n=1)


PARTS = {
    "loop": lambda f, x: looped(f, x, n=1),
    "branch": branched,
    "either branch": lambda f, x: tf.cond(x < 0.0, lambda: f(2.0 * x), lambda: f(x)),
    "branch in a loop": nested,
    "loop in a branch": lambda f, x: branched(lambda y: looped(f, y, n=1), x),
    "function in a loop": lambda f, x: looped(tf.function(f), x, n=1),
    "loop in a function": lambda f, x: tf.function(lambda y: looped(f, y, n=1))(x),
}


@pytest.mark.parametrize("part", PARTS)
def test_what_only_a_gradient_function_takes_from_outside(part, session):
    """dy/dx = n m x by decree: n and m are used in the gradient only, and are sources of its gradient."""
    n, m = tf.constant(3.0), tf.Variable(5.0)

    @tf.custom_gradient
    def f(x):
        def gradient(g, variables=None):
            own = g * n * m * x
            return own if variables is None else (own, [None] * len(variables))

        return tf.identity(x), gradient

    x = tf.constant(2.0)
    (slope,) = tf.gradients(PARTS[part](f, x), x)
    second = tf.gradients(slope, [x, n, m])
    session.run(m.initializer)
    assert session.run([slope, second]) == [30.0, [15.0, 10.0, 6.0]]


@pytest.mark.parametrize("limit", [0, 1, 3, 9])
def test_a_limit_that_is_a_tensor(limit, session):
    n, x = v1.placeholder(tf.int64, []), tf.constant(2.0)
    variables = {"i": 0, "y": x}
    out = tf.while_loop(
        lambda v: v["i"] < 5,
        lambda v: {"i": v["i"] + 1, "y": v["y"] * x},
        (variables,),
        maximum_iterations=n,
    )[0]
    (slope,) = tf.gradients(out["y"], x)
    steps = min(limit, 5)
    found = session.run([out, slope, tf.gradients(slope, x)[0]], {n: limit})
    expected = {"i": steps, "y": 2.0 ** (steps + 1)}
    assert found == [expected, (steps + 1) * 2.0**steps, (steps + 1) * steps * 2.0 ** (steps - 1)]


def test_a_limit_that_is_an_argument():
    @tf.function
    def f(n):
        return tf.while_loop(lambda i: True, lambda i: [i + 1], [0], maximum_iterations=n)[0]

    assert f(tf.constant(4)).numpy() == 4
    assert f(4).numpy() == 4


@pytest.mark.parametrize("n", [0, 2, -1])
def test_a_limit_is_a_scalar(n, session):
    shape = {0: [1], 2: [2], -1: [1, 1]}[n]
    with pytest.raises(ValueError, match="must be a scalar"):
        tf.while_loop(lambda i: True, lambda i: [i + 1], [0], maximum_iterations=tf.ones(shape, tf.int32))


def test_scopes(session):
    seen = []

    def noted(x):
        with tf.name_scope("part"):
            seen.append(v1.get_default_graph().get_name_scope())
        return x

    with tf.name_scope("outer"):
        x = tf.constant(1.0)
        first = tf.cond(x > 0.0, lambda: noted(x), lambda: noted(x))
        second = tf.cond(x > 0.0, lambda: noted(x), lambda: noted(x), name="choice")
        third = tf.while_loop(lambda v: v < 2.0, lambda v: [noted(v) + 1.0], [x])[0]
    assert [y.op.name for y in (first, second, third)] == ["outer/cond", "outer/choice", "outer/while"]
    assert seen == [f"outer/{name}/part" for name in ("cond", "cond", "choice", "choice", "while")]


def test_dependencies_on_operations_outside(session):
    count = tf.Variable(0)
    session.run(count.initializer)
    add = count.assign_add(1)

    def waits(x):
        with tf.control_dependencies([add]):
            return x + 1

    for y in (
        tf.cond(tf.constant(True), lambda: waits(1), lambda: 2),
        tf.while_loop(lambda i: i < 3, lambda i: [waits(i)], [0])[0],
        tf.map_fn(waits, tf.constant([1, 2])),
        tf.cond(
            tf.constant(True), lambda: tf.cond(tf.constant(True), lambda: waits(1), lambda: 2), lambda: 2
        ),
        tf.function(lambda: waits(1))(),
    ):
        before = session.run(count)
        session.run(y)
        assert session.run(count) == before + 1


def test_operations_in_place_of_results(session):
    a, b, p = tf.Variable(1.0), tf.Variable(1.0), v1.placeholder(tf.bool)
    run = tf.cond(
        p, lambda: (tf.group(a.assign(5.0), b.assign(6.0)), a.read_value()), lambda: (tf.no_op(), a + 0.0)
    )
    session.run(v1.global_variables_initializer())
    session.run(run[0], {p: False})
    assert session.run([a, b]) == [1.0, 1.0]
    session.run(run[0], {p: True})
    assert session.run([a, b]) == [5.0, 6.0]


@pytest.mark.parametrize("dtype, true, false", [("float32", 0.5, 0.0), ("int32", 2, 0), ("string", "no", "")])
def test_predicates_that_are_not_boolean(dtype, true, false, session):
    p = v1.placeholder(dtype, [])
    y = tf.cond(p, lambda: 1, lambda: 2)
    assert (session.run(y, {p: true}), session.run(y, {p: false})) == (1, 2)


def test_collections(session):
    v1.add_to_collection("mine", 1)

    def traced():
        v1.add_to_collection("mine", len(v1.get_collection("mine")))
        return 0

    tf.cond(tf.constant(True), traced, traced)
    assert v1.get_collection("mine") == [1, 1, 2]
    tf.function(traced)()
    assert v1.get_collection("mine") == [1, 1, 2]


def test_static_shapes_from_values_outside(session):
    known, x = tf.constant([3, 4]), v1.placeholder(tf.float32, [5, None])
    shapes = []

    def traced(y):
        whole = tf.concat([[5], known], 0)
        shapes.append(tf.zeros(whole).shape.as_list())
        shapes.append(tf.random.normal([tf.shape(x)[0], *tf.unstack(known)]).shape.as_list())
        return y

    tf.cond(tf.constant(True), lambda: traced(1), lambda: traced(1))
    tf.while_loop(lambda i: i < 2, lambda i: [traced(i) + 1], [0])
    tf.map_fn(traced, tf.constant([1, 2]))
    tf.function(lambda: traced(1))()
    assert shapes == [[5, 3, 4]] * 10


def test_which_graphs_are_parts():
    seen = []

    def noted(i):
        seen.append((i + 1).graph.is_control_flow_graph)
        return i

    tf.function(lambda i: tf.while_loop(lambda i: noted(i) < 1, lambda i: [noted(i) + 1], [noted(i)]))(
        tf.constant(0)
    )
    assert seen == [False, True, True]


# ---- gradients of what is outside


def inside(f):
    return tf.function(f)()


SHAPES = {
    "function": inside,
    "function in a function": lambda f: inside(lambda: inside(f)),
    "loop": lambda f: tf.while_loop(lambda i, _: i < 1, lambda i, _: (i + 1, f()), (0, [0.0, 0.0]))[1],
    "branch": lambda f: tf.cond(tf.constant(True), f, lambda: [0.0, 0.0]),
}


@pytest.mark.parametrize("part", SHAPES)
def test_gradients_of_tensors_outside(part, session):
    """tf.gradients in a part, of tensors that were made outside of it, and through them."""
    x, y = tf.constant(3.0), tf.constant(2.0)
    square = x * x
    chosen = tf.cond(x > 0.0, lambda: square * y, lambda: y)
    total = looped(lambda s: s * chosen, tf.constant(1.0))  # (x^2 y)^2

    of_outside = SHAPES[part](lambda: tf.gradients(total, [x, y]))
    assert session.run(of_outside) == [4 * 27.0 * 4.0, 81.0 * 4.0]
    through = SHAPES[part](lambda: tf.gradients(square * y * x, [x, square]))
    assert session.run(through) == [3 * 9.0 * 2.0, 6.0]
    second = SHAPES[part](
        lambda: tf.gradients(tf.gradients(square * x, x), [x, y], unconnected_gradients="zero")
    )
    assert session.run(second) == [18.0, 0.0]


def test_a_tensor_of_another_graph_has_no_place():
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="same graph"):
        tf.gradients(x, x)


def test_the_number_of_operations_in_nested_parts_of_a_gradient_stays_small(session):
    """Symbols of several graphs around lead to one operation: it is differentiated once."""
    x = tf.constant(2.0)
    y = x * x
    f = tf.function(lambda: tf.function(lambda: tf.gradients(y * y + y, [x]))())
    np.testing.assert_allclose(session.run(f()), [4 * 8.0 + 4.0])
