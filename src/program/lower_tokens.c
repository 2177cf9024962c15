/* The token form: one entry per node, with slots of its own for every input, so that an arriving value never waits
 * for another reader. Slots and counts are numbered within an iteration of the frame that the node runs in:
 *
 *     iteration: [ node a: inputs | outputs ][ node b: inputs | outputs ] ...     counts: [a][b] ... */
#include "program/compilation.h"

#include "base/env.h"
#include "base/hash.h"
#include "base/vec.h"

struct tokens {
    struct sl_compilation *c;
    struct sl_token_node *nodes;
    struct sl_token_frame *frames;
    uint32_t *number; /* by node id */
    SL_VEC(struct sl_token_edge) edges;
    SL_VEC(struct sl_value) constants;
    SL_VEC(uint32_t) roots;
    float heavy_ns; /* what takes longer is worth another thread's waking up */
};

static enum sl_token_flow token_flow(const struct sl_compilation *c, const struct sl_node *n) {
    switch (c->flow[n->id]) {
    case SL_FLOW_SWITCH:
    case SL_FLOW_SWITCH_N: return SL_TOKEN_SWITCH;
    case SL_FLOW_MERGE: return SL_TOKEN_MERGE;
    case SL_FLOW_ENTER: return SL_TOKEN_ENTER;
    case SL_FLOW_EXIT: return SL_TOKEN_EXIT;
    case SL_FLOW_NEXT: return SL_TOKEN_NEXT;
    case SL_FLOW_COND: return SL_TOKEN_COND;
    case SL_FLOW_TRIGGER: return SL_TOKEN_TRIGGER;
    case SL_FLOW_NONE: break;
    }
    if (sl_node_is_arg(n)) return SL_TOKEN_ARG;
    if (sl_node_is_ret(n)) return SL_TOKEN_RET;
    if (sl_node_is_constant(n)) return SL_TOKEN_CONSTANT;
    return c->kernels[n->id]->def ? SL_TOKEN_KERNEL : SL_TOKEN_NOTHING;
}

/* The frame that an Enter opens, or 0 when nobody reads it. */
static uint32_t child_of(const struct sl_compilation *c, const struct sl_node *enter) {
    return enter->uses.n ? (uint32_t)c->frames.of_node[enter->uses.items[0].node->id] : 0;
}

static sl_code add_edges(struct tokens *t, struct sl_token_node *to, const struct sl_node *n) {
    to->edges.first = (uint32_t)t->edges.n;
    for (uint32_t u = 0; u < n->uses.n; u++) {
        const struct sl_use *use = &n->uses.items[u];
        struct sl_token_edge e = {.to = t->number[use->node->id], .input = use->slot < 0 ? -1 : use->slot};
        if (use->slot >= 0) e.output = (uint32_t)use->index;
        e.is_last = use->slot >= 0;
        for (uint32_t v = u + 1; v < n->uses.n && e.is_last && n->uses.n < 64; v++)
            if (n->uses.items[v].slot >= 0 && n->uses.items[v].index == use->index) e.is_last = false;
        if (n->uses.n >= 64) e.is_last = false; /* sharing is always right */
        if (sl_vec_push(&t->edges, e)) return sl_fail_memory(t->c->err, sizeof e);
    }
    to->edges.n = (uint32_t)t->edges.n - to->edges.first;
    return SL_OK;
}

/* Kernels that do not say how long they take are never light, but for those that only begin something, and do not
 * wait for it. */
static int64_t light_most(const struct tokens *t, const struct sl_token_node *node) {
    const struct sl_kernel_def *def = node->kernel->def;
    if (node->flow != SL_TOKEN_KERNEL || def->flags & SL_KERNEL_CHEAP || (node->kernel->is_async && !def->run))
        return INT64_MAX;
    if (def->cost_element <= 0 || def->cost_ns >= t->heavy_ns) return 0;
    return (int64_t)((t->heavy_ns - def->cost_ns) / def->cost_element);
}

