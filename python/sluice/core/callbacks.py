"""Python functions as nodes of graphs: tf.py_function, tf.numpy_function. A node has a token, by which its kernel finds the
function in this process."""

from __future__ import annotations

import functools
import itertools
import weakref

from .. import _native
from . import dtypes, errors, fork_locks, gradient_tape, graph, graph_gradients, tensor
from .op_defs import op

_tokens = itertools.count()
# token -> _Callback: graphs keep them, as functions may hold the graph that calls them.
_callbacks = weakref.WeakValueDictionary()
_failed: dict[str, BaseException] = {}  # the text of an error -> what the function had raised
_lock = fork_locks.rlock()
_MOST_FAILED = 16

# What an exception of a function is to those who run the graph.
_CODES = (
    (StopIteration, errors.OutOfRangeError),
    ((TypeError, ValueError), errors.InvalidArgumentError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
)


def _call(token, inputs, as_numpy):
    """What the kernel calls: eager tensors in and out."""
    try:
        callback = _callbacks.get(token)
        if callback is None:
            raise ValueError(f"callback {token} is not found")
        with graph.outside():
            values = [tensor.to_numpy(t) for t in inputs] if as_numpy else inputs
            given = callback.function(*values)
            return _results(given, callback.types, as_numpy)
    except Exception as error:
        raise _as_error(error) from error


def _results(given, types, as_numpy):
    if given is None:
        given = []
    if not isinstance(given, (list, tuple)):
        given = [given]
    if len(types) == 1 and len(given) != 1:
        given = [given]
    if len(given) != len(types):
        if not types:
            return []
        raise ValueError(f"the function gave {len(given)} values, and {len(types)} are expected")
    return [_result(v, d, as_numpy) for v, d in zip(given, types)]


def _result(value, dtype, as_numpy):
    import numpy

    if value is None and not as_numpy:
        return tensor.convert_here(numpy.zeros((), dtype.as_numpy_dtype))
    if not as_numpy:
        made = value._dense() if hasattr(value, "_dense") else value
        made = tensor.convert_here(made, 0 if isinstance(made, tensor.Tensor) else dtype.as_datatype_enum)
        if made.dtype != dtype:
            raise TypeError(f"Value returned by the function is of type {made.dtype.name}, expected {dtype.name}")
        return made
    array = numpy.asarray(value)
    if array.dtype.kind == "O" and dtype.name != "string":
        raise errors.UnimplementedError(None, None, "Unsupported object type " + type(value).__name__)
    if array.dtype.kind not in "SUO" and array.dtype != dtype.as_numpy_dtype:
        raise errors.InvalidArgumentError(None, None, f"the function gave {array.dtype.name} in place of {dtype.name}")
    return tensor.convert_here(array, dtype.as_datatype_enum)


def _as_error(error):
    if isinstance(error, errors.OpError):
        return error
    kind = next((k for classes, k in _CODES if isinstance(error, classes)), errors.UnknownError)
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, StopIteration):  # the end of a generator, which the frames of the exception would keep
        return kind(None, None, text)
    with _lock:
        while len(_failed) >= _MOST_FAILED:
            _failed.pop(next(iter(_failed)))
        _failed[text] = error
    return kind(None, None, text)


def exception_of(message: str):
    """What a function had raised, of which an error of the library says so; None when none did."""
    with _lock:
        found = next((t for t in _failed if t in message), None)
        return _failed.pop(found, None) if found else None


class _Callback:
    """What a token names: a function, the types of its results, and the callbacks of its gradients by their tokens."""

    def __init__(self, token, function, types):
        self.function, self.types, self.gradients = function, types, {}
        _callbacks[token] = self


def _register(function, types, g) -> str:
    """A token, which lives as long as the graph whose node names it. A function's nodes may be copied into those around it, and tapes
    and graphs that call it keep it."""
    token = f"pyfunc_{next(_tokens)}"
    callback = _Callback(token, function, types)
    while g.building_function and g.outer is not None:
        g.callbacks.append(callback)
        g = g.outer
    g.callbacks.append(callback)
    return token


def _types(Tout):
    if isinstance(Tout, (list, tuple)):
        return [dtypes.as_dtype(d) for d in Tout], True
    return ([dtypes.as_dtype(Tout)] if Tout is not None else []), False


