/* kernels_experimental.h, variables: kernels of plug-ins assign, update and lock them. The plug-in copies and computes
 * by functions of its own, which are given tensors to delete. A variable's lock is held meanwhile; what a plug-in may
 * write to is the variable's alone. */
#include <stdlib.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/slices.h"
#include "kernel/variable.h"
#include "plugin/plugin_kernel.h"
#include "tensorflow/c/kernels_experimental.h"

typedef void copy_fn(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest);

/* ---- tensors for the plug-in's functions */

/* Handles of two tensors, for a function that deletes them. */
static sl_code two_handles(TF_Tensor *out[2], struct sl_tensor *a, struct sl_tensor *b, struct sl_error *err) {
    out[0] = sl_tensor_handle_new(sl_tensor_ref(a));
    out[1] = sl_tensor_handle_new(sl_tensor_ref(b));
    if (out[0] && out[1]) return SL_OK;
    TF_DeleteTensor(out[0]);
    TF_DeleteTensor(out[1]);
    return sl_fail_memory(err, sizeof **out);
}

/* A copy, made by `copy`; NULL: by the library. */
static sl_code copy_by(struct sl_tensor **out, TF_OpKernelContext *context, copy_fn *copy, struct sl_tensor *from,
                       struct sl_error *err) {
    TF_Tensor *handles[2];
    struct sl_tensor *to;
    if (!copy) return sl_tensor_copy(out, from, err);
    SL_TRY(sl_tensor_new_in(&to, sl_tensor_memory(from), from->dtype, sl_tensor_shape(from), err));
    sl_code code = two_handles(handles, from, to, err);
    if (code != SL_OK) {
        sl_tensor_unref(to);
        return code;
    }
    copy(context, handles[0], handles[1]);
    *out = to;
    return SL_OK;
}

static sl_code find_variable(struct sl_variable **out, TF_OpKernelContext *context, int i, struct sl_error *err) {
    if (i < 0 || i >= sl_in_count(context->k)) return sl_fail(err, SL_OUT_OF_RANGE, "input index out of range");
    struct sl_kernel_context *k = context->k;
    sl_code code = sl_in_variable(out, k, i);
    return code == SL_OK ? SL_OK : sl_fail(err, code, "%s", k->err->message);
}

/* The variable holds a tensor that nobody else does. With the lock held. */
static sl_code make_own(struct sl_tensor **out, TF_OpKernelContext *context, struct sl_variable *v, copy_fn *copy,
                        struct sl_error *err) {
    struct sl_tensor *t;
    if (v->value.kind == SL_VALUE_NONE) return sl_variable_fail_unset(v, err);
    SL_TRY(sl_value_settle(&v->value, sl_plugin_memory(context), context->k->env->step_id, err));
    bool is_tensor = v->value.kind == SL_VALUE_TENSOR;
    if (is_tensor && sl_tensor_is_sole(v->value.tensor)) {
        *out = v->value.tensor;
        return SL_OK;
    }
    SL_TRY(is_tensor ? copy_by(&t, context, copy, v->value.tensor, err) : sl_value_to_tensor(&t, &v->value, err));
    sl_value_clear(&v->value);
    v->value = (struct sl_value){.kind = SL_VALUE_TENSOR, .dtype = t->dtype, .tensor = t};
    *out = t;
    return SL_OK;
}

/* ---- assigning */

/* With the lock held; a copy is made when readers get one, so that updates in place stay possible. */
static sl_code store(TF_OpKernelContext *context, struct sl_variable *v, struct sl_tensor *from, bool validates,
                     bool copies, copy_fn *copy, struct sl_error *err) {
    struct sl_tensor *t = from;
    struct sl_value value = {.kind = SL_VALUE_TENSOR, .dtype = from->dtype, .tensor = from};
    SL_TRY(sl_variable_check(v, &value, validates, err));
    if (copies) SL_TRY(copy_by(&t, context, copy, from, err));
    else sl_tensor_ref(t);
    sl_value_clear(&v->value);
    v->value = sl_value_of_tensor(t);
    v->dtype = t->dtype;
    return SL_OK;
}

static sl_code assign(TF_OpKernelContext *context, int input, int value, bool validates, copy_fn *copy,
                      struct sl_error *err) {
    struct sl_variable *v;
    struct sl_tensor *from;
    SL_TRY(find_variable(&v, context, input, err));
    SL_TRY(sl_plugin_input(&from, context, value, err));
    sl_mutex_lock(&v->mutex);
    sl_code code = store(context, v, from, validates, v->copy_on_read, copy, err);
    sl_mutex_unlock(&v->mutex);
    sl_tensor_unref(from);
    return code;
}

