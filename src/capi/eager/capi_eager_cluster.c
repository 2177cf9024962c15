/* What contexts do in a cluster. A context may be a task of one, and has the name of that task. The devices of the other
 * tasks are its own then, by the companion `net`, and this process serves its task. A context whose collectives alone reach
 * other tasks has a server, which those talk to. */
#include <string.h>

#include "backends/any/collective.h"
#include "base/alloc.h"
#include "base/env.h"
#include "capi/eager/eager_handles.h"
#include "dist/dist_door.h"
#include "eager/eager_opaque.h"
#include "kernel/collective_peers.h"
#include "proto/wire.h"
#include "root/companions.h"
#include "root/root.h"
#include "runtime/runtime.h"
#include "tensorflow/c/c_api_experimental.h"

/* What a context does with a ServerDef. */
enum joining {
    WITH_OTHERS,    /* others of the cluster are its devices too */
    BY_COLLECTIVES, /* others are members of groups */
    ALONE           /* whoever else is in the cluster is of no interest */
};

/* Whether the cluster has the task that the context is to be; counts all. */
static sl_code find_task(size_t *n_tasks, const struct sl_pb_ServerDef *def, struct sl_error *err) {
    const struct sl_pb_JobDef *own = NULL;
    *n_tasks = 0;
    for (size_t j = 0; def->cluster && j < def->cluster->job.n; j++) {
        const struct sl_pb_JobDef *job = &def->cluster->job.items[j];
        *n_tasks += job->tasks.n;
        if (sl_str_eq(job->name, def->job_name)) own = job;
    }
    if (!own) return sl_fail(err, SL_INTERNAL, "Job \"%.*s\" was not defined in cluster", SL_STR_ARG(def->job_name));
    for (size_t i = 0; i < own->tasks.n; i++)
        if (own->tasks.items[i].key == def->task_index) return SL_OK;
    return sl_fail(err, SL_INTERNAL, "Task %d was not defined in job \"%.*s\"", def->task_index,
                   SL_STR_ARG(def->job_name));
}

/* Others become its devices by the companion `net`. When that fails the context is what it was. */
static sl_code join_others(struct sl_eager_context *c, const struct sl_pb_ServerDef *def, struct sl_str bytes,
                           const struct sl_eager_joining *how, struct sl_error *err) {
    const struct sl_device_name before = c->runtime->devices.items[0].parsed;
    const unsigned long long id = atomic_load(&c->cluster_id);
    const struct sl_dist_door *door;
    SL_TRY(sl_root_dist_door(&door, err));
    SL_TRY(sl_eager_become_task(c, def->job_name, def->task_index, true, err));
    sl_code code = door->join_eagerly(c, bytes, how, err);
    if (code == SL_OK) return SL_OK;
    (void)sl_eager_become_task(c, sl_str_of(before.job), before.task, false, NULL);
    atomic_store(&c->cluster_id, id);
    return code;
}

/* ---- the server of a context's collectives: kept among the resources where they meet, and stopped with them */
#define CONTAINER SL_STR("_collective_server")
#define NAME      SL_STR("server")

struct kept_server {
    struct sl_object object;
    const struct sl_dist_door *door;
    struct sl_dist_server *server;
};

static void kept_server_free(struct sl_object *object) {
    struct kept_server *kept = (struct kept_server *)object;
    if (kept->server) kept->door->server_free(kept->server);
    sl_free(kept);
}
static const struct sl_object_type kept_server_type = {.name = "tensorflow::ServerInterface", .free = kept_server_free};

static sl_code kept_server_new(struct kept_server **out, struct sl_str def, struct sl_error *err) {
    const struct sl_registries *registries;
    struct kept_server *kept = sl_calloc(1, sizeof *kept);
    if (!kept) return sl_fail_memory(err, sizeof *kept);
    sl_object_init(&kept->object, &kept_server_type);
    sl_code code = sl_root_registries(&registries, err);
    if (code == SL_OK) code = sl_root_dist_door(&kept->door, err);
    const struct sl_server_options how = {.size = sizeof how, .listen = sl_env_text(SL_ENV_LISTEN)};
    if (code == SL_OK) code = kept->door->server_new(&kept->server, registries, def, &how, err);
    if (code == SL_OK) *out = kept;
    else sl_object_unref(&kept->object);
    return code;
}

/* A server that was there before goes first: it may listen at the same address. */
static void end_collectives(struct sl_resources *r) {
    sl_collective_peers_remove(r);
    (void)sl_resources_remove(r, CONTAINER, &kept_server_type, NAME, NULL);
}

