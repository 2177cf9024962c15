"""Functions that make tensors, and change their shapes: constants, fill, reshape, concat, split, pad, tile ...

More of what picks, places and orders elements by index is in indexing_ops.py."""

from __future__ import annotations

import builtins
import math

import numpy as np

try:
    import ml_dtypes  # noqa: F401 (from here on numpy knows bfloat16 by name)
except ImportError:
    pass

from .. import _native
from ..core import dtypes, errors, graph, static_values, tensor, tensor_shape, variables
from ..core import tensor as tensor_core
from ..core.indexed_slices import IndexedSlices
from ..core.op_defs import op
from ..core.scopes import in_scope

_native.setup(ndarray=np.ndarray)
Tensor, EagerTensor = tensor.Tensor, tensor.EagerTensor
_at_once = tensor._at_once


def _number(dtype) -> int:
    return 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """A tensor of the value; one that is a tensor is given as it is. ValueError or TypeError when it has another type."""
    made = _at_once(value, dtype, dtype_hint)
    if made is not None:
        return made
    if dtype is None and dtype_hint is not None and isinstance(value, (np.ndarray, np.generic)):
        try:
            return convert_to_tensor(value, dtype_hint, name=name)  # numpy's arrays are cast
        except (TypeError, ValueError):
            pass
    if isinstance(value, tensor_shape.TensorShape) and _number(dtype) not in (0, 3, 9):
        wanted = dtypes.as_dtype(dtype)
        raise TypeError(
            f"Cannot convert TensorShape {value} to dtype {wanted}. Allowed dtypes are tf.int32 and tf.int64."
        )
    g, hint = graph.current(), _number(dtype_hint)
    return (
        tensor.convert(value, _number(dtype), hint) if g is None else graph.into(g, value, _number(dtype), hint, name)
    )


def convert_to_tensor_v1(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None):
    return convert_to_tensor(value, dtype, _one_of("dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype), name)


def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor of a Python or numpy value, of this type and shape where they are given.

    A shape may differ from the value's when they have as many elements, or when the value has one, which is repeated.
    """
    made = _at_once(value, dtype) if shape is None else None
    if made is not None:
        return made
    return _constant(value, dtype, shape, name, extended=False)


def _constant(value, dtype, shape, name, extended):
    g = graph.current()
    if isinstance(value, Tensor) and dtype is not None and value.dtype != dtypes.as_dtype(dtype):
        raise TypeError(
            f"Expected tensor {value} with dtype {dtypes.as_dtype(dtype)!r}, but got dtype {value.dtype!r}."
        )
    if g is None:
        return _with_shape(tensor.convert(value, _number(dtype)), value, shape)
    with graph.outside():
        made = tensor.convert_for_graph(value, _number(dtype))
        if extended and shape is not None:
            made = _extended(made, tensor_shape.as_shape(shape))
        made = _with_shape(made, value, shape, g)
    return made if isinstance(made, graph.SymbolicTensor) else graph.constant_node(g, made, name)


def constant_v1(value, dtype=None, shape=None, name="Const", verify_shape=False):
    """The same as constant; in a graph a value that has too few elements for the shape goes on with its last one.
    verify_shape: the shape is the value's, else TypeError."""
    if verify_shape and shape is not None:
        have = np.shape(value)
        if tensor_shape.as_shape(shape) != tensor_shape.as_shape(have):
            raise TypeError(
                f"Expected Tensor's shape: {tensor_shape.as_shape(shape)}, but got {tensor_shape.as_shape(have)}."
            )
    return _constant(value, dtype, shape, name, extended=True)


def _extended(made, wanted):
    have, n = made.shape.num_elements(), wanted.num_elements()
    if have > n:
        raise ValueError(f"Too many elements provided. Takes at most {n}, but got {have}")
    if not have or have == n:
        return made
    flat = op("Reshape")(made, tensor.convert([-1], 3))
    return op("Reshape")(
        op("PadV2")(flat, tensor.convert([[0, n - have]], 3), flat[-1]), tensor.convert(wanted.as_list(), 3)
    )


def _with_shape(made, value, shape, g=None):
    wanted = made.shape if shape is None else tensor_shape.as_shape(shape)
    have, n = made.shape.num_elements(), wanted.num_elements()
    if made.shape == wanted:
        return made
    if have == n:
        return op("Reshape")(made, tensor.convert(wanted.as_list(), 3))
    if have == 1:
        return op("Fill")(tensor.convert(wanted.as_list(), 3), op("Reshape")(made, tensor.convert([], 3)))
    if g is not None:
        raise TypeError(f"Expected Tensor's shape: {wanted}, but got {made.shape}.")
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {made} (converted from {value}) has {have} elements, "
        f"but got `shape` {wanted} with {n} elements)."
    )


def identity(input, name=None):
    """The same tensor, as the output of an op of its own."""
    if isinstance(input, IndexedSlices):
        return input._map_parts(lambda part: op("Identity")(part, name=name))
    return op("Identity")(input, name=name)


def identity_n(input, name=None):
    """The tensors of a list, whatever their types, that are ready when all of them are."""
    return op("IdentityN")([convert_to_tensor(t) for t in input], name=name)


def guarantee_const(input, name=None):
    """The tensor, with the caller's word that its value never changes."""
    return op("GuaranteeConst")(input, name=name)


def stop_gradient(input, name=None):
    """The tensor; gradients do not go through it."""
    if isinstance(input, IndexedSlices):
        return input._map_parts(lambda part: op("StopGradient")(part, name=name))
    return op("StopGradient")(input, name=name)


def preventgradient(input, message="", name=None):
    """The tensor; a gradient that reaches it is an error that says `message`."""
    return op("PreventGradient")(input, message=message, name=name)


def cast(x, dtype, name=None):
    """The elements in another type. Of a complex number that becomes real only the real part stays."""
    wanted = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, wanted, name), x.indices, x.dense_shape)
    x = convert_to_tensor(x)
    return x if x.dtype.base_dtype == wanted else op("Cast")(x, DstT=wanted, name=name)


