/* Import in one pass over the bytes of a GraphDef: each node is made when it is read. This is how nearly all large
 * graphs come: into an empty graph, as bytes, producers first but for what closes a loop.
 *
 * Nothing is said here of what is wrong: whatever is not as usual, or a fault, ends the pass, and the import is done
 * again the long way (import_read.c, import_index.c, import.c), which has the same outcome where both succeed. Uses
 * are only counted at first: when all nodes are there each gets room for just those it has. Called by
 * sl_graph_import_bytes. */
#include "base/hash.h"
#include "graph/import_bytes.h"
#include "graph/infer.h"
#include "graph/node_names.h"
#include "graph/node_store.h"
#include "proto/wire.h"

enum { RECENT = 4 /* positions of inputs for which the node read last is kept */ };

/* An input that closes a loop. */
struct back_input {
    struct sl_node *node;
    int slot;
    struct sl_str name;
};

struct straight {
    struct sl_import *im;
    struct sl_graph *graph;
    struct sl_import_kinds *kinds;
    struct sl_node *newest, *recent[RECENT]; /* NULL: none */
    SL_VEC(struct sl_port) ports; /* what a node reads, data before control; node NULL: it is not there yet */
    int n_data;
    struct sl_str missing; /* what is not there yet; .p NULL: all is */
    int missing_slot;
    SL_VEC(struct back_input) back;
};

bool sl_import_may_go_straight(const struct sl_import *im) {
    const struct sl_import_options *o = im->options;
    return !im->graph->nodes.n && !o->prefix.n && !o->n_mappings && !o->n_control_dependencies && !o->n_returns &&
           im->n < INT32_MAX;
}

/* ---- inputs */

/* Nodes mostly read the one before them, or what the one before them read. */
static struct sl_node *find(const struct straight *s, struct sl_str name, int position) {
    struct sl_node *recent = s->recent[position % RECENT];
    if (s->newest && sl_import_same(s->newest->name, name)) return s->newest;
    if (recent && sl_import_same(recent->name, name)) return recent;
    return sl_node_names_find(s->graph, name, sl_hash_name(name.p, name.n));
}

/* What an input's text names. No node's name looks like another form. */
static __attribute__((noinline)) struct sl_port port_of(const struct straight *s, struct sl_str input, int position) {
    struct sl_node *node = find(s, input, position);
    if (node) return (struct sl_port){node, 0};
    struct sl_tensor_name name = sl_tensor_name_of(input);
    return (struct sl_port){name.node.n < input.n ? find(s, name.node, position) : NULL, name.index};
}

static bool read_inputs(struct straight *s, struct sl_import_reader *r) {
    struct sl_str input;
    s->ports.n = 0;
    s->n_data = 0;
    s->missing.p = NULL;
    for (int i = 0; sl_import_field(&input, r, SL_NODE_INPUT); i++) {
        struct sl_port port = port_of(s, input, i);
        if (port.index >= 0 && s->n_data++ < i) return false; /* behind a control input */
        if (port.node) {
            if (port.index >= port.node->n_outputs) return false;
            s->recent[i % RECENT] = port.node;
        } else {
            if (port.index < 0 || s->missing.p) return false;
            s->missing = input;
            s->missing_slot = i;
        }
        if (s->ports.n == s->ports.cap && sl_vec_reserve(&s->ports, 1)) return false; /* mostly no call */
        s->ports.items[s->ports.n++] = port;
    }
    return true;
}

/* ---- nodes */
static struct sl_import_kind *read_kind(struct straight *s, struct sl_import_reader *r, struct sl_str op,
                                        struct sl_str name) {
    struct sl_str device = SL_STR("");
    (void)sl_import_field(&device, r, SL_NODE_DEVICE);
    struct sl_str rest = {(const char *)r->p, (size_t)(r->end - r->p)};
    struct sl_import_kind *kind = sl_import_kind_of(s->kinds, op, device, rest);
    if (!kind || kind->is_bound) return kind;
    if (!op.n || sl_import_bind(s->im, kind, name, name) ||
        (kind->op->deprecated && sl_op_check_version(kind->op, s->im->versions->producer, s->im->err)))
        return NULL;
    return kind;
}

/* The node without edges. */
static struct sl_node *make(struct straight *s, struct sl_str name, const struct sl_import_kind *kind) {
    uint32_t hash = sl_hash_name(name.p, name.n), *slot = sl_node_names_slot(s->graph, name, hash);
    struct sl_node_parts parts = {.name = name,
                                  .name_hash = hash,
                                  .is_listed = true,
                                  .device = kind->device,
                                  .op = kind->op,
                                  .attrs = kind->attrs,
                                  .in_types = kind->signature.inputs,
                                  .out_types = kind->signature.outputs,
                                  .n_inputs = kind->signature.n_inputs,
                                  .n_outputs = kind->signature.n_outputs,
                                  .n_controls = (int)s->ports.n - s->n_data,
                                  .notes = kind->notes};
    if (*slot || sl_node_make(&s->newest, s->graph, &parts, s->im->err)) return NULL;
    *slot = s->newest->id + 1;
    s->graph->names.n++;
    return s->newest;
}

