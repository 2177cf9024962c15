"""tf.distribute.coordinator: functions that workers run, as many at a time as there are workers, in no order.

A thread for each worker takes functions from one queue and runs them with the worker as device. When the worker dies, or does not
answer in time, the function goes back to the head of the queue: another worker runs it from its beginning, so what it had done to
variables already is done again, as with TensorFlow's. The thread waits until the worker answers, and gives it a new context; nothing
else runs meanwhile. What is wrong otherwise, a server that died among it, is the error that the program hears next.
"""

from __future__ import annotations

import collections
import threading
import time

from .. import _native
from ..core import errors, nest, scopes, tensor
from ..core.concrete_function import ConcreteFunction
from ..core.function import Function
from ..ops import array_ops
from .coordinator_state import StateFile
from .parameter_server_strategy import ParameterServerStrategy

_MOST_WAITING = 256 * 1024  # functions in a queue
_LOOK_SECONDS = 0.5  # between looks at a worker that has gone
_LOST = (errors.UnavailableError, errors.AbortedError, errors.CancelledError, errors.DeadlineExceededError)


class RemoteValue:
    """What a function gives that a worker runs, or will run."""

    def __init__(self, changed):
        self._changed, self._has_ended, self._value, self._error = changed, False, None, None

    def _end(self, value=None, error=None):
        with self._changed:
            self._has_ended, self._value, self._error = True, value, error
            self._changed.notify_all()

    def _wait(self):
        with self._changed:
            while not self._has_ended:
                self._changed.wait()
        if self._error is not None:
            raise self._error
        return self._value

    def fetch(self):
        """The value as numpy arrays, when it is there. Raises what the function raised, CancelledError if it never ran."""
        return nest.map_structure(lambda x: x.numpy() if hasattr(x, "numpy") else x, self._wait())

    def get(self):
        """The value as tensors of this process."""
        with scopes.device("/device:CPU:0"):
            return nest.map_structure(
                lambda x: array_ops.identity(x) if isinstance(x, tensor.Tensor) else x, self._wait()
            )


class PerWorkerValues:
    """A value for each worker: PerWorkerValues([...]) of the values, by the workers' numbers."""

    def __init__(self, values):
        self._values = tuple(values)

    def _of(self, worker):
        return self._values[worker.index]


class _MadeByWorkers(PerWorkerValues):
    """A value that each worker makes when it is first needed there, and anew after it has been started anew."""

    def __init__(self, make):
        super().__init__(())
        self._make, self._made = make, {}

    def _of(self, worker):
        found = self._made.get(worker.index)
        if found is None or found[0] != worker.generation:
            found = self._made[worker.index] = worker.generation, self._make(worker)
        return found[1]


class PerWorkerDataset(_MadeByWorkers):
    """A dataset at each worker; `iter` gives an iterator at each."""

    def __iter__(self):
        return PerWorkerIterator(lambda worker: iter(self._of(worker)))


class PerWorkerIterator(_MadeByWorkers):
    """An argument for functions that are scheduled: each worker has its own."""

    def __next__(self):
        raise NotImplementedError("Iterators over datasets of workers are arguments of functions that workers run")


class _Task:
    """A function that waits or runs."""

    def __init__(self, fn, args, kwargs, value):
        self.fn, self.args, self.kwargs, self.value = fn, args, kwargs, value

    def run(self, strategy, worker):
        def here(x):
            if isinstance(x, PerWorkerValues):
                return x._of(worker)
            return x._wait() if isinstance(x, RemoteValue) else x

        with strategy.scope(), scopes.device(worker.device):
            args, kwargs = nest.map_structure(here, (self.args, self.kwargs))
            return self.fn(*args, **kwargs)


class _Worker:
    def __init__(self, index):
        self.index, self.generation = index, 0  # a new generation knows nothing of what the one before had
        self.name = f"/job:worker/replica:0/task:{index}"
        self.device = self.name + "/device:CPU:0"


