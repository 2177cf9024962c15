/* Builds the context of one kernel by hand: slots, node, attrs. */
#include "unit/cpu/kernel_rows.h"

#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cpu_kernels.h"
#include "kernel/instance_cache.h"
#include "kernel/resources.h"
#include "ops/op_signature.h"
#include "os/float_mode.h"
#include "proto/text_format.h"
#include "proto/wire.h"
#include "root/companions.h"
#include "tensor/float16.h"

extern const struct sl_kernel_def sl_any_shape_rows[];

static struct sl_op_registry *registry;
static struct sl_kernel_table *table;
static struct sl_kernel_cache *cache;
static const struct sl_str node_name = {"tested", 6};
static struct sl_resources *resources; /* the session's, of all that is run */

/* What only tells or changes a shape has its rows among those for every device. */
static int add_shape_rows(void) {
    int failed = 0;
    for (const struct sl_kernel_def *row = sl_any_shape_rows; row->op; row++)
        failed |= sl_kernel_table_add(table, row, NULL) != SL_OK;
    return failed;
}

int kernels_setup(void **state) {
    size_t n;
    const struct sl_kernel_family *families = sl_cpu_families(&n);
    (void)state;
    return sl_op_registry_new(&registry, NULL) || sl_kernel_table_new(&table, families, n, &sl_root_companions, NULL) ||
           add_shape_rows() || sl_kernel_cache_new(&cache, table, NULL, 100, NULL) ||
           sl_resources_new(&resources, NULL);
}
int kernels_teardown(void **state) {
    (void)state;
    sl_resources_free(resources);
    sl_kernel_cache_free(cache);
    sl_kernel_table_free(table);
    sl_op_registry_free(registry);
    return 0;
}

/* ---- values */
static void put_element(struct sl_view v, int64_t i, const char *text) {
    char *end;
    double re = strtod(text, &end), im = *end == ',' ? strtod(end + 1, NULL) : 0;
    switch (v.dtype) {
#define PUT(name, type)                                                                                                \
    case SL_##name: ((type *)v.data)[i] = (type)re; break;
        PUT(FLOAT, float)
        PUT(DOUBLE, double)
        PUT(INT8, int8_t)
        PUT(INT16, int16_t)
        PUT(INT32, int32_t)
        PUT(UINT8, uint8_t)
        PUT(UINT16, uint16_t)
        PUT(UINT32, uint32_t)
        PUT(BOOL, bool)
        PUT(QINT8, int8_t)
        PUT(INT4, int8_t)
    case SL_INT64: ((int64_t *)v.data)[i] = strtoll(text, NULL, 0); break;
    case SL_UINT64: ((uint64_t *)v.data)[i] = strtoull(text, NULL, 0); break;
    case SL_HALF: ((sl_half *)v.data)[i] = sl_half_of_float((float)re); break;
    case SL_BFLOAT16: ((sl_bfloat16 *)v.data)[i] = sl_bfloat16_of_float((float)re); break;
    case SL_COMPLEX64: ((float *)v.data)[2 * i] = (float)re, ((float *)v.data)[2 * i + 1] = (float)im; break;
    case SL_COMPLEX128: ((double *)v.data)[2 * i] = re, ((double *)v.data)[2 * i + 1] = im; break;
    case SL_STRING:
        if (strcmp(text, "''") == 0) text = "";
        assert_int_equal(sl_string_set((TF_TString *)v.data + i, sl_str_of(text), NULL), SL_OK);
        break;
    default: fail_msg("no text form for %s", sl_dtype_name(v.dtype));
    }
}

