/* sluice profile: runs a graph with and without a trace, and says where time and memory go and what limits. */
#include "profile.h"

#include "error_hints.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

const struct option profile_options[] = {
    {"html", "FILE", "write a page with tables, flames, a timeline and memory; it needs nothing else"},
    {"flames", "FILE.svg", "write a flame graph by scopes; FILE.txt: collapsed stacks"},
    {"timeline", "FILE.json", "write trace events, for Chrome's tracing page and Perfetto"},
    {"tensorboard", "FOLDER", "write a profile that TensorBoard shows"},
    {"rows", "N", "rows of each table; default: 10"},
    {"repeat", "N", "runs that are measured, at most 50; default: as many as take a second"},
    {"live", NULL, "watch a program while it runs: sluice profile --live -- PROGRAM ARGUMENT..."},
    {"pid", "PID", "with --live: a process that was started with SLUICE_TRACE"},
    {"every", "SECONDS", "with --live: how often to report; default: 1"},
    {"reports", "N", "with --live: end after so many; default: when the program does"},
    {"feed", "NAME=VALUE", "feed an input, as of run"},
    {"fetch", "NAME", "fetch an output; default: every result that only reads"},
    {"target", "OP", "run a node without fetching anything from it"},
    {"signature", "NAME", "of a SavedModel: inputs and outputs by its names; default: serving_default"},
    {"tags", "TAG,TAG", "of a SavedModel: the graph with these tags; default: serve, or the only one"},
    {"checkpoint", "PREFIX|DIR", "give variables the values of a checkpoint first"},
    {"init", NULL, "run the initialisers of the variables first"},
    {"timeout", "SECONDS", "end a run that takes longer, and say what it waits for"},
    {"threads", "N", "threads that work on one run; default: all processors"},
    {"devices", "N", "CPU devices that the graph may be spread over; default: 1"},
    {"soft", NULL, "use another device for one that is not there"},
    {"pixels", "RANGE", "feed pictures as 0..1, -1..1 or 0..255; default: 0..1, whole numbers 0..255"},
    {"cast", NULL, "round the numbers of .npy files to the input's type"},
    {NULL, NULL, NULL},
};

enum { MOST_RUNS = 50, MOST_EVENTS = 200000 };

struct request {
    struct job job;
    const char *page, *flames, *timeline, *tensorboard;
    int64_t rows, repeat, pid, reports;
    int64_t every_ms;
    bool is_live;
    int argc;
    char **argv;
};

static double processors_us(void) {
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u)) return 0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* ---- runs */

/* A graph that was opened, with a session. */
struct opened {
    struct job job;
    TF_Session *session;
    TF_Status *status;
};

static bool open_job(struct opened *o, const struct request *r) {
    *o = (struct opened){.job = r->job, .status = must_have(TF_NewStatus())};
    if (!job_open(&o->job)) return false;
    if (job_read_names(&o->job, find_command("profile"), r->argc, r->argv) != EXIT_OK) return false;
    return (o->session = job_session(&o->job, o->status)) != NULL;
}

static void close_job(struct opened *o) {
    if (o->session) job_delete_session(&o->job, o->session, o->status);
    if (o->job.graph) job_close(&o->job);
    TF_DeleteStatus(o->status);
}

