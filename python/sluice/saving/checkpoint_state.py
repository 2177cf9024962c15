"""The file `checkpoint` of a folder, which names the checkpoints in it: a CheckpointState as text."""

from __future__ import annotations

import os
import time
import uuid

from ..core import message_text, messages
from ..files import gfile


def _state_path(folder, latest_filename) -> str:
    return os.path.join(os.fspath(folder), latest_filename or "checkpoint")


def generate_checkpoint_state_proto(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    """A CheckpointState; paths within save_dir are made relative to it if that is."""

    def short(path):
        return path if os.path.isabs(save_dir) or os.path.isabs(path) else os.path.relpath(path, save_dir)

    return _state(model_checkpoint_path, all_model_checkpoint_paths, all_model_checkpoint_timestamps,
                  last_preserved_timestamp, short)  # fmt: skip


def _state(newest, paths, times, preserved, written):
    """A CheckpointState. `written`: of a path, what is written for it."""
    paths = list(paths or [])
    if not paths or paths[-1] != newest:
        paths.append(newest)
    if times and len(times) != len(paths):
        raise ValueError(
            f"Checkpoint timestamps, if provided, must match checkpoint paths (got paths {paths} and timestamps {times})."
        )
    return messages.CheckpointState(
        model_checkpoint_path=written(newest),
        all_model_checkpoint_paths=[written(p) for p in paths],
        all_model_checkpoint_timestamps=times or [],
        last_preserved_timestamp=preserved,
    )


def update_checkpoint_state(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    latest_filename=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
):
    """Writes the file `checkpoint` of a folder."""
    write_state(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
        relative=False,
    )


def update_state_of_objects(
    save_dir,
    model_checkpoint_path,
    all_model_checkpoint_paths=None,
    latest_filename=None,
    all_model_checkpoint_timestamps=None,
    last_preserved_timestamp=None,
    save_relative_paths=False,
):
    """The same, with paths that may be relative to the folder."""
    write_state(
        save_dir,
        model_checkpoint_path,
        all_model_checkpoint_paths,
        latest_filename,
        all_model_checkpoint_timestamps,
        last_preserved_timestamp,
        relative=save_relative_paths,
    )


def write_state(folder, newest, paths=None, latest_filename=None, times=None, preserved=None, relative=True):
    """The same; with relative, by names that stay true when the folder is moved."""
    folder = os.fspath(folder)
    if relative:
        state = _state(newest, paths, times, preserved, lambda path: os.path.relpath(path, folder or "."))
    else:
        state = generate_checkpoint_state_proto(folder, newest, paths, times, preserved)
    target = _state_path(folder, latest_filename)
    if target in (state.model_checkpoint_path, os.path.join(folder, state.model_checkpoint_path)):
        raise RuntimeError(
            f"Save path '{newest}' conflicts with path used for checkpoint state. Please use a different save path."
        )
    waiting = f"{target}.tmp{uuid.uuid4().hex}"  # threads may write at a time
    with gfile.GFile(waiting, "w") as f:
        f.write(str(state))
    gfile.rename(waiting, target, overwrite=True)


def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """The CheckpointState of a folder, with whole paths; None when it has none."""
    if isinstance(checkpoint_dir, os.PathLike):
        checkpoint_dir = os.fspath(checkpoint_dir)
    path = _state_path(checkpoint_dir, latest_filename)
    if not os.path.exists(path):
        return None
    with gfile.GFile(path) as f:
        state = message_text.merge_text(f.read(), messages.CheckpointState())
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")

    def whole(p):
        return p if os.path.isabs(p) else os.path.join(checkpoint_dir, p)

    state.model_checkpoint_path = whole(state.model_checkpoint_path)
    paths = [whole(p) for p in state.all_model_checkpoint_paths]
    del state.all_model_checkpoint_paths[:]
    state.all_model_checkpoint_paths.extend(paths)
    return state


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The prefix of the newest checkpoint in a folder, or None."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not checkpoint_exists(state.model_checkpoint_path):
        return None
    return state.model_checkpoint_path


def _files_of(prefix) -> list[str]:
    """A file that every checkpoint of this prefix has, of the newer format or the older one."""
    prefix = os.fspath(prefix)
    return gfile.glob(prefix + ".index") or gfile.glob(prefix)


def checkpoint_exists(checkpoint_prefix):
    """Whether there is a checkpoint of this prefix."""
    return bool(_files_of(checkpoint_prefix))


def get_checkpoint_mtimes(checkpoint_prefixes):
    """When those of the checkpoints that are there were written, in seconds."""
    found = (_files_of(p) for p in checkpoint_prefixes)
    return [gfile.stat(files[0]).mtime_nsec / 1e9 for files in found if files]


def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Removes the files of a checkpoint."""
    prefix = os.fspath(checkpoint_prefix)
    names = [f"{prefix}.{meta_graph_suffix}"]
    if checkpoint_format_version == 2:
        names += [prefix + ".index", *gfile.glob(prefix + ".data-?????-of-?????")]
    else:
        names.append(prefix)
    for name in names:
        if os.path.exists(name):
            gfile.remove(name)


def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """New checkpoints of a folder as they come, at most one each min_interval_secs.

    After `timeout` seconds without a new one it ends, if timeout_fn is absent or gives true.
    """
    seen = None
    while True:
        found = _wait_for_new(checkpoint_dir, seen, timeout)
        if found is None:
            if not timeout_fn or timeout_fn():
                return
            continue
        started, seen = time.time(), found
        yield found
        if (rest := started + min_interval_secs - time.time()) > 0:
            time.sleep(rest)


def _wait_for_new(folder, seen, timeout, every=0.1):
    end = None if timeout is None else time.time() + timeout
    while True:
        path = latest_checkpoint(folder)
        if path is not None and path != seen:
            return path
        if end is not None and time.time() + every > end:
            return None
        time.sleep(every)