void TF_AssignVariable(TF_OpKernelContext *context, int input_index, int value_index, bool validate_shape,
                       void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
                       TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, assign(context, input_index, value_index, validate_shape, copy_func, &err), &err);
}

/* Output `o` is the reference that input `i` is. */
static sl_code forward_ref(TF_OpKernelContext *context, int i, int o, struct sl_error *err) {
    struct sl_kernel_context *k = context->k;
    if (i < 0 || i >= sl_in_count(k) || sl_in_value(k, i)->kind != SL_VALUE_REF)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input %d is no reference", i);
    if (o < 0 || o >= sl_out_count(k) || !sl_dtype_is_ref(k->node->out_types[o]))
        return sl_fail(err, SL_INVALID_ARGUMENT, "Output %d is no reference", o);
    struct sl_value *out = sl_out_value(k, o);
    sl_value_clear(out);
    *out = sl_value_share(sl_in_value(k, i));
    return SL_OK;
}

void TF_OpKernelContext_ForwardRefInputToRefOutput(TF_OpKernelContext *context, int32_t input_index,
                                                   int32_t output_index) {
    sl_code code = forward_ref(context, input_index, output_index, context->k->err);
    if (code != SL_OK) context->failed = code;
}

/* The lock is held whether `use_locking` asks for that or not. */
static sl_code assign_ref(TF_OpKernelContext *context, int input, int output, int value, bool validates, copy_fn *copy,
                          struct sl_error *err) {
    struct sl_variable *v;
    struct sl_tensor *from;
    SL_TRY(forward_ref(context, input, output, err));
    SL_TRY(find_variable(&v, context, input, err));
    SL_TRY(sl_plugin_input(&from, context, value, err));
    sl_mutex_lock(&v->mutex);
    sl_code code = store(context, v, from, validates, true, copy, err);
    sl_mutex_unlock(&v->mutex);
    sl_tensor_unref(from);
    return code;
}

void TF_AssignRefVariable(TF_OpKernelContext *context, int input_ref_index, int output_ref_index, int value_index,
                          bool use_locking, bool validate_shape,
                          void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
                          TF_Status *status) {
    (void)use_locking;
    struct sl_error err;
    sl_status_take(status,
                   assign_ref(context, input_ref_index, output_ref_index, value_index, validate_shape, copy_func, &err),
                   &err);
}

/* ---- updating */

typedef void update_fn(TF_OpKernelContext *context, TF_Tensor *tensor, TF_Tensor *value, int operation);

static sl_code check_update(const struct sl_tensor *t, const struct sl_tensor *by, struct sl_error *err) {
    char text[SL_SHAPE_TEXT], by_text[SL_SHAPE_TEXT];
    if (t->dtype != by->dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Cannot update variable of type %s by a tensor of type %s",
                       sl_dtype_name(t->dtype), sl_dtype_name(by->dtype));
    if (sl_shape_equal(sl_tensor_shape(t), sl_tensor_shape(by))) return SL_OK;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Cannot update variable with shape %s using a Tensor with shape %s, shapes must be equal.",
                   sl_shape_text(text, sl_tensor_shape(t)), sl_shape_text(by_text, sl_tensor_shape(by)));
}

/* With the lock held. */
static sl_code update_held(TF_OpKernelContext *context, struct sl_variable *v, struct sl_tensor *by, int operation,
                           copy_fn *copy, update_fn *update, struct sl_error *err) {
    struct sl_tensor *t;
    TF_Tensor *handles[2];
    SL_TRY(make_own(&t, context, v, copy, err));
    SL_TRY(check_update(t, by, err));
    SL_TRY(two_handles(handles, t, by, err));
    update(context, handles[0], handles[1], operation);
    return SL_OK;
}

static sl_code update(TF_OpKernelContext *context, int input, int value, int operation, copy_fn *copy, update_fn *func,
                      struct sl_error *err) {
    struct sl_variable *v;
    struct sl_tensor *by;
    SL_TRY(find_variable(&v, context, input, err));
    SL_TRY(sl_plugin_input(&by, context, value, err));
    sl_mutex_lock(&v->mutex);
    sl_code code = update_held(context, v, by, operation, copy, func, err);
    sl_mutex_unlock(&v->mutex);
    sl_tensor_unref(by);
    return code;
}

/* A variant is a tensor of objects here as well, so `is_variant` changes nothing. */
void TF_AssignUpdateVariable(TF_OpKernelContext *context, int input_index, int value_index, int operation,
                             int is_variant,
                             void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
                             void (*update_func)(TF_OpKernelContext *context, TF_Tensor *tensor, TF_Tensor *value,
                                                 int operation),
                             TF_Status *status) {
    (void)is_variant;
    struct sl_error err;
    sl_status_take(status, update(context, input_index, value_index, operation, copy_func, update_func, &err), &err);
}

