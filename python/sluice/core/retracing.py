"""Why a function was traced again: what in the call no earlier trace had, told against the nearest one, and what would be right."""

from __future__ import annotations

import logging
import os
import sys

from . import dtypes, tensor

_PACKAGE = __name__.partition(".")[0] + "."


def tells_all() -> bool:
    """Whether each new trace is to be told of: SLUICE_TRACE_WHY=1."""
    return os.environ.get("SLUICE_TRACE_WHY", "") not in ("", "0")


def tell(function, news, advice):
    """Says on the package's log why a function was traced, and where it was called."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame = frame.f_back
    called = "" if frame is None else f", called at {frame.f_code.co_filename}:{frame.f_lineno}"
    told = f"{function} is traced{called}: {news}" + (f"; {advice}" if advice else "")
    logging.getLogger("sluice").warning("%s", told)


def nearest(traces, kinds, skeleton):
    """The earlier trace's (kinds, skeleton) that differs least, the latest of several; None when there is none."""
    found, least = None, None
    for before, its_skeleton in traces:
        same = its_skeleton == skeleton and len(before) == len(kinds)
        n = sum(a != b for a, b in zip(before, kinds)) if same else len(kinds) + len(before) + 1
        if least is None or n <= least:
            found, least = (before, its_skeleton), n
    return found


def is_tensor(kind) -> bool:
    return isinstance(kind, tuple) and len(kind) == 3 and kind[0] is tensor.Tensor


def _advice(before, kind) -> str:
    """What would be right where an argument of one kind comes after one of another."""
    if is_tensor(before) and is_tensor(kind):
        if before[1] != kind[1]:
            return f"cast it to one type before the call, say {dtypes.by_number[before[1]].name}"
        shape = before[2].most_specific_common_supertype([kind[2]])
        if shape is None or shape.rank is None:
            return "an input_signature without a shape, tf.TensorSpec(None), serves all"
        dims = ", ".join(map(str, shape.as_list()))
        return f"an input_signature with tf.TensorSpec([{dims}]), or reduce_retracing=True, serves all lengths"
    if isinstance(kind, tuple) and len(kind) == 2:
        type_, value = kind
        if type_ in (int, float, complex):
            return "a Python number is part of the trace: a tensor, tf.constant(...), in its place serves all"
        if type_ in (bool, str, bytes, type(None)):
            return "such a value decides what is traced, once for each: a tensor in its place would be decided in the graph"
        if type(value).__name__ == "_ById":
            return "objects are told apart by identity: make it once, outside of the calls, or hand over tensors"
    return ""


def compare(before, kinds, names, text):
    """(what is new, what would be right) of arguments with one structure; `text` gives the text of a kind."""
    told, advice = [], ""
    for i, (a, b) in enumerate(zip(before, kinds)):
        if a != b:
            told.append(f"{names[min(i, len(names) - 1)]}: {text(b)} after {text(a)}")
            advice = advice or _advice(a, b)
    return "; ".join(told), advice
