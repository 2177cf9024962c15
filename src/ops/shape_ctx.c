/* What shape functions stand on: reading inputs, values and attrs, merging and computing shapes, setting outputs.
 *
 * Unknown is -1, for ranks and for dims. Whatever is made here lives in the context's arena; a shape that need not
 * change is passed on as it came, without a copy. Texts of errors are those TensorFlow's users know. */
#include "ops/shape_ctx.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/checked.h"
#include "ops/attr.h"

/* ---- making shapes */
static sl_code new_dims(int64_t **out, struct sl_shape_ctx *c, int rank) {
    if (rank > SL_MAX_RANK)
        return sl_infer_fail(c, "Shape has %d dimensions; at most %d are allowed", rank, SL_MAX_RANK);
    size_t bytes = (size_t)rank * sizeof **out;
    *out = sl_arena_alloc(c->arena, bytes);
    return *out ? SL_OK : sl_fail_memory(c->err, bytes);
}

struct sl_shape sl_infer_in(const struct sl_shape_ctx *c, int i) {
    return i >= 0 && i < c->n_in ? c->in[i] : SL_SHAPE_UNKNOWN;
}

struct sl_shape sl_infer_vector(struct sl_shape_ctx *c, int64_t n) {
    int64_t *dims = sl_arena_alloc(c->arena, sizeof *dims);
    if (!dims) return SL_SHAPE_UNKNOWN;
    dims[0] = n < 0 ? -1 : n;
    return (struct sl_shape){1, dims};
}

struct sl_shape sl_infer_unknown_of_rank(struct sl_shape_ctx *c, int rank) {
    if (rank <= 0) return (struct sl_shape){rank < 0 ? -1 : 0, NULL};
    int64_t *dims = sl_arena_alloc(c->arena, (size_t)rank * sizeof *dims);
    if (!dims) return SL_SHAPE_UNKNOWN;
    for (int i = 0; i < rank; i++) dims[i] = -1;
    return (struct sl_shape){rank, dims};
}

int64_t *sl_infer_dims(struct sl_shape_ctx *c, struct sl_shape s) {
    if (s.rank <= 0) return NULL;
    size_t bytes = (size_t)s.rank * sizeof *s.dims;
    int64_t *dims = sl_arena_alloc(c->arena, bytes);
    return dims ? memcpy(dims, s.dims, bytes) : NULL;
}

int64_t sl_infer_count(struct sl_shape s) {
    int64_t n = 1;
    bool is_known = s.rank >= 0;
    for (int i = 0; i < s.rank; i++) {
        if (s.dims[i] == 0) return 0;
        if (s.dims[i] < 0 || !sl_mul_i64(&n, n, s.dims[i])) is_known = false;
    }
    return is_known ? n : -1;
}

sl_code sl_infer_fail(struct sl_shape_ctx *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    sl_code code = sl_fail_v(c->err, SL_INVALID_ARGUMENT, format, args);
    va_end(args);
    return code;
}

/* ---- attrs and arguments */
sl_code sl_infer_int(int64_t *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_int(out, c->attrs, attr, c->err);
}

sl_code sl_infer_bool(bool *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_bool(out, c->attrs, attr, c->err);
}

sl_code sl_infer_float(float *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_float(out, c->attrs, attr, c->err);
}

sl_code sl_infer_type(int *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_type(out, c->attrs, attr, c->err);
}

sl_code sl_infer_string(struct sl_str *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_string(out, c->attrs, attr, c->err);
}

sl_code sl_infer_shape_attr(struct sl_shape *out, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_shape(out, c->arena, c->attrs, attr, c->err);
}

sl_code sl_infer_int_list(const int64_t **out, int *n, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_int_list(out, n, c->attrs, attr, c->err);
}

sl_code sl_infer_shape_list(const struct sl_shape **out, int *n, struct sl_shape_ctx *c, const char *attr) {
    return sl_attr_shape_list(out, n, c->arena, c->attrs, attr, c->err);
}

/* Tensors an argument stands for; -1 when the attr that says it is missing. */
static int64_t tensors_of(const struct sl_shape_ctx *c, const struct sl_op_arg *arg) {
    if (!sl_op_arg_is_list(arg)) return 1;
    int at = arg->number_attr >= 0 ? arg->number_attr : arg->type_list_attr;
    const struct sl_pb_AttrValue *value = sl_attr_find(c->attrs, c->op->attrs[at].name);
    if (!value) return -1;
    if (arg->number_attr >= 0) return value->which == SL_PB_AttrValue_i ? value->i : -1;
    return value->which == SL_PB_AttrValue_list ? (int64_t)value->list->type.n : -1;
}

