"""Variables by name, as TensorFlow 1 shares them: tf.compat.v1.get_variable within tf.compat.v1.variable_scope.

A graph has one store of variables (by name) and one current scope, both in collections; eager code has the default graph's scope.
"""

from __future__ import annotations

import enum
import functools
import inspect
import threading
from contextlib import contextmanager, nullcontext

from ..core import dtypes, graph, scopes, tensor_shape, variables
from ..core.graph_keys import GraphKeys


class _ReuseMode(enum.Enum):
    """Whether get_variable may give a variable that is there: AUTO_REUSE gives it, or makes it."""

    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


# ---- the store


class _Store:
    """The variables of a graph that get_variable has made, by name. Eagerly only a store that `keeps` them has any."""

    def __init__(self, keeps=False):
        self.keeps = keeps
        self.variables: dict[str, object] = {}
        self.partitioned: dict[str, PartitionedVariable] = {}

    def get(self, name, shape, dtype, initializer, reuse, **options):
        found = self.variables.get(name)
        if found is not None:
            if reuse is False:
                raise ValueError(
                    f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE in "
                    f"VarScope?"
                )
            _check_shared(name, found, shape, dtype)
            return found
        if reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did you mean to set "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        made = _make(name, shape, dtype, initializer, **options)
        if self.keeps or not scopes.executing_eagerly():
            self.variables[name] = made
        return made

    def get_parts(self, name, shape, dtype, initializer, reuse, partitioner, **options):
        found = None if scopes.executing_eagerly() else self.partitioned.get(name)
        if found is not None:
            if reuse is False:
                raise ValueError(
                    f"Partitioned variable with name {name} already exists. Did you mean to set reuse=True or "
                    "reuse=tf.AUTO_REUSE in VarScope?"
                )
            if shape is not None and not found.get_shape().is_compatible_with(shape):
                raise ValueError(
                    f"Trying to reuse partitioned variable {name}, but specified shape {shape} and found shape {found.get_shape()}."
                )
            if shape is not None and (parts := _partitions(partitioner, shape, dtype)) != found._get_partitions():
                raise ValueError(
                    f"Trying to reuse partitioned variable {name}, but specified partitions {parts} and found partitions "
                    f"{found._get_partitions()}."
                )
            return found
        if reuse is True:
            raise ValueError(f"PartitionedVariable {name} does not exist, or was not created with tf.get_variable().")
        if shape is None:
            raise ValueError(
                f"Shape of a new partitioned variable ({name}) must be fully defined, but instead was {shape}."
            )
        shape = tensor_shape.as_shape(shape)
        made = self._parts(name, shape, dtype, initializer, reuse, partitioner, options)
        if not scopes.executing_eagerly():
            self.partitioned[name] = made
        return made

    def _parts(self, name, shape, dtype, initializer, reuse, partitioner, options):
        partitions = _partitions(partitioner, shape, dtype)
        if len(partitions) != shape.rank or any(n < 1 for n in partitions):
            raise ValueError(
                f"Partitioner returned a partition list that does not match: {partitions} of shape {shape}"
            )
        if any(n > d for n, d in zip(partitions, shape.as_list())):
            raise ValueError(f"there are more partitions, {partitions}, than the shape {shape} has slices")
        axes = [i for i, n in enumerate(partitions) if n > 1]
        if len(axes) > 1:
            raise ValueError(f"Partitioner returned more than one axis with partitions: {partitions}")
        axis = axes[0] if axes else 0
        n, rest = partitions[axis], shape.as_list()
        base, extra = divmod(rest[axis], n)
        made, offset = [], 0
        for i in range(n):
            part = list(rest)
            part[axis] = base + (i < extra)
            offsets = [0] * len(rest)
            offsets[axis] = offset
            offset += part[axis]
            made.append(self._part(f"{name}/part_{i}", part, offsets, rest, dtype, initializer, reuse, options))
            made[-1]._set_save_slice_info(variables.Variable.SaveSliceInfo(name, rest, offsets, part))
        return PartitionedVariable(name, shape, dtype, made, partitions)

    def _part(self, name, part, offsets, whole, dtype, initializer, reuse, options):
        if callable(initializer):
            own = _initializer_for(initializer, dtype)
            takes = inspect.signature(own.__call__ if not inspect.isfunction(own) else own).parameters
            if "partition_info" in takes:
                own = functools.partial(own, partition_info=_PartitionInfo(whole, offsets))
            return self.get(name, part, dtype, own, reuse, **options)
        if initializer is not None:
            from . import array_ops

            value = array_ops.convert_to_tensor(initializer)
            value = value[tuple(slice(o, o + n) for o, n in zip(offsets, part))]
            return self.get(name, None, value.dtype, value, reuse, **options)
        return self.get(name, part, dtype, None, reuse, **options)


