"""What whole packages for TensorFlow ask of it beside its public functions; docs/python.md says which packages were tried."""

import gc
import inspect
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from installed import installed

import sluice as tf
from sluice.core import list_conversion, messages, variables
from sluice.core.bounded_spec import BoundedTensorSpec
from sluice.core.function_type import FunctionSpec
from sluice.core.sharded_variable import ShardedVariable
from sluice.internal import contexts, decorators, list_ops, modules
from sluice.ops import operator_functions
from sluice.platform.frozen_functions import convert_variables_to_constants_v2
from sluice.saving import saved_model_load, saved_model_save

v1 = tf.compat.v1


def in_process(code):
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- names of variables


def test_variables_of_functions_have_the_scopes_around():
    made = []

    @tf.function
    def f():
        if not made:
            with tf.name_scope("a"):
                made.append(tf.Variable(1.0, name="b"))
            with tf.name_scope("c"), tf.init_scope():
                made.append(tf.Variable(1.0, name="d"))
        return made[0] + made[1]

    with tf.name_scope("outside"):
        f()
        with tf.init_scope():
            made.append(tf.Variable(1.0, name="e"))
    assert [v.name for v in made] == ["a/b:0", "c/d:0", "outside/e:0"]
    assert tf.Variable(1.0, name="after").name == "after:0"


def test_modules_that_functions_build_have_their_names():
    class Layer(tf.Module):
        w = None

        @tf.Module.with_name_scope
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([2, 3]), name="w")
            return x @ self.w

    layer = Layer(name="layer")
    tf.function(layer.__call__)(tf.ones([1, 2]))
    assert layer.w.name == "layer/w:0"


def test_references_have_an_order():
    refs = [tf.Variable(1.0).ref() for _ in range(3)]
    assert sorted(refs) == sorted(refs, key=lambda r: id(r.deref()))
    with pytest.raises(TypeError):
        refs[0] < 1


# ---- graphs


def test_lists_with_dimensions():
    five = v1.Dimension(5)
    assert list_conversion.without_dimensions([[five, 2], 3]) == [[5, 2], 3]
    assert tf.convert_to_tensor([five, 3]).numpy().tolist() == [5, 3]
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [5, None])
        given = tf.convert_to_tensor([tf.shape(x)[1], five]), tf.SparseTensor([[0, 0]], [1.0], [five, five]).dense_shape
        made = session.run(given, {x: np.zeros([5, 2])})
    assert made[0].tolist() == [2, 5] and made[1].tolist() == [5, 5]


def test_contexts_of_control_flow_tell_what_they_are():
    with tf.Graph().as_default() as g:
        assert g._get_control_flow_context() is None
        seen = []
        v1.disable_control_flow_v2()
        try:

            def body(i):
                seen.append(g._get_control_flow_context())
                return i + 1

            out = tf.while_loop(lambda i: i < 3, body, [0])
        finally:
            v1.enable_control_flow_v2()
    (loop,) = seen
    assert loop.IsWhileContext() and not loop.IsCondContext() and not loop.IsXLAContext()
    assert loop.outer_context is None and loop.GetWhileContext() is loop
    assert tf.nest.flatten(out)[0].op._get_control_flow_context() in (None, loop)


def test_graphs_of_functions_are_within_a_graph():
    graphs = []

    @tf.function
    def inner():
        graphs.append(v1.get_default_graph())
        return 1

    @tf.function
    def outer():
        graphs.append(v1.get_default_graph())
        return inner()

    outer()
    own, within = graphs
    assert within.outer_graph is own and type(own.outer_graph) is tf.Graph
    with pytest.raises(AttributeError):
        own.outer_graph.outer_graph


def test_operations_know_what_waits_for_them():
    with tf.Graph().as_default():
        a = tf.constant(1.0)
        with tf.control_dependencies([a]):
            b = tf.constant(2.0)
        assert a.op._control_outputs == [b.op] and b.op._control_outputs == []


