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


def test_products_of_bools_are_conjunctions():
    a, b = tf.constant([True, False, True]), tf.constant([True, True, False])
    assert (a * b).numpy().tolist() == tf.function(lambda: a * b)().numpy().tolist() == [True, False, False]
    assert (a * True).numpy().tolist() == (True * a).numpy().tolist() == [True, False, True]
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        tf.multiply(a, b)


def test_functions_of_two_take_what_operators_take():
    x, flags = tf.constant([1.0, 4.0]), tf.constant([True, False])
    assert tf.maximum(x, 2).numpy().tolist() == tf.maximum(2.0, x).numpy().tolist() == [2.0, 4.0]
    assert tf.add(tf.constant("a"), "b").numpy() == tf.add("a", tf.constant("b")).numpy() == b"ab"
    assert tf.logical_and(flags, True).numpy().tolist() == [True, False]
    assert tf.pow(tf.constant(2), 3).dtype == tf.int32 and tf.divide(tf.constant(3), 2).numpy() == 1.5
    assert tf.not_equal(1, tf.constant(1)).numpy() == False  # noqa: E712
    for call in (
        lambda: tf.logical_and(x, x),
        lambda: tf.add(x, tf.constant([1, 2])),
        lambda: tf.multiply(x, [1.0, 2.0, 3.0]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError):
            call()
    with pytest.raises(TypeError):
        tf.multiply(tf.constant(1), 2.5)
    with tf.Graph().as_default():
        assert tf.multiply(2.0, tf.compat.v1.placeholder(tf.float32, [])).op.type == "Mul"


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


@pytest.mark.parametrize(
    "dtype", "float16 float32 float64 int8 uint16 int32 int64 uint64 bool complex64 complex128".split()
)
def test_numpy_has_the_tensors_type(dtype):
    for value in (1, [1, 0], [[], []], [[[1]], [[0]]]):
        want = np.array(value, dtype)
        got = tf.constant(want).numpy()
        assert got.dtype == want.dtype and got.shape == want.shape and np.array_equal(got, want)
        assert type(got) is (np.dtype(dtype).type if value == 1 else np.ndarray)
        assert value == 1 or (got.flags.writeable and got.flags.owndata and got.flags.c_contiguous)


def test_arrays_become_tensors():
    rows = np.arange(6, dtype=np.int16).reshape(2, 3)
    for array in (rows, rows.T, rows[:, ::2], rows[0, 0], rows[:0], rows > 2, rows.astype(">i4"), rows.astype("f2")):
        made = tf.constant(array)
        assert made.dtype == array.dtype.newbyteorder("=") and np.array_equal(made.numpy(), array)
    assert tf.constant(rows, tf.float32).dtype == tf.float32
    assert tf.convert_to_tensor(rows, dtype_hint=tf.float32).dtype == tf.float32


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
    with pytest.raises(ValueError, match="are not compatible"):
        s.merge_with([3, 3])


def test_names_that_are_not_there_say_so():
    with pytest.raises(AttributeError, match="module 'sluice' has no attribute 'no_such_name'"):
        tf.no_such_name


def test_empty_arrays_of_objects_are_strings():
    assert tf.constant(np.array([], dtype=object)).dtype == tf.string
    assert tf.constant(np.zeros((0, 2), dtype=object)).shape == (0, 2)
    assert tf.constant(np.array([], dtype=object), tf.int32).dtype == tf.int32


@pytest.mark.parametrize("dims, text", [(None, "<unknown>"), ([None, 2], "(None, 2)")])
def test_shapes_that_are_partly_known_are_no_tensors(dims, text):
    with pytest.raises(ValueError) as raised:
        tf.convert_to_tensor(tf.TensorShape(dims))
    assert str(raised.value) == f"Cannot convert a partially known TensorShape {text} to a Tensor."


class Reflecting:
    """No tensor, with operators of its own."""

    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"

    def __rxor__(self, other):
        return "rxor"

    def __rmul__(self, other):
        return NotImplemented

    def __gt__(self, other):
        return "gt"


class Refusing(Reflecting):
    def __tf_tensor__(self, dtype=None, name=None):
        raise ValueError("no tensor")


@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
@pytest.mark.parametrize("other", [Reflecting(), Refusing()])
def test_what_is_no_tensor_is_asked_for_its_operator(make, other):
    """As Keras's symbolic tensors are."""

    def all_of(x):
        assert x + other == "radd" and x @ other == "rmatmul" and x ^ other == "rxor"
        for refused in (lambda: x * other, lambda: x < other, lambda: other + x):
            with pytest.raises((ValueError, TypeError)):
                refused()
        return tf.constant(0)

    x = make(2)
    all_of(x)
    tf.function(lambda: all_of(x), autograph=False)()


def test_operands_of_other_types_stay_errors():
    with pytest.raises(TypeError, match="Cannot convert 1.5"):
        tf.constant(2) * 1.5
    assert tf.constant(2) * "a" == "aa"


@pytest.mark.parametrize("two", [tf.constant(2.0), tf.constant(2, tf.int64)])
def test_numbers_of_a_list_take_the_type_that_an_op_prefers(two):
    def all_of():
        return tf.reshape(tf.ones(4), (2, two)), tf.fill([two, 2], 1), tf.pad(tf.ones((2, 2)), [[0, two], [0, 0]])

    for run in (all_of, tf.function(all_of)):
        assert [x.shape.as_list() for x in run()] in ([[2, 2], [2, 2], [4, 2]], [[2, 2], [None, 2], [None, None]])
    assert tf.convert_to_tensor([1, two], dtype_hint=tf.int32).dtype == tf.int32
    assert tf.convert_to_tensor([1, two]).dtype == two.dtype


def test_what_counts_as_a_tensor():
    base = tf.__internal__.types.Tensor

    class Named(base):
        pass

    for value in (tf.constant(1), tf.Variable(1)):
        assert isinstance(value, base) and issubclass(type(value), base) and not isinstance(value, Named)
    assert isinstance(Named(), base) and issubclass(Named, base) and not isinstance(1, base)


def test_places_of_scatter_nd_have_the_shapes_type():
    places = tf.constant([[0, 1]], tf.int64)
    assert tf.scatter_nd(places, [2.0], (2, 2)).numpy().tolist() == [[0, 2], [0, 0]]
    assert tf.scatter_nd([[1]], [2.0], tf.constant([2], tf.int64)).numpy().tolist() == [0, 2]
    assert tf.function(lambda: tf.scatter_nd(places, [2.0], (2, 2)))().numpy().tolist() == [[0, 2], [0, 0]]


def test_indexed_slices_stay_such():
    rows = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([3, 1, 3]), tf.constant([5]))
    for made in (tf.cast(rows, tf.float32), tf.cast(rows, "float64"), tf.identity(rows), tf.stop_gradient(rows)):
        assert isinstance(made, tf.IndexedSlices) and made.values.numpy().tolist() == [1, 2, 3]
        assert made.indices.numpy().tolist() == [3, 1, 3] and made.dense_shape.numpy().tolist() == [5]
    assert tf.cast(rows, "float64").dtype == tf.float64
    assert tf.identity(tf.IndexedSlices(rows.values, rows.indices)).dense_shape is None


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16"])
def test_linspace_keeps_its_ends(dtype):
    low, high = tf.constant(0, dtype), tf.constant(np.inf, dtype)
    assert np.array_equal(np.float32(tf.linspace(low, high, 3)), [0, np.inf, np.inf])
    assert np.array_equal(np.float32(tf.linspace([low], [high], 3)), [[0], [np.inf], [np.inf]])
    assert np.array_equal(np.float32(tf.linspace(low, tf.constant(2, dtype), 5)), [0, 0.5, 1, 1.5, 2])
    assert np.array_equal(np.float32(tf.linspace(high, low, 1)), [np.inf])


