"""tf.experimental.numpy: functions of elements, reductions, products, sequences. Operands of several types become numpy's type
for them together; functions that need fractions make float64 of whole numbers."""

from __future__ import annotations

import builtins
import math

import numpy as np

from ..core import dtypes, tensor
from ..core.op_defs import op
from . import array_ops, indexing_ops, math_ops, numpy_arrays, numpy_types, special_math_ops
from .array_ops import cast, convert_to_tensor
from .numpy_arrays import asarray, joined, promoted, ravel

Tensor = tensor.Tensor
range_ = builtins.range


def _number(value, like):
    return convert_to_tensor(np.asarray(value).astype(like.dtype.as_numpy_dtype), like.dtype)


def _as_float(x):
    return x if numpy_types.is_inexact(x.dtype) else cast(x, numpy_types.default_float())


def _floats(*values):
    return [_as_float(v) for v in promoted(*values)]


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


# ---- functions of one array

# name -> (function of a tensor, whether whole numbers become floating point ones before)
_UNARY = {
    "abs": (math_ops.abs, False),
    "absolute": (math_ops.abs, False),
    "fabs": (math_ops.abs, False),
    "negative": (math_ops.negative, False),
    "positive": (lambda x: x, False),
    "square": (math_ops.square, False),
    "conjugate": (math_ops.conj, False),
    "conj": (math_ops.conj, False),
    "sign": (math_ops.sign, False),
    "ceil": (math_ops.ceil, True),
    "floor": (math_ops.floor, True),
    "sqrt": (math_ops.sqrt, True),
    "exp": (math_ops.exp, True),
    "expm1": (math_ops.expm1, True),
    "exp2": (lambda x: op("Pow")(_number(2, x), x), True),
    "log": (math_ops.log, True),
    "log1p": (math_ops.log1p, True),
    "log2": (lambda x: op("RealDiv")(op("Log")(x), _number(math.log(2), x)), True),
    "log10": (lambda x: op("RealDiv")(op("Log")(x), _number(math.log(10), x)), True),
    "reciprocal": (lambda x: op("RealDiv")(_number(1, x), x), True),
    "sin": (math_ops.sin, True),
    "cos": (math_ops.cos, True),
    "tan": (math_ops.tan, True),
    "sinh": (math_ops.sinh, True),
    "cosh": (math_ops.cosh, True),
    "tanh": (math_ops.tanh, True),
    "arcsin": (math_ops.asin, True),
    "arccos": (math_ops.acos, True),
    "arctan": (math_ops.atan, True),
    "arcsinh": (math_ops.asinh, True),
    "arccosh": (math_ops.acosh, True),
    "arctanh": (math_ops.atanh, True),
    "deg2rad": (lambda x: op("Mul")(x, _number(math.pi / 180, x)), True),
    "rad2deg": (lambda x: op("Mul")(x, _number(180 / math.pi, x)), True),
    "cbrt": (lambda x: op("Mul")(op("Sign")(x), op("Pow")(op("Abs")(x), _number(1 / 3, x))), True),
    "fix": (lambda x: op("SelectV2")(op("Less")(x, _number(0, x)), op("Ceil")(x), op("Floor")(x)), True),
    "isnan": (math_ops.is_nan, True),
    "isinf": (math_ops.is_inf, True),
    "isfinite": (math_ops.is_finite, True),
}


def _unary(function, wants_float):
    def apply(x):
        x = asarray(x)
        return function(_as_float(x) if wants_float else x)

    return apply


for _name, (_function, _wants_float) in _UNARY.items():
    globals()[_name] = _named(_unary(_function, _wants_float), _name, f"numpy's {_name} of the elements.")


def sign(x, out=None, where=None, **kwargs):
    """-1, 0 or 1 by element; of complex numbers x / |x|."""
    if out is not None or where is not None or kwargs:
        raise ValueError("tf.numpy doesn't support setting out, where or others in sign")
    return op("Sign")(asarray(x))


