/* A model that is served: its folder, and the versions that are loaded. A thread looks into the folder from time to
 * time, loads the versions that the policy wants (the highest one, unless it says otherwise), and then lets go of those
 * that it does not want any more: each goes when the last call that uses it has ended.
 *
 *     DIR/saved_model.pb           one version, 1
 *     DIR/1/saved_model.pb         versions
 *     DIR/2/saved_model.pb
 *
 * Thread-safe. */
#ifndef SL_SERVING_MODEL_HOST_H
#define SL_SERVING_MODEL_HOST_H

#include "os/thread.h"
#include "serving/metrics.h"
#include "serving/predict.h"

enum { SL_VERSIONS_SERVED = 32 }; /* of one model at a time, at most; the highest ones then */

/* Which versions: `latest` of them, the highest; all; or, where there are some, the ones that are named. */
struct sl_version_policy {
    int latest; /* 0: 1 */
    bool is_all;
    const int64_t *versions; /* borrowed while the host is made */
    size_t n_versions;
};
struct sl_version_label {
    struct sl_str label; /* borrowed while the host is made */
    int64_t version;
};

struct sl_model_host_options {
    const struct sl_registries *registries;
    const char *dir, *name; /* copied; `name` NULL: the last part of `dir` */
    int64_t poll_ns;        /* how often the folder is looked at; 0: never again */
    struct sl_version_policy policy;
    const struct sl_version_label *labels; /* copied */
    size_t n_labels;
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
enum { SL_VERSIONS_KNOWN = 64 }; /* of which a state is kept, the newest */

struct sl_model_host {
    struct sl_model_host_options options;
    char *dir, *name;      /* owned */
    struct sl_arena arena; /* of the policy's and the labels' copies */
    struct sl_metrics metrics;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition changed;
    struct sl_served_model *served[SL_VERSIONS_SERVED]; /* the lowest version first */
    int n_served;
    struct sl_version_state states[SL_VERSIONS_KNOWN]; /* oldest first */
    int n_states;
    int n_loaded; /* versions that hold memory */
    bool stops, has_thread;
    struct sl_thread thread;
};

/* Loads what the policy wants before it returns. NOT_FOUND when there is nothing; the error of a model's when none can be
 * loaded. */
sl_code sl_model_host_new(struct sl_model_host **out, const struct sl_model_host_options *options,
                          struct sl_error *err);
/* Waits until all versions have been unloaded: no call may be under way that lasts for ever. NULL is fine. */
void sl_model_host_free(struct sl_model_host *host);

/* A reference to a version that is served; `version` -1: the highest. NOT_FOUND for another model's name ("" is any), or
 * a version that is not there. */
sl_code sl_model_host_get(struct sl_served_model **out, struct sl_model_host *host, struct sl_str name, int64_t version,
                          struct sl_error *err);
/* The same by label. */
sl_code sl_model_host_labelled(int64_t *version, const struct sl_model_host *host, struct sl_str label,
                               struct sl_error *err);
/* What is known of one version, or (-1) of all, newest first. In the arena. NOT_FOUND. */
sl_code sl_model_host_status(struct sl_pb_serving_GetModelStatusResponse *out, struct sl_model_host *host,
                             struct sl_str name, int64_t version, struct sl_arena *arena, struct sl_error *err);
/* Looks into the folder now, on this thread. */
void sl_model_host_poll(struct sl_model_host *host);
/* An event "state": which versions are served, and how many calls there have been. */
void sl_model_host_tell_state(struct sl_model_host *host);
void sl_model_host_tell(struct sl_model_host *host, const char *event, const char *format, ...) SL_PRINTF(3, 4);

#endif
