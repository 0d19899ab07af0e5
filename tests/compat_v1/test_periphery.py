"""Flags, ``tf.app.run`` and threads, each in a program as users write it."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

import gradtape as tf

v1 = tf.compat.v1


def run(script: str, *args: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *args], capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


PROGRAM = """
import gradtape.compat.v1 as tf
flags = tf.app.flags
flags.DEFINE_integer("steps", 10, "Number of steps.")
flags.DEFINE_string(flag_name="name", default_value="x", docstring="A name.")
flags.DEFINE_boolean("verbose", False, "Whether to talk.")
tf.flags.DEFINE_float("rate", 0.1, "How fast.")
flags.DEFINE_enum("kind", "a", ["a", "b"], "Which.")
FLAGS = tf.flags.FLAGS
"""


def test_flags_are_parsed_when_the_program_runs():
    script = PROGRAM + "def main(argv): print(argv[1:], FLAGS.steps, FLAGS.name, FLAGS.verbose, FLAGS.rate)\n"
    script += "tf.app.run()"
    assert run(script) == "[] 10 x False 0.1\n"
    assert run(script, "--steps=3", "--verbose", "more", "--name", "y") == "['more'] 3 y True 0.1\n"
    assert "Number of steps." in run(script, "--help", code=1)
    assert "--steps=z" in run(script, "--steps=z", code=1)


def test_flags_are_parsed_when_they_are_first_read():
    assert (
        run(PROGRAM + "print(FLAGS.rate, FLAGS.kind, 'steps' in FLAGS)", "--rate=0.5", "--kind=b")
        == "0.5 b True\n"
    )


# --- Threads ------------------------------------------------------------------------------------------------


def test_threads_stop_together():
    coordinator = tf.train.Coordinator()
    ended = []

    def work(i: int) -> None:
        while not coordinator.should_stop():
            if i == 0:
                coordinator.request_stop()
            coordinator.wait_for_stop(0.01)
        ended.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    coordinator.join(threads)
    assert sorted(ended) == [0, 1, 2] and coordinator.joined
    coordinator.clear_stop()
    assert not coordinator.should_stop()


def test_the_first_error_is_raised_and_the_end_of_a_queue_is_none():
    coordinator = tf.train.Coordinator()
    coordinator.request_stop(tf.errors.OutOfRangeError(None, None, "end"))
    coordinator.join()
    coordinator = tf.train.Coordinator()
    with coordinator.stop_on_exception():
        raise KeyError("first")
    with coordinator.stop_on_exception():
        raise ValueError("second")
    with pytest.raises(KeyError, match="first"):
        coordinator.join()
    with pytest.raises(ValueError, match="late"):
        coordinator.request_stop(ValueError("late"))


def test_a_thread_that_goes_on_is_named():
    coordinator = tf.train.Coordinator()
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="sleeper")
    thread.start()
    coordinator.request_stop()
    with pytest.raises(RuntimeError, match="sleeper"):
        coordinator.join([thread], stop_grace_period_secs=0.05)
    coordinator.join([thread], stop_grace_period_secs=0.05, ignore_live_threads=True)
    end.set()
    thread.join()


def test_queue_runners_run_until_the_end():
    with tf.Graph().as_default(), v1.Session() as session:
        v = v1.get_variable("v", initializer=0)
        session.run(v.initializer)
        v1.train.add_queue_runner(v1.train.QueueRunner(None, [v.count_up_to(50)] * 3))
        coordinator = tf.train.Coordinator()
        threads = v1.train.start_queue_runners(session, coordinator)
        coordinator.join(threads)
        assert len(threads) == 3 and session.run(v) == 50
        broken = v1.train.QueueRunner(None, [v1.placeholder(tf.float32)])
        coordinator = tf.train.Coordinator()
        broken.create_threads(session, coordinator, start=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed"):
            coordinator.join()
    with tf.Graph().as_default(), pytest.raises(ValueError, match="No default session"):
        v1.train.start_queue_runners()
