"""tf.experimental.numpy: arrays made, reshaped, joined and split. An array is a tensor."""

from __future__ import annotations

import builtins

import numpy as np

from ..core import dtypes, graph, tensor, tensor_shape
from ..core.op_defs import op
from . import array_ops, numpy_types
from .array_ops import cast, convert_to_tensor

Tensor = tensor.Tensor
range_, any_ = builtins.range, builtins.any


def _has_tensors(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any_(_has_tensors(v) for v in value)
    return isinstance(value, Tensor) or hasattr(value, "__tf_tensor__")


def _is_array(value) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "__tf_tensor__")


def _to_tensor(value, dtype):
    if _is_array(value):
        made = convert_to_tensor(value)
        return made if dtype is None else cast(made, dtype)
    if isinstance(value, tensor_shape.TensorShape):
        value = value.as_list()
    if _has_tensors(value):
        wanted = dtype or numpy_types.of_value(value)
        return op("Pack")([_to_tensor(v, wanted) for v in value])
    made = np.array(value)
    if made.dtype.kind in "USO":
        return convert_to_tensor(value, dtype)
    if not isinstance(value, (np.ndarray, np.generic)):
        made = made.astype(numpy_types._narrowed(made.dtype))
    made = convert_to_tensor(made)
    return made if dtype is None else cast(made, dtype)


def array(val, dtype=None, copy=True, ndmin=0):
    """A tensor of the value, of numpy's type for it unless another is named. copy: a new one; ndmin: the least rank."""
    made = _to_tensor(val, None if dtype is None else _default(dtype))
    if copy and _is_array(val):
        made = op("Identity")(made)
    elif copy:
        made = array_ops.identity(made)
    if ndmin == 0:
        return made
    n = made.shape.rank
    if n is None:
        raise NotImplementedError("array with ndmin of a tensor whose rank is not known")
    return (
        made if n >= ndmin else array_ops.reshape(made, array_ops.concat([[1] * (ndmin - n), array_ops.shape(made)], 0))
    )


def asarray(a, dtype=None):
    """A tensor of the value; one that has the type is given as it is."""
    if isinstance(a, Tensor) and (dtype is None or a.dtype == _default(dtype)):
        return a
    return array(a, dtype, copy=False)


def asanyarray(a, dtype=None):
    """The same as asarray."""
    return asarray(a, dtype)


def ascontiguousarray(a, dtype=None):
    """A tensor of the value, with one axis at least."""
    return array(a, dtype, ndmin=1)


def copy(a):
    """A copy of the array."""
    return array(a, copy=True)


def promoted(*values):
    """The values as tensors of one type, which is numpy's for them together."""
    dtype = numpy_types.common_type(*values)
    return [asarray(v, dtype) for v in values]


def joined(*values):
    """The same, of the type that result_type says."""
    dtype = numpy_types.result_type(*values)
    return [asarray(v, dtype) for v in values]


# ---- filled


def _shape(shape):
    if isinstance(shape, Tensor) and not isinstance(shape, graph.SymbolicTensor) or isinstance(shape, np.ndarray):
        return [int(d) for d in np.asarray(shape).reshape(-1)]
    return shape


def zeros(shape, dtype=float):
    """Zeros of the shape, float64 unless another type is named."""
    return array_ops.zeros(_shape(shape), _default(dtype))


def ones(shape, dtype=float):
    """Ones of the shape, float64 unless another type is named."""
    return array_ops.ones(_shape(shape), _default(dtype))


def empty(shape, dtype=float):
    """Zeros of the shape."""
    return zeros(shape, dtype)


def _default(dtype):
    """Python's types mean the widest of their kind."""
    if dtype is None or isinstance(dtype, type) and dtype in (float, int, complex):
        return dtypes.as_dtype(numpy_types._narrowed(np.dtype(dtype or float)))
    return dtypes.as_dtype(dtype)


def _typed_like(a, dtype):
    return asarray(a).dtype if dtype is None else _default(dtype)


def zeros_like(a, dtype=None):
    """Zeros of the array's shape, and type unless another is named."""
    return array_ops.zeros_like(asarray(a), _typed_like(a, dtype))


