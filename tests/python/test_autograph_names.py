"""AutoGraph: which names converted code asks for a value, and which calls it leaves as they are."""

import math

import pytest

import sluice as tf


def of_modules(x):
    return tf.square(math.pow(x, 2.0)) + tf.math.abs(x) + doubled(x) + max(x, 1.0)


def doubled(x):
    if x > 0:
        return 2 * x
    return x


def test_functions_of_modules_are_called_as_they_are():
    code = tf.autograph.to_code(of_modules)
    assert "tf.square(math.pow(x, 2.0)) + tf.math.abs(x)" in code
    assert "ag__.converted_call(doubled, (x,))" in code and "ag__.converted_call(max, (x, 1.0))" in code


class Scaled:
    @property
    def square(self):
        if self.x > 0:
            return self.x * self.x
        return -self.x

    def __init__(self, x):
        self.x = x


def test_a_local_name_is_no_module():
    tf_there = tf

    @tf_there.function
    def f(x):
        tf = Scaled(x)
        return tf.square

    @tf_there.function
    def of_parameter(tf):
        return tf.square

    def in_comprehension(x):
        return [tf.square for tf in [Scaled(x)]][0]

    for x in (3, -3):
        t = tf_there.constant(x)
        assert f(t).numpy() == of_parameter(Scaled(t)).numpy() == (9 if x > 0 else 3)
        assert tf_there.function(in_comprehension)(t).numpy() == (9 if x > 0 else 3)


def assigned_first(x):
    total = 0.0
    for i in tf.range(3):
        if x > 0:
            total += x
        elif x < -10:
            total = total - 1.0
        else:
            total = total + 2.0
    return total


def test_what_is_certainly_set_is_not_asked():
    code = tf.autograph.to_code(assigned_first)
    assert "ag__.read" not in code and "Undefined('total')" not in code
    assert tf.function(assigned_first)(tf.constant(2.0)).numpy() == 6.0


def set_in_both(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


def set_or_raised(x):
    if x > 0:
        y = 1
    elif x > -5:
        y = 2
    else:
        raise ValueError("small")
    return y


@pytest.mark.parametrize("f", [set_in_both, set_or_raised])
def test_set_in_every_branch(f):
    assert "ag__.read" not in tf.autograph.to_code(f)
    assert [tf.autograph.to_graph(f)(x) for x in (1, -1)] == [1, 2]


def deleted(x):
    y = 1
    if x > 0:
        del y
    return y


def deleted_in_a_loop(x):
    y = 1
    for i in range(2):
        if x > 0:
            x = x + y
        if i == 0:
            del y
    return x


def deleted_by_an_inner_function(x):
    y = 1

    def drop():
        nonlocal y
        del y

    if x > 0:
        y = 2
    drop()
    if x > 0:
        return y
    return x


def an_exception_s_name(x):
    e = 1
    try:
        if x > 0:
            raise ValueError
    except ValueError as e:
        pass
    if x > 5:
        e = 3
    return e


def set_in_a_try(x):
    try:
        if x > 0:
            raise ValueError
        y = 1
    except ValueError:
        pass
    if x > 5:
        y = 3
    return y


def set_in_a_loop(x):
    for i in range(3):
        if i * x > 0:
            x = x + z
        if x > 5:
            z = i
    return x


def read_before(x):
    if x > 0:
        x = y
    y = 1
    if x > 5:
        y = 2
    return y


def read_by_an_inner_function(x):
    def inner():
        return y + 1

    if x > 0:
        return inner()
    y = 1
    if x > -5:
        y = 2
    return inner()


@pytest.mark.parametrize(
    "f",
    [deleted, deleted_in_a_loop, deleted_by_an_inner_function, an_exception_s_name, set_in_a_try, set_in_a_loop, read_before,
     read_by_an_inner_function],
)  # fmt: skip
def test_unset_variables(f):
    """As Python has it: what is not set when it is read is an error, else the value is Python's."""
    for x in (1, -1, 6):
        try:
            expected = f(x)
        except NameError:
            with pytest.raises(NameError):
                tf.autograph.to_graph(f)(x)
        else:
            assert tf.autograph.to_graph(f)(x) == expected


def one_return(x):
    y = x * 2
    while y > 10:
        y -= 3
    return y


def test_a_return_at_the_end_stays():
    code = tf.autograph.to_code(one_return)
    assert "do_return_" not in code and "return y" in code
    assert tf.function(one_return)(tf.constant(20)).numpy() == one_return(20)


def only_annotations(x):
    y: int
    if x:
        z: int
    with tf.name_scope("a"):
        w: int


def test_blocks_of_annotations():
    assert tf.autograph.to_graph(only_annotations)(True) is None
