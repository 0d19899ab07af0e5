"""``tf.train.Coordinator``: several threads that stop together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gradtape._src.core.errors import OutOfRangeError
from gradtape._src.core.log import get_logger
from gradtape._src.graph.collections import GraphKeys
from gradtape._src.graph.default import get_default_graph, get_default_session


class Coordinator:
    """Has threads stop together, and passes on the error of the first that fails.

    Args:
      clean_stop_exception_types: errors that end the threads without being raised by `join`; by default
        `tf.errors.OutOfRangeError`, the end of a queue.

    >>> import gradtape as tf, threading
    >>> coordinator = tf.train.Coordinator()
    >>> def work():
    ...     with coordinator.stop_on_exception():
    ...         raise ValueError("no more")
    >>> thread = threading.Thread(target=work)
    >>> thread.start()
    >>> coordinator.join([thread])
    Traceback (most recent call last):
    ...
    ValueError: no more

    As TensorFlow 2.21.
    """

    def __init__(self, clean_stop_exception_types=None):
        self._clean = tuple(clean_stop_exception_types or (OutOfRangeError,))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._threads: set[Any] = set()
        self._joined = False

    def request_stop(self, ex=None):
        """Asks the threads to stop; an error, or what ``sys.exc_info()`` gives, is raised again by `join`."""
        with self._lock:
            error = ex[1] if isinstance(ex, tuple) else ex
            if error is not None and self._joined:
                raise error
            first = not self._stop.is_set()
            if error is not None and first and not isinstance(error, self._clean):
                self._error = error
                get_logger().info("Error reported to Coordinator: %s, %s", type(error), error)
            self._stop.set()

    def clear_stop(self):
        """Begins anew: nothing is asked to stop."""
        with self._lock:
            self._joined, self._error = False, None
            self._stop.clear()

    def should_stop(self):
        """Whether the threads are to stop."""
        return self._stop.is_set()

    def wait_for_stop(self, timeout=None):
        """Waits until the threads are to stop, or for some seconds; whether they are."""
        return self._stop.wait(timeout)

    def register_thread(self, thread):
        """A thread for `join` to wait for."""
        with self._lock:
            self._threads.add(thread)

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Asks the threads to stop if an error comes out of a ``with`` block; `join` raises it."""
        try:
            yield
        except BaseException as error:  # also KeyboardInterrupt: it is raised by join
            self.request_stop(error)

    @property
    def joined(self):
        """Whether `join` has ended."""
        return self._joined

    def raise_requested_exception(self):
        """Raises the error that a thread has reported, if one has."""
        with self._lock:
            if self._error is not None:
                raise self._error

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits until the threads have ended; after a request to stop, for so many seconds.

        Args:
          threads: to wait for, beside those that are registered.
          stop_grace_period_secs: how long threads may go on after they were asked to stop.
          ignore_live_threads: whether threads that are still going then are left alone.

        Raises:
          RuntimeError: a thread is still going after that time. The error that a thread has reported.
        """
        with self._lock:
            waited = self._threads.union(threads or ())
        while any(thread.is_alive() for thread in waited) and not self._stop.wait(0.01):
            pass
        if any(thread.is_alive() for thread in waited):
            end = time.monotonic() + stop_grace_period_secs
            for thread in waited:
                thread.join(max(0.0, end - time.monotonic()))
        alive = [thread.name for thread in waited if thread.is_alive()]
        with self._lock:
            self._joined = True
            self._threads = set()
            if self._error is not None:
                raise self._error
        if alive and not ignore_live_threads:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")
        if alive:
            get_logger().info("Coordinator stopped with threads still running: %s", " ".join(alive))


class LooperThread(threading.Thread):
    """A thread that calls `run_loop` again and again until its coordinator stops.

    Args:
      coord: a `Coordinator`.
      timer_interval_secs: how many seconds lie between the beginnings of two calls; None for no wait.
      target, args, kwargs: what `run_loop` calls.

    >>> import gradtape.compat.v1 as tf
    >>> coordinator, calls = tf.train.Coordinator(), []
    >>> def work():
    ...     calls.append(1)
    ...     if len(calls) == 3:
    ...         coordinator.request_stop()
    >>> thread = tf.train.LooperThread.loop(coordinator, None, target=work)
    >>> coordinator.join()
    >>> len(calls)
    3
    """

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        super().__init__(daemon=True)
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        self._coord, self._interval = coord, timer_interval_secs
        self._call = (target, tuple(args or ()), dict(kwargs or {}))
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """Starts a thread that calls ``target``; gives the thread."""
        thread = LooperThread(coord, timer_interval_secs, target, args, kwargs)
        thread.start()
        return thread

    def run(self):
        """Calls `start_loop`, `run_loop` until the coordinator stops, and `stop_loop`."""
        with self._coord.stop_on_exception():
            self.start_loop()
            due = time.monotonic()
            while not self._coord.should_stop():
                self.run_loop()
                if self._interval is not None:
                    due += self._interval
                    self._coord.wait_for_stop(max(0.0, due - time.monotonic()))
            self.stop_loop()

    def start_loop(self):
        """For subclasses: called first."""

    def stop_loop(self):
        """For subclasses: called last."""

    def run_loop(self):
        """What is done again and again."""
        target, args, kwargs = self._call
        if target is not None:
            target(*args, **kwargs)


class QueueRunner:
    """Fills a queue from threads, each of which runs an operation until there is nothing more.

    Args:
      queue: what is filled; anything with a method ``close``, or None.
      enqueue_ops: the operations, one for each thread.
      close_op, cancel_op: operations to run at the end; ``queue.close()`` if there is none.
      queue_closed_exception_types: the errors that mean the end, `tf.errors.OutOfRangeError` by default.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(0)
    ...     session.run(v.initializer)
    ...     tf.train.add_queue_runner(tf.train.QueueRunner(None, [v.count_up_to(5)]))
    ...     tf.train.Coordinator().join(tf.train.start_queue_runners(session))
    ...     print(session.run(v))
    5
    """

    def __init__(
        self,
        queue=None,
        enqueue_ops=None,
        close_op=None,
        cancel_op=None,
        queue_closed_exception_types=None,
        queue_runner_def=None,
        import_scope=None,
    ):
        if not enqueue_ops:
            raise ValueError("Must provide at least one operation to run.")
        self._queue: Any = queue
        self._ops, self._close = list(enqueue_ops), close_op
        self._ends = tuple(queue_closed_exception_types or (OutOfRangeError,))
        self._errors: list[BaseException] = []

    @property
    def queue(self):
        """What is filled."""
        return self._queue

    @property
    def exceptions_raised(self):
        """The errors of the threads, where no coordinator takes them."""
        return self._errors

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """The threads, which a coordinator may stop."""
        left = [len(self._ops)]
        made = [
            threading.Thread(target=self._run, args=(sess, op, coord, left), daemon=daemon)
            for op in self._ops
        ]
        for thread in made:
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return made

    def _run(self, sess: Any, op: Any, coord: Coordinator | None, left: list[int]) -> None:
        try:
            while coord is None or not coord.should_stop():
                sess.run(op)
        except self._ends:
            pass
        except Exception as error:
            if coord is None:
                self._errors.append(error)
                raise
            coord.request_stop(error)
        finally:
            left[0] -= 1
            if not left[0]:
                self._ended(sess)

    def _ended(self, sess: Any) -> None:
        if self._close is not None:
            sess.run(self._close)
        elif hasattr(self._queue, "close"):
            self._queue.close()


def add_queue_runner(qr, collection=GraphKeys.QUEUE_RUNNERS):
    """Notes a `QueueRunner` for `start_queue_runners`; see there.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.train.add_queue_runner(tf.train.QueueRunner(None, [tf.no_op()]))
    """
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection=GraphKeys.QUEUE_RUNNERS):
    """Starts the threads of the queue runners of the default graph; gives the list of them.

    Raises:
      ValueError: no session is given, and there is no default one.

    >>> import gradtape.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     tf.train.start_queue_runners(coord=tf.train.Coordinator())
    []
    """
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
            "explicit session to tf.start_queue_runners(sess=sess)"
        )
    with sess.graph.as_default():
        runners = get_default_graph().get_collection(collection)
    return [thread for runner in runners for thread in runner.create_threads(sess, coord, daemon, start)]
