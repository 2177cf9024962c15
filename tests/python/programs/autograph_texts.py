"""Strings and parsers: tokens, brackets, ciphers, formats, automata over tensors of codes."""

from programs import beyond, on, tf


def codes(s):
    return tf.cast(tf.io.decode_raw(s, tf.uint8), tf.int32)


@on("aaabccd")
@on("x")
def run_length_text(s):
    out, last, n = tf.constant(""), tf.constant(""), 0
    for c in tf.strings.bytes_split(s):
        if c == last:
            n += 1
        else:
            if n > 1:
                out += tf.strings.as_string(n)
            out += c
            last, n = c, 1
    if n > 1:
        out += tf.strings.as_string(n)
    return out


@on("a3b1c12")
def run_length_back(s):
    out, c, n = tf.constant(""), tf.constant(""), 0
    for x in tf.strings.bytes_split(s):
        if tf.strings.regex_full_match(x, "[0-9]"):
            n = n * 10 + tf.strings.to_number(x, tf.int32)
        else:
            for _ in tf.range(n):
                out += c
            c, n = x, 0
    for _ in tf.range(n):
        out += c
    return out


@on("([]{})")
@on("([)]")
@on("((")
def brackets(s):
    opening, closing = codes("([{"), codes(")]}")
    stack = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
    top, ok = 0, True
    for c in codes(s):
        if tf.reduce_any(opening == c):
            stack = stack.write(top, c)
            top += 1
        elif tf.reduce_any(closing == c):
            if top == 0:
                ok = False
                break
            top -= 1
            kind = tf.argmax(tf.cast(closing == c, tf.int32))
            if stack.read(top) != opening[kind]:
                ok = False
                break
    return ok and top == 0


@on("Hello, World", 3)
@on("xyz", 25)
def caesar(s, shift):
    out = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    for c in codes(s):
        if c >= 65 and c <= 90:
            c = (c - 65 + shift) % 26 + 65
        elif 97 <= c <= 122:
            c = (c - 97 + shift) % 26 + 97
        out = out.write(out.size(), c)
    return tf.strings.unicode_encode(out.stack(), "UTF-8")


@on("attack", "key")
def vigenere(s, key):
    k = codes(key) - 97
    out = tf.constant("")
    i = 0
    for c in codes(s):
        out += tf.strings.unicode_encode([(c - 97 + k[i % tf.size(k)]) % 26 + 97], "UTF-8")
        i += 1
    return out


@on("3+4*2-10/5")
@on("12*12+1")
def expression_value(s):
    """Products bind stronger; no brackets."""
    total, term, number, sign, op = 0, 0, 0, 1, codes("+")[0]
    for c in codes(s + "+"):
        if c >= 48 and c <= 57:
            number = number * 10 + c - 48
            continue
        if op == codes("*")[0]:
            term *= number
        elif op == codes("/")[0]:
            term //= number
        else:
            total += sign * term
            term = number
            sign = 1 if op == codes("+")[0] else -1
        op, number = c, 0
    return total + sign * term


@on("3 4 + 2 * 7 -")
def postfix(s):
    stack = tf.TensorArray(tf.int32, 10, clear_after_read=False)
    top = 0
    for word in tf.strings.split(s):
        if word == "+":
            stack = stack.write(top - 2, stack.read(top - 2) + stack.read(top - 1))
            top -= 1
        elif word == "-":
            stack = stack.write(top - 2, stack.read(top - 2) - stack.read(top - 1))
            top -= 1
        elif word == "*":
            stack = stack.write(top - 2, stack.read(top - 2) * stack.read(top - 1))
            top -= 1
        else:
            stack = stack.write(top, tf.strings.to_number(word, tf.int32))
            top += 1
    return stack.read(0), top


@on("++>+<[->+<]")
def brain_machine(s):
    program = codes(s)
    cells = tf.zeros([4], tf.int32)
    at, p, steps = 0, 0, 0
    while p < tf.size(program) and steps < 200:
        c = program[p]
        if c == 43:
            cells = tf.tensor_scatter_nd_add(cells, [[at]], [1])
        elif c == 45:
            cells = tf.tensor_scatter_nd_add(cells, [[at]], [-1])
        elif c == 62:
            at += 1
        elif c == 60:
            at -= 1
        elif c == 91 and cells[at] == 0:
            while program[p] != 93:
                p += 1
        elif c == 93 and cells[at] != 0:
            while program[p] != 91:
                p -= 1
        p += 1
        steps += 1
    return cells, steps


