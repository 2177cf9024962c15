"""tf.train.Checkpoint: the values of a graph of objects, in files, found again by the objects' names for each other.

A file has a tensor for each value, under the path that leads to it from the root, and the graph of objects itself (a
TrackableObjectGraph), by which values are matched when they are restored. An object that is not there yet when a checkpoint
is restored gets its values when it is set. In graphs of sessions saving and restoring make ops, which a session runs.
"""

from __future__ import annotations

import itertools
import os
import weakref

from ..core import dtypes, errors, graph, messages, tensor, variables
from ..core.op_defs import op
from ..core.trackable import AutoTrackable, PythonState, Trackable
from . import checkpoint_reader, checkpoint_state
from .object_graph import GRAPH_KEY, PYTHON_STATE, ObjectGraphView, to_message

_numbers = itertools.count()

# ---- writing


def _session():
    from .. import compat

    found = compat.v1.get_default_session()
    if found is None:
        raise ValueError("saving and restoring objects of a graph needs a session: enter one with `with`, or give one")
    return found


def write(view: ObjectGraphView, prefix: str, options=None, session=None):
    """Writes the files of a prefix: one shard, unless the options say otherwise."""
    nodes = view.nodes()
    write_nodes(nodes, prefix, options, session)


def write_nodes(nodes, prefix, options=None, session=None):
    """The same of an object graph's nodes."""
    os.makedirs(os.path.dirname(prefix) or ".", exist_ok=True)
    callback = getattr(options, "experimental_sharding_callback", None)
    if graph.current() is not None:
        _write_in_graph(nodes, prefix, callback, session or _session())
    elif callback is not None:
        _save_shards(prefix, gather(nodes), callback)
    else:
        save_tensors(prefix, gather(nodes))
    for written in getattr(options, "experimental_write_callbacks", None) or ():
        written(prefix)


def _save_shards(prefix, values, callback):
    from . import checkpoint_sharding

    return checkpoint_sharding.save(prefix, values, callback)


def gather(nodes) -> dict:
    """The values of a graph of objects by their keys, and the graph itself."""
    held = [n.attributes() for n in nodes]
    values = {n.key(name): value for n, own in zip(nodes, held) for name, value in own.items()}
    values[GRAPH_KEY] = to_message(nodes, held).SerializeToString(deterministic=True)
    return values


def save_tensors(prefix: str, values: dict):
    """Writes tensors by name, at once. Values may be slices: {slice's text: tensor}."""
    rows = [
        (name, spec, _tensor(part))
        for name, value in values.items()
        for spec, part in (value.items() if isinstance(value, dict) else [("", value)])
    ]
    rows.sort(key=lambda row: row[:2])
    with graph.outside():
        op("SaveV2")(prefix, [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])


def _tensor(value):
    if isinstance(value, (bytes, str)):
        return tensor.convert(value, dtypes.string.as_datatype_enum)
    return value.read_value() if isinstance(value, variables.Variable) else tensor.convert(value)


def _write_in_graph(nodes, prefix, callback, session):
    """Ops are made once for the same objects; texts of Python are fed to them."""
    made = nodes[0].obj.__dict__.setdefault("_self_save_ops", {})
    key = (id(graph.current()), id(callback), *((n.path, id(n.obj)) for n in nodes))
    texts = {n.key(PYTHON_STATE): n.obj.serialize() for n in nodes if isinstance(n.obj, PythonState)}
    if key not in made:
        values = gather(nodes)
        feeds = {name: op("Placeholder")(dtype=dtypes.string, shape=[]) for name in texts}
        target = op("Placeholder")(dtype=dtypes.string, shape=[])
        values.update(feeds)
        names = sorted(values)
        if callback is not None:
            done = _save_shards(target, values, callback)
        else:
            done = op("SaveV2")(target, names, [""] * len(names), [values[n] for n in names])
        made[key] = done, target, feeds
    done, target, feeds = made[key]
    session.run(done, {target: prefix, **{feeds[name]: text for name, text in texts.items()}})


# ---- reading


