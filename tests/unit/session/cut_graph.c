#include "unit/session/cut_graph.h"

#include "passes/place.h"

void cut_graph_init_on(struct cut_graph *s, const struct sl_prune_request *request, struct sl_device_set devices) {
    *s = (struct cut_graph){.devices = devices};
    sl_arena_init(&s->arena);
    assert_ok(s->err, sl_root_registries(&s->registries, &s->err));
    assert_ok(s->err, sl_pass_prune(&s->graph, request, s->registries->ops, &s->err));
    struct sl_place_options options = {.devices = &s->devices, .is_soft = true};
    assert_ok(s->err, sl_pass_place(s->graph, &options, &s->err));
    assert_ok(s->err, sl_pass_partition(&s->parts, s->graph, &s->devices, SL_CUT_BY_DEVICE, &s->err));
    for (int p = 0; p < s->parts.n; p++) assert_ok(s->err, sl_graph_check(s->parts.items[p].graph, &s->err));
}

void cut_graph_init(struct cut_graph *s, const struct sl_prune_request *request, int devices) {
    struct sl_device_set set;
    struct sl_error err;
    assert_ok(err, sl_device_set_new(&set, SL_STR("/job:localhost/replica:0/task:0"), devices, 1, &err));
    cut_graph_init_on(s, request, set);
}

void cut_graph_clear(struct cut_graph *s) {
    sl_partitions_clear(&s->parts);
    sl_graph_free(s->graph);
    sl_device_set_clear(&s->devices);
    sl_arena_clear(&s->arena);
}

struct sl_program *cut_graph_compile(struct cut_graph *s, int p) {
    const struct sl_partition *part = &s->parts.items[p];
    struct sl_compile_options options = {.kernels = s->registries->instances,
                                         .device = &s->devices.items[part->device],
                                         .engine = SL_ENGINE_TOKENS};
    struct sl_program *program;
    assert_ok(s->err, sl_program_compile(&program, part->graph, &options, &s->err));
    return program;
}