@in_scope("saturate_cast")
def saturate_cast(value, dtype, name=None):
    """The elements in another type; what is beyond its limits becomes the nearest limit."""
    value, wanted = convert_to_tensor(value, name="value"), dtypes.as_dtype(dtype).base_dtype
    have = value.dtype.base_dtype
    if have.is_complex and not wanted.is_complex:
        value, have = op("Real")(value, Tout=have.real_dtype), have.real_dtype
    if wanted.is_complex:
        if not have.is_complex:
            return cast(saturate_cast(value, wanted.real_dtype), wanted, name)
        parts = (saturate_cast(op(part)(value, Tout=have.real_dtype), wanted.real_dtype) for part in ("Real", "Imag"))
        return op("Complex")(*parts, Tout=wanted, name=name)
    # Infinities count as the largest finite numbers.
    low = (
        _limit(wanted.min, have, up=True) if float(have.min) < float(wanted.min) else convert_to_tensor(have.min, have)
    )
    high = (
        _limit(wanted.max, have, up=False) if float(have.max) > float(wanted.max) else convert_to_tensor(have.max, have)
    )
    return cast(op("ClipByValue")(value, low, high, name="clamp"), wanted, name)


def _limit(limit, have, up):
    """The number of type `have` next to a limit of `wanted` that is within its range."""
    kind = have.as_numpy_dtype
    made = np.asarray(limit).astype(kind)
    inside = builtins.int(made) >= builtins.int(limit) if up else builtins.int(made) <= builtins.int(limit)
    if not inside:
        made = np.nextafter(made, kind(0), dtype=kind)
    return convert_to_tensor(made, have)


def to_type(dtype, name):
    """The function of TensorFlow 1 that casts to one type, as to_float."""

    def apply(x, name=name):
        return cast(x, dtype, name=name)

    apply.__name__ = apply.__qualname__ = "to_" + (
        "float" if dtype == "float32" else "double" if dtype == "float64" else dtype
    )
    apply.__doc__ = f"The elements as {dtype}."
    return apply


to_bfloat16, to_complex64, to_complex128 = (
    to_type("bfloat16", "ToBFloat16"),
    to_type("complex64", "ToComplex64"),
    to_type("complex128", "ToComplex128"),
)
to_double, to_float = to_type("float64", "ToDouble"), to_type("float32", "ToFloat")
to_int32, to_int64 = to_type("int32", "ToInt32"), to_type("int64", "ToInt64")


def bitcast(input, type, name=None):
    """The same bytes as elements of another type; the last axis grows or shrinks with the size of an element."""
    return op("Bitcast")(input, type=type, name=name)


def fingerprint(data, method="farmhash64", name=None):
    """By row of the first axis, eight bytes that stand for the row: shape [rows, 8], uint8."""
    return op("Fingerprint")(data, convert_to_tensor(method), name=name)


def timestamp(name=None):
    """The time since 1970 in seconds, float64, when the op runs."""
    return op("Timestamp")(name=name)


def is_tensor(x):
    """Whether x is a tensor, a variable, sparse, ragged, IndexedSlices, or says that it is like a tensor."""
    return isinstance(x, Tensor) or getattr(x, "is_tensor_like", False) is True


def is_symbolic_tensor(tensor):
    """Whether it is a tensor of a graph; its value is not known while the graph is built."""
    return isinstance(tensor, graph.SymbolicTensor)


# ---- filled tensors


