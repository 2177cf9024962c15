"""tf.saved_model.save: a graph of objects with its functions, as files that TensorFlow reads, too.

EXPORT_DIR/saved_model.pb       a MetaGraphDef: a graph that serves the signatures, the functions, and the graph of objects
           variables/           the values, a checkpoint of the same graph of objects
           assets/              files that the model uses
           debug/               the lines of the program that made the nodes, where SaveOptions ask for them
"""

from __future__ import annotations

import inspect
import logging
import os
import uuid

from ..core import dtypes, graph, messages, nest, scopes, tensor, variables
from ..core.capturable_resource import Asset, TrackableConstant
from ..core.concrete_function import ConcreteFunction
from ..core.function import Function
from ..core.op_defs import op
from ..core.trackable import SAVEDMODEL, Trackable, TrackableReference
from ..core.type_spec import TensorSpec, TypeSpec
from ..core.variable_spec import VariableSpec
from ..files import gfile
from ..internal.identity import ObjectIdentityDictionary
from . import checkpoint, fingerprints, saved_model_constants as names, signatures as signature_rules, source_lines
from .object_graph import Node, ObjectGraphView, tracked
from .signature_defs import tensor_info
from ..core.structured_values import encode, shape_message, tensor_of

FULL_ARG_SPEC = ("args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations")


def save(obj, export_dir, signatures=None, options=None):
    """Writes an object with its variables, functions and assets to a folder.

    signatures: a tf.function with an input signature, a concrete function, or a dictionary of such by key; without any the
    only function with an input signature and results serves. ValueError when there is nothing that can be saved.

    tf.saved_model.save(module, "/tmp/module")
    """
    save_and_return_nodes(obj, export_dir, signatures, options)


def save_and_return_nodes(obj, export_dir, signatures=None, options=None, experimental_skip_checkpoint=False):
    """The same. Gives the objects that were saved, in the order of their nodes, and the path of each from the first one: a tuple
    of TrackableReferences."""
    options = options or names.SaveOptions()
    if not isinstance(obj, Trackable):
        raise ValueError(
            f"Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for export. Got {obj} with type {type(obj)}."
        )
    if graph.current() is not None and graph.current().building_function:
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced @tf.function. Move the call to the outer eagerly-executed context."
        )
    folder = os.fspath(export_dir)
    exporter = _Exporter(obj, signatures, options)
    meta_graph = exporter.meta_graph()
    gfile.makedirs(os.path.join(folder, names.VARIABLES_DIRECTORY))
    gfile.makedirs(os.path.join(folder, names.ASSETS_DIRECTORY))
    exporter.write_assets(os.path.join(folder, names.ASSETS_DIRECTORY))
    prefix = os.path.join(folder, names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)
    if not experimental_skip_checkpoint:
        checkpoint.write_nodes(exporter.nodes, prefix, options)
    made = messages.SavedModel(saved_model_schema_version=names.SAVED_MODEL_SCHEMA_VERSION, meta_graphs=[meta_graph])
    write_saved_model(folder, made)
    if options.save_debug_info:
        write_debug_info(folder, source_lines.debug_info(exporter.graph, exporter.functions.values()))
    fingerprints.write(folder, made, prefix)
    return [n.obj for n in exporter.nodes], _paths(exporter.nodes)


def _paths(nodes):
    """By a node's object its path: the names on the way from the first one, and what they lead to."""
    paths = {0: ()}
    for node in nodes:
        for number, name in node.children if node.number in paths else ():
            if number not in paths:
                paths[number] = (*paths[node.number], TrackableReference(name, nodes[number].obj))
    made = ObjectIdentityDictionary()
    for number, path in paths.items():
        made[nodes[number].obj] = path
    return made


