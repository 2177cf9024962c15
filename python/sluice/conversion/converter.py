"""Makes of a function's tree one whose branches, loops, calls and conditions go through `ag__`, the operators.

An `if` with the variables x and self.y becomes

    def get_state_1(): return (x, ag__.peek(lambda: self.y, 'self.y'))
    def set_state_1(values_): nonlocal x; (x, y_1_) = values_; if ag__.is_set(y_1_): self.y = y_1_
    def if_body_1(): nonlocal x; ...
    def else_body_1(): nonlocal x; ...
    ag__.if_stmt(test, if_body_1, else_body_1, get_state_1, set_state_1, ('x', 'self.y'), how many of them are results)

Every new node has the place of the statement that it stands for, so errors, debuggers and coverage speak of the user's lines.
"""

from __future__ import annotations

import ast
import copy

from . import jumps
from . import name_uses as names
from .jumps import place_of

_LEFT_ALONE = {"super", "locals", "globals", "vars", "eval", "exec", "breakpoint"}


_BLOCKS = {"body", "orelse", "finalbody"}
_LOAD, _STORE = ast.Load(), ast.Store()
_NO_PARAMETERS = ast.arguments([], [], None, [], [], None, [])
TYPE_PARAMETERS = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


def _head_of(node, end) -> dict:
    """Where the head of a statement with a block is, which ends with an expression."""
    return {**place_of(node), "end_lineno": end.end_lineno, "end_col_offset": end.end_col_offset}


def _call_place(node) -> dict:
    """Where Python says that a call is: at the name of the method."""
    f = node.func
    return {**place_of(node), **_name_start(f)} if isinstance(f, ast.Attribute) else place_of(node)


def _name_start(node) -> dict:
    if node.end_lineno == node.lineno:
        return {}
    return {"lineno": node.end_lineno, "col_offset": max(0, node.end_col_offset - len(node.attr))}


def _parsed(text, at):
    """Statements of a text, all at one place."""
    made = ast.parse(text).body
    for statement in made:
        for n in ast.walk(statement):
            if n._attributes:
                n.lineno, n.col_offset = at["lineno"], at["col_offset"]
                n.end_lineno, n.end_col_offset = at["end_lineno"], at["end_col_offset"]
    return made


def _load_of(name, at):
    return ast.Name(name, _LOAD, **at)


def _has_lines(at) -> bool:
    return at["lineno"] != at["end_lineno"]


def _constant(value, at):
    return ast.Constant(value, **at)


def _thunk(at, expression):
    return ast.Lambda(_NO_PARAMETERS, expression, **at)


def define(name, parameters, body, at):
    """A function; parameters: names."""
    a = (
        ast.arguments([], [ast.arg(p, **at) for p in parameters], None, [], [], None, [])
        if parameters
        else _NO_PARAMETERS
    )
    return ast.FunctionDef(name, a, body or [ast.Pass(**at)], [], None, **at, **TYPE_PARAMETERS)


class _Visits(dict):
    """Type of a node -> what the converter does with it."""

    def __missing__(self, kind):
        self[kind] = visit = getattr(Converter, "visit_" + kind.__name__, Converter.generic_visit)
        return visit


_visits = _Visits()


class _Scope:
    """A function that is converted: what its names are."""

    def __init__(self, node, outer):
        body = node.body if isinstance(node.body, list) else [node.body]
        uses = names.Uses(*body)
        a = node.args
        self.parameters = names.parameters_of(node)
        self.first = next((p.arg for p in a.posonlyargs + a.args), outer.first if outer is not None else None)
        self.declared = uses.declared
        self.locals = (uses.writes | self.parameters) - set(uses.declared)
        self.inner_writes = uses.inner_writes & self.locals
        self.grown = (uses.grown & self.locals) - self.parameters  # lists of its own, perhaps
        self.always_read = uses.inner_reads | set(uses.declared)
        self.maybe_undefined: set[str] = set()  # bound to Undefined at the start
        self.checked: set[str] = set()  # reads of them ask whether they are set
        self.deleted = uses.deleted
        self.certain = self.parameters - self.deleted  # are set where the converter is
        self.bound: set[str] = set()  # by statements that stay in the function itself
        self.doubtful: set[str] = set()  # are read where they may not be set
        self.assigns_within = uses.assigns_within
        self.outer = outer
        self.is_lambda = isinstance(node, ast.Lambda)

    def is_checked(self, name) -> bool:
        """Whether a read of the name, here or in a function within, asks whether it is set."""
        if name not in self.locals:
            return self.outer is not None and self.outer.is_checked(name)
        if name not in self.checked or name in self.certain:
            return False
        self.doubtful.add(name)
        return True

    def declarations(self, written, at) -> list[ast.stmt]:
        """Statements that make names of the function assignable in a function within it."""
        made = []
        inherited = sorted(n for n in written if n in self.locals or self.declared.get(n) == "nonlocal")
        if inherited:
            made.append(ast.Nonlocal(inherited, **at))
        globals_ = sorted(n for n in written if self.declared.get(n) == "global")
        if globals_:
            made.append(ast.Global(globals_, **at))
        return made


