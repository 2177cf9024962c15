"""Calls of converted code: what is called is converted first, unless it is known to need nothing."""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import logging
import sys
import threading
import types

from ..core import graph, tensor
from ..core.op_defs import op
from . import expressions, loading
from .left_alone import MODULES, PACKAGE
from .source import NoSource

_warned: set = set()


def converted_call(f, args, kwargs=None):
    """f(*args, **kwargs), with f converted."""
    kwargs = kwargs or {}
    if f.__class__ is types.FunctionType:
        if loading.is_converted(f.__code__):
            return f(*args, **kwargs)
        return _of_function(f)(*args, **kwargs)
    try:
        special = _BUILTINS.get(f)
    except TypeError:
        special = None
    if special is not None:
        return special(*args, **kwargs)
    if isinstance(f, functools.partial):
        return converted_call(f.func, f.args + tuple(args), {**f.keywords, **kwargs})
    if isinstance(f, types.MethodType):
        inner = f.__func__
        if isinstance(inner, types.FunctionType) and not loading.is_converted(inner.__code__):
            return _of_function(inner)(f.__self__, *args, **kwargs)
        return f(*args, **kwargs)
    if isinstance(f, (type, types.BuiltinFunctionType)) or not callable(f):
        return f(*args, **kwargs)
    call = getattr(type(f), "__call__", None)
    if isinstance(call, types.FunctionType) and not loading.is_converted(call.__code__) and not _is_left_alone(type(f)):
        return _of_function(call)(f, *args, **kwargs)
    return f(*args, **kwargs)


def attribute(value, name):
    """value.name, where a property is converted."""
    cls = value.__class__
    found = getattr(cls, name, None)
    if found.__class__ is not property or not isinstance(found.fget, types.FunctionType) or _is_left_alone(found.fget):
        return getattr(value, name)
    try:
        return converted_call(found.fget, (value,))
    except AttributeError:
        if not hasattr(cls, "__getattr__"):
            raise
        return cls.__getattr__(value, name)


def _is_left_alone(f) -> bool:
    module = getattr(f, "__module__", None) or ""
    return module.partition(".")[0] in MODULES or getattr(f, "_autograph_left_alone", False)


def _of_function(f, asked=False):
    """The function, converted; itself where it is left alone or cannot be. asked: its module is no reason to leave it alone."""
    modules = {getattr(f, "__module__", None) or "", f.__globals__.get("__name__", "")}
    left_alone = {PACKAGE} if asked else MODULES
    if getattr(f, "_autograph_left_alone", False) or any(m.partition(".")[0] in left_alone for m in modules):
        return f
    if inspect.iscoroutinefunction(f) or inspect.isgeneratorfunction(f):
        return f
    try:
        return loading.convert(f)
    except NoSource as error:
        warn(f, error)
        return f


def convert_top(f, asked=False):
    """What is traced in place of f. asked: it is tf.function's own, and not just called where functions are converted."""
    if inspect.isgeneratorfunction(f):
        line = f.__code__.co_firstlineno
        raise NotImplementedError(
            f"generators are not supported by AutoGraph: {f.__name__}, line {line} of {f.__code__.co_filename}"
        )
    if inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f):
        line = f.__code__.co_firstlineno
        raise NotImplementedError(
            f"coroutines are not supported by AutoGraph: {f.__name__}, line {line} of {f.__code__.co_filename}"
        )
    if isinstance(f, types.MethodType):
        inner = _of_function(f.__func__, asked) if isinstance(f.__func__, types.FunctionType) else f.__func__
        return types.MethodType(inner, f.__self__)
    if isinstance(f, functools.partial):
        return functools.partial(convert_top(f.func, asked), *f.args, **f.keywords)
    if isinstance(f, types.FunctionType):
        return f if loading.is_converted(f.__code__) else _of_function(f, asked)
    call = getattr(type(f), "__call__", None)
    if isinstance(call, types.FunctionType) and not _is_left_alone(type(f)):
        return types.MethodType(_of_function(call), f)
    return f


def warn(f, error):
    """Says once that a function is called as it is."""
    key = getattr(f, "__code__", f)
    if key not in _warned:
        _warned.add(key)
        tensor.unconverted[key] = str(error)
        logging.getLogger("sluice").warning(
            "AutoGraph could not transform %r and will run it as-is: %s. Its conditions and loops on tensors are not converted; "
            "decorate it with @tf.autograph.experimental.do_not_convert to silence this.", f, error,
        )  # fmt: skip


# ---- functions of Python that take tensors


def _has_tensor(args) -> bool:
    return any(expressions.is_tensor(a) for a in args)


_traced = threading.local()  # prints_later: whether print of tensors becomes part of the graph


@contextlib.contextmanager
def features(names):
    """What this thread converts here has these features, by their names: print is Python's without BUILTIN_FUNCTIONS."""
    before = getattr(_traced, "prints_later", False)
    _traced.prints_later = not {"ALL", "BUILTIN_FUNCTIONS"}.isdisjoint(names)
    try:
        yield
    finally:
        _traced.prints_later = before


def _print(*args, **kwargs):
    """Python's print, which shows while tracing what a tensor is. With BUILTIN_FUNCTIONS, its values whenever the graph runs."""
    symbolic = any(isinstance(a, tensor.Tensor) and not isinstance(a, tensor.EagerTensor) for a in args)
    if not symbolic or not getattr(_traced, "prints_later", False):
        return print(*args, **kwargs)
    from ..core import callbacks

    places = [i for i, a in enumerate(args) if expressions.is_tensor(a)]
    others = [None if i in places else a for i, a in enumerate(args)]  # who keeps tensors keeps their graph

    def show(*values):
        given = list(others)
        for i, value in zip(places, values):
            given[i] = value
        print(*given, **kwargs)

    return callbacks.py_func(show, [expressions.dense(args[i]) for i in places], [])


