/* Eager tensor handles. */
#include "eager/eager_handle.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "device/transfer.h"
#include "eager/eager_opaque.h"
#include "os/park.h"

/* ---- failures */

struct sl_eager_failure *sl_eager_failure_new(sl_code code, const struct sl_error *err) {
    struct sl_eager_failure *f = sl_malloc(sizeof *f);
    if (!f) return NULL;
    atomic_init(&f->refs, 1);
    f->code = code;
    f->error = *err;
    return f;
}

void sl_eager_failure_unref(struct sl_eager_failure *f) {
    if (f && atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) == 1) sl_free(f);
}

sl_code sl_eager_failure_tell(const struct sl_eager_failure *f, struct sl_error *err) {
    if (!f) return sl_fail(err, SL_RESOURCE_EXHAUSTED, "memory was out");
    if (err) *err = f->error;
    return f->code;
}

/* ---- handles */

static struct sl_eager_handle *handle_new(struct sl_eager_context *context, int dtype, int device,
                                          enum sl_eager_state state) {
    struct sl_eager_handle *h = sl_malloc(sizeof *h);
    if (!h) return NULL;
    atomic_init(&h->refs, 1);
    atomic_init(&h->state, state);
    h->device = h->home = (int16_t)device;
    atomic_init(&h->backing, (int16_t)device);
    h->dtype = (uint8_t)dtype;
    h->holds_context = false;
    h->context = context;
    h->value.kind = SL_VALUE_NONE;
    h->failure = NULL;
    atomic_init(&h->number, 0);
    h->opaque = NULL;
    h->step = 0;
    return h;
}

/* A device's memory has to outlive the values in it. */
static void take_value(struct sl_eager_handle *h, struct sl_value value) {
    h->value = value;
    if (__builtin_expect(sl_value_memory(&value) != NULL, 0) && h->context) {
        sl_eager_context_ref(h->context);
        h->holds_context = true;
    }
}

struct sl_eager_handle *sl_eager_handle_new(struct sl_eager_context *context, struct sl_value value, int device) {
    struct sl_eager_handle *h = handle_new(context, value.dtype, device, SL_EAGER_MADE);
    if (h) take_value(h, value);
    else sl_value_clear(&value);
    return h;
}

struct sl_eager_handle *sl_eager_handle_new_pending(struct sl_eager_context *context, int dtype, int device) {
    return handle_new(context, dtype, device, SL_EAGER_PENDING);
}

void sl_eager_handle_unref(struct sl_eager_handle *h) {
    if (!h) return;
    /* The only reference is not counted down: nobody can take another one meanwhile. */
    if (!sl_eager_handle_is_sole(h) && atomic_fetch_sub_explicit(&h->refs, 1, memory_order_acq_rel) != 1) return;
    sl_value_clear(&h->value);
    if (h->opaque) h->opaque->methods->free(h->opaque);
    sl_eager_failure_unref(h->failure);
    if (__builtin_expect(h->holds_context, 0)) sl_eager_context_unref(h->context);
    sl_free(h);
}

/* ---- steps */

void sl_eager_handle_note_step(struct sl_eager_handle *h) {
    const struct sl_object *object = h->value.kind == SL_VALUE_OBJECT ? h->value.object : NULL;
    if (object && object->type->is_per_step) h->step = atomic_load(&h->context->step_number);
}

/* ---- waiting */

static void end_pending(struct sl_eager_handle *h, enum sl_eager_state state) {
    if (atomic_exchange(&h->state, state) == SL_EAGER_AWAITED) sl_unpark(&h->state, INT32_MAX);
}

void sl_eager_handle_settle(struct sl_eager_handle *h, struct sl_value value) {
    take_value(h, value);
    if (value.dtype == SL_RESOURCE) sl_eager_handle_note_step(h);
    end_pending(h, SL_EAGER_MADE);
}

void sl_eager_handle_poison(struct sl_eager_handle *h, struct sl_eager_failure *failure) {
    if (failure) atomic_fetch_add_explicit(&failure->refs, 1, memory_order_relaxed);
    h->failure = failure;
    end_pending(h, SL_EAGER_POISONED);
}

sl_code sl_eager_handle_wait_slowly(struct sl_eager_handle *h, struct sl_error *err) {
    uint32_t state = SL_EAGER_PENDING;
    atomic_compare_exchange_strong(&h->state, &state, SL_EAGER_AWAITED);
    while ((state = atomic_load_explicit(&h->state, memory_order_acquire)) == SL_EAGER_AWAITED)
        sl_park(&h->state, SL_EAGER_AWAITED, 0);
    return state == SL_EAGER_MADE ? SL_OK : sl_eager_failure_tell(h->failure, err);
}

sl_code sl_eager_handle_rank(int *out, struct sl_eager_handle *h, struct sl_error *err) {
    SL_TRY(sl_eager_handle_wait(h, err));
    if (h->opaque) return h->opaque->methods->rank(out, h->opaque, err);
    *out = sl_value_view(&h->value).rank;
    return SL_OK;
}

sl_code sl_eager_handle_dim(int64_t *out, struct sl_eager_handle *h, int i, struct sl_error *err) {
    int rank;
    SL_TRY(sl_eager_handle_rank(&rank, h, err));
    if (i < 0 || i >= rank)
        return sl_fail(err, SL_INVALID_ARGUMENT, "there is no dim %d in a tensor of rank %d", i, rank);
    if (h->opaque) return h->opaque->methods->dim(out, h->opaque, i, err);
    *out = sl_value_view(&h->value).dims[i];
    return SL_OK;
}

/* From wherever it lies, by way of a handle on the host. */
static sl_code fetch(struct sl_tensor **out, struct sl_eager_handle *h, struct sl_error *err) {
    struct sl_eager_handle *plain;
    SL_TRY(h->opaque->methods->copy_out(&plain, h, h->context->runtime->devices.items[0].name, err));
    sl_code code = plain->opaque ? sl_fail(err, SL_INVALID_ARGUMENT, "a copy from %s to the host is on %s",
                                           h->opaque->device, plain->opaque->device)
                                 : sl_eager_handle_tensor(out, plain, err);
    sl_eager_handle_unref(plain);
    return code;
}

static sl_code copy_out(struct sl_tensor **out, const struct sl_eager_handle *h, struct sl_error *err) {
    const int at = atomic_load(&h->backing);
    struct sl_value here = sl_value_share(&h->value);
    sl_code code = sl_value_settle(&here, NULL, h->context->envs[at < 0 ? 0 : at].step_id, err);
    if (code == SL_OK) code = sl_value_to_tensor(out, &here, err);
    sl_value_clear(&here);
    return code;
}

/* What did not run gives an empty tensor: TensorFlow's kernels for Switch and Merge leave it so. */
sl_code sl_eager_handle_tensor(struct sl_tensor **out, struct sl_eager_handle *h, struct sl_error *err) {
    SL_TRY(sl_eager_handle_wait(h, err));
    if (h->opaque) return fetch(out, h, err);
    return sl_value_memory(&h->value) ? copy_out(out, h, err) : sl_value_to_tensor(out, &h->value, err);
}
