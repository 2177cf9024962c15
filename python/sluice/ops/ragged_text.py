"""Ragged tensors as texts: tf.strings.format and tf.print of them."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from . import array_ops, ragged_array_ops, ragged_gather_ops, ragged_math_ops
from .ragged_tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged


def string_format(template, inputs, placeholder="{}", summarize=3, name=None):
    """The template with the inputs, tensors and ragged tensors, at its placeholders. ValueError when their numbers differ."""
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    pieces = template.split(placeholder)
    if len(pieces) != len(inputs) + 1:
        raise ValueError(
            f"The template expects {len(pieces) - 1} tensors, but the inputs only has {len(inputs)}. Please ensure the number "
            "of placeholders in template matches inputs length."
        )
    texts = [pieces[0]]
    for value, piece in zip(inputs, pieces[1:]):
        texts += [_text(value, summarize), piece]
    return op("StringJoin")(texts, name=name)


def _text(value, summarize):
    if not is_ragged(value):
        return op("StringFormat")([value], template="{}", placeholder="{}", summarize=summarize)
    value = convert_to_tensor_or_ragged_tensor(value)
    rows = _row_texts(value, summarize)
    whole = RaggedTensor.from_row_splits(
        rows, op("Pack")([op("ZerosLike")(value.nrows()), value.nrows()]), validate=False
    )
    return _joined(whole, summarize)[0]


def _row_texts(value, summarize):
    """The text of each row."""
    values = value.values
    if isinstance(values, RaggedTensor):
        texts = _row_texts(values, summarize)
    elif values.shape.rank is not None and values.shape.rank > 1:
        texts = _row_texts(RaggedTensor.from_tensor(values), summarize)
    else:
        texts = values if values.dtype.name == "string" else op("AsString")(values)
        texts = op("StringJoin")(["'", texts, "'"]) if values.dtype.name == "string" else texts
    return _joined(value.with_values(texts), summarize)


def _joined(texts, summarize):
    """Rows of texts as one text each, in brackets; of long ones the first and the last."""
    if summarize is not None and summarize >= 0:
        texts = _shortened(texts, summarize)
    made = ragged_array_ops.reduce_join(texts, axis=1, separator=", ")
    return op("StringJoin")(["[", made, "]"])


def _shortened(texts, count):
    lengths = texts.row_lengths()
    is_long = array_ops.cast(lengths > 2 * count, lengths.dtype)
    starts = op("Maximum")(lengths - count, op("Minimum")(lengths, array_ops.cast(count, lengths.dtype)))
    places = ragged_math_ops.range(texts.row_starts() + starts, texts.row_limits(), row_splits_dtype=lengths.dtype)
    last = places.with_values(ragged_gather_ops.gather(texts.values, places.values))
    dots = op("Fill")(op("Sum")(is_long, [0])[None], array_ops.constant("...", dtypes.as_dtype("string")))
    dots = RaggedTensor.from_row_lengths(dots, is_long, validate=False)
    return ragged_array_ops.concat([texts[:, :count], dots, last], 1)
