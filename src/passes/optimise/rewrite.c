/* What rules may ask and do. Facts about nodes are kept by node id. Shapes are inferred when a rule asks, with
 * nothing known of fed values, and values of constants are decoded once. Nodes without readers stay until the
 * sweep, so that the cost of a rewrite is proportional to the readers of the node. */
#include "passes/optimise/rewrite.h"

#include "kernel/ports.h"
#include "ops/op_effects.h"
#include "tensor/float16.h"
#include "tensor/tensor_proto.h"

enum { MOST_VISITS = 6, MOST_SMALL = 1 << 16, MOST_COVER = 32, MOST_COVER_DEPTH = 3, MOST_ENTRIES = 64 };

enum shape_state { SHAPE_UNSEEN, SHAPE_OPEN, SHAPE_DONE };

struct sl_rewrite_record {
    struct sl_tensor *value;
    bool has_no_value, is_pending, is_root, is_kept, is_doomed;
    /* Its token may be dead or may come late for reasons of its own, or it has effects: a node that loses it as an
     * input must wait for it. */
    bool may_lack;
    uint8_t visits, shape;
};

static struct sl_rewrite_record *record_of(const struct sl_rewrite *r, const struct sl_node *n) {
    return &r->records.items[n->id];
}

static bool fail_memory(struct sl_rewrite *r) {
    r->code = sl_fail_memory(r->err, sizeof(struct sl_rewrite_record));
    return false;
}

static bool add_records(struct sl_rewrite *r) {
    size_t more = r->graph->nodes.n - r->records.n;
    if (!more) return true;
    if (sl_vec_reserve(&r->records, more)) return fail_memory(r);
    memset(r->records.items + r->records.n, 0, more * sizeof *r->records.items);
    r->records.n += more;
    return true;
}

sl_code sl_rewrite_init(struct sl_rewrite *r, struct sl_graph *graph, const struct sl_optimise_options *options,
                        struct sl_error *err) {
    *r = (struct sl_rewrite){.graph = graph, .options = options, .err = err};
    r->most_nodes = graph->nodes.n * 3 + 1000;
    sl_arena_init(&r->scratch);
    if (!add_records(r)) return r->code;
    graph->keeps_values = true;
    SL_GRAPH_EACH(n, graph) {
        record_of(r, n)->is_root = sl_node_is_arg_or_ret(n) || sl_op_is_stateful(n->op);
        r->has_loops = r->has_loops || sl_flow_kind_of(n->op) == SL_FLOW_ENTER;
        for (int o = 0; o < n->n_outputs; o++) n->shapes[o] = SL_SHAPE_UNKNOWN;
        n->handles = NULL;
    }
    for (int i = 0; i < options->n_keep; i++) {
        struct sl_rewrite_record *record = record_of(r, options->keep[i]);
        record->is_root = record->is_kept = true;
    }
    return SL_OK;
}

void sl_rewrite_clear(struct sl_rewrite *r) {
    for (size_t i = 0; i < r->records.n; i++) sl_tensor_unref(r->records.items[i].value);
    sl_vec_free(&r->records);
    sl_vec_free(&r->pending);
    sl_arena_clear(&r->scratch);
    r->graph->keeps_values = false;
}

void sl_rewrite_note(struct sl_rewrite *r, const struct sl_node *n) {
    bool may_lack = n->op->index != SL_ROW__Arg && !sl_rewrite_is_pure(n);
    for (int i = 0; i < n->n_inputs && !may_lack; i++)
        may_lack = !n->inputs[i].node || record_of(r, n->inputs[i].node)->may_lack;
    for (int i = 0; i < n->n_controls && !may_lack; i++) may_lack = record_of(r, n->controls[i])->may_lack;
    record_of(r, n)->may_lack = may_lack;
}

bool sl_rewrite_is_root(const struct sl_rewrite *r, const struct sl_node *n) { return record_of(r, n)->is_root; }

bool sl_rewrite_visit(struct sl_rewrite *r, const struct sl_node *n) {
    struct sl_rewrite_record *record = record_of(r, n);
    record->is_pending = false;
    return !record->is_doomed && record->visits++ < MOST_VISITS;
}