def sinc(x):
    """sin(pi x) / (pi x), and 1 at 0."""
    x = _as_float(asarray(x))
    angle_ = op("Mul")(x, _number(math.pi, x))
    zero = op("Equal")(angle_, _number(0, x))
    safe = op("SelectV2")(zero, _number(1, x), angle_)
    return op("SelectV2")(zero, _number(1, x), op("RealDiv")(op("Sin")(safe), safe))


def real(val):
    """The real parts."""
    return math_ops.real(asarray(val))


def imag(val):
    """The imaginary parts."""
    return math_ops.imag(asarray(val))


def angle(z, deg=False):
    """The arguments of complex numbers, in radians; deg: in degrees."""
    made = math_ops.angle(_as_float(asarray(z)))
    return op("Mul")(made, _number(180 / math.pi, made)) if deg else made


def isreal(x):
    """Whether the imaginary part is zero."""
    part = imag(x)
    return op("Equal")(part, _number(0, part))


def iscomplex(x):
    """Whether the imaginary part is not zero."""
    part = imag(x)
    return op("NotEqual")(part, _number(0, part))


def isrealobj(x):
    """Whether the type is not complex."""
    return not iscomplexobj(x)


def iscomplexobj(x):
    """Whether the type is complex."""
    return asarray(x).dtype.is_complex


def isposinf(x):
    """Whether it is plus infinity."""
    x = _as_float(asarray(x))
    return op("Equal")(x, _number(np.inf, x))


def isneginf(x):
    """Whether it is minus infinity."""
    x = _as_float(asarray(x))
    return op("Equal")(x, _number(-np.inf, x))


def signbit(x):
    """Whether the sign is minus, of -0.0, too."""
    x = asarray(x)
    if x.dtype.is_bool:
        return array_ops.zeros_like(x)
    if not x.dtype.is_floating:
        return op("Less")(x, _number(0, x))
    bits = {2: "int16", 4: "int32", 8: "int64"}[x.dtype.size]
    raw = op("Bitcast")(x, type=bits)
    return op("Less")(raw, _number(0, raw))


def around(a, decimals=0):
    """Rounded to so many decimals; of two that are as near the even one."""
    a = asarray(a)
    x = _as_float(a)
    if decimals == 0:
        return cast(op("Round")(x), a.dtype)
    # A whole factor is exact, a tenth is not.
    factor = _number(10 ** builtins.abs(decimals), x)
    there, back = (op("Mul"), op("RealDiv")) if decimals > 0 else (op("RealDiv"), op("Mul"))
    return cast(back(op("Round")(there(x, factor)), factor), a.dtype)


def round(a, decimals=0):  # noqa: A001
    """The same as around."""
    return around(a, decimals)


# ---- functions of two arrays


def _maximum(a, b):
    return op("LogicalOr")(a, b) if a.dtype.is_bool else op("Maximum")(a, b)


def _minimum(a, b):
    return op("LogicalAnd")(a, b) if a.dtype.is_bool else op("Minimum")(a, b)


def _multiply(a, b):
    return op("LogicalAnd")(a, b) if a.dtype.is_bool else op("Mul")(a, b)


def _add(a, b):
    return op("LogicalOr")(a, b) if a.dtype.is_bool else op("AddV2")(a, b)


def _xor(a, b):
    return op("NotEqual")(a, b) if a.dtype.is_bool else op("BitwiseXor")(a, b)


def _true_divide(a, b):
    if a.dtype.is_bool:
        a, b = (cast(x, numpy_types.quotient_float()) for x in (a, b))
    elif not numpy_types.is_inexact(a.dtype):
        wide = numpy_types.quotient_float() if a.dtype.size > 2 else np.float32
        a, b = cast(a, wide), cast(b, wide)
    return op("RealDiv")(a, b)


