#!/usr/bin/env python3
"""Reads src/proto/*.proto and writes src/proto/gen/messages.h (structs, enums, look-ups) and messages.c (tables).

usage: gen_proto.py [--check]     --check: write nothing; exit 1 and show a diff when the written files are stale

The proto3 subset that is understood: messages, enums, maps, one oneof a message, services, reserved. Anything else is
refused by name, so that a new .proto file cannot silently mean something different here.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src/proto"
HEADER = SOURCES / "gen/messages.h"
TABLES = SOURCES / "gen/messages.c"

# .proto type -> (table kind, C type, name in array and map types)
SCALARS = {
    "double": ("DOUBLE", "double", "f64"),
    "float": ("FLOAT", "float", "f32"),
    "int64": ("INT64", "int64_t", "i64"),
    "uint64": ("UINT64", "uint64_t", "u64"),
    "int32": ("INT32", "int32_t", "i32"),
    "uint32": ("UINT32", "uint32_t", "u32"),
    "sint64": ("SINT64", "int64_t", "i64"),
    "fixed64": ("FIXED64", "uint64_t", "u64"),
    "fixed32": ("FIXED32", "uint32_t", "u32"),
    "bool": ("BOOL", "bool", "bool"),
    "string": ("STRING", "struct sl_str", "str"),
    "bytes": ("BYTES", "struct sl_str", "str"),
}
WIRES = {"DOUBLE": "64", "FIXED64": "64", "FLOAT": "32", "FIXED32": "32", "STRING": "BYTES", "BYTES": "BYTES", "MESSAGE": "BYTES"}
ARRAYS = ["f64", "f32", "i64", "u64", "i32", "u32", "bool", "str"]  # sl_pb_array_*, written by hand in message_table.h
DENSE_LIMIT = 64  # field numbers below it are found by one look-up
PREFIXES = {"tensorflow": "", "tensorflow.data": "", "google.protobuf": "", "tensorflow.error": "error_", "tensorflow.eager": "eager_", "tensorflow.serving": "serving_", "sluice": "sluice_"}
KEYWORDS = set(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool".split()
)


def fail(text):
    sys.exit("gen_proto: " + text)


class Message:
    def __init__(self, name, package):
        self.name, self.package = name, package  # full name without leading dot
        self.fields, self.oneof, self.reserved = [], None, set()
        self.entry = False


class Field:
    def __init__(self, name, number, type_name, label, deprecated=False):
        self.name, self.number, self.type_name, self.label = name, number, type_name, label
        self.deprecated = deprecated  # label: SINGULAR, ONEOF, REPEATED, MAP, INLINE
        self.key = None  # key type of a map
        self.target = None  # the Message or Enum the type names


class Enum:
    def __init__(self, name, package):
        self.name, self.package, self.values = name, package, []


class Parser:
    """One file. Declarations go to `types` (full name -> Message or Enum) and `services`."""

    def __init__(self, path, types, services):
        text = path.read_text(encoding="utf-8")
        self.path, self.types, self.services = path, types, services
        pattern = r'//[^\n]*|\s+|("[^"\n]*")|([A-Za-z_][A-Za-z0-9_.]*)|(-?\d+)|([{}()<>=;,\[\]])|(.)'
        self.tokens = []
        for match in re.finditer(pattern, text):
            if match.group(5):
                fail(f"{path.name}: cannot read {match.group(5)!r}")
            if match.lastindex:
                self.tokens.append(match.group(0))
        self.at = 0

    def next(self):
        if self.at == len(self.tokens):
            fail(f"{self.path.name}: ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def expect(self, *tokens):
        for token in tokens:
            got = self.next()
            if got != token:
                fail(f"{self.path.name}: expected {token!r}, found {got!r} near {self.tokens[self.at - 5:self.at + 3]}")

    def file(self):
        package = None
        while self.peek():
            token = self.next()
            if token == "syntax":
                self.expect("=", '"proto3"', ";")
            elif token == "package":
                package = self.next()
                if package not in PREFIXES:
                    fail(f"{self.path.name}: package {package} has no prefix in PREFIXES")
                self.expect(";")
            elif token == "import":
                name = self.next().strip('"')
                if not (SOURCES.parent / name).exists():
                    fail(f"{self.path.name}: imports {name}, which is not there")
                self.expect(";")
            elif token == "message":
                self.message(package, package)
            elif token == "enum":
                self.enum(package, package)
            elif token == "service":
                self.service(package)
            else:
                fail(f"{self.path.name}: {token!r} is not supported")

    def declare(self, item):
        if item.name in self.types:
            fail(f"{item.name} is declared twice")
        self.types[item.name] = item

    def message(self, scope, package):
        message = Message(f"{scope}.{self.next()}", package)
        self.declare(message)
        self.expect("{")
        while True:
            token = self.next()
            if token == "}":
                break
            if token == "message":
                self.message(message.name, package)
            elif token == "enum":
                self.enum(message.name, package)
            elif token == "reserved":
                while token != ";":
                    message.reserved.add(self.next().strip('"'))
                    token = self.next()
            elif token == "oneof":
                if message.oneof:
                    fail(f"{message.name}: more than one oneof is not supported")
                message.oneof = self.next()
                self.expect("{")
                while self.peek() != "}":
                    message.fields.append(self.field(self.next(), "ONEOF"))
                self.next()
            else:
                message.fields.append(self.field(token, "SINGULAR"))
        self.check(message)

    def field(self, token, label):
        key = None
        if token == "repeated":
            label, token = "REPEATED", self.next()
        if token == "map":
            self.expect("<")
            key = self.next()
            self.expect(",")
            label, token = "MAP", self.next()
            self.expect(">")
        name = self.next()
        self.expect("=")
        number = int(self.next())
        deprecated = self.peek() == "["
        if deprecated:
            self.expect("[", "deprecated", "=", "true", "]")
        self.expect(";")
        field = Field(name, number, token, label, deprecated)
        field.key = key
        return field

    def check(self, message):
        names = [f.name for f in message.fields]
        numbers = [f.number for f in message.fields]
        if len(set(names)) < len(names) or len(set(numbers)) < len(numbers):
            fail(f"{message.name}: a field name or number stands twice")
        if message.reserved & (set(names) | set(map(str, numbers))):
            fail(f"{message.name}: uses what it reserves")
        if {"which", "unknown"} & set(names) or KEYWORDS & set(names):
            fail(f"{message.name}: a field name clashes with C")
        if numbers and not 1 <= min(numbers) <= max(numbers) <= 8191:
            fail(f"{message.name}: field numbers must lie in 1..8191")

    def enum(self, scope, package):
        enum = Enum(f"{scope}.{self.next()}", package)
        self.declare(enum)
        self.expect("{")
        while self.peek() != "}":
            name = self.next()
            self.expect("=")
            enum.values.append((name, int(self.next())))
            self.expect(";")
        self.next()
        if len({number for _, number in enum.values}) < len(enum.values):
            fail(f"{enum.name}: aliases are not supported")

    def service(self, package):
        name, methods = self.next(), []
        self.expect("{")
        while self.peek() != "}":
            self.expect("rpc")
            method, ends = self.next(), []
            for word in ("(", "returns"):
                self.expect(word)
                if word == "returns":
                    self.expect("(")
                stream = self.peek() == "stream"
                if stream:
                    self.next()
                ends.append((self.next(), stream))
                self.expect(")")
            self.expect(";")
            methods.append((method, ends[0], ends[1]))
        self.next()
        self.services.append((package, name, methods))


def c_name(item):
    return PREFIXES[item.package] + item.name[len(item.package) + 1 :].replace(".", "_")


def resolve(types, scope, name):
    """Innermost scope first, as protobuf does."""
    while True:
        full = f"{scope}.{name}" if scope else name
        if full in types:
            return types[full]
        if not scope:
            fail(f"no type {name}")
        scope = scope.rpartition(".")[0]


def kind_of(field):
    if isinstance(field.target, Message):
        return "MESSAGE"
    return "ENUM" if field.target else SCALARS[field.type_name][0]


def value_type(field):
    """C type of one value of the field."""
    if isinstance(field.target, Message):
        return f"struct {field.target.c_name}"
    return "int32_t" if field.target else SCALARS[field.type_name][1]


def short_type(field):
    """Name of the value's type in the names of array and map structs."""
    if isinstance(field.target, Message):
        return c_name(field.target)
    return "i32" if field.target else SCALARS[field.type_name][2]


