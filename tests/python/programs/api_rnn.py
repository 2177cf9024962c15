"""Recurrent cells of TensorFlow 1, and what runs them over sequences: names of variables and results, numbers, gradients."""

import numpy as np
from programs import close, shows, tf

v1 = tf.compat.v1
rng = np.random.RandomState(0)
INPUTS = rng.randn(4, 5, 3).astype("f4")  # batch, time, size
LENGTHS = [5, 2, 0, 3]

try:
    cells = v1.nn.rnn_cell
    cells.GRUCell  # noqa: B018
except (AttributeError, ImportError):  # TensorFlow leaves these to Keras 2, and has them within
    from tensorflow.python.keras.layers.legacy_rnn import rnn_cell_impl as cells


def described(build, gradients=True):
    """Names and values of what `build` makes in a new graph, of its variables, and gradients by those; values of variables are given."""
    with tf.Graph().as_default() as graph:
        v1.set_random_seed(1)
        made = tf.nest.flatten(build())
        variables = v1.trainable_variables()
        loss = v1.add_n([v1.reduce_sum(t * t) for t in made])
        slopes = [tf.convert_to_tensor(g) for g in v1.gradients(loss, variables)] if gradients else []
        with v1.Session(graph=graph) as session:
            for v in variables:
                values = np.random.RandomState(len(v.name)).randn(*v.shape.as_list()) * 0.4
                session.run(v1.assign(v, values.astype("f4")))
            values = session.run([made, slopes])
    return {
        "names": [(t.name, t.shape.as_list()) for t in made],
        "variables": [(v.name, v.shape.as_list()) for v in variables],
        "values": values,
    }


def over_time(make, lengths=None, **options):
    return described(
        lambda: v1.nn.dynamic_rnn(make(), tf.constant(INPUTS), sequence_length=lengths, dtype=tf.float32, **options)
    )


def step_by_step(make, lengths=None):
    steps = lambda: tf.unstack(tf.constant(INPUTS), axis=1)  # noqa: E731
    return described(lambda: v1.nn.static_rnn(make(), steps(), sequence_length=lengths, dtype=tf.float32))


def raised(f, *args, **kwargs):
    try:
        with tf.Graph().as_default():
            f(*args, **kwargs)
    except Exception as error:
        return type(error).__name__
    return "no error"


@shows
def basic():
    make = lambda: cells.BasicRNNCell(4)  # noqa: E731
    return over_time(make), over_time(make, LENGTHS), step_by_step(make), step_by_step(make, LENGTHS)


@shows
def gated():
    make = lambda: cells.GRUCell(4)  # noqa: E731
    return over_time(make), over_time(make, LENGTHS), step_by_step(make), step_by_step(make, LENGTHS)


@shows
def gated_with_initial_values():
    def make():
        return cells.GRUCell(
            4, tf.nn.relu, kernel_initializer=v1.ones_initializer(), bias_initializer=v1.ones_initializer()
        )

    with tf.Graph().as_default(), v1.Session() as session:
        made = v1.nn.dynamic_rnn(make(), tf.constant(INPUTS), dtype=tf.float32)
        session.run(v1.global_variables_initializer())
        return session.run(made)


@shows
def long_memory():
    make = lambda: cells.BasicLSTMCell(4, forget_bias=0.5)  # noqa: E731
    return over_time(make), over_time(make, LENGTHS), step_by_step(make, LENGTHS)


@shows
def long_memory_in_one_tensor():
    make = lambda: cells.BasicLSTMCell(4, state_is_tuple=False)  # noqa: E731
    return over_time(make), step_by_step(make, LENGTHS)


@shows
def with_all_options():
    def make():
        return cells.LSTMCell(4, use_peepholes=True, num_proj=2, cell_clip=0.5, proj_clip=0.4)

    return over_time(make), over_time(make, LENGTHS), step_by_step(make, LENGTHS)


@shows
def with_options_one_by_one():
    return [
        over_time(make, LENGTHS)
        for make in (
            lambda: cells.LSTMCell(4, activation=tf.nn.relu, forget_bias=0.0),
            lambda: cells.LSTMCell(4, num_unit_shards=2, num_proj=3, num_proj_shards=3),
            lambda: cells.LSTMCell(4, num_proj=3, state_is_tuple=False),
            lambda: cells.LSTMCell(4, name="mine"),
        )
    ]


