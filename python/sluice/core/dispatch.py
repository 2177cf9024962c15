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

_apis: dict[object, object] = {}  # function -> what programs call


def public(function, name: str):
    """What programs call for a function that has this public name (without compat.v1 where both are the same function)."""
    if not isinstance(function, types.FunctionType):
        return function
    api = _apis.get(function)
    if api is None:
        api = _apis[function] = _make(function)
    if name not in api.api_names:
        api.api_names.append(name)
    return api


def _make(function):
    targets: list = []  # functions that programs registered for types of arguments: (matches, target)

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
        return _otherwise(api, args, kwargs, met)

    api.api_names = []
    api.api_targets = targets
    api.api_function = function
    return api


def _target(api, args, kwargs):
    from ..ops import api_dispatch

    return api_dispatch.target_for(api, args, kwargs)


def _otherwise(api, args, kwargs, error):
    from ..ops import api_dispatch

    found = api_dispatch.composite_target_for(api, args, kwargs)
    if found is None:
        raise error
    return found()
