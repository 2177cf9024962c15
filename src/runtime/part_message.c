/* Writing and reading parts. Where a node was placed travels as the device that it asks for. */
#include "runtime/part_message.h"

static sl_code export_library(struct sl_pb_FunctionDefLibrary **out, struct sl_runtime *r, struct sl_arena *arena,
                              struct sl_error *err) {
    struct sl_pb_GraphDef *functions;
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_export(&functions, r->library, arena, err);
    sl_mutex_unlock(&r->library_mutex);
    if (code == SL_OK) *out = functions->library;
    return code;
}

sl_code sl_part_export(struct sl_pb_GraphDef **out, const struct sl_part *part, struct sl_runtime *r,
                       struct sl_arena *arena, struct sl_error *err) {
    struct sl_pb_GraphDef *def;
    SL_TRY(sl_graph_export_placed(&def, part->graph, arena, err));
    SL_TRY(export_library(&def->library, r, arena, err));
    *out = def;
    return SL_OK;
}

static sl_code find_devices(struct sl_part *part, const struct sl_runtime *r, struct sl_error *err) {
    part->device = -1;
    SL_GRAPH_EACH(n, part->graph) {
        int device = sl_device_find(&r->devices, n->device);
        if (device < 0)
            return sl_fail(err, SL_INVALID_ARGUMENT, "{{node %.*s}} is placed on '%.*s', which is not there",
                           SL_STR_ARG(n->name), SL_STR_ARG(n->device));
        n->assigned = sl_str_of(r->devices.items[device].name);
        if (part->device < 0 || sl_node_is_arg_or_ret(n)) part->device = device;
    }
    if (part->device < 0) part->device = 0;
    return SL_OK;
}

static sl_code read_part(struct sl_part *part, struct sl_runtime *r, const struct sl_pb_GraphDef *def,
                         struct sl_error *err) {
    const struct sl_import_options options = {.no_inference = true,
                                              .allow_internal_names = true,
                                              .allow_unknown_colocation = true}; /* with nodes of other parts */
    struct sl_library_seen seen = {0, 0};
    SL_TRY(sl_graph_new(&part->graph, r->registries->ops, err));
    SL_TRY(sl_graph_import(NULL, part->graph, def, &options, err));
    SL_TRY(sl_runtime_add_functions(&seen, r, part->graph, err));
    return find_devices(part, r, err);
}

sl_code sl_part_import(struct sl_part *out, struct sl_runtime *r, const struct sl_pb_GraphDef *def,
                       struct sl_error *err) {
    *out = (struct sl_part){.graph = NULL};
    sl_code code = read_part(out, r, def, err);
    if (code != SL_OK) sl_part_clear(out);
    return code;
}
