"""tf.train.Checkpoint: the variables of a graph of objects, in files, found again by the objects' names for each other.

A file has a tensor for each variable, under the path that leads to it from the root, and the graph of objects itself
(a TrackableObjectGraph), by which values are matched when they are restored.
"""

from __future__ import annotations

import os

from ..core import attr_value, module, op_defs, variables
from ..core.op_defs import op

_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE = "VARIABLE_VALUE"


def children_of(obj) -> dict:
    """The objects that it has, by name: of modules and checkpoints their attributes, of containers their items."""
    if isinstance(obj, Checkpoint):
        return dict(obj._objects)
    if isinstance(obj, dict):
        items = {str(k): v for k, v in obj.items()}
    elif isinstance(obj, (list, tuple)):
        items = {str(i): v for i, v in enumerate(obj)}
    elif isinstance(obj, module.Module):
        items = vars(obj)
    else:
        return {}
    return {name: v for name, v in items.items() if is_trackable(v)}


def is_trackable(obj) -> bool:
    """Whether it is a variable, or may have some."""
    if isinstance(obj, (variables.Variable, module.Module, Checkpoint)):
        return True
    if isinstance(obj, (list, tuple, dict)):
        return any(is_trackable(v) for v in (obj.values() if isinstance(obj, dict) else obj))
    return False


def _escape(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


class _Node:
    def __init__(self, obj, path):
        self.obj, self.path, self.children = obj, path, []


def _walk(root) -> list[_Node]:
    """All that can be reached, each once, breadth first; paths are those by which they were met first."""
    nodes, numbers = [_Node(root, "")], {id(root): 0}
    for node in nodes:
        for name, child in children_of(node.obj).items():
            number = numbers.get(id(child))
            if number is None:
                number = numbers[id(child)] = len(nodes)
                nodes.append(_Node(child, f"{node.path}/{_escape(name)}" if node.path else _escape(name)))
            node.children.append((number, name))
    return nodes


def _key(node: _Node) -> str:
    return f"{node.path}/.ATTRIBUTES/{_VALUE}"


def _encode(nodes: list[_Node]) -> bytes:
    out = []
    for node in nodes:
        data = b"".join(
            attr_value.block(1, attr_value.number(1, number) + attr_value.block(2, name.encode()))
            for number, name in node.children
        )
        if isinstance(node.obj, variables.Variable):
            names = (_VALUE, node.obj.name[:-2], _key(node))
            data += attr_value.block(2, b"".join(attr_value.block(i + 1, n.encode()) for i, n in enumerate(names)))
        out.append(attr_value.block(1, data))
    return b"".join(out)


def _decode(data: bytes) -> list[tuple[dict, dict]]:
    """By node: children (name -> number) and attributes (name -> key)."""
    nodes = []
    for number, _, node in op_defs.fields(memoryview(data)):
        children, attributes = {}, {}
        for field, _, value in op_defs.fields(node) if number == 1 else ():
            parts = {n: v for n, _, v in op_defs.fields(value)}
            if field == 1:
                children[bytes(parts.get(2, b"")).decode()] = parts.get(1, 0)
            elif field == 2:
                attributes[bytes(parts.get(1, b"")).decode()] = bytes(parts.get(3, b"")).decode()
        nodes.append((children, attributes))
    return nodes


def _write(prefix: str, nodes: list[_Node]):
    held = [n for n in nodes if isinstance(n.obj, variables.Variable)]
    values = [n.obj.read_value() for n in held] + [_text(_encode(nodes))]
    names = [_key(n) for n in held] + [_GRAPH_KEY]
    order = sorted(range(len(names)), key=names.__getitem__)
    os.makedirs(os.path.dirname(prefix) or ".", exist_ok=True)
    op("SaveV2")(prefix, [names[i] for i in order], [""] * len(names), [values[i] for i in order])


def _text(data: bytes):
    from ..core.tensor import convert

    return convert(data)


def _read(prefix: str, names: list[str], dtypes: list):
    return op("RestoreV2")(prefix, names, [""] * len(names), dtypes=dtypes)


class LoadStatus:
    """What a restoration came to; each method gives the status, or raises AssertionError."""

    def __init__(self, missing_here, missing_there):
        self._here, self._there = missing_here, missing_there

    def assert_consumed(self):
        """Every variable of both sides has met its like."""
        self.assert_existing_objects_matched()
        if self._here:
            raise AssertionError(f"Unresolved object in checkpoint: {', '.join(self._here)}")
        return self

    def assert_existing_objects_matched(self):
        """Every variable that there is was in the checkpoint."""
        if self._there:
            raise AssertionError(f"No checkpointed value for {', '.join(self._there)}")
        return self

    assert_nontrivial_match = assert_existing_objects_matched

    def expect_partial(self):
        """Says that what is missing does not matter."""
        return self


class Checkpoint:
    """Saves and restores the variables of the objects that it is given by name.

    checkpoint = tf.train.Checkpoint(model=model)
    path = checkpoint.save("/tmp/model/ckpt")       # /tmp/model/ckpt-1
    checkpoint.restore(path)
    """

    def __init__(self, root=None, **objects):
        for name, value in objects.items():
            if not is_trackable(value) and not isinstance(value, (list, tuple, dict)):
                raise ValueError(
                    f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from `Trackable`), "
                    f"got {value!r}."
                )
        self._objects = {**(children_of(root) if root is not None else {}), **objects}
        for name, value in objects.items():
            setattr(self, name, value)

    @property
    def save_counter(self):
        """How often `save` was called: a variable, which is saved with the others."""
        if "save_counter" not in self._objects:
            self._objects["save_counter"] = variables.Variable(0, trainable=False, name="save_counter", dtype="int64")
        return self._objects["save_counter"]

    def write(self, file_prefix, options=None):
        """Writes the files of this prefix; gives the prefix."""
        _write(os.fspath(file_prefix), _walk(self))
        return os.fspath(file_prefix)

    def save(self, file_prefix, options=None):
        """Writes PREFIX-N, where N counts the calls, and names it as the latest in the folder's `checkpoint`."""
        n = int(self.save_counter.assign_add(1).numpy())
        path = self.write(f"{os.fspath(file_prefix)}-{n}")
        _name_latest(path)
        return path

    def read(self, save_path, options=None):
        """Gives the objects the values of a checkpoint. NotFoundError when there is none, or no graph of objects in it."""
        path = os.fspath(save_path)
        there = _decode(_read(path, [_GRAPH_KEY], ["string"])[0].numpy())
        if "save_counter" in there[0][0]:
            self.save_counter  # is made, so that it is restored too
        met: dict[int, int] = {}
        pairs, queue = [], [(self, 0)]
        for obj, number in queue:
            if id(obj) in met:
                continue
            met[id(obj)] = number
            children, attributes = there[number]
            if isinstance(obj, variables.Variable) and _VALUE in attributes:
                pairs.append((obj, attributes[_VALUE]))
            queue.extend((c, children[name]) for name, c in children_of(obj).items() if name in children)
        if pairs:
            for (v, _), value in zip(pairs, _read(path, [k for _, k in pairs], [v.dtype for v, _ in pairs])):
                v.assign(value)
        keys = {a[_VALUE] for _, a in there if _VALUE in a}
        restored = {id(v) for v, _ in pairs}
        lacking = [n.path for n in _walk(self) if isinstance(n.obj, variables.Variable) and id(n.obj) not in restored]
        return LoadStatus(sorted(keys - {k for _, k in pairs}), lacking)

    def restore(self, save_path, options=None):
        """The same; None restores nothing."""
        return LoadStatus([], []) if save_path is None else self.read(save_path)