struct sl_node *sl_rewrite_next(struct sl_rewrite *r, uint32_t first) {
    while (r->pending.n) {
        struct sl_node *n = r->pending.items[r->pending.n - 1];
        if (record_of(r, n)->is_pending && n->id < first) return NULL;
        r->pending.n--;
        if (record_of(r, n)->is_pending) return n;
    }
    return NULL;
}

static void look_again(struct sl_rewrite *r, struct sl_node *n) {
    struct sl_rewrite_record *record = record_of(r, n);
    if (record->is_pending || record->visits >= MOST_VISITS) return;
    record->is_pending = true;
    if (sl_vec_push(&r->pending, n)) fail_memory(r);
}

/* ---- asking */

bool sl_rewrite_is_pure(const struct sl_node *n) {
    return sl_op_is_pure(n->op) && sl_flow_kind_of(n->op) == SL_FLOW_NONE;
}

struct sl_node *sl_rewrite_producer(const struct sl_node *n, int slot, uint32_t row) {
    struct sl_node *from = slot < n->n_inputs ? n->inputs[slot].node : NULL;
    return from && from->op->index == row ? from : NULL;
}

bool sl_rewrite_is_sole(const struct sl_rewrite *r, const struct sl_node *from, const struct sl_node *n) {
    if (record_of(r, from)->is_root) return false;
    for (uint32_t i = 0; i < from->uses.n; i++)
        if (from->uses.items[i].node != n || from->uses.items[i].slot < 0) return false;
    return true;
}

/* Bytes of a Const, or SIZE_MAX; looks at the message alone. */
static size_t constant_bytes(const struct sl_pb_TensorProto *proto) {
    size_t bytes = sl_dtype_size(proto->dtype);
    if (!bytes) return SIZE_MAX;
    for (size_t d = 0; proto->tensor_shape && d < proto->tensor_shape->dim.n; d++) {
        int64_t dim = proto->tensor_shape->dim.items[d].size;
        if (dim < 0 || __builtin_mul_overflow(bytes, (size_t)dim, &bytes)) return SIZE_MAX;
    }
    return bytes;
}

static const struct sl_tensor *constant(struct sl_rewrite *r, struct sl_port port, size_t most) {
    const struct sl_pb_TensorProto *proto;
    if (!port.node || port.node->op->index != SL_ROW_Const) return NULL;
    struct sl_rewrite_record *record = record_of(r, port.node);
    if (record->value) return record->value->bytes <= most ? record->value : NULL;
    if (record->has_no_value || sl_attr_tensor(&proto, &port.node->attrs, "value", NULL)) return NULL;
    if (proto->dtype != port.node->out_types[0] || constant_bytes(proto) > most) return NULL;
    struct sl_tensor *value;
    record->has_no_value = sl_tensor_from_proto(&value, proto, NULL) != SL_OK;
    if (record->has_no_value) return NULL;
    record->value = value;
    return value;
}

const struct sl_tensor *sl_rewrite_constant(struct sl_rewrite *r, struct sl_port port) {
    return constant(r, port, MOST_SMALL);
}

const struct sl_tensor *sl_rewrite_large_constant(struct sl_rewrite *r, struct sl_port port) {
    return constant(r, port, SIZE_MAX - 1);
}

const struct sl_tensor *sl_rewrite_integers(struct sl_rewrite *r, struct sl_port port) {
    const struct sl_tensor *t = sl_rewrite_constant(r, port);
    return t && (t->dtype == SL_INT32 || t->dtype == SL_INT64) ? t : NULL;
}

