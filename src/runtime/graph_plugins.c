/* A part, or the body of a function, goes to the optimisers of plug-ins and back, as a GraphDef with the functions of the
 * library. What lacks an argument, a result or a target, or is no graph, is not used. */
#include "runtime/graph_plugins.h"

#include <string.h>

#include "base/alloc.h"
#include "passes/optimise/optimise.h"
#include "proto/wire.h"
#include "runtime/part_message.h"

unsigned sl_runtime_toggles(const struct sl_runtime *r) {
    unsigned off = 0;
    if (r->registries->graph_plugins) r->registries->graph_plugins->serve(&off, &r->devices);
    if (r->options.watch) off |= SL_TOGGLE_INFINITE | SL_TOGGLE_UNSEEN; /* who made it has to run, and to be seen */
    return r->options.optimise_toggles & ~off;
}

/* ---- there */

static sl_code encode(struct sl_str *out, const struct sl_part *part, struct sl_runtime *r, struct sl_arena *arena,
                      struct sl_error *err) {
    struct sl_pb_GraphDef *def, *functions;
    SL_TRY(sl_graph_export(&def, part->graph, arena, err));
    sl_mutex_lock(&r->library_mutex); /* what is exported borrows from the library */
    sl_code code = sl_graph_export(&functions, r->library, arena, err);
    if (code == SL_OK) {
        def->library = functions->library;
        code = sl_pb_encode(out, SL_PB_TYPE(GraphDef), def, 0, arena, err);
    }
    sl_mutex_unlock(&r->library_mutex);
    return code;
}

/* Arguments, results, what results read, and targets. */
static sl_code list_names(struct sl_graph_item *item, const struct sl_part *part, struct sl_arena *arena,
                          struct sl_error *err) {
    const size_t most = 2 * part->graph->nodes.n + (size_t)part->n_targets;
    struct sl_str *keep = SL_ARENA_ARRAY(arena, struct sl_str, most + 1);
    struct sl_str *fetches = SL_ARENA_ARRAY(arena, struct sl_str, part->graph->nodes.n + 1);
    if (!keep || !fetches) return sl_fail_memory(err, most * sizeof *keep);
    *item = (struct sl_graph_item){keep, fetches, 0, 0};
    SL_GRAPH_EACH(n, part->graph) {
        if (!sl_node_is_arg_or_ret(n)) continue;
        keep[item->n_keep++] = n->name;
        if (!sl_node_is(n, "_Retval") || !n->inputs[0].node) continue;
        fetches[item->n_fetches++] = n->inputs[0].node->name;
        keep[item->n_keep++] = n->inputs[0].node->name;
    }
    for (int t = 0; t < part->n_targets; t++)
        if (part->targets[t]) keep[item->n_keep++] = part->targets[t]->name;
    return SL_OK;
}

/* ---- back */

static sl_code same_node(const struct sl_graph *graph, const struct sl_node *old, struct sl_error *err) {
    const struct sl_node *n = sl_graph_find(graph, old->name);
    int64_t index = -1, old_index = -1;
    if (n && n->op == old->op && sl_attr_int(&index, &n->attrs, "index", NULL) == SL_OK &&
        sl_attr_int(&old_index, &old->attrs, "index", NULL) == SL_OK && index == old_index &&
        (old->n_outputs ? n->out_types[0] == old->out_types[0] : n->in_types[0] == old->in_types[0]))
        return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "the node '%.*s' is gone, or another one", SL_STR_ARG(old->name));
}

/* Functions that the runtime has are its own, whatever an optimiser made of them here: it gets their bodies when they are
 * called. */
static void drop_known(struct sl_pb_FunctionDefLibrary *library, const struct sl_graph *known) {
    size_t n = 0;
    for (size_t i = 0; i < library->function.n; i++)
        if (!library->function.items[i].signature ||
            !sl_graph_function(known, library->function.items[i].signature->name))
            library->function.items[n++] = library->function.items[i];
    library->function.n = n;
    n = 0;
    for (size_t i = 0; i < library->gradient.n; i++)
        if (!sl_graph_gradient(known, library->gradient.items[i].function_name).n)
            library->gradient.items[n++] = library->gradient.items[i];
    library->gradient.n = n;
}

static sl_code import_part(struct sl_graph *to, struct sl_str bytes, struct sl_runtime *r, struct sl_error *err) {
    const struct sl_import_options options = {.no_inference = true,
                                              .allow_internal_names = true,
                                              .allow_unknown_colocation = true};
    struct sl_pb_GraphDef def;
    SL_TRY(sl_pb_decode(&def, SL_PB_TYPE(GraphDef), bytes, &to->arena, err));
    sl_mutex_lock(&r->library_mutex);
    sl_code code = sl_graph_share_library(to, r->library, err);
    sl_mutex_unlock(&r->library_mutex);
    SL_TRY(code);
    struct sl_library_seen seen = {to->functions.n, to->gradients.n};
    if (def.library) drop_known((struct sl_pb_FunctionDefLibrary *)(uintptr_t)def.library, to);
    SL_TRY(sl_graph_import(NULL, to, &def, &options, err));
    return sl_runtime_add_functions(&seen, r, to, err);
}

