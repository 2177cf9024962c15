"""Takes break, continue and return out of a function: flags, and conditions on them around what is jumped over.

After it a function has one return, at its end, and loops have `extra_test`, a condition to go on beside their own.
"""

from __future__ import annotations

import ast
import copy

RETURNED, RESULT = "do_return_", "retval_"
_MOST_GUARDS = 6  # of a match statement on tensors: each doubles what follows


def place_of(node) -> dict:
    """Where a node is, for those made in its stead."""
    return {
        "lineno": node.lineno, "col_offset": node.col_offset,
        "end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset,
    }  # fmt: skip


_LOAD, _STORE = ast.Load(), ast.Store()


def _assign(name, value, at):
    return ast.Assign([ast.Name(name, _STORE, **at)], value, **at)


def _flag(name, value, at):
    return _assign(name, ast.Constant(value, **at), at)


def _none_of(flags, at):
    tests = [ast.UnaryOp(ast.Not(), ast.Name(f, _LOAD, **at), **at) for f in sorted(flags)]
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests, **at)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_JUMPS = (ast.Return, ast.Break, ast.Continue)


# The blocks of statements of a statement; those of match and try have more.
_BLOCKS = {
    kind: tuple(f for f in kind._fields if f in ("body", "orelse", "finalbody", "handlers", "cases"))
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.stmt) and not {"body", "cases"}.isdisjoint(kind._fields)
}


def blocks(s):
    """The blocks of statements that a statement has."""
    found = []
    for field in _BLOCKS.get(s.__class__, ()):
        block = getattr(s, field)
        if field == "handlers" or field == "cases":
            found.extend(part.body for part in block)
        elif block:
            found.append(block)
    return found


def _returns(s) -> bool:
    """Whether a statement may return from the function that it is in."""
    kind = s.__class__
    if kind not in _BLOCKS:
        return kind is ast.Return
    return kind not in _FUNCTIONS and any(_returns(c) for block in blocks(s) for c in block)


def _jumps(s) -> bool:
    """Whether a statement may jump out of where it is (loops keep their own breaks)."""
    kind = s.__class__
    if kind not in _BLOCKS:
        return kind in _JUMPS
    if kind in _FUNCTIONS:
        return False
    if kind is ast.For or kind is ast.While:
        return _returns(s) or any(map(_jumps, s.orelse))
    return any(_jumps(c) for block in blocks(s) for c in block)


def _own_nodes(node):
    """The nodes of a function's own code, not those of functions within."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield child
            yield from _own_nodes(child)


def _always_jumps(statements) -> bool:
    """Whether a block never comes to its end."""
    for s in statements:
        if s.__class__ not in _BLOCKS:
            if s.__class__ in _JUMPS or isinstance(s, ast.Raise):
                return True
            continue
        if isinstance(s, ast.If) and s.orelse and _always_jumps(s.body) and _always_jumps(s.orelse):
            return True
        if isinstance(s, ast.With) and _always_jumps(s.body):
            return True
        if isinstance(s, ast.While) and _is_true(s.test) and not _breaks(s.body):
            return True
        if isinstance(s, ast.Try) and (_always_jumps(s.finalbody) or _all_parts_jump(s)):
            return True
        if isinstance(s, ast.Match) and _is_exhaustive(s) and all(_always_jumps(c.body) for c in s.cases):
            return True
    return False


def _is_true(test) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _all_parts_jump(s) -> bool:
    """Of a try statement without regard to its finally."""
    return (_always_jumps(s.body) or _always_jumps(s.orelse)) and all(_always_jumps(h.body) for h in s.handlers)


def _is_exhaustive(s) -> bool:
    """Whether a match statement's last case takes what is left."""
    last = s.cases[-1]
    return last.guard is None and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None


def _breaks(statements) -> bool:
    """Whether a loop's body may break out of it."""
    for s in statements:
        if s.__class__ not in _BLOCKS or isinstance(s, _FUNCTIONS):
            if isinstance(s, ast.Break):
                return True
            continue
        if _breaks(s.orelse) if isinstance(s, (ast.For, ast.While)) else any(map(_breaks, blocks(s))):
            return True
    return False


