"""Tensors: made of Python's and numpy's values, shown, computed with, sliced, refused. What is expected was taken from
TensorFlow 2.21."""

import gc
import weakref

import numpy as np
import pytest

import sluice as tf


@pytest.mark.parametrize(
    "value, dtype, shape",
    [
        (1, tf.int32, ()),
        (1.0, tf.float32, ()),
        (True, tf.bool, ()),
        ("a", tf.string, ()),
        (1j, tf.complex128, ()),
        (2**40, tf.int64, ()),
        ([1, 2.5], tf.float32, (2,)),
        ([[1], [2]], tf.int32, (2, 1)),
        ([], tf.float32, (0,)),
        ([[], []], tf.float32, (2, 0)),
        (np.arange(3), tf.int64, (3,)),
        (np.float64(2), tf.float64, ()),
        (np.ones((2, 1), "f2"), tf.float16, (2, 1)),
        (["a", b"b"], tf.string, (2,)),
        (np.array(["x", "yz"]), tf.string, (2,)),
        ((1, 2), tf.int32, (2,)),
        (np.bool_(True), tf.bool, ()),
    ],
)
def test_values_have_their_types(value, dtype, shape):
    t = tf.constant(value)
    assert t.dtype is dtype and tuple(t.shape) == shape
    if dtype is not tf.string:
        np.testing.assert_array_equal(t.numpy(), np.asarray(value, t.dtype.as_numpy_dtype))


def test_types_are_asked_for():
    assert tf.constant([1, 2], tf.float64).dtype is tf.float64
    assert tf.constant(3, "int64").numpy() == 3
    assert tf.constant(1.0 / 3, tf.bfloat16).dtype is tf.bfloat16
    assert tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant(7, shape=[2]).numpy().tolist() == [7, 7]


@pytest.mark.parametrize(
    "value, dtype, error",
    [
        (1.5, tf.int32, TypeError),
        ("a", tf.int32, TypeError),
        ([[1], [2, 3]], None, ValueError),
        ([1, "a"], None, ValueError),
        (object(), None, ValueError),
        (1, tf.string, TypeError),
        (1j, tf.float32, TypeError),
    ],
)
def test_what_does_not_fit_is_refused(value, dtype, error):
    with pytest.raises(error):
        tf.constant(value, dtype)


def test_texts():
    assert repr(tf.constant(1.0)) == "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>"
    assert repr(tf.constant([1, 2])) == "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>"
    assert repr(tf.constant([[1.0]])) == "<tf.Tensor: shape=(1, 1), dtype=float32, numpy=array([[1.]], dtype=float32)>"
    assert repr(tf.constant("a")) == "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>"
    assert str(tf.constant([1, 2])) == "tf.Tensor([1 2], shape=(2,), dtype=int32)"
    assert f"{tf.constant(1.5):.2f}" == "1.50"
    assert repr(tf.float32) == "tf.float32" and str(tf.float32) == "<dtype: 'float32'>"
    assert repr(tf.TensorShape([None, 2])) == "TensorShape([None, 2])" and str(tf.TensorShape([3])) == "(3,)"