struct sl_value value_of(const char *text) {
    char copy[4096], *at = copy;
    int64_t dims[SL_MAX_RANK];
    struct sl_shape shape = {0, dims};
    struct sl_value value;
    snprintf(copy, sizeof copy, "%s", text);
    at += strcspn(at, " [");
    int dtype = sl_dtype_from_name((struct sl_str){copy, (size_t)(at - copy)});
    if (!dtype) fail_msg("no type in '%s'", text);
    if (*at == '[') {
        for (at++; *at != ']'; at += *at == ',') dims[shape.rank++] = strtoll(at, &at, 10);
        at++;
    }
    assert_int_equal(sl_value_new(&value, dtype, shape, NULL), SL_OK);
    struct sl_view v = sl_value_view(&value);
    const char *element = "0";
    for (int64_t i = 0; i < v.count; i++) {
        at += strspn(at, " ");
        if (*at) {
            element = at;
            at += strcspn(at, " ");
            if (*at) *at++ = 0;
        }
        put_element(v, i, element);
    }
    return value;
}

/* Part 0 or 1 (imaginary) of a float element. */
static double float_element(struct sl_view v, int64_t i, int part) {
    switch (v.dtype) {
    case SL_FLOAT: return ((float *)v.data)[i];
    case SL_DOUBLE: return ((double *)v.data)[i];
    case SL_HALF: return sl_float_of_half(((sl_half *)v.data)[i]);
    case SL_BFLOAT16: return sl_float_of_bfloat16(((sl_bfloat16 *)v.data)[i]);
    case SL_COMPLEX64: return ((float *)v.data)[2 * i + part];
    default: return ((double *)v.data)[2 * i + part];
    }
}
static double tolerance_of(int dtype) {
    return dtype == SL_HALF                               ? 1e-3
           : dtype == SL_BFLOAT16                         ? 8e-3
           : dtype == SL_DOUBLE || dtype == SL_COMPLEX128 ? 1e-11
                                                          : 1e-6;
}

static void check_same(const struct kernel_row *row, const char *how, const struct sl_value *wanted,
                       const struct sl_value *got) {
    struct sl_view w = sl_value_view(wanted), g = sl_value_view(got);
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (w.dtype != g.dtype || !sl_shape_equal(sl_view_shape(w), sl_view_shape(g)))
        fail_msg("%s of %s (%s): got %s%s, wanted %s%s", row->op, row->in[0], how, sl_dtype_name(g.dtype),
                 sl_shape_text(a, sl_view_shape(g)), sl_dtype_name(w.dtype), sl_shape_text(b, sl_view_shape(w)));
    bool is_float = sl_set_has(SL_SET_FLOATS | SL_SET_COMPLEX, w.dtype);
    size_t size = sl_dtype_size(w.dtype);
    for (int64_t i = 0; i < w.count; i++) {
        const char *x = (const char *)w.data + (size_t)i * size, *y = (const char *)g.data + (size_t)i * size;
        bool is_same = true;
        if (w.dtype == SL_STRING)
            is_same = sl_str_eq(sl_string_get((const TF_TString *)(const void *)x),
                                sl_string_get((const TF_TString *)(const void *)y));
        else if (!is_float) is_same = memcmp(x, y, size) == 0;
        for (int part = 0; is_float && part <= sl_set_has(SL_SET_COMPLEX, w.dtype); part++) {
            double p = float_element(w, i, part), q = float_element(g, i, part);
            if (!(p == q || (p != p && q != q) || fabs(p - q) <= tolerance_of(w.dtype) * fabs(p)))
                fail_msg("%s of %s (%s): element %" PRId64 " is %.17g, not %.17g", row->op, row->in[0], how, i, q, p);
        }
        if (!is_same) fail_msg("%s of %s (%s): element %" PRId64 " differs", row->op, row->in[0], how, i);
    }
}

