"""Matrices as they are."""

from __future__ import annotations

from ..ops import array_ops, math_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, checked_rank, checked_type, constructor_arguments


class LinearOperatorFullMatrix(LinearOperator):
    """An operator that wraps a tensor of matrices, [B1 ... Bb, M, N]."""

    _composite_tensor_fields = ("matrix",)

    def __init__(
        self,
        matrix,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorFullMatrix",
    ):
        parameters = constructor_arguments(locals())
        self._matrix = batches.tensor_or_variable(matrix, name="matrix")
        checked_type(self._matrix, "matrix")
        checked_rank(self._matrix, "matrix", 2, matrix)
        super().__init__(
            self._matrix.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
            parameters=parameters,
        )

    @property
    def matrix(self):
        """The matrices."""
        return self._matrix

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"matrix": 2}

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return array_ops.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return math_ops.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return convert_to_tensor(self._matrix)
