/* The plug-in. What is posted goes to a list that the thread takes; the thread alone touches transfers that it has begun, but
 * for `is_cancelled`, which the mutex guards. It sleeps while nothing is under way, and looks in shrinking haste otherwise:
 * MPI has no way to wake it. */
#include "mpi/mpi_plugin.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/mutex.h"
#include "os/thread.h"

enum { NAME_ROOM = 256, DROPS = 64, MESSAGE_MAX = 1 << 30 }; /* the length of a message is an int */
static const int64_t SECOND = INT64_C(1000000000);

struct drop {
    int rank, tag;
    int64_t until_ns; /* 0: free */
};

static struct {
    struct sl_mutex mutex; /* guards what follows, up to the thread's own */
    struct sl_condition changed;
    struct sl_mpi_transfer *posted, **last;
    struct drop drops[DROPS];
    unsigned next_drop;
    bool is_started, has_begun, ends, has_ended;
    struct sl_error failure; /* of the start; code SL_OK: none */
    uint64_t sent, received;
    /* constant after the start */
    char own[NAME_ROOM];
    char (*names)[NAME_ROOM];
    int rank, n, tags;
    uint64_t world;
    /* the thread's own */
    struct sl_thread thread;
    MPI_Comm comm;
    struct sl_mpi_transfer *active;
    bool is_ours; /* MPI was begun here, and is ended here */
} mpi = {.mutex = SL_MUTEX_INIT, .changed = SL_CONDITION_INIT};

/* ---- beginning, on the thread */

static sl_code fail_mpi(struct sl_error *err, const char *what, int result) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    (void)MPI_Error_string(result, text, &n);
    return sl_fail(err, SL_INTERNAL, "%s: %.*s", what, n, text);
}

static sl_code begin_mpi(struct sl_error *err) {
    int is_begun = 0, has_ended = 0, level = MPI_THREAD_SINGLE;
    if (MPI_Initialized(&is_begun) != MPI_SUCCESS || MPI_Finalized(&has_ended) != MPI_SUCCESS || has_ended)
        return sl_fail(err, SL_FAILED_PRECONDITION, "MPI has ended in this process");
    if (is_begun) {
        (void)MPI_Query_thread(&level);
        if (level == MPI_THREAD_MULTIPLE) return SL_OK;
        return sl_fail(err, SL_FAILED_PRECONDITION,
                       "the program has begun MPI without MPI_THREAD_MULTIPLE, so that no other thread may use it");
    }
    int result = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    if (result != MPI_SUCCESS) return fail_mpi(err, "MPI_Init_thread", result);
    mpi.is_ours = true;
    if (level >= MPI_THREAD_FUNNELED) return SL_OK;
    return sl_fail(err, SL_FAILED_PRECONDITION, "this MPI has no MPI_THREAD_FUNNELED");
}

/* Whom MPI started with us, and by what name they are known. */
static sl_code meet(struct sl_error *err) {
    int *most = NULL, has = 0;
    int result = MPI_Comm_dup(MPI_COMM_WORLD, &mpi.comm);
    if (result == MPI_SUCCESS) result = MPI_Comm_set_errhandler(mpi.comm, MPI_ERRORS_RETURN);
    if (result == MPI_SUCCESS) result = MPI_Comm_rank(mpi.comm, &mpi.rank);
    if (result == MPI_SUCCESS) result = MPI_Comm_size(mpi.comm, &mpi.n);
    if (result == MPI_SUCCESS) result = MPI_Comm_get_attr(mpi.comm, MPI_TAG_UB, &most, &has);
    if (result != MPI_SUCCESS) return fail_mpi(err, "MPI_Comm_dup", result);
    mpi.tags = has && *most > 0 ? *most : 32767;
    mpi.names = sl_calloc((size_t)mpi.n, sizeof *mpi.names);
    if (!mpi.names) return sl_fail_memory(err, (size_t)mpi.n * sizeof *mpi.names);
    mpi.world = (uint64_t)sl_wall_us() * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)sl_clock_ns();
    result = MPI_Bcast(&mpi.world, 1, MPI_UINT64_T, 0, mpi.comm);
    if (result == MPI_SUCCESS)
        result = MPI_Allgather(mpi.own, NAME_ROOM, MPI_CHAR, mpi.names, NAME_ROOM, MPI_CHAR, mpi.comm);
    return result == MPI_SUCCESS ? SL_OK : fail_mpi(err, "MPI_Allgather", result);
}

