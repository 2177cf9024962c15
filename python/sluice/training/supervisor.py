"""Supervisor: a session that is initialized or restored, with threads that save checkpoints and summaries beside the training."""

from __future__ import annotations

import contextlib
import os
import time

from ..compat import v1
from ..core import scopes
from ..platform import logs
from . import coordinator, training_variables
from .saver import Saver
from .session_preparation import SessionManager
from .summary_writer import FileWriter


class Supervisor:
    """Helps a program to train, to go on after it was stopped, and to write what it does. RuntimeError eagerly.

        sv = Supervisor(logdir="/tmp/x")
        with sv.managed_session() as session:
            while not sv.should_stop():
                session.run(train_op)

    What is not given comes from the graph's collections, or is made; None: there is none.
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph=None,
        ready_op=USE_DEFAULT,
        ready_for_local_init_op=USE_DEFAULT,
        is_chief=True,
        init_op=USE_DEFAULT,
        init_feed_dict=None,
        local_init_op=USE_DEFAULT,
        logdir=None,
        summary_op=USE_DEFAULT,
        saver=USE_DEFAULT,
        global_step=USE_DEFAULT,
        save_summaries_secs=120,
        save_model_secs=600,
        recovery_wait_secs=30,
        stop_grace_secs=120,
        checkpoint_basename="model.ckpt",
        session_manager=None,
        summary_writer=USE_DEFAULT,
        init_fn=None,
        local_init_run_options=None,
    ):
        if scopes.executing_eagerly():
            raise RuntimeError("Supervisors are not compatible with eager execution.")
        self._graph = v1.get_default_graph() if graph is None else graph
        self._is_chief, self._coord = is_chief, coordinator.Coordinator()
        self._recovery_wait_secs, self._stop_grace_secs = recovery_wait_secs, stop_grace_secs
        self._init_fn, self._init_feed_dict = init_fn, init_feed_dict
        self._save_summaries_secs, self._save_model_secs = save_summaries_secs, save_model_secs
        self._logdir = logdir
        keys = v1.GraphKeys
        with self._graph.as_default():
            self._ready_op = self._given(ready_op, keys.READY_OP, v1.report_uninitialized_variables)
            self._ready_for_local_init_op = self._given(
                ready_for_local_init_op, keys.READY_FOR_LOCAL_INIT_OP, lambda: None
            )
            self._init_op = self._given(init_op, keys.INIT_OP, v1.global_variables_initializer)
            self._local_init_op = self._given(local_init_op, keys.LOCAL_INIT_OP, _local_init_op)
            self._saver = self._given(saver, keys.SAVERS, lambda: Saver() if v1.global_variables() else None)
            self._summary_op = self._given(summary_op, keys.SUMMARY_OP, v1.summary.merge_all)
            self._global_step = self._given(global_step, keys.GLOBAL_STEP, training_variables.get_global_step)
            if session_manager is None:
                session_manager = SessionManager(
                    local_init_op=self._local_init_op,
                    ready_op=self._ready_op,
                    ready_for_local_init_op=self._ready_for_local_init_op,
                    graph=self._graph,
                    recovery_wait_secs=recovery_wait_secs,
                    local_init_run_options=local_init_run_options,
                )
            self._session_manager = session_manager
            self._save_path = self._summary_writer = None
            if is_chief and logdir:
                self._save_path = os.path.join(os.fspath(logdir), checkpoint_basename)
                if summary_writer is Supervisor.USE_DEFAULT:
                    self._summary_writer = FileWriter(logdir)
            if is_chief and summary_writer is not Supervisor.USE_DEFAULT:
                self._summary_writer = summary_writer
        self._graph_added_to_summary = False
        if self._init_op is None and is_chief and self._init_fn is None and self._local_init_op is None:
            logs.warning("There is neither an init_op nor an init_fn: variables have to come from a checkpoint.")
        self._graph.finalize()

    @staticmethod
    def _given(value, collection, default):
        """What was given; for USE_DEFAULT the first of the collection, or what `default` makes, which is put into it."""
        if value is not Supervisor.USE_DEFAULT:
            return value
        found = v1.get_collection(collection)
        if found:
            return found[0]
        made = default()
        if made is not None:
            v1.add_to_collection(collection, made)
        return made

    is_chief = property(lambda self: self._is_chief)
    session_manager = property(lambda self: self._session_manager)
    coord = property(lambda self: self._coord)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    summary_writer = property(lambda self: self._summary_writer)
    summary_op = property(lambda self: self._summary_op)
    save_summaries_secs = property(lambda self: self._save_summaries_secs)
    global_step = property(lambda self: self._global_step)
    saver = property(lambda self: self._saver)
    save_model_secs = property(lambda self: self._save_model_secs)
    save_path = property(lambda self: self._save_path)

    # ---- sessions

    def prepare_or_wait_for_session(
        self, master="", config=None, wait_for_checkpoint=False, max_wait_secs=7200, start_standard_services=True
    ):
        """A session that is ready, with its queue runners' threads; of the chief also those that save."""
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            session = self._session_manager.prepare_session(
                master,
                init_op=self._init_op,
                saver=self._saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                self.start_standard_services(session)
        else:
            session = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            self.start_queue_runners(session)
        return session

    def _write_graph(self):
        if self._logdir:
            v1.train.write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            self._graph_added_to_summary = True

    @contextlib.contextmanager
    def managed_session(self, master="", config=None, start_standard_services=True, close_summary_writer=True):
        """Such a session; at its end the threads stop, and what one reported is raised."""
        try:
            session = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            with session.as_default():
                yield session
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                with contextlib.suppress(Exception):  # the threads may have closed it
                    session.close()

    # ---- threads

    def start_standard_services(self, sess):
        """The chief's threads: they save summaries, count steps, save checkpoints. RuntimeError for others."""
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            logs.warning("Standard services need a 'logdir' passed to the SessionManager")
            return []
        if self._global_step is not None and self._summary_writer:
            step = training_variables.global_step(sess, self._global_step)
            self._summary_writer.add_session_log(v1.SessionLog(status=v1.SessionLog.START), step)
        threads = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(self.loop(self._save_summaries_secs, self._save_summary, args=(sess,)))
            if self._global_step is not None:
                threads.append(self.loop(self._save_summaries_secs, _StepCounter(self, sess)))
        if self.saver and self._save_model_secs:
            threads.append(self.loop(self._save_model_secs, self._save_model, args=(sess,)))
        return threads

    def _save_summary(self, sess):
        if self._global_step is not None:
            summary, step = sess.run([self._summary_op, self._global_step])
        else:
            summary, step = sess.run(self._summary_op), None
        if self._summary_writer:
            self._summary_writer.add_summary(summary, step)

    def _save_model(self, sess):
        self._saver.save(sess, self._save_path, global_step=self._global_step)
        if self._summary_writer and self._global_step is not None:
            self._summary_writer.add_session_log(
                v1.SessionLog(status=v1.SessionLog.CHECKPOINT, checkpoint_path=self._save_path),
                training_variables.global_step(sess, self._global_step),
            )

    def start_queue_runners(self, sess, queue_runners=None):
        """Threads of queue runners, by default of all of the graph."""
        if scopes.executing_eagerly():
            raise RuntimeError("Queues are not compatible with eager execution.")
        runners = self._graph.get_collection(v1.GraphKeys.QUEUE_RUNNERS) if queue_runners is None else queue_runners
        return [t for r in runners for t in r.create_threads(sess, coord=self._coord, daemon=True, start=True)]

    def loop(self, timer_interval_secs, target, args=None, kwargs=None):
        """A thread that calls target again and again, until the supervisor stops."""
        looper = coordinator.LooperThread(self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    # ---- the end

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False):
        """Stops the threads, and raises what one reported."""
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self._summary_writer:
                self._summary_writer.add_session_log(v1.SessionLog(status=v1.SessionLog.STOP))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex=None):
        self._coord.request_stop(ex=ex)

    def should_stop(self):
        return self._coord.should_stop()

    def stop_on_exception(self):
        return self._coord.stop_on_exception()

    def wait_for_stop(self):
        """Waits until the supervisor stops."""
        self._coord.wait_for_stop()

    def summary_computed(self, sess, summary, global_step=None):
        """Writes a summary that the program computed. TypeError when it is no bytes, RuntimeError without a writer."""
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = training_variables.global_step(sess, self._global_step)
        self._summary_writer.add_summary(summary, global_step)

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


def _local_init_op():
    made = [v1.local_variables_initializer(), v1.tables_initializer()]
    return v1.group(*made) if v1.local_variables() or v1.get_collection(v1.GraphKeys.TABLE_INITIALIZERS) else None


class _StepCounter:
    """Writes the steps a second since it was called last."""

    def __init__(self, supervisor, session):
        self._supervisor, self._session = supervisor, session
        self._tag = f"{supervisor.global_step.op.name}/sec"
        self._time = self._step = None

    def __call__(self):
        sv = self._supervisor
        now, step = time.time(), training_variables.global_step(self._session, sv.global_step)
        if self._time is not None and now > self._time:
            value = v1.Summary.Value(tag=self._tag, simple_value=(step - self._step) / (now - self._time))
            sv.summary_writer.add_summary(v1.Summary(value=[value]), step)
        self._time, self._step = now, step


def basic_train_loop(supervisor, train_step_fn, args=None, kwargs=None, master=""):
    """Calls train_step_fn(session, *args, **kwargs) in a managed session until the supervisor stops."""
    with supervisor.managed_session(master) as session:
        while not supervisor.should_stop():
            train_step_fn(session, *(args or ()), **(kwargs or {}))
