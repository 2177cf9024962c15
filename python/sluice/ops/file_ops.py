"""Whole files as tensors and tensors as files; graphs as files."""

from __future__ import annotations

import os

from ..core import messages
from ..core.op_defs import op


def read_file(filename, name=None):
    """What is in a file, a scalar. NotFoundError when there is none."""
    return op("ReadFile")(filename, name=name)


def write_file(filename, contents, name=None):
    """Writes a file, and makes the folders that it is in."""
    return op("WriteFile")(filename, contents, name=name)


def matching_files(pattern, name=None):
    """The paths that fit a pattern, or one of a vector of patterns."""
    return op("MatchingFiles")(pattern, name=name)


def match_filenames_once(pattern, name=None):
    """A variable of the paths that fit a pattern when it is initialised."""
    from .. import compat
    from ..core import graph

    if graph.current() is None:
        from ..core.variables import Variable

        return Variable(matching_files(pattern), trainable=False, validate_shape=False, name=name)
    v1 = compat.v1
    return v1.Variable(
        name=name or "matching_filenames",
        initial_value=matching_files(pattern),
        trainable=False,
        validate_shape=False,
        collections=[v1.GraphKeys.LOCAL_VARIABLES],
    )


def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph to logdir/name, as text or bytes. Gives the path."""
    from ..files import gfile

    graph_def = graph_or_graph_def
    if hasattr(graph_def, "as_graph_def"):
        graph_def = graph_def.as_graph_def()
    gfile.makedirs(logdir)
    path = os.path.join(os.fspath(logdir), name)
    if as_text:
        text = str(messages.GraphDef.FromString(messages.to_bytes(graph_def)))
        with gfile.GFile(path, "w") as f:
            f.write(text)
    else:
        with gfile.GFile(path, "wb") as f:
            f.write(messages.to_bytes(graph_def))
    return path