@beyond("a condition on tensors that is not converted")
@on("-12.5e2")
@on("+7")
@on("1e")
@on("")
def number_automaton(s):
    """0 start, 1 sign, 2 digits, 3 point, 4 fraction, 5 e, 6 exponent's sign, 7 exponent, 8 error."""
    state = 0
    for c in codes(s):
        digit = c >= 48 and c <= 57
        if state == 0:
            state = 2 if digit else 1 if (c == 43 or c == 45) else 8
        elif state == 1:
            state = 2 if digit else 8
        elif state == 2:
            if digit:
                state = 2
            elif c == 46:
                state = 3
            elif c == 101:
                state = 5
            else:
                state = 8
        elif state == 3 or state == 4:
            if digit:
                state = 4
            elif c == 101 and state == 4:
                state = 5
            else:
                state = 8
        elif state == 5:
            state = 7 if digit else 6 if c == 45 else 8
        else:
            state = 7 if digit and state != 8 else 8
    return state, state == 2 or state == 4 or state == 7


@on("the quick brown the lazy the dog")
def most_frequent_word(s):
    words = tf.strings.split(s)
    unique, at, counts = tf.unique_with_counts(words)
    best, n = tf.constant(""), 0
    for i in tf.range(tf.size(unique)):
        if counts[i] > n:
            best, n = unique[i], counts[i]
    return best, n


@on("hello world")
def capitalized(s):
    out = tf.constant("")
    fresh = True
    for c in tf.strings.bytes_split(s):
        if fresh:
            out += tf.strings.upper(c)
        else:
            out += c
        fresh = c == " "
    return out


@on("abcabcbb")
def longest_without_repeat(s):
    c = codes(s)
    start, best = 0, 0
    for end in tf.range(tf.size(c)):
        for k in tf.range(start, end):
            if c[k] == c[end]:
                start = k + 1
                break
        best = tf.maximum(best, end - start + 1)
    return best


@on("abacabad", "aba")
@on("abc", "z")
def count_occurrences(s, pattern):
    n, m, count = tf.strings.length(s), tf.strings.length(pattern), 0
    for i in tf.range(n - m + 1):
        if tf.strings.substr(s, i, m) == pattern:
            count += 1
    return count


@on("ababcababd", "ababd")
def search_by_prefixes(text, pattern):
    t, p = codes(text), codes(pattern)
    m = tf.size(p)
    fail = tf.zeros([m], tf.int32)
    k = 0
    for i in tf.range(1, m):
        while k > 0 and p[k] != p[i]:
            k = fail[k - 1]
        if p[k] == p[i]:
            k += 1
        fail = tf.tensor_scatter_nd_update(fail, [[i]], [k])
    k, found = 0, -1
    for i in tf.range(tf.size(t)):
        while k > 0 and p[k] != t[i]:
            k = fail[k - 1]
        if p[k] == t[i]:
            k += 1
        if k == m:
            found = i - m + 1
            break
    return found, fail


@on("a,b,,c")
def comma_fields(s):
    fields = tf.TensorArray(tf.string, 0, dynamic_size=True)
    here = tf.constant("")
    for c in tf.strings.bytes_split(s):
        if c == ",":
            fields = fields.write(fields.size(), here)
            here = tf.constant("")
        else:
            here += c
    fields = fields.write(fields.size(), here)
    return fields.stack()


@on("k1=v1;k2=v2")
def pairs(s):
    keys = tf.TensorArray(tf.string, 0, dynamic_size=True)
    values = tf.TensorArray(tf.string, 0, dynamic_size=True)
    for part in tf.strings.split(s, ";"):
        both = tf.strings.split(part, "=")
        keys = keys.write(keys.size(), both[0])
        values = values.write(values.size(), both[1])
    return keys.stack(), values.stack()


@on("level")
@on("levels")
@on("")
def palindrome_text(s):
    c = codes(s)
    i, j = 0, tf.size(c) - 1
    same = True
    while i < j and same:
        same = c[i] == c[j]
        i += 1
        j -= 1
    return same


@on("MCMXCIV")
@on("XLII")
def roman_value(s):
    letters = codes("IVXLCDM")
    worth = tf.constant([1, 5, 10, 50, 100, 500, 1000])
    total, last = 0, 0
    for c in codes(s)[::-1]:
        v = worth[tf.argmax(tf.cast(letters == c, tf.int32))]
        if v < last:
            total -= v
        else:
            total += v
            last = v
    return total


