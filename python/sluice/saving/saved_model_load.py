"""tf.saved_model.load: the objects and functions of a saved model, whoever wrote it."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading

from ..core import dtypes, graph, messages, nest, scopes, tensor, variables
from ..core.capturable_resource import Asset, CapturableResource, TrackableConstant
from ..core.graph_keys import GraphKeys
from ..core.op_defs import op
from ..core.trackable import SAVEDMODEL, AutoTrackable
from ..core.trackable_structures import DictWrapper, ListWrapper
from ..core.type_spec import TypeSpec
from . import checkpoint, function_graphs, revived_types, saved_model_constants as names, signatures, source_lines
from .object_graph import ObjectGraphView
from .restored_function import RestoredFunction
from ..core.structured_values import decode, shape_of, tensor_of


def parse_saved_model(export_dir):
    """The SavedModel message of a folder. OSError when there is none."""
    folder = os.fspath(export_dir)
    path = os.path.join(folder, names.SAVED_MODEL_FILENAME_PB)
    if os.path.exists(path):
        with open(path, "rb") as f:
            data = f.read()
        try:
            return messages.SavedModel.FromString(data)
        except messages.DecodeError as error:
            raise OSError(f"Cannot parse file {path}: {error}.") from None
    text = os.path.join(folder, names.SAVED_MODEL_FILENAME_PBTXT)
    if os.path.exists(text):
        from ..core import message_text

        with open(text, encoding="utf-8") as f:
            try:
                return message_text.merge_text(f.read(), messages.SavedModel())
            except message_text.ParseError as error:
                raise OSError(f"Cannot parse file {text}: {error}.") from None
    raise OSError(
        f"SavedModel file does not exist at: {folder}{os.path.sep}{{{names.SAVED_MODEL_FILENAME_PBTXT}|"
        f"{names.SAVED_MODEL_FILENAME_PB}}}"
    )


def load(export_dir, tags=None, options=None):
    """The object that was saved in a folder: variables, functions and other objects are its attributes, and `signatures`
    has functions by key. A model of TensorFlow 1 has `signatures`, `variables`, `graph` and `prune`.

    tags: of the graph that is meant, when there are several.
    """
    return _load(export_dir, tags, options)[0]


def load_partial(export_dir, filters, tags=None, options=None):
    """Objects of a saved model by their paths ("root", "root.layers.a"), with what they lead to, as a dictionary.

    filters: paths with None, an object to be used for what was saved there, or (object, how a child is added to it). TypeError when
    it is no dictionary; ValueError for a path that is not in the model.
    """
    if not isinstance(filters, dict):
        raise TypeError(f"filters must be a dictionary of paths, got {filters!r}")
    found = {}

    def wanted(saved):
        found.update((path, _number(saved, path)) for path in filters)
        return {found[path]: value for path, value in filters.items() if value is not None}

    _, loader = _load(export_dir, tags, options, wanted)
    if loader is None:
        raise NotImplementedError("load_partial of a model of TensorFlow 1")
    return {path: loader.objects[number] for path, number in found.items()}


def _number(saved, path) -> int:
    """The number of the node to which a path leads."""
    root, *names_there = path.split(".")
    number = 0 if root == "root" else None
    for name in names_there:
        children = saved.nodes[number].children if number is not None else ()
        number = next((c.node_id for c in children if c.local_name == name), None)
    if number is None:
        raise ValueError(f"The path {path!r} is not in the saved model")
    return number


class _LoadOptions(threading.local):
    stack = ()


_load_options = _LoadOptions()


@contextlib.contextmanager
def load_context(load_options):
    """Models are loaded with these options within, where none are given."""
    before, _load_options.stack = _load_options.stack, (*_load_options.stack, load_options)
    try:
        yield
    finally:
        _load_options.stack = before


def get_load_options():
    """The options around, or None."""
    return _load_options.stack[-1] if _load_options.stack else None


def _load(export_dir, tags, options, wanted=None):
    options = options or get_load_options() or names.LoadOptions()
    folder = os.fspath(export_dir)
    if isinstance(tags, str):
        tags = [tags]
    model = parse_saved_model(folder)
    if len(model.meta_graphs) == 1 and model.meta_graphs[0].HasField("object_graph_def"):
        meta_graph = model.meta_graphs[0]
        if tags is not None and set(tags) != set(meta_graph.meta_info_def.tags):
            raise ValueError(
                f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {folder} has one MetaGraph with tags "
                f"{list(meta_graph.meta_info_def.tags)}. You may omit the argument, pass 'None', or pass matching tags."
            )
        with graph.init_scope():
            loader = _Loader(folder, meta_graph, options)
            root = loader.load(wanted)
        return root, loader
    from . import saved_model_load_v1

    with graph.init_scope():
        return saved_model_load_v1.load(folder, tags, options), None


_loads = itertools.count()


class _UserObject(AutoTrackable):
    """The base of objects that were of classes of the user's."""


