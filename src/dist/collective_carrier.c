/* The carrier. What comes is held by who asked and, once it is received, by the transfer: the plug-in may write into its memory
 * after nobody waits for it any more. Locks: the carrier's, then that of the watch, then `c->mutex`; the plug-in's is its own. */
#include "dist/collective_carrier.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/env.h"
#include "dist/task_watch.h"
#include "mpi/mpi_plugin.h"
#include "os/clock.h"
#include "os/library.h"

enum { START_MS = 60000 };
static const int64_t STOP_NS = INT64_C(2000000000);

struct sl_carrier {
    const struct sl_mpi_plugin *plugin;
    struct sl_cluster *cluster;
    int *ranks;               /* by task; -1: none. Constant */
    atomic_bool *are_reached; /* by task: tickets go to it */
    atomic_uint next_tag;
    struct sl_mutex mutex; /* guards the rest */
    struct sl_condition idle;
    struct sl_carried *coming;
    int n_ending;  /* that are not in `coming` any more, and not over */
    bool is_stuck; /* MPI did not end in time: nobody looks at what still comes */
};

struct sl_carried {
    struct sl_carrier *carrier;
    struct sl_mpi_transfer transfer;
    struct sl_task_watcher watcher;
    int task;
    void (*come)(void *arg);
    void *arg;
    struct sl_tensor *into;
    struct sl_carried *next, **at; /* of those that come; guarded by the carrier */
    atomic_uint holders;
    struct sl_mutex mutex; /* guards the rest */
    bool is_coming, has_ended, is_left;
    struct sl_error err; /* of the end; code SL_OK: it has come */
};

/* ---- the plug-in */

