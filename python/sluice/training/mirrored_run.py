"""One Python function run for each replica, and brought together where the replicas meet.

A replica is a thread. One runs at a time, in the order of their numbers, until it ends or calls `merge_call`: then the next
one goes on. When all have come there, the caller's thread runs the merging function once, and hands each replica its part of
what that gives. So what a function traces, or computes at once, is the same in each run.
"""

from __future__ import annotations

import contextvars
import threading
from contextlib import nullcontext

from .. import _native
from ..core import function, graph, nest, scopes, tensor, variables
from ..core.op_defs import op
from ..ops import array_ops
from . import strategies
from .replica_values import regroup, select


class _Ended(BaseException):
    """Unwinds the thread of a replica that nobody waits for any more."""


class MirroredReplicaContext(strategies.ReplicaContext):
    """What a function can ask that runs in one of several replicas."""

    def __init__(self, strategy, replica):
        super().__init__(strategy, replica.number)
        self._replica = replica

    devices = property(lambda self: (self._strategy.extended.worker_devices[self._id],))
    num_replicas_in_sync = property(lambda self: self._strategy.num_replicas_in_sync)

    @property
    def replica_id_in_sync_group(self):
        """The number of the replica among those of all workers, as a tensor."""
        return array_ops.constant(self._strategy.extended.replica_number(self._id), name="replica_id_in_sync_group")

    def merge_call(self, merge_fn, args=(), kwargs=None):
        """merge_fn(strategy, ...) once for all replicas, when all have come here, with what they give as PerReplica values.

        Gives this replica's part of the result. RuntimeError within a function that the replica traces.
        """
        if graph.current() is not self._replica.run.branch_graph:
            raise RuntimeError(
                "`merge_call` called while defining a new graph or a tf.function: replicas meet in what `strategy.run` runs itself. "
                "Call what adds up gradients, or assigns to mirrored variables, outside of the function or conditional within it."
            )
        return self._replica.meet(merge_fn, args, kwargs or {})

    def all_reduce(self, reduce_op, value, options=None):
        """The sum or mean over all replicas, in the structure of the value. Gradients go through it to all replicas.

        A tensor that all replicas share, the same object, counts once.
        """
        kind = strategies.reduce_op_of(reduce_op)
        value = nest.map_structure(_as_tensor, value)
        made = self._reduced(kind, value)
        return nest.map_structure(lambda x, y: self._followed(kind, x, y), value, made)

    def _reduced(self, kind, value):
        return self.merge_call(lambda strategy, whole: strategy.extended.all_reduced(kind, whole), args=(value,))

    def _followed(self, kind, x, y):
        """The result y for x, as gradients follow it."""
        if not isinstance(x, tensor.Tensor) or not x.dtype.is_floating:
            return y
        if graph.current() is None:
            return _through(x, y, lambda dy: self._reduced(kind, dy))
        y = op("StopGradient")(y)  # GradientTape goes on at x itself
        variables.replica.reduced.append((x, y, lambda dy: self._reduced(kind, dy)))
        return y

    def all_gather(self, value, axis, options=None):
        """What all replicas have, one behind the other along an axis."""

        def merged(strategy, whole):
            return strategy.extended.gather_to_all(whole, axis)

        return self.merge_call(merged, args=(value,))


def _as_tensor(value):
    """A number becomes a tensor, each replica's its own."""
    return array_ops.constant(value) if isinstance(value, (int, float, complex)) else value


def _through(x, y, reduce):
    """y, whose gradient with respect to x is reduced, too: of values that are computed at once."""
    from ..ops import custom_gradient_ops

    @custom_gradient_ops.custom_gradient
    def result(x):
        return op("Identity")(y), reduce

    return result(x)


