/* Element-wise math. Most of it is the lines of isa/math_loops.def; here are the ops that are no map of a loop:
 * strings, sums of many tensors, buckets. */
#include <stdatomic.h>
#include <string.h>

#include "backends/cpu/math/broadcast_map.h"
#include "backends/cpu/math/elementwise.h"
#include "base/alloc.h"
#include "kernel/variant.h"

/* ---- strings: loops over pointers to them */
static void concatenate(void *to, const void *x, const void *y, const void *failed, int64_t n) {
    TF_TString *out = to;
    const TF_TString *const *a = x, *const *b = y;
    for (int64_t i = 0; i < n; i++) {
        struct sl_str left = sl_string_get(a[i]), right = sl_string_get(b[i]);
        char *room = sl_string_reserve(&out[i], left.n + right.n);
        if (!room) {
            atomic_store((atomic_bool *)(uintptr_t)failed, true);
            return;
        }
        if (left.n) memcpy(room, left.p, left.n);
        if (right.n) memcpy(room + left.n, right.p, right.n);
    }
}
static void strings_equal(void *to, const void *x, const void *y, const void *z, int64_t n) {
    const TF_TString *const *a = x, *const *b = y;
    (void)z;
    for (int64_t i = 0; i < n; i++) ((bool *)to)[i] = sl_str_eq(sl_string_get(a[i]), sl_string_get(b[i]));
}
static void strings_differ(void *to, const void *x, const void *y, const void *z, int64_t n) {
    const TF_TString *const *a = x, *const *b = y;
    (void)z;
    for (int64_t i = 0; i < n; i++) ((bool *)to)[i] = !sl_str_eq(sl_string_get(a[i]), sl_string_get(b[i]));
}

static sl_code map_strings(struct sl_kernel_context *k, sl_loop_fn loop) {
    struct sl_view in[2] = {sl_in(k, 0), sl_in(k, 1)}, out;
    struct sl_broadcast_map map = {.loop = loop,
                                   .in = {sl_broadcast_map_input(in[0]), sl_broadcast_map_input(in[1])},
                                   .n = 2,
                                   .ns = 20};
    int64_t dims[SL_MAX_RANK];
    atomic_bool failed = false;
    if (!sl_broadcast_map_shape(&map.shape, dims, map.in, 2)) {
        char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
        if (k->state) {
            SL_TRY(sl_out_new(&out, k, 0, SL_SHAPE_SCALAR));
            *(bool *)out.data = loop == strings_differ;
            return SL_OK;
        }
        return sl_invalid(k, "Incompatible shapes: %s vs. %s", sl_shape_text(a, sl_view_shape(in[0])),
                          sl_shape_text(b, sl_view_shape(in[1])));
    }
    SL_TRY(sl_out_new(&out, k, 0, map.shape));
    const void **x = sl_broadcast_map_pointers(in[0]), **y = sl_broadcast_map_pointers(in[1]);
    if (x && y) {
        map.in[0].data = x;
        map.in[1].data = y;
        map.in[0].size = map.in[1].size = (int64_t)sizeof *x;
        map.to = out.data;
        map.to_size = (int64_t)sl_dtype_size(out.dtype);
        map.z = &failed;
        sl_broadcast_map_run(k, &map);
    }
    bool is_out_of_memory = !x || !y || atomic_load(&failed);
    sl_broadcast_map_pointers_free(x, in[0].count);
    sl_broadcast_map_pointers_free(y, in[1].count);
    return is_out_of_memory ? sl_fail_memory(k->err, (size_t)out.count * sizeof(TF_TString)) : SL_OK;
}

/* The state is not NULL when shapes that do not fit are an answer and no error. */
static sl_code compare_strings_create(void **state, struct sl_kernel_setup *setup) {
    static const char is_answer;
    bool is_error;
    SL_TRY(sl_attr_bool(&is_error, setup->attrs, "incompatible_shape_error", setup->err));
    *state = is_error ? NULL : (void *)(uintptr_t)&is_answer;
    return SL_OK;
}

static sl_code add_strings_run(struct sl_kernel_context *k) { return map_strings(k, concatenate); }
static sl_code equal_strings_run(struct sl_kernel_context *k) { return map_strings(k, strings_equal); }
static sl_code not_equal_strings_run(struct sl_kernel_context *k) { return map_strings(k, strings_differ); }

