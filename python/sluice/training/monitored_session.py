"""Sessions that initialize themselves, call hooks around each run, and begin anew when the work of a run was lost.

A MonitoredSession is layers around a session: one calls the hooks, one watches the coordinator of the queue runners' threads,
one makes a new session when a run raises AbortedError or UnavailableError.
"""

from __future__ import annotations

import abc
import inspect

from ..compat import v1
from ..core import errors
from ..platform import logs
from . import coordinator, queue_runner, session_hooks
from .session_preparation import SessionManager

_LOST = (errors.AbortedError, errors.UnavailableError)  # another session can do the work again
_UNSET = object()


class Scaffold:
    """The parts that a training program needs: how to initialize, what says that it is ready, the saver, the summary op.

    What is not given comes from the graph's collections, and is made at `finalize` when it is not there either.
    """

    def __init__(
        self,
        init_op=None,
        init_feed_dict=None,
        init_fn=None,
        ready_op=None,
        ready_for_local_init_op=None,
        local_init_op=None,
        summary_op=None,
        saver=None,
        copy_from_scaffold=None,
        local_init_feed_dict=None,
    ):
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def given(value, name):
            return value if value is not None or other is None else getattr(other, name)

        self._user_init_fn = init_fn if init_fn or other is None else other._user_init_fn
        self._init_fn = (lambda session: self._user_init_fn(self, session)) if self._user_init_fn else None
        self._init_op = given(init_op, "_init_op")
        self._init_feed_dict = given(init_feed_dict, "_init_feed_dict")
        self._ready_op = given(ready_op, "_ready_op")
        self._ready_for_local_init_op = given(ready_for_local_init_op, "_ready_for_local_init_op")
        self._local_init_op = given(local_init_op, "_local_init_op")
        self._local_init_feed_dict = given(local_init_feed_dict, "_local_init_feed_dict")
        self._summary_op = given(summary_op, "_summary_op")
        self._saver = given(saver, "_saver")

    init_fn = property(lambda self: self._init_fn)
    init_op = property(lambda self: self._init_op)
    init_feed_dict = property(lambda self: self._init_feed_dict)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    local_init_op = property(lambda self: self._local_init_op)
    local_init_feed_dict = property(lambda self: self._local_init_feed_dict)
    summary_op = property(lambda self: self._summary_op)
    saver = property(lambda self: self._saver)

    def finalize(self):
        """Makes what is missing; afterwards the graph cannot be changed."""
        keys = v1.GraphKeys
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default("init_op", keys.INIT_OP, _default_init_op)
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default("ready_op", keys.READY_OP, v1.report_uninitialized_variables)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                "ready_for_local_init_op", keys.READY_FOR_LOCAL_INIT_OP, _default_ready_for_local_init_op
            )
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default(
                "local_init_op", keys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = Scaffold.get_or_default("summary_op", keys.SUMMARY_OP, v1.summary.merge_all)
        if self._saver is None:
            from .saver import saver_or_default

            self._saver = saver_or_default()
        self._saver.build()
        v1.get_default_graph().finalize()
        logs.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """The one item of the collection; when it is empty what default_constructor() gives, which is put into it."""
        items = v1.get_collection(collection_key)
        if items:
            if len(items) > 1:
                raise RuntimeError(
                    f'More than one item in the collection "{collection_key}". Please indicate which one to use by passing '
                    f"it to the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
                )
            return items[0]
        made = default_constructor()
        if made is not None:
            v1.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """Initializes local variables and tables."""
        return v1.group(v1.local_variables_initializer(), v1.tables_initializer())


def _default_init_op():
    return v1.group(v1.global_variables_initializer())


def _default_ready_for_local_init_op():
    return v1.report_uninitialized_variables(v1.global_variables())


# ---- what makes sessions


class SessionCreator(metaclass=abc.ABCMeta):
    """Makes a session whenever a MonitoredSession needs one."""

    @abc.abstractmethod
    def create_session(self):
        raise NotImplementedError("create_session is not implemented.")


class _ScaffoldedSessionCreator(SessionCreator):
    def __init__(self, scaffold, master, config):
        self._scaffold = scaffold or Scaffold()
        self._session_manager, self._master, self._config = None, master, config

    def _get_session_manager(self):
        if self._session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=self._scaffold.local_init_op,
                local_init_feed_dict=self._scaffold.local_init_feed_dict,
                ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
                graph=v1.get_default_graph(),
            )
        return self._session_manager