def ones_like(a, dtype=None):
    """Ones of the array's shape, and type unless another is named."""
    return array_ops.ones_like(asarray(a), _typed_like(a, dtype))


def empty_like(a, dtype=None):
    """Zeros of the array's shape, and type unless another is named."""
    return zeros_like(a, dtype)


def full(shape, fill_value, dtype=None):
    """The value, broadcast to the shape."""
    return array_ops.broadcast_to(asarray(fill_value, None if dtype is None else _default(dtype)), _shape(shape))


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    """The value, broadcast to the array's shape, of the array's type unless another is named."""
    if order != "K":
        raise ValueError("Non-standard orders are not supported.")
    if not subok:
        raise ValueError("subok being False is not supported.")
    if shape:
        raise ValueError("Overriding the shape is not supported.")
    a = asarray(a)
    value = asarray(fill_value, _typed_like(a, dtype))
    return array_ops.broadcast_to(value, array_ops.shape(a))


def eye(N, M=None, k=0, dtype=float):
    """[N, M] zeros, with ones on the k-th diagonal."""
    M = N if M is None else M
    d = _default(dtype)
    if k >= M or -k >= N:
        return array_ops.zeros([N, M], d)
    count = builtins.min(N + builtins.min(k, 0), M - builtins.max(k, 0))
    return op("MatrixDiagV3")(array_ops.ones([count], d), k, N, M, array_ops.zeros([], d))


def identity(n, dtype=float):
    """[n, n] zeros, with ones on the diagonal."""
    return eye(n, n, dtype=dtype)


def arange(start, stop=None, step=1, dtype=None):
    """start, start + step ... before stop; arange(n) begins at 0. ValueError when the step is 0."""
    if isinstance(step, (int, float)) and not step:
        raise ValueError("step must be non-zero")
    d = (
        _default(dtype)
        if dtype is not None
        else numpy_types.result_type(*([start, step] if stop is None else [start, stop, step]))
    )
    if stop is None:
        start, stop = 0, start
    values = [v.numpy() if isinstance(v, tensor.EagerTensor) else v for v in (start, stop, step)]
    if not any_(isinstance(v, Tensor) for v in values):
        return convert_to_tensor(
            np.arange(*values).astype(d.as_numpy_dtype)
            if not d.is_complex
            else np.arange(*values, dtype=d.as_numpy_dtype),
            d,
        )
    return op("Range")(*(cast(asarray(v), d) for v in values))


def tri(N, M=None, k=0, dtype=None):
    """[N, M] ones at and below the k-th diagonal, zeros above."""
    M = N if M is None else M
    rows, columns = op("Range")(0, N, 1), op("Range")(0, M, 1)
    below = op("LessEqual")(columns[None, :], rows[:, None] + k)
    return cast(below, _default(dtype or float))


def tril(m, k=0):
    """The matrices in the last two axes, with zeros above the k-th diagonal."""
    return _triangle(m, k, lower=True)


def triu(m, k=0):
    """The matrices in the last two axes, with zeros below the k-th diagonal."""
    return _triangle(m, k - 1, lower=False)


def _triangle(m, k, lower):
    m = asarray(m)
    if m.shape.rank is not None and m.shape.rank < 2:
        raise ValueError("Argument to tril and triu must have rank at least 2")
    size = array_ops.shape(m)
    rows, columns = op("Range")(0, size[-2], 1), op("Range")(0, size[-1], 1)
    below = op("LessEqual")(columns[None, :], rows[:, None] + k)
    kept, other = (m, array_ops.zeros_like(m)) if lower else (array_ops.zeros_like(m), m)
    return op("SelectV2")(below, kept, other)