/* ---- AddN: block by block, so that the partial sum stays in the cache. half is summed in float and rounded once. */
enum { SUM_BLOCK = 1024 };

struct sum {
    const void **in;
    int n;
    void *to;
    int64_t size;
    sl_loop_fn add, widen, narrow; /* the latter two for half and bfloat16, else NULL */
};

static void sum_range(void *arg, int64_t begin, int64_t end) {
    const struct sum *s = arg;
    _Alignas(64) unsigned char total[SUM_BLOCK * 16];
    _Alignas(64) float wide[SUM_BLOCK];
    for (int64_t b = begin; b < end; b += SUM_BLOCK) {
        int64_t n = end - b < SUM_BLOCK ? end - b : SUM_BLOCK, bytes = b * s->size;
        char *to = (char *)s->to + bytes;
        for (int i = 0; i < s->n; i++) {
            const void *x = (const char *)s->in[i] + bytes;
            bool is_last = i == s->n - 1;
            if (s->widen && i == 0) s->widen(total, x, NULL, NULL, n);
            else if (s->widen) {
                s->widen(wide, x, NULL, NULL, n);
                s->add(total, total, wide, NULL, n);
            } else if (i > 0)
                s->add(is_last ? (void *)to : total, i == 1 ? (const char *)s->in[0] + bytes : (void *)total, x, NULL,
                       n);
        }
        if (s->narrow) s->narrow(to, total, NULL, NULL, n);
    }
}

static void add_scalars(const struct sum *s, sl_scalar_fn add) {
    unsigned char total[16];
    memcpy(total, s->in[0], (size_t)s->size);
    for (int i = 1; i < s->n; i++) add(total, total, s->in[i]);
    memcpy(s->to, total, (size_t)s->size);
}

/* Where the elements of all inputs are, which have one shape. */
static sl_code list_inputs(const void **in, const struct sl_view *first, struct sl_kernel_context *k) {
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    in[0] = first->data;
    for (int i = 1; i < sl_in_count(k); i++) {
        const struct sl_view v = sl_in(k, i);
        if (!sl_shape_equal(sl_view_shape(*first), sl_view_shape(v)))
            return sl_invalid(
                k,
                "Inputs to operation %.*s of type %s must have the same size and shape.  Input 0: %s != input %d: %s",
                SL_STR_ARG(k->node->name), k->node->def->op, sl_shape_text(a, sl_view_shape(*first)), i,
                sl_shape_text(b, sl_view_shape(v)));
        in[i] = v.data;
    }
    return SL_OK;
}

static sl_code add_n_run(struct sl_kernel_context *k) {
    const void *few[16];
    struct sl_view first = sl_in(k, 0), out;
    struct sum s = {.in = few, .n = sl_in_count(k), .size = (int64_t)sl_dtype_size(first.dtype)};
    if (s.n == 1) {
        sl_out_forward(k, 0, 0);
        return SL_OK;
    }
    if (s.n > (int)(sizeof few / sizeof *few) && !(s.in = sl_malloc((size_t)s.n * sizeof *s.in)))
        return sl_fail_memory(k->err, (size_t)s.n * sizeof *s.in);
    sl_code code = list_inputs(s.in, &first, k);
    if (code == SL_OK) code = sl_out_reuse(&out, k, 0, sl_view_shape(first), 0, s.n);
    if (code == SL_OK) {
        s.to = out.data;
        struct sl_element_loop loop = sl_elementwise_loop(SL_LOOP_Add, out.dtype);
        s.add = loop.run;
        if (out.dtype == SL_HALF || out.dtype == SL_BFLOAT16) {
            s.widen = SL_ISA_PICK(sl_cast_loop)(out.dtype, SL_FLOAT);
            s.narrow = SL_ISA_PICK(sl_cast_loop)(SL_FLOAT, out.dtype);
        }
        if (out.count == 1 && loop.scalar && !s.widen) add_scalars(&s, loop.scalar);
        else sl_kernel_split(k, out.count, 0.15 * s.n, sum_range, &s);
    }
    if (s.in != few) sl_free(s.in);
    return code;
}