@close(1e-4)
@shows
def one_above_another():
    def make():
        return cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.GRUCell(3)])

    def in_one():
        return cells.MultiRNNCell([cells.BasicRNNCell(4), cells.GRUCell(3)], state_is_tuple=False)

    return over_time(make), over_time(make, LENGTHS), step_by_step(make), over_time(in_one, LENGTHS)


@shows
def around_a_cell():
    return [
        over_time(make, LENGTHS)
        for make in (
            lambda: cells.ResidualWrapper(cells.GRUCell(3)),
            lambda: cells.ResidualWrapper(cells.BasicLSTMCell(3), residual_fn=lambda x, y: x - 2.0 * y),
            lambda: cells.DeviceWrapper(cells.GRUCell(3), "/cpu:0"),
            lambda: cells.DropoutWrapper(cells.GRUCell(3)),
        )
    ]


@shows
def dropout_of_one_step():
    """Of a loop TensorFlow may draw the numbers of a later turn first."""

    def step(**options):
        def build():
            cell = cells.DropoutWrapper(cells.BasicLSTMCell(4), seed=3, **options)
            return cell(tf.constant(INPUTS[:, 0]), cell.zero_state(4, tf.float32))

        return described(build)

    return [
        step(input_keep_prob=0.5),
        step(output_keep_prob=0.5),
        step(state_keep_prob=0.5),
        step(input_keep_prob=0.9, output_keep_prob=0.7, state_keep_prob=0.6),
        step(state_keep_prob=0.5, dropout_state_filter_visitor=lambda s: True),
    ]


@shows
def dropout_that_stays():
    def make():
        return cells.DropoutWrapper(
            cells.LSTMCell(4), 0.9, 0.5, 0.7, seed=3, variational_recurrent=True, dtype=tf.float32, input_size=3
        )

    return over_time(make), over_time(make, LENGTHS)


@shows
def orders_and_sizes():
    def turned():
        return v1.nn.dynamic_rnn(
            cells.GRUCell(4),
            tf.constant(INPUTS.transpose(1, 0, 2)),
            LENGTHS,
            dtype=tf.float32,
            time_major=True,
            scope="mine",
        )

    def unknown():
        x = v1.placeholder_with_default(INPUTS, [None, None, 3])
        return v1.nn.dynamic_rnn(cells.LSTMCell(4), x, LENGTHS, dtype=tf.float32)

    def begun():
        cell = cells.BasicLSTMCell(4)
        state = cells.LSTMStateTuple(tf.ones([4, 4]), tf.ones([4, 4]) * 0.5)
        return v1.nn.dynamic_rnn(cell, tf.constant(INPUTS), initial_state=state)

    return described(turned), described(unknown), described(begun)


@shows
def both_ways():
    x = lambda: tf.constant(INPUTS)  # noqa: E731
    pair = lambda: (cells.GRUCell(4), cells.BasicLSTMCell(3))  # noqa: E731
    steps = lambda: tf.unstack(x(), axis=1)  # noqa: E731
    return [
        described(lambda: v1.nn.bidirectional_dynamic_rnn(*pair(), x(), LENGTHS, dtype=tf.float32)),
        described(lambda: v1.nn.bidirectional_dynamic_rnn(*pair(), x(), dtype=tf.float32)),
        described(lambda: v1.nn.static_bidirectional_rnn(*pair(), steps(), dtype=tf.float32)),
        described(lambda: v1.nn.static_bidirectional_rnn(*pair(), steps(), dtype=tf.float32, sequence_length=LENGTHS)),
    ]


@shows
def loops_of_the_caller():
    def build():
        cell = cells.LSTMCell(4)
        inputs = v1.TensorArray(tf.float32, 5).unstack(tf.constant(INPUTS.transpose(1, 0, 2)))

        def loop(time, output, state, turns):
            state = cell.zero_state(4, tf.float32) if output is None else state
            turns = tf.constant(0.0) if turns is None else turns + 1.0
            finished = time >= tf.constant(LENGTHS)
            x = v1.cond(tf.reduce_all(finished), lambda: tf.zeros([4, 3]), lambda: inputs.read(time))
            return finished, x, state, output, turns

        emitted, state, turns = v1.nn.raw_rnn(cell, loop)
        return emitted.stack(), state, turns

    return described(build)


