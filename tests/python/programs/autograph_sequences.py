"""Sequences: sorting and its networks, searching, dynamic programming, stacks and queues, scans, graphs."""

from programs import beyond, on, tf


@beyond("a loop whose condition becomes a tensor")
@on([5, 3, 9, 1, 4])
@on([2, 1])
def bubble_sort(x):
    n = tf.size(x)
    swapped = True
    rounds = 0
    while swapped:
        swapped = False
        rounds += 1
        for j in tf.range(n - 1):
            if x[j] > x[j + 1]:
                x = tf.tensor_scatter_nd_update(x, [[j], [j + 1]], [x[j + 1], x[j]])
                swapped = True
    return x, rounds


@on([5, 3, 9, 1, 4, 1])
def insertion_sort(x):
    cells = tf.TensorArray(tf.int32, tf.size(x), clear_after_read=False).unstack(x)
    for i in tf.range(1, tf.size(x)):
        key = cells.read(i)
        j = i - 1
        while j >= 0 and cells.read(j) > key:
            cells = cells.write(j + 1, cells.read(j))
            j -= 1
        cells = cells.write(j + 1, key)
    return cells.stack()


@on([0.5, -3.0, 9.25, 1.0])
def selection_sort(x):
    for i in tf.range(tf.size(x)):
        least = i
        for j in tf.range(i + 1, tf.size(x)):
            if x[j] < x[least]:
                least = j
        x = tf.tensor_scatter_nd_update(x, [[i], [least]], tf.stack([x[least], x[i]]))
    return x


@on([7, 2, 8, 1, 6, 3, 5, 4])
def odd_even_network(x):
    n = 8
    for k in range(n):
        a, b = (x[::2], x[1::2]) if k % 2 == 0 else (x[1:-1:2], x[2::2])
        low, high = tf.minimum(a, b), tf.maximum(a, b)
        pairs = tf.reshape(tf.stack([low, high], 1), [-1])
        x = pairs if k % 2 == 0 else tf.concat([x[:1], pairs, x[-1:]], 0)
    return x


@on([7, 2, 8, 1, 6, 3, 5, 4])
def bitonic_network(x):
    n = tf.size(x)
    at = tf.range(n)
    k = 2
    while k <= n:
        j = k // 2
        while j > 0:
            other = tf.bitwise.bitwise_xor(at, j)
            y = tf.gather(x, other)
            up = tf.equal(tf.bitwise.bitwise_and(at, k), 0)
            first = at < other
            x = tf.where(tf.equal(up, first), tf.minimum(x, y), tf.maximum(x, y))
            j //= 2
        k *= 2
    return x


@on([7, 2, 8, 1, 6, 3, 5, 4, 0])
def shell_sort(x):
    gap = tf.size(x) // 2
    while gap > 0:
        i = gap
        while i < tf.size(x):
            j, v = i, x[i]
            while j >= gap:
                if x[j - gap] <= v:
                    break
                x = tf.tensor_scatter_nd_update(x, [[j]], [x[j - gap]])
                j -= gap
            x = tf.tensor_scatter_nd_update(x, [[j]], [v])
            i += 1
        gap //= 2
    return x


@on([5, 3, 9, 1, 4, 8, 2])
def merge_sort_bottom_up(x):
    n = tf.size(x)
    width = 1
    while width < n:
        out = tf.TensorArray(tf.int32, n)
        i = 0
        while i < n:
            m, e = tf.minimum(i + width, n), tf.minimum(i + 2 * width, n)
            a, b = i, m
            for k in tf.range(i, e):
                if b >= e or a < m and x[a] <= x[b]:
                    out = out.write(k, x[a])
                    a += 1
                else:
                    out = out.write(k, x[b])
                    b += 1
            i = e
        x = tf.ensure_shape(out.stack(), [7])
        width *= 2
    return x


