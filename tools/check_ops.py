#!/usr/bin/env python3
"""The op tables src/ops/*.def: every row reads, stands once, in order, and names only what exists.

    tools/check_ops.py            the checks below; prints file:line: message, exits with 1 when anything is wrong
    tools/check_ops.py --list     one line an op: family, name, shape function

    tools/check_ops.py --tests    one line an op with a kernel: name and what tests it

A check is a function that takes all rows and yields (row, message); add it to CHECKS. Which ops have a kernel is asked of
BUILD/tests/op_harness (BUILD: build); where there is none, as in a fresh clone, check_cases is left out.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPS = os.path.join(ROOT, "src", "ops")
TYPE_SETS = {"numbertype", "realnumbertype", "quantizedtype", "numerictype"}
KINDS = {"string", "int", "float", "bool", "type", "shape", "tensor", "func"}
# The tokens of a row: a string, a word, a mark.
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(-?\d+)|([(),|])|(/\*.*?\*/|\s+)', re.S)
# The tokens of the texts in it.
PART = re.compile(r"'(?:[^'\\]|\\.)*'|[A-Za-z_]\w*|-?[0-9][-+.\w]*|>=|-?inf|[:;,*(){}\[\]=$-]|\s+")


class Row:
    def __init__(self, family, line, identifier, name, inputs, outputs, attrs, shape, facts):
        self.family, self.line, self.identifier, self.name = family, line, identifier, name
        self.inputs, self.outputs, self.attrs, self.shape, self.facts = inputs, outputs, attrs, shape, facts
        self.deprecated = None  # (version, explanation)

    def says(self, word):
        """Whether the last column has the word; READS and WRITES: of any argument."""
        return any(fact == word for fact, _ in self.facts)


class Wrong(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def families():
    """The included .def files of all.def, in order."""
    return re.findall(r'^#include "ops/(\w+)\.def"$', read(os.path.join(OPS, "all.def")), re.M)


def tokens(text):
    """(line, kind, value): kind is s(tring), w(ord), n(umber) or the mark itself. Strings side by side are joined."""
    at, line = 0, 1
    out = []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Wrong("%d: cannot read %r" % (line, text[at:at + 20]))
        string, word, number, mark, _ = match.groups()
        if string is not None:
            string = string.replace('\\"', '"').replace("\\\\", "\\")
            if out and out[-1][1] == "s":
                out[-1] = (out[-1][0], "s", out[-1][2] + string)
            else:
                out.append((line, "s", string))
        elif word:
            out.append((line, "w", word))
        elif number:
            out.append((line, "n", number))
        elif mark:
            out.append((line, mark, mark))
        line += text.count("\n", at, match.end())
        at = match.end()
    return out


def closing(rest):
    """Where the ")" of the macro stands that the tokens begin with; None: nowhere."""
    depth = 0
    for i, token in enumerate(rest):
        depth += (token[1] == "(") - (token[1] == ")")
        if token[1] == ")" and depth == 0:
            return i
    return None


def facts_of(words, line):
    """[(word, argument or None)] of the tokens of a last column."""
    kinds = "".join(t[1] for t in words)
    if not re.fullmatch(r"n|w(\(n\))?(\|w(\(n\))?)*", kinds):
        raise Wrong("%d: facts are 0 or words with | between, as in STATEFUL | READS(0)" % line)
    return [(m[1], m[2] and int(m[2])) for m in re.finditer(r"([A-Z_]+)(?:\((\d+)\))?", "".join(t[2] for t in words))]


def rows_of(family):
    """The rows of a file, in order, read but not checked."""
    rows = []
    rest = tokens(read(os.path.join(OPS, family + ".def")))
    while rest:
        line, kind, macro = rest[0]
        end = closing(rest)
        if kind != "w" or macro not in ("OP", "OP_AS", "DEPRECATED") or end is None:
            raise Wrong("%d: expected OP(...), OP_AS(...) or DEPRECATED(...), found %r" % (line, macro))
        arguments = [[]]
        for token in rest[2:end]:
            if token[1] == ",":
                arguments.append([])
            else:
                arguments[-1].append(token)
        rest = rest[end + 1:]
        kinds = ["".join(t[1] for t in a) for a in arguments]
        values = [a[0][2] if a else "" for a in arguments]
        if macro == "DEPRECATED":
            if kinds != ["w", "n", "s"] or not rows or rows[-1].identifier != values[0]:
                raise Wrong("%d: DEPRECATED(name, version, explanation) follows the row of its op" % line)
            rows[-1].deprecated = (int(values[1]), values[2])
            continue
        if macro == "OP":
            kinds.insert(1, "s")
            values.insert(1, values[0])
        if kinds[:6] != ["w", "s", "s", "s", "s", "w"] or len(kinds) != 7:
            raise Wrong("%d: a row is OP(name, inputs, outputs, attrs, shape, facts)" % line)
        rows.append(Row(family, line, *values[:6], facts_of(arguments[-1], line)))
    return rows


def dtypes():
    return set(re.findall(r'^DTYPE\(\w+, \d+, "(\w+)"', read(os.path.join(ROOT, "src/tensor/dtype.def")), re.M))


class Text:
    """The tokens of one inputs, outputs or attrs text."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = PART.match(text, at)
            if not match:
                raise Wrong("cannot read %r" % text[at:at + 20])
            if not match.group().isspace():
                self.tokens.append(match.group())
            at = match.end()

    def peek(self):
        return self.tokens[0] if self.tokens else ""

    def next(self):
        return self.tokens.pop(0) if self.tokens else ""

    def take(self, token):
        found = self.peek() == token
        if found:
            self.next()
        return found

    def expect(self, token):
        got = self.next()
        if got != token:
            raise Wrong("expected %r, found %r" % (token, got))

    def word(self, what):
        got = self.next()
        if not re.match(r"[A-Za-z]\w*$", got):
            raise Wrong("expected %s, found %r" % (what, got))
        return got