/* Edges as the node sees them; the other ends are counted. A control input that stands twice counts once: the marks
 * tell. */
static bool connect(struct straight *s, struct sl_node *node) {
    const struct sl_port *ports = s->ports.items;
    for (int i = 0; i < s->n_data; i++) {
        if (!ports[i].node) continue;
        if (node->in_types[i] != ports[i].node->out_types[ports[i].index] &&
            sl_edge_check(node, i, ports[i], s->im->err))
            return false;
        node->inputs[i] = ports[i];
        ports[i].node->uses.cap++;
    }
    for (size_t i = (size_t)s->n_data; i < s->ports.n; i++) {
        struct sl_node *from = ports[i].node;
        if (from->mark == node) continue;
        from->mark = node;
        node->controls[node->n_controls++] = from;
        from->uses.cap++;
    }
    return true;
}

static bool add_node(struct straight *s, struct sl_str bytes) {
    struct sl_import_reader r = sl_import_reader_of(bytes);
    struct sl_str name, op;
    if (!sl_import_field(&name, &r, SL_NODE_NAME) || !sl_import_field(&op, &r, SL_NODE_OP)) return false;
    if (!read_inputs(s, &r)) return false;
    const struct sl_import_kind *kind = read_kind(s, &r, op, name);
    if (!kind || s->n_data != kind->signature.n_inputs) return false;
    if (!sl_node_name_is_valid(name) && !(s->im->options->allow_internal_names && sl_node_name_is_internal(name)))
        return false;
    if (s->missing.p && (!kind->is_merge || s->n_data < 2)) return false;
    struct sl_node *node = make(s, name, kind);
    if (!node || !connect(s, node)) return false;
    if (s->missing.p && sl_vec_push(&s->back, ((struct back_input){node, s->missing_slot, s->missing}))) return false;
    if (s->im->options->no_inference) return true;
    return !sl_graph_infer(s->graph, node, s->im->err) &&
           (!kind->shapes || !sl_node_merge_shapes(s->graph, node, kind->shapes, s->im->err));
}

/* ---- what needs all nodes */

static bool find_back_inputs(struct straight *s, struct sl_port *ports) {
    for (size_t i = 0; i < s->back.n; i++) {
        const struct back_input *back = &s->back.items[i];
        ports[i] = port_of(s, back->name, 0);
        const struct sl_node *from = ports[i].node;
        if (!from || ports[i].index < 0 || ports[i].index >= from->n_outputs) return false;
        if (sl_flow_kind_of(from->op) != SL_FLOW_NEXT) return false;
        ports[i].node->uses.cap++;
    }
    return true;
}

/* Producers have room before those who read them are looked at. */
static bool list_uses(struct straight *s) {
    for (size_t k = 0; k < s->graph->nodes.n; k++) {
        struct sl_node *node = s->graph->nodes.items[k];
        node->mark = NULL;
        if (node->uses.cap) node->uses.items = sl_arena_alloc(&s->graph->arena, node->uses.cap * sizeof(struct sl_use));
        if (!node->uses.items) return false;
        for (int i = 0; i < node->n_inputs; i++) {
            struct sl_port from = node->inputs[i];
            if (from.node) from.node->uses.items[from.node->uses.n++] = (struct sl_use){node, i, from.index};
        }
        for (int i = 0; i < node->n_controls; i++) {
            struct sl_node *from = node->controls[i];
            from->uses.items[from->uses.n++] = (struct sl_use){node, -1, -1};
        }
    }
    return true;
}

static bool close_loops(struct straight *s) {
    struct sl_port *ports = SL_ARENA_ARRAY(&s->im->scratch, struct sl_port, s->back.n);
    if (!ports || !find_back_inputs(s, ports) || !list_uses(s)) return false;
    for (size_t i = 0; i < s->back.n; i++)
        if (sl_edge_add(s->back.items[i].node, s->back.items[i].slot, ports[i], s->im->err)) return false;
    return true;
}

static bool has_all_colocated(const struct sl_import *im) {
    for (const struct sl_import_kind *kind = im->colocated; kind; kind = kind->next_colocated)
        if (sl_import_check_colocation(im, kind->op_name, &kind->attrs)) return false;
    return true;
}

static bool run(struct straight *s) {
    struct sl_import_reader r = sl_import_reader_of(s->im->bytes);
    struct sl_str node;
    if (!s->kinds || sl_graph_reserve(s->graph, s->im->n, s->im->n, s->im->err)) return false;
    for (size_t i = 0; i < s->im->n; i++)
        if (!sl_import_field(&node, &r, SL_GRAPH_NODE) || !add_node(s, node)) return false;
    return has_all_colocated(s->im) && close_loops(s);
}

sl_code sl_import_straight(struct sl_import *im) {
    struct straight s = {.im = im, .graph = im->graph, .kinds = sl_import_new_kinds(im)};
    bool is_done = run(&s);
    sl_vec_free(&s.ports);
    sl_vec_free(&s.back);
    return is_done ? SL_OK : SL_INVALID_ARGUMENT;
}
