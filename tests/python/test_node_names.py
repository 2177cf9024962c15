"""What functions make in graphs has the names that TensorFlow gives it: programs fetch tensors by name."""

import node_names
import pytest
import sluice as tf


ROWS = [(path, row) for path in node_names.PATHS for row in node_names.read(path)]


@pytest.mark.parametrize("path, row", ROWS, ids=lambda v: getattr(v, "expression", None) or v.stem)
def test_nodes(path, row):
    with node_names.control_flow_of(tf, path):
        results, nodes = node_names.made(tf, row.expression)
    assert results == row.results
    if row.equal == "all":
        assert nodes.split() == row.nodes.split()
    elif row.equal == "set":
        assert sorted(nodes.split()) == sorted(row.nodes.split())


@pytest.mark.parametrize("limit, wanted", [(None, -1), (5, 5)])
def test_loops_begin_with_a_counter_and_a_limit(limit, wanted):
    """Converters of models take the first two inputs of a While for these."""
    with tf.Graph().as_default() as graph:
        k = tf.compat.v1.placeholder(tf.float32, [], "k")
        made = tf.while_loop(lambda a: a < 3.0, lambda a: a + 1.0, [k], maximum_iterations=limit)
        while_ = graph.get_operation_by_name("while")
        assert [t.name for t in while_.inputs] == ["while/loop_counter:0", "while/maximum_iterations:0", "k:0"]
        with tf.compat.v1.Session() as session:
            values = session.run([*while_.outputs, *made], {k: -3.0})
    assert [float(v) for v in values] == [wanted if limit else 6, wanted, *[2.0 if limit else 3.0] * 2]
