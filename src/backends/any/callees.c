/* Finding and checking the functions that nodes call, and values as conditions. Called by function_any.c and
 * loop_any.c. */
#include "backends/any/callees.h"

#include "base/alloc.h"

struct sl_callees *sl_callees_new(int n, struct sl_functions *functions, struct sl_error *err) {
    size_t bytes = sizeof(struct sl_callees) + (size_t)n * sizeof(struct sl_function *);
    struct sl_callees *c = sl_calloc(1, bytes);
    if (!c) sl_fail_memory(err, bytes);
    else {
        c->n = n;
        c->release = functions ? functions->release : NULL;
    }
    return c;
}

void sl_callees_free(void *callees) {
    struct sl_callees *c = callees;
    if (!c) return;
    for (int i = 0; i < c->n; i++)
        if (c->functions[i] && c->release) c->release(c->functions[i]);
    sl_free(c->message);
    sl_free(c);
}

sl_code sl_callees_keep_error(struct sl_callees *callees, struct sl_kernel_setup *setup, sl_code code) {
    if (code == SL_OK || code == SL_RESOURCE_EXHAUSTED || !setup->err) return code;
    size_t n = strlen(setup->err->message) + 1;
    callees->message = sl_malloc(n);
    if (!callees->message) return sl_fail_memory(setup->err, n);
    memcpy(callees->message, setup->err->message, n);
    callees->code = code;
    sl_error_clear(setup->err);
    return SL_OK;
}

sl_code sl_callee_find(struct sl_callees *callees, int i, struct sl_kernel_setup *setup,
                       const struct sl_pb_NameAttrList *named) {
    struct sl_functions *functions = setup->functions;
    if (!functions) return sl_fail(setup->err, SL_UNIMPLEMENTED, "functions cannot be called here");
    struct sl_arena scratch;
    sl_arena_init(&scratch);
    struct sl_attrs attrs;
    sl_code code = sl_attrs_of_map(&attrs, &scratch, &named->attr, setup->err);
    if (code == SL_OK)
        code =
            functions->instantiate(&callees->functions[i], functions, named->name, &attrs, setup->device, setup->err);
    sl_arena_clear(&scratch);
    return code;
}

sl_code sl_callee_bind(struct sl_callees *callees, int i, struct sl_kernel_setup *setup, const char *attr,
                       struct sl_callee_types types) {
    const struct sl_pb_NameAttrList *named;
    SL_TRY(sl_attr_func(&named, setup->attrs, attr, setup->err));
    SL_TRY(sl_callee_find(callees, i, setup, named));
    return sl_callee_check(callees->functions[i], setup->functions, types, setup->err);
}

sl_code sl_callee_check(const struct sl_function *f, const struct sl_functions *functions, struct sl_callee_types types,
                        struct sl_error *err) {
    int n_args, n_rets;
    const uint8_t *args, *rets;
    functions->signature(f, &n_args, &args, &n_rets, &rets);
    if (n_args != types.n_args)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Expects %d arguments, but %d is provided", n_args, types.n_args);
    for (int i = 0; i < n_args; i++)
        if (args[i] != types.args[i])
            return sl_fail(err, SL_INVALID_ARGUMENT, "Expects arg[%d] to be %s but %s is provided", i,
                           sl_dtype_name(args[i]), sl_dtype_name(types.args[i]));
    if (n_rets != types.n_rets)
        return sl_fail(err, SL_INTERNAL, "Expect to produce %d tensors, but only get %d", types.n_rets, n_rets);
    for (int i = 0; i < n_rets; i++)
        if (rets[i] != types.rets[i])
            return sl_fail(err, SL_INTERNAL, "Expect %d-th output is of type %s but get %s", i,
                           sl_dtype_name(types.rets[i]), sl_dtype_name(rets[i]));
    return SL_OK;
}

/* A scalar of `T`. */
#define AS_BOOL(type, T)                                                                                               \
    case SL_##type: *out = *(const T *)v.data != 0; return SL_OK;

sl_code sl_value_is_true(bool *out, const struct sl_value *value, struct sl_error *err) {
    struct sl_view v = sl_value_view(value);
    if (v.rank > 0) {
        *out = v.count > 0;
        return SL_OK;
    }
    switch (v.dtype) {
        AS_BOOL(BOOL, bool)
        AS_BOOL(FLOAT, float)
        AS_BOOL(DOUBLE, double)
        AS_BOOL(INT8, int8_t)
        AS_BOOL(INT16, int16_t)
        AS_BOOL(INT32, int32_t)
        AS_BOOL(INT64, int64_t)
        AS_BOOL(UINT8, uint8_t)
    case SL_STRING: *out = TF_TString_GetSize((const TF_TString *)v.data) > 0; return SL_OK;
    default: return sl_fail(err, SL_INVALID_ARGUMENT, "%s cannot be converted to a boolean", sl_dtype_name(v.dtype));
    }
}