static sl_code begin_collectives(struct sl_resources *r, struct sl_str def, struct sl_error *err) {
    struct kept_server *kept = NULL;
    SL_TRY(kept_server_new(&kept, def, err));
    struct sl_collective_peers *peers = kept->door->server_peers(kept->server);
    sl_object_ref(&peers->object);
    sl_code code = sl_resources_add(r, CONTAINER, NAME, &kept->object, err);
    if (code == SL_OK) return sl_collective_peers_add(r, peers, err);
    sl_object_unref(&peers->object);
    return code;
}

static sl_code join_as(const struct sl_pb_ServerDef *def, struct sl_str bytes, struct sl_eager_context *c,
                       enum joining joining, const struct sl_eager_joining *how, bool is_named, struct sl_error *err) {
    size_t n_tasks;
    if (!sl_str_is(def->protocol, "grpc") && !sl_str_is(def->protocol, "grpcs"))
        return sl_fail(err, SL_NOT_FOUND, "No server factory registered for the given ServerDef: protocol \"%.*s\"",
                       SL_STR_ARG(def->protocol));
    SL_TRY(find_task(&n_tasks, def, err));
    if (joining == BY_COLLECTIVES) {
        SL_TRY(sl_eager_become_task(c, def->job_name, def->task_index, is_named, err));
        end_collectives(c->runtime->resources);
        return n_tasks > 1 ? begin_collectives(c->runtime->resources, bytes, err) : SL_OK;
    }
    if (joining != WITH_OTHERS || (n_tasks == 1 && !c->cluster))
        return sl_eager_become_task(c, def->job_name, def->task_index, is_named, err);
    return c->cluster ? c->cluster->methods->update(c->cluster, bytes, err) : join_others(c, def, bytes, how, err);
}

static void join(TFE_Context *context, const void *proto, size_t n, enum joining joining,
                 const struct sl_eager_joining *how, bool is_named, TF_Status *status) {
    struct sl_arena arena;
    struct sl_pb_ServerDef def;
    struct sl_error err;
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&def, SL_PB_TYPE(ServerDef), sl_bytes_of(proto, n), &arena, NULL);
    if (code != SL_OK) code = sl_fail(&err, SL_INVALID_ARGUMENT, "Invalid tensorflow.ServerDef protocol buffer");
    else code = join_as(&def, sl_bytes_of(proto, n), sl_as_eager(context), joining, how, is_named, &err);
    sl_status_take(status, code, &err);
    sl_arena_clear(&arena);
}

/* A timeout of 0 is TensorFlow's default, and so long is waited for tasks that are not there yet. */
enum { TIMEOUT_MS = 600000, UPDATE_TIMEOUT_MS = 60000 };
static void set_server(TFE_Context *context, int keep_alive_secs, const void *proto, size_t n, int64_t timeout_ms,
                       bool clears, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    const struct sl_eager_joining how = {keep_alive_secs, timeout_ms > 0 ? timeout_ms : (int64_t)TIMEOUT_MS, clears};
    join(context, proto, n, WITH_OTHERS, &how, true, status);
}
void TFE_ContextSetServerDef(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                             TF_Status *status) {
    set_server(context, keep_alive_secs, proto, proto_len, 0, false, status);
}
void TFE_ContextSetServerDefWithTimeout(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                                        int64_t init_timeout_in_ms, TF_Status *status, bool clear_existing_contexts) {
    set_server(context, keep_alive_secs, proto, proto_len, init_timeout_in_ms, clear_existing_contexts, status);
}
/* Connecting is tried again until the time is over: attempts are not counted. */
void TFE_ContextSetServerDefWithTimeoutAndRetries(TFE_Context *context, int keep_alive_secs, const void *proto,
                                                  size_t proto_len, int64_t init_timeout_in_ms, int retries,
                                                  TF_Status *status, bool clear_existing_contexts) {
    (void)retries;
    set_server(context, keep_alive_secs, proto, proto_len, init_timeout_in_ms, clear_existing_contexts, status);
}

