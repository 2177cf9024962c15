/* Remote calls over loopback, client and server in one process with a thread each. Items: one call without a message,
 * one after the other ("null_call"; the row "null_call_p99" has the 99th percentile in place of the median); 100 MB to
 * the server, and from it; one of 1,000 calls of as many clients, each with a connection of its own, at a time. */
#include "measure.h"
#include "net/http2_net.h"
#include "os/mutex.h"

enum { SIZE = 100 << 20, CLIENTS = 1000, CALLS = 20000, WARM = 1000 };

static char *data;
static struct sl_rpc_channel *channels[CLIENTS];

/* ---- the server */

static void answer_nothing(void *service, struct sl_rpc_call *call) {
    struct sl_rpc_message m = {0};
    (void)service;
    sl_rpc_call_answer(call, &m);
}

static void answer_much(void *service, struct sl_rpc_call *call) {
    struct sl_rpc_message m = {0};
    (void)service;
    sl_rpc_message_add(&m, (struct sl_rpc_piece){data, SIZE, NULL, NULL}, NULL);
    sl_rpc_call_answer(call, &m);
}

static const struct sl_rpc_method methods[] = {{"/bench/Take", false, answer_nothing},
                                               {"/bench/Give", false, answer_much},
                                               {0}};
static const struct sl_rpc_service service = {methods, NULL};

/* ---- clients */

struct waiting {
    struct sl_rpc_request request;
    struct sl_mutex mutex;
    struct sl_condition changed;
    int left;
};

static void done(struct sl_rpc_request *request, sl_code code, const char *text, struct sl_rpc_body *body) {
    struct waiting *w = request->arg;
    if (code != SL_OK) {
        fprintf(stderr, "%s: %s\n", sl_code_name(code), text);
        abort();
    }
    sl_rpc_body_unref(body);
    sl_mutex_lock(&w->mutex);
    if (!--w->left) sl_condition_signal(&w->changed);
    sl_mutex_unlock(&w->mutex);
}

static void wait_for(struct waiting *w) {
    sl_mutex_lock(&w->mutex);
    while (w->left) sl_condition_wait(&w->changed, &w->mutex);
    sl_mutex_unlock(&w->mutex);
}

static struct waiting waiting = {.mutex = SL_MUTEX_INIT, .changed = SL_CONDITION_INIT};

static void call(const char *path, size_t size) {
    struct waiting *w = &waiting;
    w->left = 1;
    w->request = (struct sl_rpc_request){.path = sl_str_of(path), .done = done, .arg = w};
    if (size) sl_rpc_message_add(&w->request.message, (struct sl_rpc_piece){data, size, NULL, NULL}, NULL);
    sl_rpc_channel_call(channels[0], &w->request);
    wait_for(w);
}

static void upload(void *state) {
    (void)state;
    call("/bench/Take", SIZE);
}

static void download(void *state) {
    (void)state;
    call("/bench/Give", 0);
}

static void all_clients(void *state) {
    static struct sl_rpc_request requests[CLIENTS];
    (void)state;
    waiting.left = CLIENTS;
    for (int i = 0; i < CLIENTS; i++) {
        requests[i] = (struct sl_rpc_request){.path = SL_STR("/bench/Take"), .done = done, .arg = &waiting};
        sl_rpc_channel_call(channels[i], &requests[i]);
    }
    wait_for(&waiting);
}

static void null_calls(void) {
    static double taken[CALLS];
    for (int i = 0; i < WARM + CALLS; i++) {
        double from = measure_now();
        call("/bench/Take", 0);
        if (i >= WARM) taken[i - WARM] = measure_now() - from;
    }
    qsort(taken, CALLS, sizeof *taken, measure_compare);
    double p90 = taken[CALLS * 9 / 10];
    printf("rpc/null_call,%.2f,%.2f,%.2f,1,%d\n", taken[CALLS / 2], taken[0], p90, CALLS);
    printf("rpc/null_call_p99,%.2f,%.2f,%.2f,1,%d\n", taken[CALLS * 99 / 100], taken[0], p90, CALLS);
}

int main(void) {
    struct sl_net *nets[2];
    struct sl_rpc_server *server;
    struct sl_error err;
    struct sl_rpc_serving how = {.address = "0.0.0.0:0", .services = &service, .n_services = 1};
    sl_code code = sl_http2_net_new(&nets[0], &err);
    if (code == SL_OK) code = sl_http2_net_new(&nets[1], &err);
    if (code == SL_OK) code = sl_net_serve(&server, nets[0], &how, &err);
    if (code == SL_UNIMPLEMENTED) return 0; /* built without nghttp2 */
    if (code != SL_OK) abort();
    for (int i = 0; i < CLIENTS; i++) { /* addresses of their own, so that they share no connection */
        char address[64];
        snprintf(address, sizeof address, "127.0.%d.%d:%d", i / 250, i % 250 + 1, sl_rpc_server_port(server));
        if (sl_net_dial(&channels[i], nets[1], address, NULL, &err) != SL_OK) abort();
    }
    data = malloc(SIZE);
    memset(data, 1, SIZE);
    null_calls();
    measure("rpc/upload_100MB", 1, upload, NULL);
    measure("rpc/download_100MB", 1, download, NULL);
    measure("rpc/1000_clients", CLIENTS, all_clients, NULL);
    for (int i = 0; i < CLIENTS; i++) sl_rpc_channel_free(channels[i]);
    sl_rpc_server_free(server);
    sl_net_free(nets[1]);
    sl_net_free(nets[0]);
    free(data);
    return 0;
}
