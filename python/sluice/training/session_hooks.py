"""Hooks: what is done around each run of a MonitoredSession, and the hooks that compat.v1.train has ready."""

from __future__ import annotations

import collections
import os
import time

from ..compat import v1
from ..core import errors, tensor
from ..platform import logs
from . import training_variables

SessionRunArgs = collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"], defaults=(None, None))
SessionRunArgs.__doc__ = "What a hook adds to a run: fetches (a structure), feed_dict, RunOptions."

SessionRunValues = collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])
SessionRunValues.__doc__ = "What a run gave for the hook's fetches, its options, and its metadata."


class SessionRunContext:
    """A run, as a hook sees it: what was asked for, the session, and whether to stop."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        """No run follows this one."""
        self._stop_requested = True


class SessionRunHook:
    """What a session with hooks calls: begin, after_create_session, (before_run, after_run) ..., end.

    `begin` may add to the graph; afterwards it is finished. `before_run` may give SessionRunArgs. `end` is not called when a
    run raised, but for OutOfRangeError and StopIteration.
    """

    def begin(self):
        pass

    def after_create_session(self, session, coord):
        pass

    def before_run(self, run_context):
        return None

    def after_run(self, run_context, run_values):
        pass

    def end(self, session):
        pass


class NanLossDuringTrainingError(RuntimeError):
    def __str__(self):
        return "NaN loss during training."


# ---- when


class SecondOrStepTimer:
    """Says when it is time again: every_secs seconds or every_steps steps after the last time. ValueError unless one is given."""

    def __init__(self, every_secs=None, every_steps=None):
        self.reset()
        self._every_secs, self._every_steps = every_secs, every_steps
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")

    def reset(self):
        self._last_triggered_step = self._last_triggered_time = None

    def should_trigger_for_step(self, step):
        """Whether it is time at this step; never twice at one."""
        if self._last_triggered_step is None:
            return True
        if self._last_triggered_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_triggered_time + self._every_secs
        return step >= self._last_triggered_step + self._every_steps

    def update_last_triggered_step(self, step):
        """It is done at this step. Gives the seconds and steps since the time before, or None and None."""
        now = time.time()
        if self._last_triggered_time is None:
            since = None, None
        else:
            since = now - self._last_triggered_time, step - self._last_triggered_step
        self._last_triggered_time, self._last_triggered_step = now, step
        return since

    def last_triggered_step(self):
        return self._last_triggered_step


class _Never(SecondOrStepTimer):
    def __init__(self):
        self.reset()

    def should_trigger_for_step(self, step):
        return False

    def update_last_triggered_step(self, step):
        return None, None


def _exactly_one(first, second, what):
    if (first is None) == (second is None):
        raise ValueError(f"exactly one of {what} should be provided.")


def _global_step(hook):
    step = training_variables.read_global_step()
    if step is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return step


# ---- hooks


class LoggingTensorHook(SessionRunHook):
    """Logs tensors: every so many runs or seconds, and at the end when at_end. tensors: a dictionary, or a list of tensors or names.

    formatter: makes the text of a dictionary of values.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        only_log_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_log_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if isinstance(tensors, dict):
            self._tag_order = list(tensors)
        else:
            self._tag_order = list(tensors)
            tensors = {item: item for item in self._tag_order}
        self._tensors, self._formatter = tensors, formatter
        self._timer = (
            _Never() if only_log_at_end else SecondOrStepTimer(every_secs=every_n_secs, every_steps=every_n_iter)
        )
        self._log_at_end = at_end

    def begin(self):
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {tag: _as_graph_element(t) for tag, t in self._tensors.items()}

    def before_run(self, run_context):
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def after_run(self, run_context, run_values):
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session):
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))

    def _log_tensors(self, tensor_values):
        import numpy

        elapsed, _ = self._timer.update_last_triggered_step(self._iter_count)
        with numpy.printoptions(suppress=True):
            if self._formatter:
                v1.logging.info(self._formatter(tensor_values))
                return
            text = ", ".join(f"{_tag_text(tag)} = {tensor_values[tag]}" for tag in self._tag_order)
        if elapsed is not None:
            v1.logging.info("%s (%.3f sec)", text, elapsed)
        else:
            v1.logging.info("%s", text)


