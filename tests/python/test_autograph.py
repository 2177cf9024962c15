"""AutoGraph: each statement with Python's values and with tensors, in functions, methods, closures; what is refused, and how.

A program's result on Python's values, run as Python, is what its tf.function has to give for tensors.
"""

import linecache
import subprocess
import sys
import traceback
import types

import numpy as np
import pytest

import sluice as tf

# ---- statements


def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


def if_alone(x):
    y = 1
    if x > 2:
        y = x
    return y


def elif_chain(x):
    if x > 10:
        r = 3
    elif x > 5:
        r = 2
    elif x > 0:
        r = 1
    else:
        r = 0
    return r


def nested_if(x):
    r = 0
    if x > 0:
        if x > 5:
            r = 2
        else:
            r = 1
    return r


def return_in_branches(x):
    if x > 0:
        return x + 1
    return x - 1


def return_early(x):
    if x > 100:
        return 100
    x = x * 2
    if x > 50:
        return 50
    return x


def return_in_while(x):
    i = 0
    while i < 100:
        if i * i > x:
            return i
        i += 1
    return -1


def return_in_for(x):
    for i in range(x):
        if i * i > 10:
            return i
    return -1


def return_from_nested_loops(x):
    for i in range(x):
        for j in range(x):
            if i * j == 6:
                return 10 * i + j
    return -1


def while_sum(x):
    s = 0
    while x > 0:
        s += x
        x -= 1
    return s


def while_break(x):
    i = 0
    while True:
        i += 1
        if i >= x:
            break
    return i


def while_continue(x):
    i = s = 0
    while i < x:
        i += 1
        if i % 3 == 0:
            continue
        s += i
    return s


def while_else(x):
    i = 0
    while i < 5:
        if i == x:
            break
        i += 1
    else:
        i = 100
    return i


def for_range(x):
    s = 0
    for i in range(x):
        s += i
    return s


def for_range_with_step(x):
    s = 0
    for i in range(1, x, 2):
        s = s * 3 + i
    return s


def for_break_continue(x):
    s = 0
    for i in range(x):
        if i == 2:
            continue
        if i == 7:
            break
        s += i
    return s


def for_else(x):
    r = 0
    for i in range(x):
        if i == 3:
            r = i
            break
    else:
        r = -1
    return r


def loop_variable_after_loop(x):
    i = 0
    for i in range(x):
        pass
    return i


def and_or_not(x):
    r = 0
    if x > 0 and not x > 10 or x == -5:
        r = 1
    return r


def short_circuit(x):
    r = 0
    if x != 0 and 100 // x > 5:
        r = 1
    return r


def chained_comparison(x):
    return 1 if 0 < x <= 10 < 2 * x else 0


def conditional_expression(x):
    return x if x > 0 else -x


def nested_conditional_expressions(x):
    return 1 if x > 0 else 0 if x == 0 else -1


def tuple_state(x):
    a, b = 0, 1
    while a < x:
        a, b = b, a + b
    return a, b


def list_state(x):
    pair = [0, 1]
    while pair[0] < x:
        pair = [pair[1], pair[0] + pair[1]]
    return pair[0]


def dictionary_state(x):
    d = {"n": 0}
    while d["n"] < x:
        d["n"] += 3
    return d["n"]


def nested_function(x):
    def twice(y):
        if y > 0:
            return 2 * y
        return y

    return twice(x) + twice(-x)


def closure_over_state(x):
    total = 0

    def add(n):
        nonlocal total
        total += n

    for i in range(x):
        add(i)
    return total


def lambda_with_condition(x):
    f = lambda v: v if v > 3 else 3  # noqa: E731
    return f(x) + f(1)


def comprehension(x):
    return sum([x * i for i in range(4) if i % 2])


def walrus(x):
    if (y := x * 2) > 4:
        return y
    return 0


def annotated(x):
    y: int = 0
    if x > 0:
        y: int = x
    return y


def with_block(x):
    with tf.name_scope("block"):
        if x > 0:
            x = x + 1
    return x


def try_block(x):
    try:
        if x > 0:
            x = x * 3
    finally:
        x = x + 1
    return x


def assertion(x):
    assert x > -1000, "too small"
    return x


def builtins(x):
    return abs(x) + max(x, 3) + min(x, 3)


def recursion_on_python(x):
    def power(base, n):
        if n == 0:
            return 1
        return base * power(base, n - 1)

    return power(x, 3)


