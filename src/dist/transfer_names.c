/* See the header. */
#include "dist/transfer_names.h"

#include <inttypes.h>

#include "base/str_map.h"
#include "graph/tensor_name.h"

static sl_code rename_inputs(struct sl_pb_NodeDef *node, const struct sl_str_map *names, struct sl_arena *arena,
                             struct sl_error *err) {
    for (size_t i = 0; i < node->input.n; i++) {
        const struct sl_str input = node->input.items[i], old = sl_tensor_name_of(input).node;
        const char *name = sl_str_map_get(names, old);
        if (!name) continue;
        const size_t before = (size_t)(old.p - input.p), after = input.n - before - old.n;
        const char *made = sl_arena_format(arena, "%.*s%s%.*s", (int)before, input.p, name, (int)after, old.p + old.n);
        if (!made) return sl_fail_memory(err, input.n);
        node->input.items[i] = sl_str_of(made);
    }
    return SL_OK;
}

static sl_code rename_all(struct sl_pb_GraphDef *def, uint64_t cut, struct sl_str_map *names, struct sl_arena *arena,
                          struct sl_error *err) {
    for (size_t i = 0; i < def->node.n; i++) {
        struct sl_pb_NodeDef *node = &def->node.items[i];
        if (!sl_str_eq(node->op, SL_STR("_Send")) && !sl_str_eq(node->op, SL_STR("_Recv"))) continue;
        char *made = sl_arena_format(arena, "_%.*s_S%" PRIu64, SL_STR_ARG(node->name), cut);
        if (!made || sl_str_map_put(names, node->name, made)) return sl_fail_memory(err, node->name.n);
        node->name = sl_str_of(made);
    }
    for (size_t i = 0; i < def->node.n; i++) SL_TRY(rename_inputs(&def->node.items[i], names, arena, err));
    return SL_OK;
}

sl_code sl_transfers_rename(struct sl_pb_GraphDef *def, uint64_t cut, struct sl_arena *arena, struct sl_error *err) {
    struct sl_str_map names = {NULL, 0, 0};
    sl_code code = rename_all(def, cut, &names, arena, err);
    sl_str_map_free(&names);
    return code;
}