def _shifted_log(a, b, base):
    """log(base ** a + base ** b) of that base."""
    largest = op("Maximum")(a, b)
    off = op("Neg")(op("Abs")(op("Sub")(a, b)))
    scale = math.log(base)
    made = op("Log1p")(op("Exp")(op("Mul")(off, _number(scale, a))))
    made = op("AddV2")(largest, op("RealDiv")(made, _number(scale, a)))
    return op("SelectV2")(op("Equal")(a, b), op("AddV2")(a, _number(math.log(2) / scale, a)), made)


def _heaviside(a, b):
    above = op("SelectV2")(op("Greater")(a, _number(0, a)), _number(1, a), a)
    made = op("SelectV2")(op("Less")(a, _number(0, a)), _number(0, a), above)
    return op("SelectV2")(op("Equal")(a, _number(0, a)), b, made)


def _hypot(a, b):
    return op("Sqrt")(op("AddV2")(op("Square")(a), op("Square")(b)))


# name -> (function of two tensors of one type, whether whole numbers become floating point ones before)
_BINARY = {
    "add": (_add, False),
    "subtract": (math_ops.subtract, False),
    "multiply": (_multiply, False),
    "true_divide": (_true_divide, False),
    "divide": (_true_divide, False),
    "floor_divide": (math_ops.floordiv, False),
    "mod": (math_ops.floormod, False),
    "remainder": (math_ops.floormod, False),
    "power": (math_ops.pow, False),
    "float_power": (math_ops.pow, True),
    "maximum": (_maximum, False),
    "minimum": (_minimum, False),
    "arctan2": (math_ops.atan2, True),
    "hypot": (_hypot, True),
    "logaddexp": (lambda a, b: _shifted_log(a, b, math.e), True),
    "logaddexp2": (lambda a, b: _shifted_log(a, b, 2), True),
    "heaviside": (_heaviside, True),
    "nextafter": (lambda a, b: op("NextAfter")(a, b), True),
    "equal": (math_ops.equal, False),
    "not_equal": (math_ops.not_equal, False),
    "less": (math_ops.less, False),
    "less_equal": (math_ops.less_equal, False),
    "greater": (math_ops.greater, False),
    "greater_equal": (math_ops.greater_equal, False),
    "bitwise_and": (lambda a, b: op("LogicalAnd" if a.dtype.is_bool else "BitwiseAnd")(a, b), False),
    "bitwise_or": (lambda a, b: op("LogicalOr" if a.dtype.is_bool else "BitwiseOr")(a, b), False),
    "bitwise_xor": (_xor, False),
}


def _binary(function, wants_float):
    def apply(x1, x2):
        return function(*(_floats(x1, x2) if wants_float else promoted(x1, x2)))

    return apply


for _name, (_function, _wants_float) in _BINARY.items():
    globals()[_name] = _named(
        _binary(_function, _wants_float), _name, f"numpy's {_name} of the elements of two arrays."
    )


def bitwise_not(x):
    """The bits the other way; of truth values the opposite."""
    x = asarray(x)
    return op("LogicalNot" if x.dtype.is_bool else "Invert")(x)


def _truth(x):
    x = asarray(x)
    return x if x.dtype.is_bool else op("NotEqual")(x, _number(0, x))


def _logical(op_name, name):
    return _named(
        lambda x1, x2: op(op_name)(_truth(x1), _truth(x2)), name, f"numpy's {name}: what is not zero is true."
    )


logical_and, logical_or = _logical("LogicalAnd", "logical_and"), _logical("LogicalOr", "logical_or")
logical_xor = _logical("NotEqual", "logical_xor")


def logical_not(x):
    """Whether it is zero."""
    return op("LogicalNot")(_truth(x))


def divmod(x1, x2):  # noqa: A001
    """(floor_divide, mod)."""
    a, b = promoted(x1, x2)
    return op("FloorDiv")(a, b), op("FloorMod")(a, b)


