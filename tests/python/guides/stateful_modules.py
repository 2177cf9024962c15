"""Variables: made, assigned, copied, named, placed, tracked by modules."""

import tensorflow as tf

v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
print(v, tf.Variable([False, False, True]), tf.Variable([5 + 4j, 6 + 1j]), sep="\n")
print(v.shape, v.dtype, v.numpy(), tf.convert_to_tensor(v), tf.math.argmax(v), tf.reshape(v, [1, 4]), sep="\n")
a = tf.Variable([2.0, 3.0])
print(a.assign([1, 2]).numpy())
try:
    a.assign([1.0, 2.0, 3.0])
except Exception as e:
    print(f"{type(e).__name__}: {e}")
a = tf.Variable([2.0, 3.0])
b = tf.Variable(a)
a.assign([5, 6])
print(a.numpy(), b.numpy(), a.assign_add([2, 3]).numpy(), a.assign_sub([7, 9]).numpy())
named = tf.Variable(v, name="Mark"), tf.Variable(v + 1, name="Mark")
print(named[0] == named[1], named[0].name)
print(tf.Variable(1, trainable=False))
v[0, 1].assign(9.0)
v.scatter_nd_update([[1, 0]], [-1.0])
print(v.numpy(), v.value().numpy()[0], (v + 1)[1].numpy(), v @ v)
with tf.device("CPU:0"):
    c = tf.matmul(tf.Variable([[1.0, 2.0, 3.0]]), tf.constant([[1.0], [2.0], [3.0]]))
print(c)


class Dense(tf.Module):
    def __init__(self, size_in, size_out, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.ones([size_in, size_out]) * 0.5, name="w")
        self.b = tf.Variable(tf.zeros([size_out]), name="b")

    def __call__(self, x):
        return tf.nn.relu(x @ self.w + self.b)


class Sequence(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.first, self.second = Dense(3, 3), Dense(3, 2)
        self.step = tf.Variable(0, trainable=False)

    def __call__(self, x):
        return self.second(self.first(x))


model = Sequence(name="the_model")
print(model(tf.constant([[2.0, 2.0, 2.0]])), model.name, model.submodules[0].name)
print([v.name for v in model.variables], [v.shape for v in model.trainable_variables])
