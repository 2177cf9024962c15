/* One process of check_mpi, which mpirun starts: mpi_worker FOLDER [dies|stops]
 *
 * Runs collectives of all kinds over two devices in each process, and says in FOLDER/said.RANK what each gave, as a number made of
 * the bits, and how many bytes went by MPI. With `dies` or `stops` the process of rank 1 does that, and the others say how it ended. */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi/mpi_plugin.h"
#include "sluice/server.h"
#include "tensorflow/c/c_api_experimental.h"
#include "tensorflow/c/eager/c_api.h"
#include "tensorflow/c/eager/c_api_experimental.h"

enum { DEVICES = 2, KINDS = 6, ROUNDS = 3, PATIENCE = 60 };
static const char *folder;
static int rank, n_ranks;
static TFE_Context *context;
static FILE *said;

static void give_up(const char *what, const char *why) {
    fprintf(said ? said : stderr, "%s: %s\n", what, why);
    fflush(NULL);
    _exit(1);
}

static void check(const char *what, TF_Status *s) {
    if (TF_GetCode(s) != TF_OK) give_up(what, TF_Message(s));
}

/* ---- one collective of one member */

static const char *const names[KINDS] = {"CollectiveReduceV2",        "CollectiveReduceV2",   "CollectiveGatherV2",
                                         "CollectiveReduceScatterV2", "CollectiveAllToAllV2", "CollectiveBcast"};

struct member {
    int kind, member, instance;
    int64_t count; /* elements that it brings */
    TF_Code code;
    char message[512];
    uint64_t bits;
};

static TFE_TensorHandle *handle_of(TF_DataType type, const int64_t *dims, int rank_of_it, const void *data,
                                   size_t bytes) {
    TF_Status *s = TF_NewStatus();
    TF_Tensor *t = TF_AllocateTensor(type, dims, rank_of_it, bytes);
    memcpy(TF_TensorData(t), data, bytes);
    TFE_TensorHandle *h = TFE_NewTensorHandle(t, s);
    check("a tensor", s);
    TF_DeleteTensor(t);
    TF_DeleteStatus(s);
    return h;
}

static void add(TFE_Op *op, TFE_TensorHandle *h, TF_Status *s) {
    TFE_OpAddInput(op, h, s);
    TFE_DeleteTensorHandle(h);
}

static void add_int(TFE_Op *op, int32_t value, TF_Status *s) { add(op, handle_of(TF_INT32, NULL, 0, &value, 4), s); }

/* Of very different sizes, so that sums say in which order they were made. */
static void add_values(TFE_Op *op, const struct member *m, TF_Status *s) {
    float *values = malloc((size_t)m->count * sizeof *values + 1);
    uint32_t state = (uint32_t)(m->member * 7919 + m->kind * 104729 + m->instance);
    for (int64_t i = 0; i < m->count; i++) {
        state = state * 1664525u + 1013904223u;
        const int exponent = (int)(state >> 28);
        values[i] = (float)((int32_t)(state & 0xffffff) - 0x800000) * (float)(1 << exponent);
    }
    add(op, handle_of(TF_FLOAT, &m->count, 1, values, (size_t)m->count * sizeof *values), s);
    free(values);
}

static uint64_t bits_of(TFE_TensorHandle *h, TF_Status *s) {
    TF_Tensor *t = TFE_TensorHandleResolve(h, s);
    check("a result", s);
    const unsigned char *data = TF_TensorData(t);
    uint64_t bits = 1469598103934665603u;
    for (size_t i = 0; i < TF_TensorByteSize(t); i++) bits = (bits ^ data[i]) * 1099511628211u;
    TF_DeleteTensor(t);
    return bits;
}

static void add_keys(TFE_Op *op, const struct member *m, TF_Status *s) {
    add_int(op, DEVICES * n_ranks, s);
    add_int(op, 5, s);
    add_int(op, m->instance, s);
}

