"""Which function takes the place of a public one for the arguments at hand: see core/dispatch.py.

Built in are ragged and sparse tensors (ragged_dispatch.py, sparse_dispatch.py); programs add their own classes by
tf.experimental.dispatch_for_api and its kin.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing

from ..core import composite_tensor, dispatch, nest, scopes, tensor, variables

_elementwise: list = []  # (handler, classes of the arguments): of one class unary, of two binary
_asserts: list = []
_registered: dict = {}  # handler -> apis whose targets have it


# ---- functions for types of arguments


def dispatch_for_api(api, *signatures):
    """A decorator: the function is called instead of the public function `api` when arguments have certain types.

    A signature maps names or places of parameters to types; without one the function's annotations say them. Types are
    classes, typing.Union, typing.List, typing.Optional of them. ValueError where the function's parameters are not the api's.
    """
    if not hasattr(api, "api_targets"):
        raise ValueError(f"{api} does not support dispatch.")
    parameters = inspect.signature(api).parameters
    checked = [_signature(api, parameters, s) for s in signatures]

    def decorate(target):
        if not callable(target):
            raise TypeError(f"Expected dispatch_target to be callable; got {target!r}")
        _check_parameters(api, target)
        found = checked or [_signature(api, parameters, _annotations(api, target))]
        if not found[0]:
            raise ValueError(
                "@dispatch_for_api must be called with at least one signature, or applied to a function that has "
                "type annotations"
            )
        api.api_targets.append((found, target))
        _registered.setdefault(target, []).append(api)
        return target

    return decorate


def _annotations(api, target) -> dict:
    try:
        hints = typing.get_type_hints(target)
    except (TypeError, NameError):
        hints = getattr(target, "__annotations__", {})
    return {k: v for k, v in hints.items() if k != "return" and k in inspect.signature(api).parameters}


def _signature(api, parameters, signature) -> dict:
    """{place: test of an argument} of a signature."""
    if not isinstance(signature, dict) or not all(isinstance(k, (str, int)) for k in signature):
        raise TypeError("signatures must be dictionaries mapping parameter names to type annotations.")
    names = list(parameters)
    made = {}
    for key, annotation in signature.items():
        if isinstance(key, int) and key >= len(names) or isinstance(key, str) and key not in names:
            raise ValueError(f"signature includes annotation for unknown parameter {key!r}.")
        name = names[key] if isinstance(key, int) else key
        if parameters[name].kind not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            raise ValueError(
                "Dispatch currently only supports type annotations for positional parameters; can't handle annotation for "
                f"{parameters[name].kind!r} parameter {name}."
            )
        made[name] = _test_of(annotation)
    return made


def _test_of(annotation):
    """(function that says whether a value is of the type, whether a value of it makes the dispatch happen)."""
    if annotation is type(None) or annotation is None:
        return lambda v: v is None
    origin = typing.get_origin(annotation)
    if origin is typing.Union or isinstance(annotation, types.UnionType):
        tests = [_test_of(a) for a in typing.get_args(annotation)]
        return lambda v: any(t(v) for t in tests)
    if origin in (list, collections.abc.Sequence) and len(typing.get_args(annotation)) == 1:
        inner = _test_of(typing.get_args(annotation)[0])
        return lambda v: isinstance(v, (list, tuple)) and bool(v) and all(inner(x) for x in v)
    if isinstance(annotation, type):
        if annotation is tensor.Tensor:
            return lambda v: isinstance(v, (tensor.Tensor, variables.Variable))
        return lambda v: isinstance(v, annotation)
    raise ValueError(f"Type annotation {annotation} is not currently supported by dispatch.")


def _check_parameters(api, target) -> None:
    own, wanted = inspect.signature(target), inspect.signature(api)
    kinds = {p.kind for p in own.parameters.values()}
    if inspect.Parameter.VAR_POSITIONAL in kinds or inspect.Parameter.VAR_KEYWORD in kinds:
        return
    have, names = list(own.parameters), list(wanted.parameters)
    if have == names or [*have, "name"] == names:
        return
    shown = [
        s.replace(parameters=[p.replace(annotation=p.empty) for p in s.parameters.values()], return_annotation=s.empty)
        for s in (own, wanted)
    ]
    raise ValueError(f"Dispatch function's signature {shown[0]} does not match API's signature {shown[1]}.")


def target_for(api, args, kwargs):
    """A call of what is registered for the types of these arguments, or None."""
    args, kwargs = _with_lists(args), {k: _listed(v) for k, v in kwargs.items()}
    parameters = list(inspect.signature(api).parameters)
    given = {**dict(zip(parameters, args)), **kwargs}
    for signatures, target in api.api_targets:
        if signatures is None:  # it says itself what it takes (promotion.py)
            found = target(args, kwargs)
            if found is not None:
                return found
            continue
        for signature in signatures:
            if all(test(given.get(name)) for name, test in signature.items()) and _has_composite(
                given[name] for name in signature if name in given
            ):
                return lambda: _call(target, parameters, args, kwargs)
    return None


def _listed(value):
    return list(value) if isinstance(value, collections.abc.Iterator) else value


def _with_lists(args):
    return [_listed(a) for a in args]


def _has_composite(values) -> bool:
    return any(
        not isinstance(leaf, (tensor.Tensor, variables.Variable, int, float, str, bytes, type(None)))
        for value in values
        for leaf in nest.flatten(value)
    )


def _call(target, parameters, args, kwargs):
    own = inspect.signature(target).parameters
    takes_any = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own.values())
    if "name" in own or takes_any or "name" not in parameters:
        return target(*args, **kwargs)
    at = parameters.index("name")
    kwargs = dict(kwargs)
    name = kwargs.pop("name", None)
    if len(args) > at:
        name = args[at]
        args = [*args[:at], *args[at + 1 :]]
    if name is None:
        return target(*args, **kwargs)
    with scopes.name_scope(name):
        return target(*args, **kwargs)


def unregister_dispatch_for(dispatch_target):
    """Undoes the registration of a function; ValueError when there was none."""
    found = False
    for api in _registered.pop(dispatch_target, []):
        api.api_targets[:] = [t for t in api.api_targets if t[1] is not dispatch_target]
        found = True
    for table in (_elementwise, _asserts):
        found = found or any(h is dispatch_target for h, _ in table)
        table[:] = [t for t in table if t[0] is not dispatch_target]
    if not found:
        raise ValueError(f"Function {dispatch_target} was not registered.")


# ---- functions of elements


def _register(table, classes, what):
    tests = [_test_of(c) for c in classes]

    def decorate(handler):
        same = next((h for h, t in table if t[0] == classes), None)
        if same is not None:
            raise ValueError(f"A {what} ({same}) has already been registered for {_names(classes)}.")
        table.append((handler, (classes, tests)))
        return handler

    return decorate


def _names(classes):
    return classes[0] if len(classes) == 1 else classes


def dispatch_for_unary_elementwise_apis(x_type):
    """A decorator: handler(function, x) is called for all functions of one tensor's elements when x is of the type."""
    return _register(_elementwise, (x_type,), "unary elementwise dispatch handler")


