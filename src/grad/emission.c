/* What rules are written with: adding ops where the gradient is computed, constants, the words of words.h. The first
 * failure is kept in the rule; after it nothing more is added. */
#include "base/alloc.h"
#include "grad/rule.h"
#include "tensor/float16.h"

/* ---- adding; an attr without a value (SAME of one that the node has not) is none */
static sl_code add(struct sl_term *out, struct sl_rule *g, struct sl_emitter *emitter, const char *op,
                   const struct sl_term *inputs, int n, const struct sl_attr *attrs, int n_attrs) {
    struct sl_emission what = {.op = sl_str_of(op), .inputs = inputs, .n_inputs = n};
    struct sl_attr *given = n_attrs ? SL_ARENA_ARRAY(g->arena, struct sl_attr, (size_t)n_attrs) : NULL;
    if (n_attrs && !given) return sl_fail_memory(g->err, (size_t)n_attrs * sizeof *given);
    for (int i = 0; i < n; i++)
        if (!sl_term_is(inputs[i]))
            return sl_fail(g->err, SL_INTERNAL, "A gradient rule used a value that is not there");
    for (int i = 0; i < n_attrs; i++)
        if (attrs[i].value) given[what.n_attrs++] = attrs[i];
    what.attrs = given;
    return emitter->add(out, emitter, &what, g->err);
}

struct sl_term sl_rule_emit(struct sl_rule *g, const char *op, const struct sl_term *inputs, int n,
                            const struct sl_attr *attrs, int n_attrs) {
    struct sl_term out = SL_NO_TERM;
    if (g->code != SL_OK) return out;
    g->code = add(&out, g, g->emitter, op, inputs, n, attrs, n_attrs);
    return g->code == SL_OK ? out : SL_NO_TERM;
}

void sl_rule_fail(struct sl_rule *g, sl_code code, const char *format, ...) {
    if (g->code != SL_OK) return;
    va_list args;
    va_start(args, format);
    g->code = sl_fail_v(g->err, code, format, args);
    va_end(args);
    sl_error_append(g->err, ": the gradient of ");
    g->home->name(g, g->err);
}

/* ---- what is known */
int sl_rule_dtype(struct sl_rule *g, struct sl_term t) {
    return sl_term_is(t) ? g->emitter->dtype(g->emitter, t) : SL_FLOAT;
}

struct sl_shape sl_rule_shape(struct sl_rule *g, struct sl_term t) {
    return sl_term_is(t) ? g->emitter->shape(g->emitter, t) : SL_SHAPE_UNKNOWN;
}

bool sl_rule_ints(const int64_t **out, int *n, struct sl_rule *g, struct sl_term t) {
    if (!sl_term_is(t)) return false;
    const struct sl_tensor *value = g->emitter->constant(g->emitter, t);
    if (!value || value->rank > 1 || (value->dtype != SL_INT32 && value->dtype != SL_INT64)) return false;
    int64_t *copy = SL_ARENA_ARRAY(g->arena, int64_t, (size_t)value->count + 1);
    if (!copy || value->count > INT32_MAX) return false;
    for (int64_t i = 0; i < value->count; i++)
        copy[i] = value->dtype == SL_INT32 ? ((const int32_t *)value->data)[i] : ((const int64_t *)value->data)[i];
    *out = copy;
    *n = (int)value->count;
    return true;
}

int64_t sl_rule_int(const struct sl_rule *g, const char *name) {
    int64_t value = 0;
    sl_attr_int(&value, g->attrs, name, NULL);
    return value;
}

bool sl_rule_bool(const struct sl_rule *g, const char *name) {
    bool value = false;
    sl_attr_bool(&value, g->attrs, name, NULL);
    return value;
}

struct sl_str sl_rule_string(const struct sl_rule *g, const char *name) {
    struct sl_str value = {0};
    sl_attr_string(&value, g->attrs, name, NULL);
    return value;
}

int sl_rule_type(const struct sl_rule *g, const char *name) {
    int value = 0;
    sl_attr_type(&value, g->attrs, name, NULL);
    return value;
}

float sl_rule_float(const struct sl_rule *g, const char *name) {
    float value = 0;
    sl_attr_float(&value, g->attrs, name, NULL);
    return value;
}