class Converter:
    """Of one function and those within it. modules: names of globals that are modules whose functions are left alone."""

    def __init__(self, modules=frozenset()):
        self.modules = modules
        self.scope = None
        self.depth = 0  # of branches and loops in the function
        self.n = 0
        self.before: list[ast.stmt] = []  # functions that the statement being visited needs before it
        self.assigned: dict[str, set] = {}  # what such functions of operands assign
        self.operators: dict[tuple[str, int], ast.AST] = {}  # ag__.name, for all its calls on a line

    def _ag(self, at, name, *args, keywords=()):
        """A call of ag__.name."""
        line = at["lineno"]
        called = self.operators.get((name, line))
        if called is None:
            # Python takes the last line of what is called for that of the call.
            first = {**at, "end_lineno": line, "end_col_offset": at["col_offset"]} if _has_lines(at) else at
            called = ast.Attribute(ast.Name("ag__", _LOAD, **first), name, _LOAD, **first)
            self.operators[name, line] = called
        return ast.Call(called, list(args), list(keywords), **at)

    # ---- functions

    def function(self, node):
        """A FunctionDef or Lambda, changed in place."""
        if isinstance(node, ast.Lambda):
            return self.visit_Lambda(node)
        node.decorator_list = []
        return self.visit_FunctionDef(node)

    def visit_FunctionDef(self, node):
        outer = self.scope
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        if outer is not None:
            node.args.defaults = [self.visit(d) for d in node.args.defaults]
            node.args.kw_defaults = [d if d is None else self.visit(d) for d in node.args.kw_defaults]
            if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in jumps._own_nodes(node)):
                return node
        lowering = jumps.Lowering()
        lowering.function(node)
        scope = _Scope(node, outer)
        names.Liveness(node.body, scope.always_read)
        scope.checked = _set_within(node.body) & scope.locals
        self.scope, depth, self.depth = scope, self.depth, 0
        body = self._block(node.body)
        self.scope, self.depth = outer, depth
        if outer is not None:
            self._bind(node.name)
        at = place_of(node)
        node.body = self._with_undefined(body, scope, at) or [ast.Pass(**at)]
        return node

    def _bind(self, name):
        """Notes that a variable is set from here on."""
        scope = self.scope
        if name in scope.locals and name not in scope.deleted:
            scope.certain.add(name)
            if not self.depth:
                scope.bound.add(name)

    def _bind_target(self, target):
        if isinstance(target, ast.Name):
            self._bind(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for t in target.elts:
                self._bind_target(t)
        elif isinstance(target, ast.Starred):
            self._bind_target(target.value)

    def _with_undefined(self, body, scope, place):
        """Names that parts within may set are bound from the start, but for those that are set before they are read."""
        unset = sorted(scope.maybe_undefined - scope.parameters - (scope.bound - scope.doubtful))
        if not unset:
            return body
        at = 1 if jumps._after_docstring(body) is not None or len(body) == 1 and _is_docstring(body[0]) else 0
        declarations = [s for s in body if isinstance(s, (ast.Global, ast.Nonlocal))]
        body = [s for s in body if s not in declarations]
        unset = [self._undefined(n, place) for n in unset]
        return body[:at] + declarations + unset + body[at:]

    def _undefined(self, name, at):
        return ast.Assign([ast.Name(name, _STORE, **at)], self._ag(at, "Undefined", _constant(name, at)), **at)

    def visit_AsyncFunctionDef(self, node):
        return node

    def visit_ClassDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.bases = [self.visit(b) for b in node.bases]
        # Methods are code of this function, so they are converted with it. They see its names, not the class's.
        node.body = [
            self.visit(s) if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else s
            for s in node.body
        ]
        return node

    def visit_Lambda(self, node):
        outer, self.scope = self.scope, self.scope or _Scope(node, None)
        node.body = self.visit(node.body)
        self.scope = outer
        return node

    # ---- blocks

    def _block(self, statements):
        out = []
        for s in statements:
            outer, self.before = self.before, []
            made = self.visit(s)
            out.extend(self.before)
            self.before = outer
            if made is None:
                continue
            if made.__class__ is list:
                out.extend(made)
            else:
                out.append(made)
        return out

    def _inner_block(self, statements):
        """A block that may not run, and the names that are certain to be set at its end."""
        if not statements:
            return statements, self.scope.certain
        scope = self.scope
        before, scope.certain = scope.certain, set(scope.certain)
        out = self._block(statements) or [ast.Pass(**place_of(statements[0]))]
        certain, scope.certain = scope.certain, before
        return out, scope.locals if isinstance(statements[-1], ast.Raise) else certain

    def _part(self, statements):
        """The same of one that becomes a function of its own."""
        self.depth += 1
        made = self._inner_block(statements)
        self.depth -= 1
        return made

    def _operands(self, at, *expressions):
        """Functions of expressions, and the keyword by which ag__ is told of the names that they assign (:=)."""
        written = set()
        if self.scope.assigns_within and not self.scope.is_lambda:
            written = {n.target.id for e in expressions for n in ast.walk(e) if isinstance(n, ast.NamedExpr)}
            written &= self.scope.locals
            written |= {n for e in expressions for f in _operand_names(e) for n in self.assigned.get(f, ())}
        if not written:
            return [_thunk(at, e) for e in expressions], []
        self.scope.doubtful |= written
        self.n += 1
        n, made = self.n, []
        functions, words = self._state_functions(sorted(written), [], written, at)
        self.before += functions
        for i, e in enumerate(expressions):
            name = f"operand_{n}_{i}"
            self.assigned[name] = written
            self.before.append(self._body_function(name, (), written, [ast.Return(e, **at)], at))
            made.append(_load_of(name, at))
        parts = [_load_of(f"get_state_{n}", at), _load_of(f"set_state_{n}", at), words]
        return made, [ast.keyword("state", ast.Tuple(parts, _LOAD, **at), **at)]

    def visit(self, node):
        return _visits[node.__class__](self, node)

    def generic_visit(self, node):
        values = node.__dict__
        for field in names.fields_of[node.__class__]:
            value = values.get(field)
            if value is None:
                continue
            if value.__class__ is list:
                values[field] = [v if v is None else _visits[v.__class__](self, v) for v in value]
            else:
                values[field] = _visits[value.__class__](self, value)
        return node

    def _with_blocks(self, node):
        """A statement whose blocks stay where they are. What they set may not be set after it."""
        values = node.__dict__
        for field in names.fields_of[node.__class__]:
            value = values.get(field)
            if value is None:
                continue
            if value.__class__ is not list:
                values[field] = self.visit(value)
            elif field in _BLOCKS:
                values[field] = self._inner_block(value)[0]
            else:
                values[field] = [self.visit(v) for v in value]
        return node

    visit_ExceptHandler = visit_match_case = visit_Try = visit_TryStar = visit_Match = _with_blocks
    visit_With = visit_AsyncWith = visit_AsyncFor = _with_blocks

    # ---- branches and loops

    def _uses(self, *nodes):
        """What the nodes do with names. A call may call a function within, which changes variables of this one."""
        uses = names.Uses(*nodes)
        uses.grown &= self.scope.grown
        uses.writes |= uses.grown
        if self.scope.inner_writes and any(isinstance(n, ast.Call) for node in nodes for n in ast.walk(node)):
            uses.writes |= self.scope.inner_writes
        return uses

    def _names_of_state(self, uses, keep):
        """What is state: variables, which ag__ finds in the closures of the parts; and the rest, each (name, its node or None),
        for which it needs functions: names of globals, attributes and items."""
        scope = self.scope
        written = [n for n in sorted(uses.writes) if n in keep]
        simple = [n for n in written if scope.declared.get(n) == "nonlocal" or n in scope.locals]
        rest = [(n, None) for n in written if scope.declared.get(n) == "global"]
        if uses.composites:
            rest += [
                (name, node)
                for name, node in sorted(uses.composites.items())
                if not (names.simple_names_in(node) & uses.writes)
            ]
        return simple, rest

    def _state_functions(self, simple, composite, written, at):
        """get_state and set_state of names, and the names as a constant."""
        n = self.n
        scope = self.scope
        scope.maybe_undefined |= {w for w in written if w in scope.locals}
        values = [f"part_{n}_{i}_" if node is not None else name for i, (name, node) in enumerate(composite)]
        getters = [
            f"ag__.peek(lambda: {name if node is None else ast.unparse(_load(node))}, {name!r})"
            for name, node in composite
        ]
        lines = [f"def get_state_{n}():", f"    return ({''.join(g + ', ' for g in [*simple, *getters])})"]
        lines += [f"def set_state_{n}(values_):"]
        if simple or values:
            lines += [f"    ({''.join(t + ', ' for t in [*simple, *values])}) = values_"]
        for value, (_, node) in zip(values, composite):
            if node is not None:
                lines += [f"    if ag__.is_set({value}): {ast.unparse(_store(node))} = {value}"]
        made = _parsed("\n".join(lines), at)
        made[1].body[:0] = scope.declarations([*simple, *(n for n, node in composite if node is None)], at)
        return made, _constant((*simple, *(name for name, _ in composite)), at)

    def _rest_of_state(self, rest, at):
        """The functions that get and set what is no variable, and ag__'s arguments for them."""
        if not rest:
            return [], []
        functions, _ = self._state_functions([], rest, (), at)
        return functions, [_load_of(f"get_state_{self.n}", at), _load_of(f"set_state_{self.n}", at)]

    def _body_function(self, name, parameters, written, body, at):
        self.scope.maybe_undefined |= {w for w in written if w in self.scope.locals}
        return define(name, parameters, self.scope.declarations(written, at) + body, at)

    def visit_If(self, node):
        at = _head_of(node, node.test)
        test = self.visit(node.test)
        uses = self._uses(*node.body, *node.orelse)
        results, rest = self._names_of_state(uses, node.live_out | uses.grown)  # a list may have other names
        others = sorted(
            n for n in uses.writes if n in node.body_live_in and n not in results and n in self.scope.locals
        )
        self.n += 1
        n = self.n
        # Variables that are read later are results; the others are put back for each branch. The rest are results.
        functions, rest_functions = self._rest_of_state(rest, at)
        (body, certain), (orelse, otherwise) = self._part(node.body), self._part(node.orelse)
        self.scope.certain = certain & otherwise
        functions.append(self._body_function(f"if_body_{n}", (), uses.writes, body, at))
        functions.append(self._body_function(f"else_body_{n}", (), uses.writes, orelse, at))
        state = (*results, *others, *(name for name, _ in rest))
        call = self._ag(
            at,
            "if_stmt",
            test,
            _load_of(f"if_body_{n}", at),
            _load_of(f"else_body_{n}", at),
            _constant(state, at),
            _constant((len(results), len(results) + len(others)), at),
            *rest_functions,
        )
        return [*functions, ast.Expr(call, **at)]

    def _loop_options(self, body):
        """The options that set_loop_options says in a loop's body, and the body without it."""
        options, rest = [], []
        for s in body:
            if (
                isinstance(s, ast.Expr)
                and isinstance(s.value, ast.Call)
                and _last_name(s.value.func) == "set_loop_options"
            ):
                order = ["parallel_iterations", "swap_memory", "maximum_iterations", "shape_invariants"]
                options += list(zip(order, s.value.args)) + [(k.arg, k.value) for k in s.value.keywords]
            else:
                rest.append(s)
        return options, rest

    def _options_dict(self, options, uses, at):
        if uses.grown:
            options.append(("lists", _constant(tuple(sorted(uses.grown)), at)))
        if not options:
            return _constant(None, at)
        keys, values = [], []
        for name, value in options:
            keys.append(_constant(name, at))
            if name == "shape_invariants":
                values.append(_thunk(at, self.visit(_invariants(value))))
            else:
                values.append(self.visit(value))
        return ast.Dict(keys, values, **at)

    def visit_While(self, node):
        at = _head_of(node, node.test)
        options, body = self._loop_options(node.body)
        uses = self._uses(node.test, *body)
        simple, rest = self._names_of_state(uses, node.live_in | node.live_out)
        self.n += 1
        n = self.n
        functions, rest_functions = self._rest_of_state(rest, at)
        test = node.test
        written = names.Uses(test).writes
        for extra in getattr(node, "extra_test", []):
            test = ast.BoolOp(ast.And(), [extra, test], **at)
        test = self._block([ast.Return(test, **at)])
        if written:
            options.append(("test_assigns", _constant(True, at)))
        options = self._options_dict(options, uses, at)
        functions.append(self._body_function(f"loop_test_{n}", (), written, test, at))
        functions.append(self._body_function(f"loop_body_{n}", (), uses.writes, self._part(body)[0], at))
        call = self._ag(
            at,
            "while_stmt",
            _load_of(f"loop_test_{n}", at),
            _load_of(f"loop_body_{n}", at),
            _constant((*simple, *(name for name, _ in rest)), at),
            options,
            *rest_functions,
        )
        return [*functions, ast.Expr(call, **at)]

    def visit_For(self, node):
        at = _head_of(node, node.iter)
        options, body = self._loop_options(node.body)
        uses = self._uses(node.target, *body)
        iterated = self.visit(node.iter)
        simple, rest = self._names_of_state(uses, node.live_in | node.live_out)
        self.n += 1
        n = self.n
        functions, rest_functions = self._rest_of_state(rest, at)
        options = self._options_dict(options, uses, at)
        block = self._part([ast.Assign([node.target], _load_of(f"item_{n}_", at), **at), *body])[0]
        functions.append(self._body_function(f"loop_body_{n}", (f"item_{n}_",), uses.writes, block, at))
        extra_test = _constant(None, at)
        for extra in getattr(node, "extra_test", []):
            test = [ast.Return(self.visit(extra), **at)]
            functions.append(self._body_function(f"extra_test_{n}", (), (), test, at))
            extra_test = _load_of(f"extra_test_{n}", at)
        call = self._ag(
            at,
            "for_stmt",
            iterated,
            extra_test,
            _load_of(f"loop_body_{n}", at),
            _constant((*simple, *(name for name, _ in rest)), at),
            options,
            *rest_functions,
        )
        return [*functions, ast.Expr(call, **at)]

    # ---- other statements

    def visit_Assert(self, node):
        at = place_of(node)
        text = ast.unparse(node.test)
        test = self.visit(node.test)
        message = self.visit(node.msg) if node.msg is not None else _constant(text, at)
        return ast.Expr(self._ag(at, "assert_stmt", test, _thunk(at, message)), **at)

    def visit_Assign(self, node):
        node.value = self.visit(node.value)
        for i, target in enumerate(node.targets):
            if target.__class__ is ast.Name:
                self._bind(target.id)
            else:
                node.targets[i] = self.visit(target)
                self._bind_target(target)
        return node

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None if isinstance(node.target, ast.Name) else node
        return self.visit(ast.Assign([node.target], node.value, **place_of(node)))

    def visit_Delete(self, node):
        at, made = place_of(node), []
        for t in node.targets:
            if isinstance(t, ast.Name) and t.id in self.scope.locals:
                self.scope.maybe_undefined.add(t.id)
                made.append(self._undefined(t.id, at))
            else:
                made.append(ast.Delete([t], **at))
        return made

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name) and self.scope.is_checked(node.target.id):
            at = place_of(node)
            value = ast.BinOp(_load_of(node.target.id, at), node.op, node.value, **at)
            return self.visit(ast.Assign([node.target], value, **at))
        node.value = self.visit(node.value)
        if not isinstance(node.target, ast.Name):
            node.target = self.visit(node.target)
        return node

    # ---- expressions

    def visit_Name(self, node):
        if node.ctx.__class__ is ast.Load and self.scope is not None and self.scope.is_checked(node.id):
            return self._ag(place_of(node), "read", node)
        return node

    def visit_Constant(self, node):
        return node

    def visit_Attribute(self, node):
        root = _root_of(node)
        if root == "ag__" or root in self.modules:
            return node
        node.value = self.visit(node.value)
        if node.ctx.__class__ is not ast.Load or node.attr.startswith("__"):  # which the class gives its prefix
            return node
        at = place_of(node)
        name = ast.Constant(node.attr, **at)
        return self._ag({**at, **_name_start(node)} if _has_lines(at) else at, "attribute", node.value, name)

    def visit_MatchValue(self, node):
        return node

    visit_MatchClass = visit_MatchMapping = visit_MatchValue

    def visit_Call(self, node):
        function = node.func
        if isinstance(function, ast.Name):
            if function.id == "super" and not node.args and self.scope is not None and self.scope.first is not None:
                # Within a function that a branch has become, Python would not find what super() stands on.
                at = place_of(node)
                node.args = [_load_of("__class__", at), _load_of(self.scope.first, at)]
                return node
            if function.id in _LEFT_ALONE:
                return self.generic_visit(node)
        elif function.__class__ is ast.Attribute:
            root = _root_of(function)
            if root == "ag__":  # jumps made it; `returned` takes a result that is not there
                return node
            if root in self.modules:
                node.args = [self.visit(a) for a in node.args]
                for k in node.keywords:
                    k.value = self.visit(k.value)
                return node
        at = _call_place(node)
        made = [self.visit(function), ast.Tuple([self.visit(a) for a in node.args], _LOAD, **at)]
        if node.keywords:
            keys = [None if k.arg is None else _constant(k.arg, at) for k in node.keywords]
            made.append(ast.Dict(keys, [self.visit(k.value) for k in node.keywords], **at))
        return self._ag(at, "converted_call", *made)

    def visit_BoolOp(self, node):
        at = place_of(node)
        word = "and_" if isinstance(node.op, ast.And) else "or_"
        made = self.visit(node.values[-1])
        for value in reversed(node.values[:-1]):
            operands, state = self._operands(at, made)
            made = self._ag(at, word, self.visit(value), *operands, keywords=state)
        return made

    def visit_UnaryOp(self, node):
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return self._ag(place_of(node), "not_", operand)
        node.operand = operand
        return node

    def visit_Compare(self, node):
        left, rights = self.visit(node.left), [self.visit(c) for c in node.comparators]
        if len(rights) == 1:
            if isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
                return self._ag(place_of(node), "eq" if isinstance(node.ops[0], ast.Eq) else "not_eq", left, rights[0])
            node.left, node.comparators = left, rights
            return node
        at = place_of(node)
        words = _constant(tuple(type(o).__name__ for o in node.ops), at)
        return self._ag(at, "compare", left, words, *self._operands(at, *rights)[0])

    def visit_IfExp(self, node):
        at = place_of(node)
        text = _constant(ast.unparse(node.test), at)
        test = self.visit(node.test)
        operands, state = self._operands(at, self.visit(node.body), self.visit(node.orelse))
        return self._ag(at, "if_exp", test, *operands, text, keywords=state)

    def visit_ListComp(self, node):
        first = node.generators[0]
        self.generic_visit(node)
        first.iter = self._ag(place_of(node), "iterable", first.iter)
        return node

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_NamedExpr(self, node):
        node.value = self.visit(node.value)
        return node


