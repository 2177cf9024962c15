/* The text parser, with the printer and the binary format behind it. The first byte picks the message type. What parsed
 * must print, and print, parse, encode and decode must lead back to the same text. */
#include <stdlib.h>

#include "proto/text_format.h"
#include "proto/wire.h"
#include "proto_types.h"

static void must(int holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const struct sl_pb_message *type = proto_type(*data);
    struct sl_arena arena;
    sl_arena_init(&arena);
    void *message = malloc(type->size), *again = malloc(type->size);
    struct sl_str input = {(const char *)data + 1, size - 1}, text, bytes, text_again;
    struct sl_error err;
    sl_error_clear(&err);
    if (sl_pb_text_parse(message, type, input, &arena, &err) != SL_OK) {
        must(err.code == SL_INVALID_ARGUMENT && sl_utf8_valid(sl_str_of(err.message)));
    } else if (sl_pb_text_print(&text, type, message, 0, &arena, NULL) == SL_OK) {
        must(sl_pb_text_parse(again, type, text, &arena, NULL) == SL_OK);
        must(sl_pb_encode(&bytes, type, again, SL_PB_SORT_MAPS, &arena, NULL) == SL_OK);
        must(sl_pb_decode(message, type, bytes, &arena, NULL) == SL_OK);
        must(sl_pb_text_print(&text_again, type, message, 0, &arena, NULL) == SL_OK);
        must(sl_str_eq(text, text_again));
        must(sl_pb_text_print(&text_again, type, message, SL_PB_ONE_LINE, &arena, NULL) == SL_OK);
        must(sl_pb_text_parse(again, type, text_again, &arena, NULL) == SL_OK);
    }
    free(message);
    free(again);
    sl_arena_clear(&arena);
    return 0;
}
