/* sluice serve: a server of one task of a cluster, or of models, until a signal ends it. Here are the options, what is
 * said, and the signals. */
#include "serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "command.h"
#include "event_log.h"
#include "sluice/limits.h"
#include "sluice/server.h"

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
    {"models", "FILE", "of models: several, as a ModelServerConfig in text says; in place of MODEL"},
    {"batch-size", "N", "of a model: calls become one step of so many rows at most; default: each is a step"},
    {"batch-timeout-us", "N", "of a model: how long the first call of a batch waits for others; default: 1000"},
    {"poll-ms", "N", "of a model: how often new versions are looked for; default: 1000"},
    {"request-bytes", "N", "of a model: how large a call may be; default: 67108864"},
    {"connections", "N", "of a model: how many there may be at a time, of each kind; default: 256"},
    {"tls-certificate", "FILE", "TLS on all connections: the server's certificate, PEM"},
    {"tls-key", "FILE", "its key, PEM"},
    {"tls-authorities", "FILE", "only clients with a certificate of one of these may call, PEM"},
    {"limit", "NAME=N,...", "what peers are held to; \"list\" prints the names and the defaults"},
    {"memory-limit", "SIZE", "what tensors and messages may hold together, as in 500M or 2G; default: no limit"},
    {"log", "text|json", "how a line is written for each event; default: text"},
    {"verbose", NULL, "also a line when a session begins and ends"},
    {NULL, NULL, NULL},
};

/* ---- what both servers use */

void serve_tell(void *arg, const char *event, const char *text) {
    const struct serve_request *request = arg;
    if (!request->is_verbose && !strncmp(event, "session", 7)) return;
    event_log(event, "%s", text);
}

static void choose_signals(sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGHUP);
}

int serve_wait(void (*say_state)(void *arg), void *arg) {
    sigset_t signals;
    int number;
    choose_signals(&signals);
    while (sigwait(&signals, &number) == 0 && number == SIGHUP) say_state(arg);
    return number;
}

const char *serve_reach(const char *address, bool has_tls) {
    static const char *const own[] = {"unix:", "127.", "localhost:", "[::1]:"};
    bool is_own = !address || !*address;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is_own |= address && !strncmp(address, own[i], strlen(own[i]));
    if (is_own) return has_tls ? "for this machine alone, with TLS" : "for this machine alone";
    return has_tls ? "for other machines, too, with TLS" : "for other machines, too, without TLS";
}

int64_t serve_resident_bytes(void) {
    long long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%lld %lld", &pages, &resident) != 2) resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

/* ---- the words of the command */

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
                {"models", &o->models, NULL, 0},
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

/* One of a task's server; false when it is none. */
static bool read_task_option(struct serve_request *r, const char *name, char *value, bool *is_good) {
    const struct {
        const char *name;
        const char **text;
        int64_t *number;
    } rows[] = {{"job", &r->job, NULL},   {"cluster", &r->cluster, NULL}, {"listen", &r->listen, NULL},
                {"task", NULL, &r->task}, {"cpus", NULL, &r->cpus},       {"heartbeat", NULL, &r->heartbeat},
                {"isolate", NULL, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0) continue;
        r->of_task = rows[i].name;
        if (rows[i].text) *rows[i].text = value;
        else if (rows[i].number) *is_good = parse_number(rows[i].number, value, 0, INT32_MAX);
        else r->isolates = true;
        return true;
    }
    return false;
}

static bool read_option(struct serve_request *r, const struct command *self, const char *name, char *value) {
    const struct {
        const char *name, **text;
    } rows[] = {{"tls-certificate", &r->certificate},
                {"tls-key", &r->key},
                {"tls-authorities", &r->authorities},
                {"limit", &r->limits}};
    bool is_good = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0) continue;
        *rows[i].text = value;
        return true;
    }
    if (!strcmp(name, "verbose")) r->is_verbose = true;
    else if (!strcmp(name, "log")) {
        r->is_json = !strcmp(value, "json");
        if (r->is_json || !strcmp(value, "text")) return true;
        complain_usage(self, "--log wants text or json, not '%s'", value);
        return false;
    } else if (!strcmp(name, "memory-limit")) {
        if (parse_size(&r->memory, value)) return true;
        complain_usage(self, "--memory-limit wants a size, as in 500M or 2G, not '%s'", value);
        return false;
    } else if (!read_model_option(r, name, value, &is_good)) {
        read_task_option(r, name, value, &is_good);
    }
    if (!is_good) complain_usage(self, "--%s wants a number%s, not '%s'", name, r->of_model ? " from 1" : "", value);
    return is_good;
}

static bool check_request(const struct serve_request *r, const struct command *self) {
    const char *of = r->model ? "a model" : "models";
    bool has_models = r->model || r->options.models;
    if (!has_models && r->of_model) complain_usage(self, "--%s is for a model: its folder is missing", r->of_model);
    else if (has_models && r->of_task) complain_usage(self, "--%s is for a task, not for %s", r->of_task, of);
    else if (r->model && r->options.models) complain_usage(self, "either MODEL or --models");
    else if (has_models && !r->options.rest && !r->options.grpc)
        complain_usage(self, "%s by --rest PORT, --grpc PORT or both",
                       r->model ? "a model is served" : "models are served");
    else if (!r->certificate != !r->key || (r->authorities && !r->certificate))
        complain_usage(self, "TLS needs --tls-certificate and --tls-key");
    else return true;
    return false;
}

static bool read_request(struct serve_request *r, const struct command *self, int argc, char **argv) {
    struct arguments a = {.command = self, .argc = argc, .argv = argv};
    const struct option *option;
    char *value;
    while (next_argument(&a, &option, &value)) {
        if (option) {
            if (!read_option(r, self, option->name, value)) return false;
        } else if (!r->model) {
            r->model = value;
        } else {
            complain_usage(self, "unexpected '%s'", value);
            return false;
        }
    }
    return !a.failed && check_request(r, self);
}

/* ---- the command */

/* Threads of the library inherit the mask, so that the signals come to sigwait alone. */
static void block_signals(void) {
    sigset_t signals;
    choose_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN); /* the server goes on when nobody reads what it says */
}

/* Each connection is an open file. */
static void raise_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int list_limits(void) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *text = sl_server_limits(status);
    int result = complain_status(status) ? EXIT_FAILED : EXIT_OK;
    if (text) fwrite(text->data, 1, text->length, stdout);
    if (text) TF_DeleteBuffer(text);
    TF_DeleteStatus(status);
    return result;
}

int serve_command(int argc, char **argv) {
    struct serve_request request = {.cpus = 1, .task = -1, .options = {.size = sizeof request.options}};
    if (!read_request(&request, find_command("serve"), argc, argv)) return EXIT_USAGE;
    if (request.limits && !strcmp(request.limits, "list")) {
        return list_limits();
    }
    block_signals();
    raise_files();
    sl_set_memory_limit(request.memory);
    event_log_start(request.is_json);
    int result = (request.model || request.options.models ? serve_models : serve_task)(&request);
    event_log_end();
    return result;
}
