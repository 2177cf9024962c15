/* Values of outputs that depend on nothing fed: what shape functions ask for, and TF_TryEvaluateConstant.
 *
 * Each node is evaluated at most once and its values are kept, whether it has any or not. The walk to its inputs is
 * a loop with its own stack: chains of any length are fine. What is read as a shape (constant_shapes.c) may be known
 * in part. */
#include "graph/constants.h"

#include "base/alloc.h"
#include "ops/op_effects.h"
#include "ops/op_row.h"
#include "tensor/tensor_proto.h"

enum state { UNSEEN, OPEN, NOTHING, KNOWN };

struct values {
    int n;
    struct sl_tensor *of[]; /* of each output; NULL where unknown */
};

struct sl_constant_cache {
    struct slot {
        enum state state;
        struct values *values; /* when KNOWN */
    } * slots;                 /* by node id */
    size_t n;
};

enum {
    MOST_BYTES = 1 << 20,        /* of the inputs or outputs of a node that the evaluator runs */
    MOST_BYTES_UNKNOWN = 1 << 14 /* of its inputs, when it is not known how large the outputs become */
};

/* ---- the cache */
static struct slot *slot_of(struct sl_graph *graph, const struct sl_node *node) {
    if (!graph->constants) graph->constants = sl_calloc(1, sizeof *graph->constants);
    struct sl_constant_cache *cache = graph->constants;
    if (!cache) return NULL;
    if (node->id >= cache->n) {
        size_t n = graph->nodes.n + graph->nodes.n / 2 + 16;
        struct slot *more = sl_realloc(cache->slots, n * sizeof *more);
        if (!more) return NULL;
        memset(more + cache->n, 0, (n - cache->n) * sizeof *more);
        cache->slots = more;
        cache->n = n;
    }
    return &cache->slots[node->id];
}

static void forget(struct slot *slot) {
    if (slot->state == KNOWN) {
        for (int o = 0; o < slot->values->n; o++) sl_tensor_unref(slot->values->of[o]);
        sl_free(slot->values);
    }
    *slot = (struct slot){0};
}

void sl_constants_truncate(struct sl_graph *graph, size_t first) {
    if (!graph->constants) return;
    for (size_t id = first; id < graph->constants->n; id++) forget(&graph->constants->slots[id]);
}

void sl_constants_free(struct sl_graph *graph) {
    if (!graph->constants) return;
    sl_constants_truncate(graph, 0);
    sl_free(graph->constants->slots);
    sl_free(graph->constants);
    graph->constants = NULL;
}

/* ---- ops evaluated here */
static sl_code new_ints(struct sl_tensor **out, int dtype, int rank, int64_t n) {
    return sl_tensor_new(out, dtype, (struct sl_shape){rank, &n}, NULL);
}

static void set_int(struct sl_tensor *t, int64_t i, int64_t value) {
    if (t->dtype == SL_INT32) ((int32_t *)t->data)[i] = (int32_t)value;
    else ((int64_t *)t->data)[i] = value;
}

static int64_t get_int(const struct sl_tensor *t, int64_t i) {
    return t->dtype == SL_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
}

static bool is_int(int dtype) { return dtype == SL_INT32 || dtype == SL_INT64; }

static bool fits(int dtype, int64_t value) { return dtype != SL_INT32 || (value >= INT32_MIN && value <= INT32_MAX); }

