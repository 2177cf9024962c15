"""Kronecker products of operators: each acts on its own axis of the vectors, seen as tensors."""

from __future__ import annotations

import math

from ..core import tensor_shape
from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .composition_operator import grouped, batch_shape_tensor_of, check_operators
from .linear_operator import LinearOperator, constructor_arguments

_PROPERTIES = {
    "is_non_singular": "non-singular",
    "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite",
}


class LinearOperatorKronecker(LinearOperator):
    """operators[0] ⊗ operators[1] ⊗ ..."""

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
        if not operators:
            raise ValueError(f"Argument `operators` must be a list of >=1 operators. Received: {operators}.")
        dtype = check_operators(operators)
        self._operators = operators
        hints = {
            "is_non_singular": is_non_singular,
            "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
        }
        for hint, word in _PROPERTIES.items():
            if all(getattr(o, hint) for o in operators):
                if hints[hint] is False:
                    raise ValueError(
                        f"The Kronecker product of {word} operators is always {word}. Expected argument `{hint}` to be True. "
                        "Received: False."
                    )
                hints[hint] = True
        name = "_x_".join(o.name for o in operators) if name is None else name
        super().__init__(dtype, is_square=is_square, name=name, parameters=parameters, **hints)

    @property
    def operators(self):
        """The factors."""
        return self._operators

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operators": [0] * len(self._operators)}

    def _shape(self):
        rows = [o.range_dimension.value for o in self._operators]
        columns = [o.domain_dimension.value for o in self._operators]
        matrix = [None if None in sizes else math.prod(sizes) for sizes in (rows, columns)]
        batch = batches.broadcast_static(*(o.batch_shape for o in self._operators))
        return batch.concatenate(tensor_shape.TensorShape(matrix))

    def _shape_tensor(self):
        rows = _product(o.range_dimension_tensor() for o in self._operators)
        columns = _product(o.domain_dimension_tensor() for o in self._operators)
        return array_ops.concat([batch_shape_tensor_of(self._operators), [rows, columns]], 0)

    def _apply_each(self, x, method, of_range, adjoint, adjoint_arg):
        """Each operator's method on its own axis of x, [..., n1 n2 ..., R].

        The axes are [before, n, after R]; n comes first for the operator, whose batch then lines up with x's.
        """
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        sizes = [o.range_dimension_tensor() if of_range else o.domain_dimension_tensor() for o in self._operators]
        made = [o.domain_dimension_tensor() if of_range else o.range_dimension_tensor() for o in self._operators]
        columns = array_ops.shape(x)[-1]
        known = self._known_result(x, of_range)
        for i, operator in enumerate(self._operators):
            before = _product(made[:i])
            after = _product([*sizes[i + 1 :], columns])
            x = _reshaped(x, [before, sizes[i], after])
            x = _reshaped_from(_swapped(x), [sizes[i], before * after], 3)
            x = getattr(operator, method)(x, adjoint=adjoint)
            x = _swapped(_reshaped_from(x, [made[i], before, after], 2))
            x = _reshaped_from(x, [before * made[i] * _product(sizes[i + 1 :]), columns], 3)
        if known is not None:
            x.set_shape(known)
        return x

    def _known_result(self, x, of_range):
        if x.shape.rank is None or not self.shape.is_fully_defined():
            return None
        rows = self.domain_dimension.value if of_range else self.range_dimension.value
        return batches.broadcast_static(x.shape[:-2], self.batch_shape).concatenate([rows, x.shape[-1]])

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._apply_each(x, "matmul", adjoint, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._apply_each(rhs, "solve", not adjoint, adjoint, adjoint_arg)

    def _of_each(self, method):
        return [getattr(o, method)() for o in self._operators]

    def _hints(self):
        return {
            "is_non_singular": self.is_non_singular,
            "is_self_adjoint": self.is_self_adjoint,
            "is_positive_definite": self.is_positive_definite,
            "is_square": True,
        }

    def _linop_adjoint(self):
        return LinearOperatorKronecker(self._of_each("adjoint"), **{**self._hints(), "is_square": self.is_square})

    def _linop_inverse(self):
        return LinearOperatorKronecker(self._of_each("inverse"), **self._hints())

    def _linop_cholesky(self):
        # The factor of a product is the product of the factors only where each of them has one.
        if not all(o._can_use_cholesky() for o in self._operators):
            return super()._linop_cholesky()
        return LinearOperatorKronecker(self._of_each("cholesky"), is_non_singular=True, is_square=True)

    def _exponents(self, dtype):
        """By operator: how often its determinant counts."""
        whole = array_ops.cast(self._domain_dimension_tensor(), dtype)
        return [whole / array_ops.cast(o.domain_dimension_tensor(), dtype) for o in self._operators]

    def _determinant(self):
        values = zip(self._of_each("determinant"), self._exponents(self.dtype))
        return _product(op("Pow")(value, exponent) for value, exponent in values)

    def _log_abs_determinant(self):
        values = zip(self._of_each("log_abs_determinant"), self._exponents(self.dtype))
        first, *rest = [value * exponent for value, exponent in values]
        return sum(rest, first)

    def _trace(self):
        if not all(o.is_square for o in self._operators):
            return super()._trace()
        return _product(self._of_each("trace"))

    def _outer(self, vectors):
        """Kronecker products of vectors."""
        made = vectors[0]
        for vector in vectors[1:]:
            made = array_ops.expand_dims(made, -1) * array_ops.expand_dims(vector, -2)
            shape = array_ops.shape(made)
            made = array_ops.reshape(made, array_ops.concat([shape[:-2], [shape[-2] * shape[-1]]], 0))
        return made

    def _diag_part(self):
        if not all(o.is_square for o in self._operators):
            return super()._diag_part()
        made = self._outer(self._of_each("diag_part"))
        if self.shape.is_fully_defined():
            made.set_shape(self.shape[:-1])
        return made

    def _eigvals(self):
        return self._outer([o.eigvals() for o in self._operators])

    def _to_dense(self):
        made = self._operators[0].to_dense()
        for operator in self._operators[1:]:
            other = operator.to_dense()
            left = array_ops.expand_dims(array_ops.expand_dims(made, -2), -1)  # [..., m, 1, n, 1]
            right = array_ops.expand_dims(array_ops.expand_dims(other, -3), -2)  # [..., 1, p, 1, q]
            shape = array_ops.shape(left * right)
            matrix = [shape[-4] * shape[-3], shape[-2] * shape[-1]]
            made = array_ops.reshape(left * right, array_ops.concat([shape[:-4], matrix], 0))
        if self.shape.rank is not None:
            made.set_shape(self.shape)
        return made

    def _assert_non_singular(self):
        if not all(o.is_square for o in self._operators):
            from ..core.errors import InvalidArgumentError

            raise InvalidArgumentError(
                None, None, "All Kronecker factors must be square for the product to be invertible."
            )
        return grouped(self._of_each("assert_non_singular"))

    def _assert_self_adjoint(self):
        return grouped(self._of_each("assert_self_adjoint"))


def _product(values):
    made = None
    for value in values:
        made = value if made is None else made * value
    return 1 if made is None else made


def _reshaped(x, last):
    """x with its last two axes in this shape."""
    return _reshaped_from(x, last, 2)


def _reshaped_from(x, last, n):
    batch = array_ops.shape(x)[:-n]
    return array_ops.reshape(x, array_ops.concat([batch, array_ops.stack(list(map(convert_to_tensor, last)))], 0))


def _swapped(x):
    """The last three axes but the last exchanged: [..., a, b, c] to [..., b, a, c]."""
    n = x.shape.rank
    if n is None:
        rank = array_ops.rank(x)
        perm = array_ops.concat([op("Range")(0, rank - 3, 1), [rank - 2, rank - 3, rank - 1]], 0)
    else:
        perm = [*range(n - 3), n - 2, n - 3, n - 1]
    return op("Transpose")(x, perm)
