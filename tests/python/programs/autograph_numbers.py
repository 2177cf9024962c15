"""Whole numbers: divisors, primes, digits, sequences, combinatorics, dates, bits, generators of pseudo-random numbers."""

from programs import beyond, on, tf


@on(48, 18)
@on(0, 5)
@on(1071, 462)
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@beyond("a condition that is a number")
@on(48, 18)
@on(240, 46)
def bezout(a, b):
    x0, x1, y0, y1 = 1, 0, 0, 1
    while b:
        q = a // b
        a, b = b, a - q * b
        x0, x1 = x1, x0 - q * x1
        y0, y1 = y1, y0 - q * y1
    return a, x0, y0


@on(7)
@on(27)
@on(1)
def collatz(n):
    steps, highest = 0, n
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        if n > highest:
            highest = n
        steps += 1
    return steps, highest


@on(3, 200, 13)
@on(2, 10, 1000)
def power_modulo(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        exponent //= 2
        base = base * base % modulus
    return result


@beyond("return within a loop")
@on(2)
@on(91)
@on(97)
@on(1)
def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True


@on(30)
def sieve(n):
    marks = tf.ones([n + 1], tf.int32)
    marks = tf.tensor_scatter_nd_update(marks, [[0], [1]], [0, 0])
    for i in tf.range(2, n + 1):
        if i * i > n:
            break
        if marks[i] == 0:
            continue
        j = i * i
        while j <= n:
            tf.autograph.experimental.set_loop_options(shape_invariants=[(marks, tf.TensorShape([None]))])
            marks = tf.tensor_scatter_nd_update(marks, [[j]], [0])
            j += i
    return tf.where(marks == 1)[:, 0]


@on(360)
@on(97)
@on(1024)
def prime_factors(n):
    factors = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    d = 2
    while n > 1:
        while n % d == 0:
            factors = factors.write(factors.size(), d)
            n //= d
        d += 1
    return factors.stack()


@on(98765)
@on(0)
@on(7)
def digits(n):
    total, product, count = 0, 1, 0
    while n > 0:
        d = n % 10
        total += d
        product *= d
        count += 1
        n //= 10
    return total, product, count


@on(12321)
@on(1231)
def palindrome(n):
    turned, rest = 0, n
    while rest > 0:
        turned = turned * 10 + rest % 10
        rest //= 10
    return turned == n


@on(153)
@on(154)
@on(9474)
def armstrong(n):
    length = 0
    t = n
    while t > 0:
        length += 1
        t //= 10
    s, t = 0, n
    while t > 0:
        d, p = t % 10, 1
        for _ in tf.range(length):
            p *= d
        s += p
        t //= 10
    if s == n:
        return "armstrong"
    return "ordinary"


@on(28)
@on(12)
@on(15)
def abundance(n):
    s = 0
    for d in tf.range(1, n):
        if n % d == 0:
            s += d
    if s == n:
        r = 0
    elif s > n:
        r = 1
    else:
        r = -1
    return r


@on(10)
@on(0)
@on(1)
def fibonacci(n):
    a, b = 0, 1
    for _ in tf.range(n):
        a, b = b, a + b
    return a


@beyond("a condition that is a number")
@on(12)
def fibonacci_by_matrix(n):
    m = tf.constant([[1, 1], [1, 0]])
    r = tf.eye(2, dtype=tf.int32)
    while n > 0:
        if n & 1:
            r = r @ m
        m = m @ m
        n //= 2
    return r[0, 1]


@on(6)
def catalan(n):
    c = tf.TensorArray(tf.int32, n + 1, clear_after_read=False)
    c = c.write(0, 1)
    for i in tf.range(1, n + 1):
        s = 0
        for j in tf.range(i):
            s += c.read(j) * c.read(i - 1 - j)
        c = c.write(i, s)
    return c.stack()


@on(5)
@on(8)
def pascal(n):
    row = tf.constant([1])
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(row, tf.TensorShape([None]))])
        row = tf.concat([row, [0]], 0) + tf.concat([[0], row], 0)
    return row