/* Shape, ShapeN, Size, Rank: from what inference knows of the input. */
static bool measure(struct sl_tensor **out, const struct sl_node *node, int input, int output) {
    struct sl_port from = node->inputs[input];
    int dtype = node->out_types[output];
    int64_t count;
    if (!from.node || !is_int(dtype)) return false;
    struct sl_shape shape = from.node->shapes[from.index];
    if (shape.rank < 0) return false;
    if (node->op->index == SL_ROW_Rank) {
        if (new_ints(out, dtype, 0, 0)) return false;
        set_int(*out, 0, shape.rank);
        return true;
    }
    if (!sl_shape_is_known(shape) || sl_shape_count(&count, shape, NULL)) return false;
    if (node->op->index == SL_ROW_Size) {
        if (!fits(dtype, count) || new_ints(out, dtype, 0, 0)) return false;
        set_int(*out, 0, count);
        return true;
    }
    for (int d = 0; d < shape.rank; d++)
        if (!fits(dtype, shape.dims[d])) return false;
    if (new_ints(out, dtype, 1, shape.rank)) return false;
    for (int d = 0; d < shape.rank; d++) set_int(*out, d, shape.dims[d]);
    return true;
}

/* A vector of integers from scalars. */
static bool pack(struct sl_tensor **out, const struct sl_node *node, const struct sl_tensor *const *in) {
    int dtype = node->out_types[0];
    for (int i = 0; i < node->n_inputs; i++)
        if (!is_int(in[i]->dtype) || in[i]->rank != 0 || in[i]->dtype != dtype) return false;
    if (new_ints(out, dtype, 1, node->n_inputs)) return false;
    for (int i = 0; i < node->n_inputs; i++) set_int(*out, i, get_int(in[i], 0));
    return true;
}

/* Vectors of integers, one after the other. */
static bool concat(struct sl_tensor **out, const struct sl_node *node, const struct sl_tensor *const *in) {
    int dtype = node->out_types[0], axis = node->op->index == SL_ROW_Concat ? 0 : node->n_inputs - 1;
    int64_t n = 0, at = 0;
    for (int i = 0; i < node->n_inputs; i++) {
        if (i == axis) continue;
        if (!is_int(in[i]->dtype) || in[i]->rank != 1 || in[i]->dtype != dtype) return false;
        n += in[i]->count;
        if (n > MOST_BYTES) return false;
    }
    if (!is_int(in[axis]->dtype) || in[axis]->count != 1) return false;
    if (get_int(in[axis], 0) != 0 && get_int(in[axis], 0) != -1) return false;
    if (new_ints(out, dtype, 1, n)) return false;
    for (int i = 0; i < node->n_inputs; i++)
        if (i != axis)
            for (int64_t k = 0; k < in[i]->count; k++) set_int(*out, at++, get_int(in[i], k));
    return true;
}

static bool mask(int64_t *out, const struct sl_node *node, const char *name) {
    return sl_attr_int(out, &node->attrs, name, NULL) == SL_OK;
}

/* A vector of integers: of a value, or of dims of which some may be unknown. */
struct vector {
    const struct sl_tensor *value;
    struct sl_shape dims; /* when there is no value */
    int dtype;
};

static int64_t vector_length(const struct vector *v) { return v->value ? v->value->count : v->dims.rank; }

/* False for a dim that is unknown, or too large for the type. */
static bool vector_at(int64_t *out, const struct vector *v, int64_t i) {
    *out = v->value ? get_int(v->value, i) : v->dims.dims[i];
    return v->value || (*out >= 0 && fits(v->dtype, *out));
}

/* The first input of a slice; a Shape that is known in part has no value, but its dims do. */
static bool sliced_vector(struct vector *v, const struct sl_node *node, const struct sl_tensor *value) {
    struct sl_port from = node->inputs[0];
    *v = (struct vector){.value = value, .dtype = node->out_types[0]};
    if (value) return is_int(value->dtype) && value->rank == 1;
    if (from.node->op->index != SL_ROW_Shape || !is_int(v->dtype)) return false;
    struct sl_port measured = from.node->inputs[0];
    if (measured.node) v->dims = measured.node->shapes[measured.index];
    return measured.node && v->dims.rank >= 0;
}

