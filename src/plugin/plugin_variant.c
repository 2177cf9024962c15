/* kernels_experimental.h, variants: sums and zeros of lists and maps, where a plug-in computes with the tensors in
 * them. Its functions are given tensors to delete. */
#include "device/transfer.h"
#include "kernel/variant.h"
#include "plugin/plugin_kernel.h"
#include "tensorflow/c/kernels_experimental.h"

/* Who is asked. */
struct asked {
    TF_OpKernelContext *context;
    void (*add)(TF_OpKernelContext *context, TF_Tensor *a, TF_Tensor *b, TF_Tensor *out);
    void (*zeros)(TF_OpKernelContext *context, TF_Tensor *input, TF_Tensor *out);
};

/* A handle of the value where the kernel's device reads it, for a function that deletes it. */
static sl_code handle_of(TF_Tensor **out, const struct asked *asked, const struct sl_value *v, struct sl_error *err) {
    struct sl_tensor *t;
    struct sl_value there = sl_value_share(v);
    sl_code code = sl_value_settle(&there, sl_plugin_memory(asked->context), asked->context->k->env->step_id, err);
    if (code == SL_OK) code = sl_value_to_tensor(&t, &there, err);
    sl_value_clear(&there);
    return code == SL_OK ? sl_tensor_handle_try(out, t, err) : code;
}

/* Room for a result like `like`, and a handle of it. */
static sl_code room_for(struct sl_tensor **out, TF_Tensor **handle, const struct asked *asked,
                        const struct sl_value *like, struct sl_error *err) {
    struct sl_view v = sl_value_view(like);
    SL_TRY(sl_tensor_new_in(out, sl_plugin_memory(asked->context), v.dtype, sl_view_shape(v), err));
    sl_code code = sl_tensor_handle_try(handle, sl_tensor_ref(*out), err);
    if (code != SL_OK) sl_tensor_unref(*out);
    return code;
}

/* The result that a function has written; the code when it said that it failed. */
static sl_code take_result(struct sl_value *out, const struct asked *asked, struct sl_tensor *result,
                           struct sl_error *err) {
    sl_code failed = asked->context->failed;
    if (failed == SL_OK) *out = sl_value_of_tensor(result);
    else sl_tensor_unref(result);
    return failed == SL_OK ? SL_OK : sl_fail(err, failed, "%s", asked->context->k->err->message);
}

static sl_code add_by(struct sl_value *out, const struct sl_value *a, const struct sl_value *b, void *arg,
                      struct sl_error *err) {
    const struct asked *asked = arg;
    TF_Tensor *first = NULL, *second = NULL, *sum = NULL;
    struct sl_tensor *result = NULL;
    sl_code code = handle_of(&first, asked, a, err);
    if (code == SL_OK) code = handle_of(&second, asked, b, err);
    if (code == SL_OK) code = room_for(&result, &sum, asked, a, err);
    if (code != SL_OK) {
        TF_DeleteTensor(first);
        TF_DeleteTensor(second);
        return code;
    }
    asked->add(asked->context, first, second, sum);
    return take_result(out, asked, result, err);
}

static sl_code zeros_by(struct sl_value *out, const struct sl_value *like, void *arg, struct sl_error *err) {
    const struct asked *asked = arg;
    TF_Tensor *input = NULL, *zeros = NULL;
    struct sl_tensor *result = NULL;
    SL_TRY(handle_of(&input, asked, like, err));
    sl_code code = room_for(&result, &zeros, asked, like, err);
    if (code != SL_OK) {
        TF_DeleteTensor(input);
        return code;
    }
    asked->zeros(asked->context, input, zeros);
    return take_result(out, asked, result, err);
}

/* The value as output 0. */
static sl_code put(TF_OpKernelContext *context, struct sl_value *v, struct sl_error *err) {
    struct sl_tensor *t;
    sl_code code = sl_value_to_tensor(&t, v, err);
    sl_value_clear(v);
    return code == SL_OK ? sl_plugin_put(context, 0, t, err) : code;
}

/* All inputs are variants. */
static sl_code check_inputs(struct sl_kernel_context *k, struct sl_error *err) {
    int n = sl_in_count(k);
    for (int i = 0; i < n; i++)
        if (sl_in_value(k, i)->dtype != SL_VARIANT)
            return sl_fail(err, SL_INVALID_ARGUMENT, "Input %d is no variant but %s", i,
                           sl_dtype_name(sl_in_value(k, i)->dtype));
    return n ? SL_OK : sl_fail(err, SL_INVALID_ARGUMENT, "There is no input");
}

static sl_code add_all(struct asked *asked, struct sl_error *err) {
    struct sl_kernel_context *k = asked->context->k;
    const struct sl_variant_maths maths = {zeros_by, add_by, asked};
    SL_TRY(check_inputs(k, err));
    struct sl_value total = sl_value_share(sl_in_value(k, 0));
    for (int i = 1; i < sl_in_count(k); i++) {
        struct sl_value next;
        sl_code code = sl_value_add(&next, &total, sl_in_value(k, i), asked->add ? &maths : NULL, err);
        sl_value_clear(&total);
        SL_TRY(code);
        total = next;
    }
    return put(asked->context, &total, err);
}

void TF_AddNVariant(TF_OpKernelContext *context,
                    void (*binary_add_func)(TF_OpKernelContext *context, TF_Tensor *a, TF_Tensor *b, TF_Tensor *out),
                    TF_Status *status) {
    struct sl_error err;
    struct asked asked = {.context = context, .add = binary_add_func};
    sl_status_take(status, add_all(&asked, &err), &err);
}

static sl_code zeros_like(struct asked *asked, struct sl_error *err) {
    struct sl_kernel_context *k = asked->context->k;
    const struct sl_variant_maths maths = {zeros_by, add_by, asked};
    struct sl_value zeros;
    SL_TRY(check_inputs(k, err));
    SL_TRY(sl_value_zeros(&zeros, sl_in_value(k, 0), asked->zeros ? &maths : NULL, err));
    return put(asked->context, &zeros, err);
}

void TF_ZerosLikeVariant(TF_OpKernelContext *context,
                         void (*zeros_like_func)(TF_OpKernelContext *context, TF_Tensor *input, TF_Tensor *out),
                         TF_Status *status) {
    struct sl_error err;
    struct asked asked = {.context = context, .zeros = zeros_like_func};
    sl_status_take(status, zeros_like(&asked, &err), &err);
}
