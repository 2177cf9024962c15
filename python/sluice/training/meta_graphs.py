"""Meta graphs: a graph with its collections and saver, as a message or a file, and back."""

from __future__ import annotations

import os
import re

from ..compat import v1
from ..core import messages, scopes
from ..core.message_text import merge_text
from ..platform import logs
from ..saving import source_lines

_UNBOUND = "unbound_inputs"
_UNBOUND_PREFIX = "$unbound_inputs_"


def _variable_from_proto(proto, import_scope):
    return v1.Variable.from_proto(proto, import_scope=import_scope)


def _queue_runner_from_proto(proto, import_scope):
    from .queue_runner import QueueRunner

    return QueueRunner.from_proto(proto, import_scope=import_scope)


def _saver_from_proto(proto, import_scope):
    from .saver import Saver

    return Saver.from_proto(proto, import_scope=import_scope)


def _branch_from_proto(proto, import_scope):
    from ..ops import context_protos

    return context_protos.branch_from_proto(proto, import_scope)


def _loop_from_proto(proto, import_scope):
    from ..ops import context_protos

    return context_protos.loop_from_proto(proto, import_scope)


# Collections whose items are messages: key -> (the message, what makes an item of it).
_MESSAGES = {
    key: ("VariableDef", _variable_from_proto)
    for key in (
        "variables",
        "trainable_variables",
        "local_variables",
        "model_variables",
        "moving_average_variables",
        "global_step",
        "metric_variables",
        "concatenated_variables",
        "resources",
        "trainable_resource_variables",
    )
} | {
    "queue_runners": ("QueueRunnerDef", _queue_runner_from_proto),
    "savers": ("SaverDef", _saver_from_proto),
    "cond_context": ("CondContextDef", _branch_from_proto),
    "while_context": ("WhileContextDef", _loop_from_proto),
}


def in_scope(name, scope):
    """The name without the scope; None when it is outside."""
    if not scope:
        return name
    scope = scope.rstrip("/") + "/"
    name = name.removeprefix("^").removeprefix("loc:@")
    return name[len(scope) :] if name.startswith(scope) else None


def _strip(text, scope):
    """A name in the scope as an input or a colocation names it, without the scope."""
    for mark in ("^", "loc:@"):
        if text.startswith(mark):
            return mark + text[len(mark) :].removeprefix(scope.rstrip("/") + "/")
    return text.removeprefix(scope.rstrip("/") + "/")


def meta_graph_filename(checkpoint_filename, meta_graph_suffix="meta"):
    """The file of a checkpoint's meta graph: without the number of shards."""
    return re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename) + "." + meta_graph_suffix


# ---- making one


def _collection_def(key, values, export_scope):
    """The items of a collection as a CollectionDef; None when none can be told."""
    made = messages.CollectionDef()
    if key in _MESSAGES and all(hasattr(v, "to_proto") for v in values):
        found = [v.to_proto(export_scope=export_scope) for v in values]
        made.bytes_list.value.extend(m.SerializeToString() for m in found if m is not None)
        return made
    for value in values:
        if isinstance(value, (bytes, str)):
            made.bytes_list.value.append(value.encode() if isinstance(value, str) else value)
        elif hasattr(value, "type_url"):
            made.any_list.value.add().ParseFromString(value.SerializeToString())
        elif isinstance(value, bool) or not isinstance(value, (int, float)) and not hasattr(value, "name"):
            raise TypeError(f"an item of type {type(value).__name__}")
        elif isinstance(value, int):
            made.int64_list.value.append(value)
        elif isinstance(value, float):
            made.float_list.value.append(value)
        else:
            name = in_scope(value.name, export_scope)
            if name is not None:
                made.node_list.value.append(name)
    return made


def _ops_of(graph_def):
    names = {n.op for n in graph_def.node}
    for f in graph_def.library.function:
        names |= {n.op for n in f.node_def}
    return sorted(names - {f.signature.name for f in graph_def.library.function})


def stripped_op_list(graph_def):
    """The OpDefs of what a graph uses."""
    from .. import _native

    made = messages.OpList()
    for name in _ops_of(graph_def):
        data = _native.op_def(name)
        if data is not None:
            made.op.add().ParseFromString(bytes(data))
    return made