def parse_attrs(text, types):
    """{name: (kind, is_list)} in order."""
    attrs, text = {}, Text(text)
    while text.peek():
        name = text.word("the name of an attr")
        if name in attrs:
            raise Wrong("attr %s stands twice" % name)
        text.expect(":")
        is_list = text.take("list")
        if is_list:
            text.expect("(")
        kind = text.next()
        if kind == "{":
            kind = "string" if text.peek().startswith("'") else "type"
            while True:
                value = text.next()
                if kind == "type" and value not in types | TYPE_SETS:
                    raise Wrong("attr %s: no element type %r" % (name, value))
                if not text.take(","):
                    break
            text.expect("}")
        elif kind in TYPE_SETS:
            kind = "type"
        elif kind not in KINDS:
            raise Wrong("attr %s: no kind %r" % (name, kind))
        if is_list:
            text.expect(")")
        if text.take(">="):
            if not (is_list or kind == "int"):
                raise Wrong("attr %s: only ints and lists have a minimum" % name)
            int(text.next())
        if text.take("="):
            depth = 0
            while text.peek() and (depth or text.peek() != ";"):
                token = text.next()
                depth += (token in "{[") - (token in "}]")
        attrs[name] = (kind, is_list)
        if text.peek():
            text.expect(";")
    return attrs


def parse_args(text, attrs, types, may_say_more):
    """Names in order."""
    names, text = [], Text(text)
    while text.peek():
        names.append(text.word("the name of an argument"))
        text.expect(":")
        is_ref = text.take("Ref")
        if is_ref:
            text.expect("(")
        what = text.word("a type")
        if text.take("*"):
            if attrs.get(what) != ("int", False):
                raise Wrong("%s: %s is no int attr" % (names[-1], what))
            what = text.word("a type")
        if what not in types and attrs.get(what, ("",))[0] != "type":
            raise Wrong("%s: %s is neither an element type nor a type attr" % (names[-1], what))
        if is_ref:
            text.expect(")")
        if may_say_more and text.take("as"):
            depth = 0
            while text.peek() and (depth or text.peek() != ","):
                token = text.next()
                depth += (token == "[") - (token == "]")
                if token == "$" and text.peek() not in attrs:
                    raise Wrong("%s: no attr %s" % (names[-1], text.peek()))
        if text.peek():
            text.expect(",")
    return names


def check_texts(rows):
    types = dtypes()
    for row in rows:
        try:
            attrs = parse_attrs(row.attrs, types)
            names = parse_args(row.inputs, attrs, types, False) + parse_args(row.outputs, attrs, types, True)
            if len(set(names)) < len(names):
                yield row, "two arguments have the same name"
        except (Wrong, ValueError) as wrong:
            yield row, str(wrong)


def check_order(rows):
    seen = {}
    for before, row in zip([None] + rows, rows):
        if row.name in seen or row.identifier in seen:
            yield row, "stands in %s.def too" % (seen.get(row.name) or seen[row.identifier])
        seen[row.name] = seen[row.identifier] = row.family
        if before and before.family == row.family and before.identifier > row.identifier:
            yield row, "comes after %s, but rows are sorted by name" % before.identifier


