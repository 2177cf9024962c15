/* sluice serve MODEL: SavedModels behind TensorFlow Serving's calls. */
#include "command.h"
#include "event_log.h"
#include "serve.h"
#include "sluice/limits.h"

static void say_state(void *arg) {
    const struct event_number numbers[] = {{"memory_bytes", (int64_t)sl_memory_in_use()},
                                           {"resident_bytes", serve_resident_bytes()}};
    sl_model_server_tell_state(arg);
    event_log_numbers("state", numbers, (int)(sizeof numbers / sizeof *numbers));
}

static int serve(struct sl_model_server *server, TF_Status *status) {
    sl_model_server_start(server, status);
    if (complain_status(status)) return EXIT_FAILED;
    int signal_number = serve_wait(say_state, server);
    event_log("drains", "on signal %d: takes no further calls, and ends those under way", signal_number);
    sl_model_server_stop(server);
    return EXIT_OK;
}

int serve_models(struct serve_request *request) {
    TF_Status *status = must_have(TF_NewStatus());
    request->options.certificate = request->certificate;
    request->options.key = request->key;
    request->options.authorities = request->authorities;
    request->options.limits = request->limits;
    request->options.tell = serve_tell;
    request->options.arg = request;
    struct sl_model_server *server = sl_model_server_new(request->model, &request->options, status);
    int result = complain_status(status) ? EXIT_FAILED : serve(server, status);
    sl_model_server_delete(server);
    if (result == EXIT_OK) event_log("ended", "%s", "no call is left");
    TF_DeleteStatus(status);
    return result;
}