def _tag_text(tag):
    return tag.name if isinstance(tag, tensor.Tensor) else tag


def _as_graph_element(value):
    graph = v1.get_default_graph()
    if isinstance(value, str) or hasattr(value, "_as_graph_element"):
        value = graph.as_graph_element(value)
    if not isinstance(value, tensor.Tensor):
        return value
    if value.graph is not graph:
        raise ValueError(f"Passed {value} should have graph attribute that is equal to current graph {graph}.")
    return value


class StopAtStepHook(SessionRunHook):
    """Asks to stop at step last_step, or num_steps after the step at the start."""

    def __init__(self, num_steps=None, last_step=None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self):
        self._global_step_tensor = training_variables.get_global_step()
        if self._global_step_tensor is None:
            raise RuntimeError("Global step should be created to use StopAtStepHook.")

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context, run_values):
        if run_values.results + 1 >= self._last_step:
            # The step that was fetched may be that before the run's own update.
            if run_context.session.run(self._global_step_tensor) >= self._last_step:
                run_context.request_stop()


class CheckpointSaverListener:
    """Hears of the checkpoints of a CheckpointSaverHook. `after_save` may give True: no step follows."""

    def begin(self):
        pass

    def before_save(self, session, global_step_value):
        pass

    def after_save(self, session, global_step_value):
        pass

    def end(self, session, global_step_value):
        pass


