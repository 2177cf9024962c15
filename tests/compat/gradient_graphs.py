"""Made-up differentiable graphs for gradients_agree: a seed makes a story, a story builds its graph as often as it is told to.

A story is built with placeholders of known shapes, of known ranks, or of shapes that nobody knows; with loops and conditionals
in the lowered (v1) or in the functional (v2) form. build() gives ports by name, so that two builds can be compared.
"""
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1


class NotHere(Exception):
    """A step that finds nothing to work on."""


def smooth(x):
    return tf.math.sqrt(1 + tf.square(x))


UNARY = {
    "tanh": tf.tanh, "sin": tf.sin, "cos": tf.cos, "sigmoid": tf.sigmoid, "softplus": tf.math.softplus, "erf": tf.math.erf,
    "atan": tf.atan, "asinh": tf.asinh, "relu": tf.nn.relu, "elu": tf.nn.elu, "selu": tf.nn.selu, "relu6": tf.nn.relu6,
    "leaky": lambda x: tf.nn.leaky_relu(x, 0.1), "abs": tf.abs, "neg": tf.negative, "sign": lambda x: tf.sign(x) * x,
    "exp": lambda x: tf.exp(tf.tanh(x)), "expm1": lambda x: tf.math.expm1(tf.sin(x)),
    "log": lambda x: tf.math.log(smooth(x)),
    "log1p": lambda x: tf.math.log1p(tf.abs(x)), "rsqrt": lambda x: tf.math.rsqrt(1 + x * x),
    "reciprocal": lambda x: tf.math.reciprocal(smooth(x)), "floor": lambda x: x - tf.floor(x),
    "lgamma": lambda x: tf.math.lgamma(smooth(x)), "digamma": lambda x: tf.math.digamma(1 + smooth(x)),
    "acosh": lambda x: tf.acosh(1 + smooth(x)), "asin": lambda x: tf.asin(0.9 * tf.sin(x)),
    "tan": lambda x: tf.tan(tf.tanh(x)),
    "cosh": lambda x: tf.cosh(tf.tanh(x)), "pow": lambda x: tf.pow(smooth(x), 1.7),
    "square": lambda x: tf.square(tf.tanh(x)),
    "identity": tf.identity, "identity_n": lambda x: tf.identity_n([x, x])[1],
    "clip": lambda x: tf.clip_by_value(x, -0.5, 0.8),
    "half": lambda x: tf.cast(tf.cast(x, tf.float32), tf.float64), "erfc": tf.math.erfc, "bessel": tf.math.bessel_i0e,
    "complex": lambda x: tf.math.real(tf.complex(x, tf.sin(x)) * tf.complex(tf.cos(x), x)),
    "angle": lambda x: tf.math.abs(tf.complex(x, 1 + x * x)),
    "conj": lambda x: tf.math.imag(tf.math.conj(tf.complex(x, x * x))),
    "where": lambda x: tf.where(x > 0.1, tf.sin(x), x * x), "stopped": lambda x: x * tf.stop_gradient(tf.cos(x)),
    "twice": lambda x: x * x + x, "mean": lambda x: x - tf.reduce_mean(x), "norm": lambda x: x / (1 + tf.norm(x)),
}
BINARY = {
    "add": tf.add, "sub": tf.subtract, "mul": lambda a, b: tf.tanh(a) * b, "div": lambda a, b: a / smooth(b),
    "maximum": tf.maximum, "minimum": tf.minimum,
    "squared_difference": lambda a, b: tf.math.squared_difference(tf.sin(a), tf.sin(b)),
    "atan2": lambda a, b: tf.atan2(a, smooth(b)), "pow": lambda a, b: tf.pow(smooth(a), tf.tanh(b)),
    "xlogy": lambda a, b: tf.math.xlogy(a, smooth(b)), "xdivy": lambda a, b: tf.math.xdivy(a, smooth(b)),
    "xlog1py": lambda a, b: tf.math.xlog1py(a, tf.abs(b)), "div_no_nan": lambda a, b: tf.math.divide_no_nan(a, smooth(b)),
    "floormod": lambda a, b: tf.math.floormod(a, 1.5 + tf.sigmoid(b)),
    "multiply_no_nan": lambda a, b: tf.math.multiply_no_nan(tf.sin(a), b),
    "where": lambda a, b: tf.where(a > b, tf.sin(a), tf.cos(b)),
    "complex": lambda a, b: tf.abs(tf.complex(smooth(a + b), a - b)),
    "igamma": lambda a, b: tf.math.igamma(smooth(a), smooth(b)), "add_n": lambda a, b: tf.add_n([a + b, a * 0.5 + b * 0]),
}


