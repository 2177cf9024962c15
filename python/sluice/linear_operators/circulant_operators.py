"""Circulant matrices, by their spectrum: a product is a Fourier transform, a product of elements, and a transform back.

In two and three dimensions the vectors are grids, in the order of their elements, and the matrices block circulant.
"""

from __future__ import annotations

import math

from ..core import dtypes, tensor_shape
from ..core.op_defs import op
from ..ops import array_ops, linalg_ops
from ..ops.array_ops import convert_to_tensor
from . import batch_broadcasting as batches
from .linear_operator import (
    LinearOperator,
    absolute,
    checked_rank,
    checked_type,
    conj,
    constructor_arguments,
    ratio_of_extremes,
    real,
    require,
)

_TRANSFORMS = {1: ("FFT", "IFFT"), 2: ("FFT2D", "IFFT2D"), 3: ("FFT3D", "IFFT3D")}


def as_complex(x):
    """x in the complex type of its precision."""
    if x.dtype.is_complex:
        return convert_to_tensor(x)
    return array_ops.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


def _hints(parameters):
    return {name: parameters[name] for name in parameters if name.startswith("is_")}


class BaseLinearOperatorCirculant(LinearOperator):
    """What the operators of one, two and three dimensions share. A subclass says how many there are: `_block_depth`."""

    _composite_tensor_fields = ("spectrum", "input_output_dtype")
    _composite_tensor_prefer_static_fields = ("input_output_dtype",)
    _block_depth = 1

    def __init__(self, spectrum, input_output_dtype, hints, name, parameters):
        self._spectrum = batches.tensor_or_variable(spectrum, name="spectrum")
        checked_type(self._spectrum, "spectrum")
        checked_rank(self._spectrum, "spectrum", self._block_depth, spectrum)
        if not self._spectrum.dtype.is_complex:
            if hints["is_self_adjoint"] is False:
                raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
            hints["is_self_adjoint"] = True
        if hints["is_square"] is False:
            raise ValueError("A [block] circulant operator is always square.")
        super().__init__(dtypes.as_dtype(input_output_dtype), name=name, parameters=parameters, **hints)

    spectrum = property(lambda self: self._spectrum, doc="The transform of the convolution kernel.")
    block_depth = property(lambda self: self._block_depth, doc="How many dimensions the grid has.")
    input_output_dtype = property(lambda self: self.dtype)

    @property
    def block_shape(self):
        """The shape of the grid."""
        shape = self._spectrum.shape
        return shape if shape.rank is None else shape[shape.rank - self._block_depth :]

    def _block_shape_tensor(self):
        known = batches.known_shape(self.block_shape) if self.block_shape.rank is not None else None
        return array_ops.shape(self._spectrum)[-self._block_depth :] if known is None else known

    def block_shape_tensor(self):
        """The shape of the grid as a tensor."""
        return self._block_shape_tensor()

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self):
        return {"spectrum": self._block_depth}

    def _axes(self):
        return list(range(-self._block_depth, 0))

    def _shape(self):
        shape, d = self._spectrum.shape, self._block_depth
        if shape.rank is None:
            return tensor_shape.TensorShape(None)
        grid = shape[shape.rank - d :].as_list()
        n = None if None in grid else math.prod(grid)
        return shape[: shape.rank - d].concatenate([n, n])

    def _shape_tensor(self):
        shape = array_ops.shape(self._spectrum)
        n = op("Prod")(shape[-self._block_depth :], [0])
        return array_ops.concat([shape[: -self._block_depth], [n, n]], 0)

    def _transform(self, x):
        return op(_TRANSFORMS[self._block_depth][0])(as_complex(x))

    def _transform_back(self, x):
        return op(_TRANSFORMS[self._block_depth][1])(as_complex(x))

    def _on_grid(self, x):
        """Columns, [..., N, R], as grids: [..., R, n1 ... nd]."""
        x = linalg_ops.swapped(x)
        return array_ops.reshape(x, array_ops.concat([array_ops.shape(x)[:-1], self._block_shape_tensor()], 0))

    def _as_columns(self, grids):
        batch = array_ops.shape(grids)[: -self._block_depth]
        flat = array_ops.reshape(grids, array_ops.concat([batch, [op("Prod")(self._block_shape_tensor(), [0])]], 0))
        return linalg_ops.swapped(flat)

    def _filtered(self, x, adjoint_arg, change):
        """x with its transform's elements changed by those of the spectrum."""
        x = linalg_ops.adjoint(x) if adjoint_arg else x
        spectrum = array_ops.expand_dims(as_complex(self._spectrum), -1 - self._block_depth)
        transformed = self._transform(array_ops.cast(self._on_grid(x), spectrum.dtype))
        made = self._as_columns(self._transform_back(change(transformed, spectrum)))
        made = array_ops.cast(made, self.dtype)
        if x.shape.is_fully_defined() and self.shape.is_fully_defined():
            made.set_shape(batches.broadcast_static(x.shape[:-2], self.batch_shape).concatenate(x.shape[-2:]))
        return made

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._filtered(x, adjoint_arg, lambda t, s: (conj(s) if adjoint else s) * t)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._filtered(rhs, adjoint_arg, lambda t, s: t / (conj(s) if adjoint else s))

    def convolution_kernel(self, name="convolution_kernel"):
        """The first column of the matrices, as a grid."""
        with self._name_scope(name):
            return array_ops.cast(self._transform_back(self._spectrum), self.dtype)

    def _of(self, spectrum, is_positive_definite):
        return type(self)(
            spectrum,
            input_output_dtype=self.dtype,
            is_non_singular=self.is_non_singular,
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=is_positive_definite,
            is_square=True,
        )

    def _linop_adjoint(self):
        return self._of(conj(self._spectrum), self.is_positive_definite)

    def _linop_inverse(self):
        return self._of(1.0 / convert_to_tensor(self._spectrum), self.is_positive_definite)

    def _determinant(self):
        return array_ops.cast(op("Prod")(self._spectrum, self._axes()), self.dtype)

    def _log_abs_determinant(self):
        return array_ops.cast(op("Sum")(op("Log")(absolute(self._spectrum)), self._axes()), self.dtype)

    def _trace(self):
        return array_ops.cast(op("Sum")(self._spectrum, self._axes()), self.dtype)

    def _diag_part(self):
        size = array_ops.cast(self._domain_dimension_tensor(), self.dtype)
        each = self._trace() / size
        ones = array_ops.ones(array_ops.expand_dims(self._domain_dimension_tensor(), 0), dtype=self.dtype)
        return array_ops.expand_dims(each, -1) * ones

    def _flat_spectrum(self):
        if self._block_depth == 1:
            return convert_to_tensor(self._spectrum)
        shape = array_ops.shape(self._spectrum)
        return array_ops.reshape(self._spectrum, array_ops.concat([shape[: -self._block_depth], [-1]], 0))

    def _eigvals(self):
        return self._flat_spectrum()

    def _cond(self):
        return ratio_of_extremes(self._flat_spectrum())

    def assert_hermitian_spectrum(self, name="assert_hermitian_spectrum"):
        """An op that raises InvalidArgumentError when the operator is not real: when its kernel has an imaginary part."""
        import numpy

        with self._name_scope(name):
            kernel = self._transform_back(self._spectrum)
            imaginary = absolute(op("Imag")(kernel, Tout=kernel.dtype.real_dtype))
            eps = float(numpy.finfo(self.dtype.real_dtype.as_numpy_dtype).eps)
            limit = 5 * eps * array_ops.cast(self._domain_dimension_tensor(), imaginary.dtype)
            return require(imaginary <= limit, "Spectrum was not Hermitian")

    def _assert_non_singular(self):
        import numpy

        eps = float(numpy.finfo(self.dtype.real_dtype.as_numpy_dtype).eps)
        spectrum = absolute(self._spectrum)
        limit = eps * op("Max")(spectrum, self._axes(), keep_dims=True)
        return require(spectrum > limit, "Singular operator:  Spectrum contained zero values.")

    def _assert_positive_definite(self):
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return require(real(convert_to_tensor(self._spectrum)) > 0, message)

    def _assert_self_adjoint(self):
        spectrum = convert_to_tensor(self._spectrum)
        message = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        return require(op("Equal")(spectrum, conj(spectrum)), message)


