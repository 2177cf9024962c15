"""Gradients of the ops that make variants of ragged tensors, and ragged tensors of variants."""

from __future__ import annotations

from ..core import dtypes, graph_gradients
from ..core.op_defs import op
from . import array_ops


def _of_variant(asked, grad):
    """Of RaggedTensorToVariant: the gradient's variants back as flat values, one after the other."""
    *splits, values = asked.inputs
    row_splits = array_ops.zeros([0], dtypes.int64)
    if asked.get_attr("batched_input"):
        row_splits = splits[0]
        for inner in splits[1:]:
            row_splits = op("GatherV2")(inner, row_splits, 0)
    elif asked.outputs[0].shape.rank not in (0, None):
        raise ValueError(
            "Unable to compute gradient: RaggedTensorToVariant can currently only generate 0D or 1D output."
        )
    made = op("RaggedTensorToVariantGradient")(grad, row_splits, op("Shape")(values), Tvalues=values.dtype)
    return [None] * len(splits) + [made]


def _of_ragged(asked, *grads):
    """Of RaggedTensorFromVariant: the flat gradients in the rows of the result, as variants."""
    rank = asked.inputs[0].shape.rank
    if rank not in (0, 1):
        raise ValueError(
            "Unable to compute gradient: RaggedTensorToVariant can currently only generate 0D or 1D output."
        )
    splits = list(asked.outputs[:-1])
    return [op("RaggedTensorToVariant")(splits, grads[-1], batched_input=rank == 1)]


def install() -> None:
    graph_gradients.register("RaggedTensorToVariant", _of_variant)
    graph_gradients.register("RaggedTensorFromVariant", _of_ragged)