def broadcasts(a, b):
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1]))


class Steps:
    """Each method with a name that begins with step_ chooses values and numbers now and returns what it does later, a function of
    the list of all values so far."""

    def __init__(self, random):
        self.random = random
        self.shapes = []

    def one_of(self, items):
        items = list(items)
        if not items:
            raise NotHere
        return items[self.random.randint(len(items))]

    def pick(self, fits=lambda s: True):
        # The newest more often: graphs become deep, and the older ones fan out.
        fitting = [i for i, s in enumerate(self.shapes) if fits(s)]
        if not fitting:
            raise NotHere
        return fitting[-1 - min(int(self.random.exponential(2.5)), len(fitting) - 1)]

    def axis(self, shape):
        return int(self.random.randint(len(shape)))

    def step_unary(self):
        i, f = self.pick(), UNARY[self.one_of(UNARY)]
        return lambda v: f(v[i])

    step_unary_again = step_unary

    def step_binary(self):
        i, f = self.pick(), BINARY[self.one_of(BINARY)]
        j = self.pick(lambda s: broadcasts(s, self.shapes[i]))
        return lambda v: f(v[i], v[j])

    step_binary_again = step_binary
    step_binary_more = step_binary

    def step_matmul(self):
        i = self.pick(lambda s: len(s) == 2)
        j = self.pick(lambda s: len(s) == 2 and s[0] == self.shapes[i][1])
        return lambda v: tf.tanh(tf.matmul(v[i], v[j]))

    def step_matmul_transposed(self):
        i = self.pick(lambda s: len(s) >= 2)
        a, b = self.one_of([(True, False), (False, True)])
        return lambda v: tf.tanh(tf.matmul(v[i], tf.sin(v[i]), transpose_a=a, transpose_b=b))

    def step_einsum(self):
        i = self.pick(lambda s: len(s) == 2)
        equation = self.one_of(["ab,ab->a", "ab,cb->ac", "ab,ab->ba", "ab,ab->", "ab,ac->bc"])
        return lambda v: tf.einsum(equation, tf.tanh(v[i]), tf.sin(v[i]))

    def step_reduce(self):
        i = self.pick(lambda s: len(s) >= 1 and 0 not in s)
        f = self.one_of([tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp,
                         lambda x, a, keepdims: tf.reduce_prod(tf.tanh(x) + 1.1, a, keepdims=keepdims),
                         lambda x, a, keepdims: tf.math.reduce_euclidean_norm(x + 0.1, a, keepdims=keepdims),
                         lambda x, a, keepdims: tf.math.reduce_variance(x, a, keepdims=keepdims)])
        axes = self.one_of([None, [self.axis(self.shapes[i])], [-1], list(range(len(self.shapes[i])))])
        keep = bool(self.random.randint(2))
        return lambda v: f(v[i], axes, keepdims=keep)

    def step_cumulate(self):
        i = self.pick(lambda s: len(s) >= 1)
        f = self.one_of([tf.cumsum, lambda x, **k: tf.math.cumprod(1.2 + tf.sin(x), **k), tf.math.cumulative_logsumexp])
        options = dict(axis=self.axis(self.shapes[i]), exclusive=bool(self.random.randint(2)),
                       reverse=bool(self.random.randint(2)))
        if f is tf.math.cumulative_logsumexp:
            options["exclusive"] = False
        return lambda v: f(v[i], **options)

    def step_softmax(self):
        i = self.pick(lambda s: len(s) >= 1 and 0 not in s)
        f = self.one_of([tf.nn.softmax, tf.nn.log_softmax, lambda x: tf.nn.l2_normalize(x + 0.3, -1)])
        return lambda v: f(v[i])

    def step_cross_entropy(self):
        i = self.pick(lambda s: len(s) == 2 and 0 not in s)
        rows, classes = self.shapes[i]
        labels = self.random.randint(classes, size=rows)
        if self.random.randint(2):
            return lambda v: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=v[i])
        return lambda v: tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(v[i] * v[i]), logits=v[i])

    def step_shape(self):
        i = self.pick(lambda s: 0 < len(s) < 5)
        s, axis = self.shapes[i], self.axis(self.shapes[i])
        order = list(self.random.permutation(len(s)))
        pads = self.random.randint(0, 2, (len(s), 2)).tolist()
        begin = [int(self.random.randint(d)) if d else 0 for d in s]
        size = [d - b for d, b in zip(s, begin)]
        multiples = [int(self.random.randint(1, 3)) for _ in s]
        stride = int(self.one_of([1, 2, -1]))
        f = self.one_of([
            lambda x: tf.reshape(x, [-1]), lambda x: tf.transpose(x, order), lambda x: tf.expand_dims(x, axis),
            lambda x: tf.pad(x, pads), lambda x: tf.pad(x, pads, constant_values=0.7), lambda x: tf.slice(x, begin, size),
            lambda x: tf.tile(x, multiples), lambda x: tf.reverse(x, [axis]), lambda x: tf.roll(x, 1, axis),
            lambda x: x[(Ellipsis, slice(None, None, stride))], lambda x: x[..., tf.newaxis],
            lambda x: tf.reshape(x, tf.shape(x)[::-1]),
            lambda x: tf.broadcast_to(x, tf.concat([[2], tf.shape(x)], 0)), lambda x: tf.repeat(x, 2, axis=axis),
            lambda x: tf.stack([x, tf.sin(x)], axis), lambda x: tf.concat([x, x * x * 0.1, tf.cos(x)], axis),
            lambda x: tf.transpose(x), lambda x: tf.ensure_shape(x, [None] * len(s))])
        return lambda v: f(v[i])

    step_shape_again = step_shape

    def step_cut(self):
        i = self.pick(lambda s: len(s) >= 1 and 1 < s[0] < 6)
        n = self.shapes[i][0]
        a, b = self.random.permutation(n)[:2]
        f = self.one_of([
            lambda x: tf.unstack(x, n)[a] - 0.3 * tf.unstack(x, n)[b], lambda x: tf.split(x, n)[a],
            lambda x: tf.split(x, [1, n - 1])[1], lambda x: x[int(a)], lambda x: x[::2], lambda x: x[-1] * 2,
            lambda x: tf.boolean_mask(x, np.arange(n) != a),
            lambda x: tf.dynamic_stitch([[0], list(range(1, n))], tf.dynamic_partition(x, [1] + [0] * (n - 1), 2)[::-1]),
            lambda x: tf.where(tf.range(n) < 1, tf.reduce_sum(tf.reshape(x, [n, -1]), 1), 0)])
        return lambda v: f(v[i])

    def step_gather(self):
        i = self.pick(lambda s: len(s) >= 1 and s[0] > 0)
        n = self.shapes[i][0]
        indices = self.random.randint(n, size=self.one_of([(), (3,), (2, 2)])).astype(self.one_of([np.int32, np.int64]))
        f = self.one_of([
            lambda x: tf.gather(x, indices), lambda x: v1.gather(x, indices),
            lambda x: tf.gather_nd(x, indices.reshape(-1, 1)),
            lambda x: tf.nn.embedding_lookup(x, indices),
            lambda x: tf.gather(x, indices, axis=-1) if x.shape[-1] == n else tf.gather(x, indices)])
        return lambda v: f(v[i])

    step_gather_again = step_gather

    def step_segment(self):
        i = self.pick(lambda s: len(s) >= 1 and s[0] > 0)
        n = self.shapes[i][0]
        ids, sorted_ids = self.random.randint(-1, 3, n), np.sort(np.concatenate([[0], self.random.randint(0, 2, n - 1)]))
        rows = self.random.randint(n, size=4)
        f = self.one_of([
            lambda x: tf.math.unsorted_segment_sum(x, ids, 3), lambda x: tf.math.unsorted_segment_mean(x, ids, 3),
            lambda x: tf.math.segment_sum(x, sorted_ids), lambda x: tf.math.segment_mean(x, sorted_ids),
            lambda x: tf.math.segment_max(x, sorted_ids), lambda x: tf.sparse.segment_sum(x, rows, [0, 0, 1, 2]),
            lambda x: tf.sparse.segment_mean(x, rows, [0, 0, 1, 1]),
            lambda x: tf.sparse.segment_sqrt_n(x, rows, [0, 1, 1, 1]),
            lambda x: tf.math.unsorted_segment_prod(tf.tanh(x) + 1.2, ids, 3)])
        return lambda v: f(v[i])

    def step_scatter(self):
        i = self.pick(lambda s: len(s) >= 1 and s[0] > 1)
        n = self.shapes[i][0]
        at = self.random.permutation(n)[:2].reshape(2, 1).astype(np.int32)
        f = self.one_of([
            lambda x: tf.scatter_nd(at, x[:2], tf.shape(x)), lambda x: tf.tensor_scatter_nd_add(x, at, tf.sin(x[:2])),
            lambda x: tf.tensor_scatter_nd_update(x, at, tf.sin(x[:2])),
            lambda x: tf.tensor_scatter_nd_sub(x, at, x[-2:] * 0.4)])
        return lambda v: f(v[i])

    def step_matrix(self):
        i = self.pick(lambda s: len(s) == 2 and 0 < s[0] < 5 and s[1] > 0)
        n = self.shapes[i][0]

        def positive(x):
            return tf.matmul(tf.tanh(x), tf.tanh(x), transpose_b=True) + np.diag(np.arange(1.0, n + 1))

        f = self.one_of([
            lambda x: tf.linalg.cholesky(positive(x)), lambda x: tf.linalg.inv(positive(x)),
            lambda x: tf.linalg.det(positive(x)),
            lambda x: tf.linalg.solve(positive(x), x), lambda x: tf.linalg.logdet(positive(x)),
            lambda x: tf.linalg.eigvalsh(positive(x)),
            lambda x: tf.linalg.cholesky_solve(tf.linalg.cholesky(positive(x)), x), lambda x: tf.linalg.band_part(x, 1, 0),
            lambda x: tf.linalg.diag_part(positive(x)), lambda x: tf.linalg.diag(x), lambda x: tf.linalg.trace(positive(x)),
            lambda x: tf.linalg.triangular_solve(positive(x), x), lambda x: tf.linalg.set_diag(positive(x), tf.sin(x[:, 0])),
            lambda x: tf.math.top_k(x, 1)[0], lambda x: tf.math.real(tf.signal.fft(tf.complex(x, tf.sin(x)))),
            lambda x: tf.linalg.slogdet(positive(x))[1]])
        return lambda v: f(v[i])

    def step_picture(self):
        i = self.pick(lambda s: len(s) == 2 and min(s) >= 2)
        h, w = self.shapes[i]
        filters = self.random.standard_normal((2, 2, 1, 2))
        padding = self.one_of(["SAME", "VALID"])

        def picture(x):
            return tf.reshape(x, [1, h, w, 1])

        f = self.one_of([
            lambda x: tf.nn.conv2d(picture(x), filters, 1, padding),
            lambda x: tf.nn.conv2d(picture(tf.tanh(x)), tf.reshape(x[:2, :2], [2, 2, 1, 1]), 1, padding),
            lambda x: tf.nn.max_pool2d(picture(x), 2, 1, padding), lambda x: tf.nn.avg_pool2d(picture(x), 2, 2, padding),
            lambda x: tf.nn.depthwise_conv2d(picture(x), filters, [1, 1, 1, 1], padding),
            lambda x: tf.nn.bias_add(x, x[0] * 0.5), lambda x: tf.pad(x, [[1, 0], [0, 1]], "REFLECT"),
            lambda x: tf.nn.conv2d_transpose(picture(x), filters.reshape(2, 2, 2, 1)[:, :, :1], [1, h + 1, w + 1, 1], 1,
                                             "VALID"),
            lambda x: tf.nn.moments(x, [0])[1]])
        return lambda v: f(v[i])