static void *run(void *arg) {
    struct member *m = arg;
    TF_Status *s = TF_NewStatus();
    TFE_TensorHandle *out = NULL;
    char device[96];
    int n = 1;
    const bool is_broadcast = m->kind == KINDS - 1, is_source = m->member == n_ranks;
    TFE_Op *op = TFE_NewOp(context,
                           !is_broadcast ? names[m->kind]
                           : is_source   ? "CollectiveBcastSendV2"
                                         : "CollectiveBcastRecvV2",
                           s);
    snprintf(device, sizeof device, "/job:worker/replica:0/task:%d/device:CPU:%d", rank, m->member % DEVICES);
    TFE_OpSetDevice(op, device, s);
    if (!is_broadcast || is_source) add_values(op, m, s);
    add_keys(op, m, s);
    if (is_broadcast && !is_source) {
        const int64_t one = 1;
        const int32_t count = (int32_t)m->count;
        add(op, handle_of(TF_INT32, &one, 1, &count, sizeof count), s);
        TFE_OpSetAttrType(op, "T", TF_FLOAT);
    }
    if (!is_broadcast && m->kind != 4) TFE_OpAddInputList(op, NULL, 0, s);
    if (m->kind < 2 || m->kind == 3) {
        TFE_OpSetAttrString(op, "merge_op", m->kind == 1 ? "Max" : "Add", 3);
        TFE_OpSetAttrString(op, "final_op", m->kind == 1 ? "Id" : "Div", m->kind == 1 ? 2 : 3);
    }
    TFE_OpSetAttrFloat(op, "timeout_seconds", PATIENCE);
    if (TF_GetCode(s) == TF_OK) TFE_Execute(op, &out, &n, s);
    m->code = TF_GetCode(s);
    snprintf(m->message, sizeof m->message, "%s", TF_Message(s));
    if (m->code == TF_OK) m->bits = bits_of(out, s);
    if (out) TFE_DeleteTensorHandle(out);
    TFE_DeleteOp(op);
    TF_DeleteStatus(s);
    return NULL;
}

/* The members of this process. Returns the first failure. */
static struct member all_run(int kind, int instance, int64_t count) {
    struct member members[DEVICES];
    pthread_t threads[DEVICES];
    for (int d = 0; d < DEVICES; d++) {
        members[d] = (struct member){.kind = kind, .member = rank * DEVICES + d, .instance = instance, .count = count};
        if (pthread_create(&threads[d], NULL, run, &members[d])) give_up("a thread", "there is none");
    }
    for (int d = 0; d < DEVICES; d++) pthread_join(threads[d], NULL);
    for (int d = 0; d < DEVICES; d++)
        if (members[d].code != TF_OK) return members[d];
    members[0].bits ^= members[1].bits * 31;
    return members[0];
}

/* ---- the process */

static void join_cluster(void) {
    char text[2048];
    static const char two_cpus[] = "\x0a\x07\x0a\x03"
                                   "CPU\x10\x02"; /* ConfigProto: device_count { CPU: 2 } */
    TF_Status *s = TF_NewStatus();
    TFE_ContextOptions *options = TFE_NewContextOptions();
    TFE_ContextOptionsSetConfig(options, two_cpus, sizeof two_cpus - 1, s);
    context = TFE_NewContext(options, s);
    check("a context", s);
    TFE_DeleteContextOptions(options);
    int at = snprintf(text, sizeof text,
                      "job_name: 'worker' task_index: %d protocol: 'grpc' default_session_config { device_count { key: "
                      "'CPU' value: 2 } } cluster { job { name: 'worker' ",
                      rank);
    for (int i = 0; i < n_ranks; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "tasks { key: %d value: 'unix:%s/%d' } ", i, folder, i);
    snprintf(text + at, sizeof text - (size_t)at, "} }");
    TF_Buffer *def = TFE_GetServerDef(text, s);
    check("a definition", s);
    TFE_EnableCollectiveOps(context, def->data, def->length, s);
    check("a server", s);
    TF_DeleteBuffer(def);
    TF_DeleteStatus(s);
}