def _partitions(partitioner, shape, dtype):
    return [int(n) for n in partitioner(shape=tensor_shape.as_shape(shape), dtype=dtypes.as_dtype(dtype))]


class _PartitionInfo:
    """Which part of a whole an initialiser is asked for."""

    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = full_shape, var_offset

    def single_offset(self, shape):
        return next((o for o, n, whole in zip(self.var_offset, shape, self.full_shape) if n != whole), 0)

    def single_slice_dim(self, shape):
        return next((i for i, (n, whole) in enumerate(zip(shape, self.full_shape)) if n != whole), None)


def _check_shared(name, found, shape, dtype):
    if shape is not None and not tensor_shape.as_shape(shape).is_compatible_with(found.get_shape()):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {tensor_shape.as_shape(shape)} and found shape "
            f"{found.get_shape()}."
        )
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(found.dtype.base_dtype):
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {dtypes.as_dtype(dtype).name} and found dtype "
            f"{found.dtype.base_dtype.name}."
        )


def _default_initializer(dtype):
    import sluice

    if dtype.is_floating:
        return sluice.compat.v1.glorot_uniform_initializer()
    if dtype.is_integer or dtype.is_bool or dtype.name == "string":
        return sluice.compat.v1.zeros_initializer()
    raise ValueError(f"An initializer for a variable of type {dtype.base_dtype} is required")


def _initializer_for(initializer, dtype):
    """An initialiser object, of a class of them too."""
    if not inspect.isclass(initializer):
        return initializer
    try:
        return initializer(dtype=dtype)
    except TypeError:
        return initializer()


def _make(name, shape, dtype, initializer, regularizer=None, validate_shape=True, **options):
    dtype = dtypes.as_dtype(dtype) if dtype is not None else None
    if initializer is None:
        initializer, given = _default_initializer(dtype or dtypes.float32), False
    else:
        given = not callable(initializer)
    if given:
        if shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        value, made_dtype = initializer, dtype if not hasattr(initializer, "dtype") else None
        if getattr(initializer, "dtype", None) is not None:
            made_dtype = None
    else:
        made_dtype = dtype or dtypes.float32
        initializer = _initializer_for(initializer, made_dtype)
        if shape is not None and tensor_shape.as_shape(shape).is_fully_defined():
            value = _call_of(initializer, tensor_shape.as_shape(shape).as_list(), made_dtype.base_dtype)
        elif _needs_no_argument(initializer):
            value = initializer
        else:
            if shape is None:
                raise ValueError(
                    "The initializer passed is not valid. It should be a callable with no arguments and the shape should not be "
                    "provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
                )
            raise ValueError(
                f"Shape of a new variable ({name}) must be fully defined, but instead was {tensor_shape.as_shape(shape)}."
            )
    made = variables.VariableV1(
        initial_value=value, name=name, dtype=made_dtype, validate_shape=validate_shape, **options
    )
    if regularizer is not None:
        _add_regularization(made, name, regularizer)
    return made


def _call_of(initializer, shape, dtype):
    takes = inspect.signature(initializer).parameters
    by_name = {
        k: v for k, v in (("dtype", dtype),) if k in takes or any(p.kind is p.VAR_KEYWORD for p in takes.values())
    }
    return lambda: initializer(shape, **by_name)


def _needs_no_argument(function) -> bool:
    try:
        return not any(
            p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
            for p in inspect.signature(function).parameters.values()
        )
    except (TypeError, ValueError):
        return False


def _add_regularization(variable, name, regularizer):
    with (
        scopes.name_scope_v1(name + "/Regularizer/"),
        scopes.colocate_with(variable.op) if hasattr(variable, "op") else nullcontext(),
    ):
        loss = regularizer(variable)
    if loss is not None:
        graph.default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


# ---- scopes


