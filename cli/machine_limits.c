/* The best of some runs counts: what else runs here takes away from the others. */
#include "machine_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

enum { SIDE = 768, CHAIN = 1000, COPY_BYTES = 64 << 20, MOST_THREADS = 64, TRIES = 5 };

/* ---- memory */

struct copy {
    char *to;
    const char *from;
    size_t n;
};
static void *run_copy(void *arg) {
    const struct copy *c = arg;
    memcpy(c->to, c->from, c->n);
    return NULL;
}

static double measure_bytes(int threads) {
    pthread_t ids[MOST_THREADS];
    struct copy copies[MOST_THREADS];
    char *memory = must_allocate(NULL, 2 * (size_t)COPY_BYTES);
    double best = 0;
    memset(memory, 1, 2 * (size_t)COPY_BYTES);
    for (int k = 0; k < TRIES; k++) {
        const double start = seconds_now() * 1e6;
        const size_t part = COPY_BYTES / (size_t)threads;
        int started = 0;
        for (int i = 0; i < threads; i++) {
            copies[i] = (struct copy){memory + COPY_BYTES + (size_t)i * part, memory + (size_t)i * part, part};
            if (pthread_create(&ids[started], NULL, run_copy, &copies[i])) run_copy(&copies[i]);
            else started++;
        }
        while (started > 0) pthread_join(ids[--started], NULL);
        const double rate = 2.0 * (double)part * threads / (seconds_now() * 1e6 - start) * 1e6;
        if (rate > best) best = rate;
    }
    free(memory);
    return best;
}

/* ---- kernels and nodes */

static TF_Output add_node(TF_Graph *graph, const char *op, const char *name, const TF_Output *inputs, int n,
                          TF_Status *status) {
    TF_OperationDescription *d = TF_NewOperation(graph, op, name);
    for (int i = 0; i < n; i++) TF_AddInput(d, inputs[i]);
    if (n == 0) TF_SetAttrType(d, "dtype", TF_FLOAT);
    return (TF_Output){TF_FinishOperation(d, status), 0};
}

/* The least time of a step that gives `fetch` out of a float tensor. */
static double best_step(TF_Graph *graph, TF_Output feed, TF_Output fetch, const int64_t *dims, int rank,
                        int64_t threads, TF_Status *status) {
    TF_SessionOptions *options = threads_options(threads, false);
    TF_Session *session = TF_NewSession(graph, options, status);
    double best = 0;
    TF_DeleteSessionOptions(options);
    if (TF_GetCode(status) != TF_OK) return 0;
    const size_t n = rank ? (size_t)dims[0] * (size_t)dims[1] : 1;
    TF_Tensor *value = must_have(TF_AllocateTensor(TF_FLOAT, dims, rank, n * sizeof(float)));
    for (size_t i = 0; i < n; i++) ((float *)TF_TensorData(value))[i] = (float)(i % 7) * 0.125f;
    for (int k = 0; k < TRIES + 1 && TF_GetCode(status) == TF_OK; k++) {
        TF_Tensor *result = NULL;
        const double start = seconds_now() * 1e6;
        TF_SessionRun(session, NULL, &feed, &value, 1, &fetch, &result, 1, NULL, 0, NULL, status);
        const double took = seconds_now() * 1e6 - start;
        if (result) TF_DeleteTensor(result);
        if (k > 0 && (best == 0 || took < best)) best = took; /* the first compiles */
    }
    TF_DeleteTensor(value);
    TF_DeleteSession(session, status);
    return best;
}

static double measure_product(int64_t threads) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Graph *graph = must_have(TF_NewGraph());
    const TF_Output x = add_node(graph, "Placeholder", "x", NULL, 0, status);
    const TF_Output both[] = {x, x}, y = add_node(graph, "MatMul", "y", both, 2, status);
    const double us = best_step(graph, x, y, (int64_t[]){SIDE, SIDE}, 2, threads, status);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return us > 0 ? 2.0 * SIDE * SIDE * SIDE / us * 1e6 : 0;
}

/* A chain of scalars that no pass makes shorter. */
static double measure_node(int64_t threads) {
    TF_Status *status = must_have(TF_NewStatus());
    TF_Graph *graph = must_have(TF_NewGraph());
    const TF_Output x = add_node(graph, "Placeholder", "x", NULL, 0, status);
    TF_Output y = x;
    char name[32];
    for (int i = 0; i < CHAIN; i++) {
        snprintf(name, sizeof name, "c%d", i);
        const TF_Output c = add_node(graph, "Cos", name, &y, 1, status);
        *name = 'f';
        y = add_node(graph, "Floor", name, &c, 1, status);
        if (TF_GetCode(status) != TF_OK) break;
    }
    const double us = best_step(graph, x, y, NULL, 0, threads, status);
    TF_DeleteGraph(graph);
    TF_DeleteStatus(status);
    return us / (2 * CHAIN);
}

void machine_measure(struct machine_limits *out, int64_t threads) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t n = threads ? threads : processors;
    if (n < 1) n = 1;
    if (n > MOST_THREADS) n = MOST_THREADS;
    *out = (struct machine_limits){.threads = (int)n};
    out->bytes = measure_bytes((int)n);
    out->flops = measure_product(threads);
    out->node_us = measure_node(threads);
}
