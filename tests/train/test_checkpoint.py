"""``tf.train.Checkpoint``, ``CheckpointManager`` and ``tf.Module``: objects are found again by their attributes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

t1 = tf.compat.v1


class Dense(tf.Module):
    """Makes its variables when it is first called."""

    def __init__(self, units: int, name: str | None = None) -> None:
        super().__init__(name=name)
        self.units = units

    @tf.Module.with_name_scope
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        if not hasattr(self, "w"):
            self.w = tf.Variable(tf.ones([x.shape[-1], self.units]), name="w")
            self.b = tf.Variable(tf.zeros([self.units]), name="b")
        return x @ self.w + self.b


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [Dense(2), Dense(1)]
        self.scales = {"in": tf.Variable(1.0, name="scale"), "k/x.y": tf.Variable(3)}

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x * self.scales["in"]


def filled(model: Model) -> Model:
    model(tf.ones([1, 3]))
    for i, v in enumerate(model.variables):
        v.assign(tf.cast(tf.fill(v.shape, i + 1), v.dtype))
    return model


NAMES = [
    "model/layers/0/b",
    "model/layers/0/w",
    "model/layers/1/b",
    "model/layers/1/w",
    "model/scales/in",
    "model/scales/k.Sx..y",
    "save_counter",
]


def test_names_are_tensorflows(tmp_path: Path):
    path = tf.train.Checkpoint(model=filled(Model())).save(tmp_path / "m")
    assert [name for name, _ in tf.train.list_variables(path)] == [
        f"{n}/.ATTRIBUTES/VARIABLE_VALUE" for n in NAMES
    ]
    assert (
        tmp_path / "checkpoint"
    ).read_text() == 'model_checkpoint_path: "m-1"\nall_model_checkpoint_paths: "m-1"\n'
    assert tf.train.latest_checkpoint(tmp_path) == path == str(tmp_path / "m-1")


def test_variables_that_are_made_later_are_restored_then(tmp_path: Path):
    model = filled(Model())
    path = tf.train.Checkpoint(model=model).save(tmp_path / "m")
    new = Model()
    status = tf.train.Checkpoint(model=new).restore(path)
    assert new.scales["in"].numpy() == model.scales["in"].numpy()
    status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="model/layers/0/w"):
        status.assert_consumed()
    new(tf.ones([1, 3]))
    status.assert_consumed()
    for old, restored in zip(model.variables, new.variables):
        np.testing.assert_array_equal(old.numpy(), restored.numpy())


def test_variables_that_a_function_makes_are_restored(tmp_path: Path):
    path = tf.train.Checkpoint(model=filled(Model())).save(tmp_path / "m")
    new = Model()
    status = tf.train.Checkpoint(model=new).restore(path)
    out = tf.function(new)(tf.ones([1, 3]))
    status.assert_consumed()
    np.testing.assert_array_equal(out.numpy(), filled(Model())(tf.ones([1, 3])).numpy())


def test_objects_that_are_added_later_are_restored_then(tmp_path: Path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=[tf.Variable(2.0)]).write(tmp_path / "m")
    checkpoint = tf.train.Checkpoint(b=[])
    status = checkpoint.read(path)
    checkpoint.a = tf.Variable(0.0)
    assert checkpoint.a.numpy() == 1.0
    checkpoint.b.append(tf.Variable(0.0))  # a list says nothing: the next look finds it
    status.assert_consumed()
    assert checkpoint.b[0].numpy() == 2.0


def test_a_variable_is_found_by_every_way_that_led_to_it(tmp_path: Path):
    v = tf.Variable(1.0)
    path = tf.train.Checkpoint(a={"deep": v}, b=v).write(tmp_path / "m")
    assert tf.train.list_variables(path) == [("b/.ATTRIBUTES/VARIABLE_VALUE", [])]
    v.assign(0.0)
    tf.train.Checkpoint(b=v).read(path).assert_consumed()
    assert v.numpy() == 1.0


def test_the_attributes_of_a_root_are_the_checkpoints(tmp_path: Path):
    path = tf.train.Checkpoint(filled(Model())).write(tmp_path / "m")
    assert "layers/0/w/.ATTRIBUTES/VARIABLE_VALUE" in dict(tf.train.list_variables(path))
    new = Model()
    status = tf.train.Checkpoint(new).read(path)
    new(tf.ones([1, 3]))
    status.assert_consumed()
    assert tf.train.Checkpoint(root=new, step=tf.Variable(0)).read(path).expect_partial()


def test_circles_of_objects(tmp_path: Path):
    a, b = tf.Module(name="a"), tf.Module(name="b")
    a.other, b.other, b.v = b, a, tf.Variable(1.0)
    path = tf.train.Checkpoint(a=a).write(tmp_path / "m")
    b.v.assign(0.0)
    tf.train.Checkpoint(a=a).read(path).assert_consumed()
    assert b.v.numpy() == 1.0 and a.variables == (b.v,) and a.submodules == (b,)


@pytest.mark.parametrize("restore_first", [True, False])
def test_training_goes_on_where_it_was_saved(tmp_path: Path, restore_first: bool):
    def loss(v: tf.Variable):
        return lambda: tf.reduce_sum(v * v)

    v, optimizer = tf.Variable([1.0, 2.0]), t1.train.AdamOptimizer(0.1)
    for _ in range(3):
        optimizer.minimize(loss(v))
    path = tf.train.Checkpoint(v=v, optimizer=optimizer).save(tmp_path / "m")
    assert "v/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE" in dict(tf.train.list_variables(path))
    optimizer.minimize(loss(v))

    w, other = tf.Variable([5.0, 5.0]), t1.train.AdamOptimizer(0.1)
    checkpoint = tf.train.Checkpoint(v=w, optimizer=other)
    if not restore_first:
        other.minimize(loss(w))
    status = checkpoint.restore(path)
    other.minimize(loss(w))
    status.assert_consumed()
    np.testing.assert_array_equal(v.numpy(), w.numpy())


def test_what_does_not_fit_is_refused_and_nothing_changes(tmp_path: Path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), v=tf.Variable([1.0, 2.0])).write(tmp_path / "m")
    a = tf.Variable(0.0)
    with pytest.raises(ValueError, match=r"'w'.*'v/.*lhs shape= \(3,\) rhs shape= \(2,\)"):
        tf.train.Checkpoint(a=a, v=tf.Variable(tf.zeros([3]), name="w")).read(path)
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected dtype int32"):
        tf.train.Checkpoint(a=a, v=tf.Variable([0, 0])).read(path)
    assert a.numpy() == 0.0
    status = tf.train.Checkpoint(a=a, other=tf.Variable(7.0)).read(path)
    assert a.numpy() == 1.0
    with pytest.raises(AssertionError, match="Found 1 Python objects.*numpy=7"):
        status.assert_existing_objects_matched()
    with pytest.raises(AssertionError, match="Nothing to load"):
        tf.train.Checkpoint(x=tf.Variable(1.0)).read(path).assert_nontrivial_match()


def test_wrong_arguments(tmp_path: Path):
    with pytest.raises(ValueError, match="expecting x to be a trackable object"):
        tf.train.Checkpoint(x=5)
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    with pytest.raises(tf.errors.NotFoundError, match="missing the checkpoint suffix"):
        checkpoint.restore(tmp_path / "nope")
    with pytest.raises(AssertionError, match="save_path=None"):
        checkpoint.restore(None).expect_partial().assert_consumed()


def test_a_saver_s_checkpoint_is_restored_by_names(tmp_path: Path):
    path = t1.train.Saver([tf.Variable(3.0, name="layer/w")]).save(None, str(tmp_path / "m"))
    v = tf.Variable(0.0, name="layer/w")
    tf.train.Checkpoint(anything=v).restore(path).assert_consumed()
    assert v.numpy() == 3.0


def test_in_a_graph(tmp_path: Path):
    def build():
        v = t1.get_variable("v", initializer=1.0)
        return v, tf.train.Checkpoint(v=v)

    with tf.Graph().as_default(), t1.Session() as session:
        v, checkpoint = build()
        session.run(t1.global_variables_initializer())
        session.run(v.assign(5.0))
        assert checkpoint.save(tmp_path / "m").endswith("m-1")
        path = checkpoint.save(tmp_path / "m")
    with tf.Graph().as_default(), t1.Session() as session:
        v, checkpoint = build()
        status = checkpoint.restore(path)
        extra = checkpoint.extra = t1.get_variable("extra", initializer=9.0)
        status.initialize_or_restore(session)
        assert session.run([v, extra, checkpoint.save_counter]) == [5.0, 9.0, 2]


def test_a_manager_keeps_the_newest(tmp_path: Path):
    v = tf.Variable(0.0)
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.restore_or_initialize() is None
    for i in range(4):
        v.assign(float(i))
        assert manager.save() == str(tmp_path / f"ckpt-{i + 1}")
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-3.safetensors", "ckpt-4.safetensors"]
    state = tf.train.get_checkpoint_state(tmp_path)
    assert (
        state.all_model_checkpoint_paths
        == manager.checkpoints
        == [str(tmp_path / f"ckpt-{i}") for i in (3, 4)]
    )
    assert len(state.all_model_checkpoint_timestamps) == 2 and state.last_preserved_timestamp > 0

    w = tf.Variable(0.0)
    again = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=w), tmp_path, max_to_keep=2, checkpoint_name="other"
    )
    assert again.restore_or_initialize() == str(tmp_path / "ckpt-4") and w.numpy() == 3.0
    assert again.save() == str(tmp_path / "other-5")
    assert again.checkpoints == [str(tmp_path / "ckpt-4"), str(tmp_path / "other-5")]


def test_a_manager_saves_in_intervals_of_steps(tmp_path: Path):
    step = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step), tmp_path, None, step_counter=step, checkpoint_interval=3
    )
    saved = []
    for _ in range(8):
        saved.append(manager.save(checkpoint_number=step) is not None)
        step.assign_add(1)
    assert saved == [True, False, False, True, False, False, True, False]
    assert manager.save(check_interval=False) is not None


def test_a_manager_keeps_one_in_so_many_hours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(0.0)), tmp_path, max_to_keep=1, keep_checkpoint_every_n_hours=1
    )
    for _ in range(6):
        now += 1801
        manager.save()
    assert [i for i in range(1, 7) if t1.train.checkpoint_exists(tmp_path / f"ckpt-{i}")] == [2, 4, 6]
    assert [path[-1] for path in manager.checkpoints] == ["6"]


# --- tf.Module ----------------------------------------------------------------------------------------------


def test_a_module_s_variables_are_in_the_order_of_the_attributes_names():
    class Outer(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="outer")
            self.z = tf.Variable(1.0, name="z")
            self.inner = [tf.Module("first"), {"b": tf.Module("b"), "a": tf.Module("a")}]
            self.a = tf.Variable(1, trainable=False, name="a")
            self.same = self.z

    outer = Outer()
    outer.inner[0].v = tf.Variable(2.0, name="v")
    assert [v.name for v in outer.variables] == ["a:0", "z:0", "v:0"]
    assert [v.name for v in outer.trainable_variables] == ["z:0", "v:0"]
    assert [v.name for v in outer.non_trainable_variables] == ["a:0"]
    assert [m.name for m in outer.submodules] == ["first", "a", "b"]
    assert isinstance(outer.variables, tuple)


def test_names_of_modules():
    class MultiHead2DNet(tf.Module):
        pass

    assert MultiHead2DNet().name == "multi_head2_d_net"
    with pytest.raises(ValueError, match="not a valid module name"):
        tf.Module(name="1a")
    with tf.name_scope("outside"):
        dense = Dense(2, name="layer")
    dense(tf.ones([1, 2]))
    assert [v.name for v in dense.variables] == ["outside/layer/b:0", "outside/layer/w:0"]
    assert dense.name_scope.name == "outside/layer/"


@pytest.mark.parametrize("taken", [0, 1, 4])
def test_an_iterator_goes_on_where_it_was_saved(tmp_path, taken):
    dataset = lambda: tf.data.Dataset.range(6).shuffle(6, seed=3).repeat()
    iterator = iter(dataset())
    given = [int(next(iterator)) for _ in range(8)]
    path = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "model"))
    expected = [int(next(iterator)) for _ in range(8)]
    assert expected != given
    another = iter(dataset())
    for _ in range(taken):
        next(another)
    tf.train.Checkpoint(iterator=another).restore(path).assert_consumed()
    assert [int(next(another)) for _ in range(8)] == expected


def test_an_iterator_goes_back(tmp_path):
    iterator = iter(tf.data.Dataset.range(9))
    step = tf.function(lambda: next(iterator))
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    assert [int(step()), int(next(iterator))] == [0, 1]
    path = checkpoint.save(str(tmp_path / "model"))
    assert [int(step()) for _ in range(7)] == list(range(2, 9))
    checkpoint.restore(path)
    assert [int(step()), int(next(iterator))] == [2, 3]
    checkpoint.restore(path)
    assert [int(next(iterator)), int(step())] == [2, 3]
