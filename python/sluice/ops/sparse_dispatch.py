"""What public functions do with sparse tensors and other composite tensors that are not ragged."""

from __future__ import annotations

from ..core import composite_tensor, dtypes
from ..core.op_defs import op
from . import array_ops
from .sparse_tensor import SparseTensor, is_sparse

# Functions that are 0 at 0: applied to the values of their first argument.
_OF_VALUES = frozenset(
    "abs asin asinh atan atanh cast dtypes.cast erf math.abs math.asin math.asinh math.atan math.atanh math.bessel_i1e "
    "math.bessel_i0e math.erf math.negative math.sign math.sin math.sqrt math.square math.tan math.tanh negative nn.tanh sign "
    "sin sqrt square tan tanh to_bfloat16 to_complex128 to_complex64 to_double to_float to_int32 to_int64 nn.dropout".split()
)
# Functions that keep every tensor as it is.
_OF_ALL = frozenset("identity stop_gradient".split())


def _shape(sp, out_type=dtypes.int32, name=None):
    return array_ops.cast(sp.dense_shape, out_type or dtypes.int32)


def _size(sp, out_type=dtypes.int32, name=None):
    return array_ops.cast(op("Prod")(sp.dense_shape, [0]), out_type or dtypes.int32)


def _rank(sp, name=None):
    return op("Size")(sp.dense_shape)


def _divide(x, y, name=None):
    return x / y


def _zeros_like(sp, dtype=None, name=None, **others):
    return array_ops.zeros(sp.dense_shape, dtype or sp.dtype)


def _ones_like(sp, dtype=None, name=None, **others):
    return array_ops.ones(sp.dense_shape, dtype or sp.dtype)


def _renamed(function):
    """The parameters of compat.v1, where the name comes before the type."""

    def apply(input, name=None, out_type=dtypes.int32):
        return function(input, out_type)

    return apply


_FUNCTIONS = {
    "shape": _shape,
    "size": _size,
    "rank": _rank,
    "divide": _divide,
    "math.divide": _divide,
    "zeros_like": _zeros_like,
    "ones_like": _ones_like,
    "compat.v1.shape": _renamed(_shape),
    "compat.v1.size": _renamed(_size),
}


def target_for(api, leaves, args, kwargs):
    """A call of what the public function is for these arguments, or None."""
    names = api.api_names
    plain = {n.removeprefix("compat.v1.") for n in names}
    if plain & _OF_ALL and len(args) == 1 and isinstance(args[0], composite_tensor.CompositeTensor):
        return lambda: composite_tensor.map_tensors(api.api_function, args[0])
    if not any(map(is_sparse, leaves)):
        return None
    if plain & _OF_VALUES and args and isinstance(args[0], SparseTensor):
        return lambda: args[0].with_values(api.api_function(args[0].values, *args[1:], **kwargs))
    for name in (*names, *plain):
        if name in _FUNCTIONS:
            return lambda name=name: _FUNCTIONS[name](*args, **kwargs)
    return None
