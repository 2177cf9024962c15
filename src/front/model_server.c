/* The functions of sluice/model_server.h: the server is in a companion, behind its door. */
#include "sluice/model_server.h"

#include "capi/handles.h"
#include "front/front_options.h"
#include "root/companions.h"
#include "root/root.h"
#include "serving/serving_door.h"

static sl_code make(struct sl_model_server **out, const char *dir, const struct sl_model_server_options *options,
                    struct sl_error *err) {
    const struct sl_registries *registries;
    const struct sl_serving_door *door;
    if (!dir && !options->models) return sl_fail(err, SL_INVALID_ARGUMENT, "a server of models needs a folder");
    SL_TRY(sl_root_registries(&registries, err));
    SL_TRY(sl_root_serving_door(&door, err));
    return door->make(out, registries, dir, options, err);
}

struct sl_model_server *sl_model_server_new(const char *dir, const struct sl_model_server_options *options,
                                            TF_Status *status) {
    struct sl_model_server_options all;
    struct sl_model_server *server = NULL;
    struct sl_error err;
    if (!SL_OPTIONS_TAKE(&all, sl_model_server_options, arg, options, status)) return NULL;
    sl_status_take(status, make(&server, dir, &all, &err), &err);
    return server;
}

/* That of a server: it was loaded when the server was made. */
static const struct sl_serving_door *door(void) {
    const struct sl_serving_door *door = NULL;
    (void)sl_root_serving_door(&door, NULL);
    return door;
}

void sl_model_server_start(struct sl_model_server *server, TF_Status *status) {
    struct sl_error err;
    sl_status_take(status, door()->start(server, &err), &err);
}
int sl_model_server_rest_port(const struct sl_model_server *server) { return door()->rest_port(server); }
int sl_model_server_grpc_port(const struct sl_model_server *server) { return door()->grpc_port(server); }
void sl_model_server_tell_state(struct sl_model_server *server) { door()->tell_state(server); }
void sl_model_server_stop(struct sl_model_server *server) { door()->stop(server); }
void sl_model_server_delete(struct sl_model_server *server) {
    if (server) door()->free(server);
}