def write_saved_model(folder, message):
    """Writes the file of a SavedModel, whole or not at all."""
    path = os.path.join(folder, names.SAVED_MODEL_FILENAME_PB)
    with gfile.GFile(path + ".tmp", "wb") as f:
        f.write(message.SerializeToString(deterministic=True))
    gfile.rename(path + ".tmp", path, overwrite=True)


def write_debug_info(folder, message):
    """Writes the lines of the program beside the SavedModel."""
    gfile.makedirs(os.path.join(folder, names.DEBUG_DIRECTORY))
    with gfile.GFile(os.path.join(folder, names.DEBUG_DIRECTORY, names.DEBUG_INFO_FILENAME_PB), "wb") as f:
        f.write(message.SerializeToString(deterministic=True))


class _Root(ObjectGraphView):
    """The view of what is saved: the object, and its signatures in place of those that it was loaded with."""

    def __init__(self, root, signature_map, children, shared):
        self._shared = shared
        super().__init__(root, [(signature_rules.ATTRIBUTE, signature_map)])
        self._cache = {id(root): tracked({**children, signature_rules.ATTRIBUTE: signature_map})}

    def children(self, obj, save_type=SAVEDMODEL, **kwargs):
        found = self._cache.get(id(obj))
        if found is None:
            found = self._cache[id(obj)] = super().children(obj, SAVEDMODEL, cache=self._shared, **kwargs)
        return found


