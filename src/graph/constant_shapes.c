/* Vectors read as shapes, known in part: TensorFlow's rules for what a Reshape, Fill or Placeholder with such an
 * input can say of its output. The recursion is bounded, in depth and in steps; behind the bound all is unknown. */
#include "base/alloc.h"
#include "graph/constants.h"
#include "ops/op_row.h"

enum { MOST_DEPTH = 64, MOST_STEPS = 4096 };

struct reader {
    struct sl_graph *graph;
    struct sl_arena *arena;
    struct sl_error *err;
    int depth, steps;
};

static sl_code read(struct sl_shape *out, struct reader *r, struct sl_port port);

static sl_code new_dims(int64_t **out, struct reader *r, int64_t rank) {
    if (rank > SL_MAX_RANK)
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Shape has %lld dimensions; at most %d are allowed",
                       (long long)rank, SL_MAX_RANK);
    *out = sl_arena_alloc(r->arena, (size_t)rank * sizeof **out);
    return *out ? SL_OK : sl_fail_memory(r->err, (size_t)rank * sizeof **out);
}

static sl_code unknown_dims(struct sl_shape *out, struct reader *r, int64_t rank) {
    int64_t *dims;
    SL_TRY(new_dims(&dims, r, rank));
    for (int i = 0; i < rank; i++) dims[i] = -1;
    *out = (struct sl_shape){(int)rank, dims};
    return SL_OK;
}

static bool is_int(const struct sl_tensor *t) { return t->dtype == SL_INT32 || t->dtype == SL_INT64; }

static int64_t get_int(const struct sl_tensor *t, int64_t i) {
    return t->dtype == SL_INT32 ? ((const int32_t *)t->data)[i] : ((const int64_t *)t->data)[i];
}

static sl_code by_value(struct sl_shape *out, struct reader *r, const struct sl_tensor *t) {
    int64_t *dims;
    if (!is_int(t))
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Input tensor must be int32 or int64, but was %s",
                       sl_dtype_name(t->dtype));
    if (t->rank != 1)
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Input tensor must be rank 1, but was rank %d", t->rank);
    SL_TRY(new_dims(&dims, r, t->count));
    for (int64_t i = 0; i < t->count; i++) {
        dims[i] = get_int(t, i);
        if (dims[i] < -1)
            return sl_fail(r->err, SL_INVALID_ARGUMENT, "Invalid value in tensor used for shape: %lld",
                           (long long)dims[i]);
    }
    *out = (struct sl_shape){(int)t->count, dims};
    return SL_OK;
}

/* The value when there is one, else the length. */
static sl_code by_value_or_length(struct sl_shape *out, struct reader *r, struct sl_port port) {
    const struct sl_tensor *t = sl_graph_constant(r->graph, port);
    if (t) return by_value(out, r, t);
    struct sl_shape shape = port.node->shapes[port.index];
    if (shape.rank != 1 || shape.dims[0] < 0) return SL_OK;
    return unknown_dims(out, r, shape.dims[0]);
}

static sl_code of_scalar(struct sl_shape *out, struct reader *r, struct sl_port port) {
    const struct sl_tensor *t = sl_graph_constant(r->graph, port);
    if (!t)
        return sl_fail(r->err, SL_INVALID_ARGUMENT,
                       "Received a shape scalar with unknown static value.  A static value of '-1' is required to "
                       "represent an unknown shape.");
    if (t->rank == 0 && is_int(t) && get_int(t, 0) == -1) {
        *out = SL_SHAPE_UNKNOWN;
        return SL_OK;
    }
    return sl_fail(r->err, SL_INVALID_ARGUMENT,
                   "Received an invalid shape scalar with a static value that is not '-1'");
}

