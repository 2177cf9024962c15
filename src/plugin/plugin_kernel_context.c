/* kernels.h, while a kernel runs: inputs, outputs, memory, the step. */
#include "base/alloc.h"
#include "device/transfer.h"
#include "kernel/variable.h"
#include "plugin/plugin_device.h"
#include "plugin/plugin_kernel.h"
#include "tensorflow/c/kernels_experimental.h"

void TF_OpKernelContext_Failure(TF_OpKernelContext *context, TF_Status *status) {
    sl_code code = sl_status_give(status, context->k->err);
    if (code != SL_OK) context->failed = code;
}

/* ---- inputs */
int TF_NumInputs(TF_OpKernelContext *context) { return sl_in_count(context->k); }

int TF_NumOutputs(TF_OpKernelContext *context) { return sl_out_count(context->k); }

static bool is_ref(const struct sl_kernel_context *k, int i) { return sl_dtype_is_ref(k->node->in_types[i]); }

/* The value behind a reference, or the input itself. */
static sl_code input_tensor(struct sl_tensor **out, struct sl_kernel_context *k, int i, struct sl_error *err) {
    struct sl_value *value = sl_in_value(k, i), held;
    if (value->kind != SL_VALUE_REF) return sl_value_to_tensor(out, value, err);
    SL_TRY(sl_variable_read(&held, (struct sl_variable *)value->object, err));
    sl_code code = sl_value_settle(&held, k->node->device ? k->node->device->memory : NULL, k->env->step_id, err);
    if (code == SL_OK) code = sl_value_to_tensor(out, &held, err);
    sl_value_clear(&held);
    return code;
}

sl_code sl_plugin_input(struct sl_tensor **out, TF_OpKernelContext *context, int i, struct sl_error *err) {
    if (i < 0 || i >= sl_in_count(context->k)) return sl_fail(err, SL_OUT_OF_RANGE, "input index out of range");
    return input_tensor(out, context->k, i, err);
}

static sl_code get_input(TF_Tensor **out, TF_OpKernelContext *context, int i, struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(sl_plugin_input(&tensor, context, i, err));
    return sl_tensor_handle_try(out, tensor, err);
}

void TF_GetInput(TF_OpKernelContext *context, int i, TF_Tensor **tensor, TF_Status *status) {
    struct sl_error err;
    *tensor = NULL;
    sl_status_take(status, get_input(tensor, context, i, &err), &err);
}

/* Position of an input argument, or -1. */
static int find_arg(const struct sl_op *op, const char *name) {
    for (int i = 0; name && i < op->n_inputs; i++)
        if (sl_str_is(op->inputs[i].name, name)) return i;
    return -1;
}

void TF_GetInputByName(TF_OpKernelContext *context, const char *input_name, TF_Tensor **tensor, TF_Status *status) {
    int arg = find_arg(context->k->node->op, input_name);
    *tensor = NULL;
    if (arg < 0) sl_status_fail(status, SL_INVALID_ARGUMENT, "Unknown input name: %s", input_name);
    else if (context->state->inputs[arg].n != 1)
        sl_status_fail(status, SL_INVALID_ARGUMENT,
                       "OpKernel used list-valued input name '%s' when single-valued input was expected", input_name);
    else TF_GetInput(context, context->state->inputs[arg].first, tensor, status);
}

void TF_InputRange(TF_OpKernelContext *context, const char *name, TF_InputRange_Args *args) {
    int arg = find_arg(context->k->node->op, name);
    args->start = args->stop = -1;
    if (arg < 0) {
        sl_status_fail(args->status, SL_INVALID_ARGUMENT, "Unknown input name: %s", name);
        return;
    }
    args->start = context->state->inputs[arg].first;
    args->stop = args->start + context->state->inputs[arg].n;
    sl_status_set(args->status, SL_OK, NULL);
}