def test_callables_by_options():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [], name="x")
        v = v1.Variable(1.0)
        y = v + x
        add = v.assign_add(10.0)
        session.run(v.initializer)
        options = messages.CallableOptions()
        options.feed.append(x.name)
        options.fetch.append(y.name)
        options.target.append(add.op.name)
        step = session._make_callable_from_options(options)
        assert step(1.0)[0] in (2.0, 12.0) and session.run(v) == 11.0
        options.tensor_connection.add()
        with pytest.raises(NotImplementedError, match="tensor_connection"):
            session._make_callable_from_options(options)


def test_counted_evaluations(tmp_path):
    from sluice.training import evaluation

    def one(hook, steps):
        with tf.Graph().as_default():
            v = v1.get_variable("v", initializer=3.0)
            total, update = v1.metrics.mean(v)
            return evaluation._evaluate_once(
                str(tmp_path / "model"),
                eval_ops=update,
                final_ops=[total, evaluation._get_or_create_eval_step()],
                hooks=[hook(steps)],
            )

    with tf.Graph().as_default(), v1.Session() as session:
        v1.get_variable("v", initializer=7.0)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(tmp_path / "model"))
    assert one(evaluation._StopAfterNEvalsHook, 4) == [7.0, 4]
    assert one(lambda n: evaluation._MultiStepStopAfterNEvalsHook(n, 2), 4) == [7.0, 4]
    with tf.Graph().as_default():
        for _ in range(2):
            v1.add_to_collection(v1.GraphKeys.EVAL_STEP, tf.constant(1))
        with pytest.raises(ValueError, match="EVAL_STEP"):
            evaluation._get_or_create_eval_step()


# ---- functions without variables


class _Net(tf.Module):
    def __init__(self):
        self.w = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2))
        self.table = tf.Variable(np.eye(4, 3, dtype=np.float32))
        self.b = tf.Variable([1.0, 2.0])

    @tf.function
    def inner(self, x):
        return x @ self.w + self.b

    @tf.function
    def __call__(self, ids):
        y = self.inner(tf.gather(self.table, ids))
        for _ in tf.range(3):
            y = y + self.b
        if tf.reduce_sum(y) > 0:
            y = y * self.b
        else:
            y = y - self.b
        return {"y": y, "n": tf.shape(self.table)}


def test_variables_become_constants():
    net = _Net()
    traced = net.__call__.get_concrete_function(tf.TensorSpec([None], tf.int32, name="ids"))
    made = convert_variables_to_constants_v2(traced)
    expected = net(tf.constant([0, 2]))
    assert made.captured_inputs == [] and [t.name for t in made.inputs] == ["ids:0"]
    n, y = made(tf.constant([0, 2]))  # in the order of the names, as a list
    np.testing.assert_array_equal(n, expected["n"])
    np.testing.assert_array_equal(y, expected["y"])
    net.b.assign([5.0, 5.0])
    np.testing.assert_array_equal(made(tf.constant([0, 2]))[1], expected["y"])

    graph_def = made.graph.as_graph_def()
    nodes = [*graph_def.node, *(n for f in graph_def.library.function for n in f.node_def)]
    assert not [n.op for n in nodes if "Variable" in n.op or "Resource" in n.op or "PartitionedCall" in n.op]
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(graph_def, name="")
        got = session.run(made.outputs[1].name, {"ids:0": [0, 2]})
    np.testing.assert_array_equal(got, expected["y"])


def test_variables_that_change_do_not_become_constants():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(x)
        return v + x

    with pytest.raises(tf.errors.UnimplementedError, match="AssignAddVariableOp .* takes a variable otherwise"):
        convert_variables_to_constants_v2(f.get_concrete_function(1.0))


def test_values_captured_become_constants():
    c, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    f = tf.function(lambda: c * v).get_concrete_function()
    assert convert_variables_to_constants_v2(f)()[0].numpy().tolist() == [3.0, 6.0]


# ---- specs and structures


