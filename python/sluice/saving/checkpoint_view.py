"""tf.train.CheckpointView: the graph of objects of a checkpoint, without the objects."""

from __future__ import annotations

import logging
import os

from ..core import messages
from . import checkpoint_reader
from .object_graph import GRAPH_KEY, ObjectGraphView


def warn_of_inconsistency(known, other):
    logging.getLogger("absl").warning(
        "Inconsistent references when matching the checkpoint into this object graph. The referenced objects are: (%s and %s)",
        known,
        other,
    )


class CheckpointView:
    """Which objects a checkpoint has, by their numbers. save_path: its prefix."""

    def __init__(self, save_path, options=None):
        reader = checkpoint_reader.CheckpointReader(os.fspath(save_path))
        if not reader.has_tensor(GRAPH_KEY):
            raise ValueError(
                f'The specified checkpoint "{save_path}" does not appear to be object-based (saved with TF2) since it is '
                f'missing the key "{GRAPH_KEY}". Likely it was created with the TF1 name-based saver and does not contain an '
                "object dependency graph."
            )
        self._message = messages.TrackableObjectGraph.FromString(reader.get_tensor(GRAPH_KEY))

    def children(self, node_id):
        """The numbers of a node's children by name."""
        return {c.local_name: c.node_id for c in self._message.nodes[node_id].children}

    def descendants(self):
        """The numbers of all nodes, breadth first."""
        return list(self._descendants_with_paths())

    def _descendants_with_paths(self):
        paths = {0: "root"}
        for node in (queue := [0]):
            for name, child in self.children(node).items():
                if child not in paths:
                    paths[child] = f"{paths[node]}.{name}"
                    queue.append(child)
        return paths

    def match(self, obj):
        """The objects that an object leads to, by the numbers of the nodes whose place they have."""
        found, view = {0: obj}, ObjectGraphView(obj)
        for node in (queue := [0]):
            children = view.children(found[node])
            for name, child in self.children(node).items():
                here = children.get(name)
                if here is None:
                    continue
                if child not in found:
                    found[child] = here
                    queue.append(child)
                elif found[child] is not here:
                    warn_of_inconsistency(found[child], here)
        return found

    def diff(self, obj):
        """(match, the numbers of nodes without an object, the objects without a node)."""
        matched = self.match(obj)
        known = {id(o) for o in matched.values()}
        lacking = [n for n in self.descendants() if n not in matched]
        return matched, lacking, [o for o in ObjectGraphView(obj).list_objects() if id(o) not in known]
