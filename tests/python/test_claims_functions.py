"""Claims about eager execution, tf.function and AutoGraph that descriptions of TensorFlow make, a test each by the claim's number."""

import sys

import numpy as np
import pytest

import sluice as tf

v1 = tf.compat.v1


def loop(n):
    s = tf.constant(0)
    i = tf.constant(0)
    while i < n:
        s += i
        i += 1
    return s


def static_loop(n):
    with tf.Graph().as_default(), v1.Session() as session:
        made = tf.while_loop(lambda i, s: i < n, lambda i, s: [i + 1, s + i], [tf.constant(0), tf.constant(0)])
        return session.run(made[1])


def test_claim_K235_three_ways_to_build_graphs():
    assert static_loop(4) == 6 and loop(tf.constant(4)).numpy() == 6 and tf.function(loop)(tf.constant(4)).numpy() == 6


def test_claim_K236_eager_is_the_default():
    assert tf.executing_eagerly() and (tf.constant(1) + 1).numpy() == 2


@pytest.mark.parametrize("n", [0, 1, 7])
def test_claim_K237_the_three_ways_agree(n):
    assert static_loop(n) == loop(tf.constant(n)).numpy() == tf.function(loop)(tf.constant(n)).numpy()


def test_claim_K238_decorating_traces_nothing(capsys):
    tf.function(lambda x: print("traced"))
    assert capsys.readouterr().out == ""


def test_claim_K239_first_call_runs_the_body_once(capsys):
    @tf.function
    def f(x):
        sys.stdout.write("traced ")
        return x

    f(tf.constant(1))
    assert capsys.readouterr().out == "traced "
    assert f.experimental_get_tracing_count() == 1


def test_claim_K240_print_comes_before_output_of_the_graph(tmp_path):
    out = tmp_path / "out"
    events = []

    @tf.function
    def f(x):
        events.append("python")
        tf.print("graph", output_stream=f"file://{out}")
        events.append(out.exists())
        return x

    f(tf.constant(1))
    assert events == ["python", False] and out.read_text() == "graph\n"


def test_claim_K241_tf_print_happens_in_each_execution(tmp_path):
    out = tmp_path / "out"

    @tf.function
    def f(x):
        tf.print(x, output_stream=f"file://{out}")

    for i in range(3):
        f(tf.constant(i))
    assert out.read_text() == "0\n1\n2\n"


def traces(*calls):
    seen = []

    @tf.function
    def f(x, y=0):
        seen.append((x, y))
        return x

    return [(f(*call) is not None and len(seen)) for call in calls]


def test_claim_K242_the_same_types_only_execute():
    assert traces([tf.constant(1)], [tf.constant(2)]) == [1, 1]


def test_claim_K243_other_types_trace_again():
    assert traces([tf.constant(1)], [tf.constant(1.0)], [tf.constant("a")]) == [1, 2, 3]


def test_claim_K244_graphs_are_kept_for_their_types():
    assert traces([tf.constant(1)], [tf.constant(1.0)], [tf.constant(5)], [tf.constant(2.0)]) == [1, 2, 2, 2]


def test_claim_K245_signature_has_dtype_and_shape():
    assert traces([tf.zeros([2])], [tf.zeros([3])], [tf.zeros([2], tf.int32)], [tf.ones([3])]) == [1, 2, 3, 3]


def test_claim_K246_each_new_python_value_traces_again():
    assert traces([1], [2], [3]) == [1, 2, 3]


def test_claim_K247_python_values_met_before_do_not():
    assert traces([1], [2], [1], [2]) == [1, 2, 2, 2]


def test_claim_K248_tensors_do_not_trace_for_new_values():
    assert traces(*[[tf.constant(i)] for i in range(5)]) == [1] * 5


def test_claim_K249_autograph_is_the_default():
    assert tf.function(lambda x: 1 if x > 0 else 2)(tf.constant(1)).numpy() == 1


def test_claim_K250_without_autograph_tensors_in_conditions_are_errors():
    def branch(x):
        if x > 0:
            return x
        return -x

    def over(x):
        for v in tf.range(x):
            x += v
        return x

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(branch, autograph=False)(tf.constant(1))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(over, autograph=False)(tf.constant(1))


