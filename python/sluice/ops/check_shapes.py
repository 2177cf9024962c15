"""Asserts about ranks and shapes. What is known while a graph is built is checked then, and raises ValueError."""

from __future__ import annotations

import numpy as np

from ..core import graph, scopes, static_values, tensor
from ..core.op_defs import op
from . import array_ops, assert_ops, math_ops
from .array_ops import convert_to_tensor
from .assert_ops import Assert, prefix
from .control_flow_ops import group, no_op, with_dependencies

Tensor = tensor.Tensor


def _is_sparse(x):
    return hasattr(x, "dense_shape") and not isinstance(x, Tensor)


def _called(x):
    return f"{x.name} " if isinstance(x, graph.SymbolicTensor) else " "


def _static_shape(x):
    if _is_sparse(x):
        value = static_values.known_value(x.dense_shape)
        return x.shape if value is None else array_ops.tensor_shape.TensorShape([int(d) for d in value])
    return x.shape


# ---- ranks


def _rank_argument(rank):
    """(the tensor, the number or None)."""
    t = convert_to_tensor(rank, name="rank")
    assert_ops.assert_type(t, "int32")
    if t.shape.rank not in (None, 0):
        raise ValueError("Rank must be a scalar.")
    if t.shape.rank is None:
        scalar = Assert(op("Equal")(array_ops.rank(t), 0), ["Rank must be a scalar."])
        return with_dependencies([scalar], t), None
    value = static_values.known_value(rank if isinstance(rank, tensor.EagerTensor) else t)  # which a trace may know
    return t, None if value is None else int(value)


def _check_rank(x, ranks, holds, words, phrase, data, summarize, message, name):
    """holds(ranks that are known, the rank): at once; phrase(rank tensors, rank tensor): in the graph."""
    if graph.current() is None:
        return _check_ranks(x, ranks, holds, words, phrase, data, summarize, message)
    with scopes.name_scope_v1(name, "assert_" + words.replace(" ", "_")):
        return _check_ranks(x, ranks, holds, words, phrase, data, summarize, message)


def _check_ranks(x, ranks, holds, words, phrase, data, summarize, message):
    x = x if _is_sparse(x) else convert_to_tensor(x, name="x")
    ranks = [_rank_argument(r) for r in ranks]
    have = _static_shape(x).rank
    values = [v for _, v in ranks]
    if None not in values and have is not None:
        if not holds(values, have):
            shown = tuple(values) if words.endswith("in") else values[0]
            raise ValueError(
                f"{prefix(message)}Tensor {_called(x)}must have {words} {shown}.  Received rank {have}, shape {_static_shape(x)}"
            )
        return None if graph.current() is None else no_op("static_checks_determined_all_ok")
    tensors = [t for t, _ in ranks]
    actual = array_ops.rank(x)
    if data is None:
        data = [
            prefix(message),
            f"Tensor {_called(x)}must have {words}",
            *tensors,
            "Received shape: ",
            array_ops.shape(x),
        ]
    return Assert(phrase(tensors, actual), data, summarize)


def assert_rank_v1(x, rank, data=None, summarize=None, message=None, name=None):
    """Asserts that the tensor has so many axes."""

    def equal(tensors, actual):
        return op("Equal")(actual, tensors[0])

    return _check_rank(x, [rank], lambda r, have: have == r[0], "rank", equal, data, summarize, message, name)


def assert_rank(x, rank, message=None, name=None):
    """Asserts that the tensor has so many axes: ValueError at once when it is known, else InvalidArgumentError."""
    return assert_rank_v1(x, rank, None, None, message, name)


def assert_rank_at_least_v1(x, rank, data=None, summarize=None, message=None, name=None):
    """Asserts that the tensor has at least so many axes."""

    def enough(tensors, actual):
        return op("GreaterEqual")(actual, tensors[0])

    holds = lambda r, have: have >= r[0]  # noqa: E731
    return _check_rank(x, [rank], holds, "rank at least", enough, data, summarize, message, name)


def assert_rank_at_least(x, rank, message=None, name=None):
    """Asserts that the tensor has at least so many axes: ValueError at once when it is known, else InvalidArgumentError."""
    return assert_rank_at_least_v1(x, rank, None, None, message, name)


def assert_rank_in_v1(x, ranks, data=None, summarize=None, message=None, name=None):
    """Asserts that the number of the tensor's axes is one of these."""

    def one_of(tensors, actual):
        return math_ops.reduce_any(op("Equal")(actual, array_ops.stack(tensors)))

    holds = lambda r, have: have in r  # noqa: E731
    return _check_rank(x, ranks, holds, "rank in", one_of, data, summarize, message, name)


def assert_rank_in(x, ranks, message=None, name=None):
    """Asserts that the number of axes is one of these: ValueError at once when it is known, else InvalidArgumentError."""
    return assert_rank_in_v1(x, ranks, None, None, message, name)


def assert_scalar(tensor, message=None, name=None):
    """The tensor; ValueError when it has axes."""
    t = convert_to_tensor(tensor)
    if t.shape.rank != 0:
        called = f" for {t.name}" if isinstance(t, graph.SymbolicTensor) else " shape"
        raise ValueError(
            f"{prefix(message)}Expected scalar shape{called if called != ' shape' else ''}, saw shape: {t.shape}."
        )
    return t


def assert_scalar_v1(tensor, name=None, message=None):
    """The tensor; ValueError when it has axes."""
    return assert_scalar(tensor, message, name)


