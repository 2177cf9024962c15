"""tf.TensorArray: tensors by number, written once each and read.

Eagerly they are in a Python list. In a graph a TensorList, a variant tensor that is the array's `flow`, holds them; a
loop carries it along. Every write gives the array to go on with. In graphs whose loops are nodes, as TensorFlow 1 makes them, a
resource holds them, and the flow is a number that says what comes after what.
"""

from __future__ import annotations

import functools
import inspect
from contextlib import contextmanager, nullcontext

from ..core import dtypes, errors, graph, scopes, static_values, tensor, tensor_shape, type_spec
from ..core.op_defs import op

_int32 = dtypes.as_dtype("int32")


def _into(value, dtype=0, name=None):
    g = graph.current()
    return tensor.convert(value, dtype) if g is None else graph.into(g, value, dtype, 0, name)


def _error(kind, text):
    return kind(None, None, text)


class _Listed:
    """The array of eager code: a Python list."""

    def __init__(self, size):
        self._tensors, self._read = [None] * int(size), set()

    flow = property(lambda self: tensor.convert(0))

    def _filled(self, array, i):
        if self._tensors[i] is None:
            shape = array.element_shape
            if i in self._read:
                raise _error(
                    errors.InvalidArgumentError,
                    f"Could not read index {i} twice because it was cleared after a previous read (perhaps try setting "
                    "clear_after_read = false?)",
                )
            if not shape.is_fully_defined():
                if shape.rank is not None and not any(t is not None for t in self._tensors):
                    raise _error(
                        errors.InvalidArgumentError,
                        f"Could not read from TensorArray index {i} because it has not yet been written to.",
                    )
                written = next((t for t in self._tensors if t is not None), None)
                if written is None:
                    raise _error(
                        errors.InvalidArgumentError,
                        f"Could not read from TensorArray index {i} because it has not yet been written to, and the element "
                        "shape is not fully defined.",
                    )
                shape = written.shape
            self._tensors[i] = op("Fill")(tensor.convert(shape.as_list(), 3), _zero(array.dtype))
        return self._tensors[i]

    def read(self, array, index, name):
        i = int(index)
        if i < 0:
            raise _error(errors.OutOfRangeError, f"Reading from negative indices {i} is not allowed.")
        if i >= len(self._tensors):
            raise _error(
                errors.OutOfRangeError, f"Tried to read from index {i} but array size is: {len(self._tensors)} "
            )
        made = self._filled(array, i)
        if array._clear_after_read:
            self._tensors[i] = None
            self._read.add(i)
        return made

    def write(self, array, index, value, name=None):
        i = int(index)
        if i < 0:
            raise _error(errors.OutOfRangeError, f"Writing to negative indices {i} is not allowed.")
        if i >= len(self._tensors):
            if not array._dynamic_size:
                raise _error(
                    errors.OutOfRangeError,
                    f"Tried to write to index {i} but array is not resizeable and size is: {len(self._tensors)} ",
                )
            self._tensors.extend([None] * (i + 1 - len(self._tensors)))
        self._tensors[i] = value
        self._read.discard(i)
        return array

    def stack(self, array, name):
        if not self._tensors:
            shape = array.element_shape
            dims = [0] + (shape.as_list() if shape.is_fully_defined() else [])
            return op("Fill")(tensor.convert(dims, 3), _zero(array.dtype))
        return op("Pack")([self._filled(array, i) for i in range(len(self._tensors))])

    def gather(self, array, indices, name):
        return op("Pack")([self._filled(array, int(i)) for i in tensor.to_numpy(_into(indices)).reshape(-1)])

    def concat(self, array, name):
        return self.join([self._filled(array, i) for i in range(len(self._tensors))])

    @staticmethod
    def join(tensors):
        if len(tensors) == 1:
            return op("Identity")(tensors[0])
        try:
            return op("ConcatV2")(tensors, 0)
        except errors.InvalidArgumentError as error:
            shapes = [t.shape for t in tensors]
            raise ValueError(
                f"TensorArray has inconsistent shapes: Index 0 has (excepting dimension 0) shape {shapes[0][1:]} but others "
                f"have {shapes}: {error}"
            ) from None

    def scatter(self, array, indices, value, name):
        for i, row in zip(tensor.to_numpy(_into(indices)).reshape(-1), op("Unpack")(value, num=value.shape[0])):
            array.write(int(i), row)
        return array

    def unstack(self, array, value, name):
        rows = op("Unpack")(value, num=value.shape[0])
        if len(rows) > len(self._tensors) and not array._dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(rows)} tensors into a TensorArray of static size {len(self._tensors)} "
            )
        self._tensors[:] = rows
        self._read.clear()
        return array

    def split(self, array, value, lengths, name):
        sizes = [int(n) for n in tensor.to_numpy(_into(lengths)).reshape(-1)]
        if value.shape.rank == 0:
            raise _error(
                errors.InvalidArgumentError,
                f"Expected value to be at least a vector, but received shape: {value.shape}",
            )
        if sum(sizes) != value.shape[0]:
            raise _error(
                errors.InvalidArgumentError,
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {sum(sizes)} and value's shape "
                f"is: {value.shape} ",
            )
        if not array._dynamic_size and len(sizes) != len(self._tensors):
            raise _error(
                errors.InvalidArgumentError,
                f"TensorArray's size is not equal to the size of lengths ({len(self._tensors)} vs. {len(sizes)}), and the "
                "TensorArray is not marked as dynamically resizeable",
            )
        self._tensors[:] = op("SplitV")(value, sizes, 0, num_split=len(sizes)) if sizes else []
        return array

    def size(self, array, name):
        return tensor.convert(len(self._tensors), 3)

    def close(self, array, name):
        self._tensors.clear()

    def as_flow(self, array):
        """The same elements in a TensorList."""
        flow = op("TensorListReserve")(_dims(array.element_shape), len(self._tensors), element_dtype=array.dtype)
        for i, value in enumerate(self._tensors):
            if value is not None:
                flow = op("TensorListSetItem")(flow, i, value)
        return flow


