"""tf.sparse: functions of sparse tensors."""

from __future__ import annotations

import builtins

from ..core import dtypes, graph, nest, tensor, tensor_shape
from ..core.op_defs import op
from ..core.scopes import in_scope, name_scope_v1
from ..core.static_values import known_value
from . import array_ops
from .row_partition import after, require, static_int
from .sparse_tensor import SparseTensor, SparseTensorValue, convert, is_sparse

DEFAULT_HASH_KEY = 0xDECAFCAFFE


def _parts(sp):
    return sp.indices, sp.values, sp.dense_shape


# ---- made of tensors, and back


@in_scope("dense_to_sparse", names_last=False)
def from_dense(tensor, name=None):
    """The elements that are not zero (empty, false)."""
    t = array_ops.convert_to_tensor(tensor)
    in_graph = graph.current() is not None
    indices = op("Where")(op("NotEqual")(t, array_ops.zeros_like(t) if in_graph else array_ops.zeros([], t.dtype)))
    values = op("GatherNd")(t, indices)
    shape = array_ops.shape(t, dtypes.int64) if in_graph else op("Shape")(t, out_type=dtypes.int64)
    return SparseTensor(indices, values, shape)


@in_scope("eye", names_last=False)
def eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """The unit matrix."""
    rows = array_ops.convert_to_tensor(num_rows, dtypes.int64, name="num_rows")
    columns = rows if num_columns is None else array_ops.convert_to_tensor(num_columns, dtypes.int64, name="num_cols")
    size = op("Minimum")(rows, columns)
    diagonal = op("Range")(array_ops.constant(0, dtypes.int64), size, array_ops.constant(1, dtypes.int64))
    known = known_value(size)
    ones = array_ops.ones([int(known)] if known is not None else size[None], dtype)
    indices = op("Pack")([diagonal, diagonal], axis=1, name="stack")
    return SparseTensor(indices, ones, op("Pack")([rows, columns], name="SparseTensor/dense_shape"))


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """A tensor with default_value (0) where there is no element. validate_indices: they are in order, and none comes twice."""
    sp = convert(sp_input)
    if default_value is None:
        default = array_ops.zeros([], sp.dtype)
    elif graph.current() is not None and isinstance(default_value, (int, float)) and sp.dtype.is_floating:
        default = default_value
    else:
        default = array_ops.convert_to_tensor(default_value, sp.dtype)
    made = op("SparseToDense")(
        sp.indices, sp.dense_shape, sp.values, default, validate_indices=validate_indices, name=name
    )
    return _shaped(made, sp.shape)


def to_dense_v1(sp_input, default_value=None, validate_indices=True, name=None):
    return to_dense(sp_input, default_value, validate_indices, name)


def _shaped(made, shape):
    if shape.rank is not None and not isinstance(made, tensor.EagerTensor):
        made.set_shape(shape)
    return made


def sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None):
    """A tensor of output_shape with the values at the indices, a number, a vector or a matrix, and default_value elsewhere."""
    return op("SparseToDense")(
        sparse_indices, output_shape, sparse_values, default_value, validate_indices=validate_indices, name=name
    )


def to_indicator(sp_input, vocab_size, name=None):
    """A tensor of truth values whose last axis, of vocab_size, says which numbers the last axis of the sparse one has."""
    sp = convert(sp_input)
    shape = op("ConcatV2")([sp.dense_shape[:-1], [array_ops.cast(vocab_size, dtypes.int64)]], 0)
    indices = op("ConcatV2")([sp.indices[:, :-1], op("ExpandDims")(array_ops.cast(sp.values, dtypes.int64), 1)], 1)
    values = op("Fill")(op("Shape")(sp.values), True)
    made = op("SparseToDense")(indices, shape, values, False, validate_indices=False, name=name)
    rank = sp.shape.rank
    return _shaped(made, tensor_shape.TensorShape(None if rank is None else sp.shape[:-1].concatenate([vocab_size])))


