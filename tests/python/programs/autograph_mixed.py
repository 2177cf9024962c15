"""What decides is Python's here and a tensor there: records, iterators, events, schedules, small machines."""

import dataclasses
import enum
import itertools

from programs import on, tf


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclasses.dataclass
class Particle:
    place: tf.Tensor
    speed: tf.Tensor

    def step(self, dt):
        if self.place > 5.0:
            return Particle(self.place, -self.speed)
        return Particle(self.place + self.speed * dt, self.speed)


@on(4.0)
@on(6.0)
def records(place):
    p = Particle(place, tf.constant(2.0))
    for _ in range(3):
        p = p.step(0.5)
    return p.place, p.speed


@on(3)
def enumerations(x):
    r = 0
    for colour in Colour:
        if colour is Colour.RED:
            r += x
        elif colour.value == 2 and x > 2:
            r += x * 10
    return r


@on(2)
def python_iterators(x):
    s = x
    for a, b in itertools.product([1, 2], repeat=2):
        if a != b:
            s = s * a + b
    for k in itertools.takewhile(lambda v: v < 3, itertools.count()):
        s += k
    it = iter([10, 20])
    s += next(it)
    return s + next(it)


@on([1, 5, 2])
def events(codes):
    handlers = {1: lambda s: s + 1, 2: lambda s: s * 2, 5: lambda s: s - 10 if s > 3 else s + 10}
    s = tf.constant(0)
    for code in codes:
        for key, handler in handlers.items():
            if code == key:
                s = handler(s)
    return s


@on(5)
def countdown_with_two_ends(n):
    a, b = n, 0
    while a > 0 and b < 3:
        a -= 1
        if a % 2 == 1:
            continue
        b += 1
    return a, b


@on(3)
def depth_by_python_recursion(n):
    def tree(depth):
        if depth == 0:
            return n
        left, right = tree(depth - 1), tree(depth - 1)
        return left + right if left < 10 else left * 2

    return [tree(d) for d in range(4)]


@on(True, 3)
@on(False, 3)
def boolean_tensor_decides(flag, x):
    if flag:
        y = x
    else:
        y = -x
    z = x if not flag else 0
    while flag:
        y += 1
        flag = y < 6
    return y, z, flag


@on([0.5, 1.5, 2.5])
def thresholds(x):
    low = mid = high = 0
    for v in x:
        if v < 1.0:
            low += 1
        elif v < 2.0:
            mid += 1
        else:
            high += 1
    return low, mid, high


@on(10)
def vending_machine(paid):
    state, change = "idle", 0
    for coin in (5, 10, 20):
        if paid >= coin:
            state = "paid" if state == "idle" else state
            paid -= coin
        else:
            change += 1
    return paid, change


@on([[1.0, 2.0], [3.0, 4.0]])
def norms_until(matrix):
    m, n = matrix, 0
    while tf.norm(m) < 1000.0:
        m = m @ matrix
        n += 1
        if n >= 10:
            break
    return n, tf.norm(m)


@on(7)
def several_returns_in_python_and_tensors(x):
    def classify(v, strict):
        if strict:
            if v > 5:
                return "large"
            return "small"
        return "any"

    return classify(x, True), classify(x, False)


@on(3)
def default_of_outer_values(n):
    fs = []
    for i in range(3):
        fs.append(lambda x, i=i: x * i if x > i else i)
    return [f(n) for f in fs]


@on(6)
def growing_list(n):
    made = []
    for i in tf.range(3):
        tf.print("", output_stream="file:///dev/null")
        n = n + i
    made.append(n)
    return made


@on(4, 6)
def ranges_of_both(a, b):
    s = 0
    for i in range(2):
        for j in tf.range(a, b):
            if i == 0 or j % 2 == 0:
                s += j * (i + 1)
    return s


@on([4, 7, 1])
def first_index_where(x):
    at = tf.constant(-1)
    for i in tf.range(tf.size(x)):
        if x[i] > 5 and at < 0:
            at = i
    return at


@on(2.0)
def nested_data(x):
    config = {"layers": [{"n": 2, "act": "tanh"}, {"n": 3, "act": None}]}
    for layer in config["layers"]:
        for _ in range(layer["n"]):
            x = x * 1.1
        if layer["act"] is not None and x > 0.0:
            x = getattr(tf, layer["act"])(x)
    return x


@on(12)
def do_while(n):
    count = tf.constant(0)
    going = tf.constant(True)
    while going:
        n = n // 2
        count += 1
        going = n > 0
    return count, n


@on([3, 1, 2], 2)
def guard_clauses(x, k):
    if tf.size(x) == 0:
        return tf.constant(-1)
    elif k < 0:
        return tf.constant(-2)
    elif k >= tf.size(x):
        return tf.constant(-3)
    else:
        return tf.sort(x)[k]
