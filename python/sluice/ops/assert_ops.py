"""Asserts about values, types and ranks, and what tells whether values are in order.

What is known at once is checked at once, and raises; eagerly that is everything, and an assert gives None. In a graph the rest is an
op, which raises InvalidArgumentError when it runs; it is given to the caller. Asserts about shapes are in check_shapes.py.
"""

from __future__ import annotations

import numpy as np

from ..core import dtypes, errors, graph, scopes, static_values, tensor
from ..core.op_defs import op
from . import array_ops, math_ops
from .array_ops import convert_to_tensor
from .control_flow_ops import no_op, with_dependencies

Tensor = tensor.Tensor


def known(t):
    """The value as a numpy array, or None while a graph is built that has it only when it runs."""
    return static_values.known_value(t)


def is_eager(t) -> bool:
    return isinstance(t, tensor.EagerTensor) and graph.current() is None


def fail(message):
    raise errors.InvalidArgumentError(None, None, message)


def name_of(t) -> str:
    """How messages call a tensor."""
    return f"shape={t.shape} dtype={t.dtype.name}" if isinstance(t, tensor.EagerTensor) else t.name


def prefix(message) -> str:
    return f"{message}.  " if message else ""


# ---- Assert


def Assert(condition, data, summarize=None, name=None):
    """InvalidArgumentError with the data when the condition is false; at most `summarize` elements of each tensor are told."""
    if graph.current() is None:
        count = 3 if summarize is None else summarize
        if not convert_to_tensor(condition, "bool"):
            fail(f"Expected '{condition}' to be true. Summarized data: " + "\n".join(_summary(d, count) for d in data))
        return None
    with scopes.name_scope_v1(name, "Assert"):
        condition, limit = convert_to_tensor(condition, "bool"), 3 if summarize is None else summarize
        if all(not isinstance(d, Tensor) or d.dtype.base_dtype in _AT_ONCE for d in data):
            return op("Assert")(condition, list(data), summarize=limit, name="Assert")
        return op("Assert")(
            condition, [convert_to_tensor(d) for d in data], summarize=limit, name="AssertGuard/Identity"
        )


_AT_ONCE = (dtypes.string, dtypes.int32)  # types of data that TensorFlow asserts without a branch around


def _summary(x, count):
    t = convert_to_tensor(x)
    flat = np.asarray(t).reshape(-1)
    limit = len(flat) if count < 0 else count
    return ", ".join(str(v) for v in flat[:limit].tolist()) + (", ..." if len(flat) > limit else "")


# ---- comparisons


def _told(data, summarize):
    """The caller's own data of an assert that failed, as a text."""
    limit = None if summarize is not None and summarize < 0 else summarize or 3

    def text(item):
        if not isinstance(item, (Tensor, np.ndarray)):
            return str(item)
        flat = np.asarray(item).reshape(-1)
        return str([str(v) for v in flat[:limit]] + ["..."] * (limit is not None and len(flat) > limit))

    return "\n".join(text(item) for item in data)


def _elements(x, y, holds, sign, message, summarize):
    """What an eager comparison that failed says of its operands."""
    limit = None if summarize is not None and summarize < 0 else summarize or 3
    xs, ys = np.asarray(x), np.asarray(y)
    lines = ([message] if message else []) + [f"Condition x {sign} y did not hold."]
    if xs.shape == ys.shape and xs.ndim:
        wrong = ~np.asarray(holds)
        places = np.argwhere(wrong)[:limit]
        lines += [f"Indices of first {len(places)} different values:", str(places)]
        lines += ["Corresponding x values:", str(xs[wrong][:limit]), "Corresponding y values:", str(ys[wrong][:limit])]
    for word, flat in (("x", xs.reshape(-1)), ("y", ys.reshape(-1))):
        shown = flat[:limit]
        lines += [f"First {len(shown)} elements of {word}:", str(shown)]
    return "\n".join(lines)


def _compare(op_name, sign, x, y, data, summarize, message, name):
    if graph.current() is None:
        x, y = math_ops._both(x, y)
        holds = op(op_name)(x, y)
        if np.all(np.asarray(holds)):
            return None
        fail(_told(data, summarize) if data is not None else _elements(x, y, holds, sign, message, summarize))
    with scopes.name_scope_v1(name, _SCOPES[op_name]) as scope:
        if op_name == "Equal" and x is y and isinstance(x, Tensor):
            return no_op()
        if op_name != "Equal":
            return _compare_in_graph(op_name, sign, x, y, data, summarize, message)
    with scopes.name_scope(scope.rstrip("/").rpartition("/")[2]):
        return _compare_in_graph(op_name, sign, x, y, data, summarize, message)


_SCOPES = {
    "Equal": "assert_equal",
    "NotEqual": "assert_none_equal",
    "Less": "assert_less",
    "LessEqual": "assert_less_equal",
    "Greater": "assert_greater",
    "GreaterEqual": "assert_greater_equal",
}


