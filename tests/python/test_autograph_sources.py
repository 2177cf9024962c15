"""Which lines AutoGraph takes for the source of a function: behind decorators, around texts at the margin, of lambdas."""

import sluice as tf


def decorated(*unused):
    return lambda f: f


@decorated(
    1,
    ")",
)
def with_text_at_the_margin(x):
    text = """
def no_function(x):
"""
    # a comment at the margin
    if x > len(text):
        x = x + 1
    return x  # fmt: skip


def test_ends_of_sources():
    f = tf.function(with_text_at_the_margin)
    assert [f(tf.constant(x)).numpy() for x in (1, 50)] == [1, 51]
    converted = tf.autograph.to_graph(with_text_at_the_margin)
    assert converted.__code__.co_firstlineno == with_text_at_the_margin.__code__.co_firstlineno + 4  # of def


def test_lambdas_on_one_line():
    f = tf.function(lambda x: tf.map_fn(lambda x: x + 1 if x > 1 else x, x))
    both = [lambda x: x + 1 if x > 0 else x, lambda x: x - 1 if x > 0 else x]
    assert f(tf.constant([1, 2])).numpy().tolist() == [1, 3]
    assert [tf.function(g)(tf.constant(3)).numpy() for g in both] == [4, 2]
    default = tf.function(lambda x, n=sum(map(lambda y: y * 10, (1, 2))): n if x > 0 else -n)
    assert default(tf.constant(-1)).numpy() == -30
