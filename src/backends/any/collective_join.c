/* Joining a group. The step may be cancelled meanwhile; who cancels and who is told that it is over take the mutex, and
 * the last of the two frees. */
#include "backends/any/collective_join.h"

#include <string.h>

#include "base/alloc.h"
#include "kernel/cancellation.h"
#include "os/mutex.h"

struct first_call {
    struct sl_collective_joining joining;
    struct sl_kernel_context *k;
    struct sl_collective_call call;
    int64_t dims[SL_MAX_RANK];
    struct sl_collective_peers *peers;
    void (*go)(struct sl_kernel_context *k, const struct sl_collective_call *call,
               const struct sl_collective_group *group);
    struct sl_cancellation_callback callback;
    struct sl_mutex mutex; /* guards the rest */
    bool has_ended, is_registered;
};

static void cancelled(void *arg) {
    struct first_call *f = arg;
    sl_mutex_lock(&f->mutex);
    atomic_store(&f->joining.is_cancelled, true);
    if (!f->has_ended) f->peers->methods->cancel_join(f->peers, &f->joining);
    sl_mutex_unlock(&f->mutex);
}

static void joined(struct sl_collective_joining *joining, sl_code code, const struct sl_error *err) {
    struct first_call *f = (struct first_call *)joining;
    struct sl_kernel_context *k = f->k;
    sl_mutex_lock(&f->mutex);
    f->has_ended = true;
    sl_mutex_unlock(&f->mutex);
    if (f->is_registered) sl_cancellation_unregister(k->env->cancellation, &f->callback);
    if (code != SL_OK) {
        sl_object_unref(f->call.give);
        sl_kernel_done(k, sl_fail(k->err, code, "%s", err->message));
    } else {
        f->go(k, &f->call, joining->group);
    }
    sl_object_unref(&f->peers->object);
    sl_mutex_clear(&f->mutex);
    sl_free(f);
}

void sl_collective_join_first(struct sl_kernel_context *k, const struct sl_collective_call *call,
                              struct sl_collective_peers *peers,
                              void (*go)(struct sl_kernel_context *k, const struct sl_collective_call *call,
                                         const struct sl_collective_group *group)) {
    struct first_call *f = sl_calloc(1, sizeof *f);
    if (!f) {
        sl_object_unref(call->give);
        sl_object_unref(&peers->object);
        sl_kernel_done(k, sl_fail_memory(k->err, sizeof *f));
        return;
    }
    f->k = k;
    f->call = *call;
    if (call->shape.rank > 0) memcpy(f->dims, call->shape.dims, (size_t)call->shape.rank * sizeof *f->dims);
    f->call.shape.dims = f->dims;
    f->peers = peers;
    f->go = go;
    f->joining = (struct sl_collective_joining){.key = call->group_key,
                                                .size = call->group_size,
                                                .device = k->env->device,
                                                .timeout_seconds = call->timeout_seconds,
                                                .done = joined};
    sl_mutex_init(&f->mutex);
    f->callback = (struct sl_cancellation_callback){.fn = cancelled, .arg = f};
    struct sl_cancellation *cancellation = k->env->cancellation;
    f->is_registered = cancellation && sl_cancellation_register(cancellation, &f->callback);
    if (cancellation && !f->is_registered) {
        sl_error_clear(k->err);
        struct sl_error why = {0};
        sl_code code = sl_cancellation_status(cancellation, &why);
        joined(&f->joining, code == SL_OK ? SL_CANCELLED : code, &why);
        return;
    }
    peers->methods->join(peers, &f->joining);
}
