"""Python's lists in loops of the graph: what a body appends to or pops is a tensor list there, and a list again for the caller.

A list of the function's own that a loop changes is tried first (loops): the trial learns type and shape of the elements. Elements
that are no tensors leave it Python's.
"""

from __future__ import annotations

from ..core import graph, nest, tensor, tensor_shape, type_spec
from ..core.op_defs import op


class Learned:
    """What a trial finds out about a list's elements."""

    def __init__(self, values):
        self.values, self.dtype, self.shape, self.refused = values, None, None, False
        for v in values:
            self.see(v)

    def see(self, value) -> None:
        if not all(isinstance(v, tensor.Tensor) or type(v) in (int, float, bool) for v in nest.flatten(value)):
            self.refused = True
            return
        value = graph.into(graph.current(), value, 0 if self.dtype is None else self.dtype.as_datatype_enum % 100)
        if self.dtype is None:
            self.dtype, self.shape = value.dtype, value.shape
        elif self.dtype != value.dtype:
            self.refused = True
        else:
            self.shape = self.shape.most_specific_compatible_shape(value.shape)


class TensorList:
    """A list whose elements are the graph's. `learned`: of a trial, in which its type is not known before its first element."""

    def __init__(self, handle, dtype, shape, learned=None):
        self._handle, self._dtype, self._shape, self.learned = handle, dtype, shape, learned

    @staticmethod
    def on_trial(values):
        return TensorList(None, None, None, Learned(values))

    @staticmethod
    def of(learned):
        """The list as the loop gets it."""
        made = TensorList(None, learned.dtype, learned.shape)
        made._begin(learned.values)
        return made

    def copy(self):
        return TensorList(self._handle, self._dtype, self._shape, self.learned)

    def _begin(self, values):
        self._handle = op("EmptyTensorList")(self._dims, -1, element_dtype=self._dtype)
        for v in values:
            self._handle = op("TensorListPushBack")(self._handle, self._element(v))

    @property
    def is_empty_on_trial(self) -> bool:
        """Whether nothing is known of the elements yet, or they are no tensors."""
        return self._handle is None and self.learned.dtype is None

    @property
    def handle(self):
        if self._handle is None:
            learned = self.learned
            if learned.dtype is None:
                raise TypeError(
                    "the list has no elements before the loop, so what they are is not known where it is read"
                )
            self._dtype, self._shape = learned.dtype, tensor_shape.TensorShape(None)
            self._begin(learned.values)
        return self._handle

    @property
    def _dims(self):
        rank = self._shape.rank
        return -1 if rank is None else tensor.convert([-1 if d is None else d for d in self._shape.as_list()], 3)

    def _element(self, value):
        return graph.into(graph.current(), value, self._dtype.as_datatype_enum % 100)

    @property
    def _type_spec(self):
        handle = self.handle
        return TensorListSpec(self._dtype, self._shape, self.learned) if handle is not None else None

    def _shape_invariant_to_type_spec(self, shape):
        return self._type_spec

    # ---- what lists do

    def append(self, value):
        if self.learned is not None:
            self.learned.see(value)
            if self.learned.refused:
                return
        handle = self.handle
        self._handle = op("TensorListPushBack")(handle, self._element(value))

    def extend(self, values):
        for v in values:
            self.append(v)

    def pop(self, index=-1):
        if index != -1:
            raise NotImplementedError("pop of other elements than the last, of a list that a loop of the graph changes")
        self._handle, element = op("TensorListPopBack")(self.handle, self._dims, element_dtype=self._dtype)
        return self._known(element)

    def _known(self, element):
        element.set_shape(self._shape if self.learned is None else self.learned.shape)
        return element

    def length(self):
        return op("TensorListLength")(self.handle)

    def stack(self):
        made = op("TensorListStack")(self.handle, self._dims, element_dtype=self._dtype)
        made.set_shape(tensor_shape.TensorShape([None]).concatenate(self._shape))
        return made

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self.stack()[index]
        handle = self.handle
        if isinstance(index, int) and index < 0:
            index = self.length() + index
        return self._known(op("TensorListGetItem")(handle, index, self._dims, element_dtype=self._dtype))

    def __setitem__(self, index, value):
        handle = self.handle
        if isinstance(index, int) and index < 0:
            index = self.length() + index
        self._handle = op("TensorListSetItem")(handle, index, self._element(value))

    def __tf_tensor__(self, dtype=None, name=None):
        return self.stack()

    def __iter__(self):
        raise TypeError("a list that a loop of the graph has changed is run over by a for statement")

    def __getattr__(self, name):
        raise AttributeError(f"a list that a loop of the graph changes has no {name!r}")

    def _autograph_len(self):
        return self.length()

    def _autograph_for(self, extra_test, body, get_state, set_state, names, options):
        from . import loops

        loops.over_rows(self.length, self.__getitem__, extra_test, body, get_state, set_state, names, options)


class TensorListSpec(type_spec.TypeSpec):
    """Type and shape of the elements of a tensor list."""

    __slots__ = ("_dtype", "_shape", "_learned")

    value_type = property(lambda self: TensorList)

    def __init__(self, dtype, shape, learned=None):
        self._dtype, self._shape, self._learned = dtype, shape, learned

    @property
    def _component_specs(self):
        return [type_spec.TensorSpec([], "variant")]

    def _to_components(self, value):
        return [value.handle]

    def _from_components(self, components):
        made = TensorList(components[0], self._dtype, self._shape, self._learned)
        if isinstance(components[0], tensor.EagerTensor):
            return [made[i] for i in range(int(made.length()))]
        return made

    def _serialize(self):
        return self._dtype, self._shape
