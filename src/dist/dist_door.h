/* The door to this room for who loads it as a part of the companion `net`: sessions at servers, and servers. */
#ifndef SL_DIST_DIST_DOOR_H
#define SL_DIST_DIST_DOOR_H

#include "session/session.h"
#include "sluice/server.h"

struct sl_collective_peers;
struct sl_dist_server;
struct sl_eager_context;

/* How a context joins the tasks of a cluster. */
struct sl_eager_joining {
    int64_t keep_alive_secs;
    int64_t timeout_ms; /* of the tasks, to be there; 0: for ever */
    bool clears;        /* contexts of others at those tasks end */
};

/* Constant; thread-safe. The net of the process is made by the first call that needs it. */
struct sl_dist_door {
    /* A session of a target "grpc://HOST:PORT", for struct sl_target. */
    sl_code (*open_session)(struct sl_session **out, const struct sl_registries *registries,
                            const struct sl_session_options *options, struct sl_error *err);
    /* The devices of all other tasks of an encoded ServerDef become the context's, whose own devices have their name in
     * it already. This process serves its own task from here on. Nobody else uses the context meanwhile. */
    sl_code (*join_eagerly)(struct sl_eager_context *context, struct sl_str def, const struct sl_eager_joining *how,
                            struct sl_error *err);
    /* A server from an encoded ServerDef; it listens and answers from here on. `how` has all members; `listen` NULL or
     * "": of its own entry in the cluster the port, at this host alone. */
    sl_code (*server_new)(struct sl_dist_server **out, const struct sl_registries *registries, struct sl_str def,
                          const struct sl_server_options *how, struct sl_error *err);
    sl_code (*server_start)(struct sl_dist_server *server, struct sl_error *err);
    /* Ends its sessions and steps; server_join returns. */
    sl_code (*server_stop)(struct sl_dist_server *server, struct sl_error *err);
    void (*server_join)(struct sl_dist_server *server); /* until it has been stopped */
    void (*server_state)(struct sl_dist_server *server, struct sl_server_state *out);
    const char *(*server_target)(const struct sl_dist_server *server); /* "grpc://127.0.0.1:2222"; the server's */
    size_t (*print_limits)(char *out, size_t size);                    /* as sl_rpc_limits_print */
    /* By which collectives of this process reach other tasks, until the server stops; borrowed. NULL: there are none. */
    struct sl_collective_peers *(*server_peers)(struct sl_dist_server *server);
    void (*server_free)(struct sl_dist_server *server); /* stops it */
};

#endif