class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint at the start, then every save_secs seconds or save_steps steps, and at the end.

    saver: by default the scaffold's, or that of the SAVERS collection.
    """

    def __init__(
        self,
        checkpoint_dir,
        save_secs=None,
        save_steps=None,
        saver=None,
        checkpoint_basename="model.ckpt",
        scaffold=None,
        listeners=None,
        save_graph_def=True,
    ):
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold = saver, scaffold
        self._checkpoint_dir = os.fspath(checkpoint_dir)
        self._save_path = os.path.join(self._checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._listeners = listeners or []
        self._steps_per_run = 1
        self._save_graph_def = save_graph_def

    def _set_steps_per_run(self, steps_per_run):
        self._steps_per_run = steps_per_run

    def begin(self):
        from .summary_writer import FileWriterCache

        self._summary_writer = FileWriterCache.get(self._checkpoint_dir)
        self._global_step_tensor = _global_step("CheckpointSaverHook")
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        step = session.run(self._global_step_tensor)
        graph = v1.get_default_graph()
        if self._save_graph_def:
            v1.train.write_graph(graph.as_graph_def(add_shapes=True), self._checkpoint_dir, "graph.pbtxt")
        saver = self._get_saver()
        meta_graph_def = v1.train.export_meta_graph(
            graph_def=graph.as_graph_def(add_shapes=True), saver_def=saver.saver_def if saver else None
        )
        self._summary_writer.add_graph(graph)
        self._summary_writer.add_meta_graph(meta_graph_def)
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context, run_values):
        if self._timer.should_trigger_for_step(run_values.results + self._steps_per_run):
            step = run_context.session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                self._timer.update_last_triggered_step(step)
                if self._save(run_context.session, step):
                    run_context.request_stop()

    def end(self, session):
        last_step = session.run(self._global_step_tensor)
        if last_step != self._timer.last_triggered_step():
            self._save(session, last_step)
        for listener in self._listeners:
            listener.end(session, last_step)

    def _save(self, session, step):
        """Saves; whether a listener asks to stop."""
        logs.info("Saving checkpoints for %d into %s.", step, self._save_path)
        for listener in self._listeners:
            listener.before_save(session, step)
        self._get_saver().save(session, self._save_path, global_step=step, write_meta_graph=self._save_graph_def)
        self._summary_writer.add_session_log(
            v1.SessionLog(status=v1.SessionLog.CHECKPOINT, checkpoint_path=self._save_path), step
        )
        should_stop = False
        for listener in self._listeners:
            if listener.after_save(session, step):
                logs.info("A CheckpointSaverListener requested that training be stopped. listener: %s", listener)
                should_stop = True
        return should_stop

    def _get_saver(self):
        if self._saver is not None:
            return self._saver
        if self._scaffold is not None:
            return self._scaffold.saver
        savers = v1.get_collection(v1.GraphKeys.SAVERS)
        if not savers:
            raise RuntimeError(
                f"No items in collection {v1.GraphKeys.SAVERS}. Please add a saver to the collection or provide a saver or "
                "scaffold."
            )
        if len(savers) > 1:
            raise RuntimeError(
                f"More than one item in collection {v1.GraphKeys.SAVERS}. Please indicate which one to use by passing it to "
                "the constructor."
            )
        self._saver = savers[0]
        return self._saver


class StepCounterHook(SessionRunHook):
    """Writes how many steps a second there are, every so many steps or seconds."""

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        _exactly_one(every_n_steps, every_n_secs, "every_n_steps and every_n_secs")
        self._timer = SecondOrStepTimer(every_steps=every_n_steps, every_secs=every_n_secs)
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._last_global_step, self._steps_per_run = None, 1

    def _set_steps_per_run(self, steps_per_run):
        self._steps_per_run = steps_per_run

    def begin(self):
        from .summary_writer import FileWriterCache

        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._global_step_tensor = _global_step("StepCounterHook")
        self._summary_tag = training_variables.get_global_step().op.name + "/sec"

    def before_run(self, run_context):
        return SessionRunArgs(self._global_step_tensor)

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        rate = elapsed_steps / elapsed_time
        if self._summary_writer is not None:
            value = v1.Summary.Value(tag=self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(v1.Summary(value=[value]), global_step)
        v1.logging.info("%s: %g", self._summary_tag, rate)

    def after_run(self, run_context, run_values):
        stale = run_values.results
        if self._timer.should_trigger_for_step(stale + self._steps_per_run):
            step = run_context.session.run(self._global_step_tensor)
            if self._timer.should_trigger_for_step(step):
                elapsed_time, elapsed_steps = self._timer.update_last_triggered_step(step)
                if elapsed_time is not None:
                    self._log_and_record(elapsed_steps, elapsed_time, step)
        if self._last_global_step is not None and self._last_global_step == stale:
            logs.log_first_n(
                logs.WARN,
                "The global step (tf.train.get_global_step) has not been increased: it is %s, and was %s at the run before. "
                "Give it to Optimizer.apply_gradients or Optimizer.minimize.",
                5,
                stale,
                self._last_global_step,
            )
        self._last_global_step = stale


class NanTensorHook(SessionRunHook):
    """Watches a loss: raises NanLossDuringTrainingError when it is NaN, or asks to stop."""

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss_tensor, self._fail_on_nan_loss = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context, run_values):
        import numpy

        if numpy.isnan(run_values.results):
            message = "Model diverged with loss = NaN."
            if self._fail_on_nan_loss:
                logs.error(message)
                raise NanLossDuringTrainingError
            logs.warning(message)
            run_context.request_stop()


class SummarySaverHook(SessionRunHook):
    """Writes a summary every so many steps or seconds. summary_op: a tensor of Summary messages, or a list; else the scaffold's."""

    def __init__(
        self, save_steps=None, save_secs=None, output_dir=None, summary_writer=None, scaffold=None, summary_op=None
    ):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._summary_writer, self._output_dir, self._scaffold = (
            summary_op,
            summary_writer,
            output_dir,
            scaffold,
        )
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)

    def begin(self):
        from .summary_writer import FileWriterCache

        if self._summary_writer is None and self._output_dir:
            self._summary_writer = FileWriterCache.get(self._output_dir)
        self._next_step = None
        self._global_step_tensor = _global_step("SummarySaverHook")

    def before_run(self, run_context):
        self._request_summary = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        requests = {"global_step": self._global_step_tensor}
        if self._request_summary and self._get_summary_op() is not None:
            requests["summary"] = self._get_summary_op()
        return SessionRunArgs(requests)

    def after_run(self, run_context, run_values):
        if not self._summary_writer:
            return
        step = run_values.results["global_step"]
        if self._next_step is None or self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
        if self._next_step is None:
            self._summary_writer.add_session_log(v1.SessionLog(status=v1.SessionLog.START), step)
        if self._request_summary:
            self._timer.update_last_triggered_step(step)
            for summary in run_values.results.get("summary", ()):
                self._summary_writer.add_summary(summary, step)
        self._next_step = step + 1

    def end(self, session=None):
        if self._summary_writer:
            self._summary_writer.flush()

    def _get_summary_op(self):
        """A list of tensors, or None."""
        found = self._summary_op
        if found is None and self._scaffold.summary_op is not None:
            found = self._scaffold.summary_op
        return None if found is None else found if isinstance(found, list) else [found]