def link(types):
    """Finds what field types name, and makes one entry message for each pair of key and value types."""
    entries = {}
    for message in types.values():
        if not isinstance(message, Message):
            continue
        message.c_name = "sl_pb_" + c_name(message)
        for field in message.fields:
            if field.type_name not in SCALARS:
                field.target = resolve(types, message.name, field.type_name)
    for message in types.values():
        if not isinstance(message, Message):
            continue
        for field in message.fields:
            if field.label != "MAP":
                continue
            value = field.target.name if field.target else field.type_name
            name = f"map<{field.key}, {value}>"
            if name not in entries:
                entry = Message(name, message.package)
                entry.entry = True
                entry.suffix = f"{field.key}_{c_name(field.target) if field.target else field.type_name}"
                entry.c_name = "sl_pb_entry_" + entry.suffix
                value_label = "INLINE" if isinstance(field.target, Message) else "SINGULAR"
                key_field, value_field = Field("key", 1, field.key, "SINGULAR"), Field("value", 2, field.type_name, value_label)
                value_field.target = field.target
                entry.fields = [key_field, value_field]
                entries[name] = entry
            field.map_suffix = entries[name].suffix
            field.target = entries[name]
    return sorted(entries.values(), key=lambda e: e.suffix)


def member(field):
    """(declaration, remark) of a field in its struct."""
    remark = [c_name(field.target)] if isinstance(field.target, Enum) else []
    if field.type_name == "bytes" and field.label != "MAP":
        remark.append("bytes")
    if field.deprecated:
        remark.append("deprecated")
    if field.label == "MAP":
        kind = f"struct sl_pb_map_{field.map_suffix} {field.name}"
    elif field.label == "REPEATED":
        kind = f"struct sl_pb_array_{short_type(field)} {field.name}"
    elif isinstance(field.target, Message) and field.label != "INLINE":
        kind = f"{value_type(field)} *{field.name}"
    else:
        kind = f"{value_type(field)} {field.name}"
    return kind + ";" + (f" /* {', '.join(remark)} */" if remark else "")


