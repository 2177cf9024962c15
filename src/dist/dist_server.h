/* A server: master and worker of one task at one address. */
#ifndef SL_DIST_DIST_SERVER_H
#define SL_DIST_DIST_SERVER_H

#include "dist/dist_door.h"
#include "dist/master.h"
#include "dist/worker_service.h"

struct sl_dist_server_options {
    const struct sl_registries *registries;
    struct sl_net *net;                  /* outlives the server */
    const struct sl_pb_ServerDef *def;   /* borrowed while the server is made */
    const struct sl_server_options *how; /* borrowed, too; NULL: the defaults */
    uint64_t seed;                       /* 0: one of the system's */
    uint64_t incarnation;                /* of its devices; 0: a random one */
    /* Another task's of this process, of the same cluster: what both know of it lies in memory once. NULL: none. */
    const struct sl_dist_server *like;
};
sl_code sl_dist_server_new(struct sl_dist_server **out, const struct sl_dist_server_options *options,
                           struct sl_error *err);
/* It answers calls since it was made; FAILED_PRECONDITION once it has been stopped. */
sl_code sl_dist_server_start(struct sl_dist_server *server, struct sl_error *err);
sl_code sl_dist_server_stop(struct sl_dist_server *server, struct sl_error *err);
void sl_dist_server_join(struct sl_dist_server *server);
/* All 0 once it has been stopped. */
void sl_dist_server_state(struct sl_dist_server *server, struct sl_server_state *out);
const char *sl_dist_server_target(const struct sl_dist_server *server);
struct sl_worker *sl_dist_server_worker(struct sl_dist_server *server);          /* until it has been stopped */
struct sl_collective_peers *sl_dist_server_peers(struct sl_dist_server *server); /* likewise; see the door */
void sl_dist_server_free(struct sl_dist_server *server);                         /* NULL is fine */

#endif
