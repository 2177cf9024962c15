"""Python's statements and expressions: scopes, closures, classes, decorators, comprehensions, jumps, try, with, slices, recursion."""

import collections
import contextlib
import functools

from programs import beyond, As, on, tf

COUNT = 3
SETTINGS = {"scale": 2, "flags": {"deep": True}}


@on(3)
@on(-3)
def nested_functions(x):
    def sign(v):
        if v > 0:
            return 1
        elif v < 0:
            return -1
        else:
            return 0

    def magnitude(v):
        return v * sign(v)

    return magnitude(x) * 10 + sign(x)


@on(4)
def closure_counter(n):
    total = tf.constant(0)

    def add(k):
        nonlocal total
        if k % 2 == 0:
            total += k
        else:
            total -= 1

    for i in tf.range(n):
        add(i)
    return total


@on(5)
def function_factory(x):
    def adder(n):
        def add(v):
            return v + n if v > 0 else v - n

        return add

    fs = [adder(n) for n in range(3)]
    for f in fs:
        x = f(x)
    return x


@on(5)
def lambdas(x):
    twice = lambda v: v * 2 if v < 8 else v  # noqa: E731
    choose = lambda a, b, *, largest=True: tf.maximum(a, b) if largest else tf.minimum(a, b)  # noqa: E731
    return choose(twice(x), twice(twice(x))), choose(x, 3, largest=False), (lambda: x + 1)()


@on(5, 2)
def default_arguments(x, y):
    def f(a, b=2, *rest, c=3, **more):
        r = a + b * c
        for v in rest:
            if v > 1:
                r += v
        for k in sorted(more):
            r += more[k]
        return r

    return f(x), f(x, y), f(x, y, 1, 5, c=1), f(x, c=y, d=7, e=x), f(*(x, y), **{"c": 0})


@beyond("return in one branch")
@on(3)
@on(0)
def return_in_the_middle(x):
    if x == 0:
        return 100
    x = x * 2
    if x > 4:
        x += 1
        if x > 6:
            return x * 10
        x += 1
    return x


@beyond("return in one branch")
@on(7)
@on(2)
def early_return_in_nested_ifs(x):
    if x > 5:
        if x > 6:
            y = x + 1
            return y
        else:
            return x - 1
    else:
        if x > 1:
            return x * 100
    return x


@on(10)
def break_and_continue(n):
    s = 0
    for i in tf.range(n):
        if i == 2:
            continue
        elif i == 3:
            s += 100
            continue
        if i > 6:
            s += 1000
            break
        s += i
    return s


@on(4)
def nested_breaks(n):
    hits = 0
    for i in tf.range(n):
        for j in tf.range(n):
            if j > i:
                break
            if (i + j) % 2 == 1:
                continue
            hits += 10 * i + j
        if hits > 40:
            break
    return hits


@beyond("a Python loop that a tensor ends")
@on(4)
def break_out_of_python_loop(x):
    s = x
    for i in range(6):
        if s > 10:
            break
        s += i
    return s


@on(4)
def continue_in_python_loop(x):
    s = x
    for i in [1, 2, 3, 4]:
        if (s + i) % 2 == 0:
            continue
        s += i
    return s


@on(3)
def while_with_python_condition(x):
    i = 0
    while i < 4:
        x = x + 1 if x < 5 else x * 2
        i += 1
    return x, i


@on(6)
def multiple_targets(n):
    a = b = c = 0
    (a, b), *rest = (1, 2), 3, 4
    for i in tf.range(n):
        a, (b, c) = b, (c, a + i)
    return a, b, c, rest


@on(3)
def augmented(x):
    y = x
    y += 1
    y *= 3
    y -= 2
    y //= 2
    y **= 2
    y %= 7
    return y, x


@on(3)
def comprehensions(x):
    squares = [x * i for i in range(5) if i != 2]
    pairs = {i: x + i for i in range(3)}
    nested = [a * b for a in range(3) for b in range(a)]
    return sum(squares), pairs[2], nested, [v for v in (x, 2 * x) if v is not None]


