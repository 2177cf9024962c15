"""compat.v1.train.Saver: variables in files by name, and back; which checkpoints are kept.

A Saver adds ops to the graph, which a SaverDef names: a filename that is fed, what saves, what restores. Eagerly the ops run.
"""

from __future__ import annotations

import os
import time
import uuid

from ..compat import v1
from ..core import errors, graph, messages, scopes
from ..core.op_defs import op
from ..platform import logs
from ..saving import checkpoint_state
from . import meta_graphs, training_variables
from .saveables import SaveableObject, SaveSpec, saveables_of

V1, V2 = 1, 2
_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


class BaseSaverBuilder:
    """Makes the ops that save and restore."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject

    def __init__(self, write_version=V2):
        self._write_version = write_version

    # ---- saving

    def save_op(self, filename_tensor, saveables):
        """The op that writes all tensors of these objects into one file."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names, slices, tensors = [s.name for s in specs], [s.slice_spec for s in specs], [s.tensor for s in specs]
        if self._write_version == V1:
            return op("SaveSlices")(filename_tensor, names, slices, tensors)
        return op("SaveV2")(filename_tensor, names, slices, tensors)

    def _save(self, filename, saveables):
        """A tensor of the name of what was saved."""
        done = self.save_op(filename, saveables)
        with scopes.control_dependencies([done] if graph.current() is not None else None):
            return op("Identity")(filename, name="control_dependency")

    def _save_sharded(self, filename, saveables):
        """The same with a file for each device, of format V2: they are written beside, and become one checkpoint at the end."""
        groups = _by_device(saveables)
        if self._write_version == V1:
            return self._save_sharded_v1(filename, groups)
        if len(groups) < 2:
            return self._save(filename, saveables)
        beside = op("StringJoin")([filename, f"_temp_{uuid.uuid4().hex}/part"])
        shards, done = [], []
        for i, (device, members) in enumerate(groups):
            with scopes.device(device or None):
                shards.append(op("ShardedFilename")(beside, i, len(groups)))
                done.append(self.save_op(shards[-1], members))
        with scopes.control_dependencies(done if graph.current() is not None else None):
            merged = op("MergeV2Checkpoints")(shards, filename, delete_old_dirs=True)
        with scopes.control_dependencies([merged] if graph.current() is not None else None):
            return op("Identity")(filename)

    def _save_sharded_v1(self, filename, groups):
        done = []
        for i, (device, members) in enumerate(groups):
            with scopes.device(device or None):
                done.append(self.save_op(op("ShardedFilename")(filename, i, len(groups)), members))
        with scopes.control_dependencies(done if graph.current() is not None else None):
            return op("ShardedFilespec")(filename, len(groups))

    # ---- restoring

    def bulk_restore(self, filename_tensor, saveables, preferred_shard=-1, restore_sequentially=False):
        """The tensors of these objects, in order."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        return op("RestoreV2")(
            filename_tensor,
            [s.name for s in specs],
            [s.slice_spec for s in specs],
            dtypes=[s.dtype.base_dtype for s in specs],
        )

    def _restore(self, filename, saveables, restore_sequentially, reshape, in_graph, name="restore_all"):
        done = []
        values = None if restore_sequentially else iter(_listed(self.bulk_restore(filename, saveables)))
        for saveable in saveables:
            with scopes.control_dependencies(done[-1:] if restore_sequentially and in_graph else None):
                if restore_sequentially:
                    values = iter(_listed(self.bulk_restore(filename, [saveable])))
                tensors = [next(values) for _ in saveable.specs]
                shapes = [_shape_of(spec) for spec in saveable.specs] if reshape else None
                made = saveable.restore(tensors, shapes)
                done.append(made)
        return v1.group(*[d for d in done if d is not None], name=name) if in_graph else None

    # ---- both

    def _build_internal(
        self,
        names_to_saveables,
        reshape=False,
        sharded=False,
        max_to_keep=5,
        keep_checkpoint_every_n_hours=10000.0,
        name=None,
        restore_sequentially=False,
        filename="model",
        build_save=True,
        build_restore=True,
    ):
        """Adds the ops; gives a SaverDef. Eagerly they run: of saving the name is in save_tensor_name."""
        in_graph = graph.current() is not None
        saveables = saveables_of(names_to_saveables)
        save_name, restore_name, filename_name = "", "", ""
        with v1.name_scope(name, "save", [s.op for s in saveables] if in_graph else []):
            if in_graph:
                value = op("PlaceholderWithDefault")(filename or "model", shape=[], name="filename")
                value = op("PlaceholderWithDefault")(value, shape=[], name="Const")
            else:
                value = filename
            if build_save:
                saved = (self._save_sharded if sharded else self._save)(value, saveables)
                save_name = saved.name if in_graph else saved.numpy()
            if build_restore:
                restored = self._restore(value, saveables, restore_sequentially, reshape, in_graph)
                restore_name = restored.name if in_graph else ""
            filename_name = value.name if in_graph else ""
        return messages.SaverDef(
            filename_tensor_name=filename_name,
            save_tensor_name=save_name,
            restore_op_name=restore_name,
            max_to_keep=max_to_keep or 0,
            sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            version=self._write_version,
        )


def _listed(values):
    return values if isinstance(values, (list, tuple)) else [values]


def _shape_of(spec):
    shape = spec.tensor.shape
    return shape if shape.is_fully_defined() else v1.shape(spec.tensor)


def _by_device(saveables):
    """[(device, its objects)], by name of the device."""
    groups: dict[str, list] = {}
    for s in saveables:
        device = s.device if isinstance(s.device, str) else ""
        groups.setdefault(device, []).append(s)
    return sorted(groups.items())


class Saver:
    """Saves variables, and restores them.

    var_list: variables, or a dictionary by the names in the files; by default all that can be saved. reshape: values may have
    another shape with as many elements. sharded: a file for each device. max_to_keep: how many checkpoints are kept, None or 0:
    all; beside these one of each keep_checkpoint_every_n_hours. ValueError when there is nothing, unless allow_empty.
    """

    def __init__(
        self,
        var_list=None,
        reshape=False,
        sharded=False,
        max_to_keep=5,
        keep_checkpoint_every_n_hours=10000.0,
        name=None,
        restore_sequentially=False,
        saver_def=None,
        builder=None,
        defer_build=False,
        allow_empty=False,
        write_version=V2,
        pad_step_number=False,
        save_relative_paths=False,
        filename=None,
    ):
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set defer_build=False or var_list=None."
            )
        if scopes.executing_eagerly():
            if var_list is None:
                raise RuntimeError(
                    "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
                )
            self._var_list = var_list
        self._var_list, self._reshape, self._sharded = var_list, reshape, sharded
        self._max_to_keep, self._keep_checkpoint_every_n_hours = max_to_keep, keep_checkpoint_every_n_hours
        self._name, self._restore_sequentially, self.saver_def = name, restore_sequentially, saver_def
        self._builder, self._is_built, self._allow_empty = builder, False, allow_empty
        self._is_empty, self._write_version, self._pad_step_number = None, write_version, pad_step_number
        self._filename, self._save_relative_paths = filename, save_relative_paths
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        if scopes.executing_eagerly():
            self._next_checkpoint_time = time.time() + keep_checkpoint_every_n_hours * 3600
        elif not defer_build:
            self.build()
        if self.saver_def:
            self._check_saver_def()
            self._write_version = self.saver_def.version

    def build(self):
        """Adds the ops to the graph, when that was deferred. RuntimeError eagerly."""
        if scopes.executing_eagerly():
            raise RuntimeError("Use save/restore instead of build in eager mode.")
        self._build(self._filename, build_save=True, build_restore=True)

    def _build_eager(self, checkpoint_path, build_save, build_restore):
        self._build(checkpoint_path, build_save, build_restore)

    def _build(self, checkpoint_path, build_save, build_restore):
        in_graph = not scopes.executing_eagerly()
        if in_graph:
            if self._is_built:
                return
            self._is_built = True
        if not self.saver_def or not in_graph:
            builder = self._builder or BaseSaverBuilder(self._write_version)
            if self._var_list is None:
                self._var_list = _all_saveable()
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self._is_empty = True
                return
            self._is_empty = False
            self.saver_def = builder._build_internal(
                self._var_list,
                reshape=self._reshape,
                sharded=self._sharded,
                max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
                name=self._name,
                restore_sequentially=self._restore_sequentially,
                filename=checkpoint_path,
                build_save=build_save,
                build_restore=build_restore,
            )
        elif self._name:  # the ops of a SaverDef that were imported into a scope
            self.saver_def.filename_tensor_name = _prefixed(self.saver_def.filename_tensor_name, self._name)
            self.saver_def.save_tensor_name = _prefixed(self.saver_def.save_tensor_name, self._name)
            self.saver_def.restore_op_name = _prefixed(self.saver_def.restore_op_name, self._name)
        self._check_saver_def()
        if in_graph:
            self._next_checkpoint_time = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    def _check_saver_def(self):
        if not isinstance(self.saver_def, messages.SaverDef) and not hasattr(self.saver_def, "filename_tensor_name"):
            raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {self.saver_def}")
        if not scopes.executing_eagerly():
            if not self.saver_def.save_tensor_name:
                raise ValueError(f"saver_def must specify the save_tensor_name: {self.saver_def}")
            if not self.saver_def.restore_op_name:
                raise ValueError(f"saver_def must specify the restore_op_name: {self.saver_def}")

    # ---- which checkpoints there are

    def _record(self, path):
        """Notes a new checkpoint, and which are to go for it."""
        keep = self.saver_def.max_to_keep
        if not keep:
            return
        for known in [c for c in self._last_checkpoints if c[0] == path]:
            self._last_checkpoints.remove(known)
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > keep:
            self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))

    def _delete_old(self, meta_graph_suffix):
        if not self._checkpoints_to_be_deleted:
            return
        path, made = self._checkpoints_to_be_deleted.pop(0)
        if made > self._next_checkpoint_time:
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            checkpoint_state.remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except OSError as error:
            logs.warning("Ignoring: %s", error)

    last_checkpoints = property(lambda self: [path for path, _ in self._last_checkpoints])

    def set_last_checkpoints(self, last_checkpoints):
        """Old checkpoints, oldest first, as if this saver had written them at an unknown time."""
        if not isinstance(last_checkpoints, list):
            raise AssertionError("last_checkpoints is no list")
        self._last_checkpoints = [(path, float("inf")) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        """Pairs of a path and when it was written, oldest first."""
        if not isinstance(last_checkpoints_with_time, list):
            raise AssertionError("last_checkpoints_with_time is no list")
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths):
        """Goes on with those of these checkpoints that are there."""
        there = [p for p in checkpoint_paths if checkpoint_state.checkpoint_exists(p)]
        times = checkpoint_state.get_checkpoint_mtimes(there)
        self.set_last_checkpoints_with_time(list(zip(there, times)))

    # ---- as a message

    def as_saver_def(self):
        return self.saver_def

    def to_proto(self, export_scope=None):
        """The SaverDef, with names in the scope; None when the ops are outside of it."""
        made = messages.SaverDef()
        made.CopyFrom(self.saver_def)
        if export_scope is None:
            return made
        names = [
            meta_graphs.in_scope(n, export_scope)
            for n in (made.filename_tensor_name, made.save_tensor_name, made.restore_op_name)
        ]
        if None in names:
            return None
        made.filename_tensor_name, made.save_tensor_name, made.restore_op_name = names
        return made

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        return Saver(saver_def=saver_def, name=import_scope)

    def export_meta_graph(
        self,
        filename=None,
        collection_list=None,
        as_text=False,
        export_scope=None,
        clear_devices=False,
        clear_extraneous_savers=False,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """The current graph as a MetaGraphDef with this saver, and a file of it."""
        return meta_graphs.export_meta_graph(
            filename=filename,
            graph_def=None if export_scope else v1.get_default_graph().as_graph_def(add_shapes=True),
            saver_def=self.saver_def,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs,
            save_debug_info=save_debug_info,
        )

    # ---- saving and restoring

    def _runs_eagerly(self):
        """Whether there are no ops of a graph. A thread that builds no graph may use those of another's."""
        return scopes.executing_eagerly() and not self._is_built

    def save(
        self,
        sess,
        save_path,
        global_step=None,
        latest_filename=None,
        meta_graph_suffix="meta",
        write_meta_graph=True,
        write_state=True,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """Saves into files that begin with save_path, and the step; gives their prefix. ValueError when the directory lacks.

        Also written: the meta graph, and the `checkpoint` file that names the latest checkpoints.
        """
        eagerly = self._runs_eagerly()
        if not self._is_built and not eagerly:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        latest_filename = latest_filename or "checkpoint"
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        save_path = os.fspath(save_path)
        if global_step is not None:
            if not isinstance(global_step, int) and not hasattr(global_step, "__index__") or hasattr(global_step, "op"):
                global_step = training_variables.global_step(sess, global_step)
            prefix = (
                f"{save_path}-{int(global_step):08d}" if self._pad_step_number else f"{save_path}-{int(global_step)}"
            )
        else:
            prefix = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")
        if not eagerly and not (hasattr(sess, "run") and hasattr(sess, "graph")):
            raise TypeError(f"'sess' must be a Session; {sess}")
        path = prefix
        if not self._is_empty:
            path = self._save_now(sess, prefix, save_path, latest_filename, meta_graph_suffix, write_state)
        if write_meta_graph and not eagerly:
            with sess.graph.as_default():
                self.export_meta_graph(
                    meta_graphs.meta_graph_filename(prefix, meta_graph_suffix),
                    strip_default_attrs=strip_default_attrs,
                    save_debug_info=save_debug_info,
                )
        return None if self._is_empty else path

    def _save_now(self, sess, prefix, save_path, latest_filename, meta_graph_suffix, write_state):
        directory = os.path.dirname(save_path)
        try:
            if self._runs_eagerly():
                self._build_eager(prefix, build_save=True, build_restore=False)
                path = self.saver_def.save_tensor_name
            else:
                path = sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: prefix})
        except (errors.FailedPreconditionError, errors.NotFoundError) as error:
            if not os.path.isdir(directory or "."):
                raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from error
            raise
        path = path.decode() if isinstance(path, bytes) else str(path)
        if write_state:
            self._record(path)
            checkpoint_state.write_state(
                directory, path, self.last_checkpoints, latest_filename, relative=self._save_relative_paths
            )
            self._delete_old(meta_graph_suffix)
        return path

    def restore(self, sess, save_path):
        """Restores what was saved. ValueError when there is no such checkpoint, NotFoundError when a name is not in it."""
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        prefix = os.fspath(save_path)
        if not checkpoint_state.checkpoint_exists(prefix):
            raise ValueError("The passed save_path is not a valid checkpoint: " + prefix)
        logs.info("Restoring parameters from %s", prefix)
        try:
            if self._runs_eagerly():
                self._build_eager(prefix, build_save=False, build_restore=True)
            else:
                sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: prefix})
        except errors.NotFoundError as error:
            if not self._restore_by_objects(sess, prefix):
                raise _explained(
                    error, "a Variable name or other graph key that is missing from the checkpoint"
                ) from error
        except errors.InvalidArgumentError as error:
            raise _explained(error, "a mismatch between the current graph and the graph") from error

    def _restore_by_objects(self, sess, prefix):
        """Restores from a checkpoint of objects (tf.train.Checkpoint), whose variables had names, too; whether it is one."""
        reader = v1.train.NewCheckpointReader(prefix)
        if not reader.has_tensor(_OBJECT_GRAPH):
            return False
        objects = messages.TrackableObjectGraph.FromString(reader.get_tensor(_OBJECT_GRAPH))
        keys = {a.full_name: a.checkpoint_key for node in objects.nodes for a in node.attributes}
        saveables = saveables_of(self._var_list if self._var_list is not None else _all_saveable())
        missing = [s.name for s in saveables for spec in s.specs if spec.name not in keys]
        if missing:
            raise errors.NotFoundError(
                None, None, f"Existing variables not in the checkpoint: {', '.join(sorted(missing))}"
            )
        logs.warning("Restoring an object-based checkpoint using a name-based saver. Use tf.train.Checkpoint.restore.")
        for s in saveables:
            for spec in s.specs:
                spec.name = keys[spec.name]
        builder = BaseSaverBuilder(self._write_version)
        if self._runs_eagerly():
            builder._restore(prefix, saveables, False, self._reshape, False)
        else:
            with sess.graph.as_default():
                done = builder._restore(v1.constant(prefix), saveables, False, self._reshape, True)
            sess.run(done)
        return True


def _explained(error, cause):
    text = f"Restoring from checkpoint failed. This is most likely due to {cause}: {error.message}"
    return type(error)(error.node_def, error.op, text)


def _prefixed(name, scope):
    return f"{scope.rstrip('/')}/{name}" if scope else name


def _all_saveable():
    return v1.global_variables() + v1.get_collection(v1.GraphKeys.SAVEABLE_OBJECTS)


def saver_or_default():
    """The graph's one saver, made when there is none. RuntimeError when there are several."""
    savers = v1.get_collection(v1.GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {v1.GraphKeys.SAVERS}. Please indicate which one to use by passing it to the constructor."
        )
    if savers:
        return savers[0]
    made = Saver(sharded=True, allow_empty=True)
    v1.add_to_collection(v1.GraphKeys.SAVERS, made)
    return made