class LinearOperatorCirculant(BaseLinearOperatorCirculant):
    """Circulant matrices of N rows: those of a convolution with a kernel, whose transform is `spectrum`, [B1 ... Bb, N].

    input_output_dtype: of arguments and results; a real one when the kernel is real. A real spectrum makes it self-adjoint.
    """

    _block_depth = 1

    def __init__(
        self,
        spectrum,
        input_output_dtype=dtypes.complex64,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name="LinearOperatorCirculant",
    ):
        parameters = constructor_arguments(locals())
        super().__init__(spectrum, input_output_dtype, _hints(parameters), name, parameters)


class LinearOperatorCirculant2D(BaseLinearOperatorCirculant):
    """The same for vectors that are grids [N0, N1]: spectrum [B1 ... Bb, N0, N1]."""

    _block_depth = 2

    def __init__(
        self,
        spectrum,
        input_output_dtype=dtypes.complex64,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name="LinearOperatorCirculant2D",
    ):
        parameters = constructor_arguments(locals())
        super().__init__(spectrum, input_output_dtype, _hints(parameters), name, parameters)


class LinearOperatorCirculant3D(BaseLinearOperatorCirculant):
    """The same for vectors that are grids [N0, N1, N2]: spectrum [B1 ... Bb, N0, N1, N2]."""

    _block_depth = 3

    def __init__(
        self,
        spectrum,
        input_output_dtype=dtypes.complex64,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=True,
        name="LinearOperatorCirculant3D",
    ):
        parameters = constructor_arguments(locals())
        super().__init__(spectrum, input_output_dtype, _hints(parameters), name, parameters)
