/* MapDefun: a function called on each row of its arguments; the results are stacked. */
#include "backends/any/any_kernels.h"

#include "backends/any/callees.h"
#include "base/alloc.h"
#include "data/element.h"

struct map_defun {
    struct sl_arena arena;
    struct sl_callees *callees;
    int n_args;                    /* that are taken row by row; captured ones follow */
    const struct sl_shape *shapes; /* of a result of one call, as declared */
};

static void map_defun_free(void *state) {
    struct map_defun *m = state;
    sl_callees_free(m->callees);
    sl_arena_clear(&m->arena);
    sl_free(m);
}

/* Types that do not fit are INVALID_ARGUMENT here, whatever calls have for it. */
static sl_code bind(struct sl_callees *callees, struct sl_kernel_setup *setup) {
    const struct sl_pb_NameAttrList *named;
    const struct sl_callee_types wanted = {setup->in_types, setup->out_types, setup->n_in, setup->n_out};
    struct sl_error why = {0};
    SL_TRY(sl_attr_func(&named, setup->attrs, "f", setup->err));
    SL_TRY(sl_callee_find(callees, 0, setup, named));
    if (sl_callee_check(callees->functions[0], setup->functions, wanted, &why) == SL_OK) return SL_OK;
    return sl_fail(setup->err, SL_INVALID_ARGUMENT, "%s", why.message);
}

static sl_code fill(struct map_defun *m, struct sl_kernel_setup *setup) {
    const int32_t *types;
    int n_shapes;
    SL_TRY(sl_attr_type_list(&types, &m->n_args, setup->attrs, "Targuments", setup->err));
    SL_TRY(sl_attr_shape_list(&m->shapes, &n_shapes, &m->arena, setup->attrs, "output_shapes", setup->err));
    if (n_shapes != setup->n_out)
        return sl_fail(setup->err, SL_INVALID_ARGUMENT,
                       "Length of output_types and output_shapes must be equal, got: %d vs %d", setup->n_out, n_shapes);
    m->callees = sl_callees_new(1, setup->functions, setup->err);
    if (!m->callees) return SL_RESOURCE_EXHAUSTED;
    return sl_callees_keep_error(m->callees, setup, bind(m->callees, setup));
}

static sl_code map_defun_create(void **state, struct sl_kernel_setup *setup) {
    struct map_defun *m = sl_calloc(1, sizeof *m);
    if (!m) return sl_fail_memory(setup->err, sizeof *m);
    sl_arena_init(&m->arena);
    sl_code code = fill(m, setup);
    if (code == SL_OK) *state = m;
    else map_defun_free(m);
    return code;
}

/* How many rows all arguments have. */
static sl_code count_rows(int64_t *n, struct sl_kernel_context *k) {
    const struct map_defun *m = k->state;
    for (int i = 0; i < m->n_args; i++) {
        const struct sl_view v = sl_value_view(sl_in_value(k, i));
        if (v.rank == 0) return sl_invalid(k, "All inputs must have rank at least 1. Input %d has a rank of 0", i);
        if (i == 0) *n = v.dims[0];
        else if (v.dims[0] != *n)
            return sl_invalid(k,
                              "All inputs must have the same dimension 0. Input %d has leading dimension %lld, while "
                              "all previous inputs have leading dimension %lld",
                              i, (long long)v.dims[0], (long long)*n);
    }
    return m->n_args ? SL_OK : sl_invalid(k, "MapDefun has no argument to take rows of");
}

static sl_code call_row(struct sl_value *rets, struct sl_kernel_context *k, int64_t row) {
    const struct map_defun *m = k->state;
    const int n = sl_in_count(k);
    struct sl_value *args;
    SL_TRY(sl_element_new(&args, n, k->err));
    sl_code code = SL_OK;
    for (int i = 0; i < n && code == SL_OK; i++) {
        if (i < m->n_args) code = sl_element_row(&args[i], sl_in_value(k, i), row, k->err);
        else args[i] = sl_value_share(sl_in_value(k, i));
    }
    if (code == SL_OK) code = k->env->functions->call(m->callees->functions[0], k->env, args, rets, k->err);
    sl_element_clear(args, n);
    sl_free(args);
    return code;
}

/* Results without a row have the shape that is declared. */
static sl_code give_nothing(struct sl_kernel_context *k, int o) {
    const struct sl_shape declared = ((const struct map_defun *)k->state)->shapes[o];
    int64_t dims[SL_MAX_RANK] = {0};
    struct sl_view out;
    char text[SL_SHAPE_TEXT];
    if (!sl_shape_is_known(declared) || declared.rank >= SL_MAX_RANK)
        return sl_invalid(k, "MapDefun was called with no rows, and output_shapes[%d] is %s", o,
                          sl_shape_text(text, declared));
    for (int i = 0; i < declared.rank; i++) dims[i + 1] = declared.dims[i];
    return sl_out_new(&out, k, o, (struct sl_shape){declared.rank + 1, dims});
}

static sl_code check_result(struct sl_kernel_context *k, const struct sl_value *ret, int o) {
    const struct sl_shape declared = ((const struct map_defun *)k->state)->shapes[o];
    const struct sl_shape shape = sl_view_shape(sl_value_view(ret));
    char a[SL_SHAPE_TEXT], b[SL_SHAPE_TEXT];
    if (sl_shape_is_compatible(declared, shape)) return SL_OK;
    return sl_invalid(k, "output shape %s of result %d is not compatible with %s", sl_shape_text(a, shape), o,
                      sl_shape_text(b, declared));
}

static sl_code map_rows(struct sl_element_list *results, struct sl_kernel_context *k, int64_t n) {
    for (; results->n < n; results->n++) {
        struct sl_value *rets;
        SL_TRY(sl_element_list_room(&rets, results, k->err));
        SL_TRY(call_row(rets, k, results->n));
        sl_code code = SL_OK;
        for (int o = 0; o < results->width && code == SL_OK; o++) code = check_result(k, &rets[o], o);
        if (code != SL_OK) {
            sl_element_clear(rets, results->width);
            return code;
        }
    }
    for (int o = 0; o < results->width; o++)
        SL_TRY(n ? sl_element_stack(sl_out_value(k, o), results, o, k->err) : give_nothing(k, o));
    return SL_OK;
}

static sl_code map_defun_run(struct sl_kernel_context *k) {
    const struct map_defun *m = k->state;
    struct sl_element_list results = {.width = sl_out_count(k)};
    int64_t n = 0;
    SL_TRY(sl_callees_status(m->callees, k->err));
    SL_TRY(count_rows(&n, k));
    sl_code code = map_rows(&results, k, n);
    sl_element_list_clear(&results);
    return code;
}

/* clang-format off */
const struct sl_kernel_def sl_any_map_defun_rows[] = {
    KERNEL("MapDefun", NO_RULE, .create = map_defun_create, .destroy = map_defun_free, .run = map_defun_run)
    SL_ROWS_END
};
/* clang-format on */
