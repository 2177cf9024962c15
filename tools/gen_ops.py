#!/usr/bin/env python3
"""The wrappers of ops: include/sluice/ops.h and include/sluice/gen/*_ops.h are made from src/ops/*.def.

    tools/gen_ops.py            writes the headers
    tools/gen_ops.py --check    prints what is stale; exits with 1 when anything is

One function an op, in snake case after "sl_"; include/sluice/ops.h says how attributes are given. A name that another
public header takes gets "_op" behind it.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_ops  # noqa: E402

INCLUDE = os.path.join(check_ops.ROOT, "include", "sluice")
# Words that no parameter may be in C or C++, and the name of the first parameter.
RESERVED = set("""and asm auto bool break case catch char class const continue default delete do double else enum export extern
false float for friend goto if inline int long namespace new not operator or private protected public register return scope
short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void
volatile while xor attrs""".split())
# Functions of the library itself, whose headers some of its own files include beside the wrappers.
OWN = {"sl_mutex_lock"}
# Families without kernels: their ops are reached by sl_op alone.
LEFT_OUT = {"dataset", "own", "rpc", "boosted_trees", "dtensor", "tpu", "xla", "risc", "mkl", "test"}
# attr kind -> (C type of the member, enum sl_given_kind, list)
KINDS = {"string": ("const char *", "STRING"), "int": ("int64_t ", "INT"), "float": ("float ", "FLOAT"),
         "bool": ("bool ", "BOOL"), "type": ("TF_DataType ", "TYPE"), "shape": ("struct sl_dims ", "SHAPE"),
         "tensor": ("TF_Tensor *", "TENSOR"), "func": ("const char *", "FUNCTION"),
         "list(string)": ("struct sl_strings ", "STRINGS"), "list(int)": ("struct sl_ints ", "INTS"),
         "list(float)": ("struct sl_floats ", "FLOATS"), "list(bool)": ("struct sl_bools ", "BOOLS"),
         "list(type)": ("struct sl_types ", "TYPES"), "list(shape)": ("struct sl_shapes ", "SHAPES"),
         "list(tensor)": ("struct sl_tensors ", "TENSORS"), "list(func)": ("struct sl_strings ", "FUNCTIONS")}
HEAD = """/* Wrappers of the %s ops, made by tools/gen_ops.py from src/ops/%s.def; see sluice/ops.h. */
#ifndef SLUICE_GEN_%s_OPS_H
#define SLUICE_GEN_%s_OPS_H

#include "sluice/scope.h"

#ifdef __cplusplus
extern "C" {
#endif

"""
TAIL = """#ifdef __cplusplus
}
#endif

#endif
"""
PAGE = """/* A function for each op; tools/gen_ops.py makes them from the tables in src/ops. Datasets and some ops without
 * kernels have none: sl_op adds those by name.
 *
 *     TF_Output y = sl_relu(s, sl_add_v2(s, sl_matmul(s, x, w), b));
 *     TF_Output z = sl_matmul_with(s, x, y, (struct sl_matmul_attrs){.transpose_b = true});
 *     TF_Output c = sl_conv2d(s, x, w, (struct sl_conv2d_attrs){.strides = SL_INTS(1, 1, 1, 1), .padding = "SAME"});
 *
 * Names: the op's name in snake case behind sl_; a name that clashes with another ends with _op. Inputs: the op's
 * inputs, in its order. A list of inputs is an array and its length. Attributes: those that follow from the inputs
 * are not given. When all others have defaults, sl_NAME uses these and sl_NAME_with takes a struct of attributes;
 * when one must be given, sl_NAME takes the struct. A member that is 0 (NULL, an empty list) has its default,
 * which the comment tells. Where the default is not 0, SL_ZERO_INT and SL_ZERO_FLOAT stand for 0, and a flag that
 * is true by default is an enum sl_choice. Results: the output, when there is one; a struct of outputs, when there
 * are more; the operation, when there is none or when their number depends on attributes. Errors: see
 * sluice/scope.h. */
