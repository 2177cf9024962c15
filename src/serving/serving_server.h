/* A server of models, and who listens for calls. */
#ifndef SL_SERVING_SERVING_SERVER_H
#define SL_SERVING_SERVING_SERVER_H

#include "net/rpc.h"
#include "serving/serving_door.h"

/* As sl_model_server_new. `net_of` gives the net, which outlives the server; it is asked when gRPC is wanted. */
sl_code sl_model_server_make(struct sl_model_server **out, const struct sl_registries *registries,
                             sl_code (*net_of)(struct sl_net **net, struct sl_error *err), const char *dir,
                             const struct sl_model_server_options *options, struct sl_error *err);
sl_code sl_model_server_listen(struct sl_model_server *server, struct sl_error *err);
int sl_model_server_port_of_rest(const struct sl_model_server *server);
int sl_model_server_port_of_grpc(const struct sl_model_server *server);
/* An event "state" for each model. */
void sl_model_server_say_state(struct sl_model_server *server);
void sl_model_server_drain(struct sl_model_server *server);
void sl_model_server_free(struct sl_model_server *server); /* NULL is fine */

#endif