def gcd(x1, x2):
    """The greatest common divisors, of whole numbers."""
    from .while_loops import while_loop

    a, b = promoted(x1, x2)
    if not a.dtype.is_integer:
        raise ValueError("Arguments to gcd must be integers.")
    whole = array_ops.broadcast_dynamic_shape(array_ops.shape(a), array_ops.shape(b))
    a, b = (
        op("Abs")(array_ops.broadcast_to(x, whole)) if not x.dtype.is_unsigned else array_ops.broadcast_to(x, whole)
        for x in (a, b)
    )
    zero = _number(0, a)

    def step(a, b):
        left = op("NotEqual")(b, zero)
        rest = op("FloorMod")(a, op("SelectV2")(left, b, _number(1, b)))
        return op("SelectV2")(left, b, a), op("SelectV2")(left, rest, b)

    return while_loop(lambda a, b: math_ops.reduce_any(op("NotEqual")(b, zero)), step, (a, b))[0]


def lcm(x1, x2):
    """The least common multiples, of whole numbers."""
    a, b = promoted(x1, x2)
    d = gcd(a, b)
    zero = op("Equal")(d, _number(0, d))
    safe = op("SelectV2")(zero, _number(1, d), d)
    a, b = (x if x.dtype.is_unsigned else op("Abs")(x) for x in (a, b))
    return op("Mul")(op("FloorDiv")(a, safe), b)


def clip(a, a_min, a_max):
    """The elements, not below a_min and not above a_max; None is no limit."""
    if a_min is None and a_max is None:
        raise ValueError("Not more than one of `a_min` and `a_max` may be `None`.")
    a = asarray(a)
    if a_min is not None:
        a = op("Maximum")(*promoted(a, a_min))
    if a_max is not None:
        a = op("Minimum")(*promoted(a, a_max))
    return a


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether |a - b| <= atol + rtol * |b|; equal_nan: what is no number is close to its like."""
    a, b = promoted(a, b)
    if not numpy_types.is_inexact(a.dtype):
        return op("Equal")(a, b) if rtol == 0 and atol == 0 else _near(_as_float(a), _as_float(b), rtol, atol)
    made = op("LogicalOr")(_near(a, b, rtol, atol), op("Equal")(a, b))
    if equal_nan:
        made = op("LogicalOr")(made, op("LogicalAnd")(op("NotEqual")(a, a), op("NotEqual")(b, b)))
    return made


def _near(a, b, rtol, atol):
    off, size = math_ops.abs(op("Sub")(a, b)), math_ops.abs(b)
    close = op("LessEqual")(off, op("AddV2")(_number(atol, off), op("Mul")(_number(rtol, off), size)))
    return close if b.dtype.is_complex else op("LogicalAnd")(close, op("IsFinite")(b))


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close."""
    return math_ops.reduce_all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a1, a2):
    """Whether the arrays have one shape, and the same elements."""
    a, b = promoted(a1, a2)
    if a.shape.is_fully_defined() and b.shape.is_fully_defined() and a.shape != b.shape:
        return convert_to_tensor(False)
    if a.shape.rank is not None and a.shape.rank != b.shape.rank:
        return convert_to_tensor(False)
    same = math_ops.reduce_all(op("Equal")(array_ops.shape(a), array_ops.shape(b)))
    return op("LogicalAnd")(same, math_ops.reduce_all(op("Equal")(a, b, incompatible_shape_error=False)))


# ---- reductions


def _axes(axis):
    """The axes as whole numbers, where they are known."""
    if axis is None or isinstance(axis, int):
        return axis
    if isinstance(axis, Tensor) and not isinstance(axis, tensor.EagerTensor):
        return cast(axis, "int32")
    found = np.asarray(axis).astype(int)
    return int(found) if found.ndim == 0 else found.tolist()


