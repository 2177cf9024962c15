"""tensorflow.python.X and tf.__internal__: what packages that extend TensorFlow import beside the public names."""

import importlib
import logging
import subprocess
import sys

import pytest
from installed import installed

import sluice as tf
from sluice.internal import contexts, decorators, inspection, keras, modules, structures, test_modes

_ROWS = [(path, row) for path, row in modules._ROWS.items()]


@pytest.mark.parametrize("path, row", _ROWS, ids=[p for p, _ in _ROWS])
def test_rows_name_what_there_is(path, row):
    spaces, own = row
    for space in spaces.split():
        importlib.import_module("sluice" if space == "tf" else f"sluice.{space}")
    module = modules.PrivateModule(path)
    for names in own.values():
        for pair in names.split():
            getattr(module, pair.partition("=")[0])


def test_the_graph_of_graph_mode_can_be_reset():
    with contexts.graph_mode():
        before = tf.compat.v1.get_default_graph()
        tf.compat.v1.reset_default_graph()
        assert tf.constant(1.0).graph is tf.compat.v1.get_default_graph() is not before
    with tf.Graph().as_default(), pytest.raises(AssertionError, match="nested graphs"):
        tf.compat.v1.reset_default_graph()
    assert tf.executing_eagerly()


def test_what_a_call_gives():
    def f(a, b=2, *c, d=4, **e):
        pass

    class Owner:
        def method(self, x, y=1, **more):
            pass

    owner = Owner()
    assert inspection.getcallargs(f, 1, 5, 3, z=6) == {"z": 6, "a": 1, "b": 5, "d": 4}
    assert inspection.getcallargs(f, 7, a=1, q=8) == {"a": 1, "q": 8, "b": 7, "d": 4}
    assert inspection.getcallargs(owner.method, 3, w=4) == {"w": 4, "self": owner, "x": 3, "y": 1}
    assert inspection.getcallargs(lambda x: x, training=True, x=1) == {"training": True, "x": 1}


def test_attributes_that_are_not_tracked():
    from sluice.core.trackable import no_automatic_dependency_tracking_scope

    module = tf.Module()
    with no_automatic_dependency_tracking_scope(module):
        module.kept = {"a": 1}
    module.tracked = {"a": 1}
    assert type(module.kept) is dict is not type(module.tracked)


def test_stand_ins_for_nodes_are_told_their_device():
    class Node:
        def _set_device_from_string(self, text):
            self.told = text

    node = Node()
    with tf.Graph().as_default() as g, tf.device("/cpu:1"):
        g._apply_device_functions(node)
    assert node.told == "/device:CPU:1"


