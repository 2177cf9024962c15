"""Toeplitz matrices: the same elements along each diagonal."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, checked_type, conj, constructor_arguments, require


class LinearOperatorToeplitz(LinearOperator):
    """Square matrices of their first column and first row, [B1 ... Bb, N] each. The corner is the column's."""

    _composite_tensor_fields = ("col", "row")

    def __init__(
        self,
        col,
        row,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorToeplitz",
    ):
        parameters = constructor_arguments(locals())
        self._row = batches.tensor_or_variable(row, name="row")
        self._col = batches.tensor_or_variable(col, name="col")
        for word, value in (("row", self._row), ("col", self._col)):
            if value.shape.rank == 0:
                raise ValueError(f"Argument {word} must have at least 1 dimension.  Found: {parameters[word]}")
        if self._row.shape.rank is not None and self._col.shape.rank is not None:
            if None not in (self._row.shape[-1], self._col.shape[-1]) and self._row.shape[-1] != self._col.shape[-1]:
                raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
        checked_type(self._row, "row")
        if is_square is False:
            raise ValueError("Only square Toeplitz operators currently supported.")
        super().__init__(
            self._row.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    col = property(lambda self: self._col, doc="The first columns.")
    row = property(lambda self: self._row, doc="The first rows.")

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"col": 1, "row": 1}

    def _shape(self):
        shape = batches.broadcast_static(self._row.shape, self._col.shape)
        return shape if shape.rank is None else shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = op("BroadcastArgs")(array_ops.shape(self._row), array_ops.shape(self._col))
        return array_ops.concat([shape, shape[-1:]], 0)

    def _both(self):
        """(rows, columns) of one batch."""
        shape = self._shape_or_tensor()[:-1]
        return op("BroadcastTo")(self._row, shape), op("BroadcastTo")(self._col, shape)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        """By a circulant matrix of twice the size, whose first column goes on with the row from its end."""
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        row, col = self._both()
        if adjoint:
            row, col = conj(col), conj(row)
            col = array_ops.concat([row[..., :1], col[..., 1:]], -1)
        zero = array_ops.zeros_like(col[..., :1])
        first = array_ops.concat([col, zero, op("ReverseV2")(row[..., 1:], [-1])], -1)
        n = array_ops.shape(x)[-2]
        rank = array_ops.rank(x) if x.shape.rank is None else x.shape.rank
        paddings = array_ops.concat([array_ops.zeros([rank - 2, 2], dtype="int32"), [[0, n], [0, 0]]], 0)
        made = _convolved(first, op("Pad")(x, paddings))[..., :n, :]
        result = array_ops.cast(made, self.dtype)
        if x.shape.is_fully_defined() and self.shape.is_fully_defined():
            result.set_shape(batches.broadcast_static(x.shape[:-2], self.batch_shape).concatenate(x.shape[-2:]))
        return result

    def _trace(self):
        corner = convert_to_tensor(self._col)[..., 0]
        size = array_ops.cast(self._domain_dimension_tensor(), self.dtype)
        return corner * size * array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _diag_part(self):
        corner = convert_to_tensor(self._col)[..., :1]
        return op("BroadcastTo")(corner, self._shape_or_tensor()[:-1])

    def _to_dense(self):
        row, col = self._both()
        whole = array_ops.concat([op("ReverseV2")(col, [-1]), row[..., 1:]], -1)
        n = self._domain_dimension_tensor()
        each = op("Range")(0, n, 1)
        # Element (i, j) is whole[n - 1 - i + j].
        at = n - 1 - array_ops.expand_dims(each, -1) + array_ops.expand_dims(each, 0)
        return op("GatherV2")(whole, at, -1)

    def _assert_self_adjoint(self):
        same = op("Equal")(self._row, conj(self._col))
        return require(same, "row and col are not the same, and so this operator is not self-adjoint.")


def _convolved(column, x):
    """Products of circulant matrices of these first columns and x, complex."""
    from .circulant_operators import as_complex

    spectrum = array_ops.expand_dims(op("FFT")(as_complex(column)), -2)
    made = op("IFFT")(spectrum * op("FFT")(as_complex(linalg_ops.swapped(x))))
    return linalg_ops.swapped(made)