/* ---- running */
static struct sl_attrs attrs_of(struct sl_arena *arena, const char *text) {
    struct sl_attr *items = SL_ARENA_ARRAY(arena, struct sl_attr, 8);
    int n = 0;
    for (const char *at = sl_arena_str(arena, sl_str_of(text)).p; *at;) {
        const char *end = strstr(at, "; ");
        size_t length = end ? (size_t)(end - at) : strlen(at), name = strcspn(at, " ");
        struct sl_pb_AttrValue *value = SL_ARENA_NEW(arena, struct sl_pb_AttrValue);
        struct sl_str value_text = sl_arena_str(arena, (struct sl_str){at + name, length - name});
        struct sl_error err;
        assert_ok(err, sl_pb_text_parse(value, SL_PB_TYPE(AttrValue), value_text, arena, &err));
        items[n++] = (struct sl_attr){{at, name}, value};
        at += length + (end ? 2 : 0);
    }
    return (struct sl_attrs){items, n};
}

static sl_code prepare(struct sl_kernel_instance **out, struct sl_arena *arena, const char *op_name, const char *attrs,
                       struct sl_value *in, int n_in, struct sl_error *err) {
    const struct sl_op *op;
    uint8_t types[64];
    struct sl_given_input given[64];
    SL_TRY(sl_op_find(&op, registry, sl_str_of(op_name), err));
    for (int i = 0; i < n_in; i++) types[i] = (uint8_t)(in[i].dtype + (in[i].kind == SL_VALUE_REF ? SL_REF_OFFSET : 0));
    for (int i = 0, at = 0; i < op->n_inputs; i++) {
        bool is_list = sl_op_arg_is_list(&op->inputs[i]);
        int n = is_list ? n_in - op->n_inputs + 1 : 1;
        given[i] = (struct sl_given_input){is_list, n, &types[at]};
        at += n;
    }
    struct sl_attrs own = attrs_of(arena, attrs), all, bound;
    SL_TRY(sl_attrs_infer(&all, arena, op, given, op->n_inputs, &own, node_name, err));
    SL_TRY(sl_attrs_bind(&bound, arena, op, &all, node_name, err));
    const struct sl_kernel_request request = {
        .op = op, .attrs = &bound, .device = "/device:CPU:0", .device_type = "CPU", .node = node_name};
    return sl_kernel_prepare(out, cache, &request, err);
}

enum { MOST_IN = 64, MOST_OUT = 16 };

/* Gives all outputs, whether it fails or not: the caller clears them. By the row's `run`, for scalars, too. */
static sl_code run_instance(struct sl_value out[MOST_OUT], struct sl_kernel_instance *instance, struct sl_value *in,
                            bool may_take, struct sl_pool *pool, struct sl_error *err) {
    struct sl_value slots[MOST_IN + MOST_OUT] = {0};
    struct sl_kernel_node node = instance->node;
    node.name = node_name;
    struct sl_step_env env = {.pool = pool, .session_resources = resources};
    assert_true(node.n_in <= MOST_IN && node.n_out <= MOST_OUT);
    for (uint32_t i = 0; i < node.n_in; i++) slots[i] = may_take ? sl_value_move(&in[i]) : in[i];
    struct sl_kernel_context k = {.node = &node,
                                  .state = node.state,
                                  .slots = slots,
                                  .may_take = may_take ? ~UINT64_C(0) : 0,
                                  .env = &env,
                                  .err = err};
    uint64_t mode = sl_float_mode_enter(); /* as the executor does */
    sl_code code = node.def->run(&k);
    sl_float_mode_leave(mode);
    for (uint32_t i = 0; i < node.n_in && may_take; i++) sl_value_clear(&slots[i]);
    memcpy(out, slots + node.out, node.n_out * sizeof *out);
    return code;
}

static sl_code run_all(struct sl_value out[MOST_OUT], const char *op, const char *attrs, struct sl_value *in, int n_in,
                       bool may_take, struct sl_pool *pool, struct sl_error *err) {
    struct sl_kernel_instance *instance = NULL;
    struct sl_arena arena;
    sl_arena_init(&arena);
    memset(out, 0, MOST_OUT * sizeof *out);
    sl_code code = prepare(&instance, &arena, op, attrs, in, n_in, err);
    if (code == SL_OK) code = run_instance(out, instance, in, may_take, pool, err);
    sl_kernel_instance_unref(instance);
    sl_arena_clear(&arena);
    return code;
}
static void clear_all(struct sl_value out[MOST_OUT]) {
    for (int o = 0; o < MOST_OUT; o++) sl_value_clear(&out[o]);
}