@on(41, 3)
@on(7, 2)
def josephus(n, k):
    r = 0
    for i in tf.range(2, n + 1):
        r = (r + k) % i
    return r + 1


@on(1994)
@on(3999)
def roman(n):
    values = tf.constant([1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1])
    words = tf.constant(["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"])
    out = tf.constant("")
    for i in tf.range(13):
        while n >= values[i]:
            out += words[i]
            n -= values[i]
    return out


@on(2024)
@on(1900)
@on(2000)
def leap(year):
    if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0):
        return 366
    else:
        return 365


@on(2024, 2, 29)
@on(1969, 7, 20)
def weekday(year, month, day):
    if month < 3:
        month += 12
        year -= 1
    k, j = year % 100, year // 100
    return (day + 13 * (month + 1) // 5 + k + k // 4 + j // 4 + 5 * j) % 7


@beyond("a loop whose condition becomes a tensor")
@on(1980, 10593)
@on(2000, 12)
def year_of_day(year, days):
    done = False
    while not done:
        long = year % 4 == 0 and not (year % 100 == 0 and year % 400 != 0)
        length = 366 if long else 365
        if days > length:
            days -= length
            year += 1
        else:
            done = True
    return year, days


@beyond("a condition that is a number")
@on(0b1011011)
@on(0)
def bits(n):
    ones, highest, position = 0, -1, 0
    while n:
        if n & 1:
            ones += 1
            highest = position
        n //= 2
        position += 1
    return ones, highest


@on(37)
def gray_code(n):
    g = n ^ (n >> 1)
    back, shift = g, g >> 1
    while shift != 0:
        back ^= shift
        shift >>= 1
    return g, back


@on(1, 20)
def linear_congruence(seed, n):
    made = tf.TensorArray(tf.int64, n)
    state = tf.cast(seed, tf.int64)
    for i in tf.range(n):
        state = (state * 1103515245 + 12345) % 2147483648
        made = made.write(i, state // 65536)
    return made.stack()


@on(0xACE1)
def shift_register(start):
    state, period = start, 0
    while True:
        bit = (state ^ (state >> 2) ^ (state >> 3) ^ (state >> 5)) & 1
        state = (state >> 1) | (bit << 15)
        period += 1
        if state == start or period >= 500:
            break
    return period, state


@on(20)
def fizzbuzz(n):
    lines = tf.TensorArray(tf.string, n)
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            s = "FizzBuzz"
        elif i % 3 == 0:
            s = "Fizz"
        elif i % 5 == 0:
            s = "Buzz"
        else:
            s = tf.strings.as_string(i)
        lines = lines.write(i - 1, s)
    return tf.strings.reduce_join(lines.stack(), separator=" ")


@on(100)
def happy_numbers(limit):
    count = 0
    for n in tf.range(1, limit):
        slow = n
        while slow != 1 and slow != 4:
            total = 0
            while slow > 0:
                total += (slow % 10) * (slow % 10)
                slow //= 10
            slow = total
        if slow == 1:
            count += 1
    return count


@on(50)
def triples(limit):
    found = 0
    for a in tf.range(1, limit):
        for b in tf.range(a, limit):
            c = tf.cast(tf.sqrt(tf.cast(a * a + b * b, tf.float32)) + 0.5, tf.int32)
            if c >= limit:
                break
            if c * c == a * a + b * b:
                found += 1
    return found


@on(10, 3)
@on(5, 7)
def binomial(n, k):
    if k > n:
        return 0
    if k > n - k:
        k = n - k
    r = 1
    for i in tf.range(k):
        r = r * (n - i) // (i + 1)
    return r


@on(100, [25, 10, 5, 1])
@on(63, [30, 21, 1])
def greedy_change(amount, coins):
    n = 0
    for c in coins:
        while amount >= c:
            amount -= c
            n += 1
    return n, amount


@on(255, 2)
@on(255, 16)
def in_base(n, base):
    signs = tf.strings.bytes_split("0123456789abcdef")
    out = tf.constant("")
    while n > 0:
        out = signs[n % base] + out
        n //= base
    return out


@on(10)
def ulam(n):
    terms = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
    terms = terms.write(0, 1)
    terms = terms.write(1, 2)
    candidate = 3
    while terms.size() < n:
        ways = 0
        for i in tf.range(terms.size()):
            for j in tf.range(i):
                if terms.read(i) + terms.read(j) == candidate:
                    ways += 1
        if ways == 1:
            terms = terms.write(terms.size(), candidate)
        candidate += 1
    return terms.stack()


@beyond("a loop whose condition becomes a tensor")
@on(3, 4)
@on(2, 3)
def ackermann_by_stack(m, n):
    stack = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
    stack = stack.write(0, m)
    top = 1
    steps = 0
    while top > 0 and steps < 3000:
        steps += 1
        top -= 1
        m = stack.read(top)
        if m == 0:
            n += 1
        elif n == 0:
            stack = stack.write(top, m - 1)
            top += 1
            n = 1
        else:
            stack = stack.write(top, m - 1)
            stack = stack.write(top + 1, m)
            top += 2
            n -= 1
    return n, top


@on(17)
@on(16)
def square_root(n):
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        if middle * middle > n:
            high = middle - 1
        else:
            low = middle
    return low, low * low == n


@on(24)
def divisors(n):
    found = tf.zeros([0], tf.int32)
    for d in tf.range(1, n + 1):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(found, tf.TensorShape([None]))])
        if n % d == 0:
            found = tf.concat([found, [d]], 0)
    return found