class ChiefSessionCreator(_ScaffoldedSessionCreator):
    """Restores or initializes the model."""

    def __init__(self, scaffold=None, master="", config=None, checkpoint_dir=None, checkpoint_filename_with_path=None):
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


class WorkerSessionCreator(_ScaffoldedSessionCreator):
    """Waits for the chief to have initialized the model."""

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )


# ---- the layers


class _WrappedSession:
    """A layer around a session."""

    def __init__(self, sess):
        self._sess = sess
        self._wrapped_is_stoppable = isinstance(sess, _WrappedSession)

    graph = property(lambda self: self._sess.graph)
    sess_str = property(lambda self: self._sess.sess_str)

    def should_stop(self):
        """Whether no run should follow."""
        if self._check_stop():
            return True
        if self._sess:
            return self._wrapped_is_stoppable and self._sess.should_stop()
        return True

    def _check_stop(self):
        """Whether this layer wants to stop."""
        return False

    def close(self):
        if self._sess:
            try:
                self._sess.close()
            except _LOST as error:
                logs.error("An error occurred when attempting to close the session: %s", error)
            finally:
                self._sess = None

    def run(self, *args, **kwargs):
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        """Calls step_fn with a context; raw_session() gives the session without layers."""
        return step_fn(_StepContext(raw_session(), run_with_hooks or self.run))


class _CoordinatedSession(_WrappedSession):
    """Stops when its coordinator does, and stops the threads when it is closed."""

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._stop_grace_period_secs = coord, stop_grace_period_secs

    def _check_stop(self):
        # What a thread reported is raised, so that the layer around can begin anew when work was lost.
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            try:
                super().close()
            except Exception:  # the threads' exception says more
                pass

    def run(self, *args, **kwargs):
        try:
            return self._sess.run(*args, **kwargs)
        except _LOST:
            raise
        except Exception:
            # What failed here may be due to what failed in a thread, of which the coordinator knows.
            try:
                self._coord.raise_requested_exception()
            except _LOST:
                raise
            except Exception:
                pass
            raise


class _RecoverableSession(_WrappedSession):
    """Makes a new session when a run raises what says that work was lost."""

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except _LOST as error:
                logs.info("An error was raised while a session was being created, which is tried again: %s", error)

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else True
        except _LOST as error:
            self._lose(error)
            self._sess = self._create_session()
            return False
        except Exception:  # `close` raises it
            return True

    def _lose(self, error):
        logs.info("An error was raised: the session is closed, and another one begins. Error: %s", error)
        self.close()
        self._sess = None

    def _again(self, work):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return work(self._sess)
            except _LOST as error:
                self._lose(error)

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._again(
            lambda sess: sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
        )

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return self._again(lambda sess: sess.run_step_fn(step_fn, raw_session, sess.run))