static sl_code add_node(struct tokens *t, struct sl_node *n) {
    struct sl_compilation *c = t->c;
    struct sl_token_node *to = &t->nodes[t->number[n->id]];
    struct sl_kernel_node *k = c->kernels[n->id];
    if (k->def && k->def->flags & SL_KERNEL_BLOCKS) k->is_async = true;
    to->flow = (uint8_t)token_flow(c, n);
    to->frame = (uint32_t)c->frames.of_node[n->id];
    to->kernel = k;
    to->light_most = light_most(t, to);
    to->runs_dead = to->flow == SL_TOKEN_KERNEL && (k->def->flags & SL_KERNEL_DEAD);
    struct sl_token_frame *frame = &t->frames[to->frame];
    to->count = frame->n_counts++;
    to->in = frame->n_slots;
    to->out = to->in + k->n_in;
    frame->n_slots += k->n_in + k->n_out;
    uint32_t *in = (uint32_t *)(uintptr_t)k->in;
    for (uint32_t i = 0; i < k->n_in; i++) in[i] = to->in + i;
    k->out = to->out;
    to->pending = to->flow == SL_TOKEN_MERGE ? 1 + 2 * (uint32_t)n->n_controls : k->n_in + (uint32_t)n->n_controls;
    int64_t index = 0;
    switch ((enum sl_token_flow)to->flow) {
    case SL_TOKEN_ENTER: {
        bool constant = false;
        int64_t parallel = 10;
        sl_attr_bool(&constant, &n->attrs, "is_constant", NULL);
        sl_attr_int(&parallel, &n->attrs, "parallel_iterations", NULL);
        to->is_constant_enter = constant;
        to->child_frame = child_of(c, n);
        if (!to->child_frame) break;
        struct sl_token_frame *child = &t->frames[to->child_frame];
        if (!child->n_enters++)
            child->parallel_iterations = parallel < 1 ? 1 : parallel > 1 << 16 ? 1 << 16 : (uint32_t)parallel;
        break;
    }
    case SL_TOKEN_CONSTANT: {
        struct sl_value v;
        SL_TRY(sl_constant_value(&v, c, n));
        if (sl_vec_push(&t->constants, v)) {
            sl_value_clear(&v);
            return sl_fail_memory(c->err, sizeof v);
        }
        to->detail = (uint32_t)t->constants.n - 1;
        break;
    }
    case SL_TOKEN_ARG:
    case SL_TOKEN_RET:
        SL_TRY(sl_attr_int(&index, &n->attrs, "index", c->err));
        to->detail = (uint32_t)index;
        break;
    default: break;
    }
    if (to->pending == 0 && sl_vec_push(&t->roots, t->number[n->id])) return sl_fail_memory(c->err, 4);
    return SL_OK;
}

static const void *keep(struct sl_compilation *c, const void *items, size_t bytes) {
    void *copy = sl_arena_alloc(&c->program->arena, bytes);
    if (copy && bytes) memcpy(copy, items, bytes);
    return copy;
}

static sl_code fill(struct tokens *t) {
    struct sl_compilation *c = t->c;
    struct sl_program *p = c->program;
    uint32_t count = 0;
    t->number = SL_ARENA_ARRAY(&c->scratch, uint32_t, c->graph->nodes.n);
    t->nodes = SL_ARENA_ARRAY(&p->arena, struct sl_token_node, c->graph->live + 1);
    t->frames = SL_ARENA_ARRAY(&p->arena, struct sl_token_frame, (size_t)c->frames.n);
    uint32_t *args = SL_ARENA_ARRAY(&p->arena, uint32_t, (size_t)p->n_args + 1);
    if (!t->number || !t->nodes || !t->frames || !args) return sl_fail_memory(c->err, c->graph->nodes.n);
    for (int i = 0; i < p->n_args; i++) args[i] = SL_NO_SLOT;
    t->frames[0].parallel_iterations = 1;
    for (int f = 0; f < c->frames.n; f++)
        t->frames[f].name_hash = sl_hash64(c->frames.frames[f].name.p, c->frames.frames[f].name.n, SL_HASH64_SEED);
    SL_GRAPH_EACH(n, c->graph) {
        if (c->frames.of_node[n->id] < 0) /* not reachable from any node without inputs: never runs, as in TensorFlow */
            return sl_fail(c->err, SL_INVALID_ARGUMENT, "Node %.*s is part of a cycle that nothing starts",
                           SL_STR_ARG(n->name));
        t->number[n->id] = count++;
    }
    SL_GRAPH_EACH(n, c->graph) SL_TRY(add_node(t, n));
    SL_GRAPH_EACH(n, c->graph) SL_TRY(add_edges(t, &t->nodes[t->number[n->id]], n));
    for (uint32_t i = 0; i < count; i++)
        if (t->nodes[i].flow == SL_TOKEN_ARG) args[t->nodes[i].detail] = i;
    p->token_nodes = t->nodes;
    p->token_frames = t->frames;
    p->n_token_nodes = count;
    p->n_token_frames = (uint32_t)c->frames.n;
    p->token_args = args;
    p->token_edges = keep(c, t->edges.items, t->edges.n * sizeof *t->edges.items);
    p->token_roots = keep(c, t->roots.items, t->roots.n * sizeof *t->roots.items);
    p->n_token_roots = (uint32_t)t->roots.n;
    p->constants = keep(c, t->constants.items, t->constants.n * sizeof *t->constants.items);
    if (!p->token_edges || !p->token_roots || !p->constants) return sl_fail_memory(c->err, t->edges.n);
    p->n_constants = (uint32_t)t->constants.n;
    return SL_OK;
}

sl_code sl_lower_tokens(struct sl_compilation *c) {
    struct tokens t = {.c = c, .heavy_ns = (float)sl_env_number(SL_ENV_HEAVY_NS, 5000)};
    sl_code code = fill(&t);
    if (code != SL_OK)
        for (size_t i = 0; i < t.constants.n; i++) sl_value_clear(&t.constants.items[i]);
    sl_vec_free(&t.edges);
    sl_vec_free(&t.constants);
    sl_vec_free(&t.roots);
    return code;
}
