/* What the two kinds of servers of `sluice serve` share: serve_task.c runs one task of a cluster, serve_model.c serves
 * SavedModels. */
#ifndef SLUICE_CLI_SERVE_H
#define SLUICE_CLI_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/model_server.h"

struct serve_request {
    /* of both */
    const char *certificate, *key, *authorities; /* NULL: no TLS */
    const char *limits;
    size_t memory; /* 0: no limit */
    bool is_json, is_verbose;
    /* of a task */
    const char *job, *cluster, *listen;
    bool isolates;
    int64_t cpus;
    int64_t task;      /* -1: not said */
    int64_t heartbeat; /* 0: the library's default */
    /* of models */
    const char *model; /* a folder; NULL: it serves a task, or what the options name */
    struct sl_model_server_options options;
    const char *of_task, *of_model; /* an option that was given; NULL */
};

/* Both run until a signal ends them, and return the exit status. */
int serve_task(struct serve_request *request);
int serve_models(struct serve_request *request);

/* For `tell` of both: an event of the log; those of sessions only where `arg`, the request, is verbose. */
void serve_tell(void *arg, const char *event, const char *text);
/* Waits for SIGTERM or SIGINT and returns it; at each SIGHUP calls `say_state(arg)`. */
int serve_wait(void (*say_state)(void *arg), void *arg);
int64_t serve_resident_bytes(void); /* of the process; 0: not known */
/* Who can reach an address, and how: for the line that says where it listens. */
const char *serve_reach(const char *address, bool has_tls);

#endif