def variables_of_one_branch(x):
    if x > 0:
        t = x * 2
        u = t + 1
        r = u
    else:
        r = 0
    return r


def delete(x):
    y = x
    del x
    return y


STATEMENTS = [
    if_else, if_alone, elif_chain, nested_if, return_in_branches, return_early, return_in_while, return_in_for,
    return_from_nested_loops, while_sum, while_break, while_continue, while_else, for_range, for_range_with_step,
    for_break_continue, for_else, loop_variable_after_loop, and_or_not, chained_comparison, conditional_expression,
    nested_conditional_expressions, tuple_state, list_state, dictionary_state, nested_function, closure_over_state,
    lambda_with_condition, comprehension, walrus, annotated, with_block, try_block, assertion, builtins, recursion_on_python,
    variables_of_one_branch, delete,
]  # fmt: skip


def plain(value):
    return tf.nest.map_structure(lambda v: v.numpy() if isinstance(v, tf.Tensor) else v, value)


@pytest.mark.parametrize("x", [-5, 0, 1, 4, 8, 30])
@pytest.mark.parametrize("f", STATEMENTS, ids=lambda f: f.__name__)
def test_statement(f, x):
    expected = f(x)
    assert plain(tf.function(f)(tf.constant(x))) == expected  # a tensor
    assert plain(tf.function(f)(x)) == expected  # Python's value
    assert plain(tf.autograph.to_graph(f)(x)) == expected  # as Python, converted
    assert plain(tf.autograph.to_graph(f)(tf.constant(x))) == expected  # eagerly on a tensor


@pytest.mark.parametrize("x", [0, 2, 30])
def test_short_circuit(x):
    assert plain(tf.function(short_circuit)(tf.constant(x))) == short_circuit(x)


@pytest.mark.parametrize("f", STATEMENTS, ids=lambda f: f.__name__)
def test_statement_within_other_code(f):
    """As a method, in a closure, called by a converted function."""

    class Holder:
        def __init__(self):
            self.offset = 1

        @tf.function
        def method(self, x):
            return f(x), self.offset

    @tf.function
    def outer(x):
        def inner():
            return f(x)

        return inner()

    expected = f(6)
    assert plain(Holder().method(tf.constant(6))) == (expected, 1)
    assert plain(outer(tf.constant(6))) == expected


# ---- programs


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def is_prime(n):
    if n < 2:
        return 0
    i = 2
    while i * i <= n:
        if n % i == 0:
            return 0
        i += 1
    return 1


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def digits_sum(n):
    s = 0
    while n > 0:
        s += n % 10
        n //= 10
    return s


def binary_search(n):
    low, high = 0, 1000
    while low < high:
        middle = (low + high) // 2
        if middle * middle < n:
            low = middle + 1
        else:
            high = middle
    return low


def perfect(n):
    s = 0
    for i in range(1, n):
        if n % i == 0:
            s += i
    if s == n:
        return 1
    return 0


def josephus(n):
    r = 0
    for i in range(2, n + 1):
        r = (r + 3) % i
    return r


def days_until(n):
    year, left = 1980, n
    while left > 365:
        if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
            if left > 366:
                left -= 366
                year += 1
            else:
                break
        else:
            left -= 365
            year += 1
    return year, left


def ackermann_like(n):
    total = 0
    for i in range(n):
        j = i
        while j > 0:
            if j % 2:
                j -= 1
                continue
            j //= 2
            total += j
            if total > 1000:
                break
    return total


PROGRAMS = [
    (collatz, [27, 97, 1]),
    (is_prime, [0, 2, 91, 97]),
    (fibonacci, [0, 1, 30]),
    (digits_sum, [0, 98765]),
    (binary_search, [0, 50, 999]),
    (perfect, [6, 28, 12]),
    (josephus, [1, 7, 41]),
    (days_until, [10, 366, 10593]),
    (ackermann_like, [0, 5, 60]),
]


@pytest.mark.parametrize(
    "f, x", [(f, x) for f, xs in PROGRAMS for x in xs], ids=lambda v: getattr(v, "__name__", str(v))
)
def test_program(f, x):
    assert plain(tf.function(f)(tf.constant(x))) == f(x)


@pytest.mark.parametrize("a, b", [(48, 18), (7, 13), (0, 5), (5, 0)])
def test_program_of_two(a, b):
    f = tf.function(gcd)
    assert f(tf.constant(a), tf.constant(b)).numpy() == f(a, tf.constant(b)).numpy() == gcd(a, b)


