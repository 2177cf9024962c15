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


def parameters_of(node) -> set[str]:
    """The names of a function's parameters."""
    a = node.args
    found = {p.arg for p in a.posonlyargs}
    found.update([p.arg for p in a.args])
    found.update([p.arg for p in a.kwonlyargs])
    found.update([p.arg for p in (a.vararg, a.kwarg) if p is not None])
    return found


def simple_names_in(node) -> set[str]:
    """The variables that an expression is made of."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


_GROW = {"append", "extend", "pop"}
# Fields of nodes that hold no expressions or statements.
_PLAIN = {
    "arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level", "module", "name", "names", "op",
    "ops", "rest", "simple", "type_comment",
}  # fmt: skip


class _Fields(dict):
    """Type of a node -> its fields with nodes, lists of nodes, or None."""

    def __missing__(self, kind):
        plain = kind._fields if kind in (ast.Constant, ast.MatchSingleton) else _PLAIN
        self[kind] = fields = tuple(f for f in kind._fields if f not in plain)
        return fields


fields_of = _Fields()


class _Looks(dict):
    """Type of a node -> what Uses does with it."""

    def __missing__(self, kind):
        self[kind] = look = getattr(Uses, "_" + kind.__name__, Uses._children)
        return look


class _Visits(dict):
    """The same within another node: what statements do is known already, or kept with them."""

    def __missing__(self, kind):
        self[kind] = visit = Uses._statement if issubclass(kind, ast.stmt) else _looks[kind]
        return visit


_looks, _visits = _Looks(), _Visits()


def uses_of(statement) -> Uses:
    """What a statement does with names, kept with it: who changes what the statement is made of drops it."""
    uses = statement.__dict__.get("uses")
    if uses is None:
        uses = statement.uses = Uses()
        _looks[statement.__class__](uses, statement)
    return uses


class Uses:
    """What a part of a function does with names: `reads` and `writes` variables, `composites` that it changes (name -> node)."""

    # What few parts have.
    composites: dict[str, ast.AST] = {}
    inner_reads: frozenset[str] = frozenset()  # by functions within, which may be called later
    inner_writes: frozenset[str] = frozenset()  # by functions within, of names that are not theirs
    declared: dict[str, str] = {}  # global and nonlocal names
    deleted: frozenset[str] = frozenset()
    grown: frozenset[str] = frozenset()  # variables that are called to append or pop, as lists are
    assigns_within: bool = False  # by := in an expression

    def __init__(self, *nodes):
        self.reads: set[str] = set()
        self.writes: set[str] = set()
        for node in nodes:
            _visits[node.__class__](self, node)

    def _visit_all(self, nodes):
        for node in nodes:
            if node is not None:
                _visits[node.__class__](self, node)

    def _children(self, node):
        values = node.__dict__
        for field in fields_of[node.__class__]:
            value = values.get(field)
            if value is None:
                continue
            if value.__class__ is list:
                for v in value:
                    if v is not None:
                        _visits[v.__class__](self, v)
            else:
                _visits[value.__class__](self, value)

    def _statement(self, node):
        other = uses_of(node)
        self.reads |= other.reads
        self.writes |= other.writes
        if len(other.__dict__) > 2:
            for what, more in other.__dict__.items():
                if what != "reads" and what != "writes":
                    self._add(what, more)

    def _add(self, what, more):
        """To what few parts have."""
        setattr(self, what, getattr(self, what) | more)

    def _Call(self, node):
        f = node.func
        if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.attr in _GROW:
            if not any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in node.args[: f.attr == "pop"]):
                self._add("grown", {f.value.id})  # a dictionary's pop has a key
        self._children(node)

    def _Name(self, node):
        if node.ctx.__class__ is ast.Load:
            self.reads.add(node.id)
            return
        self.writes.add(node.id)
        if node.ctx.__class__ is ast.Del:
            self._add("deleted", {node.id})

    def _NamedExpr(self, node):
        self.assigns_within = True
        self._children(node)

    def _changes(self, node):
        name = name_of(node)
        if name is not None:
            self._add("composites", {name: node})

    def _Attribute(self, node):
        if node.ctx.__class__ is not ast.Load:
            self._changes(node)
        _visits[node.value.__class__](self, node.value)

    def _Subscript(self, node):
        if node.ctx.__class__ is not ast.Load:
            self._changes(node)
        self._children(node)

    def _AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
        self._children(node)

    def _Global(self, node):
        self._add("declared", dict.fromkeys(node.names, "global"))

    def _Nonlocal(self, node):
        self._add("declared", dict.fromkeys(node.names, "nonlocal"))

    def _Import(self, node):
        self.writes |= {(a.asname or a.name).partition(".")[0] for a in node.names}

    _ImportFrom = _Import

    def _ExceptHandler(self, node):
        if node.name:
            self.writes.add(node.name)
            self._add("deleted", {node.name})
        self._children(node)

    def _MatchAs(self, node):
        if node.name:
            self.writes.add(node.name)
        self._children(node)

    _MatchStar = _MatchAs

    def _MatchMapping(self, node):
        if node.rest:
            self.writes.add(node.rest)
        self._children(node)

    def _function(self, node):
        if not isinstance(node, ast.Lambda):
            self.writes.add(node.name)
            self._visit_all(node.decorator_list)
        self._visit_all(node.args.defaults + node.args.kw_defaults)
        inner = Uses(*(node.body if isinstance(node.body, list) else [node.body]))
        own = parameters_of(node) | inner.writes
        own -= inner.declared.keys()
        read = (inner.reads | inner.inner_reads) - own
        self.reads |= read
        self._add("inner_reads", read)
        written = {n for n, kind in inner.declared.items() if kind == "nonlocal" and n in inner.writes}
        if written:
            self._add("inner_writes", written)
            self._add("deleted", inner.deleted & written)

    _FunctionDef = _AsyncFunctionDef = _Lambda = _function

    def _ClassDef(self, node):
        self.writes.add(node.name)
        self._visit_all(node.decorator_list + node.bases + [k.value for k in node.keywords])
        inner = Uses(*node.body)
        read = inner.reads | inner.inner_reads
        self.reads |= read
        self._add("inner_reads", read)
        self._add("inner_writes", inner.inner_writes)
        self._add("deleted", inner.deleted)

    def _in_brackets(self, node):
        inner = Uses()
        inner._children(node)
        targets = set().union(*(Uses(g.target).writes for g in node.generators))
        self.reads |= inner.reads - targets
        self.writes |= inner.writes - targets  # := within goes to the function
        if len(inner.__dict__) > 2:
            self._add("inner_reads", inner.inner_reads - targets)
            self._add("composites", inner.composites)
            self._add("assigns_within", inner.assigns_within)

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
        if self.always:
            live = live | self.always
        visit = _live.get(s.__class__)
        if visit is not None:
            return visit(self, s, live)
        uses = uses_of(s)
        return (live - uses.writes) | uses.reads if s.__class__ is not ast.AugAssign else live | uses.reads

    def _Return(self, s, live):
        return Uses(s).reads | self.always

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


_live = {
    ast.For: Liveness._For, ast.If: Liveness._If, ast.Match: Liveness._Match, ast.Raise: Liveness._Return, ast.Return: Liveness._Return,
    ast.Try: Liveness._Try, ast.While: Liveness._While, ast.With: Liveness._With,
}  # fmt: skip
