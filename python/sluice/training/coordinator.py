"""Coordinator: threads that stop together, and report the first exception."""

from __future__ import annotations

import contextlib
import sys
import threading
import time

from ..core import errors


class Coordinator:
    """Lets threads ask each other to stop.

    clean_stop_exception_types: exceptions that mean an ordinary end, by default OutOfRangeError; `join` does not raise them.
    """

    def __init__(self, clean_stop_exception_types=None):
        self._clean_stop_exception_types = tuple(clean_stop_exception_types or (errors.OutOfRangeError,))
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._exception = None  # the first that was reported
        self._joined = False
        self._registered_threads: set[threading.Thread] = set()

    @property
    def joined(self):
        return self._joined

    def request_stop(self, ex=None):
        """Asks the threads to stop. ex: an exception, or what sys.exc_info() gives; `join` raises the first one.

        After `join` an exception is raised at once.
        """
        with self._lock:
            if isinstance(ex, tuple):
                ex = ex[1]
            if ex is not None and isinstance(ex, self._clean_stop_exception_types):
                ex = None
            if self._joined:
                if ex is not None:
                    raise ex
                return
            if self._stop_event.is_set():
                return
            self._exception = ex
            self._stop_event.set()

    def clear_stop(self):
        """Forgets that a stop was asked for, and its exception."""
        with self._lock:
            self._joined = False
            self._exception = None
            self._stop_event.clear()

    def should_stop(self):
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self):
        """An exception within is reported, and asks the others to stop."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

    def wait_for_stop(self, timeout=None):
        """Waits for at most `timeout` seconds; whether a stop was asked for."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread):
        """`join` waits for this thread too."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits for the threads, and those that are registered; raises the exception that one reported.

        Once a stop was asked for they have stop_grace_period_secs. RuntimeError when some are alive then, unless
        ignore_live_threads.
        """
        with self._lock:
            waited_for = self._registered_threads | set(threads or ())
        while any(t.is_alive() for t in waited_for) and not self.wait_for_stop(0.05):
            pass
        deadline = time.monotonic() + stop_grace_period_secs
        wait = 0.001
        while any(t.is_alive() for t in waited_for) and time.monotonic() < deadline:
            time.sleep(wait)
            wait = min(2 * wait, 0.1)
        alive = [t.name for t in waited_for if t.is_alive()]
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._exception is not None:
                raise self._exception
            if alive and not ignore_live_threads:
                raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")
        if alive:
            print(f"Coordinator stopped with threads still running: {' '.join(alive)}", file=sys.stderr)

    def raise_requested_exception(self):
        """Raises what was given to request_stop, if anything was."""
        with self._lock:
            if self._exception is not None:
                raise self._exception


class LooperThread(threading.Thread):
    """Calls `target` every timer_interval_secs (None: its own pace) until the coordinator is asked to stop.

    An exception of the target is reported to the coordinator.
    """

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__()
        self.daemon = True
        self._coord, self._timer_interval_secs = coord, timer_interval_secs
        self._work, self._work_args, self._work_kwargs = target, args or (), kwargs or {}
        if (args or kwargs) and target is None:
            raise ValueError("'args' and 'kwargs' arguments require that you also pass 'target'")
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """Makes and starts a thread."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            next_time = time.monotonic()
            while not self._coord.should_stop():
                if self._timer_interval_secs is not None:
                    if self._coord.wait_for_stop(max(0.0, next_time - time.monotonic())):
                        break
                    next_time += self._timer_interval_secs
                self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """Before the first call."""

    def stop_loop(self):
        """After the last call."""

    def run_loop(self):
        """One turn."""
        if self._work:
            self._work(*self._work_args, **self._work_kwargs)