static bool run_once(struct opened *o, TF_Buffer *metadata) {
    TF_Tensor **results = must_allocate(NULL, ((size_t)o->job.n_fetches + 1) * sizeof *results);
    TF_Buffer *options = job_run_options(&o->job, metadata != NULL);
    const bool ok = job_run(&o->job, o->session, options, results, metadata, o->status);
    if (ok) drop_results(results, o->job.n_fetches);
    else job_complain(&o->job, o->status);
    if (options) TF_DeleteBuffer(options);
    free(results);
    return ok;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times of runs without a trace; as many as take half a second, unless somebody said how many. */
static bool run_plain(struct profile *p, struct request *r) {
    struct opened o;
    double times[MOST_RUNS], begin = seconds_now() * 1e6;
    bool ok = open_job(&o, r);
    int n = 0;
    if (ok) {
        begin = seconds_now() * 1e6;
        ok = run_once(&o, NULL);
        p->first_us = seconds_now() * 1e6 - begin;
        p->cpu_us = processors_us();
        begin = seconds_now() * 1e6;
    }
    while (ok && n < (r->repeat ? r->repeat : MOST_RUNS) && (r->repeat || n < 2 || seconds_now() * 1e6 - begin < 5e5)) {
        const double start = seconds_now() * 1e6;
        ok = run_once(&o, NULL);
        times[n++] = seconds_now() * 1e6 - start;
    }
    if (ok) {
        p->cpu_us = (processors_us() - p->cpu_us) / n;
        qsort(times, (size_t)n, sizeof *times, by_value);
        p->plain_us = times[n / 2];
        if (!r->repeat) r->repeat = n;
    }
    close_job(&o);
    return ok;
}

/* Of a trace the last `n` steps. */
static void keep_last_steps(struct trace_events *all, int n) {
    uint64_t *steps = must_allocate(NULL, ((size_t)n + 1) * sizeof *steps);
    int found = 0;
    uint64_t below = UINT64_MAX;
    for (; found < n; found++) {
        uint64_t latest = 0;
        bool any = false;
        for (size_t i = 0; i < all->n; i++) {
            if (all->items[i].step >= below) continue;
            any = true;
            if (all->items[i].step > latest) latest = all->items[i].step;
        }
        if (!any) break;
        steps[found] = below = latest;
    }
    size_t kept = 0;
    for (size_t i = 0; i < all->n; i++) {
        bool stays = false;
        for (int k = 0; k < found && !stays; k++) stays = steps[k] == all->items[i].step;
        if (stays) {
            all->items[kept++] = all->items[i];
        } else {
            free(all->items[i].name);
            free(all->items[i].op);
        }
    }
    all->n = kept;
    free(steps);
}

/* The same with a trace, in a session of its own, and the first run again; then one that tells of each node. */
static bool run_traced(struct profile *p, const struct request *r) {
    struct opened o;
    char folder[TRACE_PATH];
    if (!trace_begin(folder)) return false;
    bool ok = open_job(&o, r) && run_once(&o, NULL);
    for (int64_t i = 0; ok && i < r->repeat; i++) ok = run_once(&o, NULL);
    close_job(&o);
    ok = ok && trace_read(&p->trace, folder);
    trace_end(folder);
    if (ok) keep_last_steps(&p->trace, (int)r->repeat);
    p->n_steps = (int)r->repeat;
    return ok;
}

static bool run_told(struct profile *p, const struct request *r) {
    struct opened o;
    double events = 0;
    for (size_t i = 0; i < p->trace.n; i++) events += (double)p->trace.items[i].weight;
    if (events / p->n_steps > MOST_EVENTS) return true;
    TF_Buffer *metadata = must_have(TF_NewBuffer());
    bool ok = open_job(&o, r) && run_once(&o, NULL) && run_once(&o, metadata);
    if (ok) step_stats_read(&p->stats, metadata, o.job.feed_values, o.job.n_feeds);
    TF_DeleteBuffer(metadata);
    close_job(&o);
    return ok;
}

static bool write_files(const struct request *r, const struct profile *p) {
    return (!r->page || profile_write_page(r->page, p, r->job.variables.path)) &&
           (!r->flames || (ends_with(r->flames, ".txt") ? profile_write_collapsed(r->flames, p)
                                                        : profile_write_flames(r->flames, p))) &&
           (!r->timeline || profile_write_timeline(r->timeline, p)) &&
           (!r->tensorboard || profile_write_xspace(r->tensorboard, p));
}

static int profile(struct request *r) {
    struct profile p = {0};
    p.lines = read_source_lines(r->job.variables.path);
    bool ok = run_plain(&p, r) && run_traced(&p, r) && run_told(&p, r);
    if (ok) {
        machine_measure(&p.machine, r->job.threads);
        profile_gather(&p);
        profile_find_memory(&p);
        profile_advise(&p);
        ok = write_files(r, &p);
        profile_print(stdout, &p, (int)r->rows);
    }
    profile_clear(&p);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static int profile_option(struct request *r, const struct command *self, const char *name, char *value) {
    if (!strcmp(name, "html")) r->page = value;
    else if (!strcmp(name, "flames")) r->flames = value;
    else if (!strcmp(name, "timeline")) r->timeline = value;
    else if (!strcmp(name, "tensorboard")) r->tensorboard = value;
    else if (!strcmp(name, "live")) r->is_live = true;
    else if (!strcmp(name, "every") && !parse_seconds(&r->every_ms, value))
        return complain_usage(self, "--every wants seconds above 0, not '%s'", value);
    else if (!strcmp(name, "rows") && !parse_number(&r->rows, value, 1, 1000000))
        return complain_usage(self, "--rows wants a number from 1 to 1000000, not '%s'", value);
    else if (!strcmp(name, "pid") && !parse_number(&r->pid, value, 1, INT32_MAX))
        return complain_usage(self, "--pid wants the number of a process, not '%s'", value);
    else if (!strcmp(name, "reports") && !parse_number(&r->reports, value, 1, 1000000000))
        return complain_usage(self, "--reports wants a number from 1, not '%s'", value);
    else if (!strcmp(name, "repeat") && !parse_number(&r->repeat, value, 1, MOST_RUNS))
        return complain_usage(self, "--repeat wants a number from 1 to 50, not '%s'", value);
    return job_option(&r->job, self, name, value);
}

/* What comes behind "--" is a program with its arguments, when it is to be watched. */
static char **program_of(int *argc, char **argv) {
    bool is_live = false;
    for (int i = 0; i < *argc; i++) {
        is_live = is_live || !strcmp(argv[i], "--live") || !strcmp(argv[i], "-live");
        if (!is_live || strcmp(argv[i], "--") != 0) continue;
        *argc = i;
        return argv + i + 1;
    }
    return NULL;
}

int profile_command(int argc, char **argv) {
    const struct command *self = find_command("profile");
    char **program = program_of(&argc, argv);
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    struct request r = {.rows = 10, .every_ms = 1000, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    int result = EXIT_OK;
    while (result == EXIT_OK && next_argument(&a, &option, &value))
        result = profile_option(&r, self, option ? option->name : "", value);
    if (a.failed || result != EXIT_OK) return EXIT_USAGE;
    if (r.is_live && r.job.variables.path)
        return complain_usage(self, "--live watches a program: --live -- PROGRAM ARGUMENT..., or --live --pid PID");
    if (r.is_live) return profile_live(self, program, r.pid, (double)r.every_ms / 1e3, r.reports);
    if (r.pid || r.reports) return complain_usage(self, "--%s goes with --live", r.pid ? "pid" : "reports");
    if ((result = job_check(&r.job, self)) != EXIT_OK) return result;
    return profile(&r);
}
