"""Iterators of TensorFlow 1's graphs: one-shot, initializable, made of a structure, found by a handle."""

from __future__ import annotations

import operator

from ..core import dtypes, graph, nest
from ..core.op_defs import op
from ..ops import array_ops
from ..training.saveables import SaveableObject, SaveSpec
from . import elements
from .dataset_options import ExternalStatePolicy
from .iterators import OwnedIterator
from .optionals import OptionalSpec

_names = iter(range(1 << 62))


class Iterator:
    """An iterator of a graph."""

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes):
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError("All of output_types, output_shapes, and output_classes are needed to make an iterator.")
        self._iterator_resource, self._initializer = iterator_resource, initializer
        self._element_spec = elements.of_types(output_types, output_shapes, output_classes)
        self._attrs = elements.attrs(self._element_spec)
        self._string_handle = None

    element_spec = property(lambda self: self._element_spec)
    output_types = property(lambda self: elements.legacy_types(self._element_spec))
    output_shapes = property(lambda self: elements.legacy_shapes(self._element_spec))
    output_classes = property(lambda self: elements.legacy_classes(self._element_spec))

    @staticmethod
    def _of(handle, initializer, spec):
        made = Iterator.__new__(Iterator)
        made._iterator_resource, made._initializer, made._element_spec = handle, initializer, spec
        made._attrs, made._string_handle = elements.attrs(spec), None
        return made

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        """An iterator that `make_initializer` gives datasets of this structure."""
        spec = elements.of_types(output_types, output_shapes, output_classes)
        handle = op("IteratorV2")(container="", shared_name=shared_name or "", **elements.attrs(spec))
        return Iterator._of(handle, None, spec)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        """The iterator that a handle, a scalar text, names."""
        spec = elements.of_types(output_types, output_shapes, output_classes)
        text = array_ops.convert_to_tensor(string_handle, dtypes.string)
        return Iterator._of(op("IteratorFromStringHandleV2")(text, **elements.attrs(spec)), None, spec)

    @property
    def initializer(self):
        """The operation that starts it. ValueError where there is none."""
        if self._initializer is None:
            raise ValueError(
                "The iterator does not have an initializer: it was made of a structure, a handle or one-shot."
            )
        return self._initializer

    def make_initializer(self, dataset, name=None):
        """An operation that starts it on a dataset, whose elements fit. TypeError when they do not."""
        nest.assert_same_structure(self._element_spec, dataset.element_spec)
        for what, legacy, fits in _LEGACY:
            mine, given = legacy(self._element_spec), legacy(dataset.element_spec)
            if not all(
                map(fits, nest.flatten_up_to(self._element_spec, mine), nest.flatten_up_to(self._element_spec, given))
            ):
                fits_word = " compatible with" if what == "shapes" else ""
                raise TypeError(
                    f"Expected output {what}{fits_word} {mine!r} but got dataset with output {what} {given!r}."
                )
        return op("MakeIterator")(dataset._variant_tensor, self._iterator_resource, name=name)

    def get_next(self, name=None):
        """Tensors of the next element, which each run takes anew."""
        flat = op("IteratorGetNext")(self._iterator_resource, name=name, **self._attrs)
        return elements.from_tensors(self._element_spec, flat)

    def get_next_as_optional(self):
        """The next element as an Optional, an empty one at the end."""
        made = op("IteratorGetNextAsOptional")(self._iterator_resource, **self._attrs)
        return OptionalSpec(self._element_spec)._from_components([made])

    def string_handle(self, name=None):
        """A scalar text that names this iterator in its session."""
        if name is None and self._string_handle is not None:
            return self._string_handle
        made = op("IteratorToStringHandle")(self._iterator_resource, name=name)
        if name is None:
            self._string_handle = made
        return made


def _shapes_fit(a, b) -> bool:
    return not hasattr(a, "is_compatible_with") or a.is_compatible_with(b)


_LEGACY = (
    ("classes", elements.legacy_classes, operator.eq),
    ("types", elements.legacy_types, operator.eq),
    ("shapes", elements.legacy_shapes, _shapes_fit),
)