def _zero(dtype):
    return tensor.convert("" if dtype.name == "string" else False if dtype.is_bool else 0, dtype.as_datatype_enum)


class _Carried:
    """The array of graphs: a TensorList, which is the flow."""

    def __init__(self, array, size, flow, name):
        if flow is None:
            flow = op("TensorListReserve")(
                _dims(array.element_shape), size, element_dtype=array.dtype, name=name or "TensorArrayV2"
            )
        self.flow = flow

    @staticmethod
    def _next(array, flow):
        made = TensorArray(
            array.dtype,
            flow=flow,
            dynamic_size=array._dynamic_size,
            infer_shape=array._infer_shape,
            clear_after_read=array._clear_after_read,
            element_shape=array.element_shape,
        )
        made._shape_holder = array._shape_holder
        made.take_size(array)
        return made

    def read(self, array, index, name):
        shape = array.element_shape
        return self._told(op("TensorListGetItem")(self.flow, index, _dims(shape), element_dtype=array.dtype), shape)

    def write(self, array, index, value, name):
        return self._next(
            array,
            op("TensorListSetItem")(
                self.flow, index, value, resize_if_index_out_of_bounds=array._dynamic_size or False
            ),
        )

    @staticmethod
    def _told(made, shape):
        if isinstance(made, graph.SymbolicTensor) and not made.shape.is_fully_defined():
            made.set_shape(shape)
        return made

    def stack(self, array, name):
        shape = array.element_shape
        size = array._known_size
        made = op("TensorListStack")(
            self.flow, _dims(shape), element_dtype=array.dtype, num_elements=-1 if size is None else size
        )
        return self._told(made, tensor_shape.TensorShape([size]).concatenate(shape))

    def gather(self, array, indices, name):
        shape = array.element_shape
        made = op("TensorListGather")(self.flow, indices, _dims(shape), element_dtype=array.dtype)
        return self._told(made, tensor_shape.TensorShape([None]).concatenate(shape))

    def concat(self, array, name):
        shape = array.element_shape
        if shape.rank is not None:
            shape = tensor_shape.TensorShape([None] + shape.as_list()[1:])
        no_dims = _into([], 9)
        made, _ = op("TensorListConcatV2")(self.flow, _dims(shape), no_dims, element_dtype=array.dtype)
        return self._told(made, shape)

    def scatter(self, array, indices, value, name):
        return self._next(array, op("TensorListScatterIntoExistingList")(self.flow, value, indices))

    def unstack(self, array, value, name):
        return self._next(array, op("TensorListFromTensor")(value, _dims(array.element_shape)))

    def split(self, array, value, lengths, name):
        lengths = op("Cast")(lengths, DstT=9) if getattr(lengths, "dtype", None) != dtypes.int64 else lengths
        return self._next(array, op("TensorListSplit")(value, _dims(array.element_shape), lengths))

    def size(self, array, name):
        if array._known_size is not None:
            return _into(array._known_size, 3)
        return op("TensorListLength")(self.flow)

    def close(self, array, name):
        return op("NoOp")()

    def as_flow(self, array):
        return self.flow


