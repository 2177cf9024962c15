"""What packages ask of the graph that is being built, of static values, of variables and of names, under private names."""

from __future__ import annotations

import contextlib
import itertools
import threading

from .. import _native
from ..compat import v1
from ..core import (
    device_spec,
    dtypes,
    graph,
    messages,
    modes,
    nest,
    op_defs,
    scopes,
    static_values,
    structured_values,
    tensor,
    tensor_shape,
    type_spec,
)
from ..core.op_defs import op
from ..ops import array_ops

EAGER_MODE, GRAPH_MODE = 1, 0
DEFAULT_GRAPH_SEED = 87654321
float32_ref, float64_ref, int32_ref, int64_ref = (
    dtypes.as_dtype(d.as_datatype_enum + 100) for d in (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
)

# ---- the context


class Context:
    """How this process executes, as packages ask for it."""

    executing_eagerly = staticmethod(scopes.executing_eagerly)
    device = staticmethod(scopes.device)
    scope_name = property(lambda self: scopes.current_name_scope())

    @property
    def device_name(self):
        return get_device_name()

    @property
    def device_spec(self):
        return device_spec.as_spec(get_device_name() or "")

    def num_gpus(self):
        return num_gpus()

    def ensure_initialized(self):
        """There is nothing to wait for."""

    def list_logical_devices(self, device_type=None):
        from .. import config

        return config.list_logical_devices(device_type)

    def clear_kernel_cache(self):
        """Kernels of eager ops are kept by the op: there is nothing to forget."""

    def add_function_def(self, fdef):
        raise NotImplementedError("context().add_function_def: functions are made by tf.function")


_context = Context()
_uids = itertools.count(1)


def context():
    return _context


def ensure_initialized():
    """There is nothing to wait for."""


def async_wait():
    """Eager ops have run when their call returns."""


def _reset_context():
    """Random numbers begin anew, and devices may be configured once more; until then all stays."""
    from ..ops import random_seeds
    from ..platform import config

    random_seeds.set_seed(None)
    config.begin_anew()


def in_eager_mode():
    return scopes.executing_eagerly()


def in_graph_mode():
    return not scopes.executing_eagerly()


@contextlib.contextmanager
def eager_mode():
    """What is within runs at once."""
    with graph.outside():
        yield


@contextlib.contextmanager
def graph_mode():
    """What is within makes nodes of the default graph."""
    with graph.in_default() if graph.current() is None else graph.entered(graph.default_graph()):
        yield


def num_gpus():
    return sum(kind == "GPU" for _, kind, *_ in _native.devices())


def get_device_name():
    """The device that a `tf.device` scope asks for, or None."""
    name = _native.set_device("")
    _native.set_device(name)
    return name or None


def get_config():
    """Options of sessions."""
    return v1.ConfigProto()


def disable_op_determinism():
    """Results do not depend on the number of threads, asked or not."""


def is_op_determinism_enabled():
    return True


def list_local_devices(session_config=None):
    """The devices of this process, as messages."""
    from ..core import messages

    made = []
    for name, kind, *_ in _native.devices():
        device = messages.DeviceAttributes()
        device.name, device.device_type = name, kind
        made.append(device)
    return made


class NullContextmanager:
    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return False


# ---- tensors


def convert_to_tensor(
    value,
    dtype=None,
    name=None,
    as_ref=False,
    preferred_dtype=None,
    dtype_hint=None,
    ctx=None,
    accepted_result_types=None,
):
    """tf.convert_to_tensor, with the parameters of all versions."""
    return v1.convert_to_tensor(value, dtype=dtype, name=name, preferred_dtype=preferred_dtype, dtype_hint=dtype_hint)


def convert_to_tensor_or_composite(value, dtype=None, name=None):
    """Composite tensors stay as they are."""
    if nest.spec_of(value) is not None:
        if dtype is not None and value.dtype != dtypes.as_dtype(dtype):
            raise RuntimeError(
                f"Tensor conversion dtype mismatch. Requested dtype is {dtype}, Tensor has dtype {value.dtype}: {value!r}"
            )
        return value
    return v1.convert_to_tensor(value, dtype=dtype, name=name)


def is_tf_type(x):
    """Whether x is a tensor, a composite tensor or a variable."""
    return array_ops.is_tensor(x)


is_dense_tensor_like = is_tf_type


def register_dense_tensor_like_type(tensor_type):
    """Classes that convert to tensors need no registration."""


def numpy_text(tensor, is_repr=False):
    """The text of a tensor's values."""
    from ..core import tensor as tensors

    if tensor.dtype.is_numpy_compatible:
        value = tensors.to_numpy(tensor)
        text = repr(value) if is_repr else str(value)
    else:
        text = "<unprintable>"
    return "\n" + text if "\n" in text else text


def try_evaluate_constant(tensor):
    """The value of a tensor of a graph, if it is known; else None."""
    return static_values.known_value(tensor)


def constant_value_as_shape(tensor):
    """The shape that a vector has as its value, as far as that is known."""
    if isinstance(tensor, tensor_shape.TensorShape):
        return tensor
    t = v1.convert_to_tensor(tensor)
    value = static_values.known_value(t, partial=True)
    if value is None:
        return tensor_shape.TensorShape([None] * t.shape[0] if t.shape.rank == 1 and t.shape[0] is not None else None)
    return tensor_shape.TensorShape([None if v is None or int(v) < 0 else int(v) for v in value])


def as_shape(shape):
    return tensor_shape.as_shape(shape)


def as_dimension(value):
    return tensor_shape.Dimension(value) if not isinstance(value, tensor_shape.Dimension) else value


def unknown_shape(rank=None, **kwargs):
    return tensor_shape.TensorShape(None if rank is None else [None] * rank)


def _tensor_shape_tensor_conversion_function(s, dtype=None, name=None, as_ref=False):
    """The sizes of a shape as a tensor."""
    return v1.convert_to_tensor(s, dtype=dtype, name=name)


def prevent_gradient(input, message="", name=None):
    """The input. A gradient through it is an error that says the message."""
    return op("PreventGradient")(input, message=message, name=name)


def shape_internal(input, name=None, optimize=True, out_type=None):
    """The shape as a tensor."""
    return v1.shape(input, name=name, out_type=out_type or dtypes.int32)


def tensor_equals(self, other):
    return self == other


def _bucketize(input, boundaries, name=None):
    """The number of the bucket of each value, by ascending boundaries."""
    return op("Bucketize")(input, boundaries=list(boundaries), name=name)


# ---- control flow


def smart_constant_value(pred):
    """A bool if the value is known, else None. TypeError for what is no bool."""
    if isinstance(pred, (bool, int)) and pred in (0, 1):
        return bool(pred)
    if not isinstance(pred, tensor.Tensor) and not hasattr(pred, "dtype"):
        raise TypeError(
            f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Received: pred={pred} of type {type(pred)}"
        )
    value = static_values.known_value(pred)
    return None if value is None else bool(value)


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """Calls one of both functions if the condition is known, else makes a conditional."""
    if not callable(true_fn) or not callable(false_fn):
        which = "true_fn" if not callable(true_fn) else "false_fn"
        raise TypeError(f"Argument `{which}` must be callable.")
    known = smart_constant_value(pred)
    if known is None:
        return v1.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """tf.case, where conditions that are known are Python's."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    known = [smart_constant_value(p) for p, _ in pairs]
    if None in known:
        return v1.case(pairs, default=default, exclusive=exclusive, name=name)
    for value, (_, function) in zip(known, pairs):
        if value:
            return function()
    return default() if default is not None else pairs[-1][1]()


def with_dependencies(dependencies, output_tensor, name=None):
    """The tensor, after the dependencies have run."""
    if scopes.executing_eagerly():
        return output_tensor
    with v1.name_scope(name, "control_dependency", [*dependencies, output_tensor]) as scope:
        with scopes.control_dependencies(dependencies):
            if isinstance(output_tensor, tensor.Tensor):
                return v1.identity(output_tensor, name=scope)
            return nest.map_structure(v1.identity, output_tensor, expand_composites=True)


def EnableControlFlowV2(graph):
    """Whether conditionals and loops of a graph are functional."""
    return modes.control_flow_v2 or graph.building_function


def GraphOrParentsInXlaContext(graph):
    return False


def IsInXLAContext(op):
    return False


InXlaContext = GraphOrParentsInXlaContext


def pfor(loop_fn, iters, fallback_to_while_loop=True, parallel_iterations=None, warn=False):
    """loop_fn(i) for each i below iters, stacked."""
    return v1.vectorized_map(loop_fn, v1.range(iters), fallback_to_while_loop=fallback_to_while_loop)


def for_loop(loop_fn, loop_fn_dtypes, iters, parallel_iterations=None):
    """The same as a loop."""
    return v1.map_fn(loop_fn, v1.range(iters), dtype=loop_fn_dtypes, parallel_iterations=parallel_iterations)


def get_backward_walk_ops(seed_ops, inclusive=True, **options):
    """The operations that seeds depend on. Of the options `within_ops` and `stop_at_ts` are there."""
    unknown = set(options) - {"within_ops", "stop_at_ts"}
    if unknown:
        raise NotImplementedError(f"get_backward_walk_ops: {', '.join(sorted(unknown))}")
    within, stop = options.get("within_ops"), {t.ref() for t in options.get("stop_at_ts", ())}
    waiting = [s.op if isinstance(s, tensor.Tensor) else s for s in nest.flatten(seed_ops)]
    seeds, found = list(waiting), []
    while waiting:
        node = waiting.pop(0)
        if any(node is f for f in found) or (within is not None and not any(node is w for w in within)):
            continue
        found.append(node)
        waiting += [t.op for t in node.inputs if t.ref() not in stop]
    return found if inclusive else [f for f in found if not any(f is s for s in seeds)]


# ---- names and graphs


def uid():
    """A number that no other call gets."""
    return next(_uids)


def get_name_scope():
    return scopes.get_current_name_scope()


def name_from_scope_name(name):
    return name[:-1] if name and name[-1] == "/" else name


def _get_graph_from_inputs(op_input_list, graph=None):
    """The graph of the inputs, or the default graph."""
    if graph is not None:
        return graph
    for value in nest.flatten(op_input_list, expand_composites=True):
        if (found := getattr(value, "graph", None)) is not None and not isinstance(value, tensor.EagerTensor):
            return found
    return v1.get_default_graph()


def enabled():
    """Whether TensorFlow 2's behaviour is on: tf2.enabled()."""
    return modes.eager and modes.control_flow_v2 and modes.resource_variables


# ---- variables


def is_resource_variable(var):
    from ..core import variables

    return isinstance(var, variables.ResourceVariable) or (hasattr(var, "_should_act_as_resource_variable"))


def variable_accessed(variable):
    """Tells tapes of a use of the variable."""
    variable.read_value()


def resource_scatter_add(resource, indices, updates, name=None):
    return op("ResourceScatterAdd")(resource, indices, updates, name=name)


def convert_variables_to_tensors(values):
    """The structure with the values of its variables."""
    from ..core import variables

    return nest.map_structure(lambda v: v1.convert_to_tensor(v) if isinstance(v, variables.Variable) else v, values)


def shared_resources():
    return v1.get_collection("resources")


def initialize_resources(resource_list, name="init"):
    """An operation that makes the resources."""
    return v1.group(*[r.create for r in resource_list], name=name) if resource_list else v1.no_op(name=name)


def report_uninitialized_resources(resource_list=None, name="report_uninitialized_resources"):
    """The names of the resources that do not exist yet."""
    if resource_list is None:
        resource_list = [*shared_resources(), *v1.get_collection("local_resources")]
    with v1.name_scope(name):
        if not resource_list:
            return v1.constant([], dtypes.string)
        missing = v1.logical_not(v1.stack([r.is_initialized for r in resource_list]))
        return v1.boolean_mask(v1.constant([r.handle.name for r in resource_list]), missing)


# ---- specs of types, and messages


def name_of_spec(cls):
    """The name under which a class of specs is registered."""
    return structured_values.registered_name(cls)


def spec_of_name(name):
    """The class of specs that is registered under a name."""
    if name not in type_spec.registered_classes:
        getattr(v1, name.removeprefix("tf."), None)  # whose module registers it
    if name not in type_spec.registered_classes:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}")
    return type_spec.registered_classes[name]


