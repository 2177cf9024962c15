"""Elements of datasets: structures of tensors and composite tensors, and the flat tensors that the library's ops carry.

Tuples, dictionaries and attrs classes are structures. A list is a value: it becomes one tensor. A sparse or ragged tensor
travels as a variant, as its spec says (`_to_tensor_list`, `_from_tensor_list`).
"""

from __future__ import annotations

import itertools
from collections import abc

from ..core import dtypes, graph, nest, scopes, tensor, tensor_shape
from ..core.type_spec import BatchableTypeSpec, TensorSpec, TypeSpec, known_spec, register
from ..ops import array_ops


@register("tf.NoneTensorSpec")
class NoneTensorSpec(BatchableTypeSpec):
    """The spec of None, which has no tensors."""

    __slots__ = ()
    value_type = property(lambda self: type(None))
    _component_specs = property(lambda self: [])
    _flat_tensor_specs = property(lambda self: [])

    def _serialize(self):
        return ()

    def _to_components(self, value):
        return []

    def _from_components(self, components):
        return None

    def _to_tensor_list(self, value):
        return []

    def _from_tensor_list(self, tensors):
        return None

    def is_compatible_with(self, spec_or_value):
        return spec_or_value is None or isinstance(spec_or_value, NoneTensorSpec)

    def _batch(self, batch_size):
        return self

    def _unbatch(self):
        return self

    def _to_legacy_output_types(self):
        return self

    def _to_legacy_output_shapes(self):
        return self

    def _to_legacy_output_classes(self):
        return self


# ---- values


def normalize(element, spec=None):
    """The element with tensors at its leaves. `spec`: gives the types of values that are no tensors."""
    g = graph.current()
    if g is None or all(isinstance(v, tensor.Tensor) for v in leaves(element)):
        return _normalized(element, spec)
    with scopes.name_scope("normalize_element"):
        return _normalized(element, spec)


def _normalized(element, spec):
    numbers = itertools.count()
    if spec is None:
        return _map(element, lambda value: _leaf(value, None, next(numbers)))
    flat = nest.flatten(spec)
    parts = flatten_up_to(spec, element)
    return nest.pack_sequence_as(spec, [_leaf(v, s, next(numbers)) for v, s in zip(parts, flat)])


def flatten_up_to(spec, element) -> list:
    """The parts of an element that lie where the spec has leaves."""
    return nest.flatten_up_to(spec, element, check_types=False)


def _is_structure(value) -> bool:
    return not isinstance(value, (list, abc.MappingView)) and nest.is_nested(value) and not _is_sparse_value(value)


def _is_sparse_value(value) -> bool:
    from ..ops.sparse_tensor import SparseTensorValue

    return isinstance(value, SparseTensorValue)


def _map(element, change):
    """The structure with changed leaves, lists among them."""
    if not _is_structure(element):
        return change(element)
    return nest._with_children(element, [_map(child, change) for _, child in nest.items(element)])


def leaves(structure) -> list:
    """The leaves of a structure, lists among them."""
    found = []
    _map(structure, found.append)
    return found


def _leaf(value, spec, number):
    if value is None or isinstance(spec, NoneTensorSpec):
        return None
    if _is_sparse_value(value):
        return _composite(value)
    known = known_spec(value)
    if known is not None and nest.spec_of(value) is not None:
        return value
    if known is not None and type(known) is not TensorSpec:  # numpy's values of a ragged tensor
        return _composite(value)
    if isinstance(value, type):
        raise TypeError(f"{value!r} is a class, and no element of a dataset")
    if isinstance(value, list):
        from .dataset import batch_of_datasets

        made = batch_of_datasets(value)
        if made is not None:
            return made
    dtype = spec.dtype if isinstance(spec, TensorSpec) else None
    return array_ops.convert_to_tensor(value, dtype, name=f"component_{number}")


def _composite(value):
    """numpy's values of a sparse or ragged tensor as one."""
    from ..ops import ragged_tensor, sparse_tensor

    if isinstance(value, ragged_tensor.RaggedTensorValue):
        return ragged_tensor.convert_to_tensor_or_ragged_tensor(value)
    return sparse_tensor.convert(value)


def spec_of(element):
    """The spec of a normalized element."""
    return nest.map_structure(_spec_of_leaf, element)


def _spec_of_leaf(value):
    if value is None:
        return NoneTensorSpec()
    found = known_spec(value)
    if found is None:
        raise TypeError(f"{value!r} is no element of a dataset")
    return found


# ---- flat tensors


def flat_specs(spec) -> list:
    """TensorSpecs of the flat tensors of an element."""
    return [t for leaf in nest.flatten(spec) for t in leaf._flat_tensor_specs]


