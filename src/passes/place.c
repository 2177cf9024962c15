/* Placement by request: groups of colocated nodes (union-find over `_class` entries), their requests merged, the first device that matches. */
#include "passes/place.h"

#include <stdio.h>

#include "base/alloc.h"
#include "device/device_name.h"

struct placement {
    struct sl_graph *graph;
    const struct sl_place_options *options;
    uint32_t *parent;               /* union-find, by node id */
    struct sl_device_name *request; /* of the group, by its root; allocated on first request */
    bool *has_request;
    struct sl_device_name *devices; /* parsed options->devices */
    struct sl_arena scratch;
    struct sl_error *err;
};

static uint32_t root_of(struct placement *p, uint32_t id) {
    while (p->parent[id] != id) id = p->parent[id] = p->parent[p->parent[id]];
    return id;
}

static sl_code explain(struct placement *p, const struct sl_node *n, const char *why) {
    return sl_fail(p->err, SL_INVALID_ARGUMENT, "Cannot assign a device for operation %.*s: %s\n\t [[{{node %.*s}}]]",
                   SL_STR_ARG(n->name), why, SL_STR_ARG(n->name));
}

static sl_code add_request(struct placement *p, const struct sl_node *n, uint32_t root,
                           const struct sl_device_name *request) {
    if (!p->has_request[root]) {
        p->has_request[root] = true;
        p->request[root] = *request;
        return SL_OK;
    }
    struct sl_error why = {0};
    if (sl_device_merge(&p->request[root], request, p->options->is_soft, &why) == SL_OK) return SL_OK;
    return explain(p, n, why.message);
}

static sl_code join(struct placement *p, const struct sl_node *a, const struct sl_node *b) {
    uint32_t x = root_of(p, a->id), y = root_of(p, b->id);
    if (x == y) return SL_OK;
    if (x > y) {
        uint32_t t = x;
        x = y;
        y = t;
    }
    p->parent[y] = x;
    return p->has_request[y] ? add_request(p, a, x, &p->request[y]) : SL_OK;
}

/* Colocation entries whose node is not part of this graph say nothing here. */
static sl_code join_classes(struct placement *p, const struct sl_node *n) {
    const struct sl_str *classes;
    int count;
    if (!sl_attr_find(&n->attrs, SL_STR("_class"))) return SL_OK;
    if (sl_attr_string_list(&classes, &count, &n->attrs, "_class", NULL) != SL_OK) return SL_OK;
    for (int i = 0; i < count; i++) {
        if (!sl_str_starts(classes[i], SL_STR("loc:@"))) continue;
        struct sl_str name = {classes[i].p + 5, classes[i].n - 5};
        const struct sl_node *other = sl_graph_find(p->graph, name);
        if (other) SL_TRY(join(p, n, other));
    }
    return SL_OK;
}

static int find_device(const struct placement *p, const struct sl_device_name *request) {
    for (int d = 0; d < p->options->n_devices; d++)
        if (sl_device_matches(request, &p->devices[d])) return d;
    return -1;
}

static sl_code choose(struct placement *p, struct sl_node *n) {
    uint32_t root = root_of(p, n->id);
    int device = 0;
    if (p->has_request[root]) {
        struct sl_device_name request = p->request[root];
        device = find_device(p, &request);
        if (device < 0 && p->options->is_soft) {
            request.type[0] = 0;
            request.id = -1;
            device = find_device(p, &request);
        }
        if (device < 0) {
            char text[SL_DEVICE_TEXT], why[SL_ERROR_MESSAGE_MAX / 2];
            size_t at = (size_t)snprintf(why, sizeof why,
                                         "Operation was explicitly assigned to %s but available devices are [ ",
                                         sl_device_print(text, &request));
            for (int d = 0; d < p->options->n_devices && at < sizeof why; d++)
                at += (size_t)snprintf(why + at, sizeof why - at, "%s%s", d ? ", " : "", p->options->devices[d]);
            if (at < sizeof why)
                snprintf(why + at, sizeof why - at, " ]. Make sure the device specification refers to a valid device.");
            return explain(p, n, why);
        }
    }
    n->assigned = sl_str_of(p->options->devices[device]);
    return SL_OK;
}

static sl_code place(struct placement *p) {
    size_t n = p->graph->nodes.n;
    bool any_request = false;
    SL_GRAPH_EACH(node, p->graph) any_request = any_request || node->device.n;
    if (!any_request) { /* nothing to decide */
        SL_GRAPH_EACH(node, p->graph) node->assigned = sl_str_of(p->options->devices[0]);
        return SL_OK;
    }
    p->parent = SL_ARENA_ARRAY(&p->scratch, uint32_t, n);
    p->request = SL_ARENA_ARRAY(&p->scratch, struct sl_device_name, n);
    p->has_request = SL_ARENA_ARRAY(&p->scratch, bool, n);
    p->devices = SL_ARENA_ARRAY(&p->scratch, struct sl_device_name, (size_t)p->options->n_devices);
    if (!p->parent || !p->request || !p->has_request || !p->devices) return sl_fail_memory(p->err, n);
    for (int d = 0; d < p->options->n_devices; d++)
        SL_TRY(sl_device_parse(&p->devices[d], sl_str_of(p->options->devices[d]), p->err));
    for (size_t i = 0; i < n; i++) p->parent[i] = (uint32_t)i;
    SL_GRAPH_EACH(node, p->graph) {
        struct sl_device_name request;
        if (!node->device.n) continue;
        SL_TRY(sl_device_parse(&request, node->device, p->err));
        SL_TRY(add_request(p, node, node->id, &request));
    }
    SL_GRAPH_EACH(node, p->graph) SL_TRY(join_classes(p, node));
    SL_GRAPH_EACH(node, p->graph) SL_TRY(choose(p, node));
    return SL_OK;
}

sl_code sl_pass_place(struct sl_graph *graph, const struct sl_place_options *options, struct sl_error *err) {
    struct placement p = {.graph = graph, .options = options, .err = err};
    sl_arena_init(&p.scratch);
    sl_code code = place(&p);
    sl_arena_clear(&p.scratch);
    return code;
}
