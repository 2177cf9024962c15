"""tf.strings: functions that split strings, and those that give or take code points. Their results are ragged.

What holds for a vector of strings holds for each of their elements in any shape: the result has one dim more.
"""

from __future__ import annotations

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops
from .array_ops import convert_to_tensor
from .ragged_tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from .sparse_tensor import SparseTensor

_string = dtypes.as_dtype("string")


def _each(strings, split):
    """split(vector) -> ragged tensors, in the shape of the strings: one or several of them."""
    if isinstance(strings, RaggedTensor):
        return _map(split, strings.flat_values, lambda r: strings.with_flat_values(r))
    rank = strings.shape.rank
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank == 0:
        return _map(lambda v: split(v), array_ops.stack([strings]), lambda r: r.values)
    if rank == 1:
        return split(strings)
    return _each(RaggedTensor.from_tensor(strings, ragged_rank=rank - 1), split)


def _map(split, vector, change):
    if vector.shape.rank != 1:
        made = _each(vector, split)
    else:
        made = split(vector)
    return tuple(change(m) for m in made) if isinstance(made, tuple) else change(made)


def _strings(value, name="input"):
    made = convert_to_tensor_or_ragged_tensor(value, _string)
    if made.dtype != _string:
        raise TypeError(f"`{name}` must be strings, not {made.dtype.name}")
    return made


# ---- at separators


def _of_sparse(parts):
    """The ragged rows of sparse ones."""
    indices, values, shape = parts
    return RaggedTensor.from_value_rowids(values, indices[:, 0], nrows=shape[0], validate=False)


def split(input, sep=None, maxsplit=-1, name=None):
    """The parts of strings between separators, [..., (parts)]; without one between white space."""
    with scopes.name_scope_v1(name, "StringSplit"):
        input = _strings(input)
        sep = convert_to_tensor("" if sep is None else sep, _string)
        return _each(input, lambda v: _of_sparse(op("StringSplitV2")(v, sep, maxsplit=maxsplit)))


def split_v1(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """split, as a sparse or a ragged tensor."""
    _check_result_type(result_type)
    input = _strings(source if input is None else input)
    sep = "" if sep is None else sep
    if not isinstance(input, RaggedTensor) and input.shape.rank == 0:
        input = array_ops.expand_dims(input, 0)
    if result_type == "SparseTensor" and not isinstance(input, RaggedTensor) and input.shape.rank == 1:
        return SparseTensor(*op("StringSplitV2")(input, sep, maxsplit=maxsplit, name=name))
    made = split(input, sep, maxsplit, name)
    return made.to_sparse() if result_type == "SparseTensor" else made


def _check_result_type(result_type):
    if result_type not in ("SparseTensor", "RaggedTensor"):
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


def string_split(source, sep=None, skip_empty=True, delimiter=" ", result_type="SparseTensor", name=None):
    """The parts of a vector of strings between any of the delimiter's characters, as a sparse or a ragged tensor."""
    _check_result_type(result_type)
    if sep is None:
        sep = " " if delimiter is None else delimiter
    delimiter = convert_to_tensor(sep, _string)
    if delimiter.shape.rank not in (None, 0):
        raise ValueError(f"delimiter must be a scalar, not of shape {delimiter.shape}")
    source = convert_to_tensor(source, _string)
    parts = op("StringSplit")(source, delimiter, skip_empty=skip_empty, name=name)
    return SparseTensor(*parts) if result_type == "SparseTensor" else _of_sparse(parts)


def bytes_split(input, name=None):
    """The bytes of strings, each a string: [..., (bytes)]."""
    return _each(_strings(input), lambda v: _of_sparse(op("StringSplit")(v, "", skip_empty=False, name=name)))


# ---- code points


def _decode(input, input_encoding, errors, replacement_char, replace_control_characters, offsets, name):
    def decoded(vector):
        made = op("UnicodeDecodeWithOffsets" if offsets else "UnicodeDecode")(
            vector,
            input_encoding=input_encoding,
            errors=errors,
            replacement_char=replacement_char,
            replace_control_characters=replace_control_characters,
            name=name,
        )
        ragged = tuple(RaggedTensor.from_row_splits(v, made.row_splits, validate=False) for v in made[1:])
        return ragged if offsets else ragged[0]

    return _each(_strings(input), decoded)


def unicode_decode(
    input, input_encoding, errors="replace", replacement_char=65533, replace_control_characters=False, name=None
):
    """The code points of strings: int32 [..., (characters)]. errors: "replace", "ignore" or "strict"."""
    return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, False, name)


def unicode_decode_with_offsets(
    input, input_encoding, errors="replace", replacement_char=65533, replace_control_characters=False, name=None
):
    """(code points, int64 offsets of their first bytes), each [..., (characters)]."""
    return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, True, name)