static sl_code add_variants_run(struct sl_kernel_context *k) {
    struct sl_value total = sl_value_share(sl_in_value(k, 0)), next;
    for (int i = 1; i < sl_in_count(k); i++) {
        sl_code code = sl_value_add(&next, &total, sl_in_value(k, i), NULL, k->err);
        sl_value_clear(&total);
        SL_TRY(code);
        total = next;
    }
    *sl_out_value(k, 0) = total;
    return SL_OK;
}

/* ---- Bucketize: how many boundaries are not above the element */
struct buckets {
    int n;
    float boundaries[];
};

static sl_code bucketize_create(void **state, struct sl_kernel_setup *setup) {
    const float *boundaries;
    int n;
    SL_TRY(sl_attr_float_list(&boundaries, &n, setup->attrs, "boundaries", setup->err));
    for (int i = 1; i < n; i++)
        if (boundaries[i] < boundaries[i - 1])
            return sl_fail(setup->err, SL_INVALID_ARGUMENT, "Expected sorted boundaries");
    struct buckets *b = sl_malloc(sizeof *b + (size_t)n * sizeof *b->boundaries);
    if (!b) return sl_fail_memory(setup->err, sizeof *b);
    b->n = n;
    if (n) memcpy(b->boundaries, boundaries, (size_t)n * sizeof *boundaries);
    *state = b;
    return SL_OK;
}

static int32_t bucket_of(const struct buckets *b, double x) {
    int low = 0, high = b->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (x < b->boundaries[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

#define BUCKETIZE(name, type)                                                                                          \
    static void name(void *to, const void *x, const void *y, const void *buckets, int64_t n) {                         \
        (void)y;                                                                                                       \
        for (int64_t i = 0; i < n; i++) ((int32_t *)to)[i] = bucket_of(buckets, (double)((const type *)x)[i]);         \
    }
BUCKETIZE(bucketize_int32, int32_t)
BUCKETIZE(bucketize_int64, int64_t)
BUCKETIZE(bucketize_float, float)
BUCKETIZE(bucketize_double, double)

static sl_code bucketize_run(struct sl_kernel_context *k) {
    struct sl_view x = sl_in(k, 0), out;
    SL_TRY(sl_out_new(&out, k, 0, sl_view_shape(x)));
    struct sl_broadcast_map map = {.in = {sl_broadcast_map_input(x)},
                                   .n = 1,
                                   .to = out.data,
                                   .to_size = 4,
                                   .shape = sl_view_shape(out),
                                   .z = k->state,
                                   .ns = 5};
    map.loop = x.dtype == SL_INT32   ? bucketize_int32
               : x.dtype == SL_INT64 ? bucketize_int64
               : x.dtype == SL_FLOAT ? bucketize_float
                                     : bucketize_double;
    sl_broadcast_map_run(k, &map);
    return SL_OK;
}

/* clang-format off */
const struct sl_kernel_def sl_cpu_math_rows[] = {
#include "backends/cpu/math/elementwise_rows.inc"
#include "backends/cpu/isa/math_loops.def"
    KERNEL("Add", RULE("T", SL_SET(STRING)), .run = add_strings_run, .cost_ns = 50, .cost_element = 20)
    KERNEL("Equal", RULE("T", SL_SET(STRING)), .create = compare_strings_create, .run = equal_strings_run, .cost_ns = 50, .cost_element = 20)
    KERNEL("NotEqual", RULE("T", SL_SET(STRING)), .create = compare_strings_create, .run = not_equal_strings_run, .cost_ns = 50, .cost_element = 20)
    KERNEL("AddN", RULE("T", SL_SET_NUMBERS), .run = add_n_run, .cost_ns = 20, .cost_element = 0.3f)
    KERNEL("AddN", RULE("T", SL_SET(VARIANT)), .run = add_variants_run, .cost_ns = 200)
    KERNEL("AccumulateNV2", RULE("T", SL_SET_NUMBERS), .run = add_n_run, .cost_ns = 20, .cost_element = 0.3f)
    KERNEL("Bucketize", RULE("T", SET_FLOAT_DOUBLE | SL_SET(INT32) | SL_SET(INT64)), .create = bucketize_create,
           .destroy = sl_elementwise_destroy, .run = bucketize_run, .cost_ns = 20, .cost_element = 5)
    SL_ROWS_END
};
