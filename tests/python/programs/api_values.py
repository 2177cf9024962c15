"""Python's and numpy's values as tensors, eagerly and in graphs: which type a list has, and what is refused with which words."""

import numpy as np
from programs import shows, tf

_SCALARS = "int8 uint8 int16 int32 int64 uint32 float16 float32 float64 complex64 bool_".split()


def _made(value, dtype=None, function=None):
    """The type and shape of the tensor, or the error."""
    try:
        made = (function or tf.constant)(value, dtype)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"{made.dtype.name} {made.shape}"


def _lists_of(scalar):
    x = getattr(np, scalar)(1)
    return [[x], [x, 1], [1, x], [x, 1.5], [[x, x], [1, 2]], [np.array(x), np.array(x)]]


def _arrays_of(scalar):
    x = np.array([1, 1], getattr(np, scalar))
    return [[x, x], [x, [1, 2]], [[1, 2], x]]


@shows
def lists_of_numpys_numbers():
    return {s: [_made(v) for v in _lists_of(s)] for s in _SCALARS}


@shows
def lists_of_numpys_arrays():
    return {s: [_made(v) for v in _arrays_of(s)] for s in _SCALARS if s != "complex64"}


@shows
def lists_of_numpys_numbers_in_graphs():
    with tf.Graph().as_default():
        return {s: [_made(v) for v in _lists_of(s)] for s in _SCALARS if s != "bool_"}


@shows
def lists_of_numpys_numbers_of_a_type():
    names = "int32 int64 float32 float64"
    return {s: [_made(v, getattr(tf, n)) for n in names.split() for v in _lists_of(s)[:4]] for s in _SCALARS[:9]}


@shows
def large_numbers_of_numpy():
    return [_made([np.int64(2**40), 1]), _made([1, np.int64(-(2**40))]), _made([np.uint8(200)]), _made(np.int64(3))]


_MIXED = [[1, True], [True, 1], [1.5, True], [True, 1.5], [1, "a"], ["a", 1], [1.0, 2j], [2j, 1], [True], True]


@shows
def mixed_lists():
    return {str(v): [_made(v, d) for d in (None, tf.float32, tf.float64, tf.int32, tf.complex128)] for v in _MIXED}


_REFUSED = [None, [None], "a", ["a"], [1, "a"], 1.5, [1.5], [[1, 2], [3]], 1j, {}, [1, 2.5], True, [True]]


@shows
def refused_values_in_graphs():
    with tf.Graph().as_default():
        return {
            str(v): [
                _made(v, d, f)
                for d in (None, tf.int32, tf.string, tf.bool)
                for f in (tf.constant, tf.convert_to_tensor)
            ]
            for v in _REFUSED
            if v != {}
        }


@shows
def refused_values():
    return {str(v): [_made(v, d) for d in (None, tf.int32, tf.float32, tf.string, tf.bool)] for v in _REFUSED[:-3]}


@shows
def numbers_out_of_range():
    return [_made(v, d) for v in (2**63, -(2**70), [2**63]) for d in (None, tf.int32, tf.int64, tf.float32)]


@shows
def shapes_as_values():
    shapes = tf.TensorShape([1, 2]), tf.TensorShape([2**31, 2])
    return [_made(s, d, tf.convert_to_tensor) for s in shapes for d in (None, tf.int32, tf.int64, tf.float32)]


@shows
def numbers_for_whole_ones():
    """A float where an op takes whole numbers is refused before the op is."""
    calls = [
        lambda: tf.one_hot(1.5, 3), lambda: tf.one_hot([1.5], 3), lambda: tf.math.invert_permutation(3.0),
        lambda: tf.math.invert_permutation([1.0, 0.0]),
    ]  # fmt: skip
    return [_made(f, None, lambda f, _: f()).partition(" is not in")[0] for f in calls]


@shows
def quotients():
    values = (
        [1, 2],
        tf.constant([1, 2]),
        tf.constant([1, 2], tf.uint8),
        tf.constant([1.0, 2.0]),
        tf.constant([1, 2], tf.int64),
        2,
    )
    return [_made(a, None, lambda a, _: tf.math.divide_no_nan(a, b)) for a in values for b in (*values, [0, 2], 2.0)]


@shows
def quotients_of_truths():
    b = tf.constant([True])
    return [
        _made(f, None, lambda f, _: f()) for f in (lambda: b / b, lambda: tf.divide(b, b), lambda: tf.truediv(b, b))
    ]


@shows
def repeats():
    x = [[1, 2], [3, 4]]
    calls = [
        ([1, 2, 3], [1, -2, 3]), ([1, 2, 3], [1, 2]), ([1, 2, 3], [1.0, 2, 3]), (x, [1, 2, 3], 1), (x, [1, 2], 2),
        (x, [[2]]), (3, tf.constant([2], tf.uint8)), ([], [], 0), (x, [0, 2], 0), (x, 0),
    ]  # fmt: skip
    return [_made(a, None, lambda a, _: tf.repeat(*a)) for a in calls], tf.repeat([1, 2, 3], [1, -2, 3])


@shows
def ranks_of_shapes():
    s = tf.TensorShape([2, None])
    calls = [lambda: s.with_rank_at_most(1), lambda: s.assert_same_rank([1]), lambda: s.cast([1, 2], None)]
    found = []
    for f in calls:
        try:
            found.append(str(f()))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    return found, str(s.with_rank_at_most(3)), s.flatten(), str(s.placeholder_value(None))


