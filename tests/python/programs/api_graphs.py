"""Graphs and sessions of TensorFlow 1, functions, tapes, modules, optimisers, control flow functions."""

from programs import shows, tf

v1 = tf.compat.v1


def kind(f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except Exception as error:
        return type(error).__name__
    return "no error"


def session_of(build):
    """What a session gives for what `build` makes in a new graph, after variables are initialised."""
    with tf.Graph().as_default(), v1.Session() as session:
        fetches = build()
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer(), v1.tables_initializer()])
        return session.run(fetches)


@shows
def fetches_of_structures():
    def build():
        a = tf.constant([1.0, 2.0])
        return {"a": a, "b": [a + 1, (a * 2, tf.reduce_sum(a))], "c": tf.sparse.from_dense([[0, 3]])}

    return session_of(build)


@shows
def feeds():
    with tf.Graph().as_default(), v1.Session() as s:
        x = v1.placeholder(tf.float32, [None, 2])
        d = v1.placeholder_with_default(5.0, [])
        y = x * d
        return (
            s.run(y, {x: [[1, 2]]}),
            s.run(y, {x: [[1, 2]], d: 2}),
            s.run(y, {y: [[9.0, 9.0]]}),
            kind(s.run, y),
            kind(s.run, y, {x: [1, 2, 3]}),
        )


@shows
def names_of_variable_scopes():
    made = []

    def scope(*args):
        with v1.variable_scope(*args) as s:
            made.append(s.name)

    with tf.Graph().as_default():
        for name, default in (
            *((None, "t"),) * 3, ("t_3", None), (None, "t"), ("t_5", None), (None, "t"), (None, "t_1"), (None, "t_1"),
            (None, "t_01"), ("u_2", None), *((None, "u"),) * 4,
        ):  # fmt: skip
            scope(name, default)
        with v1.variable_scope(None, "p") as p:
            for _ in range(3):
                scope(None, "q")
            with v1.variable_scope(None, "r") as r:
                scope(None, "x")
            with v1.variable_scope(r):
                scope(None, "x")
            scope(None, "q")
        for again in ("p", p):
            with v1.variable_scope(again):
                scope(None, "q")
                scope(None, "r")
        with v1.variable_scope(v1.get_variable_scope()):
            scope(None, "t")
            scope(None, "z")
        scope(None, "z")
        with v1.variable_scope(""):
            scope(None, "t")
            scope(None, "zz")
        scope(None, "t")
        scope(None, "zz")
    return made


@shows
def variables_and_scopes():
    with tf.Graph().as_default(), v1.Session() as s:
        with v1.variable_scope("a"):
            w = v1.get_variable("w", [2], initializer=v1.ones_initializer())
            with v1.variable_scope("b", reuse=v1.AUTO_REUSE):
                u = v1.get_variable("u", initializer=3.0)
                again = v1.get_variable("u")
        with v1.variable_scope("a", reuse=True):
            same = v1.get_variable("w")
        s.run(v1.global_variables_initializer())
        return (
            [v.name for v in v1.global_variables()],
            u is again,
            same is w,
            s.run([w, u, v1.assign(w, [5.0, 6.0]), v1.assign_add(u, 1.0)]),
            kind(v1.get_variable, "a/w", [3]),
            v1.get_variable_scope().name,
            [v.name for v in v1.trainable_variables("a/b")],
        )


@shows
def names_of_nodes():
    with tf.Graph().as_default() as g:
        with tf.name_scope("x") as scope:
            a = tf.constant(1, name="c")
            b = tf.constant(2, name="c")
        with tf.name_scope("x"):
            c = tf.identity(a, name="d")
        with tf.name_scope(scope):
            d = tf.identity(b)
        with g.control_dependencies([c]):
            e = tf.no_op("n")
        return (
            scope,
            [t.name for t in (a, b, c, d)],
            e.control_inputs[0].name,
            g.get_tensor_by_name("x/c:0") is a,
            kind(g.get_operation_by_name, "none"),
            g.unique_name("x"),
            g.version > 0,
        )


@shows
def texts_of_graph_defs():
    with tf.Graph().as_default() as g:
        a = v1.placeholder(tf.float32, [2, None], name="a")
        tf.reduce_sum(a, [1], name="s")
        tf.constant([True], name="t")
        tf.constant(1.5, name="f")
        tf.constant([1, 2], tf.int64, name="i")
    print(*(g.as_graph_def().node[i].attr["value"].tensor for i in (1, 3, 4, 5)))
    print(g.as_graph_def().HasField("library"))
    print([n.name for n in g.as_graph_def().node], g.as_graph_def().node[0].attr["dtype"].type)


