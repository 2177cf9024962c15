"""What products of two operators are. The first rule that fits is taken; without one the product is a composition.

A quotient is the product with the inverse of the left operator. Inverses, adjoints and Cholesky factors are methods of the
operators' classes.
"""

from __future__ import annotations

import functools

from .linear_operator import LinearOperator


# ---- hints of products


def both(a, b):
    """True when both are, False when one is and the other is not, None when that is not known."""
    if a is True and b is True:
        return True
    if a is True and b is False or a is False and b is True:
        return False
    return None


def non_singular(a, b):
    """Whether a product is: False when one operator is not, True when both are."""
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return a.is_non_singular and b.is_non_singular


def commuting_hints(a, b):
    """The hints of the product of two operators that commute."""
    self_adjoint = both(a.is_self_adjoint, b.is_self_adjoint)
    definite = a._can_use_cholesky() and b._can_use_cholesky()
    return {
        "is_non_singular": non_singular(a, b),
        "is_self_adjoint": self_adjoint,
        "is_positive_definite": True if definite else None,
        "is_square": True,
    }


# ---- rules of products


def _second(left, right):
    return right


def _first(left, right):
    return left


def _zeros(left, right):
    from .zeros_operator import LinearOperatorZeros

    if left.is_square is False or right.is_square is False:
        return None
    return left if isinstance(left, LinearOperatorZeros) else right


def _scaled_identities(left, right):
    from .identity_operators import LinearOperatorScaledIdentity

    return LinearOperatorScaledIdentity(
        left.domain_dimension_tensor() if left.domain_dimension.value is None else left.domain_dimension.value,
        left.multiplier * right.multiplier,
        **commuting_hints(left, right),
    )


def _diagonals(left, right):
    from .diagonal_operator import LinearOperatorDiag

    return LinearOperatorDiag(_diagonal(left) * _diagonal(right), **commuting_hints(left, right))


def _diagonal(operator):
    if hasattr(operator, "multiplier"):
        from ..ops.array_ops import expand_dims

        return expand_dims(operator.multiplier, -1)
    return operator.diag


def _diagonal_and_triangle(left, right):
    from ..ops.array_ops import expand_dims
    from .lower_triangular_operator import LinearOperatorLowerTriangular

    tril = right.to_dense() * expand_dims(left.diag, -1)
    return LinearOperatorLowerTriangular(tril, is_non_singular=non_singular(left, right), is_square=True)


def _triangle_and_diagonal(left, right):
    from ..ops.array_ops import expand_dims
    from .lower_triangular_operator import LinearOperatorLowerTriangular

    tril = left.to_dense() * expand_dims(right.diag, -2)
    return LinearOperatorLowerTriangular(tril, is_non_singular=non_singular(left, right), is_square=True)


def _circulants(left, right):
    if type(left) is not type(right):
        return None
    hints = commuting_hints(left, right)
    return type(left)(left.spectrum * right.spectrum, input_output_dtype=left.dtype, **hints)


def _blocks(left, right):
    from .block_diagonal_operator import LinearOperatorBlockDiag

    fits = len(left.operators) == len(right.operators) and all(
        both(a.domain_dimension == b.range_dimension, True) is not False
        for a, b in zip(left.operators, right.operators)
    )
    if not fits:
        return None
    return LinearOperatorBlockDiag(
        [a.matmul(b) for a, b in zip(left.operators, right.operators)],
        is_non_singular=non_singular(left, right),
        is_square=both(left.is_square, right.is_square),
    )


def _composition(left, right):
    from .composition_operator import LinearOperatorComposition

    return LinearOperatorComposition(
        [left, right], is_non_singular=non_singular(left, right), is_square=both(left.is_square, right.is_square)
    )


@functools.cache
def _rules():
    """(class of the left operator, of the right one, the product or None), the first that fits counts."""
    from .block_diagonal_operator import LinearOperatorBlockDiag as BlockDiag
    from .circulant_operators import BaseLinearOperatorCirculant as Circulant
    from .diagonal_operator import LinearOperatorDiag as Diag
    from .identity_operators import LinearOperatorIdentity as Identity
    from .identity_operators import LinearOperatorScaledIdentity as ScaledIdentity
    from .lower_triangular_operator import LinearOperatorLowerTriangular as LowerTriangular
    from .zeros_operator import LinearOperatorZeros as Zeros

    return [
        (Identity, LinearOperator, _second),
        (LinearOperator, Identity, _first),
        (Zeros, LinearOperator, _zeros),
        (LinearOperator, Zeros, _zeros),
        (ScaledIdentity, ScaledIdentity, _scaled_identities),
        (ScaledIdentity, Diag, _diagonals),
        (Diag, ScaledIdentity, _diagonals),
        (Diag, Diag, _diagonals),
        (Diag, LowerTriangular, _diagonal_and_triangle),
        (LowerTriangular, Diag, _triangle_and_diagonal),
        (Circulant, Circulant, _circulants),
        (BlockDiag, BlockDiag, _blocks),
    ]


def matmul(left, right):
    """The operator left right."""
    for of_left, of_right, rule in _rules():
        if isinstance(left, of_left) and isinstance(right, of_right):
            made = rule(left, right)
            if made is not None:
                return made
    return _composition(left, right)


def solve(left, right):
    """The operator left⁻¹ right."""
    return left.inverse().matmul(right)
