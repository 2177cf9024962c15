"""Evaluation of a checkpoint, under the names by which packages of TensorFlow 1 import it: counted runs of the ops that evaluate."""

from __future__ import annotations

import time

from ..compat import v1
from ..platform import logs
from .session_hooks import FinalOpsHook, SessionRunArgs, SessionRunHook

_COLLECTION = v1.GraphKeys.EVAL_STEP


def _get_or_create_eval_step():
    """The graph's counter of evaluations, a local variable that is 0 at the start. ValueError when it has several."""
    found = v1.get_default_graph().get_collection(_COLLECTION)
    if len(found) > 1:
        raise ValueError("Multiple tensors added to tf.GraphKeys.EVAL_STEP")
    if found:
        return found[0]
    return v1.get_variable(
        "eval_step",
        shape=[],
        dtype=v1.int64,
        initializer=v1.zeros_initializer(),
        trainable=False,
        collections=[v1.GraphKeys.LOCAL_VARIABLES, _COLLECTION],
    )


def _get_latest_eval_step_value(update_ops):
    """The counter's value once these ops have run."""
    with v1.control_dependencies([*(update_ops.values() if isinstance(update_ops, dict) else update_ops or ())]):
        return v1.identity(_get_or_create_eval_step().read_value())


class _CountedHook(SessionRunHook):
    def __init__(self, num_evals):
        self._num_evals, self._expected = num_evals, None

    def _set_evals_completed_tensor(self, updated_eval_step):
        self._expected = updated_eval_step

    def before_run(self, run_context):
        return SessionRunArgs({"evals_completed": self._expected})


class _StopAfterNEvalsHook(_CountedHook):
    """Asks to stop after so many evaluations; None: never."""

    def __init__(self, num_evals, log_progress=True):
        super().__init__(num_evals)
        self._log_progress, self._every = log_progress, 1 if num_evals is None or num_evals < 20 else num_evals // 10

    def after_run(self, run_context, run_values):
        done = run_values.results["evals_completed"]
        if self._log_progress and (self._num_evals is None or done % self._every == 0 or done == self._num_evals):
            logs.info("Evaluation [%d%s]", done, f"/{self._num_evals}" if self._num_evals is not None else "")
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


class _MultiStepStopAfterNEvalsHook(_CountedHook):
    """The same where one run is several evaluations: tells how many the next run may do."""

    def __init__(self, num_evals, steps_per_run=1):
        super().__init__(num_evals)
        self._steps_per_run_initial_value = steps_per_run
        self._steps_per_run_variable = None

    def begin(self):
        self._steps_per_run_variable = v1.get_variable(
            "steps_per_run",
            shape=[],
            dtype=v1.int32,
            initializer=v1.ones_initializer(),
            trainable=False,
            collections=[v1.GraphKeys.LOCAL_VARIABLES],
        )

    def after_create_session(self, session, coord):
        steps = self._steps_per_run_initial_value
        self._steps_per_run_variable.load(steps if self._num_evals is None else min(self._num_evals, steps), session)

    def after_run(self, run_context, run_values):
        done = int(run_values.results["evals_completed"])
        if self._num_evals is None:
            return
        left = self._num_evals - done
        if left <= 0:
            run_context.request_stop()
        else:
            steps = min(left, self._steps_per_run_initial_value)
            self._steps_per_run_variable.load(steps, run_context.session)


def _evaluate_once(
    checkpoint_path,
    master="",
    scaffold=None,
    eval_ops=None,
    feed_dict=None,
    final_ops=None,
    final_ops_feed_dict=None,
    hooks=None,
    config=None,
):
    """Restores a checkpoint (None: values are initialised), runs the ops until a hook stops it, and gives the final ops' values."""
    step = _get_or_create_eval_step()
    hooks = list(hooks or [])
    steps = 1
    for hook in hooks:
        if isinstance(hook, _MultiStepStopAfterNEvalsHook):
            steps = hook._steps_per_run_initial_value
    added = v1.assign_add(step, v1.cast(steps, step.dtype.base_dtype), use_locking=True)
    if isinstance(eval_ops, dict):
        eval_ops = {**eval_ops, "update_eval_step": added}
    elif isinstance(eval_ops, (tuple, list)):
        eval_ops = [*eval_ops, added]
    else:
        eval_ops = [eval_ops, added] if eval_ops is not None else [added]
    latest = _get_latest_eval_step_value(eval_ops)
    for hook in hooks:
        if isinstance(hook, _CountedHook):
            hook._set_evals_completed_tensor(latest)

    started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    logs.info("Starting evaluation at %s", started)
    creator = v1.train.ChiefSessionCreator(
        scaffold=scaffold, checkpoint_filename_with_path=checkpoint_path, master=master, config=config
    )
    final = FinalOpsHook(final_ops, final_ops_feed_dict)
    with v1.train.MonitoredSession(session_creator=creator, hooks=[*hooks, final]) as session:
        while not session.should_stop():
            session.run(eval_ops, feed_dict)
    logs.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
    return final.final_ops_values