/* Where a slice of n elements begins and ends, clamped as Python does it; false when there is nothing to tell. */
static bool slice_bounds(int64_t *begin, int64_t *count, int64_t n, int64_t end, int64_t stride, bool from_start,
                         bool to_end) {
    if (stride == 0 || stride == INT64_MIN) return false;
    int64_t lowest = stride > 0 ? 0 : -1, highest = stride > 0 ? n : n - 1;
    if (*begin < 0) *begin += n;
    if (end < 0) end += n;
    *begin = *begin < lowest ? lowest : *begin > highest ? highest : *begin;
    end = end < lowest ? lowest : end > highest ? highest : end;
    if (from_start) *begin = stride > 0 ? lowest : highest;
    if (to_end) end = stride > 0 ? highest : lowest;
    int64_t distance = stride > 0 ? end - *begin : *begin - end, step = stride > 0 ? stride : -stride;
    *count = distance > 0 ? (distance - 1) / step + 1 : 0;
    return true;
}

/* One begin, end and stride on a vector of integers. */
static bool strided_slice(struct sl_tensor **out, const struct sl_node *node, const struct sl_tensor *const *in) {
    struct vector v;
    int64_t begin_mask, end_mask, ellipsis, new_axis, shrink, value, count;
    if (!sliced_vector(&v, node, in[0])) return false;
    for (int i = 1; i < 4; i++)
        if (!is_int(in[i]->dtype) || in[i]->rank != 1 || in[i]->count != 1) return false;
    if (!mask(&begin_mask, node, "begin_mask") || !mask(&end_mask, node, "end_mask") ||
        !mask(&ellipsis, node, "ellipsis_mask") || !mask(&new_axis, node, "new_axis_mask") ||
        !mask(&shrink, node, "shrink_axis_mask") || (ellipsis & 1) || (new_axis & 1))
        return false;
    int64_t n = vector_length(&v), begin = get_int(in[1], 0), end = get_int(in[2], 0), stride = get_int(in[3], 0);
    if (shrink & 1) {
        if (begin < 0) begin += n;
        if (begin < 0 || begin >= n || stride <= 0 || !vector_at(&value, &v, begin)) return false;
        if (new_ints(out, v.dtype, 0, 0)) return false;
        set_int(*out, 0, value);
        return true;
    }
    if (!slice_bounds(&begin, &count, n, end, stride, begin_mask & 1, end_mask & 1)) return false;
    for (int64_t i = 0; i < count; i++)
        if (!vector_at(&value, &v, begin + i * stride)) return false;
    if (new_ints(out, v.dtype, 1, count)) return false;
    for (int64_t i = 0; i < count; i++) {
        vector_at(&value, &v, begin + i * stride);
        set_int(*out, i, value);
    }
    return true;
}

/* The side that a known predicate chooses; the other has no value. */
static bool switch_side(struct values *out, const struct sl_tensor *const *in) {
    if (in[1]->dtype != SL_BOOL || in[1]->rank != 0) return false;
    out->of[*(const bool *)in[1]->data] = sl_tensor_ref((struct sl_tensor *)in[0]);
    return true;
}

static bool cast(struct sl_tensor **out, const struct sl_node *node, const struct sl_tensor *t) {
    int dtype = node->out_types[0];
    if (!is_int(t->dtype) || !is_int(dtype) || sl_tensor_new(out, dtype, sl_tensor_shape(t), NULL)) return false;
    for (int64_t i = 0; i < t->count; i++) set_int(*out, i, get_int(t, i));
    return true;
}

static bool constant(struct sl_tensor **out, const struct sl_node *node) {
    const struct sl_pb_TensorProto *proto;
    return sl_attr_tensor(&proto, &node->attrs, "value", NULL) == SL_OK && proto->dtype == node->out_types[0] &&
           sl_tensor_from_proto(out, proto, NULL) == SL_OK;
}