def _shape_argument(shape):
    made = _at_once(shape, dtypes.int32) if type(shape) in (list, tuple) else None
    if made is not None:
        return made
    if isinstance(shape, (Tensor, variables.Variable)) or hasattr(shape, "__tf_tensor__"):
        return shape
    if isinstance(shape, tensor_shape.TensorShape):
        shape = shape.as_list()
    if hasattr(shape, "dtype") and hasattr(shape, "tolist"):
        return shape if shape.ndim else convert_to_tensor([shape.item()], "int32")
    shape = [shape] if not isinstance(shape, (list, tuple)) else list(shape)
    if builtins.any(isinstance(d, Tensor) for d in shape):
        return _lengths(shape)
    values = [d.value if isinstance(d, tensor_shape.Dimension) else d for d in shape]
    wide = builtins.any(isinstance(d, builtins.int) and d > 2**31 - 1 for d in values)
    if graph.current() is not None and builtins.all(isinstance(d, builtins.int) for d in values):
        return np.array(values, np.int64 if wide else np.int32)  # a constant below the node that takes it
    return convert_to_tensor(
        values, None if any(isinstance(d, float) for d in values) else "int64" if wide else "int32"
    )


def _lengths(values):
    """A list for an input of whole numbers. Scalars of bfloat16 count as those of other floats do, which are converted there."""
    return [
        builtins.int(v) if isinstance(v, EagerTensor) and v.dtype == dtypes.bfloat16 and not v.shape.rank else v
        for v in values
    ]


def _no_layout(layout):
    if layout is not None:
        raise NotImplementedError("tensors with a DTensor layout")


def fill(dims, value, name=None, layout=None):
    """A tensor of this shape, each element of which is the scalar `value`."""
    _no_layout(layout)
    try:
        return op("Fill")(_shape_argument(dims), value, name=name)
    except errors.OpError as error:
        raise tensor_core.told(error, name, dims, value)


def _filled(shape, dtype, number, name):
    d = dtypes.as_dtype(dtype).base_dtype
    value = "" if d.name == "string" and not number else builtins.bool(number) if d.is_bool else number
    if d.is_quantized:
        plain = _filled(shape, d.name[1:], number, None)
        return op("Bitcast")(plain, type=d, name=name)
    g = graph.current()
    if g is not None and (dims := _known_dims(shape)) is not None:
        if math.prod(dims) < _FEW:
            return graph.into(g, np.full(dims, value, d.as_numpy_dtype), d.as_datatype_enum, name=name)
        dims = graph.into(g, _shape_argument(shape), name="shape_as_tensor")
    else:
        dims = _shape_argument(shape)
        dims = dims if g is None or isinstance(dims, Tensor) else graph.into(g, dims, 0, 3)
    if isinstance(dims, Tensor) and dims.shape.rank == 0:  # the length of a vector
        dims = reshape(dims, [-1])
    return op("Fill")(dims, convert_to_tensor(value, d), name=name)


_FEW = 1000  # elements that a graph holds as a constant


def _known_dims(shape):
    """The sizes as Python's numbers; None where they are not known or no sizes."""
    if isinstance(shape, (Tensor, variables.Variable)) or hasattr(shape, "__tf_tensor__"):
        return None
    shape = _shape_argument(shape)
    return shape.tolist() if isinstance(shape, np.ndarray) and shape.ndim == 1 and shape.dtype.kind == "i" else None


@in_scope("zeros")
def zeros(shape, dtype=dtypes.float32, name=None, layout=None):
    """A tensor of zeros; of type string, of empty texts; of type bool, of False."""
    _no_layout(layout)
    return _filled(shape, dtype, 0, name)


@in_scope("ones")
def ones(shape, dtype=dtypes.float32, name=None, layout=None):
    """A tensor of ones; of type bool, of True."""
    _no_layout(layout)
    return _filled(shape, dtype, 1, name)


def _like(x, dtype, number, name):
    x = convert_to_tensor(x)
    d = x.dtype if dtype is None else dtypes.as_dtype(dtype)
    if type(x) is EagerTensor and d is x.dtype and d.is_numeric and not d.is_quantized:
        return op("OnesLike" if number else "ZerosLike")(x)
    if d.name == "variant":
        return op("ZerosLike")(x, name=name)
    if graph.current() is not None and x.shape.is_fully_defined():
        return _filled(x.shape, d, number, name)
    if d != x.dtype or d.is_quantized or d.name == "string" and number:
        return _filled(shape(x), d, number, name)
    return op("OnesLike" if number else "ZerosLike")(x, name=name)


def known_shape(x):
    """The shape, in graphs a constant below "Shape" where it is known."""
    g = graph.current()
    if g is None or not x.shape.is_fully_defined():
        return shape(x)
    with g.name_scope("Shape"):
        return graph.into(g, np.array(x.shape.as_list(), np.int32), name="shape_as_tensor")


@in_scope("zeros_like")
def zeros_like(input, dtype=None, name=None, layout=None):
    """Zeros of the input's shape, and its type unless another is named."""
    _no_layout(layout)
    return _like(input, dtype, 0, name)


