/* Builds wire-format bytes by hand, for the tests of the message room, and owns what they allocate. */
#ifndef SL_TESTS_PROTO_WIRE_BYTES_H
#define SL_TESTS_PROTO_WIRE_BYTES_H

#include "base/arena.h"
#include "unit/unit.h"

/* One arena and one error for each test: setup and teardown of cmocka. */
extern struct sl_arena test_arena;
extern struct sl_error test_err;
int wire_setup(void **state);
int wire_teardown(void **state);

/* A string of bytes from a literal that may hold zeros. */
#define BYTES(literal) ((struct sl_str){literal, sizeof(literal) - 1})

/* All in test_arena. */
struct sl_str wire_join(struct sl_str a, struct sl_str b);
struct sl_str wire_varint(uint64_t value);
struct sl_str wire_nested(uint32_t number, struct sl_str payload); /* tag, length, payload */
struct sl_str wire_number(uint32_t number, uint64_t value);        /* tag, varint */
struct sl_str wire_times(struct sl_str piece, size_t count);
/* The contents of tests/data/proto/NAME. */
struct sl_str wire_file(const char *name);
/* A copy that ends where its memory ends, so that a sanitizer sees every byte read behind it. Free with free(). */
char *wire_exact(struct sl_str bytes);

#endif
