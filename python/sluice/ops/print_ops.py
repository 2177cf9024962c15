"""tf.print and compat.v1.Print: tensors as text, written when they are computed."""

from __future__ import annotations

import os
import pprint
import random
import sys

from ..core import composite_tensor, dtypes, nest, tensor
from ..core.op_defs import op
from ..platform import logs

_STREAMS = ("stdout", "stderr", "log(info)", "log(warning)", "log(error)")


def _stream_name(stream):
    """The op's word for a stream: a Python stream, one of compat.v1.logging's functions, or a name."""
    for known, name in (
        (sys.stdout, "stdout"),
        (sys.stderr, "stderr"),
        (logs.info, "log(info)"),
        (logs.warning, "log(warning)"),
        (logs.warn, "log(warning)"),
        (logs.error, "log(error)"),
    ):
        if stream is known:
            return name
    if isinstance(stream, str) and (stream in _STREAMS or stream.startswith("file://")):
        return stream
    raise ValueError(f"Unsupported output stream, logging level, or file.{stream}. Supported streams are {_STREAMS}.")


def _unused(texts):
    """A mark for the places of tensors that none of the texts has."""
    mark = "{}"
    while any(mark in text for text in texts):
        mark = "".join(random.choice("!#$%&*@^|~") for _ in range(2 + len(mark)))
    return mark


class _Place:
    """Where a tensor's text goes in the text of a structure."""

    def __init__(self, mark):
        self._mark = mark

    def __repr__(self):
        return self._mark


def _is_tensor(value):
    return isinstance(value, tensor.Tensor) or hasattr(value, "__tf_tensor__")


def _template(value, mark, tensors):
    """The text of an argument, with the mark for each tensor, which is put into `tensors`."""
    if isinstance(value, tensor.Tensor) or _is_tensor(value) and not _is_composite(value):
        tensors.append(tensor.convert(value))
        return mark
    if isinstance(value, str) and not nest.is_nested(value):
        return value

    def leaf(v):
        if _is_composite(v):
            return _composite(v, mark, tensors)
        if _is_tensor(v):
            tensors.append(tensor.convert(v))
            return _Place(mark)
        return v

    if _is_composite(value):
        return _text(leaf(value))
    return pprint.pformat(_map(leaf, value), width=1 << 20)


def _text(value):
    return value if not isinstance(value, _Composite) else repr(value)


class _Composite:
    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return f"'{self._text}'" if self._text.startswith("SparseTensor") else self._text


def _is_composite(value):
    return isinstance(value, composite_tensor.CompositeTensor)


def _composite(value, mark, tensors):
    kind = type(value).__name__
    if kind == "SparseTensor":
        tensors.extend([value.indices, value.values, value.dense_shape])
        return _Composite(f"SparseTensor(indices={mark}, values={mark}, shape={mark})")
    if kind == "RaggedTensor":
        tensors.append(value)
        return _Composite(mark)
    flat = nest.flatten(value, expand_composites=True)
    tensors.extend(flat)
    return _Composite(f"{kind}({', '.join([mark] * len(flat))})")


def _map(function, value):
    """The structure of what function gives for its leaves, dictionaries by sorted key; composite tensors are leaves."""
    if isinstance(value, dict):
        return {k: _map(function, value[k]) for k in sorted(value)} if _sortable(value) else value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_map(function, v) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_map(function, v) for v in value)
    return function(value)


def _sortable(value):
    try:
        return sorted(value) is not None
    except TypeError:
        return False


def print(*inputs, **kwargs):
    """Writes texts, tensors, and structures of them; in a graph gives the operation that does.

    output_stream: sys.stderr (the default), sys.stdout, a function of compat.v1.logging, or "file://path", which is appended
    to. summarize: how many of the first and last elements of each dimension are written, -1: all. sep, end: between and
    behind the inputs.
    """
    unknown = set(kwargs) - {"output_stream", "name", "summarize", "sep", "end"}
    if unknown:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {sorted(unknown)}")
    stream = _stream_name(kwargs.get("output_stream", sys.stderr))
    name, summarize = kwargs.get("name"), kwargs.get("summarize", 3) or 3
    sep, end = kwargs.get("sep", " "), kwargs.get("end", os.linesep)
    if len(inputs) == 1 and _is_text(inputs[0]):
        text = tensor.convert(inputs[0])
    else:
        mark = _unused([x if isinstance(x, str) else repr(x) for x in inputs])
        tensors: list = []
        template = sep.join(_template(x, mark, tensors) for x in inputs)
        text = _formatted(template, tensors, mark, summarize)
    return op("PrintV2")(text, output_stream=stream, end=end, name=name)


def _formatted(template, values, mark, summarize):
    if all(isinstance(v, tensor.Tensor) for v in values):
        return op("StringFormat")(values, template=template, placeholder=mark, summarize=summarize)
    from . import ragged_text

    return ragged_text.string_format(template, values, mark, summarize)


def _is_text(value):
    return isinstance(value, tensor.Tensor) and value.dtype == dtypes.string and value.shape.rank == 0


def Print(input_, data, message=None, first_n=None, summarize=None, name=None):
    """Identity of input_ that writes the tensors of `data` to stderr, the first first_n times."""
    return op("Print")(
        input_,
        [tensor.convert(d) for d in data],
        message=message or "",
        first_n=-1 if first_n is None else first_n,
        summarize=3 if summarize is None else summarize,
        name=name,
    )