# ---- shapes with names for sizes


class _Sizes:
    """What is known of a tensor's dimensions: static sizes, and the shape as a tensor for the others."""

    def __init__(self, x):
        self.x = x
        self.static = _static_shape(x)
        # A scalar counts as one dimension of size one.
        self.scalar = self.static.rank == 0
        self.dynamic = None

    @property
    def rank(self):
        return self.static.rank

    def name(self):
        x = self.x
        if isinstance(x, graph.SymbolicTensor):
            return x.name
        return f"shape={x.shape} dtype={x.dtype.name}"

    def size(self, i):
        """A number where it is known, else a tensor."""
        if self.scalar:
            return 1
        if self.rank is not None and self.static[i] is not None:
            return self.static[i]
        if self.dynamic is None:
            self.dynamic = array_ops.shape(self.x)
        return self.dynamic[i]


def _symbols(x, shape, message):
    """(sizes by dimension, whether more dimensions may come before them)."""
    if isinstance(shape, np.ndarray):
        shape = shape.tolist()
    if not hasattr(shape, "__iter__"):
        raise ValueError(
            f"{prefix(message)}Tensor {x.name()}.  Specified shape must be an iterable.  An iterable has the attribute "
            f"`__iter__` or `__getitem__`.  Received specified shape: {shape}"
        )
    symbols = [d.value if hasattr(d, "value") else d for d in shape]
    open_front = bool(symbols) and symbols[0] in (Ellipsis, "*")
    for i, s in enumerate(symbols[1:], 1):
        if s in (Ellipsis, "*"):
            raise ValueError(
                f"{prefix(message)}Tensor {x.name()} specified shape index {i}.  Symbol `...` or `*` for a variable number of "
                "unspecified dimensions is only allowed as the first entry"
            )
    return [_number(s) for s in (symbols[1:] if open_front else symbols)], open_front


def _number(symbol):
    """Digits mean their number, "." means any size."""
    if isinstance(symbol, str) and symbol.isdigit():
        return int(symbol)
    return None if isinstance(symbol, str) and symbol == "." else symbol


def assert_shapes_v1(shapes, data=None, summarize=None, message=None, name=None):
    """Asserts shapes: pairs (tensor, sizes), in a list or a dictionary. A size is a number, a name (the same size wherever it
    comes), or None or "." for any; `...` or "*" at the front stands for any number of dimensions.

    ValueError at once where shapes are known, InvalidArgumentError from the op that is given else. A scalar counts as [1].
    """
    pairs = list(shapes.items() if hasattr(shapes, "items") else shapes)
    checks, named = [], {}
    for value, shape in pairs:
        if shape is None:
            continue
        value = value.deref() if hasattr(value, "deref") else value
        x = _Sizes(value if _is_sparse(value) else convert_to_tensor(value))
        symbols, open_front = _symbols(x, shape, message)
        checks += _check_number(x, symbols, open_front, data, summarize, message)
        for i, symbol in enumerate(symbols):
            if symbol is None:
                continue
            at = i - len(symbols) if open_front else i
            size = x.size(at)
            if isinstance(symbol, (int, np.integer)):
                wanted, origin = int(symbol), "Specified explicitly"
            elif symbol in named:
                wanted, first, where = named[symbol]
                origin = f"Specified by tensor {first} dimension {where}"
            else:
                named[symbol] = size, x.name(), at
                continue
            checks += _check_size(x, at, size, wanted, origin, data, summarize, message)
    return group(*checks, name=name)


def _check_number(x, symbols, open_front, data, summarize, message):
    """That a tensor has as many dimensions as sizes are named."""
    n = len(symbols)
    rank = 1 if x.scalar and n == 1 else x.rank
    if not symbols and not open_front:  # a scalar, or one element
        if x.rank in (0, None):
            return []
        if x.rank == 1:
            return _check_size(x, 0, x.size(0), 1, "Specified explicitly", data, summarize, message)
    if open_front:
        return [assert_rank_at_least_v1(x.x, n, data, summarize, message)] if n != 1 or not x.scalar else []
    return [assert_rank_v1(x.x, n, data, summarize, message)] if rank != n else []


def _check_size(x, at, size, wanted, origin, data, summarize, message):
    if isinstance(size, int) and isinstance(wanted, int):
        if size != wanted:
            raise ValueError(
                f"{prefix(message)}{origin}.  Tensor {x.name()} dimension {at} must have size {wanted}.  "
                f"Received size {size}, shape {x.static}"
            )
        return []
    if data is None:
        data = [prefix(message)] * bool(message)
        data += [
            origin,
            f"Tensor {x.name()} dimension",
            at,
            "must have size",
            wanted,
            "Received shape: ",
            array_ops.shape(x.x),
        ]
    size, wanted = (convert_to_tensor(v, "int32") if isinstance(v, int) else v for v in (size, wanted))
    return [Assert(op("Equal")(array_ops.cast(size, "int32"), array_ops.cast(wanted, "int32")), data, summarize)]


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Asserts shapes: pairs (tensor, sizes), in a list or a dictionary. A size is a number, a name (the same size wherever it
    comes), or None or "." for any; `...` or "*" at the front stands for any number of dimensions.

    ValueError at once where shapes are known, InvalidArgumentError from the op that is given else. A scalar counts as [1].
    """
    return assert_shapes_v1(shapes, data, summarize, message, name)