def test_a_scalar_is_its_own_reverse():
    assert tf.reverse(tf.constant(3.0), [0]).numpy() == 3


def test_formats_are_those_of_numpy():
    assert f"{tf.constant([1.5, 2.0])} {tf.constant(1.5):.2f} {tf.constant([[True]])}" == "[1.5 2. ] 1.50 [[ True]]"


def test_what_only_graphs_have_is_told():
    for name in ("op", "graph", "name"):
        with pytest.raises(AttributeError, match=f"Tensor.{name} is undefined when eager execution is enabled"):
            getattr(tf.constant(1), name)


def test_constants_are_named_below_the_node_that_takes_them():
    with tf.Graph().as_default() as g:
        x = tf.zeros([4], name="x")
        tf.reshape(x, [2, 2])[0, 1:]
        tf.range(3)
        tf.equal(x, 0.0)
        names = [o.name for o in g.get_operations()]
    slices = ["strided_slice/stack", "strided_slice/stack_1", "strided_slice/stack_2", "strided_slice"]
    ranges = ["range/start", "range/limit", "range/delta", "range"]
    assert names == ["x", "Reshape/shape", "Reshape", *slices, *ranges, "Equal/y", "Equal"]


def test_linspace_of_no_values():
    for start, stop, axis, shape in ((0.0, 1.0, 0, [0]), ([0.0, 1.0], [2.0, 3.0], 0, [0, 2]), ([0.0], [2.0], -1, [1, 0])):
        for num in (0, tf.constant(0)):
            assert tf.linspace(start, stop, num, axis=axis).shape == shape
    assert tf.linspace(tf.constant(0, tf.bfloat16), tf.constant(1, tf.bfloat16), 0).shape == [0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.linspace([0.0], [1.0], -1)


def test_a_scalar_is_the_length_of_zeros():
    @tf.function
    def f(n):
        return tf.zeros(n, tf.int32), tf.ones(n), tf.zeros(n, tf.qint8)

    for zeros, ones, quantized in (f(tf.constant(3)), (tf.zeros(tf.constant(3), tf.int32), tf.ones(3), tf.zeros(3, tf.qint8))):
        assert zeros.numpy().tolist() == [0, 0, 0] and ones.numpy().tolist() == [1.0, 1.0, 1.0] and quantized.shape == [3]
