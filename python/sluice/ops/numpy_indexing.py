"""tf.experimental.numpy: elements by index, as numpy picks them, and what gives indices."""

from __future__ import annotations

import numpy as np

from ..core import tensor
from ..core.op_defs import op
from . import array_ops, numpy_arrays, numpy_math
from .array_ops import cast
from .numpy_arrays import asarray, joined, ravel

Tensor = tensor.Tensor


def where(condition, x=None, y=None):
    """x where the condition is true, y elsewhere; without them the indices of what is true, by axis."""
    condition = numpy_math._truth(condition)
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return op("SelectV2")(condition, *joined(x, y))


def nonzero(a):
    """The indices of what is not zero, a vector for each axis."""
    a = numpy_arrays.atleast_1d(a)
    if a.shape.rank is None:
        raise ValueError("The rank of `a` is unknown, so we can't decide how many arrays to return.")
    return array_ops.unstack(op("Where")(numpy_math._truth(a)), a.shape.rank, axis=1)


def ix_(*args):
    """Vectors as arrays that broadcast to the grid of all; of truth values the indices of the true ones."""
    made = []
    for i, a in enumerate(args):
        a = asarray(a)
        if a.shape.rank not in (None, 1):
            raise ValueError(f"Arguments must be 1-d, got arg {i} of rank {a.shape.rank}")
        if a.dtype.is_bool:
            a = nonzero(a)[0]
        elif a.shape[0] == 0 and not a.dtype.is_integer:
            a = cast(a, "int64")
        made.append(array_ops.reshape(a, [1] * i + [-1] + [1] * (len(args) - i - 1)))
    return made


def compress(condition, a, axis=None):
    """The slices along an axis for which the condition, a vector, is true; without one, of the flat array."""
    condition, a = numpy_math._truth(condition), asarray(a)
    if condition.shape.rank != 1:
        raise ValueError("condition must be a 1-d array.")
    a, axis = (ravel(a), 0) if axis is None else (a, axis % a.shape.rank)
    rows = array_ops.squeeze(op("Where")(condition), [1])
    return op("GatherV2")(a, rows, axis)


def take(a, indices, axis=None, out=None, mode="clip"):
    """Slices along an axis by index; without one, of the flat array. Indices beyond: "clip" to the ends, "wrap" around."""
    if out is not None:
        raise ValueError("out argument is not supported in take.")
    if mode not in ("clip", "wrap"):
        raise ValueError(f"The '{mode}' mode to take is not supported.")
    a, indices = asarray(a), asarray(indices)
    a, axis = (ravel(a), 0) if axis is None else (a, axis)
    n = array_ops.shape(a, indices.dtype)[axis]
    if mode == "wrap":
        indices = op("FloorMod")(indices, n)
    else:
        indices = op("Maximum")(op("Minimum")(indices, n - 1), array_ops.zeros([], indices.dtype))
    return op("GatherV2")(a, indices, axis)


def take_along_axis(arr, indices, axis):
    """Elements along an axis, at the indices that an array beside it has; the other axes broadcast."""
    arr, indices = asarray(arr), asarray(indices)
    if axis is None:
        return take_along_axis(ravel(arr), indices, 0)
    n = arr.shape.rank
    if n != indices.shape.rank:
        raise ValueError("indices and arr must have the same number of dimensions")
    axis %= n
    ours, theirs = array_ops.shape(arr, indices.dtype), array_ops.shape(indices, indices.dtype)
    others = [op("Maximum")(ours[i], theirs[i]) for i in range(n)]
    others[axis] = ours[axis]
    arr = array_ops.broadcast_to(arr, array_ops.stack(others))
    others[axis] = theirs[axis]
    whole = array_ops.stack(others)
    indices = _wrapped(array_ops.broadcast_to(indices, whole), arr, axis)
    grid = [_along(others[i], i, n) for i in range(n)]
    grid[axis] = indices
    places = array_ops.stack([array_ops.broadcast_to(g, whole) for g in grid], -1)
    return op("GatherNd")(arr, places)


