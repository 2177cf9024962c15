"""Functions of elements, reductions, cumulative sums, products of matrices."""

from __future__ import annotations

import builtins

import numpy as np

from ..core import dtypes, errors, graph, tensor, tensor_shape
from ..core.op_defs import op, pair
from ..core.scopes import in_scope, name_scope_v1
from . import array_ops, elementwise_ops
from .array_ops import cast, convert_to_tensor
from .elementwise_ops import both as _both
from .elementwise_ops import named

Tensor = tensor.Tensor
_int64 = dtypes.as_dtype("int64")
globals().update({_name: getattr(elementwise_ops, _name) for _name in elementwise_ops.NAMES})


# ---- products of matrices


def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
):
    """Products of the matrices in the last two axes; the axes before them broadcast.

    a_is_sparse and b_is_sparse say that many elements are zero. output_type: int32 for products of int8 matrices.
    """
    plain = not (transpose_a or transpose_b or adjoint_a or adjoint_b or a_is_sparse or b_is_sparse or grad_a or grad_b)
    if plain and output_type is None and type(a) is type(b) is tensor.EagerTensor and a.ndim == b.ndim == 2:
        try:
            return op("MatMul")(a, b, name=name)
        except errors.OpError as error:
            raise tensor.told(error, "")
    if transpose_a and adjoint_a:
        raise ValueError(
            f"Only one of `transpose_a` and `adjoint_a` can be True. Received `transpose_a`={transpose_a}, `adjoint_a`={adjoint_a}."
        )
    if transpose_b and adjoint_b:
        raise ValueError(
            f"Only one of `transpose_b` and `adjoint_b` can be True. Received `transpose_b`={transpose_b}, `adjoint_b`={adjoint_b}."
        )
    if graph.current() is not None and not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        with name_scope_v1(name, "MatMul") as name:
            a, b = _matrices(a, b)
    a, b = tensor.both(a, b, "MatMul", lenient=True)
    matrices = (
        a.shape.rank in (None, 2) and b.shape.rank in (None, 2) and not (a.shape.rank is None and b.shape.rank is None)
    )
    if output_type is not None and (dtypes.as_dtype(output_type) != a.dtype or a.dtype != b.dtype):
        return _batch_matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, grad_a, grad_b, name, output_type)
    kinds = {a.dtype.name, b.dtype.name}
    if (a_is_sparse or b_is_sparse or len(kinds) == 2) and matrices and kinds <= {"bfloat16", "float32"}:
        made = op("SparseMatMul")(
            a,
            b,
            transpose_a=transpose_a or adjoint_a,
            transpose_b=transpose_b or adjoint_b,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
            name=name,
        )
        return cast(made, "bfloat16") if a.dtype.name == b.dtype.name == "bfloat16" else made
    if not any(t.shape.rank is None or t.shape.rank > 2 for t in (a, b)):
        tensor.check_types("MatMul", a, b)
        a, transpose_a = (op("Conj")(a), True) if adjoint_a and a.dtype.is_complex else (a, transpose_a or adjoint_a)
        b, transpose_b = (op("Conj")(b), True) if adjoint_b and b.dtype.is_complex else (b, transpose_b or adjoint_b)
        return op("MatMul")(
            a, b, transpose_a=transpose_a, transpose_b=transpose_b, grad_a=grad_a, grad_b=grad_b, name=name
        )
    return _batch_matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, grad_a, grad_b, name)


def _matrices(a, b):
    """Lists and arrays as constants, or packed, below the node's name; other values as they are."""
    plain = (list, tuple, np.ndarray)
    if isinstance(a, plain):
        a = convert_to_tensor(a, b.dtype.base_dtype if isinstance(b, Tensor) else None, name="a")
    if isinstance(b, plain):
        b = convert_to_tensor(b, a.dtype.base_dtype if isinstance(a, Tensor) else None, name="b")
    return a, b