@shows
def imported_graph():
    with tf.Graph().as_default() as g:
        x = v1.placeholder(tf.int32, [], name="x")
        tf.add(x, 2, name="y")
    wire = g.as_graph_def().SerializeToString()
    definition = v1.GraphDef.FromString(wire)
    with tf.Graph().as_default(), v1.Session() as s:
        (y,) = tf.graph_util.import_graph_def(definition, {"x:0": tf.constant(5)}, ["y:0"], name="i")
        return y.name, s.run(y)


@shows
def gradients_of_graphs():
    def build():
        x = tf.constant([1.0, 2.0])
        y = tf.reduce_sum(x**3)
        (first,) = tf.gradients(y, x)
        (second,) = tf.gradients(first, x)
        rows = tf.gather(x, [1, 1])
        (slices,) = tf.gradients(rows, x)
        return (
            first,
            second,
            tf.convert_to_tensor(slices),
            tf.gradients(y, [x], grad_ys=[2.0]),
            tf.gradients(y, x, stop_gradients=[x]),
        )

    return session_of(build)


@shows
def control_flow_functions():
    def build():
        n = tf.constant(5)
        return (
            tf.cond(n > 3, lambda: n * 2, lambda: n),
            tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [0, 0]),
            tf.case([(n < 3, lambda: 1), (n < 9, lambda: 2)], default=lambda: 3),
            tf.map_fn(lambda v: v * v, tf.range(4)),
            tf.scan(lambda a, v: a + v, tf.range(4)),
            tf.foldr(lambda a, v: a * 10 + v, tf.range(4)),
            tf.switch_case(n - 4, {0: lambda: 10, 1: lambda: 20}, default=lambda: 30),
        )

    return session_of(build)


@shows
def training_of_version_one():
    made = {}
    for name in (
        "GradientDescent",
        "Momentum",
        "Adagrad",
        "Adam",
        "RMSProp",
        "Adadelta",
        "Ftrl",
        "ProximalGradientDescent",
    ):
        with tf.Graph().as_default(), v1.Session() as s:
            w = v1.get_variable("w", initializer=[1.0, -2.0])
            loss = tf.reduce_sum((w - 3.0) ** 2)
            optimizer = getattr(v1.train, name + "Optimizer")(0.1, **({"momentum": 0.9} if name == "Momentum" else {}))
            step = optimizer.minimize(loss, global_step=v1.train.get_or_create_global_step())
            s.run(v1.global_variables_initializer())
            for _ in range(4):
                s.run(step)
            made[name] = s.run([w, loss, v1.train.get_global_step()]), sorted(optimizer.get_slot_names())
    return made


@shows
def rates_of_learning():
    def build():
        step = tf.constant(15)
        t = v1.train
        return (
            t.exponential_decay(0.1, step, 10, 0.5),
            t.exponential_decay(0.1, step, 10, 0.5, staircase=True),
            t.piecewise_constant(step, [10, 20], [1.0, 0.5, 0.1]),
            t.polynomial_decay(0.1, step, 20, 0.01, power=2.0),
            t.inverse_time_decay(0.1, step, 10, 0.5),
            t.natural_exp_decay(0.1, step, 10, 0.5),
            t.cosine_decay(0.1, step, 20),
            t.linear_cosine_decay(0.1, step, 20),
        )

    return session_of(build)


@shows
def averages():
    with tf.Graph().as_default(), v1.Session() as s:
        w = v1.get_variable("w", initializer=1.0)
        average = tf.train.ExponentialMovingAverage(0.5)
        keep = average.apply([w])
        s.run(v1.global_variables_initializer())
        made = []
        for value in (3.0, 5.0):
            s.run(w.assign(value))
            s.run(keep)
            made.append(s.run(average.average(w)))
        return made, average.average_name(w)


@shows
def partial_runs_and_callables():
    with tf.Graph().as_default(), v1.Session() as s:
        a, b = v1.placeholder(tf.float32, []), v1.placeholder(tf.float32, [])
        c = a + 1
        d = c * b
        handle = s.partial_run_setup([c, d], [a, b])
        first = s.partial_run(handle, c, {a: 2.0})
        second = s.partial_run(handle, d, {b: 10.0})
        call = s.make_callable([c, d], [a, b])
        return first, second, call(1.0, 2.0)


@shows
def callbacks():
    import numpy as np

    def build():
        return (
            v1.py_func(lambda a: a * np.float32(2), [tf.constant([1.0])], tf.float32),
            tf.numpy_function(lambda a, b: a + b, [tf.constant(1), tf.constant(2)], tf.int32),
        )

    eager = tf.py_function(lambda a: a * 3 if a > 1 else a, [tf.constant(2)], tf.int32)
    return (
        session_of(build),
        eager,
        tf.function(lambda x: tf.py_function(lambda a: a + 1, [x], tf.int32))(tf.constant(1)),
    )


