"""tf.Variable: a value that changes, held by the library under a handle, or, as TensorFlow 1 had it, by a node.

tf.Variable and tf.compat.v1.Variable are what programs call and ask isinstance of; what they make is a ResourceVariable,
or, where version 1 asks for it, a RefVariable.
"""

from __future__ import annotations

import enum
import itertools
import threading
from contextlib import contextmanager

from .. import _native
from . import dtypes, func_graph, graph, modes, scopes, tensor, tensor_shape
from .graph_keys import GraphKeys
from .op_defs import op
from .trackable import Trackable

_ANONYMOUS = "cd2c89b7-88b7-44c8-ad83-06c2a9158347"  # a name that means: a variable that ends with its last handle
_LOCAL = "local_to_function_"  # begins the names of variables that a function makes anew in each call


class _Watching(threading.local):
    """The tapes of a thread that want to know of variables that it reads."""

    def __init__(self):
        self.tapes = []


watching = _Watching()


class _Replica(threading.local):
    """Which replica a thread runs (training/strategies.py): traces of functions read its copies of variables. What it reduced
    with the others while it built a graph: (tensor, result, function that reduces a tensor so)."""

    key = None
    reduced = ()


replica = _Replica()


def whole_variable(v):
    """What a replica's copy is a part of: the variable of a strategy. Any other is itself."""
    container = getattr(v, "_distributed_container", None)
    return v if container is None else container()


def variable_of(obj):
    """The variable that an object is, or, as those of Keras, has as its `value` and stands for; else None."""
    if isinstance(obj, Variable):
        return obj
    return obj.value if getattr(obj, "_should_act_as_resource_variable", False) else None


_numbers = itertools.count()


class VariableSynchronization(enum.Enum):
    """When copies of a variable on several devices are made equal."""

    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(enum.Enum):
    """How updates of several devices to one variable are put together."""

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)

    def __eq__(self, other):
        return isinstance(other, (VariableAggregation, VariableAggregationV1)) and self.value == other.value

    def __hash__(self):
        return self.value


class VariableAggregationV1(enum.Enum):
    """The same in version 1."""

    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)
    ONLY_FIRST_TOWER = 3

    __eq__, __hash__ = VariableAggregation.__eq__, VariableAggregation.__hash__


# ---- making


class _Creators(threading.local):
    def __init__(self):
        self.stack = []


_creators = _Creators()


def creators_here() -> list:
    """The creators of this thread, the outermost first; another thread gets them by `with_creators`."""
    return list(_creators.stack)


@contextmanager
def with_creators(creators):
    """Within it these are the creators of this thread."""
    before, _creators.stack = _creators.stack, list(creators)
    try:
        yield
    finally:
        _creators.stack = before


@contextmanager
def variable_creator_scope(variable_creator):
    """Variables within are made by variable_creator(next_creator, **arguments), the innermost first."""
    _creators.stack.append(variable_creator)
    try:
        yield
    finally:
        _creators.stack.pop()


class _Kind(type):
    """tf.Variable(...) makes one of the classes that do the work, through the creators of the scopes around."""

    def __call__(cls, *args, **kwargs):
        if cls is Variable:
            return _create(_names_of(_V2, args, kwargs), 2)
        if cls is VariableV1:
            return _create(_names_of(_V1, args, kwargs), 1)
        return type.__call__(cls, *args, **kwargs)


_V2 = (
    "initial_value trainable validate_shape caching_device name variable_def dtype import_scope constraint synchronization "
    "aggregation shape experimental_enable_variable_lifting"
).split()
_V1 = (
    "initial_value trainable collections validate_shape caching_device name variable_def dtype expected_shape import_scope "
    "constraint use_resource synchronization aggregation shape experimental_enable_variable_lifting"
).split()


