/* TF_Server: a master and a worker of a cluster in this process. What they are is behind the door of a companion. */
#include "base/alloc.h"
#include "base/env.h"
#include "capi/handles.h"
#include "dist/dist_door.h"
#include "root/companions.h"
#include "root/root.h"

struct TF_Server {
    const struct sl_dist_door *door;
    struct sl_dist_server *server;
};

static sl_code make(TF_Server *server, struct sl_str def, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_root_dist_door(&server->door, err));
    return server->door->server_new(&server->server, registries, def, sl_env_text(SL_ENV_LISTEN), err);
}

TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status) {
    struct sl_error err;
    TF_Server *server = sl_calloc(1, sizeof *server);
    if (!server) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "no memory for a server");
        return NULL;
    }
    if (sl_status_take(status, make(server, sl_bytes_of(proto, proto_len), &err), &err)) return server;
    sl_free(server);
    return NULL;
}

void TF_ServerStart(TF_Server *server, TF_Status *status) {
    struct sl_error err;
    (void)sl_status_take(status, server->door->server_start(server->server, &err), &err);
}

void TF_ServerStop(TF_Server *server, TF_Status *status) {
    struct sl_error err;
    (void)sl_status_take(status, server->door->server_stop(server->server, &err), &err);
}

void TF_ServerJoin(TF_Server *server, TF_Status *status) {
    server->door->server_join(server->server);
    sl_status_set(status, SL_OK, "");
}

const char *TF_ServerTarget(TF_Server *server) { return server->door->server_target(server->server); }

void TF_DeleteServer(TF_Server *server) {
    if (!server) return;
    server->door->server_free(server->server);
    sl_free(server);
}