def enum_constants(enum):
    """C names of the values: they keep their own name when they all share a prefix, else take the enum's."""
    own = enum.name.rpartition(".")[0] == enum.package
    first = enum.values[0][0].split("_")[0] + "_"
    if own and len(enum.values) > 1 and all(name.startswith(first) for name, _ in enum.values):
        return [(f"SL_PB_{name}", number) for name, number in enum.values]
    return [(f"SL_PB_{c_name(enum)}_{name}", number) for name, number in enum.values]


def struct_lines(message):
    lines = [f"/* {message.name} */", f"struct {message.c_name} {{"]
    ones = [f for f in message.fields if f.label == "ONEOF"]
    done = False
    for field in message.fields:
        if field.label != "ONEOF":
            lines.append("    " + member(field))
        elif not done:
            done = True
            prefix = f"SL_PB_{c_name(message)}_"
            lines.append(f"    int which; /* oneof {message.oneof}: 0 or one of {prefix}* */")
            lines.append("    union {")
            lines += ["        " + member(one) for one in ones]
            lines.append("    };")
    lines += ["    struct sl_pb_unknown *unknown;", "};"]
    if ones:
        lines.append("enum {")
        lines += [f"    SL_PB_{c_name(message)}_{one.name} = {one.number}," for one in ones]
        lines.append("};")
    return lines + [""]


def find_lines(entry):
    key, value = entry.fields
    key_type = value_type(key)
    same = "sl_str_eq(map->items[i].key, key)" if key_type == "struct sl_str" else "map->items[i].key == key"
    pointer = f"{value_type(value)} *"
    return [
        f"static inline {pointer}sl_pb_find_{entry.suffix}(const struct sl_pb_map_{entry.suffix} *map, {key_type} key) {{",
        "    for (size_t i = map->n; i-- > 0;)",
        f"        if ({same}) return &map->items[i].value;",
        "    return NULL;",
        "}",
        "",
    ]