@shows
def cells_of_the_caller():
    class Mine(cells.RNNCell):
        state_size = output_size = property(lambda self: 4)

        def call(self, inputs, state):
            w = v1.get_variable("w", [3, 4])
            state = tf.tanh(tf.matmul(inputs, w) + state)
            return state, state

    return over_time(Mine), over_time(lambda: cells.MultiRNNCell([Mine(), cells.GRUCell(2)]))


@shows
def states_that_are_saved():
    saved = []

    class Saver:
        def state(self, name):
            return tf.ones([4, 4])

        def save_state(self, name, value):
            saved.append((name, value.shape.as_list()))
            return v1.no_op()

    def build():
        return v1.nn.static_state_saving_rnn(
            cells.BasicLSTMCell(4), tf.unstack(tf.constant(INPUTS), axis=1), Saver(), ("a", "b")
        )

    return described(build), saved


@shows
def variables_that_are_shared():
    def build():
        made = []
        for reuse in (None, True):
            with v1.variable_scope("s", reuse=reuse):
                made.append(v1.nn.dynamic_rnn(cells.GRUCell(4), tf.constant(INPUTS), dtype=tf.float32)[0])
        cell = cells.BasicRNNCell(2, name="own")
        for _ in range(2):
            made.append(cell(tf.constant(INPUTS[:, 0]), tf.zeros([4, 2]))[0])
        return made

    return described(build)


@shows
def zero_states():
    with tf.Graph().as_default(), v1.Session() as session:
        multi = cells.MultiRNNCell([cells.LSTMCell(2, num_proj=3), cells.GRUCell(1)])
        batch = v1.placeholder_with_default(3, [])
        made = [multi.zero_state(2, tf.float64), multi.zero_state(batch, tf.float32)]
        shapes = tf.nest.map_structure(lambda t: t.shape.as_list(), made)
        return multi.state_size, multi.output_size, shapes, session.run(made)


@shows
def what_is_wrong():
    x = lambda: tf.constant(INPUTS)  # noqa: E731
    gru = lambda: cells.GRUCell(4)  # noqa: E731
    return [
        raised(lambda: v1.nn.dynamic_rnn(gru(), x())),
        raised(lambda: v1.nn.dynamic_rnn("no cell", x(), dtype=tf.float32)),
        raised(lambda: v1.nn.dynamic_rnn(gru(), v1.placeholder(tf.float32, [2, 3, None]), dtype=tf.float32)),
        raised(lambda: v1.nn.dynamic_rnn(gru(), x(), [[1, 2, 3, 4]], dtype=tf.float32)),
        raised(lambda: v1.nn.static_rnn(gru(), [], dtype=tf.float32)),
        raised(lambda: v1.nn.static_rnn(gru(), x(), dtype=tf.float32)),
        raised(lambda: cells.MultiRNNCell([])),
        raised(lambda: cells.MultiRNNCell(gru())),
        raised(lambda: cells.MultiRNNCell([cells.BasicLSTMCell(2)], state_is_tuple=False)),
        raised(lambda: cells.DropoutWrapper(gru(), input_keep_prob=1.5)),
        raised(lambda: cells.DropoutWrapper(gru(), variational_recurrent=True)),
        raised(lambda: v1.nn.raw_rnn(gru(), None)),
        raised(lambda: cells.LSTMCell(2, speed=3)),
    ]


@close(1e-4)
@shows
def training():
    """A sum that is learnt: the loss falls as it does there."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = tf.constant(np.random.RandomState(1).rand(16, 6, 1).astype("f4"))
        y = tf.reduce_sum(x, [1, 2])
        outputs, _ = v1.nn.dynamic_rnn(cells.GRUCell(8), x, dtype=tf.float32)
        found = tf.matmul(outputs[:, -1], v1.get_variable("sum", [8, 1]))[:, 0]
        loss = tf.reduce_mean((found - y) ** 2)
        step = v1.train.GradientDescentOptimizer(0.05).minimize(loss)
        session.run(v1.global_variables_initializer())
        for v in v1.trainable_variables():
            values = np.random.RandomState(len(v.name)).randn(*v.shape.as_list()) * 0.3
            session.run(v1.assign(v, values.astype("f4")))
        losses = []
        for _ in range(40):
            losses.append(session.run([loss, step])[0])
        return losses[::8], [v.name for v in v1.trainable_variables()]
