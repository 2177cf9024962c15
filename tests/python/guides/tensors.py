"""Tensors: ranks, shapes, types, indexing, ragged, string and sparse ones."""

import numpy as np
import tensorflow as tf

scalar = tf.constant(4)
print(scalar)
print(tf.constant([2.0, 3.0, 4.0]))
print(tf.constant([[1, 2], [3, 4], [5, 6]], dtype=tf.float16))
cube = tf.constant([[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]])
print(cube, np.array(cube).shape, cube.numpy().dtype)
a, b = tf.constant([[1, 2], [3, 4]]), tf.ones([2, 2], dtype=tf.int32)
print(tf.add(a, b), "\n", tf.multiply(a, b), "\n", tf.matmul(a, b))
print(a + b, a * b, a @ b, sep="\n")
c = tf.constant([[4.0, 5.0], [10.0, 1.0]])
print(tf.reduce_max(c), tf.math.argmax(c), tf.round(tf.nn.softmax(c) * 1e4))
print(tf.convert_to_tensor([1, 2, 3]), tf.reduce_max([1, 2, 3]), tf.reduce_max(np.array([1, 2, 3])))
rank4 = tf.zeros([3, 2, 4, 5])
print(rank4.dtype, rank4.ndim, rank4.shape, rank4.shape[0], rank4.shape[-1], tf.size(rank4).numpy(), tf.rank(rank4))
fib = tf.constant([0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
print(
    fib[0].numpy(),
    fib[-1].numpy(),
    fib[:].numpy(),
    fib[:4].numpy(),
    fib[4:].numpy(),
    fib[2:7].numpy(),
    fib[::2].numpy(),
)
print(fib[::-1].numpy(), cube[:, :, 1], cube[..., -1, :])
x = tf.constant([[1], [2], [3]])
print(
    x.shape.as_list(),
    tf.reshape(x, [1, 3]),
    tf.reshape(cube, [-1]),
    tf.reshape(cube, [3 * 2, 2]),
    tf.transpose(cube, [1, 0, 2]),
    sep="\n",
)
try:
    tf.reshape(cube, [7, -1])
except Exception as e:
    print(type(e).__name__, "Input to reshape is a tensor with 12 values, but" in str(e))
f64 = tf.constant([2.2, 3.3, 4.4], dtype=tf.float64)
f16 = tf.cast(f64, dtype=tf.float16)
print(f16, tf.cast(f16, dtype=tf.uint8))
x = tf.constant([1, 2, 3])
y = tf.range(1, 5)
print(tf.multiply(x, 2), x * 2, x * tf.constant([2, 2, 2]), tf.reshape(x, [3, 1]) * y, sep="\n")
print(tf.broadcast_to(tf.constant([1, 2, 3]), [3, 3]))
rows = [[0, 1, 2, 3], [4, 5], [6, 7, 8], [9]]
try:
    tf.constant(rows)
except Exception as e:
    print(f"{type(e).__name__}: {e}")
ragged = tf.ragged.constant(rows)
print(ragged, ragged.shape)
text = tf.constant("Gray wolf")
print(text, tf.constant(["Gray wolf", "Quick brown fox", "Lazy dog"]), tf.constant("🥳👍"))
print(tf.strings.split(text, sep=" "), tf.strings.split(tf.constant(["a b", "c d e"])))
print(tf.strings.to_number(tf.strings.split(tf.constant("1 10 100"), " ")))
print(tf.strings.bytes_split("Duck"), tf.io.decode_raw(tf.constant("Duck"), tf.uint8))
unicode = tf.constant("アヒル 🦆")
print(unicode, tf.strings.unicode_split(unicode, "UTF-8"), tf.strings.unicode_decode(unicode, "UTF-8"), sep="\n")
sparse = tf.sparse.SparseTensor(indices=[[0, 0], [1, 2]], values=[1, 2], dense_shape=[3, 4])
print(sparse, tf.sparse.to_dense(sparse), sep="\n")
