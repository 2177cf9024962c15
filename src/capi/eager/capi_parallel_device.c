/* The parallel device: a custom device whose tensors have a component on each of several devices of the context.
 *
 *     op on the device ──┬─► thread 0: the same op on device 0 with components 0 ──┐
 *                        ├─► thread 1: ...                                         ├─► outputs, put together again
 *                        └─► ...                                                   ┘
 *
 * Each thread runs its op at once, whatever the caller's executor does, so that ops that wait for each other meet. When
 * one fails the others are cancelled. */
#include <string.h>

#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "kernel/cancellation.h"
#include "os/thread.h"
#include "tensorflow/c/eager/parallel_device/parallel_device.h"

enum { MOST_OUTPUTS = 1 << 16 };

struct parallel_device {
    int n;
    char *name;      /* as the context prints it; in one block with this, as are the others */
    char *devices[]; /* where the components lie */
};

struct parallel_tensor {
    int n;
    TFE_TensorHandle *parts[];
};

/* ---- tensors */

static int tensor_rank(void *data, TF_Status *status) {
    return TFE_TensorHandleNumDims(((struct parallel_tensor *)data)->parts[0], status);
}

/* A size that is not the same everywhere is not known. */
static int64_t tensor_dim(void *data, int dim_index, TF_Status *status) {
    const struct parallel_tensor *t = data;
    int64_t size = TFE_TensorHandleDim(t->parts[0], dim_index, status);
    for (int i = 1; i < t->n && TF_GetCode(status) == TF_OK; i++)
        if (TFE_TensorHandleDim(t->parts[i], dim_index, status) != size) size = -1;
    return size;
}

static void tensor_free(void *data) {
    struct parallel_tensor *t = data;
    for (int i = 0; i < t->n; i++) TFE_DeleteTensorHandle(t->parts[i]);
    sl_free(t);
}

static sl_code end_call(TF_Status *own, struct sl_error *err) {
    sl_code code = sl_status_give(own, err);
    sl_status_set(own, SL_OK, NULL);
    return code;
}

/* Takes the parts over, also on failure. */
static sl_code join_parts(TFE_TensorHandle **out, const struct parallel_device *d, TFE_Context *context,
                          TFE_TensorHandle *const *parts, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    struct parallel_tensor *t = sl_malloc(sizeof *t + (size_t)d->n * sizeof *t->parts);
    if (!t) {
        for (int i = 0; i < d->n; i++) TFE_DeleteTensorHandle(parts[i]);
        return sl_fail_memory(err, sizeof *t);
    }
    t->n = d->n;
    memcpy(t->parts, parts, (size_t)d->n * sizeof *parts);
    const TF_DataType dtype = TFE_TensorHandleDataType(parts[0]);
    for (int i = 1; i < d->n; i++)
        if (TFE_TensorHandleDataType(parts[i]) != dtype) {
            sl_fail(err, SL_INVALID_ARGUMENT, "the components of a tensor on %s are of types %s and %s", d->name,
                    sl_dtype_name((int)dtype), sl_dtype_name((int)TFE_TensorHandleDataType(parts[i])));
            tensor_free(t);
            return SL_INVALID_ARGUMENT;
        }
    const TFE_CustomDeviceTensorHandle methods = {TFE_CUSTOM_DEVICE_VERSION, tensor_rank, tensor_dim, tensor_free,
                                                  NULL};
    *out = TFE_NewCustomDeviceTensorHandle(context, d->name, dtype, t, methods, &own);
    return end_call(&own, err);
}

/* NULL for a tensor that lies elsewhere. */
static const struct parallel_tensor *parallel_of(const struct parallel_device *d, TFE_TensorHandle *handle) {
    const char *device = TFE_TensorHandleDeviceName(handle, NULL);
    return device && !strcmp(device, d->name) ? TFE_TensorHandleDevicePointer(handle, NULL) : NULL;
}

static TFE_TensorHandle *input_of(const TFE_Op *op, int i) { return TFE_OpGetFlatInput(op, i, NULL); }

/* ---- into and out of components */