def merge(sp_ids, sp_values, vocab_size, name=None, already_sorted=False):
    """A sparse tensor whose last index is the ids' value, with the values at the same place of sp_values.

    sp_ids: a sparse tensor of integers, or a list of them, each with its vocab_size.
    """
    lists = isinstance(sp_ids, (list, tuple)) and not is_sparse(sp_ids)
    ids = [convert(s) for s in (sp_ids if lists else [sp_ids])]
    if isinstance(sp_ids, SparseTensorValue) or not lists:
        vocab_size = [vocab_size]
    elif not isinstance(vocab_size, (list, tuple)):
        raise TypeError("vocab_size has to be a list of Tensors or Python ints. ")
    for size in vocab_size:
        if isinstance(size, tensor.Tensor) and size.shape.rank:
            raise TypeError("each vocab_size has to be a scalar")
    if len(ids) != len(vocab_size):
        raise ValueError("sp_ids and vocab_size have to have equal lengths.")
    values = convert(sp_values)
    columns = [op("ExpandDims")(array_ops.cast(s.values, dtypes.int64), 1) for s in ids]
    indices = op("ConcatV2")([ids[0].indices[:, :-1], *columns], 1)
    sizes = [array_ops.cast(array_ops.convert_to_tensor(v), dtypes.int64)[None] for v in vocab_size]
    shape = op("ConcatV2")([ids[0].dense_shape[:-1], *sizes], 0)
    made = SparseTensor(indices, values.values, shape)
    if ids[0].shape.rank is not None:
        made.set_shape([*ids[0].shape[:-1], *(static_int(array_ops.convert_to_tensor(v)) for v in vocab_size)])
    return made if already_sorted else reorder(made)


# ---- parts, order and shape


def reorder(sp_input, name=None):
    """The same with indices in row-major order."""
    sp = convert(sp_input)
    indices, values = op("SparseReorder")(*_parts(sp), name=name)
    made = SparseTensor(indices, values, sp.dense_shape)
    made._said = sp._said
    return made


def reshape(sp_input, shape, name=None):
    """The same elements in another shape; one size may be -1. ValueError, InvalidArgumentError when the sizes differ."""
    sp = convert(sp_input)
    shape = array_ops.cast(array_ops.convert_to_tensor(shape), dtypes.int64)
    indices, dense_shape = op("SparseReshape")(sp.indices, sp.dense_shape, shape, name=name)
    made = SparseTensor(indices, sp.values, dense_shape)
    wanted, have = known_value(shape), sp.shape
    if wanted is not None and not isinstance(dense_shape, tensor.EagerTensor):
        _check_reshape(wanted.tolist(), have)
        made.set_shape(_inferred(wanted.tolist(), have))
    return made


def _check_reshape(wanted, have) -> None:
    if builtins.sum(d == -1 for d in wanted) > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: {wanted}")
    size = have.num_elements()
    if size is None:
        return
    rest = 1
    for d in wanted:
        rest *= d if d != -1 else 1
    if -1 not in wanted and rest != size or -1 in wanted and rest and size % rest:
        raise ValueError(f"Cannot reshape a tensor with {size} elements to shape {wanted} ({rest} elements).")