struct sl_term sl_rule_dy(struct sl_rule *g, int i) {
    struct sl_term_gradient *dy = &g->dy[i];
    if (g->code != SL_OK) return SL_NO_TERM;
    if (!sl_term_is(dy->values)) dy->values = sl_rule_zeros(g, g->y[i]);
    else if (sl_term_is(dy->indices)) *dy = (struct sl_term_gradient){.values = sl_rule_dense(g, dy)};
    return dy->values;
}

bool sl_rule_wants(const struct sl_rule *g, int i) { return g->code == SL_OK && i < g->n_x && g->wanted[i]; }

/* ---- constants; takes the tensor over */
static struct sl_term constant(struct sl_rule *g, struct sl_tensor *t) {
    struct sl_term out = SL_NO_TERM;
    g->code = g->emitter->literal(&out, g->emitter, t, g->err);
    sl_tensor_unref(t);
    return g->code == SL_OK ? out : SL_NO_TERM;
}

static void store(void *to, int type, double v) {
    switch (type) {
    case SL_HALF: *(sl_half *)to = sl_half_of_float((float)v); break;
    case SL_BFLOAT16: *(sl_bfloat16 *)to = sl_bfloat16_of_float((float)v); break;
    case SL_FLOAT: *(float *)to = (float)v; break;
    case SL_DOUBLE: *(double *)to = v; break;
    case SL_COMPLEX64: ((float *)to)[0] = (float)v, ((float *)to)[1] = 0; break;
    case SL_COMPLEX128: ((double *)to)[0] = v, ((double *)to)[1] = 0; break;
    case SL_INT32:
    case SL_UINT32: *(int32_t *)to = (int32_t)v; break;
    case SL_INT64:
    case SL_UINT64: *(int64_t *)to = (int64_t)v; break;
    case SL_INT16:
    case SL_UINT16: *(int16_t *)to = (int16_t)v; break;
    case SL_BOOL: *(bool *)to = v != 0; break;
    default: *(int8_t *)to = (int8_t)v; break;
    }
}

struct sl_term sl_rule_number(struct sl_rule *g, int type, double value) {
    struct sl_tensor *t;
    if (g->code == SL_OK) g->code = sl_tensor_new(&t, type, SL_SHAPE_SCALAR, g->err);
    if (g->code != SL_OK) return SL_NO_TERM;
    store(t->data, type, value);
    return constant(g, t);
}

struct sl_term sl_rule_vector(struct sl_rule *g, int type, const int64_t *v, int n) {
    struct sl_tensor *t;
    const int64_t dims[] = {n};
    if (g->code == SL_OK) g->code = sl_tensor_new(&t, type, (struct sl_shape){1, dims}, g->err);
    if (g->code != SL_OK) return SL_NO_TERM;
    for (int i = 0; i < n; i++)
        if (type == SL_INT64) ((int64_t *)t->data)[i] = v[i];
        else store((char *)t->data + (size_t)i * sl_dtype_size(type), type, (double)v[i]);
    return constant(g, t);
}

struct sl_term sl_rule_iota(struct sl_rule *g, int64_t first, int64_t n) {
    int64_t *v = SL_ARENA_ARRAY(g->arena, int64_t, (size_t)(n < 0 ? 0 : n) + 1);
    if (!v && g->code == SL_OK) g->code = sl_fail_memory(g->err, (size_t)n * sizeof *v);
    if (g->code != SL_OK) return SL_NO_TERM;
    for (int64_t i = 0; i < n; i++) v[i] = first + i;
    return sl_rule_vector(g, SL_INT32, v, n < 0 ? 0 : (int)n);
}

/* ---- words */
struct sl_term sl_rule_shape_of(struct sl_rule *g, struct sl_term t, int type) {
    struct sl_shape known = sl_rule_shape(g, t);
    if (sl_shape_is_known(known)) return sl_rule_vector(g, type, known.dims, known.rank);
    const struct sl_pb_AttrValue out_type = {.which = SL_PB_AttrValue_type, .type = type};
    const struct sl_attr attrs[] = {{SL_STR("out_type"), &out_type}};
    if (g->code != SL_OK) return SL_NO_TERM;
    struct sl_term out = SL_NO_TERM;
    struct sl_emitter *there = sl_term_is(t) ? g->home->emitter_of(g, t) : NULL;
    g->code = add(&out, g, there ? there : g->emitter, "Shape", &t, 1, attrs, 1);
    return g->code == SL_OK ? out : SL_NO_TERM;
}