def create_meta_graph_def(
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    graph=None,
    export_scope=None,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
):
    """A MetaGraphDef of a graph, by default the current one, with its collections."""
    graph = graph or v1.get_default_graph()
    made = messages.MetaGraphDef()
    if meta_info_def is not None:
        made.meta_info_def.MergeFrom(meta_info_def)
    made.meta_info_def.tensorflow_version = v1.version.VERSION
    made.meta_info_def.tensorflow_git_version = v1.version.GIT_VERSION
    made.graph_def.MergeFrom(graph.as_graph_def(add_shapes=True) if graph_def is None else graph_def)
    if not made.meta_info_def.stripped_op_list.op:
        made.meta_info_def.stripped_op_list.MergeFrom(stripped_op_list(made.graph_def))
    if strip_default_attrs:
        strip_defaults(made)
    if saver_def is not None:
        made.saver_def.MergeFrom(saver_def)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        values = graph.get_collection_ref(key) if hasattr(graph, "get_collection_ref") else graph.get_collection(key)
        if not isinstance(key, str):
            logs.warning("Only collections with string type keys will be serialized. This key has %s", type(key))
            continue
        if key == "savers" and clear_extraneous_savers:
            values = [v for v in values if v.saver_def == saver_def]
        try:
            made.collection_def[key].CopyFrom(_collection_def(key, values, export_scope))
        except (TypeError, ValueError, AttributeError) as error:
            logs.warning("The collection %s is not in the meta graph: %s", key, error)
            del made.collection_def[key]
    return made


def strip_defaults(meta_graph):
    """Removes attrs that have their default."""
    defaults = {
        op.name: {a.name: a.default_value for a in op.attr if a.HasField("default_value")}
        for op in meta_graph.meta_info_def.stripped_op_list.op
    }
    nodes = list(meta_graph.graph_def.node) + [n for f in meta_graph.graph_def.library.function for n in f.node_def]
    for node in nodes:
        for name, default in defaults.get(node.op, {}).items():
            if name in node.attr and node.attr[name] == default:
                del node.attr[name]
    meta_graph.meta_info_def.stripped_default_attrs = True


def _part_of_scope(graph_def, scope, unbound):
    """The nodes in a scope, without its name; what they take from outside gets a name that says so."""
    made = messages.GraphDef()
    made.versions.CopyFrom(graph_def.versions)
    made.library.CopyFrom(graph_def.library)
    for node in graph_def.node:
        name = in_scope(node.name, scope)
        if name is None:
            continue
        part = made.node.add()
        part.CopyFrom(node)
        part.name = name
        inputs = []
        for given in node.input:
            if in_scope(given, scope) is not None:
                inputs.append(_strip(given, scope))
            elif not given.startswith("^"):
                inputs.append(_UNBOUND_PREFIX + given)
                unbound.append(_UNBOUND_PREFIX + given)
        del part.input[:]
        part.input.extend(inputs)
        if "_class" in part.attr:
            places = [p for p in part.attr["_class"].list.s if in_scope(p.decode(), scope) is not None]
            del part.attr["_class"].list.s[:]
            part.attr["_class"].list.s.extend(_strip(p.decode(), scope).encode() for p in places)
            if not places:
                del part.attr["_class"]
    return made


def _write(message, path, as_text):
    waiting = f"{path}.tmp{os.getpid()}"
    with open(waiting, "wb") as f:
        f.write(str(message).encode() if as_text else message.SerializeToString())
    os.replace(waiting, path)


def export_meta_graph(
    filename=None,
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    as_text=False,
    graph=None,
    export_scope=None,
    clear_devices=False,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
    save_debug_info=False,
    **kwargs,
):
    """A MetaGraphDef of a graph, by default the current one, and a file of it. RuntimeError eagerly.

    export_scope: only what is in the scope, whose name is left out; names of what it takes from outside are in the collection
    unbound_inputs.
    """
    if kwargs:
        raise TypeError(f"export_meta_graph() has no argument {', '.join(kwargs)}")
    if scopes.executing_eagerly() and graph is None and graph_def is None:
        raise RuntimeError("Exporting/importing meta graphs is not supported when eager execution is enabled.")
    graph = graph or v1.get_default_graph()
    unbound: list[str] = []
    if graph_def is None:
        graph_def = graph.as_graph_def(add_shapes=True)
    if export_scope:
        graph_def = _part_of_scope(graph_def, export_scope, unbound)
    if clear_devices:
        copy = messages.GraphDef()
        copy.CopyFrom(graph_def)
        for node in copy.node:
            node.device = ""
        graph_def = copy
    made = create_meta_graph_def(
        meta_info_def=meta_info_def,
        graph_def=graph_def,
        saver_def=saver_def,
        collection_list=collection_list,
        graph=graph,
        export_scope=export_scope,
        clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs,
    )
    if unbound:
        made.collection_def[_UNBOUND].bytes_list.value.extend(u.encode() for u in sorted(set(unbound)))
    if filename:
        os.makedirs(os.path.dirname(os.path.abspath(filename)), exist_ok=True)
        _write(made, filename, as_text)
        if save_debug_info:
            with open(os.path.splitext(filename)[0] + ".debug", "wb") as f:
                f.write(source_lines.debug_info(graph).SerializeToString(deterministic=True))
    return made


# ---- reading one


