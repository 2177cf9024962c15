/* sluice run: feeds, fetches, repeats. What is not said is guessed: every placeholder must be fed, every result is
 * fetched that changes nothing (results.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "feed_value.h"
#include "initial_values.h"
#include "inner_nodes.h"
#include "interrupt.h"
#include "model.h"
#include "npy.h"
#include "quoted_text.h"
#include "results.h"
#include "run_times.h"
#include "sluice/devices.h"
#include "sluice/explain.h"
#include "sluice/limits.h"
#include "step_times.h"
#include "stuck.h"
#include "tensor_literal.h"

const struct option run_options[] = {
    {"feed", "NAME=VALUE", "feed an input: a value, FILE.npy, a picture, @FILE for bytes"},
    {"fetch", "NAME[=FILE.npy]", "fetch an output, and write it to a file; default: every result that only reads"},
    {"target", "OP", "run a node without fetching anything from it"},
    {"signature", "NAME", "of a SavedModel: inputs and outputs by its names; default: serving_default"},
    {"tags", "TAG,TAG", "of a SavedModel: the graph with these tags; default: serve, or the only one"},
    {"checkpoint", "PREFIX|DIR", "give variables the values of a checkpoint first"},
    {"init", NULL, "run the initialisers of the variables first"},
    {"repeat", "N", "run N times and print how long a run takes"},
    {"time", "op|node", "print where the time of the runs goes, by ops or by nodes, and the memory they take"},
    {"timeout", "SECONDS", "end a run that takes longer, and say what it waits for"},
    {"explain-stuck", "SECONDS",
     "say what the runs wait for when they take longer, and go on; SIGUSR1 asks at any time"},
    {"memory", "SIZE", "fail a run whose tensors hold more, as in 500M or 2G, and say which nodes hold the most"},
    {"watch-nan", NULL, "end at the first node that makes a NaN or an infinity out of inputs without, and say where"},
    {"threads", "N", "threads that work on one run; default: all processors"},
    {"devices", "N", "CPU devices that the graph may be spread over; default: 1"},
    {"soft", NULL, "use another device for one that is not there"},
    {"pixels", "RANGE", "feed pictures as 0..1, -1..1 or 0..255; default: 0..1, whole numbers 0..255"},
    {"cast", NULL, "round the numbers of .npy files to the input's type"},
    {"json", NULL, "print results as JSON, one line each"},
    {"full", NULL, "print large results in full"},
    {NULL, NULL, NULL},
};

struct fetch {
    TF_Output output;
    const char *name, *file; /* file NULL: print */
};

struct job {
    TF_Graph *graph;
    struct loaded_model model; /* its `session` NULL: the graph is from a file */
    TF_Output *feeds;
    TF_Tensor **feed_values;
    int n_feeds;
    struct fetch *fetches;
    int n_fetches;
    const TF_Operation **targets;
    int n_targets;
    struct feed_rules rules;
    struct variables_request variables;
    int64_t repeat, threads, devices;
    int64_t timeout_ms; /* 0: none */
    int64_t explain_ms; /* 0: not by itself */
    size_t memory;      /* 0: no limit */
    bool is_soft, json, full, watches;
    struct run_times times;
    bool was_interrupted;
};

