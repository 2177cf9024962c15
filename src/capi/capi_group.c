/* Groups of collectives whose members come and go (sluice/server.h): a join, waited for. */
#include "base/alloc.h"
#include "capi/eager/eager_handles.h"
#include "capi/handles.h"
#include "front/front_options.h"
#include "kernel/collective_peers.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "runtime/runtime.h"
#include "sluice/server.h"

enum { LOOK_NS = 100000000 };

struct waited_join {
    struct sl_collective_joining joining;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition ended;
    bool has_ended;
    sl_code code;
    struct sl_error err;
};

static void joined(struct sl_collective_joining *joining, sl_code code, const struct sl_error *err) {
    struct waited_join *w = (struct waited_join *)joining;
    sl_mutex_lock(&w->mutex);
    w->code = code;
    if (code != SL_OK) w->err = *err;
    w->has_ended = true;
    sl_condition_signal(&w->ended);
    sl_mutex_unlock(&w->mutex);
}

/* `done` takes the mutex, so that a join that has not ended when it is cancelled is still there. */
static void wait_for(struct waited_join *w, struct sl_collective_peers *peers, const struct sl_group_options *o) {
    bool goes_on = true;
    sl_mutex_lock(&w->mutex);
    while (!w->has_ended) {
        if (!o->goes_on || !goes_on) {
            sl_condition_wait(&w->ended, &w->mutex);
            continue;
        }
        (void)sl_condition_wait_until(&w->ended, &w->mutex, sl_clock_ns() + LOOK_NS);
        if (w->has_ended) break;
        sl_mutex_unlock(&w->mutex);
        goes_on = o->goes_on(o->arg);
        sl_mutex_lock(&w->mutex);
        if (goes_on || w->has_ended) continue;
        atomic_store(&w->joining.is_cancelled, true);
        peers->methods->cancel_join(peers, &w->joining);
    }
    sl_mutex_unlock(&w->mutex);
}

static TF_Buffer *names_of(const struct sl_collective_group *group) {
    size_t n = 0, at = 0;
    for (int64_t r = 0; r < group->n; r++) n += strlen(group->places[r].device) + 1;
    char *text = sl_malloc(n + 1);
    for (int64_t r = 0; text && r < group->n; r++) {
        const size_t length = strlen(group->places[r].device);
        memcpy(text + at, group->places[r].device, length);
        text[at + length] = '\n';
        at += length + 1;
    }
    TF_Buffer *out = text ? TF_NewBufferFromString(text, n) : NULL;
    sl_free(text);
    return out;
}

static struct sl_collective_peers *peers_of(TFE_Context *context) {
    return sl_collective_peers_of(sl_as_eager(context)->runtime->resources);
}

SL_API TF_Buffer *sl_group_join(TFE_Context *context, const char *device, const struct sl_group_options *options,
                                TF_Status *status) {
    struct sl_group_options o;
    TF_Buffer *out = NULL;
    if (SL_LACKS(status, context) || SL_LACKS(status, device)) return NULL;
    if (!SL_OPTIONS_TAKE(&o, sl_group_options, arg, options, status)) return NULL;
    struct sl_collective_peers *peers = peers_of(context);
    if (!peers || o.least < 1 || o.least > o.most) {
        if (peers) sl_status_set(status, SL_INVALID_ARGUMENT, "sl_group_join: `least` is from 1 to `most`");
        else
            sl_status_set(status, SL_FAILED_PRECONDITION,
                          "sl_group_join: the context is no task of a cluster; TFE_EnableCollectiveOps comes first");
        if (peers) sl_object_unref(&peers->object);
        return NULL;
    }
    struct waited_join w = {.mutex = SL_MUTEX_INIT,
                            .ended = SL_CONDITION_INIT,
                            .joining = {.key = o.key,
                                        .size = o.most,
                                        .least = o.least,
                                        .wait_seconds = o.wait_seconds,
                                        .timeout_seconds = o.timeout_seconds,
                                        .regroups = o.regroups,
                                        .device = device,
                                        .done = joined}};
    peers->methods->join(peers, &w.joining);
    wait_for(&w, peers, &o);
    if (sl_status_take(status, w.code, &w.err) && !(out = names_of(w.joining.group)))
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
    sl_object_unref(&peers->object);
    sl_condition_clear(&w.ended);
    sl_mutex_clear(&w.mutex);
    return out;
}

SL_API int64_t sl_group_newcomers(TFE_Context *context, int key) {
    struct sl_collective_peers *peers = context ? peers_of(context) : NULL;
    const int64_t n = peers ? peers->methods->newcomers(peers, key) : 0;
    if (peers) sl_object_unref(&peers->object);
    return n;
}
