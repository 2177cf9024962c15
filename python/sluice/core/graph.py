"""Graphs under construction: nodes, their names, and the scopes that say what a new node has beside its inputs.

with graph.building():            ops of this thread make nodes of the graph from here on
    y = op("AddV2")(x, 1.0)       a SymbolicTensor

A thread has a stack of graphs; None in it means that ops run at once. Below it lies what the process does (modes.eager).
"""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager, nullcontext

from .. import _native
from . import argument_errors, attr_value, device_spec, dtypes, errors, fork_locks, input_errors, modes, tensor
from .operation import Operation, SymbolicTensor

_EAGER, _FUNCTION, _GRAPH, _UNSAID = 0, 1, 2, -1  # kinds of building, as the extension has them
_SCOPE_AT_ROOT = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_SCOPE = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")
_NODE = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_PACKAGE = __name__.partition(".")[0] + "."
_own_modules: set[str] = set()  # of the package, as far as nodes were made by them


class _Stack(threading.local):
    def __init__(self):
        self.items = []
        self.following = []  # positions of graphs that are there by being the process's


class _EagerNames(threading.local):
    """The scope of names of a thread's eager code: variables have it."""

    names = ""


_stack = _Stack()
eager = _EagerNames()
_default = None  # the process's graph


def current():
    """The graph that this thread builds, or None when its ops run at once."""
    items = _stack.items
    if items:
        return items[-1]
    return None if modes.eager else default_graph()


def wants_switches() -> bool:
    """Whether conditionals and loops are nodes of the graph that this thread builds, as in TensorFlow 1, not functions."""
    g = current()
    return not modes.control_flow_v2 and g is not None and not g.building_function


def default_graph():
    """The innermost graph that is being built, or the process's own."""
    for g in reversed(_stack.items):
        if g is not None:
            return g
    return process_graph()


def process_graph():
    """The process's own."""
    global _default
    if _default is None:
        _default = Graph()
    return _default


def default_is_used() -> bool:
    return _default is not None and bool(_default._ops)


def reset_default_graph():
    """Forgets the process's graph. AssertionError while one is being built."""
    global _default
    followed = [i for i, g in enumerate(_stack.items) if g is not None]
    if any(i not in _stack.following for i in followed):
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting and "
            "create a new graph."
        )
    from . import session

    session.forget_default_sessions()
    _default = None
    if followed:
        _default = Graph()
        for i in followed:
            _stack.items[i] = _default


def _kind_of(items) -> int:
    if not items:
        return _UNSAID
    if items[-1] is None:
        return _EAGER
    plain = any(g is not None and not g.building_function for g in items) or not modes.eager
    return _GRAPH if plain else _FUNCTION


@contextmanager
def in_default():
    """Ops of this thread make nodes of the process's graph, also of the one that takes its place when it is reset."""
    at = len(_stack.items)
    _stack.items.append(default_graph())
    _stack.following.append(at)
    before = _native.set_building(_kind_of(_stack.items))
    try:
        yield
    finally:
        _stack.following.pop()
        del _stack.items[at:]
        _native.set_building(before)


@contextmanager
def entered(g):
    """Ops of this thread make nodes of the graph; None: they run at once."""
    items = _stack.items
    items.append(g)
    before = _native.set_building(_kind_of(items))
    try:
        yield g
    finally:
        if items[-1] is not g:
            raise RuntimeError("graphs have to be left in the order opposite to that in which they were entered")
        items.pop()
        _native.set_building(before)


def outside():
    """What is within runs at once, whatever graph is being built."""
    return entered(None)


def outermost():
    """The graph that is not a function's, among those that this thread builds: where variables are made. None: eager."""
    for g in reversed(_stack.items):
        if g is None or not g.building_function:
            return g
    return None if modes.eager else default_graph()


@contextmanager
def init_scope():
    """What is within is lifted out of functions: it runs at once, or goes into the graph around them, without control inputs."""
    g = current()
    out = outermost()
    name = g._scope if g is not None else ""
    with entered(out):
        if g is None:
            yield
        elif out is None:
            before, eager.names = eager.names, name
            try:
                yield
            finally:
                eager.names = before
        elif out is g:
            with out.control_dependencies(None):
                yield
        else:
            with out.control_dependencies(None), out.name_scope(name or None):
                yield