def _batch_matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, grad_a, grad_b, name, output_type=None):
    """The op takes adjoints: what is transposed only is conjugated before."""
    a = op("Conj")(a) if transpose_a and a.dtype.is_complex else a
    b = op("Conj")(b) if transpose_b and b.dtype.is_complex else b
    flags = {
        "adj_x": bool(transpose_a or adjoint_a),
        "adj_y": bool(transpose_b or adjoint_b),
        "grad_x": grad_a,
        "grad_y": grad_b,
    }
    if output_type is not None:
        return op("BatchMatMulV3")(a, b, Tout=output_type, name=name, **flags)
    return op("BatchMatMulV2")(a, b, name=name, **flags)


def sparse_matmul(a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """The product of two matrices of which many elements are zero, as float32."""
    return op("SparseMatMul")(
        a,
        b,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
        a_is_sparse=a_is_sparse,
        b_is_sparse=b_is_sparse,
        name=name,
    )


@in_scope("MatVec", names_last=False)
def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    """Products of the matrices in the last two axes of a with the vectors in the last axis of b."""
    a = convert_to_tensor(a, name="a")
    column = array_ops.expand_dims(convert_to_tensor(b, dtype_hint=a.dtype, name="b"), -1)
    made = matmul(a, column, transpose_a, False, adjoint_a, False, a_is_sparse, b_is_sparse)
    return array_ops.squeeze(made, [-1])


# ---- reductions


def _axes(x, axis):
    if axis is not None:
        return axis
    n = x.shape.rank
    if n is not None:
        return convert_to_tensor(list(builtins.range(n)), "int32")
    return op("Range")(0, array_ops.rank(x), 1)


def _reduce(op_name, x, axis, keepdims, name):
    t = convert_to_tensor(x, "bool" if op_name in ("All", "Any") else None)
    try:
        made = op(op_name)(t, _axes(t, axis), keep_dims=bool(keepdims), name=name)
    except errors.OpError as error:
        raise tensor.told(error, name, x, axis)
    if axis is None and not keepdims and made.shape.rank is None:
        made.set_shape([])
    return made


def _old_axes(axis, reduction_indices, keepdims, keep_dims):
    """(axis, keepdims) of a call that may have used TensorFlow 1's older names for them."""
    axis = array_ops._one_of("axis", axis, "reduction_indices", reduction_indices)
    return axis, bool(array_ops._one_of("keepdims", keepdims, "keep_dims", keep_dims))


def _reduction(op_name, name, doc):
    def reduce(input_tensor, axis=None, keepdims=False, name=None):
        return _reduce(op_name, input_tensor, axis, keepdims, name)

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = doc + " over the axes (one, a list; all when there are none). keepdims: they stay, of size one."
    return reduce


def _with_old_names(reduce):
    """A reduction as TensorFlow 1 has it."""

    def old(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, keep_dims=None):
        axis, keepdims = _old_axes(axis, reduction_indices, keepdims, keep_dims)
        return reduce(input_tensor, axis, keepdims, name)

    old.__name__ = old.__qualname__ = reduce.__name__
    old.__doc__ = reduce.__doc__ + " reduction_indices and keep_dims are older names."
    return old


reduce_sum = _reduction("Sum", "reduce_sum", "Sums")
reduce_mean = _reduction("Mean", "reduce_mean", "Means")
reduce_max = _reduction("Max", "reduce_max", "The largest elements")
reduce_min = _reduction("Min", "reduce_min", "The least elements")
reduce_prod = _reduction("Prod", "reduce_prod", "Products")
reduce_all = _reduction("All", "reduce_all", "Whether all are true")
reduce_any = _reduction("Any", "reduce_any", "Whether any is true")
reduce_euclidean_norm = _reduction("EuclideanNorm", "reduce_euclidean_norm", "Square roots of the sums of squares")


@in_scope("ReduceLogSumExp")
def reduce_logsumexp(input_tensor, axis=None, keepdims=False, name=None):
    """log(sum(exp(x))) over the axes, computed so that nothing overflows."""
    x = convert_to_tensor(input_tensor)
    largest = reduce_max(x, axis, keepdims=True)
    shift = op("StopGradient")(op("SelectV2")(op("IsFinite")(largest), largest, 0.0))
    made = op("Log")(reduce_sum(op("Exp")(op("Sub")(x, shift)), axis, keepdims))
    return op("AddV2")(made, shift if keepdims else array_ops.reshape(shift, op("Shape")(made)), name=name)


@in_scope("reduce_variance", names_last=False)
def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """Means of the squared distances from the mean, over the axes. Of complex numbers they are real."""
    x = convert_to_tensor(input_tensor)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    off = op("Sub")(x, reduce_mean(x, axis, keepdims=True), name="sub")
    if x.dtype.is_complex:
        squares = op("Real")(op("Mul")(op("Conj")(off), off, name="mul"), Tout=x.dtype.real_dtype)
    else:
        squares = op("Square")(off)
    return reduce_mean(squares, axis, keepdims, name)


@in_scope("reduce_std", names_last=False)
def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """Square roots of the variances over the axes."""
    return op("Sqrt")(reduce_variance(input_tensor, axis, keepdims), name=name)


(
    reduce_sum_v1,
    reduce_mean_v1,
    reduce_max_v1,
    reduce_min_v1,
    reduce_prod_v1,
    reduce_all_v1,
    reduce_any_v1,
    reduce_logsumexp_v1,
) = (
    _with_old_names(f)
    for f in (reduce_sum, reduce_mean, reduce_max, reduce_min, reduce_prod, reduce_all, reduce_any, reduce_logsumexp)
)


@in_scope("count_nonzero", names_last=False)
def count_nonzero(input, axis=None, keepdims=None, dtype=_int64, name=None):
    """How many elements are not zero (of texts: not empty), over the axes."""
    x = convert_to_tensor(input, name="input")
    if not x.dtype.is_bool:
        x = op("NotEqual")(x, convert_to_tensor("" if x.dtype.name == "string" else 0, x.dtype, name="zeros"))
    return cast(reduce_sum(cast(x, _int64), axis, bool(keepdims)), dtype, name=name)


def count_nonzero_v1(
    input_tensor=None,
    axis=None,
    keepdims=None,
    dtype=_int64,
    name=None,
    reduction_indices=None,
    keep_dims=None,
    input=None,
):
    axis, keepdims = _old_axes(axis, reduction_indices, keepdims, keep_dims)
    return count_nonzero(array_ops._one_of("input", input, "input_tensor", input_tensor), axis, keepdims, dtype, name)


@in_scope("zero_fraction", names_last=False)
def zero_fraction(value, name=None):
    """Which part of the elements is zero, float32."""
    x = convert_to_tensor(value, name="value")
    nonzero = cast(count_nonzero(x), "float32")
    total = cast(array_ops.size(x, _int64), "float32")
    return op("RealDiv")(op("Sub")(total, nonzero, name="sub"), total, name="fraction")


def argmax(input, axis=None, output_type=_int64, name=None):
    """The index of the largest element along the axis, the first one unless another is named."""
    return op("ArgMax")(input, 0 if axis is None else axis, output_type=output_type, name=name)


def argmin(input, axis=None, output_type=_int64, name=None):
    """The index of the least element along the axis, the first one unless another is named."""
    return op("ArgMin")(input, 0 if axis is None else axis, output_type=output_type, name=name)


def argmax_v1(input, axis=None, name=None, dimension=None, output_type=_int64):
    return argmax(input, array_ops._one_of("axis", axis, "dimension", dimension), output_type, name)


def argmin_v1(input, axis=None, name=None, dimension=None, output_type=_int64):
    return argmin(input, array_ops._one_of("axis", axis, "dimension", dimension), output_type, name)


def arg_max(input, dimension, output_type=_int64, name=None):
    return argmax(input, dimension, output_type, name)


def arg_min(input, dimension, output_type=_int64, name=None):
    return argmin(input, dimension, output_type, name)


# ---- along an axis


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """Sums of the elements up to each along an axis; exclusive: without itself; reverse: from the end."""
    return op("Cumsum")(x, axis, exclusive=exclusive, reverse=reverse, name=name)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    """Products of the elements up to each along an axis; exclusive: without itself; reverse: from the end."""
    return op("Cumprod")(x, axis, exclusive=exclusive, reverse=reverse, name=name)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """log(cumsum(exp(x))), computed so that nothing overflows."""
    return op("CumulativeLogsumexp")(x, axis, exclusive=exclusive, reverse=reverse, name=name)


_RANGE_ORDER = ["int32", "int64", "float32", "float64"]


def range(start, limit=None, delta=1, dtype=None, name="range"):  # noqa: A001
    """start, start + delta ... below limit; range(n) begins at 0. The type is the widest of the arguments' unless named."""
    if limit is None:
        start, limit = 0, start
    if dtype is None and type(start) is type(limit) is type(delta) is int and graph.current() is None:
        if builtins.all(-(2**31) <= v < 2**31 for v in (start, limit, delta)):
            return op("Range")(start, limit, delta)
    return _range_of_tensors(start, limit, delta, dtype, name=name)


@in_scope("range")
def _range_of_tensors(start, limit, delta, dtype, name=None):
    named = zip((start, limit, delta), ("start", "limit", "delta"))
    values = [v if isinstance(v, Tensor) else convert_to_tensor(v, dtype, name=n) for v, n in named]
    if dtype is None:
        names = [v.dtype.name for v in values]
        others = [n for n in names if n not in _RANGE_ORDER]
        dtype = others[0] if others else builtins.max(names, key=_RANGE_ORDER.index)
    return op("Range")(*(cast(v, dtype) for v in values), name=name)


@in_scope("linspace", names_last=False)
def linspace(start, stop, num, name=None, axis=0):
    """num values from start to stop, equally far from each other, along a new axis when start and stop have axes; none for 0."""
    start = convert_to_tensor(start, name="start")
    stop = convert_to_tensor(stop, start.dtype, name="stop")
    name = None if graph.current() is None else "Slice"
    n = cast(convert_to_tensor(num, name="num"), "int32")
    if start.dtype.is_integer:
        start, stop = cast(start, "float64"), cast(stop, "float64")
    has_kernel = start.dtype in ("float32", "float64")
    if has_kernel and start.shape.rank == 0 and stop.shape.rank == 0 and axis in (0, -1):
        if isinstance(num, int) and num != 0:
            return op("LinSpace")(start, stop, n, name=name)
        return _up_to(n, start, stop, name)
    whole = array_ops.broadcast_dynamic_shape(array_ops.shape(start), array_ops.shape(stop))
    start, stop = array_ops.broadcast_to(start, whole), array_ops.broadcast_to(stop, whole)
    axis = axis + 1 + array_ops.rank(start) if axis < 0 else axis
    steps = _up_to(n, convert_to_tensor(0.0, "float64"), convert_to_tensor(1.0, "float64"))
    rank = array_ops.rank(start)
    column = array_ops.concat(
        [array_ops.reshape(n, [1]), array_ops.ones(array_ops.expand_dims(rank - axis, 0), "int32")], 0
    )
    steps = cast(array_ops.reshape(steps, column), start.dtype)
    first, last = array_ops.expand_dims(start, axis), array_ops.expand_dims(stop, axis)
    inner = op("AddV2")(first, op("Mul")(op("Sub")(last, first), steps))
    # The ends as they are, also infinite ones; of one value it is the start.
    inner = op("SelectV2")(op("Equal")(steps, convert_to_tensor(1, start.dtype)), last, inner)
    return op("SelectV2")(op("Equal")(steps, convert_to_tensor(0, start.dtype)), first, inner, name=name)


def _up_to(n, start, stop, name=None):
    """n values from one scalar to another; the op makes one at least."""
    made = op("LinSpace")(start, stop, op("AddV2")(n, cast(op("Equal")(n, 0), "int32")))
    return op("Slice")(made, [0], array_ops.reshape(n, [1]), name=name) if name else made[:n]


def add_n(inputs, name=None):
    """The sum of tensors of one shape and type."""
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not values or not isinstance(inputs, (list, tuple, Tensor)):
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    if len(values) == 1:
        return array_ops.identity(values[0], name=name) if name else convert_to_tensor(values[0])
    try:
        return op("AddN")([convert_to_tensor(v) for v in values], name=name)
    except tensor.NotATensor:
        raise
    except TypeError as e:
        raise ValueError(
            f"Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape. {e}"
        ) from None


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """The same as add_n. shape and tensor_dtype: what the inputs have to have; ValueError or TypeError when they do not."""
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape.")
    values = [convert_to_tensor(v) for v in inputs]
    if any(v.dtype != values[0].dtype for v in values):
        raise ValueError("inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape.")
    wanted = tensor_shape.as_shape(shape)
    for v in values:
        wanted = wanted.merge_with(v.shape)
    if tensor_dtype is not None and tensor_dtype != values[0].dtype:
        raise TypeError(
            f"The `tensor_dtype` argument is {tensor_dtype}, but `input` is of type {values[0].dtype}. These must be equal. Try casting the input to the desired type."
        )
    return array_ops.identity(values[0], name=name) if len(values) == 1 else op("AddN")(values, name=name)


# ---- functions of elements


def abs(x, name=None):  # noqa: A001
    """Absolute values; of complex numbers they are real."""
    x = convert_to_tensor(x)
    return op("ComplexAbs")(x, Tout=x.dtype.real_dtype, name=name) if x.dtype.is_complex else op("Abs")(x, name=name)


def round(x, name=None):  # noqa: A001
    """The nearest whole numbers; of two that are as near the even one."""
    x = convert_to_tensor(x)
    return x if x.dtype.is_integer else op("Round")(x, name=name)


def complex(real, imag, name=None):  # noqa: A001
    """Complex numbers of their parts, which are both float32 or both float64."""
    real = convert_to_tensor(real)
    imag = convert_to_tensor(imag)
    kinds = {"float64": "complex128", "float32": "complex64"}
    if real.dtype != imag.dtype or real.dtype.name not in kinds:
        raise TypeError(
            "The `real` and `imag` components have incorrect types: "
            f"{real.dtype.name} {imag.dtype.name}. They must be consistent, and one of {[dtypes.float32, dtypes.float64]}"
        )
    return op("Complex")(real, imag, Tout=kinds[real.dtype.name], name=name)


def real(input, name=None):
    """The real parts; a real tensor is given as it is."""
    x = convert_to_tensor(input)
    if not x.dtype.is_complex:
        if not x.dtype.is_numeric:
            raise TypeError(f"input must be a numeric tensor, but got tensor with dtype {x.dtype}")
        return x
    return op("Real")(x, Tout=x.dtype.real_dtype, name=name)


def imag(input, name=None):
    """The imaginary parts: zeros of a real tensor."""
    x = convert_to_tensor(input)
    return op("Imag")(x, Tout=x.dtype.real_dtype, name=name) if x.dtype.is_complex else array_ops.zeros_like(x)


def angle(input, name=None):
    """The arguments of complex numbers, in radians; of real ones 0, or pi below zero."""
    x = convert_to_tensor(input)
    if x.dtype.is_complex:
        return op("Angle")(x, Tout=x.dtype.real_dtype, name=name)
    below = op("Less")(x, convert_to_tensor(0, x.dtype))
    return op("SelectV2")(below, convert_to_tensor(np.pi, x.dtype), convert_to_tensor(0, x.dtype), name=name)


def conj(x, name=None):
    """Complex conjugates; a real tensor is given as it is."""
    x = convert_to_tensor(x)
    if x.dtype.is_complex or x.dtype.name == "variant":
        return op("Conj")(x, name=name)
    if not x.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}.")
    return x


