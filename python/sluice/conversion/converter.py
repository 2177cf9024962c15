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

_LEFT_ALONE = {"super", "locals", "globals", "vars", "eval", "exec", "breakpoint"}


def place(nodes, at):
    """Gives nodes without a place of their own (and those within) that of another one."""
    _place(list(nodes) if isinstance(nodes, list) else [nodes], at)
    return nodes


def _place(todo, at):
    """`at`: None for nodes that keep the places that they have. What is below a node with a place has one, too."""
    while todo:
        n = todo.pop()
        have = n.__dict__
        if "placed" in have:
            continue
        if n._attributes:
            have["placed"] = True
            if at is not None:
                n.lineno, n.col_offset = at.lineno, at.col_offset
                n.end_lineno, n.end_col_offset = at.end_lineno, at.end_col_offset
        for field in n._fields:
            value = have.get(field)
            if isinstance(value, ast.AST):
                todo.append(value)
            elif type(value) is list:
                todo.extend(v for v in value if isinstance(v, ast.AST))


def _parsed(text, at):
    """Statements of a text, at the place of a node."""
    made = ast.parse(text).body
    return place(made, at)


def _ag(name, *args):
    return ast.Call(ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load()), list(args), [])


def _thunk(expression):
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), expression)


class _Scope:
    """A function that is converted: what its names are."""

    def __init__(self, node, outer):
        body = node.body if isinstance(node.body, list) else [node.body]
        uses = names.Uses(*body)
        a = node.args
        self.parameters = {p.arg for p in a.posonlyargs + a.args + a.kwonlyargs + [v for v in (a.vararg, a.kwarg) if v]}
        self.first = next((p.arg for p in a.posonlyargs + a.args), outer.first if outer is not None else None)
        self.declared = uses.declared
        self.locals = (uses.writes | self.parameters) - set(uses.declared)
        self.inner_writes = uses.inner_writes & self.locals
        self.always_read = uses.inner_reads | set(uses.declared)
        self.maybe_undefined: set[str] = set()  # bound to Undefined at the start
        self.checked: set[str] = set()  # reads of them ask whether they are set
        self.outer = outer
        self.is_generator = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in jumps._own_nodes(node))

    def is_checked(self, name) -> bool:
        """Whether a read of the name, here or in a function within, asks whether it is set."""
        if name in self.locals:
            return name in self.checked
        return self.outer is not None and self.outer.is_checked(name)

    def declaration(self, written) -> list[str]:
        """Lines that make names of the function assignable in a function within it."""
        lines = []
        for kind, chosen in (
            ("nonlocal", {n for n in written if n in self.locals or self.declared.get(n) == "nonlocal"}),
            ("global", {n for n in written if self.declared.get(n) == "global"}),
        ):
            if chosen:
                lines.append(f"{kind} {', '.join(sorted(chosen))}")
        return lines