def _names_of(names, args, kwargs) -> dict:
    if len(args) > len(names):
        raise TypeError(f"tf.Variable takes at most {len(names)} arguments, got {len(args)}")
    given = dict(zip(names, args))
    for name in kwargs:
        if name in given:
            raise TypeError(f"tf.Variable got multiple values for argument {name!r}")
        if name not in names:
            raise TypeError(f"tf.Variable got an unexpected keyword argument {name!r}")
    return {**given, **kwargs}


def _create(arguments, version):
    make = lambda **kwargs: _make(version, **kwargs)  # noqa: E731
    # Creators are told of all arguments, those too that the caller left out.
    arguments = {
        **dict.fromkeys(_V2 if version == 2 else _V1),
        "validate_shape": True,
        "synchronization": VariableSynchronization.AUTO,
        "aggregation": VariableAggregation.NONE,
        **arguments,
    }
    if arguments.pop("experimental_enable_variable_lifting", True) is False:
        arguments["stays_in_function"] = True
    for creator in _creators.stack:
        make = _bind(creator, make)
    return make(**arguments)


def _bind(creator, next_creator):
    return lambda **kwargs: creator(next_creator, **kwargs)


def _make(version, use_resource=None, expected_shape=None, **kwargs):
    if version == 1 and not use_resource and scopes.executing_eagerly_outside_functions() is False:
        from ..ops import variable_scope

        if use_resource is None:
            use_resource = variable_scope.use_resource_here()
        if use_resource is None:
            use_resource = modes.resource_variables or isinstance(graph.current(), func_graph.FuncGraph)
        if not use_resource:
            from .ref_variables import RefVariable

            return RefVariable(**kwargs)
    return ResourceVariable(**kwargs)