bool sl_infer_arg(int *first, int *n, struct sl_shape_ctx *c, const char *arg) {
    int64_t at = 0;
    for (int i = 0; i < c->op->n_inputs; i++) {
        int64_t count = tensors_of(c, &c->op->inputs[i]);
        if (count < 0 || count > c->n_in - at) return false;
        if (sl_str_is(c->op->inputs[i].name, arg)) {
            *first = (int)at;
            *n = (int)count;
            return true;
        }
        at += count;
    }
    return false;
}

/* ---- values */
const struct sl_tensor *sl_infer_constant(struct sl_shape_ctx *c, int i) {
    if (!c->constant || i < 0 || i >= c->n_in) return NULL;
    return c->constant(c, i);
}

bool sl_infer_constant_ints(const int64_t **values, int64_t *n, struct sl_shape_ctx *c, int i) {
    const struct sl_tensor *t = sl_infer_constant(c, i);
    if (!t || (t->dtype != SL_INT32 && t->dtype != SL_INT64)) return false;
    *n = t->count;
    if (t->dtype == SL_INT64) {
        *values = t->data;
        return true;
    }
    int64_t *wide = sl_arena_array(c->arena, (size_t)t->count, sizeof *wide);
    if (!wide) return false;
    const int32_t *narrow = t->data;
    for (int64_t k = 0; k < t->count; k++) wide[k] = narrow[k];
    *values = wide;
    return true;
}

static sl_code shape_of_values(struct sl_shape *out, struct sl_shape_ctx *c, const struct sl_tensor *t) {
    if (t->dtype != SL_INT32 && t->dtype != SL_INT64)
        return sl_infer_fail(c, "Input tensor must be int32 or int64, but was %s", sl_dtype_name(t->dtype));
    if (t->rank > 1) return sl_infer_fail(c, "Input tensor must be rank 1, but was rank %d", t->rank);
    const int32_t *narrow = t->data;
    const int64_t *wide = t->data;
    if (t->rank == 0) {
        int64_t value = t->dtype == SL_INT32 ? *narrow : *wide;
        if (value != -1)
            return sl_infer_fail(c,
                                 "Input tensor must be rank 1, or if its rank 0 it must have value -1 "
                                 "(representing an unknown shape).  Saw value: %" PRId64,
                                 value);
        *out = SL_SHAPE_UNKNOWN;
        return SL_OK;
    }
    if (t->count > SL_MAX_RANK)
        return sl_infer_fail(c, "Shape has %" PRId64 " dimensions; at most %d are allowed", t->count, SL_MAX_RANK);
    int64_t *dims;
    SL_TRY(new_dims(&dims, c, (int)t->count));
    for (int64_t k = 0; k < t->count; k++) {
        dims[k] = t->dtype == SL_INT32 ? narrow[k] : wide[k];
        if (dims[k] < -1) return sl_infer_fail(c, "Invalid value in tensor used for shape: %" PRId64, dims[k]);
    }
    *out = (struct sl_shape){(int)t->count, dims};
    return SL_OK;
}

sl_code sl_infer_shape_of_tensor(struct sl_shape *out, struct sl_shape_ctx *c, int i) {
    struct sl_shape in = sl_infer_in(c, i);
    if (in.rank > 1) return sl_infer_fail(c, "Shape must be at most rank 1 but is rank %d", in.rank);
    /* Who reads tensors as shapes reads values and scalars too, and messages then tell them as shapes. */
    const struct sl_tensor *t = c->tensor_as_shape ? NULL : sl_infer_constant(c, i);
    if (t) return shape_of_values(out, c, t);
    if (in.rank == 0 && !c->tensor_as_shape)
        return sl_infer_fail(
            c, "Received a shape scalar with unknown static value.  A static value of '-1' is required to "
               "represent an unknown shape.");
    *out = SL_SHAPE_UNKNOWN;
    if (c->tensor_as_shape) SL_TRY(c->tensor_as_shape(out, c, i));
    if (out->rank < 0 && in.rank == 1 && in.dims[0] >= 0) {
        if (in.dims[0] > SL_MAX_RANK)
            return sl_infer_fail(c, "Shape has %" PRId64 " dimensions; at most %d are allowed", in.dims[0],
                                 SL_MAX_RANK);
        *out = sl_infer_unknown_of_rank(c, (int)in.dims[0]);
    }
    return SL_OK;
}

/* ---- checking and joining */
sl_code sl_infer_with_rank(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank) {
    if (s.rank < 0) {
        *out = sl_infer_unknown_of_rank(c, rank);
        return out->rank == rank ? SL_OK : sl_fail_memory(c->err, (size_t)rank * sizeof *s.dims);
    }
    if (s.rank != rank) return sl_infer_fail(c, "Shape must be rank %d but is rank %d", rank, s.rank);
    *out = s;
    return SL_OK;
}

sl_code sl_infer_with_rank_at_least(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank) {
    if (s.rank >= 0 && s.rank < rank)
        return sl_infer_fail(c, "Shape must be at least rank %d but is rank %d", rank, s.rank);
    *out = s;
    return SL_OK;
}

