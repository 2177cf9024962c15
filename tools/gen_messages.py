#!/usr/bin/env python3
"""Reads src/proto/*.proto and writes python/sluice/core/message_schema.py, the fields of the messages that Python has.

usage: gen_messages.py [--check]     --check: write nothing; exit 1 when the written file is stale

The calls between processes (master, worker, eager) are left out: Python makes none of them.
"""
import sys

import gen_proto

TARGET = gen_proto.ROOT / "python/sluice/core/message_schema.py"
LEFT_OUT = {"master.proto", "worker.proto", "eager.proto"}

HEAD = '''"""The fields of messages and the values of enums. Made by tools/gen_messages.py of src/proto: do not edit.

A message is a text of fields, `name=number type`, parted by ";". Types: a scalar's name, a message, #enum, *repeated, {map's
key: value}; `kind|name` is a field of the oneof `kind`. Names are those within `tensorflow`, others begin with ".".
"""
'''


def short(item):
    return item.name.removeprefix("tensorflow.") if item.package == "tensorflow" else "." + item.name


def type_text(field, item):
    kind = field.type_name
    if item is not None:
        kind = ("#" if isinstance(item, gen_proto.Enum) else "") + short(item)
    if field.label == "MAP":
        return f"{{{field.key}: {kind}}}"
    return ("*" if field.label == "REPEATED" else "") + kind


def message_text(message, types):
    fields = []
    for field in message.fields:
        item = None if field.type_name in gen_proto.SCALARS else gen_proto.resolve(types, message.name, field.type_name)
        oneof = message.oneof + "|" if field.label == "ONEOF" else ""
        fields.append(f"{oneof}{field.name}={field.number} {type_text(field, item)}")
    return "; ".join(fields)


def folded(name, text):
    """A row of a table, on lines that fit."""
    row = f'    "{name}": "{text}",'
    if len(row) <= 120:
        return [row]
    lines, line = [f'    "{name}": ('], ""
    for word in text.split(" "):
        if len(line) + len(word) > 108:
            lines.append(f'        "{line}"')
            line = ""
        line += word + " "
    return lines + [f'        "{line[:-1]}"', "    ),"]


def source():
    types = {}
    for path in sorted(gen_proto.SOURCES.glob("*.proto")):
        parsed = {} if path.name in LEFT_OUT else types
        gen_proto.Parser(path, parsed, []).file()
    lines = [HEAD, "MESSAGES = {"]
    enums = ["", "ENUMS = {"]
    for item in sorted(types.values(), key=lambda i: i.name):
        if isinstance(item, gen_proto.Enum):
            enums += folded(short(item), " ".join(f"{name}={number}" for name, number in item.values))
        else:
            lines += folded(short(item), message_text(item, types))
    return "\n".join([*lines, "}", *enums, "}", ""])


def main():
    made = source()
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != made:
            sys.exit(f"gen_messages: {TARGET.relative_to(gen_proto.ROOT)} is stale")
    else:
        TARGET.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
