"""``tf.data.Dataset``: against TensorFlow's answers, and eager mode, functions and sessions against each other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf

Dataset = tf.data.Dataset
GOLDEN = Path(__file__).parents[1] / "golden"
EXPECTED = json.loads((GOLDEN / "datasets.json").read_text(encoding="utf-8"))


MAKER = script("make_datasets")


def values(dataset):
    return [x.tolist() for x in dataset.as_numpy_iterator()]


@pytest.mark.parametrize("line", MAKER.lines())
def test_answers_of_tensorflow(line: str):
    assert json.loads(json.dumps(MAKER.answer(line, tf))) == EXPECTED[line]


# --- Laziness, and where a function runs --------------------------------------------------------------------


def test_functions_are_traced_once_and_elements_come_one_by_one():
    traced, computed = [], []

    def f(x):
        traced.append(x)
        return tf.py_function(lambda v: computed.append(int(v)) or v, [x], tf.int64)

    iterator = iter(Dataset.range(10).repeat().map(f))
    assert computed == []
    assert [int(next(iterator)) for _ in range(2)] == [0, 1]
    assert len(traced) == 1 and computed == [0, 1]


def test_a_generator_is_read_as_elements_are_asked_for():
    read = []

    def numbers():
        for i in range(100):
            read.append(i)
            yield i

    dataset = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int32))
    assert values(dataset.batch(2).prefetch(1).take(2)) == [[0, 1], [2, 3]]
    assert len(read) <= 5


def test_control_flow_in_functions():
    def f(x):
        total = tf.constant(0, tf.int64)
        for i in tf.range(x):
            if i % 2 == 0:
                total += i
        return total

    assert values(Dataset.range(6).map(f)) == [0, 0, 0, 2, 2, 6]


def test_a_function_reads_variables_and_constants_from_outside():
    v, c = tf.Variable(2.0), tf.constant([1.0, 2.0])
    dataset = Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * v * c)
    assert values(dataset) == [[2.0, 4.0], [4.0, 8.0]]
    v.assign(3.0)
    assert values(dataset) == [[3.0, 6.0], [6.0, 12.0]]


def test_an_iterator_is_on_no_tape():
    x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        element = next(iter(Dataset.from_tensors(x).map(lambda z: z * v)))
        y = element * v
    dx, dv = tape.gradient(y, [x, v])
    assert dx is None and np.allclose(dv, [3.0 + 6.0])


def test_what_a_dataset_was_made_of_may_change_later():
    array = np.arange(3)
    dataset = Dataset.from_tensor_slices(array)
    array[:] = 7
    assert values(dataset) == [0, 1, 2] and values(dataset.batch(3)) == [[0, 1, 2]]


# --- Rows: a batch is taken at once --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d,
        lambda d: d.shuffle(20, seed=1),
        lambda d: d.shuffle(3, seed=1).repeat(2),
        lambda d: d.skip(2).take(5).shard(2, 1),
        lambda d: d.repeat(2).shuffle(5, seed=3, reshuffle_each_iteration=False),
    ],
)
@pytest.mark.parametrize("drop_remainder", [False, True])
def test_batches_of_rows_are_stacked_rows(change, drop_remainder):
    columns = {"a": np.arange(24.0).reshape(8, 3), "b": np.array(list("abcdefgh"), object)}
    rows = change(Dataset.from_tensor_slices(columns))
    assert rows._recipe.rows is not None
    whole = list(rows.batch(3, drop_remainder).as_numpy_iterator())
    rows = change(Dataset.from_tensor_slices(columns).map(lambda x: x))  # one by one
    assert rows._recipe.rows is None
    one_by_one = list(rows.batch(3, drop_remainder).as_numpy_iterator())
    assert len(whole) == len(one_by_one)
    for x, y in zip(whole, one_by_one, strict=True):
        np.testing.assert_array_equal(x["a"], y["a"])
        np.testing.assert_array_equal(x["b"], y["b"])


# --- In functions --------------------------------------------------------------------------------------------


@tf.function
def total_of(n):
    total = tf.constant(0, tf.int64)
    for x in Dataset.range(n).map(lambda x: x + n):
        if x == n + 3:
            break
        total += x
    return total


def test_a_loop_over_a_dataset_that_a_function_makes():
    assert [int(total_of(tf.constant(n, tf.int64))) for n in (2, 5)] == [5, 18]


def test_a_loop_over_a_dataset_from_outside_and_over_an_iterator():
    dataset = Dataset.range(5)

    @tf.function
    def total(data):
        found = tf.constant(0, tf.int64)
        for x in data:
            found += x
        return found

    assert int(total(dataset)) == int(total(dataset)) == 10
    iterator = iter(dataset)
    assert int(next(iterator)) == 0 and int(next(iterator)) == 1
    assert int(total(iterator)) == 9
    assert int(total(iterator)) == 0


def test_windows_in_a_loop():
    @tf.function
    def digits():
        found = tf.constant(0, tf.int64)
        for window in Dataset.range(1, 6).window(2):
            for x in window:
                found = 10 * found + x
        return found

    assert int(digits()) == 12345


def test_an_iterator_from_outside_goes_on_from_call_to_call():
    iterator = iter(Dataset.range(3))

    @tf.function
    def step():
        return next(iterator) * 10

    assert [int(step()), int(next(iterator)), int(step())] == [0, 1, 20]
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        step()


def test_an_iterator_that_a_function_makes_begins_in_each_call():
    @tf.function
    def first_two():
        iterator = iter(Dataset.range(5, 9))
        return next(iterator), iterator.get_next()

    for _ in range(2):
        assert [int(x) for x in first_two()] == [5, 6]


def test_a_plain_loop_in_a_graph_ends_with_an_error():
    @tf.function(autograph=False)
    def f():
        for _ in Dataset.range(3):
            pass

    with pytest.raises(TypeError, match="AutoGraph did not convert"):
        f()


def test_gradients_of_a_training_step_over_a_dataset():
    x = np.linspace(-1, 1, 16, dtype=np.float32)
    dataset = Dataset.from_tensor_slices((x, 3 * x)).shuffle(16, seed=1).batch(4).repeat(20)

    def trained(step):
        w = tf.Variable(0.0)
        for a, b in dataset:
            w.assign_sub(0.5 * step(w, a, b))
        return float(w)

    def step(w, a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * a - b) ** 2)
        return tape.gradient(loss, w)

    assert trained(step) == pytest.approx(3, abs=1e-3)
    assert trained(tf.function(step)) == pytest.approx(3, abs=1e-3)


# --- Files ---------------------------------------------------------------------------------------------------


def test_lines_of_files(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"1\r\n2\n\n3")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"x\ny\n"))
    plain = str(tmp_path / "a.txt")
    assert list(tf.data.TextLineDataset([plain, plain]).as_numpy_iterator()) == [b"1", b"2", b"", b"3"] * 2
    zipped = tf.data.TextLineDataset(str(tmp_path / "b.txt.gz"), compression_type="GZIP")
    assert list(zipped.as_numpy_iterator()) == [b"x", b"y"]
    names = Dataset.list_files(str(tmp_path / "*.txt"))
    assert list(names.flat_map(tf.data.TextLineDataset).as_numpy_iterator()) == [b"1", b"2", b"", b"3"]
    with pytest.raises(tf.errors.NotFoundError, match="missing"):
        list(tf.data.TextLineDataset(str(tmp_path / "missing")))
    with pytest.raises(tf.errors.InvalidArgumentError, match="No files matched"):
        Dataset.list_files(str(tmp_path / "*.csv"))


def test_list_files_shuffles_under_a_seed(tmp_path):
    for name in "abcdef":
        (tmp_path / name).write_bytes(b"")
    pattern = str(tmp_path / "*")
    base = lambda dataset: [Path(name.decode()).name for name in dataset.as_numpy_iterator()]
    assert base(Dataset.list_files(pattern, shuffle=False)) == list("abcdef")
    order = base(Dataset.list_files(pattern, seed=2))
    assert order == base(Dataset.list_files(pattern, seed=2)) != list("abcdef")


def test_rows_of_csv(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('a,b,c\n1,"x, y",2.5\n3,,\n', encoding="utf-8")
    rows = tf.data.experimental.CsvDataset(str(path), [tf.int32, "none", [0.5]], header=True)
    assert list(rows.as_numpy_iterator()) == [(1, b"x, y", 2.5), (3, b"none", 0.5)]
    rows = tf.data.experimental.CsvDataset(str(path), [tf.int32], header=True, select_cols=[0])
    assert list(rows.as_numpy_iterator()) == [(1,), (3,)]
    with pytest.raises(tf.errors.InvalidArgumentError, match="required but missing"):
        list(tf.data.experimental.CsvDataset(str(path), [tf.int32, "", tf.float32], header=True))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expect 2 fields but have 3"):
        list(tf.data.experimental.CsvDataset(str(path), [tf.int32, ""], header=True))


def test_records(tmp_path):
    framed = lambda data: len(data).to_bytes(8, "little") + b"sum1" + data + b"sum2"
    path = tmp_path / "data.tfrecord"
    path.write_bytes(framed(b"one") + framed(b"") + framed(b"three"))
    assert list(tf.data.TFRecordDataset(str(path)).as_numpy_iterator()) == [b"one", b"", b"three"]
    path.write_bytes(framed(b"one")[:-2])
    with pytest.raises(tf.errors.DataLossError, match="truncated"):
        list(tf.data.TFRecordDataset(str(path)))


@pytest.mark.parametrize("in_file", [False, True])
def test_cache(tmp_path, in_file):
    read = []

    def numbers():
        for i in range(3):
            read.append(i)
            yield i, ["a", "bc" * i]

    signature = (tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.string))
    name = str(tmp_path / "kept") if in_file else ""
    dataset = Dataset.from_generator(numbers, output_signature=signature).cache(name)
    next(iter(dataset))  # not to its end: nothing is kept
    assert list(tmp_path.iterdir()) == [] or not any(p.suffix == ".npz" for p in tmp_path.iterdir())
    passes = [[(int(i), x.numpy().tolist()) for i, x in dataset] for _ in range(2)]
    assert passes[0] == passes[1] == [(0, [b"a", b""]), (1, [b"a", b"bc"]), (2, [b"a", b"bcbc"])]
    assert read == [0, 0, 1, 2]
    if in_file:
        again = Dataset.from_generator(lambda: 1 / 0, output_signature=signature).cache(name)
        assert len(list(again)) == 3


# --- Errors whose text TensorFlow's answers do not show ------------------------------------------------------


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: Dataset.from_tensor_slices(5), ValueError, "rank >= 1"),
        (lambda: Dataset.from_tensor_slices(([1, 2], [1, 2, 3])), ValueError, "Dimensions 2 and 3"),
        (lambda: Dataset.range(), ValueError, "between 1 and 3"),
        (lambda: Dataset.range(3).flat_map(lambda x: x), TypeError, "must return a `Dataset`"),
        (lambda: Dataset.range(3).filter(lambda x: x), ValueError, "must return a `tf.bool` scalar"),
        (
            lambda: list(Dataset.range(3).map(lambda n: tf.zeros([n])).batch(2)),
            tf.errors.InvalidArgumentError,
            r"Cannot batch tensors with different shapes in component 0. First element had shape \[0\] and element 1",
        ),
        (
            lambda: list(Dataset.from_generator(lambda: iter([1, 1 / 0]), output_types=tf.int32)),
            tf.errors.InvalidArgumentError,
            "ZeroDivisionError",
        ),
        (lambda: Dataset.range(3).map(5), TypeError, "needs a function"),
        (lambda: Dataset.range(3).batch(2).batch(2).window(2).batch(2), TypeError, "flat_map"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_options():
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = 2
    found = Dataset.range(2).with_options(options).map(lambda x: x).options()
    assert found.threading.private_threadpool_size == 2 and found.deterministic is False