class Restoration:
    """One restoration of a checkpoint: which of its nodes has met which object. Objects may come later, see Trackable."""

    def __init__(self, path, message, options=None):
        self.path, self.message, self.options = path, message, options
        self.number = next(_numbers)
        self.reader = checkpoint_reader.CheckpointReader(path)
        self.matched: dict[int, object] = {}  # node's number -> a reference to its object
        self.used: set[tuple[int, str]] = set()
        self.ops: list = []
        self._pending: list = []
        self._optimizers: list = []
        self._skips_slots = getattr(options, "experimental_skip_slot_variables", False)
        self._in_graph = graph.current()

    def object_of(self, node):
        found = self.matched.get(node)
        return found() if found is not None else None

    def bind(self, node, obj):
        """Gives an object, and all that it leads to, the values of a node; at once, or by ops of the graph."""
        self._match(node, obj)
        self._slots()
        self._apply()

    def _match(self, root, obj):
        queue = [(root, obj)]
        for node, obj in queue:
            known = self.object_of(node)
            if known is not None:
                if known is not obj:
                    _warn(known, obj)
                continue
            self.matched[node] = _reference(obj)
            part = self.message.nodes[node]
            if part.attributes:
                self._pending.append((node, obj))
            if part.slot_variables and not self._skips_slots:
                self._optimizers.append((node, obj))
            for child in part.children:
                found = obj._lookup_dependency(child.local_name)
                if found is None:
                    obj._self_waiting.setdefault(child.local_name, []).append((self, child.node_id))
                else:
                    queue.append((child.node_id, found))

    def _slots(self):
        """The variables that optimizers keep for variables that have been met."""
        for node, optimizer in self._optimizers:
            for slot in self.message.nodes[node].slot_variables:
                variable = self.object_of(slot.original_variable_node_id)
                if variable is None or slot.slot_variable_node_id in self.matched or not hasattr(optimizer, "get_slot"):
                    continue
                make = getattr(optimizer, "_create_or_restore_slot_variable", None)
                if make is not None:  # an optimizer of a package, which keeps what comes too early
                    found = make(SlotPosition(self, slot.slot_variable_node_id), slot.slot_name, variable)
                    if found is not None:
                        self._match(slot.slot_variable_node_id, found)
                    continue
                found = optimizer.get_slot(variable, slot.slot_name)
                if found is not None:
                    self._match(slot.slot_variable_node_id, found)
                elif all(r is not self for r in getattr(optimizer, "_slots_wanted", (self,))):
                    optimizer._slots_wanted.append(self)  # which tells when it makes one

    def skipped(self) -> set[int]:
        """The nodes that are left out on purpose."""
        if not self._skips_slots:
            return set()
        return {s.slot_variable_node_id for part in self.message.nodes for s in part.slot_variables}

    def slot_made(self):
        """An optimizer has one slot more."""
        self._slots()
        self._apply()

    def initial_value(self, node):
        """The value of a node that is a variable, or None."""
        for attribute in self.message.nodes[node].attributes:
            if attribute.name == "VARIABLE_VALUE":
                return self.reader.read([attribute.checkpoint_key])[0]
        return None

    def _apply(self):
        pending, self._pending = self._pending, []
        found = []
        for node, obj in pending:
            keys = {}
            for a in self.message.nodes[node].attributes:
                keys.update(self.reader.named(a.name, a.checkpoint_key))
                self.used.add((node, a.name))
            if isinstance(obj, PythonState):
                for key in keys.values():
                    obj.deserialize(self.reader.get_tensor(key))
            elif keys and obj._has_values():
                found.append((obj, keys))
        if self._in_graph is None:
            self._restore_now(found)
        else:
            self.ops.extend(self._restoring_op(obj, keys) for obj, keys in found)

    def _restore_now(self, found):
        wanted = [key for _, keys in found for key in keys.values()]
        if not wanted:
            return
        values = dict(zip(wanted, self.reader.read(wanted)))
        with graph.outside():
            for obj, keys in found:
                if isinstance(obj, variables.Variable) and "VARIABLE_VALUE" in keys:
                    _check_shape(obj, values[keys["VARIABLE_VALUE"]])
                obj._restore_from_tensors({name: values[key] for name, key in keys.items()})

    def _restoring_op(self, obj, keys):
        """(op, its feeds): made once for an object, for any checkpoint."""
        made = obj.__dict__.setdefault("_self_restore_ops", {})
        which = (id(self._in_graph), *keys.items())
        if which not in made:
            kinds = self.reader.get_variable_to_dtype_map()
            with self._in_graph.as_default():
                source = op("Placeholder")(dtype=dtypes.string, shape=[])
                names = list(keys.values())
                read = op("RestoreV2")(source, names, [""] * len(names), dtypes=[kinds[n] for n in names])
                made[which] = obj._restore_from_tensors(dict(zip(keys, read))), source
        done, source = made[which]
        return done, {source: self.path}


