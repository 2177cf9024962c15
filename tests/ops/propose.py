"""Rows for ops that have none: fill --make FAMILY.

An op's arguments and attrs are given what their names and types suggest, until TensorFlow answers. What comes out is a
start: read it, and add what matters about the op.
"""
import glob
import itertools
import os
import re
import sys
import tempfile

MOST_TRIES = 400
VALUES = {"[2,3]": "1 2 3 4 5 6", "[3]": "1 2 3", "[]": "2", "[2,2]": "4 1 2 3", "[1,4,4,1]": "ramp(1, 1)",
          "[2,2,1,1]": "1 2 3 4", "[2,3,4]": "ramp(0, 1)", "[1,3,4,4,1]": "ramp(1, 1)", "[1,2,2,1,1]": "1 2 3 4"}
# What an argument of whole numbers means, by its name.
INTEGERS = [
    (r"axis|dim$|dimension|axes|reduction|^r$", ["[] 0", "[1] 0", "[] 1"]),
    (r"pad", ["[2,2] 1 1 0 2", "[4,2] 0 0 1 1 1 1 0 0"]),
    (r"crops|block_shape", ["[1] 2", "[1,2] 0 0", "[2] 2 2", "[2,2] 0 0 0 0"]),
    (r"perm", ["[2] 1 0", "[3] 2 0 1"]),
    (r"shape|sizes?|multiples|dims", ["[2] 2 3", "[4] 1 4 4 1", "[] 3", "[4] 2 2 1 1", "[1] 3"]),
    (r"num|depth|^k$|maxlength", ["[] 3", "[] 2"]),
    (r"begin|start", ["[2] 0 1", "[] 0", "[1] 0"]),
    (r"end|limit", ["[2] 2 3", "[] 5", "[1] 2"]),
    (r"strides|delta", ["[2] 1 1", "[] 1", "[1] 1"]),
    (r"seed", ["[2] 1 2"]),
    (r"ind|ids", ["[2] 0 1", "[2,1] 0 1", "[3] 0 1 1", "[2,2] 0 0 1 2", "[] 1"]),
    (r"", ["[2] 1 2", "[] 1", "[2,3] 1 2 3 4 5 6", "[3] 0 1 1", "[2,2] 0 0 1 2"]),
]


def integers(name):
    return next(values for pattern, values in INTEGERS if re.search(pattern, name))


def fixed_values(name, dtype):
    if dtype in ("int32", "int64"):
        return ["%s%s" % (dtype, v) for v in integers(name)]
    if dtype == "string":
        return ['string[2] "ab" "c d"', 'string[] "abc"', 'string[2,1] "1" "2"', 'string[1] "3"']
    if dtype == "bool":
        return ["bool[] 1", "bool[2,3] 1 0 1 0 1 1", "bool[2] 1 0"]
    if dtype in ("resource", "variant"):
        return []
    return ["%s%s %s" % (dtype, shape, VALUES[shape]) for shape in ("[]", "[2,3]", "[3]", "[1,4,4,1]")]


def is_index(attr):
    """A type attr for whole numbers alone."""
    allowed = list(attr.allowed_values.list.type)
    return bool(allowed) and set(allowed) <= {3, 9, 4, 6, 5, 17}


def argument_values(arg, attrs, star, fill):
    """Texts that may stand for an input argument."""
    if arg.type_list_attr:
        return ["[float[2,3] 1 2 3 4 5 6, int32[2] 1 2]", "[float[2,3] 1 2 3 4 5 6]", "[]"]
    if arg.type_attr:
        attr = attrs[arg.type_attr]
        if is_index(attr):
            values = fixed_values(arg.name, "int32")
        elif attr.allowed_values.list.type and 1 not in attr.allowed_values.list.type:
            values = fixed_values(arg.name, fill.dtype_name(attr.allowed_values.list.type[0]))
        else:
            word = star if star == arg.type_attr else "float"
            values = ["%s%s %s" % (word, shape, numbers) for shape, numbers in VALUES.items()]
    else:
        values = fixed_values(arg.name, fill.dtype_name(arg.type))
    if arg.number_attr:
        values = ["[%s, %s]" % (v, v) for v in values]
    return values


def attr_texts(attr):
    kind = attr.type
    allowed = attr.allowed_values.list
    if kind == "string":
        return ['"%s"' % s.decode() for s in allowed.s[:2]] or ['"a"', '""']
    if kind == "type":
        return ["float", "int32", "quint8", "qint8", "string"]
    return {"int": ["2", "1", "0"], "float": ["0.5"], "bool": ["true"], "shape": ["<2,3>"], "list(int)":
            ["[1, 1, 1, 1]", "[1, 2, 2, 1]", "[1, 1, 1, 1, 1]", "[2]", "[]"], "list(float)": ["[0.5, 1]", "[]"],
            "list(type)": ["[float]", "[]"], "list(string)": ['["a", "b"]'], "list(shape)": ["[<2,3>]"],
            "tensor": ["{float[2] 1 2}"]}.get(kind, [])


def star_of(op_def):
    """The type attr that a row can run through: of inputs, for numbers of several types."""
    for arg in op_def.input_arg:
        attr = next((a for a in op_def.attr if a.name == arg.type_attr), None)
        if attr is not None and not is_index(attr) and (not attr.allowed_values.list.type or
                                                        1 in attr.allowed_values.list.type):
            return attr.name
    return None


def proposal(name, fill):
    """Filled rows of an op, or []."""
    op_def = fill.op_def_registry.get(name)
    attrs = {a.name: a for a in op_def.attr}
    inferred = {n for arg in op_def.input_arg for n in (arg.type_attr, arg.number_attr, arg.type_list_attr)}
    needed = [a for a in op_def.attr if a.name not in inferred and not a.HasField("default_value")]
    star = star_of(op_def)
    texts = [attr_texts(a) for a in needed] + [argument_values(a, attrs, star, fill) for a in op_def.input_arg]
    for values in itertools.islice(itertools.product(*texts), MOST_TRIES):
        head = name + (" %s=*" % star if star else "")
        head += "".join(" %s=%s" % (a.name, v) for a, v in zip(needed, values))
        head += "".join(" %s=%d" % (seed, n) for n, seed in ((1, "seed"), (2, "seed2")) if seed in attrs)
        row = fill.Row("%s (%s) -> ?" % (head, "; ".join(values[len(needed):])))
        try:
            results = fill.ask(row, {star: "float"} if star else {})
        except (fill.Failure, fill.Wrong, KeyError, ValueError, TypeError):
            continue
        if results and all(getattr(array, "size", 1) for _, array in results):
            return [line for line in fill.fill_row(row) if " !! " not in line]
    return []


def family(name, fill):
    sys.path.insert(0, os.path.join(fill.ROOT, "tools"))
    import check_ops
    with_kernel = check_ops.with_kernel()
    with_rows = set()
    for path in glob.glob(os.path.join(fill.HERE, "*.cases")):
        with open(path, encoding="utf-8") as file:
            with_rows |= set(re.findall(r"^(\w+) ", file.read(), re.M))
    for op in (row.name for row in check_ops.rows_of(name)):
        if op not in with_kernel or op in with_rows:
            continue
        child = os.fork()  # TensorFlow may end the process; only children start its threads
        if child == 0:
            os.chdir(tempfile.mkdtemp())  # some write files
            rows = proposal(op, fill)
            print("\n".join(rows) if rows else "# %s: nothing found" % op, flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            print("# %s: ends the process" % op, flush=True)