static sl_code pack_inputs(TFE_TensorHandle **out, const struct parallel_device *d, const TFE_Op *op, TFE_Context *c,
                           struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    const int n = TFE_OpGetFlatInputCount(op, NULL);
    if (n != d->n)
        return sl_fail(err, SL_INVALID_ARGUMENT,
                       "The parallel device %s expected %d inputs to TPUReplicatedInput, but got %d", d->name, d->n, n);
    for (int i = 0; i < n; i++)
        if (parallel_of(d, input_of(op, i)))
            return sl_fail(
                err, SL_INVALID_ARGUMENT,
                "Expected all inputs to TPUReplicatedInput to be non-parallel TensorHandles. Input %d is on %s", i,
                d->name);
    TFE_TensorHandle **parts = sl_calloc((size_t)n, sizeof *parts);
    if (!parts) return sl_fail_memory(err, (size_t)n * sizeof *parts);
    sl_code code = SL_OK;
    int made = 0;
    for (; made < n && code == SL_OK; made += code == SL_OK) {
        parts[made] = TFE_TensorHandleCopyToDevice(input_of(op, made), c, d->devices[made], &own);
        code = end_call(&own, err);
    }
    if (code == SL_OK) code = join_parts(out, d, c, parts, err);
    else
        while (made--) TFE_DeleteTensorHandle(parts[made]);
    sl_free(parts);
    return code;
}

static sl_code unpack_input(TFE_TensorHandle **outputs, int *n_outputs, const struct parallel_device *d,
                            const TFE_Op *op, struct sl_error *err) {
    TFE_TensorHandle *input = TFE_OpGetFlatInputCount(op, NULL) == 1 ? input_of(op, 0) : NULL;
    const struct parallel_tensor *t = input ? parallel_of(d, input) : NULL;
    if (!t)
        return sl_fail(err, SL_INVALID_ARGUMENT, "TPUReplicatedOutput on %s takes one tensor that is there", d->name);
    if (*n_outputs < d->n)
        return sl_fail(
            err, SL_INVALID_ARGUMENT,
            "The parallel device %s has %d components, and there is room for %d outputs of TPUReplicatedOutput",
            d->name, d->n, *n_outputs);
    for (int i = 0; i < d->n; i++) outputs[i] = TFE_TensorHandleCopySharingTensor(t->parts[i], NULL);
    *n_outputs = d->n;
    return SL_OK;
}

/* ---- any other op, on each device */

struct parallel_call {
    const struct parallel_device *device;
    const TFE_Op *op;
    TFE_Context *context;
    struct sl_cancellation *cancellation; /* of all of them, and of the caller's */
    int room;
};

struct parallel_job {
    const struct parallel_call *call;
    int at;
    TFE_TensorHandle **outputs; /* room for call->room */
    int n_outputs;
    sl_code code;
    struct sl_error err;
    struct sl_thread thread;
};

static sl_code add_component(TFE_Op *to, const struct parallel_job *job, int i, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    const struct parallel_tensor *t = parallel_of(job->call->device, input_of(job->call->op, i));
    TFE_OpAddInput(to, t ? t->parts[job->at] : input_of(job->call->op, i), &own);
    return end_call(&own, err);
}

static sl_code run_component(struct parallel_job *job, TFE_Op *op, struct sl_error *err) {
    TF_Status own = {.code = SL_OK};
    const struct parallel_call *call = job->call;
    TFE_OpSetDevice(op, call->device->devices[job->at], &own);
    SL_TRY(end_call(&own, err));
    TFE_OpAddAttrs(op, TFE_OpGetAttrs(call->op));
    for (int i = 0, n = TFE_OpGetFlatInputCount(call->op, NULL); i < n; i++) SL_TRY(add_component(op, job, i, err));
    sl_as_eager_op(op)->cancellation = call->cancellation;
    job->n_outputs = call->room;
    TFE_Execute(op, job->outputs, &job->n_outputs, &own);
    return end_call(&own, err);
}

static void run_job(void *arg) {
    struct parallel_job *job = arg;
    struct sl_eager_context *c = sl_as_eager(job->call->context);
    struct sl_eager_executor *at_once;
    TF_Status own = {.code = SL_OK};
    job->code = sl_eager_executor_new(&at_once, false, 0, &job->err);
    if (job->code == SL_OK) {
        job->code = sl_eager_set_executor_of_thread(c, at_once, &job->err);
        TFE_Op *op =
            job->code == SL_OK ? TFE_NewOp(job->call->context, TFE_OpGetName(job->call->op, NULL), &own) : NULL;
        if (job->code == SL_OK) job->code = end_call(&own, &job->err);
        if (op) job->code = run_component(job, op, &job->err);
        TFE_DeleteOp(op);
        sl_eager_set_executor_of_thread(c, NULL, NULL);
        sl_eager_executor_unref(at_once);
    }
    if (job->code == SL_OK) return;
    job->n_outputs = 0;
    sl_cancellation_start(job->call->cancellation, SL_CANCELLED, "the op failed on another device");
}