/* ---- transfers, on the thread */

static void finish(struct sl_mpi_transfer *t, const char *why, bool is_lost) {
    if (!is_lost) {
        sl_free(t->requests);
        t->requests = NULL;
    }
    t->done(t, why, is_lost);
}

static int count_messages(const struct sl_mpi_transfer *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) n += (t->pieces[i].bytes + MESSAGE_MAX - 1) / MESSAGE_MAX;
    return n < INT32_MAX ? (int)n : INT32_MAX;
}

/* One tag for all: from one rank to another messages of a tag come in the order in which they were sent. */
static int begin_messages(struct sl_mpi_transfer *t) {
    MPI_Request *requests = t->requests;
    int result = MPI_SUCCESS;
    for (size_t i = 0; i < t->n; i++)
        for (size_t at = 0; at < t->pieces[i].bytes && result == MPI_SUCCESS; at += MESSAGE_MAX) {
            const size_t left = t->pieces[i].bytes - at;
            const int bytes = left < MESSAGE_MAX ? (int)left : MESSAGE_MAX;
            char *data = (char *)t->pieces[i].data + at;
            result = t->is_send ? MPI_Isend(data, bytes, MPI_BYTE, t->rank, t->tag, mpi.comm, &requests[t->n_requests])
                                : MPI_Irecv(data, bytes, MPI_BYTE, t->rank, t->tag, mpi.comm, &requests[t->n_requests]);
            if (result == MPI_SUCCESS) t->n_requests++;
        }
    return result;
}

static void begin(struct sl_mpi_transfer *t) {
    const int n = count_messages(t);
    t->n_requests = 0;
    t->requests = sl_calloc((size_t)n + 1, sizeof(MPI_Request));
    if (!t->requests) finish(t, "no memory for MPI's requests", false);
    else if (begin_messages(t) != MPI_SUCCESS) finish(t, "MPI cannot begin", t->n_requests > 0);
    else {
        t->next = mpi.active;
        mpi.active = t;
    }
}

static void count_bytes(const struct sl_mpi_transfer *t) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < t->n; i++) bytes += t->pieces[i].bytes;
    sl_mutex_lock(&mpi.mutex);
    *(t->is_send ? &mpi.sent : &mpi.received) += bytes;
    sl_mutex_unlock(&mpi.mutex);
}

/* What the other side has begun to send cannot be cancelled: it is lost when it does not end soon. */
static bool is_cancelled(struct sl_mpi_transfer *t) {
    sl_mutex_lock(&mpi.mutex);
    const bool is = t->is_cancelled;
    sl_mutex_unlock(&mpi.mutex);
    if (!is || t->cancelled_ns) return is;
    t->cancelled_ns = sl_clock_ns();
    for (int i = 0; i < t->n_requests && !t->is_send; i++) {
        MPI_Request *request = (MPI_Request *)t->requests + i;
        if (*request != MPI_REQUEST_NULL) (void)MPI_Cancel(request);
    }
    return true;
}

/* False: it goes on. */
static bool look_at(struct sl_mpi_transfer *t) {
    int has_ended = 0;
    const bool is_over = is_cancelled(t);
    const int result = MPI_Testall(t->n_requests, t->requests, &has_ended, MPI_STATUSES_IGNORE);
    if (result != MPI_SUCCESS) finish(t, "the connection has failed", true);
    else if (has_ended) {
        if (!is_over) count_bytes(t);
        finish(t, is_over ? "the other side has gone" : NULL, false);
    } else if (is_over && sl_clock_ns() - t->cancelled_ns > SECOND) finish(t, "the other side has gone", true);
    else return false;
    return true;
}

