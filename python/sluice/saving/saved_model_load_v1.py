"""Saved models of TensorFlow 1 as tf.saved_model.load gives them: functions over the graph, with variables that live outside."""

from __future__ import annotations

import inspect
import itertools
import os

from ..core import dtypes, func_graph, graph, messages, nest, scopes, tensor, tensor_shape, variables
from ..core.capturable_resource import Asset
from ..core.graph_keys import GraphKeys
from ..core.import_graph import import_graph_def
from ..core.op_defs import op
from ..core.trackable import AutoTrackable
from ..core.type_spec import TensorSpec
from ..core.wrapped_function import WrappedFunction
from . import saved_model_constants as names, signatures, source_lines
from .reference_variables import to_resources
from .saved_model_load import parse_saved_model
from .saved_model_loader import assets_of, find_meta_graph, init_op_name
from .signature_defs import get_tensor_from_tensor_info, shape_in
from ..core.structured_values import shape_of

_numbers = itertools.count()


class UnliftableError(Exception):
    """A signature depends on a placeholder that it does not feed."""


class _Signature(signatures.SignatureFunction, WrappedFunction):
    """A signature of a graph of TensorFlow 1."""

    _tells_names = True
    _keyword_kind = inspect.Parameter.POSITIONAL_OR_KEYWORD


def load(folder, tags, options):
    """The root of what is loaded: signatures, variables, graph, prune, restore, initializer, asset_paths."""
    model = parse_saved_model(folder)
    if tags is None:
        if len(model.meta_graphs) != 1:
            own = [list(m.meta_info_def.tags) for m in model.meta_graphs]
            raise ValueError(
                "Importing a SavedModel with `tf.saved_model.load` requires a `tags=` argument if there is more than one "
                f"MetaGraph. Got `tags=None`, but there are {len(model.meta_graphs)} MetaGraphs in the SavedModel with tag "
                f"sets: {own}. Pass a `tags=` argument to load this SavedModel."
            )
        meta_graph = model.meta_graphs[0]
    else:
        meta_graph = find_meta_graph(model, tags)
    return _Loader(folder, meta_graph, options).load()