@shows
def signatures_of_functions():
    @tf.function
    def f(x, y=2, *, z=3):
        return x * y + z

    c = f.get_concrete_function(tf.TensorSpec([None], tf.float32), y=4)
    print(c.structured_input_signature)
    print(c.structured_outputs)
    return (
        f(tf.constant([1.0])),
        f(tf.constant([1.0]), z=0),
        c(tf.constant([2.0])),
        c.output_shapes,
        c.output_dtypes,
        len(c.inputs),
    )


@shows
def traces_of_functions():
    seen = []

    @tf.function
    def f(x, flag=True):
        seen.append((x if not isinstance(x, tf.Tensor) else str(x.shape), flag))
        return x

    for args in ([tf.zeros([2])], [tf.zeros([2])], [tf.zeros([3])], [1], [2], [1], [1, False], [tf.ones([2]), True]):
        f(*args)
    return seen, f.experimental_get_tracing_count()


@shows
def functions_with_structures():
    @tf.function
    def f(d, *rest, **more):
        return {
            "sum": d["a"] + d["b"][0],
            "rest": [tf.size(r) for r in rest],
            "more": sorted(more),
            "none": None,
            "text": tf.constant("t"),
        }

    return f({"a": tf.constant(1), "b": (tf.constant(2),)}, tf.zeros([3]), tf.zeros([4]), k=tf.constant(1))


@shows
def functions_of_composites():
    @tf.function
    def f(r, s):
        return r + 1, tf.sparse.to_dense(s), tf.reduce_sum(r, 1), r.row_lengths()

    return f(tf.ragged.constant([[1, 2], [3]]), tf.sparse.from_dense([[0, 4]]))


@shows
def tapes():
    x, w = tf.constant([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = w * x * x
        with tape.stop_recording():
            z = y * 100.0
        u = tf.stop_gradient(y) * w
    return (
        tape.gradient(y, [x, w]),
        tape.gradient(z, x),
        tape.gradient(u, w),
        tape.jacobian(y, x),
        tape.gradient({"a": y, "b": u}, {"w": w}),
        tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0])),
        tape.gradient(y, tf.constant(1.0), unconnected_gradients="zero"),
        [v.name for v in tape.watched_variables()],
    )


@shows
def jacobians_and_hessians():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x**3)
        g = inner.gradient(y, x)
    hessian = outer.jacobian(g, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.sin(x) @ tf.constant([[1.0], [2.0]])
    return g, tf.shape(hessian), hessian[0, 1], tape.batch_jacobian(z, x)


@shows
def forward_mode():
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.5])) as f:
        y = tf.reduce_prod(x) * tf.sin(x)
    return f.jvp(y), f.jvp(tf.constant(1.0))


@shows
def gradients_of_the_callers_own():
    @tf.custom_gradient
    def clipped(x):
        return x * 2.0, lambda dy: tf.clip_by_value(dy, -0.1, 0.1)

    @tf.custom_gradient
    def with_variables(x):
        def gradient(dy, variables=None):
            return dy * w, [dy * 7.0 for _ in variables or []]

        return x * w, gradient

    w = tf.Variable(3.0)
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b = clipped(x), with_variables(x)
        c = tf.recompute_grad(lambda v: v * v)(x)
    return tape.gradient(a, x), tape.gradient(b, [x, w]), tape.gradient(c, x), tape.gradient(c, x)


@shows
def training_by_tape():
    w, b = tf.Variable([[0.1], [0.2]]), tf.Variable([0.0])
    x, y = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), tf.constant([[1.0], [2.0], [3.0]])
    losses = []

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b - y) ** 2)
        for v, g in zip((w, b), tape.gradient(loss, (w, b))):
            v.assign_sub(0.01 * g)
        return loss

    for _ in range(5):
        losses.append(float(step()))
    return losses, w, b


@shows
def metrics_of_version_one():
    def run(metric, *args, **kwargs):
        with tf.Graph().as_default(), v1.Session() as s:
            value, update = getattr(v1.metrics, metric)(*map(tf.constant, args), **kwargs)
            s.run(v1.local_variables_initializer())
            s.run(update)
            return s.run(value)

    return {
        "accuracy": run("accuracy", [1, 0, 1], [1, 1, 1]),
        "mean": run("mean", [1.0, 2.0, 4.0]),
        "precision": run("precision", [1, 0, 1], [1, 1, 0]),
        "recall": run("recall", [1, 0, 1], [1, 1, 0]),
        "mse": run("mean_squared_error", [1.0, 2.0], [2.0, 4.0]),
        "iou": run("mean_iou", [0, 1, 1], [0, 1, 0], num_classes=2),
        "false_positives": run("false_positives", [1, 0, 1], [1, 1, 0]),
        "below": run("percentage_below", [1.0, 5.0], threshold=3.0),
    }


