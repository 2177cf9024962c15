/* sluice serve: a server of one task of a cluster, or of a model, until a signal ends it. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cluster_text.h"
#include "command.h"
#include "sluice/model_server.h"
#include "task_environment.h"
#include "tensorflow/c/c_api_experimental.h"

const struct option serve_options[] = {
    {"job", "NAME", "the job of this task; default: the first of the cluster"},
    {"task", "N", "the number of this task in its job; default: 0"},
    {"cluster", "SPEC|FILE",
     "the tasks: \"worker=HOST:PORT,HOST:PORT;ps=HOST:PORT\", or a file with such text or with "
     "{\"worker\": [\"HOST:PORT\", ...], ...}; \"env\": as TF_CONFIG, Slurm, MPI or a StatefulSet has it, and this "
     "task's place too; default: local=127.0.0.1:0"},
    {"listen", "ADDRESS", "where to listen: HOST:PORT, :PORT, unix:PATH; default: the task's port at 127.0.0.1 alone"},
    {"cpus", "N", "how many CPU devices the task has; default: 1"},
    {"heartbeat", "SECONDS", "a task that others wait for and that does not answer for this long is gone; default: 10"},
    {"isolate", NULL, "each session has variables of its own, and they end with it"},
    {"rest", "PORT|ADDRESS", "of a model: where its REST calls are answered; a port is at 127.0.0.1 alone, 0 is any"},
    {"grpc", "PORT|ADDRESS", "of a model: the same for gRPC"},
    {"name", "NAME", "of a model: its name in calls; default: the last part of its path"},
    {"batch-size", "N", "of a model: calls become one step of so many rows at most; default: each is a step"},
    {"batch-timeout-us", "N", "of a model: how long the first call of a batch waits for others; default: 1000"},
    {"poll-ms", "N", "of a model: how often new versions are looked for; default: 1000"},
    {"request-bytes", "N", "of a model: how large a call may be; default: 67108864"},
    {"connections", "N", "of a model: how many there may be at a time, of each kind; default: 256"},
    {NULL, NULL, NULL},
};

struct serve_request {
    const char *job, *cluster, *listen;
    bool isolates;
    int64_t cpus;
    int64_t task;      /* -1: not said */
    int64_t heartbeat; /* 0: the library's default */
    const char *model; /* a folder; NULL: it serves a task */
    struct sl_model_server_options options;
    const char *of_task, *of_model; /* an option that was given; NULL */
};

