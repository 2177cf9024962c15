"""Operators with a change of low rank: L + U D Vᴴ. Systems and determinants of it cost those of L and of a small matrix."""

from __future__ import annotations

from ..core.op_defs import op
from ..ops import array_ops, linalg_ops, math_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .diagonal_operator import LinearOperatorDiag
from .identity_operators import LinearOperatorIdentity
from .linear_operator import LinearOperator, check_dimensions, checked_rank, conj, constructor_arguments, real


class LinearOperatorLowRankUpdate(LinearOperator):
    """L + U D Vᴴ of the operator L, [B1 ... Bb, M, N], u [..., M, K], diag_update [..., K] (ones when it is not given) and
    v [..., N, K] (u when it is not given).

    is_diag_update_positive: a promise; with it, and L positive definite and no v, systems are solved by Cholesky factors.
    """

    _composite_tensor_fields = ("base_operator", "u", "diag_update", "v")

    def __init__(
        self,
        base_operator,
        u,
        diag_update=None,
        v=None,
        is_diag_update_positive=None,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorLowRankUpdate",
    ):
        parameters = constructor_arguments(locals())
        self._base_operator = base_operator
        self._u = batches.tensor_or_variable(u, name="u")
        self._v = self._u if v is None else batches.tensor_or_variable(v, name="v")
        self._diag_update = None if diag_update is None else batches.tensor_or_variable(diag_update, name="diag_update")
        checked_rank(self._u, "u", 2, u)
        checked_rank(self._v, "v", 2, v)
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError(
                    "Default diagonal is the identity, which is positive.  However, user set 'is_diag_update_positive' to "
                    "False."
                )
            is_diag_update_positive = True
        self._is_diag_update_positive = is_diag_update_positive
        real_diagonal = diag_update is None or not self._diag_update.dtype.is_complex or is_diag_update_positive
        if base_operator.is_self_adjoint and v is None and real_diagonal:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must be a "
                    "self-adjoint operator."
                )
            is_self_adjoint = True
            if base_operator.is_positive_definite and is_diag_update_positive:
                if is_positive_definite is False:
                    raise ValueError("A = L + UDU^H with L and D positive is always positive definite.")
                is_positive_definite = True
        self._use_cholesky = bool(
            base_operator.is_positive_definite
            and base_operator.is_self_adjoint
            and is_diag_update_positive
            and v is None
        )
        super().__init__(
            base_operator.dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=is_square,
            name=name,
            parameters=parameters,
        )
        self._check_shapes()
        self._diag_operator = self._operator_of_update()

    def _operator_of_update(self):
        if self._diag_update is not None:
            return LinearOperatorDiag(self._diag_update, is_positive_definite=self._is_diag_update_positive)
        rank = self._u.shape[-1] if self._u.shape.rank is not None else None
        rank = array_ops.shape(self._u)[-1] if rank is None else rank
        return LinearOperatorIdentity(rank, dtype=self._base_operator.dtype)

    def _check_shapes(self):
        self._shape()
        ranks = [self._u.shape[-1:], self._v.shape[-1:]]
        if self._diag_update is not None:
            ranks.append(self._diag_update.shape[-1:])
        for a, b in zip(ranks, ranks[1:]):
            if a.rank == b.rank == 1:
                check_dimensions(b[0], a[0])
        if self._u.shape.rank is not None:
            check_dimensions(self._base_operator.range_dimension.value, self._u.shape[-2])
        if self._v.shape.rank is not None:
            check_dimensions(self._base_operator.domain_dimension.value, self._v.shape[-2])

    base_operator = property(lambda self: self._base_operator, doc="L.")
    u = property(lambda self: self._u, doc="U.")
    v = property(lambda self: self._v, doc="V.")
    diag_update = property(lambda self: self._diag_update, doc="The diagonal of D, or None.")
    diag_operator = property(lambda self: self._diag_operator, doc="D as an operator.")
    is_diag_update_positive = property(lambda self: self._is_diag_update_positive)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        given = {"base_operator": 0, "u": 2, "diag_update": 1, "v": 2}
        return {name: n for name, n in given.items() if self.parameters[name] is not None}

    def _shape(self):
        shapes = [self._base_operator.batch_shape, self._u.shape[:-2], self._v.shape[:-2]]
        if self._diag_update is not None:
            shapes.append(self._diag_update.shape[:-1])
        return batches.broadcast_static(*shapes).concatenate(self._base_operator.shape[-2:])

    def _shape_tensor(self):
        shapes = [
            self._base_operator.batch_shape_tensor(),
            array_ops.shape(self._u)[:-2],
            array_ops.shape(self._v)[:-2],
        ]
        if self._diag_update is not None:
            shapes.append(array_ops.shape(self._diag_update)[:-1])
        batch = batches.broadcast_dynamic(*shapes)
        return array_ops.concat([batch, self._base_operator.shape_tensor()[-2:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        left, right = (self._v, self._u) if adjoint else (self._u, self._v)
        whole = self._base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        small = math_ops.matmul(right, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return whole + math_ops.matmul(left, self._diag_operator.matmul(small, adjoint=adjoint))

    def _make_capacitance(self, u, v):
        """D⁻¹ + Vᴴ L⁻¹ U."""
        product = math_ops.matmul(v, self._base_operator.solve(u), adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(product)

    def _uv(self):
        u = convert_to_tensor(self._u)
        return u, u if self._v is self._u else convert_to_tensor(self._v)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self._base_operator.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        u, v = self._uv()
        capacitance = self._make_capacitance(u, v)
        if adjoint:
            u, v = v, u
        start = self._base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        small = math_ops.matmul(v, start, adjoint_a=True)
        if self._use_cholesky:
            small = batches.cholesky_solve_with_broadcast(linalg_ops.cholesky(capacitance), small)
        else:
            small = batches.matrix_solve_with_broadcast(capacitance, small, adjoint=adjoint)
        return start - self._base_operator.solve(math_ops.matmul(u, small), adjoint=adjoint)

    def _determinant(self):
        capacitance = linalg_ops.det(self._make_capacitance(*self._uv()))
        return capacitance * self._diag_operator.determinant() * self._base_operator.determinant()

    def _log_abs_determinant(self):
        capacitance = self._make_capacitance(*self._uv())
        if self._use_cholesky:
            diagonal = real(linalg_ops.diag_part(linalg_ops.cholesky(capacitance)))
            small = array_ops.cast(2.0 * op("Sum")(op("Log")(diagonal), [-1]), self.dtype)
        else:
            small = array_ops.cast(real(linalg_ops.slogdet(capacitance)[1]), self.dtype)
        return small + self._diag_operator.log_abs_determinant() + self._base_operator.log_abs_determinant()

    def _diag_part(self):
        u, v = self._uv()
        product = u * conj(v)
        if self._diag_update is not None:
            product = product * array_ops.expand_dims(convert_to_tensor(self._diag_update), -2)
        return op("Sum")(product, [-1]) + self._base_operator.diag_part()

    def _linop_adjoint(self):
        diag_update = None if self._diag_update is None else conj(self._diag_update)
        v = self.parameters["v"]
        return LinearOperatorLowRankUpdate(
            self._base_operator.adjoint(),
            self._u if v is None else self._v,
            diag_update,
            None if v is None else self._u,
            is_diag_update_positive=self._is_diag_update_positive,
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
            is_square=self.is_square,
        )