def logical_xor(x, y, name="LogicalXor"):
    """Whether one of both is true, and not the other."""
    x, y = _both(x, y)
    return op("LogicalAnd")(op("LogicalOr")(x, y), op("LogicalNot")(op("LogicalAnd")(x, y)), name=name)


def scalar_mul(scalar, x, name=None):
    """The tensor times a scalar; IndexedSlices stay such."""
    dtype = x.dtype.base_dtype if hasattr(x, "dtype") and hasattr(x.dtype, "base_dtype") else None
    if dtype is None and not hasattr(x, "_type_spec"):
        x = convert_to_tensor(x)
        dtype = x.dtype
    scalar = convert_to_tensor(scalar, dtype)
    if scalar.shape.rank not in (None, 0):
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {scalar.shape}.")
    if hasattr(x, "dense_shape") and hasattr(x, "values") and not isinstance(x, Tensor):
        return type(x)(op("Mul")(scalar, x.values, name=name), x.indices, x.dense_shape)
    return op("Mul")(scalar, convert_to_tensor(x, scalar.dtype), name=name)


def divide(x, y, name=None):
    """x / y as Python has it: of whole numbers float64 quotients, float32 of those of one or two bytes."""
    return truediv(x, y, name)


@in_scope("truediv")
def truediv(x, y, name=None):
    """x / y as Python has it: of whole numbers float64 quotients, float32 of those of one or two bytes."""
    made = pair("RealDiv")(x, y) if type(x) is tensor.EagerTensor and x.dtype.is_floating else None
    if made is not None:
        return made
    x, y = _both(x, y, "RealDiv")
    _check_quotient(x)
    if x.dtype.is_integer:
        wide = "float32" if x.dtype.size <= 2 else "float64"
        x, y = cast(x, wide), cast(y, wide)
    try:
        return op("RealDiv")(x, y, name=name)
    except errors.OpError as error:
        raise tensor.told(error, "")