def unicode_split(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """The characters of strings, each a string in the same encoding: [..., (characters)]."""
    points = _decode(input, input_encoding, errors, replacement_char, False, False, name)
    return _characters(points, input_encoding, errors, replacement_char)


def unicode_split_with_offsets(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """(characters, int64 offsets of their first bytes), each [..., (characters)]."""
    points, offsets = _decode(input, input_encoding, errors, replacement_char, False, True, name)
    return _characters(points, input_encoding, errors, replacement_char), offsets


def _characters(points, encoding, errors, replacement_char):
    """Each code point as a string by itself."""

    def encoded(flat):
        splits = op("Range")(0, array_ops.size(flat) + 1, 1)
        return _encode(flat, splits, encoding, errors, replacement_char, None)

    return points.with_flat_values(encoded(points.flat_values)) if isinstance(points, RaggedTensor) else encoded(points)


def _encode(values, splits, encoding, errors, replacement_char, name):
    return op("UnicodeEncode")(
        values, splits, output_encoding=encoding, errors=errors, replacement_char=replacement_char, name=name
    )


def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None):
    """Strings of code points [..., (characters)]. ValueError for a scalar, or a rank that is not known."""
    input = convert_to_tensor_or_ragged_tensor(input)
    rest = output_encoding, errors, replacement_char, name
    if isinstance(input, RaggedTensor):
        if isinstance(input.values, RaggedTensor):
            return input.with_values(unicode_encode(input.values, *rest))
        if input.values.shape.rank is not None and input.values.shape.rank > 1:
            return input.with_values(unicode_encode(input.values, *rest))
        return _encode(input.values, input.row_splits, *rest)
    rank = input.shape.rank
    if rank is None:
        raise ValueError("Rank of input_tensor must be statically known.")
    if rank == 0:
        raise ValueError("input_tensor's rank must be at least 1.")
    shape = array_ops.shape(input)
    rows = op("Prod")(shape[:-1], 0)
    splits = op("Range")(0, rows + 1, 1) * shape[-1]
    strings = _encode(array_ops.reshape(input, [-1]), splits, *rest)
    made = array_ops.reshape(strings, shape[:-1])
    made.set_shape(input.shape[:-1])
    return made


# ---- n-grams


def ngrams(
    data,
    ngram_width,
    separator=" ",
    pad_values=None,
    padding_width=None,
    preserve_short_sequences=False,
    name=None,
):
    """The runs of ngram_width tokens of the last axis, joined: [..., (n-grams)]; of several widths one after the other.

    pad_values: what stands before and after a row, padding_width times, width - 1 times unless that is given.
    """
    left, right, widths, width = _ngram_arguments(ngram_width, pad_values, padding_width, separator)

    def of_rows(rows):
        values, splits = op("StringNGrams")(
            rows.values,
            rows.row_splits,
            separator=separator,
            ngram_widths=widths,
            left_pad=left,
            right_pad=right,
            pad_width=width,
            preserve_short_sequences=preserve_short_sequences,
            name=name,
        )
        return RaggedTensor.from_row_splits(values, splits, validate=False)

    data = convert_to_tensor_or_ragged_tensor(data, _string)
    if isinstance(data, RaggedTensor):
        return _of_inner_rows(data, of_rows)
    rank = data.shape.rank
    if not rank:
        raise ValueError("Rank of data must be known." if rank is None else "Data must have rank>0")
    if rank == 1:
        return of_rows(RaggedTensor.from_row_splits(data, [0, array_ops.size(data)], validate=False)).values
    return _of_inner_rows(RaggedTensor.from_tensor(data, ragged_rank=rank - 1), of_rows).to_tensor(default_value="")


def _of_inner_rows(ragged, change):
    if isinstance(ragged.values, RaggedTensor):
        return ragged.with_values(_of_inner_rows(ragged.values, change))
    return change(ragged)


def _ngram_arguments(ngram_width, pad_values, padding_width, separator):
    if pad_values is None:
        if padding_width is not None and padding_width > 0:
            raise ValueError("pad_values must be provided if padding_width is set.")
        left, right, width = "", "", 0
    else:
        pads = (pad_values, pad_values) if isinstance(pad_values, (str, bytes)) else pad_values
        if not isinstance(pads, (tuple, list)) or len(pads) != 2 or not all(isinstance(p, (str, bytes)) for p in pads):
            raise TypeError("pad_values must be a string, tuple of strings, or None.")
        left, right = pads
        width = -1 if padding_width is None else padding_width
    if padding_width is not None and padding_width < 1:
        raise ValueError("padding_width must be greater than 0.")
    widths = list(ngram_width) if isinstance(ngram_width, (tuple, list)) else [ngram_width]
    if any(w < 1 for w in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Got {widths}")
    if not isinstance(separator, (str, bytes)):
        raise ValueError("separator must be a string.")
    return left, right, widths, width
