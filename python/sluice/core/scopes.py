"""Scopes: devices, names, what waits for what."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext

from .. import _native
from . import graph


@contextmanager
def device(device_name):
    """Ops within run there. None: where they like."""
    name = device_name or ""
    if name and not name.startswith("/"):
        name = "/device:" + name if ":" in name and not name.startswith("device") else "/" + name
    if name.lower().startswith(("/cpu", "/gpu")):
        name = "/device:" + name[1:].upper()
    g = graph.current()
    before, outer = _native.set_device(name), g._device if g else ""
    if g:
        g._device = name
    try:
        yield
    finally:
        _native.set_device(before)
        if g:
            g._device = outer


class name_scope:
    """Names of nodes within begin with it."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name

    name = property(lambda self: self._name)

    def __enter__(self):
        g = graph.current()
        self._context = g.name_scope(self._name) if g else nullcontext(self._name + "/" if self._name else "")
        return self._context.__enter__()

    def __exit__(self, *exception):
        return self._context.__exit__(*exception)


def control_dependencies(control_inputs):
    """What is made within runs after these."""
    g = graph.current()
    return g.control_dependencies(control_inputs) if g else nullcontext()


def init_scope():
    """What is within runs at once, also in a function that is being traced."""
    return graph.outside()


def executing_eagerly() -> bool:
    return graph.current() is None
