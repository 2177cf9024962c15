"""Types for annotations: tf.types.experimental."""

from __future__ import annotations

import typing

import numpy

from . import tensor, variables


@typing.runtime_checkable
class SupportsTracingProtocol(typing.Protocol):
    """A value that says what a function sees of it, a TraceType."""

    def __tf_tracing_type__(self, context): ...


TensorLike = typing.Union[
    tensor.Tensor,
    variables.Variable,
    int,
    float,
    bool,
    str,
    bytes,
    complex,
    tuple,
    list,
    numpy.ndarray,
    numpy.generic,
]


class _Tensors(type(variables.Variable)):  # so that a class may be both
    """Tensors and variables count as of the base itself, not of the classes that others make of it."""

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, subclass):
        counts = cls is TensorBase and issubclass(subclass, (tensor.Tensor, variables.Variable))
        return counts or super().__subclasscheck__(subclass)


class TensorBase(metaclass=_Tensors):
    """The base of classes that want to count as tensors, as tensors do. What they convert to, `__tf_tensor__` says."""

    is_tensor_like = True
