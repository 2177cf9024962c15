"""Variables of TensorFlow 1: a node whose output is a reference to the value. compat.v1.Variable and get_variable make them
where resource variables are not asked for."""

from __future__ import annotations

from . import graph, tensor, tensor_shape, variables
from .op_defs import op


_READERS = {"Identity", "IsVariableInitialized"}  # of references
_SEARCHED = 100  # how many operations before those that are waited for are looked at


class RefVariable(variables.VariableV1):
    """A variable that is a node, whose output is a reference to the value."""

    def __init__(
        self,
        initial_value=None,
        trainable=None,
        collections=None,
        validate_shape=True,
        caching_device=None,
        name=None,
        variable_def=None,
        dtype=None,
        import_scope=None,
        constraint=None,
        synchronization=None,
        aggregation=None,
        shape=None,
    ):
        if graph.current() is None:
            raise RuntimeError(
                "tf.Variable not supported when eager execution is enabled. Please use tf.contrib.eager.Variable instead"
            )
        if variable_def is not None:
            self._from_proto(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        self._settle(trainable, name, constraint, synchronization, aggregation)
        with graph.init_scope():
            self._make(initial_value, name, dtype, shape, validate_shape, caching_device)
            self._enter_collections(collections)

    def _make(self, initial_value, name, dtype, shape, validate_shape, caching_device):
        g = self._graph = graph.current()
        with g.name_scope(name or "Variable") as scope:
            own = scope.rstrip("/")
            by_call = callable(initial_value)
            with (
                g.name_scope("Initializer") if by_call else variables._nothing(),
                g.device(None) if by_call else variables._nothing(),
            ):
                value = self._initial_value = variables._initial_tensor(initial_value, dtype, "initial_value")
            if value.op._context is not None:
                raise ValueError(
                    f"Initializer for variable {scope} is from inside a control-flow construct, such as a loop or conditional. "
                    "When creating a variable inside a loop or conditional, use a lambda as the initializer."
                )
            self._dtype = value.dtype.base_dtype
            self._shape = value.shape if validate_shape else tensor_shape.TensorShape(None)
            if shape is not None:
                self._shape = tensor_shape.as_shape(shape)
            if validate_shape and not value.shape.is_fully_defined() and shape is None:
                raise ValueError(f"initial_value must have a shape specified: {value}")
            self._variable = op("VariableV2")(shape=self._shape, dtype=self._dtype, container=g._container, name=scope)
            with g.colocate_with(self._variable.op):
                self._initializer = op("Assign")(self._variable, value, validate_shape=validate_shape, name="Assign").op
            with (
                g.control_dependencies(None),
                g.device(caching_device) if caching_device else g.colocate_with(self._variable.op),
            ):
                self._snapshot = op("Identity")(self._variable, name="read")
        self._name, self._unique_id = own, own
        self._caching = caching_device

    def _from_proto(self, variable_def, import_scope):
        g = self._graph = graph.current()
        prefix = import_scope + "/" if import_scope else ""
        self._settle(variable_def.trainable, None, None, None, None)
        self._variable = g.as_graph_element(prefix + variable_def.variable_name)
        self._initializer = g.as_graph_element(prefix + variable_def.initializer_name)
        name = variable_def.initial_value_name
        self._initial_value = g.as_graph_element(prefix + name) if name else None
        self._snapshot = g.as_graph_element(prefix + variable_def.snapshot_name)
        self._name = self._unique_id = self._variable.op.name
        self._dtype, self._shape, self._caching = self._variable.dtype.base_dtype, self._variable.shape, None

    name = property(lambda self: self._variable.name)
    dtype = property(lambda self: self._variable.dtype)
    device = property(lambda self: self._variable.device)
    op = property(lambda self: self._variable.op)
    _shared_name = property(lambda self: self._name)

    def _ref(self):
        return self._variable

    def _as_graph_element(self):
        return self._variable

    def _dense(self):
        """Its value: as it is at the step's beginning, or after an op has written it for which what is made now waits."""
        g = graph.current()
        if g is None:
            return self._snapshot
        if g._controls and g._context is None and g is self._variable.graph and self._is_written_by(g._controls):
            with g.name_scope(None), g.colocate_with(self._variable.op):
                return op("Identity")(self._variable, name=f"{self._variable.op.name}/read")
        return g.enter(self._snapshot)

    def _is_written_by(self, levels) -> bool:
        """Whether one of the operations that control_dependencies() has, or one near before it, changes the variable."""
        queue = [o for level in levels for o in level.ops]
        seen = set(queue)
        at = 0
        while at < len(queue) and at < _SEARCHED:
            o = queue[at]
            at += 1
            before = list(o.inputs)
            if o.type not in _READERS and any(t.op is self._variable.op for t in before):
                return True
            for found in (*o.control_inputs, *(t.op for t in before)):
                if found not in seen:
                    seen.add(found)
                    queue.append(found)
        return False

    def value(self):
        return self._snapshot

    def read_value(self):
        """The value now, as a tensor."""
        return op("Identity")(self._variable, name="read")

    def is_initialized(self, name=None):
        return op("IsVariableInitialized")(self._variable, name=name)

    def _assign(self, name, value, use_locking, node_name, read_value):
        value = value._dense() if isinstance(value, variables.Variable) else value
        made = op(name)(self._variable, value, use_locking=bool(use_locking), name=node_name)
        return made if read_value else made.op

    def assign(self, value, use_locking=False, name=None, read_value=True):
        """Gives it another value: the tensor that has it."""
        return self._assign("Assign", value, use_locking, name, read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._assign("AssignAdd", delta, use_locking, name, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._assign("AssignSub", delta, use_locking, name, read_value)

    def _scatter(self, name, slices, use_locking):
        return op(name)(self._variable, slices.indices, slices.values, use_locking=use_locking)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterAdd", sparse_delta, use_locking)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterSub", sparse_delta, use_locking)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterMax", sparse_delta, use_locking)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterMin", sparse_delta, use_locking)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterMul", sparse_delta, use_locking)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterDiv", sparse_delta, use_locking)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterUpdate", sparse_delta, use_locking)

    def batch_scatter_update(self, sparse_delta, use_locking=False, name=None):
        from ..ops.state_ops import batch_scatter_update

        return batch_scatter_update(self, sparse_delta.indices, sparse_delta.values, use_locking, name)

    def scatter_nd_add(self, indices, updates, name=None):
        return op("ScatterNdAdd")(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return op("ScatterNdSub")(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_update(self, indices, updates, name=None):
        return op("ScatterNdUpdate")(self._variable, indices, updates, use_locking=True, name=name)

    def _assign_slice(self, key, value):
        *ends, masks = tensor.slice_arguments(key)
        return op("StridedSliceAssign")(self._variable, *ends, value, **masks)

    def sparse_read(self, indices, name=None):
        return op("GatherV2")(self._dense(), indices, 0, name=name)

    def gather_nd(self, indices, name=None):
        return op("GatherNd")(self._dense(), indices, name=name)

    def count_up_to(self, limit):
        return op("CountUpTo")(self._variable, limit=limit)

    def to_proto(self, export_scope=None):
        from . import messages

        if export_scope is not None and not self._name.startswith(export_scope):
            return None

        def short(text):
            return text[len(export_scope) + 1 :] if export_scope else text

        return messages.VariableDef(
            variable_name=short(self._variable.name),
            initializer_name=short(self._initializer.name),
            initial_value_name=short(self._initial_value.name) if self._initial_value is not None else "",
            snapshot_name=short(self._snapshot.name),
            trainable=self._trainable,
        )
