"""The adjoint of an operator that has no better one."""

from __future__ import annotations

from ..ops import array_ops, linalg_ops
from .linear_operator import LinearOperator, conj, constructor_arguments


def combined_hint(own, of_operator, name, message):
    """The hint that is given, else the operator's; ValueError when they differ."""
    if own is None:
        return of_operator
    if of_operator is not None and bool(own) != bool(of_operator):
        raise ValueError(message)
    return own


class LinearOperatorAdjoint(LinearOperator):
    """operatorᴴ."""

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
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
            "is_square": is_square,
        }
        for hint, value in hints.items():
            message = f"The adjoint of an operator has its hint {hint}, {getattr(operator, hint)}."
            hints[hint] = combined_hint(value, getattr(operator, hint), hint, message)
        name = operator.name + "_adjoint" if name is None else name
        super().__init__(operator.dtype, name=name, parameters=parameters, **hints)

    @property
    def operator(self):
        """The operator of which this is the adjoint."""
        return self._operator

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operator": 0}

    def _shape(self):
        shape = self._operator.shape
        return shape if shape.rank is None else shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self):
        shape = self._operator.shape_tensor()
        return array_ops.concat([shape[:-2], [shape[-1], shape[-2]]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self._operator.solvevec(rhs, adjoint=not adjoint)

    def _linop_adjoint(self):
        return self._operator

    def _determinant(self):
        return conj(self._operator.determinant())

    def _log_abs_determinant(self):
        return self._operator.log_abs_determinant()

    def _trace(self):
        return conj(self._operator.trace())

    def _diag_part(self):
        return conj(self._operator.diag_part())

    def _to_dense(self):
        return linalg_ops.adjoint(self._operator.to_dense())

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def _eigvals(self):
        return conj(self._operator.eigvals())

    def _cond(self):
        return self._operator.cond()

    def _assert_non_singular(self):
        return self._operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self._operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self._operator.assert_self_adjoint()