class VariableScope:
    """What get_variable takes where it is not told: a prefix of names, whether to reuse, defaults."""

    def __init__(
        self,
        reuse,
        name="",
        initializer=None,
        regularizer=None,
        caching_device=None,
        partitioner=None,
        custom_getter=None,
        name_scope="",
        dtype=dtypes.float32,
        use_resource=None,
        constraint=None,
    ):
        self._name, self._initializer, self._regularizer, self._reuse = name, initializer, regularizer, reuse
        self._caching_device, self._partitioner, self._custom_getter = caching_device, partitioner, custom_getter
        self._name_scope, self._dtype, self._use_resource, self._constraint = (
            name_scope,
            dtype,
            use_resource,
            constraint,
        )

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self):
        """From here on get_variable gives variables that are there."""
        self._reuse = True

    def set_initializer(self, initializer):
        self._initializer = initializer

    def set_dtype(self, dtype):
        self._dtype = dtype

    def set_use_resource(self, use_resource):
        if scopes.executing_eagerly() and not use_resource:
            raise ValueError("When eager execution is enabled, use_resource cannot be set to false.")
        self._use_resource = use_resource

    def set_regularizer(self, regularizer):
        self._regularizer = regularizer

    def set_caching_device(self, caching_device):
        if scopes.executing_eagerly():
            raise NotImplementedError("Caching devices are not yet supported when eager execution is enabled.")
        self._caching_device = caching_device

    def set_partitioner(self, partitioner):
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter):
        self._custom_getter = custom_getter

    def get_collection(self, name):
        """The values of a collection whose names lie in this scope."""
        return graph.default_graph().get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self):
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self):
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self):
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def _copy(self, **changes):
        made = VariableScope.__new__(VariableScope)
        made.__dict__.update(self.__dict__)
        made.__dict__.update({"_" + k: v for k, v in changes.items()})
        return made

    def get_variable(
        self, store, name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None, trainable=None,
        collections=None, caching_device=None, partitioner=None, validate_shape=True, use_resource=None,
        custom_getter=None, constraint=None, synchronization=variables.VariableSynchronization.AUTO,
        aggregation=variables.VariableAggregation.NONE,
    ):  # fmt: skip
        """The variable of this name in the scope: one that is there, or a new one."""
        full = f"{self._name}/{name}" if self._name else name
        if initializer is not None and not callable(initializer) and dtype is not None:
            _check_initializer(full, initializer, dtype)
        if reuse is None:
            reuse = False if scopes.executing_eagerly() and not store.keeps else self._reuse
        arguments = {
            "name": full,
            "shape": shape,
            "dtype": dtype
            if dtype is not None
            else None
            if initializer is not None and not callable(initializer)
            else self._dtype,
            "initializer": initializer if initializer is not None else self._initializer,
            "regularizer": regularizer if regularizer is not None else self._regularizer,
            "reuse": AUTO_REUSE if reuse is AUTO_REUSE else bool(reuse),
            "trainable": trainable,
            "collections": collections,
            "caching_device": caching_device if caching_device is not None else self._caching_device,
            "partitioner": partitioner if partitioner is not None else self._partitioner,
            "validate_shape": validate_shape,
            "use_resource": use_resource if use_resource is not None else self._use_resource,
            "constraint": constraint if constraint is not None else self._constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        getter = functools.partial(_true_getter, store)
        outer = custom_getter if custom_getter is not None else self._custom_getter
        if outer is None:
            return getter(**arguments)
        if not callable(outer):
            raise ValueError(f"Passed a custom_getter which is not callable: {outer}")
        return outer(getter=getter, **arguments)


def _check_initializer(name, initializer, dtype):
    have = getattr(initializer, "dtype", None)
    if have is not None and dtypes.as_dtype(have).base_dtype != dtypes.as_dtype(dtype).base_dtype:
        raise ValueError(
            f"Initializer type '{dtypes.as_dtype(have).base_dtype.name}' and explicit dtype "
            f"'{dtypes.as_dtype(dtype).base_dtype.name}' don't match."
        )


def _true_getter(
    store, name, shape=None, dtype=dtypes.float32, initializer=None, reuse=None, partitioner=None, **options
):
    if name in store.partitioned and reuse is not False and partitioner is None and shape is None:
        return store.partitioned[name]
    if partitioner is not None and shape is not None and tensor_shape.as_shape(shape).rank:
        return store.get_parts(name, shape, dtype, initializer, reuse, partitioner, **options)
    if f"{name}/part_0" in store.variables:
        raise ValueError(
            f"No partitioner was provided, but a partitioned version of the variable was found: {name}/part_0."
        )
    return store.get(name, shape, dtype, initializer, reuse, **options)


class _State(threading.local):
    """The current scope, and which names scopes had: by thread. The store is all threads'."""

    def __init__(self):
        self.current = VariableScope(False)
        self.names = _ScopeNames()


class _ScopeNames:
    """The names that scopes had, so that default names are made unique."""

    def __init__(self):
        self._given: set[str] = set()
        self._numbered: dict[str, int] = {}  # name -> n: name, name_1 ... name_(n - 1) were made, and need no room each

    def _has(self, name) -> bool:
        if name in self._given or self._numbered.get(name, 0):
            return True
        stem, _, number = name.rpartition("_")
        return number.isdecimal() and number == str(int(number)) and 0 < int(number) < self._numbered.get(stem, 0)

    def add(self, name):
        if not self._has(name):
            self._given.add(name)

    def make(self, name) -> str:
        """The name, or the first with a number that no scope had; now one had it."""
        n = self._numbered.get(name, 0)
        while self._has(made := f"{name}_{n}" if n else name):
            n += 1
        self._numbered[name] = n + 1
        return made

    def below(self, name):
        """What is known of the names below one ("": of all): for `set_below`."""
        start = name + "/" if name else ""
        return {k for k in self._given if k.startswith(start)}, {
            k: n for k, n in self._numbered.items() if k.startswith(start)
        }

    def set_below(self, name, known=(set(), {})):
        """Knows that again; by default nothing."""
        given, numbered = self.below(name)
        self._given -= given
        for k in numbered:
            del self._numbered[k]
        self._given |= known[0]
        self._numbered.update(known[1])


def _store():
    if scopes.executing_eagerly():
        return _eager_store
    collection = graph.default_graph().get_collection_ref(GraphKeys._VARSTORE_KEY)
    if not collection:
        collection.append(_Store())
    return collection[0]


_eager_store = _Store()


@contextmanager
def kept_variables(store):
    """What get_variable makes at once within, it keeps in this store, and gives again where the scope reuses."""
    global _eager_store
    before, _eager_store = _eager_store, store
    try:
        yield store
    finally:
        _eager_store = before


def _state() -> _State:
    collection = graph.default_graph().get_collection_ref(GraphKeys._VARSCOPESTORE_KEY)
    if not collection:
        collection.append(_State())
    return collection[0]


def get_variable_scope():
    """The current scope."""
    return _state().current


def use_resource_here():
    return _state().current.use_resource


def get_variable(
    name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, collections=None,
    caching_device=None, partitioner=None, validate_shape=True, use_resource=None, custom_getter=None, constraint=None,
    synchronization=variables.VariableSynchronization.AUTO, aggregation=variables.VariableAggregation.NONE,
):  # fmt: skip
    """The variable of this name in the current scope: one that is there, when the scope reuses, or a new one.

    `initializer`: a function of shape and dtype, or a value, which then gives the shape. ValueError when the name is taken,
    or missing, against what the scope says, or another shape or type is asked for.
    """
    with scopes.root_names():
        return _state().current.get_variable(
            _store(), name, shape, dtype, initializer, regularizer, None, trainable, collections, caching_device, partitioner,
            validate_shape, use_resource, custom_getter, constraint, synchronization, aggregation,
        )  # fmt: skip


def get_local_variable(
    name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=False, collections=None, **options
):
    """The same in the collection of local variables, which no checkpoint has and no training changes."""
    collections = [*(collections or []), GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, shape, dtype, initializer, regularizer, False, collections, **options)


class variable_scope:
    """Within it get_variable puts the scope's name before its own, and takes the scope's defaults.

    name_or_scope: a name, a VariableScope, or None, for `default_name` made unique. reuse: True, None (as around it) or
    AUTO_REUSE.
    """

    def __init__(
        self, name_or_scope, default_name=None, values=None, initializer=None, regularizer=None, caching_device=None,
        partitioner=None, custom_getter=None, reuse=None, dtype=None, use_resource=None, constraint=None,
        auxiliary_name_scope=True,
    ):  # fmt: skip
        self._name_or_scope, self._default_name = name_or_scope, default_name
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None
        if reuse not in (None, True) and reuse is not AUTO_REUSE:
            raise ValueError("The reuse parameter must be True or False or None.")
        if values is None:
            values = []
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        self._values, self._reuse, self._auxiliary = values, reuse, auxiliary_name_scope
        given = {
            "initializer": initializer, "regularizer": regularizer, "caching_device": caching_device,
            "partitioner": partitioner, "dtype": dtype, "use_resource": use_resource, "constraint": constraint,
        }  # fmt: skip
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"custom_getter {custom_getter!r} is not callable: it takes a getter and its arguments")
        self._given, self._custom_getter = {k: v for k, v in given.items() if v is not None}, custom_getter
        self._contexts, self._entered = [], []

    def __enter__(self):
        owner = None
        if scopes.executing_eagerly():
            owner = next((v.graph for v in self._values if isinstance(v, graph.SymbolicTensor)), None)
        inside = graph.entered(owner) if owner is not None else nullcontext()
        inside.__enter__()
        context = self._context()
        try:
            made = context.__enter__()
        except BaseException:
            inside.__exit__(None, None, None)
            raise
        self._contexts.append((context, inside))
        self._entered.append(made)
        return made

    def __exit__(self, *exception):
        context, inside = self._contexts[-1]
        if _state().current is not self._entered[-1]:
            raise RuntimeError("Improper nesting of variable_scope.")
        self._contexts.pop()
        self._entered.pop()
        context.__exit__(*exception)
        inside.__exit__(*exception)

    @contextmanager
    def _context(self):
        state = _state()
        old = state.current
        given = self._name_or_scope
        if given is not None and not isinstance(given, (VariableScope, str)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        again = isinstance(given, VariableScope)
        if again:
            name, base = given.name, given
            name_scope = nullcontext(given.original_name_scope)
            if self._auxiliary:
                name_scope = scopes.name_scope_v1(given.name.rpartition("/")[2]) if given.name else nullcontext("")
        else:
            if self._reuse and given is None:
                raise ValueError("reuse=True cannot be used without a name_or_scope")
            start = old.name + "/" if old.name else ""
            own = given if given is not None else state.names.make(start + self._default_name)[len(start) :]
            name, base = start + own, old
            name_scope = (
                scopes.name_scope_v1(own) if self._auxiliary and own else nullcontext(scopes.current_name_scope())
            )
        with name_scope as entered:
            changes = dict(self._given, name=name, name_scope=given.original_name_scope if again else entered or "")
            if self._reuse is not None:
                changes["reuse"] = self._reuse
            elif not again:
                changes["reuse"] = old.reuse
            elif old.reuse:
                changes["reuse"] = given.reuse or old.reuse
            if self._custom_getter is not None:
                changes["custom_getter"] = _chain(self._custom_getter, base.custom_getter)
            state.current = base._copy(**changes)
            if again:
                below = state.names.below(name)
                if name:
                    state.names.set_below(name)
            else:
                below = set(), {}
                state.names.add(name)
            try:
                yield state.current
            finally:
                if name or again:
                    state.names.set_below(name, below)
                state.current = old


def _chain(new, old):
    if old is None:
        return new

    def both(getter, *args, **kwargs):
        return new(functools.partial(old, getter), *args, **kwargs)

    return both


@contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, initializer=None, regularizer=None, caching_device=None,
                      partitioner=None, custom_getter=None, reuse=None, dtype=None, use_resource=None, constraint=None):  # fmt: skip
    """variable_scope with its arguments in another order."""
    with variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner, custom_getter, reuse, dtype,
        use_resource, constraint,
    ) as scope:  # fmt: skip
        yield scope