sl_code sl_infer_with_rank_at_most(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int rank) {
    if (s.rank > rank) return sl_infer_fail(c, "Shape must be at most rank %d but is rank %d", rank, s.rank);
    *out = s;
    return SL_OK;
}

sl_code sl_infer_merge_dim(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b) {
    if (a >= 0 && b >= 0 && a != b)
        return sl_infer_fail(c, "Dimensions must be equal, but are %" PRId64 " and %" PRId64, a, b);
    *out = a >= 0 ? a : b;
    return SL_OK;
}

sl_code sl_infer_merge(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b) {
    if (a.rank < 0 || b.rank < 0) {
        *out = a.rank < 0 ? b : a;
        return SL_OK;
    }
    if (a.rank != b.rank) return sl_infer_fail(c, "Shapes must be equal rank, but are %d and %d", a.rank, b.rank);
    bool is_a = true, is_b = true;
    for (int i = 0; i < a.rank; i++) {
        if (a.dims[i] == b.dims[i]) continue;
        if (a.dims[i] >= 0 && b.dims[i] >= 0) {
            char text_a[SL_SHAPE_TEXT], text_b[SL_SHAPE_TEXT];
            return sl_infer_fail(c,
                                 "Dimension %d in both shapes must be equal, but are %" PRId64 " and %" PRId64
                                 ". Shapes are %s and %s.",
                                 i, a.dims[i], b.dims[i], sl_shape_text(text_a, a), sl_shape_text(text_b, b));
        }
        if (a.dims[i] < 0) is_a = false;
        else is_b = false;
    }
    if (is_a || is_b) {
        *out = is_a ? a : b;
        return SL_OK;
    }
    int64_t *dims;
    SL_TRY(new_dims(&dims, c, a.rank));
    for (int i = 0; i < a.rank; i++) dims[i] = a.dims[i] >= 0 ? a.dims[i] : b.dims[i];
    *out = (struct sl_shape){a.rank, dims};
    return SL_OK;
}

static sl_code broadcast_dim(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b) {
    if (a == 1 || b == 1) {
        *out = a == 1 ? b : a;
        return SL_OK;
    }
    if (a >= 0 && b >= 0) return sl_infer_merge_dim(out, c, a, b);
    *out = a > 1 ? a : b > 1 ? b : -1;
    return SL_OK;
}

sl_code sl_infer_broadcast(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b) {
    *out = SL_SHAPE_UNKNOWN;
    if (a.rank < 0 || b.rank < 0) return SL_OK;
    int rank = a.rank > b.rank ? a.rank : b.rank;
    int64_t *dims;
    SL_TRY(new_dims(&dims, c, rank));
    for (int i = 0; i < rank; i++) {
        int at_a = i - (rank - a.rank), at_b = i - (rank - b.rank);
        SL_TRY(broadcast_dim(&dims[i], c, at_a < 0 ? 1 : a.dims[at_a], at_b < 0 ? 1 : b.dims[at_b]));
    }
    *out = (struct sl_shape){rank, rank ? dims : NULL};
    return SL_OK;
}

struct sl_shape sl_infer_common(struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b) {
    if (a.rank < 0 || a.rank != b.rank) return SL_SHAPE_UNKNOWN;
    if (sl_shape_equal(a, b)) return a;
    int64_t *dims = sl_infer_dims(c, a);
    if (!dims) return SL_SHAPE_UNKNOWN;
    for (int i = 0; i < a.rank; i++)
        if (dims[i] != b.dims[i]) dims[i] = -1;
    return (struct sl_shape){a.rank, dims};
}

sl_code sl_infer_subshape(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape s, int64_t start, int64_t end) {
    if (s.rank < 0 || (start == 0 && end >= s.rank)) {
        *out = start == 0 && end == INT64_MAX ? s : s.rank < 0 ? SL_SHAPE_UNKNOWN : s;
        return SL_OK;
    }
    int64_t from = start > s.rank ? s.rank : start, to = end > s.rank ? s.rank : end;
    if (from < 0) from += s.rank;
    if (from < 0)
        return sl_infer_fail(c, "Subshape start out of bounds: %" PRId64 ", for shape with rank %d", start, s.rank);
    if (to < 0) to += s.rank;
    if (to < 0) return sl_infer_fail(c, "Subshape end out of bounds: %" PRId64 ", for shape with rank %d", end, s.rank);
    if (from > to)
        return sl_infer_fail(c,
                             "Subshape must have computed start <= end, but is %" PRId64 " and %" PRId64
                             " (computed from start %" PRId64 " and end %" PRId64 " over shape with rank %d)",
                             from, to, start, end, s.rank);
    *out = (struct sl_shape){(int)(to - from), to > from ? s.dims + from : NULL};
    return SL_OK;
}