static bool real_element(double *out, const struct sl_tensor *t, int64_t i) {
    switch (t->dtype) {
    case SL_FLOAT: *out = (double)((const float *)t->data)[i]; return true;
    case SL_DOUBLE: *out = ((const double *)t->data)[i]; return true;
    case SL_HALF: *out = (double)sl_float_of_half(((const sl_half *)t->data)[i]); return true;
    case SL_BFLOAT16: *out = (double)sl_float_of_bfloat16(((const sl_bfloat16 *)t->data)[i]); return true;
    case SL_INT8: *out = ((const int8_t *)t->data)[i]; return true;
    case SL_INT16: *out = ((const int16_t *)t->data)[i]; return true;
    case SL_INT32: *out = ((const int32_t *)t->data)[i]; return true;
    case SL_INT64: *out = (double)((const int64_t *)t->data)[i]; return true;
    case SL_UINT8: *out = ((const uint8_t *)t->data)[i]; return true;
    case SL_UINT16: *out = ((const uint16_t *)t->data)[i]; return true;
    case SL_UINT32: *out = ((const uint32_t *)t->data)[i]; return true;
    case SL_UINT64: *out = (double)((const uint64_t *)t->data)[i]; return true;
    default: return false;
    }
}

bool sl_rewrite_is_filled(struct sl_rewrite *r, struct sl_port port, double value) {
    const struct sl_tensor *t = sl_rewrite_constant(r, port);
    double element;
    for (int64_t i = 0; t && i < t->count; i++)
        if (!real_element(&element, t, i) || element != value) return false;
    return t && t->count;
}

bool sl_rewrite_real(double *out, struct sl_rewrite *r, struct sl_port port) {
    const struct sl_tensor *t = sl_rewrite_constant(r, port);
    return t && t->count == 1 && real_element(out, t, 0);
}

int64_t sl_rewrite_element(const struct sl_tensor *t, int64_t i) {
    return t->dtype == SL_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
}

bool sl_rewrite_int(int64_t *out, struct sl_rewrite *r, struct sl_port port) {
    const struct sl_tensor *t = sl_rewrite_integers(r, port);
    if (!t || t->count != 1) return false;
    *out = sl_rewrite_element(t, 0);
    return true;
}

/* Shapes of what is fed, and of what calls give, are left unknown. */
static bool may_infer(const struct sl_node *n) {
    return n->op->index != SL_OP_NO_ROW && !sl_op_has(n->op, SL_OP_FED) && n->op->index != SL_ROW_PartitionedCall &&
           n->op->index != SL_ROW_StatefulPartitionedCall;
}

/* Inputs first; the edge that closes a loop counts as unknown. */
static void infer_from(struct sl_rewrite *r, struct sl_node *n) {
    SL_VEC(struct sl_node *) stack = {0};
    if (sl_vec_push(&stack, n)) return;
    record_of(r, n)->shape = SHAPE_OPEN;
    while (stack.n) {
        struct sl_node *top = stack.items[stack.n - 1];
        size_t before = stack.n;
        bool infers = may_infer(top);
        for (int i = 0; i < top->n_inputs && infers; i++) {
            struct sl_node *from = top->inputs[i].node;
            if (!from || record_of(r, from)->shape != SHAPE_UNSEEN) continue;
            record_of(r, from)->shape = SHAPE_OPEN;
            if (sl_vec_push(&stack, from)) fail_memory(r);
        }
        if (stack.n > before) continue;
        stack.n--;
        record_of(r, top)->shape = SHAPE_DONE;
        if (infers && sl_graph_infer(r->graph, top, NULL) != SL_OK)
            for (int o = 0; o < top->n_outputs; o++) top->shapes[o] = SL_SHAPE_UNKNOWN;
    }
    sl_vec_free(&stack);
}

struct sl_shape sl_rewrite_shape(struct sl_rewrite *r, struct sl_port port) {
    if (record_of(r, port.node)->shape == SHAPE_UNSEEN) infer_from(r, port.node);
    return port.node->shapes[port.index];
}

bool sl_rewrite_same_shape(struct sl_rewrite *r, struct sl_port a, struct sl_port b) {
    if (a.node == b.node && a.index == b.index) return true;
    struct sl_shape shape = sl_rewrite_shape(r, a);
    return sl_shape_is_known(shape) && sl_shape_equal(shape, sl_rewrite_shape(r, b));
}

