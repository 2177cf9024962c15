"""tf.test.compute_gradient: gradients beside differences of the function, to compare the two.

A complex number counts as two real ones, its real and its imaginary part.
"""

from __future__ import annotations

import numpy as np

from . import array_ops, gradient_ops
from ..core import graph, nest, session, tensor
from ..core.function import function
from ..core.gradient_tape import GradientTape
from ..core.indexed_slices import IndexedSlices


def _reals(array) -> np.ndarray:
    """The elements as one vector of real numbers."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    return array.reshape(-1)


def _real_type(array):
    return array.real.dtype if array.dtype.kind == "c" else array.dtype


def _value(t) -> np.ndarray:
    if isinstance(t, IndexedSlices):
        t = tensor.convert(t)
    return np.asarray(t.numpy() if hasattr(t, "numpy") else t)


def _steps(array):
    """The places of the array's real numbers."""
    return range(_reals(array).size)


def _moved(array, place, by):
    """A copy in which one real number is another one."""
    made = np.array(array)
    flat = made.reshape(-1).view(_real_type(made))
    flat[place] = flat[place] + by
    return made.reshape(array.shape)


def _units(like):
    """For each real number of an array, an array that is 1 there and 0 elsewhere."""
    for place in _steps(like):
        yield _moved(np.zeros_like(like), place, 1)


# ---- of functions


def compute_gradient(f, x, delta=None):
    """(by gradients, by differences): of each x a matrix of d f(*x) / dx, with a row by number of the result.

    x: a list of values of floating or complex types. delta: half the step of differences.
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a %s" % type(x)
        )
    xs = [array_ops.convert_to_tensor(v) for v in x]
    delta = 1.0 / 1024 if delta is None else delta
    traced = function(f, autograph=False) if graph.current() is None else f
    values = [_value(v) for v in xs]
    y = _value(traced(*xs))
    return tuple(_by_gradient(traced, xs, values, y)), tuple(
        _by_difference(traced, xs, values, y, i, delta) for i in range(len(xs))
    )


def _by_gradient(f, xs, values, y):
    rows = [[] for _ in xs]
    for seed in _units(y):
        with GradientTape() as tape:
            tape.watch(xs)
            result = f(*xs)
        found = tape.gradient(result, xs, output_gradients=tensor.convert(seed, result._dtype_number))
        for row, d, value in zip(rows, found, values):
            row.append(_reals(np.zeros_like(value) if d is None else _value(d)))
    return [np.array(row, _real_type(v)).reshape(len(row), _reals(v).size) for row, v in zip(rows, values)]


def _by_difference(f, xs, values, y, i, delta):
    columns = []
    for place in _steps(values[i]):
        there = []
        for sign in (1, -1):
            moved = tensor.convert(_moved(values[i], place, sign * delta), xs[i]._dtype_number)
            there.append(_reals(_value(f(*xs[:i], moved, *xs[i + 1 :]))).astype(np.float64))
        columns.append((there[0] - there[1]) / (2 * delta))
    made = np.array(columns, np.float64).reshape(len(columns), _reals(y).size).T
    return made.astype(_real_type(values[i]))


# ---- of graphs


def compute_gradient_v1(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """(by gradients, by differences) of d y / dx in the default session, with a row by number of x; of lists a list.

    x_init_value: where; by default somewhere. init_targets: operations that are run first.
    """
    here = session.get_default_session()
    for target in nest.flatten(init_targets) if init_targets is not None else ():
        here.run(target)
    feed = dict(extra_feed_dict or {})
    if not isinstance(x, list):
        return _in_graph(here, x, x_shape, y, y_shape, x_init_value, delta, feed)
    values = x_init_value if x_init_value is not None else [None] * len(x)
    return [_in_graph(here, a, s, y, y_shape, v, delta, feed) for a, s, v in zip(x, x_shape, values)]


def _in_graph(here, x, x_shape, y, y_shape, value, delta, feed):
    dtype = x.dtype.base_dtype.as_numpy_dtype
    if value is None:
        value = np.random.random_sample(x_shape)
        value = value + 1j * np.random.random_sample(x_shape) if np.dtype(dtype).kind == "c" else value
    value = np.asarray(value, dtype)
    seed = array_ops.ones(y_shape, y.dtype.base_dtype)
    (d,) = gradient_ops.gradients_v1(y, x, seed)
    like = np.zeros(y_shape, y.dtype.base_dtype.as_numpy_dtype)
    columns = [_reals(_row(here, d, value, {**feed, x: value, seed: unit})) for unit in _units(like)]
    by_gradient = np.array(columns, _real_type(value)).reshape(len(columns), _reals(value).size).T
    rows = []
    for place in _steps(value):
        there = [here.run(y, {**feed, x: _moved(value, place, by)}) for by in (delta, -delta)]
        rows.append((_reals(there[0]).astype(np.float64) - _reals(there[1])) / (2 * delta))
    by_difference = np.array(rows, np.float64).reshape(len(rows), _reals(like).size)
    return by_gradient, by_difference.astype(_real_type(value))


def _row(here, d, value, feed):
    if d is None:
        return np.zeros_like(value)
    found = here.run(d, feed)
    if isinstance(d, IndexedSlices):
        dense = np.zeros_like(value)
        np.add.at(dense, found.indices, found.values)
        return dense
    return found


def compute_gradient_error(
    x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None
):
    """The largest difference between the two that compute_gradient gives."""
    made = compute_gradient_v1(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs = made if isinstance(made, list) else [made]
    return max((np.abs(a - b).max() for a, b in pairs if a.size), default=0)
