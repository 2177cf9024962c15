"""What a coordinator keeps in a file, so that it can be killed and started again: how far the training is, the checkpoint that has
that, and the tasks.

The file is written beside, flushed, and then put in its place; the one before stays as FILE.before. What is half written or damaged
is told by its sum, and the one before is taken. A coordinator that has been replaced by another, which has taken the file, can write
no more.
"""

from __future__ import annotations

import collections
import json
import os
import zlib

from ..core import errors
from ..platform import logs

_VERSION = 1

CoordinatorState = collections.namedtuple("CoordinatorState", "generation step checkpoint tasks")
CoordinatorState.__doc__ = """generation: of coordinators, from 1; step and checkpoint: of the last record, 0 and None before there is
one; tasks: {name: incarnation}, 0 of a task that did not answer."""


def _encoded(state):
    body = json.dumps(state._asdict(), sort_keys=True)
    return json.dumps({"version": _VERSION, "sum": zlib.crc32(body.encode()), "state": body}) + "\n"


def _decoded(text):
    """ValueError for what no coordinator has written."""
    whole = json.loads(text)
    if not isinstance(whole, dict) or whole.get("version") != _VERSION:
        raise ValueError("it is of another version, or no file of a coordinator")
    body = whole.get("state")
    if not isinstance(body, str) or zlib.crc32(body.encode()) != whole.get("sum"):
        raise ValueError("its sum is wrong")
    return CoordinatorState(**json.loads(body))


def _is_complete(checkpoint):
    return checkpoint is None or os.path.exists(checkpoint + ".index")


def _read(path):
    try:
        with open(path) as file:
            return _decoded(file.read())
    except FileNotFoundError:
        return None


class StateFile:
    """The file of one coordinator. DataLossError when neither it nor the one before can be read."""

    def __init__(self, path):
        self._path, self._before = os.path.abspath(path), os.path.abspath(path) + ".before"
        self.found = self._load()
        self._generation = self.found.generation + 1 if self.found else 1
        begins = self.found or CoordinatorState(0, 0, None, {})
        self._write(begins._replace(generation=self._generation))

    def _load(self):
        wrong = []
        for path in (self._path, self._before):
            try:
                state = _read(path)
            except (ValueError, TypeError) as error:
                wrong.append(f"{path}: {error}")
                continue
            if state is None:
                continue
            if not _is_complete(state.checkpoint):
                wrong.append(f"{path}: its checkpoint {state.checkpoint} is not there")
                continue
            for text in wrong:
                logs.warning("The state of the coordinator is that before the last one: %s", text)
            return state
        if wrong:
            text = "The coordinator cannot go on where it was: {}. Remove the file to begin anew"
            raise errors.DataLossError(None, None, text.format("; ".join(wrong)))
        return None

    def record(self, step, checkpoint, tasks):
        """FailedPreconditionError when another coordinator has taken the file over."""
        try:
            state = _read(self._path)
        except (ValueError, TypeError):
            state = None
        if state is not None and state.generation > self._generation:
            text = f"This coordinator, number {self._generation}, has been replaced by number {state.generation}"
            raise errors.FailedPreconditionError(None, None, f"{text}, as {self._path} says")
        self._write(CoordinatorState(self._generation, step, checkpoint, tasks))

    def _write(self, state):
        beside = f"{self._path}.{os.getpid()}"
        try:
            with open(beside, "w") as file:
                file.write(_encoded(state))
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(self._path):
                os.replace(self._path, self._before)
            os.replace(beside, self._path)
            folder = os.open(os.path.dirname(self._path), os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            if os.path.exists(beside):
                os.unlink(beside)
            raise errors.UnknownError(None, None, f"The state of the coordinator cannot be written: {error}") from None
