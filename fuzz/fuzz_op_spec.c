/* The short texts of ops. Lines of the input are attrs, inputs and outputs, by their first character: a, i, o (which
 * may say more, as in rows). What parses and passes the checks must be an op that can be told. */
#include <stdlib.h>

#include "ops/op_spec.h"
#include "ops/op_summary.h"
#include "proto/wire.h"

enum { LINES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sl_str attrs[LINES], inputs[LINES], outputs[LINES];
    struct sl_op_spec spec = {.name = SL_STR("Fuzz"), .attrs = attrs, .inputs = inputs, .outputs = outputs};
    const char *at = (const char *)data, *end = at + size;
    spec.may_say_more = true;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        struct sl_str line = {at + 1, stop > at ? (size_t)(stop - at - 1) : 0};
        if (*at == 'a' && spec.n_attrs < LINES) attrs[spec.n_attrs++] = line;
        if (*at == 'i' && spec.n_inputs < LINES) inputs[spec.n_inputs++] = line;
        if (*at == 'o' && spec.n_outputs < LINES) outputs[spec.n_outputs++] = line;
        at = stop + 1;
    }
    struct sl_arena arena;
    struct sl_error err;
    struct sl_pb_OpDef def;
    struct sl_op op;
    sl_arena_init(&arena);
    sl_error_clear(&err);
    if (sl_op_spec_parse(&def, &arena, &spec, &err) != SL_OK) {
        if (err.code != SL_INVALID_ARGUMENT) abort();
    } else if (sl_op_def_check(&def, &err) == SL_OK) {
        char text[SL_SUMMARY_MAX];
        if (sl_op_from_def(&op, &arena, &def, &err) != SL_OK) abort();
        sl_op_summary(text, &op);
    }
    sl_arena_clear(&arena);
    return 0;
}