class _RestoredResource(CapturableResource):
    """A resource that functions of the model make and fill."""

    def __init__(self, device=""):
        super().__init__(device)
        self._create = None

    def _create_resource(self):
        if self._create is None:
            raise RuntimeError("a saved resource without a function that makes it")
        return self._create()

    def _initialize(self):
        initialize = self.__dict__.get("_initialize_function")
        return initialize() if initialize is not None else None

    def _destroy_resource(self):
        destroy = self.__dict__.get("_saved_functions", {}).get("_destroy_resource")
        made = destroy() if destroy is not None else None
        # Its name is of this load alone: nobody finds it any more, and who has a handle keeps the resource.
        if self._resource_handle is not None and self._resource_handle.dtype == dtypes.resource:
            op("DestroyResourceOp")(self._resource_handle, ignore_lookup_error=True)
        return made

    def _add_trackable_child(self, name, value):
        if name == "_create_resource":
            self._create = value
        elif name == "_initialize":
            self.__dict__["_initialize_function"] = value
        elif name != "_destroy_resource":
            self._tracked_or_plain(name, value)
        self.__dict__.setdefault("_saved_functions", {})[name] = value

    def _tracked_or_plain(self, name, value):
        from ..core.trackable import Trackable

        if isinstance(value, Trackable):
            self._track_trackable(value, name, overwrite=True)
        self.__dict__[name] = value

    def _trackable_children(self, save_type="checkpoint", **kwargs):
        children = dict(self._self_children)
        if save_type == SAVEDMODEL:
            children.update(self.__dict__.get("_saved_functions", {}))
        return children

    def _lookup_dependency(self, name, cached_dependencies=None):
        return self._self_children.get(name)


class _LoadedAsset(Asset):
    """A file in the model's folder."""