def _node(name, function, inp, Tout, node_name):
    types, many = _types(Tout)
    g = graph.current()
    inputs = [graph.into(g, x) for x in (inp if isinstance(inp, (list, tuple)) else [inp])]
    attrs = {} if name != "EagerPyFunc" else {"is_async": False}
    made = op(name)(inputs, token=_register(function, types, g), Tout=types, name=node_name, **attrs)
    if not types:
        return made if isinstance(made, graph.Operation) else []
    return list(made) if many else made[0]


@graph_gradients.RegisterGradient("EagerPyFunc")
def _gradient(asked, *dys):
    """A node that calls the function once more, under a tape."""
    token = asked.get_attr("token").decode()
    callback = _callbacks[token]
    function, gradients = callback.function, callback.gradients
    wanted = [i for i, x in enumerate(asked.inputs) if x.dtype.is_floating or x.dtype.is_complex]
    given = [i for i, d in enumerate(dys) if d is not None]
    if not wanted or not given:
        return [None] * len(asked.inputs)
    n, types = len(asked.inputs), [asked.inputs[i].dtype for i in wanted]

    def back(*values):
        xs = [values[i] for i in wanted]
        with gradient_tape.GradientTape() as tape:
            tape.watch(xs)
            ys = function(*values[:n])
        ys = [ys] if not isinstance(ys, (list, tuple)) else ys
        return tape.gradient(
            [ys[i] for i in given],
            xs,
            list(values[n:]),
            unconnected_gradients=graph_gradients.UnconnectedGradients.ZERO,
        )

    name = f"{token}:gradient of {','.join(map(str, given))}"
    if name not in gradients:
        gradients[name] = _Callback(name, back, types)
    made = op("EagerPyFunc")([*asked.inputs, *(dys[i] for i in given)], token=name, Tout=types, is_async=False)
    for d, i in zip(made, wanted, strict=True):
        d.set_shape(asked.inputs[i].shape)
    found = dict(zip(wanted, made, strict=True))
    return [found.get(i) for i in range(n)]


def py_func(func, inp, Tout, stateful=True, name=None):
    """A node that calls func with numpy arrays; its results have the types Tout. In eager code func is called at once."""
    if graph.current() is None:
        return _eagerly(func, inp, Tout, True)
    return _node("PyFunc" if stateful else "PyFuncStateless", func, inp, Tout, name)


def _call_or_decorator(make, func, inp, Tout):
    """A call, or, where only Tout is given, a decorator that makes a function a node wherever it is called."""
    if Tout is None and not (callable(func) and inp is not None):
        raise TypeError("Missing required argument: 'Tout'. To give nothing, say Tout=[]")
    if func is None:
        if inp is not None:
            raise TypeError(
                "Don't give 'inp' when it is used as a decorator: what the function is called with is passed on"
            )

        def decorate(function):
            @functools.wraps(function)
            def call(*args):
                return make(function, list(args))

            return call

        return decorate
    if inp is None:
        raise TypeError("Missing required argument: 'inp'")
    return make(func, inp)


def numpy_function(func=None, inp=None, Tout=None, stateful=True, name=None):
    """A node that calls func with numpy arrays; its results, arrays, have the types Tout. Without func a decorator."""
    return _call_or_decorator(lambda f, given: py_func(f, given, Tout, stateful, name), func, inp, Tout)


def py_function(func=None, inp=None, Tout=None, name=None):
    """A node that calls func with eager tensors; its results have the types Tout. Gradients go through it: in functions and graphs
    they call func once more. Without func a decorator."""

    def make(function, given):
        if graph.current() is None:
            return _eagerly(function, given, Tout, False)
        return _node("EagerPyFunc", function, given, Tout, name)

    return _call_or_decorator(make, func, inp, Tout)


def _eagerly(func, inp, Tout, as_numpy):
    types, many = _types(Tout)
    inputs = [tensor.convert(x) for x in (inp if isinstance(inp, (list, tuple)) else [inp])]
    given = func(*([tensor.to_numpy(t) for t in inputs] if as_numpy else inputs))
    made = _results(given, types, as_numpy)
    if not types:
        return []
    return made if many else made[0]


_native.setup(callback=_call)