/* A line for each event: time, event, what. */
static void tell(const char *event, const char *format, ...) {
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    va_list args;
    gmtime_r(&now, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    printf("%s %s ", when, event);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
}

static int64_t *number_of(struct serve_request *r, const char *name) {
    if (!strcmp(name, "cpus")) return &r->cpus;
    return !strcmp(name, "heartbeat") ? &r->heartbeat : &r->task;
}

static void tell_event(void *arg, const char *event, const char *text) {
    (void)arg;
    tell(event, "%s", text);
}

/* An option of a model's server; false when it is none. */
static bool read_model_option(struct serve_request *r, const char *name, char *value, bool *is_good) {
    struct sl_model_server_options *o = &r->options;
    int64_t connections;
    const struct {
        const char *name;
        const char **text;
        int64_t *number;
        int64_t most;
    } rows[] = {{"rest", &o->rest, NULL, 0},
                {"grpc", &o->grpc, NULL, 0},
                {"name", &o->name, NULL, 0},
                {"batch-size", NULL, &o->batch_size, INT32_MAX},
                {"batch-timeout-us", NULL, &o->batch_timeout_us, 3600000000},
                {"poll-ms", NULL, &o->poll_ms, INT32_MAX},
                {"request-bytes", NULL, &o->request_bytes, INT32_MAX},
                {"connections", NULL, &connections, 100000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0) continue;
        r->of_model = rows[i].name;
        if (rows[i].text) *rows[i].text = value;
        else *is_good = parse_number(rows[i].number, value, 1, rows[i].most);
        if (rows[i].number == &connections && *is_good) o->connections = (int)connections;
        return true;
    }
    return false;
}

static bool check_request(const struct serve_request *r, const struct command *self) {
    if (!r->model && r->of_model) complain_usage(self, "--%s is for a model: its folder is missing", r->of_model);
    else if (r->model && r->of_task) complain_usage(self, "--%s is for a task, not for a model", r->of_task);
    else if (r->model && !r->options.rest && !r->options.grpc)
        complain_usage(self, "a model is served by --rest PORT, --grpc PORT or both");
    else return true;
    return false;
}

static bool read_request(struct serve_request *r, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    while (next_argument(&a, &option, &value)) {
        bool is_good = true;
        if (!option && !r->model) {
            r->model = value;
            continue;
        }
        if (!option) {
            complain_usage(self, "unexpected '%s'", value);
            return false;
        }
        if (read_model_option(r, option->name, value, &is_good)) {
            if (is_good) continue;
            complain_usage(self, "--%s wants a number from 1, not '%s'", option->name, value);
            return false;
        }
        r->of_task = option->name;
        if (!strcmp(option->name, "job")) r->job = value;
        else if (!strcmp(option->name, "cluster")) r->cluster = value;
        else if (!strcmp(option->name, "listen")) r->listen = value;
        else if (!strcmp(option->name, "isolate")) r->isolates = true;
        else if (!parse_number(number_of(r, option->name), value, 0, INT32_MAX)) {
            complain_usage(self, "--%s wants a number, not '%s'", option->name, value);
            return false;
        }
    }
    return !a.failed && check_request(r, self);
}

/* What was not said comes from the environment, where `--cluster env` asks for it. */
static bool read_environment(struct serve_request *r, struct task_environment *e) {
    if (!r->cluster || strcmp(r->cluster, "env") != 0) return true;
    if (!task_environment_read(e)) return false;
    tell("found", "task %d of job %s, by %s", (int)e->task, e->job, e->source);
    r->cluster = e->cluster;
    if (!r->job) r->job = e->job;
    if (r->task < 0) r->task = e->task;
    return true;
}

/* An encoded ServerDef; NULL after an error, which has been printed. */
static TF_Buffer *define(const struct serve_request *r) {
    struct cluster_text cluster = {NULL, NULL};
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *def = NULL;
    if (cluster_text_read(&cluster, r->cluster ? r->cluster : "local=127.0.0.1:0")) {
        const char *job = r->job ? r->job : cluster.first_job;
        size_t size = strlen(cluster.proto) + strlen(job) + 256;
        char *text = must_allocate(NULL, size);
        (void)snprintf(text, size,
                       "cluster { %s } job_name: '%s' task_index: %d protocol: 'grpc' default_session_config { "
                       "isolate_session_state: %s device_count { key: 'CPU' value: %d } experimental { "
                       "coordination_config { heartbeat_timeout_in_ms: %lld } } }",
                       cluster.proto, job, r->task < 0 ? 0 : (int)r->task, r->isolates ? "true" : "false", (int)r->cpus,
                       (long long)r->heartbeat * 1000);
        def = TFE_GetServerDef(text, status);
        if (complain_status(status)) def = NULL;
        free(text);
    }
    cluster_text_clear(&cluster);
    TF_DeleteStatus(status);
    return def;
}

static int serve(TF_Buffer *def, const sigset_t *ends, TF_Status *status) {
    int signal_number;
    TF_Server *server = TF_NewServer(def->data, def->length, status);
    if (complain_status(status)) return EXIT_FAILED;
    TF_ServerStart(server, status);
    if (complain_status(status)) {
        TF_DeleteServer(server);
        return EXIT_FAILED;
    }
    tell("listens", "%s", TF_ServerTarget(server));
    sigwait(ends, &signal_number);
    tell("drains", "on signal %d: takes no further calls, and cancels steps", signal_number);
    TF_ServerStop(server, status);
    TF_ServerJoin(server, status);
    TF_DeleteServer(server);
    tell("ended", "%s", "no step is left");
    return EXIT_OK;
}

static int serve_task(struct serve_request *request, const sigset_t *ends, TF_Status *status) {
    struct task_environment environment = {NULL, NULL, 0, NULL};
    TF_Buffer *def = read_environment(request, &environment) ? define(request) : NULL;
    task_environment_clear(&environment);
    if (!def) return EXIT_FAILED;
    if (request->listen) setenv("SLUICE_LISTEN", request->listen, 1);
    int result = serve(def, ends, status);
    TF_DeleteBuffer(def);
    return result;
}

static int serve_model(struct serve_request *request, const sigset_t *ends, TF_Status *status) {
    int signal_number;
    struct sl_model_server *server = sl_model_server_new(request->model, &request->options, status);
    if (complain_status(status)) return EXIT_FAILED;
    sl_model_server_start(server, status);
    if (complain_status(status)) {
        sl_model_server_delete(server);
        return EXIT_FAILED;
    }
    sigwait(ends, &signal_number);
    tell("drains", "on signal %d: takes no further calls, and ends those under way", signal_number);
    sl_model_server_stop(server);
    sl_model_server_delete(server);
    tell("ended", "%s", "no call is left");
    return EXIT_OK;
}

int serve_command(int argc, char **argv) {
    struct serve_request request = {.cpus = 1,
                                    .task = -1,
                                    .options = SL_OPTIONS(sl_model_server_options, .tell = tell_event)};
    sigset_t ends;
    if (!read_request(&request, find_command("serve"), argc, argv)) return EXIT_USAGE;
    /* Threads of the library inherit the mask, so that the signals come to sigwait alone. */
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    TF_Status *status = must_have(TF_NewStatus());
    int result = (request.model ? serve_model : serve_task)(&request, &ends, status);
    TF_DeleteStatus(status);
    return result;
}