def _along(size, i, n):
    """0, 1 ... in axis i of n."""
    row = op("Range")(cast(0, size.dtype), size, cast(1, size.dtype))
    return array_ops.reshape(row, [1] * i + [-1] + [1] * (n - i - 1))


def select(condlist, choicelist, default=0):
    """By element the choice whose condition is the first that is true, else the default."""
    if len(condlist) != len(choicelist):
        raise ValueError(f"condlist and choicelist must have the same length: {len(condlist)} != {len(choicelist)}")
    if not condlist:
        raise ValueError("condlist must be non-empty")
    *choices, made = joined(*choicelist, default)
    for condition, choice in reversed(list(zip(condlist, choices))):
        made = op("SelectV2")(numpy_math._truth(condition), choice, made)
    return made


# ---- x[key]


def _is_array_index(k):
    if isinstance(k, (list, np.ndarray)):
        return True
    return isinstance(k, Tensor) and k.shape.rank != 0


def getitem(t, key):
    """t[key] as numpy has it: arrays as indices broadcast with each other, and pick elements together."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if not any(_is_array_index(k) for k in keys):
        return tensor.getitem(t, key)
    keys = _spread([asarray(k) if _is_array_index(k) else k for k in keys], t.shape.rank)
    arrays = [(i, k) for i, k in enumerate(keys) if isinstance(k, Tensor) and k.shape.rank != 0]
    # Plain indices and slices go first; the axes of arrays stay.
    t = tensor.getitem(t, tuple(slice(None) if any(i == a for a, _ in arrays) else k for i, k in enumerate(keys)))
    places, axis = [], 0
    for i, k in enumerate(keys):
        is_array = any(i == a for a, _ in arrays)
        if is_array:
            places.append(axis)
        axis += is_array or isinstance(k, slice) or k is None
    together = places == list(range(places[0], places[0] + len(places)))
    return _gather_axes(t, places, [k for _, k in arrays], together)


def _spread(keys, rank):
    """The keys with `...` as slices, and masks as the indices of what is true."""
    made = []
    for k in keys:
        made += (
            array_ops.unstack(op("Where")(k), k.shape.rank, axis=1)
            if isinstance(k, Tensor) and k.dtype.is_bool
            else [k]
        )
    if any(k is Ellipsis for k in made):
        if rank is None:
            raise NotImplementedError("x[..., array] of a tensor whose rank is not known")
        at = next(i for i, k in enumerate(made) if k is Ellipsis)
        used = sum(k is not None for k in made) - 1
        made[at : at + 1] = [slice(None)] * (rank - used)
    return made


def _gather_axes(t, places, indices, together):
    """Elements of t at indices, of some axes together; they come where the first of these axes was, or first of all."""
    n = t.shape.rank
    if n is None:
        raise NotImplementedError("x[array] of a tensor whose rank is not known")
    if len(places) == 1:
        return op("GatherV2")(t, _wrapped(indices[0], t, places[0]), places[0])
    wide = indices[0]
    for k in indices[1:]:
        whole = array_ops.broadcast_dynamic_shape(array_ops.shape(wide), array_ops.shape(k))
        wide = array_ops.broadcast_to(wide, whole)
    whole = array_ops.shape(wide)
    columns = [array_ops.broadcast_to(cast(_wrapped(k, t, p), "int64"), whole) for k, p in zip(indices, places)]
    rest = [i for i in range(n) if i not in places]
    first = array_ops.transpose(t, places + rest)
    made = op("GatherNd")(first, array_ops.stack(columns, -1))
    if not together or places[0] == 0:
        return made
    m, before = wide.shape.rank, places[0]
    perm = list(range(m, m + before)) + list(range(m)) + list(range(m + before, m + len(rest)))
    return array_ops.transpose(made, perm)


def _wrapped(index, t, axis):
    """Negative indices count from the end."""
    index = index if index.dtype.name in ("int32", "int64") else cast(index, "int64")
    n = array_ops.shape(t, index.dtype)[axis]
    return op("SelectV2")(op("Less")(index, array_ops.zeros([], index.dtype)), index + n, index)