TF_DataType TF_InputDatatype(TF_OpKernelContext *context, int index) {
    const struct sl_kernel_node *node = context->k->node;
    return index >= 0 && (uint32_t)index < node->n_in ? (TF_DataType)node->in_types[index] : (TF_DataType)0;
}

bool TF_IsRefInput(TF_OpKernelContext *context, int i, TF_Status *status) {
    if (i < 0 || i >= sl_in_count(context->k)) {
        sl_status_set(status, SL_OUT_OF_RANGE, "input index out of range");
        return false;
    }
    sl_status_set(status, SL_OK, NULL);
    return is_ref(context->k, i);
}

static bool is_on_host(const struct sl_arg_range *ranges, int n_args, int i, int n, const char *what,
                       TF_Status *status) {
    if (i < 0 || i >= n) {
        sl_status_fail(status, SL_OUT_OF_RANGE, "%s index %d is out of range", what, i);
        return false;
    }
    sl_status_set(status, SL_OK, NULL);
    for (int a = 0; a < n_args; a++)
        if (i >= ranges[a].first && i < ranges[a].first + ranges[a].n) return ranges[a].is_on_host;
    return false;
}

bool TF_IsHostMemoryInput(TF_OpKernelContext *context, int i, TF_Status *status) {
    return is_on_host(context->state->inputs, context->k->node->op->n_inputs, i, sl_in_count(context->k), "input",
                      status);
}

bool TF_IsHostMemoryOutput(TF_OpKernelContext *context, int i, TF_Status *status) {
    return is_on_host(context->state->outputs, context->k->node->op->n_outputs, i, sl_out_count(context->k), "output",
                      status);
}

/* ---- outputs */
static sl_code check_output(const TF_OpKernelContext *context, int i, int dtype, struct sl_error *err) {
    if (i < 0 || i >= sl_out_count(context->k)) return sl_fail(err, SL_OUT_OF_RANGE, "output index out of range");
    int expected = sl_out_type(context->k, i);
    if (dtype != expected)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Output %d is %s but the op declares %s", i, sl_dtype_name(dtype),
                       sl_dtype_name(expected));
    return SL_OK;
}

/* `tensor` becomes output `i`; takes over the reference. */
static void put_output(TF_OpKernelContext *context, int i, struct sl_tensor *tensor) {
    sl_tensor_unref(context->outputs[i]);
    context->outputs[i] = tensor;
}

sl_code sl_plugin_put(TF_OpKernelContext *context, int i, struct sl_tensor *tensor, struct sl_error *err) {
    sl_code code = check_output(context, i, tensor->dtype, err);
    if (code == SL_OK) put_output(context, i, tensor);
    else sl_tensor_unref(tensor);
    return code;
}

static sl_code output_handle(TF_Tensor **out, TF_OpKernelContext *context, int i, struct sl_tensor *tensor,
                             struct sl_error *err) {
    put_output(context, i, tensor);
    return sl_tensor_handle_try(out, sl_tensor_ref(tensor), err);
}

/* In a memory of its own there is as much room as the shape says. */
static sl_code new_there(struct sl_tensor **out, struct sl_memory *memory, int dtype, const int64_t *dims, int rank,
                         size_t len, struct sl_error *err) {
    SL_TRY(sl_tensor_new_in(out, memory, dtype, (struct sl_shape){rank, rank > 0 ? dims : NULL}, err));
    if ((*out)->bytes <= len) return SL_OK;
    sl_tensor_unref(*out);
    return sl_fail(err, SL_INVALID_ARGUMENT, "%zu bytes do not fit a %s tensor of that shape", len,
                   sl_dtype_name(dtype));
}

static sl_code allocate_output(TF_Tensor **out, TF_OpKernelContext *context, int i, int dtype, const int64_t *dims,
                               int rank, size_t len, struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(check_output(context, i, dtype, err));
    struct sl_memory *memory = sl_out_memory(context->k, i);
    SL_TRY(memory ? new_there(&tensor, memory, dtype, dims, rank, len, err)
                  : sl_tensor_of_room(&tensor, dtype, dims, rank, len, err));
    return output_handle(out, context, i, tensor, err);
}

