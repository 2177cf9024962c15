"""tf.profiler.experimental: what a program does while it is profiled, for TensorBoard's profiler.

What is written are the spans that the program marks with Trace, and calls of tf.functions, as an XSpace in
LOGDIR/plugins/profile/TIME/HOST.xplane.pb. Ops are not among them: sessions have RunMetadata of theirs.
"""

from __future__ import annotations

import functools
import os
import socket
import threading
import time

from ..core import attr_value, errors


class _Profile:
    def __init__(self, logdir):
        self.logdir, self.begin, self.spans = logdir, time.time_ns(), []


_running: _Profile | None = None
_lock = threading.Lock()


class ProfilerOptions(tuple):
    """How much is traced: levels of the host, of Python and of devices; a delay in ms."""

    def __new__(cls, host_tracer_level=2, python_tracer_level=0, device_tracer_level=1, delay_ms=None):
        made = super().__new__(cls, (host_tracer_level, python_tracer_level, device_tracer_level, delay_ms))
        return made

    host_tracer_level = property(lambda self: self[0])
    python_tracer_level = property(lambda self: self[1])
    device_tracer_level = property(lambda self: self[2])
    delay_ms = property(lambda self: self[3])


def start(logdir, options=None):
    """Begins to profile. AlreadyExistsError when that has begun."""
    global _running
    with _lock:
        if _running is not None:
            raise errors.AlreadyExistsError(None, None, "Another profiler is running.")
        _running = _Profile(os.fspath(logdir))


def stop(save=True):
    """Ends it, and writes what was found. UnavailableError when nothing is profiled."""
    global _running
    with _lock:
        if _running is None:
            raise errors.UnavailableError(None, None, "Cannot export profiling results. No profiler is running.")
        found, _running = _running, None
    if save:
        _write(found)


def warmup():
    """Kept for programs that call it; there is nothing to load."""


class Profile:
    """Profiles what is within."""

    def __init__(self, logdir, options=None):
        self._logdir, self._options = logdir, options

    def __enter__(self):
        start(self._logdir, self._options)
        return self

    def __exit__(self, *exception):
        stop()


class Trace:
    """A span with a name, and values by name, such as step_num."""

    def __init__(self, name, **kwargs):
        self._name, self._values = name, kwargs

    def __enter__(self):
        self._begin = time.time_ns()
        return self

    def set_metadata(self, **kwargs):
        self._values |= kwargs

    def __exit__(self, *exception):
        note(self._name, self._begin, self._values)


def trace_wrapper(trace_name, **trace_kwargs):
    """A decorator that makes each call a span."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            with Trace(trace_name, **trace_kwargs):
                return function(*args, **kwargs)

        return call

    return decorate


def note(name, begin, values=None):
    """A span from `begin` (time.time_ns) to now, when somebody profiles."""
    running = _running
    if running is not None:
        running.spans.append((name, threading.get_ident(), begin, time.time_ns(), values or {}))


def _write(found):
    folder = os.path.join(found.logdir, "plugins", "profile", time.strftime("%Y_%m_%d_%H_%M_%S"))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, socket.gethostname() + ".xplane.pb"), "wb") as f:
        f.write(_space(found))


def _space(found):
    """The spans as an XSpace: one plane of the host, with a line for each thread."""
    text, number, block = str.encode, attr_value.number, attr_value.block
    names: dict[str, int] = {}
    lines: dict[int, list] = {}
    for name, thread, begin, end, values in found.spans:
        label = name + "".join(f"#{k}={v}#" for k, v in values.items())
        event = number(1, names.setdefault(label, len(names) + 1))
        event += number(2, (begin - found.begin) * 1000) + number(3, (end - begin) * 1000)
        lines.setdefault(thread, []).append(block(4, event))
    plane = number(1, 1) + block(2, text("/host:CPU"))
    for thread, events in lines.items():
        plane += block(3, number(1, thread) + block(2, text("python")) + number(3, found.begin) + b"".join(events))
    for name, key in names.items():
        plane += block(4, number(1, key) + block(2, number(1, key) + block(2, text(name))))
    return block(1, plane)


def monitor(service_addr, duration_ms, level=1):
    """NotImplementedError: there are no servers."""
    raise NotImplementedError("tf.profiler.experimental.client.monitor: there are no servers")


def trace(service_addr, logdir, duration_ms, worker_list="", num_tracing_attempts=3, options=None):
    """NotImplementedError: there are no servers."""
    raise NotImplementedError("tf.profiler.experimental.client.trace: there are no servers")


def serve(port):
    """NotImplementedError: there are no servers."""
    raise NotImplementedError("tf.profiler.experimental.server.start: there are no servers")


def _v1(name):
    def refuse(*args, **kwargs):
        raise NotImplementedError(f"tf.compat.v1.profiler.{name}: RunMetadata of a session's run has times of nodes")

    refuse.__name__ = name
    return refuse


Profiler, ProfileOptionBuilder, advise, profile, write_op_log = map(
    _v1, ("Profiler", "ProfileOptionBuilder", "advise", "profile", "write_op_log")
)