class SlotPosition:
    """Where the value of an optimizer's slot is, for optimizers that make it when they want it."""

    restore_uid = property(lambda self: self._restoration.number)

    def __init__(self, restoration, node):
        self._restoration, self._node = restoration, node

    def is_simple_variable(self) -> bool:
        """Whether it is a variable with nothing below it."""
        part = self._restoration.message.nodes[self._node]
        return not part.children and [a.name for a in part.attributes] == ["VARIABLE_VALUE"]

    def value_shape(self):
        return self.value().shape

    def value(self):
        return self._restoration.initial_value(self._node)

    def restore(self, trackable):
        """Gives the slot its value."""
        self._restoration.bind(self._node, trackable)


def _reference(obj):
    try:
        return weakref.ref(obj)
    except TypeError:  # tuples have no weak references
        return lambda: obj


def _check_shape(variable, value):
    if not variable.shape.is_compatible_with(value.shape):
        raise ValueError(
            f"Received incompatible tensor with shape {value.shape} when attempting to restore variable with shape "
            f"{variable.shape} and name {variable.name}."
        )


def _warn(known, obj):
    from .checkpoint_view import warn_of_inconsistency

    warn_of_inconsistency(known, obj)


# ---- what a restoration came to


class _Status:
    """Each method gives the status, or raises AssertionError."""

    def assert_consumed(self):
        raise NotImplementedError

    def expect_partial(self):
        """Says that what is missing does not matter."""
        return self


class CheckpointLoadStatus(_Status):
    """Of a checkpoint with a graph of objects."""

    def __init__(self, restoration, view):
        self._checkpoint, self._view = restoration, view

    def assert_consumed(self):
        """All that the checkpoint has was given to objects, and all objects' values were in it."""
        self.assert_existing_objects_matched()
        skipped = self._checkpoint.skipped()
        for number, part in enumerate(self._checkpoint.message.nodes):
            if number in skipped:
                continue
            obj = self._checkpoint.object_of(number)
            names = [a.name for a in part.attributes if (number, a.name) not in self._checkpoint.used]
            if obj is None and part.attributes:
                raise AssertionError(
                    f"Unresolved object in checkpoint {_path_to(self._checkpoint.message, number)}: {part}"
                )
            if names or obj is not None and part.attributes and not _takes_values(obj):
                raise AssertionError(
                    "Unused attributes in these objects (the attributes exist in the checkpoint but were not restored):\n"
                    f"{_path_to(self._checkpoint.message, number)} ({obj}): {[a.name for a in part.attributes]}"
                )
        return self

    def assert_existing_objects_matched(self):
        """All values of objects that there are were in the checkpoint."""
        bound = {id(o) for o in (r() for r in self._checkpoint.matched.values()) if o is not None}
        nodes = self._view.nodes()
        if self._checkpoint._skips_slots:
            slots = {slot for n in nodes for _, _, slot in n.slots}
            nodes = [n for n in nodes if n.number not in slots]
        lacking = [n.obj for n in nodes if id(n.obj) not in bound and _takes_values(n.obj)]
        if lacking:
            shown = lacking[:10]
            raise AssertionError(
                f"Found {len(lacking)} Python objects that were not bound to checkpointed values, likely due to changes in "
                f"the Python program. Showing {len(shown)} of {len(lacking)} unmatched objects: {shown}"
            )
        return self

    def assert_nontrivial_match(self):
        """Something beside the root and the count of saves has met its like."""
        met = [o for o in (r() for r in self._checkpoint.matched.values()) if o is not None]
        trivial = {id(self._view.root), id(self._view.children(self._view.root).get("save_counter"))}
        others = [o for o in self._view.list_objects() if id(o) not in trivial]
        if others and not any(id(o) not in trivial for o in met):
            raise AssertionError(
                f"Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint does not match the Python program. The following objects have no matching checkpointed value: {others}"
            )
        return self

    def run_restore_ops(self, session=None):
        """Runs the ops of a graph that restore; eagerly that has happened."""
        if self._checkpoint._in_graph is not None and self._checkpoint.ops:
            session = session or _session()
            for done, feeds in self._checkpoint.ops:
                session.run(done, feeds)

    def initialize_or_restore(self, session=None):
        """The same, and initialises variables that were not restored."""
        if self._checkpoint._in_graph is None:
            return
        bound = {id(o) for o in (r() for r in self._checkpoint.matched.values()) if o is not None}
        fresh = [
            o.initializer
            for o in self._view.list_objects()
            if isinstance(o, variables.Variable) and id(o) not in bound and o.initializer is not None
        ]
        if fresh:
            (session or _session()).run(fresh)
        self.run_restore_ops(session)