def test_loop_over_rows():
    @tf.function
    def f(rows):
        best, n = tf.zeros([2]), 0
        for row in rows:
            if tf.reduce_sum(row) > tf.reduce_sum(best):
                best = row
            n += 1
        return best, n

    best, n = f(tf.constant([[1.0, 2.0], [5.0, 1.0], [0.0, 0.0]]))
    assert best.numpy().tolist() == [5.0, 1.0] and n.numpy() == 3


def test_sorting_in_a_tensor_array():
    @tf.function
    def bubble(x):
        n = len(x)
        cells = tf.TensorArray(x.dtype, n).unstack(x)
        for i in tf.range(n):
            for j in tf.range(n - 1 - i):
                a, b = cells.read(j), cells.read(j + 1)
                if a > b:
                    cells = cells.write(j, b)
                    cells = cells.write(j + 1, a)
        return cells.stack()

    assert bubble(tf.constant([5, 3, 9, 1, 4])).numpy().tolist() == [1, 3, 4, 5, 9]


def test_longest_common_subsequence():
    @tf.function
    def lcs(a, b):
        row = tf.zeros([tf.size(b) + 1], tf.int32)
        for x in a:
            tf.autograph.experimental.set_loop_options(shape_invariants=[(row, tf.TensorShape([None]))])
            made = tf.TensorArray(tf.int32, tf.size(b) + 1).write(0, 0)
            left = 0
            for j in tf.range(tf.size(b)):
                left = row[j] + 1 if x == b[j] else tf.maximum(row[j + 1], left)
                made = made.write(j + 1, left)
            row = made.stack()
        return row[-1]

    assert lcs(tf.constant([1, 3, 5, 9]), tf.constant([2, 3, 9, 9, 5])).numpy() == 2


def test_mandelbrot():
    @tf.function
    def escapes(c):
        z, n = tf.zeros_like(c), tf.zeros(c.shape, tf.int32)
        for _ in tf.range(20):
            z = tf.where(tf.abs(z) < 4, z * z + c, z)
            n += tf.cast(tf.abs(z) < 4, tf.int32)
        return n

    assert escapes(tf.constant([0, 1 + 1j, -1, 0.3], tf.complex64)).numpy().tolist() == [20, 2, 20, 12]


def test_fixed_point_with_tolerance():
    @tf.function
    def root(x):
        y, steps = x, 0
        while tf.abs(y * y - x) > 1e-4:
            y = (y + x / y) / 2
            steps += 1
        return y, steps

    y, steps = root(tf.constant(2.0))
    assert y.numpy() == pytest.approx(2**0.5, abs=1e-4) and steps.numpy() == 3


def test_strings():
    @tf.function
    def compress(s):
        out, last, n = "", "", 0
        for c in tf.strings.unicode_split(s, "UTF-8"):
            if c == last:
                n += 1
            else:
                if n > 1:
                    out += tf.strings.as_string(n)
                out += c
                last, n = c, 1
        if n > 1:
            out += tf.strings.as_string(n)
        return out

    assert compress(tf.constant("aaabccd")).numpy() == b"a3bc2d"


def test_cell_of_a_recurrent_net():
    w = tf.Variable([[0.5, -0.5], [0.25, 1.0]])

    @tf.function
    def run(xs):
        h = tf.zeros([2])
        for x in xs:
            h = tf.tanh(x + tf.linalg.matvec(w, h))
        return h

    xs = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    h = np.zeros(2, np.float32)
    for x in xs:
        h = np.tanh(x + w.numpy() @ h)
    np.testing.assert_allclose(run(tf.constant(xs)).numpy(), h, rtol=1e-6)


# ---- options, errors


def test_shape_invariants():
    @tf.function
    def f(n):
        x = tf.constant([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [i]], 0)
        return x

    assert f(tf.constant(3)).numpy().tolist() == [0, 0, 1, 2]


def test_shape_that_changes_is_named():
    @tf.function
    def f(n):
        x = tf.constant([0])
        while n > 0:
            x = tf.concat([x, x], 0)
            n -= 1
        return x

    with pytest.raises(ValueError, match=r"'x' has shape \(1,\) before the loop, but shape \(2,\) after one iteration"):
        f(tf.constant(1))


def test_type_that_changes_is_named():
    @tf.function
    def f(n):
        x = 0
        while n > 0:
            x = tf.cast(x, tf.float32)
            n -= 1
        return x

    with pytest.raises(TypeError, match="'x' has dtype int32 before the loop, but dtype float32 after one iteration"):
        f(tf.constant(1))