class _Replica:
    """One of the threads of a run."""

    def __init__(self, run, number):
        self.run, self.number = run, number
        self.branch = graph.Branch()
        self.goes_on, self.has_stopped = threading.Semaphore(0), threading.Semaphore(0)
        self.is_done = self.is_ended = False
        self.meeting = self.result = self.error = None
        self.n_made = 0  # variables that it has made
        self.thread = None

    # ---- in the caller's thread

    def go_on(self):
        """Lets it run until it meets the others or ends."""
        if self.thread is None:
            context = contextvars.copy_context()
            self.thread = threading.Thread(
                target=context.run, args=(self._work,), name=f"replica {self.number}", daemon=True
            )
            self.thread.start()
        self.branch.exchange()
        try:
            self.goes_on.release()
            self.has_stopped.acquire()
        finally:
            self.branch.exchange()

    def end(self):
        """Unwinds it."""
        self.is_ended = True
        if self.thread is not None:
            while not self.is_done:
                self.go_on()
            self.thread.join()

    # ---- in its own

    def _work(self):
        self.goes_on.acquire()
        try:
            if not self.is_ended:
                self.result = self._called()
        except _Ended:
            pass
        except BaseException as error:  # the caller's thread raises it
            self.error = error
        self.is_done = True
        self.has_stopped.release()

    def _called(self):
        run = self.run
        _native.set_device(run.device)
        with (
            self.branch.entered(),
            variables.with_creators(run.creators),
            strategies.entered(run.strategy, MirroredReplicaContext(run.strategy, self)),
            scopes.name_scope(run.name) if run.name and graph.current() is None else nullcontext(),
            scopes.device(run.strategy.extended.worker_devices[self.number]),
            scopes.name_scope(f"replica_{self.number}")
            if self.number and graph.current() is not None
            else nullcontext(),
        ):
            return run.fn(*select(self.number, run.args), **select(self.number, run.kwargs))

    def meet(self, merge_fn, args, kwargs):
        """Waits for the others: merge_fn's result for this replica."""
        self.meeting = merge_fn, args, kwargs
        self.has_stopped.release()
        self.goes_on.acquire()
        if self.is_ended:
            raise _Ended
        result, self.result = self.result, None
        return result

    def variable(self, next_creator, kwargs):
        """The variable that it makes: the first replica makes it, the others are given the same in the same order."""
        made, at = self.run.variables, self.n_made
        self.n_made += 1
        if at == len(made):
            if self.number:
                raise RuntimeError(
                    f"Replica {self.number} made a variable that replica 0 did not make: {kwargs.get('name')!r}"
                )
            made.append(self.run.strategy.extended.make_variable(next_creator, kwargs))
        return made[at]


class Run:
    """fn in all replicas of a strategy, from the thread that makes it."""

    def __init__(self, strategy, fn, args, kwargs):
        self.strategy, self.fn, self.args, self.kwargs = strategy, fn, args, kwargs
        self.branch_graph = graph.current()
        self.creators, self.name = variables.creators_here(), scopes.current_name_scope()
        self.device = _native.set_device("")
        _native.set_device(self.device)
        self.variables = []

    def results(self):
        """What it gives in each replica. The first error of a replica ends all."""
        replicas = [_Replica(self, i) for i in range(len(self.strategy.extended.worker_devices))]
        try:
            while True:
                for r in replicas:
                    r.meeting = None
                    r.go_on()
                    if r.error is not None:
                        raise r.error
                if all(r.is_done for r in replicas):
                    return [r.result for r in replicas]
                if any(r.is_done for r in replicas):
                    raise RuntimeError("Some replicas made a different number of replica_context().merge_call() calls.")
                self._merge(replicas)
        finally:
            for r in replicas:
                r.end()

    def _merge(self, replicas):
        merge_fn = replicas[0].meeting[0]
        args = regroup([tuple(r.meeting[1]) for r in replicas])
        kwargs = regroup([dict(r.meeting[2]) for r in replicas])
        whole = merge_fn(self.strategy, *args, **kwargs)
        for r in replicas:
            r.result = select(r.number, whole)


def run(strategy, fn, args, kwargs):
    """fn(*args, **kwargs) in all replicas: what they give as one structure of PerReplica values."""
    if isinstance(fn, function.Function):
        return _lifted(strategy, fn)(args, kwargs)
    return regroup(Run(strategy, fn, args, kwargs).results())


def _lifted(strategy, fn):
    """A tf.function that runs in replicas becomes one that runs its Python function in all of them: so they can meet in it."""
    made = fn._in_replicas.get(strategy)
    if made is None:
        python_function = fn.python_function

        def run_all(args, kwargs):
            return run(strategy, strategies.converted(python_function), args, kwargs)

        made = fn._in_replicas[strategy] = function.Function(run_all, name=fn.name, autograph=fn._autograph)
    return made