@beyond("loops with else")
@on([1, 2, 3])
def comprehension_over_tensor(x):
    return [v * 2 for v in x], sum([v for v in tf.unstack(x)])


@on(2)
def dictionaries(x):
    d = {"a": x, "b": {"c": 1}}
    if x > 1:
        d["a"] = d["a"] + 1
        d["b"]["c"] = x * 2
    else:
        d["b"]["c"] = x
    for k in ("p", "q"):
        d[k] = x
    return d


@on(2)
def lists(x):
    items = [x, 1]
    items.append(x + 1)
    items[0] = x * 5
    last = items.pop()
    items.extend([last, last])
    if x > 1:
        items[1] = x
    return items, len(items)


@on(2)
def named_tuples(x):
    Pair = collections.namedtuple("Pair", "first second")
    p = Pair(x, x)
    for i in tf.range(3):
        if i > 0:
            p = Pair(p.second, p.first + i)
    return p


@on(3)
def unpacking(x):
    first, *middle, last = [x, 1, 2, x + 1]
    if x > 2:
        first, last = last, first
    return first, middle, last, [*middle, *(x, x)], {**{"a": x}, "b": 1}


@beyond("a condition on tensors that is not converted")
@on(3)
def with_blocks(x):
    @contextlib.contextmanager
    def noted(log):
        log.append("in")
        yield 5
        log.append("out")

    log = []
    with noted(log) as five, tf.name_scope("scope"):
        if x > 2:
            x = x + five
        with noted(log):
            x *= 2
    return x, log


@beyond("return in one branch")
@on(3)
@on(1)
def return_within_with(x):
    with tf.name_scope("s"):
        if x > 2:
            return x * 2
        x += 5
    return x


@on(3)
def try_and_finally(x):
    log = []
    try:
        if x > 2:
            x = x * 3
        int("no number")
    except ValueError:
        log.append("caught")
        x = x + 1 if x > 0 else x
    else:
        x = x * 0
    finally:
        log.append("finally")
        x -= 1
    return x, log


@on(3)
def exception_passes(x):
    class Stop(Exception):
        pass

    def inner(v):
        if v is not None:
            raise Stop("told", 4)
        return v

    try:
        return inner(x)
    except Stop as stop:
        return x + stop.args[1]


