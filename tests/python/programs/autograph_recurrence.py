"""Recurrent cells by hand, beam search, attention, Viterbi, hidden Markov models, sampling loops, schedules, training steps."""

from programs import close, on, tf

SEQUENCE = [[0.1, 0.2], [0.3, -0.1], [0.0, 0.5]]


def weights(rows, columns, shift=0):
    n = rows * columns
    return tf.reshape(tf.sin(tf.range(n, dtype=tf.float32) * 1.7 + shift), [rows, columns])


@on(SEQUENCE)
def simple_cell(xs):
    w, u = weights(2, 3), weights(3, 3, 1)
    h = tf.zeros([3])
    for x in xs:
        h = tf.tanh(tf.linalg.matvec(w, x, transpose_a=True) + tf.linalg.matvec(u, h))
    return h


@on(SEQUENCE)
def long_short_term_memory(xs):
    n = 3
    w = weights(2 + n, 4 * n)
    h, c = tf.zeros([1, n]), tf.zeros([1, n])
    outputs = tf.TensorArray(tf.float32, 3)
    for t in tf.range(3):
        z = tf.concat([xs[t : t + 1], h], 1) @ w
        i, f, o, g = tf.split(z, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        outputs = outputs.write(t, h[0])
    return outputs.stack(), c


@on(SEQUENCE)
def gated_unit(xs):
    wz, wr, wh = weights(5, 3), weights(5, 3, 1), weights(5, 3, 2)
    h = tf.zeros([1, 3])
    for x in xs:
        x = x[None]
        both = tf.concat([x, h], 1)
        z, r = tf.sigmoid(both @ wz), tf.sigmoid(both @ wr)
        new = tf.tanh(tf.concat([x, r * h], 1) @ wh)
        h = (1.0 - z) * h + z * new
    return h


@on([[[0.1], [0.2], [0.3]], [[0.5], [0.6], [0.7]]], [2, 3])
def masked_recurrence(batch, lengths):
    h = tf.zeros([2, 1])
    for t in tf.range(tf.reduce_max(lengths)):
        new = tf.tanh(batch[:, t] + 0.5 * h)
        alive = tf.cast(t < lengths, tf.float32)[:, None]
        h = alive * new + (1.0 - alive) * h
    return h


@on(SEQUENCE)
def both_directions(xs):
    def run(rows):
        h = tf.zeros([2])
        made = tf.TensorArray(tf.float32, 3)
        i = 0
        for row in rows:
            h = tf.tanh(row + 0.3 * h)
            made = made.write(i, h)
            i += 1
        return made.stack()

    return tf.concat([run(xs), run(xs[::-1])[::-1]], 1)


@on(SEQUENCE, 2)
def stacked_cells(xs, layers):
    states = [tf.zeros([2]) for _ in range(3)]
    for x in xs:
        below = x
        for k in range(3):
            if k < layers:
                states[k] = tf.tanh(below + 0.1 * states[k])
            below = states[k]
    return states


@on([0.0, 1.0, 0.5], 4)
def greedy_decoding(start, limit):
    w = weights(3, 3, 5)
    state, out = start, tf.TensorArray(tf.int32, 0, dynamic_size=True)
    for _ in tf.range(limit):
        state = tf.tanh(tf.linalg.matvec(w, state))
        token = tf.argmax(state, output_type=tf.int32)
        if token == 2 and out.size() > 2:
            break
        out = out.write(out.size(), token)
    return out.stack()


@on(2, 5)
def beam_search(width, steps):
    table = tf.math.log_softmax(weights(5, 5, 3) * 2.0)
    scores = tf.concat([[0.0], tf.fill([width - 1], -1e9)], 0)
    beams = tf.zeros([width, 1], tf.int32)
    for t in tf.range(steps):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(beams, tf.TensorShape([None, None])), (scores, tf.TensorShape([None]))]
        )
        total = scores[:, None] + tf.gather(table, beams[:, -1])
        scores, at = tf.math.top_k(tf.reshape(total, [-1]), width)
        parent, token = at // 5, at % 5
        beams = tf.concat([tf.gather(beams, parent), token[:, None]], 1)
        if tf.reduce_all(token == 4):
            break
    return beams, scores


@on(3)
def beam_search_with_ends(width):
    """Beams that met the end symbol are kept apart; it ends when none of those alive can win."""
    table = tf.math.log_softmax(weights(4, 4, 2) * 3.0)
    alive = tf.concat([[0.0], tf.fill([width - 1], -1e9)], 0)
    last = tf.zeros([width], tf.int32)
    best_end, best_at, t = -1e9, -1, 0
    while t < 8 and tf.reduce_max(alive) > best_end:
        total = alive[:, None] + tf.gather(table, last)
        ended = tf.reduce_max(total[:, 3]) / (5.0 + tf.cast(t, tf.float32)) * 6.0
        if ended > best_end:
            best_end, best_at = ended, t
        total = tf.concat([total[:, :3], tf.fill([width, 1], -1e9)], 1)
        alive, at = tf.math.top_k(tf.reshape(total, [-1]), width)
        last = at % 4
        t += 1
    return best_end, best_at, t


