"""Functions of elements, reductions, products of matrices."""

from __future__ import annotations

import builtins

from ..core import dtypes, tensor, variables
from ..core.op_defs import op
from . import array_ops
from .array_ops import cast, convert_to_tensor

Tensor = tensor.Tensor


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return op("Maximum")(op("Minimum")(t, clip_value_max), clip_value_min, name=name)


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
    """Products of the matrices in the last two axes."""
    a = convert_to_tensor(a)
    b = convert_to_tensor(b, a.dtype)
    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("Only one of `transpose_a` and `adjoint_a` can be True.")
    if a.shape.rank == 2 and b.shape.rank == 2 and not (a.dtype.is_complex and (adjoint_a or adjoint_b)):
        return op("MatMul")(a, b, transpose_a=transpose_a or adjoint_a, transpose_b=transpose_b or adjoint_b, name=name)
    if transpose_a and a.dtype.is_complex:
        a, transpose_a = op("Conj")(a), True
    if transpose_b and b.dtype.is_complex:
        b, transpose_b = op("Conj")(b), True
    return op("BatchMatMulV2")(a, b, adj_x=transpose_a or adjoint_a, adj_y=transpose_b or adjoint_b, name=name)


def _axes(x, axis):
    if axis is not None:
        return axis
    n = x.shape.rank
    return (
        convert_to_tensor(list(builtins.range(n)), dtypes.as_dtype("int32"))
        if n is not None
        else op("Range")(0, array_ops.rank(x), 1)
    )


def _reduction(name, doc):
    def reduce(input_tensor, axis=None, keepdims=False, name=None):
        x = convert_to_tensor(input_tensor)
        return op(name_of_op)(x, _axes(x, axis), keep_dims=keepdims, name=name)

    name_of_op = name
    reduce.__doc__ = doc
    return reduce


reduce_sum = _reduction("Sum", "Sums over the axes; over all when there are none.")
reduce_mean = _reduction("Mean", "Means over the axes; over all when there are none.")
reduce_max = _reduction("Max", "Largest elements over the axes.")
reduce_min = _reduction("Min", "Least elements over the axes.")
reduce_prod = _reduction("Prod", "Products over the axes.")
reduce_all = _reduction("All", "Whether all are true.")
reduce_any = _reduction("Any", "Whether any is true.")


def argmax(input, axis=None, output_type=None, name=None):
    return op("ArgMax")(
        input, 0 if axis is None else axis, output_type=output_type or dtypes.as_dtype("int64"), name=name
    )


def argmin(input, axis=None, output_type=None, name=None):
    return op("ArgMin")(
        input, 0 if axis is None else axis, output_type=output_type or dtypes.as_dtype("int64"), name=name
    )


def range(start, limit=None, delta=1, dtype=None, name="range"):  # noqa: A001
    """start, start + delta ... below limit; range(n) begins at 0."""
    if limit is None:
        start, limit = 0, start
    values = [v if isinstance(v, Tensor) else convert_to_tensor(v, dtype) for v in (start, limit, delta)]
    if dtype is None:
        order = ["int32", "int64", "bfloat16", "float32", "float64"]
        dtype = max((v.dtype for v in values), key=lambda d: order.index(d.name) if d.name in order else -1)
    return op("Range")(*(cast(v, dtype) for v in values), name=name)


def unary(name):
    """A function of one tensor that is an op by itself."""

    def apply(x, name=None):
        return op(op_name)(convert_to_tensor(x), name=name)

    op_name = name
    return apply


def binary(name):
    """A function of two tensors that is an op by itself."""

    def apply(x, y, name=None):
        if isinstance(x, (Tensor, variables.Variable)) or not isinstance(y, (Tensor, variables.Variable)):
            x = convert_to_tensor(x)
            y = convert_to_tensor(y, x.dtype)
        else:
            y = convert_to_tensor(y)
            x = convert_to_tensor(x, y.dtype)
        return op(op_name)(x, y, name=name)

    op_name = name
    return apply


# Functions that are one op by themselves.
_UNARY = {
    "abs": "Abs",
    "acos": "Acos",
    "acosh": "Acosh",
    "asin": "Asin",
    "asinh": "Asinh",
    "atan": "Atan",
    "atanh": "Atanh",
    "ceil": "Ceil",
    "cos": "Cos",
    "cosh": "Cosh",
    "digamma": "Digamma",
    "erf": "Erf",
    "erfc": "Erfc",
    "exp": "Exp",
    "expm1": "Expm1",
    "floor": "Floor",
    "is_finite": "IsFinite",
    "is_inf": "IsInf",
    "is_nan": "IsNan",
    "lgamma": "Lgamma",
    "log": "Log",
    "log1p": "Log1p",
    "logical_not": "LogicalNot",
    "negative": "Neg",
    "reciprocal": "Reciprocal",
    "rint": "Rint",
    "rsqrt": "Rsqrt",
    "round": "Round",
    "sigmoid": "Sigmoid",
    "sign": "Sign",
    "sin": "Sin",
    "sinh": "Sinh",
    "sqrt": "Sqrt",
    "square": "Square",
    "tan": "Tan",
    "tanh": "Tanh",
}
_BINARY = {
    "add": "AddV2",
    "atan2": "Atan2",
    "divide": "RealDiv",
    "divide_no_nan": "DivNoNan",
    "equal": "Equal",
    "floordiv": "FloorDiv",
    "floormod": "FloorMod",
    "greater": "Greater",
    "greater_equal": "GreaterEqual",
    "igamma": "Igamma",
    "igammac": "Igammac",
    "less": "Less",
    "less_equal": "LessEqual",
    "logical_and": "LogicalAnd",
    "logical_or": "LogicalOr",
    "maximum": "Maximum",
    "minimum": "Minimum",
    "multiply": "Mul",
    "multiply_no_nan": "MulNoNan",
    "not_equal": "NotEqual",
    "polygamma": "Polygamma",
    "pow": "Pow",
    "squared_difference": "SquaredDifference",
    "subtract": "Sub",
    "truediv": "RealDiv",
    "xdivy": "Xdivy",
    "xlogy": "Xlogy",
    "zeta": "Zeta",
}
for _table, _make in ((_UNARY, unary), (_BINARY, binary)):
    for _name, _op in _table.items():
        _made = globals()[_name] = _make(_op)
        _made.__name__ = _made.__qualname__ = _name
