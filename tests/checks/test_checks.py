#!/usr/bin/env python3
"""tools/check_layers, tools/check_names and tests/cli/run.py on small trees: each rule is broken once; and checkers
that lack what they need.

The words and paths that check_names refuses are put together here, so that this file keeps the rules itself.
"""
import os
import shutil
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

    def said(self, command, environment=None):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              universal_newlines=True, env=environment)
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

    def test_meanings_that_are_kept(self):
        self.assertEqual(self.names({
            "include/sluice/a.h": "typedef struct sl_a sl_a;\nint sl_run(sl_a *a);\n",
            "src/a/a.c": "struct sl_a { int n; };\nstatic int add(void) { return 1; }\nint sl_run(sl_a *a) { return a->n; }\n",
            "src/a/b.h": "struct sl_b { struct sl_a *a; };\nstruct sl_b sl_b(void);\n#define ROW(x) x,\n#undef ROW\n",
            "src/a/b.c": "#define ROW 1\nstruct sl_a;\nstatic int add(int x) { return x; }\n#define OP(x)\n",
            "src/a/c.h": "#define ROW(x) #x,\n#undef ROW\n#define OP(x) x\nint sl_use(struct sl_b *b);\n",
            "src/a/d.h": "/* struct sl_b {}; */\n#define OP(x) +x\n"}), (0, ""))

    def test_meanings_that_are_broken(self):
        header = ("struct sl_a {\n    enum sl_e { SL_X, SL_Y } e;\n};\ntypedef int (*sl_fn)(int);\n#define SL_M(x) \\\n  x\n"
                  "static inline int sl_f(void) { return 0; }\nextern const int sl_o[];\nint sl_p(int);\n")
        for path, text, complaint in [
                ("src/b.h", "\nstruct sl_a { int n; };\n", "2: 'sl_a' (struct) means something else in src/a.h:1 (struct)"),
                ("src/b.h", "union sl_e { int n; };\n", "1: 'sl_e' (union) means something else in src/a.h:2 (enum)"),
                ("src/b.h", "enum { SL_Z = 1,\n SL_Y };\n",
                 "2: 'SL_Y' (enumerator) means something else in src/a.h:2 (enumerator)"),
                ("src/b.h", "typedef int sl_fn;\n", "1: 'sl_fn' (typedef) means something else in src/a.h:4 (typedef)"),
                ("src/b.h", "#define SL_M 1\n", "1: 'SL_M' (macro) means something else in src/a.h:5 (macro)"),
                ("src/b.h", "void\nsl_f(int);\n", "2: 'sl_f' (function) means something else in src/a.h:7 (function)"),
                ("src/b.h", "extern int sl_o;\n", "1: 'sl_o' (object) means something else in src/a.h:8 (object)"),
                ("include/b.h", "struct sl_p;\nint sl_p(void);\n", None),
                ("src/b.c", "struct sl_p {};\n", "1: 'sl_p' (struct) means something else in src/a.h:9 (function)"),
                ("src/b.c", "static int sl_f(int n) { return n; }\n",
                 "1: 'sl_f' (function) means something else in src/a.h:7 (function)"),
                ("src/b.c", "int used(void) { return 1; }\n",
                 "1: 'used' (function) means something else in src/a.c:1 (function)"),
                ("src/b.c", "struct sl_own { int n; };\n",
                 "1: 'sl_own' (struct) means something else in src/a.c:2 (struct)")]:
            status, said = self.names({"src/a.h": header, path: text,
                                       "src/a.c": "int used(void) { return 0; }\nstruct sl_own { int m; };\n"})
            expected = "src/a.h:9: 'sl_p' (function) means something else in include/b.h:2 (function)"
            self.assertEqual((status, said), (1, "%s:%s" % (path, complaint) if complaint else expected))

    def test_checks_of_which_one_is_missing(self):
        runner = os.path.join(ROOT, "tools/run_checks")
        self.assertEqual(self.said([runner, "a=/bin/true"]), (0, "a: ok"))
        self.assertEqual(self.said([runner, "a=/bin/true", "b=tools/nobody --check", "c=/bin/false"]),
                         (1, "a: ok\n  b: there is no program tools/nobody\nfailed: b c"))

    def test_checkers_without_their_tools(self):
        """Nothing is passed over: not the format without clang-format, nor what only a build tells."""
        place = self.tree({})
        for tool in ("bash", "dirname", "git", "grep", "python3", "env"):
            os.symlink(shutil.which(tool), os.path.join(place, tool))
        for without, command in [({"PATH": place}, "tools/format --check"), ({"BUILD": "nowhere"}, "tools/list_ops"),
                                 ({"BUILD": "nowhere"}, "tools/check_ops.py"), ({"PATH": place}, "tools/check_headers"),
                                 ({"BUILD": "nowhere"}, "tools/list_sizes"), ({"PATH": place}, "tools/check_exports.py")]:
            status, said = self.said(os.path.join(ROOT, command).split(), dict(os.environ, **without))
            self.assertNotEqual(status, 0, command)
            self.assertNotEqual(said, "", command)

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