static sl_code of_cast(struct sl_shape *out, struct reader *r, struct sl_port port) {
    struct sl_node *cast = port.node;
    const struct sl_tensor *t = sl_graph_constant(r->graph, port);
    if (t && by_value(out, r, t) == SL_OK) return SL_OK;
    struct sl_shape before = SL_SHAPE_UNKNOWN;
    struct sl_error *err = r->err;
    r->err = NULL; /* what cannot be read is unknown */
    sl_code code = read(&before, r, cast->inputs[0]);
    r->err = err;
    *out = SL_SHAPE_UNKNOWN;
    if (code != SL_OK || before.rank < 0)
        return code == SL_RESOURCE_EXHAUSTED ? sl_fail_memory(err, sizeof(int64_t)) : SL_OK;
    if (cast->out_types[0] != SL_INT32 && cast->out_types[0] != SL_INT64) return unknown_dims(out, r, before.rank);
    *out = before;
    return SL_OK;
}

static sl_code of_pack(struct sl_shape *out, struct reader *r, struct sl_port port) {
    struct sl_node *pack = port.node;
    int64_t *dims;
    SL_TRY(new_dims(&dims, r, pack->n_inputs));
    for (int i = 0; i < pack->n_inputs; i++) {
        const struct sl_tensor *t = sl_graph_constant(r->graph, pack->inputs[i]);
        dims[i] = -1;
        if (!t) continue;
        if (t->count != 1 || !is_int(t))
            return sl_fail(r->err, SL_INVALID_ARGUMENT, "A dimension of a shape must be an integer scalar");
        if (get_int(t, 0) >= 0) dims[i] = get_int(t, 0);
    }
    *out = (struct sl_shape){pack->n_inputs, dims};
    return SL_OK;
}

static sl_code of_concat(struct sl_shape *out, struct reader *r, struct sl_port port) {
    struct sl_node *concat = port.node;
    int axis = concat->op->index == SL_ROW_Concat ? 0 : concat->n_inputs - 1;
    struct sl_shape whole = SL_SHAPE_SCALAR;
    for (int i = 0; i < concat->n_inputs; i++) {
        if (i == axis) continue;
        struct sl_shape part = SL_SHAPE_UNKNOWN;
        SL_TRY(read(&part, r, concat->inputs[i]));
        if (part.rank < 0) return SL_OK;
        int64_t *dims;
        SL_TRY(new_dims(&dims, r, whole.rank + part.rank));
        if (whole.rank) memcpy(dims, whole.dims, (size_t)whole.rank * sizeof *dims);
        if (part.rank) memcpy(dims + whole.rank, part.dims, (size_t)part.rank * sizeof *dims);
        whole = (struct sl_shape){whole.rank + part.rank, dims};
    }
    *out = whole;
    return SL_OK;
}

static bool read_bound(int64_t *out, struct reader *r, struct sl_port port) {
    const struct sl_tensor *t = sl_graph_constant(r->graph, port);
    if (!t || t->count != 1 || !is_int(t)) return false;
    *out = get_int(t, 0);
    return true;
}

static bool read_mask(int64_t *out, const struct sl_node *node, const char *name) {
    return sl_attr_int(out, &node->attrs, name, NULL) == SL_OK;
}

static sl_code slice_dims(struct sl_shape *out, struct reader *r, struct sl_shape whole, int64_t begin, int64_t end,
                          int64_t stride) {
    int64_t rank = whole.rank, from = begin > rank ? rank : begin, to = end > rank ? rank : end, *dims;
    if (stride > rank) stride = rank + 1;
    if (stride < -rank) stride = -rank - 1;
    if (stride < 0 && from == rank) from--;
    if (from < 0) from += rank;
    if (to < 0) to += rank;
    if (from < 0 || to < 0)
        return sl_fail(r->err, SL_INVALID_ARGUMENT, "Subshape %s out of bounds: %lld, for shape with rank %d",
                       from < 0 ? "start" : "end", (long long)(from < 0 ? begin : end), whole.rank);
    if (stride > 0 ? from > to : from < to)
        return sl_fail(r->err, SL_INVALID_ARGUMENT,
                       "Subshape must have computed start %s end%s, but is %lld and %lld (computed from start %lld and "
                       "end %lld over shape with rank %d)",
                       stride > 0 ? "<=" : ">=", stride > 0 ? "" : " since stride is negative", (long long)from,
                       (long long)to, (long long)begin, (long long)end, whole.rank);
    int n = 0;
    SL_TRY(new_dims(&dims, r, rank));
    for (int64_t i = from; stride > 0 ? i < to : i > to; i += stride) dims[n++] = whole.dims[i];
    *out = (struct sl_shape){n, dims};
    return SL_OK;
}