@shows
def modules():
    class Dense(tf.Module):
        def __init__(self, n, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(tf.ones([2, n]), name="w")

        @tf.Module.with_name_scope
        def __call__(self, x):
            return x @ self.w

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(3), Dense(1, name="last")]
            self.table = {"extra": tf.Variable(1, trainable=False, name="extra")}

    net = Net()
    return (
        net.name,
        [v.name for v in net.variables],
        [v.name for v in net.trainable_variables],
        [m.name for m in net.submodules],
        net.layers[0](tf.ones([1, 2])),
        net.layers[1].name_scope.name,
        len(net.non_trainable_variables),
    )


@shows
def queues_in_sessions():
    with tf.Graph().as_default(), v1.Session() as s:
        q = v1.FIFOQueue(3, [tf.int32], [[]])
        put, take, size = q.enqueue([7]), q.dequeue(), q.size()
        s.run(put)
        s.run(put)
        first = s.run(take), s.run(size)
        s.run(q.close())
        return first, s.run(take), kind(s.run, take)


@shows
def numpy_functions():
    tnp = tf.experimental.numpy
    a, b = tnp.reshape(tnp.arange(6), (2, 3)), tnp.ones((3,))
    return (
        tnp.dot(a, b),
        tnp.sum(a, axis=0),
        tnp.mean(a),
        tnp.transpose(a),
        tnp.where(a > 2, a, -a),
        tnp.concatenate([a, a], axis=1),
        tnp.linspace(0, 1, 3),
        tnp.cumsum(a),
        tnp.argmax(a, axis=1),
        tnp.einsum("ij->ji", a),
        tnp.clip(a, 1, 3),
        tnp.stack([a, a]).shape,
        tnp.var(a),
        tnp.outer(b, b),
        tnp.sort([3, 1, 2]),
        tnp.tile(b, 2),
        tnp.isclose(1.0, 1.0 + 1e-9),
        tnp.float32(3).dtype,
        tnp.pad(b, ((1, 1),), "constant"),
        tnp.diag([1, 2]),
        tnp.tri(2),
        tnp.vander([1, 2, 3]) if hasattr(tnp, "vander") else 0,
        tnp.all(a >= 0),
        tnp.count_nonzero(a),
        tnp.split(a, 3, axis=1),
        tnp.roll(a, 1),
        tnp.power(a, 2),
        tnp.logaddexp(1.0, 2.0),
        tnp.max(a),
        tnp.expand_dims(b, 0),
    )


@shows
def names_of_optimizers_variables():
    """Those of the optimizer itself are below the scopes around, slots below the scope of variables."""

    def names(make, scope):
        with tf.Graph().as_default():
            a, b = v1.get_variable("a", initializer=1.0), v1.get_variable("s/b", initializer=[1.0, 2.0])
            with tf.name_scope(scope) if scope else v1.variable_scope("vs"):
                step = make().minimize(a * a + tf.reduce_sum(b * b))
            make().minimize(a * a)
            return [v.name for v in v1.global_variables()], step.name

    train = v1.train
    kinds = train.AdamOptimizer, train.FtrlOptimizer, lambda r: train.MomentumOptimizer(r, 0.9), train.RMSPropOptimizer
    return [names(lambda kind=kind: kind(0.1), scope) for kind in kinds for scope in ("opt", "opt/inner", None)]


@shows
def third_gradients_of_one_tape():
    x = tf.constant(2.0)
    f = tf.function(lambda x: x**4 * tf.sin(x))

    def gradients(g):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            first = tape.gradient(g(x), x)
            second = tape.gradient(first, x)
            third = tape.gradient(second, x)
        return first, second, third

    return gradients(lambda x: x**4), gradients(f), tf.function(lambda: gradients(f))()


@shows
def slices_through_calls_and_branches():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows, yes = tf.constant([0, 2]), tf.constant(True)

    def loop(i):
        s = tf.constant(0.0)
        for _ in tf.range(2):
            s += tf.reduce_sum(tf.gather(v, i))
        return s

    found = []
    for f in (
        lambda: tf.gather(v, rows),
        lambda: tf.cond(yes, lambda: tf.gather(v, rows), lambda: tf.gather(v, rows) * 2.0),
        lambda: tf.cond(yes, lambda: tf.gather(v, [1]), lambda: v * 2.0),
        lambda: loop(rows),
    ):
        with tf.GradientTape() as tape:
            y = tf.function(f)()
        d = tape.gradient(y, v)
        found.append([type(d).__name__.replace("EagerTensor", "Tensor"), tf.convert_to_tensor(d)])
    with tf.Graph().as_default():
        w = v1.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
        which = v1.placeholder_with_default(True, [])
        y = tf.cond(which, lambda: tf.gather(w, [0]), lambda: tf.gather(w, [1]))
        z = tf.function(lambda: tf.gather(w, [0]))()
        return found, [type(tf.gradients(t, w)[0]).__name__ for t in (y, z)]
