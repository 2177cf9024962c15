/* What the files of the worker share. */
#ifndef SL_DIST_WORKER_STATE_H
#define SL_DIST_WORKER_STATE_H

#include "base/vec.h"
#include "dist/service_call.h"
#include "dist/shared_values.h"
#include "dist/worker.h"

struct sl_worker_session {
    atomic_uint references;
    struct sl_worker *worker;
    struct sl_worker_session *next; /* of the worker; guarded by its mutex */
    char *handle, *master;
    int64_t master_incarnation;
    struct sl_cluster *own_cluster; /* NULL: the worker's */
    struct sl_runtime *runtime;
    bool has_own_runtime;
    struct sl_mutex mutex;        /* guards the rest; before that of a step */
    struct sl_worker_step *steps; /* under way */
    bool is_deleted;
    SL_VEC(struct sl_worker_graph *) graphs;
    uint64_t n_graphs; /* ever */
};

struct sl_worker_graph {
    atomic_uint references;
    struct sl_worker_session *session; /* a reference, but for the list of the session itself */
    struct sl_program *program;
    struct sl_str def; /* as it was registered, in `body`; empty: of this process */
    struct sl_rpc_body *body;
    char handle[17];
    struct sl_lightness lightness; /* of what RunGraph does at once */
    struct sl_shared_sizes sizes;  /* of what other tasks send */
};

static inline struct sl_cluster *sl_worker_session_cluster(const struct sl_worker_session *session) {
    return session->own_cluster ? session->own_cluster : session->worker->options.cluster;
}

static inline struct sl_worker_session *sl_worker_session_ref(struct sl_worker_session *session) {
    atomic_fetch_add(&session->references, 1);
    return session;
}

static inline struct sl_worker_graph *sl_worker_graph_ref(struct sl_worker_graph *graph) {
    atomic_fetch_add(&graph->references, 1);
    return graph;
}

/* The part's nodes are on the same devices by other structs. */
sl_code sl_worker_move_part(struct sl_part *part, const struct sl_runtime *runtime, const char *device,
                            struct sl_error *err);
/* A part of an encoded GraphDef. */
sl_code sl_worker_read_part(struct sl_part *out, struct sl_runtime *runtime, struct sl_str def, struct sl_error *err);

#endif
