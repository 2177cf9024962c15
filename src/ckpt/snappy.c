/* Snappy: a varint of the length, then literals and copies of what came before. */
#include "ckpt/snappy.h"

#include <stdint.h>

#include "base/alloc.h"
#include "ckpt/coding.h"

/* The most bytes that one byte of input can give: a copy of 64 bytes takes three. */
enum { EXPANSION = 22 };

struct output {
    char *bytes;
    size_t n, size;
};

/* Appends `length` bytes from `offset` bytes back; they may overlap, and then repeat. */
static bool copy_back(struct output *out, size_t offset, size_t length) {
    if (offset == 0 || offset > out->n || length > out->size - out->n) return false;
    char *to = out->bytes + out->n;
    const char *from = to - offset;
    if (offset >= length) memcpy(to, from, length);
    else
        for (size_t i = 0; i < length; i++) to[i] = from[i];
    out->n += length;
    return true;
}

/* The `count` bytes at `*at` as a number; false when they are not there. */
static bool take_number(size_t *out, const char **at, const char *end, size_t count) {
    if ((size_t)(end - *at) < count) return false;
    *out = 0;
    for (size_t i = 0; i < count; i++) *out |= (size_t)(unsigned char)(*at)[i] << 8 * i;
    *at += count;
    return true;
}

static bool copy_literal(struct output *out, const char **at, const char *end, unsigned tag) {
    size_t length = tag >> 2;
    if (length >= 60 && !take_number(&length, at, end, length - 59)) return false;
    if (length >= (size_t)(end - *at) || length >= out->size - out->n) return false; /* one more than `length` bytes */
    memcpy(out->bytes + out->n, *at, length + 1);
    out->n += length + 1;
    *at += length + 1;
    return true;
}

static bool decode(struct output *out, const char *at, const char *end) {
    while (at < end) {
        unsigned tag = (unsigned char)*at++;
        size_t offset;
        switch (tag & 3) {
        case 0:
            if (!copy_literal(out, &at, end, tag)) return false;
            break;
        case 1:
            if (!take_number(&offset, &at, end, 1) || !copy_back(out, offset | (tag >> 5) << 8, 4 + (tag >> 2 & 7)))
                return false;
            break;
        default:
            if (!take_number(&offset, &at, end, (tag & 3) == 2 ? 2 : 4) || !copy_back(out, offset, 1 + (tag >> 2)))
                return false;
        }
    }
    return out->n == out->size;
}

sl_code sl_snappy_decode(char **out, size_t *n, struct sl_str in, size_t max, struct sl_error *err) {
    const char *at = in.p, *end = in.n ? in.p + in.n : in.p;
    uint32_t size;
    if (!in.n || !sl_get_varint32(&size, &at, end) || size > max || size / EXPANSION > in.n)
        return sl_fail(err, SL_DATA_LOSS, "corrupted compressed block contents");
    struct output to = {.bytes = sl_malloc(size ? size : 1), .size = size};
    if (!to.bytes) return sl_fail_memory(err, size);
    if (!decode(&to, at, end)) {
        sl_free(to.bytes);
        return sl_fail(err, SL_DATA_LOSS, "corrupted compressed block contents");
    }
    *out = to.bytes;
    *n = size;
    return SL_OK;
}
