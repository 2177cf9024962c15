"""Diagonal matrices."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import (
    LinearOperator,
    absolute,
    checked_rank,
    checked_type,
    conj,
    constructor_arguments,
    ratio_of_extremes,
    real,
    require,
)


class LinearOperatorDiag(LinearOperator):
    """Matrices with `diag`, [B1 ... Bb, N], in their diagonals."""

    _composite_tensor_fields = ("diag",)

    def __init__(
        self,
        diag,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorDiag",
    ):
        parameters = constructor_arguments(locals())
        self._diag = batches.tensor_or_variable(diag, name="diag")
        checked_type(self._diag, "diag")
        checked_rank(self._diag, "diag", 1, diag)
        if not self._diag.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real diagonal operator is always self adjoint.")
            is_self_adjoint = True
        if is_square is False:
            raise ValueError("Only square diagonal operators currently supported.")
        super().__init__(
            self._diag.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    @property
    def diag(self):
        """The diagonals."""
        return self._diag

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"diag": 1}

    def _shape(self):
        shape = self._diag.shape
        return shape if shape.rank is None else shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = array_ops.shape(self._diag)
        return array_ops.concat([shape, shape[-1:]], 0)

    def _column(self, adjoint=False):
        return array_ops.expand_dims(conj(self._diag) if adjoint else convert_to_tensor(self._diag), -1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._column(adjoint) * (linalg_ops.adjoint(x) if adjoint_arg else x)

    def _matvec(self, x, adjoint=False):
        return (conj(self._diag) if adjoint else self._diag) * x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return (linalg_ops.adjoint(rhs) if adjoint_arg else rhs) / self._column(adjoint)

    def _linop_adjoint(self):
        return LinearOperatorDiag(
            conj(self._diag),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=True,
        )

    def _linop_inverse(self):
        return LinearOperatorDiag(
            1.0 / convert_to_tensor(self._diag),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=True,
        )

    def _linop_cholesky(self):
        root = op("Sqrt")(convert_to_tensor(self._diag))
        return LinearOperatorDiag(
            root, is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True
        )

    def _determinant(self):
        return op("Prod")(self._diag, [-1])

    def _log_abs_determinant(self):
        total = op("Sum")(op("Log")(absolute(self._diag)), [-1])
        return array_ops.cast(total, self.dtype)

    def _diag_part(self):
        return convert_to_tensor(self._diag)

    def _to_dense(self):
        return linalg_ops.diag(self._diag)

    def _add_to_tensor(self, x):
        diagonal = linalg_ops.diag_part(x) + self._diag
        if x.shape.rank is None or not x.shape.is_fully_defined() or x.shape[:-1] != diagonal.shape:
            x = batches.with_batch(x, array_ops.shape(diagonal)[:-1])
        return linalg_ops.set_diag(x, diagonal)

    def _eigvals(self):
        return convert_to_tensor(self._diag)

    def _cond(self):
        return ratio_of_extremes(self._diag)

    def _assert_non_singular(self):
        return require(absolute(self._diag) > 0, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self):
        if self.dtype.is_complex:
            message = (
                "Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite."
            )
        else:
            message = "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
        return require(real(convert_to_tensor(self._diag)) > 0, message)

    def _assert_self_adjoint(self):
        diagonal = convert_to_tensor(self._diag)
        message = "This diagonal operator contained non-zero imaginary values.  Thus it was not self-adjoint."
        return require(op("Equal")(diagonal, conj(diagonal)), message)
