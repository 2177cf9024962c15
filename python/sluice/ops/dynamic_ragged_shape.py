"""Shapes with ragged dimensions as values: tf.experimental.DynamicRaggedShape."""

from __future__ import annotations

import typing

from ..core import dtypes, extension_type, tensor, tensor_shape, type_spec
from ..core.op_defs import op
from ..core.static_values import known_value
from . import array_ops
from .ragged_tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged
from .row_partition import RowPartition, RowPartitionSpec, scalar


def _static_vector(t):
    """The elements of a vector as far as they are known, as a TensorShape."""
    known = known_value(t, partial=True)
    if known is not None:
        return tensor_shape.TensorShape([None if d is None or d < 0 else int(d) for d in known])
    return tensor_shape.TensorShape([None] * t.shape[0] if t.shape.rank and t.shape[0] is not None else None)


class DynamicRaggedShape(extension_type.BatchableExtensionType):
    """The shape of a ragged tensor: row partitions of the outer dimensions, and the sizes of the inner ones.

    The first element of inner_shape is the number of values of the last partition, where there is one.
    """

    _row_partitions: typing.Tuple[RowPartition, ...]
    _inner_shape: tensor.Tensor
    _static_inner_shape: tensor_shape.TensorShape

    def __init__(self, row_partitions, inner_shape, dtype=None, validate=False, static_inner_shape=None):
        if not isinstance(row_partitions, (list, tuple)) or any(
            not isinstance(p, RowPartition) for p in row_partitions
        ):
            raise TypeError(f"row_partitions should be a list of row partitions. Instead, got {row_partitions}")
        if dtype is None:
            found = [p.dtype for p in row_partitions]
            found += [inner_shape.dtype] if isinstance(inner_shape, tensor.Tensor) else []
            dtype = found[0] if len({d.name for d in found}) == 1 else dtypes.int64
        dtype = dtypes.as_dtype(dtype)
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("dtype must be tf.int32 or tf.int64")
        row_partitions = tuple(p.with_dtype(dtype) for p in row_partitions)
        if isinstance(inner_shape, tensor.Tensor):
            inner_shape = array_ops.cast(inner_shape, dtype)
        else:
            inner_shape = array_ops.convert_to_tensor(inner_shape, dtype)
        inner_shape.shape.assert_has_rank(1)
        static = _static_vector(inner_shape)
        if row_partitions:
            nvals = row_partitions[-1].static_nvals
            if static.rank is not None and static.rank == 0:
                raise ValueError("inner_shape must have at least one dimension where there are row partitions")
            static = static.merge_with(
                tensor_shape.TensorShape([nvals]).concatenate(
                    [None] * (static.rank - 1) if static.rank is not None else None
                )
            )
        if static_inner_shape is not None:
            static = static.merge_with(static_inner_shape)
        self._row_partitions, self._inner_shape, self._static_inner_shape = row_partitions, inner_shape, static

    # ---- factories

    @classmethod
    def from_row_partitions(cls, row_partitions, dtype=None):
        """Of partitions alone: all dimensions are partitioned."""
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        return cls(row_partitions, row_partitions[-1].nvals()[None], dtype=dtype)

    @classmethod
    def from_lengths(cls, lengths, num_row_partitions=None, dtype=dtypes.int64):
        """Of sizes: a number for a uniform dimension, a list of row lengths for a ragged one."""
        if not isinstance(lengths, (list, tuple)):
            raise ValueError("lengths should be a list")
        ragged = [i for i, n in enumerate(lengths) if isinstance(n, (list, tuple))]
        if 0 in ragged:
            raise ValueError("The first dimension must be uniform")
        count = (ragged[-1] if ragged else 0) if num_row_partitions is None else num_row_partitions
        if ragged and count < ragged[-1] or count < 0 or count > max(len(lengths) - 1, 0):
            raise ValueError(f"num_row_partitions={count} does not fit the lengths {lengths}")
        partitions, nrows = [], lengths[0] if lengths else 1
        for n in lengths[1 : count + 1]:
            if isinstance(n, (list, tuple)):
                if len(n) != nrows:
                    raise ValueError(f"{len(n)} row lengths for {nrows} rows")
                made = RowPartition.from_row_lengths(array_ops.constant(list(n), dtype))
                nrows = sum(n)
            else:
                made = RowPartition.from_uniform_row_length(n, nrows * n, nrows, dtype=dtype)
                nrows = nrows * n
            partitions.append(made)
        inner = [nrows, *lengths[count + 1 :]] if lengths else []
        return cls(partitions, array_ops.constant(inner, dtype), dtype=dtype)

    @classmethod
    def from_tensor(cls, t, dtype=None):
        """The shape of a tensor, a ragged tensor, or of something that has one."""
        if hasattr(t, "_ragged_shape"):
            return t._ragged_shape if dtype is None else t._ragged_shape.with_dtype(dtype)
        t = convert_to_tensor_or_ragged_tensor(t)
        if isinstance(t, RaggedTensor):
            kind = dtypes.as_dtype(dtype or t.row_splits.dtype)
            inner = op("Shape")(t.flat_values, out_type=kind)
            return cls(t._nested_row_partitions, inner, dtype=kind, static_inner_shape=t.flat_values.shape)
        kind = dtypes.as_dtype(dtype or dtypes.int64)
        return cls([], op("Shape")(t, out_type=kind), dtype=kind, static_inner_shape=t.shape)

    # ---- what it is

    row_partitions = property(lambda self: self._row_partitions)
    num_row_partitions = property(lambda self: len(self._row_partitions))
    inner_shape = property(lambda self: self._inner_shape)
    dtype = property(lambda self: self._inner_shape.dtype)

    @property
    def inner_rank(self):
        """The number of inner dimensions, or None."""
        return self._static_inner_shape.rank

    @property
    def rank(self):
        """The number of dimensions, or None."""
        return None if self.inner_rank is None else self.num_row_partitions + self.inner_rank

    def is_uniform(self, axis):
        """Whether all rows along the axis have one length. IndexError when there is no such axis."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        if axis < 0 or self.rank is not None and axis >= self.rank:
            raise IndexError(f"Expected 0 <= axis < {self.rank}, got {axis}")
        return (
            axis == 0
            or axis > self.num_row_partitions
            or self._row_partitions[axis - 1].uniform_row_length() is not None
        )

    def static_lengths(self, ragged_lengths=True):
        """The sizes as far as they are known; of a ragged dimension a tuple of row lengths, or None."""
        sizes = [self._static_outer()]
        for p in self._row_partitions:
            length = p.static_uniform_row_length
            if length is None and ragged_lengths and p.uniform_row_length() is None:
                known = known_value(p.row_lengths())
                length = None if known is None else tuple(int(n) for n in known)
            sizes.append(length)
        if self.inner_rank is None:
            return [*(sizes if self._row_partitions else []), ...]
        if not self._row_partitions:
            return self._static_inner_shape.as_list()
        return sizes + self._static_inner_shape.as_list()[1:]

    def _static_outer(self):
        if self._row_partitions:
            return self._row_partitions[0].static_nrows
        return self._static_inner_shape[0] if self.inner_rank else None

    def _to_tensor_shape(self):
        if self.inner_rank is None:
            return tensor_shape.TensorShape(None)
        return tensor_shape.TensorShape(self.static_lengths(ragged_lengths=False))

    def with_dtype(self, dtype):
        """The same with tensors of another integer type."""
        if dtypes.as_dtype(dtype) == self.dtype:
            return self
        return DynamicRaggedShape(
            self._row_partitions, self._inner_shape, dtype=dtype, static_inner_shape=self._static_inner_shape
        )

    def _as_row_partitions(self):
        """Partitions of all dimensions after the first; those of inner dimensions are of one row length."""
        made = list(self._row_partitions)
        sizes = self._static_inner_shape
        nrows = self._inner_shape[0] if sizes.rank != 0 else None
        known = sizes[0] if sizes.rank else None
        for axis in range(1, sizes.rank or 0):
            length = self._inner_shape[axis] if sizes[axis] is None else scalar(sizes[axis], self._inner_shape)
            count = nrows if known is None else scalar(known, self._inner_shape)
            made.append(RowPartition.from_uniform_row_length(length, count * length, count, validate=False))
            nrows = nrows * length
            known = None if known is None or sizes[axis] is None else known * sizes[axis]
        return tuple(made)

    def _num_elements(self):
        return op("Prod")(self._inner_shape, [0])

    def _truncate(self, rank: int):
        """The shape of the first dimensions alone."""
        if rank <= self.num_row_partitions:
            partitions = self._row_partitions[: max(rank - 1, 0)]
            if rank == 0:
                return DynamicRaggedShape([], array_ops.zeros([0], self.dtype), dtype=self.dtype)
            inner = self._row_partitions[rank - 1].nrows()[None]
            return DynamicRaggedShape(partitions, inner, dtype=self.dtype)
        kept = rank - self.num_row_partitions
        return DynamicRaggedShape(
            self._row_partitions,
            self._inner_shape[:kept],
            dtype=self.dtype,
            static_inner_shape=self._static_inner_shape[:kept],
        )

    def __getitem__(self, index):
        """The size of a uniform dimension; of a slice that begins at 0 the shape of these dimensions, otherwise a vector."""
        if isinstance(index, slice):
            start, stop, step = index.indices(self.rank)
            if step != 1:
                raise IndexError("Cannot stride through a shape")
            if start == 0:
                return self._truncate(max(stop, 0))
            if any(not self.is_uniform(i) for i in range(start, stop)):
                raise ValueError("All relevant dimensions must be uniform")
            sizes = [self[i] for i in range(start, stop)]
            inner = op("Pack")(sizes) if sizes else array_ops.zeros([0], self.dtype)
            return DynamicRaggedShape([], inner, dtype=self.dtype)
        if not isinstance(index, int):
            raise TypeError("index is not a slice or an int")
        index = index + self.rank if index < 0 else index
        if not self.is_uniform(index):
            raise ValueError(f"Index {index} is not uniform")
        if index <= self.num_row_partitions and self._row_partitions:
            return (
                self._row_partitions[0].nrows() if index == 0 else self._row_partitions[index - 1].uniform_row_length()
            )
        known = self._static_inner_shape[index - self.num_row_partitions]
        return self._inner_shape[index - self.num_row_partitions] if known is None else scalar(known, self._inner_shape)

    def __repr__(self):
        sizes = ", ".join(_size_text(n) for n in self.static_lengths())
        return f"<DynamicRaggedShape lengths=[{sizes}] num_row_partitions={self.num_row_partitions}>"

    class Spec:
        """What is known of a shape: row_partitions, static_inner_shape, dtype."""

        def __init__(self, row_partitions, static_inner_shape, dtype):
            if not isinstance(row_partitions, (list, tuple)):
                raise TypeError("row_partitions should be a list")
            if any(not isinstance(p, RowPartitionSpec) for p in row_partitions):
                raise TypeError("row_partitions should be a list of RowPartitionSpecs")
            dtype = dtypes.as_dtype(dtype)
            if dtype not in (dtypes.int32, dtypes.int64):
                raise ValueError("dtype must be tf.int32 or tf.int64")
            static = tensor_shape.as_shape(static_inner_shape)
            self._row_partitions = tuple(
                RowPartitionSpec(p.nrows, p.nvals, p.uniform_row_length, dtype) for p in row_partitions
            )
            self._static_inner_shape = static
            self._inner_shape = type_spec.TensorSpec([static.rank], dtype)

        row_partitions = property(lambda self: self._row_partitions)
        static_inner_shape = property(lambda self: self._static_inner_shape)
        dtype = property(lambda self: self._inner_shape.dtype)
        inner_rank = property(lambda self: self._static_inner_shape.rank)
        num_row_partitions = property(lambda self: len(self._row_partitions))

        @property
        def rank(self):
            return None if self.inner_rank is None else self.num_row_partitions + self.inner_rank

        def with_dtype(self, dtype):
            return DynamicRaggedShape.Spec(self._row_partitions, self._static_inner_shape, dtype)

        def _to_tensor_shape(self):
            if self.rank is None:
                return tensor_shape.TensorShape(None)
            if not self._row_partitions:
                return self._static_inner_shape
            sizes = [self._row_partitions[0].nrows, *(p.uniform_row_length for p in self._row_partitions)]
            return tensor_shape.TensorShape(sizes + self._static_inner_shape.as_list()[1:])

        @classmethod
        def _from_tensor_shape(cls, shape, num_row_partitions, dtype):
            sizes = tensor_shape.as_shape(shape).as_list()
            partitions, nrows = [], sizes[0] if sizes else None
            for n in sizes[1 : num_row_partitions + 1]:
                nvals = None if nrows is None or n is None else nrows * n
                partitions.append(RowPartitionSpec(nrows, nvals, n, dtype))
                nrows = nvals
            inner = [nrows, *sizes[num_row_partitions + 1 :]] if sizes else []
            return DynamicRaggedShape.Spec(partitions, inner, dtype)

        def __repr__(self):
            return (
                f"DynamicRaggedShape.Spec(row_partitions={self._row_partitions!r}, "
                f"static_inner_shape={self._static_inner_shape!r}, dtype={self.dtype!r})"
            )


def _size_text(n) -> str:
    if n is ...:
        return "..."
    if isinstance(n, tuple):
        return "(" + ", ".join(map(str, n[:10])) + (", ..." if len(n) > 10 else "") + ")"
    return str(n)


def _with_partitions(flat, shape):
    if not shape.row_partitions:
        return flat
    return RaggedTensor._from_nested_row_partitions(flat, shape.row_partitions, validate=False)


def ragged_reshape(value, shape):
    """The elements of a tensor or ragged tensor in the ragged shape."""
    flat = value.flat_values if is_ragged(value) else array_ops.convert_to_tensor(value)
    return _with_partitions(op("Reshape")(flat, shape.inner_shape), shape)


def broadcast_to(value, shape):
    """The value repeated to a ragged shape."""
    from .ragged_elementwise import broadcast

    value = convert_to_tensor_or_ragged_tensor(value)
    like = op("Fill")(shape.inner_shape, array_ops.zeros([], dtypes.int32))
    like = _with_partitions(like, shape)
    if not isinstance(like, RaggedTensor):
        return op("BroadcastTo")(value, shape.inner_shape)
    if value.shape.rank == 0:
        return like.with_flat_values(op("BroadcastTo")(value, shape.inner_shape))
    flats, partitions = broadcast([value, like])
    made = op("BroadcastTo")(flats[0], op("Shape")(flats[1]))
    return RaggedTensor._from_nested_row_partitions(made, partitions, validate=False)


def filled(value, shape):
    """A tensor of a ragged shape whose elements are all the value."""
    return _with_partitions(op("Fill")(shape.inner_shape, value), shape)