static sl_code take_over(struct sl_part *to, const struct sl_part *from, struct sl_str bytes, struct sl_runtime *r,
                         struct sl_error *err) {
    SL_TRY(sl_graph_new(&to->graph, r->registries->ops, err));
    SL_TRY(import_part(to->graph, bytes, r, err));
    SL_GRAPH_EACH(n, from->graph) if (sl_node_is_arg_or_ret(n)) SL_TRY(same_node(to->graph, n, err));
    struct sl_node **targets = SL_ARENA_ARRAY(&to->graph->arena, struct sl_node *, (size_t)from->n_targets + 1);
    if (!targets) return sl_fail_memory(err, (size_t)from->n_targets * sizeof *targets);
    for (int t = 0; t < from->n_targets; t++) {
        targets[t] = from->targets[t] ? sl_graph_find(to->graph, from->targets[t]->name) : NULL;
        if (from->targets[t] && !targets[t])
            return sl_fail(err, SL_INVALID_ARGUMENT, "the target '%.*s' is gone", SL_STR_ARG(from->targets[t]->name));
    }
    to->targets = targets;
    to->n_targets = from->n_targets;
    to->device = from->device;
    return sl_graph_check(to->graph, err);
}

static sl_code read_back(struct sl_part *part, struct sl_str bytes, struct sl_runtime *r, struct sl_error *err) {
    struct sl_part fresh = {.graph = NULL};
    struct sl_error why;
    sl_code code = take_over(&fresh, part, bytes, r, &why);
    if (code == SL_OK) {
        sl_part_clear(part);
        *part = fresh;
        return SL_OK;
    }
    sl_part_clear(&fresh);
    if (code == SL_RESOURCE_EXHAUSTED) return sl_fail(err, code, "%s", why.message);
    r->registries->graph_plugins->warn(why.message);
    return SL_OK;
}

sl_code sl_part_rewrite(struct sl_part *part, struct sl_runtime *r, struct sl_error *err) {
    const struct sl_graph_plugins *plugins = r->registries->graph_plugins;
    struct sl_graph_item item;
    struct sl_arena arena;
    struct sl_str bytes, made = {NULL, 0};
    unsigned off;
    if (!plugins || !plugins->serve(&off, &r->devices)) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = encode(&bytes, part, r, &arena, err);
    if (code == SL_OK) code = list_names(&item, part, &arena, err);
    if (code == SL_OK) code = plugins->rewrite(&made, bytes, &item, &r->devices, err);
    sl_arena_clear(&arena);
    if (code == SL_OK && made.p) code = read_back(part, made, r, err);
    sl_free((void *)made.p);
    return code;
}

/* ---- bodies of functions */

static sl_code keep_names(struct sl_str *names, struct sl_node *const *nodes, int n, struct sl_arena *arena,
                          struct sl_error *err) {
    for (int i = 0; i < n; i++) {
        names[i] = sl_arena_str(arena, nodes[i]->name);
        if (!names[i].p) return sl_fail_memory(err, nodes[i]->name.n);
    }
    return SL_OK;
}

static sl_code rewrite_body(struct sl_body *body, struct sl_part *part, struct sl_runtime *r, struct sl_arena *arena,
                            struct sl_error *err) {
    const size_t n_args = (size_t)body->n_args, n_rets = (size_t)body->n_rets;
    struct sl_str *names = SL_ARENA_ARRAY(arena, struct sl_str, n_args + n_rets + 1);
    if (!names) return sl_fail_memory(err, (n_args + n_rets) * sizeof *names);
    SL_TRY(keep_names(names, body->args, body->n_args, arena, err));
    SL_TRY(keep_names(names + n_args, body->rets, body->n_rets, arena, err));
    SL_TRY(sl_part_rewrite(part, r, err));
    if (part->graph == body->graph) return SL_OK;
    body->graph = part->graph; /* what it was is gone */
    body->controls = (struct sl_node **)(uintptr_t)part->targets;
    struct sl_node **nodes = SL_ARENA_ARRAY(&body->graph->arena, struct sl_node *, n_args + n_rets + 1);
    if (!nodes) return sl_fail_memory(err, (n_args + n_rets) * sizeof *nodes);
    body->args = nodes;
    body->rets = nodes + n_args;
    for (size_t i = 0; i < n_args + n_rets; i++) {
        nodes[i] = sl_graph_find(body->graph, names[i]);
        if (!nodes[i]) return sl_fail(err, SL_INTERNAL, "the argument or result '%.*s' is gone", SL_STR_ARG(names[i]));
    }
    return SL_OK;
}

sl_code sl_body_rewrite(struct sl_body *body, int device, struct sl_runtime *r, struct sl_error *err) {
    struct sl_part part = {.graph = body->graph,
                           .targets = body->controls,
                           .n_targets = body->n_controls,
                           .device = device};
    struct sl_arena arena;
    unsigned off;
    if (!r->registries->graph_plugins || !r->registries->graph_plugins->serve(&off, &r->devices)) return SL_OK;
    sl_arena_init(&arena);
    sl_code code = rewrite_body(body, &part, r, &arena, err);
    sl_arena_clear(&arena);
    return code;
}