class _Handled:
    """The array of TensorFlow 1's graphs: a resource, which a step makes anew. The flow, a number without a meaning, says what
    comes after what."""

    def __init__(self, array, size, handle, flow, name, called):
        self.handle, self.flow = handle, _into(0.0, 1) if flow is None and handle is not None else flow
        self.beside: list = []  # the first value that was written, where writes are beside it; arrays that follow share it
        if handle is None:
            with scopes.name_scope_v1(name, "TensorArray") as scope, self._anywhere(array):
                self.handle, self.flow = op("TensorArrayV3")(
                    size,
                    dtype=array.dtype,
                    element_shape=array.element_shape,
                    dynamic_size=array._dynamic_size,
                    clear_after_read=array._clear_after_read,
                    identical_element_shapes=array._infer_shape,
                    tensor_array_name=called or "",
                    name=scope,
                )

    @staticmethod
    @contextmanager
    def _anywhere(array):
        """The array is where its first value is, whatever scope of a device is around."""
        g = graph.current()
        if not array._is_beside_value:
            yield
            return
        with g.device(None), g.colocate_with(None, ignore_existing=True):
            yield

    def _beside(self, array, value):
        """Where a write is: with the first value that is written."""
        if not array._is_beside_value:
            return nullcontext()
        if not self.beside:
            self.beside.append(value)
        return graph.current().colocate_with(self.beside[0].op)

    def _next(self, array, flow):
        """The array that follows, after another write."""
        made = TensorArray(
            array.dtype,
            flow=flow,
            handle=self.handle,
            dynamic_size=array._dynamic_size,
            infer_shape=array._infer_shape,
            clear_after_read=array._clear_after_read,
            colocate_with_first_write_call=array._is_beside_value,
        )
        made._shape_holder = array._shape_holder
        made._implementation.beside = self.beside
        made.take_size(array)
        return made

    @staticmethod
    def _told(made, shape):
        if shape.rank is not None:
            made.set_shape(shape)
        return made

    def read(self, array, index, name):
        made = op("TensorArrayReadV3")(self.handle, index, self.flow, dtype=array.dtype, name=name)
        return self._told(made, array.element_shape)

    def write(self, array, index, value, name):
        with self._beside(array, value):
            return self._next(array, op("TensorArrayWriteV3")(self.handle, index, value, self.flow, name=name))

    def stack(self, array, name):
        from . import math_ops

        with graph.current().colocate_with(self.handle.op):
            made = self.gather(array, math_ops.range(0, self.size(array, None)), name)
        return self._told(made, tensor_shape.TensorShape([array._known_size]).concatenate(array.element_shape))

    def gather(self, array, indices, name):
        shape = array.element_shape
        made = op("TensorArrayGatherV3")(
            self.handle, indices, self.flow, dtype=array.dtype, element_shape=shape, name=name
        )
        return self._told(made, tensor_shape.TensorShape([None]).concatenate(shape))

    def concat(self, array, name):
        shape = array.element_shape
        rest = shape if shape.rank is None else shape[1:]
        made, _ = op("TensorArrayConcatV3")(
            self.handle, self.flow, dtype=array.dtype, element_shape_except0=rest, name=name
        )
        rows = None
        if shape.rank:
            self.size(array, None)
            rows = None if None in (array._known_size, shape[0]) else array._known_size * shape[0]
        return self._told(made, tensor_shape.TensorShape([rows]).concatenate(rest))

    def scatter(self, array, indices, value, name):
        with self._beside(array, value):
            flow = op("TensorArrayScatterV3")(self.handle, indices, value, self.flow, name=name)
            return self._next(array, flow)

    def unstack(self, array, value, name):
        from . import array_ops, math_ops

        return array.scatter(math_ops.range(0, array_ops.shape(value)[0]), value, name=name)

    def split(self, array, value, lengths, name):
        with self._beside(array, value):
            if getattr(lengths, "dtype", None) != dtypes.int64:
                with scopes.name_scope_v1(None, "Cast") as scope:
                    lengths = op("Cast")(_into(lengths, 0, "x"), DstT=9, name=scope)
            flow = op("TensorArraySplitV3")(self.handle, value, lengths, self.flow, name=name)
            return self._next(array, flow)

    def size(self, array, name):
        if array._size is not None and not array._dynamic_size:
            return _into(array._size, 3)
        return op("TensorArraySizeV3")(self.handle, self.flow, name=name)

    def close(self, array, name):
        return op("TensorArrayCloseV3")(self.handle, name=name)

    def grad(self, array, source, flow, name):
        flow = self.flow if flow is None else flow
        g = graph.current()
        with scopes.name_scope_v1(name, "TensorArrayGrad"), g.colocate_with(self.handle.op):
            handle, _ = op("TensorArrayGradV3")(self.handle, flow, source=source, name=name)
            with g.control_dependencies([handle]):
                flow = op("Identity")(flow, name="gradient_flow")
            return TensorArray(
                array.dtype,
                handle=handle,
                flow=flow,
                infer_shape=array._infer_shape,
                element_shape=array.element_shape,
                colocate_with_first_write_call=False,
            )