def _len(value):
    if isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor):
        if value.shape.rank == 0:
            raise ValueError("len requires a non-scalar tensor, got one of shape []")
        known = value.shape[0] if value.shape.rank else None
        return known if known is not None else op("Shape")(value)[0]
    staged = getattr(type(value), "_autograph_len", None)
    return staged(value) if staged is not None and graph.current() is not None else len(value)


def _range(*args):
    """Python's range of tensors: empty where TensorFlow's refuses the limits."""
    if not _has_tensor(args):
        return range(*args)
    from ..ops import math_ops

    values = [expressions.dense(a) for a in args]
    start, limit, delta = [0, *values, 1] if len(values) == 1 else [*values, 1] if len(values) == 2 else values
    if isinstance(delta, tensor.Tensor):
        limit = op("SelectV2")(delta > 0, math_ops.maximum(start, limit), math_ops.minimum(start, limit))
    else:
        limit = math_ops.maximum(start, limit) if delta > 0 else math_ops.minimum(start, limit)
    return math_ops.range(start, limit, delta)


def _abs(value):
    return abs(expressions.dense(value))


def _int(value=0, base=None):
    value = expressions.dense(value)
    if isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor):
        if value.dtype.name == "string":
            return op("StringToNumber")(value, out_type=3)
        return op("Cast")(value, DstT=3)
    return int(value) if base is None else int(value, base)


def _float(value=0.0):
    value = expressions.dense(value)
    if isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor):
        if value.dtype.name == "string":
            return op("StringToNumber")(value, out_type=1)
        return op("Cast")(value, DstT=1)
    return float(value)


def _extreme(python, reduction, pairwise):
    def extreme(*args, **kwargs):
        if len(args) == 1 and isinstance(args[0], (list, tuple)) and args[0]:
            args = args[0]
        if (
            not _has_tensor(args)
            or kwargs
            or any(isinstance(a, tensor.EagerTensor) for a in args)
            and graph.current() is None
        ):
            return python(*args, **kwargs)
        values = [expressions.dense(a) for a in args]
        if len(values) == 1 and isinstance(values[0], tensor.Tensor):
            return op(reduction)(values[0], 0)
        made = values[0]
        for v in values[1:]:
            made = op(pairwise)(made, v)
        return made

    return extreme


def _quantifier(python, reduction, pairwise, decides):
    """all or any. `decides`: the value of an element that settles it."""

    def quantify(iterable):
        if isinstance(iterable, tensor.Tensor) and not isinstance(iterable, tensor.EagerTensor):
            return op(reduction)(iterable, 0)
        if graph.current() is None or expressions.is_tensor(iterable):
            return python(iterable)
        made = None
        for value in iterable:
            if expressions.is_tensor(value):
                value = expressions.truth(expressions.dense(value))
                made = value if made is None else op(pairwise)(made, value)
            elif bool(value) == decides:
                return decides
        return not decides if made is None else made

    return quantify


def _sum(iterable, start=0):
    if isinstance(iterable, tensor.Tensor) and not isinstance(iterable, tensor.EagerTensor):
        return op("Sum")(iterable, 0) + start
    return sum(iterable, start)


def _sorted(iterable, *, key=None, reverse=False):
    if isinstance(iterable, tensor.Tensor) and not isinstance(iterable, tensor.EagerTensor):
        import sluice

        if key is not None:
            iterable = sluice.gather(iterable, sluice.argsort(sluice.map_fn(key, iterable), stable=True))
            return sluice.reverse(iterable, [0]) if reverse else iterable
        return sluice.sort(iterable, direction="DESCENDING" if reverse else "ASCENDING")
    return sorted(iterable, key=_converted(key), reverse=reverse)


def _converted(f):
    return None if f is None else lambda *args, **kwargs: converted_call(f, args, kwargs)


def _map(f, *iterables):
    return map(_converted(f), *map(expressions.iterable, iterables))


def _filter(f, iterable):
    return filter(_converted(f) if f is not None else None, expressions.iterable(iterable))


def _zip(*iterables, strict=False):
    return zip(*map(expressions.iterable, iterables), strict=strict)


def _enumerate(iterable, start=0):
    staged = getattr(type(iterable), "_autograph_enumerate", None)
    return staged(iterable, start) if staged is not None else enumerate(expressions.iterable(iterable), start)


def _next(iterator, *default):
    staged = getattr(type(iterator), "_autograph_next", None)
    if staged is not None and graph.current() is not None:
        return staged(iterator, *default)
    return next(iterator, *default)


_BUILTINS = {
    builtins.abs: _abs,
    builtins.all: _quantifier(all, "All", "LogicalAnd", False),
    builtins.any: _quantifier(any, "Any", "LogicalOr", True),
    builtins.enumerate: _enumerate,
    builtins.filter: _filter,
    builtins.float: _float,
    builtins.int: _int,
    builtins.len: _len,
    builtins.map: _map,
    builtins.max: _extreme(max, "Max", "Maximum"),
    builtins.min: _extreme(min, "Min", "Minimum"),
    builtins.next: _next,
    builtins.print: _print,
    builtins.range: _range,
    builtins.sorted: _sorted,
    builtins.sum: _sum,
    builtins.zip: _zip,
}
