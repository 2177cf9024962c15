/* A model behind REST calls against a plain loop over the C API, on the same model: y = 2 x. Items: one step of TF_SessionRun
 * ("session_run"); one POST of :predict over loopback by a client that keeps its connection ("rest_predict"), for 1 and
 * for 1,000 numbers. The rows "..._p99" have the 99th percentile in place of the median. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure.h"
#include "sluice/model_server.h"

enum { CALLS = 5000, WARM = 500, MOST = 1000, ROOM = 1 << 16 };

static const char model[] =
    "saved_model_schema_version: 1 meta_graphs { meta_info_def { tags: 'serve' } graph_def { "
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } } "
    "node { name: 'k' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } "
    "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 2 } } } } "
    "node { name: 'y' op: 'Mul' input: 'x' input: 'k' attr { key: 'T' value { type: DT_FLOAT } } } } "
    "signature_def { key: 'serving_default' value { "
    "inputs { key: 'x' value { name: 'x:0' dtype: DT_FLOAT tensor_shape { dim { size: -1 } } } } "
    "outputs { key: 'y' value { name: 'y:0' dtype: DT_FLOAT tensor_shape { dim { size: -1 } } } } "
    "method_name: 'tensorflow/serving/predict' } } }";

static void must(int is_good, const char *what) {
    if (is_good) return;
    fprintf(stderr, "bench_serving: %s\n", what);
    exit(1);
}

/* Runs `body` CALLS times; prints median and 99th percentile. */
static void time_calls(const char *name, void (*body)(void *), void *state) {
    static double taken[CALLS];
    for (int i = 0; i < WARM; i++) body(state);
    for (int i = 0; i < CALLS; i++) {
        double from = measure_now();
        body(state);
        taken[i] = measure_now() - from;
    }
    qsort(taken, CALLS, sizeof *taken, measure_compare);
    const double fastest = taken[0], slow = taken[CALLS * 9 / 10];
    printf("%s,%.0f,%.0f,%.0f,1,%d\n", name, taken[CALLS / 2], fastest, slow, CALLS);
    printf("%s_p99,%.0f,%.0f,%.0f,1,%d\n", name, taken[CALLS * 99 / 100], fastest, slow, CALLS);
    fflush(stdout);
}

/* ---- the loop over the C API: a tensor is made, run, read and freed, as for a request */

struct plain {
    TF_Session *session;
    TF_Output x, y;
    int64_t n;
    TF_Status *status;
};

static void run_plain(void *arg) {
    struct plain *p = arg;
    TF_Tensor *x = TF_AllocateTensor(TF_FLOAT, &p->n, 1, (size_t)p->n * sizeof(float)), *y = NULL;
    float *values = TF_TensorData(x);
    for (int64_t i = 0; i < p->n; i++) values[i] = (float)i;
    TF_SessionRun(p->session, NULL, &p->x, &x, 1, &p->y, &y, 1, NULL, 0, NULL, p->status);
    must(TF_GetCode(p->status) == TF_OK, TF_Message(p->status));
    measure_use(TF_TensorData(y));
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
}

/* ---- the client */

struct client {
    int fd;
    char request[ROOM], answer[ROOM];
    size_t size;
};

static void connect_to(struct client *c, int port, int n) {
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    char body[ROOM / 2];
    size_t at = (size_t)snprintf(body, sizeof body, "{\"instances\": [0");
    for (int i = 1; i < n; i++) at += (size_t)snprintf(body + at, sizeof body - at, ", %d", i);
    at += (size_t)snprintf(body + at, sizeof body - at, "]}");
    c->size =
        (size_t)snprintf(c->request, sizeof c->request,
                         "POST /v1/models/m:predict HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n%s", at, body);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    must(c->fd >= 0 && !connect(c->fd, (const struct sockaddr *)&to, sizeof to), "no connection");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

static void ask(void *arg) {
    struct client *c = arg;
    size_t got = 0, wanted = SIZE_MAX;
    must(send(c->fd, c->request, c->size, MSG_NOSIGNAL) == (ssize_t)c->size, "not sent");
    while (got < wanted) {
        ssize_t n = recv(c->fd, c->answer + got, ROOM - 1 - got, 0);
        must(n > 0, "no answer");
        got += (size_t)n;
        c->answer[got] = 0;
        const char *end = strstr(c->answer, "\r\n\r\n"), *length = strstr(c->answer, "Content-Length: ");
        if (end && length) wanted = (size_t)(end - c->answer) + 4 + strtoul(length + 16, NULL, 10);
    }
    must(!strncmp(c->answer, "HTTP/1.1 200", 12), c->answer);
}

int main(void) {
    static const char *const tags[] = {"serve"};
    static struct client client;
    char folder[] = "/tmp/bench_serving.XXXXXX", path[64];
    must(mkdtemp(folder) != NULL, "no folder");
    (void)snprintf(path, sizeof path, "%s/saved_model.pbtxt", folder);
    FILE *file = fopen(path, "w");
    must(file && fputs(model, file) >= 0 && !fclose(file), "the model cannot be written");

    TF_Status *status = TF_NewStatus();
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Graph *graph = TF_NewGraph();
    struct plain plain = {.status = status};
    plain.session = TF_LoadSessionFromSavedModel(options, NULL, folder, tags, 1, graph, NULL, status);
    must(TF_GetCode(status) == TF_OK, TF_Message(status));
    plain.x = (TF_Output){TF_GraphOperationByName(graph, "x"), 0};
    plain.y = (TF_Output){TF_GraphOperationByName(graph, "y"), 0};

    const struct sl_model_server_options how = {.size = sizeof how, .name = "m", .rest = "0", .poll_ms = -1};
    struct sl_model_server *server = sl_model_server_new(folder, &how, status);
    must(TF_GetCode(status) == TF_OK, TF_Message(status));
    sl_model_server_start(server, status);
    must(TF_GetCode(status) == TF_OK, TF_Message(status));
    for (int n = 1; n <= MOST; n *= MOST) {
        char name[64];
        plain.n = n;
        (void)snprintf(name, sizeof name, "session_run_%d", n);
        time_calls(name, run_plain, &plain);
        connect_to(&client, sl_model_server_rest_port(server), n);
        (void)snprintf(name, sizeof name, "rest_predict_%d", n);
        time_calls(name, ask, &client);
        close(client.fd);
    }
    sl_model_server_delete(server);
    TF_DeleteSession(plain.session, status);
    TF_DeleteGraph(graph);
    TF_DeleteSessionOptions(options);
    TF_DeleteStatus(status);
    unlink(path);
    rmdir(folder);
    return 0;
}
