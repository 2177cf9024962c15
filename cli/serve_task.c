/* sluice serve: one task of a cluster, master and worker on TensorFlow's wire. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_text.h"
#include "command.h"
#include "event_log.h"
#include "serve.h"
#include "sluice/limits.h"
#include "sluice/server.h"
#include "task_environment.h"
#include "tensorflow/c/c_api_experimental.h"

/* What was not said comes from the environment, where `--cluster env` asks for it. */
static bool read_environment(struct serve_request *r, struct task_environment *e) {
    if (!r->cluster || strcmp(r->cluster, "env") != 0) return true;
    if (!task_environment_read(e)) return false;
    event_log("found", "task %d of job %s, by %s", (int)e->task, e->job, e->source);
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

static void say_state(void *arg) {
    struct sl_server_state s;
    sl_server_get_state(arg, &s);
    const struct event_number numbers[] = {{"sessions", s.sessions},
                                           {"worker_sessions", s.worker_sessions},
                                           {"graphs", s.graphs},
                                           {"steps", s.steps},
                                           {"connections", s.connections},
                                           {"calls", s.calls},
                                           {"message_bytes", s.message_bytes},
                                           {"memory_bytes", (int64_t)sl_memory_in_use()},
                                           {"resident_bytes", serve_resident_bytes()},
                                           {"sessions_ever", s.sessions_ever},
                                           {"connections_ever", s.connections_ever},
                                           {"calls_ever", s.calls_ever},
                                           {"turned_away", s.turned_away},
                                           {"closed", s.closed}};
    event_log_numbers("state", numbers, (int)(sizeof numbers / sizeof *numbers));
}

static int serve(const TF_Buffer *def, struct serve_request *request, TF_Status *status) {
    const struct sl_server_options options =
        SL_OPTIONS(sl_server_options, .listen = request->listen, .certificate = request->certificate,
                   .key = request->key, .authorities = request->authorities, .limits = request->limits,
                   .tell = serve_tell, .arg = request);
    TF_Server *server = sl_server_new(def->data, def->length, &options, status);
    if (complain_status(status)) return EXIT_FAILED;
    TF_ServerStart(server, status);
    if (complain_status(status)) {
        TF_DeleteServer(server);
        return EXIT_FAILED;
    }
    const char *listen = request->listen ? request->listen : getenv("SLUICE_LISTEN");
    event_log("listens", "%s, %s", TF_ServerTarget(server), serve_reach(listen, request->certificate));
    int signal_number = serve_wait(say_state, server);
    event_log("drains", "on signal %d: takes no further calls, and cancels steps", signal_number);
    TF_ServerStop(server, status);
    TF_ServerJoin(server, status);
    TF_DeleteServer(server);
    event_log("ended", "%s", "no step is left");
    return EXIT_OK;
}

int serve_task(struct serve_request *request) {
    struct task_environment environment = {NULL, NULL, 0, NULL};
    TF_Status *status = must_have(TF_NewStatus());
    TF_Buffer *def = read_environment(request, &environment) ? define(request) : NULL;
    int result = def ? serve(def, request, status) : EXIT_FAILED;
    task_environment_clear(&environment);
    if (def) TF_DeleteBuffer(def);
    TF_DeleteStatus(status);
    return result;
}
