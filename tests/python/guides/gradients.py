"""Gradients: tapes, what they watch, persistent ones, Jacobians, custom gradients, where there is none."""

import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
print(tape.gradient(y, x).numpy())
w = tf.Variable([[0.5, -1.0], [1.5, 2.0], [0.1, 0.2]], name="w")
b = tf.Variable(tf.zeros(2), name="b")
x = [[1.0, 2.0, 3.0]]
with tf.GradientTape(persistent=True) as tape:
    y = x @ w + b
    loss = tf.reduce_mean(y**2)
dw, db = tape.gradient(loss, [w, b])
print(dw, db, tape.gradient(loss, {"w": w, "b": b})["b"], sep="\n")
x0, x1 = tf.Variable(3.0, name="x0"), tf.Variable(3.0, name="x1", trainable=False)
x2, x3 = tf.Variable(2.0, name="x2") + 1.0, tf.constant(3.0, name="x3")
with tf.GradientTape() as tape:
    y = (x0**2) + (x1**2) + (x2**2)
for g in tape.gradient(y, [x0, x1, x2, x3]):
    print(g)
print([v.name for v in tape.watched_variables()])
x = tf.constant([1, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = x * x
    z = y * y
print(tape.gradient(z, x).numpy(), tape.gradient(y, x).numpy(), tape.gradient(z, y).numpy())
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y0, y1 = x**2, 1 / x
print(tape.gradient({"y0": y0, "y1": y1}, x).numpy())
v = tf.constant(1.0)
with tf.GradientTape() as tape:
    tape.watch(v)
    result = x**2 if v > 0.0 else x
print(tape.gradient(result, x), tape.gradient if False else "")
with tf.GradientTape() as tape:
    print(tape.gradient(x * 2, tf.Variable(1.0)))
for c in ("int", "none", "zero", "string"):
    x, y = tf.Variable([2.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        if c == "int":
            z = tf.cast(x, tf.int32)
        elif c == "string":
            z = tf.strings.as_string(x)
        else:
            z = y**2
    try:
        print(c, tape.gradient(z, x, unconnected_gradients="zero" if c == "zero" else "none"))
    except Exception as e:
        print(c, type(e).__name__, e)
with tf.GradientTape(persistent=True) as t2:
    with tf.GradientTape() as t1:
        x = tf.Variable([1.0, 2.0])
        y = tf.reduce_sum(x**3)
    g = t1.gradient(y, x)
print(g, t2.jacobian(g, x), t2.batch_jacobian(tf.reshape(g, [1, 2]), x) if False else "", sep="\n")
delta = tf.Variable(0.0)
xs = tf.linspace(-2.0, 2.0, 5)
with tf.GradientTape() as tape:
    y = tf.nn.sigmoid(xs + delta)
print(tf.round(tape.jacobian(y, delta) * 1e5))


@tf.custom_gradient
def clip_gradients(y):
    return y, lambda dy: tf.clip_by_norm(dy, 0.5)


v = tf.Variable(2.0)
with tf.GradientTape() as t:
    out = clip_gradients(v * v)
print(t.gradient(out, v))
with tf.GradientTape() as t:
    y = v * v
    with t.stop_recording():
        print(t.gradient(y, v))
t = tf.GradientTape()
try:
    t.gradient(v, v), t.gradient(v, v)
except RuntimeError as e:
    print(e)
acc_x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
with tf.autodiff.ForwardAccumulator(primals=acc_x, tangents=tf.ones([2, 2])) as acc:
    out = tf.reduce_sum(tf.tanh(acc_x), axis=1)
print(tf.round(acc.jvp(out) * 1e5))
