/* Deprecated sessions: a session with a graph of its own, fed with GraphDefs, whose tensors go by name. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "root/root.h"

struct TF_DeprecatedSession {
    TF_Graph *graph;
    TF_Session *session;
    bool has_graph; /* TF_ExtendGraph was called */
};

TF_DeprecatedSession *TF_NewDeprecatedSession(const TF_SessionOptions *options, TF_Status *status) {
    TF_DeprecatedSession *s = sl_calloc(1, sizeof *s);
    TF_Graph *graph = TF_NewGraph();
    if (!s || !graph) {
        sl_free(s);
        TF_DeleteGraph(graph);
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "out of memory");
        return NULL;
    }
    s->graph = graph;
    s->session = TF_NewSession(graph, options, status);
    if (s->session) return s;
    TF_DeleteGraph(graph);
    sl_free(s);
    return NULL;
}

void TF_CloseDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status) {
    TF_CloseSession(session->session, status);
}

void TF_DeleteDeprecatedSession(TF_DeprecatedSession *session, TF_Status *status) {
    if (!session) {
        sl_status_set(status, SL_OK, NULL);
        return;
    }
    TF_DeleteSession(session->session, status);
    TF_DeleteGraph(session->graph);
    sl_free(session);
}

TF_DeviceList *TF_DeprecatedSessionListDevices(TF_DeprecatedSession *session, TF_Status *status) {
    return TF_SessionListDevices(session->session, status);
}

void TF_ExtendGraph(TF_DeprecatedSession *session, const void *proto, size_t proto_len, TF_Status *status) {
    TF_Buffer bytes = {proto, proto_len, NULL};
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(session->graph, &bytes, options, status);
    TF_DeleteImportGraphDefOptions(options);
    if (TF_GetCode(status) == TF_OK) session->has_graph = true;
}

/* ---- names */
static sl_code find_output(TF_Output *out, TF_Graph *graph, const char *name, struct sl_error *err) {
    sl_code code = sl_graph_output(out, graph, name, err);
    if (code != SL_NOT_FOUND) return code;
    return sl_fail(err, SL_INVALID_ARGUMENT,
                   "Tensor %s, specified in either feed_devices or fetch_devices was not found in the Graph", name);
}

static sl_code find_outputs(TF_Output **out, TF_Graph *graph, const char **names, int n, struct sl_arena *arena,
                            struct sl_error *err) {
    *out = SL_ARENA_ARRAY(arena, TF_Output, n > 0 ? (size_t)n : 0);
    if (!*out) return sl_fail_memory(err, sizeof **out);
    for (int i = 0; i < n; i++) SL_TRY(find_output(&(*out)[i], graph, names[i], err));
    return SL_OK;
}

struct named_run {
    struct sl_arena arena; /* of the arrays */
    TF_Output *inputs, *outputs;
    TF_Operation **targets;
};

static sl_code find_names(struct named_run *run, TF_DeprecatedSession *session, const char **inputs, int n_inputs,
                          const char **outputs, int n_outputs, const char **targets, int n_targets,
                          struct sl_error *err) {
    if (!session->has_graph)
        return sl_fail(err, SL_INVALID_ARGUMENT, "Session was not created with a graph before Run()!");
    SL_TRY(find_outputs(&run->inputs, session->graph, inputs, n_inputs, &run->arena, err));
    SL_TRY(find_outputs(&run->outputs, session->graph, outputs, n_outputs, &run->arena, err));
    run->targets = SL_ARENA_ARRAY(&run->arena, TF_Operation *, n_targets > 0 ? (size_t)n_targets : 0);
    if (!run->targets) return sl_fail_memory(err, sizeof *run->targets);
    for (int i = 0; i < n_targets; i++) {
        run->targets[i] = TF_GraphOperationByName(session->graph, targets[i]);
        if (!run->targets[i]) return sl_fail(err, SL_NOT_FOUND, "Target %s was not found in the Graph", targets[i]);
    }
    return SL_OK;
}

