/* Names are looked up when the graph is open, so the arguments are read twice. */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_hints.h"
#include "inner_nodes.h"
#include "results.h"
#include "sluice/devices.h"
#include "sluice/explain.h"
#include "sluice/limits.h"
#include "stuck.h"
#include "written_message.h"

/* "NAME=VALUE": the value as the input takes it. */
static bool add_feed(struct job *job, char *text) {
    char *equals = strchr(text, '=');
    struct feed_input input;
    *equals = 0; /* there is one: job_option has looked */
    if (!feed_input_find(&input, job->graph, &job->model, text)) return false;
    TF_Tensor *t = feed_value_read(&input, equals + 1, &job->rules, 0);
    *equals = '='; /* a graph may be opened again */
    if (!t) return false;
    job->feeds = must_allocate(job->feeds, (size_t)(job->n_feeds + 1) * sizeof *job->feeds);
    job->feed_values = must_allocate(job->feed_values, (size_t)(job->n_feeds + 1) * sizeof *job->feed_values);
    job->feeds[job->n_feeds] = input.output;
    job->feed_values[job->n_feeds++] = t;
    return true;
}

static void push_fetch(struct job *job, struct fetch fetch) {
    job->fetches = must_allocate(job->fetches, (size_t)(job->n_fetches + 1) * sizeof *job->fetches);
    job->fetches[job->n_fetches++] = fetch;
}

/* Resources and variants have no value to show; a variable's handle has a node that reads it, more often than not. */
static bool has_value(TF_Output output, const char *name) {
    TF_DataType type = TF_OperationOutputType(output);
    if (type != TF_RESOURCE && type != TF_VARIANT) return true;
    int n = TF_OperationOutputNumConsumers(output);
    TF_Input *readers = must_allocate(NULL, ((size_t)n + 1) * sizeof *readers);
    TF_Operation *reader = NULL;
    n = TF_OperationOutputConsumers(output, readers, n);
    for (int i = 0; i < n && !reader; i++)
        if (!strcmp(TF_OperationOpType(readers[i].oper), "ReadVariableOp")) reader = readers[i].oper;
    free(readers);
    complain("'%s' is a %s, which has no value to print", name, type_name(type));
    if (reader) complain("for the value of the variable: --fetch %s", TF_OperationName(reader));
    return false;
}

static bool add_fetch(struct job *job, char *text) {
    struct fetch fetch = {.name = text};
    char *equals = strchr(text, '=');
    if (equals) {
        *equals = 0;
        fetch.file = equals + 1;
    }
    if (!find_output(&fetch.output, job->graph, &job->model.signature, model_output(&job->model, text))) return false;
    if (is_in_loop(fetch.output.oper)) {
        complain("node '%s' is in a loop: it has a value in each iteration, and none to fetch",
                 TF_OperationName(fetch.output.oper));
        return false;
    }
    if (!has_value(fetch.output, text)) return false;
    push_fetch(job, fetch);
    return true;
}

static bool add_target(struct job *job, const char *name) {
    TF_Operation *op = find_node(job->graph, NULL, name);
    if (!op) return false;
    job->targets = must_allocate(job->targets, (size_t)(job->n_targets + 1) * sizeof *job->targets);
    job->targets[job->n_targets++] = op;
    return true;
}

static void default_fetches(struct job *job) {
    int n;
    const struct sl_model_signature *s = &job->model.signature;
    if (s->name) {
        for (int i = 0; i < s->num_outputs; i++) {
            struct fetch fetch = {.name = s->outputs[i].name};
            if (find_output(&fetch.output, job->graph, NULL, s->outputs[i].tensor)) push_fetch(job, fetch);
        }
        return;
    }
    TF_Output *results = harmless_results(&n, job->graph, job->feeds, job->n_feeds);
    for (int i = 0; i < n; i++)
        push_fetch(job, (struct fetch){.output = results[i], .name = TF_OperationName(results[i].oper)});
    free(results);
}

