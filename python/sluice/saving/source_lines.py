"""The lines of the program that made the nodes of graphs, as a GraphDebugInfo: for each node one frame, the program's own."""

from __future__ import annotations

from ..core import messages


def debug_info(graph, functions=()):
    """Of a graph's nodes, as NODE, and of concrete functions', as NODE@FUNCTION: a GraphDebugInfo."""
    made = messages.GraphDebugInfo()
    files: dict[str, int] = {}
    traces: dict[tuple, int] = {}
    for g, end in [(graph, ""), *((f.graph, f"@{f.name}") for f in functions)]:
        for op in g.get_operations():
            if op._made_at is not None:
                made.name_to_trace_id[op.name + end] = _trace(made, files, traces, op._made_at)
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
