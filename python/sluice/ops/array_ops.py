"""The functions of tf.* that make, change and reduce tensors."""

from __future__ import annotations

import builtins

from ..core import dtypes, graph, tensor, tensor_shape, variables
from ..core.op_defs import op

Tensor = tensor.Tensor


def _number(dtype) -> int:
    return 0 if dtype is None else dtypes.as_dtype(dtype).as_datatype_enum


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """A tensor of the value; one that is a tensor is given as it is. ValueError or TypeError when it has another type."""
    g, hint = graph.current(), _number(dtype_hint)
    return tensor.convert(value, _number(dtype), hint) if g is None else graph.into(g, value, _number(dtype), hint)


def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor of a Python or numpy value, of this type and shape where they are given.

    A shape may differ from the value's when they have as many elements, or when the value has one, which is repeated.
    """
    g = graph.current()
    with graph.outside():
        made = _with_shape(tensor.convert(value, _number(dtype)), value, shape)
    return made if g is None or isinstance(made, graph.SymbolicTensor) else graph.constant_node(g, made, name)


def _with_shape(made, value, shape):
    wanted = made.shape if shape is None else tensor_shape.as_shape(shape)
    have, n = made.shape.num_elements(), wanted.num_elements()
    if made.shape == wanted:
        return made
    if have == n:
        return op("Reshape")(made, tensor.convert(wanted.as_list(), 3))
    if have == 1:
        return op("Fill")(tensor.convert(wanted.as_list(), 3), op("Reshape")(made, tensor.convert([], 3)))
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {made} (converted from {value}) has {have} elements, "
        f"but got `shape` {wanted} with {n} elements)."
    )


def identity(input, name=None):
    return op("Identity")(input, name=name)


def cast(x, dtype, name=None):
    """The elements in another type."""
    wanted = dtypes.as_dtype(dtype).base_dtype
    x = convert_to_tensor(x)
    return x if x.dtype == wanted else op("Cast")(x, DstT=wanted, name=name)


def _shape_argument(shape):
    if isinstance(shape, Tensor) or isinstance(shape, variables.Variable):
        return shape
    if isinstance(shape, tensor_shape.TensorShape):
        shape = shape.as_list()
    shape = [shape] if not isinstance(shape, (list, tuple)) else list(shape)
    return shape if any(isinstance(d, Tensor) for d in shape) else convert_to_tensor(shape, dtypes.as_dtype("int32"))


def fill(dims, value, name=None):
    return op("Fill")(_shape_argument(dims), value, name=name)


def zeros(shape, dtype=dtypes.float32, name=None):
    d = dtypes.as_dtype(dtype)
    return fill(shape, convert_to_tensor("" if d.name == "string" else False if d.is_bool else 0, d))


def ones(shape, dtype=dtypes.float32, name=None):
    d = dtypes.as_dtype(dtype)
    return fill(shape, convert_to_tensor(True if d.is_bool else 1, d))


def zeros_like(input, dtype=None, name=None):
    x = convert_to_tensor(input)
    return op("ZerosLike")(x if dtype is None else cast(x, dtype), name=name)


def ones_like(input, dtype=None, name=None):
    x = convert_to_tensor(input)
    return op("OnesLike")(x if dtype is None else cast(x, dtype), name=name)


def reshape(tensor, shape, name=None):
    return op("Reshape")(tensor, _shape_argument(shape), name=name)


def shape(input, out_type=None, name=None):
    return op("Shape")(input, out_type=out_type or dtypes.as_dtype("int32"), name=name)


def size(input, out_type=None, name=None):
    return op("Size")(input, out_type=out_type or dtypes.as_dtype("int32"), name=name)


def rank(input, name=None):
    return op("Rank")(input, name=name)


def expand_dims(input, axis, name=None):
    return op("ExpandDims")(input, axis, name=name)


def squeeze(input, axis=None, name=None):
    axes = [] if axis is None else list(axis) if isinstance(axis, (list, tuple)) else [axis]
    return op("Squeeze")(input, squeeze_dims=axes, name=name)


def concat(values, axis, name="concat"):
    values = list(values) if isinstance(values, (list, tuple)) else [values]
    return identity(values[0]) if len(values) == 1 else op("ConcatV2")(values, axis, name=name)


def stack(values, axis=0, name="stack"):
    return op("Pack")(list(values), axis=axis, name=name)


def unstack(value, num=None, axis=0, name="unstack"):
    value = convert_to_tensor(value)
    if num is None:
        num = value.shape[axis]
        if num is None:
            raise ValueError(f"Cannot infer argument `num` from shape {value.shape}")
    return op("Unpack")(value, num=num, axis=axis, name=name)


def transpose(a, perm=None, conjugate=False, name="transpose"):
    a = convert_to_tensor(a)
    if perm is None:
        n = a.shape.rank
        perm = list(builtins.range(n))[::-1] if n is not None else rank(a) - 1 - op("Range")(0, rank(a), 1)
    return op("ConjugateTranspose" if conjugate and a.dtype.is_complex else "Transpose")(a, perm, name=name)


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    return op("GatherV2")(params, indices, axis if axis is not None else batch_dims, batch_dims=batch_dims, name=name)


def where(condition, x=None, y=None, name=None):
    if x is None and y is None:
        return op("Where")(condition, name=name)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    return op("SelectV2")(condition, x, y, name=name)


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    """The elements along the mask's axes where it is true."""
    t, m = convert_to_tensor(tensor), convert_to_tensor(mask)
    axis = 0 if axis is None else axis
    n = m.shape.rank
    if n is None or n == 0:
        raise ValueError("mask cannot be scalar.")
    t.shape[axis : axis + n].assert_is_compatible_with(m.shape)
    dims = t.shape.as_list() if t.shape.is_fully_defined() else None
    before = (dims or [])[:axis]
    lead = before + [-1] + (dims[axis + n :] if dims else [])
    if dims is None:
        s = shape(t)
        lead = concat([s[:axis], [-1], s[axis + n :]], 0)
    flat = reshape(t, lead)
    return gather(flat, squeeze(where(reshape(m, [-1])), [1]), axis=axis)


def stop_gradient(input, name=None):
    return op("StopGradient")(input, name=name)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    d = dtypes.as_dtype(dtype or dtypes.float32)
    on = convert_to_tensor(True if d.is_bool else 1, d) if on_value is None else convert_to_tensor(on_value, dtype)
    off = convert_to_tensor(False if d.is_bool else 0, d) if off_value is None else convert_to_tensor(off_value, dtype)
    return op("OneHot")(indices, depth, on, off, axis=-1 if axis is None else axis, name=name)