def check_words(rows):
    """The last column has words of op_words.inc alone, each once; READS and WRITES name an argument that there is."""
    known = dict(re.findall(r"^#define ([A-Z_]+)(\(arg\))?", read(os.path.join(OPS, "op_words.inc")), re.M))
    for row in rows:
        n = len(arguments_of(row.inputs))
        for i, (word, arg) in enumerate(row.facts):
            if word not in known or bool(known[word]) != (arg is not None):
                yield row, "no word %s in op_words.inc" % (word if arg is None else "%s(%d)" % (word, arg))
            elif arg is not None and arg >= n:
                yield row, "%s(%d), but it has %d inputs" % (word, arg, n)
            elif arg is not None and arg >= MASK_BITS - 1:
                yield row, "%s(%d): the last bit stands for all arguments from there on" % (word, arg)
            elif (word, arg) in row.facts[:i]:
                yield row, "%s stands twice" % word


def arguments_of(text):
    """[(name, type)] of inputs or outputs."""
    return re.findall(r"(\w+): *(Ref\([^)]*\)|(?:\w+ *\* *)?\w+)", text)


def is_handle(kind):
    return kind.startswith("Ref(") or kind.split("*")[-1].strip() == "resource"


# What is done apart from outputs, in the words of rows.
EFFECTS = {"NO_EFFECT", "READS", "WRITES", "MAKES", "NAMES", "SHARES", "HIDDEN", "DRAWS", "READS_OUTSIDE", "WRITES_OUTSIDE", "WAITS",
           "CALLS", "CHECKS", "FED"}
CHANGES = {"WRITES", "MAKES", "NAMES", "HIDDEN", "DRAWS", "WRITES_OUTSIDE"}
MASK_BITS = 16


def check_effects(rows):
    """Stateful ops say what they do, an op with a handle what it does to what that leads to, and others change nothing."""
    for row in rows:
        inputs = arguments_of(row.inputs)
        handles = {i for i, (_, kind) in enumerate(inputs) if is_handle(kind)}
        said = {arg for word, arg in row.facts if arg is not None}
        is_stateful = row.says("STATEFUL")
        words = {word for word, _ in row.facts} & EFFECTS
        if is_stateful and not words:
            yield row, "stateful, but no effect is said (NO_EFFECT: it has none)"
        if "NO_EFFECT" in words and (len(words) > 1 or not is_stateful):
            yield row, "NO_EFFECT is said of stateful ops, and alone"
        for i in sorted(handles - said):
            if "SHARES" not in words:
                yield row, "%s is a handle: READS(%d), WRITES(%d) or SHARES" % (inputs[i][0], i, i)
        for word, arg in row.facts:
            by_reference = arg is not None and arg < len(inputs) and inputs[arg][1].startswith("Ref(")
            makes_reference = word in ("MAKES", "NAMES") and "Ref(" in row.outputs
            if word in CHANGES and not (is_stateful or by_reference or makes_reference or row.name in NOT_CALLED_STATEFUL):
                yield row, "it says %s, but is not stateful" % word
        if words & {"MAKES", "NAMES", "SHARES"} and not gives_handles(row):
            yield row, "no handle comes out of it"


def gives_handles(row):
    """Whether an output may lead to state; that of old arrays is a string, and a lock is a variant."""
    return any(is_handle(kind) or kind in ("string", "variant") for _, kind in arguments_of(row.outputs))


# Ops that change more than their outputs, though TensorFlow does not call them stateful; what they change.
NOT_CALLED_STATEFUL = {op: why for why, ops in {
    "the process": "Abort",
    "batches of other calls": "Batch BatchFunction Unbatch UnbatchGrad",
    "who listens for debugging": "DebugIdentity DebugNanCount DebugNumericSummary",
    "a device": "InfeedEnqueuePrelinearizedBuffer TPUPartitionedCall",
}.items() for op in ops.split()}


def check_shapes(rows):
    """Every named shape function has a definition."""
    defined = set()
    for name in os.listdir(OPS):
        if name.endswith(".c"):
            text = read(os.path.join(OPS, name))
            defined |= set(re.findall(r"^(?:sl_code sl_shape_|SL_SHAPE_RULE\()(\w+)[(,]", text, re.M))
    if defined:
        for row in rows:
            if row.shape not in defined:
                yield row, "no shape function sl_shape_%s" % row.shape


def check_files(rows):
    listed = families()
    for name in sorted(os.listdir(OPS)):
        if name.endswith(".def") and name != "all.def" and name[:-4] not in listed:
            yield Row(name[:-4], 1, "", "", "", "", "", "", []), "is not included in all.def"


