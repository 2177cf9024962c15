"""AutoGraph: Python's control flow in a function that is traced becomes control flow of the graph.

source.py finds a function's syntax tree, jumps.py takes break, continue and return out of it, name_uses.py knows which names each
part reads and changes, converter.py makes calls of operators (branches.py, loops.py, expressions.py, calls.py) of the rest, which decide
by the types of values, while the function runs, whether to be Python or to add nodes. api.py is tf.autograph.
"""