static bool is_there(const char *kind, int of) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%d", folder, kind, of);
    return access(path, F_OK) == 0;
}

static void say_there(const char *kind) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%d", folder, kind, rank);
    FILE *f = fopen(path, "w");
    if (f) fclose(f);
}

/* Servers have to be there, at the beginning and at the end. */
static void wait_for_all(const char *kind) {
    const struct timespec moment = {0, 20000000};
    say_there(kind);
    for (int of = 0; of < n_ranks; of++)
        for (int i = 0; i < PATIENCE * 50 && !is_there(kind, of); i++) nanosleep(&moment, NULL);
}

static void say_bytes(void) {
    const struct sl_mpi_plugin *plugin = NULL;
    const char *path = getenv("SL_MPI_PLUGIN");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL, *symbol;
    uint64_t sent = 0, received = 0;
    if (library && (symbol = dlsym(library, SL_MPI_PLUGIN_SYMBOL))) plugin = symbol;
    if (plugin) plugin->count(&sent, &received);
    fprintf(said, "bytes %" PRIu64 " %" PRIu64 "\n", sent, received);
}

static void agree(void) {
    static const int64_t counts[] = {4, 360, 5040, 200040};
    int instance = 1;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int round = 0; round < ROUNDS; round++)
            for (int kind = 0; kind < KINDS; kind++) {
                const int64_t count = kind == 3 || kind == 4 ? counts[c] / 4 * 24 : counts[c];
                struct member m = all_run(kind, instance++, count);
                if (m.code != TF_OK) give_up(names[kind], m.message);
                fprintf(said, "%s %d %d: %016" PRIx64 "\n", names[kind], (int)count, round, m.bits);
            }
}

/* At a moment that nobody knows: while it waits, sends or receives. */
static void *do_harm(void *how) {
    const long ms = 300 + (long)getpid() * 37 % 1000;
    const struct timespec moment = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
    raise(strcmp(how, "dies") == 0 ? SIGKILL : SIGSTOP);
    return NULL;
}

/* Until it fails, which it has to. */
static void be_left(char *how) {
    struct timespec begin, end;
    struct member m;
    pthread_t thread;
    if (rank == 1 && pthread_create(&thread, NULL, do_harm, how)) give_up("a thread", "there is none");
    for (int instance = 1;; instance++) {
        clock_gettime(CLOCK_MONOTONIC, &begin);
        m = all_run(0, instance, 1000080);
        clock_gettime(CLOCK_MONOTONIC, &end);
        if (m.code != TF_OK) break;
    }
    fprintf(said, "failed %d after %ld s: %s\n", m.code, (long)(end.tv_sec - begin.tv_sec), m.message);
}

int main(int n, char **args) {
    const char *own = getenv("OMPI_COMM_WORLD_RANK"), *all = getenv("OMPI_COMM_WORLD_SIZE");
    char path[512];
    if (!own) own = getenv("PMI_RANK");
    if (!all) all = getenv("PMI_SIZE");
    folder = n > 1 ? args[1] : ".";
    rank = own ? atoi(own) : 0;
    n_ranks = all ? atoi(all) : 2;
    snprintf(path, sizeof path, "%s/said.%d", folder, rank);
    said = fopen(path, "w");
    snprintf(path, sizeof path, "%s/pid.%d", folder, rank);
    FILE *pid = fopen(path, "w");
    if (!said || !pid) return 2;
    fprintf(pid, "%d\n", (int)getpid());
    fclose(pid);
    join_cluster();
    wait_for_all("begun");
    if (n > 2) {
        be_left(args[2]);
        fclose(said);
        say_there("over");
        _exit(0);
    }
    agree();
    say_bytes();
    wait_for_all("over");
    TFE_DeleteContext(context);
    fprintf(said, "ended\n");
    return fclose(said) != 0;
}
