"""Graphs under construction: nodes, their outputs as tensors, and the graph of a function with what it captures.

with graph.building():            ops of this thread make nodes of the graph from here on
    y = op("AddV2")(x, 1.0)       a SymbolicTensor
"""

from __future__ import annotations

import itertools
import threading
from contextlib import contextmanager

from .. import _native
from . import attr_value, tensor, tensor_shape
from .op_defs import read_op

_stack = threading.local()
_numbers = itertools.count()

# Ops that keep state, yet need no order: what they give does not depend on when they run.
_UNORDERED = {
    "Placeholder",
    "VarHandleOp",
    "_Arg",
    "RandomUniform",
    "RandomStandardNormal",
    "TruncatedNormal",
    "RandomUniformInt",
    "RandomShuffle",
    "Multinomial",
    "RandomGammaGrad",
    "AnonymousIterator",
}


class SymbolicTensor(tensor.Tensor):
    """An output of a node; its value is known when the graph runs."""

    def __new__(cls, op, value_index, dtype, shape):
        return super().__new__(cls, dtype)

    def __init__(self, op, value_index, dtype, shape):
        self.op, self.value_index, self._shape = op, value_index, shape

    graph = property(lambda self: self.op.graph)
    name = property(lambda self: f"{self.op.name}:{self.value_index}")
    device = property(lambda self: self.op.device)
    ndim = property(lambda self: self._shape.rank)

    @property
    def shape(self):
        return self._shape

    def set_shape(self, shape):
        """Says more of the shape than was known; ValueError when it contradicts that."""
        self._shape = self._shape.merge_with(shape)
        dims = None if self._shape.rank is None else tuple(-1 if d is None else d for d in self._shape.as_list())
        self.graph.native.set_shape(self._pair, dims)

    @property
    def _pair(self):
        return self.op.node, self.value_index

    def numpy(self):
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __array__(self, dtype=None, copy=None):
        raise NotImplementedError(f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array.")


class Operation:
    """A node of a graph."""

    def __init__(self, graph, node, type_, name, device, inputs, outputs, control_inputs):
        self.graph, self.node, self.type, self.name, self.device = graph, node, type_, name, device
        self.inputs, self.control_inputs = tuple(inputs), list(control_inputs)
        self.outputs = [
            SymbolicTensor(self, i, dtype, tensor_shape.TensorShape(dims)) for i, (dtype, dims) in enumerate(outputs)
        ]

    op_def = property(lambda self: read_op(_native.op_def(self.type)))

    def __repr__(self):
        return f"<tf.Operation {self.name!r} type={self.type}>"


class Graph:
    """Nodes and their names. Threads: one at a time builds."""

    def __init__(self):
        self.native = _native.Graph()
        self._names: dict[str, int] = {}
        self._ops: dict[str, Operation] = {}
        self._scope = ""
        self._controls: list[list[Operation]] = []
        self._device = ""
        self._functions: set[str] = set()
        self.building_function = False

    # ---- names

    def unique_name(self, name: str) -> str:
        full = self._scope + name
        n = self._names.get(full.lower(), 0)
        made = full
        while made.lower() in self._names if n or full.lower() in self._names else False:
            made = f"{full}_{max(n, 1)}"
            n = max(n, 1) + 1
        self._names[full.lower()] = n
        self._names.setdefault(made.lower(), 0)
        return made

    @contextmanager
    def name_scope(self, name):
        before = self._scope
        self._scope = "" if not name else name if name.endswith("/") else self.unique_name(name) + "/"
        try:
            yield self._scope
        finally:
            self._scope = before

    @contextmanager
    def control_dependencies(self, ops):
        ops = [t.op if isinstance(t, SymbolicTensor) else t for t in ops or ()]
        self._controls.append([o for o in ops if isinstance(o, Operation)])
        try:
            yield
        finally:
            self._controls.pop()

    @contextmanager
    def building(self):
        """Ops of this thread make nodes of this graph."""
        before, flag = current(), _native.set_building(True)
        _stack.graph = self
        try:
            yield self
        finally:
            _stack.graph = before
            _native.set_building(flag)

    as_default = building

    # ---- nodes

    def get_operations(self):
        return list(self._ops.values())

    def get_operation_by_name(self, name):
        try:
            return self._ops[name]
        except KeyError:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.") from None

    def as_graph_def_bytes(self) -> bytes:
        return self.native.graph_def()

    def enter(self, value):
        """A tensor of elsewhere as one of this graph."""
        raise TypeError(f"{value!r} does not belong to this graph")

    def add(self, type_, inputs, attrs, name=None, is_stateful=False):
        """A node. `inputs`: by argument a tensor, or a list of them; `attrs`: (name, bytes of an AttrValue)."""
        flat = [t for x in inputs for t in (x if isinstance(x, list) else [x])]
        controls = {o.node: o for level in self._controls for o in level}
        self.order(type_, is_stateful, controls)
        full = name[:-1] if name and name.endswith("/") else self.unique_name(name or type_)
        pairs = [[t._pair for t in x] if isinstance(x, list) else x._pair for x in inputs]
        node, outputs = self.native.add(type_, full, pairs, attrs, list(controls), self._device)
        made = self._ops[full] = Operation(self, node, type_, full, self._device, flat, outputs, controls.values())
        self.added(made, is_stateful)
        return made

    def order(self, type_, is_stateful, controls):
        """What a node has to wait for beside its inputs."""

    def added(self, op, is_stateful):
        pass

    def use_function(self, function):
        """Makes a function known to this graph's nodes."""
        if function.name not in self._functions:
            self._functions.add(function.name)
            for f in reversed(function.library):
                self.native.copy_function(f)


class FuncGraph(Graph):
    """The body of a function: what comes from outside becomes an argument, and nodes with effects keep their order."""

    def __init__(self, name: str, outer=None):
        super().__init__()
        self.native.mark(f"g{next(_numbers)}_")  # what gradients make in it will be in the one context, too
        self.name, self.outer_graph = name, outer
        self.building_function = True
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.captures: dict[int, tuple] = {}  # id of the value outside -> (value, argument)
        self.variables: list = []
        self.called: list = []  # functions that nodes name
        self._last: Operation | None = None
        self.ordered: list[Operation] = []

    def placeholder(self, dtype, shape, name="args"):
        attrs = [("dtype", attr_value.encode("t", False, dtype)), ("shape", attr_value.encode("h", False, shape))]
        return self.add("Placeholder", [], attrs, name).outputs[0]

    def enter(self, value):
        if isinstance(value, SymbolicTensor):
            if value.graph is self:
                return value
            if self.outer_graph is None:
                raise TypeError(
                    f"{value!r} is out of scope: it belongs to another function, or is used after its function ended"
                )
            value = self.outer_graph.enter(value) if isinstance(self.outer_graph, FuncGraph) else value
        found = self.captures.get(id(value))
        if found is None:
            with self.outside_controls():
                argument = self.placeholder(value.dtype, value.shape, "captured")
            self.inputs.append(argument)
            found = self.captures[id(value)] = (value, argument)
        return found[1]

    @contextmanager
    def outside_controls(self):
        before, self._controls = self._controls, []
        scope, self._scope = self._scope, ""
        try:
            yield
        finally:
            self._controls, self._scope = before, scope

    def order(self, type_, is_stateful, controls):
        if is_stateful and type_ not in _UNORDERED and self._last is not None:
            controls[self._last.node] = self._last

    def added(self, op, is_stateful):
        if is_stateful and op.type not in _UNORDERED:
            self._last = op
            self.ordered.append(op)

    @property
    def external_captures(self):
        return [value for value, _ in self.captures.values()]


def current():
    """The graph that this thread builds, or None."""
    return getattr(_stack, "graph", None)


@contextmanager
def outside():
    """What is within runs at once, whatever graph is being built."""
    before, flag = current(), _native.set_building(False)
    _stack.graph = None
    try:
        yield
    finally:
        _stack.graph = before
        _native.set_building(flag)


# ---- making a node of a call


def _constant(graph, value, dtype, preferred):
    """A Python value as a node. Values are made outside of the graph, and put into it."""
    with outside():
        made = tensor.convert_here(value, dtype, preferred)
    if isinstance(made, SymbolicTensor) or not isinstance(value, tensor.Tensor) and hasattr(value, "__tf_tensor__"):
        return graph.enter(made)
    return constant_node(graph, made)


def constant_node(graph, eager, name=None):
    attrs = [
        ("dtype", attr_value.encode("t", False, eager.dtype)),
        ("value", attr_value.block(8, attr_value.tensor_proto(eager))),
    ]
    made = graph.add("Const", [], attrs, name or "Const").outputs[0]
    made.constant = eager
    return made


def into(graph, value, dtype=0, preferred=0):
    """Any value as a tensor of the graph."""
    if isinstance(value, tensor.Tensor):
        if dtype and value._dtype_number % 100 != dtype % 100:
            tensor._mismatch(value, dtype)
        return (
            value
            if getattr(value, "op", None) is not None and isinstance(value, SymbolicTensor) and value.graph is graph
            else graph.enter(value)
        )
    method = getattr(value, "__tf_tensor__", None)
    if method is not None or isinstance(value, (list, tuple)) and tensor._contains_tensors(value):
        return into(graph, tensor.convert_here(value, dtype, preferred))
    return _constant(graph, value, dtype, preferred)


def into_current(value, dtype=0, preferred=0):
    """The same for the graph that this thread builds; None when it builds none."""
    graph = current()
    return None if graph is None else into(graph, value, dtype, preferred)


def build(op, inputs, attrs, name):
    """What the extension calls for an op of a graph: gives what the op gives."""
    info = op.info
    graph = current() or next(t.graph for t in _flat(inputs) if isinstance(t, SymbolicTensor))
    types: dict[str, int] = {}
    lists = [bool(a.number_attr or a.type_list_attr) for a in info.inputs]
    for arg, value, is_list in zip(info.inputs, inputs, lists):
        for t in value if is_list and isinstance(value, (list, tuple)) else [value]:
            if arg.type_attr and isinstance(t, tensor.Tensor):
                types.setdefault(arg.type_attr, t._dtype_number % 100)
    defaults = {a.name: a.default for a in info.attrs if a.kind == "t" and not a.is_list and a.has_default}
    made = []
    for arg, value, is_list in zip(info.inputs, inputs, lists):
        wanted = types.get(arg.type_attr, 0) if arg.type_attr else arg.type

        def one(v):
            t = into(graph, v, wanted, defaults.get(arg.type_attr, 0))
            if arg.type_attr:
                types.setdefault(arg.type_attr, t._dtype_number % 100)
            return t

        if is_list and not isinstance(value, (list, tuple)):
            raise TypeError(f"Expected list for '{arg.name}' argument to '{info.name}' Op, not {value!r}.")
        made.append([one(v) for v in value] if is_list else one(value))
    kinds = {a.name: a for a in info.attrs}
    for a in info.attrs:
        if not a.is_inferred and not a.has_default and a.name not in attrs:
            raise TypeError(f"{info.name} missing required argument '{a.name}'")
    encoded = [(n, attr_value.encode(kinds[n].kind, kinds[n].is_list, v)) for n, v in attrs.items()]
    node = graph.add(info.name, made, encoded, name, info.is_stateful)
    return _results(op, node)


def _results(op, node):
    info, outputs = op.info, node.outputs
    if not info.outputs:
        return node
    if len(info.outputs) == 1:
        return list(outputs) if info.outputs[0].number_attr or info.outputs[0].type_list_attr else outputs[0]
    groups, at = [], 0
    for result in info.outputs:
        is_list = result.number_attr or result.type_list_attr
        n = node.graph.native.output_length(node.node, result.name) if is_list else 1
        groups.append(outputs[at : at + n] if is_list else outputs[at])
        at += n
    return op.result(*groups)


def _flat(values):
    for v in values:
        if isinstance(v, (list, tuple)):
            yield from _flat(v)
        else:
            yield v