def test_branches_that_disagree():
    @tf.function
    def undefined(x):
        if x > 0:
            y = 1
        return y

    @tf.function
    def types(x):
        if x > 0:
            y = tf.constant(1)
        else:
            y = tf.constant(1.0)
        return y

    @tf.function
    def structures(x):
        if x > 0:
            y = (x, x)
        else:
            y = [x]
        return y

    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        undefined(tf.constant(1))
    with pytest.raises(TypeError, match="'y' has dtype int32 in the main branch, but dtype float32 in the else branch"):
        types(tf.constant(1))
    with pytest.raises(TypeError, match="'y' must have the same nested structure"):
        structures(tf.constant(1))


def test_return_of_one_branch():
    @tf.function
    def f(x):
        if x > 0:
            return x

    with pytest.raises(ValueError, match="a value is returned in the else branch|a return statement"):
        f(tf.constant(1))


def test_zero_iterations():
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 2
        return last

    assert f(tf.constant(3)).numpy() == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="loop must iterate at least once to initialize"):
        f(tf.constant(0))


def test_used_before_assignment():
    @tf.function
    def f(x):
        if x > 0:
            pass
        else:
            y = 1
        return y

    with pytest.raises(UnboundLocalError, match="'y' is used before assignment"):
        f(1)


def test_errors_are_at_the_users_line():
    @tf.function
    def f(x):
        if x > 0:
            x = tf.reshape(x, [7])  # the line
        return x

    with pytest.raises(ValueError) as caught:
        f(tf.constant([1.0])[0])
    frames = [frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename == __file__]
    assert "# the line" in linecache.getline(__file__, frames[-1].lineno)


def test_functions_that_are_generators_are_refused():
    with pytest.raises(NotImplementedError, match="generators are not supported by AutoGraph"):

        @tf.function
        def f(x):
            yield x

        f(tf.constant(1))


CELL = """
def f(x):
    if x > 0:
        return x * 2
    return -x
g = lambda x: x * 2 if x > 0 else -x
"""


def run_cell(name, **more):
    names = {"tf": tf, **more}
    exec(compile(CELL, name, "exec"), names)
    return names["f"], names["g"]


def test_without_source():
    """What has no source runs as it is. When that does not do, the error says what was not converted and why."""
    for f in run_cell("<string>"):
        assert tf.function(lambda x, f=f: f(3) + x)(tf.constant(1)).numpy() == 7
        with pytest.raises(
            TypeError, match=r"AutoGraph left (f|<lambda>) as it is: the source of .* is not there: no file"
        ):
            tf.function(f)(tf.constant(1))
        with pytest.raises(ValueError, match="cannot be converted: the source of .* is not there"):
            tf.autograph.to_code(f)


def test_cells_that_linecache_knows():
    """As notebooks and the interactive interpreter of Python 3.13 make them."""
    linecache.cache["<cell 7>"] = (len(CELL), None, CELL.splitlines(True), "<cell 7>")
    for f in run_cell("<cell 7>"):
        assert plain([tf.function(f)(tf.constant(x)) for x in (-3, 3)]) == [3, 6]


def test_source_of_a_loader():
    class Loader:
        def get_source(self, name):
            return CELL

    for f in run_cell("/no/such/module_of_a_loader.py", __name__="module_of_a_loader", __loader__=Loader()):
        assert plain([tf.function(f)(tf.constant(x)) for x in (-3, 3)]) == [3, 6]


