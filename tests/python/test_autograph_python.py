"""AutoGraph and the rest of Python: programs of unusual statements, each with what it gives as plain Python."""

import collections
import contextlib
import dataclasses
import enum
import functools
import typing

import pytest

import sluice as tf

PROGRAMS = []


def program(*arguments):
    """Notes a function, and the arguments that it is called with."""

    def note(f):
        PROGRAMS.extend((f, a) for a in arguments)
        return f

    return note


G = 10


@program(0, 3, 7)
def nested_break_else(x):
    s = 0
    for i in range(x):
        for j in range(5):
            if j == i:
                break
            s += j
        else:
            s += 100
            continue
        if s > 30:
            s -= 1
            break
    else:
        s += 1000
    return s


@program(0, 3, 7)
def try_finally_return_in_loop(x):
    log = 0
    i = 0
    while i < 5:
        try:
            i += 1
            if i == x:
                return i * 10 + log
        finally:
            log += 1
    return log


@program(1, 5, 9)
def while_walrus(x):
    s = 0
    while (y := x - 1) > 2:
        s += y
        x = y
    return s + y


@program(1, 5)
def match_tensor(x):
    match (x, 2):
        case (a, 2) if a > 3:
            r = a + 1
        case (a, b):
            r = a * b
    return r


@program(2, 5)
def star_args(x):
    def g(a, *rest, k=1, **kw):
        r = a
        for v in rest:
            if v > 2:
                r = r + v * k
        for n, v in kw.items():
            if v > a:
                r += v
        return r

    return g(x, *[1, x, 3], k=2, **{"z": x + 1, "q": 1})


@program(2, 5)
def lambdas_one_line(x):
    f, g = (lambda v: v + 1 if v > 3 else v - 1), (lambda v: v * 2 if v < 3 else v * 3)
    return f(g(x))