def no_regularizer(_):
    """A regulariser for which nothing is added."""
    return None


# ---- variables in parts


class PartitionedVariable:
    """A variable that lies in several, one after the other along an axis."""

    def __init__(self, name, shape, dtype, variable_list, partitions):
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError("variable_list is not a list or tuple")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError("partitions is not a list or tuple")
        if any(p < 1 for p in partitions):
            raise ValueError("partition values must be positive")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        self._name, self._shape, self._dtype = name, tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        self._list, self._partitions, self._whole = list(variable_list), list(partitions), None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)

    def get_shape(self):
        return self._shape

    def __iter__(self):
        return iter(self._list)

    def __len__(self):
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._list)

    def _get_variable_list(self):
        return self._list

    def _get_partitions(self):
        return self._partitions

    def _partition_axes(self):
        return [i for i, n in enumerate(self._partitions) if n > 1] or [0]

    def as_tensor(self):
        """The whole."""
        from . import array_ops

        with scopes.control_dependencies(None):
            with scopes.name_scope_v1(self._name + "/ConcatPartitions/"):
                parts = [array_ops.convert_to_tensor(v) for v in self._list]
                whole = array_ops.concat(parts, self._partition_axes()[0]) if len(parts) > 1 else parts[0]
            with scopes.root_names():
                return array_ops.identity(whole, name=self._name)

    def __tf_tensor__(self, dtype=None, name=None):
        return self.as_tensor()

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Gives each part its slice of the value; a list has a value for each part."""
        return self._apply("assign", value)

    def assign_add(self, value, use_locking=False, name=None, read_value=True):
        return self._apply("assign_add", value)

    def assign_sub(self, value, use_locking=False, name=None, read_value=True):
        return self._apply("assign_sub", value)

    def _apply(self, method, value):
        from . import array_ops

        if isinstance(value, list):
            if len(value) != len(self._list):
                raise ValueError(f"{len(self._list)} parts cannot be given {len(value)} values")
            return [getattr(v, method)(part) for v, part in zip(self._list, value)]
        axis, value = self._partition_axes()[0], array_ops.convert_to_tensor(value)
        offset, done = 0, []
        for v in self._list:
            n = v.get_shape().as_list()[axis]
            done.append(getattr(v, method)(value[(slice(None),) * axis + (slice(offset, offset + n),)]))
            offset += n
        return done


def fixed_size_partitioner(num_shards, axis=0):
    """A partitioner with as many parts along the axis."""

    def partition(shape, **unused):
        made = [1] * len(shape)
        made[axis] = min(num_shards, tensor_shape.as_shape(shape).as_list()[axis])
        return made

    return partition


def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    """A partitioner with as few parts along the axis as keep each below so many bytes."""
    if max_shard_bytes < 1 or bytes_per_string_element < 1 or max_shards is not None and max_shards < 1:
        raise ValueError("the limits of variable_axis_size_partitioner must be positive")

    def partition(shape, dtype):
        shape, dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        if not shape.is_fully_defined():
            raise ValueError(f"shape is not fully defined: {shape}")
        element = bytes_per_string_element if dtype.name == "string" else dtype.size
        made = [1] * shape.rank
        if not shape.num_elements():
            return made
        slice_bytes = element * (shape.num_elements() // shape.as_list()[axis])
        per_part = max(1, max_shard_bytes // slice_bytes) if max_shard_bytes >= slice_bytes else 1
        parts = -(-shape.as_list()[axis] // per_part)
        made[axis] = min(parts, max_shards) if max_shards is not None else parts
        return made

    return partition


def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    """A partitioner with as many parts as allowed, none of them below so many bytes."""

    def partition(shape, dtype):
        shape, dtype = tensor_shape.as_shape(shape), dtypes.as_dtype(dtype)
        if axis >= shape.rank:
            raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {shape}")
        element = bytes_per_string_element if dtype.name == "string" else dtype.size
        made = [1] * shape.rank
        total = shape.num_elements() * element
        made[axis] = max(1, min(shape.as_list()[axis], max_partitions, -(-total // min_slice_size)))
        return made

    return partition


def create_partitioned_variables(
    shape, slicing, initializer, dtype=dtypes.float32, trainable=True, collections=None, name=None, reuse=None
):  # fmt: skip
    """As many variables as `slicing` says along one axis, which together have the shape: a list of them."""
    if len(shape) != len(slicing):
        raise ValueError(
            f"The 'shape' and 'slicing' of a new Partitioned Variable must have the length: shape: {shape}, slicing: {slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A new Partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        made = get_variable(
            name="part", shape=shape, dtype=dtype, initializer=initializer, trainable=trainable, collections=collections,
            partitioner=lambda **unused: slicing,
        )  # fmt: skip
        return list(made) if isinstance(made, PartitionedVariable) else [made]