bool sl_rewrite_attr_is(const struct sl_node *n, const char *attr, int64_t value) {
    const struct sl_pb_AttrValue *v = sl_attr_find(&n->attrs, sl_str_of(attr));
    if (!v) return false;
    switch (v->which) {
    case SL_PB_AttrValue_b: return v->b == (value != 0);
    case SL_PB_AttrValue_i: return v->i == value;
    case SL_PB_AttrValue_type: return v->type == value;
    default: return false;
    }
}

bool sl_rewrite_is_kept(const struct sl_rewrite *r, const struct sl_node *n) { return record_of(r, n)->is_kept; }

bool sl_rewrite_is_doomed(const struct sl_rewrite *r, const struct sl_node *n) { return record_of(r, n)->is_doomed; }

void sl_rewrite_set_doomed(struct sl_rewrite *r, const struct sl_node *n, bool is_doomed) {
    struct sl_rewrite_record *record = record_of(r, n);
    if (record->is_doomed == is_doomed) return;
    record->is_doomed = is_doomed;
    r->n_doomed += is_doomed ? 1 : (size_t)-1;
}

void sl_rewrite_remove_doomed(struct sl_rewrite *r) {
    bool *keep = r->n_doomed ? SL_ARENA_ARRAY(&r->scratch, bool, r->graph->nodes.n) : NULL;
    if (r->n_doomed && !keep) fail_memory(r);
    if (!keep) return;
    SL_GRAPH_EACH(n, r->graph) keep[n->id] = !record_of(r, n)->is_doomed;
    sl_graph_keep(r->graph, keep);
    r->n_doomed = 0;
}

/* ---- liveness */

static bool is_switch(const struct sl_node *n) {
    enum sl_flow_kind kind = sl_flow_kind_of(n->op);
    return kind == SL_FLOW_SWITCH || kind == SL_FLOW_SWITCH_N;
}

/* A token of `have` tells that one of `wanted` was there (index -1: of the node). */
static bool tells(struct sl_port have, struct sl_port wanted) {
    return have.node == wanted.node && (have.index == wanted.index || !is_switch(wanted.node));
}

static bool is_covered(const struct sl_rewrite *r, struct sl_port lost, struct sl_port by, int depth) {
    const struct sl_node *from = lost.node, *node = by.node;
    if (!record_of(r, from)->may_lack || tells(by, lost)) return true;
    if (sl_flow_kind_of(node->op) != SL_FLOW_MERGE)
        for (int i = 0; i < node->n_inputs && i < MOST_COVER; i++)
            if (tells(node->inputs[i], lost)) return true;
    for (int i = 0; i < node->n_controls && i < MOST_COVER; i++)
        if (node->controls[i] == from && !is_switch(from)) return true;
    if (depth >= MOST_COVER_DEPTH || !sl_rewrite_is_pure(from) || from->n_inputs + from->n_controls > MOST_COVER)
        return false;
    for (int i = 0; i < from->n_inputs; i++)
        if (!is_covered(r, from->inputs[i], by, depth + 1)) return false;
    for (int i = 0; i < from->n_controls; i++)
        if (!is_covered(r, (struct sl_port){from->controls[i], -1}, by, depth + 1)) return false;
    return true;
}

/* The nodes that must have run where `n` stood and that `by` does not wait for. */
struct waits {
    struct sl_node *of[MOST_COVER];
    int n;
    bool too_many;
};

/* A node that runs where `port` is alive. A Switch itself always runs: the side is what counts. NULL when there is
 * none. */
static struct sl_node *witness(struct sl_rewrite *r, const struct sl_node *n, struct sl_port port) {
    if (port.index < 0 || !is_switch(port.node)) return port.node;
    struct sl_attr type = sl_rewrite_attr_type(r, "T", port.node->out_types[port.index]);
    if (sl_dtype_is_ref(port.node->out_types[port.index])) return NULL;
    return sl_rewrite_emit(r, n, SL_ROW_Identity, &port, 1, &type, 1);
}

static void wait_for(struct waits *w, struct sl_rewrite *r, struct sl_node *n, struct sl_port lost) {
    struct sl_node *from = lost.node;
    for (int i = 0; i < w->n; i++)
        if (w->of[i] == from) return;
    from = w->n == MOST_COVER ? NULL : witness(r, n, lost);
    w->too_many |= !from;
    if (from) w->of[w->n++] = from;
}

