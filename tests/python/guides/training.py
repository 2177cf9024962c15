"""A training loop by hand: data, model, loss, steps; with checkpoints and a saved model."""

import os
import tempfile

import tensorflow as tf

TRUE_W, TRUE_B, N = 3.0, 2.0, 201
x = tf.linspace(-2.0, 2.0, N)
x = tf.cast(x, tf.float32)
noise = tf.random.stateless_normal(shape=[N], seed=[1, 2])
y = x * TRUE_W + TRUE_B + noise
print(x.shape, tf.reduce_mean(y).numpy(), tf.math.reduce_std(noise).numpy())


class Model(tf.Module):
    def __init__(self):
        self.w, self.b = tf.Variable(5.0), tf.Variable(0.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        return self.w * x + self.b


model = Model()
print(model.variables)


def loss_of(target, predicted):
    return tf.reduce_mean(tf.square(target - predicted))


@tf.function
def train(model, x, y, rate):
    with tf.GradientTape() as t:
        loss = loss_of(y, model(x))
    dw, db = t.gradient(loss, [model.w, model.b])
    model.w.assign_sub(rate * dw)
    model.b.assign_sub(rate * db)
    return loss


for epoch in range(5):
    loss = train(model, x, y, tf.constant(0.1))
    print(f"Epoch {epoch}: W = {model.w.numpy():1.2f}, b = {model.b.numpy():1.2f}, loss = {loss:2.5f}")
folder = tempfile.mkdtemp()
checkpoint = tf.train.Checkpoint(model=model, step=tf.Variable(5))
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
for _ in range(3):
    path = manager.save()
print(os.path.basename(path), [os.path.basename(p) for p in manager.checkpoints])
print([name for name, shape in tf.train.list_variables(folder)])
model.w.assign(0.0)
status = checkpoint.restore(manager.latest_checkpoint)
status.assert_consumed()
print(model.w.numpy() != 0.0, checkpoint.step.numpy())
partial = tf.train.Checkpoint(model=tf.train.Checkpoint(b=tf.Variable(0.0)))
partial.restore(manager.latest_checkpoint).expect_partial()
print(partial.model.b.numpy() == model.b.numpy())
tf.saved_model.save(model, folder + "/model")
loaded = tf.saved_model.load(folder + "/model")
print(loaded(tf.constant([1.0, 2.0])).numpy() == model(tf.constant([1.0, 2.0])).numpy())
print(list(loaded.signatures))


class Momentum(tf.Module):
    def __init__(self, rate=1e-2, momentum=0.7):
        self.rate, self.momentum, self.change = rate, momentum, None

    def apply(self, gradients, variables):
        if self.change is None:
            self.change = [tf.Variable(tf.zeros_like(v)) for v in variables]
        for c, g, v in zip(self.change, gradients, variables):
            c.assign(self.momentum * c - self.rate * g)
            v.assign_add(c)


p, optimizer = tf.Variable(2.0), Momentum()
for i in range(4):
    with tf.GradientTape() as t:
        loss = 2 * p**4 + 3 * p**3 + 2
    optimizer.apply(t.gradient(loss, [p]), [p])
    print(f"{p.numpy():.6f}")
