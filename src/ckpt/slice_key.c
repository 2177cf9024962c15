/* Keys of slices: strings and numbers as bytes that sort as they do. A number is its significant bytes, high ones
 * first, after their count; a signed number has that count as leading ones of its first bits; in a string 0 and 255
 * are followed by a second byte, and 0 1 ends it. */
#include "ckpt/tensor_slice.h"

struct key_writer {
    unsigned char *bytes;
    size_t n;
};

enum { NUMBER_MAX = 10 };

static void put_byte(struct key_writer *w, unsigned b) { w->bytes[w->n++] = (unsigned char)b; }

static void put_number(struct key_writer *w, uint64_t v) {
    unsigned n = 0;
    while (n < 8 && v >> 8 * n) n++;
    put_byte(w, n);
    while (n > 0) put_byte(w, v >> 8 * --n & 255);
}

static void put_string(struct key_writer *w, struct sl_str s) {
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        put_byte(w, c);
        if (c == 0) put_byte(w, 255);
        if (c == 255) put_byte(w, 0);
    }
    put_byte(w, 0);
    put_byte(w, 1);
}

/* Bytes of a signed number: the least n with |v| below 2^(7n - 1). */
static unsigned signed_length(int64_t v) {
    uint64_t magnitude = (uint64_t)(v < 0 ? ~v : v);
    unsigned n = 1;
    while (n < NUMBER_MAX && magnitude >> (7 * n - 1 < 63 ? 7 * n - 1 : 63)) n++;
    return n;
}

/* The first two bytes of a number of n bytes: n ones, then a zero. */
static unsigned header(unsigned n) { return 0xffffu << (16 - n) & 0xffffu; }

static void put_signed(struct key_writer *w, int64_t v) {
    unsigned n = signed_length(v), marks = header(n), first = (unsigned)(w->n);
    for (unsigned i = n; i > 0; i--)
        put_byte(w, i > 8 ? (v < 0 ? 255 : 0) : (unsigned)((uint64_t)v >> 8 * (i - 1)) & 255);
    w->bytes[first] ^= (unsigned char)(marks >> 8);
    if (n > 1) w->bytes[first + 1] ^= (unsigned char)(marks & 255);
}

struct sl_str sl_slice_key(struct sl_str name, const struct sl_tensor_slice *slice, struct sl_arena *arena) {
    size_t room = 2 * name.n + 2 + (size_t)(2 + 2 * slice->rank) * NUMBER_MAX;
    struct key_writer w = {sl_arena_alloc(arena, room), 0};
    if (!w.bytes) return (struct sl_str){NULL, 0};
    put_number(&w, 0);
    put_string(&w, name);
    put_number(&w, (uint64_t)slice->rank);
    for (int i = 0; i < slice->rank; i++) {
        put_signed(&w, slice->dims[i].start);
        put_signed(&w, slice->dims[i].length);
    }
    return (struct sl_str){(const char *)w.bytes, w.n};
}

/* ---- the way back; each takes its bytes off `s` */

static bool take_byte(unsigned *out, struct sl_str *s) {
    if (s->n == 0) return false;
    *out = (unsigned char)s->p[0];
    *s = (struct sl_str){s->p + 1, s->n - 1};
    return true;
}

static bool take_number(uint64_t *out, struct sl_str *s) {
    unsigned n, byte;
    if (!take_byte(&n, s) || n > 8) return false;
    for (*out = 0; n > 0; n--) {
        if (!take_byte(&byte, s)) return false;
        *out = *out << 8 | byte;
    }
    return true;
}

static bool take_string(struct sl_str *out, char *room, struct sl_str *s) {
    unsigned c, next;
    size_t n = 0;
    while (take_byte(&c, s)) {
        if (c == 0 || c == 255) {
            if (!take_byte(&next, s)) return false;
            if (c == 0 && next == 1) {
                *out = (struct sl_str){room, n};
                return true;
            }
            if (next != (c ^ 255)) return false;
        }
        room[n++] = (char)c;
    }
    return false;
}

static bool take_signed(int64_t *out, struct sl_str *s) {
    if (s->n == 0) return false;
    unsigned first = (unsigned char)s->p[0], second = s->n > 1 ? (unsigned char)s->p[1] : 0;
    unsigned sign = first & 128 ? 0 : 0xffff; /* the leading bits of a negative number are turned over */
    unsigned marks = ((first << 8 | second) ^ sign) & 0xffff, n = 0;
    while (n < 16 && marks >> (15 - n) & 1) n++;
    if (n < 1 || n > NUMBER_MAX || n > s->n) return false;
    marks = header(n);
    uint64_t v = sign ? UINT64_MAX : 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned byte = (unsigned char)s->p[i] ^ (i == 0 ? marks >> 8 : i == 1 ? marks & 255 : 0);
        v = v << 8 | (byte & 255);
    }
    *s = (struct sl_str){s->p + n, s->n - n};
    *out = (int64_t)v;
    return signed_length(*out) == n;
}

sl_code sl_slice_key_parse(struct sl_str *name, struct sl_tensor_slice *slice, struct sl_str key,
                           struct sl_arena *arena, struct sl_error *err) {
    uint64_t zero, rank;
    char *room = sl_arena_alloc(arena, key.n);
    if (!room) return sl_fail_memory(err, key.n);
    bool is_good = take_number(&zero, &key) && zero == 0 && take_string(name, room, &key) && take_number(&rank, &key) &&
                   rank <= SL_MAX_RANK;
    slice->rank = is_good ? (int)rank : 0;
    for (int i = 0; is_good && i < slice->rank; i++) {
        struct sl_extent *e = &slice->dims[i];
        is_good = take_signed(&e->start, &key) && take_signed(&e->length, &key) && e->start >= 0 &&
                  (e->length >= 0 || (e->length == SL_EXTENT_FULL && e->start == 0));
    }
    if (!is_good || key.n) return sl_fail(err, SL_INVALID_ARGUMENT, "a key in the table is not that of a slice");
    return SL_OK;
}