def _wide(a):
    """Whole numbers as wide as sums need."""
    if numpy_types.is_narrow():
        if a.dtype.is_bool or a.dtype.is_integer and a.dtype.size < 4:
            return cast(a, "uint32" if a.dtype.is_unsigned else "int32")
        return a
    if a.dtype.is_bool or a.dtype.is_integer and not a.dtype.is_unsigned and a.dtype.size < 8:
        return cast(a, "int64")
    return cast(a, "uint64") if a.dtype.is_unsigned else a


def _no_out(out):
    if out is not None:
        raise ValueError("Setting `out` is not supported.")


def _prepared(a, dtype, change):
    a = asarray(a, dtype)
    return a if dtype is not None else change(a)


def sum(a, axis=None, dtype=None, keepdims=None):  # noqa: A001
    """Sums over the axes, all unless named; of narrow whole numbers as int64."""
    return math_ops.reduce_sum(_prepared(a, dtype, _wide), _axes(axis), bool(keepdims))


def prod(a, axis=None, dtype=None, keepdims=None):
    """Products over the axes, all unless named; of narrow whole numbers as int64."""
    return math_ops.reduce_prod(_prepared(a, dtype, _wide), _axes(axis), bool(keepdims))


def _float_or_own(a):
    return a if a.dtype.is_floating or a.dtype.is_complex else _as_float(a)


def mean(a, axis=None, dtype=None, out=None, keepdims=None):
    """Means over the axes, all unless named."""
    _no_out(out)
    return math_ops.reduce_mean(_prepared(a, dtype, _float_or_own), _axes(axis), bool(keepdims))


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=None):
    """Variances over the axes, all unless named; ddof: what is taken from the number of elements."""
    _no_out(out)
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    a = asarray(a)
    x = cast(a, wanted) if wanted is not None and numpy_types.is_inexact(wanted) else _float_or_own(a)
    axis, keepdims = _axes(axis), bool(keepdims)
    if not ddof:
        made = math_ops.reduce_variance(x, axis, keepdims)
    else:
        off = op("Sub")(x, math_ops.reduce_mean(x, axis, keepdims=True))
        squares = op("Square")(math_ops.abs(off))
        total = math_ops.reduce_sum(squares, axis, keepdims)
        count = math_ops.reduce_sum(array_ops.ones_like(squares), axis, keepdims)
        made = op("RealDiv")(total, op("Sub")(count, _number(ddof, count)))
    return made if wanted is None else cast(made, wanted)


def std(a, axis=None, keepdims=None):
    """Standard deviations over the axes, all unless named."""
    return op("Sqrt")(var(a, axis, keepdims=keepdims))


def amax(a, axis=None, out=None, keepdims=None):
    """The largest elements over the axes, all unless named."""
    _no_out(out)
    a = asarray(a)
    reduce = math_ops.reduce_any if a.dtype.is_bool else math_ops.reduce_max
    return reduce(a, _axes(axis), bool(keepdims))


def amin(a, axis=None, out=None, keepdims=None):
    """The least elements over the axes, all unless named."""
    _no_out(out)
    a = asarray(a)
    reduce = math_ops.reduce_all if a.dtype.is_bool else math_ops.reduce_min
    return reduce(a, _axes(axis), bool(keepdims))


def max(a, axis=None, keepdims=None):  # noqa: A001
    """The largest elements over the axes, all unless named."""
    return amax(a, axis, keepdims=keepdims)


def min(a, axis=None, keepdims=None):  # noqa: A001
    """The least elements over the axes, all unless named."""
    return amin(a, axis, keepdims=keepdims)


def ptp(a, axis=None, keepdims=None):
    """The largest elements less the least ones."""
    return op("Sub")(amax(a, axis, keepdims=keepdims), amin(a, axis, keepdims=keepdims))


def all(a, axis=None, keepdims=None):  # noqa: A001
    """Whether all are true, over the axes."""
    return math_ops.reduce_all(_truth(a), _axes(axis), bool(keepdims))