def mydeco(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        r = fn(*a, **k)
        if r > 5:
            r = r - 1
        return r

    return wrapper


@mydeco
def decorated_callee(v):
    if v > 2:
        return v * 2
    return v


@program(1, 3, 5)
def calls_decorated(x):
    return decorated_callee(x) + 1


@dataclasses.dataclass
class Point:
    a: typing.Any
    b: typing.Any = 2

    def norm(self):
        if self.a > self.b:
            return self.a - self.b
        return self.b - self.a

    @property
    def big(self):
        return self.a > 3 and self.b < 10

    @staticmethod
    def st(v):
        return v + 1 if v > 2 else v

    @classmethod
    def mk(cls, v):
        if v > 2:
            v = v + 5
        return cls(v)

    def __add__(self, o):
        return Point(self.a + o.a, self.b + o.b)

    def __call__(self, v):
        if v > self.b:
            v = v * 2
        return v

    def __len__(self):
        return 3

    def __enter__(self):
        self.b += 1
        return self

    def __exit__(self, *a):
        self.b -= 1
        return False


@program(1, 3, 5)
def dataclass_methods(x):
    p = Point(x)
    r = p.norm()
    if p.big:
        r = r + 7
    r = r + Point.st(x) + Point.mk(x).a + p(x)
    with p as q:
        r += q.b
    return r + (p + p).norm() + len(p)


@program(1, 3, 5)
def attr_in_branch(x):
    p = Point(x, 3)
    if x > 2:
        p.a = p.a + 1
        p.b = p.b * x
    else:
        p.b = p.b + x
    while p.a < 10:
        p.a += 3
    return p.a + p.b


@program(1, 3, 5)
def comprehension_nested(x):
    m = [[i * j if i > x else j for j in range(3)] for i in range(4)]
    return sum(sum(r) for r in m)


@program(1, 3, 5)
def gen_expr(x):
    return sum(v if v > x else -v for v in [1, 2, 3, 4])


@program(1, 3, 5)
def dict_set_comp(x):
    d = {k: (x if k > 1 else 2 * x) for k in range(3)}
    return d[0] + d[2]


@program(1, 5)
def use_global(x):
    global G
    if x > 3:
        y = G
    else:
        y = G * 2
    return x + y


@program(1, 5)
def nonlocal_loop(x):
    n = 0

    def inc(k):
        nonlocal n
        while k > 0:
            n = n + k
            k -= 1

    inc(x)
    inc(2)
    return n


@program(1, 4)
def recursion_py(x):
    def fac(n, v):
        if n <= 1:
            return v
        return fac(n - 1, v * n + x)

    return fac(4, x)


@program(0, 1, 4)
def early_returns(x):
    if x == 0:
        return 100
    elif x == 1:
        pass
    else:
        for i in range(x):
            if i == 3:
                return i
    return x * 5


@program(1, 4)
def nested_funcs_closure(x):
    fs = []
    for k in range(3):

        def f(v, k=k):
            if v > k:
                return v - k
            return v + k

        fs.append(f)
    return sum(f(x) for f in fs)


@program(1, 4, 8)
def while_else_break_return(x):
    while x < 20:
        x = x * 2
        if x == 16:
            return -x
        if x == 10:
            break
    else:
        return x + 1
    return x


@program(0, 2, 5)
def continue_in_try(x):
    s = 0
    for i in range(x):
        try:
            if i == 1:
                continue
            s += i
        finally:
            s += 10
    return s


@program(0, 2, 5)
def with_continue(x):
    s = 0
    for i in range(x):
        with contextlib.nullcontext():
            if i == 1:
                continue
            if i == 4:
                break
            s += i
    return s


@program(1, 5)
def ternary_chain_call(x):
    return (abs if x > 3 else lambda v: v * 10)(x) if False else max(x, 3, 2) - min(x, 2)


@program(1, 5)
def multi_assign(x):
    a = b = c = x
    a, (b, *c) = x, (x + 1, x + 2, x + 3)
    if x > 3:
        (a, b), c = (b, a), [1, 2]
    return a * 100 + b * 10 + len(c) + c[0]


@program(1, 5)
def aug_subscript(x):
    l = [x, x]
    i = 0
    while i < 2:
        l[i] += i
        i += 1
    return l[0] * l[1]


@program(1, 5)
def chained_bool(x):
    if (x > 0 and (x < 3 or x == 5)) and not (x == 2):
        return 1
    return 0


@program(1, 5)
def bool_values(x):
    y = x and 3
    return y


@program(1, 5)
def in_list(x):
    s = 0
    for v in (1, 2, 3):
        if v in (2, 3):
            s += v * x
    return s


@program(1, 5)
def is_none(x):
    y = None
    if y is None:
        y = x
    if x is not None and x > 2:
        y = y + 1
    return y


@program(1, 5)
def optional_state(x):
    best = None
    for i in [1, 2, 3]:
        v = i * x
        if best is None or v > best:
            best = v
    return best


@program(1, 5)
def named_tuple(x):
    PT = collections.namedtuple("PT", "a b")
    p = PT(x, x)
    while p.a < 10:
        p = PT(p.a + 1, p.b + 2)
    return p.a + p.b


@program(1, 5)
def dict_loop(x):
    d = {"a": x, "b": 0}
    while d["a"] > 0:
        d["b"] += d["a"]
        d["a"] -= 1
    return d["b"]


@program(1, 5)
def dict_reassign_loop(x):
    d = {"a": x, "b": 0}
    while d["a"] > 0:
        d = {"a": d["a"] - 1, "b": d["b"] + 2}
    return d["b"]


@program(2, 6)
def collatz(x):
    n = 0
    while x != 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        n += 1
    return n


@program(2, 6)
def enumerate_zip(x):
    s = 0
    for i, (a, b) in enumerate(zip([1, 2, 3], [4, 5, 6]), 1):
        if a * i > x:
            s += b
    return s


@program(2, 6)
def range_neg(x):
    s = 0
    for i in range(x, 0, -2):
        s = s * 10 + i
    return s


@program(2, 6)
def for_target_tuple(x):
    s = 0
    for a, *b in [(1, 2, 3), (x, 5, 6)]:
        s += a + len(b)
    return s


@program(2, 6)
def del_in_loop(x):
    s = 0
    while x > 0:
        t = x * 2
        s += t
        del t
        x -= 1
    return s


@program(2, 6)
def shadowed_builtin(x):
    max = lambda a, b: a if a < b else b
    return max(x, 3)


@program(2, 6)
def partial_call(x):
    def f(a, b, c=1):
        return a + b if a > c else a - b

    g = functools.partial(f, 3, c=x)
    return g(5)


@program(2, 6)
def any_all(x):
    return (1 if any([x > 3, x < 1]) else 0) + (10 if all([x > 1, x < 5]) else 20)


@program(2, 6)
def fstring(x):
    k = 3
    name = f"{k}{'a' if k > 2 else 'b'}"
    return x + len(name)


class Base:
    def f(self, v):
        return v + 1 if v > 3 else v


class Derived(Base):
    def f(self, v):
        r = super().f(v)
        if r > 4:
            r = r * 2
        return r

    def g(self, v):
        return super(Derived, self).f(v) + self.__h(v)

    def __h(self, v):
        if v > 2:
            return 1
        return 0


@program(2, 6)
def super_calls(x):
    d = Derived()
    return d.f(x) + d.g(x)


@program(2, 6)
def nested_while_vars(x):
    i = 0
    total = 0
    while i < x:
        j = i
        while j > 0:
            if j % 2:
                total += j
            j -= 1
        i += 1
        last = j
    return total


@program(2, 6)
def one_liners(x):
    if x > 3:
        y = 1
        z = 2
    else:
        y = 3
        z = 4
    while x > 0:
        x -= 1
        y += z
    return y


@program(2, 6)
def pass_only(x):
    if x > 3:
        pass
    else:
        pass
    for _ in range(x):
        pass
    while x > 0:
        x -= 1
    return x


@program(2, 6)
def docstring_ann(x: "int") -> "int":
    """Doc."""
    y: int = x
    z: int
    if y > 3:
        z = 1
    else:
        z = 2
    return y + z


@program(2, 6)
def exceptions_py(x):
    r = 0
    for k in ["1", "a", "3"]:
        try:
            v = int(k)
        except ValueError as e:
            r += 100
            continue
        else:
            r += 1
        if x > v:
            r = r + v
    return r


@program(3)
def raise_py(x):
    def f(k):
        if k > 2:
            raise ValueError("k")
        return k

    try:
        f(3)
    except ValueError:
        return x + 1
    return x


@program(2, 6)
def iter_protocol(x):
    class It:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.n >= 3:
                raise StopIteration
            self.n += 1
            return self.n

    s = 0
    for v in It():
        if v < x:
            s += v
    return s


@program(2, 6)
def sorted_key(x):
    return sorted([3, 1, 2], key=lambda v: -v)[0] + x


@program(2, 6)
def ternary_tuple(x):
    a, b = (x, 1) if x > 3 else (1, x)
    return a * 10 + b


@program(2, 6)
def compare_chain_calls(x):
    n = 0

    def f():
        nonlocal n
        n += 1
        return 3

    r = 1 if 1 < f() < x else 0
    return r * 10 + n


@program(2, 6)
def inner_loop_break_flag(x):
    done = False
    i = 0
    while not done:
        i += 1
        if i * i >= x:
            done = True
    return i


@program(2, 6)
def and_in_while(x):
    i = 0
    while i < 10 and i * i < x:
        i += 1
    return i


@program(2, 6)
def decorated_inner(x):
    def twice(f):
        def w(v):
            return f(f(v))

        return w

    @twice
    def step(v):
        if v > 3:
            return v - 1
        return v + 2

    return step(x)


@program(2, 6)
def lambda_default(x):
    f = lambda v, k=x: v + k if v > k else k
    return f(4)


@program(2, 6)
def inner_class_closure(x):
    class A:
        k = 3

        def m(self, v):
            if v > x:
                return v
            return x + self.k

    return A().m(4)


@program(2, 6)
def starred_call_unpack(x):
    a = [1, 2]

    def f(*v):
        s = 0
        for i in v:
            s += i if i < x else 0
        return s

    return f(*a, x, *[3, 4])


@program(2, 6)
def assert_stmt(x):
    assert x > 0, "neg"
    return x


@program(2, 6)
def slices(x):
    l = list(range(10))
    return l[1:3][0] + l[-1] + x


@program(2, 6)
def return_none_paths(x):
    def f(k):
        if k > 3:
            return
        return None

    f(3)
    return x


@program(2, 6)
def enum_use(x):
    class C(enum.Enum):
        A = 1
        B = 2

    s = 0
    for c in C:
        if c is C.A:
            s += x
        elif c == C.B:
            s += 2 * x
    return s


@program(2, 6)
def lots_of_state(x):
    a = 0
    b = 1
    c = 2
    d = 3
    e = 4
    for i in range(x):
        if i % 2 == 0:
            a, b = b, a + b
        elif i % 3 == 0:
            c += a
            if c > 10:
                d = c
                continue
        else:
            e = e + d
        d += 1
    return a + b * 2 + c * 3 + d * 4 + e * 5


@program(2, 6)
def cache_deco(x):
    @functools.lru_cache(None)
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib(10) + x


@program(2, 6)
def complex_conditions(x):
    return 5 if not (x > 3 or x < 1) and (x == 2 if x < 4 else x == 6) else 7


@program(2, 6)
def loop_var_leak(x):
    for i in range(x):
        t = i
    return t + i


@program(3)
def while_true_return(x):
    while True:
        x += 1
        if x > 10:
            return x


@program(2, 6)
def nested_function_returns_fn(x):
    def make(n):
        if n > 1:
            return lambda v: v + n
        else:
            return lambda v: v - n

    return make(2)(x) + make(0)(x)


@program(2, 6)
def walrus_in_comp(x):
    r = [y for v in range(3) if (y := v * 2) > 1]
    return sum(r) + y + x


@program(2, 6)
def global_in_nested(x):
    def f():
        return G

    return x + f() if x > 3 else f()


@program(2, 6)
def method_ref(x):
    p = Point(3)
    f = p.__call__
    return f(x) + list(map(p, [x, 1]))[0]


@program(2, 6)
def callable_in_dict(x):
    ops = {"+": lambda a, b: a + b, "-": lambda a, b: a - b if a > b else b - a}
    s = x
    for o, v in [("+", 1), ("-", 4), ("+", 2)]:
        s = ops[o](s, v)
    return s


@program(2, 6)
def unpack_range(x):
    a, b, c = range(3)
    return a + b + c + x


@program(2, 6)
def unreachable(x):
    return x
    if x > 2:
        return 3


@program(2, 6)
def two_breaks(x):
    i = 0
    while i < 10:
        if i == x:
            break
        i += 1
        if i == 4:
            break
    r = i
    while r > 0:
        r -= 3
        if r < 2:
            break
    return i * 10 + r


@program(2, 6)
def tryelse_in_cond(x):
    if x > 3:
        try:
            y = x + 1
        except Exception:
            y = 0
        else:
            y = y * 2
        finally:
            y = y + 1
    else:
        y = 0
    return y


@program(2, 6)
def if_truthy(x):
    if x - 2:
        return 1
    return 0


@program(2, 6)
def typed_defaults(x, *, k=3):
    if x > k:
        k = k + 1
    return k


@pytest.mark.parametrize("f, x", PROGRAMS, ids=lambda v: getattr(v, "__name__", str(v)))
def test_program(f, x):
    assert int(tf.function(f)(tf.constant(x))) == int(f(x))


def test_conditions_whose_shape_leaves_open_that_they_are_one_value():
    @tf.function(input_signature=[tf.TensorSpec([None, None])])
    def turns(x):
        n = 0
        while x < 5:
            x, n = x + 1, n + 1
        return n if x > 1 and x < 9 else -n

    assert [turns(tf.constant([[v]])).numpy() for v in (2.0, 9.0, -3.0)] == [3, 0, 8]
    with pytest.raises(tf.errors.InvalidArgumentError):
        turns(tf.constant([[1.0], [2.0]]))
    assert tf.function(lambda x: 1 if x else 2)(tf.constant([[False]])).numpy() == 2
    with pytest.raises(ValueError, match="condition expected to be a scalar"):
        tf.function(lambda x: 1 if x else 2)(tf.constant([True, False]))
