/* The greedy simulation: nodes in order of how long the way from them to the end is, each on the device on which it
 * would be finished first.
 *
 *   a node starts     when its inputs are there (those from other devices take a transfer) and its device is free
 *   it is finished    its cost later
 *
 * Nodes of one loop stay together where requests let them: a loop that is spread costs a round of messages in each
 * iteration. */
#include "passes/place_greedy.h"

#include <stdlib.h>

#include "ops/op_row.h"

enum { NONE = -1, ROUNDS = 10 /* how often a loop is thought to go round */ };
static const double unknown_ns = 200, cheap_ns = 20, element_ns = 0.3, product_ns = 0.06, unknown_dim = 32;

struct task {
    struct sl_node *node;
    double ns;
    double rest_ns; /* from its start to the end of the step, transfers left out */
    size_t order;   /* producers first */
    double finish;  /* once it is placed */
    int device;
};

struct simulation {
    const struct sl_place_options *options;
    struct sl_groups *groups;
    struct task *tasks; /* by node id */
    int *chosen;
    double *free_ns;   /* by device: when it has done what it was given */
    double *candidate; /* by device: when the node at hand would be finished there; < 0: it may not go there */
    struct sl_frames frames;
    int *frame_device; /* by frame: where its first node went; NONE before */
    struct sl_error *err;
};

/* ---- costs */

static double count_of(struct sl_shape shape) {
    double count = 1;
    if (shape.rank < 0) return unknown_dim;
    for (int d = 0; d < shape.rank; d++) count *= shape.dims[d] < 0 ? unknown_dim : (double)shape.dims[d];
    return count;
}

static struct sl_shape input_shape(const struct sl_node *n, int i) {
    struct sl_port from = i < n->n_inputs ? n->inputs[i] : (struct sl_port){NULL, 0};
    return from.node ? from.node->shapes[from.index] : (struct sl_shape){-1, NULL};
}

static double dim_of(struct sl_shape shape, int d) {
    if (shape.rank < 0) return unknown_dim;
    return d < 0 || d >= shape.rank || shape.dims[d] < 0 ? unknown_dim : (double)shape.dims[d];
}

static double largest(const struct sl_node *n) {
    double most = 1;
    for (int o = 0; o < n->n_outputs; o++) {
        double count = count_of(n->shapes[o]);
        if (count > most) most = count;
    }
    for (int i = 0; i < n->n_inputs; i++) {
        double count = count_of(input_shape(n, i));
        if (count > most) most = count;
    }
    return most;
}

/* Sums of products: how many terms each element of the output has; 0 when the op is none. */
static double terms_of(const struct sl_node *n) {
    struct sl_shape a = input_shape(n, 0), b = input_shape(n, 1);
    bool is_turned = false;
    const struct sl_pb_AttrValue *turned;
    switch (n->op->index) {
    case SL_ROW_MatMul:
        turned = sl_attr_find(&n->attrs, SL_STR("transpose_a"));
        is_turned = turned && turned->b;
        return dim_of(a, is_turned ? 0 : a.rank - 1);
    case SL_ROW_BatchMatMul:
    case SL_ROW_BatchMatMulV2:
    case SL_ROW_BatchMatMulV3: return dim_of(a, a.rank - 1);
    case SL_ROW_Conv2D:
    case SL_ROW_Conv3D: return count_of(b) / dim_of(b, b.rank - 1);
    case SL_ROW_DepthwiseConv2dNative: return dim_of(b, 0) * dim_of(b, 1);
    default: return 0;
    }
}

double sl_place_cost(const struct sl_node *n, const struct sl_place_costs *costs) {
    const struct sl_kernel_def *def = sl_kernel_row(costs->kernels, n->op->name, SL_HOST_DEVICE, &n->attrs);
    if (!def) return unknown_ns + element_ns * largest(n);
    if (def->flags & SL_KERNEL_PASS) return cheap_ns;
    double base = def->cost_ns > 0 ? (double)def->cost_ns : def->flags & SL_KERNEL_CHEAP ? cheap_ns : unknown_ns;
    double terms = terms_of(n);
    if (terms > 0) return base + terms * product_ns * count_of(n->shapes[0]);
    if (def->flags & SL_KERNEL_CHEAP) return base;
    return base + (def->cost_element > 0 ? (double)def->cost_element : element_ns) * largest(n);
}

static double transfer(const struct simulation *s, struct sl_port from) {
    const struct sl_place_costs *costs = s->options->costs;
    double elements = from.index < 0 ? 0 : count_of(from.node->shapes[from.index]);
    size_t size = from.index < 0 ? 0 : sl_dtype_size(sl_dtype_base(from.node->out_types[from.index]));
    return costs->latency_ns + costs->ns_per_byte * elements * (double)size;
}

/* ---- what is simulated, and in which order */