class _Loader:
    def __init__(self, folder, meta_graph, options):
        self.folder, self.meta_graph, self.options = folder, meta_graph, options
        self.graph_def, self.references = to_resources(meta_graph.graph_def)
        self.nodes = {n.name: n for n in self.graph_def.node}

    def load(self):
        root = AutoTrackable()
        self.variables: list = []
        body = self.body = func_graph.FuncGraph("wrapped_function", graph.current(), orders_effects=False)
        body._collections = {}
        mapped = self._map_variables(body)
        with body.as_default():
            import_graph_def(self.graph_def, input_map=mapped, name="")
        lines = source_lines.read(self.folder)
        source_lines.give(body, source_lines.places(lines).get(""))
        for v in self.variables:
            body.note_variable(v)
        body.inputs = []
        self.wrapped = WrappedFunction(
            f"__wrapped_saved_model_{next(_numbers)}", body, None, ((), {}), [], nodes=[], captures=[]
        )
        self.wrapped._keeps = list(self.variables)
        restored = self._restore(root)
        paths = assets_of(self.meta_graph, self.folder)
        assets = {name: Asset(path) for name, path in paths.items()}
        self._initialize(root, assets, restored)
        root.asset_paths = list(assets.values())
        made = signatures.SignatureMap()
        for key in sorted(self.meta_graph.signature_def):
            if key not in (names.INIT_OP_SIGNATURE_KEY, names.TRAIN_OP_SIGNATURE_KEY):
                made._add_signature(key, self._signature(self.meta_graph.signature_def[key], assets))
        root.signatures = made
        root.variables = self.variables
        info = self.meta_graph.meta_info_def
        root.__dict__.update(
            tensorflow_version=info.tensorflow_version,
            tensorflow_git_version=info.tensorflow_git_version,
            graph=body,
            prune=self.wrapped.prune,
            graph_debug_info=lines,
        )
        return root

    # ---- variables

    def _definitions(self):
        """(VariableDef, the collections that it is in) of each variable, once."""
        within, found = {}, {}
        for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
            if key not in self.meta_graph.collection_def:
                continue
            for data in self.meta_graph.collection_def[key].bytes_list.value:
                made = messages.VariableDef.FromString(data)
                found.setdefault(made.variable_name, made)
                within.setdefault(made.variable_name, set()).add(key)
        return [(d, within[name]) for name, d in found.items()]

    def _map_variables(self, body):
        """Makes the variables; what stands for their handles in the graph."""
        mapped, known = {}, set()
        self.local: list = []  # (variable, the name of its initializer)
        self.hidden = []  # those that were reference variables, or are in no collection
        has_trainable = _version(self.meta_graph.meta_info_def.tensorflow_version) >= (1, 8)
        for definition, collections in self._definitions():
            name = definition.variable_name.partition(":")[0]
            trainable = definition.trainable if has_trainable else GraphKeys.TRAINABLE_VARIABLES in collections
            if name not in self.nodes or self.nodes[name].op != "VarHandleOp":
                continue
            known.add(name)
            is_local = GraphKeys.GLOBAL_VARIABLES not in collections
            v = self._variable(name, trainable, GraphKeys.LOCAL_VARIABLES if is_local else GraphKeys.GLOBAL_VARIABLES)
            if is_local:
                self.local.append((v, definition.initializer_name))
            (self.hidden if name in self.references else self.variables).append(v)
            self._hold(body, mapped, name, v)
        for name, node in self.nodes.items():
            if node.op == "VarHandleOp" and name not in known:
                v = self._variable(name, False)
                self.hidden.append(v)
                self._hold(body, mapped, name, v)
        return mapped

    def _hold(self, body, mapped, name, v):
        with body.as_default():
            mapped[name + ":0"] = body.enter(v.handle)
        body.__dict__.setdefault("_held_variables", []).append(v)

    def _variable(self, name, trainable, collection=GraphKeys.GLOBAL_VARIABLES):
        attrs = self.nodes[name].attr
        dtype, shape = dtypes.as_dtype(attrs["dtype"].type), shape_of(attrs["shape"].shape)
        g = graph.current()
        if g is None:
            handle = op("VarHandleOp")(dtype=dtype, shape=shape, shared_name=variables._ANONYMOUS)
            label = scopes.current_name_scope() + name
        else:
            with g.name_scope(name) as scope:
                label = scope.rstrip("/")
                handle = op("VarHandleOp")(dtype=dtype, shape=shape, shared_name=label, name=scope)
        made = variables.ResourceVariable.of_handle(handle, dtype, shape, label, trainable)
        if g is not None:
            g.add_to_collection(collection, made)
        return made

    # ---- values

    def _restore(self, root):
        saver = self.meta_graph.saver_def
        prefix = os.path.join(self.folder, names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)
        if not saver.filename_tensor_name:
            root.__dict__["restore"] = _no_saver
            return None
        body = self.body
        filename = body.as_graph_element(saver.filename_tensor_name)
        operation = body.as_graph_element(saver.restore_op_name)
        # The filename is of any type of op: a placeholder takes its place.
        restore = self.wrapped.prune([filename], [operation])

        def restore_from(path):
            return _ran(restore, [tensor_of(os.fspath(path))])

        root.__dict__["restore"] = restore_from
        if self.options.experimental_skip_checkpoint or not os.path.exists(prefix + ".index"):
            return None
        done = restore_from(prefix)
        if graph.current() is not None:
            for v in [*self.variables, *self.hidden]:
                v._initializer = done
            for v, name in self.local:
                v._initializer = _ran(self.wrapped.prune([], [self.body.as_graph_element(name)]), [])
        return done

    def _initialize(self, root, assets, restored):
        name = init_op_name(self.meta_graph)
        if not name:
            return
        operation = self.body.as_graph_element(name)
        operation = operation.op if isinstance(operation, tensor.Tensor) else operation
        feeds = [self.body.as_graph_element(n) for n in assets]
        init = self.wrapped.prune(feeds, [operation])
        root.__dict__["initializer"] = init
        with scopes.control_dependencies([restored] if restored is not None and graph.current() is not None else None):
            done = _ran(init, [a.asset_path for a in assets.values()])
        if graph.current() is not None:
            graph.current().add_to_collection(GraphKeys.TABLE_INITIALIZERS, done)

    # ---- signatures

    def _signature(self, saved, assets):
        g, feeds, specs = self.body, [], {}
        for name in sorted(saved.inputs):
            info = saved.inputs[name]
            for label, t in _parts(name, info, g):
                feeds.append(t)
                shape = shape_in(info) if t.name == info.name else t.shape
                specs[label] = TensorSpec(_merged(t.shape, shape), t.dtype, label)
        outputs = {name: get_tensor_from_tensor_info(info, g) for name, info in sorted(saved.outputs.items())}
        try:
            pruned = self.wrapped.prune(feeds + [g.as_graph_element(n) for n in assets], outputs)
        except ValueError as error:
            raise UnliftableError(
                "A SavedModel signature needs an input for each placeholder the signature's outputs use. An output for "
                f"signature '{saved.method_name}' depends on a placeholder which is not an input (i.e. the placeholder is not "
                f"fed a value).\n\nUnable to lift tensor: {error}"
            ) from None
        made = _Signature.__new__(_Signature)
        made.__dict__.update(pruned.__dict__)
        made._pruned = pruned  # the library forgets its function with it
        _feed_assets(made, len(feeds), [a.asset_path for a in assets.values()])
        made.structured_input_signature = ((), specs)
        made._parameters = []
        made._arg_keywords, made._num_positional_args = list(specs), len(specs)
        made._specs = list(specs.values())
        _tell_shapes(made, saved, outputs)
        return made


