"""Permutations of vectors."""

from __future__ import annotations

from ..core import dtypes
from ..core.op_defs import op
from ..core.static_values import known_value
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from ..ops.matrix_functions import permuted_rows
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, checked_rank, constructor_arguments


class LinearOperatorPermutation(LinearOperator):
    """Matrices with a 1 in row i and column perm[i], of integers perm [B1 ... Bb, N]: (A x)[i] = x[perm[i]]."""

    _composite_tensor_fields = ("perm", "dtype")
    _composite_tensor_prefer_static_fields = ("dtype",)

    def __init__(
        self,
        perm,
        dtype=dtypes.float32,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorPermutation",
    ):
        parameters = constructor_arguments(locals())
        self._perm = batches.tensor_or_variable(perm, name="perm")
        checked_rank(self._perm, "perm", 1, perm)
        if not self._perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Received: {perm}.")
        _check_known(self._perm)
        hints = {"is_non_singular": is_non_singular, "is_square": is_square}
        for hint, value in hints.items():
            if value is False:
                word = hint[3:].replace("_", "-")
                raise ValueError(
                    f"A Permutation operator is always {word}. Expected argument `{hint}` to be True. Received: {value}."
                )
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    @property
    def perm(self):
        """The permutations."""
        return self._perm

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"perm": 1}

    def _shape(self):
        shape = self._perm.shape
        return shape if shape.rank is None else shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        shape = array_ops.shape(self._perm)
        return array_ops.concat([shape, shape[-1:]], 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        perm = convert_to_tensor(self._perm)
        if adjoint:  # where 0, 1, 2 ... are in perm
            n = array_ops.shape(perm)[-1]
            perm = array_ops.cast(op("TopKV2")(-perm, n, sorted=True)[1], perm.dtype)
        if perm.shape.rank == 1:
            return op("GatherV2")(x, perm, -2)
        batch = op("BroadcastArgs")(array_ops.shape(x)[:-2], array_ops.shape(perm)[:-1])
        x = batches.with_batch(x, batch)
        perm = op("BroadcastTo")(perm, array_ops.concat([batch, array_ops.shape(perm)[-1:]], 0))
        return permuted_rows(x, perm)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _to_dense(self):
        perm = convert_to_tensor(self._perm)
        each = op("Range")(0, array_ops.shape(perm)[-1], 1)
        return array_ops.cast(
            op("Equal")(array_ops.cast(each, perm.dtype), array_ops.expand_dims(perm, -1)), self.dtype
        )

    def _diag_part(self):
        perm = convert_to_tensor(self._perm)
        each = op("Range")(0, array_ops.shape(perm)[-1], 1)
        return array_ops.cast(op("Equal")(array_ops.cast(each, perm.dtype), perm), self.dtype)

    def _log_abs_determinant(self):
        return array_ops.zeros(self._batch_shape_tensor(), dtype=self.dtype)

    def _cond(self):
        return array_ops.ones(self._batch_shape_tensor(), dtype=self.dtype)

    def _assert_non_singular(self):
        return op("NoOp")()


def _check_known(perm):
    known = known_value(perm)
    if known is None or not known.size:
        return
    n = known.shape[-1]
    if any(sorted(row) != list(range(n)) for row in known.reshape(-1, n)):
        raise ValueError(f"Argument `perm` must be a vector of unique integers from 0 to {n - 1}.")