def dispatch_for_binary_elementwise_apis(x_type, y_type):
    """The same of functions of two tensors' elements: handler(function, x, y)."""
    return _register(_elementwise, (x_type, y_type), "binary elementwise dispatch handler")


def dispatch_for_binary_elementwise_assert_apis(x_type, y_type):
    """The same of the checks of two tensors' elements (tf.debugging.assert_equal ...): handler(function, x, y)."""
    return _register(_asserts, (x_type, y_type), "binary elementwise assert dispatch handler")


def _elementwise_target(table, count, function, args, kwargs):
    names = list(inspect.signature(function).parameters)
    given = {**dict(zip(names, args)), **kwargs}
    values = [given.get(n) for n in names[:count]]
    for handler, (classes, tests) in table:
        if len(classes) == count and all(t(v) for t, v in zip(tests, values)):
            rest = {k: v for k, v in given.items() if k not in names[:count]}
            return lambda: _call_elementwise(handler, function, names[:count], values, rest)
    return None


def _call_elementwise(handler, function, names, values, rest):
    name = rest.pop("name", None)

    def bound(*operands):
        return function(**dict(zip(names, operands)), **rest)

    if name is None:
        return handler(bound, *values)
    with scopes.name_scope(name):
        return handler(bound, *values)


# ---- composite tensors


def composite_target_for(api, args, kwargs):
    """A call of what takes the place of a public function that met a composite tensor, or None."""
    from . import ragged_dispatch

    kind = ragged_dispatch.elementwise_kind(api.api_names)
    if kind is not None:
        table, count = (_asserts, 2) if kind == "assert" else (_elementwise, 1 if kind == "unary" else 2)
        found = _elementwise_target(table, count, dispatched(api), args, kwargs)
        if found is not None:
            return found
    leaves = nest.flatten([list(args), list(kwargs.values())])
    if ragged_dispatch.takes(leaves):
        return ragged_dispatch.target_for(api, kind, args, kwargs)
    if any(isinstance(leaf, composite_tensor.CompositeTensor) for leaf in leaves):
        from ..linear_operators import operator_dispatch
        from . import sparse_dispatch

        found = operator_dispatch.target_for(api, leaves, args, kwargs)
        return sparse_dispatch.target_for(api, leaves, args, kwargs) if found is None else found
    return None


def dispatched(api):
    """The public function, as what handlers call for parts, which may be composite tensors again."""
    return dispatch.public(api.api_function, api.api_names[0])
