"""tf.CriticalSection: what is executed in it never runs at the same time as anything else in it."""

from __future__ import annotations

import collections
import itertools
import threading
import weakref

from . import queue_ops
from ..core import graph, nest, scopes
from ..core.dtypes import resource
from ..core.op_defs import op

_numbers = itertools.count()
_COLLECTION = "critical_section_executions"
_Execution = collections.namedtuple("_ExecutionSignature", "op handle resources exclusive_resource_access")


class _Running(threading.local):
    """The sections that this thread is in, by name."""

    def __init__(self):
        self.names = []


_running = _Running()


class CriticalSection:
    """A mutex. Sections of one shared_name are one, in graphs."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def is not None:
            raise NotImplementedError("critical_section_def is not supported")
        label = name or "critical_section"
        with scopes.init_scope():
            shared = shared_name or f"{label}_{next(_numbers)}"
            self._handle = op("MutexV2")(shared_name=shared, container="", name=label)
        if shared_name is None and not isinstance(self._handle, graph.SymbolicTensor):
            weakref.finalize(self, queue_ops.destroy, self._handle).atexit = False
        self._name = self._handle.op.name if isinstance(self._handle, graph.SymbolicTensor) else label
        self._signature = ("", shared, self._handle.device or None)

    name = property(lambda self: self._name)

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What fn() gives. It has the mutex while it, and in a graph all that it makes, runs.

        In a graph no other section may use the resources that it uses, unless both say exclusive_resource_access=False. ValueError
        then, and where the section is being executed already, which would wait for itself.
        """
        if self._signature in _running.names:
            raise ValueError(
                f"Attempting to lock a CriticalSection (signature={self._signature}) in which we are already running. This is "
                "illegal and may cause deadlocks."
            )
        with scopes.name_scope(name or "critical_section_execute"):
            lock = op("MutexLock")(self._handle)
            _running.names.append(self._signature)
            try:
                return fn() if graph.current() is None else self._in_graph(fn, lock, exclusive_resource_access)
            finally:
                _running.names.remove(self._signature)
                del lock

    def _in_graph(self, fn, lock, exclusive):
        g = graph.current()
        g.take_in()
        before = g.version
        with g.control_dependencies([lock]):
            made = fn()
        made_within = [o for o in g.get_operations()[before:] if o.type != "Placeholder"]
        used = {id(t): t for o in made_within for t in o.inputs if t.dtype == resource and t is not self._handle}
        execution = _Execution(lock.op, self._handle, list(used.values()), exclusive)
        for other in g.get_collection_ref(_COLLECTION):
            self._check(execution, other)
        g.add_to_collection(_COLLECTION, execution)
        with g.control_dependencies(made_within):
            done = op("ConsumeMutexLock")(lock)
        with g.control_dependencies([done]):
            if isinstance(made, graph.Operation) or made is None:
                return done
            return nest.map_structure(lambda t: op("Identity")(t), made, expand_composites=True)

    def _check(self, execution, other):
        """ValueError where two sections use one resource that one of them wants for itself."""
        if other.handle is self._handle or not (execution.exclusive_resource_access or other.exclusive_resource_access):
            return
        shared = [t for t in execution.resources if any(t is u for u in other.resources)]
        if shared:
            raise ValueError(
                f"This execution would access resources: {shared}. Either this lock (CriticalSection: {self._handle}) or lock "
                f"'{other}' (CriticalSection: {other.handle}) requested exclusive resource access of this resource. Did you mean to "
                "call execute with keyword argument exclusive_resource_access=False?"
            )