static void gather_waits(struct waits *w, struct sl_rewrite *r, struct sl_node *n, struct sl_port by) {
    for (int i = 0; i < n->n_inputs && !w->too_many; i++) {
        struct sl_port lost = n->inputs[i];
        if (is_covered(r, lost, by, 0)) continue;
        if (lost.node->op->index != SL_ROW_Const) {
            wait_for(w, r, n, lost);
            continue;
        }
        for (int c = 0; c < lost.node->n_controls; c++) {
            struct sl_port control = {lost.node->controls[c], -1};
            if (!is_covered(r, control, by, 0)) wait_for(w, r, n, control);
        }
    }
    for (int c = 0; c < n->n_controls && !w->too_many; c++) {
        struct sl_port control = {n->controls[c], -1};
        if (!is_covered(r, control, by, 0)) wait_for(w, r, n, control);
    }
}

/* ---- doing */

static bool check(struct sl_rewrite *r, sl_code code) {
    if (code != SL_OK) r->code = code;
    return code == SL_OK;
}

/* Whether those who wait for `n` can wait for `by` instead, at a price that does not grow with others. */
static bool can_move_controls(const struct sl_node *n, struct sl_port by) {
    for (uint32_t i = 0; i < n->uses.n; i++) {
        if (n->uses.items[i].slot >= 0) continue;
        if (is_switch(by.node) || n->uses.items[i].node->n_controls > MOST_ENTRIES) return false;
    }
    return true;
}

static bool move_controls(struct sl_rewrite *r, struct sl_node *n, struct sl_node *to) {
    for (uint32_t i = n->uses.n; i-- > 0;)
        if (n->uses.items[i].slot < 0) look_again(r, n->uses.items[i].node);
    return check(r, sl_graph_move_followers(r->graph, n, to, r->err));
}

static bool move_uses(struct sl_rewrite *r, struct sl_port from, struct sl_port to) {
    if (sl_dtype_base(from.node->out_types[from.index]) != to.node->out_types[to.index]) return false;
    for (uint32_t i = 0; i < from.node->uses.n; i++)
        if (from.node->uses.items[i].slot >= 0 && from.node->uses.items[i].index == from.index)
            look_again(r, from.node->uses.items[i].node);
    return check(r, sl_graph_replace_uses(r->graph, from, to, r->err));
}

static bool is_read(const struct sl_node *n, int output) {
    for (uint32_t i = 0; i < n->uses.n; i++)
        if (n->uses.items[i].slot >= 0 && n->uses.items[i].index == output) return true;
    return false;
}

/* Where those who wait cannot move, and `by` was there before, they keep `n`, and readers alone leave it. */
static bool replace(struct sl_rewrite *r, struct sl_node *n, int output, struct sl_port by, bool moves_controls) {
    struct waits w = {.n = 0};
    if (r->code != SL_OK || !by.node) return false;
    if (sl_dtype_base(n->out_types[output]) != by.node->out_types[by.index]) return false;
    gather_waits(&w, r, n, by);
    if (w.too_many || r->code != SL_OK) return false;
    if (w.n && by.node->id < r->first_fresh) {
        if (n->op->index == SL_ROW_Identity) return false;
        struct sl_attr type = sl_rewrite_attr_type(r, "T", by.node->out_types[by.index]);
        by = (struct sl_port){sl_rewrite_emit(r, n, SL_ROW_Identity, &by, 1, &type, 1), 0};
        if (!by.node) return false;
    }
    if (moves_controls && !can_move_controls(n, by)) {
        if (is_switch(by.node) || by.node->id >= r->first_fresh || !is_read(n, output)) return false;
        moves_controls = false;
    }
    for (int i = 0; i < w.n; i++)
        if (!check(r, sl_graph_add_control(r->graph, w.of[i], by.node, r->err))) return false;
    if (w.n) record_of(r, by.node)->may_lack = true;
    if (!move_uses(r, (struct sl_port){n, output}, by)) return false;
    if (moves_controls && !move_controls(r, n, by.node)) return false;
    look_again(r, by.node);
    return true;
}

