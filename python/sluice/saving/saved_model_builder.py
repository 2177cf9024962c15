"""compat.v1.saved_model.Builder: graphs of sessions, with their variables once, as a saved model."""

from __future__ import annotations

import os

from ..core import graph, messages
from ..core.graph_keys import GraphKeys
from ..files import gfile
from . import saved_model_constants as names, signature_defs
from .saved_model_save import write_saved_model


class SavedModelBuilder:
    """Makes a saved model in a folder, which must be empty: first add_meta_graph_and_variables, then add_meta_graph for other
    tags, then save."""

    def __init__(self, export_dir):
        self._export_dir = os.fspath(export_dir)
        self._saved_model = messages.SavedModel(saved_model_schema_version=names.SAVED_MODEL_SCHEMA_VERSION)
        self._has_saved_variables = False
        self._saved_asset_files: set[str] = set()
        if gfile.exists(self._export_dir):
            if gfile.listdir(self._export_dir):
                raise AssertionError(
                    f"Export directory {self._export_dir} already exists, and isn't empty. Please choose a different export "
                    "directory, or delete all the contents of the specified directory."
                )
        else:
            gfile.makedirs(self._export_dir)

    def add_meta_graph_and_variables(
        self,
        sess,
        tags,
        signature_def_map=None,
        assets_collection=None,
        legacy_init_op=None,
        clear_devices=False,
        main_op=None,
        strip_default_attrs=False,
        saver=None,
    ):
        """Adds the session's graph under tags, and writes its variables. AssertionError when that was done before."""
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` instead."
            )
        _check_signatures(signature_def_map)
        with sess.graph.as_default():
            self._add_collections(assets_collection, main_op, legacy_init_op)
            folder = os.path.join(self._export_dir, names.VARIABLES_DIRECTORY)
            gfile.makedirs(folder)
            saver = saver or _saver()
            path = os.path.join(folder, names.VARIABLES_FILENAME)
            saver.save(sess, path, write_meta_graph=False, write_state=False)
            self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def add_meta_graph(
        self,
        tags,
        signature_def_map=None,
        assets_collection=None,
        legacy_init_op=None,
        clear_devices=False,
        main_op=None,
        strip_default_attrs=False,
        saver=None,
    ):
        """Adds the current graph under other tags, without values. AssertionError when none were written before."""
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        _check_signatures(signature_def_map)
        self._add_collections(assets_collection, main_op, legacy_init_op)
        self._add(saver or _saver(), tags, signature_def_map, clear_devices, strip_default_attrs)

    def _add(self, saver, tags, signature_def_map, clear_devices, strip_default_attrs):
        made = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        made.meta_info_def.tags.extend(tags)
        for key, signature in (signature_def_map or {}).items():
            made.signature_def[key].CopyFrom(signature)
        self._saved_model.meta_graphs.add().CopyFrom(made)

    def _add_collections(self, assets_collection, main_op, legacy_init_op):
        g = graph.default_graph()
        if main_op is not None and legacy_init_op is not None:
            raise ValueError("Only one of `main_op` and `legacy_init_op` can be given.")
        self._save_assets(g, assets_collection)
        for key, operation in ((names.LEGACY_INIT_OP_KEY, legacy_init_op), (names.MAIN_OP_KEY, main_op)):
            if operation is None:
                continue
            if not hasattr(operation, "node"):
                raise TypeError(f"Expected {operation} to be an Operation. Got type {type(operation)} instead.")
            for known in (names.MAIN_OP_KEY, names.LEGACY_INIT_OP_KEY):
                if g.get_collection(known):
                    raise ValueError(f"Graph already contains one or more main ops under the collection {known}.")
            g.add_to_collection(key, operation)

    def _save_assets(self, g, assets_collection):
        """Copies files that constants of the collection name, and tells the graph's reader of them."""
        folder, taken = os.path.join(self._export_dir, names.ASSETS_DIRECTORY), {}
        for t in assets_collection or ():
            if t.op.type != "Const":
                raise ValueError(f"Asset filepath tensor {t} must be a constant.")
            path = t.op.get_attr("value")
            path = path.string_val[0].decode() if hasattr(path, "string_val") else str(path)
            if not path:
                raise ValueError(f"Asset filepath in {t} is empty.")
            name, n = os.path.basename(path), 0
            while taken.setdefault(name, path) != path:
                n += 1
                name = f"{os.path.basename(path)}_{n}"
            if name not in self._saved_asset_files:
                gfile.makedirs(folder)
                gfile.copy(path, os.path.join(folder, name), overwrite=True)
                self._saved_asset_files.add(name)
            told = messages.AssetFileDef(filename=name)
            told.tensor_info.name = t.name
            packed = getattr(messages, ".google.protobuf.Any")()
            packed.Pack(told)
            g.add_to_collection(names.ASSETS_KEY, packed)

    def save(self, as_text=False, experimental_image_format=False, experimental_image_writer_options=None):
        """Writes the file of the graphs; gives its path, as bytes."""
        if experimental_image_format or experimental_image_writer_options is not None:
            raise NotImplementedError("compat.v1.saved_model.Builder.save(experimental_image_format=True)")
        gfile.makedirs(self._export_dir)
        if as_text:
            path = os.path.join(self._export_dir, names.SAVED_MODEL_FILENAME_PBTXT)
            with gfile.GFile(path, "w") as f:
                f.write(str(self._saved_model))
        else:
            path = os.path.join(self._export_dir, names.SAVED_MODEL_FILENAME_PB)
            write_saved_model(self._export_dir, self._saved_model)
        return path.encode()


def _saver():
    from ..training.saver import Saver, _all_saveable

    return Saver(_all_saveable(), sharded=True, write_version=2, allow_empty=True)


def _check_signatures(signature_def_map):
    for key, signature in (signature_def_map or {}).items():
        if key in (names.INIT_OP_SIGNATURE_KEY, names.TRAIN_OP_SIGNATURE_KEY):
            raise KeyError(f"SignatureDef map key '{key}' is reserved for internal use.")
        for info in (*signature.inputs.values(), *signature.outputs.values()):
            _check_info(info)


def _check_info(info):
    if info.WhichOneof("encoding") is None:
        raise AssertionError(
            f"Invalid `tensor_info` in SignatureDef: {info}. It must have one of the fields `name`, `coo_sparse`, or `composite_tensor` set."
        )
    if info.WhichOneof("encoding") == "composite_tensor":
        for part in info.composite_tensor.components:
            _check_info(part)
    elif info.dtype == 0:
        raise AssertionError(f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}.")


def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Saves a session's graph for serving, with one signature of tensors by name."""
    signature = signature_defs.predict_signature_def(inputs, outputs)
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        tags=[names.SERVING],
        signature_def_map={names.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=session.graph.get_collection(GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()


def main_op():
    """An operation that initialises variables and tables of the graph."""
    from ..compat import v1

    return v1.group(v1.global_variables_initializer(), v1.local_variables_initializer(), v1.tables_initializer())


def main_op_with_restore(restore_op_name):
    """The same after an operation that restores."""
    from ..compat import v1

    with v1.control_dependencies([main_op()]):
        return v1.group(graph.default_graph().get_operation_by_name(restore_op_name))
