"""tf.nn: activations, losses."""

from __future__ import annotations

from . import array_ops, math_ops
from ..core.op_defs import op

relu, relu6, selu, elu = math_ops.unary("Relu"), math_ops.unary("Relu6"), math_ops.unary("Selu"), math_ops.unary("Elu")
tanh, sigmoid, softplus, softsign = (
    math_ops.unary("Tanh"),
    math_ops.unary("Sigmoid"),
    math_ops.unary("Softplus"),
    math_ops.unary("Softsign"),
)
relu.__name__, relu6.__name__, selu.__name__, elu.__name__ = "relu", "relu6", "selu", "elu"


def bias_add(value, bias, data_format=None, name=None):
    return op("BiasAdd")(
        value, bias, data_format="NCHW" if data_format and data_format.startswith("NC") else "NHWC", name=name
    )


def softmax(logits, axis=None, name=None):
    """exp(x) over its sum along the axis, the last one unless another is named."""
    return _along(op("Softmax"), logits, axis)


def log_softmax(logits, axis=None, name=None):
    return _along(op("LogSoftmax"), logits, axis)


def _along(function, x, axis):
    x = array_ops.convert_to_tensor(x)
    n = x.shape.rank
    axis = -1 if axis is None else axis
    if n is None or axis in (-1, n - 1):
        return function(x)
    axis %= n
    perm = [i for i in array_ops.builtins.range(n) if i != axis] + [axis]
    back = sorted(array_ops.builtins.range(n), key=perm.__getitem__)
    return array_ops.transpose(function(array_ops.transpose(x, perm)), back)


def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None):
    """By row: the cross entropy of the softmax of logits with labels, which sum to one. Classes are the last axis."""
    logits = array_ops.convert_to_tensor(logits)
    labels = array_ops.convert_to_tensor(labels, logits.dtype)
    if axis not in (-1, (logits.shape.rank or 0) - 1):
        raise NotImplementedError("softmax_cross_entropy_with_logits along another axis than the last")
    if logits.shape.rank == 2:
        return op("SoftmaxCrossEntropyWithLogits")(logits, labels)[0]
    outer = array_ops.shape(logits)[:-1]
    classes = array_ops.shape(logits)[-1]
    flat = op("SoftmaxCrossEntropyWithLogits")(
        array_ops.reshape(logits, array_ops.stack([-1, classes])),
        array_ops.reshape(labels, array_ops.stack([-1, classes])),
    )[0]
    return array_ops.reshape(flat, outer)


def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None):
    """By row: the cross entropy of the softmax of logits with the class that the label names."""
    labels, logits = array_ops.convert_to_tensor(labels), array_ops.convert_to_tensor(logits)
    if logits.shape.rank == 2:
        return op("SparseSoftmaxCrossEntropyWithLogits")(logits, labels)[0]
    classes = array_ops.shape(logits)[-1]
    flat = op("SparseSoftmaxCrossEntropyWithLogits")(
        array_ops.reshape(logits, array_ops.stack([-1, classes])), array_ops.reshape(labels, [-1])
    )[0]
    return array_ops.reshape(flat, array_ops.shape(labels))
