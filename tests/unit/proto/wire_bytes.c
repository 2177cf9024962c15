#include "wire_bytes.h"

#include <stdio.h>
#include <stdlib.h>

struct sl_arena test_arena;
struct sl_error test_err;

int wire_setup(void **state) {
    (void)state;
    sl_arena_init(&test_arena);
    return 0;
}

int wire_teardown(void **state) {
    (void)state;
    sl_arena_clear(&test_arena);
    return 0;
}

struct sl_str wire_join(struct sl_str a, struct sl_str b) {
    char *p = sl_arena_alloc(&test_arena, a.n + b.n);
    assert_non_null(p);
    if (a.n) memcpy(p, a.p, a.n);
    if (b.n) memcpy(p + a.n, b.p, b.n);
    return (struct sl_str){p, a.n + b.n};
}

struct sl_str wire_varint(uint64_t value) {
    char bytes[10];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) bytes[n++] = (char)(value | 0x80);
    bytes[n++] = (char)value;
    return wire_join((struct sl_str){bytes, n}, (struct sl_str){NULL, 0});
}

struct sl_str wire_nested(uint32_t number, struct sl_str payload) {
    return wire_join(wire_join(wire_varint(number << 3 | 2), wire_varint(payload.n)), payload);
}

struct sl_str wire_number(uint32_t number, uint64_t value) {
    return wire_join(wire_varint(number << 3), wire_varint(value));
}

struct sl_str wire_times(struct sl_str piece, size_t count) {
    char *p = sl_arena_alloc(&test_arena, piece.n * count);
    assert_non_null(p);
    for (size_t i = 0; i < count; i++) memcpy(p + i * piece.n, piece.p, piece.n);
    return (struct sl_str){p, piece.n * count};
}

struct sl_str wire_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, SL_TEST_DATA "/proto/%s", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *p = sl_arena_alloc(&test_arena, 1 << 16);
    size_t n = fread(p, 1, 1 << 16, file);
    fclose(file);
    assert_in_range(n, 1, (1 << 16) - 1);
    return (struct sl_str){p, n};
}

char *wire_exact(struct sl_str bytes) {
    char *p = malloc(bytes.n ? bytes.n : 1);
    assert_non_null(p);
    if (bytes.n) memcpy(p, bytes.p, bytes.n);
    return p;
}