/* ---- temporary variables */

typedef void allocate_fn(TF_OpKernelContext *context, TF_Tensor *tensor, TF_DataType dtype, const int64_t *dims,
                         int num_dims, TF_Status *status);

/* The plug-in's function may put another tensor into the handle. */
static sl_code allocate_by(struct sl_value *out, TF_OpKernelContext *context, allocate_fn *allocate, int dtype,
                           struct sl_shape shape, struct sl_error *err) {
    if (!allocate) return sl_value_zero(out, dtype, shape, err);
    struct sl_tensor *t;
    TF_Tensor *handle = NULL;
    TF_Status *status = TF_NewStatus();
    struct sl_memory *memory = sl_dtype_is_plain(dtype) ? sl_plugin_memory(context) : NULL;
    sl_code code = status ? sl_tensor_new_in(&t, memory, dtype, shape, err) : sl_fail_memory(err, sizeof *handle);
    if (code == SL_OK) code = sl_tensor_handle_try(&handle, t, err);
    if (code == SL_OK) {
        allocate(context, handle, (TF_DataType)dtype, shape.dims, shape.rank, status);
        code = sl_status_give(status, err);
    }
    if (code == SL_OK && handle->tensor->dtype != dtype)
        code = sl_fail(err, SL_INVALID_ARGUMENT, "The temporary variable was made of type %s, not %s",
                       sl_dtype_name(handle->tensor->dtype), sl_dtype_name(dtype));
    if (code == SL_OK) *out = sl_value_of_tensor(sl_tensor_ref(handle->tensor));
    TF_DeleteTensor(handle);
    TF_DeleteStatus(status);
    return code;
}

static struct sl_str text_of(const TF_StringView *view) {
    return view && view->data ? (struct sl_str){view->data, view->len} : SL_STR("");
}

static sl_code make_temporary(TF_OpKernelContext *context, int dtype, struct sl_shape shape, struct sl_str name,
                              allocate_fn *allocate, struct sl_error *err) {
    struct sl_variable *v;
    struct sl_kernel_context *k = context->k;
    const struct sl_variable_spec spec = {&sl_ref_variable_type, dtype, shape, SL_STR(""), name};
    if (sl_out_count(k) < 1 || !sl_dtype_is_ref(k->node->out_types[0]) || sl_out_type(k, 0) != dtype)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Output 0 is no reference to %s", sl_dtype_name(dtype));
    SL_TRY(sl_variable_new(&v, &spec, err));
    sl_code code = allocate_by(&v->value, context, allocate, dtype, shape, err);
    if (code != SL_OK) {
        sl_object_unref(&v->object);
        return code;
    }
    code = sl_out_temporary(k, 0, v, name);
    return code == SL_OK ? SL_OK : sl_fail(err, code, "%s", k->err->message);
}

void TF_TemporaryVariable(TF_OpKernelContext *context, TF_DataType dtype, const int64_t *dims, int num_dims,
                          TF_StringView *var_name,
                          void (*plugin_allocator)(TF_OpKernelContext *, TF_Tensor *, TF_DataType, const int64_t *, int,
                                                   TF_Status *),
                          TF_Status *status) {
    struct sl_error err;
    struct sl_shape shape = {num_dims, num_dims > 0 ? dims : NULL};
    sl_code code = num_dims < 0 ? sl_fail(&err, SL_INVALID_ARGUMENT, "a temporary variable needs a shape")
                                : make_temporary(context, (int)dtype, shape, text_of(var_name), plugin_allocator, &err);
    sl_status_take(status, code, &err);
}

static sl_code drop_temporary(TF_OpKernelContext *context, int i, struct sl_str name, struct sl_error *err) {
    struct sl_tensor *t;
    struct sl_kernel_context *k = context->k;
    if (i < 0 || i >= sl_in_count(k) || sl_in_value(k, i)->kind != SL_VALUE_REF)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Input %d is no reference to a temporary variable", i);
    SL_TRY(sl_plugin_input(&t, context, i, err));
    sl_code code = sl_temporary_forget(k, name);
    if (code == SL_OK) return sl_plugin_put(context, 0, t, err);
    sl_tensor_unref(t);
    return sl_fail(err, code, "%s", k->err->message);
}

void TF_DestroyTemporaryVariable(TF_OpKernelContext *context, int index, TF_StringView *var_name, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, drop_temporary(context, index, text_of(var_name), &err), &err);
}

/* ---- locks, and tensors that may be written to */