TF_Tensor *TF_AllocateOutput(TF_OpKernelContext *context, int index, TF_DataType dtype, const int64_t *dims,
                             int num_dims, size_t len, TF_Status *status) {
    struct sl_error err;
    TF_Tensor *handle = NULL;
    sl_status_take(status, allocate_output(&handle, context, index, (int)dtype, dims, num_dims, len, &err), &err);
    return handle;
}

static sl_code set_output(TF_OpKernelContext *context, int i, const TF_Tensor *tensor, struct sl_error *err) {
    if (!tensor) return sl_fail(err, SL_INVALID_ARGUMENT, "The tensor for output %d is NULL", i);
    return sl_plugin_put(context, i, sl_tensor_ref(tensor->tensor), err);
}

void TF_SetOutput(TF_OpKernelContext *context, int i, const TF_Tensor *tensor, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, set_output(context, i, tensor, &err), &err);
}

TF_Tensor *TF_GetMutableOutput(TF_OpKernelContext *context, int i, TF_Status *status) {
    bool is_set = i >= 0 && i < sl_out_count(context->k) && context->outputs[i];
    sl_status_set(status, is_set ? SL_OK : SL_OUT_OF_RANGE, "output index out of range, or the output is not set");
    return is_set ? sl_tensor_handle_new(sl_tensor_ref(context->outputs[i])) : NULL;
}

TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext *context, int i) {
    const struct sl_kernel_node *node = context->k->node;
    return i >= 0 && (uint32_t)i < node->n_out ? (TF_DataType)node->out_types[i] : (TF_DataType)0;
}

/* The input's memory under another shape, when nobody else needs it; NULL otherwise. */
static struct sl_tensor *take_input(struct sl_kernel_context *k, int i, int dtype, struct sl_shape shape,
                                    const struct sl_memory *memory) {
    struct sl_tensor *view;
    int64_t count;
    if (i < 0 || i >= sl_in_count(k) || i >= 64 || !(k->may_take >> i & 1)) return NULL;
    struct sl_value *value = sl_in_value(k, i);
    if (value->kind != SL_VALUE_TENSOR || value->dtype != dtype || !sl_tensor_is_sole(value->tensor)) return NULL;
    if (sl_tensor_memory(value->tensor) != memory) return NULL;
    if (sl_shape_count(&count, shape, NULL) != SL_OK || count != value->tensor->count) return NULL;
    if (sl_shape_equal(sl_tensor_shape(value->tensor), shape)) return sl_tensor_ref(value->tensor);
    return sl_tensor_view(&view, value->tensor, dtype, shape, 0, NULL) == SL_OK ? view : NULL;
}

static sl_code forward(TF_Tensor **out, TF_OpKernelContext *context, const int *candidates, int n, int o,
                       struct sl_shape shape, int *forwarded, struct sl_error *err) {
    if (o < 0 || o >= sl_out_count(context->k)) return sl_fail(err, SL_OUT_OF_RANGE, "output index out of range");
    int dtype = sl_out_type(context->k, o);
    struct sl_memory *memory = sl_out_memory(context->k, o);
    struct sl_tensor *tensor = NULL;
    for (int i = 0; i < n && !tensor; i++) {
        tensor = take_input(context->k, candidates[i], dtype, shape, memory);
        if (tensor && forwarded) *forwarded = candidates[i];
    }
    if (!tensor) SL_TRY(sl_tensor_new_in(&tensor, memory, dtype, shape, err));
    return output_handle(out, context, o, tensor, err);
}

