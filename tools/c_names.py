"""The names that a C file declares at file level: tags, enumerators, typedefs, macros, functions and objects.

Read from the text, without a compiler and without what the file includes. Of an #if the first branch counts: the others
give the same names. Names that a macro makes are not seen.
"""
import re
from typing import List, NamedTuple, Tuple

# Words of table rows (*.def, or tables in C): whoever reads a table says what they mean, so they have many definitions.
ROW_WORDS = {"KERNEL", "OP", "RULE"}

TAGS = ("struct", "union", "enum")
TYPEDEF, MACRO, ENUMERATOR, FUNCTION, OBJECT = "typedef", "macro", "enumerator", "function", "object"

_COMMENT_OR_LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(\w*)")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d\w*|\S")
_WORD = re.compile(r"[A-Za-z_]\w*$")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_]*$")
# What looks like a call in front of or behind a declaration and is none of its names.
_ATTRIBUTES = {"__attribute__", "__declspec", "_Alignas", "_Static_assert", "static_assert", "typeof", "__typeof__"}
_TYPES = {"void", "char", "int", "long", "float", "double", "const", "bool"}


class Name(NamedTuple):
    kind: str
    name: str
    line: int
    is_static: bool = False
    is_defined: bool = True


Token = Tuple[str, int]


def names_of(text: str) -> List[Name]:
    tokens, macros = _read_lines(_without_comments(text))
    return macros + _Declarations(tokens).read()


def _without_comments(text: str) -> str:
    def blank(match):
        return "\n" * match.group().count("\n") or (" " if match.group()[0] == "/" else '""')
    return _COMMENT_OR_LITERAL.sub(blank, text)


def _read_lines(text: str) -> Tuple[List[Token], List[Name]]:
    """The tokens outside of directives, and the macros that are still defined at the end of the file."""
    tokens, macros, undefined, branches = [], {}, set(), []
    continues = False
    for number, line in enumerate(text.split("\n"), 1):
        was, continues = continues, continues and line.endswith("\\")
        if was:
            continue
        directive = _DIRECTIVE.match(line)
        if not directive:
            if all(branches):
                tokens += [(token, number) for token in _TOKEN.findall(line)]
            continue
        continues = line.endswith("\\")
        word, name = directive.groups()
        if word.startswith("if"):
            branches.append(True)
        elif word in ("elif", "else"):
            branches[-1] = False
        elif word == "endif":
            branches.pop()
        elif word == "define":
            macros.setdefault(name, number)
        elif word == "undef":
            undefined.add(name)
    return tokens, [Name(MACRO, name, number) for name, number in macros.items() if name not in undefined]


class _Declarations:
    """Goes over the tokens once; `head` is what has been read of the present declaration."""

    def __init__(self, tokens: List[Token]):
        self.tokens, self.at, self.found = tokens, 0, []

    def read(self) -> List[Name]:
        head = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token[0] == "{":
                head = self._open(head)
            elif token[0] in ";}":
                self._declare(head, has_body=False)
                head = []
                self.at += 1
            else:
                head.append(token)
                self.at += 1
        return self.found

    def _open(self, head: List[Token]) -> List[Token]:
        """At a brace at file level. Returns what the declaration behind it goes on from."""
        words = [word for word, _ in head]
        if words[:2] == ["extern", '"'] or words[:1] == ["namespace"]:
            self.at += 1
            return []
        if "=" in words:
            self._skip()
            return head
        tag = max((i for i, word in enumerate(words) if word in TAGS), default=None)
        if tag is None or "(" in words[tag:] or len(words) > tag + 2:
            self._skip()
            self._declare(head, has_body=True)
            return []
        self._members(words[tag], head[tag + 1:])
        return head[:tag] + [("struct", 0), ("tag", 0)]

    def _members(self, kind: str, name: List[Token]):
        """The body of a struct, union or enum, at its brace, with the tags inside it."""
        if name:
            self.found.append(Name(kind, *name[0]))
        depth, before = 0, ""
        while self.at < len(self.tokens):
            token, line = self.tokens[self.at]
            if token in TAGS:
                inner = self.tokens[self.at + 1:self.at + 3]
                tagged = [inner[0]] if _WORD.match(inner[0][0]) else []
                if inner[len(tagged)][0] == "{":
                    self.at += 1 + len(tagged)
                    self._members(token, tagged)
                    continue
            depth += (token in "({[") - (token in ")}]")
            self.at += 1
            if not depth:
                return
            is_enumerator = kind == "enum" and depth == 1 and before in ("{", ",", ")") and _WORD.match(token)
            if is_enumerator and not self._is_next("("):
                self.found.append(Name(ENUMERATOR, token, line))
            before = token

    def _is_next(self, token: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][0] == token

    def _skip(self):
        depth = 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at][0]
            depth += (token == "{") - (token == "}")
            self.at += 1
            if not depth:
                return

    def _declare(self, head: List[Token], has_body: bool):
        words = [word for word, _ in head]
        head = _without_calls(head)
        if words[:1] == ["typedef"]:
            self._typedef(head)
            return
        for i, (token, _) in enumerate(head):
            if token in ("(", "=", "[", ","):
                head, end = head[:i], token
                break
        else:
            end = ""
        if len(head) < 2 or not _WORD.match(head[-1][0]) or head[-1][0] in _TYPES or head[-2][0] in TAGS:
            return
        kind = FUNCTION if end == "(" else OBJECT
        is_defined = has_body if kind == FUNCTION else "extern" not in words
        self.found.append(Name(kind, head[-1][0], head[-1][1], "static" in words, is_defined))

    def _typedef(self, head: List[Token]):
        """The name is in (*name), or the last word outside of parentheses."""
        depth, name = 0, None
        for i, (token, line) in enumerate(head):
            if token == "*" and head[i - 1][0] == "(" and depth == 1 and i + 1 < len(head) and _WORD.match(head[i + 1][0]):
                name = head[i + 1]
                break
            depth += (token in "([") - (token in ")]")
            if not depth and _WORD.match(token):
                name = token, line
        if name:
            self.found.append(Name(TYPEDEF, *name))


def _without_calls(head: List[Token]) -> List[Token]:
    """Without attributes and macros that are called: NAME(...)."""
    kept, i = [], 0
    while i < len(head):
        word = head[i][0]
        is_call = i + 1 < len(head) and head[i + 1][0] == "("
        if not is_call or not (word in _ATTRIBUTES or _CAPITALS.match(word)):
            kept.append(head[i])
            i += 1
            continue
        depth, i = 0, i + 1
        while i < len(head):
            depth += (head[i][0] == "(") - (head[i][0] == ")")
            i += 1
            if not depth:
                break
    return kept