def _dims(shape):
    """An element shape as ops take it: -1 for unknown dims, and for an unknown rank the scalar -1."""
    if shape.rank == 0:
        return _into([], 3)
    return -1 if shape.rank is None else [-1 if d is None else d for d in shape.as_list()]


def _in_scope(method):
    """The nodes of a method that takes a `name` are below it, or below TensorArrayV2 and the method."""
    word, at = method.__name__.title(), list(inspect.signature(method).parameters).index("name")
    default = ("TensorArrayV2" if word in ("Read", "Write", "Stack") else "TensorArray") + word

    @functools.wraps(method)
    def scoped(*args, **kwargs):
        if graph.current() is None:
            return method(*args, **kwargs)
        if isinstance(args[0]._implementation, _Handled):
            if word == "Read":
                return method(*args, **kwargs)
            name = args[at] if at < len(args) else kwargs.get("name")
            with scopes.name_scope_v1(name, "TensorArray" + word):
                return method(*args, **kwargs)
        with scopes.name_scope_v1(args[at] if at < len(args) else kwargs.get("name"), default):
            return method(*args, **kwargs)

    return scoped


class TensorArray:
    """Tensors of one type, by number.

    size: how many; dynamic_size: writes behind the end make it longer. element_shape: of each; when infer_shape, writes
    say it. clear_after_read: eagerly an element can be read once (default: yes).
    """

    def __init__(
        self,
        dtype,
        size=None,
        dynamic_size=None,
        clear_after_read=None,
        tensor_array_name=None,
        handle=None,
        flow=None,
        infer_shape=True,
        element_shape=None,
        colocate_with_first_write_call=True,
        name=None,
    ):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot provide both `handle` and `tensor_array_name` arguments at the same time.")
        if handle is not None and not hasattr(handle, "dtype"):
            raise TypeError("Expected `handle` to be a Tensor.")
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both `handle` and `size` arguments at the same time.")
        if flow is None and size is None and handle is None:
            told = "if handle is not provided" if graph.wants_switches() else "when initializing a TensorArray"
            raise ValueError(f"Argument `size` must be provided {told}.")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = bool(dynamic_size)
        self._clear_after_read = True if clear_after_read is None else clear_after_read
        shape = tensor_shape.as_shape(element_shape)
        self._infer_shape = infer_shape
        self._is_beside_value = colocate_with_first_write_call
        self._shape_holder = [shape]
        self._size = size
        self._known_size = None if self._dynamic_size or size is None else static_values.known_int(size)
        if flow is None and graph.current() is None and not isinstance(size, graph.SymbolicTensor):
            self._implementation = _Listed(size)
        elif graph.wants_switches() and getattr(flow, "dtype", None) != dtypes.variant:
            self._implementation = _Handled(self, size, handle, flow, name, tensor_array_name)
        else:
            if name is None:
                with scopes.name_scope("TensorArray"):
                    pass
            self._implementation = _Carried(self, size, flow, name)

    dtype = property(lambda self: self._dtype)
    flow = property(lambda self: self._implementation.flow)
    handle = property(lambda self: getattr(self._implementation, "handle", None))
    element_shape = property(lambda self: self._shape_holder[0])
    dynamic_size = property(lambda self: self._dynamic_size)
    infer_shape = property(lambda self: self._infer_shape)

    @property
    def _type_spec(self):
        if isinstance(self._implementation, _Handled):
            return _HandledSpec(self)
        return TensorArraySpec(self.element_shape, self._dtype, self._dynamic_size, self._infer_shape)

    def _shape_invariant_to_type_spec(self, shape):
        return self._type_spec

    def __tf_tracing_type__(self, context):
        return self._type_spec

    # `_shape_holder` is shared by the arrays that follow from each other: what one learns of the elements all know.

    def _merge_element_shape(self, shape):
        if not self.element_shape.is_compatible_with(shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.element_shape}")
        if self._infer_shape:
            self._shape_holder[0] = self.element_shape.merge_with(shape)

    def take_size(self, array):
        """Has as many elements as the array that it comes from, as far as their number is known while a graph is built."""
        self._known_size, self._size = array._known_size, array._size

    def learn_element_shape(self, shape):
        """Takes what a loop's body has learned of the elements."""
        if self._infer_shape and self.element_shape.is_compatible_with(shape):
            self._shape_holder = [self.element_shape.merge_with(shape)]

    def _value(self, value):
        if not isinstance(value, tensor.Tensor):
            try:
                value = _into(value, self._dtype.as_datatype_enum, "value")
            except (TypeError, ValueError):
                value = _into(value, 0, "value")
        if value.dtype != self._dtype:
            text = f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {value.dtype.name} "
            raise _error(errors.InvalidArgumentError, text)
        return value

    def _learn(self, shape):
        if isinstance(self._implementation, _Listed) and not self.element_shape.is_compatible_with(shape):
            raise ValueError(f"Incompatible shape for value ({shape}), expected ({self.element_shape})")
        self._merge_element_shape(shape)

    def identity(self):
        """An array with the same elements."""
        if isinstance(self._implementation, _Listed):
            return self
        return self._implementation._next(self, op("Identity")(self.flow))

    def grad(self, source, flow=None, name=None):
        if not isinstance(self._implementation, _Handled):
            raise NotImplementedError("TensorArray.grad: gradients go through the array's flow")
        return self._implementation.grad(self, source, flow, name)

    @_in_scope
    def read(self, index, name=None):
        return self._implementation.read(self, index, name)

    @_in_scope
    def write(self, index, value, name=None):
        value = self._value(value)
        self._learn(value.shape)
        return self._implementation.write(self, index, value, name)

    @_in_scope
    def stack(self, name=None):
        """All elements, as one tensor along a new first axis."""
        return self._implementation.stack(self, name)

    def gather(self, indices, name=None):
        """The elements with these numbers, as one tensor."""
        return self._implementation.gather(self, indices, name)

    def concat(self, name=None):
        """All elements, one behind the other along their first axis."""
        return self._implementation.concat(self, name)

    @_in_scope
    def unstack(self, value, name=None):
        """The rows of the value as the elements."""
        value = self._value(value)
        if value.shape.rank is not None:
            if value.shape.rank == 0:
                raise _error(errors.InvalidArgumentError, "Expected value to be at least a vector")
            self._learn(value.shape[1:])
        return self._implementation.unstack(self, value, name)

    @_in_scope
    def scatter(self, indices, value, name=None):
        """Row i of the value as the element indices[i]."""
        value = self._value(value)
        if value.shape.rank:
            self._learn(value.shape[1:])
        return self._implementation.scatter(self, indices, value, name)

    @_in_scope
    def split(self, value, lengths, name=None):
        """Element i: the next lengths[i] rows of the value."""
        value = self._value(value)
        known = static_values.known_value(lengths)
        if known is not None and known.ndim == 1 and known.size and (known == known[0]).all() and value.shape.rank:
            self._learn(tensor_shape.TensorShape([int(known[0])]).concatenate(value.shape[1:]))
        return self._implementation.split(self, value, lengths, name)

    def size(self, name=None):
        return self._implementation.size(self, name)

    def close(self, name=None):
        return self._implementation.close(self, name)