class Variable(Trackable, metaclass=_Kind):
    """A tensor that can be assigned to.

    initial_value: a value, or a function that gives it. trainable: whether tapes watch it. shape: what later values may be,
    when that is more than the initial one's. Assignments give the variable.
    """

    is_tensor_like = True

    __array_priority__ = 100
    _save_slice_info = None

    # ---- what it is

    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    trainable = property(lambda self: self._trainable)
    constraint = property(lambda self: self._constraint)
    synchronization = property(lambda self: self._synchronization)
    aggregation = property(lambda self: self._aggregation)
    graph = property(lambda self: self._graph)
    _in_graph_mode = property(lambda self: self._graph is not None)
    initial_value = property(lambda self: self._initial_value)
    _dtype_number = property(lambda self: self._dtype.as_datatype_enum % 100)
    ndim = property(lambda self: self._shape.rank)

    @property
    def initializer(self):
        """The operation that gives it its initial value."""
        return self._initializer

    def get_shape(self):
        return self._shape

    def set_shape(self, shape):
        """Says more of the shape than was known."""
        self._shape = self._shape.merge_with(shape)

    @classmethod
    def _OverloadAllOperators(cls):
        """Packages call it for their own kinds of variables, which have the operators by being variables."""

    def ref(self):
        return tensor.Reference(self)

    experimental_ref = ref

    def _settle(self, trainable, name, constraint, synchronization, aggregation):
        synchronization = synchronization or VariableSynchronization.AUTO
        aggregation = aggregation or VariableAggregation.NONE
        if not isinstance(synchronization, VariableSynchronization):
            raise ValueError(f"Invalid variable synchronization mode: {synchronization} for variable: {name}")
        if getattr(aggregation, "name", None) not in VariableAggregation.__members__:
            raise ValueError(f"Invalid variable aggregation mode: {aggregation} for variable: {name}")
        if constraint is not None and not callable(constraint):
            raise ValueError(
                f"Argument `constraint` must be None or a callable. a callable. Got a {type(constraint)}: {constraint}"
            )
        if trainable is None:
            trainable = synchronization is not VariableSynchronization.ON_READ
        self._trainable, self._constraint = bool(trainable), constraint
        self._synchronization, self._aggregation = synchronization, aggregation

    def _enter_collections(self, collections):
        if collections is None:
            collections = [GraphKeys.GLOBAL_VARIABLES]
        if not isinstance(collections, (list, tuple, set)):
            raise ValueError(
                f"collections argument to Variable constructor must be a list, tuple, or set. Got {collections} of type "
                f"{type(collections)}"
            )
        if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections = [*collections, GraphKeys.TRAINABLE_VARIABLES]
        self._graph.add_to_collections(list(collections), self)

    # ---- reading

    def value(self):
        """The value, which in a graph may be one that was read before."""
        return self.read_value()

    def numpy(self):
        """The value as a numpy array. NotImplementedError in graphs."""
        if graph.current() is not None:
            raise NotImplementedError("numpy() is only available when eager execution is enabled.")
        return self.read_value().numpy()

    def eval(self, session=None):
        """Its value in the session, or the default one."""
        return self._as_graph_element().eval(session=session)

    def initialized_value(self):
        """The value once there is one; before, the initial value."""
        from ..ops.control_flow_ops import cond

        with graph.init_scope():
            return cond(self.is_initialized(), self.read_value, lambda: self.initial_value)

    def load(self, value, session=None):
        """Gives it a value in the session, without a new node."""
        if graph.current() is None:
            self.assign(value)
            return
        from .operation import _session

        session = _session(session, self._graph, "load a variable", "Variable.load()")
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    # ---- in checkpoints

    def _serialize_to_tensors(self):
        return {"VARIABLE_VALUE": self.read_value()}

    def _restore_from_tensors(self, restored_tensors):
        return self.assign(restored_tensors["VARIABLE_VALUE"])

    # ---- as a tensor

    def __tf_tensor__(self, dtype=None, name=None):
        made = self._dense()
        if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(made.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type {dtypes.as_dtype(dtype).name!r} for variable of type "
                f"{self._dtype.name!r}"
            )
        return made

    def _dense(self):
        return self.read_value()

    def _dense_var_to_tensor(self, dtype=None, name=None, as_ref=False):
        """What kinds of variables of packages call on the variable that they wrap."""
        return self.__tf_tensor__(dtype, name)

    def __array__(self, dtype=None, copy=None):
        return self.read_value().__array__(dtype)

    def __repr__(self):
        if graph.current() is None and not isinstance(self._graph, graph.Graph):
            return (
                f"<tf.Variable {self.name!r} shape={self._shape} dtype={self._dtype.name}, numpy={_value_text(self)}>"
            )
        return f"<tf.Variable {self.name!r} shape={self._shape} dtype={self._dtype.name}>"

    def __getitem__(self, key):
        made = self._dense()[key]
        variable = self

        def assign(value, name=None):
            """Assigns to the slice; gives the variable."""
            return variable._assign_slice(key, value)

        made.assign = assign
        return made

    def __len__(self):
        return len(self.read_value())

    def __iter__(self):
        if graph.current() is not None or self._shape.rank is None:
            raise TypeError("'Variable' object is not iterable.")
        return iter(self.read_value())

    def __bool__(self):
        return bool(self.read_value())

    def __int__(self):
        return int(self.read_value())

    def __float__(self):
        return float(self.read_value())

    def __index__(self):
        return self.read_value().__index__()

    def __complex__(self):
        return complex(self.read_value().numpy())

    def __hash__(self):
        if _native.compares_values():
            raise TypeError("Variable is unhashable. Instead, use variable.ref() as the key.")
        return id(self)

    def __eq__(self, other):
        return tensor.operators["eq"](self._dense(), other) if _native.compares_values() else self is other

    def __ne__(self, other):
        return tensor.operators["ne"](self._dense(), other) if _native.compares_values() else self is not other

    def __neg__(self):
        return -self._dense()

    def __abs__(self):
        return abs(self._dense())

    def __invert__(self):
        return ~self._dense()

    def __iadd__(self, other):
        raise RuntimeError("`variable += value` with `tf.Variable`s is not supported. Use `variable.assign_add(value)`")

    def __isub__(self, other):
        raise RuntimeError("`variable -= value` with `tf.Variable`s is not supported. Use `variable.assign_sub(value)`")

    class SaveSliceInfo:
        """Which slice of a whole a variable is, in checkpoints."""

        def __init__(
            self,
            full_name=None,
            full_shape=None,
            var_offset=None,
            var_shape=None,
            save_slice_info_def=None,
            import_scope=None,
        ):
            self.full_name, self.full_shape, self.var_offset, self.var_shape = (
                full_name,
                full_shape,
                var_offset,
                var_shape,
            )

        @property
        def spec(self):
            """The slice as checkpoints write it."""
            return (
                " ".join(str(d) for d in self.full_shape)
                + " "
                + ":".join(f"{o},{n}" for o, n in zip(self.var_offset, self.var_shape))
            )

    def _set_save_slice_info(self, info):
        self._save_slice_info = info

    def _get_save_slice_info(self):
        return self._save_slice_info


