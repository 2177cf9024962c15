"""Slices, gathers, scatters; sparse and ragged tensors."""

import tensorflow as tf

t1 = tf.constant([0, 1, 2, 3, 4, 5, 6, 7])
print(tf.slice(t1, begin=[1], size=[3]), t1[1:4], t1[-3:], sep="\n")
t2 = tf.reshape(tf.range(20), [4, 5])
print(t2[:-1, 1:3], tf.slice(t2, [0, 1], [2, 2]), sep="\n")
t3 = tf.reshape(tf.range(24), [2, 3, 4])
print(tf.slice(t3, begin=[1, 1, 0], size=[1, 1, 2]), t3[..., tf.newaxis, 0], sep="\n")
print(tf.gather(t1, indices=[0, 3, 6]), tf.gather(t2, [0, 4], axis=1), sep="\n")
t4 = tf.constant([[0, 5], [1, 6], [2, 7], [3, 8], [4, 9]])
print(tf.gather_nd(t4, indices=[[2], [3], [0]]), tf.gather_nd(t3, [[0, 2, 1], [1, 0, 3]]), sep="\n")
t6 = tf.constant([10])
print(tf.scatter_nd(tf.constant([[1], [3], [5], [7], [9]]), tf.constant([2, 4, 6, 8, 10]), t6))
t7 = tf.tensor_scatter_nd_add(tf.zeros([2, 3], tf.int32), [[0, 2], [1, 1], [1, 1]], [6, 5, 4])
print(t7, tf.tensor_scatter_nd_max(t7, [[0, 0]], [3]), tf.boolean_mask(t2, [True, False, True, False]), sep="\n")
st1 = tf.sparse.SparseTensor(indices=[[0, 3], [2, 4]], values=[10, 20], dense_shape=[3, 10])
print(st1, tf.sparse.from_dense([[1, 0, 0, 8], [0, 0, 0, 0], [0, 0, 3, 0]]), sep="\n")
a = tf.sparse.SparseTensor([[0, 2], [3, 4]], [31, 2], [4, 10])
b = tf.sparse.SparseTensor([[0, 2], [3, 0]], [56, 38], [4, 10])
print(tf.sparse.to_dense(tf.sparse.add(a, b)))
c = tf.sparse.SparseTensor([[0, 1], [1, 0], [1, 1]], [13, 15, 17], [2, 2])
print(tf.sparse.sparse_dense_matmul(c, tf.constant([[4], [6]])), tf.sparse.concat(axis=1, sp_inputs=[c, c]), sep="\n")
print(tf.sparse.to_dense(tf.sparse.slice(a, start=[0, 2], size=[4, 3])), tf.sparse.map_values(tf.add, a, 5).values)
words = tf.ragged.constant([["What", "makes", "you", "think"], ["she's"], ["a", "witch", "?"]])
digits = tf.ragged.constant([[3, 1, 4, 1], [], [5, 9, 2], [6], []])
print(
    tf.add(digits, 3),
    tf.reduce_mean(digits, axis=1),
    tf.concat([digits, [[5, 3]]], axis=0),
    tf.tile(digits, [1, 2]),
    sep="\n",
)
print(
    tf.strings.substr(words, 0, 2),
    tf.map_fn(tf.math.square, digits),
    digits[0],
    digits[:, :2],
    digits[:, -2:],
    sep="\n",
)
print(digits.to_list(), digits.row_lengths(), digits.to_tensor(-1), digits.to_sparse().indices.shape, sep="\n")
print(tf.RaggedTensor.from_value_rowids([3, 1, 4, 1, 5], [0, 0, 2, 2, 3]), digits.bounding_shape(), digits.shape)
nested = tf.RaggedTensor.from_row_splits(tf.RaggedTensor.from_row_splits([10, 11, 12, 13, 14], [0, 2, 5]), [0, 1, 2, 2])
print(nested, nested.ragged_rank, nested.flat_values, words.nested_row_splits)
try:
    tf.ragged.constant(["one", [2]])
except Exception as e:
    print(type(e).__name__, e)
