#!/usr/bin/env python3
"""Compares what two libraries computed of one case (files that bench_graph writes). Needs numpy.

    bench/compare/compare_outputs.py OURS THEIRS [--varied] [--stepped]

Prints nothing when they agree, else a line that says where not. Numbers agree when they differ by no more than the tolerance of their
type, of the largest magnitude in the output; integers and truth values must be equal. With --varied an output that says nothing is
wrong as well: one with infinities, or many floats that are all the same. --stepped: the net rounds to steps of 8 bits on the way, where
what lies between two of them goes either way; TensorFlow's own results with and without oneDNN are up to 4 % apart.
"""
import struct
import sys

import numpy as np

TOLERANCE = {1: 2e-3, 2: 1e-6, 8: 2e-3, 14: 3e-2, 18: 1e-6, 19: 5e-3}  # by TF_DataType; TF_BFLOAT16 is 14, TF_HALF 19
STEPPED = 0.1
FLOATS = {1: "<f4", 2: "<f8", 8: "<c8", 18: "<c16", 19: "<f2"}
BFLOAT16 = 14


def read(path):
    """(dtype, dims, array) of each output; the array of bytes where the type is not a float."""
    data, at, outputs = open(path, "rb").read(), 0, []
    while at < len(data):
        dtype, rank = struct.unpack_from("<ii", data, at)
        dims = struct.unpack_from(f"<{rank}q", data, at + 8)
        size, = struct.unpack_from("<q", data, at + 8 + 8 * rank)
        at += 16 + 8 * rank
        raw = data[at:at + size]
        at += size
        if dtype == BFLOAT16:
            array = (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        else:
            array = np.frombuffer(raw, FLOATS.get(dtype, "u1"))
        outputs.append((dtype, dims, array))
    return outputs


def says_nothing(array):
    if not np.all(np.isfinite(array)):
        return "it has infinities or NaNs"
    largest = np.max(np.abs(array), initial=0)
    if array.size > 1 and np.max(np.abs(array - array[0])) <= 1e-6 * largest:
        return f"all its elements are {array[0]:.6g}"
    return f"it is {largest:g}" if largest < 1e-30 else ""


def differs(ours, theirs, varied, stepped):
    (dtype, dims, a), (their_dtype, their_dims, b) = ours, theirs
    if (dtype, dims, a.size) != (their_dtype, their_dims, b.size):
        return f"type {dtype} {list(dims)} and type {their_dtype} {list(their_dims)}"
    if dtype not in TOLERANCE:
        return "" if np.array_equal(a, b) else f"{np.count_nonzero(a != b)} of {a.size} bytes differ"
    a, b = (x.astype("c16" if dtype in (8, 18) else "f8") for x in (a, b))
    wrong = says_nothing(b) if varied else ""
    if wrong:
        return wrong
    finite = np.isfinite(b)
    if not np.array_equal(np.isfinite(a), finite):
        return "infinities or NaNs at other places"
    error, largest = np.max(np.abs(a - b)[finite], initial=0), np.max(np.abs(b[finite]), initial=0)
    return "" if error <= (STEPPED if stepped else TOLERANCE[dtype]) * largest else f"they differ by {error:.3g}, of {largest:.3g}"


def main():
    ours, theirs = read(sys.argv[1]), read(sys.argv[2])
    if len(ours) != len(theirs):
        print(f"{len(ours)} outputs and {len(theirs)}")
    for i, pair in enumerate(zip(ours, theirs)):
        wrong = differs(*pair, "--varied" in sys.argv, "--stepped" in sys.argv)
        if wrong:
            print(f"output {i}: {wrong}")


main()
