"""The order of nodes with effects in functions: by the resources that they read and change."""

import numpy as np
import pytest

import sluice as tf

v, w = tf.Variable(1.0), tf.Variable(2.0)


def waits(function, *signature):
    """By node that waits for others, these; of the nodes that are not of the function's own control scopes."""
    g = tf.function(function, autograph=False).get_concrete_function(*signature).graph
    found = {o.name: sorted(c.name for c in o.control_inputs) for o in g.get_operations() if o.control_inputs}
    return found, [o.name for o in g.control_outputs]


def test_reads_run_side_by_side_and_changes_wait_for_them():
    def function():
        x, _ = v.read_value(), v.read_value()
        v.assign_add(x)
        y = v.read_value()
        w.assign(1.0)
        v.assign(3.0)
        return y

    found, must_run = waits(function)
    assert found == {
        "AssignAddVariableOp": ["ReadVariableOp", "ReadVariableOp_1"],
        "ReadVariableOp_2": ["AssignAddVariableOp"],
        "AssignVariableOp_1": ["AssignAddVariableOp", "ReadVariableOp_2"],
    }
    assert {"AssignAddVariableOp", "AssignVariableOp", "AssignVariableOp_1"} <= set(must_run)


def test_what_is_printed_and_called_keeps_its_order():
    def function():
        tf.py_function(lambda: None, [], [])
        v.assign(1.0)
        tf.print("b")
        tf.random.uniform([])
        tf.print("c")

    assert waits(function)[0] == {"PrintV2": ["EagerPyFunc"], "PrintV2_1": ["PrintV2"]}


@tf.function
def changes():
    v.assign_add(1.0)
    return w + 1.0


@tf.function
def reads():
    return v + w


@tf.function
def prints():
    tf.print("prints", v)


def test_calls_wait_as_what_they_do_has_to():
    def function():
        x, y = reads(), reads()
        changes()
        z = reads()
        tf.print("a")
        prints()
        w.assign(2.0)
        return x + y + z

    assert waits(function)[0] == {
        "StatefulPartitionedCall_2": ["StatefulPartitionedCall", "StatefulPartitionedCall_1"],
        "StatefulPartitionedCall_3": ["StatefulPartitionedCall_2"],
        "StatefulPartitionedCall_4": ["PrintV2", "StatefulPartitionedCall_2"],
        "AssignVariableOp": [
            "StatefulPartitionedCall",
            "StatefulPartitionedCall_1",
            "StatefulPartitionedCall_2",
            "StatefulPartitionedCall_3",
        ],
    }


def test_branches_and_loops_wait_as_their_bodies_have_to():
    def function():
        x = tf.cond(v > 0.0, lambda: v.assign_add(1.0), lambda: w.read_value())
        w.assign(3.0)
        y = tf.cond(x > 0.0, lambda: v.read_value(), lambda: x)
        v.assign(1.0)
        z = tf.while_loop(lambda i: i < v, lambda i: i + w, [0.0])
        v.assign(2.0)
        return x + y + z[0]

    assert waits(function)[0] == {
        "cond": ["ReadVariableOp"],
        "AssignVariableOp": ["cond"],
        "cond_1": ["cond"],
        "AssignVariableOp_1": ["cond", "cond_1"],
        "while": ["AssignVariableOp", "AssignVariableOp_1"],
        "AssignVariableOp_2": ["AssignVariableOp_1", "while"],
    }


def test_values_are_those_of_the_order_of_the_program():
    a, b = tf.Variable(0.0), tf.Variable(0.0)

    @tf.function
    def step(n):
        for _ in tf.range(n):
            a.assign_add(1.0)
            before = a.read_value()
            if before > 2.0:
                a.assign(b + 10.0)
            b.assign_add(a)
        return a + b

    assert float(step(4)) == 68.0
    assert (float(a), float(b)) == (26.0, 42.0)


@pytest.mark.parametrize("kind", ["queue", "table", "iterator"])
def test_other_resources_are_used_in_order(kind):
    if kind == "queue":
        queue = tf.queue.FIFOQueue(4, [tf.int64], [[]])

        def use(i):
            queue.enqueue(tf.constant(i, tf.int64))
            return queue.dequeue()

    elif kind == "table":
        table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.int64, -1)

        def use(i):
            table.insert(tf.constant(0, tf.int64), tf.constant(i, tf.int64))
            return table.lookup(tf.constant(0, tf.int64))

    else:
        numbers = iter(tf.data.Dataset.range(9))

        def use(i):
            return next(numbers)

    assert [int(x) for x in tf.function(lambda: [use(i) for i in range(4)], autograph=False)()] == [0, 1, 2, 3]


def test_who_takes_elements_changes_what_the_dataset_captured():
    counter = tf.Variable(0)

    def dataset():
        return tf.data.Dataset.range(10).map(count)

    def count(x):
        counter.assign_add(1)
        return x

    @tf.function
    def loop():
        for _ in dataset():
            pass
        return counter

    @tf.function
    def fold():
        dataset().reduce(np.int64(0), lambda s, x: s + x)
        return counter

    assert [int(loop()), int(fold()), int(loop())] == [10, 20, 30]
