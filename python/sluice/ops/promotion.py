"""Operators and public functions whose operands may be of several types, and weak: what experimental_enable_numpy_behavior
switches on with dtype_conversion_mode="all" and "safe".

Before that nothing of it is there. `enable` puts other functions in the place of the operators, and a target before each public
function that the tables name: dispatch.public asks for targets only where there are some.
"""

from __future__ import annotations

import importlib
import inspect

import numpy as np

from .. import namespaces
from ..core import dispatch, dtypes, function, nest, tensor, type_promotion, variables, weak_tensor
from ..core.type_promotion import as_type, python_kind, result_type, weakened
from ..core.weak_tensor import WeakTensor
from . import array_ops, numpy_types
from . import promotion_tables as tables

_plain_operators: dict = {}  # those that there were
_plain_assign = variables.ResourceVariable._assign_here
_added: list = []  # (targets of a public function, what is among them)


def enable(safe: bool, methods: dict) -> None:
    """From here on operands are promoted; safe: but not where bits may be lost. methods: what tensors have of numpy's arrays."""
    disable()
    type_promotion.mode, weak_tensor.is_in_force = "SAFE" if safe else "ALL", True
    _plain_operators.update(tensor.operators)
    for make, names in _OPERATORS.items():
        for name in names.split():
            tensor.operators[name] = make(_plain_operators[name])
    for make, names in _FUNCTIONS:
        for name in names.split():
            _add(name, make)
    for name, method in methods.items():
        setattr(WeakTensor, name, _method(name, method))
    numpy_types.use_promotion(_numpy_type)
    function.use_results(_weak_of_python)
    variables.ResourceVariable._assign_here = _assign


def disable() -> None:
    """Undoes it."""
    type_promotion.mode, weak_tensor.is_in_force = None, False
    tensor.operators.update(_plain_operators)
    _plain_operators.clear()
    while _added:
        targets, entry = _added.pop()
        targets.remove(entry)
    variables.ResourceVariable._assign_here = _plain_assign
    numpy_types.use_promotion(None)
    function.use_results(None)


# ---- operators


def _strong(x):
    return x.tensor if isinstance(x, WeakTensor) else x


def _promoting(plain):
    """An operator whose operands become one type; others are as they were, such as texts and what has operators of its own."""

    def apply(a, b):
        kind = result_type(a, b)
        if kind is None:
            return plain(_strong(a), _strong(b))
        dtype, is_weak = kind
        made = plain(as_type(a, dtype), as_type(b, dtype))
        return weakened(made) if is_weak else made

    return apply


def _keeping(plain):
    def apply(a):
        return weakened(plain(a.tensor)) if isinstance(a, WeakTensor) else plain(a)

    return apply


def _giving_strong(plain):
    def apply(*operands):
        return plain(*map(_strong, operands))

    return apply


_OPERATORS = {
    _promoting: "add sub mul truediv floordiv mod pow matmul eq",
    _keeping: "neg abs invert",
    _giving_strong: "and_ or_ xor_ lt le gt ge ne",
}


# ---- public functions: a target takes the arguments of a call, and gives what to call instead, or None


def _add(name, make):
    path, _, own = name.rpartition(".")
    api = getattr(importlib.import_module(namespaces.full_name(path)), own)
    entry = (None, make(api, list(inspect.signature(api).parameters)))
    api.api_targets.insert(0, entry)
    _added.append((api.api_targets, entry))


def _call(api, args, kwargs, is_weak):
    made = dispatch.untargeted(api, args, kwargs)
    return weakened(made) if is_weak else made


def _operands(names, at=0):
    """A function that takes the arguments of these names out of a call's, and one that puts others in their place. at: where the
    first is."""

    def take(args, kwargs):
        return [args[i] if i < len(args) else kwargs.get(n) for i, n in enumerate(names, at)]

    def put(args, kwargs, values):
        args, kwargs = list(args), dict(kwargs)
        for i, (n, v) in enumerate(zip(names, values), at):
            if i < len(args):
                args[i] = v
            elif n in kwargs:
                kwargs[n] = v
        return args, kwargs

    return take, put


