"""tf.train.CheckpointManager: keeps the newest checkpoints of a folder."""

from __future__ import annotations

import os
import time

from ..core import graph, variables
from . import checkpoint_state


class CheckpointManager:
    """Saves a Checkpoint under numbers in a folder, and removes older ones.

    max_to_keep: how many stay, None for all; of those that go one is kept for each keep_checkpoint_every_n_hours.
    step_counter, checkpoint_interval: save() does nothing until so many steps have passed. init_fn: called by
    restore_or_initialize when there is no checkpoint.
    """

    def __init__(
        self,
        checkpoint,
        directory,
        max_to_keep,
        keep_checkpoint_every_n_hours=None,
        checkpoint_name="ckpt",
        step_counter=None,
        checkpoint_interval=None,
        init_fn=None,
        last_checkpoint_step=None,
    ):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        self._checkpoint, self._directory, self._max_to_keep = checkpoint, os.fspath(directory), max_to_keep
        self._keep_every_n_hours = keep_checkpoint_every_n_hours
        self._name, self._init_fn = checkpoint_name, init_fn
        self._step_counter, self._interval, self._last_step = step_counter, checkpoint_interval, last_checkpoint_step
        self._kept: dict[str, float] = {}  # path -> when it was written
        self._latest = None
        self._take_over()

    def _take_over(self):
        state = checkpoint_state.get_checkpoint_state(self._directory)
        now = time.time()
        self._last_preserved = now
        if state is None:
            return
        self._latest = state.model_checkpoint_path
        paths = list(state.all_model_checkpoint_paths)
        times = list(state.all_model_checkpoint_timestamps) or checkpoint_state.get_checkpoint_mtimes(paths)
        if len(times) != len(paths):
            times = [now] * len(paths)
        if state.last_preserved_timestamp:
            self._last_preserved = state.last_preserved_timestamp
        self._kept = dict(zip(paths, times))

    directory = property(lambda self: self._directory)
    checkpoint = property(lambda self: self._checkpoint)
    checkpoint_interval = property(lambda self: self._interval)
    latest_checkpoint = property(lambda self: self._latest, doc="The newest checkpoint's prefix, or None.")
    checkpoints = property(
        lambda self: list(self._kept), doc="The prefixes of the checkpoints that are kept, oldest first."
    )

    def _step(self):
        if graph.current() is None:
            return int(self._step_counter.numpy()) if hasattr(self._step_counter, "numpy") else int(self._step_counter)
        from .checkpoint import _session

        return int(_session().run(self._step_counter))

    def save(self, checkpoint_number=None, check_interval=True, options=None):
        """Writes a checkpoint; gives its prefix, or None when it is not yet time for one."""
        if self._interval is not None:
            step = self._step()
            if check_interval and self._last_step is not None and step < self._last_step + self._interval:
                return None
            self._last_step = step
        prefix = os.path.join(self._directory, self._name)
        if checkpoint_number is None:
            counter = self._checkpoint.save_counter
            if graph.current() is None:
                number = int(counter.assign_add(1).numpy())
            else:
                number = self._checkpoint._count_in_graph(counter)
        else:
            number = (
                int(checkpoint_number.numpy())
                if isinstance(checkpoint_number, variables.Variable)
                else checkpoint_number
            )
        path = self._checkpoint.write(f"{prefix}-{number}", options)
        self._latest = path
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._write_state()
        self._sweep()
        self._write_state()
        return path

    def _write_state(self):
        checkpoint_state.write_state(
            self._directory,
            self._latest,
            list(self._kept),
            times=list(self._kept.values()),
            preserved=self._last_preserved,
        )

    def _sweep(self):
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path, written = next(iter(self._kept.items()))
            del self._kept[path]
            hours = self._keep_every_n_hours
            if hours and written - hours * 3600 >= self._last_preserved:
                self._last_preserved = written
                continue
            checkpoint_state.remove_checkpoint(path)

    def restore_or_initialize(self):
        """Restores the newest checkpoint and gives its prefix; without one calls init_fn and gives None."""
        if self._latest is not None and checkpoint_state.checkpoint_exists(self._latest):
            self._checkpoint.restore(self._latest)
            if self._interval is not None:
                self._last_step = self._step()
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self):
        """Waits for writing that goes on: here nothing does."""