static TF_SessionOptions *session_options(const struct job *job) {
    TF_SessionOptions *options = threads_options(job->threads, job->is_soft);
    TF_Status *status = must_have(TF_NewStatus());
    if (job->devices) sl_options_set_cpus(options, (int)job->devices, status);
    if (job->memory) sl_options_set_step_memory(options, job->memory);
    if (job->watches) sl_watch_numerics(options, SL_WATCH_NANS | SL_WATCH_INFINITIES);
    TF_DeleteStatus(status);
    return options;
}

bool job_open(struct job *job) {
    const char *path = job->variables.path;
    if (!is_directory(path)) return (job->graph = open_graph(path)) != NULL;
    TF_SessionOptions *options = session_options(job);
    bool ok = load_model(&job->model, path, job->tags, job->signature, options);
    TF_DeleteSessionOptions(options);
    job->graph = job->model.graph;
    return ok;
}

void job_close(struct job *job) {
    for (int i = 0; i < job->n_feeds; i++) TF_DeleteTensor(job->feed_values[i]);
    free(job->feeds);
    free(job->feed_values);
    free(job->fetches);
    free(job->targets);
    if (job->model.session) unload_model(&job->model);
    else if (job->graph) TF_DeleteGraph(job->graph);
}

TF_Tensor *job_fed_value(const struct job *job, TF_Output output) {
    for (int i = 0; i < job->n_feeds; i++)
        if (job->feeds[i].oper == output.oper && job->feeds[i].index == output.index) return job->feed_values[i];
    return NULL;
}

TF_Session *job_session(struct job *job, TF_Status *status) {
    if (!job->n_fetches && !job->n_targets) default_fetches(job);
    if (!job->n_fetches && !job->n_targets) {
        complain("the graph has no result that can be fetched unasked; name one with --fetch");
        return NULL;
    }
    TF_Session *session = job->model.session;
    if (!session) {
        TF_SessionOptions *options = session_options(job);
        session = TF_NewSession(job->graph, options, status);
        TF_DeleteSessionOptions(options);
    }
    if (complain_status(status)) return NULL;
    if (prepare_variables(session, job->graph, &job->model, &job->variables)) return session;
    job_delete_session(job, session, status);
    return NULL;
}

void job_delete_session(struct job *job, TF_Session *session, TF_Status *status) {
    if (!job->model.session) TF_DeleteSession(session, status);
}

TF_Buffer *job_run_options(const struct job *job, bool is_traced) {
    enum { TRACE_LEVEL = 1, TIMEOUT_IN_MS = 2, OUTPUT_PARTITION_GRAPHS = 5, FULL_TRACE = 3 };
    struct message m = {0};
    if (is_traced) {
        message_number(&m, TRACE_LEVEL, FULL_TRACE);
        message_number(&m, OUTPUT_PARTITION_GRAPHS, true);
    }
    if (job->timeout_ms) message_number(&m, TIMEOUT_IN_MS, (uint64_t)job->timeout_ms);
    TF_Buffer *options = m.n ? must_have(TF_NewBufferFromString(m.p, m.n)) : NULL;
    free(m.p);
    return options;
}

void drop_results(TF_Tensor **results, int n) {
    for (int i = 0; i < n; i++) {
        if (results[i]) TF_DeleteTensor(results[i]);
        results[i] = NULL;
    }
}