@in_scope("ones_like")
def ones_like(input, dtype=None, name=None, layout=None):
    """Ones of the input's shape, and its type unless another is named."""
    _no_layout(layout)
    return _like(input, dtype, 1, name)


def zeros_like_v1(tensor, dtype=None, name=None, optimize=True):
    return zeros_like(tensor, dtype, name)


def ones_like_v1(tensor, dtype=None, name=None, optimize=True):
    if graph.current() is None:
        return _like(tensor, dtype, 1, name)
    return _ones_of_shape(tensor, dtype, name)


@in_scope("ones_like")
def _ones_of_shape(tensor, dtype, name):
    x = convert_to_tensor(tensor, name="tensor")
    return _filled(known_shape(x), x.dtype if dtype is None else dtype, 1, name)


@in_scope("eye", names_last=False)
def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    """Ones on the diagonal, zeros elsewhere: [*batch_shape, num_rows, num_columns]."""
    square, d = num_columns is None, dtypes.as_dtype(dtype)
    columns = num_rows if square else num_columns
    plain = builtins.int, np.integer, tensor_shape.Dimension
    rows, columns = (builtins.int(v) if isinstance(v, plain) else v for v in (num_rows, columns))
    batch = [] if batch_shape is None else batch_shape
    batch = batch.as_list() if isinstance(batch, tensor_shape.TensorShape) else batch
    if isinstance(batch, (list, tuple)) and isinstance(rows, builtins.int) and isinstance(columns, builtins.int):
        sizes, whole = [*batch, builtins.min(rows, columns)], [*batch, rows, columns]
    else:
        least = op("Minimum")(convert_to_tensor(rows, "int32"), convert_to_tensor(columns, "int32"))
        batch = convert_to_tensor(_shape_argument(batch), "int32", name="shape")
        sizes = concat([batch, [least]], 0)
        whole = None if square else concat([batch, [rows, columns]], 0)
    diagonal = ones(sizes, d)
    if square:
        padding = zeros([], d) if d.is_quantized else False if d.is_bool else 0
        return op("MatrixDiagV3")(diagonal, 0, -1, -1, padding, name=None if graph.current() is None else "diag")
    return op("MatrixSetDiagV3")(zeros(whole, d), diagonal, 0, name=None if graph.current() is None else "set_diag")


# ---- shapes


def shape(input, out_type=None, name=None):
    """The shape as a vector, int32 unless out_type says int64. Of a tensor of a graph whose shape is known, a constant."""
    d = dtypes.as_dtype(out_type or "int32")
    if hasattr(input, "dense_shape") and not isinstance(input, Tensor):
        return cast(input.dense_shape, d)
    x = convert_to_tensor(input)
    if isinstance(x, graph.SymbolicTensor) and x.shape.is_fully_defined():
        return constant(x.shape.as_list(), d, name=name or "Shape")
    return op("Shape")(x, out_type=d, name=name)


def shape_v1(input, name=None, out_type=None):
    return shape(input, out_type, name)


def shape_n(input, out_type=dtypes.int32, name=None):
    """The shapes of the tensors of a list."""
    return op("ShapeN")(list(input), out_type=out_type, name=name)


def size(input, out_type=None, name=None):
    """The number of elements, int32 unless out_type says int64."""
    d = dtypes.as_dtype(out_type or "int32")
    if hasattr(input, "dense_shape") and not isinstance(input, Tensor):
        return op("Prod")(cast(input.dense_shape, d), 0, name=name)
    x = convert_to_tensor(input)
    if isinstance(x, graph.SymbolicTensor) and x.shape.is_fully_defined():
        return constant(x.shape.num_elements(), d, name=name or "Size")
    return op("Size")(x, out_type=d, name=name)


def size_v1(input, name=None, out_type=None):
    return size(input, out_type, name)


def rank(input, name=None):
    """The number of axes, int32."""
    if hasattr(input, "dense_shape") and not isinstance(input, Tensor):
        return op("Size")(input.dense_shape, name=name)
    x = convert_to_tensor(input)
    if isinstance(x, graph.SymbolicTensor) and x.shape.rank is not None:
        return constant(x.shape.rank, "int32", name=name or "Rank")
    return op("Rank")(x, name=name)


def reshape(tensor, shape, name=None):
    """The same elements in another shape, of which one dimension may be -1: what the others leave."""
    try:
        return op("Reshape")(tensor, _shape_argument(shape), name=name)
    except errors.OpError as error:
        raise tensor_core.told(error, name, tensor, shape)


def expand_dims(input, axis, name=None):
    """One more axis, of size one, before `axis`."""
    return op("ExpandDims")(input, axis, name=name)