class Branch:
    """What another thread needs to build on where this one does, with scopes of its own. One of the threads runs at a time."""

    def __init__(self):
        self._items, self.graph = list(_stack.items), current()
        self._scopes = _Scopes()
        if self.graph is not None:
            self._scopes.take(self.graph._scopes)

    @contextmanager
    def entered(self):
        """In the other thread."""
        _stack.items = list(self._items)
        before = _native.set_building(_kind_of(_stack.items))
        if self.graph is not None and not self.graph.building_function:
            self.graph._scopes.take(self._scopes)  # which each thread has
        try:
            yield
        finally:
            _stack.items = []
            _native.set_building(before)

    def exchange(self):
        """Before the other thread goes on, and when it pauses: the threads of a function's graph share its scopes."""
        g = self.graph
        if g is not None and g.building_function:
            g._scopes, self._scopes = self._scopes, g._scopes


# ---- scopes of a graph


class _Controls:
    """What control_dependencies() says: the operations to wait for, and those made within it."""

    def __init__(self, graph, ops, clears):
        self.graph, self.ops, self.clears, self.made_within = graph, ops, clears, set()

    def __enter__(self):
        g = self.graph
        self._before = g._controls, g._context
        if self.clears:  # of branches and loops, too
            g._controls, g._context = [self], None
        else:
            g._controls = [*g._controls, self]
        return self

    def __exit__(self, *exception):
        self.graph._controls, self.graph._context = self._before


class _Scopes:
    """What the scopes say of new nodes: names, what they wait for, devices, attrs, the branch or loop of TensorFlow 1
    (flow_contexts.py)."""

    def __init__(self):
        self.name, self.controls, self.devices, self.attrs, self.context = "", [], [], [], None

    def take(self, other):
        """Says what another one says."""
        self.name, self.context = other.name, other.context
        self.controls, self.devices, self.attrs = list(other.controls), list(other.devices), list(other.attrs)


class _ThreadsScopes(_Scopes, threading.local):
    """The same for each of the threads that build a graph."""


def _of_thread(word):
    return property(lambda self: getattr(self._scopes, word), lambda self, value: setattr(self._scopes, word, value))


class _NodeView:
    """What a device function sees of a node that is about to be made."""

    def __init__(self, type_, name, inputs, device, attrs):
        self.type, self.name, self.inputs, self.device, self._attrs = type_, name, inputs, device, dict(attrs)

    def get_attr(self, name):
        if name not in self._attrs:
            raise ValueError(f"Operation {self.name!r} has no attr named {name!r}.")
        return attr_value.decode(self._attrs[name])

    @property
    def node_def(self):
        from . import messages

        return messages.NodeDef(name=self.name, op=self.type, device=self.device)