def divide_no_nan(x, y, name=None):
    """x / y, and 0 where y is 0. Of whole numbers float64 quotients, float32 of those of one or two bytes."""
    made = pair("DivNoNan")(x, y) if type(x) is tensor.EagerTensor and x.dtype.is_floating else None
    if made is not None:
        return made
    if isinstance(y, Tensor) and not isinstance(x, Tensor):
        x = convert_to_tensor(x, dtype_hint=y.dtype.base_dtype, name="x")
    x = convert_to_tensor(x, name="x")
    y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
    if x.dtype.base_dtype != y.dtype.base_dtype:
        raise TypeError(f"`x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}.")
    _check_quotient(x)
    if x.dtype.is_integer:
        wide = "float32" if x.dtype.size <= 2 else "float64"
        x, y = cast(x, wide), cast(y, wide)
    return op("DivNoNan")(x, y, name=name or "div_no_nan")


def _check_quotient(x):
    if x.dtype.base_dtype.name not in tensor.QUOTIENTS:
        raise TypeError(
            f"Invalid dtype {x.dtype!r} in __truediv__. Expected one of {{{', '.join('tf.' + n for n in tensor.QUOTIENTS)}}}."
        )


@in_scope("div")
def div(x, y, name=None):
    """x / y as Python 2 had it: of whole numbers the quotient rounded down."""
    x, y = _both(x, y)
    return op("FloorDiv" if x.dtype.is_integer else "RealDiv")(x, y, name=name)


