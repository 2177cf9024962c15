"""Conditions and comparisons of converted code."""

from __future__ import annotations

import operator

from .. import _native
from ..core import graph, tensor, variables
from ..core.op_defs import op

_COMPARISONS = {
    "Eq": lambda a, b: eq(a, b),
    "NotEq": lambda a, b: not_eq(a, b),
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda a, b: operator.contains(b, a),
    "NotIn": lambda a, b: not_(operator.contains(b, a)),
}


def is_tensor(value) -> bool:
    """Whether a decision on the value is the graph's: a tensor, or a variable."""
    return isinstance(value, (tensor.Tensor, variables.Variable))


def dense(value):
    """A variable's value; other values as they are."""
    return value.read_value() if isinstance(value, variables.Variable) else value


def origin(*tensors) -> str:
    """Which lines of the program made tensors of a graph, as an addition to a message."""
    places = [getattr(getattr(t, "op", None), "_made_at", None) for t in tensors]
    told = [f'"{p[0]}", line {p[1]}' for p in dict.fromkeys(places) if p]
    return f" (made in {' and '.join(told)})" if told else ""


def runs_at_once(value) -> bool:
    """Whether a tensor's value is known where the code runs."""
    return isinstance(dense(value), tensor.EagerTensor) and graph.current() is None


def and_(first, b, state=None):
    """first and b(), which is asked only when it matters; in a graph, with tensors, by a branch.

    state: of names that b assigns by :=, (get_state, set_state, their names)
    """
    if not is_tensor(first):
        return first and b()
    return _lazily(first, False, b, state)


def or_(first, b, state=None):
    """first or b()."""
    if not is_tensor(first):
        return first or b()
    return _lazily(first, True, b, state)


def _lazily(first, decided, second, state):
    """`first` where its value is `decided`, else second(). In a graph both have to have one type: where they have not, they
    become bools."""
    from . import branches

    first = dense(first)
    if runs_at_once(first):
        return first if bool(first) == decided else second()
    kept = False

    def other():
        nonlocal kept
        value = second()
        known = dense(value)
        kept = first.dtype.is_bool or type(known) in (int, float) or getattr(known, "dtype", None) == first.dtype
        return _as_bool(value) if not kept or first.dtype.is_bool else value

    # The branches are traced in this order.
    pred = truth(first)
    if decided:
        pred = op("LogicalNot")(pred)
    return branches.expression(pred, other, lambda: first if kept else _as_bool(first), "the operand", state)


def truth(value, what="condition"):
    """A tensor of a graph as a bool. ValueError where it can be none: when it has no single value, or is no number. Where its shape
    leaves that open, it has to have one when it runs."""
    shape = value.shape
    has_one = shape.rank == 0
    if not has_one and (shape.rank is None or all(d in (None, 1) for d in shape)):
        value, has_one = op("Reshape")(value, []), True
    if not has_one or value.dtype.name in ("string", "resource", "variant"):
        raise ValueError(
            f"{what} expected to be a scalar of type bool or of numbers, got {value!r}: reduce it with tf.reduce_all or "
            "tf.reduce_any, compare it, or use tf.cast; to check for None, use `is not None`"
        )
    return value if value.dtype.is_bool else op("Cast")(value, DstT=10)


def _as_bool(value):
    value = dense(value)
    if not isinstance(value, tensor.Tensor):
        value = bool(value)
    return truth(graph.into(graph.current(), value))


def not_(a):
    """not a; of a tensor, its logical complement."""
    if not is_tensor(a):
        return not a
    a = dense(a)
    return op("LogicalNot")(a if a.dtype.is_bool else op("Cast")(a, DstT=10))


def eq(a, b):
    """a == b, also where tensors are compared by identity otherwise."""
    if (is_tensor(a) or is_tensor(b)) and not _native.compares_values():
        return tensor.operators["eq"](dense(a), dense(b))
    return a == b


def not_eq(a, b):
    if (is_tensor(a) or is_tensor(b)) and not _native.compares_values():
        return tensor.operators["ne"](dense(a), dense(b))
    return a != b


def compare(left, words, *rights):
    """a < b == c: each operand is computed once, and none that does not matter."""
    made = None
    for word, right in zip(words, rights):
        if made is not None and not is_tensor(made) and not made:
            return made
        value = right()
        step = _COMPARISONS[word](left, value)
        made = step if made is None else and_(made, lambda second=step: second)
        left = value
    return made


def if_exp(test, body, orelse, text, state=None):
    """body() if test else orelse(); `state` as in and_."""
    if not is_tensor(test):
        return body() if test else orelse()
    from . import branches

    return branches.expression(test, body, orelse, text, state)


def assert_stmt(test, message):
    """assert test, message(): of a tensor, an Assert node."""
    if not is_tensor(test):
        if not test:
            raise AssertionError(message())
        return
    test = dense(test)
    if not test.dtype.is_bool:
        test = op("Cast")(test, DstT=10)
    op("Assert")(test, [message() if isinstance(message(), (str, tensor.Tensor)) else str(message())])


def iterable(value):
    """What a comprehension runs over: of a tensor in a graph, its rows, of which the number has to be known."""
    if isinstance(value, tensor.Tensor) and not isinstance(value, tensor.EagerTensor):
        n = value.shape[0] if value.shape.rank else None
        if n is None:
            raise TypeError(
                "a comprehension over a tensor whose first dimension is not known while the graph is built: use a for statement, or "
                "tf.map_fn"
            )
        return [value[i] for i in range(n)]
    return value