def _compare_in_graph(op_name, sign, x, y, data, summarize, message):
    x, y = _named_operands(x, y)
    holds = op(op_name)(x, y)
    x_value, y_value = known(x), known(y)
    if data is None:
        data = [
            f"Condition x {sign} y did not hold element-wise:",
            f"x ({name_of(x)}) = ",
            x,
            f"y ({name_of(y)}) = ",
            y,
        ]
        data = [message] * bool(message) + data
    if x_value is not None and y_value is not None:
        if bool(np.all(_COMPARE[op_name](x_value, y_value))):
            return no_op()
        fail(
            "\n".join(
                str(d) if not isinstance(d, Tensor) else str(known(d) if known(d) is not None else d) for d in data
            )
        )
    return Assert(math_ops.reduce_all(holds), data, summarize)


def _named_operands(x, y):
    """Tensors of both; constants have their names."""
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        return math_ops._both(x, y)
    if isinstance(y, Tensor):
        x = convert_to_tensor(x, dtype_hint=y.dtype, name="x")
    x = convert_to_tensor(x, name="x")
    return math_ops._both(x, convert_to_tensor(y, dtype_hint=x.dtype, name="y"))


_COMPARE = {
    "Equal": np.equal,
    "NotEqual": np.not_equal,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
}


def _binary(op_name, sign, name):
    def check(x, y, message=None, summarize=None, name=None):
        return _compare(op_name, sign, x, y, None, summarize, message, name)

    def old(x, y, data=None, summarize=None, message=None, name=None):
        return _compare(op_name, sign, x, y, data, summarize, message, name)

    for f in (check, old):
        f.__name__ = f.__qualname__ = name
        f.__doc__ = (
            f"Asserts that x {sign} y for all elements; InvalidArgumentError with `message` when it does not hold."
        )
    return check, old


assert_equal, assert_equal_v1 = _binary("Equal", "==", "assert_equal")
assert_less, assert_less_v1 = _binary("Less", "<", "assert_less")
assert_less_equal, assert_less_equal_v1 = _binary("LessEqual", "<=", "assert_less_equal")
assert_greater, assert_greater_v1 = _binary("Greater", ">", "assert_greater")
assert_greater_equal, assert_greater_equal_v1 = _binary("GreaterEqual", ">=", "assert_greater_equal")
assert_none_equal_v1 = _binary("NotEqual", "!=", "assert_none_equal")[1]


def assert_none_equal(x, y, summarize=None, message=None, name=None):
    """Asserts that x != y for all elements; InvalidArgumentError with `message` when it does not hold."""
    return _compare("NotEqual", "!=", x, y, None, summarize, message, name)


def _with_zero(op_name, sign, name):
    """An assert that compares a tensor with zero."""
    own_name, turned = name, {"Greater": "Less", "GreaterEqual": "LessEqual"}.get(op_name)

    def old(x, data=None, summarize=None, message=None, name=None):
        if graph.current() is not None:
            with scopes.name_scope_v1(name, own_name):
                return compare(x, data, summarize, message)
        return compare(x, data, summarize, message)

    def compare(x, data, summarize, message):
        x = convert_to_tensor(x, name="x")
        if data is None:
            data = [prefix(message), f"Condition x {sign} 0 did not hold element-wise:", f"x ({name_of(x)}) = ", x]
        zero = convert_to_tensor(0, x.dtype)
        return _compare(turned or op_name, sign, *((zero, x) if turned else (x, zero)), data, summarize, None, None)

    def check(x, message=None, summarize=None, name=None):
        return old(x, None, summarize, message, name)

    for f in (check, old):
        f.__name__ = f.__qualname__ = name
        f.__doc__ = (
            f"Asserts that x {sign} 0 for all elements; InvalidArgumentError with `message` when it does not hold."
        )
    return check, old


assert_negative, assert_negative_v1 = _with_zero("Less", "<", "assert_negative")
assert_positive, assert_positive_v1 = _with_zero("Greater", ">", "assert_positive")
assert_non_positive, assert_non_positive_v1 = _with_zero("LessEqual", "<=", "assert_non_positive")
assert_non_negative, assert_non_negative_v1 = _with_zero("GreaterEqual", ">=", "assert_non_negative")


