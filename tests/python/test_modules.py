"""Modules and trackable attributes: what they find, what containers track, what cannot be saved."""

import collections
import gc
import weakref

import pytest

import sluice as tf
from sluice.core import trackable_structures as structures


class Dense(tf.Module):
    def __init__(self, n, name=None):
        super().__init__(name)
        self.w = tf.Variable(tf.zeros([n, 1]), name="w")
        self.frozen = tf.Variable(0.0, trainable=False)


def test_names():
    assert tf.Module().name == "module" and Dense(1).name == "dense"

    class MyHTTPLayer2(tf.Module):
        pass

    assert MyHTTPLayer2().name == "my_http_layer2"
    with pytest.raises(ValueError, match="not a valid module name"):
        tf.Module("a b")


def test_what_is_found_and_in_which_order():
    m = tf.Module()
    m.layers = [Dense(1), (Dense(2), {"x": Dense(3)})]
    m.again = m.layers[0]
    m.own = tf.Variable(1.0)
    a, b, c = m.layers[0], m.layers[1][0], m.layers[1][1]["x"]
    assert [v.ref() for v in m.variables] == [
        v.ref() for d in (m, a, b, c) for v in ([m.own] if d is m else [d.frozen, d.w])
    ]
    assert [v.ref() for v in m.trainable_variables] == [v.ref() for v in (m.own, a.w, b.w, c.w)]
    assert len(m.non_trainable_variables) == 3
    assert m.submodules == (a, b, c)
    paths = dict(m._flatten(with_path=True, predicate=lambda v: isinstance(v, tf.Module)))
    assert set(paths) == {("again",), ("layers", 0), ("layers", 1, 0), ("layers", 1, 1, "x")}


def test_containers_are_what_they_were():
    m = tf.Module()
    Pair = collections.namedtuple("Pair", "a b")
    m.l, m.d, m.t, m.p = [1, tf.Variable(1.0)], {"a": tf.Variable(2.0)}, (1, 2), Pair(1, tf.Variable(3.0))
    assert isinstance(m.l, list) and isinstance(m.d, dict) and type(m.t) is tuple and isinstance(m.p, Pair)
    assert sorted(m._trackable_children()) == ["d", "l", "p"]
    m.l.append(tf.Variable(4.0))
    m.d["b"] = tf.Variable(5.0)
    assert sorted(m.l._trackable_children()) == ["1", "2"] and sorted(m.d._trackable_children()) == ["a", "b"]
    assert sorted(m.p._trackable_children()) == ["1", "b"]
    assert tf.nest.map_structure(lambda v: 0, m.d) == {"a": 0, "b": 0} and len(m.variables) == 5
    del m.d["a"]
    m.l = 3
    assert sorted(m._trackable_children()) == ["d", "p"] and len(m.variables) == 2


def test_classes_of_tuples_end():
    m = tf.Module()
    Pair = collections.namedtuple("Pair", "a b")
    m.p = Pair(1, tf.Variable(3.0))
    m.q = Pair(2, tf.Variable(3.0))
    assert type(m.p) is type(m.q) and isinstance(m.p, Pair)
    known = weakref.ref(Pair)
    del m, Pair
    for _ in range(3):
        gc.collect()
    assert known() is None


def test_what_cannot_be_saved():
    m = tf.Module()
    m.l = [tf.Variable(1.0)]
    m.l.insert(0, 3)
    with pytest.raises(ValueError, match="was replaced"):
        m.l._trackable_children()
    m.d = {1: tf.Variable(1.0)}
    with pytest.raises(ValueError, match="non-string key"):
        m.d._trackable_children()
    outer = []
    m.q = outer
    outer.append(tf.Variable(1.0))
    with pytest.raises(ValueError, match="modified outside the wrapper"):
        m.q._trackable_children()


def variable():
    return tf.Variable(1.0)


@pytest.mark.parametrize(
    "items, change, left",
    [
        ((), lambda a: a.clear(), []),
        ((1, 2, 3), lambda a: a.pop(0), []),
        ((1, 2, 3), lambda a: a.reverse(), []),
        ((1, 2, 3), lambda a: a.__setitem__(slice(0, 2), [7]), []),
        ((1, 2), lambda a: a.__setitem__(0, variable()), ["0"]),
        ((1, 2), lambda a: (a.clear(), a.append(variable())), ["0"]),
        ((1, 2), lambda a: a.insert(0, variable()), None),
        ((variable(), 2), lambda a: a.pop(), None),
        ((variable(), 2), lambda a: a.__setitem__(0, 2), None),
        ((variable(), 2), lambda a: a.__setitem__(1, 3), ["0"]),
        (([], []), lambda a: a.clear(), None),
    ],
)
def test_lists_that_change_are_saved_as_long_as_they_have_no_children(items, change, left):
    m = tf.Module()
    m.list = list(items)
    change(m.list)
    if left is None:
        with pytest.raises(ValueError, match="append-only"):
            m.list._trackable_children()
    else:
        assert sorted(m.list._trackable_children()) == left


def test_untracked_attributes():
    class Holder(tf.Module):
        @tf.__internal__.tracking.no_automatic_dependency_tracking
        def hold(self, value):
            self.held = value

    m = Holder()
    m.hold([tf.Variable(1.0)])
    assert type(m.held) is list and m._trackable_children() == {}
    m.v = structures.NoDependency(tf.Variable(2.0))
    assert m._trackable_children() == {} and float(m.v) == 2.0
