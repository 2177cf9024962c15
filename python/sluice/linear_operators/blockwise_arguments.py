"""Products and systems of operators that are made of blocks: of one tensor, or of a list of one tensor for each block."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, check_dimensions


class BlockwiseOperator(LinearOperator):
    """The base: a subclass has the blocks' dimensions, `_matmul_blocks` and `_solve_blocks`, from lists to lists."""

    def _block_domain_dimensions(self):
        raise NotImplementedError("_block_domain_dimensions")

    def _block_range_dimensions(self):
        raise NotImplementedError("_block_range_dimensions")

    def _block_domain_dimension_tensors(self):
        raise NotImplementedError("_block_domain_dimension_tensors")

    def _block_range_dimension_tensors(self):
        raise NotImplementedError("_block_range_dimension_tensors")

    def _dimensions(self, of_range):
        return self._block_range_dimensions() if of_range else self._block_domain_dimensions()

    def _blocks_of(self, x, of_range, axis):
        tensors = self._block_range_dimension_tensors if of_range else self._block_domain_dimension_tensors
        return batches.split_arg_into_blocks(self._dimensions(of_range), tensors, x, axis=axis)

    def _checked_blocks(self, x, dimensions, axis):
        x = [convert_to_tensor(block) for block in x]
        for block, dimension in zip(x, dimensions):
            self._check_input_dtype(block)
            if block.shape.rank is not None:
                check_dimensions(dimension.value, block.shape[axis])
        return x

    def _apply(self, function, x, of_range, adjoint, adjoint_arg):
        """The function of x's blocks: blocks where x is a list of them, else one tensor."""
        axis = -1 if adjoint_arg else -2
        if isinstance(x, list):
            return function(x, adjoint, adjoint_arg)
        made = function(self._blocks_of(x, of_range, axis), adjoint, adjoint_arg)
        return array_ops.concat(batches.broadcast_matrix_batch_dims(made), -2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._apply(self._matmul_blocks, x, adjoint, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._apply(self._solve_blocks, rhs, not adjoint, adjoint, adjoint_arg)

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """A x, or with Aᴴ and xᴴ. x: a tensor, an operator, or a list with a tensor for each block, which gives such a list."""
        dimensions, axis = self._dimensions(adjoint), -1 if adjoint_arg else -2
        if isinstance(x, LinearOperator) or not batches.arg_is_blockwise(dimensions, x, axis):
            return super().matmul(x, adjoint, adjoint_arg, name)
        with self._name_scope(name):
            return self._matmul(self._checked_blocks(x, dimensions, axis), adjoint=adjoint, adjoint_arg=adjoint_arg)

    def matvec(self, x, adjoint=False, name="matvec"):
        """A x of vectors, or of a list with a tensor of vectors for each block."""
        dimensions = self._dimensions(adjoint)
        if not batches.arg_is_blockwise(dimensions, x, -1):
            return super().matvec(x, adjoint, name)
        with self._name_scope(name):
            columns = [array_ops.expand_dims(b, -1) for b in self._checked_blocks(x, dimensions, -1)]
            return [array_ops.squeeze(b, -1) for b in self._matmul(columns, adjoint=adjoint)]

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """x of A x = rhs, or with Aᴴ and rhsᴴ, of the same kinds of arguments as `matmul`."""
        dimensions, axis = self._dimensions(not adjoint), -1 if adjoint_arg else -2
        if isinstance(rhs, LinearOperator) or not batches.arg_is_blockwise(dimensions, rhs, axis):
            return super().solve(rhs, adjoint, adjoint_arg, name)
        self._require_solvable()
        with self._name_scope(name):
            return self._solve(self._checked_blocks(rhs, dimensions, axis), adjoint=adjoint, adjoint_arg=adjoint_arg)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        """x of A x = rhs for vectors, or for a list with a tensor of vectors for each block."""
        dimensions = self._dimensions(not adjoint)
        if not batches.arg_is_blockwise(dimensions, rhs, -1):
            return super().solvevec(rhs, adjoint, name)
        self._require_solvable()
        with self._name_scope(name):
            columns = [array_ops.expand_dims(b, -1) for b in self._checked_blocks(rhs, dimensions, -1)]
            return [array_ops.squeeze(b, -1) for b in self._solve(columns, adjoint=adjoint)]


def total(dimensions):
    """The sum of Dimensions; None when one is unknown."""
    sizes = [d.value for d in dimensions]
    return None if None in sizes else sum(sizes)


def joined_diagonals(parts):
    """Vectors of each block as one, with the batch that theirs broadcast to."""
    columns = batches.broadcast_matrix_batch_dims([array_ops.expand_dims(p, -1) for p in parts])
    return array_ops.squeeze(array_ops.concat(columns, -2), -1)


def padded_row(parts, sizes, at):
    """Matrices side by side, with zeros for the columns of the blocks before `at` and after the given ones."""
    before, after = sizes[:at], sizes[at + len(parts) :]
    row = array_ops.concat(parts, -1) if len(parts) > 1 else parts[0]

    def width(columns):
        return (
            sum(columns)
            if all(isinstance(c, int) for c in columns)
            else op("AddN")(list(map(convert_to_tensor, columns)))
        )

    left, right = (width(c) if c else 0 for c in (before, after))
    rank = array_ops.rank(row) if row.shape.rank is None else row.shape.rank
    paddings = array_ops.concat([array_ops.zeros([rank - 1, 2], dtype="int32"), [[left, right]]], 0)
    return op("Pad")(row, paddings)
