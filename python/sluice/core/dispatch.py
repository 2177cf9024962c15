"""Public functions for composite tensors.

A public function of ops/ is called through `public(function, name)`. It costs nothing but the call as long as the arguments
are tensors. Where conversion meets a composite tensor (tensor.NotATensor), the function that is registered for the
composite's class under the public name is called instead. Functions that programs register for argument types
(tf.experimental.dispatch_for_api) come before the function itself.
"""

from __future__ import annotations

import functools
import types

from .tensor import NotATensor

_dispatchers: list = []  # those of all functions, and the class of the others, once there is one


def public(function, name: str):
    """What programs call for a function that has this public name (without compat.v1 where both are the same function)."""
    if not isinstance(function, types.FunctionType):
        return function
    api = function.__dict__.get("_sluice_api")  # kept there, so that both end together
    if api is None or api.api_function is not function:  # functools.wraps has copied it
        api = function._sluice_api = _make(function)
    if name not in api.api_names:
        api.api_names.append(name)
    return api


def _make(function):
    targets: list = []  # functions that programs registered for types of arguments: (matches, target)
    api = _with_parameters(function, targets) or _with_any(function, targets)
    api.api_names = []
    api.api_targets = targets
    api.api_dispatchers = []
    api.api_function = function
    return api


def _with_any(function, targets):
    """What programs call, whatever the function's parameters are."""

    @functools.wraps(function)
    def api(*args, **kwargs):
        if targets:
            found = _target(api, args, kwargs)
            if found is not None:
                return found()
        try:
            return function(*args, **kwargs)
        except NotATensor as error:
            met = error
        except (TypeError, ValueError) as error:
            if not _dispatchers:
                raise
            met = error
        return _otherwise(api, args, kwargs, met)

    return api


# The same for functions of some parameters, without tuples and dictionaries of arguments, which cost more than many an op. One
# for each number of parameters; what programs call has the names of its function's.
_BODY = """
def made(function, targets, given):
    def api({names}):
        if targets:
            found = given(({names},), None)
            if found is not None:
                return found()
        try:
            return function({names})
        except NotATensor as _met:
            _error = _met
        except (TypeError, ValueError) as _met:
            if not dispatchers:
                raise
            _error = _met
        return given(({names},), _error)
    return api
"""
_MOST_PARAMETERS = 16
_TEMPLATE_FILE = __file__.removesuffix(".py") + ".template"  # there is none: tracebacks show no other line of this one
_templates: dict[int, object] = {}


def _template(n: int):
    if n not in _templates:
        space = {"NotATensor": NotATensor, "dispatchers": _dispatchers, "__name__": __name__}
        body = _BODY.format(names=", ".join(f"_{i}" for i in range(n)))
        exec(compile(body, _TEMPLATE_FILE, "exec"), space)
        _templates[n] = space["made"]
    return _templates[n]


def _with_parameters(function, targets):
    """What programs call for a function of plain parameters; None for one of others."""
    code = function.__code__
    n = code.co_argcount
    plain = not code.co_kwonlyargcount and not code.co_posonlyargcount and not code.co_flags & 0x0C
    if not plain or not 0 < n <= _MOST_PARAMETERS or hasattr(function, "__wrapped__") or function.__kwdefaults__:
        return None
    names, defaults = code.co_varnames[:n], function.__defaults__ or ()
    first_default = n - len(defaults)

    def given(values, error):
        """The arguments as they may have been given: those that are their parameters' defaults count as left out."""
        args, kwargs = values[:first_default], {}
        for name, value, default in zip(names[first_default:], values[first_default:], defaults):
            if value is not default:
                kwargs[name] = value
        return _target(api, args, kwargs) if error is None else _otherwise(api, args, kwargs, error)

    made = _template(n)(function, targets, given)
    inner = made.__code__
    named = inner.replace(
        co_varnames=names + inner.co_varnames[n:], co_name=code.co_name, co_qualname=function.__qualname__
    )
    api = types.FunctionType(named, made.__globals__, function.__name__, defaults, made.__closure__)
    return functools.update_wrapper(api, function)


def _target(api, args, kwargs):
    from ..ops import api_dispatch

    return api_dispatch.target_for(api, args, kwargs)


def _otherwise(api, args, kwargs, error):
    from ..ops import api_dispatch

    found = api_dispatch.composite_target_for(api, args, kwargs) if isinstance(error, NotATensor) else None
    return _dispatched(api, args, kwargs, error) if found is None else found()


def untargeted(api, args, kwargs):
    """What the public function gives without regard to its targets."""
    try:
        return api.api_function(*args, **kwargs)
    except NotATensor as error:
        met = error
    except (TypeError, ValueError) as error:
        if not _dispatchers:
            raise
        met = error
    return _otherwise(api, args, kwargs, met)


# ---- dispatchers: objects that handle calls whose arguments a public function refuses


def _dispatched(api, args, kwargs, error):
    for dispatcher in api.api_dispatchers:
        result = dispatcher.handle(args, kwargs)
        if result is not dispatcher.NOT_SUPPORTED:
            return result
    for dispatcher in _dispatchers:
        if isinstance(dispatcher, GlobalOpDispatcher):
            result = dispatcher.handle(api, args, kwargs)
            if result is not dispatcher.NOT_SUPPORTED:
                return result
    raise error


class OpDispatcher:
    """Handles calls of one public function: `handle(args, kwargs)` gives a result, or NOT_SUPPORTED."""

    NOT_SUPPORTED = object()

    def handle(self, args, kwargs):
        return self.NOT_SUPPORTED

    def register(self, op):
        """From here on it is asked when the function raises TypeError or ValueError. AssertionError for other functions."""
        if not hasattr(op, "api_dispatchers"):
            raise AssertionError(f"Dispatching not enabled for {op}")
        op.api_dispatchers.append(self)
        if OpDispatcher not in _dispatchers:
            _dispatchers.append(OpDispatcher)  # not the dispatcher, which ends with its function


class GlobalOpDispatcher:
    """Handles calls of all public functions: `handle(op, args, kwargs)`."""

    NOT_SUPPORTED = OpDispatcher.NOT_SUPPORTED

    def handle(self, op, args, kwargs):
        return self.NOT_SUPPORTED

    def register(self):
        """From here on it is asked when a public function raises TypeError or ValueError."""
        _dispatchers.append(self)