/* A context that is a member of a cluster already keeps its id. */
static void update_server(TFE_Context *context, int keep_alive_secs, const void *proto, size_t n, int64_t timeout_ms,
                          TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    const struct sl_eager_joining how = {keep_alive_secs, timeout_ms > 0 ? timeout_ms : (int64_t)UPDATE_TIMEOUT_MS,
                                         false};
    if (TFE_GetContextId(context)) join(context, proto, n, WITH_OTHERS, &how, false, status);
    else
        sl_status_set(status, SL_FAILED_PRECONDITION,
                      "TFE_ContextUpdateServerDef: the context is in no cluster; TFE_ContextSetServerDef comes first");
}
void TFE_ContextUpdateServerDef(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                                TF_Status *status) {
    update_server(context, keep_alive_secs, proto, proto_len, 0, status);
}
void TFE_ContextUpdateServerDefWithTimeout(TFE_Context *context, int keep_alive_secs, const void *proto,
                                           size_t proto_len, int64_t init_timeout_in_ms, TF_Status *status) {
    update_server(context, keep_alive_secs, proto, proto_len, init_timeout_in_ms, status);
}

void TFE_InitializeLocalOnlyContext(TFE_Context *context, int keep_alive_secs, const void *proto, size_t proto_len,
                                    TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    (void)keep_alive_secs;
    join(context, proto, proto_len, ALONE, NULL, true, status);
}
void TFE_EnableCollectiveOps(TFE_Context *context, const void *proto, size_t proto_len, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    join(context, proto, proto_len, BY_COLLECTIVES, NULL, false, status);
}

/* A context that knows no other task says so. */
bool TFE_ContextCheckAlive(TFE_Context *context, const char *worker_name, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, worker_name)) return false;
    struct sl_eager_cluster *cluster = sl_as_eager(context)->cluster;
    struct sl_error err;
    if (cluster)
        return sl_status_take(status, cluster->methods->check_alive(cluster, sl_str_of(worker_name), &err), &err);
    const char *own = sl_as_eager(context)->runtime->devices.items[0].name, *device = strstr(own, "/device:");
    const size_t n = device ? (size_t)(device - own) : strlen(own);
    const bool is_own = strlen(worker_name) == n && memcmp(worker_name, own, n) == 0;
    sl_status_fail(status, is_own ? SL_OK : SL_INVALID_ARGUMENT,
                   "There is no worker '%s': the context knows its own task alone, %.*s", worker_name, (int)n, own);
    return is_own;
}

/* ---- collectives: those of a context are its own, unless it has been told of a cluster */
void TFE_AbortCollectiveOps(TFE_Context *context, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    struct sl_error err;
    if (TF_GetCode(status) == TF_OK) {
        sl_status_set(status, SL_INVALID_ARGUMENT, "TFE_AbortCollectiveOps reads the status: it must say why");
        return;
    }
    if (sl_collective_abort(sl_as_eager(context)->runtime->resources, (sl_code)TF_GetCode(status), TF_Message(status),
                            &err) != SL_OK)
        sl_status_take(status, err.code, &err);
}
void TFE_CollectiveOpsCheckPeerHealth(TFE_Context *context, const char *task, int64_t timeout_in_ms,
                                      TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, task)) return;
    (void)context, (void)timeout_in_ms;
    sl_status_fail(status, SL_INTERNAL, "There is no peer '%s': the collectives of this context are local", task);
}

/* ---- the coordination service, which only servers have */
static void no_service(TF_Status *status) {
    sl_status_set(status, SL_FAILED_PRECONDITION, "Coordination service is not enabled.");
}
void TFE_InsertConfigKeyValue(TFE_Context *context, const char *key, const char *value, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, key) || SL_LACKS(status, value)) return;
    (void)context, (void)key, (void)value;
    sl_status_set(status, SL_FAILED_PRECONDITION, "Coordination service agent is not enabled.");
}
void TFE_GetConfigKeyValue(TFE_Context *context, const char *key, int64_t timeout_in_ms, TF_Buffer *value_buf,
                           TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, key)) return;
    (void)context, (void)key, (void)timeout_in_ms, (void)value_buf;
    no_service(status);
}
void TFE_DeleteConfigKeyValue(TFE_Context *context, const char *key, TF_Status *status) {
    (void)context, (void)key;
    no_service(status);
}
void TFE_GetTaskStates(TFE_Context *context, const TF_Buffer *tasks, void *states, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    (void)context, (void)tasks, (void)states;
    no_service(status);
}
void TFE_ReportErrorToCluster(TFE_Context *context, int error_code, const char *error_message, TF_Status *status) {
    if (SL_LACKS(status, context)) return;
    (void)context, (void)error_code, (void)error_message;
    no_service(status);
}
void TFE_WaitAtBarrier(TFE_Context *context, const char *barrier_id, int64_t barrier_timeout_in_ms, TF_Status *status) {
    if (SL_LACKS(status, context) || SL_LACKS(status, barrier_id)) return;
    (void)context, (void)barrier_id, (void)barrier_timeout_in_ms;
    no_service(status);
}
