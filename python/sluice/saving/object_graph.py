"""Graphs of trackable objects: what can be reached from a root by names, numbered breadth first, and the message of it."""

from __future__ import annotations

from ..core import messages, variables
from ..core.trackable import CHECKPOINT, PythonState, Trackable
from ..core.trackable_structures import wrap_or_unwrap

GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
PYTHON_STATE = "py_state"


def escape(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


class Node:
    """An object, its number, the path that first led to it, and its children: (number, name)."""

    def __init__(self, obj, number, path):
        self.obj, self.number, self.path = obj, number, path
        self.children: list[tuple[int, str]] = []
        self.slots: list[tuple[int, str, int]] = []  # (variable's number, slot's name, slot variable's number)

    def key(self, name) -> str:
        return f"{self.path}/.ATTRIBUTES/{escape(name)}" if self.path else f".ATTRIBUTES/{escape(name)}"

    def attributes(self) -> dict:
        """Its own values by name: tensors, or bytes of Python state."""
        if isinstance(self.obj, PythonState):
            return {PYTHON_STATE: self.obj.serialize()}
        return self.obj._serialize_to_tensors() if is_trackable(self.obj) and self.obj._has_values() else {}


def tracked(children) -> dict:
    """Children by name as a graph has them: plain lists and dictionaries, which packages may give, as containers of children."""
    return {name: wrap_or_unwrap(child) for name, child in children.items()}


class ObjectGraphView:
    """All that can be reached from a root. attached_dependencies: further children of the root, by name."""

    def __init__(self, root, attached_dependencies=None):
        self._root = root
        self._attached = {name: ref for name, ref in attached_dependencies or ()}

    root = property(lambda self: self._root)

    def children(self, obj, save_type=CHECKPOINT, **kwargs):
        """An object's children by name."""
        found = obj._trackable_children(save_type, **kwargs) if is_trackable(obj) else {}  # functions have none
        if obj is self._root:
            found = {**found, **self._attached}
        return tracked(found)

    def nodes(self, save_type=CHECKPOINT, **kwargs) -> list[Node]:
        """Each object once, breadth first, the root first."""
        made, numbers = [Node(self._root, 0, "")], {id(self._root): 0}

        def add(obj, path):
            numbers[id(obj)] = len(made)
            made.append(Node(obj, len(made), path))

        for node in made:
            for name, child in self.children(node.obj, save_type, **kwargs).items():
                if id(child) not in numbers:
                    add(child, f"{node.path}/{escape(name)}" if node.path else escape(name))
                node.children.append((numbers[id(child)], name))
        for node in [n for n in made if hasattr(n.obj, "get_slot_names")]:
            self._add_slots(node, list(made), numbers, add)
        return made

    @staticmethod
    def _add_slots(optimizer, nodes, numbers, add):
        """The variables that an optimizer keeps for others, under the paths of those."""
        for name in optimizer.obj.get_slot_names():
            for node in nodes:
                if not isinstance(node.obj, variables.Variable):
                    continue
                try:
                    slot = optimizer.obj.get_slot(node.obj, name)
                except (AttributeError, KeyError):
                    slot = None
                if slot is None:
                    continue
                if id(slot) not in numbers:
                    add(slot, f"{node.path}/.OPTIMIZER_SLOT/{optimizer.path}/{escape(name)}")
                optimizer.slots.append((node.number, name, numbers[id(slot)]))

    def list_objects(self):
        return [n.obj for n in self.nodes()]


def to_message(nodes: list[Node], attributes: list[dict]):
    """A TrackableObjectGraph of nodes and of the names of the values that each has."""
    made = messages.TrackableObjectGraph()
    for node, held in zip(nodes, attributes):
        part = made.nodes.add()
        for number, name in node.children:
            part.children.add(node_id=number, local_name=name)
        for variable, name, slot in node.slots:
            part.slot_variables.add(original_variable_node_id=variable, slot_name=name, slot_variable_node_id=slot)
        together = getattr(node.obj, "_values_name", None)
        for name in [together] if together and held else held:
            full_name = getattr(node.obj, "_shared_name", None) or getattr(node.obj, "name", "")
            part.attributes.add(name=name, full_name=str(full_name).partition(":")[0], checkpoint_key=node.key(name))
    _mark_holders(made)
    return made


def _mark_holders(made):
    """Tells of each node whether it, or one that it leads to, has values."""
    parents: dict[int, list[int]] = {}
    for number, part in enumerate(made.nodes):
        for child in part.children:
            parents.setdefault(child.node_id, []).append(number)
    holds = {number for number, part in enumerate(made.nodes) if part.attributes or part.slot_variables}
    todo = list(holds)
    while todo:
        for parent in parents.get(todo.pop(), ()):
            if parent not in holds:
                holds.add(parent)
                todo.append(parent)
    for number, part in enumerate(made.nodes):
        part.has_checkpoint_values.value = number in holds
        part.has_checkpoint_values.SetInParent()


def is_trackable(obj) -> bool:
    return isinstance(obj, Trackable)


class TrackableView:
    """An object and all that can be reached from it by names."""

    def __init__(self, root):
        self._root = root

    root = property(lambda self: self._root)

    @classmethod
    def children(cls, obj, save_type=CHECKPOINT, **kwargs):
        """An object's children by name. A class of one's own may say otherwise."""
        return tracked(obj._trackable_children(save_type, **kwargs)) if is_trackable(obj) else {}

    def descendants(self):
        """The root and all below it, breadth first."""
        made, seen = [self._root], {id(self._root)}
        for obj in made:
            for child in self.children(obj).values():
                if id(child) not in seen:
                    seen.add(id(child))
                    made.append(child)
        return made