/* "NAME=VALUE": the value as the input takes it. */
static bool add_feed(struct job *job, char *text) {
    char *equals = strchr(text, '=');
    struct feed_input input;
    *equals = 0; /* there is one: run_command has looked */
    if (!feed_input_find(&input, job->graph, &job->model, text)) return false;
    TF_Tensor *t = feed_value_read(&input, equals + 1, &job->rules, 0);
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

/* A graph from a file, or a SavedModel. */
static bool open_job(struct job *job, const char *path, const char *tags, const char *signature) {
    if (!is_directory(path)) return (job->graph = open_graph(path)) != NULL;
    TF_SessionOptions *options = session_options(job);
    bool ok = load_model(&job->model, path, tags, signature, options);
    TF_DeleteSessionOptions(options);
    job->graph = job->model.graph;
    return ok;
}

static void close_job(struct job *job) {
    if (job->model.session) unload_model(&job->model);
    else TF_DeleteGraph(job->graph);
}

/* What a result is called: as the signature says, where there is one. */
static const char *result_name(char text[512], const struct job *job, const struct fetch *f) {
    if (job->model.signature.name) return f->name;
    snprintf(text, 512, "%s:%d", TF_OperationName(f->output.oper), f->output.index);
    return text;
}

/* What is fed for the output; NULL: nothing. */
static TF_Tensor *fed_value(const struct job *job, TF_Output output) {
    for (int i = 0; i < job->n_feeds; i++)
        if (job->feeds[i].oper == output.oper && job->feeds[i].index == output.index) return job->feed_values[i];
    return NULL;
}

/* `results` are NULL for what was fed: a signature may hand on an input. */
static int print_results(struct job *job, TF_Tensor *const *results) {
    for (int i = 0; i < job->n_fetches; i++) {
        const struct fetch *f = &job->fetches[i];
        const TF_Tensor *t = results[i] ? results[i] : fed_value(job, f->output);
        if (f->file) {
            char why[NPY_WHY];
            size_t size;
            void *bytes = npy_format(&size, t, why);
            FILE *out = bytes ? fopen(f->file, "wb") : NULL;
            bool ok = out && fwrite(bytes, 1, size, out) == size;
            if (out && fclose(out)) ok = false;
            free(bytes);
            if (!ok) return complain("%s: %s", f->file, bytes ? strerror(errno) : why);
        } else if (job->json) {
            char name[512];
            const char *called = result_name(name, job, f);
            fputs("{\"name\":", stdout);
            text_print_json(stdout, called, strlen(called));
            fputs(",\"tensor\":", stdout);
            value_print_json(stdout, t);
            puts("}");
        } else {
            char text[SHAPE_TEXT], name[512];
            int at = snprintf(text, sizeof text, "%s [", type_name(TF_TensorType(t)));
            for (int d = 0; d < TF_NumDims(t) && at < SHAPE_TEXT - 24; d++)
                at += snprintf(text + at, sizeof text - (size_t)at, "%s%" PRId64, d ? "," : "", TF_Dim(t, d));
            printf("%s  %s]\n", result_name(name, job, f), text);
            value_print(stdout, t, job->full);
            putchar('\n');
        }
    }
    return EXIT_OK;
}

/* RunOptions with the time that a run may take; NULL: any. */
static TF_Buffer *run_options_of(const struct job *job) {
    enum { TIMEOUT_IN_MS = 2 << 3 }; /* a varint, field 2 */
    uint8_t bytes[16] = {TIMEOUT_IN_MS};
    size_t n = 1;
    if (!job->timeout_ms) return NULL;
    for (uint64_t rest = (uint64_t)job->timeout_ms; rest; rest >>= 7)
        bytes[n++] = (uint8_t)((rest & 127) | (rest > 127 ? 128 : 0));
    return must_have(TF_NewBufferFromString(bytes, n));
}

static void drop_results(TF_Tensor **results, int n) {
    for (int i = 0; i < n; i++) {
        if (results[i]) TF_DeleteTensor(results[i]);
        results[i] = NULL;
    }
}

/* Runs until all are done, or one failed, or somebody interrupts. `last` are the results of the last that was whole,
 * NULL for what is fed, which no session fetches. */
static bool run_all(struct job *job, TF_Session *session, TF_Tensor **last, TF_Status *status) {
    size_t room = (size_t)job->n_fetches + 1;
    TF_Output *fetches = must_allocate(NULL, room * sizeof *fetches);
    TF_Tensor **results = must_allocate(NULL, room * sizeof *results);
    TF_Buffer *options = run_options_of(job);
    bool ok = true;
    int n = 0;
    for (int i = 0; i < job->n_fetches; i++)
        if (!fed_value(job, job->fetches[i].output)) fetches[n++] = job->fetches[i].output;
    while (ok && job->times.done < job->repeat) {
        double start = run_times_start();
        if (n || job->n_targets)
            TF_SessionRun(session, options, job->feeds, job->feed_values, job->n_feeds, fetches, results, n,
                          (const TF_Operation *const *)job->targets, job->n_targets, NULL, status);
        ok = TF_GetCode(status) == TF_OK;
        if (!ok) break;
        run_times_add(&job->times, start);
        drop_results(last, job->n_fetches);
        for (int i = 0, k = 0; i < job->n_fetches; i++)
            last[i] = fed_value(job, job->fetches[i].output) ? NULL : results[k++];
    }
    if (options) TF_DeleteBuffer(options);
    free(fetches);
    free(results);
    return ok;
}

/* Says what the runs wait for; on a thread of its own. */
static void explain_job(void *arg, TF_Session *session) {
    const struct job *job = arg;
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *text = sl_explain_step(session, status);
    TF_Output *fetches = must_allocate(NULL, ((size_t)job->n_fetches + 1) * sizeof *fetches);
    for (int i = 0; i < job->n_fetches; i++) fetches[i] = job->fetches[i].output;
    const struct stuck_run run = {job->graph,    job->feeds,
                                  fetches,       (const TF_Operation *const *)job->targets,
                                  job->n_feeds,  job->n_fetches,
                                  job->n_targets};
    if (!complain_status(status)) {
        char *lines = must_allocate(NULL, text->length + 1);
        memcpy(lines, text->data, text->length);
        lines[text->length] = 0;
        stuck_explain(&run, lines);
        free(lines);
        TF_DeleteBuffer(text);
    }
    free(fetches);
    TF_DeleteStatus(status);
}

/* All runs; the results of the last one are printed, also when an interrupt ended them. */
static int run_session(struct job *job, TF_Session *session, TF_Status *status) {
    TF_Tensor **last = must_allocate(NULL, ((size_t)job->n_fetches + 1) * sizeof *last);
    memset(last, 0, ((size_t)job->n_fetches + 1) * sizeof *last);
    run_times_ready(&job->times, job->repeat);
    interrupt_watch(session, &(struct explained){explain_job, job, job->explain_ms});
    bool ok = run_all(job, session, last, status);
    job->was_interrupted = interrupt_end() && !ok;
    int result = ok || (job->was_interrupted && job->times.done) ? print_results(job, last) : EXIT_FAILED;
    fflush(stdout);
    if (ok || job->was_interrupted) run_times_print(&job->times);
    if (!ok) {
        if (job->was_interrupted)
            complain("interrupted after %" PRId64 " of %" PRId64 " runs", job->times.done, job->repeat);
        complain_status(status);
        hint_numbers(status, job->graph);
        hint_devices(status);
        hint_variables(status, &job->variables);
        result = EXIT_FAILED;
    }
    drop_results(last, job->n_fetches);
    free(last);
    return result;
}

static int run_job(struct job *job) {
    if (!job->n_fetches && !job->n_targets) default_fetches(job);
    if (!job->n_fetches && !job->n_targets)
        return complain("the graph has no result that can be fetched unasked; name one with --fetch");
    TF_Status *status = must_have(TF_NewStatus());
    TF_Session *session = job->model.session;
    int result = EXIT_FAILED;
    if (!session) {
        TF_SessionOptions *options = session_options(job);
        session = TF_NewSession(job->graph, options, status);
        TF_DeleteSessionOptions(options);
    }
    if (!complain_status(status)) {
        bool is_ready = prepare_variables(session, job->graph, &job->model, &job->variables);
        if (is_ready) result = run_session(job, session, status);
        if (is_ready && result != EXIT_OK)
            hint_missing_feeds(status, job->graph, &job->model, job->feeds, job->n_feeds);
        if (!job->model.session) TF_DeleteSession(session, status);
    }
    TF_DeleteStatus(status);
    return result;
}

/* Feeds and fetches need the graph, so they are looked at when it is open. */
static int read_arguments(struct job *job, const struct command *self, int argc, char **argv) {
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

/* "0.5" as 500 milliseconds. */
static bool parse_seconds(int64_t *ms, const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds < 1e9)) return false;
    *ms = seconds < .001 ? 1 : (int64_t)(seconds * 1e3);
    return true;
}