# Reflected operators come from here, too.
for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor_".split():

    def _forward(self, other, _name=_name):
        return tensor.operators[_name](self._dense(), other)

    def _backward(self, other, _name=_name):
        return tensor.operators[_name](other, self._dense())

    setattr(Variable, f"__{_name.strip('_')}__", _forward)
    setattr(Variable, f"__r{_name.strip('_')}__", _backward)
for _name in "lt le gt ge".split():

    def _compare(self, other, _name=_name):
        return tensor.operators[_name](self._dense(), other)

    setattr(Variable, f"__{_name}__", _compare)


class VariableV1(Variable):
    """tf.compat.v1.Variable: in a graph it is initialised by a session that runs its initializer."""


def _value_text(variable):
    try:
        value = variable.read_value().numpy()
    except Exception:  # a variable that has no value can be shown, too
        return "<unavailable>"
    is_number = hasattr(value, "item") and not value.ndim
    text = repr(value.item() if is_number else value)
    return "\n" + text if "\n" in text else text


def _initial_tensor(initial_value, dtype, name):
    value = initial_value() if callable(initial_value) else initial_value
    if isinstance(value, Variable):
        value = value.initialized_value() if graph.current() is not None else value.read_value()
    g, number = graph.current(), dtypes.as_dtype(dtype).base_dtype.as_datatype_enum if dtype is not None else 0
    return tensor.convert(value, number) if g is None else graph.into(g, value, number, 0, name)


# ---- variables under a handle


