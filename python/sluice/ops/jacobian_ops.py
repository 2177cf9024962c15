"""Jacobians and Hessians in graphs: the gradient as a function of its seed, called in a loop over the target's elements."""

from __future__ import annotations

from . import array_ops, tensor_array_ops, while_loops
from ..core import graph_gradients, tensor_shape
from ..core.op_defs import op


def _shape_of(x):
    return op("Shape")(x.read_value() if hasattr(x, "read_value") else x)


def _map_rows(gradients, n, seed_of, there):
    """gradients(seed_of(i)) for i < n, stacked by source."""
    arrays = [tensor_array_ops.TensorArray(d.dtype, n, element_shape=d.shape) for d in there]

    def once(i, arrays):
        return i + 1, [a.write(i, d) for a, d in zip(arrays, gradients(seed_of(i)))]

    _, arrays = while_loops.while_loop(lambda i, _: i < n, once, (0, arrays), maximum_iterations=n)
    return [a.stack() for a in arrays]


def jacobians(g, y, xs, sources, stops, by_example):
    """By x, a tensor of the graph, the jacobian of y, or None. `sources`: the xs as the caller has them.

    by_example: the first axes of y and x count examples; they have one axis in the result.
    """
    if not xs:
        return []
    gradients, found = graph_gradients.by_seed(g, y, xs, stops, "jacobian")
    if gradients is None:
        return found
    there = [d for d in found if d is not None]
    shape = op("Shape")(y)
    if by_example:
        each = shape[1:]
        n = op("Prod")(each, [0])

        def seed_of(i):
            one = array_ops.one_hot(i, n, dtype=y.dtype)
            return op("BroadcastTo")(op("Reshape")(one, op("ConcatV2")([[1], each], 0)), shape)
    else:
        n = y.shape.num_elements() if y.shape.is_fully_defined() else op("Size")(y)

        def seed_of(i):
            return op("Reshape")(array_ops.one_hot(i, n, dtype=y.dtype), shape)

    rows = iter(_map_rows(gradients, n, seed_of, there))
    return [None if d is None else _arrange(next(rows), y, s, shape, by_example) for d, s in zip(found, sources)]


def _arrange(rows, y, source, shape, by_example):
    """The stacked gradients in the jacobian's shape."""
    inner = _shape_of(source)
    if not by_example:
        made = op("Reshape")(rows, op("ConcatV2")([shape, inner], 0))
        made.set_shape(y.shape.concatenate(source.shape))
        return made
    rank = source.shape.rank
    turned = array_ops.transpose(rows, [1, 0, *range(2, rank + 1)])
    made = op("Reshape")(turned, op("ConcatV2")([shape, inner[1:]], 0))
    made.set_shape(y.shape.concatenate(source.shape[1:]))
    return made


def hessian(g, y, x):
    """The second derivatives of y with respect to x, of x's shape twice; ValueError when y does not depend on x."""
    (d,) = graph_gradients.add(g, [y], [x])
    if d is None:
        raise ValueError("None values not supported.")
    d = graph_gradients.tensor_of(g, d)
    if d.shape.rank is None:
        d.set_shape(tensor_shape.as_shape(x.shape))
    (made,) = jacobians(g, d, [x], [x], (), False)
    if made is None:
        raise ValueError("None values not supported.")
    return made
