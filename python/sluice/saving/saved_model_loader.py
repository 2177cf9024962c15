"""compat.v1.saved_model.load: a saved model's graph and values in a session."""

from __future__ import annotations

import os

from ..core import messages
from . import checkpoint_state, saved_model_constants as names
from .saved_model_load import parse_saved_model


def find_meta_graph(model, tags):
    """The MetaGraphDef with just these tags. RuntimeError when there is none."""
    wanted = {tags} if isinstance(tags, str) else set(tags)
    known = []
    for meta_graph in model.meta_graphs:
        own = set(meta_graph.meta_info_def.tags)
        known.append(own)
        if own == wanted:
            return meta_graph
    raise RuntimeError(
        f"MetaGraphDef associated with tags {str(sorted(wanted)).strip('[]')} could not be found in SavedModel, with available "
        f"tags '{known}'. To inspect available tag-sets in the SavedModel, please use the SavedModel CLI: `saved_model_cli`."
    )


def assets_of(meta_graph, folder) -> dict[str, str]:
    """Where the files of a meta graph are, by the names of the tensors that their names are fed to."""
    found = list(meta_graph.asset_file_def)
    if not found and names.ASSETS_KEY in meta_graph.collection_def:
        for packed in meta_graph.collection_def[names.ASSETS_KEY].any_list.value:
            told = messages.AssetFileDef()
            packed.Unpack(told)
            found.append(told)
    return {a.tensor_info.name: os.path.join(folder, names.ASSETS_DIRECTORY, a.filename) for a in found}


def init_op_name(meta_graph):
    """The name of the operation that initialises what was loaded, or None."""
    if names.INIT_OP_SIGNATURE_KEY in meta_graph.signature_def:
        return meta_graph.signature_def[names.INIT_OP_SIGNATURE_KEY].outputs[names.INIT_OP_SIGNATURE_KEY].name
    for key in (names.MAIN_OP_KEY, names.LEGACY_INIT_OP_KEY):
        if key in meta_graph.collection_def:
            found = list(meta_graph.collection_def[key].node_list.value)
            if len(found) != 1:
                raise RuntimeError(f"Expected exactly one main op in the SavedModel: {found}.")
            return found[0]
    return None


def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Adds the graph with these tags to the session's graph, restores its variables, and runs its initialisation. Gives the
    MetaGraphDef. RuntimeError when there is no such graph, OSError when there is no saved model."""
    from ..training import meta_graphs
    from ..training.saver import Saver

    folder = os.fspath(export_dir)
    model = parse_saved_model(folder)
    meta_graph = find_meta_graph(model, tags)
    with sess.graph.as_default() as g:
        if meta_graph.HasField("object_graph_def") and meta_graph.saver_def.restore_op_name:
            meta_graphs.import_scoped_meta_graph(meta_graph, import_scope=import_scope)
            saver = Saver(saver_def=meta_graph.saver_def, name=import_scope, **saver_kwargs)
        else:
            saver = meta_graphs.import_meta_graph(meta_graph, import_scope=import_scope, **saver_kwargs)
        prefix = os.path.join(folder, names.VARIABLES_DIRECTORY, names.VARIABLES_FILENAME)
        if checkpoint_state.checkpoint_exists(prefix) and saver is not None:
            _restore(sess, g, meta_graph.saver_def, prefix, import_scope, saver)
        name = init_op_name(meta_graph)
        if name:
            feeds = {
                g.get_tensor_by_name(_scoped(n, import_scope)): p for n, p in assets_of(meta_graph, folder).items()
            }
            sess.run(g.get_operation_by_name(_scoped(name, import_scope)), feeds)
    return meta_graph


def _scoped(name, scope):
    return f"{scope}/{name}" if scope else name


def _restore(sess, g, saver_def, prefix, scope, saver):
    if saver_def.restore_op_name:
        restore = g.get_operation_by_name(_scoped(saver_def.restore_op_name, scope))
        sess.run(restore, {g.get_tensor_by_name(_scoped(saver_def.filename_tensor_name, scope)): prefix})
    else:
        saver.restore(sess, prefix)
