/* Create and run of element-wise kernels: which loop, what shapes are allowed, which values are refused.
 * broadcast_map.c does the rest. */
#include "backends/cpu/math/elementwise.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/math/broadcast_map.h"
#include "base/alloc.h"

struct state {
    sl_loop_fn loop;
    const struct sl_elementwise *row;
    int half; /* SL_HALF, SL_BFLOAT16 or 0 */
    uint8_t in_size, out_size;
    int8_t on_mismatch;      /* the answer of Equal and NotEqual when shapes do not fit; -1: an error */
    unsigned char scale[16]; /* the value of the attr, of the loop's type */
};

struct sl_element_loop sl_elementwise_loop(enum sl_loop_op op, int dtype) {
    static const uint8_t signless[SL_DTYPE_COUNT] = {
        [SL_UINT8] = SL_INT8,   [SL_UINT16] = SL_INT16,  [SL_UINT32] = SL_INT32,
        [SL_UINT64] = SL_INT64, [SL_QINT8] = SL_INT8,    [SL_QUINT8] = SL_INT8,
        [SL_QINT16] = SL_INT16, [SL_QUINT16] = SL_INT16, [SL_QINT32] = SL_INT32,
    };
    static const uint16_t in_half[SL_LOOP_COUNT] = {
        [SL_LOOP_SigmoidGrad] = SL_LOOP_SigmoidGradInHalf,
        [SL_LOOP_TanhGrad] = SL_LOOP_TanhGradInHalf,
        [SL_LOOP_SqrtGrad] = SL_LOOP_SqrtGradInHalf,
        [SL_LOOP_RsqrtGrad] = SL_LOOP_RsqrtGradInHalf,
        [SL_LOOP_ReciprocalGrad] = SL_LOOP_ReciprocalGradInHalf,
    };
    if (dtype == SL_HALF && in_half[op]) op = in_half[op];
    if (dtype == SL_HALF || dtype == SL_BFLOAT16) dtype = SL_FLOAT;
    struct sl_element_loop loop = SL_ISA_PICK(sl_math_loop)(op, dtype);
    if (!loop.run) loop = SL_ISA_PICK(sl_activation_loop)(op, dtype);
    if (!loop.run && (op == SL_LOOP_TruncateDiv || op == SL_LOOP_FloorDiv))
        return sl_elementwise_loop(SL_LOOP_Div, dtype);
    if (!loop.run && signless[dtype]) return sl_elementwise_loop(op, signless[dtype]);
    return loop;
}

static bool is_float(int dtype) { return sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, dtype); }

sl_scalar_fn sl_elementwise_scalar(const struct sl_kernel_setup *setup) {
    const struct sl_elementwise *row = setup->def->data;
    int dtype = setup->in_types[0];
    if (row->attr || row->inputs > 2 || (row->refused && !is_float(dtype))) return NULL;
    if (dtype == SL_HALF || dtype == SL_BFLOAT16) return NULL;
    return sl_elementwise_loop(row->op, dtype).scalar;
}

/* Between complex numbers and their parts there is one type for each: a row's rules say nothing about Tout. */
static bool parts_fit(int from, int to) {
    if (from == SL_COMPLEX64) return to != SL_DOUBLE;
    if (from == SL_COMPLEX128) return to != SL_FLOAT;
    if (to == SL_COMPLEX64) return from == SL_FLOAT;
    return to != SL_COMPLEX128 || from == SL_DOUBLE;
}