@on([3, 1, 2, 3, 0, 1, 3])
def counting_sort(x):
    counts = tf.zeros([4], tf.int32)
    for v in x:
        counts = tf.tensor_scatter_nd_add(counts, [[v]], [1])
    out = tf.zeros([0], tf.int32)
    for v in tf.range(4):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(out, tf.TensorShape([None]))])
        out = tf.concat([out, tf.fill([counts[v]], v)], 0)
    return out


@on([329, 457, 657, 839, 436, 720, 355])
def radix_sort(x):
    place = 1
    while tf.reduce_max(x) // place > 0:
        digit = x // place % 10
        x = tf.gather(x, tf.argsort(digit, stable=True))
        place *= 10
    return x


@beyond("a loop whose condition becomes a tensor")
@on([5, 3, 9, 1, 4, 8, 2])
def quicksort_by_stack(x):
    lows = tf.TensorArray(tf.int32, 1, dynamic_size=True, clear_after_read=False).write(0, 0)
    highs = tf.TensorArray(tf.int32, 1, dynamic_size=True, clear_after_read=False).write(0, tf.size(x) - 1)
    top = 1
    while top > 0:
        top -= 1
        low, high = lows.read(top), highs.read(top)
        if low >= high:
            continue
        pivot, store = x[high], low
        for i in tf.range(low, high):
            if x[i] < pivot:
                x = tf.tensor_scatter_nd_update(x, [[i], [store]], [x[store], x[i]])
                store += 1
        x = tf.tensor_scatter_nd_update(x, [[high], [store]], [x[store], x[high]])
        lows = lows.write(top, low)
        highs = highs.write(top, store - 1)
        lows = lows.write(top + 1, store + 1)
        highs = highs.write(top + 1, high)
        top += 2
    return x


@beyond("return within a loop")
@on([1, 3, 5, 7, 9, 11], 7)
@on([1, 3, 5, 7, 9, 11], 4)
def binary_search(x, key):
    low, high = 0, tf.size(x) - 1
    while low <= high:
        middle = (low + high) // 2
        if x[middle] == key:
            return middle
        elif x[middle] < key:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@beyond("loops with else")
@on([3, 1, 4, 1, 5], 4)
@on([3, 1, 4, 1, 5], 9)
def linear_search(x, key):
    at = 0
    for v in x:
        if v == key:
            break
        at += 1
    else:
        at = -1
    return at


@on([-2, 1, -3, 4, -1, 2, 1, -5, 4])
@on([-3, -1, -2])
def best_sum(x):
    best, here = x[0], x[0]
    for v in x[1:]:
        here = v if here < 0 else here + v
        if here > best:
            best = here
    return best


@on([2, 2, 1, 1, 1, 2, 2])
def majority(x):
    candidate, votes = x[0], 0
    for v in x:
        if votes == 0:
            candidate = v
        votes += 1 if v == candidate else -1
    return candidate, votes


@on([7, 1, 5, 3, 6, 4])
def best_trade(prices):
    lowest, gain = tf.int32.max, 0
    for p in prices:
        lowest = tf.minimum(lowest, p)
        if p - lowest > gain:
            gain = p - lowest
    return gain


@on([0, 1, 0, 2, 1, 0, 1, 3, 2, 1, 2, 1])
def trapped_water(h):
    i, j = 0, tf.size(h) - 1
    left = right = water = 0
    while i < j:
        if h[i] < h[j]:
            left = tf.maximum(left, h[i])
            water += left - h[i]
            i += 1
        else:
            right = tf.maximum(right, h[j])
            water += right - h[j]
            j -= 1
    return water


@on("kitten", "sitting")
@on("", "abc")
def edit_distance(a, b):
    a, b = tf.io.decode_raw(a, tf.uint8), tf.io.decode_raw(b, tf.uint8)
    m = tf.size(b)
    row = tf.range(m + 1)
    for i in tf.range(tf.size(a)):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(row, tf.TensorShape([None]))])
        new = tf.TensorArray(tf.int32, m + 1)
        left = i + 1
        new = new.write(0, left)
        for j in tf.range(m):
            if a[i] == b[j]:
                left = row[j]
            else:
                left = 1 + tf.minimum(tf.minimum(left, row[j + 1]), row[j])
            new = new.write(j + 1, left)
        row = new.stack()
    return row[-1]