class ResourceVariable(VariableV1):
    """A variable that the library keeps under a handle."""

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        collections=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        dtype=None,
        variable_def=None,
        import_scope=None,
        constraint=None,
        distribute_strategy=None,
        synchronization=None,
        aggregation=None,
        shape=None,
        handle=None,
        stays_in_function=False,
    ):
        if variable_def is not None:
            self._from_proto(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        self._settle(trainable, name, constraint, synchronization, aggregation)
        if stays_in_function and isinstance(graph.current(), func_graph.FuncGraph):
            self._update_uid = next(_numbers)
            self._make_eagerly(initial_value, name, dtype, shape, f"{_LOCAL}{self._update_uid}")
            return
        self._update_uid = next(_numbers)
        if isinstance(initial_value, graph.SymbolicTensor) and initial_value.graph.building_function:
            try:
                initial_value = func_graph.lift(initial_value)
            except func_graph.NotLifted:
                if graph.outermost() is not None:
                    raise
                self._make_for_first_call(initial_value, name, dtype, shape)
                return
        with graph.init_scope():
            if graph.current() is None:
                self._make_eagerly(initial_value, name, dtype, shape)
            else:
                self._make_in_graph(initial_value, name, dtype, shape, validate_shape, collections, caching_device)
        g = graph.current()
        if isinstance(g, func_graph.FuncGraph):
            g.variable_is_made(self)

    def _make_eagerly(self, initial_value, name, dtype, shape, shared_name=_ANONYMOUS):
        self._graph = None
        value = _initial_tensor(initial_value, dtype, None)
        self._name = scopes.current_name_scope() + (name or "Variable")
        self._initial_value = None
        self._dtype, self._shape = value.dtype, tensor_shape.as_shape(shape) if shape is not None else value.shape
        if not self._shape.is_compatible_with(value.shape):
            raise ValueError(
                f"The initial value's shape {value.shape} is not compatible with the explicit shape {self._shape}"
            )
        self._handle = op("VarHandleOp")(dtype=self._dtype, shape=self._shape, shared_name=shared_name)
        self._tell_what_is_held()
        op("AssignVariableOp")(self._handle, value)
        self._initializer = None
        self._unique_id = f"{self._name}_{self._update_uid}"

    def _tell_what_is_held(self):
        """The handle's type and shape, for the graphs that it enters."""
        dims = None if self._shape.rank is None else tuple(-1 if d is None else d for d in self._shape)
        self._handle.held = self._dtype.as_datatype_enum, dims

    def _make_for_first_call(self, initial_value, name, dtype, shape):
        """The variable of a function's first call whose value depends on its arguments: the call itself assigns that."""
        g = graph.current()
        value = _initial_tensor(initial_value, dtype, None)
        self._graph, self._initial_value, self._initializer = None, None, None
        self._dtype, self._shape = value.dtype, tensor_shape.as_shape(shape if shape is not None else value.shape)
        with graph.init_scope():
            self._name = scopes.current_name_scope() + (name or "Variable")
            self._handle = op("VarHandleOp")(dtype=self._dtype, shape=self._shape, shared_name=_ANONYMOUS)
        self._tell_what_is_held()
        self._unique_id = f"{self._name}_{self._update_uid}"
        from ..ops import control_flow_ops

        control_flow_ops.cond(
            op("VarIsInitializedOp")(self._handle),
            control_flow_ops.no_op,
            lambda: control_flow_ops.group(op("AssignVariableOp")(self._handle, value)),
        )
        g.variable_is_made(self)
        while g is not None:
            g.initializes_variables = True
            g = getattr(g, "outer", None)

    def _make_in_graph(self, initial_value, name, dtype, shape, validate_shape, collections, caching_device):
        g = self._graph = graph.current()
        with g.name_scope(name or "Variable") as scope:
            own = self._name = self._unique_id = scope.rstrip("/")
            by_call = callable(initial_value)
            beside = g._with_attrs({"_class": [b"loc:@" + own.encode()]}) if by_call else _nothing()
            with g.name_scope("Initializer"), g.device(None), beside:
                value = self._initial_value = _initial_tensor(initial_value, dtype, "initial_value")
            if value.op._context is not None:
                raise ValueError(
                    f"The `initial_value` passed to `tf.Variable` {scope} is from inside a control-flow  construct, such as a "
                    "loop or conditional. When creating a `tf.Variable` inside a loop or conditional, use a lambda as the "
                    f"`initial_value`. Got: initial_value=({initial_value})"
                )
            self._dtype = value.dtype.base_dtype
            self._shape = tensor_shape.as_shape(shape if shape is not None else value.shape if validate_shape else None)
            if not self._shape.is_compatible_with(value.shape):
                raise ValueError(
                    f"The initial value's shape {value.shape} is not compatible with the explicit shape {self._shape}"
                )
            self._handle = op("VarHandleOp")(
                dtype=self._dtype, shape=self._shape, shared_name=own, container=g._container, name=scope
            )
            self._tell_what_is_held()
            self._is_initialized = op("VarIsInitializedOp")(self._handle, name="IsInitialized/VarIsInitializedOp")
            with g.colocate_with(self._handle.op):
                self._initializer = op("AssignVariableOp")(self._handle, value, name="Assign")
            with (
                g.name_scope("Read"),
                g.control_dependencies(None),
                _exactly_on(g, caching_device) if caching_device else g.device(self._handle.device or None),
            ):
                self._read = op("ReadVariableOp")(self._handle, dtype=self._dtype)
                self._read.set_shape(self._shape)
            self._caching = caching_device
        self._enter_collections(collections)

    def _from_proto(self, variable_def, import_scope):
        g = self._graph = graph.current()
        prefix = import_scope + "/" if import_scope else ""

        def named(text):
            return g.as_graph_element(prefix + text)

        self._settle(variable_def.trainable, None, None, None, None)
        self._handle = named(variable_def.variable_name)
        if self._handle.dtype != dtypes.resource:
            raise ValueError("the variable's definition is not of a resource variable")
        self._name = self._unique_id = self._handle.op.name
        self._initializer = named(variable_def.initializer_name)
        self._initial_value = named(variable_def.initial_value_name) if variable_def.initial_value_name else None
        self._read = named(variable_def.snapshot_name)
        self._is_initialized = op("VarIsInitializedOp")(self._handle)
        self._dtype = self._handle.op.get_attr("dtype")
        self._shape = tensor_shape.TensorShape(self._handle.op.get_attr("shape"))
        self._tell_what_is_held()
        self._caching = None
        self._update_uid = next(_numbers)

    @classmethod
    def of_handle(cls, handle, dtype, shape, name, trainable=True):
        """A variable over a handle that is there already, without a value of its own."""
        made = cls.__new__(cls)
        made._settle(trainable, name, None, None, None)
        made._graph = handle.graph if isinstance(handle, graph.SymbolicTensor) else None
        made._name, made._dtype, made._shape, made._handle = name, dtype, tensor_shape.as_shape(shape), handle
        made._initial_value = made._initializer = made._caching = None
        made._tell_what_is_held()
        made._update_uid = next(_numbers)
        made._unique_id = f"{name}_{made._update_uid}"
        if made._graph is not None:
            made._read = op("ReadVariableOp")(handle, dtype=dtype, name=f"{handle.op.name}/Read/ReadVariableOp/")
            made._read.set_shape(made._shape)
            made._is_initialized = op("VarIsInitializedOp")(handle)
        return made

    name = property(lambda self: self._name + ":0")
    _shared_name = property(lambda self: self._name)
    handle = property(lambda self: self._handle)
    device = property(lambda self: self._handle.device)
    op = property(lambda self: self._handle.op)

    def create(self):
        return self._initializer

    # ---- reading

    def _here(self):
        """The handle as the graph that is being built has it; tapes hear that the variable is read."""
        g = graph.current()
        if self._trainable:
            for watcher in watching.tapes:
                watcher.variable_read(self)
        if g is None:
            return self._handle
        if isinstance(g, func_graph.FuncGraph):
            g.note_variable(self)
        return g.enter(self._handle)

    def read_value(self):
        """The value now, as a tensor."""
        made = op("ReadVariableOp")(self._here(), dtype=self._dtype)
        if isinstance(made, graph.SymbolicTensor):
            made.set_shape(self._shape)
        return made

    def value(self):
        return self._dense()

    def _dense(self):
        if self._graph is not None and self._caching is not None and graph.current() is self._graph:
            return self._read
        return self.read_value()

    def _as_graph_element(self):
        """What a session fetches for it."""
        return self._read if self._graph is not None else None

    def is_initialized(self, name=None):
        """Whether it has a value: a scalar tensor."""
        return op("VarIsInitializedOp")(self._here(), name=name)

    def sparse_read(self, indices, name=None):
        """The rows of these indices."""
        made = op("ResourceGather")(self._here(), indices, dtype=self._dtype, name=name)
        if isinstance(made, graph.SymbolicTensor) and self._shape.rank:
            made.set_shape(made.op.inputs[1].shape.concatenate(self._shape[1:]))
        return op("Identity")(made)

    def gather_nd(self, indices, name=None):
        """The slices at these positions."""
        return op("Identity")(op("ResourceGatherNd")(self._here(), indices, dtype=self._dtype, name=name))

    # ---- writing

    def _to_write(self, value):
        value = value._dense() if isinstance(value, Variable) else value
        g = graph.current()
        return tensor.convert(value, self._dtype_number) if g is None else graph.into(g, value, self._dtype_number)

    def _in_own_graph(self):
        """Variables of a graph are written there, whichever graph is being built."""
        own, g = self._graph, graph.current()
        if own is None or g is own or g is not None and g.building_function:
            return _nothing()
        return own.as_default()

    def _written(self, done, read_value=True):
        """What an assignment gives: in eager code the variable, in a graph one that is read after the assignment."""
        if graph.current() is None:
            return self if read_value else None
        return UnreadVariable(self, done) if read_value else done

    def _assign(self, name, value, read_value, node_name=None):
        if self._graph is None or graph.current() is self._graph:
            return self._assign_here(name, value, read_value, node_name)
        with self._in_own_graph():
            return self._assign_here(name, value, read_value, node_name)

    def _assign_here(self, name, value, read_value, node_name):
        value = self._to_write(value)
        if name == "AssignVariableOp" and not self._shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape {self._shape}, "
                f"and the assigned value shape {value.shape} are incompatible."
            )
        handle = self._here()
        if type(handle) is tensor.EagerTensor:
            op(name)(handle, value)
            return self if read_value else None
        checked = {}
        if name == "AssignVariableOp" and not value.shape.is_fully_defined() and self._shape.is_fully_defined():
            checked["validate_shape"] = True
        return self._written(op(name)(handle, value, name=node_name, **checked), read_value)

    def assign(self, value, use_locking=None, name=None, read_value=True):
        """Gives it another value."""
        return self._assign("AssignVariableOp", value, read_value, name)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        """Adds to the value."""
        return self._assign("AssignAddVariableOp", delta, read_value, name)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        """Subtracts from the value."""
        return self._assign("AssignSubVariableOp", delta, read_value, name)

    def _scatter(self, name, slices):
        from .gradient_tape import IndexedSlices

        if not isinstance(slices, IndexedSlices) and type(slices).__name__ != "IndexedSlices":
            raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received: {slices}")
        values = self._to_write(slices.values)
        return self._written(op(name)(self._here(), slices.indices, values))

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        """Adds IndexedSlices."""
        return self._scatter("ResourceScatterAdd", sparse_delta)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        """Subtracts IndexedSlices."""
        return self._scatter("ResourceScatterSub", sparse_delta)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        """Takes the larger elements of the value and IndexedSlices."""
        return self._scatter("ResourceScatterMax", sparse_delta)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        """Takes the lesser elements of the value and IndexedSlices."""
        return self._scatter("ResourceScatterMin", sparse_delta)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        """Multiplies by IndexedSlices."""
        return self._scatter("ResourceScatterMul", sparse_delta)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        """Divides by IndexedSlices."""
        return self._scatter("ResourceScatterDiv", sparse_delta)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        """Puts IndexedSlices in place of rows."""
        return self._scatter("ResourceScatterUpdate", sparse_delta)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        """The same by batch: indices of the last axis of `indices`, within the batch that the others name."""
        from ..ops.state_ops import batch_scatter_update

        return batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def _scatter_nd(self, name, indices, updates):
        return self._written(op(name)(self._here(), indices, self._to_write(updates)))

    def scatter_nd_add(self, indices, updates, name=None):
        """Adds slices at these positions."""
        return self._scatter_nd("ResourceScatterNdAdd", indices, updates)

    def scatter_nd_sub(self, indices, updates, name=None):
        """Subtracts slices at these positions."""
        return self._scatter_nd("ResourceScatterNdSub", indices, updates)

    def scatter_nd_update(self, indices, updates, name=None):
        """Puts slices at these positions."""
        return self._scatter_nd("ResourceScatterNdUpdate", indices, updates)

    def scatter_nd_max(self, indices, updates, name=None):
        """Takes the larger elements at these positions."""
        return self._scatter_nd("ResourceScatterNdMax", indices, updates)

    def scatter_nd_min(self, indices, updates, name=None):
        """Takes the lesser elements at these positions."""
        return self._scatter_nd("ResourceScatterNdMin", indices, updates)

    def _assign_slice(self, key, value):
        *ends, masks = tensor.slice_arguments(key)
        return self._written(op("ResourceStridedSliceAssign")(self._here(), *ends, self._to_write(value), **masks))

    def count_up_to(self, limit):
        """Counts one up; OutOfRangeError at the limit. Gives the value before."""
        return op("ResourceCountUpTo")(self._here(), limit=limit, T=self._dtype)

    # ---- copies and messages

    def __deepcopy__(self, memo):
        if self._graph is not None:
            raise NotImplementedError("__deepcopy__() is only available when eager execution is enabled.")
        made = type(self)(
            self.read_value(), self._trainable, name=self._name, dtype=self._dtype,
            constraint=self._constraint, synchronization=self._synchronization, aggregation=self._aggregation,
            shape=self._shape,
        )  # fmt: skip
        memo[id(self)] = made
        return made

    def __reduce__(self):
        return _unpickle, (self.numpy(), self._trainable, self._name, self._dtype.name)

    def to_proto(self, export_scope=None):
        """A VariableDef; None when it is not in the scope that is exported."""
        from . import messages

        if self._graph is None:
            raise RuntimeError("to_proto() is not supported in eager mode.")
        if export_scope is not None and not self._name.startswith(export_scope):
            return None

        def short(text):
            return text[len(export_scope) + 1 :] if export_scope else text

        return messages.VariableDef(
            variable_name=short(self._handle.name),
            initializer_name=short(self._initializer.name),
            initial_value_name=short(self._initial_value.name) if self._initial_value is not None else "",
            snapshot_name=short(self._read.name),
            is_resource=True,
            trainable=self._trainable,
        )

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        from .ref_variables import RefVariable

        kind = ResourceVariable if variable_def.is_resource else RefVariable
        return kind(variable_def=variable_def, import_scope=import_scope)


