"""Numeric methods: roots, integrals, differential equations, fixed points with tolerance, fractals, optimisation, matrices."""

from programs import beyond, close, on, tf


@on(2.0)
@on(10.0)
def newton_root(a):
    x, steps = a, 0
    while tf.abs(x * x - a) > 1e-4:
        x = (x + a / x) / 2
        steps += 1
    return x, steps


@on(1.0, 2.0)
def bisection(low, high):
    def f(x):
        return x * x * x - x - 2.0

    for _ in tf.range(40):
        middle = (low + high) / 2
        if f(middle) == 0.0 or (high - low) / 2 < 1e-5:
            break
        if f(low) * f(middle) < 0.0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@on(0.0, 1.0)
def secant(a, b):
    steps = tf.constant(0)
    while tf.abs(b - a) > 1e-5 and steps < 50:
        fa, fb = tf.cos(a) - a, tf.cos(b) - b
        a, b = b, b - fb * (b - a) / (fb - fa)
        steps += 1
    return b, steps


@beyond("a loop whose condition becomes a tensor")
@on(0.5, 1e-5)
@on(0.5, 1e-1)
def fixed_point(x, tolerance):
    count = 0
    while True:
        y = tf.cos(x)
        count += 1
        done = tf.abs(y - x) < tolerance
        x = y
        if done:
            break
    return x, count


@on([0.0, 0.0, 0.0])
def jacobi(x):
    a = tf.constant([[4.0, 1.0, 0.0], [1.0, 5.0, 2.0], [0.0, 2.0, 6.0]])
    b = tf.constant([1.0, 2.0, 3.0])
    d = tf.linalg.diag_part(a)
    rest = a - tf.linalg.diag(d)
    error = tf.constant(1.0)
    n = 0
    while error > 1e-5:
        new = (b - tf.linalg.matvec(rest, x)) / d
        error = tf.reduce_max(tf.abs(new - x))
        x = new
        n += 1
    return x, n


@on([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0])
def conjugate_gradients(a, b):
    x = tf.zeros_like(b)
    r = b
    p = r
    rr = tf.tensordot(r, r, 1)
    for _ in tf.range(10):
        if rr < 1e-8:
            break
        ap = tf.linalg.matvec(a, p)
        alpha = rr / tf.tensordot(p, ap, 1)
        x += alpha * p
        r -= alpha * ap
        new = tf.tensordot(r, r, 1)
        p = r + new / rr * p
        rr = new
    return x


@on([[2.0, 1.0], [1.0, 3.0]])
def power_iteration(a):
    v = tf.ones([2])
    value, last = 0.0, 1.0
    while tf.abs(value - last) > 1e-5:
        last = value
        v = tf.linalg.matvec(a, v)
        v /= tf.norm(v)
        value = tf.tensordot(v, tf.linalg.matvec(a, v), 1)
    return value


@on([[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]])
def lu_by_hand(a):
    n = 3
    lower = tf.eye(n)
    for k in tf.range(n - 1):
        for i in tf.range(k + 1, n):
            f = a[i, k] / a[k, k]
            lower = tf.tensor_scatter_nd_update(lower, [[i, k]], [f])
            a = tf.tensor_scatter_nd_update(a, [[i]], [a[i] - f * a[k]])
    return lower, a


@on([[2.0, 1.0, -1.0, 8.0], [-3.0, -1.0, 2.0, -11.0], [-2.0, 1.0, 2.0, -3.0]])
def gauss_elimination(m):
    n = 3
    for c in tf.range(n):
        best = c
        for r in tf.range(c + 1, n):
            if tf.abs(m[r, c]) > tf.abs(m[best, c]):
                best = r
        if best != c:
            m = tf.tensor_scatter_nd_update(m, [[c], [best]], tf.stack([m[best], m[c]]))
        m = tf.tensor_scatter_nd_update(m, [[c]], [m[c] / m[c, c]])
        for r in tf.range(n):
            if r != c:
                m = tf.tensor_scatter_nd_update(m, [[r]], [m[r] - m[r, c] * m[c]])
    return m[:, 3]


