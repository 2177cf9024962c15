/* A server of one task of a cluster, with more to say than TF_NewServer has (tensorflow/c/c_api_experimental.h).
 *
 *     TF_Server *server = sl_server_new(def, n, &SL_OPTIONS(sl_server_options, .listen = ":2222",
 *                                       .certificate = "own.pem", .key = "own.key", .authorities = "ca.pem"), status);
 *     TF_ServerStart(server, status);
 *     ... TF_ServerStop, TF_ServerJoin, TF_DeleteServer
 *
 * With a certificate all its connections are TLS: those of clients, and those to the other tasks of the cluster, which
 * then have certificates, too. A session at such a server has the target grpcs://HOST:PORT. */
#ifndef SLUICE_SERVER_H
#define SLUICE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sl_server_options {
    size_t size;        /* see SL_OPTIONS (sluice/sluice.h) */
    const char *listen; /* "HOST:PORT", ":PORT" for all addresses of the machine, "unix:PATH"; NULL: as SLUICE_LISTEN
                               says, else the port that the cluster gives the task, at 127.0.0.1 alone */
    const char *certificate; /* paths of PEM files: of this server, with its key; NULL: no TLS */
    const char *key;
    const char
        *authorities;   /* the other side must show a certificate of one of these; NULL: clients need none, and those
                               of other tasks are checked by the system's authorities */
    const char *limits; /* "connections=100,message_bytes=64M"; NULL: the defaults, which docs/cluster.md lists */
    /* Told of each event in words, on any thread; it must not call the server. Events: "session", "session_end";
     * "closed" and "turned_away" for peers that broke a limit. NULL: nobody */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg;
};

/* `proto`: an encoded ServerDef, as for TF_NewServer. `options` NULL: the defaults; its strings are borrowed for the call.
 * INVALID_ARGUMENT for limits that there are not, and files that cannot be read or do not fit together. */
SL_API TF_Server *sl_server_new(const void *proto, size_t proto_len, const struct sl_server_options *options,
                                TF_Status *status);

/* The limits: a line for each, with its name, its default, and what it is of. NULL on failure; the caller's
 * (TF_DeleteBuffer). */
SL_API TF_Buffer *sl_server_limits(TF_Status *status);

/* What a server has now, and has had since it began. */
struct sl_server_state {
    int64_t sessions;           /* of clients, whose master it is */
    int64_t worker_sessions;    /* of all masters, its own among them */
    int64_t graphs, steps;      /* registered; parts of steps that run */
    int64_t connections, calls; /* calls that are under way */
    int64_t message_bytes;      /* of messages that have not come or gone in full */
    int64_t connections_ever, calls_ever, sessions_ever;
    int64_t turned_away, closed; /* connections beyond the limit, and of peers that broke a rule or a limit */
};
SL_API void sl_server_get_state(TF_Server *server, struct sl_server_state *state);

/* ---- groups of collectives whose members come and go, for programs that run the same in several processes and have told
 * TFE_EnableCollectiveOps of their cluster. A group has as many members as come: joining waits for `most`, and once
 * `wait_seconds` are over since the first came, for as many as are needed. Collectives with the group's key and the number of
 * members as its size then run, until one fails (a member has gone, or joins again): then all join again. Who comes to a group
 * that runs waits; the program of the task that leads the group (collective_group_leader, else the first that is there) hears of it by
 * sl_group_newcomers, and tells the others when it suits them: these join again, `regroups` set. */
struct sl_group_options {
    size_t size;            /* see SL_OPTIONS (sluice/sluice.h) */
    int key;                /* of the group, as of its collectives' group_key; no other group has it */
    int most, least;        /* members; least is 1 at least */
    double wait_seconds;    /* for more than `least` of them */
    double timeout_seconds; /* for `least` of them: then DEADLINE_EXCEEDED; 0: 300 */
    bool regroups; /* the members have agreed to join again: those who have not gone are not waited for longer */
    /* Asked ten times a second, on the calling thread, whether to wait on; false: CANCELLED. NULL: always */
    bool (*goes_on)(void *arg);
    void *arg;
};
/* Joins with a device of this task, "/job:worker/replica:0/task:1/device:CPU:0". The members' devices by rank, each ended by
 * a newline; NULL on failure, else the caller's (TF_DeleteBuffer). FAILED_PRECONDITION where there are no other tasks,
 * UNAVAILABLE when the task that leads goes meanwhile: then join again, and another one leads. */
SL_API TF_Buffer *sl_group_join(TFE_Context *context, const char *device, const struct sl_group_options *options,
                                TF_Status *status);
/* How many wait to become members of a group that runs; 0 at other tasks than the one that leads. */
SL_API int64_t sl_group_newcomers(TFE_Context *context, int key);

#ifdef __cplusplus
}
#endif

#endif
