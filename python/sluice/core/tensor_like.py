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
