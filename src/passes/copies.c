/* Finds the memory of every port, then puts copies on the edges whose ends lie in different memories. */
#include "passes/copies.h"

#include "kernel/ports.h"
#include "ops/op_row.h"

enum where { ON_DEVICE, ON_HOST };

/* A copy of one output, or a constant's double. */
struct copy {
    struct copy *next; /* of the same node */
    int output;
    struct sl_node *node;
};

struct memory {
    struct sl_graph *graph;
    const struct sl_copies_options *options;
    struct sl_arena scratch;
    const bool **on_host; /* by node id: inputs, then outputs */
    struct copy **copies; /* by node id */
    struct sl_error *err;
};

/* ---- where ports lie */

static sl_code find_kernel(const struct sl_kernel_def **def, const struct memory *m,
                           const struct sl_kernel_site *site) {
    sl_code code = sl_kernel_find_on(def, m->options->kernels, site, m->options->device->type, m->err);
    if (code == SL_OK || site->op->index != SL_OP_NO_ROW || !m->options->call_by_name) return code;
    sl_error_clear(m->err);
    *def = m->options->call_by_name;
    return SL_OK;
}

static sl_code find_ports(struct memory *m, const struct sl_node *n) {
    const struct sl_kernel_site site = {n->name,      n->op,       &n->attrs,   n->in_types,
                                        n->out_types, n->n_inputs, n->n_outputs};
    static const struct sl_kernel_def moves = {.flags = SL_KERNEL_MOVES}, touches = {.flags = 0};
    const struct sl_kernel_def *def = &moves;
    bool *on_host = SL_ARENA_ARRAY(&m->scratch, bool, (size_t)n->n_inputs + (size_t)n->n_outputs + 1);
    if (!on_host) return sl_fail_memory(m->err, (size_t)n->n_inputs);
    if (n->op->index == SL_ROW_Const || (m->options->are_args_on_host && sl_node_is_arg_or_ret(n))) def = &touches;
    else if (!sl_node_is_arg_or_ret(n)) SL_TRY(find_kernel(&def, m, &site));
    sl_kernel_ports(on_host, def, &site);
    m->on_host[n->id] = on_host;
    return SL_OK;
}

/* ---- copies */

/* A constant's double that is put into the device's memory when the program is made. */
static sl_code add_double(struct sl_node **out, struct memory *m, const struct sl_node *n) {
    struct sl_arena *arena = &m->graph->arena;
    struct sl_str name = sl_graph_unique_name(m->graph, n->name);
    const struct sl_pb_AttrValue *yes = sl_attr_new(arena, SL_STR(SL_CONSTANT_ON_DEVICE), SL_ATTR_VALUE(b, true)).value;
    if (!name.p || !yes) return sl_fail_memory(m->err, n->name.n);
    SL_TRY(sl_graph_copy_node(out, m->graph, n, name, n->device, m->err));
    SL_TRY(sl_graph_copy_edges(*out, n, NULL, NULL, m->err));
    return sl_attrs_with(&(*out)->attrs, arena, &n->attrs, SL_STR(SL_CONSTANT_ON_DEVICE), yes, m->err);
}

static sl_code add_copy(struct sl_node **out, struct memory *m, struct sl_port from, enum where where) {
    struct sl_arena *arena = &m->graph->arena;
    int dtype = sl_dtype_base(from.node->out_types[from.index]);
    struct sl_attr attr = sl_attr_new_type(arena, SL_STR("T"), dtype);
    struct sl_node_spec spec = {.name = sl_graph_unique_name(m->graph, from.node->name),
                                .attrs = {&attr, 1},
                                .inputs = &from,
                                .n_inputs = 1};
    if (!spec.name.p || !attr.value) return sl_fail_memory(m->err, sizeof spec);
    SL_TRY(sl_op_find(&spec.op, m->graph->registry,
                      sl_row_name(where == ON_HOST ? SL_ROW__CopyToHost : SL_ROW__CopyToDevice), m->err));
    SL_TRY(sl_graph_add_trusted(out, m->graph, &spec, m->err));
    (*out)->assigned = from.node->assigned;
    (*out)->shapes[0] = from.node->shapes[from.index];
    return SL_OK;
}

/* The copy of an output, made when first wanted: all who want one want it in the other memory. A reference is read
 * anew by each reader. */
static sl_code copy_of(struct sl_port *out, struct memory *m, struct sl_port from, enum where where) {
    bool is_reference = sl_dtype_is_ref(from.node->out_types[from.index]);
    *out = (struct sl_port){NULL, 0};
    for (struct copy *c = m->copies[from.node->id]; c && !is_reference; c = c->next)
        if (c->output == from.index) {
            out->node = c->node;
            return SL_OK;
        }
    struct copy *c = SL_ARENA_NEW(&m->scratch, struct copy);
    if (!c) return sl_fail_memory(m->err, sizeof *c);
    if (from.node->op->index == SL_ROW_Const) SL_TRY(add_double(&c->node, m, from.node));
    else SL_TRY(add_copy(&c->node, m, from, where));
    c->output = from.index;
    c->next = m->copies[from.node->id];
    m->copies[from.node->id] = c;
    out->node = c->node;
    return SL_OK;
}

static sl_code look_at_input(struct memory *m, struct sl_node *n, int i) {
    const struct sl_port from = n->inputs[i];
    bool is_reference = sl_dtype_is_ref(from.node->out_types[from.index]);
    if (sl_dtype_is_ref(n->in_types[i])) return SL_OK;
    bool given = m->on_host[from.node->id][from.node->n_inputs + from.index], wanted = m->on_host[n->id][i];
    if (given == wanted && !(is_reference && sl_dtype_is_plain(n->in_types[i]))) return SL_OK;
    struct sl_port copy;
    SL_TRY(copy_of(&copy, m, from, wanted ? ON_HOST : ON_DEVICE));
    return sl_graph_set_input(m->graph, n, i, copy, m->err);
}

static sl_code insert(struct memory *m) {
    size_t n = m->graph->nodes.n; /* copies come behind */
    m->on_host = SL_ARENA_ARRAY(&m->scratch, const bool *, n);
    m->copies = SL_ARENA_ARRAY(&m->scratch, struct copy *, n);
    if (!m->on_host || !m->copies) return sl_fail_memory(m->err, n * sizeof *m->copies);
    SL_GRAPH_EACH(node, m->graph) SL_TRY(find_ports(m, node));
    for (size_t i = 0; i < n; i++) {
        struct sl_node *node = m->graph->nodes.items[i];
        for (int slot = 0; !node->is_removed && slot < node->n_inputs; slot++) SL_TRY(look_at_input(m, node, slot));
    }
    for (size_t i = 0; i < n; i++) { /* constants that only the device reads */
        struct sl_node *node = m->graph->nodes.items[i];
        if (!node->is_removed && m->copies[i] && !node->uses.n) sl_graph_remove(m->graph, node);
    }
    return SL_OK;
}

sl_code sl_pass_copies(struct sl_graph *graph, const struct sl_copies_options *options, struct sl_error *err) {
    struct sl_error own;
    struct memory m = {.graph = graph, .options = options, .err = err ? err : &own};
    sl_arena_init(&m.scratch);
    sl_code code = insert(&m);
    sl_arena_clear(&m.scratch);
    return code;
}
