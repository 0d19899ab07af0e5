"""``tf.train.Saver`` in the programs of TensorFlow 1."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf

t1 = tf.compat.v1


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_training_goes_on_where_it_was_saved(tmp_path: Path):
    """Saved after ten steps and restored in a new graph and session, it ends where an unbroken training ends."""

    def steps(session: t1.Session, train: tf.Operation, x: tf.Tensor, n: int) -> None:
        for i in range(n):
            session.run(train, {x: np.full((2, 3), i, np.float32)})

    def build():
        x = t1.placeholder(tf.float32, [None, 3])
        w = t1.get_variable("w", initializer=np.ones((3, 1), np.float32))
        step = t1.train.get_or_create_global_step()
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
        return x, w, step, t1.train.AdamOptimizer(0.1).minimize(loss, global_step=step)

    with tf.Graph().as_default(), t1.Session() as session:
        x, w, step, train = build()
        saver = t1.train.Saver()
        session.run(t1.global_variables_initializer())
        steps(session, train, x, 10)
        path = saver.save(session, str(tmp_path / "model.ckpt"), global_step=step)
        assert path == str(tmp_path / "model.ckpt-10")
        steps(session, train, x, 10)
        expected = session.run(w)
    with tf.Graph().as_default(), t1.Session() as session:
        x, w, step, train = build()
        state = t1.train.get_checkpoint_state(tmp_path)
        assert state and state.model_checkpoint_path == path
        t1.train.Saver().restore(session, state.model_checkpoint_path)
        assert session.run(step) == 10
        steps(session, train, x, 10)
        np.testing.assert_array_equal(session.run(w), expected)


def test_the_newest_are_kept_and_the_state_says_so(
    tmp_path: Path, graph: tf.Graph, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    v = t1.get_variable("v", [2])
    saver = t1.train.Saver([v], max_to_keep=2)
    with t1.Session() as session:
        session.run(v.initializer)
        for i in range(3):
            assert saver.save(session, "logs/m", global_step=i, write_meta_graph=False) == f"logs/m-{i}"
        absolute = saver.save(session, str(tmp_path / "logs" / "last"))
    assert Path("logs/checkpoint").read_text() == (
        f'model_checkpoint_path: "{absolute}"\n'
        f'all_model_checkpoint_paths: "logs/m-2"\nall_model_checkpoint_paths: "{absolute}"\n'
    )
    assert sorted(os.listdir("logs")) == ["checkpoint", "last.safetensors", "m-2.safetensors"]
    assert saver.last_checkpoints == ["logs/m-2", absolute]
    assert t1.train.latest_checkpoint("logs") == absolute
    assert t1.train.checkpoint_exists("logs/m-2") and not t1.train.checkpoint_exists("logs/m-1")


def test_relative_folders_give_relative_states(
    tmp_path: Path, graph: tf.Graph, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    v = t1.get_variable("v", [2])
    saver = t1.train.Saver(max_to_keep=1)
    with t1.Session() as session:
        session.run(v.initializer)
        saver.save(session, "logs/m", 1, latest_filename="newest")
        assert saver.save(session, "here") == "here"
    assert (
        Path("logs/newest").read_text() == 'model_checkpoint_path: "m-1"\nall_model_checkpoint_paths: "m-1"\n'
    )
    assert t1.train.latest_checkpoint("logs") is None
    assert t1.train.latest_checkpoint(".") == "./here" and t1.train.latest_checkpoint("") == "here"


def test_recovered_checkpoints_are_deleted_in_their_turn(tmp_path: Path, graph: tf.Graph):
    v = t1.get_variable("v", [2])
    with t1.Session() as session:
        session.run(v.initializer)
        first = t1.train.Saver(max_to_keep=2)
        paths = [first.save(session, str(tmp_path / "m"), i) for i in range(2)]
        second = t1.train.Saver(max_to_keep=2)
        second.recover_last_checkpoints([*paths, str(tmp_path / "gone")])
        assert second.last_checkpoints == paths
        second.save(session, str(tmp_path / "m"), 2)
    assert not t1.train.checkpoint_exists(paths[0]) and t1.train.checkpoint_exists(paths[1])


def test_one_in_so_many_hours_is_kept(tmp_path: Path, graph: tf.Graph, monkeypatch: pytest.MonkeyPatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    v = t1.get_variable("v", [2])
    saver = t1.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=1)
    with t1.Session() as session:
        session.run(v.initializer)
        for i in range(7):  # one in half an hour
            saver.save(session, str(tmp_path / "m"), i)
            now += 1801
    kept = sorted(name for name in os.listdir(tmp_path) if name != "checkpoint")
    assert kept == ["m-2.safetensors", "m-4.safetensors", "m-6.safetensors"]


def test_all_are_kept_without_a_limit(tmp_path: Path, graph: tf.Graph):
    v = t1.get_variable("v", [2])
    saver = t1.train.Saver(max_to_keep=None)
    with t1.Session() as session:
        session.run(v.initializer)
        for i in range(8):
            saver.save(session, str(tmp_path / "m"), i)
    assert len(os.listdir(tmp_path)) == 9 and saver.last_checkpoints == []


def test_names_of_a_dictionary(tmp_path: Path, graph: tf.Graph):
    a, b = t1.get_variable("a", initializer=1.0), t1.get_variable("b", initializer=2.0)
    with t1.Session() as session:
        session.run(t1.global_variables_initializer())
        path = t1.train.Saver({"x": a}).save(session, str(tmp_path / "m"))
        assert tf.train.list_variables(path) == [("x", [])]
        t1.train.Saver({"x": b}).restore(session, path)
        assert session.run(b) == 1.0
        assert tf.train.load_variable(tmp_path, "x") == 1.0


@pytest.mark.parametrize(
    "name, shape, dtype, error, message",
    [
        ("v", [3], tf.float32, tf.errors.InvalidArgumentError, r"'v' .*lhs shape= \(3,\) rhs shape= \(2,\)"),
        ("v", [2], tf.float64, tf.errors.InvalidArgumentError, "'v' .*expected dtype float64 does not equal"),
        ("u", [2], tf.float32, tf.errors.NotFoundError, "Key u not found in checkpoint"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(
    tmp_path: Path, name: str, shape: list[int], dtype: tf.DType, error: type[Exception], message: str
):
    with tf.Graph().as_default(), t1.Session() as session:
        t1.get_variable("a", initializer=5.0)
        t1.get_variable("v", [2])
        session.run(t1.global_variables_initializer())
        path = t1.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), t1.Session() as session:
        a = t1.get_variable("a", initializer=0.0)
        t1.get_variable(name, shape, dtype)
        session.run(t1.global_variables_initializer())
        with pytest.raises(error, match=message):
            t1.train.Saver().restore(session, path)
        assert session.run(a) == 0.0


def test_another_shape_with_as_many_elements(tmp_path: Path, graph: tf.Graph):
    v = t1.get_variable("v", initializer=[[1.0, 2.0]])
    with t1.Session() as session:
        session.run(v.initializer)
        path = t1.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), t1.Session() as session:
        v = t1.get_variable("v", [2, 1])
        t1.train.Saver(reshape=True).restore(session, path)
        np.testing.assert_array_equal(session.run(v), [[1.0], [2.0]])


def test_uninitialized_variables_cannot_be_saved(tmp_path: Path, graph: tf.Graph):
    t1.get_variable("scope/v", [2])
    with t1.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="scope/v"):
        t1.train.Saver().save(session, str(tmp_path / "m"))
    assert os.listdir(tmp_path) == []


def test_wrong_arguments(tmp_path: Path, graph: tf.Graph):
    with pytest.raises(ValueError, match="No variables to save"):
        t1.train.Saver()
    v = t1.get_variable("v", [2])
    with pytest.raises(ValueError, match="same name: v"):
        t1.train.Saver([v, v])
    with pytest.raises(ValueError, match="two names: b"):
        t1.train.Saver({"a": v, "b": v})
    with pytest.raises(TypeError, match="not a Variable"):
        t1.train.Saver([1.0])
    saver = t1.train.Saver()
    with pytest.raises(TypeError, match="must be a Session"):
        saver.save(None, str(tmp_path / "m"))
    with t1.Session() as session:
        with pytest.raises(ValueError, match="when it is None"):
            saver.restore(session, None)
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            saver.restore(session, str(tmp_path / "m"))
        with pytest.raises(ValueError, match="path components"):
            saver.save(session, str(tmp_path / "m"), latest_filename="a/b")
        (tmp_path / "m.index").write_bytes(b"")
        with pytest.raises(tf.errors.NotFoundError, match="TensorFlow's own format"):
            saver.restore(session, str(tmp_path / "m"))


def test_eager_variables(tmp_path: Path):
    v = tf.Variable([1.0, 2.0], name="v")
    with pytest.raises(RuntimeError, match="var_list"):
        t1.train.Saver()
    saver = t1.train.Saver([v])
    path = saver.save(None, str(tmp_path / "m"), global_step=tf.Variable(3))
    v.assign([0.0, 0.0])
    saver.restore(None, path)
    assert v.numpy().tolist() == [1, 2] and path.endswith("m-3")


def test_moving_averages_are_restored_in_the_variables_place(tmp_path: Path, graph: tf.Graph):
    v = t1.get_variable("v", initializer=0.0)
    average = t1.train.ExponentialMovingAverage(0.5)
    update = average.apply([v])
    with t1.Session() as session:
        session.run(t1.global_variables_initializer())
        session.run(v.assign(8.0))
        session.run(update)
        path = t1.train.Saver().save(session, str(tmp_path / "m"))
        t1.train.Saver(average.variables_to_restore()).restore(session, path)
        assert session.run(v) == 4.0


def test_what_is_made_after_a_training_step_begins_by_itself(graph):
    """Averages and slots that are made under `control_dependencies`: their initial values wait for no step."""
    x = t1.placeholder(tf.float32, [])
    w = t1.get_variable("w", initializer=2.0)
    step = t1.train.MomentumOptimizer(0.5, 0.9).minimize(w * x)
    averages = t1.train.ExponentialMovingAverage(0.75)
    with tf.control_dependencies([step]):
        averaged = averages.apply([w])
    with tf.control_dependencies([averaged]), tf.init_scope():
        late = tf.constant(3.0) * 2.0
    with tf.control_dependencies([averaged]):
        again = t1.train.AdamOptimizer(0.5).minimize(w * w)
    with t1.Session() as session:
        session.run(t1.global_variables_initializer())
        assert session.run([late, w, averages.average(w)]) == [6.0, 2.0, 2.0]
        session.run(averaged, {x: 2.0})
        assert session.run([w, averages.average(w)]) == [1.0, 1.75]
        session.run(again, {x: 0.0})
