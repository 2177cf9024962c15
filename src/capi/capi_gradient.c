/* TF_AddGradients, TF_AddGradientsWithPrefix, sl_add_gradients: the gradient engine of src/grad over handles. */
#include "sluice/gradient.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/gradient_registry.h"
#include "capi/handles.h"
#include "front/front_options.h"
#include "grad/graph/backprop.h"

/* A node of that name or within that scope, or NULL. */
static const struct sl_node *find_within(const struct sl_graph *graph, struct sl_str scope) {
    SL_GRAPH_EACH(node, graph)
    if (sl_str_starts(node->name, scope) && (node->name.n == scope.n || node->name.p[scope.n] == '/')) return node;
    return NULL;
}

/* "gradients", or "gradients_1" ... when a node of that name or within that scope is there. */
static sl_code choose_scope(struct sl_str *out, struct sl_graph *graph, const char *prefix, bool joins,
                            struct sl_arena *arena, struct sl_error *err) {
    if (!prefix) {
        for (int i = 0;; i++) {
            const char *name = i ? sl_arena_format(arena, "gradients_%d", i) : "gradients";
            if (!name) return sl_fail_memory(err, sizeof "gradients");
            *out = sl_str_of(name);
            if (!find_within(graph, *out)) return SL_OK;
        }
    }
    *out = sl_str_of(prefix);
    if (joins && out->n && prefix[out->n - 1] == '/') {
        out->n--;
        return SL_OK;
    }
    const struct sl_node *taken = find_within(graph, *out);
    if (!taken) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT, "prefix [%s] conflicts with existing node in the graph named [%.*s]",
                   prefix, SL_STR_ARG(taken->name));
}

static const struct sl_port *ports_of(struct sl_arena *arena, const TF_Output *outputs, int n) {
    struct sl_port *ports = SL_ARENA_ARRAY(arena, struct sl_port, n > 0 ? (size_t)n : 0);
    for (int i = 0; i < n && ports; i++) ports[i] = sl_as_port(outputs[i]);
    return ports;
}

struct request {
    TF_Graph *graph;
    const TF_Output *ys, *dys, *xs, *stops;
    int ny, nx, n_stops;
    const char *prefix;
    bool joins; /* a prefix that ends with "/" is a scope that may be there */
    struct sl_gradient_spec spec;
};

static sl_code add_gradients(struct sl_gradient **out, struct request *r, struct sl_arena *arena,
                             struct sl_error *err) {
    struct sl_gradient_spec *spec = &r->spec;
    spec->find_rule = sl_gradient_registry_find;
    spec->owner = r->graph;
    spec->ys = ports_of(arena, r->ys, r->ny);
    spec->xs = ports_of(arena, r->xs, r->nx);
    spec->dys = r->dys ? ports_of(arena, r->dys, r->ny) : NULL;
    spec->stops = ports_of(arena, r->stops, r->n_stops);
    spec->n_ys = r->ny;
    spec->n_xs = r->nx;
    spec->n_stops = r->n_stops;
    *out = SL_ARENA_ARRAY(arena, struct sl_gradient, r->nx > 0 ? (size_t)r->nx : 0);
    if (!spec->ys || !spec->xs || (r->dys && !spec->dys) || !spec->stops || !*out)
        return sl_fail_memory(err, sizeof **out);
    SL_TRY(choose_scope(&spec->scope, r->graph->graph, r->prefix, r->joins, arena, err));
    return sl_graph_gradients(*out, r->graph->graph, spec, err);
}

static sl_code answer(struct sl_gradient **out, struct request *r, struct sl_arena *arena, struct sl_error *err) {
    sl_arena_init(arena);
    sl_graph_lock(r->graph);
    sl_code code = add_gradients(out, r, arena, err);
    sl_graph_touch(r->graph);
    sl_graph_unlock(r->graph);
    return code;
}