def service_lines(services):
    lines = []
    for package, name, methods in services:
        prefix = PREFIXES[package]
        lines.append(f'#define SL_PB_{name}_PATH "/{package}.{name}/"')
        unary = [m for m in methods if not (m[1][1] or m[2][1])]
        streams = [m for m in methods if m[1][1] or m[2][1]]
        for suffix, rows in (("METHODS", unary), ("STREAMS", streams)):
            if not rows:
                continue
            lines.append(f"#define SL_PB_{name}_{suffix}(METHOD)")
            lines += [f"    METHOD({m}, {prefix}{a[0]}, {prefix}{b[0]})" for m, a, b in rows]
            start = len(lines) - len(rows) - 1
            for i in range(start, len(lines) - 1):
                lines[i] = lines[i].ljust(119) + "\\"
        lines.append("")
    return lines


HEADER_TOP = """\
/* Written by tools/gen_proto.py from the .proto files of src/proto; do not edit.
 *
 * One struct a message; proto/message_table.h says how fields are laid out. Plain data: one owner while it is filled,
 * then any number of readers. */
#ifndef SL_PROTO_GEN_MESSAGES_H
#define SL_PROTO_GEN_MESSAGES_H

#include "base/str.h"
#include "proto/message_table.h"
"""


def header(messages, enums, entries, services):
    lines = HEADER_TOP.split("\n")
    lines.append("/* Enums. A field of enum type is an int32_t: numbers without a name are legal. */")
    for enum in enums:
        lines.append(f"enum sl_pb_{c_name(enum)} {{")
        lines += [f"    {name} = {number}," for name, number in enum_constants(enum)]
        lines += ["};", ""]
    arrays = sorted({short_type(f) for m in messages for f in m.fields if f.label == "REPEATED"} - set(ARRAYS))
    lines.append("/* Repeated fields of messages. */")
    for name in arrays:
        lines += [f"struct sl_pb_array_{name} {{", f"    struct sl_pb_{name} *items;", "    size_t n;", "};"]
    lines += ["", "/* Maps: entries in file order, duplicates kept; the last entry of a key counts. */"]
    for entry in entries:
        lines += [f"struct sl_pb_map_{entry.suffix} {{", f"    struct {entry.c_name} *items;", "    size_t n;", "};"]
    lines += ["", "/* Messages. */"]
    for message in messages:
        lines += struct_lines(message)
    lines.append("/* Map entries. */")
    for entry in entries:
        lines += struct_lines(entry)
    lines += ["/* sl_pb_find_KEY_VALUE: the value that counts for `key`, or NULL. Borrowed from the map; linear. */"]
    for entry in entries:
        lines += find_lines(entry)
    lines += [
        "/* Services: METHOD(name, request, response); STREAMS take and answer a stream. The path of a call is",
        " * SL_PB_<service>_PATH followed by the method's name. */",
    ]
    lines += service_lines(services)
    lines += ["/* Rows of sl_pb_messages; SL_PB_TYPE(NodeDef) is a message's row. */", "enum {"]
    lines += [f"    {index_name(m)}," for m in messages + entries]
    lines += ["    SL_PB_MESSAGE_COUNT", "};", "", "enum {"]
    lines += [f"    SL_PB_ENUM_INDEX_{c_name(e)}," for e in enums]
    lines += ["    SL_PB_ENUM_COUNT", "};", "", "#endif", ""]
    return "\n".join(lines)


def index_name(message):
    return "SL_PB_INDEX_" + message.c_name[len("sl_pb_") :]


class Names:
    """All names in one string, so that the tables hold no pointers and need no relocation when the library loads."""

    def __init__(self):
        self.at, self.parts, self.size = {}, [], 0

    def add(self, name):
        if name not in self.at:
            self.at[name] = self.size
            self.parts.append(name)
            self.size += len(name) + 1
        return self.at[name]


