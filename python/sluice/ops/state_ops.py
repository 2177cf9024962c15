"""Functions of variables: initialising, assigning, scattering, and placeholders, which state of a graph begins with."""

from __future__ import annotations

from ..core import dtypes, graph, scopes, tensor_shape, variables
from ..core.graph_keys import GraphKeys
from ..core.op_defs import op
from ..core.ref_variables import RefVariable

Variable = variables.Variable


# ---- placeholders


def placeholder(dtype, shape=None, name=None):
    """A tensor that every step has to be fed. RuntimeError in eager code."""
    if scopes.executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    if isinstance(shape, (list, tuple)) and any(isinstance(d, int) and d < 0 for d in shape):
        raise ValueError(f"Dimensions of a placeholder must be >= 0 or None, got {shape}")
    return op("Placeholder")(dtype=dtypes.as_dtype(dtype), shape=tensor_shape.as_shape(shape), name=name)


def placeholder_with_default(input, shape, name=None):
    """A tensor that a step may be fed; else it is the input."""
    return op("PlaceholderWithDefault")(input, shape=tensor_shape.as_shape(shape), name=name)


# ---- collections of variables


def global_variables(scope=None):
    """Variables that are saved, and shared between sessions."""
    return graph.default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables():
    """The same, as it was called before."""
    return global_variables()


def local_variables(scope=None):
    return graph.default_graph().get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope=None):
    return graph.default_graph().get_collection(GraphKeys.MODEL_VARIABLES, scope)


def trainable_variables(scope=None):
    return graph.default_graph().get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def moving_average_variables(scope=None):
    return graph.default_graph().get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


# ---- initialising


def variables_initializer(var_list, name="init"):
    """An operation that gives all of them their initial values."""
    if scopes.executing_eagerly():
        from .control_flow_ops import no_op

        return no_op(name)
    return _all_of([v.initializer for v in var_list], name)


def _all_of(operations, name):
    if graph.current() is None:
        return None  # eagerly all of it has happened
    with graph.current().control_dependencies(operations):
        return op("NoOp")(name=name)


def global_variables_initializer():
    """An operation that initialises all global variables."""
    if scopes.executing_eagerly():
        return None
    return variables_initializer(global_variables())


def local_variables_initializer():
    """An operation that initialises all local variables."""
    if scopes.executing_eagerly():
        return None
    return variables_initializer(local_variables())


def initialize_variables(var_list, name="init"):
    return variables_initializer(var_list, name)


def initialize_all_variables():
    return global_variables_initializer()


def initialize_local_variables():
    return local_variables_initializer()


def is_variable_initialized(ref, name=None):
    """Whether a variable has a value."""
    return ref.is_initialized(name) if isinstance(ref, Variable) else op("IsVariableInitialized")(ref, name=name)


def assert_variables_initialized(var_list=None):
    """An operation that fails with FailedPreconditionError when one has no value."""
    var_list = [*global_variables(), *local_variables()] if var_list is None else var_list
    if not var_list:
        return None
    reads = [v.read_value() for v in var_list]
    return _all_of([t.op for t in reads], "assert_variables_initialized")


def report_uninitialized_variables(var_list=None, name="report_uninitialized_variables"):
    """The names of those that have no value: a vector of texts."""
    from . import array_ops

    var_list = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    with scopes.name_scope_v1(name):
        if not var_list:
            return array_ops.constant([], dtype=dtypes.as_dtype("string"))
        missing = op("LogicalNot")(array_ops.stack([v.is_initialized() for v in var_list]))
        names = array_ops.constant([v.op.name for v in var_list])
        return array_ops.boolean_mask(names, missing)


# ---- assigning


def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    """Gives a variable, or a reference to one, another value."""
    if isinstance(ref, RefVariable) or not isinstance(ref, Variable):
        target = ref._ref() if isinstance(ref, Variable) else ref
        return op("Assign")(
            target, value, validate_shape=validate_shape is not False, use_locking=use_locking is not False, name=name
        )
    return ref.assign(value, name=name)


def assign_add(ref, value, use_locking=None, name=None):
    """Adds to a variable."""
    return ref.assign_add(value, name=name) if isinstance(ref, Variable) else op("AssignAdd")(ref, value, name=name)


def assign_sub(ref, value, use_locking=None, name=None):
    """Subtracts from a variable."""
    return ref.assign_sub(value, name=name) if isinstance(ref, Variable) else op("AssignSub")(ref, value, name=name)


def count_up_to(ref, limit, name=None):
    """Counts a variable one up; OutOfRangeError at the limit."""
    return ref.count_up_to(limit) if isinstance(ref, Variable) else op("CountUpTo")(ref, limit=limit, name=name)


def _scatter(kind, doc, nd=False):
    def scatter(ref, indices, updates, use_locking=True if nd else False, name=None):
        if isinstance(ref, variables.ResourceVariable):
            return ref._written(op("Resource" + kind)(ref._here(), indices, ref._to_write(updates), name=name))
        target = ref._ref() if isinstance(ref, Variable) else ref
        return op(kind)(target, indices, updates, use_locking=use_locking, name=name)

    scatter.__doc__ = doc
    return scatter


scatter_add = _scatter("ScatterAdd", "Adds rows of updates to those that the indices name.")
scatter_sub = _scatter("ScatterSub", "Subtracts rows of updates from those that the indices name.")
scatter_mul = _scatter("ScatterMul", "Multiplies the rows that the indices name by rows of updates.")
scatter_div = _scatter("ScatterDiv", "Divides the rows that the indices name by rows of updates.")
scatter_min = _scatter("ScatterMin", "Takes the lesser of the rows that the indices name and rows of updates.")
scatter_max = _scatter("ScatterMax", "Takes the larger of the rows that the indices name and rows of updates.")
scatter_update = _scatter("ScatterUpdate", "Puts rows of updates in place of those that the indices name.")
scatter_nd_add = _scatter("ScatterNdAdd", "Adds updates at positions.", True)
scatter_nd_sub = _scatter("ScatterNdSub", "Subtracts updates at positions.", True)
scatter_nd_update = _scatter("ScatterNdUpdate", "Puts updates at positions.", True)


def batch_scatter_update(ref, indices, updates, use_locking=True, name=None):
    """scatter_update by batch: the last axis of the indices counts within the batch that the axes before it name."""
    from . import array_ops

    with scopes.name_scope_v1(name, "batch_scatter_update"):
        indices = array_ops.convert_to_tensor(indices)
        shape = array_ops.shape(indices)
        rank = indices.shape.rank
        if rank is None:
            raise ValueError("batch_scatter_update needs indices of known rank")
        parts = []
        for axis in range(rank - 1):
            ones = [1] * rank
            ones[axis] = -1
            line = array_ops.reshape(op("Range")(0, shape[axis], 1), ones)
            parts.append(op("BroadcastTo")(array_ops.cast(line, indices.dtype), shape))
        parts.append(indices)
        return scatter_nd_update(ref, array_ops.stack(parts, -1), updates, use_locking)


def initialize_all_tables(name="init_all_tables"):
    """An operation that fills all lookup tables."""
    return tables_initializer(name)


def tables_initializer(name="init_all_tables"):
    """An operation that fills all lookup tables of the graph."""
    found = graph.default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return _all_of(found, name)