class Graph:
    """Nodes and their names. Threads: several may build, each has scopes of its own."""

    building_function = False
    is_finished = False  # of a function whose trace has ended
    _scopes_kind: type = _ThreadsScopes

    _scope = _of_thread("name")  # with "/" at its end, or empty
    _controls = _of_thread("controls")
    _devices = _of_thread("devices")
    _attrs = _of_thread("attrs")  # that scopes add to nodes
    _context = _of_thread("context")

    def __init__(self):
        self.native = _native.Graph()
        self._names: dict[str, int] = {}
        self._ops: dict[str, Operation] = {}
        self._order: dict[str, int] = {}
        self._by_node: dict[int, Operation] = {}
        self._position = 0  # of the library's nodes, those before it are known
        self._scopes = self._scopes_kind()
        self._taking_in = fork_locks.rlock()  # no thread takes in the nodes that another is making
        self._container = ""
        self._frames: dict[str, object] = {}  # by its name, a loop of TensorFlow 1
        self._gradient_names = None  # (prefix, graph_gradients.Names) of the gradients that are being made
        self._ends: list = []  # outputs of loops that gradients do not go through
        self._functions: dict[str, object] = {}
        self.callbacks: list = []  # what keeps Python functions that nodes call
        self._collections: dict = {}
        self._finalized = False
        self._unfeedable, self._unfetchable = set(), set()
        self._seed = None

    # ---- names

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name that no node and no scope has, within the current scope: the name, or it with a number behind."""
        full = self._scope + name
        key = full.lower()
        n = self._names.get(key, 0)
        if mark_as_used:
            self._names[key] = n + 1
        if n:
            at = n
            while f"{key}_{at}" in self._names:
                at += 1
            full = f"{full}_{at}"
            if mark_as_used:
                self._names[key] = at + 1
                self._names[full.lower()] = 1
        return full

    @contextmanager
    def name_scope(self, name):
        """Names of nodes within begin with it. None: with nothing. A name that ends with "/" is taken as it is."""
        if name:
            if not isinstance(name, str):
                raise TypeError(f"`name` for name_scope must be a string, got {type(name)}")
            if not (_SCOPE if self._scope else _SCOPE_AT_ROOT).match(name):
                raise ValueError(f"{name!r} is not a valid scope name. It does not match the rules for names.")
        before = self._scope
        self._scope = "" if not name else name if name.endswith("/") else self.unique_name(name) + "/"
        try:
            yield self._scope
        finally:
            self._scope = before

    def get_name_scope(self) -> str:
        """The current scope, without a "/" at its end."""
        return self._scope[:-1]

    # ---- scopes

    @property
    def _variable_creator_stack(self):
        from . import variables

        return variables.creators_here()

    def _get_control_flow_context(self):
        """The branch or loop of TensorFlow 1 that is being built; None."""
        from . import flow_contexts

        return flow_contexts.asked(self._context)

    def as_default(self):
        """Ops of this thread make nodes of this graph within the `with`."""
        return entered(self)

    building = as_default

    def control_dependencies(self, control_inputs):
        """What is made within runs after these operations, tensors and variables; None: after nothing of the outer ones."""
        if control_inputs is None:
            return _Controls(self, [], True)
        ops = []
        for c in control_inputs:
            if hasattr(c, "_as_control_input"):
                c = c._as_control_input()
            elif hasattr(c, "_as_graph_element"):
                c = c._as_graph_element()
            if hasattr(c, "values") and hasattr(c, "indices"):  # IndexedSlices and sparse tensors
                c = c.values
            if isinstance(c, SymbolicTensor):
                c = c.op
            if isinstance(c, Operation):
                ops.append(c if c.graph is self else self.capture_control(c))
            elif not isinstance(c, tensor.EagerTensor) and not hasattr(c, "handle"):
                raise TypeError(f"Control input must be an Operation, a Tensor, or IndexedSlices: {c!r}")
        return _Controls(self, [o for o in ops if o is not None], False)

    def capture_control(self, op):
        """An operation of elsewhere that something here is to wait for: it has run when a function is called."""
        raise ValueError(f"{op!r} is not an operation of this graph")

    @contextmanager
    def device(self, device_name_or_function):
        """Nodes within run there: a device's name, a function of the node that gives one, or None for none at all."""
        spec = device_name_or_function
        if spec is not None and not callable(spec):
            spec = device_spec.as_spec(spec)
        self._devices.append(spec)
        try:
            yield
        finally:
            self._devices.pop()

    def _apply_device_functions(self, op):
        """Tells a stand-in for a node where it would be: Keras 2 asks in this way which device a scope names."""
        op._set_device_from_string(self._device_of("", "", [], {}))

    def _device_of(self, type_, name, inputs, attrs) -> str:
        merged = device_spec.DeviceSpec()
        for spec in reversed(self._devices):
            if spec is None:
                break
            if callable(spec):
                told = spec(_NodeView(type_, name, inputs, merged.to_string(), attrs))
                spec = device_spec.as_spec(told or "")
                merged = merged.make_merged_spec(spec) if told else merged
            else:
                merged = spec.make_merged_spec(merged)
        return merged.to_string()

    @contextmanager
    def colocate_with(self, op, ignore_existing=False):
        """Nodes within are placed where the operation is."""
        op = getattr(op, "op", op)
        if op is None:
            with self._with_attrs({"_class": None}):
                yield
            return
        if not isinstance(op, Operation) and isinstance(
            getattr(op, "device", None), str
        ):  # of eager code: no node here
            with self.device(op.device or None):
                yield
            return
        if not isinstance(op, Operation):
            raise TypeError(f"cannot colocate with {op!r}")
        devices, self._devices = (
            self._devices,
            [] if ignore_existing or not op.device else [device_spec.as_spec(op.device)],
        )
        try:
            with self._with_attrs({"_class": op.colocation_groups()}):
                yield
        finally:
            self._devices = devices

    def gradient_override_map(self, op_type_map):
        """Nodes within, of these types, have the gradients that are registered under the other names."""
        if not isinstance(op_type_map, dict) or not all(
            isinstance(k, str) and isinstance(v, str) for k, v in op_type_map.items()
        ):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        return self._with_attrs({"_gradient_op_type": lambda type_: op_type_map.get(type_)})

    def _kernel_label_map(self, op_to_kernel_label_map):
        return self._with_attrs({"_kernel": lambda type_: op_to_kernel_label_map.get(type_)})

    def _attr_scope(self, attr_map):
        """Nodes within have these attrs, AttrValue messages; None takes one of an outer scope away."""
        return self._with_attrs({k: None if v is None else v.SerializeToString() for k, v in attr_map.items()})

    @contextmanager
    def _with_attrs(self, attrs):
        self._attrs.append(attrs)
        try:
            yield
        finally:
            self._attrs.pop()

    @contextmanager
    def container(self, container_name):
        """Variables, queues and the like within keep their state in this container."""
        before, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = before

    def _scope_attrs(self, type_) -> dict:
        made = {}
        for level in self._attrs:
            for name, value in level.items():
                value = value(type_) if callable(value) else value
                if isinstance(value, str):
                    value = attr_value.encode("s", False, value)
                elif isinstance(value, list):
                    value = attr_value.encode("s", True, value)
                if value is None and not callable(level[name]):
                    made.pop(name, None)
                elif value is not None:
                    made[name] = value
        return made

    # ---- collections

    def add_to_collection(self, name, value):
        """Puts a value into the collection of this name."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        """The same for several names; each is used once."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name) -> list:
        """The list itself."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name, scope=None) -> list:
        """The values of the collection, those whose name begins with the regular expression `scope`."""
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [v for v in values if hasattr(v, "name") and pattern.match(v.name)]

    def get_all_collection_keys(self):
        return [k for k in self._collections if isinstance(k, str)]

    collections = property(lambda self: list(self._collections))

    def clear_collection(self, name):
        self._check_not_finalized()
        self._collections.pop(name, None)

    # ---- nodes

    def take_in(self):
        """Makes objects of the nodes that the library has made by itself: gradients, imported ones."""
        with self._taking_in:
            self._take_in()

    def _take_in(self):
        position, parts = self.native.nodes(self._position)
        if parts:
            self._position = position
        for node, type_, name, device, inputs, controls, outputs in parts:
            if node in self._by_node:
                continue
            made = Operation(
                self,
                node,
                type_,
                name,
                device,
                [self._output(n, i) if n in self._by_node else None for n, i in inputs],
                outputs,
                [self._by_node[n] for n in controls if n in self._by_node],
            )
            if any(t is None for t in made._inputs):  # a loop: what it reads is made later
                made._inputs = _LateInputs(self, inputs)
            if self._context is not None:
                self._context.taken(made)
            self._register(made)
            self._names.setdefault(name.lower(), 1)

    def _register(self, made):
        self._ops[made.name] = self._by_node[made.node] = made
        self._order[made.name] = len(self._order)

    def tensor_of(self, pair):
        """The tensor of an output that the library names."""
        node, index = pair
        if node not in self._by_node:
            self.take_in()
        return self._output(node, index)

    def _output(self, node, index):
        """An output of a node that is known. The gradient of a call or loop gives the node more outputs."""
        op = self._by_node[node]
        if index >= len(op._outputs):
            op.grow(self.native.describe(node)[1])
        return op._outputs[index]

    def get_operations(self):
        """All nodes, in the order in which they were made."""
        self.take_in()
        return list(self._ops.values())

    def get_operation_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    _get_operation_by_name = get_operation_by_name

    def get_tensor_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        """The tensor or operation that the object is, stands for, or names. ValueError, KeyError or TypeError when none is."""
        wanted = " or ".join(w for w, allowed in (("Tensor", allow_tensor), ("Operation", allow_operation)) if allowed)
        if not wanted:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, bytes):
            obj = obj.decode()
        if isinstance(obj, str):
            return self._named(obj, wanted, allow_tensor, allow_operation)
        if isinstance(obj, SymbolicTensor) and allow_tensor or isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                kind = "Tensor" if isinstance(obj, SymbolicTensor) else "Operation"
                raise ValueError(f"{kind} {obj} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {wanted}.")

    _as_graph_element_locked = as_graph_element

    def _named(self, name, wanted, allow_tensor, allow_operation):
        self.take_in()
        op_name, colon, index = name.partition(":")
        if ":" in name and allow_tensor:
            if not index.isdigit() or not op_name:
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. Tensor names must be of the form "
                    '"<op_name>:<output_index>".'
                )
            op = self._ops.get(op_name)
            if op is None:
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, does not exist "
                    "in the graph."
                )
            if int(index) >= len(op.outputs):
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, exists but only "
                    f"has {len(op.outputs)} outputs."
                )
            return op.outputs[int(index)]
        if colon:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {wanted}.")
        if allow_operation:
            if name not in self._ops:
                raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            return self._ops[name]
        if name in self._ops:
            raise ValueError(f'The name {name!r} refers to an Operation, not a {wanted}. Perhaps you meant "{name}:0"?')
        raise ValueError(
            f"The name {name!r} looks like an (invalid) Operation name, not a {wanted}. Tensor names must be of the form "
            '"<op_name>:<output_index>".'
        )

    # ---- what it is

    finalized = property(lambda self: self._finalized)
    version = property(lambda self: len(self._ops))
    seed = property(lambda self: self._seed)

    @seed.setter
    def seed(self, seed):
        self._seed = seed

    @property
    def graph_def_versions(self):
        return self.as_graph_def().versions

    def finalize(self):
        """No nodes can be added from now on."""
        self._finalized = True

    def _unsafe_unfinalize(self):
        self._finalized = False

    def _check_not_finalized(self):
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def _explained(self, error, cause):
        """The error of a node that cannot be made, with what would be right as notes."""
        for sentence in self.native.explain(cause.error_code, cause.message).splitlines():
            error.add_note(sentence)
        return error

    def as_graph_def_bytes(self) -> bytes:
        return self.native.graph_def()

    def as_graph_def(self, from_version=None, add_shapes=False, use_pybind11_proto=False):
        """The graph as a GraphDef message; with the nodes from a version on, with shapes in _output_shapes."""
        from . import messages

        made = messages.GraphDef.FromString(self.as_graph_def_bytes())
        if not made.library.function and not made.library.gradient:
            made.ClearField("library")
        if from_version is not None:
            new = {name for name, at in self._order.items() if at >= from_version}
            kept = [n for n in made.node if n.name in new]
            del made.node[:]
            made.node.extend(kept)
        if add_shapes:
            self.take_in()
            for node in made.node:
                if node.name in self._ops:
                    shapes = [attr_value.shape_proto(t.shape) for t in self._ops[node.name].outputs]
                    value = attr_value.block(1, b"".join(attr_value.block(7, s) for s in shapes))
                    node.attr["_output_shapes"].ParseFromString(value)
        return made

    def prevent_feeding(self, tensor):
        """No session may feed the tensor."""
        self._unfeedable.add(tensor.name)

    def is_feedable(self, tensor) -> bool:
        return tensor.name not in self._unfeedable

    def prevent_fetching(self, op):
        """No session may fetch the operation, or its outputs."""
        self._unfetchable.add(op.name)

    def is_fetchable(self, tensor_or_op) -> bool:
        return getattr(tensor_or_op, "op", tensor_or_op).name not in self._unfetchable

    def switch_to_thread_local(self):
        """Scopes of a graph are those of the thread that builds it, always."""

    # ---- building

    def enter(self, value):
        """A tensor of elsewhere as one of this graph."""
        if isinstance(value, SymbolicTensor):
            if value.graph is self:
                return value
            raise ValueError(f"{value!r} must be from the same graph as this one's nodes.")
        return constant_node(self, value)

    capture = enter

    def add(self, type_, inputs, attrs, name=None, is_stateful=False, has_container=False):
        """A node. `inputs`: by argument a tensor, or a list of them; `attrs`: (name, bytes of an AttrValue)."""
        self._check_not_finalized()
        context = self._context
        flat = [t for x in inputs for t in (x if isinstance(x, list) else [x])]
        controls = self._controls_for(flat)
        full = self._node_name(name.decode() if isinstance(name, bytes) else name or type_)
        if context is not None:
            inputs = context.inputs(inputs, full)
            flat = [t for x in inputs for t in (x if isinstance(x, list) else [x])]
            context.wait(type_, flat, controls, full)
        elif any(t._op._context is not None for t in flat):
            from . import flow_contexts

            flow_contexts.check_inputs(None, inputs, full)
        self.order(type_, flat, attrs, is_stateful, controls)
        if self._attrs:
            given = {n for n, _ in attrs}
            attrs = attrs + [(n, v) for n, v in self._scope_attrs(type_).items() if n not in given]
        if self._container and has_container and all(n != "container" for n, _ in attrs):
            attrs = attrs + [("container", attr_value.encode("s", False, self._container))]
        device = self._device_of(type_, full, flat, attrs) if self._devices else ""
        pairs = [[t._pair for t in x] if isinstance(x, list) else x._pair for x in inputs]
        with self._taking_in:
            try:
                node, outputs = self.native.add(type_, full, pairs, attrs, list(controls), device)
            except (
                errors.InvalidArgumentError
            ) as e:  # what is wrong with a node is an error of the program that makes it
                raise self._explained(argument_errors.of_node(type_, e.message), e) from None
            made = Operation(self, node, type_, full, device, flat, outputs, controls.values(), _callers_line())
            self._register(made)
        for level in self._controls:
            level.made_within.add(made)
        if context is not None:
            context.made(made)
        self.added(made, is_stateful)
        return made

    def update_edge(self, node, index, t):
        """Makes an input of a node read another tensor."""
        self.native.update_edge(node.node, index, t._pair)
        node._inputs = (*node._inputs[:index], t, *node._inputs[index + 1 :])

    def ends_gradients(self, tensors):
        """Gradients of this graph do not go through the tensors."""
        self._ends.extend(tensors)

    def _node_name(self, name):
        if name.endswith("/"):
            return name[:-1]
        if not _NODE.match(name) and not self._scope:
            raise ValueError(f"{name!r} is not a valid node name")
        return self.unique_name(name)

    def _controls_for(self, inputs) -> dict:
        """By node, what a new node with these inputs has to wait for: not for what an input waits for already."""
        controls = {}
        for level in self._controls:
            if not any(t.op in level.made_within for t in inputs):
                controls.update((o.node, o) for o in level.ops)
        for t in inputs if controls else ():
            controls.pop(t.op.node, None)
        return controls

    def order(self, type_, inputs, attrs, is_stateful, controls):
        """What a node has to wait for beside its inputs."""

    def added(self, op, is_stateful):
        pass

    def use_function(self, function):
        """Makes a function known to this graph's nodes."""
        if function.name not in self._functions:
            self._functions[function.name] = function
            for f in reversed(function.library):
                self.native.copy_function(f)

    def __enter__(self):
        self._entered = entered(self)
        return self._entered.__enter__()

    def __exit__(self, *exception):
        return self._entered.__exit__(*exception)


