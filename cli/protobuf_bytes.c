/* The wire format: https://protobuf.dev/programming-guides/encoding/ */
#include "protobuf_bytes.h"

bool next_varint(uint64_t *out, struct bytes *b) {
    *out = 0;
    for (int shift = 0; shift < 64 && b->n; shift += 7) {
        unsigned char c = *b->p++;
        b->n--;
        *out |= (uint64_t)(c & 127) << shift;
        if (c < 128) return true;
    }
    return false;
}

bool next_field(struct field *f, struct bytes *b) {
    uint64_t key, length;
    if (!b->n || !next_varint(&key, b)) return false;
    f->number = (uint32_t)(key >> 3);
    f->bytes = (struct bytes){NULL, 0};
    f->value = 0;
    switch (key & 7) {
    case 0: return next_varint(&f->value, b);
    case 1: length = 8; break;
    case 5: length = 4; break;
    default:
        if (!next_varint(&length, b)) return false;
    }
    if (length > b->n) return false;
    f->bytes = (struct bytes){b->p, (size_t)length};
    b->p += length;
    b->n -= (size_t)length;
    return true;
}

struct bytes bytes_of(struct bytes message, uint32_t number) {
    struct field f;
    while (next_field(&f, &message))
        if (f.number == number) return f.bytes;
    return (struct bytes){(const unsigned char *)"", 0};
}

uint64_t number_of(struct bytes message, uint32_t number) {
    struct field f;
    while (next_field(&f, &message))
        if (f.number == number) return f.value;
    return 0;
}
