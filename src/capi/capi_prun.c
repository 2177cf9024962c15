/* Partial runs. The handle is a text that names one among the session's partial runs: callers may copy it. A partial
 * run is freed when all that was announced has been fed and fetched, when a step of it fails, or with its session. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "capi/handles.h"
#include "capi/run_arrays.h"

struct sl_partial {
    struct sl_partial *next;
    struct sl_partial_run *run;
    int users;                       /* calls that are inside */
    bool is_over;                    /* unlinked; freed when `users` is 0 */
    struct sl_port *feeds, *fetches; /* what is still to come; owned */
    int n_feeds, n_fetches;
    char name[48];
};

static void partial_free(struct sl_partial *p) {
    if (p->run) sl_partial_run_free(p->run);
    sl_free(p->feeds);
    sl_free(p->fetches);
    sl_free(p);
}

void sl_session_drop_partials(TF_Session *session) {
    while (session->partials) {
        struct sl_partial *p = session->partials;
        session->partials = p->next;
        partial_free(p);
    }
}

static struct sl_port *copy_ports(const struct sl_port *ports, int n) {
    struct sl_port *copy = sl_calloc((size_t)n + 1, sizeof *copy);
    if (copy && n) memcpy(copy, ports, (size_t)n * sizeof *copy);
    return copy;
}

static sl_code set_up(struct sl_partial **out, TF_Session *session, const struct sl_run *run, struct sl_error *err) {
    struct sl_partial *p = sl_calloc(1, sizeof *p);
    if (!p) return sl_fail_memory(err, sizeof *p);
    p->feeds = copy_ports(run->feeds, run->n_feeds);
    p->fetches = copy_ports(run->fetches, run->n_fetches);
    p->n_feeds = run->n_feeds;
    p->n_fetches = run->n_fetches;
    sl_code code = p->feeds && p->fetches ? SL_OK : sl_fail_memory(err, sizeof(struct sl_port));
    if (code == SL_OK) code = sl_session_prun_setup(&p->run, session->session, run, err);
    if (code != SL_OK) {
        partial_free(p);
        return code;
    }
    sl_mutex_lock(&session->mutex);
    snprintf(p->name, sizeof p->name, "partial_run_%p_%lu", (void *)session, session->partials_made++);
    p->next = session->partials;
    session->partials = p;
    sl_mutex_unlock(&session->mutex);
    *out = p;
    return SL_OK;
}

static sl_code prun_setup(char **handle, TF_Session *session, const struct sl_run_request *request,
                          struct sl_error *err) {
    struct sl_run_arrays arrays;
    struct sl_partial *p = NULL;
    SL_TRY(sl_session_catch_up(session, err));
    *handle = sl_malloc(sizeof p->name);
    if (!*handle) return sl_fail_memory(err, sizeof p->name);
    sl_code code = sl_run_arrays_fill(&arrays, session, request, err);
    if (code == SL_OK) code = set_up(&p, session, &arrays.run, err);
    if (code == SL_OK) memcpy(*handle, p->name, sizeof p->name);
    sl_run_arrays_clear(&arrays);
    return code;
}

void TF_SessionPRunSetup(TF_Session *session, const TF_Output *inputs, int ninputs, const TF_Output *outputs,
                         int noutputs, const TF_Operation *const *target_operations, int ntargets, const char **handle,
                         TF_Status *status) {
    struct sl_error err;
    char *text = NULL;
    struct sl_run_request request = {inputs, NULL, ninputs, outputs, noutputs, target_operations, ntargets};
    *handle = NULL;
    if (sl_status_take(status, prun_setup(&text, session, &request, &err), &err)) *handle = text;
    else sl_free(text);
}

void TF_DeletePRunHandle(const char *handle) { sl_free((void *)handle); }

/* ---- one step */
static struct sl_partial *enter(TF_Session *session, const char *handle) {
    struct sl_partial *p;
    sl_mutex_lock(&session->mutex);
    for (p = session->partials; p && strcmp(p->name, handle) != 0;) p = p->next;
    if (p) p->users++;
    sl_mutex_unlock(&session->mutex);
    return p;
}

static void strike_out(struct sl_port *ports, int *n, const struct sl_port *done, int n_done) {
    for (int i = 0; i < n_done; i++)
        for (int k = 0; k < *n; k++)
            if (ports[k].node == done[i].node && ports[k].index == done[i].index) {
                ports[k] = ports[--*n];
                break;
            }
}

/* Notes what was fed and fetched (`run`, NULL when nothing was); frees `p` when that was all, or the step failed. */
static void leave(TF_Session *session, struct sl_partial *p, const struct sl_run *run, bool failed) {
    sl_mutex_lock(&session->mutex);
    if (run) {
        strike_out(p->feeds, &p->n_feeds, run->feeds, run->n_feeds);
        strike_out(p->fetches, &p->n_fetches, run->fetches, run->n_fetches);
    }
    if (!p->is_over && (failed || p->n_feeds + p->n_fetches == 0)) {
        p->is_over = true;
        for (struct sl_partial **at = &session->partials; *at; at = &(*at)->next)
            if (*at == p) {
                *at = p->next;
                break;
            }
    }
    bool last = --p->users == 0 && p->is_over;
    sl_mutex_unlock(&session->mutex);
    if (last) partial_free(p);
}

static sl_code prun(TF_Session *session, const char *handle, const struct sl_run_request *request,
                    TF_Tensor **output_values, struct sl_error *err) {
    struct sl_run_arrays arrays;
    struct sl_partial *p = handle ? enter(session, handle) : NULL;
    if (!p) return sl_fail(err, SL_INVALID_ARGUMENT, "Must run 'setup' before performing partial runs!");
    sl_code code = sl_run_arrays_fill(&arrays, session, request, err);
    bool failed = false;
    if (code == SL_OK) {
        code = sl_session_prun(session->session, p->run, &arrays.run, err);
        failed = code != SL_OK && code != SL_INVALID_ARGUMENT && code != SL_NOT_FOUND; /* a wrong call may be mended */
    }
    leave(session, p, code == SL_OK ? &arrays.run : NULL, failed);
    if (code == SL_OK) code = sl_run_arrays_deliver(output_values, &arrays, err);
    sl_run_arrays_clear(&arrays);
    return code;
}

void TF_SessionPRun(TF_Session *session, const char *handle, const TF_Output *inputs, TF_Tensor *const *input_values,
                    int ninputs, const TF_Output *outputs, TF_Tensor **output_values, int noutputs,
                    const TF_Operation *const *target_operations, int ntargets, TF_Status *status) {
    struct sl_error err;
    struct sl_run_request request = {inputs, input_values, ninputs, outputs, noutputs, target_operations, ntargets};
    for (int i = 0; i < noutputs; i++) output_values[i] = NULL;
    sl_status_take(status, prun(session, handle, &request, output_values, &err), &err);
}
