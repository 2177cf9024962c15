"""tf.strings: functions of strings that give plain tensors. Those that give ragged ones are in string_ragged_ops.py."""

from __future__ import annotations

import re

from ..core import dtypes, scopes
from ..core.op_defs import op
from . import array_ops
from .array_ops import convert_to_tensor


# ---- texts of values


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None):
    """Numbers and booleans as texts, after printf: with a precision, in exponents, filled up to a width."""
    return op("AsString")(
        input, precision=precision, scientific=scientific, shortest=shortest, width=width, fill=fill, name=name
    )


def string_format(template, inputs, placeholder="{}", summarize=3, name=None):
    """The template with a tensor's text for each placeholder; of each dim the first and last `summarize` are shown."""
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    expected = len(re.findall(re.escape(placeholder), template)) if template else 0
    if expected != len(inputs):
        raise ValueError(
            f"The template expects {expected} tensors, but the inputs only has {len(inputs)}. Please ensure the number of "
            f"placeholders in template matches inputs length."
        )
    return op("StringFormat")(
        [convert_to_tensor(v) for v in inputs],
        template=template,
        placeholder=placeholder,
        summarize=summarize,
        name=name,
    )


def to_number(input, out_type=dtypes.float32, name=None):
    """The numbers that texts show; InvalidArgumentError for one that shows none."""
    return op("StringToNumber")(input, out_type=dtypes.as_dtype(out_type), name=name)


def to_number_v1(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    """The numbers that texts show."""
    return to_number(string_tensor if input is None else input, out_type, name)


# ---- joining


def join(inputs, separator="", name=None):
    """The strings of several tensors of one shape, or scalars, joined element by element."""
    if isinstance(inputs, (str, bytes)):
        raise TypeError(f"Expected list for 'inputs' argument to 'string_join' Op, not {inputs!r}.")
    if scopes.executing_eagerly():
        inputs = [convert_to_tensor(v, dtypes.as_dtype("string")) for v in inputs]
    return op("StringJoin")(list(inputs), separator=separator, name=name)


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None):
    """The strings along axes joined, the first named axis first; without an axis all, the last one first."""
    if scopes.executing_eagerly():
        return _reduce_join(inputs, axis, keepdims, separator, None)
    with scopes.name_scope("ReduceJoin"):
        return _reduce_join(inputs, axis, keepdims, separator, name)


def _reduce_join(inputs, axis, keepdims, separator, name):
    inputs = convert_to_tensor(inputs, name="inputs")
    if axis is None:
        rank = inputs.shape.rank
        axis = convert_to_tensor(list(range(rank))[::-1], dtypes.int32) if rank is not None else None
        axis = op("Range")(array_ops.rank(inputs) - 1, -1, -1) if axis is None else axis
    return op("ReduceJoin")(inputs, axis, keep_dims=bool(keepdims), separator=separator, name=name)


def reduce_join_v1(inputs, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None, keepdims=None):
    """reduce_join with compat.v1's parameters."""
    axis = reduction_indices if axis is None else axis
    keep = keep_dims if keepdims is None else keepdims
    return reduce_join(inputs, axis, bool(keep), separator, name)


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """The strings of each segment joined, in the order in which they stand."""
    return op("UnsortedSegmentJoin")(inputs, segment_ids, num_segments, separator=separator, name=name)


# ---- characters


_UNITS = ("BYTE", "UTF8_CHAR")


def _unit(op_name, unit):
    if unit not in _UNITS and not scopes.executing_eagerly():  # the op says it of itself when it is executed
        raise ValueError(f"Attr 'unit' of '{op_name}' Op passed string '{unit}' not in: \"BYTE\", \"UTF8_CHAR\".")
    return unit


def length(input, unit="BYTE", name=None):
    """How many bytes, or characters of UTF-8, each string has: int32."""
    return op("StringLength")(input, unit=_unit("StringLength", unit), name=name)


def length_v1(input, name=None, unit="BYTE"):
    """length with the order of compat.v1's parameters."""
    return length(input, unit, name)


def substr(input, pos, len, unit="BYTE", name=None):
    """`len` bytes or characters from pos on, which may count from the end. InvalidArgumentError beyond a string."""
    pos = pos if type(pos) is int else convert_to_tensor(pos, dtype_hint=dtypes.int32)
    len = len if type(pos) is int or scopes.executing_eagerly() is False else convert_to_tensor(len, pos.dtype)
    return op("Substr")(input, pos, len, unit=_unit("Substr", unit), name=name)


def substr_v1(input, pos, len, name=None, unit="BYTE"):
    """substr with the order of compat.v1's parameters."""
    return substr(input, pos, len, unit, name)


def lower(input, encoding="", name=None):
    """In lower case: ASCII letters, or with the encoding "utf-8" all."""
    return op("StringLower")(input, encoding=encoding, name=name)


def upper(input, encoding="", name=None):
    """In upper case: ASCII letters, or with the encoding "utf-8" all."""
    return op("StringUpper")(input, encoding=encoding, name=name)


def strip(input, name=None):
    """Without white space at both ends."""
    return op("StringStrip")(input, name=name)


def unicode_transcode(
    input,
    input_encoding,
    output_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
):
    """Strings in another encoding: UTF-8, UTF-16-BE or UTF-32-BE. errors: "replace", "ignore" or "strict"."""
    return op("UnicodeTranscode")(
        input,
        input_encoding=input_encoding,
        output_encoding=output_encoding,
        errors=errors,
        replacement_char=replacement_char,
        replace_control_characters=replace_control_characters,
        name=name,
    )


def unicode_script(input, name=None):
    """The number of each code point's script, as ICU numbers them; -1 for what is no code point."""
    return op("UnicodeScript")(input, name=name)


# ---- regular expressions, of RE2's syntax


def regex_full_match(input, pattern, name=None):
    """Whether the pattern matches the whole of each string: bool. InvalidArgumentError for a pattern that is none."""
    if isinstance(pattern, (str, bytes)):
        return op("StaticRegexFullMatch")(input, pattern=pattern, name=name)
    return op("RegexFullMatch")(input, pattern, name=name)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    r"""The strings with the rewrite, in which \1 is a group, for what the pattern matches: each time, or only first."""
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return op("StaticRegexReplace")(
            input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
        )
    return op("RegexReplace")(input, pattern, rewrite, replace_global=replace_global, name=name)


# ---- hashes


def to_hash_bucket(input, num_buckets, name=None):
    """A number below num_buckets of each string, int64, by a hash that may change between versions."""
    return op("StringToHashBucket")(input, num_buckets=num_buckets, name=name)


def to_hash_bucket_v1(string_tensor=None, num_buckets=None, name=None, input=None):
    """to_hash_bucket with compat.v1's parameters."""
    return to_hash_bucket(string_tensor if input is None else input, num_buckets, name)


def to_hash_bucket_fast(input, num_buckets, name=None):
    """A number below num_buckets of each string, int64, by FarmHash."""
    return op("StringToHashBucketFast")(input, num_buckets=num_buckets, name=name)


def to_hash_bucket_strong(input, num_buckets, key, name=None):
    """A number below num_buckets of each string, int64, by SipHash of a key of two numbers."""
    return op("StringToHashBucketStrong")(input, num_buckets=num_buckets, key=list(key), name=name)