class _LateInputs(tuple):
    """The inputs of a node of a loop, which are looked up when somebody asks."""

    def __new__(cls, graph, pairs):
        made = super().__new__(cls)
        made.graph, made.pairs = graph, pairs
        return made

    def __iter__(self):
        return (self.graph._output(n, i) for n, i in self.pairs)

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, key):
        return list(self)[key]


def _callers_line():
    """(file, line, function) of the nearest caller that is not of this package."""
    frame = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module not in _own_modules:
            if not module.startswith(_PACKAGE):
                break
            _own_modules.add(module)
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


# ---- making a node of a call


def _constant(graph, value, dtype, preferred, name=None):
    """A Python value as a node. Values are made outside of the graph, and put into it."""
    with outside():
        made = tensor.convert_for_graph(value, dtype, preferred)
    if isinstance(made, SymbolicTensor) or not isinstance(value, tensor.Tensor) and hasattr(value, "__tf_tensor__"):
        return graph.enter(made)
    return constant_node(graph, made, name)


def constant_node(graph, eager, name=None):
    if eager._dtype_number in (dtypes.resource.as_datatype_enum, dtypes.variant.as_datatype_enum):
        raise ValueError(f"a {eager.dtype.name} of eager code cannot become a constant of a graph")
    attrs = [
        ("dtype", attr_value.encode("t", False, eager.dtype)),
        ("value", attr_value.block(8, attr_value.tensor_proto(eager))),
    ]
    made = graph.add("Const", [], attrs, name or "Const").outputs[0]
    made.constant = eager
    return made


