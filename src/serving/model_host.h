/* A model that is served: its folder, and the version that is loaded. A thread looks into the folder from time to time,
 * loads the highest version that it finds and puts it in the place of the one before, which goes when the last call that
 * uses it has ended.
 *
 *     DIR/saved_model.pb           one version, 1
 *     DIR/1/saved_model.pb         versions; the highest one that loads is served
 *     DIR/2/saved_model.pb
 *
 * Thread-safe. */
#ifndef SL_SERVING_MODEL_HOST_H
#define SL_SERVING_MODEL_HOST_H

#include "os/thread.h"
#include "serving/metrics.h"
#include "serving/predict.h"

struct sl_model_host_options {
    const struct sl_registries *registries;
    const char *dir, *name; /* copied; `name` NULL: the last part of `dir` */
    int64_t poll_ns;        /* how often the folder is looked at; 0: never again */
    struct sl_batching batching;
    /* An event ("loaded", "unloaded", "failed", ...) and what is said of it; may be NULL. On any thread. */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg;
};

/* What is known of a version. */
struct sl_version_state {
    int64_t version;
    int32_t state; /* enum sl_pb_serving_ModelVersionStatus_State */
    sl_code code;
    char *message; /* owned; NULL: "" */
};
enum { SL_VERSIONS_KNOWN = 16 }; /* of which a state is kept, the newest */

struct sl_model_host {
    struct sl_model_host_options options;
    char *dir, *name; /* owned */
    struct sl_metrics metrics;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition changed;
    struct sl_served_model *current;
    struct sl_version_state states[SL_VERSIONS_KNOWN]; /* oldest first */
    int n_states;
    int n_loaded; /* versions that hold memory */
    bool stops, has_thread;
    struct sl_thread thread;
};

/* Loads the highest version before it returns. NOT_FOUND when there is none; the error of the model's when it cannot be
 * loaded. */
sl_code sl_model_host_new(struct sl_model_host **out, const struct sl_model_host_options *options,
                          struct sl_error *err);
/* Waits until all versions have been unloaded: no call may be under way that lasts for ever. NULL is fine. */
void sl_model_host_free(struct sl_model_host *host);

/* A reference to the version that is served; `version` -1: whichever it is. NOT_FOUND for another model's name ("" is
 * any), or a version that is not there. */
sl_code sl_model_host_get(struct sl_served_model **out, struct sl_model_host *host, struct sl_str name, int64_t version,
                          struct sl_error *err);
/* What is known of one version, or (-1) of all, newest first. In the arena. NOT_FOUND. */
sl_code sl_model_host_status(struct sl_pb_serving_GetModelStatusResponse *out, struct sl_model_host *host,
                             struct sl_str name, int64_t version, struct sl_arena *arena, struct sl_error *err);
/* Looks into the folder now, on this thread. */
void sl_model_host_poll(struct sl_model_host *host);
void sl_model_host_tell(struct sl_model_host *host, const char *event, const char *format, ...) SL_PRINTF(3, 4);

#endif