/* Constants and the like are where they are read: they take no time and no transfer. */
static bool is_source(const struct sl_node *n) {
    return n->n_inputs == 0 && n->n_outputs == 1 && n->n_controls == 0 && !sl_dtype_is_ref(n->out_types[0]) &&
           n->out_types[0] != SL_RESOURCE;
}

static bool is_back_edge(const struct sl_node *from) { return sl_flow_kind_of(from->op) == SL_FLOW_NEXT; }

static void set_rest(struct simulation *s, struct task *t) {
    double longest = 0;
    for (uint32_t u = 0; u < t->node->uses.n && !is_back_edge(t->node); u++) {
        double rest = s->tasks[t->node->uses.items[u].node->id].rest_ns;
        if (rest > longest) longest = rest;
    }
    t->rest_ns = t->ns + longest;
}

static int compare_tasks(const void *a, const void *b) {
    const struct task *x = *(const struct task *const *)a, *y = *(const struct task *const *)b;
    if (x->rest_ns != y->rest_ns) return x->rest_ns > y->rest_ns ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The tasks, the longest way to the end first: so a producer comes before those who read it. */
static sl_code order_tasks(struct task ***out, size_t *n, struct simulation *s, struct sl_arena *scratch,
                           struct sl_error *err) {
    struct sl_graph *graph = s->groups->graph;
    struct sl_node **nodes;
    SL_TRY(sl_graph_order(&nodes, n, graph, scratch, err));
    struct task **tasks = SL_ARENA_ARRAY(scratch, struct task *, *n + 1);
    if (!tasks) return sl_fail_memory(err, *n * sizeof(struct task *));
    for (size_t i = 0; i < *n; i++) {
        struct task *t = tasks[i] = &s->tasks[nodes[i]->id];
        int frame = s->frames.of_node[nodes[i]->id];
        bool takes_time = !sl_node_is_arg_or_ret(nodes[i]) && !is_source(nodes[i]);
        *t = (struct task){.node = nodes[i], .order = i, .device = NONE};
        if (takes_time) t->ns = sl_place_cost(nodes[i], s->options->costs) * (frame > 0 ? ROUNDS : 1);
    }
    for (size_t i = *n; i-- > 0;) set_rest(s, tasks[i]);
    qsort(tasks, *n, sizeof(struct task *), compare_tasks);
    *out = tasks;
    return SL_OK;
}

/* ---- choosing */

static double arrival(const struct simulation *s, struct sl_port from, int device) {
    const struct task *t = &s->tasks[from.node->id];
    if (is_back_edge(from.node) || is_source(from.node)) return 0;
    int at = sl_node_is_arg_or_ret(from.node) ? s->options->default_device : t->device;
    return t->finish + (at == device || at < 0 ? 0 : transfer(s, from));
}

static double finish_on(const struct simulation *s, const struct task *t, int device) {
    double start = s->free_ns[device];
    for (int i = 0; i < t->node->n_inputs; i++) {
        double at = t->node->inputs[i].node ? arrival(s, t->node->inputs[i], device) : 0;
        if (at > start) start = at;
    }
    for (int c = 0; c < t->node->n_controls; c++) {
        double at = arrival(s, (struct sl_port){t->node->controls[c], -1}, device);
        if (at > start) start = at;
    }
    return start + t->ns;
}

/* The frame around all others that the node is in; 0: none. */
static int outermost_frame(const struct simulation *s, const struct sl_node *n) {
    int frame = s->frames.of_node[n->id];
    while (frame > 0 && s->frames.frames[frame].parent > 0) frame = s->frames.frames[frame].parent;
    return frame > 0 ? frame : 0;
}

static bool may_go(const struct simulation *s, uint32_t group, int device) {
    const struct sl_device_name *request = s->groups->has_request[group] ? &s->groups->request[group] : NULL;
    return !request || sl_device_matches(request, &s->options->devices->items[device].parsed);
}

/* The one device that the node's group or its loop is on already, or NONE. */
static int bound_device(const struct simulation *s, const struct task *t, uint32_t group) {
    if (s->chosen[group] >= 0) return s->chosen[group];
    int frame = outermost_frame(s, t->node), device = frame ? s->frame_device[frame] : NONE;
    return device >= 0 && may_go(s, group, device) ? device : NONE;
}

/* Whether an input that is placed is there; nodes without one are at home on the default device. */
static bool is_near(const struct simulation *s, const struct task *t, int device) {
    bool has_place = false;
    for (int i = 0; i < t->node->n_inputs; i++) {
        int at = t->node->inputs[i].node ? s->tasks[t->node->inputs[i].node->id].device : NONE;
        if (at == device) return true;
        has_place = has_place || at >= 0;
    }
    return !has_place && device == s->options->default_device;
}

/* A node that costs less than a message is not sent away for its own sake, however busy its neighbours are. */
static bool stays_near(const struct simulation *s, const struct task *t, uint32_t group) {
    if (t->ns > s->options->costs->latency_ns) return false;
    for (int d = 0; d < s->options->devices->n; d++)
        if (may_go(s, group, d) && is_near(s, t, d)) return true;
    return false;
}

/* The candidate that is finished first; of equal ones the default device, then the first. */
static int best_device(struct simulation *s, const struct task *t, uint32_t group) {
    int bound = bound_device(s, t, group), best = NONE;
    bool is_small = bound < 0 && stays_near(s, t, group);
    for (int d = 0; d < s->options->devices->n; d++) {
        bool is_candidate = bound >= 0 ? d == bound : may_go(s, group, d) && (!is_small || is_near(s, t, d));
        s->candidate[d] = is_candidate ? finish_on(s, t, d) : -1;
        if (!is_candidate) continue;
        bool is_better = best < 0 || s->candidate[d] < s->candidate[best] ||
                         (s->candidate[d] <= s->candidate[best] && d == s->options->default_device);
        if (is_better) best = d;
    }
    return best;
}

static void explain(const struct simulation *s, const struct task *t, uint32_t group, int best) {
    FILE *file = s->options->costs->explanation;
    if (!file) return;
    fprintf(file, "%.*s %.*s %.0f ns", SL_STR_ARG(t->node->name), SL_STR_ARG(t->node->op->name), t->ns);
    for (int d = 0; d < s->options->devices->n; d++)
        if (s->candidate[d] >= 0) {
            const struct sl_device_name *name = &s->options->devices->items[d].parsed;
            fprintf(file, "  %s:%d %.0f%s", name->type, name->id, s->candidate[d], d == best ? " <-" : "");
        }
    fprintf(file, "%s%s\n", s->chosen[group] >= 0 ? "  (its group is there)" : "",
            outermost_frame(s, t->node) ? "  (in a loop)" : "");
}

static sl_code note(const struct simulation *s, const struct task *t, uint32_t group) {
    struct sl_place_record *record = s->options->records ? &s->options->records[t->node->id] : NULL;
    size_t n = (size_t)s->options->devices->n;
    if (!record) return SL_OK;
    double *finish_ns = SL_ARENA_ARRAY(&t->node->graph->arena, double, n);
    if (!finish_ns) return sl_fail_memory(s->err, n * sizeof *finish_ns);
    memcpy(finish_ns, s->candidate, n * sizeof *finish_ns);
    record->finish_ns = finish_ns;
    if (s->chosen[group] >= 0) record->reason = SL_PLACED_WITH_GROUP;
    else if (bound_device(s, t, group) >= 0) record->reason = SL_PLACED_WITH_LOOP;
    else record->reason = stays_near(s, t, group) ? SL_PLACED_NEAR_INPUT : SL_PLACED_FIRST;
    return SL_OK;
}

static sl_code place_task(struct simulation *s, struct task *t) {
    uint32_t group = sl_group_of(s->groups, t->node->id);
    if (is_source(t->node) || sl_node_is_arg_or_ret(t->node)) return SL_OK;
    int best = best_device(s, t, group), frame = outermost_frame(s, t->node);
    if (best < 0) return SL_OK; /* the request is place.c's to refuse */
    explain(s, t, group, best);
    SL_TRY(note(s, t, group));
    t->device = best;
    t->finish = s->free_ns[best] = s->candidate[best];
    s->chosen[group] = best;
    if (frame && s->frame_device[frame] < 0) s->frame_device[frame] = best;
    return SL_OK;
}

sl_code sl_place_greedily(int *chosen, struct sl_groups *groups, const struct sl_place_options *options,
                          struct sl_arena *scratch, struct sl_error *err) {
    struct simulation s = {.options = options, .groups = groups, .chosen = chosen, .err = err};
    size_t n, devices = (size_t)options->devices->n;
    struct task **tasks = NULL;
    SL_TRY(sl_graph_frames(&s.frames, groups->graph, scratch, err));
    s.tasks = SL_ARENA_ARRAY(scratch, struct task, groups->graph->nodes.n + 1);
    s.free_ns = SL_ARENA_ARRAY(scratch, double, devices);
    s.candidate = SL_ARENA_ARRAY(scratch, double, devices);
    s.frame_device = SL_ARENA_ARRAY(scratch, int, (size_t)s.frames.n + 1);
    if (!s.tasks || !s.free_ns || !s.candidate || !s.frame_device)
        return sl_fail_memory(err, groups->graph->nodes.n * sizeof *s.tasks);
    for (int f = 0; f <= s.frames.n; f++) s.frame_device[f] = NONE;
    SL_TRY(order_tasks(&tasks, &n, &s, scratch, err));
    for (size_t i = 0; i < n; i++) SL_TRY(place_task(&s, tasks[i]));
    return SL_OK;
}