class _Exporter:
    def __init__(self, root, signatures, options):
        self.options = options
        shared = ObjectIdentityDictionary()  # what objects of packages keep while they are asked for their children
        children = root._trackable_children(SAVEDMODEL, cache=shared)  # once: properties may give functions
        found = signature_rules.canonical(signatures, children)
        self.signatures = {key: signature_rules.wrap(key, f) for key, f in found.items()}
        made = signature_rules.attach(root, children, self.signatures)
        self.nodes = _Root(root, made, children, shared).nodes()
        self.numbers = {id(n.obj): n.number for n in self.nodes}
        self.graph = graph.Graph()
        self.inside: dict[int, tensor.Tensor] = {}  # id of a value that functions capture -> it in the graph
        self.owners: dict[int, int] = {}  # the same -> number of the node that has it
        self.constants: list[tuple[object, str]] = []  # (value, name of its node in the graph)
        self.assets: dict[str, tuple[int, str]] = {}  # path -> (number, name of the file)
        self.asset_infos: list = []
        self.asset_values: list = []  # (path's tensor, the variable of the graph that has it)
        self.initializers: list = []
        self._kept: list = []
        self.extra: list[str] = []  # names of the constants that no object has
        self._add_savers()
        self.functions = self._functions()
        with graph.init_scope(), self.graph.as_default():
            self._add_objects()
            self._add_constants()
            self.initializers += self._initialize_resources()

    # ---- functions

    def _add_savers(self):
        """Functions that save and restore the values of resources, for those who load the model."""
        self.savers: dict[int, tuple[str, int, int]] = {}
        self.table_values: list = []  # (keys in the checkpoint, types, number of the node that restores)
        for node in [n for n in self.nodes if self._is_resource(n)]:
            name = getattr(node.obj, "_values_name", None)
            if name is None or not node.obj._has_values():
                continue
            first, values = len(self.nodes), node.obj._serialize_to_tensors()
            for i, f in enumerate(_saving_functions(node.obj, name)):
                self.nodes.append(Node(f, first + i, ""))
            self.savers[node.number] = name, first, first + 1
            self.table_values.append(([node.key(n) for n in values], [t.dtype for t in values.values()], first + 1))

    def _functions(self) -> dict[str, ConcreteFunction]:
        """All concrete functions by name."""
        found, untraced = {}, []
        self.traces: dict[int, list] = {}
        for node in self.nodes:
            if isinstance(node.obj, ConcreteFunction):
                node.obj = _with_variable_arguments(node.obj)
                found[node.obj.name] = node.obj
            elif isinstance(node.obj, Function):
                traces = [_with_variable_arguments(t) for t in signature_rules.list_traces(node.obj)]
                self.traces[node.number] = traces
                found.update((t.name, t) for t in traces)
                if not traces:
                    untraced.append(node.obj._name)
        for aliased in self.options.function_aliases.values():
            for f in _traces_of(aliased):
                found.setdefault(f.name, f)
        if untraced:
            shown = untraced[:5]
            logging.getLogger("absl").info(
                "Found untraced functions such as %s while saving (showing %d of %d). These functions will not be directly "
                "callable after loading.",
                ", ".join(shown),
                len(shown),
                len(untraced),
            )
        return found

    # ---- the graph

    def _own(self, value, made, number):
        self.inside[id(value)], self.owners[id(value)] = made, number
        self._kept.append(value)

    def _add_objects(self):
        shared: dict[str, int] = {}
        self.handles = []
        for node in self.nodes:
            obj = node.obj
            if (variable := variables.variable_of(obj)) is not None:
                obj = variable
                base = obj.name.partition(":")[0]
                n = shared[base] = shared.get(base, -1) + 1
                name = f"{base}_{n}" if n else base
                handle = op("VarHandleOp")(dtype=obj.dtype, shape=obj.shape, shared_name=name, name=name)
                op("ReadVariableOp")(handle, dtype=obj.dtype, name=f"{name}/Read/ReadVariableOp")
                if id(obj.handle) not in self.inside:
                    self._own(obj.handle, handle, node.number)
                self.handles.append((node, handle))
            elif isinstance(obj, Asset):
                self._own(obj.asset_path, self._asset(obj), node.number)
            elif isinstance(obj, TrackableConstant):
                self._own(obj.capture, self._constant(obj.capture), node.number)
        for node in self.nodes:
            handle = node.obj.resource_handle if self._is_resource(node) else None
            if handle is not None and id(handle) not in self.inside:
                create = _trace(self._children(node)["_create_resource"])
                self._own(handle, create.call_flat([]), node.number)

    def _is_resource(self, node) -> bool:
        """Whether it has functions that make it where the model is loaded."""
        return "_create_resource" in self._children(node)

    def _children(self, node):
        return {name: self.nodes[number].obj for number, name in node.children}

    def _asset(self, obj):
        path = _path_of(obj)
        if path not in self.assets:
            taken = {name for _, name in self.assets.values()}
            base = name = os.path.basename(path)
            n = 0
            while name in taken:
                n += 1
                name = f"{base}_{n}"
            number = len(self.assets)
            self.assets[path] = number, name
        number, name = self.assets[path]
        if number == len(self.asset_infos):
            initial = op("Placeholder")(dtype=dtypes.string, shape=[], name="asset_path_initializer")
            holder = op("VarHandleOp")(
                dtype=dtypes.string, shape=[], shared_name=f"asset_{uuid.uuid4().hex}", name="asset"
            )
            self.initializers.append(op("AssignVariableOp")(holder, initial))
            self.asset_infos.append(
                (messages.AssetFileDef(tensor_info=messages.TensorInfo(name=initial.name), filename=name), holder)
            )
        self.asset_values.append((obj.asset_path, self.asset_infos[number][1]))
        return op("ReadVariableOp")(self.asset_infos[number][1], dtype=dtypes.string)

    def _constant(self, value):
        made = graph.constant_node(self.graph, _simple(value))
        self.constants.append((value, made.op.name))
        return made

    def _add_constants(self):
        """What functions captured and no object has: constants; resources must be known."""
        for f in self.functions.values():
            for value, argument in f._captures:
                if id(value) in self.inside:
                    continue
                if _simple(value) is None:
                    raise ValueError(
                        f"Attempted to save a function {f.name!r} which references a symbolic Tensor {value} that is not a simple "
                        "constant. This is not supported."
                    )
                if value.dtype in (dtypes.resource, dtypes.variant):
                    self._refuse(f, value, argument)
                self._own(value, self._constant(value), len(self.nodes) + len(self.extra))
                self.extra.append(self.constants[-1][1])

    def _refuse(self, f, value, argument):
        raise AssertionError(
            "Tried to export a function which references an 'untracked' resource. TensorFlow objects (e.g. tf.Variable) captured "
            "by functions must be 'tracked' by assigning them to an attribute of a tracked object or assigned to an attribute of "
            f"the main object directly. See the information below:\n\tFunction name = {f.name}\n\tCaptured Tensor = {value}\n"
            f"\tTrackable referencing this tensor = <unknown>\n\tInternal Tensor = {argument}"
        )

    def call(self, f, arguments):
        """A call of a concrete function in the graph: what it captured is what stands for it here."""
        captured, f._captured = f._captured, [self.inside[id(v)] for v, _ in f._captures]
        try:
            return f.call_flat(arguments)
        finally:
            f._captured = captured

    def _initialize_resources(self):
        """Calls that fill the resources. They read the paths of files after these were assigned."""
        elsewhere = dict(self.inside)
        with scopes.control_dependencies(self.initializers):
            for value, holder in self.asset_values:
                self.inside[id(value)] = op("ReadVariableOp")(holder, dtype=dtypes.string)
        known = set(self.graph.get_operations())
        for node in self.nodes:
            initialize = self._children(node).get("_initialize") if self._is_resource(node) else None
            if initialize is not None:
                self.call(_trace(initialize), [])
        self.inside = elsewhere
        new = [o for o in self.graph.get_operations() if o not in known]
        return [o for o in new if o.type.endswith("PartitionedCall")]

    # ---- the message

    def meta_graph(self):
        made = messages.MetaGraphDef()
        with graph.init_scope(), self.graph.as_default():
            for f in self.functions.values():
                self.graph.use_function(f)
            for key in sorted(self.signatures):
                self._add_signature(key, self.signatures[key], made)
            self._add_initializer(made)
            if not self.options.experimental_skip_saver:
                self._add_saver(made)
        info = made.meta_info_def
        info.tags.append(names.SERVING)
        info.tags.extend(t for t in self.options.extra_tags or () if t != names.SERVING)
        info.tensorflow_version, info.tensorflow_git_version = "2.21.0", "unknown"
        info.stripped_default_attrs = False
        for alias, aliased in self.options.function_aliases.items():
            for f in _traces_of(aliased):
                info.function_aliases[f.name] = alias
        made.graph_def.CopyFrom(self.graph.as_graph_def())
        self._add_ops(made)
        made.asset_file_def.extend(info for info, _ in self.asset_infos)
        self._add_object_graph(made.object_graph_def)
        return made

    def _add_ops(self, made):
        used = {n.op for n in made.graph_def.node}
        used.update(n.op for f in made.graph_def.library.function for n in f.node_def)
        own = {f.signature.name for f in made.graph_def.library.function}
        from .. import _native

        for name in sorted(used - own):
            data = _native.op_def(name)
            if data is not None:
                made.meta_info_def.stripped_op_list.op.add().MergeFromString(data)

    def _add_signature(self, key, f, made):
        sig = made.signature_def[key]
        sig.method_name = names.PREDICT_METHOD_NAME
        arguments = []
        for name, t in zip(f._arg_keywords, f._own_inputs):
            arguments.append(op("Placeholder")(dtype=t.dtype, shape=t.shape, name=f"{key}_{name}"))
            sig.inputs[name].CopyFrom(tensor_info(arguments[-1]))
        results = self.call(f, arguments) or {}
        for name, value in results.items():
            sig.outputs[name].CopyFrom(tensor_info(value))

    def _add_initializer(self, made):
        from ..ops.control_flow_ops import group

        init = group(*self.initializers) if self.initializers else op("NoOp")()
        made.collection_def[names.MAIN_OP_KEY].node_list.value.append(init.name)
        info = made.signature_def[names.INIT_OP_SIGNATURE_KEY].outputs[names.INIT_OP_SIGNATURE_KEY]
        info.name = init.name
        info.tensor_shape.unknown_rank = True

    def _add_saver(self, made):
        """Ops that save and restore the variables, for loaders that know graphs alone."""
        filename = op("Placeholder")(dtype=dtypes.string, shape=[], name="saver_filename")
        keys = [node.key("VARIABLE_VALUE") for node, _ in self.handles]
        kinds = [variables.variable_of(node.obj).dtype for node, _ in self.handles]
        none = [""] * len(keys)
        done, assigned, values = [], [], []
        if keys:
            values = [op("ReadVariableOp")(h, dtype=d) for (_, h), d in zip(self.handles, kinds)]
            restored = op("RestoreV2")(filename, keys, none, dtypes=kinds)
            assigned = [op("AssignVariableOp")(h, v) for (_, h), v in zip(self.handles, restored)]
        for table_keys, table_kinds, restorer in self.table_values:
            parts = self.call(
                self.nodes[restorer - 1].obj, [graph.into(self.graph, "", dtypes.string.as_datatype_enum)]
            )
            keys, values = keys + table_keys, values + [part["tensor"] for part in parts]
            restored = op("RestoreV2")(filename, table_keys, [""] * len(table_keys), dtypes=table_kinds)
            assigned.append(self.call(self.nodes[restorer].obj, list(restored)))
        if keys:
            done = [op("SaveV2")(filename, keys, [""] * len(keys), values)]
        with scopes.control_dependencies(done):
            saved = op("Identity")(filename, name="saver_save")
        with scopes.control_dependencies(assigned):
            restore = op("NoOp")(name="saver_restore_all")
        made.saver_def.filename_tensor_name = filename.name
        made.saver_def.save_tensor_name = saved.name
        made.saver_def.restore_op_name = restore.name
        made.saver_def.version = messages.SaverDef.V2

    # ---- the graph of objects

    def _add_object_graph(self, made):
        for node in self.nodes:
            part = made.nodes.add()
            for number, name in node.children:
                part.children.add(node_id=number, local_name=name)
            for variable, name, slot in node.slots:
                part.slot_variables.add(original_variable_node_id=variable, slot_name=name, slot_variable_node_id=slot)
            self._fill(part, node)
        for name in self.extra:
            made.nodes.add().constant.operation = name
        for name, f in self.functions.items():
            saved = made.concrete_functions[name]
            saved.bound_inputs.extend(self.owners[id(v)] for v, _ in f._captures)
            args, kwargs = f.structured_input_signature
            try:
                saved.canonicalized_input_signature.CopyFrom(encode((tuple(args), dict(kwargs))))
            except NotImplementedError as error:
                logging.getLogger("absl").info("The signature of %s cannot be saved: %s", name, error)
                saved.canonicalized_input_signature.CopyFrom(encode((tuple(f._specs), {})))
            saved.output_signature.CopyFrom(encode(_output_specs(f)))

    def _fill(self, part, node):
        obj = node.obj
        if node.number in self.savers:
            name, save_function, restore_function = self.savers[node.number]
            part.saveable_objects[name].save_function = save_function
            part.saveable_objects[name].restore_function = restore_function
        if (variable := variables.variable_of(obj)) is not None:
            _fill_variable(part.variable, variable, self.options)
        elif isinstance(obj, Asset):
            part.asset.asset_file_def_index = self.assets[_path_of(obj)][0]
            part.asset.SetInParent()
        elif isinstance(obj, Function):
            part.function.concrete_functions.extend(t.name for t in self.traces[node.number])
            _fill_spec(part.function.function_spec, obj)
        elif isinstance(obj, ConcreteFunction):
            bare = part.bare_concrete_function
            bare.concrete_function_name = obj.name
            bare.argument_keywords.extend(obj._arg_keywords)
            bare.allowed_positional_arguments = obj._num_positional_args
            bare.function_spec.fullargspec.CopyFrom(encode(_arg_spec_of(obj)))
            bare.function_spec.input_signature.none_value.SetInParent()
        elif isinstance(obj, TrackableConstant):
            part.constant.operation = next(name for value, name in self.constants if value is obj.capture)
        elif self._is_resource(node):
            part.resource.device = getattr(obj, "_resource_device", "") or ""
            part.resource.SetInParent()
        else:
            part.user_object.identifier = obj._object_identifier
            part.user_object.version.producer = part.user_object.version.min_consumer = 1

    def write_assets(self, folder):
        for path, (_, name) in self.assets.items():
            gfile.copy(path, os.path.join(folder, name), overwrite=True)