class Converter(ast.NodeTransformer):
    """Of one function and those within it."""

    def __init__(self):
        self.scope = None
        self.n = 0

    # ---- functions

    def function(self, node):
        """A FunctionDef or Lambda, changed in place."""
        _place([node], None)
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
        scope = _Scope(node, outer)
        if scope.is_generator:
            if outer is None:
                raise NotImplementedError(f"generators are not supported by AutoGraph: {node.name}, line {node.lineno}")
            return node
        lowering = jumps.Lowering()
        lowering.function(node)
        scope.locals |= lowering.flags
        names.Liveness(node.body, scope.always_read)
        scope.checked = _set_within(node.body) & scope.locals
        self.scope = scope
        body = self._block(node.body)
        self.scope = outer
        node.body = self._with_undefined(body, scope, node)
        return node

    def _with_undefined(self, body, scope, node):
        """Names that parts within may set are bound from the start."""
        unset = sorted(scope.maybe_undefined - scope.parameters)
        if not unset:
            return body
        at = 1 if jumps._after_docstring(body) is not None or len(body) == 1 and _is_docstring(body[0]) else 0
        declarations = [s for s in body if isinstance(s, (ast.Global, ast.Nonlocal))]
        body = [s for s in body if s not in declarations]
        lines = "\n".join(f"{n} = ag__.Undefined({n!r})" for n in unset)
        return body[:at] + declarations + _parsed(lines, node) + body[at:]

    def visit_AsyncFunctionDef(self, node):
        return node

    def visit_ClassDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.bases = [self.visit(b) for b in node.bases]
        return node  # its methods are converted when they are called

    def visit_Lambda(self, node):
        outer, self.scope = self.scope, self.scope or _Scope(node, None)
        node.body = self.visit(node.body)
        self.scope = outer
        return node

    # ---- blocks

    def _block(self, statements):
        out = []
        for s in statements:
            made = self.visit(s)
            if made is None:
                continue
            out.extend(made if isinstance(made, list) else [made])
        return out

    def generic_visit(self, node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._block(block))
        return super().generic_visit(node) if not isinstance(node, ast.stmt) else self._expressions(node)

    def _expressions(self, node):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list) and value and not isinstance(value[0], ast.stmt):
                setattr(node, field, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
        return node

    # ---- branches and loops

    def _uses(self, *nodes):
        """What the nodes do with names. A call may call a function within, which changes variables of this one."""
        uses = names.Uses(*nodes)
        if self.scope.inner_writes and any(isinstance(n, ast.Call) for node in nodes for n in ast.walk(node)):
            uses.writes |= self.scope.inner_writes
        return uses

    def _names_of_state(self, uses, keep):
        """The variables and composite names that are state, results first; each (name, its node or None)."""
        scope = self.scope
        simple = sorted(n for n in uses.writes if n in keep and (n in scope.locals or n in scope.declared))
        composite = [
            (name, node)
            for name, node in sorted(uses.composites.items())
            if not (names.simple_names_in(node) & uses.writes)
        ]
        return simple, composite

    def _state_functions(self, simple, composite, written, at):
        """get_state and set_state, and the names as a tuple's text."""
        n = self.n
        scope = self.scope
        scope.maybe_undefined |= {w for w in written if w in scope.locals}
        everything = [*simple, *(name for name, _ in composite)]
        temporary = [f"part_{n}_{i}_" for i in range(len(composite))]
        getters = [f"ag__.peek(lambda: {s}, {s!r})" if self.scope.declared.get(s) else s for s in simple]
        getters += [f"ag__.peek(lambda: {ast.unparse(_load(node))}, {name!r})" for name, node in composite]
        targets = [*simple, *temporary]
        lines = [f"def get_state_{n}():", f"    return ({''.join(g + ', ' for g in getters)})"]
        lines += [f"def set_state_{n}(values_):"]
        lines += [f"    {d}" for d in scope.declaration(simple)]
        if targets:
            lines += [f"    ({''.join(t + ', ' for t in targets)}) = values_"]
        for t, (_, node) in zip(temporary, composite):
            lines += [f"    if ag__.is_set({t}): {ast.unparse(_store(node))} = {t}"]
        if not targets:
            lines += ["    pass"]
        return "\n".join(lines), f"({''.join(repr(e) + ', ' for e in everything)})"

    def _body_function(self, name, parameters, written, body, at):
        made = _parsed(
            "\n".join(
                [f"def {name}({parameters}):"] + ["    " + d for d in self.scope.declaration(written)] + ["    pass"]
            ),
            at,
        )[0]
        made.body = [s for s in made.body if not isinstance(s, ast.Pass)] + (body or place([ast.Pass()], at))
        return made

    def visit_If(self, node):
        test = self.visit(node.test)
        uses = self._uses(*node.body, *node.orelse)
        results, composite = self._names_of_state(uses, node.live_out)
        others = sorted(
            n for n in uses.writes if n in node.body_live_in and n not in results and n in self.scope.locals
        )
        self.n += 1
        n = self.n
        # Variables that are read later are results; the others are put back for each branch. Composite names are results.
        state, words = self._state_functions(results + others, composite, uses.writes, node)
        body, orelse = self._block(node.body), self._block(node.orelse)
        functions = _parsed(state, node)
        functions.append(self._body_function(f"if_body_{n}", "", uses.writes, body, node))
        functions.append(self._body_function(f"else_body_{n}", "", uses.writes, orelse, node))
        not_results = f"{len(results)}, {len(results) + len(others)}"
        call = _parsed(
            f"ag__.if_stmt(None, if_body_{n}, else_body_{n}, get_state_{n}, set_state_{n}, {words}, ({not_results}))",
            node,
        )
        call[0].value.args[0] = test
        return functions + call

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

    def _options_dict(self, options, at):
        keys, values = [], []
        for name, value in options:
            keys.append(ast.Constant(name))
            if name == "shape_invariants":
                value = _invariants(value)
                values.append(_thunk(self.visit(value)))
            else:
                values.append(self.visit(value))
        return place(ast.Dict(keys, values), at)

    def _loop_parts(self, node, uses, keep):
        simple, composite = self._names_of_state(uses, keep)
        self.n += 1
        state, words = self._state_functions(simple, composite, uses.writes, node)
        return self.n, _parsed(state, node), words

    def visit_While(self, node):
        options, body = self._loop_options(node.body)
        uses = self._uses(node.test, *body)
        n, functions, words = self._loop_parts(node, uses, node.live_in | node.live_out)
        test = node.test
        for extra in getattr(node, "extra_test", []):
            test = place(ast.BoolOp(ast.And(), [extra, test]), node)
        test = self.visit(test)
        written = names.Uses(node.test).writes
        options = self._options_dict(options, node)
        functions.append(self._body_function(f"loop_test_{n}", "", written, [place(ast.Return(test), node)], node))
        functions.append(self._body_function(f"loop_body_{n}", "", uses.writes, self._block(body), node))
        call = _parsed(
            f"ag__.while_stmt(loop_test_{n}, loop_body_{n}, get_state_{n}, set_state_{n}, {words}, None)", node
        )
        call[0].value.args[-1] = options
        return functions + call

    def visit_For(self, node):
        options, body = self._loop_options(node.body)
        target = node.target
        uses = self._uses(target, *body)
        iterated = self.visit(node.iter)
        extra = getattr(node, "extra_test", [])
        n, functions, words = self._loop_parts(node, uses, node.live_in | node.live_out)
        options = self._options_dict(options, node)
        head = place([ast.Assign([target], ast.Name(f"item_{n}_", ast.Load()))], node)
        block = self._block(body)
        functions.append(
            self._body_function(f"loop_body_{n}", f"item_{n}_", uses.writes, self._block(head) + block, node)
        )
        last = "None"
        if extra:
            test = self.visit(place(extra[0], node))
            functions.append(self._body_function(f"extra_test_{n}", "", set(), [place(ast.Return(test), node)], node))
            last = f"extra_test_{n}"
        call = _parsed(f"ag__.for_stmt(None, {last}, loop_body_{n}, get_state_{n}, set_state_{n}, {words}, None)", node)
        call[0].value.args[0], call[0].value.args[-1] = iterated, options
        return functions + call

    # ---- other statements

    def visit_Assert(self, node):
        test = self.visit(node.test)
        message = self.visit(node.msg) if node.msg is not None else ast.Constant(ast.unparse(node.test))
        return place(ast.Expr(_ag("assert_stmt", test, _thunk(message))), node)

    def visit_AnnAssign(self, node):
        if node.value is None:
            return None if isinstance(node.target, ast.Name) else node
        made = ast.Assign([node.target], node.value)
        return self.visit(place(made, node))

    def visit_Delete(self, node):
        made = []
        for t in node.targets:
            if isinstance(t, ast.Name) and t.id in self.scope.locals:
                self.scope.maybe_undefined.add(t.id)
                made += _parsed(f"{t.id} = ag__.Undefined({t.id!r})", node)
            else:
                made.append(place(ast.Delete([t]), node))
        return made

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name) and self.scope.is_checked(node.target.id):
            read = place(ast.Name(node.target.id, ast.Load()), node)
            return self.visit(place(ast.Assign([node.target], ast.BinOp(read, node.op, node.value)), node))
        node.value = self.visit(node.value)
        node.target = self._visit_target(node.target)
        return node

    def _visit_target(self, target):
        if isinstance(target, ast.Name):
            return target
        return self.visit(target)

    # ---- expressions

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and self.scope is not None and self.scope.is_checked(node.id):
            return place(_ag("read", ast.Name(node.id, ast.Load())), node)
        return node

    def visit_Call(self, node):
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == "ag__.returned":
            return node  # which takes a result that is not there
        if _is_super(node) and not node.args and self.scope is not None and self.scope.first is not None:
            # Within a function that a branch has become, Python would not find what super() stands on.
            node.args = place([ast.Name("__class__", ast.Load()), ast.Name(self.scope.first, ast.Load())], node)
            return node
        if isinstance(node.func, ast.Name) and node.func.id in _LEFT_ALONE | {"ag__"}:
            return self.generic_visit(node)
        if (
            isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "ag__"
        ):
            return self.generic_visit(node)
        function = self.visit(node.func)
        args = ast.Tuple([self.visit(a) for a in node.args], ast.Load())
        keywords = [(k.arg, self.visit(k.value)) for k in node.keywords]
        made = [function, args]
        if keywords:
            made.append(
                ast.Dict([None if k is None else ast.Constant(k) for k, _ in keywords], [v for _, v in keywords])
            )
        return place(_ag("converted_call", *made), node)

    def visit_BoolOp(self, node):
        word = "and_" if isinstance(node.op, ast.And) else "or_"
        made = self.visit(node.values[-1])
        for value in reversed(node.values[:-1]):
            made = _ag(word, _thunk(self.visit(value)), _thunk(made))
        return place(made, node)

    def visit_UnaryOp(self, node):
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return place(_ag("not_", operand), node)
        node.operand = operand
        return node

    def visit_Compare(self, node):
        left, rights = self.visit(node.left), [self.visit(c) for c in node.comparators]
        if len(rights) == 1:
            if isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
                return place(_ag("eq" if isinstance(node.ops[0], ast.Eq) else "not_eq", left, rights[0]), node)
            node.left, node.comparators = left, rights
            return node
        words = ast.Tuple([ast.Constant(type(o).__name__) for o in node.ops], ast.Load())
        return place(_ag("compare", left, words, *map(_thunk, rights)), node)

    def visit_IfExp(self, node):
        text = ast.Constant(ast.unparse(node.test))
        made = _ag(
            "if_exp", self.visit(node.test), _thunk(self.visit(node.body)), _thunk(self.visit(node.orelse)), text
        )
        return place(made, node)

    def visit_ListComp(self, node):
        first = node.generators[0]
        self.generic_visit(node)
        first.iter = place(_ag("iterable", first.iter), node)
        return node

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_NamedExpr(self, node):
        node.value = self.visit(node.value)
        return node


def _set_within(body) -> set[str]:
    """Variables that a block sets within a branch or loop, or deletes."""
    found = set()
    for s in body:
        for n in [s, *jumps._own_nodes(s)]:
            if isinstance(n, (ast.If, ast.While, ast.For)):
                found |= names.Uses(n).writes
            elif isinstance(n, ast.Delete):
                found |= {t.id for t in n.targets if isinstance(t, ast.Name)}
    return found


def _is_docstring(s) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) and isinstance(s.value.value, str)


def _is_super(node) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


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
