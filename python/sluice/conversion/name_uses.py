"""Names that parts of a function read and change, and which of them are read later on (liveness).

A name is a text: "x", or of an attribute or item "self.x", "d[k]", "d['a'].b". What is more complicated has none.
"""

from __future__ import annotations

import ast


def name_of(node) -> str | None:
    """The name that an expression is; None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = name_of(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if isinstance(node, ast.Subscript):
        base = name_of(node.value)
        if base is not None and isinstance(node.slice, ast.Constant):
            return f"{base}[{node.slice.value!r}]"
        if base is not None and isinstance(node.slice, ast.Name):
            return f"{base}[{node.slice.id}]"
    return None


def is_simple(name: str) -> bool:
    return name.isidentifier()


def simple_names_in(node) -> set[str]:
    """The variables that an expression is made of."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


_GROW = {"append", "extend", "pop"}
_visits: dict = {}  # type of a node -> what Uses does with it


def uses_of(statement) -> Uses:
    """What a statement does with names, kept with it: who changes what the statement is made of drops it."""
    uses = statement.__dict__.get("uses")
    if uses is None:
        uses = statement.uses = Uses()
        uses._look_at(statement)
    return uses


class Uses:
    """What a part of a function does with names: `reads` and `writes` variables, `composites` that it changes (name -> node)."""

    def __init__(self, *nodes):
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        self.composites: dict[str, ast.AST] = {}
        self.inner_reads: set[str] = set()  # by functions within, which may be called later
        self.inner_writes: set[str] = set()  # by functions within, of names that are not theirs
        self.declared: dict[str, str] = {}  # global and nonlocal names
        self.grown: set[str] = set()  # variables that are called to append or pop, as lists are
        for node in nodes:
            self._visit(node)

    def _visit(self, node):
        if isinstance(node, list):
            for n in node:
                self._visit(n)
        elif isinstance(node, ast.stmt):
            self._merge(uses_of(node))
        else:
            self._look_at(node)

    def _look_at(self, node):
        kind = type(node)
        visit = _visits.get(kind)
        if visit is None:
            visit = _visits[kind] = getattr(Uses, "_" + kind.__name__, Uses._children)
        visit(self, node)

    def _children(self, node):
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                for v in value:
                    if isinstance(v, ast.AST):
                        self._visit(v)
            elif isinstance(value, ast.AST) and value._fields:
                self._visit(value)

    def _merge(self, other):
        self.reads |= other.reads
        self.writes |= other.writes
        self.inner_reads |= other.inner_reads
        self.inner_writes |= other.inner_writes
        self.grown |= other.grown
        self.composites.update(other.composites)
        self.declared.update(other.declared)

    def _Call(self, node):
        f = node.func
        if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.attr in _GROW:
            if not any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in node.args[: f.attr == "pop"]):
                self.grown.add(f.value.id)  # a dictionary's pop has a key
        self._children(node)

    def _Name(self, node):
        (self.reads if isinstance(node.ctx, ast.Load) else self.writes).add(node.id)

    def _changes(self, node):
        name = name_of(node)
        if name is not None:
            self.composites[name] = node

    def _Attribute(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._changes(node)
        self._visit(node.value)

    def _Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            self._changes(node)
        self._visit(node.value)
        self._visit(node.slice)

    def _AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
        self._visit(node.target)
        self._visit(node.value)

    def _Global(self, node):
        self.declared.update(dict.fromkeys(node.names, "global"))

    def _Nonlocal(self, node):
        self.declared.update(dict.fromkeys(node.names, "nonlocal"))

    def _Import(self, node):
        self.writes |= {(a.asname or a.name).partition(".")[0] for a in node.names}

    _ImportFrom = _Import

    def _ExceptHandler(self, node):
        if node.name:
            self.writes.add(node.name)
        self._children(node)

    _MatchAs = _MatchStar = _ExceptHandler

    def _MatchMapping(self, node):
        if node.rest:
            self.writes.add(node.rest)
        self._children(node)

    def _function(self, node):
        if not isinstance(node, ast.Lambda):
            self.writes.add(node.name)
            self._visit(node.decorator_list)
        self._visit([d for d in node.args.defaults + node.args.kw_defaults if d is not None])
        inner = Uses(*(node.body if isinstance(node.body, list) else [node.body]))
        own = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)} | inner.writes
        own -= {n for n, kind in inner.declared.items()}
        self.reads |= (inner.reads | inner.inner_reads) - own
        self.inner_reads |= (inner.reads | inner.inner_reads) - own
        self.inner_writes |= {n for n, kind in inner.declared.items() if kind == "nonlocal" and n in inner.writes}

    _FunctionDef = _AsyncFunctionDef = _Lambda = _function

    def _ClassDef(self, node):
        self.writes.add(node.name)
        self._visit(node.decorator_list + node.bases + [k.value for k in node.keywords])
        inner = Uses(*node.body)
        self.reads |= inner.reads | inner.inner_reads
        self.inner_reads |= inner.reads | inner.inner_reads
        self.inner_writes |= inner.inner_writes

    def _in_brackets(self, node):
        inner = Uses()
        for child in ast.iter_child_nodes(node):
            inner._visit(child)
        targets = set().union(*(Uses(g.target).writes for g in node.generators))
        self.reads |= inner.reads - targets
        self.inner_reads |= inner.inner_reads - targets
        self.writes |= inner.writes - targets  # := within goes to the function
        self.composites.update(inner.composites)

    _ListComp = _SetComp = _DictComp = _GeneratorExp = _in_brackets