def _saving_functions(obj, name):
    """(a function of a key that gives what is saved, a function of what was saved that restores it)."""
    kept: list = []

    def save_fn(checkpoint_key):
        values = obj._serialize_to_tensors()
        kept[:] = [(n, t.dtype) for n, t in values.items()]
        return [
            {"name": op("StringJoin")([checkpoint_key, n[len(name) :]]), "slice_spec": "", "tensor": t}
            for n, t in values.items()
        ]

    def restore_fn(*restored_tensors):
        obj._restore_from_tensors(dict(zip([n for n, _ in kept], restored_tensors)))
        return 1

    save_key = TensorSpec([], dtypes.string, "checkpoint_key")
    saver = Function(save_fn, autograph=False).get_concrete_function(save_key)
    specs = [TensorSpec(None, dtype, f"restored_tensors_{i}") for i, (_, dtype) in enumerate(kept)]
    return saver, Function(restore_fn, autograph=False).get_concrete_function(*specs)


def _with_variable_arguments(f):
    """A concrete function that was traced with variables as arguments takes them as arguments, not from outside."""
    args, kwargs = f.structured_input_signature
    given = [v for v in nest.flatten((args, kwargs)) if isinstance(v, variables.Variable)]
    if not given:
        return f
    handles = {id(v.handle): argument for v, argument in zip(given, [None] * len(given))}
    handles.update({id(value): argument for value, argument in f._captures if id(value) in handles})
    if any(argument is None for argument in handles.values()):
        return f  # one is not used: a call gives nothing for it
    own, inputs = iter(f._own_inputs), []
    for leaf in nest.flatten((args, kwargs)):
        if isinstance(leaf, variables.Variable):
            inputs.append(handles[id(leaf.handle)])
        elif isinstance(leaf, TypeSpec):
            inputs.extend(next(own) for _ in leaf.flatten())
    numbers = {id(v): i for i, v in enumerate(given)}

    def spec(leaf):
        return VariableSpec.from_value(leaf, numbers[id(leaf)]) if isinstance(leaf, variables.Variable) else leaf

    made = ConcreteFunction(
        f"{f.name}_of_variables",
        f.graph,
        f._structure,
        nest.map_structure(spec, (tuple(args), dict(kwargs))),
        f._parameters,
        inputs=inputs,
        captures=[(value, argument) for value, argument in f._captures if id(value) not in handles],
        controls=f.graph.control_outputs,
    )
    made._arg_keywords = [n for n, v in zip(f._parameters, args) if isinstance(v, (variables.Variable, TypeSpec))]
    made._arg_keywords = made._arg_keywords if len(made._arg_keywords) == len(inputs) else [t.op.name for t in inputs]
    return made