class Lowering:
    """Of one function."""

    def __init__(self):
        self._n = 0
        self.flags: set[str] = set()

    def function(self, node):
        """Changes the function's body; functions within are lowered when they are converted."""
        has_returns = any(map(_returns, node.body))
        if has_returns and node.body[-1].__class__ is ast.Return and not any(map(_returns, node.body[:-1])):
            node.body[:-1] = self._block(node.body[:-1], None)[0]
            return
        returns_always = _always_jumps(node.body)
        body, _ = self._block(node.body, None)
        if has_returns:
            at = place_of(_after_docstring(node.body) or node.body[0])
            head = [
                _flag(RETURNED, False, at),
                _assign(RESULT, _call("Undefined", [ast.Constant(RESULT, **at)], at), at),
            ]
            at = place_of(node.body[-1])
            flag = ast.Constant(True, **at) if returns_always else ast.Name(RETURNED, _LOAD, **at)
            result = _call("returned", [flag, ast.Name(RESULT, _LOAD, **at)], at)
            body = head + body + [ast.Return(result, **at)]
            self.flags |= {RETURNED, RESULT}
        node.body = body or node.body

    def _new(self, word):
        self._n += 1
        name = f"{word}_{self._n}_"
        self.flags.add(name)
        return name

    # A block gives its statements and the flags that it may set. `loop`: (break's flag, continue's flag) of the loop around.

    def _block(self, statements, loop):
        out = []
        statements = list(statements)
        for i, s in enumerate(statements):
            rest = statements[i + 1 :]
            if isinstance(s, ast.If) and rest and _jumps(s):
                if _always_jumps(s.body) and not _always_jumps(s.orelse):
                    s.orelse, rest = s.orelse + rest, []
                elif s.orelse and _always_jumps(s.orelse) and not _always_jumps(s.body):
                    s.body, rest = s.body + rest, []
            new, flags = self._statement(s, loop)
            out.extend(new)
            if isinstance(s, (ast.Return, ast.Break, ast.Continue)):
                return out, flags  # what stands behind never runs
            if flags:
                rest_out, rest_flags = self._block(rest, loop)
                if rest_out:
                    out.append(self._guard(flags, rest_out, rest[0]))
                return out, flags | rest_flags
            if isinstance(s, ast.If) and len(rest) != len(statements) - i - 1:
                return out, flags
        return out, set()

    @staticmethod
    def _guard(flags, body, at):
        at = place_of(at)
        return ast.If(_none_of(flags, at), body, [], **at)

    def _statement(self, s, loop):
        visit = _lowered.get(s.__class__)
        if visit is None:
            return [s], set()
        s.__dict__.pop("uses", None)
        return visit(self, s, loop)

    def _Return(self, s, loop):
        at = place_of(s)
        value = s.value if s.value is not None else ast.Constant(None, **at)
        return [_assign(RESULT, value, at), _flag(RETURNED, True, at)], {RETURNED}

    def _Break(self, s, loop):
        return [_flag(loop[0], True, place_of(s))], {loop[0]}

    def _Continue(self, s, loop):
        return [_flag(loop[1], True, place_of(s))], {loop[1]}

    def _If(self, s, loop):
        s.body, first = self._block(s.body, loop)
        s.orelse, second = self._block(s.orelse, loop)
        return [s], first | second

    def _With(self, s, loop):
        s.body, flags = self._block(s.body, loop)
        return [s], flags

    def _Match(self, s, loop):
        if 0 < sum(c.guard is not None for c in s.cases) <= _MOST_GUARDS:
            self._n += 1
            name = f"matched_{self._n}_"
            at = place_of(s)
            subject = _assign(name, s.subject, at)
            s.subject = ast.Name(name, _LOAD, **at)
            new, flags = self._Match(_without_guards(s), loop)
            return [subject, *new], flags
        flags = set()
        for case in s.cases:
            case.body, more = self._block(case.body, loop)
            flags |= more
        return [s], flags

    def _Try(self, s, loop):
        flags = set()
        for field in ("body", "orelse", "finalbody"):
            block, more = self._block(getattr(s, field), loop)
            if field == "orelse" and flags and block:
                block = [self._guard(flags, block, s)]
            setattr(s, field, block)
            flags |= more
        for h in s.handlers:
            h.body, more = self._block(h.body, loop)
            flags |= more
        return [s], flags

    def _loop(self, s, outer):
        own = self._new("break"), self._new("continue")
        at = place_of(s)
        body, flags = self._block(s.body, own)
        orelse, else_flags = self._block(s.orelse, outer)
        before, after, out_flags = [], [], else_flags
        tests = flags & {own[0], RETURNED}
        if own[1] in flags:
            body = [_flag(own[1], False, place_of(s.body[0]))] + body
        if own[0] in flags:
            before.append(_flag(own[0], False, at))
        if RETURNED in flags:
            out_flags = out_flags | {RETURNED}
        s.body = body
        s.extra_test = [_none_of(tests, at)] if tests else []
        if orelse:
            after = [self._guard(tests, orelse, s.orelse[0])] if tests else orelse
        s.orelse = []
        return before + [s] + after, out_flags


_lowered = {
    ast.Break: Lowering._Break, ast.Continue: Lowering._Continue, ast.For: Lowering._loop, ast.If: Lowering._If,
    ast.Match: Lowering._Match, ast.Return: Lowering._Return, ast.Try: Lowering._Try, ast.While: Lowering._loop,
    ast.With: Lowering._With,
}  # fmt: skip


def _without_guards(s):
    """The match statement with guards as if statements, behind which the other cases follow once more."""
    cases = []
    for i, case in enumerate(s.cases):
        if case.guard is not None:
            rest = ast.Match(copy.deepcopy(s.subject), copy.deepcopy(s.cases[i + 1 :]))
            others = [_without_guards(ast.copy_location(rest, s))] if rest.cases else []
            test = ast.copy_location(ast.If(case.guard, case.body, others), case.guard)
            case = ast.match_case(case.pattern, None, [test])
        cases.append(case)
    return ast.copy_location(ast.Match(s.subject, cases), s)


def _after_docstring(body):
    if (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        return body[1] if len(body) > 1 else None
    return None


def _call(name, args, at):
    return ast.Call(ast.Attribute(ast.Name("ag__", _LOAD, **at), name, _LOAD, **at), args, [], **at)