class _HookedSession(_WrappedSession):
    """Calls hooks before and after each run, and fetches what they ask for."""

    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self):
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = session_hooks.SessionRunContext(session_hooks.SessionRunArgs(fetches, feed_dict), self._sess)
        options, run_metadata = options or v1.RunOptions(), run_metadata or v1.RunMetadata()
        asking: list = []
        feed_dict = self._ask(context, asking, options, feed_dict)
        result, *others = self._sess.run(
            fetches=[fetches, *(asked for _, asked in asking)],
            feed_dict=feed_dict,
            options=options,
            run_metadata=run_metadata,
        )
        given = {id(hook): value for (hook, _), value in zip(asking, others)}
        for hook in self._hooks:
            hook.after_run(context, session_hooks.SessionRunValues(given.get(id(hook)), options, run_metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return result

    def _ask(self, context, asking, options, feed_dict):
        """What each hook asks for: (hook, fetches) into `asking`, its options into `options`; gives what is to be fed."""
        feeds_of_hooks: list[dict] = []
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                asking.append((hook, request.fetches))
            if request.feed_dict:
                self._refuse_twice(feeds_of_hooks, request.feed_dict, "Same tensor is fed by two hooks.")
                feeds_of_hooks.append(request.feed_dict)
            if request.options:
                _merge_options(options, request.options)
        if not feeds_of_hooks:
            return feed_dict
        if feed_dict:
            self._refuse_twice(feeds_of_hooks, feed_dict, "Same tensor is fed by a SessionRunHook and user.")
        return {key: value for feeds in [feed_dict or {}, *feeds_of_hooks] for key, value in feeds.items()}

    @staticmethod
    def _refuse_twice(others, feeds, message):
        keys = {id(key) for other in others for key in other}
        twice = [key for key in feeds if id(key) in keys]
        if twice:
            raise RuntimeError(f"{message} Conflict(s): {twice}")


def _merge_options(options, more):
    options.trace_level = max(options.trace_level, more.trace_level)
    options.timeout_in_ms = max(options.timeout_in_ms, more.timeout_in_ms)
    options.inter_op_thread_pool = max(options.inter_op_thread_pool, more.inter_op_thread_pool)
    options.output_partition_graphs = options.output_partition_graphs or more.output_partition_graphs
    options.debug_options.debug_tensor_watch_opts.extend(more.debug_options.debug_tensor_watch_opts)
    options.debug_options.reset_disk_byte_usage = (
        options.debug_options.reset_disk_byte_usage or more.debug_options.reset_disk_byte_usage
    )
    options.report_tensor_allocations_upon_oom = (
        options.report_tensor_allocations_upon_oom or more.report_tensor_allocations_upon_oom
    )


# ---- what programs use


class _StepContext:
    """What a step function is given: a session without hooks, and `run_with_hooks`."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run_with_hooks_fn = session, run_with_hooks_fn

    session = property(lambda self: self._session)

    def run_with_hooks(self, *args, **kwargs):
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self):
        """Ends the step, and the loop around it."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _CoordinatedSessionCreator(SessionCreator):
    """Makes a session, starts its queue runners, tells the hooks."""

    def __init__(self, session_creator, hooks, stop_grace_period_secs):
        self._session_creator, self._hooks = session_creator, hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.coord = self.tf_sess = None

    def create_session(self):
        self.tf_sess = self._session_creator.create_session()
        self.coord = coordinator.Coordinator(clean_stop_exception_types=[])
        if v1.get_collection(v1.GraphKeys.QUEUE_RUNNERS):
            queue_runner.start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _CoordinatedSession(_HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs)


class _MonitoredSession:
    """What MonitoredSession and SingularMonitoredSession have in common."""

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        self._graph_was_finalized = v1.get_default_graph().finalized
        self._hooks = hooks or []
        for h in self._hooks:
            h.begin()
        self._coordinated_creator = _CoordinatedSessionCreator(
            session_creator or ChiefSessionCreator(), self._hooks, stop_grace_period_secs
        )
        if should_recover:
            self._sess = _RecoverableSession(self._coordinated_creator)
        else:
            self._sess = self._coordinated_creator.create_session()

    @property
    def graph(self):
        return self._coordinated_creator.tf_sess.graph if self._coordinated_creator.tf_sess is not None else None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """As Session.run, with the hooks around it."""
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn):
        """Calls step_fn(step_context), again when work was lost; gives what it gives."""
        arguments = [p for p in inspect.signature(step_fn).parameters]
        if arguments not in (["step_context"], ["self", "step_context"]):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's an "
                f"instance method. Got {arguments} instead."
            )
        return self._sess.run_step_fn(step_fn, self._tf_sess, None)

    def should_stop(self):
        return self._sess is None or self._sess.should_stop()

    def close(self):
        self._close_internal()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception_value, traceback):
        if exception_type in (errors.OutOfRangeError, StopIteration):
            exception_type = None
        self._close_internal(exception_type)
        return exception_type is None

    def _is_closed(self):
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self):
        return self._coordinated_creator.tf_sess

    def _close_internal(self, exception_type=None):
        try:
            if not exception_type:
                for h in self._hooks:
                    h.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    v1.get_default_graph()._unsafe_unfinalize()


