"""Messages as text, in protobuf's text format: printed, and read.

node {
  name: "x"
}
"""

from __future__ import annotations

import ast
import re

from . import message_fields, messages

_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


class ParseError(ValueError):
    """Text that is no message."""


# ---- printing


def quote(data: bytes) -> str:
    return "".join(_ESCAPES.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in data)


def _short_float(value: float) -> str:
    """The shortest text that is the same float32."""
    for digits in range(6, 10):
        text = f"{value:.{digits}g}"
        if message_fields.to_float32(float(text)) == value:
            return text
    return repr(value)


def _scalar(field, value) -> str:
    if field.kind in ("string", "bytes"):
        return f'"{quote(value.encode() if isinstance(value, str) else value)}"'
    if field.kind == "bool":
        return "true" if value else "false"
    if field.kind == "enum":
        return next((n for n, v in message_fields.values_of(field.type_name).items() if v == value), str(value))
    if field.kind == "float":
        return _short_float(value)
    if field.kind == "double":
        text = repr(value)
        return text[:-2] if text.endswith(".0") else text
    return str(value)


def _lines(message, indent):
    for field, value in message._listed():
        if field.key is not None:
            for key in sorted(value._items):
                yield f"{indent}{field.name} {{"
                yield f"{indent}  key: {_scalar(field.key, key)}"
                yield from _one(field.value, value._items[key], indent + "  ")
                yield indent + "}"
        elif field.repeated:
            for item in value._items:
                yield from _one(field, item, indent)
        else:
            yield from _one(field, value, indent)


def _one(field, value, indent):
    if field.kind == "message":
        yield f"{indent}{field.name} {{"
        yield from _lines(value, indent + "  ")
        yield indent + "}"
    else:
        yield f"{indent}{field.name}: {_scalar(field, value)}"


def print_message(message) -> str:
    """A message's text, fields by number and maps by key; maps and messages on lines of their own."""
    return "".join(line + "\n" for line in _lines(message, ""))


# ---- reading

_TOKEN = re.compile(
    r'\s+|\#[^\n]*|("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')|([A-Za-z_][\w.]*)'
    r"|([-+]?\s*(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?|inf(?:inity)?|nan))|([{}<>\[\]:;,/])"
)


class _Reader:
    def __init__(self, text: str):
        self.text, self.tokens, self.at, at = text, [], 0, 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                line = text.count("\n", 0, at) + 1
                raise ParseError(f"{line}: cannot read {text[at : at + 20]!r}")
            if found.lastindex:
                self.tokens.append((found.group(0), at))
            at = found.end()
        self.tokens.append(("", len(text)))

    def peek(self) -> str:
        return self.tokens[self.at][0]

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][0]

    def take(self, *tokens) -> bool:
        if self.peek() in tokens and self.peek():
            self.at += 1
            return True
        return False

    def fail(self, text):
        place = self.tokens[min(self.at, len(self.tokens) - 1)][1]
        line = self.text.count("\n", 0, place) + 1
        raise ParseError(f"{line}: {text}")


def _read_scalar(reader, field):
    token = reader.next()
    if field.kind in ("string", "bytes"):
        if token[:1] not in ('"', "'"):
            reader.fail(f"expected a string for {field.name}, found {token!r}")
        data = _unquote(token)
        while reader.peek()[:1] in ('"', "'") and reader.peek():
            data += _unquote(reader.next())
        return data.decode() if field.kind == "string" else data
    if field.kind == "bool":
        if token not in ("true", "false", "True", "False", "t", "f", "1", "0"):
            reader.fail(f"expected a bool for {field.name}, found {token!r}")
        return token in ("true", "True", "t", "1")
    if field.kind == "enum" and (token[:1].isalpha() or token[:1] == "_"):
        values = message_fields.values_of(field.type_name)
        if token not in values:
            reader.fail(f'enum "{field.type_name}" has no value named {token!r}')
        return values[token]
    word = token.replace(" ", "")
    try:
        number = float(word.rstrip("fF")) if field.kind in ("float", "double") and "x" not in word else int(word, 0)
        return message_fields.check(field, number)
    except ValueError:
        if field.kind in ("float", "double") and word.lstrip("+-") in ("inf", "infinity", "nan"):
            return float(word)
        reader.fail(f"cannot read {token!r} as {field.kind} of {field.name}")


def _unquote(token: str) -> bytes:
    text = "".join(c if ord(c) < 128 else "".join(f"\\x{b:02x}" for b in c.encode()) for c in token)
    return ast.literal_eval("b" + text)


def _read_message(reader, message, end):
    while reader.peek() != end:
        name = reader.next()
        if not name:
            reader.fail(f"expected {end!r}")
        field = message._fields.get(name)
        if field is None:
            reader.fail(f'Message type "{message.DESCRIPTOR.full_name}" has no field named "{name}".')
        colon = reader.take(":")
        if field.repeated and reader.take("["):
            while not reader.take("]"):
                _read_value(reader, message, field, colon)
                reader.take(",")
        else:
            _read_value(reader, message, field, colon)
        reader.take(";") or reader.take(",")
    reader.at += 1


def _read_value(reader, message, field, colon):
    if field.kind != "message" or field.key is not None and reader.peek() not in ("{", "<"):
        if not colon:
            reader.fail(f'expected ":" after {field.name}')
        message._put(field, _read_scalar(reader, field))
        return
    end = {"{": "}", "<": ">"}.get(reader.next())
    if end is None:
        reader.fail(f'expected "{{" after {field.name}')
    if field.key is not None:
        entry = messages.entry_class(message._name, field)()
        _read_message(reader, entry, end)
        if field.value.kind == "message":
            message._get(field)[entry.key].CopyFrom(entry.value)
        else:
            message._get(field)[entry.key] = entry.value
    elif field.repeated:
        _read_message(reader, message._get(field).add(), end)
    else:
        _read_message(reader, message._present_child(field), end)


def merge_text(text, message):
    """Reads text over what a message has; gives the message. ParseError when it is no such text."""
    _read_message(_Reader(text.decode() if isinstance(text, bytes) else text), message, "")
    return message