@scopes.in_scope("assert_near", names_last=False)
def assert_near_v1(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """Asserts that |x - y| < atol + rtol * |y| for all elements. Both are ten times the type's step at one unless given."""
    x, y = math_ops._both(x, y)
    kind = x.dtype.real_dtype
    if not kind.is_floating:
        raise ValueError(f"assert_near needs floating point or complex tensors, got {x.dtype}")
    step = 10 * float(_eps(kind))
    rtol = convert_to_tensor(step if rtol is None else rtol, kind, name="rtol")
    atol = convert_to_tensor(step if atol is None else atol, kind, name="atol")
    if data is None:
        shown = [f"{w} ({name_of(t)}) = " for w, t in (("x", x), ("y", y))]
        data = [f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}", shown[0], x, shown[1], y]
        data = [message] * bool(message) + data
    limit = atol + rtol * math_ops.abs(y)
    near = op("Less")(math_ops.abs(x - y), limit)
    return Assert(math_ops.reduce_all(near), data, summarize)


def assert_near(x, y, rtol=None, atol=None, message=None, summarize=None, name=None):
    """Asserts that |x - y| < atol + rtol * |y| for all elements. Both are ten times the type's step at one unless given."""
    return assert_near_v1(x, y, rtol, atol, None, summarize, message, name)


def _eps(dtype):
    if dtype.name == "bfloat16":
        return 2.0**-7
    return np.finfo(dtype.as_numpy_dtype).eps


# ---- types


def assert_integer(x, message=None, name=None):
    """TypeError when the tensor is not of an integer type."""
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        raise TypeError(f'{prefix(message)}Expected "x" to be integer type.  Found: {_described(x)} of dtype {x.dtype}')
    return settled(name, "assert_integer", "statically_determined_was_integer")


def settled(name, scope, word):
    """What an assert gives that holds while a graph is built."""
    if graph.current() is None:
        return None
    with scopes.name_scope_v1(name, scope):
        return no_op(word)


def _described(x):
    return "tensor" if is_eager(x) else x.name


def assert_type(tensor, tf_type, message=None, name=None):
    """TypeError when the tensor is not of this type."""
    t = tensor if hasattr(type(tensor), "_type_spec") else convert_to_tensor(tensor)
    wanted = dtypes.as_dtype(tf_type)
    if t.dtype.base_dtype != wanted:
        called = f"{t.name} " if isinstance(t, graph.SymbolicTensor) else "tensor "
        raise TypeError(f"{prefix(message)}{called}must be of type {wanted!r}; got {t.dtype!r}")
    return settled(name, "assert_type", "statically_determined_correct_type")


def assert_same_float_dtype(tensors=None, dtype=None):
    """The floating point type that all tensors have, float32 when there are none. ValueError when they differ, or have another."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    first = None
    for t in tensors or ():
        if t is None:
            continue
        have = t.dtype.base_dtype
        if wanted is None:
            wanted, first = have, t
        elif have != wanted:
            as_what = f" as {first}" if first is not None else ""
            raise ValueError(f"{t}, type={have}, must be of the same type ({wanted}){as_what}.")
    wanted = wanted or dtypes.float32
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted}.")
    return wanted


def is_numeric_tensor(tensor):
    """Whether it is a tensor of numbers."""
    return isinstance(tensor, Tensor) and tensor.dtype.base_dtype.is_numeric


def assert_proper_iterable(values):
    """TypeError unless it is an iterable whose items are meant: tensors, arrays and texts are not."""
    whole = (Tensor, np.ndarray, bytes, str)
    if isinstance(values, whole) or hasattr(type(values), "_type_spec"):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


# ---- order of elements


def _steps(x):
    """The differences of the flat tensor's neighbours."""
    x = convert_to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"Expected x to be numeric, instead found: {x}")
    flat = array_ops.reshape(x, [-1])
    return flat[:-1], flat[1:]


def is_non_decreasing(x, name=None):
    """Whether no element of the flat tensor is less than the one before."""
    before, after = _steps(x)
    return math_ops.reduce_all(op("LessEqual")(before, after), name=name)


def is_strictly_increasing(x, name=None):
    """Whether each element of the flat tensor is larger than the one before."""
    before, after = _steps(x)
    return math_ops.reduce_all(op("Less")(before, after), name=name)


# ---- finite numbers


def check_numerics(tensor, message, name=None):
    """The tensor; InvalidArgumentError with the message when it has infinities or what is no number."""
    return op("CheckNumerics")(tensor, message=message, name=name)


def assert_all_finite(x, message, name=None):
    """The tensor; InvalidArgumentError with the message when it has infinities or what is no number."""
    if graph.current() is None:
        return op("CheckNumerics")(x, message=message)
    with scopes.name_scope_v1(name, "VerifyFinite"):
        return with_dependencies([op("CheckNumerics")(x, message=message)], x, "control_dependency")


def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """The same under TensorFlow 1's names of arguments."""
    x = array_ops._one_of("x", x, "t", t)
    message = array_ops._one_of("message", message, "msg", msg)
    return assert_all_finite(x, message, name)


def add_check_numerics_ops():
    """An op that checks every floating point tensor of the graph. RuntimeError when ops are executed at once."""
    from .control_flow_ops import group

    g = graph.current()
    if g is None:
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager "
            "execution, call tf.debugging.enable_check_numerics() once before executing the checked operations."
        )
    checks = []
    for operation in g.get_operations():
        for i, t in enumerate(operation.outputs):
            if t.dtype.name in ("bfloat16", "float16", "float32", "float64"):
                with g.control_dependencies(checks[-1:]):
                    checks.append(check_numerics(t, f"{operation.name}:{i}").op)
    return group(*checks)