@on(5)
def python_recursion(x):
    def power(v, n):
        if n == 0:
            return 1
        half = power(v, n // 2)
        return half * half * v if n % 2 else half * half

    return power(x, 5)


@on(3)
def mutual_recursion(x):
    def even(n, v):
        return v if n == 0 else odd(n - 1, v + 1)

    def odd(n, v):
        return v * 100 if n == 0 else even(n - 1, v * 2)

    return even(4, x), odd(3, x)


@on(3)
def classes(x):
    class Counter:
        step = 2

        def __init__(self, start):
            self.value = start

        def advance(self, limit):
            if self.value < limit:
                self.value = self.value + self.step
            return self

        @property
        def double(self):
            return self.value * 2 if self.value > 4 else self.value

        @staticmethod
        def clamp(v):
            return 10 if v > 10 else v

        @classmethod
        def at_ten(cls):
            return cls(10)

        def __call__(self, v):
            return self.clamp(v) + self.value

    c = Counter(x)
    return c.advance(10).double, c.advance(4).value, Counter.clamp(x * 5), Counter.at_ten().value, c(x)


@on(3)
def inheritance(x):
    class Base:
        def f(self, v):
            if v > 2:
                return v + 1
            return v

        def g(self, v):
            return self.f(v) * 2

    class Middle(Base):
        def f(self, v):
            return super().f(v) + 10

    class Last(Middle):
        def f(self, v):
            r = super().f(v)
            while r < 100:
                r = r * 2
            return r

    return Base().g(x), Middle().g(x), Last().g(x)


@on(4)
def attributes_in_loops(n):
    class State:
        pass

    s = State()
    s.sum = tf.constant(0)
    s.inner = State()
    s.inner.product = tf.constant(1)
    for i in tf.range(1, n):
        s.sum += i
        if i % 2 == 1:
            s.inner.product = s.inner.product * i
    return s.sum, s.inner.product


def traced(times):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            r = f(*args, **kwargs)
            for _ in range(times):
                r = r + 1 if r > 0 else r - 1
            return r

        return wrapper

    return decorate


@on(3)
def decorators(x):
    @traced(2)
    @traced(times=1)
    def f(v):
        if v > 10:
            return v
        return -v

    return f(x), f(x + 10)


@on(3)
def partials(x):
    def f(a, b, c):
        return a * 100 + b * 10 + c if a < b else c

    g = functools.partial(f, 1, c=x)
    return g(2), g(0), functools.partial(g, x)()


@on(3)
def globals_and_settings(x):
    if SETTINGS["flags"]["deep"] and x > 0:
        x = x * SETTINGS["scale"]
    for _ in range(COUNT):
        x += 1
    return x


@on(3)
def global_statement(x):
    global COUNT
    before = COUNT
    COUNT = 10
    x = x + COUNT
    COUNT = before
    return x


@beyond("a condition on tensors that is not converted")
@on(3)
def walrus(x):
    if (y := x * 2) > 4 and (z := y + 1) > 0:
        return y + z
    return y


@beyond("a condition on tensors that is not converted")
@on(3)
def asserts(x):
    assert x > 0, "positive"
    assert True
    y = x + 1
    assert y > x
    return y


@on(3)
def deleted_names(x):
    y = x + 1
    z = y
    del y
    if x > 2:
        y = z * 2
    else:
        y = z
    return y


@on(5)
def variable_from_branches(x):
    if x > 3:
        a = x
        b = a * 2
    else:
        a = -x
        b = a
    if b > 5:
        c = a + b
        b = c
    return a, b


@on(5)
def local_to_branch(x):
    if x > 3:
        t = x * 2
        r = t + 1
    else:
        u = x * 3
        r = u
    return r


@on(3)
def local_to_loop(n):
    s = 0
    for i in tf.range(n):
        t = i * 2
        u = t + 1
        s += u
    return s


@on(5)
@on(0)
def chained_comparisons(x):
    return 0 < x < 10, 1 if 3 <= x < 5 or 4 < x <= 5 else 0, x == x != 7


@beyond("a condition on tensors that is not converted")
@on(5)
def conditional_chains(x):
    return "big" if x > 10 else "middle" if x > 3 else "small"


@on(5, True)
@on(5, False)
def boolean_operators(x, flag):
    a = x > 3 and flag
    b = x > 30 or flag
    c = not flag
    d = not (x > 3 and not flag) or c
    return a, b, c, d


@on(0)
@on(5)
def short_circuit(x):
    if x != 0 and 10 // x > 1:
        r = 1
    elif x == 0 or 10 // x < 0:
        r = 2
    else:
        r = 3
    return r


@on(As(None), 3)
@on(As(2), 3)
def none_arguments(option, x):
    if option is None:
        option = 10
    elif option > 1 and x > 2:
        option = option * 2
    return x + option


@on(As("up"), 3)
@on(As("down"), 3)
def python_strings_choose(way, x):
    if way == "up":
        x += 1
    elif way in ("down", "below"):
        x -= 1
    return x, way.upper(), f"{way}-{len(way)}"


@on([1, 2, 3, 4])
def slices(x):
    y = x[1:]
    z = x[::-1]
    s = x[:2] + y[-2:]
    return y, z, s, x[..., tf.newaxis], x[-1], x[tf.constant(1) : tf.constant(3)]


@on([[1, 2, 3], [4, 5, 6]])
def fancy_slices(x):
    return x[:, 1], x[0, ::2], x[-1:, :-1], x[..., 1:], x[:, tf.newaxis, 1:2], x[1][2]


@on([1, 2, 3], 1)
def assigned_slices(x, i):
    items = tf.unstack(x)
    items[0] = items[0] * 10
    items[-1] += 5
    table = [[0, 0], [0, 0]]
    table[1][0] = x[i]
    return items, table


@beyond("Python's numbers of tensors")
@on([1.0, 2.0, 3.0])
def builtins_on_tensors(x):
    return abs(-x), len(x), max(x[0], x[1]), min(x[1], x[2]), sum(tf.unstack(x)), float(x[0]), int(x[2])


@on([3, 1, 2])
def loops_over_zip(x):
    s = 0
    for i, (a, b) in enumerate(zip(tf.unstack(x), [10, 20, 30])):
        if a > 1:
            s += a * b + i
    return s


@on([3, 1, 2])
def maps_and_filters(x):
    doubled = list(map(lambda v: v * 2 if v > 1 else v, tf.unstack(x)))
    chosen = list(filter(lambda k: k % 2, [1, 2, 3]))
    return doubled, chosen, sorted([3, 1, 2], key=lambda v: -v), any([False, True]), all([])


@on(2)
def reversed_ranges(n):
    r = 0
    for i in reversed(range(3)):
        r = r * 10 + i
    for i in tf.range(n, -1, -1):
        r = r * 10 + i
    for i in range(2, 8, 3):
        r += i
    return r


@on(3)
def range_of_tensors(n):
    s = 0
    for i in range(n):
        s += i
    for i in range(1, n):
        s += i * 10
    for i in range(n, 0, -1):
        s += i * 100
    return s


@on(4)
def loop_value_after_loop(n):
    i = 0
    for i in tf.range(n):
        pass
    j = tf.constant(100)
    while j > n:
        j //= 2
    return i, j


@on(0)
@on(3)
def zero_iterations(n):
    s = tf.constant(7)
    for i in tf.range(n):
        s = i
    while n < 0:
        n += 1
    return s, n


@on(3)
def pass_and_docstrings(x):
    """Does nothing
    on two lines."""
    if x > 5:
        pass
    for _ in tf.range(x):
        pass
    return x


@beyond("a condition on tensors that is not converted")
@on(3)
def annotations(x: tf.Tensor) -> tf.Tensor:
    y: int = 0
    z: "list[int]"
    if x > 1:
        y: int = x
    z = [1]
    return y + z[0]


@on(3)
def imports_within(x):
    import math
    from operator import add as plus

    if x > 2:
        x = plus(x, int(math.floor(2.5)))
    return x


@on(3)
def prints(x):
    print("tracing", 1)
    if x > 2:
        x = x + 1
    return x


@on(2)
def calls_of_tensor_functions(x):
    f = tf.square if COUNT > 2 else tf.abs
    table = {"a": tf.add, "b": tf.multiply}
    return f(x), table["a"](x, 1), table["b"](x, x), getattr(tf, "negative")(x)


@on(3)
def star_arguments(x):
    def total(*values):
        s = 0
        for v in values:
            if v > 1:
                s += v
        return s

    return total(), total(x), total(x, 1, x + 1), total(*[x] * 3)


@on(4)
def generator_expressions(x):
    return sum(x * i for i in range(4)), max(i for i in (1, 5, 2)), tuple(x + i for i in range(2))


@on(3)
def identity_tests(x):
    y = x
    r = 0
    if y is x:
        r += 1
    if y is not None and x is not r:
        r += 10
    if isinstance(x, tf.Tensor):
        r += 100
    if not isinstance(x, int):
        r += 1000
    return r + x * 0


@on(3)
def method_of_tensor_in_condition(x):
    if x.shape.rank == 0 and x.dtype == tf.int32:
        x = tf.reshape(x, [1])
    if x.shape[0] == 1:
        x = tf.concat([x, x], 0)
    return x


@on(6)
def staged_while_in_function_call(n):
    def halve_until_odd(v):
        count = 0
        while v % 2 == 0 and v > 0:
            v //= 2
            count += 1
        return v, count

    a, b = halve_until_odd(n)
    c, d = halve_until_odd(n * 8)
    return a, b, c, d


@on(3)
def loop_of_structures(n):
    state = {"at": tf.constant(0), "pair": (tf.constant(1), [tf.constant(2)])}
    for i in tf.range(n):
        a, (b,) = state["pair"]
        state = {"at": state["at"] + i, "pair": (b, [a + b])}
    return state


@on(5)
def if_within_while_within_for(n):
    total = 0
    for i in tf.range(n):
        j = i
        while j > 0:
            if j % 2 == 0:
                total += j
            elif j % 3 == 0:
                total -= 1
            else:
                total += 100
            j -= 2
    return total


@on(3)
def else_of_for_in_python(x):
    for i in [1, 2, 3]:
        if i == 10:
            break
    else:
        x = x * 7
    k = 0
    while k < 2:
        k += 1
    else:
        x += k
    return x


@on(2.0)
def same_name_in_function_and_loop(x):
    def x_of(x):
        for _ in tf.range(2):
            x = x * x
        return x

    y = x_of(x)
    x = x_of(y) if y < 100.0 else y
    return x, y


@on(9)
def loop_over_python_then_tensor(n):
    i = 0
    while i < n:
        if i < 3:
            i += 1
        else:
            i += 2
    return i


@on([True, False, True])
def conditions_over_bools(flags):
    count = 0
    for f in flags:
        if f:
            count += 1
        elif count > 5:
            count = 0
    return count, tf.reduce_all(flags) or tf.reduce_any(flags)


@on(1)
def nested_conditional_expressions(x):
    y = (x + 1 if x > 0 else x - 1) * (2 if x > 1 else 3) + (x if (x > 0 and x < 2) else -x)
    return y


@on(7)
def exit_flags(n):
    found = tf.constant(-1)
    i = tf.constant(0)
    searching = tf.constant(True)
    while searching:
        if i * i > n:
            found = i
            searching = tf.constant(False)
        elif i > 100:
            searching = tf.constant(False)
        i += 1
    return found


@on(3)
def higher_order(x):
    def compose(*fs):
        def composed(v):
            for f in reversed(fs):
                v = f(v)
            return v

        return composed

    def inc(v):
        return v + 1 if v < 10 else v

    return compose(inc, lambda v: v * 4, inc)(x), functools.reduce(lambda a, b: a + b if a > 2 else b, [x, 1, 2])


@on(4)
def tuple_keys_and_sets(x):
    grid = {(0, 1): x, (1, 0): 5}
    grid[0, 1] += 1
    seen = {1, 2} | {3}
    return grid[(0, 1)], len(seen), 3 in seen, (1, 0) not in grid


@beyond("TensorFlow loses what a function within assigns")
@on(3)
def nonlocal_in_branches(x):
    best = tf.constant(0)
    where = tf.constant(-1)

    def offer(value, at):
        nonlocal best, where
        if value > best:
            best, where = value, at

    offer(x, tf.constant(1))
    offer(x * 2, tf.constant(2))
    offer(x - 1, tf.constant(3))
    return best, where


@on(3, 4)
def keyword_calls(x, y):
    def area(*, width, height=2):
        return width * height if width > height else -width * height

    return area(width=x), area(width=x, height=y), area(**{"width": y})


@on(3)
def raise_in_python_branch(x):
    kind = "known"
    if kind == "unknown":
        raise ValueError("never")
    return x


@on(3)
def error_of_tracing(x):
    if x.shape.rank == 0:
        raise ValueError("a scalar is refused")
    return x


@on(3)
def match_statement(x):
    match ("point", 2):
        case ("line", n):
            r = x
        case ("point", n) if n > 1:
            r = x * n
        case _:
            r = x - 1
    return r