VariableV1.from_proto = Variable.from_proto = staticmethod(ResourceVariable.from_proto)


def _unpickle(value, trainable, name, dtype):
    return ResourceVariable(value, trainable, name=name, dtype=dtype)


@contextmanager
def _exactly_on(g, device):
    """On this device and no part of another, beside nothing."""
    with g.device(None), g.colocate_with(None), g.device(device):
        yield


@contextmanager
def _nothing():
    yield


class UnreadVariable(ResourceVariable):
    """A variable as it is after an assignment in a graph: reading it waits for that."""

    def __init__(self, variable, done):
        self.__dict__.update(variable.__dict__)
        self._done, self._parent, self._element = done, variable, None
        if not done.graph.building_function:  # a session may fetch it, once the graph is finished, too
            self._as_graph_element()

    op = property(lambda self: self._done)
    name = property(lambda self: self._done.name)

    def _as_control_input(self):
        return self._done

    def _here(self):
        g = graph.current()
        if self._done.graph is not g:
            return super()._here()
        with g.control_dependencies([self._done]):  # what is done to it waits, too
            return op("Identity")(super()._here())

    def read_value(self):
        g = graph.current()
        with g.control_dependencies([self._done]) if self._done.graph is g else _nothing():
            return self._parent.read_value()

    def _dense(self):
        return self.read_value()

    def _as_graph_element(self):
        if self._element is None:
            with self._done.graph.as_default(), self._done.graph.control_dependencies([self._done]):
                self._element = op("ReadVariableOp")(self._done.graph.enter(self._handle), dtype=self._dtype)
        return self._element


# What programs look up at the class, as tf.Variable.assign.
for _method in (
    "assign assign_add assign_sub batch_scatter_update count_up_to gather_nd name read_value scatter_add scatter_div scatter_max "
    "scatter_min scatter_mul scatter_nd_add scatter_nd_sub scatter_nd_update scatter_sub scatter_update sparse_read to_proto"
).split():
    setattr(Variable, _method, getattr(ResourceVariable, _method))