def node_types(f, *args):
    concrete = tf.function(f).get_concrete_function(*args)
    return {node.op for node in concrete.graph.as_graph_def().node}


def test_claim_K251_if_becomes_a_condition():
    def f(x):
        if x > 0:
            x = x * 2
        return x

    assert node_types(f, tf.constant(1)) & {"If", "StatelessIf"}


def test_claim_K252_while_becomes_a_loop():
    assert node_types(loop, tf.constant(1)) & {"While", "StatelessWhile"}


def test_claim_K253_for_over_a_tensor_becomes_a_loop():
    def over_range(n):
        s = 0
        for i in tf.range(n):
            s += i
        return s

    def over_rows(x):
        s = 0.0
        for v in x:
            s += v
        return s

    assert node_types(over_range, tf.constant(3)) & {"While", "StatelessWhile"}
    assert node_types(over_rows, tf.zeros([3])) & {"While", "StatelessWhile"}
    assert tf.function(over_range)(tf.constant(4)).numpy() == 6
    assert tf.function(over_rows)(tf.constant([1.0, 2.0])).numpy() == 3.0


def test_claim_K254_python_values_are_unrolled():
    def f(x):
        for i in range(3):
            if i != 1:
                x = x * 2
        n = 2
        while n > 0:
            x = x + 1
            n -= 1
        return x

    graph = tf.function(f).get_concrete_function(tf.constant(1)).graph
    types = [op.type for op in graph.get_operations()]
    assert types.count("Mul") == 2 and types.count("AddV2") == 2 and not {"If", "While"} & set(types)


def test_claim_K255_break_continue_return():
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            if i == 1:
                continue
            if i == 4:
                break
            s += i
        if s > 3:
            return s
        return -s

    assert [f(tf.constant(n)).numpy() for n in (0, 3, 10)] == [0, -2, 5]