def with_kernel():
    """{op: (number of kernels, their types by attr, in words)}, which the op harness tells."""
    command = os.path.join(ROOT, os.environ.get("BUILD", "build"), "tests", "op_harness")
    if not os.path.exists(command):
        sys.exit("%s:1: is not built; it tells which ops have kernels" % os.path.relpath(command, ROOT))
    listed = subprocess.run([command, "--kernels"], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
    return {op: (int(n), types) for op, n, types in re.findall(r"^(\w+)\t(\d+)\t(.*)$", listed, re.M)}


def words_of_tests():
    """{word: a test that has it}, for the tests of what rows cannot say."""
    words = {}
    for folder in ("tests/unit", "tests/plugin", "tests/cli"):
        for path, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
            for name in sorted(names):
                if name.endswith((".c", ".t")):
                    for word in set(re.findall(r"\b[A-Z_]\w+", read(os.path.join(path, name)))):
                        words.setdefault(word, os.path.relpath(os.path.join(path, name), ROOT))
    return words


def needs_a_story(row):
    """Why an op has no rows: state, handles, references, functions; None when it may have them."""
    if row.says("STATEFUL"):
        return "stateful"
    if re.search(r"Ref\(|: *(\w+ *\* *)?(resource|variant)\b", row.inputs + ", " + row.outputs):
        return "handles"
    if re.search(r": *(list\()?func\b", row.attrs):
        return "functions"
    if row.family == "tensorarray":
        return "handles"
    return NO_CASES.get(row.name)


def tests_of(rows):
    """{op: the file that tests it, or None}, of the ops with a kernel."""
    in_cases, words, tests = {}, words_of_tests(), {}
    folder = os.path.join(ROOT, "tests", "ops")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".cases"):
            for op in re.findall(r"^(\w+) ", read(os.path.join(folder, name)), re.M):
                in_cases.setdefault(op, "tests/ops/" + name)
    runs = with_kernel()
    for row in rows:
        if row.name in runs:
            tests[row.name] = in_cases.get(row.name) or (needs_a_story(row) and words.get(row.name)) or None
    return tests


def check_cases(rows):
    """Every op with a kernel has a row in tests/ops, or a reason and a test that names it."""
    tests = tests_of(rows)
    for row in rows:
        if row.name in tests and not tests[row.name]:
            reason = needs_a_story(row)
            yield row, ("no test in tests/unit names it (no rows: %s)" % reason if reason
                        else "no row in tests/ops/*.cases")


# ---- gradients
FLOWING = {"half", "bfloat16", "float", "double", "complex64", "complex128", "resource", "variant"}


def may_carry_gradient(arguments, row):
    """Whether a gradient could flow through one of the arguments (the text of inputs or of outputs)."""
    attrs = {name: what for name, what in re.findall(r"(\w+): *(?:list\()?(\{[^}]*\}|\w+)", row.attrs)}
    for text in re.findall(r"\w+: *([^,]+)", arguments):
        name = re.sub(r"Ref\((.*)\)", r"\1", text.strip()).split("*")[-1].strip()
        what = attrs.get(name, "{%s}" % name)
        if what in ("type", "numbertype", "realnumbertype", "numerictype") or FLOWING & set(re.findall(r"\w+", what)):
            return True
    return False


def gradient_files():
    """(family, macro, op) of each row of <family>_grad.c in src/grad and src/grad/graph."""
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "grad", "**", "*_grad.c"), recursive=True)):
        text = read(path)
        for macro, op in re.findall(r"\b([A-Z_]+)\((\w+)", text[text.rfind("RULES("):] if "RULES(" in text else ""):
            for end in ("", "V2", "V3") if macro == "GENERATIONS" else ("",):
                yield os.path.basename(path)[:-len("_grad.c")], macro, op + end


def gradient_rows():
    """{op: "rule", "none" or "undefined"} from the rows of src/grad and src/grad/graph."""
    kinds = {"RULE": "rule", "RULE_OF": "rule", "READS": "rule", "NO_GRAD": "none", "UNDEFINED": "undefined", "GENERATIONS": "rule"}
    return {op: kinds[macro] for _, macro, op in gradient_files() if macro in kinds}


def check_gradient_families(rows):
    """An op without a gradient stands in its family's file."""
    of = {row.identifier: row for row in rows}
    for family, macro, op in gradient_files():
        if macro in ("NO_GRAD", "UNDEFINED") and op in of and of[op].family != family:
            yield of[op], "%s(%s) stands in %s_grad.c, not in %s_grad.c" % (macro, op, family, of[op].family)


def orders():
    """{op: to which order tests/unit/grad/test_rules.c compares its gradient with differences}."""
    result = {}
    for mark, op in re.findall(r'(?:\{|\b[A-Z]+\()"(~?)(\w+)"', read(os.path.join(ROOT, "tests/unit/grad/test_rules.c"))):
        result[op] = max(result.get(op, 0), 1 if mark else 2)
    return result


