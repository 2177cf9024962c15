"""Sluice: TensorFlow's programs on a small dataflow engine.

    import sluice as tf

Names are TensorFlow's. A name that TensorFlow has and this package has not raises an AttributeError that says so.
"""

from __future__ import annotations

import importlib

from . import _native, dtypes, errors, graph, tensor

tensor.install(graph.build, graph.into_current)

Tensor = tensor.Tensor
__version__ = _native.version()

_DTYPES = (
    "float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 string complex64 complex128 half double "
    "resource variant qint8 quint8 qint16 quint16 qint32"
).split()
for _name in _DTYPES:
    globals()[_name] = dtypes.as_dtype(_name)
bool = dtypes.as_dtype("bool")  # noqa: A001
newaxis = None

# Public names by the module that has them; loaded when they are first asked for.
_PUBLIC = {
    "ops": "argmax argmin boolean_mask cast clip_by_value concat constant convert_to_tensor expand_dims fill gather identity matmul "
    "one_hot ones ones_like range rank reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum reshape "
    "shape size squeeze stack stop_gradient transpose unstack where zeros zeros_like",
    "dtypes": "DType as_dtype",
    "tensor_shape": "TensorShape",
    "function": "function TensorSpec",
    "gradient_tape": "GradientTape IndexedSlices UnconnectedGradients",
    "variables": "Variable",
    "graph": "Graph Operation",
    "module": "Module",
    "scopes": "device name_scope control_dependencies init_scope executing_eagerly",
}
_UNARY = {
    "abs": "Abs",
    "acos": "Acos",
    "acosh": "Acosh",
    "asin": "Asin",
    "asinh": "Asinh",
    "atan": "Atan",
    "atanh": "Atanh",
    "cos": "Cos",
    "cosh": "Cosh",
    "exp": "Exp",
    "floor": "Floor",
    "negative": "Neg",
    "round": "Round",
    "sign": "Sign",
    "sigmoid": "Sigmoid",
    "sin": "Sin",
    "sinh": "Sinh",
    "sqrt": "Sqrt",
    "square": "Square",
    "tan": "Tan",
    "tanh": "Tanh",
    "logical_not": "LogicalNot",
}
_BINARY = {
    "add": "AddV2",
    "subtract": "Sub",
    "multiply": "Mul",
    "divide": "RealDiv",
    "truediv": "RealDiv",
    "floordiv": "FloorDiv",
    "pow": "Pow",
    "maximum": "Maximum",
    "minimum": "Minimum",
    "equal": "Equal",
    "not_equal": "NotEqual",
    "less": "Less",
    "less_equal": "LessEqual",
    "greater": "Greater",
    "greater_equal": "GreaterEqual",
    "logical_and": "LogicalAnd",
    "logical_or": "LogicalOr",
}
_WHERE = {name: module for module, names in _PUBLIC.items() for name in names.split()}
_MODULES = {"nest", "raw_ops", "errors", "math", "nn", "train"}


def __getattr__(name: str):
    if name in _WHERE:
        made = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    elif name in _UNARY or name in _BINARY:
        ops = importlib.import_module(f"{__name__}.ops")
        made = ops.unary(_UNARY[name]) if name in _UNARY else ops.binary(_BINARY[name])
        made.__name__ = made.__qualname__ = name
    elif name in _MODULES:
        made = importlib.import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"sluice has no {name!r}: it is not one of the names of TensorFlow that are there yet")
    globals()[name] = made
    return made


def __dir__():
    return sorted({*globals(), *_WHERE, *_UNARY, *_BINARY, *_MODULES})
