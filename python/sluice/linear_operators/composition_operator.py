"""Products of operators that are applied one after the other."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops
from . import batch_broadcasting as batches
from .adjoint_operator import LinearOperatorAdjoint
from .linear_operator import LinearOperator, check_dimensions, constructor_arguments


def check_operators(operators):
    """The one type of the operators. ValueError when there are none, TypeError when they differ."""
    if not operators:
        raise ValueError("Expected a non-empty list of operators. Found: []")
    dtype = operators[0].dtype
    if any(o.dtype != dtype for o in operators):
        found = ", ".join(f"{o.name}: {o.dtype.name}" for o in operators)
        raise TypeError(f"Expected all operators to have the same dtype.  Found {found}")
    return dtype


def implied_non_singular(operators, hint, what):
    """A combination is non-singular where all parts are; ValueError when the hint says otherwise."""
    if all(o.is_non_singular for o in operators):
        if hint is False:
            raise ValueError(f"The {what} of non-singular operators is always non-singular.")
        return True
    return hint


def batch_shape_tensor_of(operators):
    """The batch that those of the operators broadcast to, as a tensor."""
    return batches.broadcast_dynamic(*(o.batch_shape_tensor() for o in operators))


def is_adjoint_pair(x, y) -> bool:
    """Whether x and y are known to be each other's adjoint."""
    if x is y:
        return x.is_self_adjoint is True
    return (
        isinstance(y, LinearOperatorAdjoint)
        and y.operator is x
        or isinstance(x, LinearOperatorAdjoint)
        and x.operator is y
    )


class LinearOperatorComposition(LinearOperator):
    """operators[0] operators[1] ... : the last one is applied first."""

    _composite_tensor_fields = ("operators",)

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        operators = list(operators)
        dtype = check_operators(operators)
        self._operators = operators
        if _is_product_with_adjoint(operators):
            if is_square is False:
                raise ValueError("A product of an operator and its adjoint is always square.")
            if is_self_adjoint is False:
                raise ValueError("A product of an operator and its adjoint is always self-adjoint.")
            is_square = is_self_adjoint = True
            if all(o.is_non_singular for o in operators):
                if is_positive_definite is False:
                    raise ValueError(
                        "A product of a non-singular operator and its adjoint is always positive definite."
                    )
                is_positive_definite = True
        is_non_singular = implied_non_singular(operators, is_non_singular, "composition")
        name = "_o_".join(o.name for o in operators) if name is None else name
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
            parameters=parameters,
        )

    @property
    def operators(self):
        """The operators, the first one leftmost."""
        return self._operators

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operators": [0] * len(self._operators)}

    def _shape(self):
        for left, right in zip(self._operators, self._operators[1:]):
            check_dimensions(left.domain_dimension.value, right.range_dimension.value)
        matrix = [self._operators[0].range_dimension.value, self._operators[-1].domain_dimension.value]
        return batches.broadcast_static(*(o.batch_shape for o in self._operators)).concatenate(matrix)

    def _shape_tensor(self):
        matrix = [self._operators[0].range_dimension_tensor(), self._operators[-1].domain_dimension_tensor()]
        return array_ops.concat([batch_shape_tensor_of(self._operators), array_ops.stack(matrix)], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        order = self._operators if adjoint else self._operators[::-1]
        for i, operator in enumerate(order):
            x = operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg and i == 0)
        return x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        order = self._operators[::-1] if adjoint else self._operators
        for i, operator in enumerate(order):
            rhs = operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg and i == 0)
        return rhs

    def _linop_cholesky(self):
        from .lower_triangular_operator import LinearOperatorLowerTriangular

        first = self._operators[0]
        if (
            len(self._operators) != 2
            or not isinstance(first, LinearOperatorLowerTriangular)
            or not is_adjoint_pair(first, self._operators[1])
        ):
            return super()._linop_cholesky()
        if first.is_positive_definite:
            return first
        # The factor's diagonal is positive: each column may be turned by a number of absolute value 1.
        from .diagonal_operator import LinearOperatorDiag

        turn = LinearOperatorDiag(op("Sign")(first.diag_part()), is_non_singular=True)
        turned = first.matmul(turn.adjoint())
        return LinearOperatorLowerTriangular(
            turned.to_dense(), is_non_singular=first.is_non_singular, is_positive_definite=True, is_square=True
        )

    def _square(self):
        return all(o.is_square for o in self._operators)

    def _determinant(self):
        if not self._square():
            return super()._determinant()
        result = self._operators[0].determinant()
        for operator in self._operators[1:]:
            result = result * operator.determinant()
        return result

    def _log_abs_determinant(self):
        if not self._square():
            return super()._log_abs_determinant()
        result = self._operators[0].log_abs_determinant()
        for operator in self._operators[1:]:
            result = result + operator.log_abs_determinant()
        return result

    def _assert_non_singular(self):
        if all(o.is_square for o in self._operators):
            checks = [o.assert_non_singular() for o in self._operators]
            return grouped(checks)
        return super()._assert_non_singular()


def grouped(checks):
    """One op that waits for all checks; None where they were done at once."""
    from ..core.scopes import control_dependencies

    checks = [c for c in checks if c is not None]
    if not checks:
        return None
    with control_dependencies(checks):
        return op("NoOp")()


def _is_product_with_adjoint(operators) -> bool:
    """Whether the operators are x y ... yᴴ xᴴ."""
    n = len(operators)
    return n > 1 and n % 2 == 0 and all(is_adjoint_pair(operators[i], operators[n - 1 - i]) for i in range(n // 2))
