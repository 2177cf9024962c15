"""SessionManager: makes sessions whose variables are initialized, from a checkpoint or by init ops."""

from __future__ import annotations

import time

from ..compat import v1
from ..core import errors
from ..platform import logs


def _is_ready(op, session, message):
    """(whether, what is missing): op gives the names of what is not initialized."""
    if op is None:
        return True, None
    try:
        missing = session.run(op)
    except errors.FailedPreconditionError as error:
        if "uninitialized" in str(error):
            return False, "uninitialized: " + str(error)
        raise
    if missing is None or missing.size == 0:
        return True, None
    return False, f"{message}: " + ", ".join(name.decode() for name in missing)


class SessionManager:
    """Makes sessions that are ready to train.

    ready_op, ready_for_local_init_op: tensors of the names of what is not initialized; by default no look is taken.
    local_init_op: run once the global variables are there. recovery_wait_secs: between two looks while it waits.
    """

    def __init__(
        self,
        local_init_op=None,
        ready_op=None,
        ready_for_local_init_op=None,
        graph=None,
        recovery_wait_secs=30,
        local_init_run_options=None,
        local_init_feed_dict=None,
    ):
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = v1.get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs
        self._local_init_run_options, self._local_init_feed_dict = local_init_run_options, local_init_feed_dict
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , ready_for_local_init_op "
                f"[{ready_for_local_init_op}]"
            )

    def _restore_checkpoint(
        self, master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
    ):
        """(a session, whether a checkpoint was restored into it)."""
        session = v1.Session(master, graph=self._graph, config=config)
        if checkpoint_dir and checkpoint_filename_with_path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        if not saver or not (checkpoint_dir or checkpoint_filename_with_path):
            return session, False
        if checkpoint_filename_with_path:
            saver.restore(session, checkpoint_filename_with_path)
            return session, True
        waited = 0
        state = v1.train.get_checkpoint_state(checkpoint_dir)
        while not state or not state.model_checkpoint_path:
            if not wait_for_checkpoint or waited >= max_wait_secs:
                return session, False
            logs.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = v1.train.get_checkpoint_state(checkpoint_dir)
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    def prepare_session(
        self,
        master,
        init_op=None,
        saver=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        config=None,
        init_feed_dict=None,
        init_fn=None,
    ):
        """A session with a checkpoint restored, or with init_op run and init_fn(session) called when there is none.

        RuntimeError when the model is not ready after that.
        """
        session, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not is_loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(session)
        done, message = self._try_run_local_init_op(session)
        if not done:
            raise RuntimeError(
                f"Init operations did not make model ready for local_init.  Init op: {_name(init_op)}, init fn: {init_fn}, "
                f"error: {message}"
            )
        is_ready, message = self._model_ready(session)
        if not is_ready:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_name(init_op)}, init fn: {init_fn}, local_init_op: "
                f"{self._local_init_op}, error: {message}"
            )
        return session

    def recover_session(
        self,
        master,
        saver=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        config=None,
    ):
        """(a session, whether a checkpoint was restored into it and the model is ready)."""
        session, is_loaded = self._restore_checkpoint(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        done, message = self._try_run_local_init_op(session)
        if not is_loaded:
            return session, False
        what = checkpoint_dir or checkpoint_filename_with_path
        if not done:
            logs.info("Restoring model from %s did not make model ready for local init: %s", what, message)
            return session, False
        is_ready, message = self._model_ready(session)
        if not is_ready:
            logs.info("Restoring model from %s did not make model ready: %s", what, message)
            return session, False
        logs.info("Restored model from %s", what)
        return session, is_loaded

    def wait_for_session(self, master, config=None, max_wait_secs=float("Inf")):
        """A session on a model that somebody else initializes. DeadlineExceededError when that takes too long."""
        deadline = time.time() + (float("Inf") if max_wait_secs is None else max_wait_secs)
        while True:
            session = v1.Session(master, graph=self._graph, config=config)
            message = None
            ready_for_local, message = self._model_ready_for_local_init(session)
            if ready_for_local:
                done, message = self._try_run_local_init_op(session)
                is_ready, message = self._model_ready(session) if done else (False, message)
                if is_ready:
                    return session
            session.close()
            if time.time() + self._recovery_wait_secs > deadline:
                raise errors.DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {max_wait_secs} secs."
                )
            logs.info("Waiting for model to be ready: %s", message)
            time.sleep(self._recovery_wait_secs)

    def _model_ready(self, session):
        return _is_ready(self._ready_op, session, "Variables not initialized")

    def _model_ready_for_local_init(self, session):
        return _is_ready(self._ready_for_local_init_op, session, "Variables not initialized")

    def _try_run_local_init_op(self, session):
        """(whether the local init op ran, or there is none; why not)."""
        if self._local_init_op is None:
            return True, None
        is_ready, message = self._model_ready_for_local_init(session)
        if not is_ready:
            return False, message
        session.run(self._local_init_op, feed_dict=self._local_init_feed_dict, options=self._local_init_run_options)
        return True, None


def _name(op):
    return getattr(op, "name", op)
