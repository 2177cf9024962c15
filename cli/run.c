/* sluice run: feeds, fetches, repeats. What is not said is guessed: every placeholder must be fed, every result is
 * fetched that changes nothing (results.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_hints.h"
#include "interrupt.h"
#include "job.h"
#include "npy.h"
#include "quoted_text.h"
#include "run_times.h"
#include "sluice/explain.h"
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

/* A job, and how it is run. */
struct shown_job {
    struct job job;
    int64_t repeat;
    int64_t explain_ms; /* 0: not by itself */
    bool json, full;
    struct run_times times;
    bool was_interrupted;
};

/* What a result is called: as the signature says, where there is one. */
static const char *result_name(char text[512], const struct job *job, const struct fetch *f) {
    if (job->model.signature.name) return f->name;
    snprintf(text, 512, "%s:%d", TF_OperationName(f->output.oper), f->output.index);
    return text;
}

/* `results` are NULL for what was fed: a signature may hand on an input. */
static int print_results(const struct shown_job *shown, TF_Tensor *const *results) {
    const struct job *job = &shown->job;
    for (int i = 0; i < job->n_fetches; i++) {
        const struct fetch *f = &job->fetches[i];
        const TF_Tensor *t = results[i] ? results[i] : job_fed_value(job, f->output);
        if (f->file) {
            char why[NPY_WHY];
            size_t size;
            void *bytes = npy_format(&size, t, why);
            FILE *out = bytes ? fopen(f->file, "wb") : NULL;
            bool ok = out && fwrite(bytes, 1, size, out) == size;
            if (out && fclose(out)) ok = false;
            free(bytes);
            if (!ok) return complain("%s: %s", f->file, bytes ? strerror(errno) : why);
        } else if (shown->json) {
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
            value_print(stdout, t, shown->full);
            putchar('\n');
        }
    }
    return EXIT_OK;
}

/* Runs until all are done, or one failed, or somebody interrupts. `last` are the results of the last that was whole. */
static bool run_all(struct shown_job *shown, TF_Session *session, TF_Tensor **last, TF_Status *status) {
    const struct job *job = &shown->job;
    TF_Tensor **results = must_allocate(NULL, ((size_t)job->n_fetches + 1) * sizeof *results);
    TF_Buffer *options = job_run_options(job, false);
    bool ok = true;
    while (ok && shown->times.done < shown->repeat) {
        double start = run_times_start();
        ok = job_run(job, session, options, results, NULL, status);
        if (!ok) break;
        run_times_add(&shown->times, start);
        drop_results(last, job->n_fetches);
        memcpy(last, results, (size_t)job->n_fetches * sizeof *last);
    }
    if (options) TF_DeleteBuffer(options);
    free(results);
    return ok;
}

/* Says what the runs wait for; on a thread of its own. */
static void explain_job(void *arg, TF_Session *session) {
    const struct job *job = arg;
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *text = sl_explain_step(session, status);
    struct sl_source_lines *lines = read_source_lines(job->variables.path);
    if (!complain_status(status)) {
        char *sentences = must_allocate(NULL, text->length + 1);
        memcpy(sentences, text->data, text->length);
        sentences[text->length] = 0;
        stuck_explain(lines, sentences);
        free(sentences);
        TF_DeleteBuffer(text);
    }
    sl_source_lines_free(lines);
    TF_DeleteStatus(status);
}

/* All runs; the results of the last one are printed, also when an interrupt ended them. */
static int run_session(struct shown_job *shown, TF_Session *session, TF_Status *status) {
    struct job *job = &shown->job;
    struct run_times *times = &shown->times;
    TF_Tensor **last = must_allocate(NULL, ((size_t)job->n_fetches + 1) * sizeof *last);
    memset(last, 0, ((size_t)job->n_fetches + 1) * sizeof *last);
    run_times_ready(times, shown->repeat);
    interrupt_watch(session, &(struct explained){explain_job, job, shown->explain_ms});
    bool ok = run_all(shown, session, last, status);
    shown->was_interrupted = interrupt_end() && !ok;
    int result = ok || (shown->was_interrupted && times->done) ? print_results(shown, last) : EXIT_FAILED;
    fflush(stdout);
    if (ok || shown->was_interrupted) run_times_print(times);
    if (!ok) {
        if (shown->was_interrupted)
            complain("interrupted after %" PRId64 " of %" PRId64 " runs", times->done, shown->repeat);
        job_complain(job, status);
        result = EXIT_FAILED;
    }
    drop_results(last, job->n_fetches);
    free(last);
    return result;
}

static int run_job(struct shown_job *shown) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Session *session = job_session(&shown->job, status);
    int result = session ? run_session(shown, session, status) : EXIT_FAILED;
    if (session) job_delete_session(&shown->job, session, status);
    TF_DeleteStatus(status);
    return result;
}

static int run_option(struct shown_job *shown, const struct command *self, const char *name, char *value) {
    if (!strcmp(name, "json")) shown->json = true;
    else if (!strcmp(name, "full")) shown->full = true;
    else if (!strcmp(name, "explain-stuck") && !parse_seconds(&shown->explain_ms, value))
        return complain_usage(self, "--explain-stuck wants seconds above 0, not '%s'", value);
    else if (!strcmp(name, "repeat") && !parse_number(&shown->repeat, value, 1, 100000000))
        return complain_usage(self, "--repeat wants a number from 1 to 100000000, not '%s'", value);
    return job_option(&shown->job, self, name, value);
}

int run_command(int argc, char **argv) {
    const struct command *self = find_command("run");
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    struct shown_job shown = {.repeat = 1};
    char *value;
    const char *time = NULL;
    char trace_folder[TRACE_PATH];
    int result = EXIT_OK;
    while (result == EXIT_OK && next_argument(&a, &option, &value)) {
        const char *name = option ? option->name : "";
        if (!strcmp(name, "time")) time = value;
        else result = run_option(&shown, self, name, value);
    }
    if (a.failed || result != EXIT_OK) return EXIT_USAGE;
    if ((result = job_check(&shown.job, self)) != EXIT_OK) return result;
    if (time && strcmp(time, "op") != 0 && strcmp(time, "node") != 0)
        return complain_usage(self, "--time wants op or node, not '%s'", time);
    if (time && !trace_begin(trace_folder)) return EXIT_FAILED;
    run_times_begin(&shown.times, time != NULL);
    if (!job_open(&shown.job)) {
        if (time) step_times_end(NULL, trace_folder, false);
        return EXIT_FAILED;
    }
    run_times_loaded(&shown.times);
    result = job_read_names(&shown.job, self, argc, argv);
    if (result == EXIT_OK) result = run_job(&shown);
    job_close(&shown.job);
    run_times_clear(&shown.times);
    if (time &&
        !step_times_end(result == EXIT_OK || shown.was_interrupted ? stderr : NULL, trace_folder,
                        !strcmp(time, "node")) &&
        result == EXIT_OK)
        result = EXIT_FAILED;
    return result;
}
