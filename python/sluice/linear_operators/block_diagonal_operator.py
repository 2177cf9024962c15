"""Operators along a diagonal of blocks."""

from __future__ import annotations

from ..core import tensor_shape
from ..ops import array_ops
from . import batch_broadcasting as batches
from .blockwise_arguments import BlockwiseOperator, joined_diagonals, padded_row, total
from .composition_operator import grouped, batch_shape_tensor_of, check_operators, implied_non_singular
from .linear_operator import constructor_arguments


class LinearOperatorBlockDiag(BlockwiseOperator):
    """The operators one after the other along the diagonal, with zeros beside them."""

    _composite_tensor_fields = ("operators",)

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        operators = list(operators)
        dtype = check_operators(operators)
        self._operators = operators
        is_non_singular = implied_non_singular(operators, is_non_singular, "direct sum")
        if all(o.is_self_adjoint for o in operators):
            if is_self_adjoint is False:
                raise ValueError("The direct sum of self-adjoint operators is always self-adjoint.")
            is_self_adjoint = True
        if all(o.is_positive_definite for o in operators):
            if is_positive_definite is False:
                raise ValueError("The direct sum of positive definite operators is always positive definite.")
            is_positive_definite = True
        name = "_ds_".join(o.name for o in operators) if name is None else name
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
        """The blocks."""
        return self._operators

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operators": [0] * len(self._operators)}

    def _block_range_dimensions(self):
        return [o.range_dimension for o in self._operators]

    def _block_domain_dimensions(self):
        return [o.domain_dimension for o in self._operators]

    def _block_range_dimension_tensors(self):
        return [o.range_dimension_tensor() for o in self._operators]

    def _block_domain_dimension_tensors(self):
        return [o.domain_dimension_tensor() for o in self._operators]

    def _shape(self):
        matrix = [total(self._block_range_dimensions()), total(self._block_domain_dimensions())]
        batch = batches.broadcast_static(*(o.batch_shape for o in self._operators))
        return batch.concatenate(tensor_shape.TensorShape(matrix))

    def _shape_tensor(self):
        rows, columns = (
            sum(t) for t in (self._block_range_dimension_tensors(), self._block_domain_dimension_tensors())
        )
        return array_ops.concat([batch_shape_tensor_of(self._operators), [rows, columns]], 0)

    def _matmul_blocks(self, x, adjoint, adjoint_arg):
        return [o.matmul(b, adjoint=adjoint, adjoint_arg=adjoint_arg) for o, b in zip(self._operators, x)]

    def _solve_blocks(self, rhs, adjoint, adjoint_arg):
        return [o.solve(b, adjoint=adjoint, adjoint_arg=adjoint_arg) for o, b in zip(self._operators, rhs)]

    def _of_each(self, method):
        return [getattr(o, method)() for o in self._operators]

    def _linop_adjoint(self):
        return LinearOperatorBlockDiag(
            self._of_each("adjoint"),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=True,
        )

    def _linop_inverse(self):
        return LinearOperatorBlockDiag(
            self._of_each("inverse"),
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=True,
        )

    def _linop_cholesky(self):
        return LinearOperatorBlockDiag(self._of_each("cholesky"), is_non_singular=True, is_square=True)

    def _determinant(self):
        result = self._operators[0].determinant()
        for operator in self._operators[1:]:
            result = result * operator.determinant()
        return result

    def _log_abs_determinant(self):
        return sum(self._of_each("log_abs_determinant")[1:], self._operators[0].log_abs_determinant())

    def _diag_part(self):
        if not all(o.is_square for o in self._operators):
            return super()._diag_part()
        return joined_diagonals(self._of_each("diag_part"))

    def _trace(self):
        if not all(o.is_square for o in self._operators):
            return super()._trace()
        return sum(self._of_each("trace")[1:], self._operators[0].trace())

    def _eigvals(self):
        if not all(o.is_square for o in self._operators):
            raise NotImplementedError("`eigvals` not implemented for an operator whose blocks are not square.")
        return joined_diagonals(self._of_each("eigvals"))

    def _to_dense(self):
        sizes = [o.domain_dimension.value for o in self._operators]
        if None in sizes:
            sizes = self._block_domain_dimension_tensors()
        rows = [padded_row([o.to_dense()], sizes, i) for i, o in enumerate(self._operators)]
        return array_ops.concat(batches.broadcast_matrix_batch_dims(rows), -2)

    def _assert_non_singular(self):
        return grouped(self._of_each("assert_non_singular"))

    def _assert_self_adjoint(self):
        return grouped(self._of_each("assert_self_adjoint"))

    def _assert_positive_definite(self):
        return grouped(self._of_each("assert_positive_definite"))