TABLES_TOP = """\
/* Written by tools/gen_proto.py from the .proto files of src/proto; do not edit. */
#include "proto/gen/messages.h"

/* S names the struct, F the field, T the type of one value, M the index of its message or enum. */
#define ROW(S, F, T, NAME, NUMBER, WIRE, KIND, LABEL, M)                                                               \\
    {NAME, NUMBER, NUMBER << 3 | SL_PB_WIRE_##WIRE, offsetof(struct S, F), sizeof(T), M, SL_PB_##KIND, SL_PB_##LABEL}
"""


def tables(messages, enums, entries):
    names, dense, rows, fields, enum_rows, enum_values = Names(), [], [], [], [], []
    for message in messages + entries:
        ordered = sorted(message.fields, key=lambda f: f.number)
        limit = min(max([f.number for f in ordered], default=0) + 1, DENSE_LIMIT)
        index = [0] * limit
        for i, field in enumerate(ordered):
            if field.number < limit:
                index[field.number] = i + 1
        which = f"offsetof(struct {message.c_name}, which)" if message.oneof else "SL_PB_NO_ONEOF"
        rows.append(
            f"    {{{names.add(message.name)}, sizeof(struct {message.c_name}), "
            f"offsetof(struct {message.c_name}, unknown), {which}, {len(fields)}, {len(ordered)}, "
            f"{len(dense)}, {limit}, {int(message.entry)}}},"
        )
        dense += index
        for field in ordered:
            target = "0"
            if isinstance(field.target, Message):
                target = index_name(field.target)
            elif field.target:
                target = f"SL_PB_ENUM_INDEX_{c_name(field.target)}"
            fields.append(
                f"    ROW({message.c_name}, {field.name}, {value_type(field)}, {names.add(field.name)}, {field.number}, "
                f"{WIRES.get(kind_of(field), 'VARINT')}, {kind_of(field)}, {field.label}, {target}),"
            )
        if len(ordered) > 254:
            fail(f"{message.name}: more than 254 fields")
    for enum in enums:
        enum_rows.append(f"    {{{names.add(enum.name)}, {len(enum_values)}, {len(enum.values)}}},")
        for name, number in sorted(enum.values, key=lambda v: v[1]):
            enum_values.append(f"    {{{names.add(name)}, {number}}}, /* {name} */")
    lines = TABLES_TOP.split("\n")
    lines += [f"const struct sl_pb_field sl_pb_fields[{len(fields)}] = {{"] + fields + ["};", ""]
    lines += ["const struct sl_pb_message sl_pb_messages[SL_PB_MESSAGE_COUNT] = {"] + rows + ["};", ""]
    lines += ["const size_t sl_pb_message_count = SL_PB_MESSAGE_COUNT;", ""]
    lines += [f"const uint8_t sl_pb_dense[{len(dense)}] = {{"]
    text = ", ".join(map(str, dense)) + ","
    lines += ["    " + line for line in wrap(text, 115)] + ["};", ""]
    lines += ["const struct sl_pb_enum sl_pb_enums[SL_PB_ENUM_COUNT] = {"] + enum_rows + ["};", ""]
    lines += [f"const struct sl_pb_enum_value sl_pb_enum_values[{len(enum_values)}] = {{"] + enum_values + ["};", ""]
    lines += [f"const char sl_pb_names[{names.size + 1}] ="]
    lines += [f'    "{name}\\0"' for name in names.parts]
    lines[-1] += ";"
    return "\n".join(lines) + "\n"


def wrap(text, width):
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def main(arguments):
    if arguments not in ([], ["--check"]):
        fail("usage: gen_proto.py [--check]")
    types, services = {}, []
    for path in sorted(SOURCES.glob("*.proto")):
        Parser(path, types, services).file()
    entries = link(types)
    messages = [t for t in types.values() if isinstance(t, Message)]
    enums = [t for t in types.values() if isinstance(t, Enum)]
    stale = False
    for path, text in ((HEADER, header(messages, enums, entries, services)), (TABLES, tables(messages, enums, entries))):
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if not arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif old != text:
            stale = True
            name = str(path.relative_to(ROOT))
            diff = difflib.unified_diff(old.splitlines(), text.splitlines(), name, name + " (fresh)", lineterm="")
            print("\n".join(list(diff)[:40]))
    if stale:
        fail("generated files are stale: run tools/gen_proto.py")


main(sys.argv[1:])
