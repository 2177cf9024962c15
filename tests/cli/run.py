#!/usr/bin/env python3
"""Runs transcripts of the command line and compares what comes out.

    tests/cli/run.py [--bin DIR] [--update] FILE.t...

A transcript is text before the first command (a comment), then commands with what they print, stdout and stderr
together as they come:

    $ sluice --version
    sluice 0.1.0
    $ sluice show missing.pb
    sluice: missing.pb: no such file
    ? 1

`? N` last is the exit status, 0 when absent. In the expected text a line `...` stands for any number of lines, and
`<...>` within a line for any characters. An empty line at the end of an output is not compared. Every transcript runs
in a new empty folder; DIR is first in PATH, and $DATA is the folder of the test data. --update writes what came into
the files. The last line is "N passed, N failed", counting commands.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile


def parse(text):
    """The comment, and a list of [command, expected output without trailing newline, status]."""
    head, *parts = re.split(r"(?m)^\$ ", text)
    steps = []
    for part in parts:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            line, _, output = output.partition("\n")
            command += "\n" + line
        lines = output.rstrip("\n").split("\n")
        status = 0
        match = re.fullmatch(r"\? (\d+)", lines[-1])
        if match:
            status, lines = int(match.group(1)), lines[:-1]
        steps.append([command, "\n".join(lines).rstrip("\n"), status])
    return head, steps


def pattern(expected):
    parts = []
    for line in expected.split("\n"):
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*")
        else:
            parts.append(r"[^\n]*".join(re.escape(piece) for piece in line.split("<...>")) + r"\n")
    return "".join(parts)


def same(expected, got):
    return re.fullmatch(pattern(expected), got + "\n") is not None


def run(path, args):
    with open(path, encoding="utf-8") as file:
        head, steps = parse(file.read())
    environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", NO_COLOR="1",
                       DATA=os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "data")))
    if args.bin:
        environment["PATH"] = os.path.abspath(args.bin) + os.pathsep + environment["PATH"]
    passed = failed = 0
    written = [head]
    with tempfile.TemporaryDirectory() as folder:
        for command, expected, status in steps:
            try:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=args.timeout)
                got, code = done.stdout.decode("utf-8", "replace").rstrip("\n"), done.returncode
            except subprocess.TimeoutExpired:
                got, code = "(no end after %d s)" % args.timeout, -1
            fits = same(expected, got)
            if fits and code == status:
                passed += 1
            else:
                failed += 1
                print("%s: $ %s\n--- expected (status %d)\n%s\n--- got (status %d)\n%s\n---" %
                      (path, command, status, expected, code, got))
            shown = expected if fits else got
            written.append("$ %s\n%s%s" % (command, shown + "\n" if shown else "", "? %d\n" % code if code else ""))
    if not steps:
        print("%s: no command" % path)
        failed += 1
    if args.update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(written))
    return passed, failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    results = [run(path, args) for path in args.files]
    passed, failed = (sum(column) for column in zip(*results))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