class ClusterCoordinator:
    """Has the workers of a ParameterServerStrategy run functions. There is one for each strategy: made again, it is the same.

        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        iterator = iter(coordinator.create_per_worker_dataset(dataset_fn))
        for _ in range(100):
            coordinator.schedule(step, args=(iterator,))
        coordinator.join()

    With a state_file a program that is killed goes on when it is started again: `restored` is what it recorded last, None at the
    first time, and `record` writes it.

        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy, state_file="run/coordinator")
        if coordinator.restored and coordinator.restored.checkpoint:
            checkpoint.restore(coordinator.restored.checkpoint)
            step = coordinator.restored.step
        ...
        coordinator.join()
        coordinator.record(step, checkpoint.save("run/model"))

    ValueError for other strategies; DataLossError when neither the file nor the one before it can be read.
    """

    def __new__(cls, strategy, state_file=None):
        if not isinstance(strategy, ParameterServerStrategy):
            raise ValueError("Only a tf.distribute.ParameterServerStrategy works with a ClusterCoordinator")
        if strategy._coordinator is None:
            file = None if state_file is None else StateFile(state_file)
            strategy._coordinator = super().__new__(cls)
            strategy._coordinator._begin(strategy, file)
        return strategy._coordinator

    def __init__(self, strategy, state_file=None):
        """The threads have begun when it was made first."""

    def _begin(self, strategy, file):
        self._file = file
        self._strategy, self._changed = strategy, threading.Condition()
        self._waiting, self._running, self._mends = collections.deque(), 0, False
        self._error, self._n_lost = None, 0
        self._workers = [_Worker(i) for i in range(strategy._n_workers)]
        for worker in self._workers:
            threading.Thread(target=self._work, args=(worker,), daemon=True, name=worker.name).start()

    strategy = property(lambda self: self._strategy)
    restored = property(lambda self: self._file and self._file.found)

    # ---- what programs call

    def schedule(self, fn, args=None, kwargs=None):
        """Has a worker run fn(*args, **kwargs) some time, and gives its RemoteValue at once.

        fn is a tf.function or a concrete function, else TypeError. Arguments that are PerWorkerValues, or iterators over datasets of
        workers, are that worker's. Raises the error of a function that has failed before: those that still waited then never run.
        """
        if not isinstance(fn, (Function, ConcreteFunction)):
            raise TypeError(f"ClusterCoordinator.schedule takes a tf.function or a concrete function, not {fn!r}")
        value = RemoteValue(self._changed)
        with self._changed:
            self._raise_error()
            while len(self._waiting) >= _MOST_WAITING:
                self._changed.wait()
                self._raise_error()
            self._waiting.append(_Task(fn, args or (), kwargs or {}, value))
            self._changed.notify_all()
        return value

    def join(self):
        """Waits until all functions have run. Raises the error of one that has failed, once: then the coordinator can be used on."""
        with self._changed:
            while self._error is None and self._is_busy() or self._running:
                self._changed.wait()
            self._raise_error()

    def done(self):
        """Whether all functions have run; raises as join does."""
        with self._changed:
            self._raise_error()
            return not self._is_busy()

    def record(self, step, checkpoint=None):
        """Writes into the state file that the training has done so many steps, which `checkpoint` (its prefix) has: to be called
        when no function waits or runs. FailedPreconditionError when there is no such file, or another coordinator has taken it.
        """
        if self._file is None:
            raise errors.FailedPreconditionError(None, None, "The coordinator was made without a state_file")
        self._file.record(int(step), checkpoint, self._strategy._incarnations())

    def create_per_worker_dataset(self, dataset_fn):
        """A dataset at each worker: dataset_fn() makes it there. A dataset itself is no function: NotImplementedError."""
        if not callable(dataset_fn):
            raise NotImplementedError("create_per_worker_dataset of a dataset; a function that makes one is needed")

        return PerWorkerDataset(lambda worker: dataset_fn())

    def _create_per_worker_resources(self, fn, args=None, kwargs=None):
        """What fn makes at each worker."""
        return _MadeByWorkers(lambda worker: fn(*(args or ()), **(kwargs or {})))

    def fetch(self, val):
        """A structure with the values of RemoteValues as numpy arrays; waits for them."""
        return nest.map_structure(lambda x: x.fetch() if isinstance(x, RemoteValue) else x, val)

    # ---- with the lock

    def _is_busy(self):
        return bool(self._waiting) or self._running > 0

    def _raise_error(self):
        if self._error is None:
            return
        while self._running:
            self._changed.wait()
        error, self._error = self._error, None
        raise error

    def _fail(self, error):
        """The first error is the one that the program hears; nothing that waits runs."""
        self._error = self._error or error
        dropped, self._waiting = self._waiting, collections.deque()
        why = errors.CancelledError(None, None, "The function was cancelled, since another one has failed")
        for task in dropped:
            task.value._has_ended, task.value._error = True, why

    # ---- the workers' threads

    def _work(self, worker):
        while True:
            with self._changed:
                while not self._waiting or self._mends:
                    self._changed.wait()
                task = self._waiting.popleft()
                self._running += 1
            value, error = None, None
            try:
                value = task.run(self._strategy, worker)
            except BaseException as raised:  # all of it is the program's
                error = raised
            is_lost = isinstance(error, _LOST) and self._is_lost(worker, error)
            with self._changed:
                self._running -= 1
                if is_lost and self._error is None:
                    self._waiting.appendleft(task)
                else:
                    if error is not None:
                        self._fail(error)
                    task.value._has_ended, task.value._value, task.value._error = True, value, error
                self._changed.notify_all()
            value = task = error = None
            if is_lost:
                self._mend(worker)

    @staticmethod
    def _state(worker):
        """Whether the worker is there as it was, another process, or away: True, False, None."""
        try:
            return bool(_native.context_call("check_alive", worker.name))
        except errors.UnavailableError:
            return None
        except errors.OpError:
            return False

    def _is_lost(self, worker, error):
        """Whether the worker is what an error is about: it is away, is another process, or has not answered in time."""
        return self._state(worker) is not True or f"{worker.name} has not answered" in str(error)

    def _mend(self, worker):
        """Until the worker has a context again."""
        while True:
            if self._state(worker) is not None and self._reconnect():
                worker.generation += 1
                self._n_lost += 1
                return
            time.sleep(_LOOK_SECONDS)

    def _reconnect(self):
        """Tells all tasks of each other, when no function runs."""
        with self._changed:
            while self._mends:
                self._changed.wait()
            self._mends = True
            while self._running:
                self._changed.wait()
        try:
            self._strategy._connect()
            return True
        except errors.OpError:
            return False
        finally:
            with self._changed:
                self._mends = False
                self._changed.notify_all()