def _set_within(body) -> set[str]:
    """Variables that a block sets within a branch or loop, or deletes."""
    found = set()
    for s in body:
        if isinstance(s, (ast.If, ast.While, ast.For)):
            found |= names.uses_of(s).writes
        elif isinstance(s, ast.Delete):
            found |= {t.id for t in s.targets if isinstance(t, ast.Name)}
        elif not isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for block in jumps.blocks(s):
                found |= _set_within(block)
    return found


def _root_of(node) -> str | None:
    """The variable that an attribute is of, or one of its attributes."""
    while node.__class__ is ast.Attribute:
        node = node.value
    return node.id if node.__class__ is ast.Name else None


def _operand_names(expression):
    """The functions of operands that an expression has been converted to call."""
    return [n.id for n in ast.walk(expression) if isinstance(n, ast.Name) and n.id.startswith("operand_")]


def _is_docstring(s) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def _last_name(node) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _load(node):
    node = copy.deepcopy(node)
    node.ctx = ast.Load()
    return node


def _store(node):
    node = copy.deepcopy(node)
    node.ctx = ast.Store()
    return node


def _invariants(value):
    """[(variable, shape)] with the variable's name in place of it."""
    value = copy.deepcopy(value)
    for pair in getattr(value, "elts", []):
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and names.name_of(pair.elts[0]):
            pair.elts[0] = ast.copy_location(ast.Constant(names.name_of(pair.elts[0])), pair.elts[0])
    return value