def into(graph, value, dtype=0, preferred=0, name=None):
    """Any value as a tensor of the graph; `name`: of the constant that a Python value becomes."""
    if isinstance(value, tensor.Tensor):
        if dtype and value._dtype_number % 100 != dtype % 100:
            tensor._mismatch(value, dtype)
        if isinstance(value, SymbolicTensor) and value.graph is graph:
            return value
        return graph.enter(value)
    if tensor.is_converted_by_method(value):
        return into(graph, tensor.convert_here(value, dtype, preferred, name=name))
    return _constant(graph, value, dtype, preferred, name)


def into_current(value, dtype=0, preferred=0):
    """The same for the graph that this thread builds; None when it builds none."""
    graph = current()
    return None if graph is None else into(graph, value, dtype, preferred)


def build(op, inputs, attrs, name):
    """What the extension calls for an op of a graph: gives what the op gives."""
    info = op.info
    graph = current()
    if graph is None:
        symbolic = next(t for t in tensor.flat(inputs) if isinstance(t, SymbolicTensor))
        graph = symbolic.graph
        if graph.building_function and graph.is_finished:
            raise out_of_scope(symbolic)
    types: dict[str, int] = {}
    lists = [bool(a.number_attr or a.type_list_attr) for a in info.inputs]
    for arg, value, is_list in zip(info.inputs, inputs, lists):
        for t in value if is_list and isinstance(value, (list, tuple)) else [value]:
            if arg.type_attr and isinstance(t, tensor.Tensor):
                types.setdefault(arg.type_attr, t._dtype_number % 100)
    defaults = {a.name: a.default for a in info.attrs if a.kind == "t" and not a.is_list and a.has_default}
    made = []
    plain = all(
        all(isinstance(t, tensor.Tensor) for t in v)
        if is_list and isinstance(v, (list, tuple))
        else isinstance(v, tensor.Tensor)
        for v, is_list in zip(inputs, lists)
    )
    with (
        nullcontext(name) if plain else graph.name_scope(name or info.name) as name
    ):  # constants are named below the node
        for arg, value, is_list in zip(info.inputs, inputs, lists):

            def one(v, arg=arg, i=None):
                t = _input(graph, info, arg, v, types, defaults.get(arg.type_attr, 0), i)
                if arg.type_attr:
                    types.setdefault(arg.type_attr, t._dtype_number % 100)
                return t

            if is_list and not isinstance(value, (list, tuple)):
                raise TypeError(f"Expected list for '{arg.name}' argument to '{info.name}' Op, not {value!r}.")
            made.append([one(v, i=i) for i, v in enumerate(value)] if is_list else one(value))
    kinds = {a.name: a for a in info.attrs}
    for a in info.attrs:
        if not a.is_inferred and not a.has_default and a.name not in attrs:
            raise TypeError(f"{info.name} missing required argument '{a.name}'")
    for n, v in attrs.items():
        if kinds[n].kind == "u":
            for f in v if kinds[n].is_list else [v]:
                if hasattr(f, "library"):
                    graph.use_function(f)
    encoded = [(n, attr_value.encode(kinds[n].kind, kinds[n].is_list, v)) for n, v in attrs.items()]
    try:
        node = graph.add(info.name, made, encoded, name, info.is_stateful, "container" in kinds)
    except ValueError as e:
        raise input_errors.not_allowed(info, made, str(e)) or e from None
    return results(op, node)