def test_source_of_a_command():
    program = (
        "import sluice as tf" + CELL + "print([int(tf.function(h)(tf.constant(x))) for h in (f, g) for x in (-3, 3)])"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert made.stdout == "[3, 6, 3, 6]\n", made.stderr


def test_not_converted():
    @tf.autograph.experimental.do_not_convert
    def plain_python(x):
        return type(x).__name__ if x is None else x

    @tf.function(autograph=False)
    def f(x):
        if x > 0:
            return x
        return -x

    @tf.function
    def g(x):
        return plain_python(x)

    assert g(tf.constant(2)).numpy() == 2
    with pytest.raises(TypeError, match="symbolic `tf.Tensor` as a Python `bool`"):
        f(tf.constant(1))


def test_code_is_shown():
    code = tf.autograph.to_code(if_else)
    assert code.startswith("def if_else(x):") and "ag__.if_stmt(" in code


def test_defaults_globals_and_decorators():
    import functools

    def doubled(f):
        @functools.wraps(f)
        def g(*args, **kwargs):
            return 2 * f(*args, **kwargs)

        return g

    @tf.function
    @doubled
    def f(x, y=3, *, z=4):
        if x > 0:
            return x + y + z + OFFSET
        return x

    assert f(tf.constant(1)).numpy() == 2 * (1 + 3 + 4 + OFFSET)
    assert f(tf.constant(1), 1, z=2).numpy() == 2 * (1 + 1 + 2 + OFFSET)


OFFSET = 100


def test_super_and_properties():
    class Base:
        def scale(self, x):
            if x > 0:
                return x * 2
            return x

    class Derived(Base):
        @property
        def one(self):
            return 1

        @tf.function
        def scale(self, x):
            return super().scale(x) + self.one

    assert Derived().scale(tf.constant(3)).numpy() == 7


def test_print_is_of_the_trace(capsys):
    @tf.function
    def f(x):
        print("Tracing with", x)
        return x

    f(tf.constant(5))
    f(tf.constant(6))
    assert capsys.readouterr().out == 'Tracing with Tensor("x:0", shape=(), dtype=int32)\n'


@pytest.mark.parametrize(
    "features", [tf.autograph.experimental.Feature.BUILTIN_FUNCTIONS, [tf.autograph.experimental.Feature.ALL]]
)
def test_print_that_is_asked_for_is_of_each_run(capsys, features):
    def f(x):
        print("x is", x)
        return x

    def run(f):
        f(tf.constant(5))
        f(tf.constant(6))
        return capsys.readouterr().out

    assert run(tf.function(f, experimental_autograph_options=features)) == "x is 5\nx is 6\n"
    assert run(tf.function(tf.autograph.to_graph(f, experimental_optional_features=features))) == "x is 5\nx is 6\n"
    assert run(tf.function(tf.autograph.to_graph(f))).startswith("x is Tensor(")


def test_names_that_operands_assign():
    @tf.function
    def f(x):
        while (y := x * 2) < 50 and (z := y + 1) > 0:
            x = y + z
        r = (k := x + 1) if x > 0 else (k := x - 1)
        return x, y, r, k

    assert plain(f(tf.constant(1))) == (85, 170, 86, 86)


def test_a_test_with_effects_runs_once_an_iteration():
    v = tf.Variable(0)

    @tf.function
    def f(n):
        while v.assign_add(1) < n:
            pass

    f(tf.constant(5))
    assert v.numpy() == 5


class Private:
    __limit = 3

    def __init__(self):
        self.__x = 1

    def __grow(self, v):
        return v + self.__x

    @tf.function
    def f(self, v):
        if v > Private.__limit:
            self.__y = v
            v = self.__grow(v)
        else:
            self.__y = v + 1
        return v, self.__y


def test_private_names():
    private = Private()
    assert plain(private.f(tf.constant(5))) == (6, 5)


def below(n, x):
    if n == 0:
        return x
    return below(n - 1, x * 2 if x < 10 else x)


def test_recursion_of_a_global_function():
    assert tf.function(below)(5, tf.constant(1)).numpy() == below(5, 1)


def test_match_and_handlers_with_branches():
    def f(x, kind):
        r = x
        match kind:
            case {"by": n, **rest} if n > 1:
                if x > 2:
                    return x * n
                r = x + len(rest)
            case [first, *others]:
                for _ in range(len(others)):
                    if x > 0:
                        r += first
            case _:
                pass
        try:
            int("none")
        except ValueError as error:
            if x > 4:
                r = r * len(error.args)
            else:
                r = r - 1
        return r

    for kind in ({"by": 2, "more": 1}, {"by": 1}, [5, 6, 7], 3):
        for x in (1, 3, 7):
            assert plain(tf.function(f)(tf.constant(x), kind)) == f(x, kind)


def test_a_loop_of_effects_alone():
    v = tf.Variable(1)

    @tf.function
    def f(go):
        while go:
            v.assign_add(v)
            tf.debugging.assert_less(v, 50)

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(True))
    assert v.numpy() == 64
    f(tf.constant(False))
    assert v.numpy() == 64


def test_functions_of_packages_are_converted_where_they_are_asked_for():
    def first_positive(x):
        if x > 0:
            return x
        return -x

    of_package = types.FunctionType(first_positive.__code__, {"__name__": "keras.somewhere"}, "first_positive")
    of_package.__module__ = "keras.somewhere"
    assert tf.function(of_package)(tf.constant(-2)).numpy() == 2
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(lambda x: of_package(x))(tf.constant(-2))