#ifndef SLUICE_OPS_H
#define SLUICE_OPS_H

%s
#endif
"""


def snake(name):
    name = name.replace(">", "_").replace("MatMul", "Matmul")
    name = re.sub(r"([0-9])D(?=[A-Z]|$)", r"\1d", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"__+", "_", name).lower()


def taken():
    """Names that the hand-written public headers declare or use."""
    words = set(OWN)
    for path in glob.glob(os.path.join(INCLUDE, "*.h")):
        if os.path.basename(path) != "ops.h":
            words |= set(re.findall(r"\bsl_[a-z0-9_]+", re.sub(r"/\*.*?\*/", "", check_ops.read(path), flags=re.S)))
    return words


def split(text, mark):
    """Parts of a row's text, cut at `mark` outside of quotes and brackets."""
    parts, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == "'" and text[i - 1:i] != "\\":
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        elif not quoted and c == mark and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


class Attr:
    def __init__(self, text):
        self.name, rest = [p.strip() for p in text.split(":", 1)]
        head = split(rest, "=")
        minimum = head[0].endswith(">")
        kind = head[0].rstrip("> ")
        self.default = None
        if minimum:  # kind >= minimum [= default]
            self.default = head[2] if len(head) > 2 else None
        elif len(head) > 1:
            self.default = "=".join(head[1:]).strip()
        self.kind = self.kind_of(kind)

    @staticmethod
    def kind_of(kind):
        if kind in KINDS:
            return kind
        many = re.fullmatch(r"list\((.*)\)", kind)
        inner = (many.group(1) if many else kind).strip()
        base = "string" if inner.startswith("{'") or inner.startswith("{ '") else "type"
        if inner in KINDS:
            base = inner
        return "list(%s)" % base if many else base

    def is_required(self):
        return self.default is None

    def member(self):
        name = self.name + "_" if self.name in RESERVED else self.name
        if self.kind == "bool" and self.default == "true":
            return "enum sl_choice %s" % name, name
        return KINDS[self.kind][0] + name, name

    def given(self):
        kind = KINDS[self.kind][1]
        if self.kind == "bool" and self.default == "true":
            kind = "CHOICE"
        elif self.is_required() and self.kind in ("int", "float", "bool"):
            kind += "_NEEDED"
        elif self.is_required() and self.kind.startswith("list("):
            kind += "_NEEDED"
        return "{\"%s\", SL_GIVEN_%s, &attrs.%s}" % (self.name, kind, self.member()[1])


class Arg:
    def __init__(self, text):
        name, rest = [p.strip() for p in text.split(":", 1)]
        rest = rest.split(" as ")[0].strip()
        inner = re.fullmatch(r"Ref\((.*)\)", rest)
        rest = (inner.group(1) if inner else rest).strip()
        self.text = name
        self.name = name + "_" if name in RESERVED else name
        self.words = set(re.findall(r"\w+", rest))
        self.type = rest
        self.is_counted = "*" in rest

    def is_list(self, attrs):
        return self.is_counted or any(a.name == self.type and a.kind == "list(type)" for a in attrs)


def comment(row):
    text = "%s: %s -> %s" % (row.name, row.inputs or "()", row.outputs or "()")
    return "/* %s */\n" % re.sub(r"\s+", " ", text)


def result_of(name, outputs, attrs):
    """The C type of what the wrapper returns, the declaration that it needs, and how the operation becomes one."""
    if len(outputs) == 1 and not outputs[0].is_list(attrs):
        return "TF_Output", "", "return sl_op_first(%s);"
    if len(outputs) < 2 or any(o.is_list(attrs) for o in outputs):
        return "TF_Operation *", "", "return %s;"
    members = ["%s_" % o.name if o.name == "oper" else o.name for o in outputs]
    struct = "struct sl_%s_outputs" % name
    text = "%s {\n    TF_Output %s;\n};\n" % (struct, ", ".join(members))
    fill = ", ".join("{op_, %d}" % i for i in range(len(members)))
    return struct, text, "TF_Operation *const op_ = %s;\n    const " + struct + " outputs_ = {" + fill + "};\n    return outputs_;"


