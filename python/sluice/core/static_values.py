"""Values that are known while a graph is built: what is no symbolic tensor, and constants."""

from __future__ import annotations

from . import graph, nest, tensor, tensor_shape
from .composite_tensor import CompositeTensor
from .tensor import Tensor


def get_static_value(tensor, partial=False):
    """The value of a tensor as a numpy array, or None when only a run of the graph gives it. What is no tensor stays as it is.

    partial: of a stack of scalars gives those that are known, with None for the others.
    """
    if isinstance(tensor, Tensor):
        return _value(tensor, partial)
    if isinstance(tensor, CompositeTensor) and hasattr(type(tensor), "from_tensor"):  # a weak tensor
        return _value(tensor.tensor, partial)
    is_composite = isinstance(tensor, CompositeTensor) or hasattr(tensor, "read_value")  # or a variable
    return None if is_composite else tensor


def known_value(t, partial=False):
    """The same as an array, also of numbers and lists."""
    return _value(t, partial)


def _value(t, partial=False):
    import numpy

    if isinstance(t, tensor.EagerTensor):
        return tensor.to_numpy(t)
    if not isinstance(t, tensor.Tensor):
        return None if isinstance(t, graph.Operation) or nest.spec_of(t) is not None else numpy.asarray(t)
    return _of_node(t, partial)


def _of_node(t, partial):
    import numpy

    op = t.op
    if op.type == "Const":
        return tensor.to_numpy(t.constant) if getattr(t, "constant", None) is not None else _of_constant(op, t)
    if op.type == "Shape" and op.inputs[0].shape.is_fully_defined():
        return numpy.array(op.inputs[0].shape.as_list(), t.dtype.as_numpy_dtype)
    if op.type == "Size" and op.inputs[0].shape.is_fully_defined():
        return numpy.array(op.inputs[0].shape.num_elements(), t.dtype.as_numpy_dtype)
    if op.type == "Rank" and op.inputs[0].shape.rank is not None:
        return numpy.array(op.inputs[0].shape.rank, t.dtype.as_numpy_dtype)
    if op.type in ("Identity", "StopGradient"):
        return _value(op.inputs[0], partial)
    if op.type == "Cast" and (v := _value(op.inputs[0])) is not None:
        return v.astype(t.dtype.as_numpy_dtype)
    if op.type == "Pack" and t.shape.rank == 1:
        parts = [_value(i) for i in op.inputs]
        if partial or all(p is not None for p in parts):
            return numpy.array(parts, object if any(p is None for p in parts) else t.dtype.as_numpy_dtype)
    if op.type in _FOLDED and all((v := _value(i)) is not None and v.size <= _SMALL for i in op.inputs):
        return _folded(op)
    return None


def _of_constant(op, t):
    """The value of a constant that Python has not made: of a gradient, or of a graph that was read."""
    from ..ops import tensor_protos

    count = t.shape.num_elements()
    return None if count is None or count > _SMALL else tensor_protos.make_ndarray(op.get_attr("value"))


# Ops whose values follow from small inputs that are known. -1: all inputs but the last are a list.
_FOLDED = {"Range": 0, "ConcatV2": -1, "Fill": 0, "Equal": 0, "NotEqual": 0, "BroadcastTo": 0}
_SMALL = 1 << 16


def _folded(node):
    """The value of a node whose inputs are known: the op is executed."""
    from .op_defs import op

    with graph.outside():
        inputs = [tensor.convert_here(_value(i), i._dtype_number % 100) for i in node.inputs]
        made = op(node.type)(*(inputs if _FOLDED[node.type] == 0 else (inputs[:-1], inputs[-1])))
        return tensor.to_numpy(made)


def known_int(value):
    """An int of a number or scalar tensor whose value is known, else None."""
    if isinstance(value, (int, tensor_shape.Dimension)):
        return int(value)
    found = _value(value) if isinstance(value, tensor.Tensor) or hasattr(value, "dtype") else None
    return None if found is None or getattr(found, "ndim", 0) else int(found)


def known_ints(values):
    """A list of ints of a vector whose elements are known, else None."""
    if isinstance(values, tensor_shape.TensorShape):
        return values.as_list() if values.is_fully_defined() else None
    if isinstance(values, (list, tuple)):
        found = [known_int(v) for v in values]
        return None if None in found else found
    found = _value(values)
    return None if found is None or found.ndim != 1 else [int(v) for v in found]
