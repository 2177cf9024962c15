"""Sessions through the C API: opening what a file holds, running it, freezing it; and whether two results are equal."""

import ctypes as C

import numpy as np

from c_library import Buffer, Output

UNIMPLEMENTED = 12
# What two libraries may differ by, of the largest number: by the type's bytes
TOLERANCE = {"f2": 4e-3, "f4": 2e-5, "f8": 1e-9, "c8": 2e-5, "c16": 1e-9, "bfloat16": 3e-2}


def open_saved_model(lib, folder, tags, options=None):
    """(graph, session), or an error."""
    graph = lib.call("NewGraph")
    names = (C.c_char_p * max(1, len(tags)))(*[t.encode() for t in tags])
    session = lib.call(
        "LoadSessionFromSavedModel",
        options or lib.call("NewSessionOptions"),
        None,
        folder.encode(),
        names,
        len(tags),
        graph,
        None,
        lib.status,
    )
    return lib.failure() or (graph, session)


def open_graph(lib, data, options=None):
    """(graph, session) of the bytes of a GraphDef, or an error."""
    graph = lib.call("NewGraph")
    buffer = lib.call("NewBufferFromString", data, C.c_size_t(len(data)))
    lib.call("GraphImportGraphDef", graph, buffer, lib.call("NewImportGraphDefOptions"), lib.status)
    lib.call("DeleteBuffer", buffer)
    if lib.failure():
        return lib.failure()
    session = lib.call("NewSession", graph, options or lib.call("NewSessionOptions"), lib.status)
    return lib.failure() or (graph, session)


def close(lib, graph, session):
    lib.call("DeleteSession", session, lib.status)
    lib.call("DeleteGraph", graph)


def ports(lib, graph, names):
    """The outputs with these names; None when one is not there."""
    found = []
    for name in names:
        node, _, index = name.partition(":")
        found.append(Output(lib.call("GraphOperationByName", graph, node.encode()), int(index or 0)))
    return (Output * max(1, len(names)))(*found) if all(p.oper for p in found) else None


def run(lib, graph, session, inputs, outputs, targets=()):
    """The values of `outputs`, or an error. `inputs`: (name, type, value)."""
    feeds, fetches = ports(lib, graph, [n for n, _, _ in inputs]), ports(lib, graph, outputs)
    wanted = ports(lib, graph, targets)
    if feeds is None or fetches is None or wanted is None:
        return 3, "no such tensor"
    values = (C.c_void_p * max(1, len(inputs)))(*[lib.tensor(d, v) for _, d, v in inputs])
    got = (C.c_void_p * max(1, len(outputs)))()
    ops = (C.c_void_p * max(1, len(targets)))(*[p.oper for p in wanted[: len(targets)]])
    lib.call(
        "SessionRun",
        session,
        None,
        feeds,
        values,
        len(inputs),
        fetches,
        got,
        len(outputs),
        ops,
        len(targets),
        None,
        lib.status,
    )
    result = lib.failure() or [lib.value(t) for t in got[: len(outputs)]]
    for tensor in [*values, *got]:
        if tensor:
            lib.call("DeleteTensor", tensor)
    return result


def frozen(lib, graph, session, inputs, outputs, options=None):
    """The results of the graph without variables; None when it cannot be had."""
    buffer = Buffer()
    feeds, fetches = ports(lib, graph, [n for n, _, _ in inputs]), ports(lib, graph, outputs)
    lib.call("sl_freeze_session", C.byref(buffer), session, feeds, len(inputs), fetches, len(outputs), lib.status)
    failure = lib.failure()
    if failure:
        return None if failure[0] == UNIMPLEMENTED else failure
    opened = open_graph(lib, C.string_at(buffer.data, buffer.length), options)
    if isinstance(opened[1], str):
        return opened
    result = run(lib, *opened, inputs, outputs)
    close(lib, *opened)
    return result


def differ(want, got, times=1.0):
    """None, or how two results differ: errors by their codes, arrays by type, shape and numbers."""
    if isinstance(want, tuple) or isinstance(got, tuple) or want is None or got is None:
        code = want[0] if isinstance(want, tuple) else 0
        mine = got[0] if isinstance(got, tuple) else 0
        return (
            None
            if code == mine
            else "code %d %s, expected %d %s" % (mine, got[1] if mine else "", code, want[1] if code else "")
        )
    for i, (w, g) in enumerate(zip(want, got)):
        wrong = arrays_differ(w, g, times)
        if wrong:
            return "output %d: %s" % (i, wrong)
    return None


def arrays_differ(w, g, times=1.0):
    if w.dtype != g.dtype or w.shape != g.shape:
        return "%s%s, expected %s%s" % (g.dtype, list(g.shape), w.dtype, list(w.shape))
    tolerance = TOLERANCE.get(w.dtype.name if w.dtype.name in TOLERANCE else w.dtype.str[1:])
    if not tolerance:
        wrong = np.asarray(w != g)
    else:
        if w.dtype.name == "bfloat16":
            w, g = w.astype("f4"), g.astype("f4")
        size = np.abs(w[np.isfinite(w)]).max(initial=0)
        wrong = ~np.isclose(g, w, tolerance * times, tolerance * times * size + 1e-30, equal_nan=True)
    if not wrong.any():
        return None
    at = tuple(int(k) for k in np.argwhere(wrong)[0])
    return "%d of %d are not equal, first at %s: %s, expected %s" % (wrong.sum(), wrong.size, list(at), g[at], w[at])