def check_gradients(rows):
    """Every op with a kernel through which gradients could flow has a row in src/grad, and every rule a row of differences
    or a reason not to have one."""
    marks, compared, runs = gradient_rows(), orders(), with_kernel()
    for row in rows:
        mark = marks.get(row.name)
        if row.name in runs and not mark and may_carry_gradient(row.inputs, row) and may_carry_gradient(row.outputs, row):
            yield row, "no gradient: neither a rule nor NO_GRAD nor UNDEFINED in src/grad"
        if mark == "rule" and row.name in runs and row.name not in compared and row.name not in NO_DIFFERENCES:
            yield row, "no row of differences in tests/unit/grad/test_rules.c"
        if row.name in compared and row.name in NO_DIFFERENCES:
            yield row, "it has a row of differences and a reason not to have one"


# Rules that differences of one node cannot prove, and why; what proves them instead is in tests/unit/grad/test_control_gradients.c,
# tests/compat and tests/python.
NO_DIFFERENCES = {op: why for why, ops in {
    "control flow": "Merge RefMerge Switch RefSwitch Exit Enter NextIteration RefExit RefEnter RefNextIteration",
    "functions": "SymbolicGradient PartitionedCall StatefulPartitionedCall If StatelessIf Case StatelessCase While StatelessWhile",
    "handles": "TensorListPushBack TensorListPopBack TensorListStack TensorListFromTensor TensorListGetItem TensorListSetItem "
               "TensorListResize TensorListGather TensorListScatter TensorListScatterV2 TensorListScatterIntoExistingList "
               "TensorListConcat TensorListConcatV2 TensorListSplit OptionalFromValue OptionalGetValue ReadVariableOp ResourceGather "
               "ResourceGatherNd CompositeTensorVariantFromComponents DenseToCSRSparseMatrix CSRSparseMatrixToDense "
               "SparseTensorToCSRSparseMatrix CSRSparseMatrixToSparseTensor SparseMatrixMatMul SparseMatrixTranspose "
               "RaggedTensorToVariant RaggedTensorFromVariant " + " ".join(
                   "TensorArray%s%s" % (op, end) for op in ("Read", "Write", "Gather", "Scatter", "Concat", "Split")
                   for end in ("", "V2", "V3")),
    "references": "RefIdentity DebugGradientRefIdentity",
    "samples": "RandomGamma StatelessRandomGammaV2 StatelessRandomGammaV3 StatelessParameterizedTruncatedNormal",
    "straight-through": "FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel QuantizeAndDequantize "
                        "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 QuantizeAndDequantizeV4Grad",
    "its inputs depend on each other": "FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 MaxPoolGradV2 MaxPoolGradGrad "
                                       "MaxPool3DGrad MaxPool3DGradGrad",
    "not all of its outputs have gradients": "BlockLSTM BlockLSTMV2",
    "it fails by design": "PreventGradient",
    "no longer to be run": "TopK BatchNormWithGlobalNormalization",
}.items() for op in ops.split()}


# Ops without state that rows cannot say anything about, and why.
NO_CASES = {
    "Abort": "it ends the process",
    "ControlTrigger": "it has no value",
    "Enter": "a loop needs a graph",
    "Exit": "a loop needs a graph",
    "LoopCond": "a loop needs a graph",
    "Merge": "it waits for one of its inputs",
    "NextIteration": "a loop needs a graph",
    "NoOp": "it has no value",
    "Placeholder": "it is fed",
    "PlaceholderV2": "it is fed",
    "Switch": "one of its outputs is dead",
    "ParallelConcat": "it is rewritten before it runs",
    "_SwitchN": "all but one of its outputs are dead",
}
CHECKS = [check_texts, check_order, check_words, check_effects, check_shapes, check_files, check_cases, check_gradients, check_gradient_families]


def main():
    rows, errors = [], []
    for family in families():
        try:
            rows += rows_of(family)
        except Wrong as wrong:
            errors.append("src/ops/%s.def:%s" % (family, wrong))
    if sys.argv[1:] == ["--list"]:
        for row in rows:
            print(row.family, row.name, row.shape)
        return 0
    if sys.argv[1:] == ["--tests"]:
        for op, test in sorted(tests_of(rows).items()):
            print("%-44s %s" % (op, test or "-"))
        return 0
    for check in CHECKS:
        errors += ["src/ops/%s.def:%d: %s%s" % (r.family, r.line, r.name and r.name + ": ", text) for r, text in check(rows)]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