static bool look_at_all(void) {
    bool moved = false;
    for (struct sl_mpi_transfer **at = &mpi.active; *at;) {
        struct sl_mpi_transfer *t = *at, *next = t->next;
        if (look_at(t)) {
            *at = next;
            moved = true;
        } else at = &t->next;
    }
    return moved;
}

static void throw_away(const struct drop *drop) {
    MPI_Message message;
    MPI_Status status;
    int is_there = 0, bytes = 0;
    while (MPI_Improbe(drop->rank, drop->tag, mpi.comm, &is_there, &message, &status) == MPI_SUCCESS && is_there) {
        (void)MPI_Get_count(&status, MPI_BYTE, &bytes);
        void *into = sl_malloc((size_t)bytes + 1);
        if (into) (void)MPI_Mrecv(into, bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        sl_free(into);
        if (!into) return;
    }
}

/* Whether there is any. */
static bool look_at_drops(void) {
    bool any = false;
    for (int i = 0; i < DROPS; i++) {
        sl_mutex_lock(&mpi.mutex);
        struct drop drop = mpi.drops[i];
        if (drop.until_ns && drop.until_ns < sl_clock_ns()) mpi.drops[i].until_ns = 0;
        sl_mutex_unlock(&mpi.mutex);
        if (!drop.until_ns) continue;
        any = true;
        throw_away(&drop);
    }
    return any;
}

/* ---- the thread */

static struct sl_mpi_transfer *take_posted(bool drops, bool *ends) {
    sl_mutex_lock(&mpi.mutex);
    while (!mpi.posted && !mpi.active && !mpi.ends) {
        const int64_t until = sl_clock_ns() + SECOND / 10;
        if (!drops) sl_condition_wait(&mpi.changed, &mpi.mutex);
        else if (!sl_condition_wait_until(&mpi.changed, &mpi.mutex, until)) break;
    }
    struct sl_mpi_transfer *all = mpi.posted;
    mpi.posted = NULL;
    mpi.last = &mpi.posted;
    *ends = mpi.ends;
    sl_mutex_unlock(&mpi.mutex);
    return all;
}

/* A loop that finds nothing gives its processor away, and sleeps after a while. */
static void rest(int idle) {
    if (idle < 200) sl_thread_yield();
    else sl_sleep_ns(idle < 2000 ? 20000 : 500000);
}

static void serve(void) {
    bool ends = false, drops = false;
    for (int idle = 0; !ends;) {
        bool moved = false;
        for (struct sl_mpi_transfer *t = take_posted(drops, &ends), *next; t; t = next) {
            next = t->next;
            begin(t);
            moved = true;
        }
        if (look_at_all()) moved = true;
        drops = look_at_drops();
        idle = moved ? 0 : idle + 1;
        if (mpi.active && !moved) rest(idle);
    }
}

static void run(void *arg) {
    struct sl_error err;
    (void)arg;
    sl_code code = begin_mpi(&err);
    if (code == SL_OK) code = meet(&err);
    sl_mutex_lock(&mpi.mutex);
    if (code != SL_OK) mpi.failure = err;
    mpi.has_begun = true;
    sl_condition_broadcast(&mpi.changed);
    sl_mutex_unlock(&mpi.mutex);
    if (code == SL_OK) serve();
    if (mpi.is_ours) (void)MPI_Finalize(); /* with mpirun's other processes: they may be gone */
    sl_mutex_lock(&mpi.mutex);
    mpi.has_ended = true;
    sl_condition_broadcast(&mpi.changed);
    sl_mutex_unlock(&mpi.mutex);
}

/* When the process ends: mpirun wants to hear it from MPI. Who waits for a process that has gone is not waited for. */
static void end(void) {
    const int64_t until = sl_clock_ns() + 2 * SECOND;
    sl_mutex_lock(&mpi.mutex);
    mpi.ends = true;
    sl_condition_broadcast(&mpi.changed);
    while (!mpi.has_ended && sl_condition_wait_until(&mpi.changed, &mpi.mutex, until)) {}
    const bool has_ended = mpi.has_ended;
    sl_mutex_unlock(&mpi.mutex);
    if (has_ended) sl_thread_join(&mpi.thread);
}

/* ---- for the caller */

/* What the launchers of the MPIs that there are tell each process: without one, MPI_Init would make a world of one. */
static bool is_launched(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i])) return true;
    return false;
}