static bool argument(struct sl_tensor **out, const struct sl_graph *graph, const struct sl_node *node) {
    int index;
    struct sl_shape_ctx *caller = graph->caller;
    if (!caller || sl_attr_int32(&index, &node->attrs, "index", NULL) || index < 0 || index >= caller->n_in)
        return false;
    const struct sl_tensor *value = sl_infer_constant(caller, index);
    if (!value || value->dtype != node->out_types[0]) return false;
    *out = sl_tensor_ref((struct sl_tensor *)value);
    return true;
}

/* ---- which nodes have values */
enum way { NO_WAY, ALONE, FROM_INPUTS, BY_EVALUATOR };

static bool is_small(struct sl_shape shape, int dtype, size_t most) {
    int64_t n;
    return sl_shape_is_known(shape) && !sl_shape_count(&n, shape, NULL) &&
           (uint64_t)n <= most / (sl_dtype_size(dtype) ? sl_dtype_size(dtype) : 1);
}

/* A pure op on plain data, whose value is that of its inputs alone. */
static bool may_run(const struct sl_node *node) {
    const struct sl_op *op = node->op;
    if (!sl_op_is_pure(op) || node->n_inputs == 0 || sl_op_takes_functions(op)) return false;
    if (sl_flow_kind_of(op) != SL_FLOW_NONE || op->index == SL_ROW_PlaceholderWithDefault) return false;
    for (int i = 0; i < node->n_inputs; i++)
        if (node->in_types[i] != SL_STRING && !sl_dtype_is_plain(node->in_types[i])) return false;
    for (int o = 0; o < node->n_outputs; o++)
        if (sl_dtype_is_ref(node->out_types[o]) ||
            (node->out_types[o] != SL_STRING && !sl_dtype_is_plain(node->out_types[o])))
            return false;
    return true;
}

static enum way way_of(const struct sl_graph *graph, const struct sl_node *node) {
    if (sl_op_has(node->op, SL_OP_TELLS_SHAPE)) return ALONE;
    switch (node->op->index) {
    case SL_ROW_Const:
    case SL_ROW__Arg: return ALONE;
    case SL_ROW_Identity:
    case SL_ROW_Pack:
    case SL_ROW_Concat:
    case SL_ROW_ConcatV2:
    case SL_ROW_StridedSlice:
    case SL_ROW_Switch:
    case SL_ROW_Cast: return FROM_INPUTS;
    default: return graph->evaluator && may_run(node) ? BY_EVALUATOR : NO_WAY;
    }
}

static bool evaluate_alone(struct values *out, const struct sl_graph *graph, const struct sl_node *node) {
    bool has_some = false;
    switch (node->op->index) {
    case SL_ROW_Const: return constant(&out->of[0], node);
    case SL_ROW__Arg: return argument(&out->of[0], graph, node);
    case SL_ROW_ShapeN:
        for (int o = 0; o < node->n_outputs; o++) has_some |= measure(&out->of[o], node, o, o);
        return has_some;
    default: return measure(&out->of[0], node, 0, 0);
    }
}

static bool evaluate_here(struct values *out, const struct sl_node *node, const struct sl_tensor *const *in) {
    switch (node->op->index) {
    case SL_ROW_Identity: out->of[0] = sl_tensor_ref((struct sl_tensor *)in[0]); return true;
    case SL_ROW_Pack: return pack(&out->of[0], node, in);
    case SL_ROW_Concat:
    case SL_ROW_ConcatV2: return concat(&out->of[0], node, in);
    case SL_ROW_StridedSlice: return strided_slice(&out->of[0], node, in);
    case SL_ROW_Switch: return switch_side(out, in);
    case SL_ROW_Cast: return cast(&out->of[0], node, in[0]);
    default: return false;
    }
}