def add(x, y, name=None):
    """Sums of elements; of texts one after the other."""
    made = pair("AddV2")(x, y)
    if made is not None:
        return made
    if tensor.names_constants(x, y):
        return op("AddV2")(x, y, name=name or "Add")
    x, y = _both(x, y, "AddV2")
    try:
        return op("Add" if x.dtype.name == "string" else "AddV2")(x, y, name=name or "Add")
    except errors.OpError as error:
        raise tensor.told(error, "")


def _comparison(op_name, name, doc):
    """A function that tells of each pair of elements, of values that become one type."""

    def apply(x, y, name=None):
        try:
            made = pair(op_name)(x, y)
            if made is not None:
                return made
            return op(op_name)(*((x, y) if tensor.names_constants(x, y) else _both(x, y, op_name)), name=name)
        except errors.OpError as error:
            raise tensor.told(error, name, x, y)

    return named(apply, name, doc)


equal = _comparison("Equal", "equal", "Whether elements are equal.")
not_equal = _comparison("NotEqual", "not_equal", "Whether elements differ.")


def reciprocal_no_nan(x, name=None):
    """1 / x, and 0 where x is 0."""
    x = convert_to_tensor(x)
    return op("DivNoNan")(convert_to_tensor(1, x.dtype), x, name=name)


