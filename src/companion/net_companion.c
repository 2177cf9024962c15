/* What is in the companion `net`: connections to other processes, servers of tasks and of models, and
 * sessions at servers. It has no kernels. The
 * net of the process is made by the first that needs it, and never freed. */
#include "companion/companion.h"
#include "dist/dist_server.h"
#include "dist/far_cluster.h"
#include "dist/grpc_session.h"
#include "net/http2_net.h"
#include "os/once.h"
#include "serving/serving_server.h"

static struct {
    struct sl_once once;
    struct sl_net *net;
} made = {SL_ONCE_INIT, NULL};

static sl_code make(void *arg, struct sl_error *err) {
    (void)arg;
    return sl_http2_net_new(&made.net, err);
}

static sl_code open_session(struct sl_session **out, const struct sl_registries *registries,
                            const struct sl_session_options *options, struct sl_error *err) {
    (void)registries;
    SL_TRY(sl_once_run(&made.once, make, NULL, err));
    return sl_grpc_session_new(out, made.net, options, err);
}

static sl_code join_eagerly(struct sl_eager_context *context, struct sl_str def, const struct sl_eager_joining *how,
                            struct sl_error *err) {
    SL_TRY(sl_once_run(&made.once, make, NULL, err));
    return sl_far_cluster_join(context, made.net, def, how, err);
}

static sl_code server_new(struct sl_dist_server **out, const struct sl_registries *registries, struct sl_str def,
                          const struct sl_server_options *how, struct sl_error *err) {
    struct sl_pb_ServerDef decoded;
    struct sl_arena arena;
    SL_TRY(sl_once_run(&made.once, make, NULL, err));
    sl_arena_init(&arena);
    sl_code code = sl_pb_decode(&decoded, SL_PB_TYPE_OF(ServerDef), def, &arena, err);
    if (code == SL_OK) {
        const struct sl_dist_server_options options = {.registries = registries,
                                                       .net = made.net,
                                                       .def = &decoded,
                                                       .how = how};
        code = sl_dist_server_new(out, &options, err);
    }
    sl_arena_clear(&arena);
    return code;
}

static const struct sl_dist_door door = {.open_session = open_session,
                                         .join_eagerly = join_eagerly,
                                         .server_new = server_new,
                                         .server_start = sl_dist_server_start,
                                         .server_stop = sl_dist_server_stop,
                                         .server_join = sl_dist_server_join,
                                         .server_state = sl_dist_server_state,
                                         .print_limits = sl_rpc_limits_print,
                                         .server_target = sl_dist_server_target,
                                         .server_peers = sl_dist_server_peers,
                                         .server_free = sl_dist_server_free};

static sl_code net_of(struct sl_net **net, struct sl_error *err) {
    SL_TRY(sl_once_run(&made.once, make, NULL, err));
    *net = made.net;
    return SL_OK;
}

static sl_code model_server_new(struct sl_model_server **out, const struct sl_registries *registries, const char *dir,
                                const struct sl_model_server_options *options, struct sl_error *err) {
    return sl_model_server_make(out, registries, net_of, dir, options, err);
}

static const struct sl_serving_door serving = {.make = model_server_new,
                                               .start = sl_model_server_listen,
                                               .rest_port = sl_model_server_port_of_rest,
                                               .grpc_port = sl_model_server_port_of_grpc,
                                               .tell_state = sl_model_server_say_state,
                                               .stop = sl_model_server_drain,
                                               .free = sl_model_server_free};

extern const struct sl_companion sl_companion_net;
const struct sl_companion sl_companion_net = {NULL, 0, &door, &serving};