def run(code):
    done = subprocess.run([sys.executable, "-m", "sluice", "-c", code], capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr.strip().rpartition("\n")[2]


def test_packages_import_them():
    out, error = run(
        "from tensorflow.python.framework import ops, dtypes\n"
        "from tensorflow.python.ops import array_ops, gen_math_ops, math_ops\n"
        "from tensorflow.python.ops.linalg.sparse import sparse_csr_matrix_ops\n"
        "from tensorflow.core.protobuf import config_pb2\n"
        "from tensorflow.core.framework.graph_pb2 import GraphDef\n"
        "from tensorflow.compiler.tf2xla.python.xla import dynamic_update_slice\n"
        "import tensorflow.python.util.nest, tensorflow.compat.v2.math\n"
        "print(array_ops.shape(ops.convert_to_tensor([1, 2])).numpy(), math_ops.reduce_sum([1, 2], keepdims=True).numpy())\n"
        "print(gen_math_ops.mat_mul([[2.]], [[3.]]).numpy(), config_pb2.ConfigProto(log_device_placement=True), GraphDef())\n"
        "print(dynamic_update_slice([1, 2, 3], [9], [1]).numpy(), array_ops.where_v2([True], 1, 2).numpy())\n"
    )
    assert (out, error) == ("[2] [3]\n[[6.]] log_device_placement: true\n \n[1 9 3] [1]\n", "")


def test_what_is_not_there_is_told():
    _, error = run("import tensorflow.python.framework.experimental")
    assert error == (
        "ModuleNotFoundError: No module named 'tensorflow.python.framework.experimental': sluice stands for tensorflow, and has no "
        "'python.framework.experimental'"
    )
    _, error = run("import tensorflow.core.graph")  # a module of this package, and none of TensorFlow's
    assert error.startswith("ModuleNotFoundError: No module named 'tensorflow.core.graph'")
    _, error = run("from tensorflow.python.framework import ops; ops.no_such_name")
    assert "module 'tensorflow.python.framework.ops' has no attribute 'no_such_name': sluice stands" in error


# ---- decorators


def test_decorated_functions_keep_their_signature():
    def f(a, b=2):
        """Text."""

    def call(*args, **kwargs):
        return f(*args, **kwargs)

    made = tf.__internal__.decorator.make_decorator(f, call, "wraps")
    assert made.__name__ == "f" and made.__doc__ == "Text."
    found, inner = tf.__internal__.decorator.unwrap(made)
    assert inner is f and [d.decorator_name for d in found] == ["wraps"]
    assert inspection.getfullargspec(made).args == ["a", "b"]
    assert inspection.getargspec(made).defaults == (2,)
    assert list(inspection.signature(made).parameters) == ["a", "b"]


def test_deprecated_functions_say_so_once(caplog):
    @decorators.deprecated("2030-01-01", "Use g.")
    def f():
        return 1

    @decorators.deprecated_args(None, "Leave it out.", "old", ("kind", "fine"))
    def g(new=None, old=None, kind=None):
        return new

    with caplog.at_level(logging.WARNING, "sluice"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(logging.getLogger("sluice"), "propagate", True)
        assert f() == f() == 1
        g(1, kind="fine")
        g(1, old=3)
        with decorators.silence():
            g(kind="bad")
    said = [r.getMessage() for r in caplog.records]
    assert len(said) == 2
    assert "f (from " in said[0] and "is deprecated and will be removed after 2030-01-01.\nInstructions for" in said[0]
    assert "with old is deprecated and will be removed in a future version.\n" in said[1]
    assert decorators.deprecated_argument_lookup("new", None, "old", 4) == 4
    with pytest.raises(ValueError, match="Cannot specify both 'old' and 'new'"):
        decorators.deprecated_argument_lookup("new", 3, "old", 4)


def test_exported_names():
    @decorators.keras_export("keras.layers.Mine", v1=["keras.Old"])
    class Mine:
        pass

    assert decorators.get_canonical_name_for_symbol(Mine, "keras") == "keras.layers.Mine"
    assert decorators.get_symbol_from_name("keras.Old") is Mine
    assert decorators.get_canonical_name_for_symbol(int) is None


# ---- structures


def test_paths_of_structures():
    s = {"b": [1, 2], "a": (3,)}
    assert list(structures.yield_flat_paths(s)) == [("a", 0), ("b", 0), ("b", 1)]
    assert structures.flatten_with_joined_string_paths(s) == [("a/0", 3), ("b/0", 1), ("b/1", 2)]
    assert structures.map_structure_with_paths(lambda p, x: f"{p}={x}", s) == {"b": ["b/0=1", "b/1=2"], "a": ("a/0=3",)}
    assert structures.map_structure_with_tuple_paths_up_to({"a": 0, "b": 0}, lambda p, x: (p, x), s) == {
        "a": (("a",), (3,)),
        "b": (("b",), [1, 2]),
    }
    assert structures.get_traverse_shallow_structure(lambda x: not isinstance(x, tuple), [1, (2, 3)]) == [True, False]
    assert structures.flatten_dict_items({(4, 5): (6, 7), "x": 1}) == {4: 6, 5: 7, "x": 1}
    assert structures.list_to_tuple([1, {"a": [2]}]) == (1, {"a": (2,)})
    with pytest.raises(TypeError, match="If shallow structure is a sequence, input must also be a sequence"):
        structures.assert_shallow_structure([1, [2]], [1, 2])


# ---- graphs, values, modes


def test_conditions_that_are_known():
    assert contexts.smart_cond(True, lambda: 1, lambda: 2) == 1
    with tf.Graph().as_default() as g:
        assert contexts.smart_cond(tf.constant(False), lambda: 1, lambda: 2) == 2
        made = contexts.smart_cond(tf.compat.v1.placeholder(tf.bool, []), lambda: 1, lambda: 2)
        assert contexts.constant_value_as_shape(tf.stack([3, -1])).as_list() == [3, None]
        after = contexts.with_dependencies([made], tf.constant(1))
        assert after.op.control_inputs or after.op.type == "Identity"
        found = contexts.get_backward_walk_ops([after])
        assert found[0] is after.op and all(o.graph is g for o in found)
    with pytest.raises(TypeError, match="`pred` must be a Tensor, or a Python bool"):
        contexts.smart_cond("yes", lambda: 1, lambda: 2)


def test_the_context():
    context = contexts.context()
    context.ensure_initialized()
    context.clear_kernel_cache()
    assert context.executing_eagerly() and context.num_gpus() == 0 and context.device_name is None
    with tf.device("CPU:0"):
        assert context.device_spec.device_type == "CPU" and context.device_name.endswith("CPU:0")


def test_modes_of_tests():
    seen = []

    class Tests(test_modes.TensorFlowTestCase):
        @test_modes.run_in_graph_and_eager_modes
        def test_both(self):
            seen.append(tf.executing_eagerly())
            self.assertEqual(self.evaluate(tf.constant(1) + 1), 2)

        @test_modes.deprecated_graph_mode_only
        def test_graph(self):
            seen.append(tf.executing_eagerly())

    for name in ("test_both", "test_graph"):
        result = Tests(name).run()
        assert result.wasSuccessful(), result.errors
    assert seen == [False, True, False]


# ---- dispatch, and objects that stand for tensors


class _Odd:
    """Nothing that converts to a tensor."""


def test_dispatchers_take_what_functions_refuse():
    class Dispatcher(tf.__internal__.dispatch.GlobalOpDispatcher):
        def handle(self, op, args, kwargs):
            return ("odd", op.__name__) if any(isinstance(a, _Odd) for a in args) else self.NOT_SUPPORTED

    with pytest.raises(ValueError):
        tf.reduce_sum(_Odd())
    made = Dispatcher()
    made.register()
    try:
        assert tf.reduce_sum(_Odd()) == ("odd", "reduce_sum")
        with pytest.raises((TypeError, ValueError)):
            tf.reduce_sum(object())
    finally:
        from sluice.core import dispatch

        dispatch._dispatchers.remove(made)


class StandIn(tf.__internal__.types.Tensor):
    """Stands for a variable, as Keras's do."""

    _should_act_as_resource_variable = True

    def __init__(self, value):
        self.value = tf.Variable(value)

    handle = property(lambda self: self.value.handle)

    def __tf_tensor__(self, dtype=None, name=None):
        return tf.convert_to_tensor(self.value, dtype=dtype, name=name)


def test_objects_that_stand_for_variables():
    assert isinstance(tf.constant(1), tf.__internal__.types.Tensor)
    assert not isinstance(1, tf.__internal__.types.Tensor)
    x = StandIn(3.0)
    with tf.GradientTape() as tape:
        y = tf.multiply(x, x)
    assert isinstance(x, tf.__internal__.types.Tensor) and not isinstance(x, tf.Tensor)
    assert tape.gradient(y, x).numpy() == 6.0


def test_users_attributes_do_not_meet_the_packages():
    class Layer(tf.__internal__.tracking.AutoTrackable):
        def __init__(self):
            self._tracked = []
            self._deferred = 1
            self.v = tf.Variable(1.0)

    made = Layer()
    assert made._tracked == [] and made._deferred == 1
    assert list(made._trackable_children()) == ["_tracked", "v"]


def test_nodes_beside_a_variable_of_eager_code():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        with tf.compat.v1.colocate_with(v):
            return tf.constant(2.0) + 1.0

    assert f().numpy() == 3.0


# ---- Keras


def test_without_standing_for_tensorflow_there_is_no_keras():
    with pytest.raises(AttributeError, match="Keras is a package of its own, which imports tensorflow"):
        tf.keras


@pytest.mark.skipif(not installed("keras"), reason="needs the package keras")
def test_keras_is_the_package():
    out, error = run(
        "import tensorflow as tf; from tensorflow.keras.layers import Dense; print(tf.keras.layers.Dense is Dense)"
    )
    assert (out, error) == ("True\n", "")


def test_which_keras(monkeypatch):
    assert keras._root("") == "keras._tf_keras.keras"
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    assert keras._root("compat.v1") == "tf_keras.api._v1.keras"


# ---- what saved models bring back, and operators as functions


def test_saved_objects_become_what_packages_register(tmp_path):
    from sluice.saving import revived_types

    class Kept(tf.__internal__.tracking.AutoTrackable):
        _object_identifier = "_tests_kept"

    made = []

    def factory(proto):
        made.append(proto.identifier)
        return Kept()

    registered = tf.__internal__.saved_model.load
    registered.register_revived_type(
        "_tests_kept", lambda x: isinstance(x, Kept), [registered.VersionedTypeRegistration(factory, 1, 0)]
    )
    try:
        root = tf.Module()
        root.kept = Kept()
        root.kept.v = tf.Variable(3.0)
        tf.saved_model.save(root, str(tmp_path))
        loaded = tf.saved_model.load(str(tmp_path))
        assert isinstance(loaded.kept, Kept) and made == ["_tests_kept"] and loaded.kept.v.numpy() == 3.0
        with pytest.raises(AssertionError, match="Duplicate registrations"):
            registered.register_revived_type("_tests_kept", None, [])
    finally:
        revived_types._registered.pop("_tests_kept")


def test_operators_as_functions():
    ops = tf.__operators__
    x = tf.constant([1, 2, 3])
    assert ops.getitem(x, slice(1, None)).numpy().tolist() == [2, 3]
    assert ops.add("a", "b").numpy() == b"ab" and ops.eq(x, 2).numpy().tolist() == [False, True, False]
    assert ops.ragged_getitem(tf.ragged.constant([[1], [2, 3]]), 1).numpy().tolist() == [2, 3]
    assert callable(tf.Variable.assign) and tf.Variable(1.0).assign(2.0).numpy() == 2.0


def test_functions_for_types():
    class Pair:
        pass

    @tf.__internal__.dispatch.add_dispatch_support
    def twice(x):
        return tf.convert_to_tensor(x) * 2

    @decorators.dispatch_for_types(twice, Pair)
    def _(x):
        return "pair"

    assert twice(3).numpy() == 6 and twice(Pair()) == "pair"
    with pytest.raises((TypeError, ValueError)):
        twice(object())


def test_numbers_within_bounds():
    from sluice.ops import random_ops

    made = random_ops.parameterized_truncated_normal([2, 100], minvals=[0.0, -1.0], maxvals=[1.0, 0.0], seed=1).numpy()
    assert 0 <= made[0].min() and made[0].max() <= 1 and -1 <= made[1].min() and made[1].max() <= 0


def test_static_values_of_what_is_no_tensor():
    for value in (3, "a", [1, 2], tf.int32, None, tf.TensorShape([1])):
        assert tf.get_static_value(value) is value
    assert tf.get_static_value(tf.Variable(1.0)) is None and tf.get_static_value(tf.constant(2)) == 2
    assert tf.while_loop(lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=tf.constant(3).numpy())[0] == 3


def test_graphs_within_each_other_see_outer_tensors():
    """Keras asks layers for their outputs' shapes in graphs like these, layers within layers."""
    with tf.__internal__.FuncGraph("outer").as_default() as outer:
        x = tf.compat.v1.placeholder(tf.float32, [2, None])
        with tf.__internal__.FuncGraph("inner").as_default() as inner:
            y = tf.cast(x, tf.float64) + 1.0
        assert (
            y.graph is inner and y.shape.as_list() == [2, None] and [v is x for v in inner.external_captures] == [True]
        )
    assert inner.outer_graph is outer and type(outer.outer_graph) is tf.Graph
    with tf.__internal__.FuncGraph("later").as_default(), pytest.raises(TypeError, match="out of scope"):
        tf.cast(x, tf.float64)


def test_what_counts_as_tensors():
    class Converted:
        def __tf_tensor__(self, dtype=None, name=None):
            return tf.constant(1)

    class Like:
        is_tensor_like = True

    class Extension(tf.experimental.ExtensionType):
        x: tf.Tensor

    dataset = tf.data.Dataset.range(3)
    rows = tf.IndexedSlices(tf.ones(1), tf.constant([0]))
    for value in (
        tf.constant(1),
        tf.Variable(1),
        tf.sparse.eye(2),
        tf.ragged.constant([[1]]),
        rows,
        Like(),
        StandIn(1.0),
    ):
        assert tf.is_tensor(value)
    for value in (Converted(), Extension(tf.constant(1)), dataset, iter(dataset), tf.TensorArray(tf.float32, 1), 3):
        assert not tf.is_tensor(value)
    assert tf.debugging.is_numeric_tensor(tf.constant(1)) and not tf.debugging.is_numeric_tensor(tf.Variable(1))


def test_batch_sizes_of_datasets():
    from sluice.internal import keras_hooks

    numbers = tf.data.Dataset.range(10)
    sizes = [(numbers.batch(4), 4), (numbers.batch(4, drop_remainder=True), 4), (numbers, -1), (numbers.batch(3).batch(2), 2)]
    assert [int(keras_hooks.compute_batch_size(d)) for d, _ in sizes] == [n for _, n in sizes]
