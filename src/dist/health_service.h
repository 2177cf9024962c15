/* grpc.health.v1.Health/Check, for whoever asks whether a server is there. */
#ifndef SL_DIST_HEALTH_SERVICE_H
#define SL_DIST_HEALTH_SERVICE_H

#include "net/rpc.h"

/* For sl_rpc_service; needs no argument. */
extern const struct sl_rpc_method sl_health_methods[];

#endif