struct sl_term sl_rule_cast(struct sl_rule *g, struct sl_term t, int type) {
    if (sl_rule_dtype(g, t) == type) return t;
    const struct sl_pb_AttrValue to = {.which = SL_PB_AttrValue_type, .type = type};
    const struct sl_attr attrs[] = {{SL_STR("DstT"), &to}};
    return sl_rule_emit(g, "Cast", &t, 1, attrs, 1);
}

struct sl_term sl_rule_conj(struct sl_rule *g, struct sl_term t) {
    int type = sl_rule_dtype(g, t);
    if (type != SL_COMPLEX64 && type != SL_COMPLEX128) return t;
    return sl_rule_emit(g, "Conj", &t, 1, NULL, 0);
}

struct sl_term sl_rule_zeros(struct sl_rule *g, struct sl_term t) {
    int type = sl_rule_dtype(g, t);
    if (g->code == SL_OK && type == SL_RESOURCE) g->code = sl_fail(g->err, SL_INTERNAL, "A resource has no zeros");
    if (type == SL_VARIANT || !g->comes_from_far) return sl_rule_emit(g, "ZerosLike", &t, 1, NULL, 0);
    struct sl_term both[2] = {sl_rule_shape_of(g, t, SL_INT32), sl_rule_number(g, type, 0)};
    return sl_rule_emit(g, "Fill", both, 2, NULL, 0);
}

/* The axes along which a value of shape `from` was repeated to become one of shape `to`; -1 when that is not known. */
static int repeated_axes(int64_t axes[SL_MAX_RANK], struct sl_shape from, struct sl_shape to) {
    int n = 0, more = to.rank - from.rank;
    if (from.rank < 0 || to.rank < 0 || more < 0) return -1;
    for (int i = 0; i < to.rank; i++) {
        if (i < more) {
            axes[n++] = i;
        } else if (from.dims[i - more] != to.dims[i] || from.dims[i - more] < 0) {
            if (from.dims[i - more] != 1 || to.dims[i] < 0) return -1;
            axes[n++] = i;
        }
    }
    return n;
}

struct sl_term sl_rule_like(struct sl_rule *g, struct sl_term t, struct sl_term d) {
    int64_t axes[SL_MAX_RANK];
    struct sl_shape from = sl_rule_shape(g, t), to = sl_rule_shape(g, d);
    int n = g->code == SL_OK ? repeated_axes(axes, from, to) : 0;
    if (g->code != SL_OK) return SL_NO_TERM;
    if (n == 0) return d;
    struct sl_term shape = sl_rule_shape_of(g, t, SL_INT32);
    struct sl_term reduced[2] = {d};
    if (n > 0) {
        reduced[1] = sl_rule_vector(g, SL_INT32, axes, n);
    } else {
        struct sl_term shapes[2] = {shape, sl_rule_shape_of(g, d, SL_INT32)};
        reduced[1] = sl_rule_emit(g, "BroadcastGradientArgs", shapes, 2, NULL, 0);
    }
    struct sl_term both[2] = {sl_rule_emit(g, "Sum", reduced, 2, NULL, 0), shape};
    if (n > 0 && n == to.rank - from.rank) return both[0]; /* only leading axes: the shape is right */
    return sl_rule_emit(g, "Reshape", both, 2, NULL, 0);
}

/* The shape of t with 1 for each of the axes: computed from the axes' values. */
static struct sl_term kept_shape(struct sl_rule *g, struct sl_term t, struct sl_term axes) {
    struct sl_shape known = sl_rule_shape(g, t);
    const int64_t *v;
    int n;
    if (sl_shape_is_known(known) && sl_rule_ints(&v, &n, g, axes)) {
        int64_t dims[SL_MAX_RANK];
        for (int i = 0; i < known.rank; i++) dims[i] = known.dims[i];
        for (int i = 0; i < n; i++) {
            int64_t axis = v[i] < 0 ? v[i] + known.rank : v[i];
            if (axis >= 0 && axis < known.rank) dims[axis] = 1;
        }
        return sl_rule_vector(g, SL_INT32, dims, known.rank);
    }
    /* DynamicStitch([range(rank), axes mod rank], [shape, ones]) */
    struct sl_term shape = sl_rule_shape_of(g, t, SL_INT32);
    struct sl_term rank = sl_rule_emit(g, "Size", &shape, 1, NULL, 0);
    struct sl_term flat[2] = {sl_rule_cast(g, axes, SL_INT32), sl_rule_vector(g, SL_INT32, (const int64_t[]){-1}, 1)};
    struct sl_term sum[2] = {sl_rule_emit(g, "Reshape", flat, 2, NULL, 0), rank};
    sum[0] = sl_rule_emit(g, "AddV2", sum, 2, NULL, 0);
    struct sl_term at = sl_rule_emit(g, "FloorMod", sum, 2, NULL, 0);
    struct sl_term bounds[3] = {sl_rule_number(g, SL_INT32, 0), rank, sl_rule_number(g, SL_INT32, 1)};
    struct sl_term stitched[4] = {sl_rule_emit(g, "Range", bounds, 3, NULL, 0), at, shape,
                                  sl_rule_emit(g, "OnesLike", &at, 1, NULL, 0)};
    return sl_rule_emit(g, "DynamicStitch", stitched, 4, NULL, 0);
}

