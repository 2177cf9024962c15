"""Functions of the elements of one or two tensors that are one op by themselves: a row each."""

from __future__ import annotations

from ..core import errors, graph, tensor, variables
from ..core.op_defs import op, pair
from .array_ops import convert_to_tensor


def both(x, y, op_name=""):
    """Two tensors of one type: what is no tensor yet takes the other's."""
    x, y = tensor.both(x, y, op_name, op_name in ("AddV2", "RealDiv"))
    if op_name:
        tensor.check_types(op_name, x, y)
    return x, y


def unary(op_name, name, doc=""):
    """A function of one tensor that is an op by itself."""

    def apply(x, name=None):
        if (
            isinstance(x, variables.Variable) and graph.current() is not None
        ):  # the node's maker reads it, below its name
            return op(op_name)(x, name=name)
        return op(op_name)(convert_to_tensor(x), name=name)

    return named(apply, name, doc)


def binary(op_name, name, doc=""):
    """A function of two tensors that is an op by itself."""

    def apply(x, y, name=None):
        try:
            made = pair(op_name)(x, y)
            if made is not None:
                return made
            if tensor.names_constants(x, y) or isinstance(x, variables.Variable) and graph.current() is not None:
                return op(op_name)(x, y, name=name)
            return op(op_name)(*both(x, y, op_name), name=name)
        except errors.OpError as error:
            raise tensor.told(error, name, x, y)

    return named(apply, name, doc)


def named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


# What documentation calls sets of types.
FLOATS = "bfloat16, float16, float32 or float64"
INTS = "int8 to int64 or uint8 to uint64"
KINDS = {
    "float": FLOATS,
    "float or complex": f"{FLOATS}, complex64 or complex128",
    "int": INTS,
    "bool": "bool",
    "real": f"{FLOATS}, {INTS}",
    "number": f"{FLOATS}, {INTS}, complex64 or complex128",
    "signed": f"{FLOATS}, int8 to int64, complex64 or complex128",
    "wide": f"{FLOATS}, int32 or int64",
    "wide or complex": f"{FLOATS}, int32, int64, complex64 or complex128",
}


def unary_doc(sentence, kind, result=""):
    given = f"a {result} tensor of x's shape" if result else "a tensor of x's shape and type"
    return (
        f"{sentence}\n\nx: a tensor of any shape, of type {KINDS[kind]}, or what becomes one. Gives {given}.\n"
        "InvalidArgumentError for another type; ValueError for a value that is no tensor."
    )


def binary_doc(sentence, kind, result=""):
    given = f"a {result} tensor" if result else "a tensor of their type"
    return (
        f"{sentence}\n\nx, y: tensors of one type: {KINDS[kind]}. A value that is no tensor takes the other's type. Shapes\n"
        f"broadcast. Gives {given}. InvalidArgumentError when types differ, are others, or shapes do not fit;\n"
        "TypeError or ValueError for a value that does not have the other's type."
    )