static sl_code start_thread(const char *name, struct sl_error *err) {
    if (mpi.is_started) return SL_OK;
    if (!is_launched()) return sl_fail(err, SL_FAILED_PRECONDITION, "mpirun has not started this process");
    (void)snprintf(mpi.own, sizeof mpi.own, "%s", name);
    mpi.last = &mpi.posted;
    SL_TRY(sl_thread_start(&mpi.thread, "sl_mpi", 0, run, NULL, err));
    mpi.is_started = true;
    (void)atexit(end);
    return SL_OK;
}

static sl_code start(const char *name, int64_t wait_ms, struct sl_error *err) {
    const int64_t until = sl_clock_ns() + wait_ms * 1000000;
    sl_mutex_lock(&mpi.mutex);
    sl_code code = start_thread(name, err);
    while (code == SL_OK && !mpi.has_begun && sl_condition_wait_until(&mpi.changed, &mpi.mutex, until)) {}
    if (code == SL_OK && !mpi.has_begun)
        code = sl_fail(err, SL_DEADLINE_EXCEEDED, "not all processes of mpirun have begun MPI within %.1f s",
                       (double)wait_ms / 1000);
    else if (code == SL_OK && mpi.failure.code != SL_OK)
        code = sl_fail(err, mpi.failure.code, "%s", mpi.failure.message);
    else if (code == SL_OK && strcmp(name, mpi.own) != 0)
        code = sl_fail(err, SL_FAILED_PRECONDITION, "this process is known to MPI as %s", mpi.own);
    sl_mutex_unlock(&mpi.mutex);
    return code;
}

static uint64_t world(void) { return mpi.world; }
static int own_rank(void) { return mpi.rank; }
static int tags(void) { return mpi.tags; }

static int rank_of(const char *name) {
    for (int rank = 0; rank < mpi.n; rank++)
        if (strncmp(mpi.names[rank], name, NAME_ROOM) == 0) return rank;
    return -1;
}

static void post(struct sl_mpi_transfer *t) {
    t->next = NULL;
    sl_mutex_lock(&mpi.mutex);
    const bool ends = mpi.ends;
    if (!ends) {
        *mpi.last = t;
        mpi.last = &t->next;
        sl_condition_broadcast(&mpi.changed);
    }
    sl_mutex_unlock(&mpi.mutex);
    if (ends) t->done(t, "the process ends", false);
}

static void cancel(struct sl_mpi_transfer *t) {
    sl_mutex_lock(&mpi.mutex);
    t->is_cancelled = true;
    sl_mutex_unlock(&mpi.mutex);
}

static void drop(int rank, int tag) {
    sl_mutex_lock(&mpi.mutex);
    mpi.drops[mpi.next_drop++ % DROPS] = (struct drop){rank, tag, sl_clock_ns() + 60 * SECOND};
    sl_condition_broadcast(&mpi.changed);
    sl_mutex_unlock(&mpi.mutex);
}

static void count(uint64_t *sent, uint64_t *received) {
    sl_mutex_lock(&mpi.mutex);
    *sent = mpi.sent;
    *received = mpi.received;
    sl_mutex_unlock(&mpi.mutex);
}

__attribute__((visibility("default"))) extern const struct sl_mpi_plugin sluice_mpi_plugin;
const struct sl_mpi_plugin sluice_mpi_plugin = {.layout = SL_MPI_LAYOUT,
                                                .version = SL_VERSION,
                                                .start = start,
                                                .world = world,
                                                .own_rank = own_rank,
                                                .rank_of = rank_of,
                                                .tags = tags,
                                                .post = post,
                                                .cancel = cancel,
                                                .drop = drop,
                                                .count = count};
