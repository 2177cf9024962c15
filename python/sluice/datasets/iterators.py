"""Iterators over datasets: in Python, in functions, and in the loops that AutoGraph makes."""

from __future__ import annotations

import abc

from ..core import errors, graph, trackable
from ..core.composite_tensor import CompositeTensor
from ..core.dtypes import resource, variant
from ..core.op_defs import op
from ..core.type_spec import TensorSpec, TypeSpec
from . import elements
from .optionals import OptionalSpec


class IteratorBase(CompositeTensor, trackable.Trackable, metaclass=abc.ABCMeta):
    """tf.data.Iterator: gives the elements of a dataset one by one."""

    @property
    @abc.abstractmethod
    def element_spec(self):
        """The spec of its elements."""

    @abc.abstractmethod
    def get_next(self):
        """The next element; OutOfRangeError at the end."""

    @abc.abstractmethod
    def get_next_as_optional(self):
        """The next element as a tf.experimental.Optional, an empty one at the end."""


class OwnedIterator(IteratorBase):
    """An iterator that lives as long as its handle."""

    def __init__(self, dataset=None, components=None, element_spec=None):
        if dataset is None:
            self._handle, self._element_spec = components[0], element_spec
            self._attrs = elements.attrs(element_spec)
            self._keeps = None
            return
        self._element_spec, self._keeps = dataset.element_spec, dataset
        self._attrs = elements.attrs(self._element_spec)
        self._handle = op("AnonymousIteratorV3")(**self._attrs)
        op("MakeIterator")(dataset._variant_tensor, self._handle)

    element_spec = property(lambda self: self._element_spec)
    _type_spec = property(lambda self: IteratorSpec(self._element_spec))
    _iterator_resource = property(lambda self: self._handle)
    output_types = property(lambda self: elements.legacy_types(self._element_spec))
    output_shapes = property(lambda self: elements.legacy_shapes(self._element_spec))
    output_classes = property(lambda self: elements.legacy_classes(self._element_spec))

    def __iter__(self):
        return self

    def _next_internal(self):
        flat = op("IteratorGetNext")(self._handle, **self._attrs)
        if variant in self._attrs["output_types"] and graph.current() is None:
            for t in flat:  # datasets, which call functions that this one's keeps
                if t.dtype is variant:
                    t._keeps = self
        return elements.from_tensors(self._element_spec, flat)

    def __next__(self):
        try:
            return self._next_internal()
        except errors.OutOfRangeError:
            raise StopIteration from None

    next = __next__

    def get_next(self, name=None):
        """The next element; OutOfRangeError at the end."""
        return self._next_internal()

    def get_next_as_optional(self):
        """The next element as an Optional, an empty one at the end."""
        made = op("IteratorGetNextAsOptional")(self._handle, **self._attrs)
        return OptionalSpec(self._element_spec)._from_components([made])

    # ---- its position, in checkpoints

    def _serialize_to_tensors(self):
        return {"ITERATOR_STATE": op("SerializeIterator")(self._handle, external_state_policy=self._policy(2))}

    def _restore_from_tensors(self, restored):
        with graph.init_scope():
            return [op("DeserializeIterator")(self._handle, restored["ITERATOR_STATE"])]

    def _policy(self, default) -> int:
        policy = self._keeps.options().experimental_external_state_policy if self._keeps is not None else None
        return default if policy is None else policy.value

    def _save(self):
        """Its position as a string scalar: TensorFlow's form, texts of variants with commas between."""
        from ..ops import array_ops

        parts = op("SerializeIterator")(self._handle, external_state_policy=self._policy(0))
        texts = [op("EncodeBase64")(op("SerializeTensor")(part)) for part in array_ops.unstack(parts)]
        return op("StringJoin")(texts, separator=",")

    def _restore(self, state):
        """Goes to a position that `_save` gave."""
        from ..ops import array_ops

        state = array_ops.convert_to_tensor(state).numpy()
        parts = [
            op("ParseTensor")(op("DecodeBase64")(array_ops.constant(text)), out_type=variant)
            for text in state.split(b",")
        ]
        op("DeserializeIterator")(self._handle, array_ops.stack(parts))

    # ---- in AutoGraph

    def _autograph_next(self, *default):
        if not default:
            return self.get_next()
        from ..ops import control_flow_ops

        found = self.get_next_as_optional()
        return control_flow_ops.cond(
            found.has_value(), found.get_value, lambda: elements.normalize(default[0], self._element_spec)
        )

    def _autograph_for(self, extra_test, body, get_state, set_state, names, options):
        loop_over(self, extra_test, body, get_state, set_state, names, options)