@beyond("a loop whose condition becomes a tensor")
@on([1, 3, 5, 9, 2], [2, 3, 9, 9, 5, 2])
def common_subsequence(a, b):
    t = tf.zeros([6, 7], tf.int32)
    for i in tf.range(5):
        for j in tf.range(6):
            v = t[i, j] + 1 if a[i] == b[j] else tf.maximum(t[i, j + 1], t[i + 1, j])
            t = tf.tensor_scatter_nd_update(t, [[i + 1, j + 1]], [v])
    i, j, length = 5, 6, 0
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            i, j, length = i - 1, j - 1, length + 1
        elif t[i - 1, j] >= t[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return t, length


@on([60, 100, 120], [10, 20, 30], 50)
def knapsack(values, weights, capacity):
    best = tf.zeros([capacity + 1], tf.int32)
    for k in tf.range(3):
        shifted = tf.concat([tf.zeros([weights[k]], tf.int32), best[: -weights[k]] + values[k]], 0)
        fits = tf.range(capacity + 1) >= weights[k]
        best = tf.where(fits, tf.maximum(best, shifted), best)
    return best[-1]


@on(12, [1, 5, 7])
def fewest_coins(amount, coins):
    t = tf.fill([amount + 1], 1000)
    t = tf.tensor_scatter_nd_update(t, [[0]], [0])
    for a in tf.range(1, amount + 1):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(t, tf.TensorShape([None]))])
        for c in coins:
            tf.autograph.experimental.set_loop_options(shape_invariants=[(t, tf.TensorShape([None]))])
            if c <= a and t[a - c] + 1 < t[a]:
                t = tf.tensor_scatter_nd_update(t, [[a]], [t[a - c] + 1])
    return t


@on([10, 9, 2, 5, 3, 7, 101, 18])
def longest_increasing(x):
    n = len(x)
    length = tf.TensorArray(tf.int32, n, clear_after_read=False)
    for i in tf.range(n):
        best = 1
        for j in tf.range(i):
            if x[j] < x[i]:
                best = tf.maximum(best, length.read(j) + 1)
        length = length.write(i, best)
    return tf.reduce_max(length.stack())


@on([40, 20, 30, 10, 30])
def matrix_chain(dims):
    n = 4
    cost = tf.zeros([n, n], tf.int32)
    for length in tf.range(2, n + 1):
        for i in tf.range(n - length + 1):
            j = i + length - 1
            best = tf.constant(2**30)
            for k in tf.range(i, j):
                c = cost[i, k] + cost[k + 1, j] + dims[i] * dims[k + 1] * dims[j + 1]
                if c < best:
                    best = c
            cost = tf.tensor_scatter_nd_update(cost, [[i, j]], [best])
    return cost[0, n - 1]


@on([1, 5, 8, 9, 10, 17, 17, 20])
def rod_cutting(price):
    best = tf.zeros([9], tf.int32)
    for n in tf.range(1, 9):
        here = tf.int32.min
        for cut in tf.range(1, n + 1):
            here = tf.maximum(here, price[cut - 1] + best[n - cut])
        best = tf.tensor_scatter_nd_update(best, [[n]], [here])
    return best


@on([[0, 3, 99, 7], [8, 0, 2, 99], [5, 99, 0, 1], [2, 99, 99, 0]])
def floyd_warshall(d):
    n = d.shape[0]
    for k in tf.range(n):
        for i in tf.range(n):
            for j in tf.range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d = tf.tensor_scatter_nd_update(d, [[i, j]], [d[i, k] + d[k, j]])
    return d


