"""Batches of matrices whose leading axes broadcast: their shapes, products and systems of them, known or not."""

from __future__ import annotations

from ..core import dtypes, tensor, tensor_shape, variables
from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor


def tensor_or_variable(value, dtype=None, name=None):
    """A tensor of the value. A variable stays one, so that it is read when it is used."""
    return value if isinstance(value, variables.Variable) else convert_to_tensor(value, dtype, name=name)


def known_shape(shape):
    """A constant of a shape that is known, else None."""
    return convert_to_tensor(shape.as_list(), dtypes.int32) if shape.is_fully_defined() else None


def shape_of(x):
    """The shape as a tensor: a constant where it is known."""
    known = known_shape(x.shape)
    return array_ops.shape(x) if known is None else known


def broadcast_static(*shapes):
    """The shape that shapes broadcast to; ValueError when they do not."""
    result = tensor_shape.TensorShape([])
    for shape in shapes:
        result = array_ops.broadcast_static_shape(result, shape)
    return result


def broadcast_dynamic(*shapes):
    """The same of shapes that are tensors."""
    result = shapes[0]
    for shape in shapes[1:]:
        result = op("BroadcastArgs")(result, shape)
    return result


def with_batch(x, batch_shape):
    """A tensor of matrices with its batch broadcast to the shape, a tensor."""
    return op("BroadcastTo")(x, array_ops.concat([batch_shape, shape_of(x)[-2:]], 0))


def broadcast_matrix_batch_dims(batch_matrices, name=None):
    """Tensors of matrices, all with the one batch that theirs broadcast to. ValueError for tensors that are no matrices."""
    matrices = [convert_to_tensor(m) for m in batch_matrices]
    for i, matrix in enumerate(matrices):
        if matrix.shape.rank is not None and matrix.shape.rank < 2:
            raise ValueError(f"All batch_matrices should have at least two dimensions. batch_matrices[{i}] = {matrix}")
    if len(matrices) < 2:
        return matrices
    batches = [m.shape[:-2] if m.shape.rank is not None else m.shape for m in matrices]
    if all(b.is_fully_defined() for b in batches):
        batch = broadcast_static(*batches)
        return [m if b == batch else with_batch(m, known_shape(batch)) for m, b in zip(matrices, batches)]
    batch = broadcast_dynamic(*(shape_of(m)[:-2] for m in matrices))
    return [with_batch(m, batch) for m in matrices]


def matrix_solve_with_broadcast(matrix, rhs, adjoint=False, name=None):
    """x of matrix x = rhs."""
    matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
    return linalg_ops.solve(matrix, rhs, adjoint=adjoint, name=name)


def cholesky_solve_with_broadcast(chol, rhs, name=None):
    """x of (chol cholᴴ) x = rhs."""
    chol, rhs = broadcast_matrix_batch_dims([chol, rhs])
    return linalg_ops.cholesky_solve(chol, rhs, name=name)


def split_arg_into_blocks(block_dims, block_dims_fn, arg, axis=-1):
    """A tensor cut along an axis into blocks of these sizes; block_dims_fn() gives them as tensors where some are unknown."""
    sizes = [getattr(d, "value", d) for d in block_dims]
    if any(s is None for s in sizes):
        sizes = array_ops.stack(block_dims_fn())
    return op("SplitV")(convert_to_tensor(arg), sizes, axis, num_split=len(block_dims))


def arg_is_blockwise(block_dimensions, arg, arg_split_dim):
    """Whether an argument is a list of blocks, rather than one tensor.

    A list with tensors in it is one of blocks. Of other lists the dimensions decide. ValueError for a list that is neither.
    """
    if not isinstance(arg, (tuple, list)) or not arg:
        return False
    wanted = [getattr(d, "value", d) for d in block_dimensions]
    if any(isinstance(a, (tensor.Tensor, variables.Variable)) for a in arg):
        if len(arg) != len(wanted):
            raise ValueError(f"Expected {len(wanted)} blocks, one for each operator. Received {len(arg)} blocks.")
        have = [_dimension(convert_to_tensor(a), arg_split_dim) for a in arg]
        if any(h is not None and w is not None and h != w for h, w in zip(have, wanted)):
            raise ValueError(
                f"The blocks have dimensions {have}, which are not compatible with the operators' {wanted}."
            )
        return True
    if None in wanted:
        raise ValueError(
            "A list is given whose input structure is ambiguous, as the operators' dimensions are unknown."
        )
    if [_dimension(convert_to_tensor(a), arg_split_dim) for a in arg] == wanted:
        return True
    if _dimension(convert_to_tensor(arg), arg_split_dim) == sum(wanted):
        return False
    raise ValueError(f"The argument's dimension does not match that of the operators, {wanted}.")


def _dimension(x, axis):
    return None if x.shape.rank is None or x.shape.rank < -axis else x.shape[axis]