def loop_over(iterator, extra_test, body, get_state, set_state, names, options):
    """A loop of the graph. Its state has the next element as an optional; nothing is taken once extra_test is false."""
    from ..conversion import expressions, loops
    from ..ops import control_flow_ops

    spec = OptionalSpec(iterator.element_spec)

    def ahead():
        return iterator.get_next_as_optional()._variant_tensor

    at = [ahead() if extra_test is None else _guarded_ahead(extra_test, ahead, control_flow_ops, expressions)]

    def test():
        more = op("OptionalHasValue")(at[0])
        return more if extra_test is None else expressions.and_(more, extra_test)

    def once():
        body(spec._from_components([at[0]]).get_value())
        at[0] = ahead() if extra_test is None else _guarded_ahead(extra_test, ahead, control_flow_ops, expressions)

    def get():
        return (*get_state(), at[0])

    def put(values):
        set_state(values[:-1])
        at[0] = values[-1]

    loops._staged(test, once, get, put, (*names, "the loop's element"), options)


def _guarded_ahead(extra_test, ahead, control_flow_ops, expressions):
    go = expressions._as_bool(extra_test())
    return control_flow_ops.cond(go, ahead, lambda: op("OptionalNone")())


class IteratorSpec(TypeSpec):
    """What an iterator has to be: the spec of its elements."""

    __slots__ = ("_element_spec",)

    def __init__(self, element_spec):
        self._element_spec = element_spec

    value_type = property(lambda self: OwnedIterator)
    element_spec = property(lambda self: self._element_spec)
    _component_specs = property(lambda self: [TensorSpec([], resource)])

    @staticmethod
    def from_value(value):
        """The spec of an iterator."""
        return value._type_spec

    def _serialize(self):
        return (self._element_spec,)

    def _to_components(self, value):
        return [value._iterator_resource]

    def _from_components(self, components):
        return OwnedIterator(components=components, element_spec=self._element_spec)


class NumpyIterator(trackable.Trackable):
    """The elements of a dataset with numpy's values: dense ones of sparse tensors, arrays of rows of ragged ones."""

    def __init__(self, dataset):
        self._iterator = iter(dataset)
        self._track_trackable(self._iterator, "_iterator")

    def __iter__(self):
        return self

    def __next__(self):
        from ..core import nest

        return nest.map_structure(_as_numpy, next(self._iterator))

    next = __next__

    def save(self):
        """Its position, as a string scalar."""
        return self._iterator._save()

    def restore(self, state):
        """Goes to a position that `save` gave of an iterator over the same dataset."""
        self._iterator._restore(state)

    _save, _restore = save, restore


def _as_numpy(value):
    from ..ops import ragged_tensor, sparse_ops, sparse_tensor

    if value is None:
        return None
    if isinstance(value, sparse_tensor.SparseTensor):
        value = sparse_ops.to_dense(value)
    if isinstance(value, ragged_tensor.RaggedTensor):
        return value.numpy()
    if not hasattr(value, "numpy"):
        raise TypeError(f"as_numpy_iterator is not supported for {type(value)}")
    array = value.numpy()
    if hasattr(array, "setflags"):
        array.setflags(write=False)
    return array
