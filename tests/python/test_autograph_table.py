"""The table of AutoGraph: each statement of Python by what decides (Python's value, a tensor, both) and where it stands.

A row is a function of what decides (c) and what is worked on (x). `mixed` has Python's c and a tensor x, or the other way round.
"""

import pytest

import sluice as tf


def if_statement(c, x):
    if c > 2:
        x = x + 1
    return x


def if_else(c, x):
    if c > 2:
        y = x + 1
    else:
        y = x - 1
    return y


def elif_chain(c, x):
    if c > 5:
        y = x
    elif c > 2:
        y = x * 2
    else:
        y = x * 3
    return y


def conditional_expression(c, x):
    return x * 2 if c > 2 else x


def while_loop(c, x):
    while c > 0:
        x = x + c
        c = c - 1
    return x


def while_with_break(c, x):
    while True:
        x = x + 1
        c = c - 1
        if c < 0:
            break
    return x


def while_with_continue(c, x):
    i = 0
    while i < c:
        i += 1
        if i == 2:
            continue
        x = x + i
    return x


def while_else(c, x):
    while c > 0:
        c = c - 1
        if c == 1:
            break
    else:
        x = x + 100
    return x


def for_range(c, x):
    for i in range(c):
        x = x + i
    return x


def for_with_break(c, x):
    for i in range(10):
        if i >= c:
            break
        x = x + i
    return x


def for_with_continue(c, x):
    for i in range(5):
        if i == c:
            continue
        x = x * 2 + i
    return x


def for_else(c, x):
    for i in range(4):
        if i == c:
            break
        x = x + i
    else:
        x = -x
    return x


def for_over_list(c, x):
    for v in [1, 2, 3]:
        if v < c:
            x = x + v
    return x


def for_enumerated(c, x):
    for i, v in enumerate([3, 1, 2]):
        if v != c:
            x = x + i * v
    return x


def for_zipped(c, x):
    for a, b in zip([1, 2], [3, 4]):
        x = x + a * b if a < c else x
    return x


def return_in_branch(c, x):
    if c > 2:
        return x + 1
    return x - 1


def return_in_loop(c, x):
    for i in range(6):
        x = x + i
        if i == c:
            return x
    return -x


def and_operator(c, x):
    return (1 if c > 0 and c < 4 else 2) + x


def or_operator(c, x):
    return (1 if c < 0 or c > 2 else 2) + x


def not_operator(c, x):
    if not c > 2:
        x = x + 5
    return x


def chained_comparison(c, x):
    if 1 < c <= 3:
        x = x + 7
    return x


def equality(c, x):
    if c == 3:
        x = x + 1
    if c != 3:
        x = x + 2
    return x


def assertion(c, x):
    assert c > -100, "c"
    return x


def list_of_values(c, x):
    items = [x, x + 1]
    items.append(x + 2)
    if c > 2:
        items[0] = x + 10
    last = items.pop()
    return items[0] + items[1] * last


def dictionary(c, x):
    d = {"x": x}
    if c > 2:
        d["x"] = d["x"] + 1
    return d["x"]


def tuples(c, x):
    a, b = x, x + 1
    while c > 0:
        a, b = b, a
        c = c - 1
    return a * 10 + b


def builtins(c, x):
    return x + abs(c) + max(c, 1) + min(c, 1) + sum([1, 2])


def lambdas(c, x):
    f = lambda v: v + 1 if c > 2 else v  # noqa: E731
    return f(x)


def comprehension(c, x):
    return sum([x + v if v < c else x for v in [1, 2, 3]])


def map_filter_sorted(c, x):
    made = list(map(lambda v: v * 2 if c > 2 else v, [x, x + 1]))
    return made[0] + made[1] + len(list(filter(None, [0, 1]))) + sorted([2, 1])[0]


def inner_function(c, x):
    def f(v):
        if c > 2:
            return v + 1
        return v - 1

    return f(x) + f(f(x))


def nonlocal_variable(c, x):
    def add(n):
        nonlocal x
        if n > 1:
            x = x + n

    add(c)
    add(c + 1)
    return x


def recursion(c, x):
    def power(v, n):
        return 1 if n == 0 else v * power(v, n - 1)

    if c > 2:
        x = power(x, 3)
    return x


def walrus(c, x):
    if (y := c + 1) > 3:
        x = x + y
    return x


def with_statement(c, x):
    with tf.name_scope("s"):
        if c > 2:
            x = x + 1
    return x


def try_statement(c, x):
    try:
        if c > 2:
            x = x + 1
        int("?")
    except ValueError:
        x = x * 2 if c > 2 else x
    finally:
        x = x + 1
    return x


def deleted_name(c, x):
    y = x + 1
    if c > 2:
        z = y
    else:
        z = x
    del y
    return z


def augmented(c, x):
    if c > 2:
        x += 1
        x *= 2
    x -= c
    return x


def match_statement(c, x):
    match [1, 2]:
        case [1, n]:
            if c > n:
                x = x + n
        case _:
            x = -x
    return x


def class_within(c, x):
    class Adder:
        def __init__(self, n):
            self.n = n

        def add(self, v):
            if c > 2:
                self.n = self.n + 1
            return v + self.n

        @property
        def twice(self):
            return self.n * 2 if c > 2 else self.n

    a = Adder(3)
    return a.add(x) + a.twice


STATEMENTS = [
    if_statement, if_else, elif_chain, conditional_expression, while_loop, while_with_break, while_with_continue, while_else,
    for_range, for_with_break, for_with_continue, for_else, for_over_list, for_enumerated, for_zipped, return_in_branch,
    return_in_loop, and_operator, or_operator, not_operator, chained_comparison, equality, assertion, list_of_values, dictionary,
    tuples, builtins, lambdas, comprehension, map_filter_sorted, inner_function, nonlocal_variable, recursion, walrus,
    with_statement, try_statement, deleted_name, augmented, match_statement, class_within,
]  # fmt: skip

VALUES = {
    "Python": (lambda v: v, lambda v: v),
    "tensor": (tf.constant, tf.constant),
    "mixed: Python decides": (lambda v: v, tf.constant),
    "mixed: a tensor decides": (tf.constant, lambda v: v),
}


def eagerly(f, c, x):
    return tf.autograph.to_graph(f)(c, x)


def as_function(f, c, x):
    return tf.function(f)(c, x)


def in_nested_function(f, c, x):
    @tf.function
    def outer(c, x):
        def inner(d):
            return f(d, x)

        return inner(c)

    return outer(c, x)


def in_class(f, c, x):
    class Holder:
        def __init__(self):
            self.kept = 0

        @tf.function
        def method(self, c, x):
            self.kept = 1
            return self.call(c, x)

        def call(self, c, x):
            return f(c, x)

    holder = Holder()
    return holder.method(c, x)


def in_closure(f, c, x):
    def make(c):
        return tf.function(lambda v: f(c, v))

    return make(c)(x)


def as_function_of_a_function(f, c, x):
    inner = tf.function(f)
    return tf.function(lambda c, x: inner(c, x))(c, x)


SITUATIONS = [eagerly, as_function, in_nested_function, in_class, in_closure, as_function_of_a_function]


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("f", STATEMENTS, ids=lambda f: f.__name__)
def test_statement(f, kind, situation):
    decides, worked_on = VALUES[kind]
    for c in (0, 3, 5):
        made = situation(f, decides(c), worked_on(4))
        assert int(made) == f(c, 4), (f.__name__, c)
