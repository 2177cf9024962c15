"""Programs that run on this package and on TensorFlow: ../record_programs.py stores what TensorFlow gives, ../test_programs.py compares.

A file holds functions, each a program under its name. Decorators say how it is run, and return it as it is:

    @on(3, [1.0, 2.0])     with these arguments made tensors, as Python and as a tf.function; once for each @on
    @shows                 without arguments, as it is; what it prints and returns counts
    @beyond("why")         TensorFlow refuses it (as a tf.function); here it gives what it gives as Python
    @close(1e-3)           numbers may differ by so much, relative to the largest
"""

import importlib
import os
import pkgutil

tf = importlib.import_module(os.environ.get("PROGRAMS_ON", "sluice"))
ALL = {}


class Program:
    """A function, and how it is run. cases: tuples of arguments; None: it is run as it is."""

    def __init__(self, function):
        self.function, self.cases, self.beyond, self.tolerance = function, [], None, 1e-5


class As:
    """An argument that is handed over as it is."""

    def __init__(self, value):
        self.value = value


def _program(f) -> Program:
    return ALL.setdefault(f"{f.__module__.rpartition('.')[2]}.{f.__name__}", Program(f))


def on(*arguments):
    def add(f):
        _program(f).cases.insert(0, arguments)
        return f

    return add


def shows(f):
    _program(f).cases = None
    return f


def beyond(reason):
    def add(f):
        _program(f).beyond = reason
        return f

    return add


def close(tolerance):
    def add(f):
        _program(f).tolerance = tolerance
        return f

    return add


def load(only="") -> dict:
    """All programs by file and name; of files whose names start so."""
    for module in pkgutil.iter_modules(__path__):
        if module.name.startswith(only):
            importlib.import_module(f"{__name__}.{module.name}")
    return ALL