def test_operators_take_the_tensors_type():
    x = tf.constant([1.0, 2.0])
    for made, wanted in (
        (x + 1, [2, 3]),
        (1 - x, [0, -1]),
        (x * [2, 3], [2, 6]),
        (2 / x, [2, 1]),
        (x**2, [1, 4]),
        (-x, [-1, -2]),
        (x // 2, [0, 1]),
        (x % 2, [1, 0]),
        (abs(-x), [1, 2]),
    ):
        assert made.dtype is tf.float32
        assert made.numpy().tolist() == wanted
    i = tf.constant([5, -5])
    assert (i / 2).dtype is tf.float64 and (i / 2).numpy().tolist() == [2.5, -2.5]
    assert (i // 2).numpy().tolist() == [2, -3] and (i % 3).numpy().tolist() == [2, 1]
    assert (i & 4).numpy().tolist() == [4, 0] and (~i).numpy().tolist() == [-6, 4]
    t = tf.constant([True, False])
    assert (t & True).numpy().tolist() == [True, False] and (~t).numpy().tolist() == [False, True]
    assert (
        x @ tf.constant([[1.0], [1.0]]) if x.shape.rank == 2 else tf.constant([[1.0, 2.0]]) @ [[1.0], [1.0]]
    ).numpy().tolist() == [[3.0]]
    assert (np.float32(1) + x).numpy().tolist() == [2, 3]


def test_comparisons():
    x = tf.constant([1, 2, 3])
    assert (x < 2).numpy().tolist() == [True, False, False] and (x == [1, 0, 3]).numpy().tolist() == [True, False, True]
    assert (x == tf.constant([1, 2])).numpy() == np.False_ and (x == None) is False and (x != None) is True  # noqa: E711
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert x.ref() == x.ref() and x.ref() != tf.constant(1).ref() and x.ref().deref() is x


def test_other_types_do_not_mix():
    mismatch = r"cannot compute {} as input #1\(zero-based\) was expected to be a float tensor but is a int32 tensor"
    with pytest.raises(tf.errors.InvalidArgumentError, match=mismatch.format("AddV2")):
        tf.constant(1.0) + tf.constant(1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=mismatch.format("Maximum")):
        tf.maximum(tf.constant(1.0), tf.constant(1))
    with pytest.raises(TypeError, match="Cannot convert 2.5 to EagerTensor of dtype"):
        tf.constant(1) < 2.5
    with pytest.raises(TypeError, match="`x` and `y` must have the same dtype, got tf.int32 != tf.float32"):
        tf.constant(1) / 2.5
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.constant(1) + object()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\] \[Op:AddV2\]"):
        tf.constant([1, 2]) + tf.constant([1, 2, 3])


def test_types_of_a_nodes_inputs():
    @tf.function
    def messages(x):
        told = []
        for call in (
            lambda: x + tf.constant(1),
            lambda: tf.pow(x, "a"),
            lambda: tf.concat([x, [1, "b"]], 0),
            lambda: tf.reshape(x, x),
        ):
            with pytest.raises(TypeError) as e:
                call()
            told.append(str(e.value))
        return told

    told = []
    f = tf.function(lambda x: told.extend(messages.python_function(x)) or x)
    f(tf.constant([1.0]))
    assert told == [
        "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'.",
        "Expected float32 passed to parameter 'y' of op 'Pow', got a of type 'str' instead. Error: Expected float32, but got a of "
        "type 'str'.",
        "Expected float32 passed to parameter 'values' of op 'ConcatV2', got [1, 'b'] of type 'list' instead. Error: Expected "
        "float32, but got [1, 'b'] of type 'list'.",
        "Value passed to parameter 'shape' has DataType float32 not in list of allowed values: int32, int64",
    ]


def test_numpy_is_cast_where_a_type_is_asked_for():
    assert tf.constant(np.array([1.5, 0.0]), tf.int32).numpy().tolist() == [1, 0]
    assert tf.constant(np.array([2, 0]), tf.bool).numpy().tolist() == [True, False]
    assert tf.constant([3, -3], tf.qint8).numpy().tolist() == [3, -3]
    assert tf.constant([300, -1], tf.uint8).numpy().tolist() == [44, 255]
    assert (tf.constant([1]) + np.array([1.5])).numpy().tolist() == [2]


def test_pythons_numbers():
    assert int(tf.constant(3)) == 3 and float(tf.constant(2.5)) == 2.5 and bool(tf.constant(0)) is False
    assert [10, 20, 30][tf.constant(1)] == 20 and len(tf.constant([[1], [2]])) == 2
    assert [int(v) for v in tf.constant([1, 2])] == [1, 2]
    with pytest.raises(TypeError, match="Scalar tensor has no"):
        len(tf.constant(1))
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(tf.constant(1))
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.constant([True, False]))


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(1, None),
        (slice(None), 1),
        (Ellipsis, 0),
        (None, 1),
        (slice(None, None, -1),),
        (1, slice(0, 2), None),
        (slice(-2, None), -1),
    ],
)
def test_slices_are_numpys(key):
    a = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(tf.constant(a)[key].numpy(), a[key])


def test_slices_by_tensors_and_masks():
    x = tf.constant([[1, 2], [3, 4]])
    assert x[tf.constant(1)].numpy().tolist() == [3, 4] and x[tf.constant(0) : tf.constant(1)].numpy().tolist() == [
        [1, 2]
    ]
    assert x[tf.constant([True, False])].numpy().tolist() == [[1, 2]] and x[x > 2].numpy().tolist() == [3, 4]
    with pytest.raises(TypeError, match="Only integers, slices"):
        x[1.5]
    with pytest.raises(tf.errors.InvalidArgumentError):
        x[5]


def test_elements_are_shared_with_buffers_and_copied_for_numpy():
    x = tf.constant([1.0, 2.0])
    view = memoryview(x)
    assert view.readonly and view.format == "f" and view.shape == (2,) and not np.asarray(view).flags.writeable
    mine = x.numpy()
    mine[0] = 9
    assert x.numpy().tolist() == [1.0, 2.0]
    del x
    gc.collect()
    assert view[1] == 2.0


def test_tensors_end():
    x = tf.constant([1.0])
    gone = weakref.ref(x)
    x.note = "anything"
    del x
    assert gone() is None


def test_raw_ops():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert tf.raw_ops.Sum(input=x, axis=0).numpy().tolist() == [4.0, 6.0]
    parts = tf.raw_ops.Split(axis=1, value=x, num_split=2)
    assert [p.numpy().tolist() for p in parts] == [[[1.0], [3.0]], [[2.0], [4.0]]]
    top = tf.raw_ops.TopKV2(input=[3, 1, 2], k=2)
    assert top.values.numpy().tolist() == [3, 2] and top.indices.numpy().tolist() == [0, 2]
    assert tf.raw_ops.IdentityN(input=[1, "a"])[1].numpy() == b"a"
    with pytest.raises(AttributeError, match="has no op 'NoSuchOp'"):
        tf.raw_ops.NoSuchOp
    with pytest.raises(TypeError, match="missing required argument 'b'"):
        tf.raw_ops.MatMul(a=x)
    with pytest.raises(TypeError, match="unexpected keyword argument 'c'"):
        tf.raw_ops.MatMul(a=x, b=x, c=1)


def test_shapes():
    s = tf.TensorShape([2, None])
    assert s.rank == 2 and s[0] == 2 and s.as_list() == [2, None] and not s.is_fully_defined()
    assert (
        s.is_compatible_with([2, 3])
        and not s.is_compatible_with([3, 3])
        and s.merge_with([None, 4]) == tf.TensorShape([2, 4])
    )
    assert (
        s + [5] == tf.TensorShape([2, None, 5])
        and s[1:] == tf.TensorShape([None])
        and tf.TensorShape(None).rank is None
    )
    with pytest.raises(ValueError, match="incompatible"):
        s.merge_with([3, 3])


def test_names_that_are_not_there_say_so():
    with pytest.raises(AttributeError, match="module 'sluice' has no attribute 'no_such_name'"):
        tf.no_such_name