sl_code run_kernel(struct sl_value *out, const char *op, const char *attrs, struct sl_value *in, int n_in,
                   bool may_take, struct sl_pool *pool, struct sl_error *err) {
    struct sl_value all[MOST_OUT];
    sl_code code = run_all(all, op, attrs, in, n_in, may_take, pool, err);
    *out = sl_value_move(&all[0]);
    clear_all(all);
    return code;
}

sl_code run_kernel_for_all(struct sl_value *outs, int n_outs, const char *op, const char *attrs, struct sl_value *in,
                           int n_in, struct sl_error *err) {
    struct sl_value all[MOST_OUT];
    sl_code code = run_all(all, op, attrs, in, n_in, false, NULL, err);
    for (int o = 0; o < n_outs; o++) outs[o] = sl_value_move(&all[o]);
    clear_all(all);
    return code;
}

static void check_scalar_entry(const struct kernel_row *row, struct sl_value *in, int n_in,
                               const struct sl_value *wanted) {
    struct sl_kernel_instance *instance;
    struct sl_arena arena;
    struct sl_value out = *wanted;
    struct sl_error err;
    for (int i = 0; i < n_in; i++)
        if (in[i].kind != SL_VALUE_SCALAR) return;
    sl_arena_init(&arena);
    assert_ok(err, prepare(&instance, &arena, row->op, row->attrs, in, n_in, &err));
    if (instance->node.scalar) {
        instance->node.scalar(out.bits, in[0].bits, n_in > 1 ? in[1].bits : NULL);
        check_same(row, "scalar entry", wanted, &out);
    }
    sl_kernel_instance_unref(instance);
    sl_arena_clear(&arena);
}

/* Compares the outputs that the row names: the first ones. */
static void check_outputs(const struct kernel_row *row, const char *how, const struct sl_value *out) {
    char text[4096];
    snprintf(text, sizeof text, "%s", row->out);
    for (char *at = text; at; out++) {
        char *next = strstr(at, "; ");
        if (next) *next = 0;
        struct sl_value wanted = value_of(at);
        check_same(row, how, &wanted, out);
        sl_value_clear(&wanted);
        at = next ? next + 2 : NULL;
    }
}

static void check_row(const struct kernel_row *row) {
    struct sl_value in[KERNEL_ROW_INPUTS], out[MOST_OUT];
    struct sl_error err;
    int n_in = 0;
    bool is_error = row->out[0] >= 'A' && row->out[0] <= 'Z';
    for (; n_in < KERNEL_ROW_INPUTS && row->in[n_in]; n_in++) in[n_in] = value_of(row->in[n_in]);
    sl_error_clear(&err);
    sl_code code = run_all(out, row->op, row->attrs, in, n_in, false, NULL, &err);
    if (is_error) {
        size_t name = strcspn(row->out, " ");
        if (strncmp(sl_code_name(code), row->out, name) != 0 ||
            !strstr(err.message, row->out + name + (row->out[name] == ' ')))
            fail_msg("%s of %s: got %s: %s\nwanted %s", row->op, row->in[0], sl_code_name(code), err.message, row->out);
    } else {
        if (code != SL_OK) fail_msg("%s of %s: %s", row->op, row->in[0], err.message);
        check_outputs(row, "plain", out);
        check_scalar_entry(row, in, n_in, &out[0]);
        clear_all(out);
        assert_ok(err, run_all(out, row->op, row->attrs, in, n_in, true, NULL, &err));
        check_outputs(row, "in place", out);
    }
    clear_all(out);
    for (int i = 0; i < n_in; i++) sl_value_clear(&in[i]);
}

void check_kernel_rows(const struct kernel_row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) check_row(&rows[i]);
}