def test_claim_K256_boolean_operators_with_short_circuit():
    @tf.function
    def f(x):
        return (x != 0 and 10 // x > 2), (x == 0 or 10 // x > 2), not x > 3, (1 if x > 3 else 2)

    assert [v.numpy() for v in f(tf.constant(0))] == [False, True, True, 2]
    assert [v.numpy() for v in f(tf.constant(4))] == [False, False, False, 1]


def test_claim_K257_stateful_ops_run_in_program_order():
    v = tf.Variable(1)

    @tf.function
    def f():
        v.assign(v * 10)
        v.assign_add(1)
        a = v.read_value()
        v.assign(v * 2)
        return a

    assert f().numpy() == 11 and v.numpy() == 22


def test_claim_K258_stateful_ops_run_unused():
    v = tf.Variable(0)

    @tf.function
    def f():
        v.assign_add(5)
        return 1

    f()
    assert v.numpy() == 5


@tf.function
def doubled(a):
    return a + a


def test_claim_K259_repr_of_the_output():
    f = tf.function(lambda a, b: a + b)
    text = repr(f(tf.constant("hello"), tf.constant("world")))
    assert text == "<tf.Tensor: shape=(), dtype=string, numpy=b'helloworld'>"


def test_claim_K260_strings_join_and_ints_add():
    assert doubled(tf.constant("ab")).numpy() == b"abab" and doubled(tf.constant(2)).numpy() == 4


def static_program(out):
    """Counts to 3 in a loop that prints, then joins two texts."""
    with tf.Graph().as_default() as g:
        a, b = v1.placeholder(tf.string), v1.placeholder(tf.string)

        def body(i):
            with tf.control_dependencies([tf.print(i, output_stream=f"file://{out}")]):
                return i + 1

        i = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
        i = i[0] if isinstance(i, (list, tuple)) else i
        with tf.control_dependencies([i]):
            joined = tf.strings.join([a, b])
    return g, a, b, i, joined


def test_claim_K261_the_same_program_as_a_static_graph(tmp_path):
    g, a, b, _, joined = static_program(tmp_path / "out")
    with v1.Session(graph=g) as session:
        assert session.run(joined, {a: "hello", b: "world"}) == b"helloworld"


def test_claim_K262_the_loop_is_a_control_input_of_the_join(tmp_path):
    _, _, _, i, joined = static_program(tmp_path / "out")
    assert joined.op.control_inputs == [i.op]


def test_claim_K263_the_loop_prints_in_each_run(tmp_path):
    out = tmp_path / "out"
    g, a, b, _, joined = static_program(out)
    assert not out.exists()
    with v1.Session(graph=g) as session:
        for _ in range(2):
            session.run(joined, {a: "x", b: "y"})
    assert out.read_text() == "0\n1\n2\n" * 2


def test_claim_K264_join_of_scalars_and_arrays():
    assert tf.strings.join(["a", "b"]).numpy() == b"ab"
    assert tf.strings.join([["a", "b"], "c"], "-").numpy().tolist() == [b"a-c", b"b-c"]


def test_claim_K265_tf_print_works_in_both_modes(capfd):
    tf.print("eager", output_stream=sys.stdout)
    tf.function(lambda: tf.print("graph", output_stream=sys.stdout))()
    assert capfd.readouterr().out == "eager\ngraph\n"


def test_claim_K266_python_runs_at_tracing_only():
    seen = []

    @tf.function
    def f(x):
        seen.append(1)
        return x + 1

    assert [f(tf.constant(i)).numpy() for i in range(3)] == [1, 2, 3] and seen == [1]


def test_claim_K267_effects_of_python_differ_between_modes():
    def f(x):
        seen.append(1)
        return x

    seen = []
    for _ in range(3):
        f(tf.constant(0))
    eager, seen = len(seen), []
    g = tf.function(f)
    for _ in range(3):
        g(tf.constant(0))
    assert (eager, len(seen)) == (3, 1)


def test_claim_K268_variables_made_in_each_call_are_an_error():
    with pytest.raises(ValueError, match="tf.Variable"):
        tf.function(lambda: tf.Variable(1) + 1)()


def test_claim_K269_eagerly_each_call_makes_a_variable():
    def f():
        return tf.Variable(1)

    assert f() is not f()


def test_claim_K270_a_variable_made_in_the_first_call():
    class Counter:
        v = None

        @tf.function
        def count(self):
            if self.v is None:
                self.v = tf.Variable(0)
            return self.v.assign_add(1)

    c = Counter()
    assert [c.count().numpy() for _ in range(3)] == [1, 2, 3]


def test_claim_K271_variables_keep_their_state():
    v = tf.Variable(0)
    f = tf.function(lambda: v.assign_add(2))
    assert [f().numpy() for _ in range(3)] == [2, 4, 6]


def test_claim_K272_lists_outside_are_read_at_tracing():
    items = [1, 2]
    f = tf.function(lambda x: x + len(items))
    assert f(tf.constant(0)).numpy() == 2
    items.append(3)
    assert f(tf.constant(0)).numpy() == 2


def test_claim_K273_tensors_put_outside_have_no_value():
    kept = []

    @tf.function
    def f(x):
        kept.append(x + 1)
        return x

    f(tf.constant(1))
    with pytest.raises((AttributeError, NotImplementedError)):
        kept[0].numpy()
    with pytest.raises((TypeError, ValueError), match="out of scope"):
        tf.function(lambda: kept[0] + 1)()


def test_claim_K274_python_variables_are_frozen():
    n = 1
    f = tf.function(lambda x: x + n)
    assert f(tf.constant(0)).numpy() == 1
    n = 5
    assert f(tf.constant(0)).numpy() == 1 and f(tf.constant(0.0)).numpy() == 5.0


class Scale(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(3.0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def __call__(self, x):
        if x > 0.0:
            return self.w * x
        return -x


def test_claim_K275_modules_are_saved_and_loaded(tmp_path):
    module = Scale()
    tf.saved_model.save(module, str(tmp_path))
    back = tf.saved_model.load(str(tmp_path))
    assert back(tf.constant(2.0)).numpy() == 6.0 and back(tf.constant(-2.0)).numpy() == 2.0
    assert module.variables == (module.w,)


def undefined_in_a_branch(x):
    if x > 0:
        y = x
    return y


def type_that_changes(x):
    y = 0
    while x > 0:
        y = tf.cast(y, tf.float32)
    return y


def shape_that_changes(x):
    y = tf.zeros([1])
    while x > 0:
        y = tf.concat([y, y], 0)
    return y


def return_in_a_branch(x):
    if x > 0:
        return x


@pytest.mark.parametrize(
    "f, error, text",
    [
        (undefined_in_a_branch, ValueError, "'y'.*else branch"),
        (type_that_changes, TypeError, "'y' has dtype int32 before the loop, but dtype float32"),
        (shape_that_changes, ValueError, r"'y' has shape \(1,\) before the loop, but shape \(2,\)"),
        (return_in_a_branch, ValueError, "return"),
    ],
)
def test_claim_K276_errors_of_conversion(f, error, text):
    with pytest.raises(error, match=text):
        tf.function(f)(tf.constant(1))


def test_claim_K277_input_signature_fixes_one_graph():
    f = tf.function(lambda x: tf.reduce_sum(x), input_signature=[tf.TensorSpec([None], tf.float32)])
    assert [f(tf.ones([n])).numpy() for n in (1, 4)] == [1.0, 4.0] and f.experimental_get_tracing_count() == 1


def test_claim_K278_concrete_functions_give_the_graph():
    concrete = doubled.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert "AddV2" in {op.type for op in concrete.graph.get_operations()} and concrete(tf.constant(4)).numpy() == 8


def test_claim_K279_functions_call_functions():
    count = []

    @tf.function
    def inner(x):
        count.append(1)
        return x * 2

    @tf.function
    def outer(x):
        return inner(x) + inner(x + 1)

    assert outer(tf.constant(1)).numpy() == 6 and outer(tf.constant(2)).numpy() == 10 and count == [1]


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eagerly", "as a function"])
def test_claim_K280_tapes_around_and_within_functions(wrap):
    def f(x):
        y = x
        while y < 10.0:
            y = y * x
        return y

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(f)(x)
        return tape.gradient(y, x)

    assert wrap(gradient)(tf.constant(3.0)).numpy() == 27.0  # d(x^3)


def test_claim_K281_numpy_in_and_out():
    made = doubled(np.array([1.0, 2.0], np.float32))
    assert isinstance(made.numpy(), np.ndarray) and made.numpy().tolist() == [2.0, 4.0]


def test_claim_K282_static_and_eager_code_in_one_program():
    with tf.Graph().as_default():
        made = tf.constant(2) * 3
        with v1.Session() as session:
            static = session.run(made)
    assert (tf.constant(static) + 1).numpy() == 7 and tf.executing_eagerly()


def test_claim_K283_static_and_dynamic_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x):
        seen.append(x.shape.as_list())
        return tf.shape(x)

    seen = []
    assert f(tf.zeros([5, 3])).numpy().tolist() == [5, 3] and seen == [[None, 3]]


def test_claim_K284_errors_of_running_leave_the_function_usable():
    f = tf.function(lambda x: 10 // x)
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(0))
    assert f(tf.constant(5)).numpy() == 2


def test_claim_K285_exceptions_of_tracing_reach_the_caller():
    @tf.function
    def f(x):
        if x.shape.rank == 0:
            raise KeyError("a scalar")
        return x

    with pytest.raises(KeyError, match="a scalar"):
        f(tf.constant(1))
    assert f(tf.constant([1])).numpy() == [1]


def test_claim_K286_assert_is_converted():
    """Here always; TensorFlow does so if asked for."""

    @tf.function
    def f(x):
        assert x > 0, "not positive"
        return x

    assert f(tf.constant(1)).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):
        f(tf.constant(-1))


def test_claim_K287_range_and_len_of_tensors():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x):
        s = 0
        for i in range(len(x)):
            s += x[i] * i
        return s, len(x)

    assert [v.numpy() for v in f([1, 2, 3])] == [8, 3]


def test_claim_K288_conversion_asked_for_seen_and_switched_off():
    def f(x):
        if x > 0:
            return 1
        return 2

    assert tf.autograph.to_graph(f)(tf.constant(-1)) == 2 and "ag__" in tf.autograph.to_code(f)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(tf.autograph.experimental.do_not_convert(f))(tf.constant(1))
