#!/usr/bin/env python3
"""Compares what a built library exports with src/capi/exports.def.

usage: tools/check_exports.py [LIBRARY]      default: build/lib/libtensorflow.so.2

Complains, and exits with 1, when a name of the table is not exported as a function, when anything but TF_*, TFE_*,
TSL_* and sl_* is exported, when one of the first three is not in the table, or when it is not in both version nodes:
VERS_1.0, the default, and that of TensorFlow's wheel (cmake/wheel_names.c). Also when it, or a companion beside it,
calls a function of the C library that keeps something between calls: the library has no writable globals, and steps run
on many threads.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "src" / "capi" / "exports.def"
LIBRARY = ROOT / "build" / "lib" / "libtensorflow.so.2"
MOST_LINES = 40
API = re.compile(r"(TF|TFE|TSL)_\w+")
# lgamma writes signgam, the others a buffer, a seed or the locale; there is one without for each.
STATEFUL = set("asctime basename crypt ctime dirname drand48 ecvt ether_ntoa fcvt gamma gammaf getdate getgrgid getgrnam "
               "gethostbyaddr gethostbyname getlogin getpwnam getpwuid gmtime hcreate hsearch inet_ntoa lgamma lgammaf "
               "localeconv localtime lrand48 mblen mbtowc mrand48 nl_langinfo ptsname rand random setlocale srand srandom "
               "strerror strsignal strtok tempnam tmpnam ttyname wctomb".split())
NODES = {"@@VERS_1.0", "@tensorflow"}


def table_names():
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith(("TF_API(", "TF_ABSENT("))]
    names = [re.match(r"TF_(?:API|ABSENT)\(\w+, [^,]+, (\w+), \(.*\)\)$", row) for row in rows]
    if not all(names):
        sys.exit(f"{TABLE}: malformed row: {rows[names.index(None)]}")
    return [match.group(1) for match in names]


def exported(library):
    """{name: (nm's type letter, {version node with its @ or @@})}; the version nodes' own symbols are left out."""
    done = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library],
                          stdout=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        sys.exit(f"{library}: not readable by nm")
    output = done.stdout
    symbols = {}
    for line in output.splitlines():
        letter, versioned = line.split()[-2:]
        name, at, node = versioned.partition("@")
        if letter != "A":
            symbols.setdefault(name, (letter, set()))[1].add(at + node)
    return symbols


def stateful_calls(library):
    done = subprocess.run(["nm", "-D", "--undefined-only", library], stdout=subprocess.PIPE, universal_newlines=True)
    called = {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines()}
    return sorted(called & STATEFUL)


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__.strip())
    library = sys.argv[1] if len(sys.argv) == 2 else str(LIBRARY)
    names, symbols, wrong = table_names(), exported(library), []
    wrong += [f"twice in the table: {name}" for name in sorted(set(n for n in names if names.count(n) > 1))]
    for name in names:
        letter, nodes = symbols.get(name, (None, None))
        if letter is None:
            wrong.append(f"not exported: {name}")
        elif letter not in "TWi":
            wrong.append(f"not a function: {name} ({letter})")
        elif nodes != NODES:
            wrong.append(f"not in {' and '.join(sorted(NODES))}: {name} ({' '.join(sorted(nodes))})")
    for name in sorted(set(symbols) - set(names)):
        if API.fullmatch(name):
            wrong.append(f"not in the table: {name}")
        elif not name.startswith("sl_"):
            wrong.append(f"must not be exported: {name}")
    folder = pathlib.Path(library).parent
    for file in [pathlib.Path(library), *sorted(folder.glob("libsluice_*.so"))]:
        wrong += [f"{file.name} calls {name}, which keeps something between calls" for name in stateful_calls(file)]
    for line in wrong[:MOST_LINES]:
        print(line)
    if len(wrong) > MOST_LINES:
        print(f"... and {len(wrong) - MOST_LINES} more")
    if wrong:
        print(f"{library}: {len(names)} names wanted, {len(symbols)} symbols exported, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
