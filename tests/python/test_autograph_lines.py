"""What debuggers, line counters, tracebacks and errors tell of converted code: the lines that were written."""

import bdb
import linecache
import sys
import traceback

import pytest

import sluice as tf


def counted(x):
    s = 0
    for i in tf.range(x):
        if i > 2:
            s += i
        else:
            s -= 1
    while s > 100:
        s = s - 1
    return s  # fmt: skip


def lines_of(f):
    """The lines of its body, by what stands there."""
    first = f.__code__.co_firstlineno
    return {n for _, _, n in f.__code__.co_lines() if n is not None and n > first}


def test_lines_count_as_in_the_source():
    """As tools for coverage hear of them: each line that has code is told while the function is traced, and no other one."""
    seen = set()

    def listen(frame, event, argument):
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line" and frame.f_code.co_name == "counted":
            seen.add(frame.f_lineno)
        return listen

    before = sys.gettrace()
    sys.settrace(listen)
    try:
        tf.function(counted)(tf.constant(5))
    finally:
        sys.settrace(before)
    assert lines_of(counted) <= seen
    assert seen <= lines_of(counted) | {counted.__code__.co_firstlineno}


def test_debuggers_stop_in_the_source():
    stops = []

    class Debugger(bdb.Bdb):
        def user_line(self, frame):
            if self.break_here(frame):
                stops.append(
                    (
                        frame.f_code.co_name,
                        linecache.getline(__file__, frame.f_lineno).strip(),
                        sorted(frame.f_locals),
                    )
                )
                stops.append(
                    [f.f_lineno for f, _ in self.get_stack(frame, None)[0] if f.f_code.co_filename == __file__]
                )
            self.set_continue()

    debugger = Debugger()
    first = counted.__code__.co_firstlineno
    assert debugger.set_break(__file__, first + 4) is None
    before = sys.gettrace()
    try:
        debugger.runcall(tf.function(counted), tf.constant(5))
    finally:
        debugger.clear_all_breaks()
        bdb.Breakpoint.clearBreakpoints()  # bdb keeps a place for each that there was
        sys.settrace(before)
    (name, text, names), stack = stops[:2]
    assert name == "counted" and text == "s += i" and {"i", "s"} <= set(names)
    assert stack[-3:] == [
        first + 2,
        first + 3,
        first + 4,
    ]  # for, if, and the line itself


def checked(v, i):
    return tf.debugging.check_numerics(v / tf.cast(i, tf.float32), "quotient")


def counts_down(n):
    s = 0.0
    while n > -2:
        s += checked(1.0, n)
        n -= 1
    return s


def line(f, n):
    return f"line {f.__code__.co_firstlineno + n}, in {f.__name__}"


