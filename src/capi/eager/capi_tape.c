/* sluice/tape.h: arguments are checked, handles wrapped. What it does is in src/tape/eager_tape.c. */
#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "front/front_options.h"
#include "sluice/tape.h"
#include "tape/eager_tape.h"

static bool has_tape(const struct sl_tape *tape, TF_Status *status) {
    sl_status_set(status, tape ? SL_OK : SL_INVALID_ARGUMENT, tape ? NULL : "there is no tape");
    return tape != NULL;
}

SL_API struct sl_tape *sl_tape_start(TFE_Context *context, bool persistent, TF_Status *status) {
    struct sl_error err;
    struct sl_tape *tape = NULL;
    if (!context) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "Invalid Context");
        return NULL;
    }
    sl_status_take(status, sl_eager_tape_start(&tape, sl_as_eager(context), persistent, &err), &err);
    return tape;
}

SL_API void sl_tape_delete(struct sl_tape *tape) { sl_eager_tape_free(tape); }

SL_API void sl_tape_pause(struct sl_tape *tape, TF_Status *status) {
    struct sl_error err;
    if (has_tape(tape, status)) sl_status_take(status, sl_eager_tape_pause(tape, true, &err), &err);
}

SL_API void sl_tape_resume(struct sl_tape *tape, TF_Status *status) {
    struct sl_error err;
    if (has_tape(tape, status)) sl_status_take(status, sl_eager_tape_pause(tape, false, &err), &err);
}

SL_API void sl_tape_watch(struct sl_tape *tape, TFE_TensorHandle *value, TF_Status *status) {
    struct sl_error err;
    if (has_tape(tape, status))
        sl_status_take(status, sl_eager_tape_watch(tape, sl_as_eager_handle(value), &err), &err);
}

SL_API bool sl_tape_follows(const struct sl_tape *tape, TFE_TensorHandle *value) {
    return tape && value && sl_eager_tape_follows(tape, sl_as_eager_handle(value));
}

/* ---- gradients */
static bool take_options(struct sl_eager_gradient_spec *spec, const struct sl_tape_options *options,
                         TF_Status *status) {
    struct sl_tape_options o = {0};
    if (options && !SL_OPTIONS_TAKE(&o, sl_tape_options, aggregation, options, status)) return false;
    if ((unsigned)o.no_gradient > SL_NO_GRADIENT_ERROR || (unsigned)o.aggregation > SL_ADD_PAIRS) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "sl_tape_options: there is no such `no_gradient` or `aggregation`");
        return false;
    }
    spec->dys = (struct sl_eager_handle *const *)o.dys;
    spec->unconnected = o.no_gradient == SL_NO_GRADIENT_ZEROS   ? SL_EAGER_UNCONNECTED_ZEROS
                        : o.no_gradient == SL_NO_GRADIENT_ERROR ? SL_EAGER_UNCONNECTED_FAILS
                                                                : SL_EAGER_UNCONNECTED_NONE;
    spec->sums_in_pairs = o.aggregation == SL_ADD_PAIRS;
    return true;
}

/* Into `values`, or into `slices` when those are asked for. */
static void take_gradients(TFE_TensorHandle **values, struct sl_handle_slices *slices, struct sl_tape *tape,
                           struct sl_eager_gradient_spec *spec, const struct sl_tape_options *options,
                           TF_Status *status) {
    enum { FEW = 16 };
    struct sl_error err;
    struct sl_eager_slices few[FEW], *found = few;
    if (!has_tape(tape, status) || !take_options(spec, options, status)) return;
    spec->keeps_slices = slices != NULL;
    if (spec->n_xs > FEW) found = sl_malloc((size_t)spec->n_xs * sizeof *found);
    if (!found) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return;
    }
    const bool is_done = sl_status_take(status, sl_eager_tape_gradient(found, tape, spec, &err), &err);
    for (int i = 0; i < spec->n_xs && is_done; i++) {
        if (values) values[i] = (TFE_TensorHandle *)found[i].values;
        else
            slices[i] =
                (struct sl_handle_slices){(TFE_TensorHandle *)found[i].values, (TFE_TensorHandle *)found[i].indices,
                                          (TFE_TensorHandle *)found[i].dense_shape};
    }
    if (found != few) sl_free(found);
}

static struct sl_eager_gradient_spec spec_of(TFE_TensorHandle *const *ys, int ny, TFE_TensorHandle *const *xs, int nx) {
    return (struct sl_eager_gradient_spec){.ys = (struct sl_eager_handle *const *)ys,
                                           .xs = (struct sl_eager_handle *const *)xs,
                                           .n_ys = ny > 0 ? ny : 0,
                                           .n_xs = nx > 0 ? nx : 0};
}