def expand_dims_v1(input, axis=None, name=None, dim=None):
    axis = _one_of("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return expand_dims(input, axis, name)


def _one_of(name, value, old_name, old):
    """The value of an argument that has an old name, too."""
    if value is not None and old is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{name}'.")
    return old if value is None else value


def squeeze(input, axis=None, name=None):
    """Without the axes of size one: all, or those of `axis`."""
    axes = [] if axis is None else list(axis) if np.ndim(axis) else [axis]
    return op("Squeeze")(input, squeeze_dims=axes, name=name)


def squeeze_v1(input, axis=None, name=None, squeeze_dims=None):
    return squeeze(input, _one_of("axis", axis, "squeeze_dims", squeeze_dims), name)


def ensure_shape(x, shape, name=None):
    """The tensor, whose shape is as said (known in part) from here on; InvalidArgumentError when it runs with another."""
    return op("EnsureShape")(x, shape=tensor_shape.as_shape(shape), name=name)


def broadcast_to(input, shape, name=None):
    """The tensor repeated along axes of size one, and new axes in front, so that it has the shape."""
    try:
        return op("BroadcastTo")(input, _shape_argument(shape), name=name)
    except errors.OpError as error:
        raise tensor_core.told(error, name, input, shape)


def broadcast_dynamic_shape(shape_x, shape_y):
    """The shape, as a tensor, of what an operator gives for two tensors of these shapes."""
    x = convert_to_tensor(_shape_argument(shape_x))
    return op("BroadcastArgs")(x, convert_to_tensor(_shape_argument(shape_y), x.dtype))


def broadcast_static_shape(shape_x, shape_y):
    """The shape, known in part, of what an operator gives for two tensors of these shapes. ValueError when it gives none."""
    x, y = tensor_shape.as_shape(shape_x), tensor_shape.as_shape(shape_y)
    if x.rank is None or y.rank is None:
        return tensor_shape.TensorShape(None)
    n = builtins.max(x.rank, y.rank)
    pairs = zip([1] * (n - x.rank) + x.as_list(), [1] * (n - y.rank) + y.as_list())
    return tensor_shape.TensorShape([_broadcast_dimension(a, b, x, y) for a, b in pairs])


def _broadcast_dimension(a, b, x, y):
    if a == 1 or b == 1:
        return b if a == 1 else a
    if a is None or b is None:
        return b if a is None else a
    if a != b:
        raise ValueError(
            f"Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are either equal or one of them is 1. Received: {x} and {y}."
        )
    return a


def meshgrid(*args, **kwargs):
    """By vector of coordinates a tensor over the grid of all. indexing="xy" (the default): rows are the second vector's."""
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if graph.current() is not None:
        with graph.current().name_scope(name):
            return _meshgrid(args, indexing, kwargs)
    return _meshgrid(args, indexing, kwargs)


def _meshgrid(args, indexing, kwargs):
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    vectors = [convert_to_tensor(a) for a in args]
    n = len(vectors)
    sizes = [size(v) for v in vectors]
    axes = list(builtins.range(n))
    if indexing == "xy" and n > 1:
        axes[0], axes[1] = 1, 0
        sizes[0], sizes[1] = sizes[1], sizes[0]
    whole = stack(sizes) if sizes else None
    shapes = ([-1 if i == axis else 1 for i in builtins.range(n)] for axis in axes)
    name = None if graph.current() is None else "mul"
    return [broadcast_to(reshape(v, s), whole, name=name) for v, s in zip(vectors, shapes)]


# ---- joined and split


def concat(values, axis, name="concat"):
    """The tensors one after the other along an axis; the other axes are alike."""
    values = list(values) if isinstance(values, (list, tuple)) else [values]
    if len(values) == 1:
        axis = convert_to_tensor(axis, "int32")
        axis.shape.assert_has_rank(0)
        return identity(values[0], name=name)
    return op("ConcatV2")(values, axis, name=name)


def stack(values, axis=0, name="stack"):
    """The tensors, of one shape, along a new axis."""
    listed = isinstance(values, (list, tuple)) and tensor._contains_tensors(values)
    if axis == 0 and (not listed or graph.current() is not None):
        try:
            return convert_to_tensor(values, name=name)
        except (TypeError, ValueError, errors.OpError):
            pass
    if not isinstance(values, (list, tuple)):
        if graph.current() is not None:
            raise TypeError(f"Expected list for 'values' argument to 'Pack' Op, not {values!r}.")
        values = unstack(values)
    n = convert_to_tensor(values[0]).shape.rank if values else None
    if n is not None and not -n - 1 <= axis <= n:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-n - 1}, {n + 1})")
    return op("Pack")(values, axis=axis, name=name)


def parallel_stack(values, name="parallel_stack"):
    """The same as stack along the first axis, in graphs; each piece is copied as soon as it is there."""
    if graph.current() is None:
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution.")
    values = [convert_to_tensor(v) for v in values]
    if not values[0].shape.is_fully_defined():
        raise ValueError("parallel_stack needs tensors whose shapes are known")
    whole = tensor_shape.TensorShape([len(values)]).concatenate(values[0].shape)
    return op("ParallelConcat")([expand_dims(v, 0) for v in values], shape=whole, name=name)