class Story:
    """Inputs and what is asked. Forms: how the story may be built; the first is the one that TensorFlow answers for."""
    forms = ("plain",)
    stop = None

    def feeds(self):
        return {"x%d" % i: value for i, value in enumerate(self.inputs)}

    def build(self, form):
        """The ports (ys, xs, dys or None, stops) in the current graph."""
        v1.enable_control_flow_v2() if form == "v2" else v1.disable_control_flow_v2()
        shapes = [{"known": v.shape, "ranks": [None] * v.ndim, "unknown": None}[self.shapes] for v in self.inputs]
        xs = [v1.placeholder(v.dtype, s, "x%d" % i) for i, (v, s) in enumerate(zip(self.inputs, shapes))]
        values, ys = self.tell(xs)
        ys = [tf.identity(y, "y%d" % i) for i, y in enumerate(ys)]
        given = [values[i] for i in self.by]
        dys = [tf.cos(tf.stop_gradient(y) * 0.7) for y in ys] if self.weighs else None
        return ys, given, dys, [values[i] for i in self.stops]


class Mixed(Story):
    """Random steps over a few inputs of different shapes."""

    def __init__(self, seed):
        self.name = "mixed %d" % seed
        random = np.random.RandomState(seed)
        steps = Steps(random)
        sizes = [1, 2, 3, 4] if seed % 16 else [0, 1, 2]
        base = [int(steps.one_of(sizes)) for _ in range(int(random.randint(1, 4)))]
        shapes = [base]
        for _ in range(random.randint(1, 4)):  # some broadcast against the first
            cut = base[random.randint(len(base) + 1):]
            shapes.append([1 if random.rand() < 0.3 else d for d in cut])
        self.inputs = [random.standard_normal(s) for s in shapes]
        self.shapes = steps.one_of(["known", "known", "ranks", "unknown"])
        self.steps = []
        with tf.Graph().as_default():
            values = [v1.placeholder(v.dtype, v.shape) for v in self.inputs]
            while len(self.steps) < 6 + seed % 13:
                steps.shapes = [v.shape.as_list() for v in values]
                step = getattr(steps, steps.one_of(n for n in dir(steps) if n.startswith("step_")))
                try:
                    made = step()
                    value = made(values)
                except (NotHere, ValueError, IndexError):
                    continue
                if value.shape.rank is None or None in value.shape.as_list() or value.shape.num_elements() > 200:
                    continue
                self.steps.append(made)
                values.append(value)
        n, n_inputs = len(values), len(self.inputs)
        self.ends = [n - 1] + list(random.randint(n_inputs, n, random.randint(0, 3)))
        self.by = list(range(n_inputs)) + list(random.randint(n_inputs, n, int(seed % 3 == 0)))
        self.weighs = seed % 3 != 1
        self.stops = list(random.randint(n_inputs, n, int(seed % 5 == 0)))

    def tell(self, xs):
        values = list(xs)
        for step in self.steps:
            values.append(step(values))
        return values, [values[i] for i in self.ends]