_BESSEL = "The {} of order {}."
# name: op, kind of types, what it gives
_UNARY = {
    "acos": ("Acos", "float or complex", "Angles in radians, 0 to pi, whose cosines are x; NaN outside [-1, 1]."),
    "acosh": ("Acosh", "float or complex", "The inverse of cosh, at least 0; NaN below 1."),
    "asin": ("Asin", "float or complex", "Angles in radians, -pi/2 to pi/2, whose sines are x; NaN outside [-1, 1]."),
    "asinh": ("Asinh", "float or complex", "The inverse of sinh."),
    "atan": ("Atan", "float or complex", "Angles in radians, -pi/2 to pi/2, whose tangents are x."),
    "atanh": ("Atanh", "float or complex", "The inverse of tanh; infinite at -1 and 1, NaN beyond."),
    "ceil": ("Ceil", "float", "The least whole number that is not below x."),
    "cos": ("Cos", "float or complex", "Cosines of angles in radians."),
    "cosh": ("Cosh", "float or complex", "Hyperbolic cosines."),
    "digamma": ("Digamma", "float", "The derivative of lgamma."),
    "erf": ("Erf", "float", "The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x."),
    "erfc": ("Erfc", "float", "1 - erf(x), precise where erf is nearly 1."),
    "erfinv": ("Erfinv", "float", "The inverse of erf; infinite at -1 and 1, NaN beyond."),
    "exp": ("Exp", "float or complex", "e to the power of x."),
    "expm1": ("Expm1", "float or complex", "exp(x) - 1, precise near 0."),
    "floor": ("Floor", "float", "The largest whole number that is not above x."),
    "is_finite": ("IsFinite", "float", "Whether elements are neither infinite nor NaN.", "bool"),
    "is_inf": ("IsInf", "float", "Whether elements are infinite.", "bool"),
    "is_nan": ("IsNan", "float", "Whether elements are NaN.", "bool"),
    "lgamma": ("Lgamma", "float", "The logarithm of the absolute value of the gamma function."),
    "log": ("Log", "float or complex", "Natural logarithms; -inf at 0, NaN below unless complex."),
    "log1p": ("Log1p", "float or complex", "log(1 + x), precise near 0."),
    "logical_not": ("LogicalNot", "bool", "The opposite truth values."),
    "ndtri": ("Ndtri", "float", "The inverse of the standard normal distribution function."),
    "invert": ("Invert", "int", "All bits the other way."),
    "negative": ("Neg", "signed", "-x."),
    "reciprocal": ("Reciprocal", "signed", "1 / x."),
    "rint": ("Rint", "float", "The nearest whole number, of two the even one."),
    "rsqrt": ("Rsqrt", "float or complex", "1 / sqrt(x)."),
    "sigmoid": ("Sigmoid", "float or complex", "1 / (1 + exp(-x))."),
    "sign": ("Sign", "signed", "-1, 0 or 1; of complex numbers x / |x|."),
    "sin": ("Sin", "float or complex", "Sines of angles in radians."),
    "sinh": ("Sinh", "float or complex", "Hyperbolic sines."),
    "sqrt": ("Sqrt", "float or complex", "Square roots; NaN below 0 unless complex."),
    "square": ("Square", "number", "x * x."),
    "tan": ("Tan", "float or complex", "Tangents of angles in radians."),
    "tanh": ("Tanh", "float or complex", "Hyperbolic tangents."),
}
_BINARY = {
    "bitwise_and": ("BitwiseAnd", "int", "The bits that both have."),
    "bitwise_or": ("BitwiseOr", "int", "The bits that either has."),
    "bitwise_xor": ("BitwiseXor", "int", "The bits that one of them has, and the other has not."),
    "floordiv": (
        "FloorDiv",
        "number",
        "x / y rounded down, as Python's //. A whole number by 0 is an InvalidArgumentError.",
    ),
    "floormod": ("FloorMod", "real", "The remainder of floordiv, with y's sign, as Python's %. By 0: as floordiv."),
    "greater": ("Greater", "real", "Whether x > y.", "bool"),
    "greater_equal": ("GreaterEqual", "real", "Whether x >= y.", "bool"),
    "left_shift": ("LeftShift", "int", "x's bits moved up by y places, y of 0 to the width of the type."),
    "less": ("Less", "real", "Whether x < y.", "bool"),
    "less_equal": ("LessEqual", "real", "Whether x <= y.", "bool"),
    "logical_and": ("LogicalAnd", "bool", "Whether both are true."),
    "logical_or": ("LogicalOr", "bool", "Whether one is true."),
    "maximum": ("Maximum", "real", "The larger of two elements; NaN when one is."),
    "minimum": ("Minimum", "real", "The smaller of two elements; NaN when one is."),
    "multiply": ("Mul", "number", "x * y."),
    "multiply_no_nan": ("MulNoNan", "float or complex", "x * y, and 0 where y is 0, even if x is infinite or NaN."),
    "pow": ("Pow", "signed", "x to the power of y. A whole number to a negative one is an InvalidArgumentError."),
    "realdiv": ("RealDiv", "number", "x / y, of whole numbers as truncatediv."),
    "right_shift": ("RightShift", "int", "x's bits moved down by y places; the sign stays."),
    "squared_difference": (
        "SquaredDifference",
        "wide or complex",
        "(x - y) squared; of complex numbers times the conjugate.",
    ),
    "subtract": ("Sub", "number", "x - y."),
    "truncatediv": ("TruncateDiv", "number", "x / y rounded towards 0, as C has it."),
    "truncatemod": ("TruncateMod", "wide", "The remainder of truncatediv, with x's sign, as C has it."),
    "xdivy": ("Xdivy", "float or complex", "x / y, and 0 where x is 0, whatever y is."),
    "xlogy": ("Xlogy", "float or complex", "x * log(y), and 0 where x is 0, whatever y is."),
}
_SPECIAL = {
    "bessel_i0": ("BesselI0", "float", _BESSEL.format("modified Bessel function of the first kind", 0)),
    "bessel_i0e": ("BesselI0e", "float", "exp(-|x|) bessel_i0(x)."),
    "bessel_i1": ("BesselI1", "float", _BESSEL.format("modified Bessel function of the first kind", 1)),
    "bessel_i1e": ("BesselI1e", "float", "exp(-|x|) bessel_i1(x)."),
    "bessel_j0": ("BesselJ0", "float", _BESSEL.format("Bessel function of the first kind", 0)),
    "bessel_j1": ("BesselJ1", "float", _BESSEL.format("Bessel function of the first kind", 1)),
    "bessel_k0": ("BesselK0", "float", _BESSEL.format("modified Bessel function of the second kind", 0)),
    "bessel_k0e": ("BesselK0e", "float", "exp(x) bessel_k0(x)."),
    "bessel_k1": ("BesselK1", "float", _BESSEL.format("modified Bessel function of the second kind", 1)),
    "bessel_k1e": ("BesselK1e", "float", "exp(x) bessel_k1(x)."),
    "bessel_y0": ("BesselY0", "float", _BESSEL.format("Bessel function of the second kind", 0)),
    "bessel_y1": ("BesselY1", "float", _BESSEL.format("Bessel function of the second kind", 1)),
    "dawsn": ("Dawsn", "float", "Dawson's integral: exp(-x * x) times the integral of exp(t * t) from 0 to x."),
    "expint": ("Expint", "float", "The exponential integral Ei: the integral of exp(t) / t up to x."),
    "fresnel_cos": ("FresnelCos", "float", "Fresnel's integral of cos(pi t * t / 2) from 0 to x."),
    "fresnel_sin": ("FresnelSin", "float", "Fresnel's integral of sin(pi t * t / 2) from 0 to x."),
    "spence": ("Spence", "float", "Spence's integral of log(t) / (1 - t) from 1 to x."),
}
for _table, _make, _doc in ((_UNARY, unary, unary_doc), (_SPECIAL, unary, unary_doc), (_BINARY, binary, binary_doc)):
    for _name, (_op, _kind, _sentence, *_result) in _table.items():
        globals()[_name] = _make(_op, _name, _doc(_sentence, _kind, *_result))
NAMES = (*_UNARY, *_BINARY)  # of this file's functions that math_ops has, too