def unstack(value, num=None, axis=0, name="unstack"):
    """The pieces along an axis, as a list. num: how many, where the shape does not tell."""
    value = convert_to_tensor(value)
    if num is None:
        n = value.shape.rank
        if n is not None and not -n <= axis < n:
            raise ValueError(f"Argument `axis` = {axis} not in range [{-n}, {n})")
        num = None if n is None else value.shape[axis]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return op("Unpack")(value, num=num, axis=axis, name=name)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """Pieces along an axis, as a list: so many alike, or of the sizes of a list (one may be -1: what the others leave)."""
    if isinstance(num_or_size_splits, (builtins.int, np.integer, tensor_shape.Dimension)):
        return op("Split")(axis, value, num_split=builtins.int(num_or_size_splits), name=name)
    sizes = convert_to_tensor(num_or_size_splits)
    if sizes.shape.rank == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
            f"{num_or_size_splits}"
        )
    if num is None:
        num = sizes.shape[0] if sizes.shape.rank is not None else None
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {num_or_size_splits}")
    return op("SplitV")(value, sizes, axis, num_split=num, name=name)


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    """More elements before and after each axis, as many as the rows of `paddings` say, [rank, 2]: constant_values, or the
    tensor's own mirrored ("REFLECT": without its edge, "SYMMETRIC": with it)."""
    kind = mode.upper()
    if kind == "CONSTANT":
        if isinstance(constant_values, Tensor) or not np.isscalar(constant_values) or constant_values != 0:
            return op("PadV2")(tensor, paddings, constant_values, name=name)
        return op("Pad")(tensor, paddings, name=name)
    if kind in ("REFLECT", "SYMMETRIC"):
        return op("MirrorPad")(tensor, paddings, mode=kind, name=name)
    raise ValueError(
        f'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". Received `mode` = {mode}. Unknown padding mode.'
    )


def pad_v1(tensor, paddings, mode="CONSTANT", name=None, constant_values=0):
    return pad(tensor, paddings, mode, constant_values, name)


def tile(input, multiples, name=None):
    """The tensor so many times along each axis."""
    return op("Tile")(input, _lengths(multiples) if type(multiples) in (list, tuple) else multiples, name=name)


def repeat(input, repeats, axis=None, name=None):
    """Each element along an axis so many times; without an axis, of the flat tensor. repeats: one number, or one by element;
    of numbers below 0 there are none. TypeError for others than whole numbers, ValueError where they do not fit the axis."""
    if axis is None:
        input, axis = reshape(input, [-1]), 0
    return _repeat(input, repeats, axis, name)


@in_scope("Repeat", names_last=False)
def _repeat(input, repeats, axis, name):
    x = convert_to_tensor(input, name="input")
    repeats = convert_to_tensor(repeats, name="repeats")
    if not repeats.dtype.is_integer:
        if isinstance(repeats, graph.SymbolicTensor) or repeats.shape.num_elements():
            raise TypeError(
                f"Argument `tensor` (name: repeats) must be of type integer. Received `tensor` = {repeats} of dtype: {repeats.dtype}"
            )
    if repeats.dtype.name not in ("int32", "int64"):
        repeats = cast(repeats, "int32")
    n = x.shape.rank
    if n == 0:
        x, n = reshape(x, [1]), 1
    if n is not None and not -n <= axis < n:
        raise ValueError(f"axis={axis} out of bounds: expected {-n}<=axis<{n}")
    axis = axis + n if axis < 0 and n is not None else axis
    repeats.shape.with_rank_at_most(1)
    if repeats.shape.rank == 0 or repeats.shape.rank == 1 and repeats.shape[0] == 1:
        return _repeat_equally(x, repeats, axis)
    repeats = op("Maximum")(repeats, zeros([], repeats.dtype))
    if n is not None and repeats.shape.rank == 1:
        have, wanted = x.shape[axis], repeats.shape[0]
        if None not in (have, wanted) and have != wanted:
            raise ValueError(f"Dimensions {have} and {wanted} are not compatible")
    rows = op("Range")(0, size(repeats), 1)
    limits = op("Cumsum")(repeats, 0)
    total = op("Sum")(repeats, 0)
    places = op("UpperBound")(
        expand_dims(limits, 0), expand_dims(op("Range")(zeros([], repeats.dtype), total, ones([], repeats.dtype)), 0)
    )
    rows = op("GatherV2")(rows, squeeze(places, [0]), 0)
    return op("GatherV2")(x, rows, axis, name=None if graph.current() is None else "boolean_mask/GatherV2")