void TF_AddGradientsWithPrefix(TF_Graph *graph, const char *prefix, TF_Output *y, int ny, TF_Output *x, int nx,
                               TF_Output *dx, TF_Status *status, TF_Output *dy) {
    struct sl_error err;
    struct sl_arena arena;
    struct sl_gradient *found;
    struct request r = {.graph = graph,
                        .ys = y,
                        .ny = ny,
                        .xs = x,
                        .nx = nx,
                        .dys = dx,
                        .prefix = prefix,
                        .spec = {.unconnected = SL_UNCONNECTED_UNREACHABLE}};
    sl_code code = answer(&found, &r, &arena, &err);
    for (int i = 0; i < nx && code == SL_OK; i++) dy[i] = sl_as_output(found[i].values);
    sl_arena_clear(&arena);
    sl_status_take(status, code, &err);
}

void TF_AddGradients(TF_Graph *graph, TF_Output *y, int ny, TF_Output *x, int nx, TF_Output *dx, TF_Status *status,
                     TF_Output *dy) {
    TF_AddGradientsWithPrefix(graph, NULL, y, ny, x, nx, dx, status, dy);
}

SL_API void sl_add_gradients(TF_Graph *graph, const TF_Output *ys, const TF_Output *dys, int ny, const TF_Output *xs,
                             int nx, const struct sl_gradient_options *options, struct sl_slices *dxs,
                             TF_Status *status) {
    static const enum sl_unconnected unconnected[] = {[SL_NO_GRADIENT_NONE] = SL_UNCONNECTED_NONE,
                                                      [SL_NO_GRADIENT_ZEROS] = SL_UNCONNECTED_ZEROS,
                                                      [SL_NO_GRADIENT_ERROR] = SL_UNCONNECTED_ERROR};
    static const enum sl_gradients_named names[] = {[SL_NAMES_FLAT] = SL_GRADIENTS_FLAT,
                                                    [SL_NAMES_BY_NODE] = SL_GRADIENTS_BY_NODE,
                                                    [SL_NAMES_BY_SCOPE] = SL_GRADIENTS_BY_SCOPE};
    struct sl_gradient_options o;
    if (!SL_OPTIONS_TAKE(&o, sl_gradient_options, names, options, status)) return;
    struct sl_error err;
    struct sl_arena arena;
    struct sl_gradient *found;
    struct request r = {.graph = graph,
                        .ys = ys,
                        .dys = dys,
                        .ny = ny,
                        .xs = xs,
                        .nx = nx,
                        .stops = o.stop_gradients,
                        .n_stops = o.num_stop_gradients,
                        .prefix = o.prefix,
                        .joins = true,
                        .spec = {.keeps_slices = o.keep_slices != 0,
                                 .colocates = o.colocate != 0,
                                 .sums_in_pairs = o.aggregation == SL_ADD_PAIRS}};
    if ((unsigned)o.aggregation > SL_ADD_PAIRS) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "sl_gradient_options: aggregation is %d", (int)o.aggregation);
        return;
    }
    if ((unsigned)o.names > SL_NAMES_BY_SCOPE) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "sl_gradient_options: names is %d", (int)o.names);
        return;
    }
    if ((unsigned)o.no_gradient > SL_NO_GRADIENT_ERROR) {
        sl_status_fail(status, SL_INVALID_ARGUMENT, "sl_gradient_options: no_gradient is %d", (int)o.no_gradient);
        return;
    }
    r.spec.names = names[o.names];
    r.spec.unconnected = unconnected[o.no_gradient];
    sl_code code = answer(&found, &r, &arena, &err);
    for (int i = 0; i < nx && code == SL_OK; i++)
        dxs[i] = (struct sl_slices){sl_as_output(found[i].values), sl_as_output(found[i].indices),
                                    sl_as_output(found[i].dense_shape)};
    sl_arena_clear(&arena);
    sl_status_take(status, code, &err);
}

static sl_code mark_functions(TF_Graph *graph, const char *mark, struct sl_error *err) {
    for (const char *p = mark; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return sl_fail(err, SL_INVALID_ARGUMENT, "'%s' is no mark: there may be letters, digits and _", mark);
    sl_graph_lock(graph);
    const struct sl_str copy = sl_arena_str(&graph->graph->arena, sl_str_of(mark));
    if (copy.p) graph->graph->mark = copy;
    sl_graph_unlock(graph);
    return copy.p ? SL_OK : sl_fail_memory(err, strlen(mark));
}

SL_API void sl_graph_mark_functions(TF_Graph *graph, const char *mark, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, mark_functions(graph, mark, &err), &err);
}