def wrapper(row, name):
    all_attrs = [Attr(a) for a in split(row.attrs, ";")]
    inputs, outputs = [Arg(a) for a in split(row.inputs, ",")], [Arg(a) for a in split(row.outputs, ",")]
    inferred = set().union(*[i.words for i in inputs]) if inputs else set()
    attrs = [a for a in all_attrs if a.name not in inferred]
    result, text, end = result_of(name, outputs, all_attrs)
    if attrs:
        text += "struct sl_%s_attrs {\n" % name
        for a in attrs:
            said = "must be given" if a.is_required() else re.sub(r"\s+", " ", a.default).replace("*/", "* /")
            text += "    %s; /* %s */\n" % (a.member()[0], said)
        text += "};\n"
    parameters, lists = "struct sl_scope *scope", []
    for i in inputs:
        if i.is_list(all_attrs):
            parameters += ", const TF_Output *%s, int num_%s" % (i.name, i.name)
            lists.append("{%s, num_%s}" % (i.name, i.name))
        else:
            parameters += ", TF_Output " + i.name
            lists.append("{&%s, -1}" % i.name)
    with_name = name
    if attrs:
        if all(not a.is_required() for a in attrs):
            with_name = name + "_with"
        full = parameters + ", struct sl_%s_attrs attrs" % name
    else:
        full = parameters
    gap = "" if result.endswith("*") else " "
    text += comment(row)
    text += "static inline %s%ssl_%s(%s) {\n" % (result, gap, with_name, full)
    call = "sl_op(scope, \"%s\", " % row.name
    if lists:
        text += "    const struct sl_op_input inputs_[] = {%s};\n" % ", ".join(lists)
        call += "inputs_, %d, " % len(lists)
    else:
        call += "NULL, 0, "
    if attrs:
        text += "    const struct sl_attr_given attrs_[] = {%s};\n" % ", ".join(a.given() for a in attrs)
        call += "attrs_, %d)" % len(attrs)
    else:
        call += "NULL, 0)"
    text += "    " + end % call + "\n}\n"
    if with_name != name:
        text += "static inline %s%ssl_%s(%s) {\n    const struct sl_%s_attrs attrs = SL_DEFAULTS;\n" % (
            result, gap, name, parameters, name)
        text += "    return sl_%s(scope%s, attrs);\n}\n" % (with_name, "".join(
            ", %s, num_%s" % (i.name, i.name) if i.is_list(all_attrs) else ", " + i.name for i in inputs))
    return text + "\n"


def pages():
    """path -> text of all headers."""
    out, others, used = {}, taken(), set()
    families = [family for family in check_ops.families() if family not in LEFT_OUT]
    for family in families:
        rows = [row for row in check_ops.rows_of(family) if not row.name.startswith("_")]
        text = HEAD % (family, family, family.upper(), family.upper())
        for row in rows:
            name = snake(row.name)
            while {"sl_" + name, "sl_%s_with" % name, "sl_%s_attrs" % name} & (others | used):
                name += "_op"
            used |= {"sl_" + name, "sl_%s_with" % name, "sl_%s_attrs" % name}
            text += wrapper(row, name)
        out[os.path.join(INCLUDE, "gen", family + "_ops.h")] = text + TAIL
    includes = sorted('#include "sluice/gen/%s_ops.h"\n' % family for family in families)
    out[os.path.join(INCLUDE, "ops.h")] = PAGE % "".join(includes)
    return out


def main():
    stale = 0
    for path, text in pages().items():
        old = check_ops.read(path) if os.path.exists(path) else None
        if old == text:
            continue
        if sys.argv[1:] == ["--check"]:
            print("%s:1: stale: run tools/gen_ops.py" % os.path.relpath(path, check_ops.ROOT))
            stale = 1
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return stale


if __name__ == "__main__":
    sys.exit(main())
