"""tensorflow.python.util.tf_inspect: Python's inspect, which sees through decorators."""

from __future__ import annotations

import collections
import functools
import inspect as _inspect
import types
from inspect import (  # noqa: F401 (names of this module)
    FullArgSpec,
    Parameter,
    Signature,
    currentframe,
    getframeinfo,
    getmembers,
    getmodule,
    getmro,
    isbuiltin,
    isclass,
    isframe,
    ismodule,
    isroutine,
    stack,
)

from .decorators import unwrap

ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")


def _specified(obj):
    decorators, inner = unwrap(obj)
    for d in decorators:
        if isinstance(d.decorator_argspec, FullArgSpec):
            return d.decorator_argspec, inner
    return None, inner


def getfullargspec(obj):
    """The parameters of a function, within its decorators; of a partial those that are left."""
    said, inner = _specified(obj)
    if said is not None:
        return said
    if isinstance(inner, functools.partial):
        return _inspect.getfullargspec(inner)
    for candidate in (inner, getattr(inner, "__init__", None) if isclass(inner) else getattr(inner, "__call__", None)):
        try:
            return _inspect.getfullargspec(getattr(candidate, "__wrapped__", candidate))
        except TypeError:
            continue
    return _inspect.getfullargspec(inner)


def getargspec(obj):
    """The same in four fields. ValueError when there are keyword-only parameters."""
    full = getfullargspec(obj)
    if full.kwonlyargs:
        raise ValueError("Function has keyword-only parameters")
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def signature(obj, *, follow_wrapped=True):
    return _inspect.signature(unwrap(obj)[1] if follow_wrapped else obj, follow_wrapped=follow_wrapped)


def getcallargs(*func_and_positional, **named):
    """Names -> what a call gives them: what is named, whether there is such a parameter or not, then parameters by position and
    those with defaults. What *args takes is left out, and nothing is checked."""
    function, *positional = func_and_positional
    spec = getfullargspec(function)
    owner = getattr(function, "__self__", None)
    if owner is not None and spec.args and not isinstance(owner, types.ModuleType):
        positional = [owner, *positional]
    made = dict(named)
    made.update(zip([name for name in spec.args if name not in named], positional))
    for name, value in zip(spec.args[len(spec.args) - len(spec.defaults or ()) :], spec.defaults or ()):
        made.setdefault(name, value)
    for name, value in (spec.kwonlydefaults or {}).items():
        made.setdefault(name, value)
    return made


def _within(name):
    own = getattr(_inspect, name)

    @functools.wraps(own)
    def call(object):
        return own(unwrap(object)[1])

    return call


getdoc = _within("getdoc")
getfile = _within("getfile")
getsource = _within("getsource")
getsourcefile = _within("getsourcefile")
getsourcelines = _within("getsourcelines")
isfunction = _within("isfunction")
isgenerator = _within("isgenerator")
isgeneratorfunction = _within("isgeneratorfunction")
ismethod = _within("ismethod")


def isanytargetmethod(object):
    """Whether one of the functions within the decorators is a method."""
    decorators, inner = unwrap(object)
    return any(_inspect.ismethod(d.decorated_target) for d in decorators) or _inspect.ismethod(inner)