def _takes_values(obj) -> bool:
    return isinstance(obj, PythonState) or isinstance(obj, Trackable) and obj._has_values()


def _path_to(message, number) -> str:
    paths = {0: "(root)"}
    for at, part in enumerate(message.nodes):
        for child in part.children:
            if at in paths:
                paths.setdefault(child.node_id, f"{paths[at]}.{child.local_name}")
    return paths.get(number, str(number))


class InitializationOnlyStatus(_Status):
    """Of no checkpoint: nothing is restored."""

    def __init__(self, view):
        self._view = view

    def _none(self):
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_consumed = assert_existing_objects_matched = assert_nontrivial_match = _none

    def run_restore_ops(self, session=None):
        self._none()

    def initialize_or_restore(self, session=None):
        """Initialises the variables of a graph."""
        if graph.current() is None:
            return
        found = [o.initializer for o in self._view.list_objects() if getattr(o, "initializer", None) is not None]
        (session or _session()).run(found)


class NameBasedSaverStatus(_Status):
    """Of a checkpoint without a graph of objects, such as tf.compat.v1.train.Saver writes: variables by their names."""

    def __init__(self, path, view):
        self._path, self._view = path, view
        self._reader = checkpoint_reader.CheckpointReader(path)
        self._ops: list = []
        self._restore()

    def _variables(self):
        return [o for o in self._view.list_objects() if isinstance(o, variables.Variable)]

    def _restore(self):
        for v in self._variables():
            name = v.name.partition(":")[0]
            if not self._reader.has_tensor(name):
                continue
            if graph.current() is None:
                v.assign(self._reader.read([name])[0])
            else:
                self._ops.append(v.assign(op("RestoreV2")(self._path, [name], [""], dtypes=[v.dtype])[0]))

    def assert_existing_objects_matched(self):
        lacking = [v for v in self._variables() if not self._reader.has_tensor(v.name.partition(":")[0])]
        if lacking:
            raise AssertionError(f"Some objects had attributes which were not restored: {lacking}")
        return self

    def assert_consumed(self):
        self.assert_existing_objects_matched()
        mine = {v.name.partition(":")[0] for v in self._variables()}
        left = sorted(set(self._reader.get_variable_to_shape_map()) - mine)
        if left:
            raise AssertionError(f"Some checkpointed values have no variable: {left}")
        return self

    assert_nontrivial_match = assert_existing_objects_matched

    def run_restore_ops(self, session=None):
        if self._ops:
            (session or _session()).run(self._ops)

    initialize_or_restore = run_restore_ops


def restore(view, path, options=None):
    """Gives the objects the values of a checkpoint; gives a status. NotFoundError when there is none."""
    path = os.fspath(path)
    try:
        reader = checkpoint_reader.CheckpointReader(path)
    except errors.NotFoundError as error:
        raise errors.NotFoundError(
            None,
            None,
            f"Error when restoring from checkpoint or SavedModel at {path}: {error.message}\nPlease double-check that the "
            "path is correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
        ) from None
    if not reader.has_tensor(GRAPH_KEY):
        return NameBasedSaverStatus(path, view)
    message = messages.TrackableObjectGraph.FromString(reader.get_tensor(GRAPH_KEY))
    restoration = Restoration(path, message, options)
    attached = view._attached
    for child in message.nodes[0].children:  # of the root, also what it has only for this checkpoint
        if child.local_name in attached:
            restoration._match(child.node_id, attached[child.local_name])
    restoration.bind(0, view.root)
    return CheckpointLoadStatus(restoration, view)


class TrackableSaver:
    """Saves and restores the graph of objects that a view has."""

    def __init__(self, graph_view):
        self._view = graph_view

    def save(self, file_prefix, checkpoint_number=None, session=None, options=None):
        """Writes the files of the prefix; gives it."""
        path = os.fspath(file_prefix)
        path = path if checkpoint_number is None else f"{path}-{checkpoint_number}"
        write(self._view, path, options, session)
        return path

    def restore(self, save_path, options=None):
        """See tf.train.Checkpoint.restore."""
        if save_path is None:
            return InitializationOnlyStatus(self._view)
        return restore(self._view, save_path, options)


