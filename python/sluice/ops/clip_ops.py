"""Values and norms kept within limits."""

from __future__ import annotations

import collections.abc

from ..core import tensor
from ..core.op_defs import op
from ..core.scopes import in_scope
from . import array_ops, math_ops
from .array_ops import convert_to_tensor

Tensor = tensor.Tensor


def _is_slices(t):
    return hasattr(t, "values") and hasattr(t, "indices") and not isinstance(t, Tensor)


def _over_values(function, t):
    """Applies a function to a tensor, or to the values of IndexedSlices."""
    if _is_slices(t):
        return type(t)(function(convert_to_tensor(t.values)), t.indices, t.dense_shape)
    return function(convert_to_tensor(t))


@in_scope("clip_by_value")
def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """Elements below clip_value_min become that, elements above clip_value_max that. Both broadcast to t's shape."""

    def clip(values):
        low = op("Minimum")(values, convert_to_tensor(clip_value_max, values.dtype))
        values.shape.assert_is_compatible_with(low.shape)
        made = op("Maximum")(low, convert_to_tensor(clip_value_min, values.dtype), name=name)
        values.shape.assert_is_compatible_with(made.shape)
        return made

    return _over_values(clip, t)


@in_scope("clip_by_norm")
def clip_by_norm(t, clip_norm, axes=None, name=None):
    """t scaled so that its L2 norm over the axes (all, unless named) is at most clip_norm."""

    def clip(values):
        limit = convert_to_tensor(clip_norm, values.dtype)
        squares = math_ops.reduce_sum(op("Mul")(values, values), axes, keepdims=True)
        some = op("Greater")(squares, convert_to_tensor(0, values.dtype))
        safe = op("SelectV2")(some, squares, array_ops.ones_like(squares))
        norm = op("SelectV2")(some, op("Sqrt")(safe), squares)
        scaled = op("Mul")(values, limit)
        values.shape.assert_is_compatible_with(scaled.shape)
        return op("RealDiv")(scaled, op("Maximum")(norm, limit), name=name)

    return _over_values(clip, t)


def clip_by_average_norm(t, clip_norm, name=None):
    """t scaled so that its L2 norm over the number of its elements is at most clip_norm."""
    t = convert_to_tensor(t)
    limit = convert_to_tensor(clip_norm, t.dtype)
    inverse = op("Mul")(op("Rsqrt")(math_ops.reduce_sum(op("Mul")(t, t))), array_ops.cast(array_ops.size(t), t.dtype))
    one = convert_to_tensor(1, t.dtype)
    return op("Mul")(op("Mul")(t, limit), op("Minimum")(inverse, op("RealDiv")(one, limit)), name=name)


def _given(t_list):
    if not isinstance(t_list, collections.abc.Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


def global_norm(t_list, name=None):
    """The L2 norm of all elements of the tensors of a list together; None stands for no tensor."""
    values = [convert_to_tensor(t.values if _is_slices(t) else t) for t in _given(t_list) if t is not None]
    halves = array_ops.stack([op("L2Loss")(v) for v in values])
    return op("Sqrt")(op("Mul")(math_ops.reduce_sum(halves), convert_to_tensor(2, halves.dtype)), name=name)


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """(the tensors scaled so that their global norm is at most clip_norm, what it was). When the norm is not finite, all NaN."""
    t_list = _given(t_list)
    norm = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    limit = convert_to_tensor(clip_norm, norm.dtype)
    one = convert_to_tensor(1, norm.dtype)
    scale = op("Mul")(limit, op("Minimum")(op("RealDiv")(one, norm), op("RealDiv")(one, limit)))
    scale = op("AddV2")(scale, op("Sub")(norm, norm))  # NaN when the norm is infinite

    def scaled(values):
        return op("Mul")(values, array_ops.cast(scale, values.dtype))

    return [None if t is None else _over_values(scaled, t) for t in t_list], norm