def diag(v, k=0):
    """Of a vector the matrix with it on the k-th diagonal; of a matrix its k-th diagonal."""
    v = asarray(v)
    n = v.shape.rank
    if n not in (1, 2):
        raise ValueError("Argument `v` must be 1-d or 2-d")
    if n == 1:
        size = array_ops.size(v) + abs(k)
        if v.shape[0] == 0:
            return array_ops.zeros([abs(k), abs(k)], v.dtype)
        return op("MatrixDiagV3")(v, k, size, size, array_ops.zeros([], v.dtype))
    return diagonal(v, k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """The diagonals of the matrices in two axes, as a new last axis."""
    a = asarray(a)
    n = a.shape.rank
    if n is None:
        raise NotImplementedError("diagonal of a tensor whose rank is not known")
    axis1, axis2 = axis1 % n, axis2 % n
    rest = [i for i in range_(n) if i not in (axis1, axis2)]
    a = a if (axis1, axis2) == (n - 2, n - 1) else array_ops.transpose(a, rest + [axis1, axis2])
    rows, columns = a.shape[-2], a.shape[-1]
    if rows is not None and columns is not None and (offset >= columns or -offset >= rows):
        return array_ops.zeros(array_ops.concat([array_ops.shape(a)[:-2], [0]], 0), a.dtype)
    return op("MatrixDiagPartV3")(a, offset, array_ops.zeros([], a.dtype))


def diagflat(v, k=0):
    """The matrix with the flat array on its k-th diagonal."""
    return diag(ravel(v), k)


def diag_indices(n, ndim=2):
    """The indices of the diagonal of an array of ndim axes of size n: a tuple."""
    return tuple([array_ops.identity(op("Range")(0, n, 1)) for _ in range_(ndim)])


def vander(x, N=None, increasing=False):
    """The powers of a vector as columns, the highest first unless `increasing`."""
    x = asarray(x)
    if x.shape.rank not in (None, 1):
        raise ValueError(f"x must be a one-dimensional array, got shape {x.shape}")
    N = array_ops.size(x) if N is None else N
    if isinstance(N, int) and N < 0:
        raise ValueError("N must be nonnegative")
    powers = cast(op("Range")(0, N, 1), x.dtype)
    powers = powers if increasing else array_ops.reverse(powers, [0])
    return op("Pow")(x[:, None], powers[None, :])


# ---- shapes


def shape(a):
    """The shape, as a tuple."""
    return tuple(asarray(a).shape.as_list())


def ndim(a):
    """The rank."""
    return asarray(a).shape.rank


def size(x, axis=None):
    """The number of elements; a tensor when it is not known while a graph is built."""
    if axis is not None:
        raise NotImplementedError("axis argument is not supported in the current `np.size` implementation")
    if isinstance(x, (int, float, np.integer, np.floating)):
        return 1
    x = asarray(x)
    return np.size(np.empty(x.shape.as_list(), np.bool_)) if x.shape.is_fully_defined() else array_ops.size(x, "int64")


def isscalar(num):
    """Whether it has no axes."""
    if isinstance(num, (Tensor, np.ndarray)):
        return len(num.shape) == 0
    return np.isscalar(num)


def reshape(a, newshape, order="C"):
    """The same elements in another shape; order "F": the first axis changes first."""
    if order not in ("C", "F"):
        raise ValueError(f"Unsupported value for argument `order`. Supported values are 'C' and 'F'. Received: {order}")
    a = asarray(a)
    if order == "F":
        return array_ops.transpose(array_ops.reshape(array_ops.transpose(a), _shape(_listed(newshape))[::-1]))
    return array_ops.reshape(a, newshape if isinstance(newshape, Tensor) else _listed(newshape))


def _listed(shape):
    shape = _shape(shape)
    return list(shape) if isinstance(shape, (list, tuple)) else [shape]


def ravel(a):
    """The elements as a vector."""
    return array_ops.reshape(asarray(a), [-1])


def flatten(a, order="C"):
    """The elements as a vector. order: "C", "F", "A" or "K"."""
    if order in ("C", "A", "K"):
        return ravel(a)
    if order == "F":
        return ravel(array_ops.transpose(asarray(a)))
    raise ValueError(f"order can only be 'C', 'A', 'K' (all row major) or 'F' (column-major). Received: {order}.")


def expand_dims(a, axis):
    """One more axis, of size one."""
    return array_ops.expand_dims(asarray(a), axis)


def squeeze(a, axis=None):
    """Without the axes of size one: all, or those named."""
    return array_ops.squeeze(asarray(a), axis)


def transpose(a, axes=None):
    """Axis i of the result is axis axes[i]; without axes they are reversed."""
    return array_ops.transpose(asarray(a), None if axes is None else asarray(axes))


def swapaxes(a, axis1, axis2):
    """Two axes exchanged."""
    a = asarray(a)
    perm = list(range_(a.shape.rank))
    perm[axis1], perm[axis2] = perm[axis2], perm[axis1]
    return array_ops.transpose(a, perm)


def moveaxis(a, source, destination):
    """Axes moved to other places; the others stay in their order."""
    a = asarray(a)
    n = a.shape.rank
    source = [i % n for i in ([source] if np.ndim(source) == 0 else source)]
    destination = [i % n for i in ([destination] if np.ndim(destination) == 0 else destination)]
    if len(source) != len(destination):
        raise ValueError("The lengths of source and destination must equal")
    perm = [i for i in range_(n) if i not in source]
    for to, axis in sorted(zip(destination, source)):
        perm.insert(to, axis)
    return array_ops.transpose(a, perm)


def broadcast_to(array, shape):
    """The array repeated along axes of size one, and new ones in front."""
    return full(shape, array)


def broadcast_arrays(*args, **kwargs):
    """The arrays, broadcast to one shape."""
    kwargs.pop("subok", None)
    if kwargs:
        raise ValueError(f"Received unsupported arguments {list(kwargs)}")
    values = [asarray(a) for a in args]
    whole = array_ops.shape(values[0])
    for v in values[1:]:
        whole = array_ops.broadcast_dynamic_shape(whole, array_ops.shape(v))
    return [array_ops.broadcast_to(v, whole) for v in values]


def _at_least(n, places):
    """places(rank): before and after which axes new ones come."""

    def apply(*arys):
        made = []
        for a in map(asarray, arys):
            rank = a.shape.rank
            made.append(a if rank >= n else array_ops.reshape(a, places(array_ops.shape(a), rank)))
        return made[0] if len(made) == 1 else made

    apply.__name__ = apply.__qualname__ = f"atleast_{n}d"
    apply.__doc__ = f"The arrays, with {n} axes at least."
    return apply


atleast_1d = _at_least(1, lambda s, rank: [1])
atleast_2d = _at_least(2, lambda s, rank: array_ops.concat([[1] * (2 - rank), s], 0))
atleast_3d = _at_least(3, lambda s, rank: array_ops.concat([[1] * (rank < 2), s, [1] * (2 if rank == 0 else 1)], 0))


# ---- joined and split


def concatenate(arys, axis=0):
    """The arrays one after the other along an axis."""
    return array_ops.concat(joined(*_each(arys)), axis)


def _each(arys):
    """The arrays of a list; of a tensor its pieces along the first axis."""
    if not isinstance(arys, (list, tuple)):
        return array_ops.unstack(asarray(arys))
    return [asarray(a) for a in arys]


def stack(arrays, axis=0):
    """The arrays along a new axis."""
    if not isinstance(arrays, (list, tuple)):
        arrays = asarray(arrays)
        if axis == 0:
            return arrays
        return swapaxes(arrays, 0, axis)
    return op("Pack")(joined(*_each(arrays)), axis=axis)


def _joined(axis, least, name):
    def apply(tup):
        parts = [least(a) for a in joined(*_each(tup))]
        return array_ops.concat(parts, axis(parts[0]))

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = (
        "The arrays one after the other along the " + {"h": "second", "v": "first", "d": "third"}[name[0]] + " axis."
    )
    return apply


hstack = _joined(lambda a: 0 if a.shape.rank == 1 else 1, atleast_1d, "hstack")
vstack = _joined(lambda a: 0, atleast_2d, "vstack")
dstack = _joined(lambda a: 2, atleast_3d, "dstack")


def append(arr, values, axis=None):
    """The values after the array along an axis; without one both are flat."""
    if axis is None:
        return concatenate([ravel(arr), ravel(values)], 0)
    return concatenate([arr, values], axis)


def split(ary, indices_or_sections, axis=0):
    """Pieces along an axis: so many alike, or cut before the indices of a list."""
    ary = asarray(ary)
    if isinstance(indices_or_sections, (int, np.integer)):
        return array_ops.split(ary, int(indices_or_sections), axis)
    cuts = [int(i) for i in np.asarray(indices_or_sections)]
    n = ary.shape[axis]
    if n is None:
        raise NotImplementedError("split at indices along an axis whose size is not known")
    cuts = [builtins.min(c, n) for c in cuts]
    return array_ops.split(ary, [b - a for a, b in zip([0] + cuts, cuts + [n])], axis)


def hsplit(ary, indices_or_sections):
    """Pieces along the second axis, of a vector along the first."""
    ary = asarray(ary)
    return split(ary, indices_or_sections, 0 if ary.shape.rank == 1 else 1)


def vsplit(ary, indices_or_sections):
    """Pieces along the first axis."""
    return split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    """Pieces along the third axis."""
    return split(ary, indices_or_sections, 2)


def repeat(a, repeats, axis=None):
    """Each element along an axis so many times; without an axis, of the flat array."""
    return array_ops.repeat(asarray(a), asarray(repeats), axis)


def tile(a, reps):
    """The array so many times along each axis."""
    a, reps = asarray(a), array_ops.reshape(cast(asarray(reps), "int32"), [-1])
    n, m = a.shape.rank, reps.shape[0]
    if n < m:
        a = array_ops.reshape(a, array_ops.concat([[1] * (m - n), array_ops.shape(a)], 0))
    elif m < n:
        reps = array_ops.concat([[1] * (n - m), reps], 0)
    return array_ops.tile(a, reps)


def pad(array, pad_width, mode, **kwargs):
    """More elements around: mode "constant" (constant_values), "reflect" or "symmetric"; pad_width: [rank, 2]."""
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"Unsupported padding mode: {mode}.")
    array = asarray(array)
    widths = convert_to_tensor(np.broadcast_to(np.asarray(pad_width), (array.shape.rank, 2)), "int32")
    value = kwargs.get("constant_values", 0)
    return array_ops.pad(array, widths, mode.upper(), asarray(value, array.dtype))