@on([[0.0, 4.0, 1.0, 99.0], [4.0, 0.0, 2.0, 5.0], [1.0, 2.0, 0.0, 8.0], [99.0, 5.0, 8.0, 0.0]], 0)
def dijkstra(w, start):
    n = w.shape[0]
    distance = tf.where(tf.range(n) == start, 0.0, 99.0)
    done = tf.zeros([n], tf.bool)
    for _ in tf.range(n):
        u = tf.argmin(tf.where(done, 1e9, distance), output_type=tf.int32)
        done = done | (tf.range(n) == u)
        distance = tf.minimum(distance, distance[u] + w[u])
    return distance


@beyond("a loop whose condition becomes a tensor")
@on([[0, 1], [1, 2], [3, 4], [5, 3]])
def components(edges):
    label = tf.range(6)
    changed = True
    while changed:
        before = label
        for e in edges:
            low = tf.minimum(label[e[0]], label[e[1]])
            label = tf.where((label == label[e[0]]) | (label == label[e[1]]), low, label)
        changed = tf.reduce_any(before != label)
    return label


@on([[0, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]])
def topological_order(graph):
    order = tf.TensorArray(tf.int32, 5)
    left = tf.ones([5], tf.bool)
    for step in tf.range(5):
        degree = tf.reduce_sum(graph, 0)
        free = left & (degree == 0)
        if not tf.reduce_any(free):
            break
        v = tf.argmax(tf.cast(free, tf.int32), output_type=tf.int32)
        order = order.write(step, v)
        left = left & (tf.range(5) != v)
        graph = graph * tf.expand_dims(tf.cast(tf.range(5) != v, tf.int32), 1)
    return order.stack()


@beyond("a loop whose condition becomes a tensor")
@on([[1, 1, 0, 0], [1, 0, 0, 1], [0, 0, 1, 1]])
def islands(land):
    count = 0
    seen = tf.zeros_like(land)
    for i in tf.range(3):
        for j in tf.range(4):
            if land[i, j] == 1 and seen[i, j] == 0:
                count += 1
                patch = tf.scatter_nd([[i, j]], [1], [3, 4])
                grew = True
                while grew:
                    p = tf.pad(patch, [[1, 1], [1, 1]])
                    wide = p[1:-1, 1:-1] + p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]
                    new = tf.cast(wide > 0, tf.int32) * land
                    grew = tf.reduce_any(new != patch)
                    patch = new
                seen = tf.maximum(seen, patch)
    return count


@beyond("return within a loop")
@on([2, 7, 11, 15], 9)
@on([2, 7, 11, 15], 100)
def two_sum(x, target):
    for i in tf.range(tf.size(x)):
        for j in tf.range(i + 1, tf.size(x)):
            if x[i] + x[j] == target:
                return tf.stack([i, j])
    return tf.constant([-1, -1])


@on([1, 2, 2, 3, 3, 3, 1])
def run_lengths(x):
    values = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    lengths = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    last, n = x[0], 1
    for v in x[1:]:
        if v == last:
            n += 1
        else:
            values = values.write(values.size(), last)
            lengths = lengths.write(lengths.size(), n)
            last, n = v, 1
    values = values.write(values.size(), last)
    lengths = lengths.write(lengths.size(), n)
    return values.stack(), lengths.stack()


@on([3, 1, 4, 1, 5, 9, 2, 6], 3)
def windows(x, k):
    best, at = tf.constant(0), -1
    for i in tf.range(tf.size(x) - k + 1):
        s = tf.reduce_sum(x[i : i + k])
        if s > best:
            best, at = s, i
    return best, at


@on([1, -1, 2, -1, 3, -1, -1])
def stack_machine(commands):
    """Numbers are pushed, -1 pops; what is popped is given."""
    stack = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
    top, out = 0, 0
    for c in commands:
        if c == -1:
            if top == 0:
                out = out * 10 + 9
                continue
            top -= 1
            out = out * 10 + stack.read(top)
        else:
            stack = stack.write(top, c)
            top += 1
    return out, top