def any(a, axis=None, keepdims=None):  # noqa: A001
    """Whether one is true, over the axes."""
    return math_ops.reduce_any(_truth(a), _axes(axis), bool(keepdims))


def count_nonzero(a, axis=None):
    """How many are not zero, over the axes."""
    return math_ops.count_nonzero(asarray(a), _axes(axis))


def _numbers_only(a, other):
    """What is no number becomes another one."""
    a = asarray(a)
    return op("SelectV2")(op("NotEqual")(a, a), _number(other, a), a) if numpy_types.is_inexact(a.dtype) else a


def nansum(a, axis=None, dtype=None, keepdims=False):
    """Sums of what is a number."""
    return sum(_numbers_only(a, 0), axis, dtype, keepdims)


def nanprod(a, axis=None, dtype=None, keepdims=False):
    """Products of what is a number."""
    return prod(_numbers_only(a, 1), axis, dtype, keepdims)


def nanmean(a, axis=None, dtype=None, keepdims=None):
    """Means of what is a number."""
    a = asarray(a)
    if not numpy_types.is_inexact(a.dtype):
        return mean(a, axis, dtype, keepdims=keepdims)
    total = nansum(a, axis, dtype, bool(keepdims))
    count = sum(cast(op("Equal")(a, a), total.dtype), axis, keepdims=bool(keepdims))
    return op("RealDiv")(total, count)


def average(a, axis=None, weights=None, returned=False):
    """Means with weights, which have a's shape, or are a vector of the axis. returned: the sums of the weights, too."""
    if axis is not None and not isinstance(axis, int):
        raise ValueError(f"Argument `axis` must be an integer. Received axis={axis}")
    if weights is None:
        a = _float_or_own(asarray(a))
        made = math_ops.reduce_mean(a, axis)
        total = op("RealDiv")(cast(array_ops.size(a), a.dtype), cast(array_ops.size(made), a.dtype))
    else:
        a, weights = _floats(a, weights)
        weights = _weights_along(a, weights, axis)
        total = math_ops.reduce_sum(weights, axis)
        made = op("RealDiv")(math_ops.reduce_sum(op("Mul")(a, weights), axis), total)
    return (made, array_ops.broadcast_to(total, array_ops.shape(made))) if returned else made


def _weights_along(a, weights, axis):
    """The weights in a's shape. InvalidArgumentError when they do not fit."""
    from . import assert_ops

    n = a.shape.rank
    if axis is not None and weights.shape.rank == 1 and n != 1:
        place = axis % n
        assert_ops.assert_equal(array_ops.shape(weights)[0], array_ops.shape(a)[place])
        return array_ops.broadcast_to(array_ops.reshape(weights, [-1] + [1] * (n - place - 1)), array_ops.shape(a))
    assert_ops.assert_equal(array_ops.rank(weights), array_ops.rank(a))
    assert_ops.assert_equal(array_ops.shape(weights), array_ops.shape(a))
    return weights


# ---- along an axis


def _flat_unless(a, axis):
    return (ravel(a), 0) if axis is None else (a, axis)


def cumsum(a, axis=None, dtype=None):
    """Sums up to each element along an axis; without one, of the flat array."""
    return op("Cumsum")(*_flat_unless(_prepared(a, dtype, _wide), axis))


def cumprod(a, axis=None, dtype=None):
    """Products up to each element along an axis; without one, of the flat array."""
    return op("Cumprod")(*_flat_unless(_prepared(a, dtype, _wide), axis))


def diff(a, n=1, axis=-1):
    """Each element less the one before, n times."""
    a = asarray(a)
    if a.shape.rank == 0:
        raise ValueError("Argument `a` must have at least one dimension")
    place = axis % a.shape.rank
    for _ in range_(n):
        before, after = (
            [builtins.slice(None)] * place + [s] for s in (builtins.slice(None, -1), builtins.slice(1, None))
        )
        a = op("NotEqual" if a.dtype.is_bool else "Sub")(a[tuple(after)], a[tuple(before)])
    return a