class _IteratorSaveable(SaveableObject):
    """An iterator's position."""

    def __init__(self, handle, policy):
        made = op("SerializeIterator")(handle, external_state_policy=policy)
        super().__init__(
            handle, [SaveSpec(made, "", "-ITERATOR")], handle.op.name if hasattr(handle, "op") else "iterator"
        )
        self.specs[0].name = self.name + "-ITERATOR"

    def restore(self, restored_tensors, restored_shapes):
        return op("DeserializeIterator")(self.op, restored_tensors[0])


def make_saveable_from_iterator(iterator, external_state_policy=None):
    """What a Saver writes of an iterator: its position. external_state_policy: "warn" (if None), "ignore" or "fail"."""
    policies = {None: 0, "warn": 0, "ignore": 1, "fail": 2, **{p: p.value for p in ExternalStatePolicy}}
    if external_state_policy not in policies:
        raise ValueError(
            "Invalid `external_state_policy`. It must be one of 'warn', 'ignore' and 'fail' but got "
            f"{external_state_policy!r}."
        )
    return _IteratorSaveable(iterator._iterator_resource, policies[external_state_policy])


def make_one_shot_iterator(dataset):
    """An iterator that takes the elements of a dataset once, and needs no initialization. ValueError for a dataset with state."""
    if graph.current() is None:
        return OwnedIterator(dataset)
    _ensure_same_graph(dataset)
    attrs = elements.attrs(dataset.element_spec)
    factory = _factory(dataset._variant_tensor)
    handle = op("OneShotIterator")(dataset_factory=factory.name, container="", shared_name="", **attrs)
    return Iterator._of(handle, None, dataset.element_spec)


_STATEFUL = {
    "VarHandleOp", "VariableV2", "HashTableV2", "MutableHashTableV2", "IteratorV2", "OneShotIterator", "FIFOQueueV2", "Placeholder",
}  # fmt: skip


class _Factory:
    """The nodes of a dataset as a function without arguments."""

    def __init__(self, variant_tensor, nodes):
        g = variant_tensor.graph
        name = f"_make_dataset_{next(_names)}"
        self.native = g.native.function(name, [], [variant_tensor._pair], [], [], False, [o.node for o in nodes])
        self.name = self.native.name
        self.library = [self.native, *g.native.functions()]
        self.native.register()


def _factory(variant_tensor):
    found, todo = {}, [variant_tensor.op]
    while todo:
        o = todo.pop()
        if o in found:
            continue
        if o.type in _STATEFUL:
            raise ValueError(
                "Failed to create a one-shot iterator for a dataset. `Dataset.make_one_shot_iterator()` does not support datasets "
                "that capture stateful objects, such as a `Variable` or `LookupTable`. In these cases, use "
                f"`Dataset.make_initializable_iterator()`. A likely cause of this error is that the dataset for which you are calling `make_one_shot_iterator()` captures a stateful object, such as a `tf.Variable` or `tf.lookup.StaticHashTable`: {o.name} is of type {o.type}."
            )
        found[o] = True
        todo.extend(t.op for t in o.inputs)
        todo.extend(o.control_inputs)
    made = _Factory(variant_tensor, list(found))
    graph.default_graph().use_function(made)
    return made


def _ensure_same_graph(dataset):
    g = graph.current()
    if dataset._variant_tensor.graph is not g:
        raise ValueError(
            f"Cannot make an iterator of the dataset {dataset!r} in another graph than the one that it was made in."
        )


def make_initializable_iterator(dataset, shared_name=None):
    """An iterator that its `initializer` starts. Only while a graph is built."""
    if graph.current() is None:
        raise RuntimeError(
            "`make_initializable_iterator()` is not supported in eager mode. Use Python-style iteration instead."
        )
    _ensure_same_graph(dataset)
    spec = dataset.element_spec
    handle = op("IteratorV2")(container="", shared_name=shared_name or "", **elements.attrs(spec))
    return Iterator._of(handle, op("MakeIterator")(dataset._variant_tensor, handle), spec)


def get_output_types(dataset_or_iterator):
    """The types of the elements."""
    return elements.legacy_types(dataset_or_iterator.element_spec)


def get_output_shapes(dataset_or_iterator):
    """The shapes of the elements."""
    return elements.legacy_shapes(dataset_or_iterator.element_spec)


def get_output_classes(dataset_or_iterator):
    """The classes of the elements' parts."""
    return elements.legacy_classes(dataset_or_iterator.element_spec)