sl_code sl_elementwise_create(void **state, struct sl_kernel_setup *setup) {
    const struct sl_elementwise *row = setup->def->data;
    int dtype = setup->in_types[0];
    struct state s = {.loop = sl_elementwise_loop(row->op, dtype).run, .row = row, .on_mismatch = -1};
    if (!s.loop)
        return sl_fail(setup->err, SL_UNIMPLEMENTED, "%s is not there for %s", setup->def->op, sl_dtype_name(dtype));
    if (!parts_fit(dtype, setup->out_types[0]))
        return sl_fail(setup->err, SL_INVALID_ARGUMENT, "No OpKernel was registered to support Op '%s' from %s to %s",
                       setup->def->op, sl_dtype_name(dtype), sl_dtype_name(setup->out_types[0]));
    s.in_size = (uint8_t)sl_dtype_size(dtype);
    s.out_size = (uint8_t)sl_dtype_size(setup->out_types[0]);
    if (dtype == SL_HALF || dtype == SL_BFLOAT16) s.half = dtype;
    if (row->attr) {
        float value;
        SL_TRY(sl_attr_float(&value, setup->attrs, row->attr, setup->err));
        double wide = value;
        if (dtype == SL_DOUBLE) memcpy(s.scale, &wide, sizeof wide);
        else memcpy(s.scale, &value, sizeof value);
    }
    if (sl_attr_find(setup->attrs, SL_STR("incompatible_shape_error"))) {
        bool is_error;
        SL_TRY(sl_attr_bool(&is_error, setup->attrs, "incompatible_shape_error", setup->err));
        if (!is_error) s.on_mismatch = row->op == SL_LOOP_NotEqual;
    }
    struct state *made = sl_malloc(sizeof *made);
    if (!made) return sl_fail_memory(setup->err, sizeof *made);
    *made = s;
    *state = made;
    return SL_OK;
}

void sl_elementwise_destroy(void *state) { sl_free(state); }

/* ---- refused values */
#define SEARCH_NS 0.1
struct search {
    const void *data;
    int64_t size; /* bytes of an element */
    char wanted;  /* as `refused` of the row */
    atomic_bool found;
};
#define SEARCH(T)                                                                                                      \
    static bool has_zero_##T(const T *from, int64_t n) {                                                               \
        int found = 0;                                                                                                 \
        for (int64_t i = 0; i < n; i++) found |= from[i] == 0;                                                         \
        return found;                                                                                                  \
    }                                                                                                                  \
    static bool has_negative_##T(const T *from, int64_t n) {                                                           \
        T all = 0;                                                                                                     \
        for (int64_t i = 0; i < n; i++) all |= from[i];                                                                \
        return all < 0;                                                                                                \
    }                                                                                                                  \
    static bool search_##T(const struct search *s, int64_t begin, int64_t n) {                                         \
        const T *from = (const T *)s->data + begin;                                                                    \
        return s->wanted == '-' ? has_negative_##T(from, n) : has_zero_##T(from, n);                                   \
    }
SEARCH(int8_t)
SEARCH(int16_t)
SEARCH(int32_t)
SEARCH(int64_t)
static void search(void *arg, int64_t begin, int64_t end) {
    struct search *s = arg;
    const bool found = s->size == 1   ? search_int8_t(s, begin, end - begin)
                       : s->size == 2 ? search_int16_t(s, begin, end - begin)
                       : s->size == 4 ? search_int32_t(s, begin, end - begin)
                                      : search_int64_t(s, begin, end - begin);
    if (found) atomic_store_explicit(&s->found, true, memory_order_relaxed);
}
static sl_code refuse(struct sl_kernel_context *k, const struct sl_elementwise *row, struct sl_view y) {
    struct search s = {.data = y.data, .size = (int64_t)sl_dtype_size(y.dtype), .wanted = row->refused};
    if (is_float(y.dtype)) return SL_OK;
    sl_kernel_split(k, y.count, SEARCH_NS, search, &s);
    if (!atomic_load_explicit(&s.found, memory_order_relaxed)) return SL_OK;
    if (row->refused == '0') return sl_invalid(k, "Integer division by zero");
    if (row->refused == '-') return sl_invalid(k, "Integers to negative integer powers are not allowed");
    return sl_fail(k->err, SL_INTERNAL,
                   "Unexpected error in binary operator (only integer div and mod should have errors)");
}

/* ---- shapes */
sl_code sl_elementwise_mismatch(struct sl_error *err, const struct sl_kernel_def *def, struct sl_str name,
                                struct sl_view x, struct sl_view y) {
    const struct sl_elementwise *row = def->data;
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    sl_shape_text(a, sl_view_shape(x));
    sl_shape_text(b, sl_view_shape(y));
    switch (row->shapes) {
    case SL_SHAPES_BROADCAST: return sl_fail(err, SL_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s", a, b);
    case SL_SHAPES_SAME_COUNT:
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "The two arguments to a cwise op must have same number of elements, got %" PRId64
                       " and %" PRId64,
                       x.count, y.count);
    case SL_SHAPES_SAME_OR_SCALAR:
        return sl_fail(err, SL_INVALID_ARGUMENT, "%s: the bounds must be scalars or of the input's shape %s, got %s",
                       def->op, a, b);
    case SL_SHAPES_ALL_OR_SCALAR:
        return sl_fail(err, SL_INVALID_ARGUMENT, "Shapes of the inputs of %s are inconsistent: %s vs. %s", def->op, a,
                       b);
    default:
        return sl_fail(
            err, SL_INVALID_ARGUMENT,
            "Inputs to operation %.*s of type %s must have the same size and shape.  Input 0: %s != input 1: %s",
            SL_STR_ARG(name), def->op, a, b);
    }
}