/* What was made to stand in the node's place is known by its name. */
static void take_name(struct sl_rewrite *r, struct sl_node *n, struct sl_node *fresh) {
    if (!record_of(r, n)->is_root) sl_graph_swap_names(r->graph, n, fresh);
}

bool sl_rewrite_replace(struct sl_rewrite *r, struct sl_node *n, struct sl_port by) {
    if (!replace(r, n, 0, by, true)) return false;
    if (n->n_outputs <= 1 && by.node->id >= r->first_fresh) take_name(r, n, by.node);
    return true;
}

bool sl_rewrite_replace_output(struct sl_rewrite *r, struct sl_node *n, int output, struct sl_port by) {
    return replace(r, n, output, by, false);
}

bool sl_rewrite_token(struct sl_rewrite *r, struct sl_node *n) {
    struct waits w = {.n = 0};
    r->first_fresh = (uint32_t)r->graph->nodes.n;
    struct sl_node *token = sl_rewrite_emit(r, n, SL_ROW_NoOp, NULL, 0, NULL, 0);
    if (!token) return false;
    gather_waits(&w, r, n, (struct sl_port){token, -1});
    if (w.too_many || r->code != SL_OK) return false;
    if (!can_move_controls(n, (struct sl_port){token, -1})) {
        if (w.n == 0) sl_rewrite_set_doomed(r, n, true); /* those who wait need not: all leave it at once */
        return w.n == 0;
    }
    if (w.n == 1) return move_controls(r, n, w.of[0]);
    for (int i = 0; i < w.n; i++)
        if (!check(r, sl_graph_add_control(r->graph, w.of[i], token, r->err))) return false;
    record_of(r, token)->may_lack = w.n > 0;
    if (w.n) return move_controls(r, n, token);
    return check(r, sl_graph_move_followers(r->graph, n, NULL, r->err));
}

bool sl_rewrite_resolve_merge(struct sl_rewrite *r, struct sl_node *merge, int slot) {
    struct sl_attr type = sl_rewrite_attr_type(r, "T", merge->out_types[0]);
    int64_t index = slot;
    r->first_fresh = (uint32_t)r->graph->nodes.n;
    if (sl_dtype_is_ref(merge->out_types[0])) return false;
    struct sl_node *value = sl_rewrite_emit(r, merge, SL_ROW_Identity, &merge->inputs[slot], 1, &type, 1);
    struct sl_port which = sl_rewrite_emit_ints(r, merge, SL_INT32, 0, &index, 1);
    if (!value || !which.node || !check(r, sl_graph_add_control(r->graph, value, which.node, r->err))) return false;
    record_of(r, which.node)->may_lack = record_of(r, value)->may_lack = true;
    if (!can_move_controls(merge, (struct sl_port){value, 0})) return false;
    if (!move_uses(r, (struct sl_port){merge, 0}, (struct sl_port){value, 0})) return false;
    if (!move_uses(r, (struct sl_port){merge, 1}, which) || !move_controls(r, merge, value)) return false;
    look_again(r, value);
    take_name(r, merge, value);
    return true;
}

/* Those of `more` may be the op's or internal ones ("_name"), each of which makes one more than the op has. */
static bool fill_attrs(int *n_attrs, struct sl_attr *attrs, const struct sl_op *op, const struct sl_node *origin,
                       const struct sl_attr *more, int n_more) {
    int n = n_more, wanted = op->n_attrs;
    for (int i = 0; i < n_more; i++) {
        attrs[i] = more[i];
        wanted += sl_str_starts(more[i].name, SL_STR("_"));
    }
    for (int a = 0; a < op->n_attrs; a++) {
        bool is_given = false;
        for (int i = 0; i < n_more; i++) is_given |= sl_str_eq(more[i].name, op->attrs[a].name);
        if (is_given) continue;
        const struct sl_pb_AttrValue *value = sl_attr_find(&origin->attrs, op->attrs[a].name);
        if (!value) value = op->attrs[a].default_value;
        if (!value) return false;
        attrs[n++] = (struct sl_attr){op->attrs[a].name, value};
    }
    *n_attrs = n;
    return n == wanted;
}