struct TF_VariableInputLockHolder {
    int n;
    struct sl_variable *held[]; /* by address, each once; a reference each */
};

/* Readers get copies from now on, so that the value can be written to in place. With the lock held. */
static sl_code make_sparse(TF_OpKernelContext *context, struct sl_variable *v, copy_fn *copy, struct sl_error *err) {
    struct sl_tensor *t;
    if (v->copy_on_read || v->value.kind == SL_VALUE_NONE) return SL_OK;
    SL_TRY(make_own(&t, context, v, copy, err));
    v->copy_on_read = true;
    return SL_OK;
}

static int compare_addresses(const void *a, const void *b) {
    uintptr_t x = (uintptr_t) * (struct sl_variable *const *)a, y = (uintptr_t) * (struct sl_variable *const *)b;
    return (x > y) - (x < y);
}

static sl_code list_variables(struct TF_VariableInputLockHolder *h, TF_OpKernelContext *context, const int *inputs,
                              size_t n, struct sl_error *err) {
    for (size_t i = 0; i < n; i++) SL_TRY(find_variable(&h->held[i], context, inputs[i], err));
    if (n) qsort(h->held, n, sizeof *h->held, compare_addresses);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || h->held[i] != h->held[i - 1]) h->held[h->n++] = h->held[i];
    for (int i = 0; i < h->n; i++) sl_object_ref(&h->held[i]->object);
    return SL_OK;
}

void TF_ReleaseVariableInputLockHolder(TF_VariableInputLockHolder *lock_holder) {
    if (!lock_holder) return;
    for (int i = lock_holder->n - 1; i >= 0; i--) {
        sl_mutex_unlock(&lock_holder->held[i]->mutex);
        sl_object_unref(&lock_holder->held[i]->object);
    }
    sl_free(lock_holder);
}

static sl_code lock_variables(TF_VariableInputLockHolder **out, TF_OpKernelContext *context, bool does_lock,
                              bool is_sparse, const int *inputs, size_t n, copy_fn *copy, struct sl_error *err) {
    struct TF_VariableInputLockHolder *h = sl_calloc(1, sizeof *h + n * sizeof(struct sl_variable *));
    if (!h) return sl_fail_memory(err, n * sizeof(struct sl_variable *));
    sl_code code = list_variables(h, context, inputs, n, err);
    if (code != SL_OK) {
        sl_free(h);
        return code;
    }
    for (int i = 0; i < h->n; i++) sl_mutex_lock(&h->held[i]->mutex);
    for (int i = 0; is_sparse && i < h->n && code == SL_OK; i++) code = make_sparse(context, h->held[i], copy, err);
    if (code == SL_OK && does_lock) {
        *out = h;
        return SL_OK;
    }
    TF_ReleaseVariableInputLockHolder(h);
    if (code != SL_OK) return code;
    *out = sl_calloc(1, sizeof **out); /* which holds nothing */
    return *out ? SL_OK : sl_fail_memory(err, sizeof **out);
}

void TF_MaybeLockVariableInputMutexesInOrder(TF_OpKernelContext *context, bool do_lock, bool sparse, const int *inputs,
                                             size_t len,
                                             void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source,
                                                               TF_Tensor *dest),
                                             TF_VariableInputLockHolder **lock_holder, TF_Status *status) {
    struct sl_error err;
    *lock_holder = NULL;
    sl_status_take(status, lock_variables(lock_holder, context, do_lock, sparse, inputs, len, copy_func, &err), &err);
}

static sl_code get_from_variable(TF_Tensor **out, TF_OpKernelContext *context, int input, bool is_locked,
                                 bool is_sparse, copy_fn *copy, struct sl_error *err) {
    struct sl_variable *v;
    struct sl_tensor *t;
    SL_TRY(find_variable(&v, context, input, err));
    if (!is_locked) sl_mutex_lock(&v->mutex);
    sl_code code = is_sparse ? make_sparse(context, v, copy, err) : SL_OK;
    if (code == SL_OK) code = make_own(&t, context, v, copy, err);
    if (code == SL_OK) code = sl_tensor_handle_try(out, sl_tensor_ref(t), err);
    if (!is_locked) sl_mutex_unlock(&v->mutex);
    return code;
}

void TF_GetInputTensorFromVariable(TF_OpKernelContext *context, int input, bool lock_held, bool is_variant, bool sparse,
                                   void (*copy_func)(TF_OpKernelContext *context, TF_Tensor *source, TF_Tensor *dest),
                                   TF_Tensor **out, TF_Status *status) {
    (void)is_variant;
    struct sl_error err;
    *out = NULL;
    sl_status_take(status, get_from_variable(out, context, input, lock_held, sparse, copy_func, &err), &err);
}