@beyond("return within a loop")
@on(100)
def goldbach(n):
    def prime(k):
        if k < 2:
            return False
        for d in tf.range(2, k):
            if d * d > k:
                break
            if k % d == 0:
                return False
        return True

    for p in tf.range(2, n):
        if prime(p) and prime(n - p):
            return p, n - p
    return 0, 0


@on(9)
def euler_totient(n):
    count = 0
    for k in tf.range(1, n + 1):
        a, b = k, n
        while b > 0:
            a, b = b, a % b
        count += 1 if a == 1 else 0
    return count


@on(1, 1, 30)
def digits_of_fraction(p, q, n):
    p, q = p * 22, q * 7
    made = tf.TensorArray(tf.int32, n)
    for i in tf.range(n):
        made = made.write(i, p // q)
        p = p % q * 10
    return made.stack()


@on(6)
def self_describing(n):
    """Look and say, as digits."""
    row = tf.constant([1])
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(row, tf.TensorShape([None]))])
        out = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        i = 0
        while i < tf.size(row):
            j = i
            while j < tf.size(row):
                if row[j] != row[i]:
                    break
                j += 1
            out = out.write(out.size(), j - i)
            out = out.write(out.size(), row[i])
            i = j
        row = out.stack()
    return row


@on([9, 9, 9], [1])
@on([1, 2], [9, 9, 8])
def add_long_numbers(a, b):
    n = tf.maximum(tf.size(a), tf.size(b))
    a = tf.pad(a[::-1], [[0, n - tf.size(a)]])
    b = tf.pad(b[::-1], [[0, n - tf.size(b)]])
    out = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    carry = 0
    for i in tf.range(n):
        s = a[i] + b[i] + carry
        carry = s // 10
        out = out.write(out.size(), s % 10)
    if carry > 0:
        out = out.write(out.size(), carry)
    return out.stack()[::-1]


@beyond("a condition on tensors that is not converted")
@on(4, 5)
def catch_up(x, y):
    rounds = 0
    while x < y and rounds < 50 or x == y and rounds < 3:
        x, y = x + 3, y + 1
        rounds += 1
    else:
        rounds = -rounds
    return x, y, rounds