def _flat_scalar(a):
    a = asarray(a)
    return ravel(a) if a.shape.rank == 0 else a


def argmax(a, axis=None):
    """The index of the largest element along an axis; without one, in the flat array."""
    return op("ArgMax")(*_flat_unless(_flat_scalar(a), axis), output_type="int64")


def argmin(a, axis=None):
    """The index of the least element along an axis; without one, in the flat array."""
    return op("ArgMin")(*_flat_unless(_flat_scalar(a), axis), output_type="int64")


def _sorting(kind, order):
    if kind not in ("quicksort", "stable"):
        raise ValueError(
            f"Invalid value for argument `kind`. Only kind='quicksort' and kind='stable' are supported. Received: kind={kind}"
        )
    if order is not None:
        raise ValueError("The `order` argument is not supported. Pass order=None")


def sort(a, axis=-1, kind="quicksort", order=None):
    """The elements in order along an axis; without one, of the flat array."""
    _sorting(kind, order)
    return indexing_ops.sort(*_flat_unless(asarray(a), axis))


def argsort(a, axis=-1, kind="quicksort", order=None):
    """The indices, int64, that put the elements in order along an axis; without one, of the flat array."""
    _sorting(kind, order)
    a, axis = _flat_unless(_flat_scalar(a), axis)
    return cast(indexing_ops.argsort(a, axis, stable=kind == "stable"), "int64")


# ---- products


def _matmul(a, b):
    if a.shape.rank == 0 or b.shape.rank == 0:
        raise ValueError("Input to matmul must have rank at least 1")
    if a.shape.rank == 1 and b.shape.rank == 1:
        return math_ops.reduce_sum(op("Mul")(a, b))
    if b.shape.rank == 1:
        return array_ops.squeeze(math_ops.matmul(a, array_ops.expand_dims(b, -1)), [-1])
    if a.shape.rank == 1:
        return array_ops.squeeze(math_ops.matmul(array_ops.expand_dims(a, 0), b), [-2])
    return math_ops.matmul(a, b)


def matmul(x1, x2):
    """Products of the matrices in the last two axes; a vector is a row, or a column."""
    return _matmul(*promoted(x1, x2))


def dot(a, b):
    """Sums of products over a's last axis and b's last but one (its only one of a vector)."""
    a, b = promoted(a, b)
    if a.shape.rank == 0 or b.shape.rank == 0:
        return op("Mul")(a, b)
    return special_math_ops.tensordot(a, b, [[a.shape.rank - 1], [0 if b.shape.rank == 1 else b.shape.rank - 2]])


def inner(a, b):
    """Sums of products over the last axes."""
    a, b = promoted(a, b)
    if a.shape.rank == 0 or b.shape.rank == 0:
        return op("Mul")(a, b)
    return special_math_ops.tensordot(a, b, [[-1], [-1]])


def outer(a, b):
    """The products of all elements of a with all of b."""
    a, b = promoted(a, b)
    return op("Mul")(ravel(a)[:, None], ravel(b)[None, :])


def vdot(a, b):
    """The sum of the products of the flat arrays, of which the first is conjugated."""
    a, b = joined(a, b)
    return dot(math_ops.conj(ravel(a)), ravel(b))


def tensordot(a, b, axes=2):
    """Sums of products over axes: the last of a and the first of b, or two lists."""
    return special_math_ops.tensordot(*promoted(a, b), axes)


def einsum(subscripts, *operands, **kwargs):
    """Sums of products over named axes."""
    casting, optimize = kwargs.pop("casting", "safe"), kwargs.pop("optimize", False)
    if casting != "safe":
        raise ValueError("casting values other than 'safe' are not supported")
    if kwargs:
        raise TypeError(f"einsum got unexpected arguments {list(kwargs)}")
    words = {"optimize": "greedy"} if optimize in (False, True) else {"optimize": optimize}
    return special_math_ops.einsum(subscripts, *promoted(*operands), **words)