@on([[25.0, 15.0, -5.0], [15.0, 18.0, 0.0], [-5.0, 0.0, 11.0]])
def cholesky_by_hand(a):
    made = tf.zeros([3, 3])
    for i in range(3):
        for j in range(i + 1):
            s = tf.reduce_sum(made[i, :j] * made[j, :j])
            if i == j:
                v = tf.sqrt(a[i, i] - s)
            else:
                v = (a[i, j] - s) / made[j, j]
            made = tf.tensor_scatter_nd_update(made, [[i, j]], [v])
    return made


@on([[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
def gram_schmidt(a):
    columns = []
    for v in tf.unstack(a, axis=1):
        for q in columns:
            v = v - tf.tensordot(q, v, 1) * q
        norm = tf.norm(v)
        columns.append(v / norm if norm > 1e-6 else v)
    return tf.stack(columns, 1)


@on([[1.0, 2.0], [3.0, 4.0]], 5)
@on([[1.0, 2.0], [3.0, 4.0]], 0)
def matrix_power(a, n):
    r = tf.eye(2)
    while n > 0:
        if n % 2 == 1:
            r = r @ a
        a = a @ a
        n //= 2
    return r


@on(100)
def trapezoid(n):
    h = 1.0 / tf.cast(n, tf.float32)
    s = 0.0
    for i in tf.range(n + 1):
        x = tf.cast(i, tf.float32) * h
        w = 0.5 if i == 0 or i == n else 1.0
        s += w * tf.exp(-x * x)
    return s * h


@on(10)
def simpson(n):
    h = 3.0 / tf.cast(n, tf.float32)
    s = tf.constant(0.0)
    for i in tf.range(n + 1):
        x = tf.cast(i, tf.float32) * h
        if i == 0 or i == n:
            w = 1.0
        elif i % 2 == 1:
            w = 4.0
        else:
            w = 2.0
        s += w * tf.sin(x)
    return s * h / 3.0


@on(1.0, 0.1, 20)
def euler_steps(y, h, n):
    path = tf.TensorArray(tf.float32, n)
    t = 0.0
    for i in tf.range(n):
        y = y + h * (-2.0 * y + tf.sin(t))
        t += h
        path = path.write(i, y)
    return path.stack()


@on([1.0, 0.0], 0.05)
def runge_kutta(state, h):
    def slope(s):
        return tf.stack([s[1], -s[0]])

    energy = tf.TensorArray(tf.float32, 10)
    for i in tf.range(10):
        k1 = slope(state)
        k2 = slope(state + h / 2 * k1)
        k3 = slope(state + h / 2 * k2)
        k4 = slope(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        energy = energy.write(i, tf.reduce_sum(state**2))
    return state, energy.stack()


@on([1.0, 1.0, 1.0])
@close(1e-3)
def lorenz(p):
    for _ in tf.range(50):
        x, y, z = p[0], p[1], p[2]
        d = tf.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])
        p = p + 0.01 * d
        if tf.reduce_any(tf.math.is_nan(p)):
            p = tf.zeros_like(p)
    return p


@beyond("a loop whose condition becomes a tensor")
@on(10.0, 30.0)
def bouncing_ball(height, dt_scale):
    v, t, bounces = 0.0, 0.0, 0
    dt = dt_scale / 1000.0
    while t < 3.0:
        v -= 9.81 * dt
        height += v * dt
        if height < 0.0:
            height = -height
            v = -v * 0.8
            bounces += 1
        t += dt
    return height, bounces


@on(12, 8)
def mandelbrot(width, height):
    x = tf.linspace(-2.0, 0.5, width)
    y = tf.linspace(-1.0, 1.0, height)
    c = tf.complex(*tf.meshgrid(x, y))
    z = tf.zeros_like(c)
    n = tf.zeros(tf.shape(c), tf.int32)
    for i in tf.range(30):
        alive = tf.abs(z) <= 2.0
        if not tf.reduce_any(alive):
            break
        z = tf.where(alive, z * z + c, z)
        n = tf.where(alive, i, n)
    return n


@on(-0.4, 0.6)
def julia_point(re, im):
    c = tf.complex(-0.7269, 0.1889)
    z = tf.complex(re, im)
    n = 0
    while tf.abs(z) < 2.0 and n < 60:
        z = z * z + c
        n += 1
    return n


@on(3.7, 0.3)
@close(1e-2)
def logistic_map(r, x):
    seen = tf.TensorArray(tf.float32, 8)
    for i in tf.range(28):
        x = r * x * (1.0 - x)
        if i >= 20:
            seen = seen.write(i - 20, x)
    return seen.stack()


@on([3.0, 4.0])
def gradient_descent_by_hand(x):
    rate = 0.1
    losses = tf.TensorArray(tf.float32, 20)
    for i in tf.range(20):
        gradient = 2.0 * x
        x = x - rate * gradient
        loss = tf.reduce_sum(x * x)
        if loss < 0.5:
            rate = 0.05
        losses = losses.write(i, loss)
    return x, losses.stack()


@on([2.0, -1.0])
def gradient_descent_by_tape(x):
    for _ in tf.range(15):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = (1.0 - x[0]) ** 2 + 5.0 * (x[1] - x[0] ** 2) ** 2
        g = tape.gradient(loss, x)
        n = tf.norm(g)
        if n > 5.0:
            g = g * 5.0 / n
        x = x - 0.02 * g
    return x


@on(1.0)
def golden_section(width):
    a, b = -width, 3.0 * width
    ratio = 0.618034
    for _ in range(12):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if (c - 1.0) ** 2 < (d - 1.0) ** 2:
            b = d
        else:
            a = c
    return (a + b) / 2


@on(0.5)
def taylor_exponential(x):
    term, s, n = 1.0, 1.0, 1.0
    while tf.abs(term) > 1e-6:
        term *= x / n
        s += term
        n += 1.0
    return s, n


@on(0.5, 9)
def continued_fraction(x, depth):
    r = x
    for k in tf.range(depth, 0, -1):
        r = tf.cast(2 * k - 1, tf.float32) + x * x / r if r != 0.0 else x
    return r


@on([1.0, -3.0, 2.0], 4.0)
def horner(coefficients, x):
    r = tf.constant(0.0)
    for c in coefficients:
        r = r * x + c
    return r


@on([1.0, -6.0, 11.0, -6.0])
def polynomial_roots_by_deflation(p):
    roots = tf.TensorArray(tf.float32, 3)
    for k in range(3):
        x = tf.constant(0.5)
        for _ in tf.range(60):
            f, d = tf.constant(0.0), tf.constant(0.0)
            for c in tf.unstack(p):
                d = d * x + f
                f = f * x + c
            if tf.abs(f) < 1e-6 or tf.abs(d) < 1e-9:
                break
            x -= f / d
        roots = roots.write(k, x)
        rest = [p[0]]
        for c in tf.unstack(p)[1:-1]:
            rest.append(c + x * rest[-1])
        p = tf.stack(rest)
    return tf.sort(roots.stack())


@on(1000, 7)
def monte_carlo_pi(n, seed):
    inside = 0
    s = tf.cast(seed, tf.int64)
    for _ in tf.range(n):
        s = s * 1103515245 % 2147483647
        x = tf.cast(s % 10007, tf.float32) / 10007.0
        s = s * 1103515245 % 2147483647
        y = tf.cast(s % 10007, tf.float32) / 10007.0
        if x * x + y * y < 1.0:
            inside += 1
    return inside


@on([[0.9, 0.1], [0.5, 0.5]], [1.0, 0.0])
def markov_chain(p, s):
    n = 0
    change = tf.constant(1.0)
    while change > 1e-4:
        new = tf.linalg.matvec(p, s, transpose_a=True)
        change = tf.reduce_sum(tf.abs(new - s))
        s = new
        n += 1
    return s, n


@beyond("return within a loop")
@on([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
def page_rank(links):
    degree = tf.reduce_sum(links, 1, keepdims=True)
    m = tf.transpose(links / degree)
    r = tf.fill([3], 1.0 / 3.0)
    for step in tf.range(100):
        new = 0.05 + 0.85 * tf.linalg.matvec(m, r)
        if tf.reduce_max(tf.abs(new - r)) < 1e-5:
            return new, step
        r = new
    return r, -1


@on([[1.0, 1.0], [1.5, 2.0], [3.0, 4.0], [5.0, 7.0], [3.5, 5.0]])
def k_means(points):
    centres = points[:2]
    moved = tf.constant(1.0)
    rounds = 0
    while moved > 1e-3:
        d = tf.reduce_sum((points[:, None] - centres[None]) ** 2, -1)
        label = tf.argmin(d, 1, output_type=tf.int32)
        new = tf.math.unsorted_segment_mean(points, label, 2)
        moved = tf.reduce_sum(tf.abs(new - centres))
        centres = new
        rounds += 1
    return centres, rounds


@on([1.0, 2.0, 3.0, 4.0], [2.1, 3.9, 6.2, 7.8])
def linear_regression(x, y):
    w, b = 0.0, 0.0
    for step in tf.range(200):
        e = w * x + b - y
        w -= 0.05 * tf.reduce_mean(e * x)
        b -= 0.05 * tf.reduce_mean(e)
        if step > 100 and tf.reduce_mean(e * e) < 1e-3:
            break
    return w, b


@beyond("a loop whose condition becomes a tensor")
@on([0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0])
def perceptron(a, b):
    w = tf.zeros([3])
    errors = 1
    rounds = 0
    while errors > 0 and rounds < 20:
        errors = 0
        for i in tf.range(4):
            x = tf.stack([1.0, a[i], b[i]])
            target = 1.0 if a[i] > 0.5 and b[i] > 0.5 else 0.0
            out = 1.0 if tf.tensordot(w, x, 1) > 0.0 else 0.0
            if out != target:
                w += (target - out) * x
                errors += 1
        rounds += 1
    return w, rounds


@beyond("return within a loop")
@on([1.0, 2.0, 4.0, 7.0], 2.5)
def interpolate(ys, at):
    for i in tf.range(3):
        x = tf.cast(i, tf.float32)
        if at >= x and at <= x + 1.0:
            return ys[i] + (at - x) * (ys[i + 1] - ys[i])
    return tf.constant(-1.0)


@on(0.3)
@on(-2.0)
def piecewise(x):
    if x < -1.0:
        return x * x
    elif x < 0.0:
        return -x
    elif x < 1.0:
        return tf.sqrt(x)
    else:
        return 1.0 + tf.math.log(x)


@on([[4.0, -2.0], [1.0, 1.0]])
def qr_iteration(a):
    for i in tf.range(40):
        q, r = tf.linalg.qr(a)
        a = r @ q
        if tf.abs(a[1, 0]) < 1e-5:
            break
    return tf.sort(tf.linalg.diag_part(a))


@on([1.0, 2.0, 3.0, 4.0])
def fourier_by_hand(x):
    n = 4
    out = tf.TensorArray(tf.complex64, n)
    for k in tf.range(n):
        s = tf.constant(0.0 + 0.0j, tf.complex64)
        for t in tf.range(n):
            angle = -2.0 * 3.14159265 * tf.cast(k * t, tf.float32) / float(n)
            s += tf.complex(x[t], 0.0) * tf.exp(tf.complex(0.0, angle))
        out = out.write(k, s)
    return out.stack()


@on([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
def heat(u):
    steps = 0
    change = tf.constant(1.0)
    while change > 0.01 and steps < 50:
        p = tf.pad(u, [[1, 1], [1, 1]], "SYMMETRIC")
        new = u + 0.2 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4.0 * u)
        change = tf.reduce_max(tf.abs(new - u))
        u = new
        steps += 1
    return u, steps


@on([3.0, 1.0, 2.0], 0.5)
def anneal(x, heat):
    energy = tf.reduce_sum(x)
    taken = 0
    seed = 12
    while heat > 0.05:
        seed = (seed * 37 + 11) % 101
        i = seed % 3
        new = tf.tensor_scatter_nd_add(x, [[i]], [tf.cast(seed % 7, tf.float32) / 7.0 - 0.5])
        e = tf.reduce_sum(tf.abs(new))
        if e < energy or tf.exp((energy - e) / heat) > tf.cast(seed, tf.float32) / 101.0:
            x, energy = new, e
            taken += 1
        heat *= 0.9
    return x, energy, taken