@type_spec.register("tf.TensorArraySpec")
class TensorArraySpec(type_spec.TypeSpec):
    """What a TensorArray has to be: shape and type of its elements."""

    __slots__ = ("_element_shape", "_dtype", "_dynamic_size", "_infer_shape")

    def __init__(self, element_shape=None, dtype=dtypes.float32, dynamic_size=False, infer_shape=True):
        self._element_shape, self._dtype = tensor_shape.as_shape(element_shape), dtypes.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    value_type = property(lambda self: TensorArray)

    @property
    def _component_specs(self):
        return [type_spec.TensorSpec([], dtypes.variant)]

    @classmethod
    def from_value(cls, value):
        """The spec of an array; TypeError for what is none."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: `{type(value)}`.")
        return value._type_spec

    def _to_components(self, value):
        if not isinstance(value, TensorArray):
            raise TypeError(f"Value must be a TensorArray, but got: `{type(value)}`.")
        return [value._implementation.as_flow(value)]

    def _from_components(self, components):
        return TensorArray(
            self._dtype,
            flow=components[0],
            dynamic_size=self._dynamic_size,
            infer_shape=self._infer_shape,
            element_shape=self._element_shape,
        )

    def _serialize(self):
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def _to_legacy_output_types(self):
        return self._dtype

    def _to_legacy_output_shapes(self):
        shape = tensor_shape.TensorShape([self._dynamic_size, self._infer_shape])
        return shape.concatenate(self._element_shape)


class _HandledSpec(TensorArraySpec):
    """The same of an array with a handle: loops and branches carry its flow, and the handle is the same within."""

    __slots__ = ("_array",)

    def __init__(self, array):
        super().__init__(array.element_shape, array.dtype, array.dynamic_size, array.infer_shape)
        self._array = array

    @property
    def _component_specs(self):
        return [type_spec.TensorSpec([], dtypes.float32)]

    def _to_components(self, value):
        return [value.flow]

    def is_compatible_with(self, spec_or_value):
        other = spec_or_value._array if isinstance(spec_or_value, _HandledSpec) else spec_or_value
        return isinstance(other, TensorArray) and other.handle is self._array.handle

    def _without_tensor_names(self):
        return self

    _with_tensor_ranks_only = _without_tensor_names

    def is_subtype_of(self, other):
        return isinstance(other, _HandledSpec) and self.is_compatible_with(other)

    def most_specific_common_supertype(self, others):
        return self if all(map(self.is_subtype_of, others)) else None

    def _from_components(self, components):
        return self._array._implementation._next(self._array, components[0])
