"""Tridiagonal matrices."""

from __future__ import annotations

from ..core import tensor_shape
from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import LinearOperator, conj, constructor_arguments, require

_FORMATS = ("compact", "matrix", "sequence")


class LinearOperatorTridiag(LinearOperator):
    """Matrices of a superdiagonal, a diagonal and a subdiagonal.

    diagonals_format: "compact": one tensor [B1 ... Bb, 3, N]; "sequence": a list of three, [B1 ... Bb, N] each; "matrix": one tensor
    [B1 ... Bb, N, N]. The last element of the superdiagonal and the first of the subdiagonal are not used.
    """

    _composite_tensor_fields = ("diagonals", "diagonals_format")
    _composite_tensor_prefer_static_fields = ("diagonals_format",)

    def __init__(
        self,
        diagonals,
        diagonals_format="compact",
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorTridiag",
    ):
        parameters = constructor_arguments(locals())
        if diagonals_format not in _FORMATS:
            raise ValueError(
                f"Argument `diagonals_format` must be one of compact, matrix, or sequence. Received : {diagonals_format}."
            )
        if diagonals_format == "sequence":
            self._diagonals = [batches.tensor_or_variable(d, name="diagonals") for d in diagonals]
            dtype = self._diagonals[0].dtype
        else:
            self._diagonals = batches.tensor_or_variable(diagonals, name="diagonals")
            dtype = self._diagonals.dtype
        self._diagonals_format = diagonals_format
        super().__init__(
            dtype,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
            name=name,
            parameters=parameters,
        )

    diagonals = property(lambda self: self._diagonals, doc="The diagonals, as they were given.")
    diagonals_format = property(lambda self: self._diagonals_format)

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"diagonals": [1, 1, 1] if self._diagonals_format == "sequence" else 2}

    def _shape(self):
        if self._diagonals_format == "matrix":
            return self._diagonals.shape
        if self._diagonals_format == "sequence":
            shape = self._diagonals[1].shape
            for d in (self._diagonals[0], self._diagonals[2]):
                if shape.rank is None or d.shape.rank is None:
                    return tensor_shape.TensorShape(None)
                batch = batches.broadcast_static(shape[:-1], d.shape[:-1])
                shape = batch.concatenate(shape[-1:])
        else:
            shape = self._diagonals.shape
            shape = shape if shape.rank is None else shape[:-2].concatenate(shape[-1:])
        return shape if shape.rank is None else shape.concatenate(shape[-1:])

    def _shape_tensor(self):
        if self._diagonals_format == "matrix":
            return array_ops.shape(self._diagonals)
        if self._diagonals_format == "sequence":
            shapes = [array_ops.shape(d) for d in self._diagonals]
            batch = batches.broadcast_dynamic(*(s[:-1] for s in shapes))
            return array_ops.concat([batch, shapes[1][-1:], shapes[1][-1:]], 0)
        shape = array_ops.shape(self._diagonals)
        return array_ops.concat([shape[:-2], shape[-1:], shape[-1:]], 0)

    def _each(self):
        """[superdiagonal, diagonal, subdiagonal], all of one shape."""
        if self._diagonals_format == "sequence":
            columns = [array_ops.expand_dims(convert_to_tensor(d), -1) for d in self._diagonals]
            return [array_ops.squeeze(c, -1) for c in batches.broadcast_matrix_batch_dims(columns)]
        compact = self._compact()
        return [compact[..., i, :] for i in range(3)]

    def _compact(self):
        if self._diagonals_format == "matrix":
            return linalg_ops.diag_part(self._diagonals, k=(-1, 1), align="LEFT_RIGHT")
        if self._diagonals_format == "sequence":
            return array_ops.stack(self._each(), axis=-2)
        return convert_to_tensor(self._diagonals)

    def _oriented(self, adjoint):
        """The compact diagonals of the matrices, or of their adjoints."""
        if not adjoint:
            return self._compact()
        above, middle, below = self._each()
        swapped = [op("Roll")(below, [-1], [-1]), middle, op("Roll")(above, [1], [-1])]
        return conj(array_ops.stack(swapped, axis=-2))

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        diagonals, x = batches.broadcast_matrix_batch_dims([self._oriented(adjoint), x])
        return linalg_ops.tridiagonal_matmul(diagonals, x, "compact")

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = linalg_ops.adjoint(rhs) if adjoint_arg else rhs
        diagonals, rhs = batches.broadcast_matrix_batch_dims([self._oriented(adjoint), rhs])
        return linalg_ops.tridiagonal_solve(diagonals, rhs, "compact")

    def _diag_part(self):
        if self._diagonals_format == "matrix":
            return linalg_ops.diag_part(self._diagonals)
        return self._each()[1]

    def _to_dense(self):
        if self._diagonals_format == "matrix":
            return convert_to_tensor(self._diagonals)
        return linalg_ops.diag(self._compact(), k=(-1, 1), align="LEFT_RIGHT")

    def _assert_self_adjoint(self):
        above, _, below = self._each()
        same = op("Equal")(above[..., :-1], conj(below)[..., 1:])
        return require(same, "This tridiagonal operator has non-conjugate subdiagonal and superdiagonal.")