def _simple(value):
    """A captured value as an eager tensor, which it is, or is a constant of a graph of; else None."""
    if isinstance(value, tensor.EagerTensor):
        return value
    if isinstance(value, graph.SymbolicTensor) and value.op.type == "Const":
        return tensor_of(value.op.node_def.attr["value"].tensor)
    return None


def _traces_of(function) -> list:
    if isinstance(function, ConcreteFunction):
        return [function]
    if isinstance(function, (list, tuple)):
        return [t for f in function for t in _traces_of(f)]
    return signature_rules.list_traces(function)


def _trace(function):
    return function if isinstance(function, ConcreteFunction) else _traces_of(function)[0]


def _path_of(asset) -> str:
    path = asset.asset_path
    if not isinstance(path, tensor.EagerTensor):
        return asset._path
    return os.path.abspath(path.numpy().decode())


def _output_specs(f):
    """The structure of a function's results, with names of the places in it where it has none."""
    structure = f._output_specs()
    if f._tells_names:
        return structure

    def named(path, leaf):
        if not isinstance(leaf, TensorSpec):
            return leaf
        name = "_".join(map(str, path)) or "unknown"
        return TensorSpec(leaf.shape, leaf.dtype, f"tensor_{name}" if name[0].isdigit() else name)

    leaves = [named(path, leaf) for path, leaf in nest.flatten_with_path(structure)]
    return nest.pack_sequence_as(structure, leaves)


