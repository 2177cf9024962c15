/* TF_Server: a master and a worker of a cluster in this process. What they are is behind the door of a companion. */
#include "base/alloc.h"
#include "base/env.h"
#include "capi/handles.h"
#include "dist/dist_door.h"
#include "front/front_options.h"
#include "root/companions.h"
#include "root/root.h"

struct TF_Server {
    const struct sl_dist_door *door;
    struct sl_dist_server *server;
};

static sl_code make(TF_Server *server, struct sl_str def, struct sl_server_options *how, struct sl_error *err) {
    const struct sl_registries *registries;
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_root_dist_door(&server->door, err));
    if (!how->listen) how->listen = sl_env_text(SL_ENV_LISTEN);
    return server->door->server_new(&server->server, registries, def, how, err);
}

SL_API TF_Server *sl_server_new(const void *proto, size_t proto_len, const struct sl_server_options *options,
                                TF_Status *status) {
    struct sl_server_options how;
    struct sl_error err;
    if (!SL_OPTIONS_TAKE(&how, sl_server_options, arg, options, status)) return NULL;
    TF_Server *server = sl_calloc(1, sizeof *server);
    if (!server) {
        sl_status_set(status, SL_RESOURCE_EXHAUSTED, "no memory for a server");
        return NULL;
    }
    if (sl_status_take(status, make(server, sl_bytes_of(proto, proto_len), &how, &err), &err)) return server;
    sl_free(server);
    return NULL;
}

SL_API TF_Buffer *sl_server_limits(TF_Status *status) {
    const struct sl_dist_door *door;
    struct sl_error err;
    char text[4096];
    if (!sl_status_take(status, sl_root_dist_door(&door, &err), &err)) return NULL;
    size_t n = door->print_limits(text, sizeof text);
    TF_Buffer *out = TF_NewBufferFromString(text, n < sizeof text ? n : sizeof text - 1);
    sl_status_set(status, out ? SL_OK : SL_RESOURCE_EXHAUSTED, out ? "" : "out of memory");
    return out;
}

TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status) {
    return sl_server_new(proto, proto_len, NULL, status);
}

SL_API void sl_server_get_state(TF_Server *server, struct sl_server_state *state) {
    server->door->server_state(server->server, state);
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
