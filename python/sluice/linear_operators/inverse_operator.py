"""The inverse of an operator that has no better one."""

from __future__ import annotations

from ..ops.array_ops import convert_to_tensor
from .adjoint_operator import combined_hint
from .linear_operator import LinearOperator, constructor_arguments


class LinearOperatorInversion(LinearOperator):
    """operator⁻¹: its products solve systems of the operator."""

    _composite_tensor_fields = ("operator",)

    def __init__(
        self,
        operator,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        self._operator = operator
        if operator.is_non_singular is False or is_non_singular is False:
            raise ValueError("operator and supplied hints must have `is_non_singular` be `True` or `None`.")
        if operator.is_square is False or is_square is False:
            raise ValueError("operator and supplied hints must have `is_square` be `True` or `None`.")
        texts = {"is_self_adjoint": is_self_adjoint, "is_positive_definite": is_positive_definite}
        hints = {"is_non_singular": is_non_singular or operator.is_non_singular, "is_square": True}
        for hint, value in texts.items():
            message = f"The inverse of an operator has its hint {hint}, {getattr(operator, hint)}."
            hints[hint] = combined_hint(value, getattr(operator, hint), hint, message)
        name = operator.name + "_inv" if name is None else name
        super().__init__(operator.dtype, name=name, parameters=parameters, **hints)

    @property
    def operator(self):
        """The operator of which this is the inverse."""
        return self._operator

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operator": 0}

    def _shape(self):
        return self._operator.shape

    def _shape_tensor(self):
        return self._operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _linop_inverse(self):
        return self._operator

    def _determinant(self):
        return 1.0 / convert_to_tensor(self._operator.determinant())

    def _log_abs_determinant(self):
        return -1.0 * self._operator.log_abs_determinant()

    def _eigvals(self):
        return 1.0 / self._operator.eigvals()

    def _cond(self):
        return self._operator.cond()

    def _assert_non_singular(self):
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self._operator.assert_self_adjoint()