def _repeat_equally(x, repeats, axis):
    n = x.shape.rank
    if n is not None:
        if graph.current() is None and isinstance(repeats, EagerTensor):
            times, whole = builtins.int(reshape(repeats, [])), x.shape.as_list()
            tiled = op("Tile")(expand_dims(x, axis + 1), [1] * (axis + 1) + [times] + [1] * (n - axis - 1))
            return reshape(tiled, [*whole[:axis], times * whole[axis], *whole[axis + 1 :]])
        times, whole = reshape(repeats, []), shape(x, repeats.dtype)
        tiled = op("Tile")(expand_dims(x, axis + 1), [1] * (axis + 1) + [times] + [1] * (n - axis - 1))
        made = reshape(tiled, concat([whole[:axis], [times * whole[axis]], whole[axis + 1 :]], 0))
        return _of_known_repeats(made, x, repeats, axis)
    wide = expand_dims(x, axis + 1)
    full = shape(wide, repeats.dtype)
    times = concat([ones_like(full[: axis + 1]), reshape(repeats, [1]), ones_like(full[axis + 2 :])], 0)
    before, after = shape(x, repeats.dtype)[:axis], shape(x, repeats.dtype)[axis + 1 :]
    return reshape(op("Tile")(wide, times), concat([before, [-1], after], 0))


def _of_known_repeats(made, x, repeats, axis):
    if not isinstance(made, graph.SymbolicTensor):
        return made
    times = static_values.known_value(repeats)
    if times is not None and x.shape[axis] is not None:
        count = int(times.reshape(-1)[0])
        made.set_shape(x.shape[:axis].concatenate([x.shape[axis] * count]).concatenate(x.shape[axis + 1 :]))
    return made


# ---- order of elements


def transpose(a, perm=None, conjugate=False, name="transpose"):
    """Axis i of the result is axis perm[i]; without perm the axes are reversed. conjugate: of complex numbers that, too."""
    a = convert_to_tensor(a)
    if perm is None:
        n = a.shape.rank
        perm = list(builtins.range(n))[::-1] if n is not None else op("Range")(rank(a) - 1, -1, -1)
    try:
        return op("ConjugateTranspose" if conjugate and a.dtype.is_complex else "Transpose")(a, perm, name=name)
    except errors.OpError as error:
        raise tensor_core.told(error, "", perm)


def transpose_v1(a, perm=None, name="transpose", conjugate=False):
    return transpose(a, perm, conjugate, name)


@in_scope("matrix_transpose", names_last=False)
def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """The last two axes exchanged."""
    a = convert_to_tensor(a)
    n = a.shape.rank
    if n is not None:
        if n < 2:
            raise ValueError(
                f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {a} with shape: {a.shape}"
            )
        perm = list(builtins.range(n - 2)) + [n - 1, n - 2]
    else:
        dynamic = rank(a)
        perm = concat([op("Range")(0, dynamic - 2, 1), [dynamic - 1, dynamic - 2]], 0)
    return transpose(a, perm, conjugate)


def reverse(tensor, axis, name=None):
    """The elements in the opposite order along the axes of a list."""
    return op("ReverseV2")(tensor, axis, name=name)


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None):
    """The first seq_lengths[i] elements along seq_axis in the opposite order, of the i-th piece along batch_axis."""
    return op("ReverseSequence")(input, seq_lengths, seq_dim=seq_axis, batch_dim=batch_axis or 0, name=name)


def reverse_sequence_v1(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None):
    seq_axis, batch_axis = (
        _one_of("seq_axis", seq_axis, "seq_dim", seq_dim),
        _one_of("batch_axis", batch_axis, "batch_dim", batch_dim),
    )
    return reverse_sequence(input, seq_lengths, seq_axis, batch_axis, name)


def roll(input, shift, axis, name=None):
    """The elements moved along the axes; what leaves at one end enters at the other."""
    return op("Roll")(input, shift, axis, name=name)


@in_scope("SequenceMask", names_last=False)
def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool_, name=None):
    """By length a row of `maxlen` (the largest length unless named), true for the first so many."""
    lengths = convert_to_tensor(lengths)
    in_graph = graph.current() is not None
    if maxlen is None:
        from .math_ops import reduce_max

        largest = reduce_max(lengths)
        maxlen = op("Maximum")(convert_to_tensor(0, lengths.dtype), largest)
    else:
        maxlen = convert_to_tensor(maxlen)
        if maxlen.shape.rank not in (None, 0):
            raise ValueError(
                "Argument `maxlen` must be scalar for sequence_mask, "
                f"received `maxlen` = {maxlen} with shape '{maxlen.shape}' instead"
            )
    row = op("Range")(convert_to_tensor(0, maxlen.dtype), maxlen, convert_to_tensor(1, maxlen.dtype))
    column = expand_dims(lengths, -1)
    if in_graph or column.dtype != maxlen.dtype:
        column = op("Cast")(column, DstT=maxlen.dtype)
    return cast(op("Less")(row, column), dtype)


# ---- parts


