/* Bodies of REST calls to models: JSON that was found good is walked over, and read as rows, as columns and as an
 * Example; what was read as columns is written, and must be good JSON again. The first byte says the types of the
 * inputs. */
#include <stdlib.h>

#include "proto/wire.h"
#include "serving/json_tensors.h"

static void write_back(const struct sl_served_signature *s, struct sl_tensor *const *tensors) {
    struct sl_text out = {.n = 0};
    if (sl_json_columns_put(&out, s, tensors, NULL) == SL_OK && sl_json_check(sl_text_str(&out), NULL) != SL_OK)
        abort();
    sl_text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int types[] = {SL_FLOAT, SL_STRING, SL_INT32, SL_BOOL, SL_HALF, SL_UINT64, SL_DOUBLE, SL_INT8};
    struct sl_served_port ports[] = {{.name = SL_STR("a"), .shape = SL_SHAPE_UNKNOWN},
                                     {.name = SL_STR("b_bytes"), .shape = SL_SHAPE_UNKNOWN}};
    if (!size) return 0;
    const int n = 1 + (data[0] >> 6 & 1);
    const struct sl_served_signature s = {.n_inputs = n, .inputs = ports, .n_outputs = n, .outputs = ports};
    const struct sl_str text = {(const char *)data + 1, size - 1};
    struct sl_tensor *rows[2] = {NULL, NULL}, *columns[2] = {NULL, NULL};
    struct sl_arena arena;
    struct sl_str example, value;
    bool is_there;
    ports[0].dtype = types[data[0] & 7];
    ports[1].dtype = types[data[0] >> 3 & 7];
    if (sl_json_check(text, NULL) != SL_OK) return 0;
    sl_arena_init(&arena);
    struct sl_json j = sl_json_begin(text);
    if (sl_json_kind(&j) == SL_JSON_OBJECT) (void)sl_json_member(&is_there, &value, text, "a", &arena, NULL);
    (void)sl_json_rows_read(rows, &s, text, &arena, NULL);
    if (sl_json_columns_read(columns, &s, text, &arena, NULL) == SL_OK && columns[0] && (n == 1 || columns[1]))
        write_back(&s, columns);
    if (sl_json_example_read(&example, text, &arena, NULL) == SL_OK) {
        struct sl_pb_Example decoded;
        if (sl_pb_decode(&decoded, SL_PB_TYPE(Example), example, &arena, NULL) != SL_OK) abort();
    }
    for (int i = 0; i < 2; i++) {
        sl_tensor_unref(rows[i]);
        sl_tensor_unref(columns[i]);
    }
    sl_arena_clear(&arena);
    return 0;
}
