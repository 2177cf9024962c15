/* The door to this room for who loads it as a part of the companion `net`: servers of models. */
#ifndef SL_SERVING_SERVING_DOOR_H
#define SL_SERVING_SERVING_DOOR_H

#include "base/error.h"
#include "runtime/registries.h"
#include "sluice/model_server.h"

/* Constant. The functions are those of sluice/model_server.h; `options` has all members. */
struct sl_serving_door {
    sl_code (*make)(struct sl_model_server **out, const struct sl_registries *registries, const char *dir,
                    const struct sl_model_server_options *options, struct sl_error *err);
    sl_code (*start)(struct sl_model_server *server, struct sl_error *err);
    int (*rest_port)(const struct sl_model_server *server);
    int (*grpc_port)(const struct sl_model_server *server);
    void (*tell_state)(struct sl_model_server *server);
    void (*stop)(struct sl_model_server *server);
    void (*free)(struct sl_model_server *server);
};

#endif