def kron(a, b):
    """The Kronecker product: a with each element replaced by its product with b."""
    a, b = joined(a, b)
    n = builtins.max(a.shape.rank, b.shape.rank)
    a, b = (array_ops.reshape(x, array_ops.concat([[1] * (n - x.shape.rank), array_ops.shape(x)], 0)) for x in (a, b))
    sizes = op("Mul")(array_ops.shape(a), array_ops.shape(b))
    for i in range_(n):
        a, b = array_ops.expand_dims(a, 2 * i + 1), array_ops.expand_dims(b, 2 * i)
    return array_ops.reshape(op("Mul")(a, b), sizes)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    """Sums of diagonals."""
    return sum(numpy_arrays.diagonal(asarray(a, dtype), offset, axis1, axis2), -1, dtype)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross products of the vectors, of two or three elements, in the named axes."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = promoted(a, b)
    a, b = numpy_arrays.moveaxis(a, axisa, -1), numpy_arrays.moveaxis(b, axisb, -1)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("incompatible dimensions for cross product (dimension must be 2 or 3)")
    flat = a.shape[-1] == b.shape[-1] == 2

    def parts(x):
        made = [x[..., i] for i in range_(x.shape[-1])]
        return made if len(made) == 3 else made + [array_ops.zeros_like(made[0])]

    (a0, a1, a2), (b0, b1, b2) = parts(a), parts(b)

    def minor(p, q, r, s):
        return op("Sub")(op("Mul")(p, q), op("Mul")(r, s))

    last = minor(a0, b1, a1, b0)
    if flat:
        return last
    return numpy_arrays.moveaxis(array_ops.stack([minor(a1, b2, a2, b1), minor(a2, b0, a0, b2), last], -1), -1, axisc)


def polyval(p, x):
    """The polynomial with these coefficients, the highest power first, at x."""
    p, x = promoted(p, x)
    made = array_ops.zeros_like(x)
    for c in array_ops.unstack(p):
        made = op("AddV2")(op("Mul")(made, x), c)
    return made


# ---- sequences


def _sequence_ends(start, stop):
    d = numpy_types.result_type(start, stop, 1.0)
    return asarray(start, d), asarray(stop, d)


def _typed(made, dtype):
    """Only a type other than Python's float changes what the ends decide."""
    return made if dtype is None or dtype is float else cast(made, dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=float, axis=0):
    """num values from start to stop, equally far from each other; without endpoint stop is not among them."""
    start, stop = _sequence_ends(start, stop)
    gaps = num - 1 if endpoint else num
    step = op("RealDiv")(op("Sub")(stop, start), _number(builtins.max(gaps, 1), start))
    if endpoint:
        made = math_ops.linspace(start, stop, num, axis=axis)
    else:
        made = math_ops.linspace(
            start, op("AddV2")(start, op("Mul")(step, _number(builtins.max(num - 1, 0), start))), num, axis=axis
        )
    made = _typed(made, dtype)
    return (made, step) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of base: of num exponents from start to stop."""
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    return _typed(op("Pow")(_number(base, exponents), exponents), dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """num values from start to stop, each the same factor from the one before."""
    d = dtypes.as_dtype(dtype) if dtype else numpy_types.result_type(start, stop, float(num))
    working = d if numpy_types.is_inexact(d) else dtypes.as_dtype(numpy_types.default_float())
    start, stop = asarray(start, working), asarray(stop, working)
    side = op("Sign")(start)
    logs = (op("Log")(op("Mul")(side, x)) for x in (start, stop))
    made = op("Mul")(op("Exp")(linspace(*logs, num, endpoint, axis=axis)), side)
    return cast(made, d)