class Checkpoint(AutoTrackable):
    """Saves and restores the values of the objects that it is given: by name, and those of root.

    checkpoint = tf.train.Checkpoint(model=model)
    path = checkpoint.save("/tmp/model/ckpt")       # /tmp/model/ckpt-1
    checkpoint.restore(path)
    """

    def __init__(self, root=None, **kwargs):
        self._save_counter = None
        self._root = None
        attached = None
        for name, value in sorted(kwargs.items()):  # the first that leads to a variable names it
            setattr(self, name, value)
            held = getattr(self, name)
            if isinstance(held, weakref.ref):
                held = held()
            if not isinstance(held, Trackable) and not _is_function(held):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from `Trackable`), got "
                    f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow Python API "
                    "and manages state), please open an issue."
                )
        if root is not None:
            held = root() if isinstance(root, weakref.ref) else root
            if not isinstance(held, Trackable):
                raise ValueError(
                    f"Expected root to be a trackable object (an object derived from `Trackable`), got {root}."
                )
            attached = [(name, getattr(self, name)) for name in sorted(kwargs)]
            for name, value in attached:
                known = held._lookup_dependency(name)
                if known is not None and known is not value:
                    raise ValueError(
                        f"Cannot create a Checkpoint with keyword argument {name} if root.{name} already exists."
                    )
            self.__dict__["_root"] = held
        self.__dict__["_view"] = ObjectGraphView(self if self._root is None else self._root, attached)
        self.__dict__["_attached"] = attached

    def __setattr__(self, name, value):
        if name in ("_save_counter", "_root"):
            self.__dict__[name] = value
        else:
            super().__setattr__(name, value)

    def _count(self):
        if self._save_counter is None:
            counter = variables.Variable(0, dtype=dtypes.int64, trainable=False, name="save_counter")
            self._save_counter = counter
            if self._root is None:
                self._track_trackable(counter, "save_counter")
            else:
                self._view._attached["save_counter"] = counter
                self._root._handle_deferred_dependencies("save_counter", counter)
        return self._save_counter

    @property
    def save_counter(self):
        """How often `save` was called: a variable, which is saved with the others."""
        return self._count()

    def write(self, file_prefix, options=None):
        """Writes the files of this prefix; gives the prefix."""
        path = os.fspath(file_prefix)
        write(self._view, path, options)
        return path

    def save(self, file_prefix, options=None):
        """Writes PREFIX-N, where N counts the calls, and names it as the latest in the folder's `checkpoint`."""
        counter = self._count()
        if graph.current() is None:
            number = int(counter.assign_add(1).numpy())
        else:
            number = self._count_in_graph(counter)
        path = self.write(f"{os.fspath(file_prefix)}-{number}", options)
        checkpoint_state.write_state(os.path.dirname(path), path, [path])
        return path

    def _count_in_graph(self, counter):
        session = _session()
        made = self.__dict__.setdefault("_self_count_op", {})
        if id(graph.current()) not in made:
            made[id(graph.current())] = counter.assign_add(1, read_value=True)
            session.run(counter.initializer)
        return int(session.run(made[id(graph.current())]))

    def read(self, save_path, options=None):
        """Gives the objects the values that `write` wrote; gives a status."""
        return restore(self._view, save_path, options)

    def restore(self, save_path, options=None):
        """The same of what `save` wrote; a folder stands for the newest in it, None restores nothing."""
        if save_path is None:
            return InitializationOnlyStatus(self._view)
        path = os.fspath(save_path)
        if os.path.isdir(path):
            saved_model = os.path.join(path, "variables", "variables")
            if checkpoint_state.checkpoint_exists(saved_model):
                path = saved_model
            else:
                path = checkpoint_state.latest_checkpoint(path) or path
        status = self.read(path, options)
        if not isinstance(status, NameBasedSaverStatus):
            self._count()  # is made, so that it is restored too
        return status

    def sync(self):
        """Waits for writing that goes on: here nothing does."""


def _is_function(value) -> bool:
    from ..core import function

    return isinstance(value, (function.Function, function.ConcreteFunction))


def streaming_restore(status, session=None):
    """Restores what a status of a graph speaks of, in a session."""
    status.initialize_or_restore(session)
