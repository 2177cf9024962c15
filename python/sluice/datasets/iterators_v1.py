"""Iterators of TensorFlow 1's graphs: one-shot, initializable, made of a structure, found by a handle."""

from __future__ import annotations

import operator
import warnings

from ..core import dtypes, graph, nest, op_defs
from ..core.op_defs import op
from ..ops import array_ops
from ..training.saveables import SaveableObject, SaveSpec
from . import elements
from .dataset_options import ExternalStatePolicy
from .iterators import OwnedIterator
from .optionals import OptionalSpec

_names = iter(range(1 << 62))
_MANY = 32
_TOO_MANY = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that `Iterator.get_next()` is "
    "being called inside a training loop, which will cause gradual slowdown and eventual resource exhaustion. If this is the "
    "case, restructure your code to call `next_element = iterator.get_next()` once outside the loop, and use `next_element` as "
    "the input to some computation that is invoked inside the loop."
)


class Iterator:
    """An iterator of a graph."""

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes):
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError("All of output_types, output_shapes, and output_classes are needed to make an iterator.")
        self._begin(iterator_resource, initializer, elements.of_types(output_types, output_shapes, output_classes))

    def _begin(self, handle, initializer, spec):
        self._iterator_resource, self._initializer, self._element_spec = handle, initializer, spec
        self._attrs, self._n_asked = elements.attrs(spec), 0
        self._string_handle = op("IteratorToStringHandle")(handle)

    element_spec = property(lambda self: self._element_spec)
    output_types = property(lambda self: elements.legacy_types(self._element_spec))
    output_shapes = property(lambda self: elements.legacy_shapes(self._element_spec))
    output_classes = property(lambda self: elements.legacy_classes(self._element_spec))

    @staticmethod
    def _of(handle, initializer, spec):
        made = Iterator.__new__(Iterator)
        made._begin(handle, initializer, spec)
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
        """Tensors of the next element, which each run takes anew. A warning when a program asks for more and more."""
        self._n_asked += 1
        if self._n_asked > _MANY:
            warnings.warn(_TOO_MANY)
        flat = op("IteratorGetNext")(self._iterator_resource, name=name, **self._attrs)
        return elements.from_tensors(self._element_spec, flat)

    def get_next_as_optional(self):
        """The next element as an Optional, an empty one at the end."""
        made = op("IteratorGetNextAsOptional")(self._iterator_resource, **self._attrs)
        return OptionalSpec(self._element_spec)._from_components([made])

    def string_handle(self, name=None):
        """A scalar text that names this iterator in its session."""
        if name is None:
            return self._string_handle
        return op("IteratorToStringHandle")(self._iterator_resource, name=name)


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
        super().__init__(handle, [SaveSpec(made, "", handle.name + "_STATE")], handle.name)

    def restore(self, restored_tensors, restored_shapes):
        return op("DeserializeIterator")(self.op, restored_tensors[0])


def make_saveable_from_iterator(iterator, external_state_policy=None):
    """What a Saver writes of an iterator: its position. external_state_policy: "warn", "ignore" or "fail" (if None)."""
    policies = {None: 2, "warn": 0, "ignore": 1, "fail": 2, **{p: p.value for p in ExternalStatePolicy}}
    if external_state_policy not in policies:
        raise ValueError(
            "Invalid `ExternalStatePolicy.` Supported values include 'warn', 'ignore', and 'fail.' Received "
            f"{external_state_policy}."
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


def _is_captured(o) -> bool:
    """Whether a node may be copied into a function: it has no state, or makes a dataset or what one shares."""
    name = o.type.rstrip("23").removesuffix("V")
    return name.endswith(("Dataset", "SeedGenerator", "MemoryCache")) or not op_defs.info(o.type).is_stateful


def _refuse_state(o, is_waited_for):
    """is_waited_for: it only has to run before others, as assertions do, so it may have effects."""
    if o.type in ("Placeholder", "PlaceholderV2"):
        raise ValueError(f"Cannot capture a placeholder (name:{o.name}, type:{o.type}) by value.")
    if not is_waited_for and not _is_captured(o):
        raise ValueError(
            f"Cannot capture a stateful node (name:{o.name}, type:{o.type}) by value.: A likely cause of this error is that the "
            "dataset for which you are calling `make_one_shot_iterator()` captures a stateful object, such as a `tf.Variable` or "
            "`tf.lookup.StaticHashTable`, which is not supported. Use `make_initializable_iterator()` instead."
        )


class _Factory:
    """The nodes of a dataset as a function without arguments."""

    def __init__(self, variant_tensor, nodes):
        g = variant_tensor.graph
        name = f"_make_dataset_{next(_names)}"
        self.native = g.native.function(name, [], [variant_tensor._pair], [], [], False, [o.node for o in nodes])
        self.name = self.native.name
        self.library = [self.native, *g.native.functions()]


def _factory(variant_tensor):
    found, todo = {}, [(variant_tensor.op, False)]
    while todo:
        o, is_waited_for = todo.pop()
        if o in found and found[o] <= is_waited_for:
            continue
        _refuse_state(o, is_waited_for)
        found[o] = is_waited_for
        todo.extend((t.op, is_waited_for) for t in o.inputs)
        todo.extend((c, True) for c in o.control_inputs)
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