/* Looks the names up; false, with the status set, when one is not there. Clear the arena either way. */
static bool resolve(struct named_run *run, TF_DeprecatedSession *session, const char **inputs, int n_inputs,
                    const char **outputs, int n_outputs, const char **targets, int n_targets, TF_Status *status) {
    struct sl_error err;
    sl_arena_init(&run->arena);
    return sl_status_take(status,
                          find_names(run, session, inputs, n_inputs, outputs, n_outputs, targets, n_targets, &err),
                          &err);
}

void TF_Run(TF_DeprecatedSession *session, const TF_Buffer *run_options, const char **input_names, TF_Tensor **inputs,
            int ninputs, const char **output_names, TF_Tensor **outputs, int noutputs,
            const char **target_operation_names, int ntargets, TF_Buffer *run_metadata, TF_Status *status) {
    struct named_run run;
    for (int i = 0; i < noutputs; i++) outputs[i] = NULL;
    if (resolve(&run, session, input_names, ninputs, output_names, noutputs, target_operation_names, ntargets, status))
        TF_SessionRun(session->session, run_options, run.inputs, inputs, ninputs, run.outputs, outputs, noutputs,
                      (const TF_Operation *const *)run.targets, ntargets, run_metadata, status);
    sl_arena_clear(&run.arena);
}

void TF_PRunSetup(TF_DeprecatedSession *session, const char **input_names, int ninputs, const char **output_names,
                  int noutputs, const char **target_operation_names, int ntargets, const char **handle,
                  TF_Status *status) {
    struct named_run run;
    *handle = NULL;
    if (resolve(&run, session, input_names, ninputs, output_names, noutputs, target_operation_names, ntargets, status))
        TF_SessionPRunSetup(session->session, run.inputs, ninputs, run.outputs, noutputs,
                            (const TF_Operation *const *)run.targets, ntargets, handle, status);
    sl_arena_clear(&run.arena);
}

void TF_PRun(TF_DeprecatedSession *session, const char *handle, const char **input_names, TF_Tensor **inputs,
             int ninputs, const char **output_names, TF_Tensor **outputs, int noutputs,
             const char **target_operation_names, int ntargets, TF_Status *status) {
    struct named_run run;
    for (int i = 0; i < noutputs; i++) outputs[i] = NULL;
    if (resolve(&run, session, input_names, ninputs, output_names, noutputs, target_operation_names, ntargets, status))
        TF_SessionPRun(session->session, handle, run.inputs, inputs, ninputs, run.outputs, outputs, noutputs,
                       (const TF_Operation *const *)run.targets, ntargets, status);
    sl_arena_clear(&run.arena);
}

/* ---- resources */
struct reset {
    const char **containers;
    int n;
};

static void reset_session(TF_Session *session, void *arg) {
    const struct reset *reset = arg;
    for (int i = 0; i < reset->n; i++) sl_session_reset(session->session, sl_str_of(reset->containers[i]));
    if (reset->n == 0) sl_session_reset(session->session, (struct sl_str){NULL, 0});
    sl_session_close(session->session, NULL);
}

/* Of a server: the names of its containers go there. A server without devices is none. */
static void reset_server(const TF_SessionOptions *options, const struct reset *reset, TF_Status *status) {
    const char *name, *type;
    int64_t memory;
    uint64_t incarnation;
    TF_Graph *graph = TF_NewGraph();
    TF_Session *session = TF_NewSession(graph, options, status);
    TF_DeleteGraph(graph);
    if (!session) return;
    if (sl_session_device(&name, &type, &memory, &incarnation, session->session, 0)) {
        reset_session(session, (void *)reset);
        sl_status_set(status, SL_OK, NULL);
    } else sl_status_fail(status, SL_UNAVAILABLE, "TF_Reset: no server answers at \"%s\"", options->target);
    TF_Status *ignored = TF_NewStatus();
    TF_DeleteSession(session, ignored);
    TF_DeleteStatus(ignored);
}

void TF_Reset(const TF_SessionOptions *options, const char **containers, int ncontainers, TF_Status *status) {
    struct reset reset = {containers, ncontainers};
    if (options && options->target && *options->target && strcmp(options->target, "local") != 0) {
        reset_server(options, &reset, status);
        return;
    }
    sl_live_sessions_each(reset_session, &reset);
    sl_status_set(status, SL_OK, NULL);
}