/* Whether it may be where its origin is. The host has kernels for all that rules make. */
static bool is_served(const struct sl_rewrite *r, const struct sl_node *n) {
    const struct sl_device_type *type = sl_optimise_device(r->options, n);
    const struct sl_kernel_site site = {n->name,      n->op,       &n->attrs,   n->in_types,
                                        n->out_types, n->n_inputs, n->n_outputs};
    const struct sl_kernel_def *def;
    return type == &sl_host_device_type || sl_kernel_find_on(&def, r->options->kernels, &site, type, NULL) == SL_OK;
}

struct sl_node *sl_rewrite_emit(struct sl_rewrite *r, const struct sl_node *origin, uint32_t row,
                                const struct sl_port *inputs, int n_inputs, const struct sl_attr *more, int n_more) {
    const struct sl_op *op;
    struct sl_node *n = NULL;
    if (r->code != SL_OK || !check(r, sl_op_find(&op, r->graph->registry, sl_row_name(row), r->err))) return NULL;
    for (int i = 0; i < n_more; i++)
        if (!more[i].value) return NULL;
    struct sl_attr *attrs = SL_ARENA_ARRAY(&r->scratch, struct sl_attr, (size_t)op->n_attrs + (size_t)n_more);
    struct sl_str name = sl_graph_unique_name(r->graph, origin->name);
    if (!attrs || !name.p) {
        fail_memory(r);
        return NULL;
    }
    int n_attrs;
    if (!fill_attrs(&n_attrs, attrs, op, origin, more, n_more)) return NULL;
    struct sl_node_spec spec = {.name = name,
                                .device = origin->device,
                                .op = op,
                                .attrs = {attrs, n_attrs},
                                .inputs = inputs,
                                .n_inputs = n_inputs};
    struct sl_error why;
    sl_error_clear(&why);
    sl_code code = sl_graph_add_trusted(&n, r->graph, &spec, &why);
    if (code == SL_RESOURCE_EXHAUSTED) check(r, sl_fail(r->err, code, "%s", why.message));
    if (code != SL_OK) return NULL; /* a type that the op does not take */
    n->assigned = origin->assigned;
    if (!add_records(r)) return NULL;
    sl_rewrite_note(r, n);
    return is_served(r, n) ? n : NULL;
}

/* Constants that a rule made for `fresh` live in its frame: they wait for what else it reads. */
static bool put_into_frame(struct sl_rewrite *r, const struct sl_node *fresh) {
    struct sl_port other = {NULL, 0};
    for (int i = fresh->n_inputs; r->has_loops && i-- > 0;)
        if (fresh->inputs[i].node->id < r->first_fresh) other = fresh->inputs[i];
    if (!other.node) return true;
    for (int i = 0; i < fresh->n_inputs; i++) {
        struct sl_node *made = fresh->inputs[i].node;
        if (made->id < r->first_fresh || made->op->index != SL_ROW_Const || made->n_controls) continue;
        struct sl_node *from = witness(r, fresh, other);
        if (!from || !check(r, sl_graph_add_control(r->graph, from, made, r->err))) return false;
        sl_rewrite_note(r, made);
    }
    return true;
}

bool sl_rewrite_become(struct sl_rewrite *r, struct sl_node *n, uint32_t row, const struct sl_port *inputs,
                       int n_inputs, const struct sl_attr *more, int n_more) {
    struct sl_node *fresh = sl_rewrite_emit(r, n, row, inputs, n_inputs, more, n_more);
    if (!fresh || n->uses.n == 0 || !put_into_frame(r, fresh)) return false;
    for (uint32_t i = 0; i < n->uses.n; i++)
        if (n->uses.items[i].index >= fresh->n_outputs) return false;
    if (!replace(r, n, 0, (struct sl_port){fresh, 0}, true)) return false;
    for (int o = 1; o < n->n_outputs && o < fresh->n_outputs; o++)
        if (!move_uses(r, (struct sl_port){n, o}, (struct sl_port){fresh, o})) return false;
    take_name(r, n, fresh);
    return true;
}