def atan2(y, x, name=None):
    """The angles of the points (x, y), in radians, from -pi to pi."""
    return op("Atan2")(*_both(y, x, "Atan2"), name=name)


def igamma(a, x, name=None):
    """The lower regularised incomplete gamma function: the part of gamma(a) that the integral up to x has."""
    return op("Igamma")(*_both(a, x, "Igamma"), name=name)


def igammac(a, x, name=None):
    """The upper regularised incomplete gamma function, 1 - igamma(a, x)."""
    return op("Igammac")(*_both(a, x, "Igammac"), name=name)


def betainc(a, b, x, name=None):
    """The regularised incomplete beta function: the part of beta(a, b) that the integral up to x has."""
    return op("Betainc")(a, b, x, name=name)


def polygamma(a, x, name=None):
    """The a-th derivative of digamma at x."""
    return op("Polygamma")(*_both(a, x, "Polygamma"), name=name)


def zeta(x, q, name=None):
    """The Hurwitz zeta function: the sum of (q + n) ** -x over n = 0, 1 ..."""
    return op("Zeta")(*_both(x, q, "Zeta"), name=name)


def erfcinv(x, name=None):
    """The inverse of erfc."""
    x = convert_to_tensor(x)
    return op("Mul")(
        op("Ndtri")(op("Mul")(x, convert_to_tensor(0.5, x.dtype))), convert_to_tensor(-np.sqrt(0.5), x.dtype), name=name
    )


def xlog1py(x, y, name=None):
    """x * log1p(y), and 0 where x is 0."""
    return op("Xlog1py")(*_both(x, y, "Xlog1py"), name=name)


def nextafter(x1, x2, name=None):
    """The next number that the type has after x1 towards x2."""
    return op("NextAfter")(x1, x2, name=name)


def log_sigmoid(x, name=None):
    """log(sigmoid(x)), computed so that nothing overflows."""
    if graph.current() is None:
        return op("Neg")(op("Softplus")(op("Neg")(x)))
    return _log_sigmoid(x, name)


@in_scope("LogSigmoid")
def _log_sigmoid(x, name):
    return op("Neg")(op("Softplus")(op("Neg")(convert_to_tensor(x))), name=name)


@in_scope("polyval", names_last=False)
def polyval(coeffs, x, name=None):
    """The polynomial with these coefficients, a list that begins with the highest power, at x."""
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = convert_to_tensor(x, name="x")
    if not coeffs:
        return array_ops.zeros_like(x)
    made, *others = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
    for c in others:
        made = op("AddV2")(c, op("Mul")(made, x, name="mul"), name="add")
    return made
