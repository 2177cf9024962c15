"""Operators as the blocks of a lower triangle."""

from __future__ import annotations

from ..core import tensor_shape
from ..ops import array_ops
from . import batch_broadcasting as batches
from .blockwise_arguments import BlockwiseOperator, joined_diagonals, padded_row, total
from .composition_operator import grouped, batch_shape_tensor_of, check_operators
from .linear_operator import constructor_arguments


class LinearOperatorBlockLowerTriangular(BlockwiseOperator):
    """operators[i][j] is the block of row i and column j ≤ i; those of the diagonal are square."""

    _composite_tensor_fields = ("operators",)

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorBlockLowerTriangular",
    ):
        parameters = constructor_arguments(locals())
        operators = [list(row) for row in operators]
        if not operators:
            raise ValueError(f"Argument `operators` must be a list of >=1 operators. Received: {operators}.")
        for i, row in enumerate(operators):
            if len(row) != i + 1:
                raise ValueError(
                    f"Argument `operators[{i}]` must contain `{i + 1}` blocks. Received: {len(row)} blocks."
                )
        dtype = check_operators([o for row in operators for o in row])
        self._operators = operators
        _check_dimensions(operators)
        if is_square is False:
            raise ValueError(
                "`LinearOperatorBlockLowerTriangular` must be square. Expected argument `is_square` to be True. Received: "
                "False."
            )
        super().__init__(
            dtype,
            is_non_singular=_non_singular(self._diagonal(), is_non_singular),
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    @property
    def operators(self):
        """The blocks, by row."""
        return self._operators

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"operators": [[0] * len(row) for row in self._operators]}

    def _diagonal(self):
        return [row[-1] for row in self._operators]

    def _all(self):
        return [o for row in self._operators for o in row]

    def _block_range_dimensions(self):
        return [o.range_dimension for o in self._diagonal()]

    def _block_domain_dimensions(self):
        return [o.domain_dimension for o in self._diagonal()]

    def _block_range_dimension_tensors(self):
        return [o.range_dimension_tensor() for o in self._diagonal()]

    def _block_domain_dimension_tensors(self):
        return [o.domain_dimension_tensor() for o in self._diagonal()]

    def _shape(self):
        n = total(self._block_domain_dimensions())
        batch = batches.broadcast_static(*(o.batch_shape for o in self._all()))
        return batch.concatenate(tensor_shape.TensorShape([n, n]))

    def _shape_tensor(self):
        n = sum(self._block_domain_dimension_tensors())
        return array_ops.concat([batch_shape_tensor_of(self._all()), [n, n]], 0)

    def _matmul_blocks(self, x, adjoint, adjoint_arg):
        n = len(self._operators)
        rows = [range(j, n) if adjoint else range(j + 1) for j in range(n)]
        made = []
        for i, others in enumerate(rows):
            terms = [self._block(i, j, adjoint).matmul(x[j], adjoint=adjoint, adjoint_arg=adjoint_arg) for j in others]
            made.append(sum(terms[1:], terms[0]))
        return made

    def _block(self, i, j, adjoint):
        return self._operators[j][i] if adjoint else self._operators[i][j]

    def _solve_blocks(self, rhs, adjoint, adjoint_arg):
        if any(o.is_square is False for o in self._diagonal()):
            raise NotImplementedError("`solve` is only implemented for square blocks on the diagonal.")
        n = len(self._operators)
        if adjoint_arg:
            from ..ops import linalg_ops

            rhs = [linalg_ops.adjoint(b) for b in rhs]
        solved: dict = {}
        for i in reversed(range(n)) if adjoint else range(n):
            rest = rhs[i]
            for j in solved:
                rest = rest - self._block(i, j, adjoint).matmul(solved[j], adjoint=adjoint)
            solved[i] = self._operators[i][i].solve(rest, adjoint=adjoint)
        return [solved[i] for i in range(n)]

    def _linop_inverse(self):
        """Row i of the inverse: -Aii⁻¹ Σ Aik Bkj, and Aii⁻¹ in the diagonal."""
        from .full_matrix_operator import LinearOperatorFullMatrix

        if len(self._operators) == 1:
            return LinearOperatorBlockLowerTriangular(
                [[self._operators[0][0].inverse()]], is_non_singular=self.is_non_singular, is_square=True
            )
        inverse: list = []
        for i, row in enumerate(self._operators):
            last = row[-1].inverse()
            made = []
            for j in range(i):
                terms = [row[k].matmul(inverse[k][j].to_dense()) for k in range(j, i)]
                made.append(LinearOperatorFullMatrix(-last.matmul(sum(terms[1:], terms[0]))))
            inverse.append([*made, last])
        return LinearOperatorBlockLowerTriangular(inverse, is_non_singular=self.is_non_singular, is_square=True)

    def _of_diagonal(self, method):
        return [getattr(o, method)() for o in self._diagonal()]

    def _determinant(self):
        first, *rest = self._of_diagonal("determinant")
        for value in rest:
            first = first * value
        return first

    def _log_abs_determinant(self):
        first, *rest = self._of_diagonal("log_abs_determinant")
        return sum(rest, first)

    def _diag_part(self):
        return joined_diagonals(self._of_diagonal("diag_part"))

    def _trace(self):
        first, *rest = self._of_diagonal("trace")
        return sum(rest, first)

    def _eigvals(self):
        return joined_diagonals(self._of_diagonal("eigvals"))

    def _to_dense(self):
        sizes = [o.domain_dimension.value for o in self._diagonal()]
        if None in sizes:
            sizes = self._block_domain_dimension_tensors()
        rows = [
            padded_row(batches.broadcast_matrix_batch_dims([o.to_dense() for o in row]), sizes, 0)
            for row in self._operators
        ]
        return array_ops.concat(batches.broadcast_matrix_batch_dims(rows), -2)

    def _assert_non_singular(self):
        return grouped(self._of_diagonal("assert_non_singular"))


def _check_dimensions(operators):
    for i, row in enumerate(operators):
        if row[-1].is_square is False:
            raise ValueError(
                "Matrices on the diagonal (the final elements of each row-partition in the `operators` list) must be square. "
                f"Expected argument `operators[{i}][-1].is_square` to be True. Received: False."
            )
        rows = {o.range_dimension.value for o in row} - {None}
        if len(rows) > 1:
            raise ValueError(
                f"All operators in the same row-partition must have the same range dimension. Row {i}: {rows}"
            )
    for j in range(len(operators)):
        columns = {row[j].domain_dimension.value for row in operators[j:]} - {None}
        if len(columns) > 1:
            raise ValueError(
                f"All operators in the same column-partition must have the same domain dimension. Column {j}: {columns}"
            )


def _non_singular(diagonal, hint):
    if all(o.is_non_singular for o in diagonal):
        if hint is False:
            raise ValueError(
                "A blockwise lower-triangular operator with non-singular operators on the main diagonal is always "
                "non-singular. Expected argument `is_non_singular` to be True. Received: False."
            )
        return True
    if any(o.is_non_singular is False for o in diagonal):
        if hint is True:
            raise ValueError(
                "A blockwise lower-triangular operator with a singular operator on the main diagonal is always singular. "
                "Expected argument `is_non_singular` to be True. Received: True."
            )
        return False
    return hint
