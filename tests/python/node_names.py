"""The tables of nodes that functions make in graphs: data/node_names/*.tsv."""

import collections
import contextlib
import io
import pathlib

PATHS = sorted((pathlib.Path(__file__).parent / "data" / "node_names").glob("*.tsv"))
Row = collections.namedtuple("Row", "expression equal results nodes")


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Row(*(line.split("\t") + ["", ""])[:4]) for line in lines if line and not line.startswith("#")]


def write(path, rows):
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    path.write_text("\n".join(head + ["\t".join(row) for row in rows]) + "\n", encoding="utf-8")


def _results(tf, value):
    flat = tf.nest.flatten(value, expand_composites=True) if not isinstance(value, tf.data.Dataset) else []
    return " ".join(one.name for one in flat if isinstance(getattr(one, "name", None), str))


@contextlib.contextmanager
def control_flow_of(tf, path):
    """The tables of v1_*.tsv are of graphs whose loops and branches are nodes, as TensorFlow 1 makes them."""
    if path.name.startswith("v1_"):
        tf.compat.v1.disable_control_flow_v2()
    try:
        yield
    finally:
        tf.compat.v1.enable_control_flow_v2()


def made(tf, expression):
    """The names of the tensors that the expression gives in a new graph, and the nodes that it makes, both as text."""
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph, contextlib.redirect_stderr(io.StringIO()):
        names = {
            "tf": tf,
            "v1": v1,
            "x": v1.placeholder(tf.float32, [2, 3], "x"),
            "u": v1.placeholder(tf.float32, [None, None], "u"),
            "i": v1.placeholder(tf.int32, [2], "i"),
            "k": v1.placeholder(tf.float32, [], "k"),
            "im": v1.placeholder(tf.float32, [1, 8, 8, 3], "im"),
            "b": v1.placeholder(tf.bool, [2, 3], "b"),
            "s": v1.placeholder(tf.string, [2], "s"),
        }
        before = len(graph.get_operations())
        value = eval(expression, names)
        nodes = " ".join(f"{node.name}:{node.type}" for node in graph.get_operations()[before:])
        return _results(tf, value), nodes