static sl_code open_plugin(const struct sl_mpi_plugin **out, struct sl_error *err) {
    static const char name[] = "libsluice_mpi.so";
    const char *folder = sl_env_text(SL_ENV_COMPANIONS);
    char path[PATH_MAX];
    struct sl_library library;
    struct sl_error why;
    void *symbol;
    sl_code code = SL_OK;
    if (folder) (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    else code = sl_library_beside(path, sizeof path, name, &why);
    if (code == SL_OK) code = sl_library_open(&library, path, &why);
    if (code != SL_OK)
        return sl_fail(
            err, SL_UNIMPLEMENTED,
            "SLUICE_COLLECTIVES=mpi needs %s, which is built where MPI is installed, and cannot be used:\n  %s", name,
            why.message);
    code = sl_library_symbol(&symbol, &library, SL_MPI_PLUGIN_SYMBOL, &why);
    const struct sl_mpi_plugin *plugin = code == SL_OK ? symbol : NULL;
    if (plugin && plugin->layout == SL_MPI_LAYOUT && strcmp(plugin->version, SL_VERSION) == 0) {
        *out = plugin; /* it stays open: MPI ends with the process */
        return SL_OK;
    }
    sl_library_close(&library);
    return sl_fail(err, SL_FAILED_PRECONDITION, "%s: it is of another build than the library", path);
}

static sl_code begin(struct sl_carrier *carrier, struct sl_error *err) {
    const struct sl_cluster *cluster = carrier->cluster;
    SL_TRY(open_plugin(&carrier->plugin, err));
    sl_code code = carrier->plugin->start(sl_cluster_own_name(cluster), START_MS, err);
    if (code != SL_OK) return sl_error_append(err, "; SLUICE_COLLECTIVES=mpi asks for MPI");
    carrier->ranks = sl_calloc((size_t)cluster->n, sizeof *carrier->ranks);
    carrier->are_reached = sl_calloc((size_t)cluster->n, sizeof *carrier->are_reached);
    if (!carrier->ranks || !carrier->are_reached) return sl_fail_memory(err, (size_t)cluster->n * sizeof(int));
    for (int t = 0; t < cluster->n; t++) {
        carrier->ranks[t] = carrier->plugin->rank_of(cluster->tasks[t].name);
        atomic_store(&carrier->are_reached[t], carrier->ranks[t] >= 0);
        if (carrier->ranks[t] < 0)
            return sl_fail(err, SL_FAILED_PRECONDITION,
                           "%s is no process of this mpirun; SLUICE_COLLECTIVES=mpi asks for MPI between all tasks",
                           cluster->tasks[t].name);
    }
    return SL_OK;
}

bool sl_carrier_is_ring(void) {
    const char *asked = sl_env_text(SL_ENV_COLLECTIVES);
    return asked && strcmp(asked, "ring") == 0;
}

sl_code sl_carrier_new(struct sl_carrier **out, struct sl_cluster *cluster, struct sl_error *err) {
    const char *asked = sl_env_text(SL_ENV_COLLECTIVES);
    *out = NULL;
    if (!asked || !*asked || strcmp(asked, "grpc") == 0 || sl_carrier_is_ring()) return SL_OK;
    if (strcmp(asked, "nccl") == 0)
        return sl_fail(
            err, SL_UNIMPLEMENTED,
            "SLUICE_COLLECTIVES=nccl: NCCL adds up what lies in the memory of GPUs, and there are no devices "
            "but CPUs");
    if (strcmp(asked, "mpi") != 0)
        return sl_fail(err, SL_INVALID_ARGUMENT, "SLUICE_COLLECTIVES=%s is none of grpc, ring, mpi, nccl", asked);
    struct sl_carrier *carrier = sl_calloc(1, sizeof *carrier);
    if (!carrier) return sl_fail_memory(err, sizeof *carrier);
    sl_mutex_init(&carrier->mutex);
    sl_condition_init(&carrier->idle);
    carrier->cluster = cluster;
    sl_code code = begin(carrier, err);
    if (code == SL_OK) *out = carrier;
    else sl_carrier_free(carrier);
    return code;
}

void sl_carrier_stop(struct sl_carrier *carrier) {
    if (!carrier) return;
    const int64_t until = sl_clock_ns() + STOP_NS;
    sl_mutex_lock(&carrier->mutex);
    for (struct sl_carried *c = carrier->coming; c; c = c->next) carrier->plugin->cancel(&c->transfer);
    while (carrier->coming && sl_condition_wait_until(&carrier->idle, &carrier->mutex, until)) {}
    while (carrier->n_ending) sl_condition_wait(&carrier->idle, &carrier->mutex);
    carrier->is_stuck = carrier->coming != NULL;
    for (struct sl_carried *c = carrier->coming; c; c = c->next)
        sl_task_watch_leave(carrier->cluster->watch, &c->watcher);
    sl_mutex_unlock(&carrier->mutex);
}

void sl_carrier_free(struct sl_carrier *carrier) {
    if (!carrier || carrier->is_stuck) return;
    sl_free(carrier->ranks);
    sl_free(carrier->are_reached);
    sl_condition_clear(&carrier->idle);
    sl_mutex_clear(&carrier->mutex);
    sl_free(carrier);
}

/* ---- what comes */

struct sl_carried *sl_carried_new(char text[SL_TICKET_ROOM], struct sl_carrier *carrier, int task,
                                  void (*come)(void *arg), void *arg) {
    if (!carrier || !atomic_load(&carrier->are_reached[task])) return NULL;
    struct sl_carried *c = sl_calloc(1, sizeof *c);
    if (!c) return NULL; /* the elements come with the answer */
    sl_mutex_init(&c->mutex);
    atomic_store(&c->holders, 1);
    c->carrier = carrier;
    c->task = task;
    c->come = come;
    c->arg = arg;
    c->transfer.rank = carrier->ranks[task];
    c->transfer.tag = (int)(atomic_fetch_add(&carrier->next_tag, 1) % (unsigned)carrier->plugin->tags()) + 1;
    if (c->transfer.tag > carrier->plugin->tags()) c->transfer.tag = 1;
    (void)snprintf(text, SL_TICKET_ROOM, "%" PRIx64 ":%d:%d", carrier->plugin->world(), carrier->plugin->own_rank(),
                   c->transfer.tag);
    return c;
}

struct sl_carried *sl_carried_hold(struct sl_carried *c) {
    if (c) atomic_fetch_add(&c->holders, 1);
    return c;
}

void sl_carried_release(struct sl_carried *c) {
    if (!c || atomic_fetch_sub(&c->holders, 1) != 1) return;
    sl_tensor_unref(c->into);
    sl_free(c->transfer.pieces);
    sl_mutex_clear(&c->mutex);
    sl_free(c);
}

static void lose_task(struct sl_carrier *carrier, int task) { atomic_store(&carrier->are_reached[task], false); }

void sl_carried_not_sent(struct sl_carried *c, bool has_elements, bool is_known) {
    if (has_elements) lose_task(c->carrier, c->task);
    else if (!is_known) c->carrier->plugin->drop(c->transfer.rank, c->transfer.tag);
}

/* It ends, unless it has already. */
static void end(struct sl_carried *c, sl_code code, const char *text) {
    sl_mutex_lock(&c->mutex);
    const bool is_first = c->is_coming && !c->has_ended;
    if (is_first && code != SL_OK) sl_fail(&c->err, code, "%s", text);
    if (is_first) c->has_ended = true;
    sl_mutex_unlock(&c->mutex);
    if (is_first) c->come(c->arg);
}

/* On the plug-in's thread. */
static void transfer_done(struct sl_mpi_transfer *t, const char *why, bool is_lost) {
    struct sl_carried *c = t->arg;
    struct sl_carrier *carrier = c->carrier;
    char text[256] = "";
    sl_mutex_lock(&carrier->mutex);
    const bool is_stuck = carrier->is_stuck;
    if (!is_stuck) {
        *c->at = c->next;
        if (c->next) c->next->at = c->at;
        carrier->n_ending++;
    }
    sl_mutex_unlock(&carrier->mutex);
    if (is_stuck) return;
    if (is_lost) lose_task(carrier, c->task);
    sl_task_watch_leave(carrier->cluster->watch, &c->watcher);
    if (why) (void)snprintf(text, sizeof text, "MPI: %s", why);
    end(c, why ? SL_UNAVAILABLE : SL_OK, text);
    if (!is_lost) sl_carried_release(c);
    sl_mutex_lock(&carrier->mutex);
    carrier->n_ending--;
    sl_condition_broadcast(&carrier->idle);
    sl_mutex_unlock(&carrier->mutex);
}

/* With the lock of who watches: the transfer cannot have been freed. */
static void task_gone(struct sl_task_watcher *watcher, sl_code code, const char *text) {
    struct sl_carried *c = (struct sl_carried *)(void *)((char *)watcher - offsetof(struct sl_carried, watcher));
    lose_task(c->carrier, c->task);
    c->carrier->plugin->cancel(&c->transfer);
    end(c, code, text);
}

static sl_code prepare(struct sl_carried *c, size_t n, size_t bytes, struct sl_error *err) {
    const int64_t all = (int64_t)(n * bytes);
    SL_TRY(sl_tensor_new(&c->into, SL_UINT8, (struct sl_shape){1, &all}, err));
    c->transfer.pieces = sl_calloc(n + 1, sizeof *c->transfer.pieces);
    if (!c->transfer.pieces) return sl_fail_memory(err, n * sizeof *c->transfer.pieces);
    c->transfer.n = n;
    for (size_t i = 0; i < n; i++)
        c->transfer.pieces[i] = (struct sl_mpi_piece){(char *)c->into->data + i * bytes, bytes};
    c->transfer.arg = c;
    c->transfer.done = transfer_done;
    c->watcher = (struct sl_task_watcher){.task = c->task, .gone = task_gone};
    return SL_OK;
}

void sl_carried_receive(struct sl_carried *c, size_t n, size_t bytes) {
    struct sl_carrier *carrier = c->carrier;
    struct sl_error err = {SL_OK, ""};
    sl_code code = prepare(c, n, bytes, &err);
    sl_mutex_lock(&c->mutex);
    c->is_coming = true;
    const bool is_left = c->is_left;
    sl_mutex_unlock(&c->mutex);
    if (code == SL_OK && is_left) code = sl_fail(&err, SL_CANCELLED, "Collective operation was cancelled");
    if (code != SL_OK || n == 0 || bytes == 0) {
        if (n > 0 && bytes > 0) carrier->plugin->drop(c->transfer.rank, c->transfer.tag);
        end(c, code, err.message);
        return;
    }
    atomic_fetch_add(&c->holders, 1);
    sl_mutex_lock(&carrier->mutex);
    c->next = carrier->coming;
    c->at = &carrier->coming;
    if (c->next) c->next->at = &c->next;
    carrier->coming = c;
    sl_mutex_unlock(&carrier->mutex);
    sl_task_watch_enter(carrier->cluster->watch, &c->watcher);
    carrier->plugin->post(&c->transfer);
}

void sl_carried_leave(struct sl_carried *c) {
    sl_mutex_lock(&c->mutex);
    c->is_left = true;
    sl_mutex_unlock(&c->mutex);
    end(c, SL_CANCELLED, "Collective operation was cancelled");
}

sl_code sl_carried_get(const char **out, const struct sl_carried *c, struct sl_error *err) {
    if (c->err.code != SL_OK) return sl_fail(err, c->err.code, "%s", c->err.message);
    *out = c->into->data;
    return SL_OK;
}

/* ---- who has them */

bool sl_carrier_read_ticket(struct sl_ticket *out, const struct sl_carrier *carrier, struct sl_str text) {
    char copy[SL_TICKET_ROOM];
    uint64_t world;
    int end = 0;
    if (!carrier || text.n >= sizeof copy) return false;
    (void)snprintf(copy, sizeof copy, "%.*s", SL_STR_ARG(text));
    if (sscanf(copy, "%" SCNx64 ":%d:%d%n", &world, &out->rank, &out->tag, &end) != 3 || copy[end]) return false;
    if (world != carrier->plugin->world() || out->tag < 1 || out->tag > carrier->plugin->tags()) return false;
    for (int t = 0; t < carrier->cluster->n; t++)
        if (carrier->ranks[t] == out->rank) return true;
    return false;
}

struct sending {
    struct sl_mpi_transfer transfer;
    size_t n;
    struct sl_tensor **tensors;
};

static void sending_free(struct sending *s) {
    for (size_t i = 0; i < s->n; i++) sl_tensor_unref(s->tensors[i]);
    sl_free(s->tensors);
    sl_free(s->transfer.pieces);
    sl_free(s);
}

static void sending_done(struct sl_mpi_transfer *t, const char *why, bool is_lost) {
    (void)why; /* who receives finds out by itself */
    if (!is_lost) sending_free(t->arg);
}

sl_code sl_carrier_send(struct sl_carrier *carrier, struct sl_ticket ticket, struct sl_tensor *const *tensors, size_t n,
                        size_t begin, size_t bytes, struct sl_error *err) {
    struct sending *s = sl_calloc(1, sizeof *s);
    if (!s) return sl_fail_memory(err, sizeof *s);
    s->tensors = sl_calloc(n + 1, sizeof(struct sl_tensor *));
    s->transfer.pieces = sl_calloc(n + 1, sizeof *s->transfer.pieces);
    if (!s->tensors || !s->transfer.pieces) {
        sending_free(s);
        return sl_fail_memory(err, n * sizeof *s->transfer.pieces);
    }
    for (; s->n < n; s->n++) {
        s->tensors[s->n] = sl_tensor_ref(tensors[s->n]);
        s->transfer.pieces[s->n] = (struct sl_mpi_piece){(char *)tensors[s->n]->data + begin, bytes};
    }
    s->transfer.n = n;
    s->transfer.rank = ticket.rank;
    s->transfer.tag = ticket.tag;
    s->transfer.is_send = true;
    s->transfer.done = sending_done;
    s->transfer.arg = s;
    carrier->plugin->post(&s->transfer);
    return SL_OK;
}
