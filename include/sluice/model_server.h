/* A SavedModel behind TensorFlow Serving's calls, by REST and gRPC.
 *
 *     struct sl_model_server *server =
 *         sl_model_server_new("models/half", &SL_OPTIONS(sl_model_server_options, .rest = "8501", .grpc = "8500"), status);
 *     sl_model_server_start(server, status);
 *     ... curl -d '{"instances": [1, 2]}' http://127.0.0.1:8501/v1/models/half:predict
 *     sl_model_server_delete(server);
 *
 * The folder is a SavedModel, or has SavedModels in numbered folders: the highest number is served. A higher one that
 * appears later is loaded and takes over; no call is lost, and the version before is unloaded when its last call has
 * ended. */
#ifndef SLUICE_MODEL_SERVER_H
#define SLUICE_MODEL_SERVER_H

#include <stdint.h>

#include "sluice/sluice.h"
#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Any number of threads may use one; start, stop and delete are its owner's. */
struct sl_model_server;

/* Members that are 0 have the default that is named. */
struct sl_model_server_options {
    size_t size;              /* see SL_OPTIONS (sluice/sluice.h) */
    const char *name;         /* of the model in calls; NULL: the last part of the folder's path */
    const char *rest, *grpc;  /* where each listens: a port at 127.0.0.1 ("8501", "0": any that is free), "HOST:PORT",
                                "unix:PATH"; NULL: it does not. One at least */
    int64_t batch_size;       /* rows of calls that become one step; 0: each call is a step */
    int64_t batch_timeout_us; /* how long the first call of a batch waits for others; 0: 1000 */
    int64_t poll_ms;          /* how often new versions are looked for; 0: 1000; -1: never */
    int64_t request_bytes;    /* of one REST request's body, or one gRPC message; 0: 64 MiB */
    int connections;          /* at a time, of each kind; 0: 256 */
    int64_t idle_ms;          /* a REST connection on which nothing moves for so long is closed; 0: 30000 */
    int64_t body_ms;          /* how long the body of a REST request may take to come; 0: 60000 */
    int64_t drain_ms;         /* how long the end waits for REST requests that are under way; 0: 30000 */
    /* Told of each event ("loaded", "unloaded", "failed", "listens", "drains") in words; on any thread. NULL: nobody */
    void (*tell)(void *arg, const char *event, const char *text);
    void *arg;
    const char *certificate; /* paths of PEM files: of this server, with its key, for REST and gRPC; NULL: no TLS */
    const char *key;
    const char *authorities; /* clients must show a certificate of one of these; NULL: they need none */
    const char *limits;      /* of gRPC: "calls=100,stalled_ms=1000" (sl_server_limits, sluice/server.h) */
    const char *models;      /* a file with a ModelServerConfig in protobuf's text format, in place of a folder */
};

/* Loads the model. NULL on failure: NOT_FOUND when the folder has none, INVALID_ARGUMENT for options that make no sense,
 * and what TF_LoadSessionFromSavedModel says. `options` and its strings are borrowed for the call. */
SL_API struct sl_model_server *sl_model_server_new(const char *dir, const struct sl_model_server_options *options,
                                                   TF_Status *status);
/* Listens. UNIMPLEMENTED for REST without libmicrohttpd, and for gRPC without nghttp2; FAILED_PRECONDITION when it has
 * been started before. After a failure nobody listens. */
SL_API void sl_model_server_start(struct sl_model_server *server, TF_Status *status);
/* The ports that it listens at, once it has been started; 0: a Unix socket, or none. */
SL_API int sl_model_server_rest_port(const struct sl_model_server *server);
SL_API int sl_model_server_grpc_port(const struct sl_model_server *server);
/* Tells what it has, by `tell`: an event "state" for each model. */
SL_API void sl_model_server_tell_state(struct sl_model_server *server);
/* Takes no further calls, and waits for those that are under way. Harmless when it does not listen. */
SL_API void sl_model_server_stop(struct sl_model_server *server);
/* Stops, unloads the model, frees. NULL is fine. */
SL_API void sl_model_server_delete(struct sl_model_server *server);

#ifdef __cplusplus
}
#endif

#endif