def encode_structure(nested_structure):
    """A structure of values and specs as a message."""
    return structured_values.encode(nested_structure)


def decode_proto(proto):
    """The structure of a message."""
    return structured_values.decode(proto)


class StructureCoder:
    """The same as methods."""

    encode_structure = staticmethod(encode_structure)
    decode_proto = staticmethod(decode_proto)


def make_composite_tensor(cls, module_name="tf.linalg"):
    """Linear operators are composite tensors: a class of them needs nothing more."""
    return cls


# ---- files


def write_string_to_file(filename, file_content):
    from ..files.gfile import GFile

    with GFile(filename, "w") as f:
        f.write(file_content)


def read_file_to_string(filename, binary_mode=False):
    from ..files.gfile import GFile

    with GFile(filename, "rb" if binary_mode else "r") as f:
        return f.read()


# ---- graphs' variables by name

_kept = threading.local()


@contextlib.contextmanager
def with_variable_store(store):
    """Within it tf.compat.v1.get_variable makes and finds variables in the store."""
    from ..ops import variable_scope

    with variable_scope.kept_variables(store):
        yield


# ---- metrics


def remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, name=None):
    """Labels and predictions of ranks that fit: a last dimension of one goes where a rank is one too many."""
    from ..ops import weights_broadcast

    return weights_broadcast.remove_squeezable_dimensions(labels, predictions, expected_rank_diff)


# ---- AutoGraph


class SourceTransformer:
    """A base of packages' own transformers of source."""

    def __init__(self, ctx):
        raise NotImplementedError(
            "tensorflow.python.autograph.pyct.transformer.Base: functions are converted by tf.function"
        )


class ApiDefMap:
    """The ops that there are, and their OpDefs by name (KeyError for one that is not there)."""

    def op_names(self):
        return op_defs.names()

    def get_op_def(self, op_name):
        if op_name not in op_defs.names():
            raise KeyError(f"There is no op {op_name!r}")
        made = messages.OpDef()
        made.ParseFromString(_native.op_def(op_name))
        return made


def OptimizeGraph(config_proto, metagraph, verbose=True, graph_id=b"graph_to_optimize", cluster=None, strip_default_attributes=False):
    """The graph of a MetaGraphDef as it is: graphs are optimised when they run."""
    return metagraph.graph_def