def _inferred(wanted, have):
    size = have.num_elements()
    if -1 not in wanted or size is None:
        return [None if d == -1 else d for d in wanted]
    rest = 1
    for d in wanted:
        rest *= d if d != -1 else 1
    return [size // rest if d == -1 and rest else d for d in wanted]


def reset_shape(sp_input, new_shape=None):
    """The same with a larger dense_shape, or with the least that holds all elements."""
    sp = convert(sp_input)
    if new_shape is None:
        rank = op("Size")(sp.dense_shape)
        low = op("Fill")(op("Reshape")(rank, [1]), array_ops.constant(0, dtypes.int64))
        most = op("Max")(op("ConcatV2")([sp.indices + 1, op("ExpandDims")(low, 0)], 0), 0)
        return SparseTensor(sp.indices, sp.values, most)
    new = array_ops.cast(array_ops.convert_to_tensor(new_shape), dtypes.int64)
    new.shape.assert_has_rank(1)
    known, wanted = sp.shape, known_value(new)
    if wanted is not None and known.rank is not None:
        if len(wanted) != known.rank:
            raise ValueError(f"Rank of new_shape {wanted.tolist()} must be that of the input shape {known}")
        if any(d is not None and n < d for n, d in zip(wanted, known)):
            raise ValueError(
                f"Requested new_shape should have dimension sizes >= sp_input.shape. Found new_shape {wanted.tolist()}, "
                f"sp_input.shape {known}."
            )
    rank = op("Size")(sp.dense_shape)
    same = op("Equal")(op("Size")(new), rank)
    checks = require(same, "the ranks of new_shape and of the sparse tensor: x == y did not hold element-wise")
    new = after(checks, new)
    checks = require(op("All")(new >= sp.dense_shape, [0]), "the shape and new_shape: x <= y did not hold element-wise")
    return SparseTensor(sp.indices, sp.values, after(checks, new))


def transpose(sp_input, perm=None, name=None):
    """The same with axes in another order, by default in reverse."""
    sp = convert(sp_input)
    if perm is None:
        rank = sp.shape.rank
        perm = (
            list(builtins.range(rank))[::-1]
            if rank is not None
            else op("Range")(0, op("Size")(sp.dense_shape), 1)[::-1]
        )
    indices = op("GatherV2")(sp.indices, perm, 1)
    made = SparseTensor(indices, sp.values, op("GatherV2")(sp.dense_shape, perm, 0))
    known = known_value(perm) if not isinstance(perm, list) else perm
    if known is not None and sp.shape.rank is not None:
        made.set_shape([sp.shape[int(p)] for p in known])
    return reorder(made)


def expand_dims(sp_input, axis=None, name=None):
    """The same with an axis of size 1 before `axis`, by default as the last."""
    sp = convert(sp_input)
    rank = sp.shape.rank
    axis = -1 if axis is None else axis
    if rank is None:
        rank = op("Size")(sp.dense_shape)
    elif not -rank - 1 <= axis <= rank:
        raise ValueError(f"axis {axis} is out of range for rank {rank}")
    axis = axis + rank + 1 if axis < 0 else axis
    column = op("ZerosLike")(
        op("ExpandDims")(array_ops.cast(op("Range")(0, op("Shape")(sp.indices)[0], 1), dtypes.int64), 1)
    )
    indices = op("ConcatV2")([sp.indices[:, :axis], column, sp.indices[:, axis:]], 1)
    shape = op("ConcatV2")([sp.dense_shape[:axis], array_ops.constant([1], dtypes.int64), sp.dense_shape[axis:]], 0)
    return SparseTensor(indices, sp.values, shape)


def slice(sp_input, start, size, name=None):  # noqa: A001
    """The part that begins at `start` and has at most `size`, two vectors."""
    sp = convert(sp_input)
    start, size = (array_ops.convert_to_tensor(v, dtypes.int64) for v in (start, size))
    return SparseTensor(*op("SparseSlice")(*_parts(sp), start, size, name=name))


def split(sp_input=None, num_split=None, axis=None, name=None):
    """num_split parts along an axis; the first ones are one larger where the size does not divide."""
    if sp_input is None or num_split is None or axis is None:
        raise ValueError("sp_input, num_split and axis are required")
    sp = convert(sp_input)
    made = op("SparseSplit")(
        array_ops.convert_to_tensor(axis, dtypes.int64), *_parts(sp), num_split=num_split, name=name
    )
    return [SparseTensor(*parts) for parts in zip(*made)]


def split_v1(keyword_required=None, sp_input=None, num_split=None, axis=None, name=None, split_dim=None):
    if keyword_required is not None:
        raise ValueError("Keyword arguments are required for this function.")
    if axis is None and split_dim is None:
        raise ValueError("axis must be given")
    return split(sp_input, num_split, split_dim if axis is None else axis, name)


def concat(axis, sp_inputs, expand_nonconcat_dims=False, name=None):
    """Several along an axis. expand_nonconcat_dims: the other sizes may differ, the largest count."""
    inputs = [convert(s) for s in sp_inputs]
    if len(inputs) == 1:
        return inputs[0]
    shapes = [s.dense_shape for s in inputs]
    if expand_nonconcat_dims:
        shapes = _largest_beside(shapes, axis, inputs)
    made = op("SparseConcat")(
        [s.indices for s in inputs], [s.values for s in inputs], shapes, concat_dim=axis, name=name
    )
    result = SparseTensor(*made)
    known = [s.shape for s in inputs]
    if all(k.rank is not None for k in known) and not isinstance(result.indices, tensor.EagerTensor):
        result.set_shape(_concat_shape(known, axis, expand_nonconcat_dims))
    return result


def _largest_beside(shapes, axis, inputs):
    largest = op("Max")(op("Pack")(shapes), 0)
    rank = inputs[0].shape.rank
    axis = axis % rank if rank is not None else axis
    return [op("ConcatV2")([largest[:axis], s[axis : axis + 1], largest[axis + 1 :]], 0) for s in shapes]


def _concat_shape(known, axis, expand):
    rank = known[0].rank
    made = []
    for i in builtins.range(rank):
        sizes = [k[i] for k in known]
        if None in sizes:
            made.append(None)
        elif i == axis % rank:
            made.append(builtins.sum(sizes))
        else:
            made.append(builtins.max(sizes) if expand else sizes[0])
    return made


def concat_v1(axis, sp_inputs, name=None, expand_nonconcat_dim=False, concat_dim=None, expand_nonconcat_dims=None):
    axis = concat_dim if axis is None else axis
    return concat(
        axis, sp_inputs, expand_nonconcat_dim if expand_nonconcat_dims is None else expand_nonconcat_dims, name
    )


def retain(sp_input, to_retain):
    """The elements where the vector of truth values is true."""
    sp = convert(sp_input)
    keep = array_ops.convert_to_tensor(to_retain)
    keep.shape.assert_has_rank(1)
    if not keep.shape.is_compatible_with(sp.values.shape):
        raise ValueError(f"Dimensions {sp.values.shape[0]} and {keep.shape[0]} are not compatible")
    where = op("Reshape")(op("Where")(keep), [-1])
    return SparseTensor(op("GatherV2")(sp.indices, where, 0), op("GatherV2")(sp.values, where, 0), sp.dense_shape)


def mask(a, mask_indices, name=None):
    """IndexedSlices without those whose index is in mask_indices."""
    from ..core.indexed_slices import IndexedSlices

    indices, places = op("ListDiff")(a.indices, mask_indices, out_idx=dtypes.int32)
    return IndexedSlices(op("GatherV2")(a.values, places, 0), indices, a.dense_shape)


def fill_empty_rows(sp_input, default_value, name=None):
    """With default_value in column 0 of rows that have no element, and a vector that says which these were."""
    sp = convert(sp_input)
    default = array_ops.convert_to_tensor(default_value, sp.values.dtype)
    indices, values, empty, _ = op("SparseFillEmptyRows")(*_parts(sp), default, name=name)
    made = SparseTensor(indices, values, sp.dense_shape)
    return made, empty


# ---- functions of elements


def map_values(op, *args, **kwargs):
    """What op gives for the values of the sparse tensors among the arguments, which have the same indices, as a sparse tensor.

    ValueError when there is none, or the result has another number of values.
    """
    found: list = []

    def values_of(v):
        if not isinstance(v, SparseTensor):
            return v
        found.append(v)
        return v.values

    inner, inner_kwargs = nest.map_structure(values_of, (list(args), kwargs))
    if not found:
        raise ValueError("No SparseTensor in argument list of map_values")
    first = found[0]
    for other in found[1:]:
        first.shape.assert_is_compatible_with(other.shape)
        if not first.indices.shape.is_compatible_with(other.indices.shape):
            raise ValueError("SparseTensor arguments must have the same indices")
    checks = _same_indices(found)
    return SparseTensor(
        first.indices, after(checks, array_ops.convert_to_tensor(op(*inner, **inner_kwargs))), first.dense_shape
    )


def _same_indices(found) -> list:
    from .ragged_array_ops import _same

    checks = []
    for other in found[1:]:
        same = op("Equal")(found[0].indices, other.indices, incompatible_shape_error=False)
        same = op("All")(op("Reshape")(same, [-1]), [0]) if found[0].indices is not other.indices else None
        if same is not None:
            checks += require(_same(found[0].dense_shape, other.dense_shape), "SparseTensors have other shapes")
            checks += require(same, "SparseTensors have other indices")
    return checks


def add(a, b, threshold=0):
    """The sum of two sparse tensors, or of a sparse tensor and a tensor, which is a tensor.

    threshold: elements of a sparse sum whose absolute value is less are left out.
    """
    if not any(map(is_sparse, (a, b))):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if all(map(is_sparse, (a, b))):
        a, b = convert(a), convert(b)
        limit = array_ops.convert_to_tensor(threshold, a.values.dtype.real_dtype)
        made = op("SparseAdd")(*_parts(a), *_parts(b), limit)
        result = SparseTensor(*made)
        shape = _broadcast_known(a.shape, b.shape)
        if shape is not None and not isinstance(result.indices, tensor.EagerTensor):
            result.set_shape(shape)
        return result
    sp, dense = (convert(a), b) if is_sparse(a) else (convert(b), a)
    return op("SparseTensorDenseAdd")(*_parts(sp), array_ops.convert_to_tensor(dense, sp.dtype))


def _broadcast_known(a, b):
    return a if a.is_fully_defined() else b if b.is_fully_defined() else None


def add_v1(a, b, threshold=None, thresh=None):
    limit = thresh if threshold is None else threshold
    return add(a, b, 0 if limit is None else limit)


def _sparse_pair(name):
    def apply(sp_a, sp_b, name=None):
        a, b = convert(sp_a), convert(sp_b)
        indices, values = op(op_name)(*_parts(a), *_parts(b), name=name)
        return SparseTensor(indices, values, a.dense_shape)

    op_name = name
    return apply


maximum = _sparse_pair("SparseSparseMaximum")
maximum.__name__ = maximum.__qualname__ = "maximum"
maximum.__doc__ = "The larger of the elements of two sparse tensors of one shape, a missing one being 0."
minimum = _sparse_pair("SparseSparseMinimum")
minimum.__name__ = minimum.__qualname__ = "minimum"
minimum.__doc__ = "The smaller of the elements of two sparse tensors of one shape, a missing one being 0."


def softmax(sp_input, name=None):
    """The softmax along the last axis, of the elements that are there."""
    sp = convert(sp_input)
    return SparseTensor(sp.indices, op("SparseSoftmax")(*_parts(sp), name=name), sp.dense_shape)


# ---- reductions


def _reduce(name, sp_input, axis, keepdims, output_is_sparse, op_name):
    sp = convert(sp_input)
    if axis is None:
        rank = sp.shape.rank
        if rank is None:
            axis = op("Range")(0, op("Size")(sp.dense_shape), 1)
        else:
            axis = array_ops.convert_to_tensor(list(builtins.range(rank)), dtypes.int32)
    elif isinstance(axis, (list, tuple)) and not axis:
        axis = array_ops.constant([], dtypes.int32)
    if output_is_sparse:
        return SparseTensor(*op(name + "Sparse")(*_parts(sp), axis, keep_dims=bool(keepdims), name=op_name))
    made = op(name)(*_parts(sp), axis, keep_dims=bool(keepdims), name=op_name)
    return _shaped(made, _reduced_shape(sp.shape, axis, keepdims))


def _reduced_shape(shape, axis, keepdims):
    known = known_value(axis)
    if known is None or shape.rank is None:
        return tensor_shape.TensorShape(None)
    axes = {int(a) % shape.rank for a in known.reshape([-1])} if shape.rank else set()
    if keepdims:
        return tensor_shape.TensorShape([1 if i in axes else d for i, d in enumerate(shape)])
    return tensor_shape.TensorShape([d for i, d in enumerate(shape) if i not in axes])


def reduce_max(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """The largest of the elements that are there, over the axes; over all without them."""
    return _reduce("SparseReduceMax", sp_input, axis, keepdims, output_is_sparse, name)


def reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """The sums over the axes; over all without them."""
    return _reduce("SparseReduceSum", sp_input, axis, keepdims, output_is_sparse, name)


def _v1(name, output_is_sparse):
    def reduce(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None):
        if axis is not None and reduction_axes is not None:
            raise ValueError("Cannot specify both 'axis' and 'reduction_axes'")
        axis = reduction_axes if axis is None else axis
        keepdims = keep_dims if keepdims is None else keepdims
        return _reduce(name, sp_input, axis, keepdims, output_is_sparse, None)

    reduce.__doc__ = "As tf.sparse calls it, with the parameters of TensorFlow 1."
    return reduce


reduce_max_v1, reduce_max_sparse = _v1("SparseReduceMax", False), _v1("SparseReduceMax", True)
reduce_sum_v1, reduce_sum_sparse = _v1("SparseReduceSum", False), _v1("SparseReduceSum", True)


# ---- products


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """The product of a sparse and a dense matrix, or of a dense and a sparse one."""
    if is_sparse(b):
        if is_sparse(sp_a):
            raise TypeError("one of the matrices has to be dense")
        turned = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return (
            op("Transpose")(turned, [1, 0]) if not turned.dtype.is_complex else op("ConjugateTranspose")(turned, [1, 0])
        )
    sp = convert(sp_a)
    with name_scope_v1(name, "SparseTensorDenseMatMul"):
        b = array_ops.convert_to_tensor(b, sp.dtype, name="b")
        made = op("SparseTensorDenseMatMul")(*_parts(sp), b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)
    rows = sp.shape[1 if adjoint_a else 0] if sp.shape.rank is not None else None
    columns = b.shape[0 if adjoint_b else 1] if b.shape.rank is not None else None
    return _shaped(made, tensor_shape.TensorShape([rows, columns]))


def sampled_addmm(indices, values, dense_shape, mat1, mat2, beta=1.0, alpha=1.0, output_type=dtypes.float32):
    """beta times the values plus alpha times the elements of mat1 @ mat2 at the indices, as (indices, values, dense_shape)."""
    indices = array_ops.cast(array_ops.convert_to_tensor(indices), dtypes.int64)
    values, mat1, mat2 = (array_ops.cast(array_ops.convert_to_tensor(v), output_type) for v in (values, mat1, mat2))
    rank = indices.shape[-1]
    if rank is None or mat1.shape.rank is None:
        raise NotImplementedError("tf.sparse.sampled_addmm of an unknown rank")
    batch = indices[..., :-2]
    rows = op("GatherNd")(mat1, op("ConcatV2")([batch, indices[..., -2:-1]], -1))
    perm = [*builtins.range(mat2.shape.rank - 2), mat2.shape.rank - 1, mat2.shape.rank - 2]
    columns = op("GatherNd")(op("Transpose")(mat2, perm), op("ConcatV2")([batch, indices[..., -1:]], -1))
    products = op("Sum")(rows * columns, [-1])
    made = op("Mul")(products, array_ops.constant(alpha, output_type)) + values * array_ops.constant(beta, output_type)
    return indices, made, array_ops.convert_to_tensor(dense_shape)


# ---- crosses of features


def cross(inputs, name=None, separator=None):
    """Row i has every combination of one value of the row i of each input, as texts joined by the separator ("_X_")."""
    separator = "_X_" if separator is None else separator
    inputs = [_crossable(v) for v in inputs]
    sparse = [v for v in inputs if isinstance(v, SparseTensor)]
    dense = [v for v in inputs if not isinstance(v, SparseTensor)]
    texts = [_as_text(v) for v in (*[s.values for s in sparse], *dense)]
    made = op("SparseCrossV2")(
        [s.indices for s in sparse],
        texts[: len(sparse)],
        [s.dense_shape for s in sparse],
        texts[len(sparse) :],
        separator,
        name=name,
    )
    return SparseTensor(*made)


def _as_text(t):
    return t if t.dtype.name == "string" else op("AsString")(t)


def _crossable(value):
    from . import ragged_tensor

    if ragged_tensor.is_ragged(value):
        value = ragged_tensor.convert_to_tensor_or_ragged_tensor(value).to_sparse()
    if is_sparse(value):
        value = convert(value)
        if value.dtype.name != "string" and value.dtype != dtypes.int64:
            value = value.with_values(array_ops.cast(value.values, dtypes.int64))
        return value
    value = array_ops.convert_to_tensor(value)
    return value if value.dtype.name == "string" or value.dtype == dtypes.int64 else array_ops.cast(value, dtypes.int64)


def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None):
    """The same as hashes, below num_buckets if it is not 0."""
    inputs = [_crossable(v) for v in inputs]
    sparse = [v for v in inputs if isinstance(v, SparseTensor)]
    dense = [v for v in inputs if not isinstance(v, SparseTensor)]
    made = op("SparseCross")(
        [s.indices for s in sparse],
        [s.values for s in sparse],
        [s.dense_shape for s in sparse],
        dense,
        hashed_output=True,
        num_buckets=num_buckets,
        hash_key=DEFAULT_HASH_KEY if hash_key is None else hash_key,
        out_type=dtypes.int64,
        internal_type=dtypes.int64,
        name=name,
    )
    return SparseTensor(*made)


# ---- in graphs of TensorFlow 1


def placeholder(dtype, shape=None, name=None):
    """A sparse tensor that is fed: a SparseTensorValue, or a tuple of indices, values and shape. RuntimeError in eager code."""
    from . import state_ops

    base = "" if name is None else name + "/"
    known = None if shape is None or isinstance(shape, tensor.Tensor) else tensor_shape.as_shape(shape)
    rank = known.rank if known is not None else None
    if isinstance(shape, tensor.Tensor):
        rank, dense_shape = shape.shape[0], shape
        static = known_value(shape)
        known = None if static is None else tensor_shape.TensorShape([None if d == -1 else int(d) for d in static])
    values = state_ops.placeholder(dtype, [None], (base + "values") or None)
    indices = state_ops.placeholder(dtypes.int64, [None, rank], (base + "indices") or None)
    if isinstance(shape, tensor.Tensor):
        pass
    elif rank is None:
        dense_shape = state_ops.placeholder(dtypes.int64, [None], (base + "shape") or None)
    else:
        default = array_ops.constant([-1 if d is None else d for d in known], dtypes.int64)
        dense_shape = (
            default
            if known.is_fully_defined()
            else state_ops.placeholder_with_default(default, [rank], (base + "shape") or None)
        )
    made = SparseTensor(indices, values, dense_shape)
    if known is not None:
        made.set_shape(known)
    return made