def slice(input_, begin, size, name=None):  # noqa: A001
    """The part that begins at `begin` and has this size by axis, -1: all that is left."""
    if graph.current() is None or not (isinstance(begin, (list, tuple)) and isinstance(size, (list, tuple))):
        begin, size = convert_to_tensor(begin, dtype_hint="int32"), convert_to_tensor(size, dtype_hint="int32")
        if begin.dtype != size.dtype:
            begin, size = cast(begin, "int64"), cast(size, "int64")
    return op("Slice")(input_, begin, size, name=name)


def strided_slice(
    input_,
    begin,
    end,
    strides=None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    var=None,
    name=None,
):
    """What x[begin:end:strides] gives. In a mask bit i speaks of the i-th entry: no begin, no end, `...`, a new axis, one
    element whose axis vanishes. `var` is the variable to which an assignment of the slice would go."""
    begin = convert_to_tensor(begin)
    made = op("StridedSlice")(
        input_,
        begin,
        convert_to_tensor(end, begin.dtype),
        ones_like(begin) if strides is None else convert_to_tensor(strides, begin.dtype),
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
        name=name,
    )
    return made


# ---- by index and mask


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """params' slices along an axis, by index: [*params[:axis], *indices[batch_dims:], *params[axis + 1:]].

    The axis is the one after the first batch_dims axes, which params and indices share, unless another is named.
    """
    axis = batch_dims if axis is None else axis
    if isinstance(axis, builtins.int) and axis == 0 and hasattr(params, "sparse_read"):
        return params.sparse_read(indices, name=name)
    if builtins.isinstance(batch_dims, builtins.int) and batch_dims < 0:
        n = convert_to_tensor(indices).shape.rank
        if n is None:
            raise ValueError("batch_dims may only be negative when the rank of `indices` is known")
        batch_dims += n
        axis = axis + n if axis == batch_dims - n else axis
    return op("GatherV2")(params, indices, axis, batch_dims=batch_dims, name=name)


def gather_v1(params, indices, validate_indices=None, name=None, axis=None, batch_dims=0):
    return gather(params, indices, validate_indices, axis, batch_dims, name)


def where(condition, x=None, y=None, name=None):
    """x where the condition is true, y elsewhere; all three broadcast. Without them the indices of what is true, [n, rank]."""
    if x is None and y is None:
        return op("Where")(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return op("SelectV2")(condition, x, y, name=name)


def where_v1(condition, x=None, y=None, name=None):
    """The same, but x and y are of one shape, and the condition is of that shape, a vector of the first axis, or a scalar."""
    if x is None and y is None:
        return op("Where")(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return op("Select")(condition, x, y, name=name)


@in_scope("boolean_mask", names_last=False)
def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """The elements along the mask's axes, from `axis` on, where it is true: these axes become one."""
    t, m = convert_to_tensor(tensor, name="tensor"), convert_to_tensor(mask, name="mask")
    axis = 0 if axis is None else axis
    axis = axis if isinstance(axis, builtins.int) else int(axis)
    n = m.shape.rank
    if n == 0:
        raise ValueError("mask cannot be scalar.")
    if n is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is ok, but shape=None is not."
        )
    t.shape[axis : axis + n].assert_is_compatible_with(m.shape)
    in_graph = graph.current() is not None
    dims = shape(t)
    count = op("Prod")(dims[axis : axis + n], [0])
    before = (shape(t) if in_graph else dims)[:axis]
    after = (shape(t) if in_graph else dims)[axis + n :]
    flat = reshape(t, concat([before, [count] if in_graph else expand_dims(count, 0), after], 0))
    if t.shape.rank is not None and flat.shape.rank is None:
        flat.set_shape(t.shape[:axis].concatenate([None]).concatenate(t.shape[axis + n :]))
    rows = squeeze(op("Where")(reshape(m, [-1])), [1])
    return op("GatherV2")(flat, rows, axis, name=name)


def boolean_mask_v1(tensor, mask, name="boolean_mask", axis=None):
    return boolean_mask(tensor, mask, axis, name)


@in_scope("one_hot")
def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """By index a vector of `depth` along a new axis, the last unless another is named: on_value (1) there, off_value (0)
    elsewhere."""
    on_value = None if on_value is None else convert_to_tensor(on_value, dtype)
    off_value = None if off_value is None else convert_to_tensor(off_value, dtype)
    given = [v for v in (on_value, off_value) if v is not None]
    d = dtypes.as_dtype(dtype) if dtype is not None else given[0].dtype.base_dtype if given else dtypes.float32
    if any(v.dtype.base_dtype != d for v in given):
        first, last = given[0].dtype.name, given[-1].dtype.name
        raise TypeError(f"dtype {last} of off_value does not match dtype {first} of on_value")
    on = convert_to_tensor(True if d.is_bool else 1, d, name="on_value") if on_value is None else on_value
    off = convert_to_tensor(False if d.is_bool else 0, d, name="off_value") if off_value is None else off_value
    return op("OneHot")(indices, depth, on, off, axis=-1 if axis is None else axis, name=name)
