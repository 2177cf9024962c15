/* The binary decoder, with the encoder and the text format behind it. The first byte picks the message type. What was
 * decoded and encoded once must decode and encode to the same bytes again, and what is printed must parse. */
#include <stdlib.h>

#include "base/alloc.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "proto_types.h"

static void must(int holds) {
    if (!holds) abort();
}

static void check_text(const struct sl_pb_message *type, const void *message, void *again, struct sl_arena *arena) {
    struct sl_str text, text_again;
    if (sl_pb_text_print(&text, type, message, 0, arena, NULL) != SL_OK) return; /* an Any may be too deep */
    must(sl_pb_text_parse(again, type, text, arena, NULL) == SL_OK);
    must(sl_pb_text_print(&text_again, type, again, 0, arena, NULL) == SL_OK);
    must(sl_str_eq(text, text_again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const struct sl_pb_message *type = proto_type(*data);
    struct sl_arena arena;
    sl_arena_init(&arena);
    void *message = malloc(type->size), *again = malloc(type->size);
    struct sl_str bytes = {(const char *)data + 1, size - 1}, once, twice, sorted;
    if (sl_pb_decode(message, type, bytes, &arena, NULL) == SL_OK) {
        must(sl_pb_encode(&once, type, message, 0, &arena, NULL) == SL_OK);
        must(sl_pb_decode(again, type, once, &arena, NULL) == SL_OK);
        must(sl_pb_encode(&twice, type, again, 0, NULL, NULL) == SL_OK);
        must(sl_str_eq(once, twice));
        sl_free((void *)twice.p);
        must(sl_pb_encode(&sorted, type, message, SL_PB_SORT_MAPS, &arena, NULL) == SL_OK && sorted.n <= once.n);
        check_text(type, message, again, &arena);
    }
    free(message);
    free(again);
    sl_arena_clear(&arena);
    return 0;
}
