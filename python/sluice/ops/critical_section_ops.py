"""tf.CriticalSection: what is executed in it never runs at the same time as anything else in it."""

from __future__ import annotations

import itertools

from ..core import graph, nest, scopes
from ..core.op_defs import op

_numbers = itertools.count()


class CriticalSection:
    """A mutex. Sections of one shared_name are one, in graphs."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def is not None:
            raise NotImplementedError("critical_section_def is not supported")
        label = name or "critical_section"
        with scopes.init_scope():
            shared = shared_name or f"{label}_{next(_numbers)}"
            self._handle = op("MutexV2")(shared_name=shared, container="", name=label)
        self._name = self._handle.op.name if isinstance(self._handle, graph.SymbolicTensor) else label

    name = property(lambda self: self._name)

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """What fn() gives. It has the mutex while it, and in a graph all that it makes, runs."""
        with scopes.name_scope(name or "critical_section_execute"):
            lock = op("MutexLock")(self._handle)
            if graph.current() is None:
                try:
                    return fn()
                finally:
                    del lock
            return self._in_graph(fn, lock)

    @staticmethod
    def _in_graph(fn, lock):
        g = graph.current()
        g.take_in()
        before = g.version
        with g.control_dependencies([lock]):
            made = fn()
        made_within = [o for o in g.get_operations()[before:] if o.type != "Placeholder"]
        with g.control_dependencies(made_within):
            done = op("ConsumeMutexLock")(lock)
        with g.control_dependencies([done]):
            if isinstance(made, graph.Operation) or made is None:
                return done
            return nest.map_structure(lambda t: op("Identity")(t), made, expand_composites=True)
