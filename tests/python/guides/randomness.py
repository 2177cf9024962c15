"""Random numbers: generators, splits, the stateless family, seeds."""

import tensorflow as tf

g1 = tf.random.Generator.from_seed(1)
print(g1.normal(shape=[2, 3]), g1.uniform([2], maxval=10, dtype=tf.int32))
print(tf.random.Generator.from_seed(seed=1, alg="philox").uniform_full_int([2], dtype=tf.uint64))
g = tf.random.Generator.from_state(state=[1, 2, 3], alg=1)
print(g.normal([2]), g.state.numpy(), g.key)
first, second = tf.random.Generator.from_seed(5).split(2)
print(first.normal([]), second.normal([]), second.make_seeds(2))
g.reset_from_seed(9)
g.skip(7)
print(g.truncated_normal([2]), g.binomial([2], counts=[5.0, 6.0], probs=[0.5, 0.4]))
print(tf.random.stateless_normal(shape=[2, 3], seed=[1, 2]), tf.random.stateless_uniform([2], [3, 4], 0, 9, tf.int32))
seeds = tf.random.split([1, 2], num=2)
print(seeds, tf.random.fold_in([1, 2], 7), tf.random.experimental.stateless_shuffle(tf.range(6), [7, 8]))
tf.random.set_seed(5)
print(tf.random.uniform([2]), tf.random.normal([2], seed=3), tf.random.shuffle(tf.range(5), seed=1))
tf.random.set_seed(5)
print(tf.random.uniform([2]))


@tf.function
def two():
    return tf.random.uniform([1], seed=7), tf.random.uniform([1], seed=7)


print(two())
print(
    tf.random.stateless_categorical([[0.1, 0.9]], 4, [1, 1]), tf.random.stateless_gamma([2], [1, 2], alpha=[1.0, 3.0])
)
checkpoint = tf.train.Checkpoint(generator=g1)
state = g1.state.numpy()
print(state.shape, state.dtype, tf.random.create_rng_state(1, "philox"))