/* The tensor is the graph's from here on: its message lies in the graph's arena, its bytes are copied. */
struct sl_port sl_rewrite_emit_constant(struct sl_rewrite *r, const struct sl_node *origin,
                                        const struct sl_tensor *value) {
    struct sl_arena *arena = &r->graph->arena;
    struct sl_pb_TensorProto *proto = SL_ARENA_NEW(arena, struct sl_pb_TensorProto);
    struct sl_port none = {NULL, 0};
    if (!proto || sl_tensor_to_proto(proto, value, arena, NULL)) return none;
    proto->tensor_content = sl_arena_str(arena, proto->tensor_content);
    for (size_t i = 0; i < proto->string_val.n; i++)
        proto->string_val.items[i] = sl_arena_str(arena, proto->string_val.items[i]);
    struct sl_attr attrs[2] = {sl_attr_new(arena, SL_STR("value"), SL_ATTR_VALUE(tensor, proto)),
                               sl_rewrite_attr_type(r, "dtype", value->dtype)};
    struct sl_node *n = sl_rewrite_emit(r, origin, SL_ROW_Const, NULL, 0, attrs, 2);
    if (!n) return none;
    record_of(r, n)->value = sl_tensor_ref((struct sl_tensor *)(uintptr_t)value);
    return (struct sl_port){n, 0};
}

struct sl_port sl_rewrite_emit_ints(struct sl_rewrite *r, const struct sl_node *origin, int dtype, int rank,
                                    const int64_t *values, int n) {
    struct sl_tensor *t;
    int64_t count = n;
    struct sl_port port = {NULL, 0};
    if (dtype != SL_INT32 && dtype != SL_INT64) return port;
    for (int i = 0; i < n; i++)
        if (dtype == SL_INT32 && (values[i] < INT32_MIN || values[i] > INT32_MAX)) return port;
    if (sl_tensor_new(&t, dtype, (struct sl_shape){rank, &count}, NULL)) return port;
    for (int i = 0; i < n; i++) {
        if (dtype == SL_INT32) ((int32_t *)t->data)[i] = (int32_t)values[i];
        else ((int64_t *)t->data)[i] = values[i];
    }
    port = sl_rewrite_emit_constant(r, origin, t);
    sl_tensor_unref(t);
    return port;
}

struct sl_port sl_rewrite_emit_real(struct sl_rewrite *r, const struct sl_node *origin, int dtype, double value) {
    struct sl_tensor *t;
    struct sl_port port = {NULL, 0};
    if (!sl_set_has(SL_SET_FLOATS, dtype) || sl_tensor_new(&t, dtype, SL_SHAPE_SCALAR, NULL)) return port;
    switch (dtype) {
    case SL_FLOAT: *(float *)t->data = (float)value; break;
    case SL_HALF: *(sl_half *)t->data = sl_half_of_float((float)value); break;
    case SL_BFLOAT16: *(sl_bfloat16 *)t->data = sl_bfloat16_of_float((float)value); break;
    default: *(double *)t->data = value;
    }
    port = sl_rewrite_emit_constant(r, origin, t);
    sl_tensor_unref(t);
    return port;
}

struct sl_attr sl_rewrite_attr_type(struct sl_rewrite *r, const char *name, int dtype) {
    return sl_attr_new_type(&r->graph->arena, sl_str_of(name), dtype);
}

struct sl_attr sl_rewrite_attr_int(struct sl_rewrite *r, const char *name, int64_t value) {
    return sl_attr_new(&r->graph->arena, sl_str_of(name), SL_ATTR_VALUE(i, value));
}

struct sl_attr sl_rewrite_attr_bool(struct sl_rewrite *r, const char *name, bool value) {
    return sl_attr_new(&r->graph->arena, sl_str_of(name), SL_ATTR_VALUE(b, value));
}

struct sl_attr sl_rewrite_attr_of(const struct sl_node *n, const char *attr, const char *name) {
    return (struct sl_attr){sl_str_of(name), sl_attr_find(&n->attrs, sl_str_of(attr))};
}