def test_bounded_specs(tmp_path):
    spec = BoundedTensorSpec([2], tf.int32, 0, [5, 6], "a")
    assert spec == pickle.loads(pickle.dumps(spec)) and spec != BoundedTensorSpec([2], tf.int32, 1, [5, 6], "a")
    assert (spec.minimum.tolist(), spec.maximum.tolist()) == (0, [5, 6])
    class Array:
        shape, dtype, name = (2,), np.dtype("int32"), "of numpy"

    assert BoundedTensorSpec.from_spec(Array).maximum == 2**31 - 1
    whole = BoundedTensorSpec.from_spec(tf.TensorSpec([], tf.uint8))
    assert (whole.minimum, whole.maximum) == (0, 255)
    with pytest.raises(ValueError, match="minimum is not compatible with shape"):
        BoundedTensorSpec([2], tf.int32, [1, 2, 3], 5)
    with pytest.raises(ValueError, match="can not be None"):
        BoundedTensorSpec([2], tf.int32, 0, None)
    root = tf.Module()
    root.f = tf.function(lambda x: x + 1, input_signature=[spec])
    tf.saved_model.save(root, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    assert loaded.f.input_signature == (spec,) and loaded.f(tf.constant([1, 2])).numpy().tolist() == [2, 3]


def test_specs_have_the_names_under_which_they_are_saved():
    for name in "TensorSpec SparseTensorSpec RaggedTensorSpec IndexedSlicesSpec TensorArraySpec".split():
        assert contexts.name_of_spec(getattr(tf, name)) == f"tf.{name}"
        assert contexts.spec_of_name(f"tf.{name}") is getattr(tf, name)
    with pytest.raises(ValueError, match="tf.NoSpec"):
        contexts.spec_of_name("tf.NoSpec")


def test_functions_tell_their_parameters():
    f = tf.function(lambda x, training=None, *, k=1: x)
    spec = f.function_spec
    assert isinstance(spec, FunctionSpec) and spec.arg_names == ("x", "training")
    assert spec.fullargspec.kwonlydefaults == {"k": 1} and spec.fullargspec.defaults == (None,)


def test_decorators_tell_other_parameters():
    class Owner:
        def method(self, x, training=None):
            return x if training else -x

    target = Owner().method
    said = inspect.getfullargspec(target)._replace(defaults=(False,))
    made = decorators.make_decorator(target, lambda *args, **kwargs: target(*args, **kwargs), decorator_argspec=said)
    assert str(inspect.signature(made)) == "(x, training=False)"
    assert tf.function(made).function_spec.arg_names == ("x", "training")
    assert tf.function(made)(tf.constant(2.0)).numpy() == -2.0


def test_tensor_lists_by_handle():
    handle = list_ops.tensor_list_from_tensor(tf.constant([[1.0], [2.0]]), [1])
    assert list_ops.tensor_list_length(handle).numpy() == 2
    assert list_ops.tensor_list_stack(handle, tf.float32).numpy().tolist() == [[1.0], [2.0]]
    assert list_ops.tensor_list_gather(handle, [1], tf.float32, [1]).numpy().tolist() == [[2.0]]
    assert list_ops.tensor_list_concat(handle, tf.float32).numpy().tolist() == [1.0, 2.0]
    handle = list_ops.tensor_list_resize(list_ops.tensor_list_reserve([], 3, tf.int32), 4)
    handle = list_ops.tensor_list_set_item(handle, 3, 7)
    assert list_ops.tensor_list_get_item(handle, 3, tf.int32).numpy() == 7
    handle = list_ops.tensor_list_push_back(list_ops.empty_tensor_list(None, tf.int32), 3)
    handle, last = list_ops.tensor_list_pop_back(handle, tf.int32, [])
    assert last.numpy() == 3 and list_ops.tensor_list_length(handle).numpy() == 0
    handle = list_ops.tensor_list_scatter(tf.constant([5, 6]), [2, 0], [])
    assert list_ops.tensor_list_stack(handle, tf.int32).numpy()[[0, 2]].tolist() == [6, 5]


def test_containers_tell_layers_what_is_in_them():
    root, inner = tf.Module(), tf.Module()
    root.a, root.b, root.c = [1, inner], (inner, 2), {"z": 1, "a": inner}
    assert list(root.a._values) == [1, inner] and list(root.b._values) == [inner, 2] and root.c._values == [inner, 1]


# ---- variables of objects


class _WithGetter(tf.__internal__.tracking.AutoTrackable):
    def add(self, name, **kwargs):
        def getter(name, shape, dtype, initializer, **kwargs):
            return tf.Variable(initializer(shape, dtype), name=name, **kwargs)

        return self._add_variable_with_custom_getter(name, shape=[2], initializer=tf.ones, getter=getter, **kwargs)


def test_variables_by_a_getter(tmp_path):
    made = _WithGetter()
    v = made.add("v", trainable=False)
    assert v.dtype == tf.float32 and not v.trainable and made._lookup_dependency("v") is v
    with pytest.raises(ValueError, match="'v' already exists"):
        made.add("v")
    v.assign([3.0, 4.0])
    path = tf.train.Checkpoint(made=made).save(str(tmp_path / "c"))
    later = _WithGetter()
    tf.train.Checkpoint(made=later).restore(path)
    assert later.add("v").numpy().tolist() == [3.0, 4.0]
    assert later.add("v", overwrite=True) is later._lookup_dependency("v")


class _Optimizer(tf.__internal__.tracking.AutoTrackable):
    """Makes its slots as optimizers of Keras 2 do."""

    def __init__(self, waits):
        self.__dict__.update(slots={}, waits=waits, late=[])

    def get_slot_names(self):
        return ["m"]

    def get_slot(self, var, name):
        return self.slots[id(var)]

    def _create_or_restore_slot_variable(self, slot_variable_position, slot_name, variable):
        if self.waits:
            self.late.append(slot_variable_position)
            return None
        assert slot_variable_position.is_simple_variable() and slot_variable_position.value_shape() == [2]
        initial = tf.__internal__.tracking.CheckpointInitialValueCallable(checkpoint_position=slot_variable_position)
        self.slots[id(variable)] = tf.Variable(initial)
        return self.slots[id(variable)]


@pytest.mark.parametrize("waits", [False, True])
def test_optimizers_make_slots_when_they_are_restored(tmp_path, waits):
    v, saved = tf.Variable([1.0, 2.0]), _Optimizer(False)
    saved.slots[id(v)] = tf.Variable([5.0, 6.0])
    path = tf.train.Checkpoint(v=v, o=saved).save(str(tmp_path / "c"))
    w, later = tf.Variable([0.0, 0.0]), _Optimizer(waits)
    status = tf.train.Checkpoint(v=w, o=later).restore(path)
    if waits:
        slot = tf.Variable([0.0, 0.0])
        later.late[0].restore(slot)
    else:
        slot = later.get_slot(w, "m")
    assert slot.numpy().tolist() == [5.0, 6.0] and w.numpy().tolist() == [1.0, 2.0]
    status.assert_existing_objects_matched()


def test_sharded_variables(tmp_path):
    parts = [tf.Variable([[1.0], [2.0]]), tf.Variable([[3.0]])]
    made = ShardedVariable(parts, name="s")
    assert made.shape == [3, 1] and made.dtype == tf.float32 and len(made) == 2 and made.name == "s"
    assert tf.reduce_sum(made).numpy() == 6.0 and made[2].numpy().tolist() == [3.0]
    made.assign_add([[1.0], [1.0], [1.0]])
    assert parts[1].numpy().tolist() == [[4.0]]
    root = tf.Module()
    root.s = made
    path = tf.train.Checkpoint(root=root).save(str(tmp_path / "c"))
    made.assign([[0.0], [0.0], [0.0]])
    tf.train.Checkpoint(root=root).restore(path)
    assert made.numpy().tolist() == [[2.0], [3.0], [4.0]]
    with pytest.raises(ValueError, match="same dtype"):
        ShardedVariable([tf.Variable([1.0]), tf.Variable([1])])
    with pytest.raises(ValueError, match="same shapes except for the first axis"):
        ShardedVariable([tf.Variable([1.0]), tf.Variable([[1.0]])])
    with pytest.raises(TypeError, match="non-empty list"):
        ShardedVariable([])


def test_results_of_updates_by_replica():
    strategy, v = tf.distribute.get_strategy(), tf.Variable(1.0)
    assert strategy.extended.update(v, lambda v: 3) == 3
    assert strategy.extended.update(v, lambda v: {"a": 3}, group=False) == {"a": (3,)}
    assert strategy.extended.update_non_slot([v], lambda x: x, args=(4,), group=False) == (4,)
    assert not strategy._should_use_with_coordinator and not strategy.extended._in_multi_worker_mode()


# ---- saved models in part


def _saved(tmp_path):
    root = tf.Module()
    root.child = tf.Module()
    root.child.v = tf.Variable(3.0, name="v")
    root._default_save_signature = tf.function(
        lambda x: {"y": x * root.child.v}, input_signature=[tf.TensorSpec([], name="x")]
    )
    root.other = tf.function(lambda: 1.0, input_signature=[])
    return root, saved_model_save.save_and_return_nodes(root, str(tmp_path))


def test_nodes_and_paths_of_a_saved_model(tmp_path):
    root, (nodes, paths) = _saved(tmp_path)
    numbers = {id(obj): number for number, obj in enumerate(nodes)}
    assert nodes[0] is root and id(root.child) in numbers
    assert [ref.name for ref in paths[root.child.v]] == ["child", "v"] and paths[root] == ()
    message = saved_model_load.parse_saved_model(str(tmp_path)).meta_graphs[0].object_graph_def
    assert message.nodes[numbers[id(root.child.v)]].variable.name == "v"
    served = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    assert served(tf.constant(2.0))["y"].numpy() == 6.0


def test_objects_take_the_place_of_saved_ones(tmp_path):
    _saved(tmp_path)
    mine, added = tf.Module(), []
    found = saved_model_load.load_partial(
        str(tmp_path),
        {"root": None, "root.child": (mine, lambda obj, name, value: (added.append(name), setattr(obj, name, value)))},
    )
    assert set(found) == {"root", "root.child"} and found["root.child"] is mine and found["root"].child is mine
    assert added == ["v"] and mine.v.numpy() == 3.0
    with pytest.raises(ValueError, match="'root.absent' is not in the saved model"):
        saved_model_load.load_partial(str(tmp_path), {"root.absent": None})
    with pytest.raises(TypeError, match="must be a dictionary"):
        saved_model_load.load_partial(str(tmp_path), ["root"])


def test_load_options_around():
    options = tf.saved_model.LoadOptions(allow_partial_checkpoint=True)
    assert saved_model_load.get_load_options() is None
    with tf.__internal__.load_context(options):
        assert saved_model_load.get_load_options() is options
    assert saved_model_load.get_load_options() is None


def test_objects_share_what_they_keep_while_they_are_saved(tmp_path):
    caches = []

    class Asked(tf.Module):
        def _trackable_children(self, save_type="checkpoint", **kwargs):
            if save_type == "savedmodel":
                caches.append(kwargs["cache"])
            return super()._trackable_children(save_type, **kwargs)

    root = Asked()
    root.child = Asked()
    tf.saved_model.save(root, str(tmp_path))
    assert len(caches) > 1 and all(c is caches[0] for c in caches)


# ---- operators as functions


def test_operators_are_functions_for_other_classes():
    assert in_process(
        """
        import sluice as tf
        from sluice.ops import operator_functions
        operator_functions.name_operators()
        class Symbol: dtype = tf.float32
        for name in sorted(tf.Tensor.OVERLOADABLE_OPERATORS): setattr(Symbol, name, getattr(tf.Tensor, name))
        seen = []
        class Handler(tf.__internal__.dispatch.GlobalOpDispatcher):
            def handle(self, op, args, kwargs):
                if not any(isinstance(a, Symbol) for a in args): return self.NOT_SUPPORTED
                seen.append(op.__name__)
                return Symbol()
        Handler().register()
        s = Symbol()
        for made in (s + 1, 1 - s, s * s, s / 2, s // 2, s % 2, s ** 2, s @ s, -s, abs(s), s < 1, s >= 1, s == 1, s[0]):
            assert isinstance(made, Symbol), made
        print(*seen)
        from sluice.internal import decorators
        print(decorators.get_canonical_name_for_symbol(tf.__operators__.add), decorators.get_canonical_name_for_symbol(tf.math.multiply))
        print(decorators.get_symbol_from_name("__operators__.add") is tf.__operators__.add, decorators.get_symbol_from_name("no.name"))
        a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
        print((a + b).numpy(), (1 - a).numpy(), (a * b).numpy(), (-a).numpy(), a < b, a[0].numpy(), tf.Tensor.__add__(a, 1.0).numpy())
        f = tf.function(lambda x: abs(-x + 1.0) @ tf.transpose(2.0 * x) % 3.0)
        print(f(tf.ones([1, 2])).numpy())
        with tf.Graph().as_default():
            x = tf.constant(1.0)
            print((x + a).shape, (a + x).shape, x.__radd__(1.0).op.type, x == x, hash(x) == hash(x))
        """
    ) == (
        "add subtract multiply truediv floordiv floormod pow matmul negative abs less greater_equal eq getitem\n"
        "__operators__.add math.multiply\nTrue None\n"
        "[4. 6.] [ 0. -1.] [3. 8.] [-1. -2.] tf.Tensor([ True  True], shape=(2,), dtype=bool) 1.0 [2. 3.]\n[[0.]]\n"
        "(2,) (2,) AddV2 True True\n"
    )


def test_names_of_operators():
    assert set(operator_functions._PUBLIC) >= {n.strip("_") for n in tf.Tensor.OVERLOADABLE_OPERATORS} - {
        f"r{n}" for n in operator_functions._REFLECTED
    }


def test_variables_take_the_argument_that_lifts_them():
    assert v1.Variable(1.0, experimental_enable_variable_lifting=True).numpy() == 1.0
    assert variables._V1[-1] == "experimental_enable_variable_lifting"


# ---- Keras 2


@pytest.mark.skipif(not installed("tf_keras"), reason="needs the package tf_keras")
def test_keras_2():
    out = in_process(
        """
        import os, tempfile
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        import sluice; sluice.install_as_tensorflow()
        import numpy as np, tensorflow as tf
        k = tf.keras
        x, y = np.random.RandomState(0).randn(16, 4).astype("f"), np.ones([16, 2], "f")
        i = k.Input((4,))
        h = k.layers.BatchNormalization()(k.layers.Dense(3)(i) * 2.0 + 1.0)
        model = k.Model(i, k.layers.Dense(2)(h))
        model.compile(k.optimizers.legacy.Adam(), "mse", metrics=["mae"])
        print(sorted(model.fit(x, y, verbose=0).history))
        for ending in ("", ".keras", ".h5"):
            path = tempfile.mkdtemp() + "/m" + ending
            model.save(path)
            again = k.models.load_model(path)
            print(np.allclose(model.predict(x, verbose=0), again.predict(x, verbose=0), atol=1e-6))
        layers = k.Sequential([k.layers.LSTM(2, input_shape=(3, 1)), k.layers.Dense(1)])
        layers.compile("adam", "mse")
        print(len(layers.fit(np.ones([4, 3, 1]), np.ones(4), epochs=2, verbose=0).history["loss"]))
        from tensorflow.python.keras.utils import conv_utils
        print(conv_utils.conv_output_length(5, 3, "same", 2))
        """
    )
    assert out == "['loss', 'mae']\nTrue\nTrue\nTrue\n2\n3\n"


def test_keras_2_as_a_private_module():
    from sluice.internal import keras

    if installed("tf_keras"):
        pytest.skip("tf_keras is installed")
    with pytest.raises(ModuleNotFoundError, match="tensorflow.python.keras is the package 'tf_keras'"):
        keras.private_module("python.keras.layers")


def test_nothing_is_kept():
    before = len([o for o in gc.get_objects() if isinstance(o, ShardedVariable)])
    ShardedVariable([tf.Variable([1.0])])
    gc.collect()
    assert len([o for o in gc.get_objects() if isinstance(o, ShardedVariable)]) == before


# ---- matrices by rows


def test_products_of_csr_matrices():
    sparse = modules.PrivateModule("python.ops.linalg.sparse.sparse")
    numbers = np.random.RandomState(0)
    a, b = (((x := numbers.rand(*s)) * (x > 0.5) * (1 + 0.5j)).astype("c8") for s in ((3, 4), (4, 3)))
    turned = {"": lambda x: x, "transpose": lambda x: x.T, "adjoint": lambda x: x.conj().T}
    for turn_a, make_a in turned.items():
        for turn_b, make_b in turned.items():
            turns = {f"{turn}_{side}": True for turn, side in ((turn_a, "a"), (turn_b, "b")) if turn}
            for is_sparse in ((True, False), (False, True), (True, True)):
                sides = [
                    sparse.CSRSparseMatrix(x) if packs else x for x, packs in zip((make_a(a), make_b(b)), is_sparse, strict=True)
                ]
                product = sparse.matmul(*sides, **turns)
                if all(is_sparse):
                    assert product.shape == (3, 3)
                    product = product.to_dense()
                assert np.allclose(product, a @ b, atol=1e-5), (turns, is_sparse)
    packed = sparse.CSRSparseMatrix(tf.sparse.from_dense(a))
    assert np.array_equal(packed.to_dense(), a) and packed.nnz() == np.count_nonzero(a)
    assert np.array_equal(packed.hermitian_transpose().to_dense(), a.conj().T)
    assert np.array_equal(tf.sparse.to_dense(packed.to_sparse_tensor()), a)
    with pytest.raises(ValueError, match="CSRSparseMatrix"):
        sparse.matmul(a, b)
    with pytest.raises(ValueError, match="cannot both"):
        sparse.matmul(packed, b, transpose_a=True, adjoint_a=True)


# ---- ops by name


def test_ops_are_listed_with_their_definitions():
    ops = contexts.ApiDefMap()
    assert "MatMul" in ops.op_names() and ops.get_op_def("MatMul").input_arg[1].name == "b"
    with pytest.raises(KeyError, match="NoSuchOp"):
        ops.get_op_def("NoSuchOp")


def test_a_meta_graph_is_optimised_when_it_runs():
    with tf.Graph().as_default():
        tf.constant(1.0, name="a")
        meta_graph = v1.train.export_meta_graph()
    made = modules.PrivateModule("python.grappler.tf_optimizer").OptimizeGraph(v1.ConfigProto(), meta_graph)
    assert [n.name for n in made.node] == ["a"]


# ---- slices that begin where a tensor says


def test_slices_of_xla_have_known_shapes():
    xla = modules.PrivateModule("compiler.tf2xla.python.xla")

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([None, 2, None])])
    def f(i, y):
        x, part = tf.zeros([1, 2, 12]), tf.zeros([1, 2, 1])
        assert xla.dynamic_update_slice(x, part, [0, 0, i]).shape == (1, 2, 12)
        assert xla.dynamic_update_slice(y, part, [0, 0, i]).shape.as_list() == [None, 2, None]
        assert xla.dynamic_slice(x, [0, 0, i], tf.stack([1, 2, i])).shape.as_list() == [1, 2, None]
        return xla.dynamic_slice(y, [0, 0, i], [1, 2, 1])

    assert f.get_concrete_function().outputs[0].shape == (1, 2, 1)


# ---- functions of a graph as graphs


def test_functions_of_an_imported_graph_are_graphs():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return tf.cond(tf.reduce_sum(x) > 3.0, lambda: x - 1.0, lambda: x * 2.0)

    to_graph = modules.PrivateModule("python.framework.function_def_to_graph").function_def_to_graph
    frozen = convert_variables_to_constants_v2(f.get_concrete_function(), lower_control_flow=False)
    with tf.Graph().as_default() as g:
        tf.import_graph_def(frozen.graph.as_graph_def(), name="")
        branches = {name: to_graph(known.definition, input_shapes=[[3]]) for name, known in g._functions.items()}
    node = next(n for n in g.get_operations() if n.type == "StatelessIf")
    then = branches[node.get_attr("then_branch").name]
    assert [t.shape.as_list() for t in then.inputs] == [[3]] and [t.dtype for t in then.outputs] == [tf.float32]
    assert "Sub" in [n.type for n in then.get_operations()]