def flip(m, axis=None):
    """The elements in the opposite order along the axes, all unless named."""
    m = asarray(m)
    if axis is None:
        return array_ops.reverse(m, op("Range")(0, array_ops.rank(m), 1))
    return array_ops.reverse(m, [axis] if np.ndim(axis) == 0 else list(axis))


def flipud(m):
    """The rows in the opposite order."""
    return flip(m, 0)


def fliplr(m):
    """The columns in the opposite order."""
    return flip(m, 1)


def roll(a, shift, axis=None):
    """The elements moved along the axes; without one, of the flat array."""
    a = asarray(a)
    if axis is not None:
        return array_ops.roll(a, shift, axis)
    return array_ops.reshape(array_ops.roll(ravel(a), shift, 0), array_ops.shape(a))


def rot90(m, k=1, axes=(0, 1)):
    """The array turned k quarters in the plane of two axes."""
    m = asarray(m)
    first, second = (i % m.shape.rank for i in axes)
    k %= 4
    if k == 0:
        return m
    if k == 2:
        return flip(flip(m, first), second)
    if k == 1:
        return swapaxes(flip(m, second), first, second)
    return flip(swapaxes(m, first, second), second)


def meshgrid(*xi, **kwargs):
    """By vector of coordinates an array over the grid of all. indexing: "xy" or "ij"."""
    sparse, copied = kwargs.pop("sparse", False), kwargs.pop("copy", True)
    if sparse:
        raise ValueError("Function `meshgrid` does not support returning sparse arrays yet. Received: sparse=True")
    if not copied:
        raise ValueError("Function `meshgrid` only supports copy=True. Received: copy=False")
    return array_ops.meshgrid(*(asarray(x) for x in xi), **kwargs)