def read_meta_graph_file(filename):
    """The MetaGraphDef in a file, binary or text. OSError when there is none that can be read."""
    if not os.path.exists(filename):
        raise OSError(f"File {filename} does not exist.")
    with open(filename, "rb") as f:
        data = f.read()
    made = messages.MetaGraphDef()
    try:
        made.ParseFromString(data)
        return made
    except Exception:  # no binary message
        pass
    try:
        made = messages.MetaGraphDef()
        merge_text(data.decode(), made)
        return made
    except (ValueError, UnicodeDecodeError) as error:
        raise OSError(f"Cannot parse file {filename}: {error}.") from None


def import_scoped_meta_graph(
    meta_graph_or_file,
    clear_devices=False,
    graph=None,
    import_scope=None,
    input_map=None,
    unbound_inputs_col_name=_UNBOUND,
    restore_collections_predicate=(lambda key: True),
    return_elements=None,
):
    """Adds a meta graph to the current graph, or `graph`; gives its variables by name, and what return_elements names.

    ValueError when the meta graph takes something from outside that input_map does not give.
    """
    if scopes.executing_eagerly():
        raise ValueError("Exporting/importing meta graphs is not supported when eager execution is enabled.")
    meta = meta_graph_or_file
    meta = meta if hasattr(meta, "graph_def") else read_meta_graph_file(os.fspath(meta))
    if unbound_inputs_col_name in meta.collection_def:
        missing = [
            u.decode()
            for u in meta.collection_def[unbound_inputs_col_name].bytes_list.value
            if u.decode().removeprefix("^") not in {k.removeprefix("^") for k in (input_map or {})}
            and u.decode().removeprefix(_UNBOUND_PREFIX) not in (input_map or {})
        ]
        if missing:
            raise ValueError(f"Graph contains unbound inputs: {missing}. Must provide these inputs through input_map.")
        input_map = {
            k if k.startswith(_UNBOUND_PREFIX) else _UNBOUND_PREFIX + k: v for k, v in (input_map or {}).items()
        }
    graph = graph or v1.get_default_graph()
    graph_def = meta.graph_def
    if clear_devices:
        copy = messages.GraphDef()
        copy.CopyFrom(graph_def)
        for node in copy.node:
            node.device = ""
        graph_def = copy
    with graph.as_default():
        elements = v1.import_graph_def(
            graph_def,
            name=import_scope or "",
            input_map=input_map,
            producer_op_list=meta.meta_info_def.stripped_op_list,
            return_elements=return_elements,
        )
        # Names of what was imported begin with the scopes around, too.
        scope = "/".join(part for part in (graph.get_name_scope(), import_scope or "") if part)
        imported = _restore_collections(graph, meta, scope, unbound_inputs_col_name, restore_collections_predicate)
    return imported, elements


def _restore_collections(graph, meta, scope, unbound_inputs_col_name, wanted):
    """Fills the graph's collections; gives the variables by name in the meta graph."""
    imported: dict = {}
    same: dict = {}  # serialized variables that are in several collections are one object
    for key in sorted(meta.collection_def):
        if not wanted(key) or key == unbound_inputs_col_name:
            continue
        content = meta.collection_def[key]
        kind = content.WhichOneof("kind")
        if kind is None:
            continue
        values = getattr(content, kind).value
        if kind == "bytes_list" and key in _MESSAGES:
            message, make = _MESSAGES[key]
            for data in values:
                if (message, data) not in same:
                    proto = getattr(messages, message).FromString(data)
                    same[message, data] = make(proto, scope)
                item = same[message, data]
                graph.add_to_collection(key, item)
                if message == "VariableDef":
                    imported.setdefault(in_scope(item.op.name, scope) or item.op.name, item)
        elif kind == "node_list":
            for name in values:
                graph.add_to_collection(key, graph.as_graph_element(f"{scope}/{name}" if scope else name))
        else:
            for value in values:
                graph.add_to_collection(key, int(value) if kind == "int64_list" else value)
    return imported


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """Adds a meta graph to the current graph; gives its Saver, or None when it has no variables. RuntimeError eagerly."""
    return import_meta_graph_with_return_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def import_meta_graph_with_return_elements(
    meta_graph_or_file, clear_devices=False, import_scope=None, return_elements=None, **kwargs
):
    """The same, with what return_elements names."""
    from .saver import Saver

    if scopes.executing_eagerly():
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager execution is enabled."
        )
    meta = meta_graph_or_file
    meta = meta if hasattr(meta, "graph_def") else read_meta_graph_file(os.fspath(meta))
    imported, elements = import_scoped_meta_graph(
        meta, clear_devices=clear_devices, import_scope=import_scope, return_elements=return_elements, **kwargs
    )
    if meta.HasField("saver_def"):
        scope = import_scope or ""
        if not scope and imported:  # the scopes around
            name, variable = next(iter(imported.items()))
            scope = variable.op.name[: -len(name) - 1] if variable.op.name.endswith("/" + name) else ""
        return Saver(saver_def=meta.saver_def, name=scope), elements
    if v1.global_variables() and imported:
        return Saver(), elements
    return None, elements
