#!/usr/bin/env python3
"""tools/check_layers, tools/check_names and tests/cli/run.py on small trees: each rule is broken once.

The words and paths that check_names refuses are put together here, so that this file keeps the rules itself.
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = """## Rooms
| `src/base` | the ground | libc |
| `src/os` | threads | base |
| `src/graph` | nodes | base public |
| `src/backends/cpu` | kernels | base |
| `src/backends/null` | none | as cpu |
| `src/capi` | everything | all |
"""


class Checks(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in files.items():
            path = os.path.join(folder.name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return folder.name

    def said(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              universal_newlines=True)
        return done.returncode, done.stdout.strip()

    def layers(self, files):
        place = self.tree(dict(files, **{"docs/ARCHITECTURE.md": TABLE}))
        return self.said([sys.executable, os.path.join(ROOT, "tools/check_layers"), place])

    def names(self, files):
        place = self.tree(files)
        subprocess.run(["git", "init", "-q", place], check=True)
        return self.said([sys.executable, os.path.join(ROOT, "tools/check_names"), place])

    def transcript(self, text, *options):
        place = self.tree({"x.t": text})
        status, said = self.said([sys.executable, os.path.join(ROOT, "tests/cli/run.py"), *options, place + "/x.t"])
        with open(place + "/x.t", encoding="utf-8") as file:
            return status, said, file.read()

    def test_a_tree_that_keeps_the_layers(self):
        self.assertEqual(self.layers({
            "src/base/a.h": "", "src/graph/g.h": '#include "base/a.h"\n#include "tensorflow/c/c_api.h"\n',
            "src/backends/cpu/isa/avx2/k.c": '#include "base/a.h"\n#include "backends/cpu/k.h"\n',
            "src/backends/cpu/k.h": "", "src/os/t.c": "#include <pthread.h>\n",
            "src/capi/c.c": '#include "graph/g.h"\n#include "os/t.h"\n', "src/os/t.h": "",
            "cli/main.c": '#include "cli.h"\n#include <tensorflow/c/c_api.h>\n', "cli/cli.h": ""}), (0, ""))

    def test_layers_that_are_broken(self):
        for path, text, complaint in [
                ("src/base/a.h", '#include "graph/g.h"\n', "src/base/a.h:1: src/base may not include src/graph"),
                ("src/backends/null/a.c", '\n#include "graph/g.h"\n',
                 "src/backends/null/a.c:2: src/backends/null may not include src/graph"),
                ("src/os/a.c", '#include "tensorflow/c/c_api.h"\n', "src/os/a.c:1: src/os may not include public headers"),
                ("src/base/a.c", "#include <pthread.h>\n", "src/base/a.c:1: <pthread.h> belongs to src/os"),
                ("src/base/a.c", '#include "a.h"\n', 'src/base/a.c:1: "a.h" names no room; write "room/file"'),
                ("src/base/a.c", '#include "base/gone.h"\n', "src/base/a.c:1: src/base/gone.h does not exist"),
                ("src/new/a.c", "", "src/new/a.c:1: this folder is no room of docs/ARCHITECTURE.md"),
                ("cli/a.c", '#include "graph/g.h"\n', 'cli/a.c:1: cli/ uses public headers only, not "graph/g.h"'),
                ("src/graph/a.h", '#include "graph/g.h"\n',
                 "src/graph/g.h:1: include cycle: graph/a.h -> graph/g.h -> graph/a.h")]:
            graph = '#include "graph/a.h"\n' if path == "src/graph/a.h" else ""
            self.assertEqual(self.layers({"src/graph/g.h": graph, path: text}), (1, complaint))

    def test_names_that_are_kept(self):
        self.assertEqual(self.names({
            "src/a/x.c": "/* worker, /job:worker/task:0 */\n", "src/b/isa/avx2/y.c": "", "src/b/isa/base/y.c": "",
            "src/a/README.md": "", "src/b/README.md": "", "src/a/rows.def": "\n" * 5000}), (0, ""))

    def test_names_that_are_broken(self):
        for path, text, complaint in [
                ("src/b/x.c", "", "src/b/x.c:1: the name is taken by src/a/x.c"),
                ("src/b/string_util.c", "", "src/b/string_util.c:1: 'util' says nothing; name what the file decides"),
                ("src/b/z.c", "\n" * 1001, "src/b/z.c:1000: 1001 lines; at most 1000"),
                ("src/b/z.c", "\n// TO" "DO: more\n", "src/b/z.c:2: 'TO" "DO': finish it, or answer UNIMPLEMENTED"),
                ("docs/z.md", "see /wo" "rk/x\n", "docs/z.md:1: '/wo" "rk/' is a place of one machine"),
                ("docs/z.md", "see ../sha" "red\n", "docs/z.md:1: '../sha" "red' is a place of one machine")]:
            self.assertEqual(self.names({"src/a/x.c": "", path: text}), (1, complaint))

    def test_transcripts_that_fit(self):
        status, said, _ = self.transcript(
            "About nothing.\n$ echo a; echo b >&2\na\nb\n$ seq 9; exit 3\n1\n...\n9\n? 3\n$ true\n$ echo t=12ms\nt=<...>ms\n")
        self.assertEqual((status, said), (0, "4 passed, 0 failed"))

    def test_transcripts_that_do_not_fit(self):
        for text in ["$ echo a\nb\n", "$ echo a\n", "$ true\na\n", "$ exit 1\n", "$ true\n? 1\n", "$ seq 3\n1\n...\n2\n",
                     "no command\n"]:
            status, said, after = self.transcript(text)
            self.assertEqual((status, said.splitlines()[-1]), (1, "0 passed, 1 failed"), text)
            self.assertEqual(after, text)

    def test_transcripts_are_updated(self):
        text = "Note.\n$ seq 3; exit 2\n9\n$ echo a b\na <...>\n"
        self.assertEqual(self.transcript(text, "--update")[2], "Note.\n$ seq 3; exit 2\n1\n2\n3\n? 2\n$ echo a b\na <...>\n")


if __name__ == "__main__":
    unittest.main()
