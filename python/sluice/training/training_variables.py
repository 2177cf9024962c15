"""Variables that training adds to a program: slots, the global step; and what optimizers and their kin ask graphs for."""

from __future__ import annotations

import contextlib

from ..compat import v1
from ..core import dtypes, graph, scopes, tensor, tensor_shape, variables
from ..core.op_defs import op


def is_variable(value) -> bool:
    return isinstance(value, variables.Variable) or isinstance(value, v1.Variable)


def replicas() -> int:
    """How many replicas of the strategy in scope share the work."""
    try:
        return v1.distribute.get_strategy().num_replicas_in_sync
    except AttributeError:  # there are no strategies
        return 1


@contextlib.contextmanager
def named(name, default=None):
    """A scope of names that begins anew for each use of the default; in eager code none."""
    with v1.name_scope(name, default) if default is not None else scopes.name_scope(name) as scope:
        yield scope


def group(operations, name=None):
    """An operation that stands for all; None in eager code, where they have run."""
    operations = [o for o in operations if o is not None]
    return v1.group(*operations, name=name) if graph.current() is not None else None


def add_to(variable, amount, name=None):
    """Adds to a counter, and gives what stands for that."""
    amount = tensor.convert(amount, variable.dtype.base_dtype.as_datatype_enum)
    return (
        variable.assign_add(amount, name=name, read_value=False)
        if _counts(variable)
        else v1.assign_add(variable, amount)
    )


def _counts(variable) -> bool:
    return getattr(variable, "handle", None) is not None or not hasattr(variable, "_ref")


def add_to_collection_once(collection, value):
    """Puts the value into a collection of the current graph, unless it is there."""
    if all(v is not value for v in v1.get_collection_ref(collection)):
        v1.add_to_collection(collection, value)


# ---- slots


@contextlib.contextmanager
def _at_the_top():
    """Names that do not begin with the scopes around."""
    with contextlib.ExitStack() as stack:
        if graph.current() is not None:
            stack.enter_context(v1.name_scope(None))
            stack.enter_context(scopes.control_dependencies(None))
        yield


def variable(initial_value, name, trainable=False, use_resource=None, **options):
    """A variable with exactly this name, but for a number behind it when there is one already."""
    with _at_the_top():
        return v1.Variable(initial_value, name=name, trainable=trainable, use_resource=use_resource, **options)


def variable_here(initial_value, name, use_resource=None):
    """One whose name begins with the scopes around. It waits for nothing of the graph."""
    with scopes.control_dependencies(None) if graph.current() is not None else contextlib.nullcontext():
        return v1.Variable(initial_value, name=name, trainable=False, use_resource=use_resource)


def slot_name(primary, name):
    """The name of a slot: below the variable's own, which is below the scope of variables around."""
    own = getattr(primary, "_shared_name", None) or primary.name.partition(":")[0]
    around = v1.get_variable_scope().name if graph.current() is not None else ""
    return f"{around}/{own}/{name}" if around else f"{own}/{name}"


def slot(primary, name, val, shape=None, dtype=None):
    """A variable beside another: of its kind and place, named after it. val: a value, or an initializer(shape, dtype)."""
    if callable(val):
        made_of, initial = val, lambda: made_of(shape, dtype)
        static = tensor_shape.as_shape(shape).is_fully_defined()
    else:
        initial, static = val, True
    with scopes.colocate_with(primary):
        made = variable(
            initial,
            slot_name(primary, name),
            use_resource=getattr(primary, "handle", None) is not None,
            validate_shape=static and primary.get_shape().is_fully_defined(),
            dtype=dtype,
        )
    made_slice = getattr(primary, "_save_slice_info", None)
    if made_slice is not None and made.get_shape() == primary.get_shape():
        made._set_save_slice_info(_slice_of_slot(made_slice, name))
    return made


def _slice_of_slot(primary, name):
    """Where a partition's slot belongs in the slots of the whole variable."""
    return type(primary)(
        full_name=f"{primary.full_name}/{name}",
        full_shape=list(primary.full_shape),
        var_offset=list(primary.var_offset),
        var_shape=list(primary.var_shape),
    )


def zeros_slot(primary, name):
    """A slot of zeros."""
    dtype, shape = primary.dtype.base_dtype, primary.get_shape()
    if shape.is_fully_defined():
        return slot(primary, name, lambda shape, dtype: v1.zeros(shape, dtype), shape=shape, dtype=dtype)
    value = primary.initialized_value() if graph.current() is not None else primary.read_value()
    return slot(primary, name, op("ZerosLike")(tensor.convert(value)))


# ---- the global step

_STEPS, _STEP_COLLECTION, _READS = "global_step", "global_step", "global_step_read_op_cache"


def get_global_step(graph=None):
    """The graph's variable that counts steps, or None. TypeError when it is no scalar integer, RuntimeError when there are several."""
    graph = graph or v1.get_default_graph()
    found = graph.get_collection(_STEP_COLLECTION)
    if len(found) > 1:
        raise RuntimeError(f"Multiple items found in collection GLOBAL_STEP: {found}")
    if found:
        step = found[0]
    else:
        try:
            step = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(step)
    return step


def create_global_step(graph=None):
    """Makes the variable that counts steps. ValueError when there is one."""
    graph = graph or v1.get_default_graph()
    if get_global_step(graph) is not None:
        raise ValueError("'global_step' already exists.")
    return _make_global_step(graph)


def _make_global_step(graph):
    collections = [v1.GraphKeys.GLOBAL_VARIABLES, v1.GraphKeys.GLOBAL_STEP]
    if scopes.executing_eagerly():
        with scopes.device("cpu:0"):
            made = v1.get_variable(
                _STEPS, [], dtypes.int64, v1.zeros_initializer(), trainable=False, collections=collections
            )
        if all(v is not made for v in graph.get_collection(_STEP_COLLECTION)):
            graph.add_to_collection(_STEP_COLLECTION, made)
        return made
    with graph.as_default(), v1.name_scope(None):
        return v1.get_variable(
            _STEPS, [], dtypes.int64, v1.zeros_initializer(), trainable=False, collections=collections
        )


def get_or_create_global_step(graph=None):
    """The graph's variable that counts steps, made when there is none."""
    graph = graph or v1.get_default_graph()
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def assert_global_step(global_step_tensor):
    """TypeError unless it is a scalar integer: a variable, or a tensor."""
    if not (is_variable(global_step_tensor) or isinstance(global_step_tensor, tensor.Tensor)):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def global_step(sess, global_step_tensor):
    """The step as a number."""
    handle = getattr(global_step_tensor, "handle", global_step_tensor)
    is_eager = isinstance(handle, tensor.EagerTensor)
    return int(global_step_tensor.numpy() if is_eager else sess.run(global_step_tensor))


def read_global_step(graph=None):
    """A tensor of the step as it is before anything else of a run, made once a graph."""
    graph = graph or v1.get_default_graph()
    made = graph.get_collection(_READS)
    if made:
        return made[0]
    step = get_global_step(graph)
    if step is None:
        return None
    with graph.as_default(), v1.name_scope(None), v1.name_scope("global_step/"):
        value = step.initialized_value() if is_variable(step) else step
        made = value + 0
    graph.add_to_collection(_READS, made)
    return made