# ---- loops and conditionals: name -> a function of three inputs (a matrix m, a vector v, a scalar s) and of random numbers, that
# gives the ys. Each is told in both forms.
def while_of(cond, body, start, **options):
    return v1.while_loop(cond, body, start, **options)


def count(n, body, start, **options):
    """body(i, values...) n times; the values."""
    result = while_of(lambda i, *_: i < n, lambda i, *values: [i + 1] + list(body(i, *values)),
                      [tf.constant(0)] + list(start), **options)
    return result[1:]


def power(m, v, s, r):
    return count(r.randint(1, 5), lambda i, a: [tf.tanh(tf.matmul(a, m)) + v], [m])


def captured(m, v, s, r):
    return count(4, lambda i, a: [a * s + tf.sin(v * tf.cast(i, a.dtype))], [v])


def carried_invariant(m, v, s, r):
    return count(3, lambda i, a, k: [a * k + s, k], [v, s * s])


def two_values(m, v, s, r):
    return count(r.randint(2, 5), lambda i, a, b: [b * s, tf.sin(a) + b], [v, v * v])


def swapped(m, v, s, r):
    return count(3, lambda i, a, b: [b, a * s], [v, s * v])


def early_exit(m, v, s, r):
    return while_of(lambda a, b: tf.reduce_sum(tf.abs(a)) < 12.0, lambda a, b: [a * 1.5 + tf.abs(v), b + tf.reduce_sum(a)],
                    [v, s])