class _Loader:
    def __init__(self, folder, meta_graph, options):
        self.folder, self.meta_graph, self.options = folder, meta_graph, options
        self.saved = meta_graph.object_graph_def
        self.lines = source_lines.read(folder)
        self.library = function_graphs.Library(
            meta_graph.graph_def.library, of_load=f"_load_{next(_loads)}", places=source_lines.places(self.lines)
        )
        self.objects: list = [None] * len(self.saved.nodes)
        self.functions: dict[str, object] = {}
        self.setters: dict[int, object] = {}  # of objects that were given: what adds a child
        self.by_name = {n.name: n for n in meta_graph.graph_def.node}

    def load(self, wanted=None):
        """The root, with all that it leads to."""
        for number, node in enumerate(self.saved.nodes):
            if node.WhichOneof("kind") not in ("function", "bare_concrete_function", "captured_tensor"):
                self.objects[number] = self._make(node)
        for number, obj in (wanted(self.saved) if wanted is not None else {}).items():
            self.objects[number], self.setters[number] = obj if isinstance(obj, tuple) else (obj, setattr)
        signature_functions = self._signature_functions()
        self._prepare_resources()
        for number, node in enumerate(self.saved.nodes):
            kind = node.WhichOneof("kind")
            if kind == "function":
                self.objects[number] = self._function(node.function, number)
            elif kind == "bare_concrete_function":
                self.objects[number] = self._bare(node.bare_concrete_function, number in signature_functions)
        for number, node in enumerate(self.saved.nodes):
            self._add_children(number, node)
        root = self.objects[0]
        self._restore(root)
        self._initialize_resources()
        info = self.meta_graph.meta_info_def
        root.__dict__["tensorflow_version"] = info.tensorflow_version
        root.__dict__["tensorflow_git_version"] = info.tensorflow_git_version
        root.__dict__["graph_debug_info"] = self.lines
        if self.options.experimental_load_function_aliases:
            root.__dict__["function_aliases"] = self._aliases()
        return root

    # ---- objects

    def _make(self, node):
        kind = node.WhichOneof("kind")
        if kind == "variable":
            return self._variable(node.variable)
        if kind == "asset":
            name = self.meta_graph.asset_file_def[node.asset.asset_file_def_index].filename
            return _LoadedAsset(os.path.join(self.folder, names.ASSETS_DIRECTORY, name))
        if kind == "constant":
            value = tensor_of(self.by_name[node.constant.operation].attr["value"].tensor)
            return TrackableConstant(self._here(value))
        if kind == "resource":
            return _RestoredResource(node.resource.device)
        return self._user_object(node.user_object)

    @staticmethod
    def _here(value):
        """A constant as functions capture it: an eager tensor, or one of the graph that is built."""
        g = graph.current()
        return value if g is None else graph.constant_node(g, value)

    @staticmethod
    def _user_object(saved):
        identifier = saved.identifier
        if identifier in ("trackable_list_wrapper", "trackable_tuple_wrapper"):
            return ListWrapper()
        if identifier == "trackable_dict_wrapper":
            return DictWrapper()
        if identifier == "signature_map":
            return signatures.SignatureMap()
        if (made := revived_types.revived(saved)) is not None:
            return made
        return type("_UserObject", (_UserObject,), {})()

    def _variable(self, saved):
        shape, dtype = shape_of(saved.shape), dtypes.as_dtype(saved.dtype)
        if saved.experimental_distributed_variable_components and not saved.dtype:
            raise NotImplementedError("a saved variable of a distribution strategy")
        g, label = graph.current(), saved.name or "Variable"
        if g is None:
            handle = op("VarHandleOp")(dtype=dtype, shape=shape, shared_name=variables._ANONYMOUS)
            name = scopes.current_name_scope() + label
        else:
            with g.name_scope(label) as scope:
                name = scope.rstrip("/")
                handle = op("VarHandleOp")(dtype=dtype, shape=shape, shared_name=name, name=scope)
        made = variables.ResourceVariable.of_handle(handle, dtype, shape, name, saved.trainable)
        made._synchronization = variables.VariableSynchronization(saved.synchronization)
        made._aggregation = variables.VariableAggregation(saved.aggregation)
        if g is not None:
            g.add_to_collection(GraphKeys.GLOBAL_VARIABLES, made)
        return made

    def _signature_functions(self) -> set[int]:
        return {
            child.node_id
            for node in self.saved.nodes
            if node.user_object.identifier == "signature_map"
            for child in node.children
        }

    # ---- functions

    def _prepare_resources(self):
        """Functions that make resources, so that others can capture these."""
        for number, node in enumerate(self.saved.nodes):
            if node.WhichOneof("kind") != "resource":
                continue
            for child in node.children:
                if child.local_name == "_create_resource":
                    (name,) = self.saved.nodes[child.node_id].function.concrete_functions
                    create = self._concrete(name)
                    self.objects[number]._create = lambda f=create: f.call_flat([])

    def _captured(self, number):
        """The tensor of an object that a function captured."""
        obj = self.objects[number]
        if isinstance(obj, variables.Variable):
            return obj.handle
        if isinstance(obj, Asset):
            return obj.asset_path
        if isinstance(obj, TrackableConstant):
            return obj.capture
        if hasattr(obj, "resource_handle"):
            return obj.resource_handle
        raise NotImplementedError(f"a function captured {obj!r}, node {number} of the saved model")

    def _concrete(self, name, kind=None):
        """A concrete function by its name in the file, made once."""
        made = self.functions.get(name)
        if made is None:
            saved = self.saved.concrete_functions[name]
            args, kwargs = decode(saved.canonicalized_input_signature)
            bound = list(saved.bound_inputs)
            held = [self.objects[n] for n in bound]
            parameters = [_first_name(a, f"arg{i}") for i, a in enumerate(args)]
            made = self.functions[name] = function_graphs.concrete_function(
                self.library,
                name,
                [self._captured(n) for n in bound],
                (tuple(args), dict(kwargs)),
                decode(saved.output_signature),
                parameters,
                kind or signatures.ConcreteFunction,
                [v for v in held if isinstance(v, variables.Variable)],
            )
        return made

    def _function(self, saved, number):
        traces = [self._concrete(name) for name in saved.concrete_functions]
        name = self._name_of(number)
        made = RestoredFunction(name, traces, saved.function_spec)
        for trace in traces:
            trace._parameters = list(made._signature.parameters)
        return made

    def _name_of(self, number):
        names_there = (c.local_name for n in self.saved.nodes for c in n.children if c.node_id == number)
        return next(names_there, "restored_function")

    def _bare(self, saved, is_signature):
        kind = signatures.SignatureFunction if is_signature else None
        made = self._concrete(saved.concrete_function_name, kind)
        if saved.function_spec.HasField("fullargspec"):
            spec = decode(saved.function_spec.fullargspec)
            made._parameters = list(spec.args[1:] if saved.function_spec.is_method else spec.args)
            made._parameters += [spec.varargs] if spec.varargs else []
        made._arg_keywords = list(saved.argument_keywords)
        made._num_positional_args = saved.allowed_positional_arguments
        return made

    def _aliases(self):
        found: dict = {}
        for name, alias in self.meta_graph.meta_info_def.function_aliases.items():
            if name in self.saved.concrete_functions:
                found.setdefault(alias, []).append(name)
        functions = {
            tuple(sorted(n.function.concrete_functions)): self.objects[i]
            for i, n in enumerate(self.saved.nodes)
            if n.WhichOneof("kind") == "function"
        }
        made = {}
        for alias, traces in found.items():
            whole = functions.get(tuple(sorted(traces)))
            made[alias] = whole if whole is not None else [self._concrete(n) for n in traces]
        return made

    # ---- edges, values

    def _add_children(self, number, node):
        obj = self.objects[number]
        kind = node.WhichOneof("kind")
        if kind not in ("user_object", "resource", None):
            return
        for child in node.children:
            value, name = self.objects[child.node_id], child.local_name
            if value is None:
                continue
            if name == "__call__" and isinstance(obj, _UserObject):
                type(obj).__call__ = _call
            setter = self.setters.get(number)
            if setter is None and kind == "user_object":
                setter = revived_types.get_setter(node.user_object)
            if setter is None:
                obj._add_trackable_child(name, value)
            else:
                setter(obj, name, value)

    def _restore(self, root):
        prefix = os.path.join(self.folder, names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)
        if self.options.experimental_skip_checkpoint or not os.path.exists(prefix + ".index"):
            return
        status = checkpoint.restore(ObjectGraphView(root), prefix)
        if not self.options.allow_partial_checkpoint:
            status.assert_existing_objects_matched()
        if graph.current() is not None:
            self._restore_by_initializers(status._checkpoint, prefix)
        else:
            self._restore_by_functions(status._checkpoint)

    def _restore_by_functions(self, restoration):
        """Values of objects that have functions of the model to save and restore them."""
        for number, node in enumerate(self.saved.nodes):
            found = next((n for n, r in restoration.matched.items() if r() is self.objects[number]), None)
            if found is None:
                continue
            keys = {a.name: a.checkpoint_key for a in restoration.message.nodes[found].attributes}
            for name, saveable in node.saveable_objects.items():
                if name not in keys:
                    continue
                specs = self.objects[saveable.save_function].call_flat([tensor.convert(keys[name])])
                names_there = [spec["name"].numpy().decode() for spec in specs]
                if all(map(restoration.reader.has_tensor, names_there)):
                    self.objects[saveable.restore_function].call_flat(restoration.reader.read(names_there))

    def _restore_by_initializers(self, restoration, prefix):
        """In a graph, variables' initializers give them the values of the files."""
        for number, reference in restoration.matched.items():
            obj = reference()
            part = restoration.message.nodes[number]
            if isinstance(obj, variables.Variable) and part.attributes:
                key = part.attributes[0].checkpoint_key
                value = op("RestoreV2")(prefix, [key], [""], dtypes=[obj.dtype])[0]
                obj._initializer = op("AssignVariableOp")(obj.handle, value)

    def _initialize_resources(self):
        for obj in self.objects:
            if isinstance(obj, _RestoredResource):
                g = graph.current()
                before = set(g.get_operations()) if g is not None else ()
                obj._initialize()
                if g is not None:
                    made = [o for o in g.get_operations() if o not in before and o.type.endswith("PartitionedCall")]
                    g.add_to_collections([GraphKeys.TABLE_INITIALIZERS], made[-1]) if made else None


def _call(self, *args, **kwargs):
    return self.__dict__["__call__"](*args, **kwargs)


def _first_name(value, default):
    leaf = next((v for v in nest.flatten(value) if isinstance(v, TypeSpec)), None)
    return getattr(leaf, "name", None) or default