def _of_two(gives_weak, takes_weak=True):
    """Functions whose first arguments become one type; takes_weak: weak tensors count as such, not as strong ones."""

    def make(api, parameters):
        take, put = _operands(parameters[:2])

        def target(args, kwargs):
            operands = take(args, kwargs)
            if not takes_weak:
                operands = [as_type(x, kind[0]) if (kind := python_kind(x)) else x for x in operands]
            kind = result_type(*operands)
            if kind is None:
                return None
            dtype, is_weak = kind
            args, kwargs = put(args, kwargs, [as_type(x, dtype) for x in operands])
            return lambda: _call(api, args, kwargs, is_weak and gives_weak)

        return target

    return make


def _of_one(place):
    """Functions that give something as weak as an argument, unless their `dtype` says a type."""

    def make(api, parameters):
        take, put = _operands(parameters[place : place + 1], place)
        typed = parameters.index("dtype") if "dtype" in parameters else len(parameters)

        def target(args, kwargs):
            (x,) = take(args, kwargs)
            kind = python_kind(x)
            if kind is None:
                return None
            is_weak = (args[typed] if typed < len(args) else kwargs.get("dtype")) is None
            if isinstance(x, WeakTensor):
                args, kwargs = put(args, kwargs, [x.tensor])
            elif is_weak and api.api_function is not array_ops.constant:
                args, kwargs = put(args, kwargs, [as_type(x, kind[0])])
            return lambda: _call(api, args, kwargs, is_weak)

        return target

    return make


_FUNCTIONS = (
    (_of_one(0), tables.OF_ONE),
    (_of_one(1), tables.OF_SECOND),
    (_of_two(True), tables.OF_TWO),
    (_of_two(False), tables.OF_TWO_STRONG),
    (_of_two(True, takes_weak=False), tables.OF_TWO_AS_STRONG),
)


# ---- numpy's


_GIVING_STRONG = ("astype", "clip")


def _method(name, method):
    """A method or property of tensors, for weak ones."""
    if isinstance(method, property):
        return property(lambda self: weakened(method.fget(self.tensor)), doc=method.__doc__)

    def call(self, *args, **kwargs):
        made = method(self.tensor, *args, **kwargs)
        return made if name in _GIVING_STRONG else weakened(made)

    return call


def _numpy_type(*operands):
    """What tf.experimental.numpy.result_type gives."""
    flat = [
        type_promotion.Strong(x) if isinstance(x, (dtypes.DType, type, np.dtype)) else x for x in nest.flatten(operands)
    ]
    kind = result_type(*flat) if flat else None
    return numpy_types.common_type(*operands) if kind is None else kind[0]


def _weak_of_python(value):
    """A number that a function gives, as a weak tensor; other values as they are."""
    kind = python_kind(value)
    return value if kind is None else weakened(as_type(value, kind[0]))


# ---- variables


def _assign(self, name, value, read_value, node_name):
    kind = result_type(self, value)
    if kind is None:
        return _plain_assign(self, name, _strong(value), read_value, node_name)
    if kind[0] != self.dtype.base_dtype:
        method = {"AssignVariableOp": "assign", "AssignAddVariableOp": "assign_add"}.get(name, "assign_sub")
        raise TypeError(
            f"Variable dtype is immutable. Calling {method} of Variable (with dtype {_angled(self.dtype)}) on {value} requires "
            f"converting {value} to {_angled(self.dtype)}. This is disabled in the current promotion semantics. Please convert "
            f"{value} manually before calling {method}."
        )
    return _plain_assign(self, name, as_type(value, kind[0]), read_value, node_name)


def _angled(dtype):
    return f"<dtype: {dtype.base_dtype.name!r}>"