def no_iteration(m, v, s, r):
    return count(tf.cast(s * 0, tf.int32), lambda i, a: [a * v], [v * 2 + s])


def count_from_input(m, v, s, r):
    return count(tf.cast(tf.floor(tf.abs(s)), tf.int32) + 2, lambda i, a: [tf.tanh(a * v) + s], [v])


def unused_exit(m, v, s, r):
    return count(3, lambda i, a, b: [a * s, b + a], [v, v])[:1]


def only_the_other(m, v, s, r):
    return count(3, lambda i, a, b: [a * s, b + tf.sin(a)], [v, tf.zeros_like(v)])[1:]


def nested(m, v, s, r):
    return count(3, lambda i, a: count(2, lambda j, b: [tf.tanh(b * s) + v], [a * s]), [v])


def nested_by_count(m, v, s, r):
    return count(3, lambda i, a: count(i, lambda j, b: [b * s + tf.sin(a)], [a]), [v])


def nested_three(m, v, s, r):
    return count(2, lambda i, a: count(2, lambda j, b: count(2, lambda k, c: [tf.sin(c * s) + a], [b]), [a]), [v])


def in_a_row(m, v, s, r):
    a = count(2, lambda i, a: [a * s + v], [v])[0]
    return count(3, lambda i, b: [tf.tanh(b * a)], [a * v])


