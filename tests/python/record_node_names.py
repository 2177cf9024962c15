#!/usr/bin/env python3
"""Records the nodes that functions make in a graph in TensorFlow into data/node_names; needs tensorflow-cpu.

Each row there: an expression over the names of node_names.py, how much of it must be equal here (`all`: the nodes, `set`: the
nodes in any order, `result`: the names of the tensors that it gives), these names, and the nodes as name:op. Rows keep their expression and how
much is equal; new ones are added with `all` and nothing behind it.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import node_names  # noqa: E402
import tensorflow as tf  # noqa: E402

for path in node_names.PATHS:
    with node_names.control_flow_of(tf, path):
        rows = [(r.expression, r.equal, *node_names.made(tf, r.expression)) for r in node_names.read(path)]
    node_names.write(path, rows)