bool job_run(const struct job *job, TF_Session *session, const TF_Buffer *options, TF_Tensor **results,
             TF_Buffer *metadata, TF_Status *status) {
    size_t room = (size_t)job->n_fetches + 1;
    TF_Output *fetches = must_allocate(NULL, room * sizeof *fetches);
    TF_Tensor **fetched = must_allocate(NULL, room * sizeof *fetched);
    int n = 0;
    for (int i = 0; i < job->n_fetches; i++)
        if (!job_fed_value(job, job->fetches[i].output)) fetches[n++] = job->fetches[i].output;
    if (n || job->n_targets)
        TF_SessionRun(session, options, job->feeds, job->feed_values, job->n_feeds, fetches, fetched, n,
                      (const TF_Operation *const *)job->targets, job->n_targets, metadata, status);
    const bool ok = TF_GetCode(status) == TF_OK;
    for (int i = 0, k = 0; i < job->n_fetches; i++)
        results[i] = !ok || job_fed_value(job, job->fetches[i].output) ? NULL : fetched[k++];
    free(fetches);
    free(fetched);
    return ok;
}

void job_complain(const struct job *job, TF_Status *status) {
    complain_status(status);
    hint_error(status, job->graph, job->variables.path);
    hint_devices(status);
    hint_variables(status, &job->variables);
    hint_missing_feeds(status, job->graph, &job->model, job->feeds, job->n_feeds);
}

int job_read_names(struct job *job, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    if (!reach_inner_nodes(job->graph, &job->model, self, argc, argv)) return EXIT_FAILED;
    while (next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        bool ok = true;
        if (!strcmp(name, "feed")) ok = add_feed(job, value);
        else if (!strcmp(name, "fetch")) ok = add_fetch(job, value);
        else if (!strcmp(name, "target")) ok = add_target(job, value);
        if (!ok) return EXIT_FAILED;
    }
    return EXIT_OK;
}

bool parse_seconds(int64_t *ms, const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds < 1e9)) return false;
    *ms = seconds < .001 ? 1 : (int64_t)(seconds * 1e3);
    return true;
}

static int number_option(int64_t *out, const struct command *self, const char *name, const char *value) {
    if (parse_number(out, value, 1, 1024)) return EXIT_OK;
    return complain_usage(self, "--%s wants a number from 1 to 1024, not '%s'", name, value);
}

int job_option(struct job *job, const struct command *self, const char *name, char *value) {
    const char **path = &job->variables.path;
    if (!*name && *path) return complain_usage(self, "one graph at a time, please: '%s' and '%s'", *path, value);
    if (!*name) *path = value;
    else if (!strcmp(name, "tags")) job->tags = value;
    else if (!strcmp(name, "signature")) job->signature = value;
    else if (!strcmp(name, "checkpoint")) job->variables.checkpoint = value;
    else if (!strcmp(name, "init")) job->variables.init = true;
    else if (!strcmp(name, "watch-nan")) job->watches = true;
    else if (!strcmp(name, "soft")) job->is_soft = true;
    else if (!strcmp(name, "cast")) job->rules.casts = true;
    else if (!strcmp(name, "threads")) return number_option(&job->threads, self, name, value);
    else if (!strcmp(name, "devices")) return number_option(&job->devices, self, name, value);
    else if (!strcmp(name, "feed") && !strchr(value, '='))
        return complain_usage(self, "--feed wants NAME=VALUE, not '%s'", value);
    else if (!strcmp(name, "pixels") && !pixel_range_parse(&job->rules.pixels, value))
        return complain_usage(self, "--pixels wants 0..1, -1..1 or 0..255, not '%s'", value);
    else if (!strcmp(name, "timeout") && !parse_seconds(&job->timeout_ms, value))
        return complain_usage(self, "--timeout wants seconds above 0, not '%s'", value);
    else if (!strcmp(name, "memory") && !parse_size(&job->memory, value))
        return complain_usage(self, "--memory wants a size, as in 500M or 2G, not '%s'", value);
    return EXIT_OK;
}

int job_check(const struct job *job, const struct command *self) {
    const char *path = job->variables.path;
    if (!path) return complain_usage(self, "which graph?");
    if ((job->tags || job->signature) && !is_directory(path))
        return complain_usage(self, "--tags and --signature are for SavedModels, and '%s' is none", path);
    return EXIT_OK;
}