/* "500M" as 500 * 2^20 bytes. */
static bool parse_size(size_t *bytes, const char *text) {
    static const char units[] = "kmg";
    char *end;
    unsigned shift = 0;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *text < '0' || *text > '9' || !number) return false;
    const char *unit = *end ? strchr(units, *end | 0x20) : NULL;
    if (unit) shift = 10 * (unsigned)(unit - units + 1);
    if ((*end && !unit) || (unit && end[1]) || number > SIZE_MAX >> shift) return false;
    *bytes = (size_t)number << shift;
    return true;
}

int run_command(int argc, char **argv) {
    const struct command *self = find_command("run");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    struct job job = {.repeat = 1};
    char *value;
    const char *path = NULL, *tags = NULL, *signature = NULL, *time = NULL;
    char trace_folder[STEP_TIMES_PATH];
    while (next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!option && path) return complain_usage(self, "one graph at a time, please: '%s' and '%s'", path, value);
        if (!option) job.variables.path = path = value;
        else if (!strcmp(name, "tags")) tags = value;
        else if (!strcmp(name, "signature")) signature = value;
        else if (!strcmp(name, "time")) time = value;
        else if (!strcmp(name, "checkpoint")) job.variables.checkpoint = value;
        else if (!strcmp(name, "init")) job.variables.init = true;
        else if (!strcmp(name, "json")) job.json = true;
        else if (!strcmp(name, "full")) job.full = true;
        else if (!strcmp(name, "feed") && !strchr(value, '='))
            return complain_usage(self, "--feed wants NAME=VALUE, not '%s'", value);
        else if (!strcmp(name, "watch-nan")) job.watches = true;
        else if (!strcmp(name, "soft")) job.is_soft = true;
        else if (!strcmp(name, "cast")) job.rules.casts = true;
        else if (!strcmp(name, "pixels") && !pixel_range_parse(&job.rules.pixels, value))
            return complain_usage(self, "--pixels wants 0..1, -1..1 or 0..255, not '%s'", value);
        else if (!strcmp(name, "timeout") && !parse_seconds(&job.timeout_ms, value))
            return complain_usage(self, "--timeout wants seconds above 0, not '%s'", value);
        else if (!strcmp(name, "explain-stuck") && !parse_seconds(&job.explain_ms, value))
            return complain_usage(self, "--explain-stuck wants seconds above 0, not '%s'", value);
        else if (!strcmp(name, "memory") && !parse_size(&job.memory, value))
            return complain_usage(self, "--memory wants a size, as in 500M or 2G, not '%s'", value);
        else if (!strcmp(name, "repeat") && !parse_number(&job.repeat, value, 1, 100000000))
            return complain_usage(self, "--repeat wants a number from 1 to 100000000, not '%s'", value);
        else if (!strcmp(name, "threads") && !parse_number(&job.threads, value, 1, 1024))
            return complain_usage(self, "--threads wants a number from 1 to 1024, not '%s'", value);
        else if (!strcmp(name, "devices") && !parse_number(&job.devices, value, 1, 1024))
            return complain_usage(self, "--devices wants a number from 1 to 1024, not '%s'", value);
    }
    if (a.failed) return EXIT_USAGE;
    if (!path) return complain_usage(self, "which graph?");
    if ((tags || signature) && !is_directory(path))
        return complain_usage(self, "--tags and --signature are for SavedModels, and '%s' is none", path);
    if (time && strcmp(time, "op") != 0 && strcmp(time, "node") != 0)
        return complain_usage(self, "--time wants op or node, not '%s'", time);
    if (time && !step_times_begin(trace_folder)) return EXIT_FAILED;
    run_times_begin(&job.times, time != NULL);
    if (!open_job(&job, path, tags, signature)) {
        if (time) step_times_end(NULL, trace_folder, false);
        return EXIT_FAILED;
    }
    run_times_loaded(&job.times);
    int result = read_arguments(&job, self, argc, argv);
    if (result == EXIT_OK) result = run_job(&job);
    for (int i = 0; i < job.n_feeds; i++) TF_DeleteTensor(job.feed_values[i]);
    free(job.feeds);
    free(job.feed_values);
    free(job.fetches);
    free(job.targets);
    close_job(&job);
    run_times_clear(&job.times);
    if (time &&
        !step_times_end(result == EXIT_OK || job.was_interrupted ? stderr : NULL, trace_folder,
                        !strcmp(time, "node")) &&
        result == EXIT_OK)
        result = EXIT_FAILED;
    return result;
}