@shows
def gradients_of_variables_by_functions_of_their_own():
    @tf.custom_gradient
    def moved(x):
        x.assign_add(3.0)
        return x, lambda d: 2.0 * d

    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = moved(v)
    return tape.gradient(y, v), y


@shows
def kinds_of_calls():
    """A call of a function without state may go when nobody uses it."""
    v = tf.Variable(1.0)
    plain, stateful = tf.function(lambda x: x + 1.0), tf.function(lambda x: x + v)

    @tf.function
    def f(x):
        return plain(x) + stateful(x) + tf.function(lambda y: plain(y) * 2.0)(x)

    return [o.type for o in f.get_concrete_function(1.0).graph.get_operations() if "Call" in o.type]


@shows
def critical_sections():
    found = []
    with tf.Graph().as_default():
        a, b = tf.CriticalSection(shared_name="a"), tf.CriticalSection(shared_name="b")
        same = tf.CriticalSection(shared_name="a")
        v = tf.compat.v1.get_variable("v", initializer=0.0, use_resource=True)
        w = tf.compat.v1.get_variable("w", initializer=0.0, use_resource=True)
        a.execute(lambda: v + 1)
        a.execute(lambda: v - 1)
        b.execute(lambda: w + 1, exclusive_resource_access=False)
        a.execute(lambda: w + 1, exclusive_resource_access=False)
        for f in (
            lambda: b.execute(lambda: v + 1),
            lambda: b.execute(lambda: v + 1, exclusive_resource_access=False),
            lambda: a.execute(lambda: w + 1),
            lambda: a.execute(lambda: a.execute(lambda: tf.constant(1.0) + 1.0)),
            lambda: a.execute(lambda: same.execute(lambda: tf.constant(1.0) + 1.0)),
            lambda: a.execute(lambda: b.execute(lambda: tf.constant(1.0) + 1.0)),
        ):
            try:
                found.append(str(f().dtype.name))
            except ValueError as error:
                found.append(
                    [
                        w
                        for w in ("requested exclusive resource access", "in which we are already running")
                        if w in str(error)
                    ]
                )
    return found


@shows
def batched_calls():
    v = tf.Variable(5)

    @tf.nondifferentiable_batch_function(1, 10, 1000)
    def f(x, y):
        return {"a": x + v, "b": (y * 2,)}

    made = f(tf.constant([1, 2]), tf.constant([3.0, 4.0]))
    return made, tf.function(lambda x: f(x, tf.cast(x, tf.float32)))(tf.constant([1, 2]))


def ending(f, *args, **kwargs):
    """What is behind the message of the error of an op: the op's name, and its own."""
    try:
        f(*args, **kwargs)
    except tf.errors.OpError as error:
        return str(error)[str(error).rindex("[Op:") :]
    return "no error"


@shows
def errors_tell_names():
    raw, c = tf.raw_ops, tf.constant
    two, three, listed, array = c([1.0, 2.0]), c([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0], np.ones(3, np.float32)
    made = []
    for name in ({}, {"name": "q"}):
        made += [
            *(ending(raw.AddV2, x=two, y=y, **name) for y in (three, listed, array, tf.Variable(listed), c([1]))),
            *(ending(raw.Reshape, tensor=two, shape=s, **name) for s in (c([3]), [3], (3,), np.array([3]), [c(3)])),
            *(ending(raw.StringToNumber, string_tensor=s, **name) for s in ("zz", b"zz", c("zz"), np.array("zz"))),
            *(ending(raw.ConcatV2, values=v, axis=0, **name) for v in ([c([1.0]), c([[2.0]])], [[1.0], [[2.0]]])),
            *(ending(raw.FloorDiv, x=c([1]), y=y, **name) for y in (0, c(0), [0], np.int32(0))),
            *(
                ending(f, two, y, **name)
                for f in (tf.subtract, tf.multiply, tf.less, tf.equal)
                for y in (three, listed)
            ),
            *(ending(f, two, y, **name) for f in (tf.add, tf.divide) for y in (three, listed)),
            *(ending(tf.reshape, two, s, **name) for s in ([3], c([3]))),
            *(ending(tf.broadcast_to, two, s, **name) for s in ([3], c([3]))),
            *(ending(tf.fill, s, 1.0, **name) for s in ([-1], c([-1]))),
            *(ending(tf.reduce_sum, x, 5, **name) for x in ([1.0], two)),
            *(ending(tf.gather, two, i, **name) for i in ([5], c([5]))),
            *(ending(tf.transpose, c([[1.0]]), p, **name) for p in ([0, 0], c([0, 0]))),
            ending(tf.matmul, c([[1.0, 2.0]]), c([[1.0]]), **name),
            ending(tf.nn.bias_add, c([[1.0]]), two, **name),
            ending(tf.nn.bias_add, [[1.0]], [1.0, 2.0], **name),
        ]
    for y in (three, listed):
        made += [
            ending(f)
            for f in (
                lambda: two + y, lambda: two - y, lambda: two * y, lambda: two / y, lambda: two // y, lambda: two % y,
                lambda: two**y, lambda: two < y, lambda: y - two, lambda: y + two, lambda: y / two,
            )
        ]  # fmt: skip
    return made