def test_errors_of_running_tell_lines():
    """From outside in: the call, the loop, the op."""

    @tf.function
    def outer(n):
        inner = tf.function(counts_down)
        return inner(n) + 1.0

    within = [line(counts_down, 2), line(checked, 1)]
    for f, lines in (
        (tf.function(counts_down), within),
        (outer, [line(outer.python_function, 3), *within]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            f(tf.constant(2))
        told = str(caught.value).partition("was made here:")[2].strip().splitlines()
        assert caught.value.op.type == "CheckNumerics"
        assert [t.partition(", ")[2] for t in told] == lines


def test_errors_in_branches_tell_lines():
    def small(x):
        if x > 0:
            assert x < 5, "too large"
        return x

    f = tf.function(small)
    assert f(tf.constant(3)).numpy() == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="too large") as caught:
        f(tf.constant(7))
    assert line(small, 1) in str(caught.value) and line(small, 2) in str(caught.value)


def reshapes(x):
    if x > 0:
        for i in range(2):
            if x > i:
                x = tf.reshape(x, [7])
    return x


def test_tracebacks_show_the_program():
    """Lines of the package are left out, also those between two functions of the program; one call into it is left."""

    @tf.function
    def outer(x):
        return tf.function(reshapes)(x)

    def frames():
        with pytest.raises(ValueError, match="Cannot reshape") as caught:
            outer(tf.constant(1))
        entries = traceback.extract_tb(caught.value.__traceback__)
        own = [e for e in entries if e.filename == __file__]
        return own, len(entries) - len(own)

    first = reshapes.__code__.co_firstlineno
    own, others = frames()
    assert [(e.name, e.lineno - first) for e in own[-4:]] == [("reshapes", n) for n in (1, 2, 3, 4)]
    assert [e.name for e in own[:-4]] == ["frames", "outer"] and others <= 2
    tf.debugging.disable_traceback_filtering()
    try:
        assert frames()[1] > 10 and not tf.debugging.is_traceback_filtering_enabled()
    finally:
        tf.debugging.enable_traceback_filtering()
    assert frames()[1] <= 2


def changes_type(n):
    x = 1
    while n > 0:
        x = tf.cast(x, tf.float32)
        n -= 1
    return x


def changes_shape(n):
    x = tf.zeros([1])
    for _ in tf.range(n):
        x = tf.concat([x, x], 0)
    return x


def differs(n):
    if n > 0:
        y = n
    else:
        y = tf.cast(n, tf.float32)
    return y


@pytest.mark.parametrize(
    "f, error, at, text",
    [
        (
            changes_type,
            TypeError,
            3,
            "'x' has dtype int32 before the loop, but dtype float32 .* with tf.cast",
        ),
        (
            changes_shape,
            ValueError,
            3,
            r"'x' has shape \(1,\) before the loop, but shape \(2,\) .*set_loop_options",
        ),
        (
            differs,
            TypeError,
            4,
            "'y' has dtype int32 in the main branch, but dtype float32 in the else .* tf.cast",
        ),
    ],
)
def test_disagreements_tell_the_line(f, error, at, text):
    with pytest.raises(error, match=text) as caught:
        tf.function(f)(tf.constant(3))
    assert f'", line {f.__code__.co_firstlineno + at})' in str(caught.value)


def test_conditions_that_are_none():
    def branch(x):
        return 1 if x else 2

    def loop(x):
        while x:
            x = x - 1
        return x

    for x in (tf.constant([1, 2]), tf.constant("a")):
        with pytest.raises(
            ValueError,
            match="condition expected to be a scalar of type bool or of numbers",
        ):
            tf.function(branch)(x)
    with pytest.raises(ValueError, match="condition expected to be a scalar"):
        tf.function(loop)(tf.constant([1, 2]))


def test_operands_keep_their_values():
    """`and` and `or` give an operand where both have one type, as in Python; else a bool."""

    @tf.function
    def f(x, y):
        return x and y, x or y, x and 3, x or 7, (x > 0) and y

    for x in (0, 2):
        made = [v.numpy().item() for v in f(tf.constant(x), tf.constant(5))]
        assert made == [x and 5, x or 5, x and 3, x or 7, bool(x > 0 and 5)]


def test_quantifiers_over_lists():
    @tf.function
    def f(x, values):
        return (
            any([x > 3, False]),
            all(v > 1 for v in values),
            any([]),
            all([x > 0, False]),
            max([x, 2, 3]),
            min((x, 1)),
        )

    made = f(tf.constant(2), [tf.constant(2), tf.constant(5)])
    assert [int(v) for v in made] == [0, 1, 0, 0, 3, 1]


def test_coroutines_are_refused():
    async def f(x):
        return x

    with pytest.raises(NotImplementedError, match="coroutines are not supported by AutoGraph: f, line"):
        tf.function(f)(tf.constant(1))


def test_properties_are_converted():
    class Account:
        def __init__(self, balance):
            self.balance = balance
            self.__secret = 5

        @property
        def state(self):
            if self.balance > 0:
                return self.balance
            return -1

        @property
        def broken(self):
            return self.not_there

        def __getattr__(self, name):
            if name == "fallback":
                return 7
            raise AttributeError(name)

        def total(self):
            return self.state + self.__secret + self.fallback

    @tf.function
    def f(x):
        return Account(x).total()

    assert [f(tf.constant(x)).numpy() for x in (3, -3)] == [15, 11]
    with pytest.raises(AttributeError, match="not_there|broken"):
        tf.function(lambda x: Account(x).broken)(tf.constant(1))
