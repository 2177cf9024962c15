"""Nodes of a graph and their outputs, as objects: tf.Operation, and the kind of tf.Tensor whose value is not known yet."""

from __future__ import annotations

import traceback

from .. import _native
from . import attr_value, tensor, tensor_shape


class SymbolicTensor(tensor.Tensor):
    """An output of a node; its value is known when the graph runs."""

    def __new__(cls, op, value_index, dtype, shape):
        return super().__new__(cls, dtype)

    def __init__(self, op, value_index, dtype, shape):
        self._op, self._value_index, self._shape, self._id = op, value_index, shape, None

    op = property(lambda self: self._op)
    value_index = property(lambda self: self._value_index)
    graph = property(lambda self: self._op.graph)
    name = property(lambda self: f"{self._op.name}:{self._value_index}")
    device = property(lambda self: self._op.device)
    ndim = property(lambda self: self.shape.rank)

    @property
    def shape(self):
        return self._shape

    def set_shape(self, shape):
        """Says more of the shape than was known; ValueError when it contradicts that."""
        shape = tensor_shape.as_shape(shape)
        try:
            self._shape = self._shape.merge_with(shape)
        except ValueError:
            raise ValueError(f"Shapes {self._shape} and {shape} of {self.name} are not compatible") from None
        dims = None if self._shape.rank is None else tuple(-1 if d is None else d for d in self._shape.as_list())
        self.graph.native.set_shape(self._pair, dims)

    @property
    def _pair(self):
        return self._op.node, self._value_index

    # ---- as a key, and ==: tensors of graphs that are no functions' are equal to themselves alone

    def _compares_values(self) -> bool:
        return self._op.graph.building_function and _native.compares_values()

    def __hash__(self):
        if self._compares_values():
            raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")
        return id(self)

    def __eq__(self, other):
        return tensor.operators["eq"](self, other) if self._compares_values() else self is other

    def __ne__(self, other):
        return tensor.operators["ne"](self, other) if self._compares_values() else self is not other

    def consumers(self):
        """The operations that read it."""
        self.graph.take_in()
        return [o for o in self.graph.get_operations() if any(t is self for t in o.inputs)]

    def eval(self, feed_dict=None, session=None):
        """Its value, from the session, or the default one."""
        return _session(session, self.graph, "evaluate a tensor", "Tensor.eval()").run(self, feed_dict)

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This error may indicate that you're trying "
            "to pass a Tensor to a NumPy call, which is not supported."
        )

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _session(session, graph, what, call):
    from .session import get_default_session

    session = session or get_default_session()
    if session is None:
        raise ValueError(
            f"Cannot {what} using `{call}`: No default session is registered. Use `with sess.as_default()` or pass an explicit "
            f"session to `{call[:-1]}session=sess)`"
        )
    if session.graph is not graph:
        raise ValueError(
            f"Cannot use the default session to {what}: the tensor's graph is different from the session's graph. Pass an "
            f"explicit session to `{call[:-1]}session=sess)`."
        )
    return session


class Operation:
    """A node of a graph. `made_at`: the caller's line that made it, (file, line, function)."""

    _context = None  # the innermost branch or loop of TensorFlow 1 that it is in (flow_contexts.py)

    @property
    def _control_outputs(self):
        """The operations that wait for it."""
        return [o for o in self.graph.get_operations() if self in o.control_inputs]

    def _get_control_flow_context(self):
        from . import flow_contexts

        return flow_contexts.asked(self._context)

    def __init__(self, graph, node, type_, name, device, inputs, outputs, control_inputs, made_at=None):
        self._graph, self.node, self._type, self._name, self._device = graph, node, type_, name, device
        self._inputs, self._control_inputs, self._made_at = tuple(inputs), list(control_inputs), made_at
        self._outputs = []
        self.grow(outputs)

    def grow(self, outputs):
        """Makes tensors of outputs, (dtype, dims) each, that it has no tensors of."""
        for i, (dtype, dims) in list(enumerate(outputs))[len(self._outputs) :]:
            self._outputs.append(SymbolicTensor(self, i, dtype, tensor_shape.TensorShape(dims)))

    graph = property(lambda self: self._graph)
    name = property(lambda self: self._name)
    type = property(lambda self: self._type)
    device = property(lambda self: self._device)
    inputs = property(lambda self: self._inputs)
    outputs = property(lambda self: self._outputs)
    control_inputs = property(lambda self: list(self._control_inputs))
    op_def = property(lambda self: _message("OpDef", _native.op_def(self._type)))
    node_def = property(lambda self: _message("NodeDef", self._graph.native.node_def(self.node)))
    _id = property(lambda self: self._graph._order[self._name])

    def values(self):
        return tuple(self._outputs)

    @property
    def traceback(self):
        """The line of the program that made the node, as a list of FrameSummaries."""
        return [traceback.FrameSummary(*self._made_at)] if self._made_at else []

    def colocation_groups(self):
        """The names of the groups that have to be on one device with it, as b"loc:@name"."""
        try:
            groups = self.get_attr("_class")
        except ValueError:
            groups = []
        return [g for g in groups if g.startswith(b"loc:@")] or [b"loc:@" + self._name.encode()]

    def get_attr(self, name):
        """The value of an attr: DTypes, numbers, bytes, messages. ValueError when the node has none of that name."""
        data = self._graph.native.node_attr(self.node, name)
        if data is None:
            raise ValueError(f"Operation {self._name!r} has no attr named {name!r}.")
        return attr_value.decode(data)

    def run(self, feed_dict=None, session=None):
        """Runs it in the session, or the default one."""
        _session(session, self._graph, "execute operation", "Operation.run()").run(self, feed_dict)

    def experimental_set_type(self, full_type):
        raise NotImplementedError("Operation.experimental_set_type")

    def __repr__(self):
        return f"<tf.Operation {self._name!r} type={self._type}>"

    def __str__(self):
        return str(self.node_def)


def _message(kind, data):
    from . import messages

    return getattr(messages, kind).FromString(data)
