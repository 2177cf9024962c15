#!/usr/bin/env python3
"""Recorded gradients by a tape: each graph's ops run one by one, then their gradients, through the program tape_gradients.

    tests/compat/replay_tape.py --reader REPLAY.PY --program FILE PATH... [--only REGEX] [--failures N] [--timeout SECONDS]

REPLAY.PY is the reader of the recordings (tests/compat/replay passes it). A case that crashes or hangs is one failed case. The last line is
"N passed, N failed"; the line before it says which way they ran: only plain ops; some that call functions (While, If ...); the graph as one
function, because its control flow is of Switch, Merge, Enter and Exit.
"""
import argparse
import importlib.util
import os
import re
import select
import struct
import subprocess
import sys


class Gone(Exception):
    pass


class Program:
    """The program, started again when it ends."""

    def __init__(self, path, seconds):
        self.path, self.seconds, self.process = path, seconds, None

    def read(self, n):
        out = b""
        while len(out) < n:
            if not select.select([self.process.stdout], [], [], self.seconds)[0]:
                self.process.kill()
                raise Gone("no answer in %d s" % self.seconds)
            part = os.read(self.process.stdout.fileno(), n - len(out))
            if not part:
                raise Gone("crashed: status %d" % self.process.wait())
            out += part
        return out

    def number(self):
        return struct.unpack("<I", self.read(4))[0]

    def ask(self, graph, firsts, seconds):
        """(way, list of TensorProtos) or (way, text)."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        request = struct.pack("<I", len(graph)) + graph
        for ks in (firsts, seconds):
            request += struct.pack("<%dI" % (len(ks) + 1), len(ks), *ks)
        self.process.stdin.write(request)
        self.process.stdin.flush()
        way, failed = self.number(), self.number()
        if failed:
            return way, self.read(self.number()).decode("utf-8", "replace")
        return way, [self.read(self.number()) for _ in range(len(firsts) + len(seconds))]


def check(reader, program, graph, expected):
    """(way, None or why it failed); way None when nothing had to run."""
    want = {}
    for node in reader.nodes(expected):
        name, op, _, attrs = reader.node(node)
        if op == "Const":
            want[name] = reader.tensor_proto(reader.get(attrs["value"], 8))
    ks = [sorted(int(name[len(prefix):]) for name in want if re.fullmatch(prefix + r"\d+", name)) for prefix in ("grad_", "grad2_")]
    if not ks[0]:
        return None, None
    way, got = program.ask(bytes(graph), *ks)
    if isinstance(got, str):
        return way, got
    names = ["grad_%d" % k for k in ks[0]] + ["grad2_%d" % k for k in ks[1]]
    for name, value in zip(names, got):
        why = reader.differ(want[name], reader.tensor_proto(value), 20)
        if why:
            return way, "%s: %s" % (name, why)
    return way, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--failures", type=int, default=20)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("recordings", args.reader)
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    program, only = Program(args.program, args.timeout), re.compile(args.only)
    ways, bad, passed = {0: 0, 1: 0, 2: 0, None: 0}, [], 0
    for path in reader.walk(args.paths, ".tfrecord"):
        records = list(reader.records(path))
        for k in range(0, len(records) - 1, 2):
            name = "%s#%d" % (os.path.basename(path)[:-9], k // 2)
            if not only.search(name):
                continue
            try:
                way, why = check(reader, program, records[k], records[k + 1])
            except (Gone, BrokenPipeError) as gone:
                way, why, program.process = None, str(gone), None
            if why:
                bad.append("FAIL %s: %s" % (name, why))
            else:
                passed += 1
                ways[way] += 1
    print("\n".join(bad[:args.failures] + ["... and %d more" % (len(bad) - args.failures)] * (len(bad) > args.failures)))
    print("passed: %d of plain ops, %d with ops that call functions, %d as one function, %d without a gradient"
          % (ways[0], ways[1], ways[2], ways[None]))
    print("%d passed, %d failed" % (passed, len(bad)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