static sl_code mismatch(struct sl_kernel_context *k, struct sl_view x, struct sl_view y) {
    return sl_elementwise_mismatch(k->err, k->node->def, k->node->name, x, y);
}

static bool fits(const struct sl_elementwise *row, struct sl_view x, struct sl_view y) {
    switch (row->shapes) {
    case SL_SHAPES_SAME_COUNT: return x.count == y.count;
    case SL_SHAPES_SAME: return sl_shape_equal(sl_view_shape(x), sl_view_shape(y));
    default: return y.rank == 0 || sl_shape_equal(sl_view_shape(x), sl_view_shape(y));
    }
}

/* The result's shape. NOT_FOUND, without a message: the shapes do not fit and on_mismatch is the answer. */
static sl_code result_shape(struct sl_shape *out, int64_t dims[SL_MAX_RANK], struct sl_kernel_context *k,
                            struct sl_broadcast_map *map, const struct sl_view *in) {
    const struct state *s = k->state;
    int n = s->row->inputs, first = 0;
    *out = sl_view_shape(in[0]);
    if (s->row->shapes == SL_SHAPES_BROADCAST) {
        if (n == 1 || sl_shape_equal(*out, sl_view_shape(in[1]))) return SL_OK;
        if (sl_broadcast_map_shape(out, dims, map->in, n)) return SL_OK;
        return s->on_mismatch >= 0 ? SL_NOT_FOUND : mismatch(k, in[0], in[1]);
    }
    if (s->row->shapes == SL_SHAPES_ALL_OR_SCALAR)
        for (int i = 0; i < n && in[first].rank == 0; i++) first = i;
    for (int i = 0; i < n; i++)
        if (!fits(s->row, in[first], in[i])) return mismatch(k, in[first], in[i]);
    *out = sl_view_shape(in[first]);
    for (int i = 0; i < n; i++) /* same count, other shape: no broadcasting */
        if (in[i].count == in[first].count) map->in[i].shape = *out;
    return SL_OK;
}

sl_code sl_elementwise_run(struct sl_kernel_context *k) {
    const struct state *s = k->state;
    const struct sl_elementwise *row = s->row;
    struct sl_broadcast_map map; /* not cleared as a whole: small tensors would notice */
    struct sl_view in[SL_BROADCAST_MAP_INPUTS], out;
    int64_t dims[SL_MAX_RANK];
    map.loop = s->loop;
    map.n = row->inputs;
    map.half = s->half;
    map.ns = k->node->def->cost_element;
    map.to_size = s->out_size;
    map.z = NULL;
    for (int i = 0; i < row->inputs; i++) {
        in[i] = sl_in(k, i);
        map.in[i] = (struct sl_broadcast_map_input){in[i].data, s->in_size, in[i].count, sl_view_shape(in[i])};
    }
    sl_code code = result_shape(&map.shape, dims, k, &map, in);
    if (code == SL_NOT_FOUND) {
        SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
        *(bool *)out.data = s->on_mismatch;
        return SL_OK;
    }
    SL_TRY(code);
    if (s->out_size == s->in_size) SL_TRY(sl_out_reuse(&out, k, 0, map.shape, 0, row->inputs));
    else SL_TRY(sl_out_new(&out, k, 0, map.shape));
    map.shape = sl_view_shape(out);
    map.to = out.data;
    if (row->refused && out.count > 0) SL_TRY(refuse(k, row, in[1]));
    if (row->attr)
        map.in[map.n++] = (struct sl_broadcast_map_input){s->scale, s->half ? 4 : s->in_size, 1, SL_SHAPE_SCALAR};
    sl_broadcast_map_run(k, &map);
    return SL_OK;
}