def attrs(spec) -> dict:
    """The attrs output_types and output_shapes of a dataset of such elements."""
    flat = flat_specs(spec)
    return {"output_types": [t.dtype for t in flat], "output_shapes": [t.shape for t in flat]}


def _checked(spec, element):
    flat, parts = nest.flatten(spec), flatten_up_to(spec, element)
    for leaf, value in zip(flat, parts):
        if not leaf.is_compatible_with(value):
            raise ValueError(f"The value {value!r} is not compatible with the TypeSpec {leaf!r}.")
    return zip(flat, parts)


def to_tensors(spec, element) -> list:
    """The flat tensors of an element. ValueError when it does not fit the spec."""
    return [t for leaf, value in _checked(spec, element) for t in leaf._to_tensor_list(value)]


def to_batched_tensors(spec, element) -> list:
    """The flat tensors of a batch of elements: the first axis of each counts them."""
    return [t for leaf, value in _checked(spec, element) for t in leaf._to_batched_tensor_list(value)]


def has_composites(spec) -> bool:
    """Whether parts of an element travel in another form than their own."""
    return any(type(leaf) is not TensorSpec for leaf in nest.flatten(spec))


def batch_function(spec):
    """A function for map that gives the flat tensors of a batch, its rows as the first axis of each."""

    def flat(*arguments):
        return tuple(to_batched_tensors(spec, arguments if type(spec) is tuple else arguments[0]))

    return flat


def from_tensors(spec, tensors):
    """The element of flat tensors."""
    rest = iter(tensors)
    made = []
    for leaf in nest.flatten(spec):
        flat = leaf._flat_tensor_specs
        parts = [next(rest) for _ in flat]
        for part, said in zip(parts, flat):
            if not isinstance(part, tensor.EagerTensor) and said.shape.rank is not None:
                part.set_shape(said.shape)
        made.append(leaf._from_tensor_list(parts))
    return nest.pack_sequence_as(spec, made)


# ---- relations of specs


def batched(spec, batch_size):
    """The spec of batches of elements; batch_size None where it varies."""
    return nest.map_structure(lambda leaf: _batchable(leaf)._batch(batch_size), spec)


def unbatched(spec):
    """The spec of the elements of a batch."""
    return nest.map_structure(lambda leaf: _batchable(leaf)._unbatch(), spec)


def _batchable(leaf):
    if not hasattr(leaf, "_batch"):
        raise TypeError(f"{leaf!r} does not support batching")
    return leaf


def common(a, b):
    """The narrowest spec of elements of either spec; TypeError when there is none."""
    try:
        nest.assert_same_structure(a, b)
        made = nest.map_structure(lambda x, y: x.most_specific_common_supertype([y]), a, b)
    except (TypeError, ValueError):
        made = None
    if made is None or any(leaf is None for leaf in nest.flatten(made)):
        raise TypeError(f"Incompatible dataset elements:\n  {a} vs.   {b}")
    return made


def are_compatible(a, b) -> bool:
    """Whether elements of one spec may be such of the other."""
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return all(x.is_compatible_with(y) for x, y in zip(nest.flatten(a), nest.flatten(b)))


def of_types(types, shapes=None, classes=None):
    """The spec of TensorFlow 1's three structures: types, shapes (unknown without), classes (tensors without)."""
    from ..ops.sparse_tensor import SparseTensor, SparseTensorSpec

    flat = [t if isinstance(t, TypeSpec) else dtypes.as_dtype(t) for t in leaves(types)]
    shapes_flat = [None] * len(flat) if shapes is None else nest.flatten_up_to(types, shapes)
    classes_flat = [tensor.Tensor] * len(flat) if classes is None else nest.flatten_up_to(types, classes, False)
    made = []
    for dtype, shape, kind in zip(flat, shapes_flat, classes_flat):
        if isinstance(dtype, TypeSpec) or isinstance(kind, TypeSpec):
            made.append(dtype if isinstance(dtype, TypeSpec) else kind)
        elif kind is SparseTensor:
            made.append(SparseTensorSpec(shape, dtype))
        else:
            made.append(TensorSpec(tensor_shape.as_shape(shape), dtype))
    return nest.pack_sequence_as(types, made)


def legacy_types(spec):
    return nest.map_structure(lambda leaf: leaf._to_legacy_output_types(), spec)


def legacy_shapes(spec):
    return nest.map_structure(lambda leaf: leaf._to_legacy_output_shapes(), spec)


def legacy_classes(spec):
    return nest.map_structure(lambda leaf: leaf._to_legacy_output_classes(), spec)
