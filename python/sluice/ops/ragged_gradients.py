"""Gradients of the ops that make variants of ragged tensors, and ragged tensors of variants."""

from __future__ import annotations

from ..core import dtypes, graph_gradients
from ..core.op_defs import op


def _of_variant(asked, grad):
    """Of RaggedTensorToVariant: the gradient's variants back as flat values, one after the other."""
    *splits, values = asked.inputs
    rank = asked.outputs[0].shape.rank
    if rank not in (0, 1):
        raise ValueError(
            "Unable to compute gradient: RaggedTensorToVariant can currently only generate 0D or 1D output."
        )
    made = op("RaggedTensorFromVariant")(
        grad,
        input_ragged_rank=len(splits) - rank,
        output_ragged_rank=len(splits),
        Tvalues=values.dtype,
        Tsplits=splits[0].dtype if splits else dtypes.int64,
    )
    return [None] * len(splits) + [made[1]]


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