def limited(m, v, s, r):
    return while_of(lambda i, a: i < 100, lambda i, a: [i + 1, a * s + v], [tf.constant(0), v], maximum_iterations=3)[1:]


def one_at_a_time(m, v, s, r):
    return count(4, lambda i, a: [tf.sin(a) * s], [v], parallel_iterations=1)


def shapes_grow(m, v, s, r):
    return while_of(lambda i, a: i < 3, lambda i, a: [i + 1, tf.concat([a, tf.sin(a[:1]) * s], 0)], [tf.constant(0), v],
                    shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1:]


def matrix_invariant(m, v, s, r):
    return count(3, lambda i, a: [tf.tanh(tf.linalg.matvec(m, a))], [v])


def gathers(m, v, s, r):
    return count(3, lambda i, a: [a + tf.gather(m, i % 3) * s], [v])


def gathers_rows(m, v, s, r):
    return count(3, lambda i, a: [a * 0.5 + tf.gather(m, [0, i % 3]) * tf.reduce_sum(a)], [tf.gather(m, [1, 2])])


def stopped(m, v, s, r):
    return count(3, lambda i, a: [a * s + tf.stop_gradient(a * v)], [v])


def integers_too(m, v, s, r):
    k, a = count(3, lambda i, k, a: [k * 2 + 1, a * tf.cast(k, a.dtype) + s], [tf.constant(1), v])
    return [a * tf.cast(k, a.dtype)]


def chosen(m, v, s, r):
    return [v1.cond(s > 0, lambda: tf.sin(v) * s, lambda: v * v)]


def chosen_other(m, v, s, r):
    return [v1.cond(s < 0, lambda: tf.sin(v) * s, lambda: v * v + tf.reduce_sum(m))]


def chosen_pair(m, v, s, r):
    return list(v1.cond(tf.reduce_sum(v) > s, lambda: (v * s, m), lambda: (v + s, m * m)))


def chosen_constant(m, v, s, r):
    return [v1.cond(s > 100, lambda: v * s, lambda: tf.ones_like(v)) + s]


def chosen_rows(m, v, s, r):
    return [v1.cond(s > 0, lambda: tf.gather(m, [0, 0, 2]), lambda: m * s)]


def chosen_twice(m, v, s, r):
    return [v1.cond(s > 0, lambda: v1.cond(s > 1, lambda: v * s, lambda: tf.exp(v)), lambda: v - s)]


def chosen_after(m, v, s, r):
    a = v1.cond(s > 0, lambda: v * s, lambda: v + s)
    return [v1.cond(tf.reduce_sum(a) > 0, lambda: a * v, lambda: tf.sin(a))]


def choice_in_loop(m, v, s, r):
    return count(4, lambda i, a: [v1.cond(tf.equal(i % 2, 0), lambda: a * s, lambda: tf.sin(a) + v)], [v])


def choice_by_value_in_loop(m, v, s, r):
    return count(4, lambda i, a: [v1.cond(tf.reduce_sum(a) > 0, lambda: a * s - 1, lambda: tf.square(a) + v)], [v])


def loop_in_choice(m, v, s, r):
    return [v1.cond(s > -100, lambda: count(3, lambda i, a: [a * s + v], [v])[0], lambda: v * 2)]


def loop_in_choice_not_taken(m, v, s, r):
    return [v1.cond(s > 100, lambda: count(3, lambda i, a: [a * s + v], [v])[0], lambda: v * 2 + s)]


def loop_in_both(m, v, s, r):
    return [v1.cond(s > 0, lambda: count(2, lambda i, a: [a * s], [v])[0],
                    lambda: count(3, lambda i, a: [tf.sin(a) * v], [v])[0])]