static bool run(struct values *out, struct sl_graph *graph, const struct sl_node *node,
                const struct sl_tensor *const *in) {
    if (!graph->evaluator || !may_run(node)) return false;
    size_t bytes = 0;
    bool has_some = false, sizes_known = true, has_strings = false;
    for (int i = 0; i < node->n_inputs; i++) {
        if (!in[i]) return false;
        bytes += in[i]->bytes;
        has_strings |= in[i]->dtype == SL_STRING;
    }
    for (int o = 0; o < node->n_outputs; o++)
        if (!is_small(node->shapes[o], node->out_types[o], MOST_BYTES)) {
            if (sl_shape_is_known(node->shapes[o])) return false;
            sizes_known = false;
        }
    if (!sizes_known && has_strings) return false; /* a small picture may hold a large one */
    if (bytes > (sizes_known ? MOST_BYTES : MOST_BYTES_UNKNOWN)) return false;
    if (graph->evaluator->evaluate(out->of, graph->evaluator->arg, node, in, NULL)) return false;
    for (int o = 0; o < node->n_outputs; o++) has_some |= out->of[o] != NULL;
    return has_some;
}

/* ---- the walk */
struct walk {
    struct sl_graph *graph;
    SL_VEC(struct sl_node *) stack;
    SL_VEC(const struct sl_tensor *) in; /* scratch: values of one node's inputs */
};

/* The values of a node whose inputs are all known. */
static bool settle(struct walk *w, struct sl_node *node, enum way way) {
    struct values *values = sl_calloc(1, sizeof *values + (size_t)node->n_outputs * sizeof *values->of);
    if (!values) return false;
    values->n = node->n_outputs;
    bool is_known = way == ALONE ? evaluate_alone(values, w->graph, node)
                                 : evaluate_here(values, node, w->in.items) || run(values, w->graph, node, w->in.items);
    if (!is_known) {
        for (int o = 0; o < values->n; o++) sl_tensor_unref(values->of[o]);
        sl_free(values);
        return false;
    }
    *slot_of(w->graph, node) = (struct slot){KNOWN, values};
    return true;
}

/* Looks at the top of the stack: pushes an input that is not known yet, or settles it. */
static bool step(struct walk *w) {
    struct sl_node *node = w->stack.items[w->stack.n - 1];
    enum way way = way_of(w->graph, node);
    bool can_be_known = way != NO_WAY;
    w->in.n = 0;
    for (int i = 0; i < node->n_inputs && can_be_known && way != ALONE; i++) {
        struct sl_port from = node->inputs[i];
        struct slot *slot = from.node ? slot_of(w->graph, from.node) : NULL;
        if (slot && slot->state == UNSEEN) {
            slot->state = OPEN;
            return sl_vec_push(&w->stack, from.node) == 0;
        }
        const struct sl_tensor *value = slot && slot->state == KNOWN ? slot->values->of[from.index] : NULL;
        bool may_lack = from.node && i == 0 && node->op->index == SL_ROW_StridedSlice; /* see sliced_vector */
        can_be_known = (value || may_lack) && sl_vec_push(&w->in, value) == 0;
    }
    if (!can_be_known || !settle(w, node, way)) slot_of(w->graph, node)->state = NOTHING;
    w->stack.n--;
    return true;
}

static void walk_from(struct sl_graph *graph, struct sl_node *node) {
    struct walk w = {.graph = graph};
    struct slot *slot = slot_of(graph, node);
    if (!slot || sl_vec_push(&w.stack, node)) return;
    slot->state = OPEN;
    while (w.stack.n && step(&w)) continue;
    while (w.stack.n) slot_of(graph, w.stack.items[--w.stack.n])->state = UNSEEN; /* memory ran out */
    sl_vec_free(&w.stack);
    sl_vec_free(&w.in);
}

const struct sl_tensor *sl_graph_constant(struct sl_graph *graph, struct sl_port port) {
    if (!port.node || port.index < 0 || port.index >= port.node->n_outputs) return NULL;
    struct slot *slot = slot_of(graph, port.node);
    if (slot && slot->state == UNSEEN) {
        walk_from(graph, port.node);
        slot = slot_of(graph, port.node);
    }
    return slot && slot->state == KNOWN ? slot->values->of[port.index] : NULL;
}