@on("1011")
@on("-77")
def text_to_number(s):
    value, negative = 0, False
    for c in codes(s):
        if c == 45:
            negative = True
        elif c < 48 or c > 57:
            break
        else:
            value = value * 10 + c - 48
    if negative:
        value = -value
    return value


@on("SOS")
def morse(s):
    table = tf.constant([".-", "-...", "-.-.", "-..", "."])
    out = tf.constant("")
    for c in codes(s):
        if c == 83:
            out += "... "
        elif c == 79:
            out += "--- "
        elif c - 65 < 5:
            out += table[c - 65] + " "
        else:
            out += "? "
    return tf.strings.strip(out)


@on(1234567)
def thousands(n):
    text = tf.strings.as_string(n)
    out = tf.constant("")
    length = tf.strings.length(text)
    for i in tf.range(length):
        if i > 0 and (length - i) % 3 == 0:
            out += ","
        out += tf.strings.substr(text, i, 1)
    return out


@on("abc")
def permutations_by_rotation(s):
    n = tf.strings.length(s)
    made = tf.TensorArray(tf.string, n)
    for i in tf.range(n):
        s = tf.strings.substr(s, 1, n - 1) + tf.strings.substr(s, 0, 1)
        made = made.write(i, s)
    return made.stack()


@on("banana")
def suffix_order(s):
    n = tf.strings.length(s)
    suffixes = tf.TensorArray(tf.string, 6)
    for i in tf.range(n):
        suffixes = suffixes.write(i, tf.strings.substr(s, i, n - i))
    return tf.strings.length(suffixes.stack())


@on("Mississippi")
def letter_counts(s):
    counts = tf.zeros([26], tf.int32)
    for c in codes(tf.strings.lower(s)):
        if c >= 97 and c < 123:
            counts = tf.tensor_scatter_nd_add(counts, [[c - 97]], [1])
    return counts


@on("hello", "world")
def checksum(a, b):
    h = tf.constant(5381, tf.int64)
    for s in (a, b):
        for c in codes(s):
            h = (h * 33 + tf.cast(c, tf.int64)) % 4294967296
        h ^= 255
    return h


@on(["apple", "fig", "banana"], 5)
def filter_by_length(words, limit):
    kept = tf.TensorArray(tf.string, 0, dynamic_size=True)
    for w in words:
        if tf.strings.length(w) <= limit:
            kept = kept.write(kept.size(), w)
    return tf.strings.reduce_join(kept.stack(), separator="|")


@on("if x then y else z end")
def keywords(s):
    depth, deepest = 0, 0
    for w in tf.strings.split(s):
        if w == "if":
            depth += 1
            deepest = tf.maximum(deepest, depth)
        elif w == "end":
            depth -= 1
    return depth, deepest


@on("a*b")
@on("acb")
@on("ab")
def wildcard(text):
    """Whether the text is a, anything, b."""
    c = codes(text)
    n = tf.size(c)
    if n < 2:
        return False
    if c[0] != 97:
        return False
    return c[n - 1] == 98


@on([72, 105, 33])
def codes_to_text(c):
    out = tf.constant("")
    for v in c:
        out = tf.strings.join([out, tf.strings.unicode_encode([v], "UTF-8")])
        if v == 33:
            out += tf.strings.format("{}", v)
    return out


@on("x=1, y=22")
def tokens(s):
    """1 name, 2 number, 3 sign; by code and length."""
    kinds = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    lengths = tf.TensorArray(tf.int32, 0, dynamic_size=True)
    c = codes(s)
    i = 0
    while i < tf.size(c):
        if c[i] == 32:
            i += 1
            continue
        start = i
        if c[i] >= 97 and c[i] <= 122:
            kind = 1
            while i < tf.size(c) and c[tf.minimum(i, tf.size(c) - 1)] >= 97:
                i += 1
        elif c[i] >= 48 and c[i] <= 57:
            kind = 2
            while i < tf.size(c):
                if c[i] < 48 or c[i] > 57:
                    break
                i += 1
        else:
            kind = 3
            i += 1
        kinds = kinds.write(kinds.size(), kind)
        lengths = lengths.write(lengths.size(), i - start)
    return kinds.stack(), lengths.stack()
