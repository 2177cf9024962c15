"""The lines of the program that made the nodes of graphs, as a GraphDebugInfo: for each node one frame, the program's own.
Those of models that are loaded, too."""

from __future__ import annotations

import os

from . import saved_model_constants as names
from ..core import messages
from ..files import gfile


def debug_info(graph, functions=()):
    """Of a graph's nodes, as NODE, and of concrete functions', as NODE@FUNCTION: a GraphDebugInfo."""
    made = messages.GraphDebugInfo()
    files: dict[str, int] = {}
    traces: dict[tuple, int] = {}
    for g, end in [(graph, ""), *((f.graph, f"@{f.name}") for f in functions)]:
        for op in g.get_operations():
            if op._made_at is not None:
                made.name_to_trace_id[op.name + end] = _trace(made, files, traces, op._made_at)
        library = getattr(g, "saved_lines", None)  # of a model that was loaded
        for function, lines in library.places.items() if library is not None else ():
            for node, place in lines.items() if function else ():
                made.name_to_trace_id[f"{node}@{function}"] = _trace(made, files, traces, place)
    made.files.extend(files)
    return made


def _trace(made, files, traces, place):
    """The number of the trace of a place, (file, line, function)."""
    number = traces.get(place)
    if number is None:
        number = traces[place] = len(traces)
        file, line, function = place
        frame = made.frames_by_id[number]
        frame.file_index, frame.line, frame.func = files.setdefault(file, len(files)), line, function
        made.traces_by_id[number].frame_id.append(number)
    return number


def read(folder):
    """What a SavedModel's file has; an empty GraphDebugInfo when there is none, or it cannot be read."""
    path = os.path.join(folder, names.DEBUG_DIRECTORY, names.DEBUG_INFO_FILENAME_PB)
    if not gfile.exists(path):
        return messages.GraphDebugInfo()
    try:
        with gfile.GFile(path, "rb") as f:
            return messages.GraphDebugInfo.FromString(f.read())
    except messages.DecodeError:
        return messages.GraphDebugInfo()


def places(info):
    """By the name of a function, "" for the graph itself: by node the place that made it, (file, line, function)."""
    made: dict[str, dict[str, tuple]] = {}
    for key, number in info.name_to_trace_id.items():
        trace = info.traces_by_id[number]
        frames = [info.frames_by_id[i] for i in trace.frame_id] + list(trace.file_line_cols)
        _note(made, key, info.files, frames)
    for key, trace in info.traces.items():
        frames = [info.frames_by_id[i] for i in trace.frame_id] + list(trace.file_line_cols)
        _note(made, key, info.files, frames)
    return made


def _note(made, key, files, frames):
    """Of frames, the outermost first, the last one outside of installed packages counts."""
    known = [(files[f.file_index], f.line, f.func) for f in frames if 0 <= f.file_index < len(files)]
    own = [place for place in known if not any(mark in place[0] for mark in ("site-packages/", "dist-packages/"))]
    if known:
        node, _, function = key.partition("@")
        made.setdefault(function, {})[node] = (own or known)[-1]


def give(graph, lines):
    """Has the operations of a graph know the places that made them, as far as `lines`, by node, has them."""
    for op in graph.get_operations() if lines else ():
        op._made_at = lines.get(op.name, op._made_at)