class GlobalStepWaiterHook(SessionRunHook):
    """Lets no run begin before others have brought the global step to wait_until_step."""

    def __init__(self, wait_until_step):
        self._wait_until_step = wait_until_step
        self._worker_is_started = False

    def begin(self):
        self._global_step_tensor = _global_step("GlobalStepWaiterHook")

    def before_run(self, run_context):
        if self._worker_is_started:
            return None
        if self._wait_until_step <= 0:
            self._worker_is_started = True
            return None
        logs.info("Waiting for global step %d before starting training.", self._wait_until_step)
        last_logged_step = 0
        while True:
            step = run_context.session.run(self._global_step_tensor)
            if step >= self._wait_until_step:
                self._worker_is_started = True
                return None
            if step - last_logged_step > 1000:
                logs.info(
                    "Waiting for global step %d before starting training. Current step is %d.",
                    self._wait_until_step,
                    step,
                )
                last_logged_step = step
            time.sleep(0.5)


class FinalOpsHook(SessionRunHook):
    """Runs final_ops at the end; `final_ops_values` has what they gave."""

    def __init__(self, final_ops, final_ops_feed_dict=None):
        self._final_ops, self._final_ops_feed_dict = final_ops, final_ops_feed_dict
        self._final_ops_values = None

    final_ops_values = property(lambda self: self._final_ops_values)

    def end(self, session):
        if self._final_ops is not None:
            try:
                self._final_ops_values = session.run(self._final_ops, feed_dict=self._final_ops_feed_dict)
            except (errors.OutOfRangeError, StopIteration) as error:
                logs.warning(
                    "FinalOpsHook: the input ended (%s) while final_ops ran: they seem to read another batch of it, rather "
                    "than variables.",
                    type(error).__name__,
                )
                raise


class FeedFnHook(SessionRunHook):
    """Feeds each run what feed_fn() gives."""

    def __init__(self, feed_fn):
        self.feed_fn = feed_fn

    def before_run(self, run_context):
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())


class ProfilerHook(SessionRunHook):
    """Traces a run every so many steps or seconds, and writes it as Chrome's tracer reads it (timeline-<step>.json)."""

    def __init__(self, save_steps=None, save_secs=None, output_dir="", show_dataflow=True, show_memory=False):
        self._timer = SecondOrStepTimer(every_secs=save_secs, every_steps=save_steps)
        self._output_file = os.path.join(output_dir, "timeline-{}.json")
        self._file_writer = v1.summary.FileWriterCache.get(output_dir or ".")
        self._show_dataflow, self._show_memory = show_dataflow, show_memory

    def begin(self):
        self._next_step = None
        self._global_step_tensor = _global_step("ProfilerHook")

    def before_run(self, run_context):
        self._request_summary = self._next_step is not None and self._timer.should_trigger_for_step(self._next_step)
        options = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE) if self._request_summary else None
        return SessionRunArgs({"global_step": self._global_step_tensor}, options=options)

    def after_run(self, run_context, run_values):
        stale = run_values.results["global_step"]
        if self._next_step is None:
            self._timer.update_last_triggered_step(stale)
        step = stale + 1
        if self._request_summary:
            step = run_context.session.run(self._global_step_tensor)
            self._timer.update_last_triggered_step(step)
            self._save(step, self._output_file.format(step), run_values.run_metadata.step_stats)
            self._file_writer.add_run_metadata(run_values.run_metadata, f"step_{step}")
        self._next_step = step + 1

    def _save(self, step, save_path, step_stats):
        from .timeline import chrome_trace

        logs.info("Saving timeline for %d into '%s'.", step, save_path)
        with open(save_path, "w") as f:
            f.write(chrome_trace(step_stats))