# ---- the folder's `checkpoint`: which files there are


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _name_latest(path: str):
    folder, name = os.path.split(path)
    known = [p for p in all_paths(folder) if p != name and os.path.exists(os.path.join(folder, p) + ".index")] + [name]
    text = f'model_checkpoint_path: "{_quote(name)}"\n'
    text += "".join(f'all_model_checkpoint_paths: "{_quote(p)}"\n' for p in known)
    state = os.path.join(folder or ".", "checkpoint")
    with open(state + ".tmp", "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(state + ".tmp", state)


def _state(folder: str) -> list[tuple[str, str]]:
    try:
        with open(os.path.join(folder or ".", "checkpoint"), encoding="utf-8") as f:
            lines = f.read().splitlines()
    except OSError:
        return []
    pairs = (line.partition(": ") for line in lines if '"' in line)
    return [(k.strip(), v.strip()[1:-1].replace('\\"', '"').replace("\\\\", "\\")) for k, _, v in pairs]


def all_paths(folder: str) -> list[str]:
    """The names of the checkpoints that a folder's `checkpoint` lists, oldest first."""
    return [v for k, v in _state(folder) if k == "all_model_checkpoint_paths"]


def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The prefix of the newest checkpoint in a folder, or None."""
    folder = os.fspath(checkpoint_dir)
    name = next((v for k, v in _state(folder) if k == "model_checkpoint_path"), None)
    if name is None:
        return None
    path = name if os.path.isabs(name) else os.path.join(folder, name)
    return path if os.path.exists(path + ".index") else None