def _feed_assets(made, n, paths):
    """Arguments after the first n are files: they are captured."""
    extra = made._own_inputs[n:]
    made._own_inputs = made._own_inputs[:n]
    made._captures = list(zip(paths, extra)) + made._captures
    made._captured = list(paths) + list(made._captured)


def _tell_shapes(made, saved, outputs):
    """Outputs have the shapes that the signature tells of them."""
    flat = iter(made._outputs)
    for name in outputs:
        count = len(nest.flatten(outputs[name], expand_composites=True))
        parts = [next(flat) for _ in range(count)]
        info = saved.outputs[name]
        if count == 1 and info.HasField("tensor_shape"):
            parts[0]._shape = _merged(parts[0].shape, shape_in(info))


def _merged(own, told):
    try:
        return own.merge_with(told)
    except ValueError:
        return tensor_shape.as_shape(told)


def _parts(name, info, g):
    """(argument's name, tensor) of the tensors of an input."""
    kind = info.WhichOneof("encoding")
    if kind == "name":
        return [(name, g.as_graph_element(info.name))]
    if kind == "coo_sparse":
        coo = info.coo_sparse
        return [
            (f"{name}_indices", g.as_graph_element(coo.indices_tensor_name)),
            (f"{name}_values", g.as_graph_element(coo.values_tensor_name)),
            (f"{name}_dense_shape", g.as_graph_element(coo.dense_shape_tensor_name)),
        ]
    components = info.composite_tensor.components
    return [(f"{name}_component_{i}", g.as_graph_element(c.name)) for i, c in enumerate(components)]


def _version(text) -> tuple[int, int]:
    """The first two numbers of a version; of none the newest."""
    parts = [p for p in text.split(".")[:2] if p.isdigit()]
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 else (99, 0)


def _no_saver(path):
    raise ValueError("Can not restore a checkpoint: the SavedModel has no saver.")


def tensor_of(value):
    return tensor.convert(value) if graph.current() is None else graph.into(graph.current(), value)


def _ran(function, arguments):
    """Runs a function for its effects; in a graph gives its operation."""
    g = graph.current()
    before = set(g.get_operations()) if g is not None else ()
    function.call_flat(arguments)
    return None if g is None else [o for o in g.get_operations() if o not in before][-1]
