/* TF_Session: making, running, ending. A session holds its graph; a run first takes over what the graph has gained. */
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "capi/run_arrays.h"
#include "proto/wire.h"
#include "root/root.h"

/* ---- life */
static sl_code open_session(TF_Session *session, const TF_SessionOptions *options, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    struct sl_session_options how = {.config = options ? options->config : NULL,
                                     .target = sl_str_of(options && options->target ? options->target : ""),
                                     .step_memory = options ? options->step_memory : 0,
                                     .watch = options ? options->watch : 0,
                                     .places_by_cost = options && options->places_by_cost};
    return sl_session_new(&session->session, sl_root_targets(), registries, &how, err);
}

static void link_to_graph(TF_Session *session, TF_Graph *graph) {
    session->graph = graph;
    sl_graph_lock(graph);
    graph->holds++;
    session->next = graph->sessions;
    graph->sessions = session;
    sl_graph_unlock(graph);
}

static void unlink_from_graph(TF_Session *session) {
    TF_Graph *graph = session->graph;
    sl_graph_lock(graph);
    for (TF_Session **at = &graph->sessions; *at; at = &(*at)->next)
        if (*at == session) {
            *at = session->next;
            break;
        }
    sl_graph_unlock(graph);
    sl_graph_handle_drop(graph);
}

TF_Session *TF_NewSession(TF_Graph *graph, const TF_SessionOptions *options, TF_Status *status) {
    struct sl_error err;
    TF_Session *session = sl_calloc(1, sizeof *session);
    if (!session || !graph) {
        sl_free(session);
        sl_status_set(status, graph ? SL_RESOURCE_EXHAUSTED : SL_INVALID_ARGUMENT, "no graph, or no memory");
        return NULL;
    }
    if (!sl_status_take(status, open_session(session, options, &err), &err)) {
        sl_free(session);
        return NULL;
    }
    sl_mutex_init(&session->mutex);
    atomic_init(&session->extends_itself, true);
    link_to_graph(session, graph);
    sl_live_sessions_add(session);
    return session;
}

void TF_CloseSession(TF_Session *session, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, sl_session_close(session->session, &err), &err);
}

void TF_DeleteSession(TF_Session *session, TF_Status *status) {
    struct sl_error err;
    if (!session) {
        sl_status_set(status, SL_OK, NULL);
        return;
    }
    sl_live_sessions_remove(session);
    sl_status_take(status, sl_session_close(session->session, &err), &err);
    sl_session_drop_partials(session);
    sl_session_free(session->session);
    unlink_from_graph(session);
    sl_mutex_clear(&session->mutex);
    sl_free(session);
}

/* ---- extending */
static sl_code extend(TF_Session *session, struct sl_error *err) {
    TF_Graph *graph = session->graph;
    sl_mutex_lock(&session->mutex);
    sl_graph_lock(graph);
    unsigned long version = atomic_load_explicit(&graph->version, memory_order_relaxed);
    sl_code code = sl_session_extend(session->session, graph->graph, err);
    if (code == SL_OK) {
        atomic_store(&session->seen_nodes, graph->graph->nodes.n);
        atomic_store_explicit(&session->seen, version, memory_order_release);
    }
    sl_graph_unlock(graph);
    sl_mutex_unlock(&session->mutex);
    return code;
}

sl_code sl_session_catch_up(TF_Session *session, struct sl_error *err) {
    if (!atomic_load_explicit(&session->extends_itself, memory_order_relaxed)) return SL_OK;
    unsigned long seen = atomic_load_explicit(&session->seen, memory_order_acquire);
    if (seen == atomic_load_explicit(&session->graph->version, memory_order_acquire)) return SL_OK;
    return extend(session, err);
}

void TF_ExtendSession(TF_Session *session, TF_Status *status) {
    struct sl_error err;
    if (sl_status_take(status, extend(session, &err), &err)) atomic_store(&session->extends_itself, false);
}

/* ---- running */
/* Decodes RunOptions, if there are any, into `*out`. */
static sl_code decode_options(const struct sl_pb_RunOptions **out, const TF_Buffer *bytes, struct sl_arena *arena,
                              struct sl_error *err) {
    *out = NULL;
    if (!bytes || bytes->length == 0) return SL_OK;
    struct sl_pb_RunOptions *options = SL_ARENA_NEW(arena, struct sl_pb_RunOptions);
    if (!options) return sl_fail_memory(err, sizeof *options);
    if (sl_pb_decode(options, SL_PB_TYPE(RunOptions), sl_bytes_of(bytes->data, bytes->length), arena, NULL) != SL_OK)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Unparseable RunOptions proto");
    *out = options;
    return SL_OK;
}

/* Runs, and hands out what was fetched. */
static sl_code run_step(TF_Session *session, struct sl_run_arrays *arrays, TF_Tensor **output_values,
                        const TF_Buffer *run_options, TF_Buffer *run_metadata, struct sl_error *err) {
    struct sl_arena arena;
    struct sl_str metadata = {NULL, 0};
    sl_arena_init(&arena);
    sl_code code = decode_options(&arrays->run.options, run_options, &arena, err);
    if (run_metadata) arrays->run.metadata = &metadata;
    if (code == SL_OK) code = sl_session_run(session->session, &arrays->run, err);
    if (code == SL_OK) code = sl_run_arrays_deliver(output_values, arrays, err);
    sl_arena_clear(&arena);
    if (code == SL_OK && run_metadata) sl_buffer_own(run_metadata, metadata);
    else sl_free((void *)metadata.p);
    return code;
}

static sl_code run(TF_Session *session, const TF_Buffer *run_options, const struct sl_run_request *request,
                   TF_Tensor **output_values, TF_Buffer *run_metadata, struct sl_error *err) {
    struct sl_run_arrays arrays;
    if (run_metadata && run_metadata->data)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Passing non-empty run_metadata is invalid.");
    SL_TRY(sl_session_catch_up(session, err));
    sl_code code = sl_run_arrays_fill(&arrays, session, request, err);
    if (code == SL_OK) code = run_step(session, &arrays, output_values, run_options, run_metadata, err);
    sl_run_arrays_clear(&arrays);
    return code;
}

void TF_SessionRun(TF_Session *session, const TF_Buffer *run_options, const TF_Output *inputs,
                   TF_Tensor *const *input_values, int ninputs, const TF_Output *outputs, TF_Tensor **output_values,
                   int noutputs, const TF_Operation *const *target_operations, int ntargets, TF_Buffer *run_metadata,
                   TF_Status *status) {
    struct sl_error err;
    struct sl_run_request request = {inputs, input_values, ninputs, outputs, noutputs, target_operations, ntargets};
    for (int i = 0; i < noutputs; i++) output_values[i] = NULL;
    sl_status_take(status, run(session, run_options, &request, output_values, run_metadata, &err), &err);
}
