"""Values and norms kept within limits."""

from __future__ import annotations

import collections.abc

from ..core import scopes, tensor
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


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """Elements below clip_value_min become that, elements above clip_value_max that. Both broadcast to t's shape."""

    def clip(values, name):
        low = op("Minimum")(values, clip_value_max)
        values.shape.assert_is_compatible_with(low.shape)
        made = op("Maximum")(low, clip_value_min, name=name)
        values.shape.assert_is_compatible_with(made.shape)
        return made

    with scopes.scope_in_graphs(name, "clip_by_value") as scope:
        return _over_values(lambda values: clip(values, scope), t)


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """t scaled so that its L2 norm over the axes (all, unless named) is at most clip_norm."""

    def clip(values, name):
        limit = clip_norm
        if not isinstance(limit, (int, float)):
            limit = op("Maximum")(convert_to_tensor(limit, values.dtype), 0)
        squares = math_ops.reduce_sum(values * values, axes, keepdims=True)
        some = squares > 0
        safe = op("Select")(some, squares, array_ops.ones_like(squares))
        norm = op("Select")(some, op("Sqrt")(safe), squares)
        scaled = values * limit
        values.shape.assert_is_compatible_with(scaled.shape)
        made = scaled / op("Maximum")(norm, limit)
        return made if name is None else array_ops.identity(made, name)

    with scopes.scope_in_graphs(name, "clip_by_norm") as scope:
        return _over_values(lambda values: clip(values, scope), t)


@in_scope("clip_by_average_norm")
def clip_by_average_norm(t, clip_norm, name=None):
    """t scaled so that its L2 norm over the number of its elements is at most clip_norm."""
    t = convert_to_tensor(t, name="t")
    count = array_ops.cast(array_ops.size(t), t.dtype)
    squares, axes = t * t, op("Range")(0, array_ops.rank(t), 1, name="range")
    inverse = op("Rsqrt")(op("Sum")(squares, axes))
    limit = clip_norm if isinstance(clip_norm, float) else convert_to_tensor(clip_norm, t.dtype)
    scaled, inverse = t * limit, inverse * count
    made = scaled * op("Minimum")(inverse, convert_to_tensor(1, t.dtype) / limit)
    return made if name is None else array_ops.identity(made, name)


def _given(t_list):
    if not isinstance(t_list, collections.abc.Sequence) or isinstance(t_list, str):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return list(t_list)


@in_scope("global_norm", names_last=False)
def global_norm(t_list, name=None):
    """The L2 norm of all elements of the tensors of a list together; None stands for no tensor."""
    values = [
        convert_to_tensor(t.values if _is_slices(t) else t, name=f"t_{i}")
        for i, t in enumerate(_given(t_list))
        if t is not None
    ]
    halves = array_ops.stack([op("L2Loss")(v) for v in values])
    return op("Sqrt")(math_ops.reduce_sum(halves) * convert_to_tensor(2, halves.dtype), name="global_norm")


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """(the tensors scaled so that their global norm is at most clip_norm, what it was). When the norm is not finite, all NaN."""
    t_list = _given(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    return _clipped(t_list, clip_norm, norm, name), norm


@in_scope("clip_by_global_norm")
def _clipped(t_list, clip_norm, norm, name):
    norm = convert_to_tensor(norm)
    limit = clip_norm if isinstance(clip_norm, float) else convert_to_tensor(clip_norm, norm.dtype)
    inverse = 1.0 / norm
    scale = limit * op("Minimum")(inverse, convert_to_tensor(1, norm.dtype) / limit)
    scale = scale + (norm - norm)  # NaN when the norm is infinite

    def scaled(values):
        made = values * array_ops.cast(scale, values.dtype)
        return made if name is None else array_ops.identity(made, f"{name}_{i}")

    made = []
    for i, t in enumerate(t_list):
        made.append(None if t is None else _over_values(scaled, t))
    return made
