"""Sluice: TensorFlow's programs on a small dataflow engine.

    import sluice as tf

Names are TensorFlow's. A name that TensorFlow has and this package has not raises an AttributeError that says so.
"""

from __future__ import annotations

import sys

from . import _native, namespaces
from .core import errors, graph, tensor  # noqa: F401 (errors are told to the extension when they are loaded)

tensor.install(graph.build, graph.into_current)
namespaces.install(sys.modules[__name__])

__version__ = _native.version()
newaxis = None


def __getattr__(name: str):
    return namespaces.get(globals(), "", name)


def __dir__():
    return sorted({*namespaces.names_of(""), "newaxis", "__version__"})
