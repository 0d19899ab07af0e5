"""Models: their training against Keras's stored answers; their parts, files, callbacks, errors."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from stored import script

import gradtape as tf
import gradtape.compat.v1 as tf1

GOLDEN = Path(__file__).parents[1] / "golden"
cases = script("keras_model_cases")
STORED = json.loads((GOLDEN / "keras_models.json").read_text(encoding="utf-8"))
K, L = tf.keras, tf.keras.layers


def agree(found, stored):
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(stored, float), rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("eagerly", [False, True], ids=["function", "eager"])
@pytest.mark.parametrize("program", cases.PROGRAMS, ids=lambda p: p.__name__)
def test_training_as_keras(program, eagerly):
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(eagerly)
    try:
        found = cases.run(program, K)
    finally:
        tf.config.run_functions_eagerly(before)
    stored = STORED[program.__name__]
    assert list(found["history"]) == list(stored["history"])
    for name, values in stored["history"].items():
        agree(found["history"][name], values)
    for part in ("evaluated", "predicted", "on_batch", "weights"):
        assert len(found[part]) == len(stored[part])
        for mine, theirs in zip(found[part], stored[part]):
            agree(mine, theirs)
    assert found["shapes"] == stored["shapes"] and found["layers"] == stored["layers"]


# --- What a model is made of


class Net(K.Model):
    def __init__(self):
        super().__init__()
        self.first = L.Dense(2)
        self.rest = [L.Dense(3), L.Dense(1)]
        self.named = {"norm": L.BatchNormalization()}

    def call(self, x, training=None):
        x = self.named["norm"](self.first(x))
        for layer in self.rest:
            x = layer(x)
        return x


def test_a_subclass_finds_its_layers_and_weights():
    K.backend.clear_session()
    net = Net()
    assert net.weights == [] and not net.built
    net(tf.ones([2, 4]))
    assert [w.path for w in net.weights[:3]] == ["net/dense/kernel", "net/dense/bias", "net/dense_1/kernel"]
    assert len(net.trainable_weights) == 8 and len(net.non_trainable_weights) == 2
    net.rest.append(L.Dense(5))
    net(tf.ones([2, 4]))
    assert len(net.weights) == 12 and [layer.name for layer in net.layers][-1] == "batch_normalization"
    net.first.trainable = False
    assert len(net.trainable_weights) == 8 and net.first.trainable_weights == []
    net.trainable = False
    assert net.trainable_weights == [] and len(net.non_trainable_weights) == 12
    net.trainable = True
    assert len(net.trainable_weights) == 10


def test_operators_and_functions_of_descriptions():
    x = K.Input((4,))
    y = tf.concat([tf.nn.relu(2 * x + 1), tf.square(x)[:, :2]], axis=1)
    model = K.Model(x, [y, tf.reduce_sum(y, axis=1)])
    values = np.array([[1.0, -2.0, 3.0, 0.0]], np.float32)
    first, second = model(values)
    np.testing.assert_array_equal(first, [[3, 0, 7, 1, 1, 4]])
    np.testing.assert_array_equal(second, [16])
    with pytest.raises(ValueError, match="operation on tensors, which cannot be saved"):
        model.get_config()


def test_a_part_of_a_model_is_a_model():
    x = K.Input((4,), name="x")
    hidden = L.Dense(3, name="hidden")(x)
    whole = K.Model(x, L.Dense(2, name="last")(hidden))
    front = K.Model(whole.input, whole.get_layer("hidden").output)
    back = K.Model(hidden, whole.output)
    values = tf.ones([1, 4])
    np.testing.assert_allclose(back(front(values)), whole(values))
    assert back.layers == [whole.get_layer("last")] and front.output_shape == (None, 3)


def test_sequential_grows_and_shrinks():
    model = K.Sequential([K.Input((3,)), L.Dense(4, name="a")])
    model.add(L.Dense(2, name="b"))
    assert model.output_shape == (None, 2) and len(model.weights) == 4
    with pytest.raises(ValueError, match="unique names"):
        model.add(L.Dense(1, name="a"))
    with pytest.raises(TypeError, match=r"Only instances of `keras.Layer`"):
        model.add(lambda x: x)
    model.pop()
    assert model.output_shape == (None, 4) and model(tf.ones([1, 3])).shape == (1, 4)
    old = K.Sequential([L.Dense(2, input_dim=3), L.Dense(2)])
    assert old.built and old.input_shape == (None, 3)


def test_deferred_sequential_takes_any_batch():
    model = K.Sequential([L.Conv2D(2, 3), L.Flatten(), L.Dense(1)])
    assert not model.built and model.weights == []
    assert model(tf.ones([2, 5, 5, 1])).shape == (2, 1) and model(tf.ones([7, 5, 5, 1])).shape == (7, 1)


def test_masks_travel_to_who_asks():
    class Asks(L.Layer):
        def __init__(self):
            super().__init__()
            self.supports_masking = True

        def call(self, x, mask=None):
            return x if mask is None else x * tf.cast(mask, x.dtype)[..., None]

    ids = tf.constant([[1, 2, 0]])
    embedding = L.Embedding(4, 2, mask_zero=True)
    y = Asks()(L.Dropout(0.5)(embedding(ids)))
    assert float(tf.reduce_sum(tf.abs(y[0, 2]))) == 0 and float(tf.reduce_sum(tf.abs(y[0, 1]))) > 0
    x = K.Input((3,), dtype="int32")
    model = K.Model(x, Asks()(embedding(x)))
    np.testing.assert_array_equal(model(ids), y)
    with pytest.warns(UserWarning, match="does not support masking"):
        L.Flatten()(embedding(ids))


@pytest.mark.parametrize("how", ["eager", "function", "described"])
def test_a_layer_that_computes_masks_gives_them(how):
    """Of inputs without masks too, without a word about `supports_masking`."""

    class Says(L.Layer):
        def compute_mask(self, inputs, previous_mask=None):
            return inputs > 0

        def call(self, x):
            return tf.cast(x, tf.float32)[..., None]

    ids = tf.constant([[1, 2, 0]])
    model, last = K.Sequential([Says(), L.Lambda(lambda x: x)]), L.GlobalAveragePooling1D()
    if how == "described":
        x = K.Input((3,), dtype="int32")
        call = K.Model(x, last(model.layers[0](x)))
    else:
        call = lambda ids: last(model.layers[0](ids))
    got = (tf.function(call) if how == "function" else call)(ids)
    np.testing.assert_allclose(got, [[1.5]])


def test_a_mask_that_is_given_goes_on():
    class Doubles(L.Layer):
        def __init__(self):
            super().__init__()
            self.supports_masking = True

        def call(self, x, mask=None):
            return 2.0 * x

    y = Doubles()(tf.constant([[[1.0], [3.0]]]), mask=tf.constant([[True, False]]))
    assert L.GlobalAveragePooling1D()(y).numpy() == 2.0


@pytest.mark.parametrize("size", [1, 2, 5, 7])
def test_steps_per_execution(size):
    """Callbacks hear of every so many steps; what is learned is the same."""
    x, y, heard = np.arange(10.0).reshape(10, 1), np.ones((10, 1)), []

    class Hears(K.callbacks.Callback):
        def on_train_batch_begin(self, batch, logs=None):
            heard.append(("begin", batch))

        def on_train_batch_end(self, batch, logs=None):
            heard.append(("end", batch))

        def on_predict_batch_end(self, batch, logs=None):
            heard.append((batch, np.shape(logs["outputs"])))

        def on_test_batch_end(self, batch, logs=None):
            heard.append(("test", batch))

    def run(size):
        model = K.Sequential([K.Input((1,)), L.Dense(1, kernel_initializer="ones")])
        model.compile(K.optimizers.SGD(1e-3), "mse", steps_per_execution=size)
        history = model.fit(x, y, batch_size=2, shuffle=False, epochs=2, verbose=0, callbacks=[Hears()])
        found = [history.history["loss"], model.evaluate(x, y, batch_size=2, verbose=0, callbacks=[Hears()])]
        return [*found, model.predict(x, batch_size=2, verbose=0, callbacks=[Hears()]), *model.get_weights()]

    for got, want in zip(run(size), run("auto")[:5], strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)
    first = list(range(0, 5, size))
    last = [min(n + size, 5) - 1 for n in first]
    epoch = [pair for ends in zip(first, last) for pair in zip(("begin", "end"), ends)]
    ends = [("test", n) for n in last] + [(b, (2 * (b - a + 1), 1)) for a, b in zip(first, last)]
    assert heard[: 2 * len(epoch) + len(ends)] == [*epoch, *epoch, *ends]
    with pytest.raises(ValueError, match="steps_per_execution"):
        K.Sequential([L.Dense(1)]).compile("sgd", "mse", steps_per_execution=0)


def test_training_in_a_graph_of_tensorflow_1(tmp_path):
    """`fit` and its kin build their steps once, and give the numbers of eager mode."""
    x, y = np.sin(np.arange(60.0)).reshape(10, 3, 2), np.arange(10) % 2

    def run():
        K.backend.clear_session()
        model = K.Sequential([L.Input((3, 2)), L.LSTM(4), L.BatchNormalization(), L.Dense(2)])
        model.set_weights(
            [np.cos(np.arange(w.size)).reshape(w.shape) * 0.3 + 0.4 for w in model.get_weights()]
        )
        loss = K.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(K.optimizers.Adam(0.05), loss, metrics=["accuracy"])
        slower = K.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.5)
        given = {"shuffle": False, "verbose": 0, "batch_size": 4, "callbacks": [slower]}
        history = model.fit(x, y, epochs=3, validation_data=(x, y), **given).history
        found = [*map(history.get, sorted(history)), model.predict(x, verbose=0), *model.get_weights()]
        found += [model.train_on_batch(x, y), model.test_on_batch(x, y), model.evaluate(x, y, verbose=0)]
        model.save(tmp_path / "model.keras")
        return [*found, K.models.load_model(tmp_path / "model.keras").predict(x, verbose=0)], model

    wanted, _ = run()
    with tf.Graph().as_default() as graph:
        got, model = run()
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)
        count = len(graph.get_operations())
        model.fit(x, y, verbose=0, batch_size=4, epochs=3)
        assert len(graph.get_operations()) == count


def test_summaries(monkeypatch):
    monkeypatch.setenv("COLUMNS", "130")
    path = Path(__file__).parents[1] / "golden" / "make_keras_summary.py"
    golden = script("make_keras_summary")
    stored = json.loads(path.with_name("keras_summary.json").read_text(encoding="utf-8"))
    for model, wanted in zip(golden.models(tf), stored, strict=True):
        for kwargs, want in zip(golden.KWARGS, wanted, strict=True):
            assert golden.lines(model, kwargs) == want, kwargs


def test_training_reaches_inner_layers():
    class Says(L.Layer):
        def call(self, x, training=None):
            return x + (1.0 if training else 0.0)

    model = K.Sequential([K.Sequential([Says()]), Says()])
    x = tf.zeros([1, 1])
    assert [model(x, training=t).numpy().item() for t in (True, False, None)] == [2.0, 0.0, 0.0]
    assert model(x, True).numpy().item() == 2.0


def test_in_a_graph_of_tensorflow_1():
    K.backend.clear_session()
    with tf.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float32, [None, 4])
        model = K.Sequential([L.Dense(3, activation="tanh"), L.BatchNormalization(), L.Dense(1)])
        loss = tf.reduce_mean(model(x, training=True) ** 2)
        names = [v.name for v in tf1.global_variables()]
        assert names[:2] == ["sequential/dense/kernel:0", "sequential/dense/bias:0"] and len(names) == 8
        updates = tf1.get_collection(tf1.GraphKeys.UPDATE_OPS)
        with tf.control_dependencies(updates):
            step = tf1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf1.global_variables_initializer())
        feeds = {x: cases.X}
        first = session.run(loss, feeds)
        for _ in range(20):
            session.run(step, feeds)
        assert session.run(loss, feeds) < first
        moved = model.layers[1].get_weights()[2]
        assert np.abs(moved).max() > 0


# --- Files


def test_weights_in_files(tmp_path):
    model, other = cases._mlp(K), K.Sequential([K.Input((4,)), L.Dense(5), L.Dense(3)])
    path = tmp_path / "weights"
    model.save_weights(path)
    kept = [w.numpy() for w in other.weights]
    with pytest.raises(ValueError, match=r"kernel' of shape \(5, 3\) has the shape \(5, 2\)"):
        other.load_weights(path)
    for w, before in zip(other.weights, kept):  # nothing was set
        np.testing.assert_array_equal(w, before)
    other.load_weights(path, skip_mismatch=True)
    np.testing.assert_array_equal(other.weights[0], model.weights[0])
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(ValueError, match="is no file of weights, or is damaged"):
        model.load_weights(path)
    assert [p.name for p in tmp_path.iterdir()] == ["weights"]


def test_models_in_files_go_on_training(tmp_path):
    x = K.Input((4,))
    shared = L.Dense(4, activation="relu")
    model = K.Model(x, L.Dense(2)(L.Add()([shared(x), shared(shared(x))])))
    model.compile(K.optimizers.SGD(0.1), "mse", metrics=["mae"])
    model.fit(cases.X, cases.Y, verbose=0)
    model.save(tmp_path / "m.keras")
    again = K.models.load_model(tmp_path / "m.keras")
    assert again.evaluate(cases.X, cases.Y, verbose=0) == model.evaluate(cases.X, cases.Y, verbose=0)
    copy = K.models.clone_model(model)
    assert [layer.name for layer in copy.layers] == [layer.name for layer in model.layers]
    copy.set_weights(model.get_weights())
    np.testing.assert_array_equal(copy(cases.X), model(cases.X))


# --- Callbacks


class Notes(K.callbacks.Callback):
    def __init__(self):
        self.calls = []

    def __getattribute__(self, name):
        if name.startswith("on_"):
            return lambda *args: self.calls.append((name, *[a for a in args if isinstance(a, int)]))
        return super().__getattribute__(name)


for hook in (
    "train_begin",
    "epoch_begin",
    "train_batch_end",
    "test_begin",
    "test_batch_end",
    "epoch_end",
    "train_end",
):
    setattr(Notes, f"on_{hook}", lambda self, *args, **kwargs: None)


def test_callbacks_are_called_in_order():
    notes = Notes()
    model = cases._mlp(K)
    model.compile("sgd", "mse")
    data = cases.X[:4], cases.Y[:4]
    model.fit(*data, batch_size=2, verbose=0, validation_data=data, callbacks=[notes])
    assert notes.calls == [
        ("on_train_begin",), ("on_epoch_begin", 0), ("on_train_batch_end", 0), ("on_train_batch_end", 1),
        ("on_test_begin",), ("on_test_batch_end", 0), ("on_test_batch_end", 1), ("on_epoch_end", 0), ("on_train_end",),
    ]  # fmt: skip


def test_early_stopping_puts_the_best_weights_back():
    model = cases._mlp(K)
    model.compile(K.optimizers.SGD(30.0), "mse")  # it diverges
    before = model.evaluate(cases.X, cases.Y, verbose=0)
    stop = K.callbacks.EarlyStopping("loss", patience=1, restore_best_weights=True)
    history = model.fit(cases.X, cases.Y, epochs=9, batch_size=20, verbose=0, callbacks=[stop])
    assert len(history.epoch) < 9 and stop.best == min(history.history["loss"]) and before < 10


def test_checkpoints_csv_and_learning_rates(tmp_path):
    model = cases._mlp(K)
    model.compile(K.optimizers.SGD(0.1), "mse")
    model.fit(
        cases.X, cases.Y, epochs=3, verbose=0,
        callbacks=[
            K.callbacks.ModelCheckpoint(tmp_path / "{epoch}.weights", save_weights_only=True),
            K.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2),
            K.callbacks.CSVLogger(tmp_path / "log.csv"),
            K.callbacks.TensorBoard(tmp_path / "board"),
        ],
    )  # fmt: skip
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "1.weights",
        "2.weights",
        "3.weights",
        "board",
        "log.csv",
    ]
    rows = (tmp_path / "log.csv").read_text().splitlines()
    assert rows[0].startswith("epoch,learning_rate,loss") and len(rows) == 4
    np.testing.assert_allclose(model.optimizer.learning_rate.numpy(), 0.0125)
    plateau = K.callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=1, min_delta=1e9)
    model.fit(cases.X, cases.Y, epochs=3, verbose=0, callbacks=[plateau])
    np.testing.assert_allclose(model.optimizer.learning_rate.numpy(), 0.0125 / 4)


def test_the_bar_of_progress(capsys):
    model = cases._mlp(K)
    model.compile("sgd", "mse")
    model.fit(cases.X, cases.Y, batch_size=10, epochs=2)
    text = capsys.readouterr().out
    assert (
        text.startswith("Epoch 1/2\n")
        and "Epoch 2/2\n" in text
        and "2/2" in text
        and "/step - loss: " in text
    )
    model.fit(cases.X, cases.Y, batch_size=10, verbose=2)
    assert capsys.readouterr().out.startswith("2/2 - 0s - ")
    model.fit(cases.X, cases.Y, verbose=0)
    assert capsys.readouterr().out == ""


# --- Data


def test_sources_of_batches_agree():
    pairs = [(cases.X[i : i + 5], cases.Y[i : i + 5]) for i in range(0, 20, 5)]

    class Pieces:
        def __len__(self):
            return 4

        def __getitem__(self, i):
            return pairs[i]

    class Forever:
        def __iter__(self):
            while True:
                yield from pairs

    results = []
    for data, kwargs in (
        ((cases.X, cases.Y), {"batch_size": 5}),
        ((tf.constant(cases.X), tf.constant(cases.Y)), {"batch_size": 5}),
        ((tf.data.Dataset.from_tensor_slices((cases.X, cases.Y)).batch(5),), {}),
        ((Pieces(),), {}),
        ((Forever(),), {"steps_per_epoch": 4}),
    ):
        model = cases._mlp(K)
        model.compile("sgd", "mse")
        model.fit(*data, epochs=2, shuffle=False, verbose=0, **kwargs)
        results.append(model.get_weights())
    for other in results[1:]:
        for mine, theirs in zip(results[0], other):
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-7)


def test_shuffling_follows_the_seed():
    def trained(seed):
        K.utils.set_random_seed(seed)
        model = cases._mlp(K)
        model.compile("sgd", "mse")
        model.fit(cases.X, cases.Y, batch_size=3, verbose=0)
        return model.get_weights()[0]

    np.testing.assert_array_equal(trained(1), trained(1))
    assert np.abs(trained(1) - trained(2)).max() > 0


# --- Errors


@pytest.mark.parametrize(
    ("do", "kind", "words"),
    [
        (lambda: L.Dense(2)(tf.ones([1, 2, 3]), 1, 2, 3), TypeError, "too many positional"),
        (
            lambda: L.Dense(2, foo=1),
            ValueError,
            r"Unrecognized keyword arguments passed to Dense: \{'foo': 1\}",
        ),
        (lambda: L.Dense(0), ValueError, "expected a positive integer"),
        (lambda: L.Conv2D(1, 3)(tf.ones([2, 3])), ValueError, "expected min_ndim=4, found ndim=2"),
        (lambda: K.Sequential([L.Dense(1)]).fit(cases.X), ValueError, r"You must call `compile\(\)`"),
        (lambda: L.Add()(tf.ones([1])), ValueError, "list of inputs"),
        (lambda: L.Dense(2)(K.Input((None,))), ValueError, "must have a known size"),
        (lambda: K.Model(K.Input((2,)), L.Dense(1)(K.Input((2,)))), ValueError, "not connected"),
        (
            lambda: cases._mlp(K)(tf.ones([2, 3])),
            ValueError,
            r"expected shape=\(None, 4\), found shape=\(2, 3\)",
        ),
        (lambda: cases._mlp(K).get_layer("no"), ValueError, "No such layer: no"),
        (lambda: L.Layer()(tf.ones([1])), NotImplementedError, "does not have a `call`"),
    ],
)
def test_errors(do, kind, words):
    with pytest.raises(kind, match=words):
        do()


def test_fit_refuses_arrays_of_different_lengths():
    model = cases._mlp(K)
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="Data cardinality is ambiguous"):
        model.fit(cases.X, cases.Y[:3], verbose=0)
    x = K.Input((4,))
    two = K.Model(x, [L.Dense(2, name="p")(x), L.Dense(2, name="q")(x)])
    two.compile("sgd", {"r": "mse"})
    with pytest.raises(ValueError, match="'r' does not correspond to any model output"):
        two.fit(cases.X, [cases.Y, cases.Y], verbose=0)


def test_names_in_logs():
    class Two(K.Model):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(2)

        def call(self, x):
            return [self.dense(x), self.dense(x)]

    two = Two()
    two.compile("sgd", ["mse", "mae"], metrics=[["mae"], ["mse"]])
    logs = two.train_on_batch(cases.X, [cases.Y, cases.Y], return_dict=True)
    assert sorted(logs) == ["loss", "mae", "mae_loss", "mse", "mse_loss"]
    one = cases._mlp(K)
    one.compile(
        "sgd", lambda y, p: tf.reduce_mean((y - p) ** 2), metrics=["mae", "mae"], weighted_metrics=["mae"]
    )
    assert sorted(one.train_on_batch(cases.X, cases.Y, return_dict=True)) == [
        "loss",
        "mae",
        "mae_1",
        "weighted_mae",
    ]


def test_checkpoints_hold_models_and_optimizers(tmp_path):
    def trained(steps):
        model = cases._mlp(K)
        model.compile(K.optimizers.Adam(0.1), "mse")
        for _ in range(steps):
            model.train_on_batch(cases.X, cases.Y)
        return model

    model = trained(3)
    path = tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(str(tmp_path / "ck"))
    other = trained(0)
    tf.train.Checkpoint(model=other, optimizer=other.optimizer).restore(path)
    np.testing.assert_array_equal(other.weights[0], model.weights[0])
    model.train_on_batch(cases.X, cases.Y)
    other.train_on_batch(cases.X, cases.Y)  # its slots are made now, and restored
    np.testing.assert_allclose(other.weights[0], model.weights[0], rtol=1e-6)


def test_a_module_finds_the_variables_of_layers():
    class Holder(tf.Module):
        def __init__(self):
            super().__init__()
            self.dense = L.Dense(2)
            self.stack = K.Sequential([L.Dense(3)])

    holder = Holder()
    holder.stack(holder.dense(tf.ones([1, 4])))
    assert len(holder.trainable_variables) == 4


@pytest.mark.parametrize("how", ["config", "file", "clone"])
def test_which_layers_are_trained_is_kept(tmp_path, how):
    base = K.Sequential([K.Input((3,)), L.Dense(2), L.Dense(2)], name="base")
    inner = K.Model(base.inputs, base(base.inputs[0]), name="inner")
    base.layers[0].trainable = False
    x = K.Input((3,))
    model = K.Model(x, L.Dense(1)(inner(x)))
    if how == "config":
        made = K.Model.from_config(model.get_config())
    elif how == "clone":
        made = K.models.clone_model(model)
    else:
        model.save(tmp_path / "model.keras")
        made = K.models.load_model(tmp_path / "model.keras")
    layers = made.get_layer("inner").get_layer("base").layers
    assert [layer.trainable for layer in layers] == [False, True]
    assert [w.shape for w in made.trainable_weights] == [w.shape for w in model.trainable_weights]


def _averaged(epochs, *callbacks):
    """A model after training with moving averages, and the averages by hand."""
    layer = L.Dense(1, kernel_initializer="ones")
    model = K.Sequential([K.Input((4,)), layer])
    model.compile(K.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.8), "mse")
    mean, n = 0.0, 0

    class Averages(K.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            nonlocal mean, n
            mean, n = (layer.kernel.numpy() if n == 0 else 0.8 * mean + 0.2 * layer.kernel.numpy()), n + 1

    x, y = cases.X, cases.Y[:, :1]
    model.fit(x, y, epochs=epochs, batch_size=5, verbose=0, callbacks=[*callbacks, Averages()])
    return model, mean


@pytest.mark.parametrize("swap", [None, False, True])
def test_moving_averages_are_the_weights_after_training(swap):
    model, mean = _averaged(3, *[] if swap is None else [K.callbacks.SwapEMAWeights(swap_on_epoch=swap)])
    np.testing.assert_allclose(model.layers[0].kernel, mean, rtol=1e-5)


def test_moving_averages_while_others_look():
    seen = []

    class Looking(K.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            seen.append(self.model.layers[0].kernel.numpy())

    model, mean = _averaged(2, K.callbacks.SwapEMAWeights(swap_on_epoch=True), Looking())
    np.testing.assert_allclose(seen[-1], mean, rtol=1e-5)
    model, mean = _averaged(1, K.callbacks.SwapEMAWeights(swap_on_epoch=True))
    np.testing.assert_allclose(seen[0], mean, rtol=1e-5)
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="use_ema"):
        model.fit(cases.X, cases.Y[:, :1], verbose=0, callbacks=[K.callbacks.SwapEMAWeights()])


@pytest.mark.parametrize("method", ["fit", "evaluate"])
@pytest.mark.parametrize("regularizer", [None, "l2"])
def test_a_compiled_loss_needs_labels(method, regularizer):
    """Also if the layers add losses of their own: as Keras, which says "None values not supported"."""
    model = tf.keras.Sequential(
        [tf.keras.Input((3,)), tf.keras.layers.Dense(2, use_bias=False, kernel_regularizer=regularizer)]
    )
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="needs labels, but no `y` was given"):
        getattr(model, method)(np.ones((8, 3), np.float32), verbose=0)
    model.compile("sgd")
    if regularizer is None:
        with pytest.raises(ValueError, match="No loss to compute"):
            getattr(model, method)(np.ones((8, 3), np.float32), verbose=0)
    else:
        getattr(model, method)(np.ones((8, 3), np.float32), verbose=0)