@on([73, 74, 75, 71, 69, 72, 76, 73])
def days_until_warmer(t):
    n = tf.size(t)
    out = tf.zeros_like(t)
    for i in tf.range(n):
        for j in tf.range(i + 1, n):
            if t[j] > t[i]:
                out = tf.tensor_scatter_nd_update(out, [[i]], [j - i])
                break
    return out


@on([[1, 3], [2, 6], [8, 10], [9, 18]])
def merge_intervals(spans):
    out = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[2])
    low, high = spans[0][0], spans[0][1]
    for s in spans[1:]:
        if s[0] <= high:
            high = tf.maximum(high, s[1])
        else:
            out = out.write(out.size(), tf.stack([low, high]))
            low, high = s[0], s[1]
    out = out.write(out.size(), tf.stack([low, high]))
    return out.stack()


@on([1.0, 2.0, 3.0, 4.0], 0.5)
def smoothed(x, alpha):
    s = x[0]
    made = tf.TensorArray(tf.float32, tf.size(x))
    for i in tf.range(tf.size(x)):
        s = alpha * x[i] + (1 - alpha) * s
        made = made.write(i, s)
    return made.stack()


@on([4, 8, 15, 16, 23, 42])
def running_statistics(x):
    mean, m2, n = 0.0, 0.0, 0
    for v in x:
        n += 1
        v = tf.cast(v, tf.float32)
        delta = v - mean
        mean += delta / tf.cast(n, tf.float32)
        m2 += delta * (v - mean)
    return mean, m2 / tf.cast(n - 1, tf.float32)


@on([3, 0, 1, 2])
def cycles(permutation):
    seen = tf.zeros([4], tf.bool)
    count = 0
    for i in tf.range(4):
        if seen[i]:
            continue
        count += 1
        j = i
        while not seen[j]:
            seen = tf.tensor_scatter_nd_update(seen, [[j]], [True])
            j = permutation[j]
    return count


@on([1, 2, 3])
@on([3, 2, 1])
def next_permutation(x):
    n = tf.size(x)
    i = n - 2
    while i >= 0 and x[i] >= x[i + 1]:
        i -= 1
    if i < 0:
        return x[::-1]
    j = n - 1
    while x[j] <= x[i]:
        j -= 1
    x = tf.tensor_scatter_nd_update(x, [[i], [j]], [x[j], x[i]])
    return tf.concat([x[: i + 1], x[i + 1 :][::-1]], 0)


@on([5, 1, 3], [4, 2])
def merge(a, b):
    a, b = tf.sort(a), tf.sort(b)
    out = tf.TensorArray(tf.int32, tf.size(a) + tf.size(b))
    i = j = 0
    for k in tf.range(tf.size(a) + tf.size(b)):
        take_first = j >= tf.size(b) or (i < tf.size(a) and a[i] <= b[j])
        if take_first:
            out = out.write(k, a[i])
            i += 1
        else:
            out = out.write(k, b[j])
            j += 1
    return out.stack()


@on([4, 1, 7, 3, 8, 5])
def heap_sort(x):
    n = tf.size(x)

    def sift(x, start, end):
        root = start
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and x[child] < x[child + 1]:
                child += 1
            if x[root] < x[child]:
                x = tf.tensor_scatter_nd_update(x, [[root], [child]], [x[child], x[root]])
                root = child
            else:
                break
        return x

    for start in tf.range(n // 2 - 1, -1, -1):
        x = sift(x, start, n)
    for end in tf.range(n - 1, 0, -1):
        x = tf.tensor_scatter_nd_update(x, [[0], [end]], [x[end], x[0]])
        x = sift(x, 0, end)
    return x


@on([[3, 5], [1, 2], [8, 13]])
def sum_of_rows(rows):
    total = tf.zeros([2], tf.int32)
    for row in rows:
        total += row
        for v in row:
            if v == 2:
                total += 100
    return total