TF_Tensor *TF_ForwardInputOrAllocateOutput(TF_OpKernelContext *context, const int *candidate_input_indices,
                                           int num_candidate_input_indices, int output_index,
                                           const int64_t *output_dims, int output_num_dims, int *forwarded_input,
                                           TF_Status *status) {
    struct sl_error err;
    TF_Tensor *handle = NULL;
    struct sl_shape shape = {output_num_dims, output_num_dims > 0 ? output_dims : NULL};
    if (forwarded_input) *forwarded_input = -1;
    sl_status_take(status,
                   forward(&handle, context, candidate_input_indices, num_candidate_input_indices, output_index, shape,
                           forwarded_input, &err),
                   &err);
    return handle;
}

static sl_code allocate_temp(TF_Tensor **out, struct sl_memory *memory, int dtype, const int64_t *dims, int rank,
                             struct sl_error *err) {
    struct sl_tensor *tensor;
    SL_TRY(sl_tensor_new_in(&tensor, memory, dtype, (struct sl_shape){rank, rank > 0 ? dims : NULL}, err));
    return sl_tensor_handle_try(out, tensor, err);
}

TF_Tensor *TF_AllocateTemp(TF_OpKernelContext *context, TF_DataType dtype, const int64_t *dims, int num_dims,
                           TF_AllocatorAttributes *alloc_attrs, TF_Status *status) {
    struct sl_error err;
    TF_Tensor *handle = NULL;
    const bool is_hosts = !sl_dtype_is_plain((int)dtype) || (alloc_attrs && alloc_attrs->on_host);
    sl_status_take(status,
                   allocate_temp(&handle, is_hosts ? NULL : sl_plugin_memory(context), (int)dtype, dims, num_dims,
                                 &err),
                   &err);
    return handle;
}

/* ---- the step and its surroundings */
int64_t TF_StepId(TF_OpKernelContext *context) { return (int64_t)context->k->env->step_id; }

int64_t TF_GetStepId(TF_OpKernelContext *context) { return TF_StepId(context); }

uint64_t TF_GetFrameId(TF_OpKernelContext *context) {
    (void)context;
    return 0; /* programs know their loops by place, not by number */
}

int64_t TF_GetIterId(TF_OpKernelContext *context) { return (int64_t)context->k->iteration; }

int TF_GetDeviceId(TF_OpKernelContext *context) {
    const struct sl_device *device = context->k->node->device;
    return device ? device->parsed.id : 0;
}

SP_Stream TF_GetStream(TF_OpKernelContext *context, TF_Status *status) {
    const struct sl_plugin_device *d = sl_plugin_device_of(context->k->node->device);
    sl_status_set(status, d ? SL_OK : SL_UNIMPLEMENTED, "TF_GetStream: the device is no plug-in's, and has no stream");
    return d ? d->stream : NULL;
}

static TF_StringView view_of(struct sl_str s) { return (TF_StringView){s.p ? s.p : "", s.n}; }

TF_StringView TF_GetDeviceName(TF_OpKernelContext *context) { return view_of(sl_str_of(context->k->env->device)); }

TF_StringView TF_GetOpKernelName(TF_OpKernelContext *context) { return view_of(context->k->node->name); }

TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext *context) {
    (void)context;
    return view_of(SL_STR("localhost"));
}

/* Programs hold no names of edges. */
TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext *context, size_t index) {
    (void)context, (void)index;
    return view_of(SL_STR(""));
}

int TF_GetGraphDefVersion(TF_OpKernelContext *context) { return context->state->graph_version; }

/* Sends and receives are the executor's: there is nothing for a plug-in to hook into. */
TF_RendezvousThunk TF_GetRendezvous(TF_OpKernelContext *context) {
    (void)context;
    return (TF_RendezvousThunk){0};
}

/* A step's resources are kept until all its kernels are done, asynchronous ones too: there is nothing to count. */
void TF_IncNumDeferredOps(TF_OpKernelContext *context) { (void)context; }
void TF_DecNumDeferredOps(TF_OpKernelContext *context) { (void)context; }
