"""QueueRunner: threads that fill a queue, by running its enqueue ops until the input ends or the coordinator stops."""

from __future__ import annotations

import threading
import weakref

from ..compat import v1
from ..core import errors, scopes
from ..platform import logs


class QueueRunner:
    """A thread for each of enqueue_ops; the last one that ends closes the queue.

    queue_closed_exception_types: what enqueue ops raise when there is no more input, by default OutOfRangeError.
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
        if scopes.executing_eagerly():
            raise RuntimeError("QueueRunners are not supported when eager execution is enabled. Instead, use tf.data.")
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._init_from_proto(queue_runner_def, import_scope)
        else:
            self._init_from_args(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types)
        self._lock = threading.Lock()
        self._runs_per_session = weakref.WeakKeyDictionary()  # session -> how many of its threads are at work
        self._exceptions_raised: list = []

    def _init_from_args(self, queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types):
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self._queue, self._enqueue_ops = queue, enqueue_ops
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        types = queue_closed_exception_types
        if types is not None and not (
            isinstance(types, tuple) and types and all(issubclass(t, errors.OpError) for t in types)
        ):
            raise TypeError(
                f"queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: {types}"
            )
        self._queue_closed_exception_types = types or (errors.OutOfRangeError,)
        self._enqueue_ops = list(enqueue_ops)

    def _init_from_proto(self, proto, import_scope):
        graph = v1.get_default_graph()
        prefix = import_scope + "/" if import_scope else ""

        def element(name):
            return graph.as_graph_element(prefix + name)

        self._queue = element(proto.queue_name)
        self._enqueue_ops = [element(name) for name in proto.enqueue_op_name]
        self._close_op = element(proto.close_op_name)
        self._cancel_op = element(proto.cancel_op_name)
        self._queue_closed_exception_types = tuple(
            errors.classes[code] for code in proto.queue_closed_exception_types
        ) or (errors.OutOfRangeError,)

    queue = property(lambda self: self._queue)
    enqueue_ops = property(lambda self: self._enqueue_ops)
    close_op = property(lambda self: self._close_op)
    cancel_op = property(lambda self: self._cancel_op)
    queue_closed_exception_types = property(lambda self: self._queue_closed_exception_types)
    exceptions_raised = property(lambda self: self._exceptions_raised)
    name = property(lambda self: getattr(self._queue, "name"))

    # ---- threads

    def _run(self, sess, enqueue_op, coord=None):
        """What a thread does: enqueues until something ends it."""
        at_work = True
        try:
            while not (coord and coord.should_stop()):
                try:
                    sess.run(enqueue_op)
                except self._queue_closed_exception_types:
                    with self._lock:
                        self._runs_per_session[sess] -= 1
                        at_work = False
                        is_last = self._runs_per_session[sess] == 0
                    if is_last:
                        try:
                            sess.run(self._close_op)
                        except Exception as error:  # the session may be gone
                            logs.vlog(1, "Ignored exception: %s", error)
                    return
        except Exception as error:
            if coord and coord.joined:  # nobody waits for this thread any more: its session has ended
                logs.vlog(1, "Ignored exception: %s", error)
            elif coord:
                coord.request_stop(error)
            else:
                logs.error("Exception in QueueRunner: %s", error)
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
        finally:
            if at_work:
                with self._lock:
                    self._runs_per_session[sess] -= 1

    def _close_on_stop(self, sess, cancel_op, coord):
        """Closes the queue when the coordinator stops."""
        coord.wait_for_stop()
        try:
            sess.run(cancel_op)
        except Exception as error:  # the session may be gone
            logs.vlog(1, "Ignored exception: %s", error)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """Threads, one for each op, and one that closes the queue when the coordinator stops; none when they are at work."""
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), name=f"QueueRunnerThread-{self.name}-{op.name}")
            for op in self._enqueue_ops
        ]
        if coord:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop,
                    args=(sess, self._cancel_op, coord),
                    name=f"QueueRunnerThread-{self.name}-close_on_stop",
                )
            )
        for t in threads:
            if coord:
                coord.register_thread(t)
            t.daemon = daemon
            if start:
                t.start()
        return threads

    # ---- as a message

    def to_proto(self, export_scope=None):
        """A QueueRunnerDef; None when the queue is not in the scope."""
        from ..core import messages

        prefix = export_scope + "/" if export_scope else ""
        if not self.queue.name.startswith(prefix):
            return None

        def short(op):
            return op.name[len(prefix) :]

        return messages.QueueRunnerDef(
            queue_name=short(self.queue),
            enqueue_op_name=[short(op) for op in self._enqueue_ops],
            close_op_name=short(self._close_op),
            cancel_op_name=short(self._cancel_op),
            queue_closed_exception_types=[
                next(code for code, cls in errors.classes.items() if cls is t)
                for t in self._queue_closed_exception_types
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def add_queue_runner(qr, collection="queue_runners"):
    """`start_queue_runners` starts it."""
    v1.add_to_collection(collection, qr)


def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection="queue_runners"):
    """Threads of all queue runners of the graph's collection, by default of the default session. RuntimeError eagerly."""
    if scopes.executing_eagerly():
        raise RuntimeError("Queues are not compatible with eager execution.")
    if sess is None:
        sess = v1.get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
                "explicit session to tf.start_queue_runners(sess=sess)"
            )
    if not isinstance(sess, v1.Session):
        from .monitored_session import MonitoredSession, SingularMonitoredSession

        if isinstance(sess, (MonitoredSession, SingularMonitoredSession)):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    runners = v1.get_collection(collection)
    if not runners:
        logs.warning("`tf.train.start_queue_runners()` was called when no queue runners were defined.")
    with sess.graph.as_default():
        return [t for qr in runners for t in qr.create_threads(sess, coord=coord, daemon=daemon, start=start)]