sl_code sl_infer_concat(struct sl_shape *out, struct sl_shape_ctx *c, struct sl_shape a, struct sl_shape b) {
    *out = SL_SHAPE_UNKNOWN;
    if (a.rank < 0 || b.rank < 0) return SL_OK;
    if (b.rank == 0) {
        *out = a;
        return SL_OK;
    }
    int64_t *dims; /* a copy in any case: `b` is often a literal that the caller's block ends with */
    SL_TRY(new_dims(&dims, c, a.rank + b.rank));
    if (a.rank) memcpy(dims, a.dims, (size_t)a.rank * sizeof *dims);
    memcpy(dims + a.rank, b.dims, (size_t)b.rank * sizeof *dims);
    *out = (struct sl_shape){a.rank + b.rank, dims};
    return SL_OK;
}

/* ---- arithmetic */
sl_code sl_infer_add(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b) {
    *out = -1;
    if (a == 0 || b == 0) *out = a == 0 ? b : a;
    else if (a >= 0 && b >= 0 && !sl_add_i64(out, a, b))
        return sl_infer_fail(c, "Dimension size overflow from adding %" PRId64 " and %" PRId64, a, b);
    return SL_OK;
}

sl_code sl_infer_subtract(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b) {
    *out = -1;
    if (b == 0) *out = a;
    if (a < 0 || b <= 0) return SL_OK;
    if (a < b) return sl_infer_fail(c, "Negative dimension size caused by subtracting %" PRId64 " from %" PRId64, b, a);
    *out = a - b;
    return SL_OK;
}

sl_code sl_infer_multiply(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b) {
    *out = -1;
    if (a == 0 || b == 0) *out = 0;
    else if (a == 1 || b == 1) *out = a == 1 ? b : a;
    else if (a >= 0 && b >= 0 && !sl_mul_i64(out, a, b))
        return sl_infer_fail(c, "Negative dimension size caused by overflow when multiplying %" PRId64 " and %" PRId64,
                             a, b);
    return SL_OK;
}

sl_code sl_infer_divide(int64_t *out, struct sl_shape_ctx *c, int64_t a, int64_t b, bool evenly) {
    *out = -1;
    if (b == 1) *out = a;
    if (b == 1 || a < 0 || b == -1) return SL_OK;
    if (b <= 0) return sl_infer_fail(c, "Divisor must be positive but is %" PRId64, b);
    if (evenly && a % b != 0)
        return sl_infer_fail(c, "Dimension size must be evenly divisible by %" PRId64 " but is %" PRId64, b, a);
    *out = a / b;
    return SL_OK;
}

/* ---- outputs */
sl_code sl_infer_set(struct sl_shape_ctx *c, int o, struct sl_shape s) {
    if (o < 0 || o >= c->n_out) return sl_fail(c->err, SL_INTERNAL, "Shape function sets output %d of %d", o, c->n_out);
    if (s.rank > SL_MAX_RANK)
        return sl_infer_fail(c, "Shape has %d dimensions; at most %d are allowed", s.rank, SL_MAX_RANK);
    struct sl_shape kept = sl_shape_copy(c->arena, s);
    if (kept.rank == -2) return sl_fail_memory(c->err, (size_t)s.rank * sizeof *s.dims);
    c->out[o] = kept;
    return SL_OK;
}

sl_code sl_infer_set_dims(struct sl_shape_ctx *c, int o, int rank, const int64_t *dims) {
    return sl_infer_set(c, o, (struct sl_shape){rank, rank > 0 ? dims : NULL});
}

sl_code sl_infer_set_handle(struct sl_shape_ctx *c, int o, int dtype, struct sl_shape s) {
    if (o < 0 || o >= c->n_out) return sl_fail(c->err, SL_INTERNAL, "Shape function sets output %d of %d", o, c->n_out);
    struct sl_handle_item *item = SL_ARENA_NEW(c->arena, struct sl_handle_item);
    struct sl_shape kept = sl_shape_copy(c->arena, s);
    if (!item || kept.rank == -2) return sl_fail_memory(c->err, sizeof *item);
    *item = (struct sl_handle_item){dtype, kept};
    c->out_handles[o] = (struct sl_handle_data){1, item};
    return SL_OK;
}

/* Handle data of other nodes lies in the same graph's arena, so that it may be shared. */
sl_code sl_infer_copy_handle(struct sl_shape_ctx *c, int o, int i) {
    if (o < 0 || o >= c->n_out) return sl_fail(c->err, SL_INTERNAL, "Shape function sets output %d of %d", o, c->n_out);
    if (c->in_handles && i >= 0 && i < c->n_in && c->in_handles[i].n > 0) c->out_handles[o] = c->in_handles[i];
    return SL_OK;
}
