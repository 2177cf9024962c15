/* grpc.health.v1: the server serves, and so do its services; a name that it does not know is NOT_FOUND. The messages are
 * one string and one number, and so written by hand. */
#include "dist/health_service.h"

#include "dist/tensor_wire.h"

static const char serving[] = {0x08, 1};

/* Field 1 of the request. */
static struct sl_str service_of(const struct sl_rpc_body *body) {
    struct sl_str b = body ? body->bytes : SL_STR("");
    if (b.n < 2 || b.p[0] != 0x0a || (unsigned char)b.p[1] != b.n - 2) return SL_STR("");
    return (struct sl_str){b.p + 2, b.n - 2};
}

static void check(void *arg, struct sl_rpc_call *call) {
    struct sl_str service = service_of(call->body);
    struct sl_rpc_message m = {.n = 0};
    (void)arg;
    if (service.n && !sl_str_is(service, "tensorflow.MasterService") && !sl_str_is(service, "tensorflow.WorkerService"))
        sl_rpc_call_fail(call, SL_NOT_FOUND, "unknown service");
    else if (sl_rpc_message_add_bytes(&m, (struct sl_str){serving, sizeof serving}, NULL) == SL_OK)
        sl_rpc_call_answer(call, &m);
    else sl_rpc_call_fail(call, SL_RESOURCE_EXHAUSTED, "out of memory");
}

const struct sl_rpc_method sl_health_methods[] = {{"/grpc.health.v1.Health/Check", false, check}, {NULL, false, NULL}};