class MonitoredSession(_MonitoredSession):
    """A session with hooks that begins anew, from the last checkpoint, when a run raises AbortedError or UnavailableError.

    with MonitoredSession(hooks=[...]) as session:
        while not session.should_stop():
            session.run(train_op)
    """

    StepContext = _StepContext

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks that does not begin anew; `raw_session` gives the session itself."""

    StepContext = _StepContext

    def __init__(
        self,
        hooks=None,
        scaffold=None,
        master="",
        config=None,
        checkpoint_dir=None,
        stop_grace_period_secs=120,
        checkpoint_filename_with_path=None,
    ):
        creator = ChiefSessionCreator(
            scaffold=scaffold,
            master=master,
            config=config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self):
        return self._tf_sess()


USE_DEFAULT = _UNSET


def MonitoredTrainingSession(
    master="",
    is_chief=True,
    checkpoint_dir=None,
    scaffold=None,
    hooks=None,
    chief_only_hooks=None,
    save_checkpoint_secs=USE_DEFAULT,
    save_summaries_steps=USE_DEFAULT,
    save_summaries_secs=USE_DEFAULT,
    config=None,
    stop_grace_period_secs=120,
    log_step_count_steps=100,
    max_wait_secs=7200,
    save_checkpoint_steps=USE_DEFAULT,
    summary_dir=None,
    save_graph_def=True,
):
    """A MonitoredSession that saves checkpoints and summaries into directories.

    By default checkpoints are saved every 600 seconds, summaries every 100 steps. A worker that is not the chief waits for
    the chief, and saves nothing.
    """
    if save_summaries_steps is _UNSET and save_summaries_secs is _UNSET:
        save_summaries_steps, save_summaries_secs = 100, None
    save_summaries_steps = None if save_summaries_steps is _UNSET else save_summaries_steps
    save_summaries_secs = None if save_summaries_secs is _UNSET else save_summaries_secs
    if save_checkpoint_secs is _UNSET and save_checkpoint_steps is _UNSET:
        save_checkpoint_secs, save_checkpoint_steps = 600, None
    save_checkpoint_secs = None if save_checkpoint_secs is _UNSET else save_checkpoint_secs
    save_checkpoint_steps = None if save_checkpoint_steps is _UNSET else save_checkpoint_steps
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator = WorkerSessionCreator(scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs)
        return MonitoredSession(creator, hooks or [], stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or ())
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config)
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(session_hooks.StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
        if (save_summaries_steps and save_summaries_steps > 0) or (save_summaries_secs and save_summaries_secs > 0):
            all_hooks.append(
                session_hooks.SummarySaverHook(
                    scaffold=scaffold,
                    save_steps=save_summaries_steps,
                    save_secs=save_summaries_secs,
                    output_dir=summary_dir,
                )
            )
    if checkpoint_dir:
        if (save_checkpoint_secs and save_checkpoint_secs > 0) or (save_checkpoint_steps and save_checkpoint_steps > 0):
            all_hooks.append(
                session_hooks.CheckpointSaverHook(
                    checkpoint_dir,
                    save_steps=save_checkpoint_steps,
                    save_secs=save_checkpoint_secs,
                    scaffold=scaffold,
                    save_graph_def=save_graph_def,
                )
            )
    all_hooks.extend(hooks or ())
    return MonitoredSession(creator, all_hooks, stop_grace_period_secs)