@on([0, 1, 2, 1])
def viterbi(seen):
    start = tf.math.log([0.6, 0.4])
    move = tf.math.log([[0.7, 0.3], [0.4, 0.6]])
    emit = tf.math.log([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    score = start + emit[:, seen[0]]
    back = tf.TensorArray(tf.int64, 3, clear_after_read=False)
    for t in tf.range(1, 4):
        all_scores = score[:, None] + move
        back = back.write(t - 1, tf.argmax(all_scores, 0))
        score = tf.reduce_max(all_scores, 0) + emit[:, seen[t]]
    state = tf.argmax(score)
    path = tf.TensorArray(tf.int64, 4).write(3, state)
    for t in tf.range(2, -1, -1):
        state = back.read(t)[state]
        path = path.write(t, state)
    return path.stack(), tf.reduce_max(score)


@on([0, 2, 2])
def forward_backward(seen):
    move = tf.constant([[0.7, 0.3], [0.4, 0.6]])
    emit = tf.constant([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
    alpha = tf.constant([0.6, 0.4]) * emit[:, seen[0]]
    for s in seen[1:]:
        alpha = tf.linalg.matvec(move, alpha, transpose_a=True) * emit[:, s]
    beta = tf.ones([2])
    for s in seen[:0:-1]:
        beta = tf.linalg.matvec(move, emit[:, s] * beta)
    return tf.reduce_sum(alpha), tf.reduce_sum(tf.constant([0.6, 0.4]) * emit[:, seen[0]] * beta)


@on(SEQUENCE)
def attention(xs):
    out = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        scores = tf.linalg.matvec(xs, xs[i]) * 3.0
        scores = tf.where(tf.range(3) <= i, scores, -1e9)
        out = out.write(i, tf.linalg.matvec(xs, tf.nn.softmax(scores), transpose_a=True))
    return out.stack()


@on([1.0, 0.5, -0.5, 2.0])
def scan_of_sums(x):
    s, peak = tf.constant(0.0), tf.constant(float("-inf"))
    sums = tf.TensorArray(tf.float32, 4)
    for i, v in enumerate(tf.unstack(x)):
        s = s + v if s + v > 0.0 else tf.constant(0.0)
        peak = tf.maximum(peak, s)
        sums = sums.write(i, s)
    return sums.stack(), peak


@on([0.3, -0.8, 0.1])
def kalman(measured):
    mean, variance = 0.0, 1.0
    for z in measured:
        variance += 0.01
        gain = variance / (variance + 0.1)
        mean += gain * (z - mean)
        variance *= 1.0 - gain
    return mean, variance


@on(50)
def learning_rate_schedule(step):
    if step < 10:
        rate = 0.1 * tf.cast(step, tf.float32) / 10.0
    elif step < 40:
        rate = 0.1
    else:
        rate = 0.1 * 0.5 ** (tf.cast(step - 40, tf.float32) / 10.0)
    return rate


@on([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [1.0, 1.0, 0.0])
@close(1e-4)
def training_with_adam(x, y):
    w, m, v = tf.zeros([2]), tf.zeros([2]), tf.zeros([2])
    for t in tf.range(1, 30):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        g = tape.gradient(loss, w)
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g * g
        k = tf.cast(t, tf.float32)
        w -= 0.1 * (m / (1 - 0.9**k)) / (tf.sqrt(v / (1 - 0.999**k)) + 1e-7)
    return w, loss


@on([[1.0, 2.0], [3.0, 4.0]], 2.0)
def clipped(gradients, limit):
    norm = tf.norm(gradients)
    if norm > limit:
        gradients = gradients * limit / norm
    return gradients


@on([2, 0, 1, 1])
def embeddings(ids):
    table = weights(3, 2)
    s, n = tf.zeros([2]), 0
    for i in ids:
        if i == 0:
            continue
        s += table[i]
        n += 1
    return s / tf.cast(n, tf.float32)


@on([0.1, 0.6, 0.3], [0.05, 0.5, 0.95])
def sampling_by_cumulation(p, us):
    out = tf.TensorArray(tf.int32, 3)
    for k in tf.range(3):
        at, left = 0, us[k]
        while left > p[at] and at < 2:
            left -= p[at]
            at += 1
        out = out.write(k, at)
    return out.stack()


@on([1, 1, 2, 0, 2, 2, 0])
def connectionist_decoding(path):
    """Repeated symbols count once, blanks (0) not at all."""
    out = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    last = -1
    for p in path:
        if p != last and p != 0:
            out = out.write(out.size(), p)
        last = p
    return out.stack()


@on(1.0, 0.0)
def q_learning(reward, penalty):
    q = tf.zeros([3, 2])
    for episode in tf.range(5):
        s = 0
        for step in tf.range(6):
            a = (episode + step) % 2 if q[s, 0] == q[s, 1] else tf.argmax(q[s], output_type=tf.int32)
            new = tf.clip_by_value(s + 2 * a - 1, 0, 2)
            r = reward if new == 2 else penalty
            q = tf.tensor_scatter_nd_add(q, [[s, a]], [0.5 * (r + 0.9 * tf.reduce_max(q[new]) - q[s, a])])
            s = new
            if s == 2:
                break
    return q


@on([[1, 2], [3, 4]])
def teacher_forcing(targets):
    total = tf.constant(0.0)
    for sentence in targets:
        state = tf.constant(0.5)
        for word in sentence:
            guess = tf.cast(state * 4.0, tf.int32)
            if guess != word:
                total += tf.cast(tf.abs(guess - word), tf.float32)
            state = tf.tanh(tf.cast(word, tf.float32) * 0.3 + state)
    return total


@on([3, 1, 2])
def pointer_network(order):
    memory = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    for i in tf.range(3):
        memory = memory.write(i, tf.cast(order[i], tf.float32) * [1.0, 0.5])
    query, path = tf.ones([2]), tf.TensorArray(tf.int32, 3)
    used = tf.zeros([3])
    for i in tf.range(3):
        scores = tf.linalg.matvec(memory.stack(), query) - 100.0 * used
        best = tf.argmax(scores, output_type=tf.int32)
        used += tf.one_hot(best, 3)
        query = memory.read(best)
        path = path.write(i, best)
    return path.stack()


@on([1.0, -1.0, 2.0])
def dropout_by_pattern(x):
    kept = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        if i % 2 == 0:
            kept = kept.write(i, x[i] * 2.0)
        else:
            kept = kept.write(i, 0.0)
    return kept.stack()


@on([[0.2, 0.8], [0.9, 0.1], [0.6, 0.4]], [1, 0, 1])
def confusion(scores, labels):
    tp = fp = fn = tn = 0
    for s, y in zip(tf.unstack(scores), tf.unstack(labels)):
        p = 1 if s[1] > s[0] else 0
        if p == 1 and y == 1:
            tp += 1
        elif p == 1:
            fp += 1
        elif y == 1:
            fn += 1
        else:
            tn += 1
    return tp, fp, fn, tn


@on([5.0, 4.0, 4.5, 4.4, 4.6])
def early_stopping(losses):
    best, wait, stopped = tf.float32.max, 0, -1
    for i in tf.range(5):
        if losses[i] < best:
            best, wait = losses[i], 0
        else:
            wait += 1
            if wait >= 2:
                stopped = i
                break
    return best, stopped


@on([1.0, 2.0, 3.0])
def gradient_through_a_loop(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(1.0)
        for v in x:
            if v > 1.5:
                y = y * v
            else:
                y = y + v * v
    return tape.gradient(y, x)


@on(2.0)
def second_gradient_through_a_loop(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x
            i = 0
            while i < 3:
                y = y * x if y < 5.0 else y + x * x
                i += 1
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


@on(4)
def stacks_of_states(n):
    states = tf.TensorArray(tf.float32, n, element_shape=[2])
    s = tf.constant([1.0, 0.0])
    for i in tf.range(n):
        states = states.write(i, s)
        s = tf.stack([s[1] - s[0], s[0]])
    return states.stack(), states.size()


@on([3, 0, 2])
def tensor_array_of_pieces(lengths):
    pieces = tf.TensorArray(tf.int32, 3, infer_shape=False)
    for i in tf.range(3):
        pieces = pieces.write(i, tf.range(lengths[i]))
    return pieces.concat()


@on([0.5, 0.25])
def unrolled_and_staged(x):
    a = x
    for _ in range(3):
        a = a * a + 0.1
    b = x
    for _ in tf.range(3):
        b = b * b + 0.1
    return a, b


@on(3)
def map_fn_with_branches(n):
    def f(v):
        if v % 2 == 0:
            return v * 10
        else:
            return -v

    return tf.map_fn(f, tf.range(n))


@on([1, 2, 3, 4])
def scans_and_folds(x):
    def step(a, v):
        if v > 2:
            return a + v
        else:
            return a * v

    return tf.scan(step, x), tf.foldl(step, x), tf.foldr(step, x)


@on(2)
def vectorized(n):
    def f(v):
        return v * n + tf.where(v > 1, v, -v)

    return tf.vectorized_map(f, tf.constant([1, 2, 3]))


@on(5)
def switch_and_case(n):
    return (
        tf.cond(n > 3, lambda: n * 2, lambda: n),
        tf.case([(n < 3, lambda: n), (n < 10, lambda: -n)], default=lambda: n * 100),
        tf.switch_case(n % 2, [lambda: n, lambda: n + 1]),
        tf.while_loop(lambda i: i < 20, lambda i: [i * 2], [n]),
    )