class Liveness:
    """Marks each If, While and For of a function with `live_out` (variables that are read after it) and, in what it
    runs, `live_in` (variables whose value before it is read). `always`: variables that others may read at any time."""

    def __init__(self, body, always):
        self.always = frozenset(always)
        self._block(body, set())

    def _block(self, statements, live):
        for s in reversed(statements):
            live = self._statement(s, live)
        return live

    def _statement(self, s, live):
        live = live | self.always
        visit = getattr(self, "_" + type(s).__name__, None)
        if visit is not None:
            return visit(s, live)
        uses = uses_of(s)
        return (live - uses.writes) | uses.reads if not isinstance(s, ast.AugAssign) else live | uses.reads

    def _Return(self, s, live):
        return Uses(s).reads | self.always

    _Raise = _Return

    def _If(self, s, live):
        s.live_out = frozenset(live)
        s.body_live_in = frozenset(self._block(s.body, live) | self._block(s.orelse, live))
        return s.body_live_in | Uses(s.test).reads

    def _While(self, s, live):
        s.live_out = frozenset(live)
        header = live | Uses(s.test, *getattr(s, "extra_test", [])).reads
        while True:
            wider = header | self._block(s.body, header)
            if wider == header:
                break
            header = wider
        s.live_in = frozenset(header)
        return header

    def _For(self, s, live):
        s.live_out = frozenset(live)
        targets = Uses(s.target).writes
        header = live | Uses(*getattr(s, "extra_test", [])).reads
        while True:
            wider = header | (self._block(s.body, header) - targets)
            if wider == header:
                break
            header = wider
        s.live_in = frozenset(header)
        return header | Uses(s.iter).reads | (Uses(s.target).reads)

    def _Match(self, s, live):
        uses = Uses(s.subject, *(part for c in s.cases for part in (c.pattern, c.guard) if part is not None))
        return live.union(uses.reads, *(self._block(c.body, live) for c in s.cases))

    def _With(self, s, live):
        uses = Uses(*s.items)
        return (self._block(s.body, live) - uses.writes) | uses.reads

    def _Try(self, s, live):
        after = self._block(s.finalbody, live) if s.finalbody else live
        handlers = set(after)
        for h in s.handlers:
            handlers |= self._block(h.body, after) | (Uses(h.type).reads if h.type else set())
        outer, self.always = self.always, self.always | frozenset(handlers)
        try:
            return self._block(s.body, self._block(s.orelse, after)) | handlers
        finally:
            self.always = outer
