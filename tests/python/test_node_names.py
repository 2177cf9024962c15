"""What functions make in graphs has the names that TensorFlow gives it: programs fetch tensors by name."""

import node_names
import pytest
import sluice as tf


ROWS = [row for path in node_names.PATHS for row in node_names.read(path)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.expression)
def test_nodes(row):
    results, nodes = node_names.made(tf, row.expression)
    assert results == row.results
    if row.equal == "all":
        assert nodes.split() == row.nodes.split()
