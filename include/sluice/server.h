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

#include <stdint.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"

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

#ifdef __cplusplus
}
#endif

#endif
