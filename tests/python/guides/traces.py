"""Functions: traces, signatures, control flow, effects, state, printing of concrete functions."""

import tensorflow as tf

traces = []


@tf.function
def double(a):
    traces.append(a)
    return a + a


print(double(tf.constant(1)), double(tf.constant(1.1)), double(tf.constant("a")), double(tf.constant("b")), len(traces))
concrete = double.get_concrete_function(tf.TensorSpec(shape=None, dtype=tf.string))
print(concrete(tf.constant(["c", "d"])))
print(concrete.structured_input_signature, concrete.structured_outputs)
print(concrete.function_type)


@tf.function(input_signature=(tf.TensorSpec(shape=[None], dtype=tf.int32),))
def next_collatz(x):
    return tf.where(x % 2 == 0, x // 2, 3 * x + 1)


print(next_collatz(tf.constant([1, 2])))
for bad in (tf.constant([[1, 2], [3, 4]]), tf.constant([1.0, 2.0])):
    try:
        next_collatz(bad)
    except TypeError as e:
        print("TypeError:", str(e).splitlines()[0])


@tf.function
def collatz_steps(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


print([int(collatz_steps(tf.constant(n))) for n in (1, 6, 27)])


@tf.function
def fizzbuzz(n):
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            tf.print("FizzBuzz")
        elif i % 5 == 0:
            tf.print("Buzz")
        elif i % 3 == 0:
            tf.print("Fizz")
        else:
            tf.print(i)


@tf.function
def growing(x):
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(3):
        array = array.write(i, x * tf.cast(i, tf.float32))
    return array.stack()


print(growing(tf.constant([1.0, 2.0])))


class Counter(tf.Module):
    def __init__(self):
        self.count = None

    @tf.function
    def __call__(self):
        if self.count is None:
            self.count = tf.Variable(0)
        return self.count.assign_add(1)


c = Counter()
print(c(), c(), c.count)
external = tf.Variable(0)


@tf.function
def buggy(x):
    external.assign_add(x)
    print("traced")
    return external + 1


print(buggy(2), buggy(2), buggy(tf.constant(1)))


@tf.function
def leaky(a):
    global leaked
    leaked = a + 1
    return a + 2


leaky(tf.constant(1))
try:
    print(leaked + 1)
except TypeError as e:
    print("TypeError", "is out of scope" in str(e))


@tf.function
def nested(x):
    return {"a": (x, [x + 1]), "b": tf.RaggedTensor.from_row_splits(x, [0, 1, 3])}


made = nested(tf.constant([1, 2, 3]))
print(made["a"][1][0], made["b"])
g = double.get_concrete_function(tf.constant(1.0)).graph
print([(n.name, n.op) for n in g.as_graph_def().node])
tf.config.run_functions_eagerly(True)
traces.clear()
double(tf.constant(1)), double(tf.constant(1))
print(len(traces))
