"""TensorFlow 1: a graph with placeholders, scopes, a session, an optimizer, a saver, queues and hooks."""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
a = tf.constant(3.0, dtype=tf.float32)
b = tf.constant(4.0)
total = a + b
print(a, b, total, sep="\n")
with tf.Session() as session:
    print(session.run(total), session.run({"ab": (a, b), "total": total}))
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
z = x + y
session = tf.Session()
print(session.run(z, feed_dict={x: 3, y: 4.5}), session.run(z, {x: [1, 3], y: [2, 4]}))
try:
    session.run(z)
except tf.errors.InvalidArgumentError as e:
    print("You must feed a value for placeholder tensor" in e.message)
tf.reset_default_graph()
with tf.name_scope("loss-scope"):
    c_0 = tf.constant(0, name="c")
    c_1 = tf.constant(2, name="c")
    with tf.name_scope("inner"):
        print(c_0.op.name, c_1.op.name, tf.constant(3, name="c").op.name)
weights = tf.get_variable("W", [3, 2], initializer=tf.constant_initializer(0.5))
with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
    bias, same = (tf.get_variable("b", [2], initializer=tf.zeros_initializer()) for _ in range(2))
print(weights.name, weights.shape, bias is same, [v.name for v in tf.trainable_variables()])
inputs, labels = tf.placeholder(tf.float32, [None, 3], "inputs"), tf.placeholder(tf.int64, [None], "labels")
logits = tf.nn.xw_plus_b(inputs, weights, bias, name="logits")
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
step = tf.train.get_or_create_global_step()
train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
hits = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), labels), tf.float32))
saver, folder = tf.train.Saver(), tempfile.mkdtemp()
xs = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], np.float32)
feeds = {inputs: xs, labels: [0, 1, 0, 1]}
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(5):
        print("%.5f" % session.run([loss, train], feeds)[0], end=" ")
    print(session.run([step, hits], feeds))
    print(os.path.basename(saver.save(session, folder + "/model", global_step=step)))
with tf.Session() as session:
    saver.restore(session, tf.train.latest_checkpoint(folder))
    print("%.5f" % session.run(loss, feeds))
i = tf.constant(0)
print(tf.Session().run(tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), (i, 0))))
print(tf.Session().run(tf.cond(tf.constant(True), lambda: tf.constant("yes"), lambda: tf.constant("no"))))
grads = tf.gradients(tf.reduce_sum(logits**2), [weights, bias])
print([g.shape.as_list() for g in grads], tf.Graph() is not tf.get_default_graph())


class Count(tf.train.SessionRunHook):
    def __init__(self):
        self.runs = 0

    def after_run(self, context, values):
        self.runs += 1


tf.reset_default_graph()
step = tf.train.get_or_create_global_step()
up, hook = tf.assign_add(step, 1), Count()
with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=3), hook]) as session:
    while not session.should_stop():
        session.run(up)
print(hook.runs)
queue = tf.FIFOQueue(3, tf.float32)
init, x = queue.enqueue_many(([0.0, 0.0, 0.0],)), queue.dequeue()
increment = queue.enqueue([x + 1])
with tf.Session() as session:
    session.run(init)
    for _ in range(4):
        session.run(increment)
    print(session.run(x), session.run(queue.size()))