def _fill_variable(made, v, options):
    made.dtype = v.dtype.as_datatype_enum % 100
    made.shape.CopyFrom(shape_message(v.shape))
    made.trainable = bool(v.trainable)
    made.synchronization = getattr(v.synchronization, "value", 0) or 0
    made.aggregation = getattr(v.aggregation, "value", 0) or 0
    made.name = v.name.partition(":")[0]
    if options.experimental_variable_policy is not names.VariablePolicy.NONE:
        made.device = v.device or ""


def full_arg_spec(function):
    """inspect.FullArgSpec of a tf.function's Python function, without `self`; with an input signature, *args has a name for each."""
    signature = function._signature
    kinds = {p.kind: [] for p in signature.parameters.values()}
    for p in signature.parameters.values():
        kinds[p.kind].append(p)
    positional = kinds.get(inspect.Parameter.POSITIONAL_ONLY, []) + kinds.get(
        inspect.Parameter.POSITIONAL_OR_KEYWORD, []
    )
    keyword = kinds.get(inspect.Parameter.KEYWORD_ONLY, [])
    names = [p.name for p in positional]
    rest = next((p.name for p in kinds.get(inspect.Parameter.VAR_POSITIONAL, ())), None)
    if rest is not None and function.input_signature is not None:
        names += [f"{rest}_{i}" for i in range(len(function.input_signature) - len(names))]
        rest = None
    defaults = tuple(p.default for p in positional if p.default is not p.empty)
    keyword_defaults = {p.name: p.default for p in keyword if p.default is not p.empty}
    return inspect.FullArgSpec(
        names,
        rest,
        next((p.name for p in kinds.get(inspect.Parameter.VAR_KEYWORD, ())), None),
        defaults or None,
        [p.name for p in keyword],
        keyword_defaults or None,
        {},
    )


def _arg_spec_of(trace):
    """The same of one trace: its parameters, without defaults."""
    args, kwargs = trace.structured_input_signature
    names = [n for n in trace._parameters if n not in kwargs]
    several = len(args) > len(names)
    positional = [*names[:-1]] if several else names[: len(args)]
    rest = (names[-1] if names else "args") if several else None
    return inspect.FullArgSpec(positional, rest, None, None, list(kwargs), None, {})


def _fill_spec(made, function):
    try:
        made.fullargspec.CopyFrom(encode(full_arg_spec(function)))
    except NotImplementedError:  # a default that cannot be saved: the function is called with all its arguments
        made.fullargspec.CopyFrom(encode(full_arg_spec(function)._replace(defaults=None, kwonlydefaults=None)))
    signature = function.input_signature
    made.input_signature.CopyFrom(encode(None if signature is None else tuple(signature)))
    if function._jit_compile is not None:
        made.jit_compile = messages.FunctionSpec.ON if function._jit_compile else messages.FunctionSpec.OFF