def out_of_scope(value):
    """The error of using a tensor of a function where that is not being traced."""
    return errors.InaccessibleTensorError(
        f"{value!r} is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow "
        f"collections to access it. It was defined in function {getattr(value.graph, 'name', '')!r}, and is used "
        f"after the function ended, or by another one."
    )


def _input(graph, info, arg, value, types, preferred, index=None):
    """A value as an input of a node: of the type that the inputs before it have, where they share one. index: in a list."""
    wanted = (types.get(arg.type_attr, 0) if arg.type_attr else arg.type) % 100
    if arg.is_ref and hasattr(value, "_ref"):
        value = value._ref()
    if isinstance(value, tensor.Tensor):
        if wanted and value._dtype_number % 100 != wanted:
            raise input_errors.other_type(info, arg, value, wanted)
        return into(graph, value, 0, preferred, arg.name)
    try:
        return into(graph, value, wanted, preferred, arg.name if index is None else f"{arg.name}_{index}")
    except tensor.NotATensor:
        raise
    except (TypeError, ValueError) as e:
        if not wanted:
            raise
        reason = e
    if isinstance(reason, TypeError):
        raise tensor.not_of_type(value, dtypes.by_number[wanted], arg.name, info.name)
    made = into(graph, value)
    raise input_errors.other_type(info, arg, made, wanted) if made._dtype_number % 100 != wanted else reason


def results(op, node):
    """A node's outputs as a call of the op gives them."""
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