def choice_with_loop_in_loop(m, v, s, r):
    return count(3, lambda i, a: [v1.cond(i > 0, lambda: count(2, lambda j, b: [tf.tanh(b * s)], [a])[0], lambda: a + v)],
                 [v])


def array_out(m, v, s, r):
    array = tf.TensorArray(v.dtype, 4, element_shape=v.shape)
    _, _, array = while_of(lambda i, a, t: i < 4, lambda i, a, t: [i + 1, tf.sin(a) * s, t.write(i, a * a)],
                          [tf.constant(0), v, array])
    return [array.stack()]


def array_in(m, v, s, r):
    array = tf.TensorArray(v.dtype, 3, clear_after_read=False).unstack(m)
    return count(3, lambda i, a: [tf.tanh(a + array.read(i) * s)], [v])


def array_through(m, v, s, r):
    given = tf.TensorArray(v.dtype, 3).unstack(m)
    made = tf.TensorArray(v.dtype, 3)
    _, a, made = while_of(lambda i, a, t: i < 3, lambda i, a, t: [i + 1, tf.tanh(a * s + given.read(i)), t.write(i, a)],
                          [tf.constant(0), v, made])
    return [made.stack(), a]


def array_gathered(m, v, s, r):
    array = tf.TensorArray(v.dtype, 3).unstack(m * s)
    return [array.gather([2, 0])]


def array_scattered(m, v, s, r):
    return [tf.TensorArray(v.dtype, 3).scatter([2, 0, 1], m * s).stack()]


def array_joined(m, v, s, r):
    array = tf.TensorArray(v.dtype, 2, infer_shape=False).split(v * s, [1, 2])
    return [array.concat() * v]


def scanned(m, v, s, r):
    return [tf.scan(lambda a, row: tf.tanh(a * s + row), m, v)]


def mapped(m, v, s, r):
    return [tf.map_fn(lambda row: tf.sin(row) * v + s, m)]


def folded(m, v, s, r):
    return [tf.foldl(lambda a, row: a * row + s, m, v), tf.foldr(lambda a, row: tf.sin(a) + row * s, m, v)]


def mapped_in_mapped(m, v, s, r):
    return [tf.map_fn(lambda row: tf.map_fn(lambda e: e * tf.sin(e) * s, row), m)]


def switched(m, v, s, r):
    return [v1.case([(s > 1, lambda: v * s), (s > 0, lambda: tf.sin(v))], default=lambda: v * v)]


def recurrent(m, v, s, r):
    weights = m * 0.5

    def step(i, h, c):
        gate = tf.sigmoid(tf.linalg.matvec(weights, h) + tf.gather(m, i % 3))
        c = gate * c + (1 - gate) * tf.tanh(h + v)
        return [tf.sigmoid(c * s) * tf.tanh(c), c]

    return count(4, step, [v, v * 0])



CONTROL = [power, captured, carried_invariant, two_values, swapped, early_exit, no_iteration, count_from_input, unused_exit,
           only_the_other, nested, nested_by_count, nested_three, in_a_row, limited, one_at_a_time, shapes_grow,
           matrix_invariant,
           gathers, gathers_rows, stopped, integers_too, chosen, chosen_other, chosen_pair, chosen_constant, chosen_rows,
           chosen_twice,
           chosen_after, choice_in_loop, choice_by_value_in_loop, loop_in_choice, loop_in_choice_not_taken, loop_in_both,
           choice_with_loop_in_loop, array_out, array_in, array_through, array_gathered, array_scattered, array_joined,
           scanned,
           mapped, folded, mapped_in_mapped, switched, recurrent]


class Control(Story):
    forms = ("v2", "v1")

    def __init__(self, told, seed):
        self.name, self.told, self.seed = "%s %d" % (told.__name__, seed), told, seed
        random = np.random.RandomState(seed)
        self.inputs = [random.standard_normal((3, 3)), random.standard_normal(3), random.standard_normal(())]
        self.shapes = ["known", "ranks"][seed % 2]
        self.by, self.stops, self.weighs = [0, 1, 2], [], seed % 2 == 0

    def tell(self, xs):
        return list(xs), self.told(*xs, np.random.RandomState(self.seed))


def all_stories(n_mixed, n_control):
    yield from (Mixed(seed) for seed in range(n_mixed))
    yield from (Control(told, seed) for seed in range(n_control) for told in CONTROL)
