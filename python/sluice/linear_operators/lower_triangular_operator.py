"""Lower triangular matrices."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops, linalg_ops, math_ops
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, absolute, checked_rank, checked_type, constructor_arguments, require


class LinearOperatorLowerTriangular(LinearOperator):
    """The lower triangles of `tril`, [B1 ... Bb, N, N]; what is above them is not used."""

    _composite_tensor_fields = ("tril",)

    def __init__(
        self,
        tril,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorLowerTriangular",
    ):
        parameters = constructor_arguments(locals())
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = batches.tensor_or_variable(tril, name="tril")
        checked_type(self._tril, "tril")
        checked_rank(self._tril, "tril", 2, tril)
        super().__init__(
            self._tril.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    @property
    def tril(self):
        """The matrices, also with what is above the triangles."""
        return self._tril

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"tril": 2}

    def _get_tril(self):
        return linalg_ops.band_part(self._tril, -1, 0)

    def _get_diag(self):
        return linalg_ops.diag_part(self._tril)

    def _shape(self):
        return self._tril.shape

    def _shape_tensor(self):
        return array_ops.shape(self._tril)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return math_ops.matmul(self._get_tril(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        return linalg_ops.triangular_solve(self._get_tril(), rhs, lower=True, adjoint=adjoint)

    def _determinant(self):
        return op("Prod")(self._get_diag(), [-1])

    def _log_abs_determinant(self):
        total = op("Sum")(op("Log")(absolute(self._get_diag())), [-1])
        return array_ops.cast(total, self.dtype)

    def _diag_part(self):
        return self._get_diag()

    def _to_dense(self):
        return self._get_tril()

    def _eigvals(self):
        return self._get_diag()

    def _assert_non_singular(self):
        return require(absolute(self._get_diag()) > 0, "Singular operator:  Diagonal contained zero values.")