SL_API void sl_tape_gradient_slices(struct sl_handle_slices *dxs, struct sl_tape *tape, TFE_TensorHandle *const *ys,
                                    int ny, TFE_TensorHandle *const *xs, int nx, const struct sl_tape_options *options,
                                    TF_Status *status) {
    struct sl_eager_gradient_spec spec = spec_of(ys, ny, xs, nx);
    for (int i = 0; i < nx; i++) dxs[i] = (struct sl_handle_slices){NULL, NULL, NULL};
    take_gradients(NULL, dxs, tape, &spec, options, status);
}

SL_API void sl_tape_gradient(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *const *ys, int ny,
                             TFE_TensorHandle *const *xs, int nx, const struct sl_tape_options *options,
                             TF_Status *status) {
    struct sl_eager_gradient_spec spec = spec_of(ys, ny, xs, nx);
    for (int i = 0; i < nx; i++) dxs[i] = NULL;
    take_gradients(dxs, NULL, tape, &spec, options, status);
}

/* ---- other derivatives */
SL_API void sl_tape_jvp(TFE_TensorHandle **tys, struct sl_tape *tape, TFE_TensorHandle *const *ys, int ny,
                        TFE_TensorHandle *const *xs, TFE_TensorHandle *const *txs, int nx, TF_Status *status) {
    struct sl_error err;
    const struct sl_eager_jvp_spec spec = {.ys = (struct sl_eager_handle *const *)ys,
                                           .xs = (struct sl_eager_handle *const *)xs,
                                           .txs = (struct sl_eager_handle *const *)txs,
                                           .n_ys = ny > 0 ? ny : 0,
                                           .n_xs = nx > 0 ? nx : 0};
    for (int i = 0; i < ny; i++) tys[i] = NULL;
    if (has_tape(tape, status))
        sl_status_take(status, sl_eager_tape_jvp((struct sl_eager_handle **)tys, tape, &spec, &err), &err);
}

static void take_jacobian(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *y,
                          TFE_TensorHandle *const *xs, int nx, bool by_example, TF_Status *status) {
    struct sl_error err;
    for (int i = 0; i < nx; i++) dxs[i] = NULL;
    if (!has_tape(tape, status)) return;
    sl_status_take(status,
                   sl_eager_tape_jacobian((struct sl_eager_handle **)dxs, tape, sl_as_eager_handle(y),
                                          (struct sl_eager_handle *const *)xs, nx > 0 ? nx : 0, by_example, &err),
                   &err);
}

SL_API void sl_tape_jacobian(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *y,
                             TFE_TensorHandle *const *xs, int nx, TF_Status *status) {
    take_jacobian(dxs, tape, y, xs, nx, false, status);
}

SL_API void sl_tape_jacobian_by_example(TFE_TensorHandle **dxs, struct sl_tape *tape, TFE_TensorHandle *y,
                                        TFE_TensorHandle *const *xs, int nx, TF_Status *status) {
    take_jacobian(dxs, tape, y, xs, nx, true, status);
}

/* ---- gradients of the caller's own */
static sl_code call_gradient(struct sl_eager_handle **dxs, struct sl_eager_handle *const *dys, void *arg,
                             struct sl_error *err) {
    const struct sl_custom_gradient *custom = arg;
    TF_Status *status = TF_NewStatus();
    if (!status) return sl_fail_memory(err, sizeof *custom);
    custom->gradient((TFE_TensorHandle **)dxs, (TFE_TensorHandle *const *)dys, custom->arg, status);
    sl_code code = sl_status_give(status, err);
    TF_DeleteStatus(status);
    return code;
}

static void free_custom(void *arg) {
    struct sl_custom_gradient *custom = arg;
    if (custom->free_arg) custom->free_arg(custom->arg);
    sl_free(custom);
}

SL_API void sl_tape_record(TFE_Context *context, TFE_TensorHandle *const *ys, int ny, TFE_TensorHandle *const *xs,
                           int nx, struct sl_custom_gradient custom, TF_Status *status) {
    struct sl_error err;
    struct sl_custom_gradient *copy = context && custom.gradient ? sl_malloc(sizeof *copy) : NULL;
    if (!copy) {
        if (custom.free_arg) custom.free_arg(custom.arg);
        if (context && custom.gradient) sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        else sl_status_set(status, SL_INVALID_ARGUMENT, "there is no context, or no function for the gradient");
        return;
    }
    *copy = custom;
    const struct sl_eager_custom how = {call_gradient, copy, free_custom};
    sl_status_take(status,
                   sl_eager_tape_record(sl_as_eager(context), (struct sl_eager_handle *const *)ys, ny > 0 ? ny : 0,
                                        (struct sl_eager_handle *const *)xs, nx > 0 ? nx : 0, &how, &err),
                   &err);
}