/* The first error that is not only the echo of another one. */
static sl_code first_error(const struct parallel_job *jobs, int n, struct sl_error *err) {
    const struct parallel_job *failed = NULL;
    for (int i = 0; i < n; i++)
        if (jobs[i].code != SL_OK && (!failed || (failed->code == SL_CANCELLED && jobs[i].code != SL_CANCELLED)))
            failed = &jobs[i];
    return failed ? sl_fail(err, failed->code, "%s", failed->err.message) : SL_OK;
}

static sl_code join_outputs(TFE_TensorHandle **outputs, int *n_outputs, struct parallel_job *jobs,
                            const struct parallel_call *call, struct sl_error *err) {
    const struct parallel_device *d = call->device;
    const int n = jobs[0].n_outputs;
    sl_code code = SL_OK;
    for (int i = 1; i < d->n; i++)
        if (jobs[i].n_outputs != n)
            return sl_fail(err, SL_INTERNAL, "the op gives %d outputs on one device and %d on another", n,
                           jobs[i].n_outputs);
    TFE_TensorHandle **parts = sl_calloc((size_t)d->n, sizeof *parts);
    if (!parts) return sl_fail_memory(err, (size_t)d->n * sizeof *parts);
    int o = 0;
    for (; o < n && code == SL_OK; o += code == SL_OK) {
        for (int i = 0; i < d->n; i++) {
            parts[i] = jobs[i].outputs[o];
            jobs[i].outputs[o] = NULL;
        }
        code = join_parts(&outputs[o], d, call->context, parts, err);
    }
    sl_free(parts);
    if (code == SL_OK) *n_outputs = n;
    while (code != SL_OK && o--) {
        TFE_DeleteTensorHandle(outputs[o]);
        outputs[o] = NULL;
    }
    return code;
}

static sl_code run_jobs(TFE_TensorHandle **outputs, int *n_outputs, struct parallel_job *jobs, TFE_TensorHandle **room,
                        const struct parallel_call *call, struct sl_error *err) {
    const int n = call->device->n;
    int started = 0;
    sl_code code = SL_OK;
    for (; started < n && code == SL_OK; started += code == SL_OK) {
        struct parallel_job *job = &jobs[started];
        job->call = call;
        job->at = started;
        job->outputs = room + (size_t)started * (size_t)call->room;
        code = sl_thread_start(&job->thread, "parallel", 0, run_job, job, err);
    }
    if (code != SL_OK) sl_cancellation_start(call->cancellation, SL_CANCELLED, "a thread could not be had");
    for (int i = 0; i < started; i++) sl_thread_join(&jobs[i].thread);
    if (code == SL_OK) code = first_error(jobs, n, err);
    if (code == SL_OK) code = join_outputs(outputs, n_outputs, jobs, call, err);
    for (int i = 0; i < started; i++)
        for (int o = 0; o < jobs[i].n_outputs; o++) TFE_DeleteTensorHandle(jobs[i].outputs[o]);
    return code;
}

static sl_code run_everywhere(TFE_TensorHandle **outputs, int *n_outputs, const struct parallel_device *d,
                              const TFE_Op *op, TFE_Context *c, struct sl_error *err) {
    struct sl_cancellation *cancellation;
    const int room = *n_outputs < MOST_OUTPUTS ? *n_outputs : MOST_OUTPUTS;
    struct parallel_job *jobs = sl_calloc((size_t)d->n, sizeof *jobs);
    TFE_TensorHandle **handles = sl_calloc((size_t)d->n * ((size_t)room + 1), sizeof *handles);
    sl_code code = jobs && handles ? sl_cancellation_new(&cancellation, sl_as_eager_op(op)->cancellation, err)
                                   : sl_fail_memory(err, (size_t)d->n * sizeof *jobs);
    if (code == SL_OK) {
        const struct parallel_call call = {d, op, c, cancellation, room};
        code = run_jobs(outputs, n_outputs, jobs, handles, &call, err);
        sl_cancellation_free(cancellation);
    }
    sl_free(handles);
    sl_free(jobs);
    return code;
}

static sl_code check_inputs(const struct parallel_device *d, const TFE_Op *op, struct sl_error *err) {
    const bool is_constant = !strcmp(TFE_OpGetName(op, NULL), "_EagerConst");
    for (int i = 0, n = TFE_OpGetFlatInputCount(op, NULL); i < n && !is_constant; i++)
        if (!parallel_of(d, input_of(op, i)))
            return sl_fail(
                err, SL_INVALID_ARGUMENT,
                "Got a non-parallel tensor as input %d of %s on %s. First pack non-parallel tensors for each "
                "device into a parallel tensor explicitly, by TPUReplicatedInput.",
                i, TFE_OpGetName(op, NULL), d->name);
    return SL_OK;
}