struct sl_term sl_rule_kept(struct sl_rule *g, struct sl_term t, struct sl_term axes, struct sl_term d) {
    struct sl_term both[2] = {d, kept_shape(g, t, axes)};
    return sl_rule_emit(g, "Reshape", both, 2, NULL, 0);
}

struct sl_term sl_rule_swapped(struct sl_rule *g, struct sl_term t) {
    int rank = sl_rule_shape(g, t).rank;
    if (rank >= 2) {
        int64_t order[SL_MAX_RANK];
        for (int i = 0; i < rank; i++) order[i] = i;
        order[rank - 1] = rank - 2;
        order[rank - 2] = rank - 1;
        struct sl_term both[2] = {t, sl_rule_vector(g, SL_INT32, order, rank)};
        return sl_rule_emit(g, "Transpose", both, 2, NULL, 0);
    }
    /* The order is range(rank - 2), rank - 1, rank - 2. */
    struct sl_term two = sl_rule_number(g, SL_INT32, 2), one = sl_rule_number(g, SL_INT32, 1);
    struct sl_term axis = sl_rule_number(g, SL_INT32, 0), length = sl_rule_shape_of(g, t, SL_INT32);
    length = sl_rule_emit(g, "Size", &length, 1, NULL, 0);
    struct sl_term last[2] = {sl_rule_emit(g, "Sub", (struct sl_term[]){length, one}, 2, NULL, 0),
                              sl_rule_emit(g, "Sub", (struct sl_term[]){length, two}, 2, NULL, 0)};
    struct sl_term bounds[3] = {axis, last[1], one};
    struct sl_term parts[3] = {sl_rule_emit(g, "Range", bounds, 3, NULL, 0), sl_rule_emit(g, "Pack", last, 2, NULL, 0),
                               axis};
    struct sl_term both[2] = {t, sl_rule_emit(g, "ConcatV2", parts, 3, NULL, 0)};
    return sl_rule_emit(g, "Transpose", both, 2, NULL, 0);
}

struct sl_term sl_rule_dense(struct sl_rule *g, const struct sl_term_gradient *gradient) {
    if (!sl_term_is(gradient->indices)) return gradient->values;
    struct sl_term zero = sl_rule_vector(g, SL_INT32, (const int64_t[]){0}, 1);
    struct sl_term one = sl_rule_vector(g, SL_INT32, (const int64_t[]){1}, 1);
    struct sl_term slice[4] = {gradient->dense_shape, zero, one, one};
    const struct sl_pb_AttrValue first = {.which = SL_PB_AttrValue_i, .i = 1};
    const struct sl_attr attrs[] = {{SL_STR("shrink_axis_mask"), &first}};
    struct sl_term segments[3] = {gradient->values, gradient->indices,
                                  sl_rule_emit(g, "StridedSlice", slice, 4, attrs, 1)};
    return sl_rule_emit(g, "UnsortedSegmentSum", segments, 3, NULL, 0);
}

void sl_rule_derive(struct sl_rule *g, struct sl_term *dxs, const struct sl_term *xs, int n_xs,
                    const struct sl_term *ys, const struct sl_term *dys, int n_ys) {
    for (int i = 0; i < n_xs; i++) dxs[i] = SL_NO_TERM;
    if (g->code == SL_OK) g->code = g->home->derive(g, dxs, xs, n_xs, ys, dys, n_ys);
}