/* Of a slice with one begin, end and stride alone. */
static sl_code of_slice(struct sl_shape *out, struct reader *r, struct sl_port port) {
    struct sl_node *slice = port.node;
    int64_t begin = 0, end = INT64_MAX, stride, begin_mask, end_mask, ellipsis, new_axis, shrink;
    for (int i = 1; i < 4; i++) {
        struct sl_port from = slice->inputs[i];
        struct sl_shape shape = from.node ? from.node->shapes[from.index] : SL_SHAPE_UNKNOWN;
        if (shape.rank != 1 || shape.dims[0] != 1) return by_value_or_length(out, r, port);
    }
    if (!read_mask(&begin_mask, slice, "begin_mask") || !read_mask(&end_mask, slice, "end_mask") ||
        !read_mask(&ellipsis, slice, "ellipsis_mask") || !read_mask(&new_axis, slice, "new_axis_mask") ||
        !read_mask(&shrink, slice, "shrink_axis_mask"))
        return SL_OK;
    if (begin_mask & ~1 || end_mask & ~1 || ellipsis || new_axis || shrink) return by_value_or_length(out, r, port);
    if (!begin_mask && !read_bound(&begin, r, slice->inputs[1])) return SL_OK;
    if (!end_mask && !read_bound(&end, r, slice->inputs[2])) return SL_OK;
    if (!read_bound(&stride, r, slice->inputs[3]) || stride == 0) return SL_OK;
    struct sl_shape whole = SL_SHAPE_UNKNOWN;
    SL_TRY(read(&whole, r, slice->inputs[0]));
    if (whole.rank < 0) return SL_OK;
    return slice_dims(out, r, whole, begin, end, stride);
}

static sl_code read_known(struct sl_shape *out, struct reader *r, struct sl_port port) {
    struct sl_node *node = port.node;
    struct sl_port from = node->n_inputs ? node->inputs[0] : (struct sl_port){NULL, 0};
    switch (node->op->index) {
    case SL_ROW_Cast: return of_cast(out, r, port);
    case SL_ROW_Shape:
        if (from.node) *out = from.node->shapes[from.index];
        return SL_OK;
    case SL_ROW_ShapeN:
        from = node->inputs[port.index];
        if (from.node) *out = from.node->shapes[from.index];
        return SL_OK;
    case SL_ROW_Pack: return of_pack(out, r, port);
    case SL_ROW_Concat:
    case SL_ROW_ConcatV2: return of_concat(out, r, port);
    case SL_ROW_StridedSlice: return of_slice(out, r, port);
    case SL_ROW_VariableShape:
        if (from.node && from.node->handles && from.node->handles[from.index].n)
            *out = from.node->handles[from.index].items[0].shape;
        return SL_OK;
    default: return by_value_or_length(out, r, port);
    }
}

static sl_code read(struct sl_shape *out, struct reader *r, struct sl_port port) {
    *out = SL_SHAPE_UNKNOWN;
    if (!port.node || r->depth >= MOST_DEPTH || r->steps++ >= MOST_STEPS) return SL_OK;
    struct sl_shape shape = port.node->shapes[port.index];
    if (shape.rank == 0) return of_scalar(out, r, port);
    if (shape.rank > 1) return sl_fail(r->err, SL_INVALID_ARGUMENT, "Shape must be rank 1 but is rank %d", shape.rank);
    if (shape.rank == 1 && shape.dims[0] == 0) {
        *out = SL_SHAPE_SCALAR;
        return SL_OK;
    }
    r->depth++;
    sl_code code = read_known(out, r, port);
    r->depth--;
    return code;
}

sl_code sl_constants_shape(struct sl_shape *out, struct sl_graph *graph, struct sl_port port, struct sl_error *err) {
    struct reader r = {.graph = graph, .arena = &graph->arena, .err = err};
    return read(out, &r, port);
}