static sl_code run(TFE_TensorHandle **outputs, int *n_outputs, const struct parallel_device *d, const TFE_Op *op,
                   struct sl_error *err) {
    const char *name = TFE_OpGetName(op, NULL);
    TFE_Context *c = TFE_OpGetContext(op, NULL);
    if (!*TFE_OpGetDevice(op, NULL))
        return sl_fail(err, SL_INTERNAL,
                       "Ops must be placed on the parallel device explicitly, or their inputs first un-packed. Got an "
                       "un-placed op with an input placed on the parallel device %s.",
                       d->name);
    if (!strcmp(name, "TPUReplicatedOutput")) return unpack_input(outputs, n_outputs, d, op, err);
    if (strcmp(name, "TPUReplicatedInput") != 0) {
        SL_TRY(check_inputs(d, op, err));
        return run_everywhere(outputs, n_outputs, d, op, c, err);
    }
    if (*n_outputs < 1) return sl_fail(err, SL_INVALID_ARGUMENT, "Expecting 1 outputs, but *num_retvals is 0");
    SL_TRY(pack_inputs(outputs, d, op, c, err));
    *n_outputs = 1;
    return SL_OK;
}

/* ---- the functions of the device */

static void execute(const TFE_Op *op, int *num_outputs, TFE_TensorHandle **outputs, TF_Status *status,
                    void *device_info) {
    struct sl_error err;
    sl_status_take(status, run(outputs, num_outputs, device_info, op, &err), &err);
}

static TFE_TensorHandle *copy_in(TFE_Context *context, TFE_TensorHandle *tensor, TF_Status *status, void *device_info) {
    const struct parallel_device *d = device_info;
    (void)context, (void)tensor;
    sl_status_fail(status, SL_UNIMPLEMENTED,
                   "Trying to copy a tensor on to the parallel device %s: TPUReplicatedInput makes one of components",
                   d->name);
    return NULL;
}

static TFE_TensorHandle *copy_out(TFE_Context *context, TFE_TensorHandle *tensor, const char *target_device_name,
                                  TF_Status *status, void *device_info) {
    const struct parallel_device *d = device_info;
    const struct parallel_tensor *t = parallel_of(d, tensor);
    if (t && t->n == 1) return TFE_TensorHandleCopyToDevice(t->parts[0], context, target_device_name, status);
    sl_status_fail(
        status, SL_UNIMPLEMENTED,
        "Trying to copy a tensor out of the parallel device %s. Since there are multiple components to parallel "
        "tensors, they must be unpacked explicitly, by TPUReplicatedOutput.",
        d->name);
    return NULL;
}

static void delete_device(void *device_info) { sl_free(device_info); }

static char *put_text(char **at, const char *text) {
    char *put = *at;
    const size_t n = strlen(text) + 1;
    memcpy(put, text, n);
    *at += n;
    return put;
}

void sl_parallel_device_allocate(const char *device_name, const char *const *underlying_devices,
                                 int num_underlying_devices, TFE_CustomDevice *device, void **device_info) {
    const int n = num_underlying_devices > 0 ? num_underlying_devices : 0;
    char name[SL_DEVICE_TEXT];
    struct sl_device_name parsed;
    const bool is_name = sl_device_parse(&parsed, sl_str_of(device_name), NULL) == SL_OK;
    const char *printed = is_name ? sl_device_print(name, &parsed) : device_name; /* else registering refuses it */
    size_t bytes = sizeof(struct parallel_device) + (size_t)n * sizeof(char *) + strlen(printed) + 1;
    for (int i = 0; i < n; i++) bytes += strlen(underlying_devices[i]) + 1;
    struct parallel_device *d = n ? sl_malloc(bytes) : NULL;
    *device = (TFE_CustomDevice){.version = TFE_CUSTOM_DEVICE_VERSION};
    *device_info = d;
    if (!d) return; /* a device without functions is refused, too */
    char *at = (char *)(d->devices + n);
    d->n = n;
    d->name = put_text(&at, printed);
    for (int i = 0; i < n; i++) d->devices[i] = put_text(&at, underlying_devices[i]);
    device->copy_tensor_to_device = copy_in;
    device->copy_tensor_from_device = copy_out;
    device->execute = execute;
    device->delete_device = delete_device;
}
