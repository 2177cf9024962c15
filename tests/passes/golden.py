#!/usr/bin/env python3
"""Golden cases of the optimising passes: a graph, what is fed and fetched, and the graph that is to be left.

    tests/passes/golden.py SLUICE FILE.cases... [--only WORDS] [--update]

Each case is run by the command with the passes off and on: what is fetched must be the same, bit for bit (a case that says `about` compares
numbers), and the graph after the pass that the file names by a line "# until NAME" (else `fuse`) must be the one that stands in the
file; --update writes it there. A case:

    name of the case, in words
      x = Placeholder dtype=float
      one = Const value=float[]{1}
      y = Mul(x, one)
    run y x=[1,2]                  what is fetched, what is fed; also: target:NAME, about, fails "part of the message"
    ->
      y = ...                      a line a node: op, inputs, attrs that matter; feeds and fetches have no lines
      fetch x                      what each fetch reads

A node is `name = Op(input, other:1, ^control) attr=value`. Values: 3, true, 1.5f, float, 'text', [1, 2], float[2]{1, 2}, shape<2,-1>. Every
node has T=float unless it says otherwise, and a Const the dtype of its value.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DTYPES = {"float": 1, "double": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7, "complex64": 8, "int64": 9, "bool": 10,
          "bfloat16": 14, "half": 19, "resource": 20}
FIELDS = {"float": "float_val", "double": "double_val", "int32": "int_val", "int64": "int64_val", "bool": "bool_val",
          "string": "string_val", "uint8": "int_val", "half": "half_val"}
NODE = re.compile(r"\s*([\w/.-]+) = (\w+)(?:\(([^)]*)\))?(.*)$")
ATTR = re.compile(r"(\w+)=('[^']*'|\[[^\]]*\]|\w+\[[\d,]*\]\{[^}]*\}|shape<[^>]*>|\S+)")


def dims(text):
    return "".join(" dim { size: %s }" % d for d in text.split(",") if d.strip())


def scalar(text):
    if text.startswith("'"):
        return "s: " + json.dumps(text[1:-1])
    if text in ("true", "false"):
        return "b: " + text
    if text in DTYPES:
        return "type: %d" % DTYPES[text]
    return "f: " + text[:-1] if text.endswith("f") else "i: " + text


def attr_value(text):
    tensor = re.match(r"(\w+)\[([\d,]*)\]\{([^}]*)\}$", text)
    if tensor:
        dtype, shape, values = tensor.groups()
        values = "".join(" %s: %s" % (FIELDS[dtype], v.strip()) for v in values.split(",") if v.strip())
        return "tensor { dtype: %d tensor_shape {%s }%s }" % (DTYPES[dtype], dims(shape), values)
    if text.startswith("shape<"):
        return "shape {%s }" % dims(text[6:-1])
    if text.startswith("["):
        return "list { %s }" % " ".join(scalar(v.strip()) for v in text[1:-1].split(",") if v.strip())
    return scalar(text)


def node_text(line):
    match = NODE.match(line)
    if not match:
        sys.exit("not a node: " + line)
    name, op, inputs, rest = match.groups()
    attrs = dict(ATTR.findall(rest))
    if op == "Const":
        attrs.setdefault("dtype", attrs["value"].split("[")[0])
    attrs.setdefault("T", "float")
    text = 'node { name: "%s" op: "%s"' % (name, op)
    for name in (inputs or "").split(","):
        if name.strip():
            text += ' input: "%s"' % name.strip()
    for key, value in attrs.items():
        text += ' attr { key: "%s" value { %s } }' % (key, attr_value(value))
    return text + " }\n"


class Case:
    def __init__(self, name):
        self.name, self.nodes, self.run, self.wanted, self.part = name, [], "", [], 0


def read(path):
    """Comments and blank lines, as text, and cases in between."""
    pieces, case = [], None
    for line in open(path, encoding="utf-8").read().splitlines():
        if not line.strip() or line.startswith("#"):
            pieces.append(line)
        elif line.startswith("run "):
            case.run, case.part = line[4:], 1
        elif line == "->":
            case.part = 2
        elif line.startswith("  "):
            (case.nodes if case.part == 0 else case.wanted).append(line)
        else:
            case = Case(line)
            pieces.append(case)
    return pieces


def words_of(run):
    fetches, feeds, targets, about, fails = [], [], [], False, None
    match = re.search(r'fails "([^"]*)"', run)
    if match:
        fails, run = match.group(1), run.replace(match.group(0), "")
    for word in run.split():
        if word.startswith("target:"):
            targets.append(word[7:])
        elif word == "about":
            about = True
        elif "=" in word:
            feeds.append(word)
        else:
            fetches.append(word)
    return fetches, feeds, targets, about, fails


def take(sluice, case, path, passes):
    fetches, feeds, targets, _, _ = words_of(case.run)
    command = [sluice, "run", path, "--json", "--full"]
    for flag, words in (("--fetch", fetches), ("--feed", feeds), ("--target", targets)):
        for word in words:
            command += [flag, word]
    dumps = re.findall(r"^PASS\((\w+)", open(os.path.join(ROOT, "src/passes/passes.def"), encoding="utf-8").read(), re.M)
    environment = dict(os.environ, SLUICE_PASSES="" if passes else "off", SLUICE_DUMP=",".join(dumps), SLUICE_CHECK="1")
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          timeout=60)


def feed_name(name):
    return re.sub(r"_arg_(.*?)_(\d+)_\d+\b", lambda m: m.group(1) + (":" + m.group(2) if m.group(2) != "0" else ""), name)


def graph_left(dump, until):
    dumps = [part.splitlines() for part in dump.split("---- ")[1:]]
    lines = next((part[1:] for part in dumps if part[0] == until), [])
    left, fetched = [], {}
    for line in lines:
        line = line.split("  # ")[0]
        match = NODE.match(line)
        if not match:
            continue
        name, op, inputs, attrs = match.groups()
        if op == "_Arg":
            continue
        if op == "_Retval":
            fetched[int(re.search(r"index: (\d+)", attrs).group(1))] = feed_name(inputs)
            continue
        left.append("  %s = %s(%s)%s" % (name, op, feed_name(inputs), attrs))
    return left + ["  fetch " + fetched[i] for i in sorted(fetched)]


def close(a, b):
    a, b = (re.findall(r"-?[\d.]+(?:e[+-]?\d+)?|\w+", text) for text in (a, b))
    try:
        return len(a) == len(b) and all(x == y or abs(float(x) - float(y)) <= 1e-6 * max(1, abs(float(x))) for x, y in zip(a, b))
    except ValueError:
        return False


def check(sluice, case, update, until):
    _, _, _, about, fails = words_of(case.run)
    with tempfile.NamedTemporaryFile("w", suffix=".pbtxt") as file:
        file.write("".join(map(node_text, case.nodes)))
        file.flush()
        plain, passed = take(sluice, case, file.name, False), take(sluice, case, file.name, True)
    if fails is not None:
        for run in (plain, passed):
            if run.returncode == 0 or fails not in run.stderr:
                return "must fail with '%s':\n%s" % (fails, run.stderr or run.stdout)
    elif plain.returncode or passed.returncode:
        return "does not run:\n" + plain.stderr + passed.stderr
    elif plain.stdout != passed.stdout and not (about and close(plain.stdout, passed.stdout)):
        return "without passes:\n%swith passes:\n%s" % (plain.stdout, passed.stdout)
    left = graph_left(passed.stderr, until)
    if update:
        case.wanted = left
    if left != case.wanted:
        return "left is\n%s\nwanted is\n%s" % ("\n".join(left), "\n".join(case.wanted))
    return None


def main():
    words = sys.argv[1:]
    update = "--update" in words and words.remove("--update") is None
    only = ""
    if "--only" in words:
        at = words.index("--only")
        only = words[at + 1]
        del words[at:at + 2]
    failures = count = 0
    for path in words[1:]:
        pieces = read(path)
        until = next((piece[8:] for piece in pieces if isinstance(piece, str) and piece.startswith("# until ")), "fuse")
        for case in pieces:
            if not isinstance(case, Case) or only not in case.name:
                continue
            count += 1
            message = check(words[0], case, update, until)
            if message:
                failures += 1
                print("%s: %s: %s" % (os.path.basename(path), case.name, message))
        if update:
            with open(path, "w", encoding="utf-8") as file:
                for piece in pieces:
                    if isinstance(piece, Case):
                        lines = [piece.name] + piece.nodes + ["run " + piece.run, "->"] + piece.wanted
                        file.write("\n".join(lines) + "\n")
                    else:
                        file.write(piece + "\n")
    print("%d cases, %d failures" % (count, failures))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
