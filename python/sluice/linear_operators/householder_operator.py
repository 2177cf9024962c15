"""Reflections at the planes through the origin that are orthogonal to an axis."""

from __future__ import annotations

from ..core.errors import InvalidArgumentError
from ..core.op_defs import op
from ..ops import array_ops, linalg_ops, math_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, absolute, checked_type, conj, constructor_arguments


class LinearOperatorHouseholder(LinearOperator):
    """I - 2 v vᴴ / |v|² of reflection_axis v, [B1 ... Bb, N]."""

    _composite_tensor_fields = ("reflection_axis",)

    def __init__(
        self,
        reflection_axis,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorHouseholder",
    ):
        parameters = constructor_arguments(locals())
        self._reflection_axis = batches.tensor_or_variable(reflection_axis, name="reflection_axis")
        if self._reflection_axis.shape.rank == 0:
            raise ValueError(f"Argument reflection_axis must have at least 1 dimension.  Found: {reflection_axis}")
        checked_type(self._reflection_axis, "reflection_axis")
        if is_self_adjoint is False:
            raise ValueError("A Householder operator is always self adjoint.")
        if is_positive_definite is True:
            raise ValueError("A Householder operator is always non-positive definite.")
        if is_square is False:
            raise ValueError("A Householder operator is always square.")
        super().__init__(
            self._reflection_axis.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=True,
            is_positive_definite=False,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    @property
    def reflection_axis(self):
        """The axes."""
        return self._reflection_axis

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"reflection_axis": 1}

    def _shape(self):
        shape = self._reflection_axis.shape
        return shape if shape.rank is None else shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = array_ops.shape(self._reflection_axis)
        return array_ops.concat([shape, shape[-1:]], 0)

    def _unit_axis(self):
        axis = convert_to_tensor(self._reflection_axis)
        length = op("Sqrt")(op("Sum")(op("Square")(absolute(axis)), [-1], keep_dims=True))
        return axis / array_ops.cast(length, axis.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        axis = array_ops.expand_dims(self._unit_axis(), -1)
        return x - 2 * axis * math_ops.matmul(axis, x, adjoint_a=True)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _linop_adjoint(self):
        return self

    def _linop_inverse(self):
        return self

    def _to_dense(self):
        axis = array_ops.expand_dims(self._unit_axis(), -1)
        matrix = -2 * math_ops.matmul(axis, axis, adjoint_b=True)
        return linalg_ops.set_diag(matrix, 1.0 + linalg_ops.diag_part(matrix))

    def _diag_part(self):
        axis = self._unit_axis()
        return 1.0 - 2 * axis * conj(axis)

    def _trace(self):
        size = array_ops.cast(self._domain_dimension_tensor(), self.dtype)
        return (size - 2) * array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        return -array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return array_ops.zeros(self._batch_shape_tensor(), dtype=self.dtype)

    def _eigvals(self):
        ones = array_ops.ones(self._shape_or_tensor()[:-1], dtype=self.dtype)
        return array_ops.concat([-ones[..., :1], ones[..., 1:]], -1)

    def _cond(self):
        return array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _assert_non_singular(self):
        return op("NoOp")()

    def _assert_self_adjoint(self):
        return op("NoOp")()

    def _assert_positive_definite(self):
        raise InvalidArgumentError(None, None, "Householder operators are always non-positive definite.")
