/* The thread pool.
 *
 *    submit from outside ──► shared queue (mutex, ring) ───┐
 *    submit from worker i ─► ring i (it alone puts in;     ├──► a worker that looks for work
 *                            anyone takes, oldest first) ──┤
 *    parallel ─────────────► job slot, bit in `open` ──────┘
 *
 * A worker looks at the job slots, its own ring, the shared queue, the others' rings (taking half). Finding nothing
 * it spins a while, then sets its bit in `parked` and sleeps on its own word.
 *
 * No task may be left lying while a worker sleeps. Whoever makes work visible and is not itself a counted spinner
 * calls `wake_one` afterwards; that does nothing while someone spins. A spinner that stops spinning (it found work,
 * or goes to sleep) first takes itself off `spinning` and then looks again. Both sides write, then read the other's
 * word, all sequentially consistent: one of them sees the other. There are no fences, which the thread sanitizer
 * does not know.
 *
 * A job slot's memory belongs to the pool, so a worker that comes late never touches a caller's stack: it enters by
 * raising `members` from above zero, and the last to leave frees the slot. */
#include "os/pool.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/vec.h"
#include "os/clock.h"
#include "os/cpu.h"
#include "os/float_mode.h"
#include "os/mutex.h"
#include "os/once.h"
#include "os/park.h"
#include "os/pool_help.h"
#include "os/thread.h"

enum {
    WORKERS_MAX = SL_POOL_THREADS_MAX - 1,
    MASK_WORDS = WORKERS_MAX / 64,
    RING = 256,          /* tasks in a worker's ring */
    SLOTS = 64,          /* jobs at once; further ones run on their callers alone */
    BATCH = 32,          /* tasks taken at once from the shared queue, at most */
    FAIRNESS = 61,       /* every so many looks a worker asks the shared queue first */
    PARTS_MAX = 1 << 30, /* of a job that is shared; members that draw in vain count on top */
    INLINE_DEPTH = 8,    /* tasks nested on a thread without workers */
    SPIN_US = 30,        /* default of SLUICE_SPIN_US */
    SPIN_US_MAX = 10000  /* its largest value */
};

typedef void (*task_function)(void *arg);

struct task {
    task_function fn;
    void *arg;
};

struct cell {
    _Atomic task_function fn;
    void *_Atomic arg;
};

struct worker {
    _Alignas(64) _Atomic uint32_t head; /* next to take; moved by anyone */
    _Alignas(64) _Atomic uint32_t tail; /* next to put; moved by the worker */
    uint32_t looks, random;
    int index;
    bool ends_pool; /* dropped the last reference */
    struct sl_pool *pool;
    struct sl_thread thread;
    _Alignas(64) sl_park_word awake; /* 0: asleep or about to sleep */
    _Atomic uint64_t wake_next;      /* workers of the same mask word to wake on waking */
    struct cell ring[RING];
};

struct slot {
    _Alignas(
        64) _Atomic uint64_t members; /* most allowed << 32 | threads inside, the caller being one; 0 inside: free */
    void (*fn)(void *arg, int64_t part);
    void *arg;
    int64_t parts;
    bool is_long;
    /* Parts taken from the front, by the caller, << 32 | from the back, by helpers: so a thread goes over
     * neighbouring parts, and over the same ones from job to job, which may still be in its cache. */
    _Alignas(64) _Atomic uint64_t taken;
    _Alignas(64) _Atomic int64_t done; /* parts finished */
    sl_park_word signal;               /* RUNNING, SLEEPING (the caller parks here), FINISHED */
    int64_t sleeps_since;              /* when the caller began to; set before `signal` says so */
};
enum { RUNNING, SLEEPING, FINISHED };

struct sl_pool {
    /* What spinning workers watch. */
    _Alignas(64) _Atomic uint64_t open; /* slots that may still have parts to take */
    _Atomic size_t queued;              /* tasks in the shared queue */
    _Atomic bool stopping;

    _Alignas(64) _Atomic int32_t spinning; /* workers looking for work, those being woken included */
    _Atomic uint64_t parked[MASK_WORDS];
    _Atomic int32_t started;
    _Atomic int32_t reach; /* workers below this index may have tasks: those started, and the one being started */

    _Alignas(64) _Atomic uint64_t free_slots;

    _Alignas(64) struct sl_mutex mutex; /* the shared queue: a ring of `queue_cap`, a power of two */
    struct task *queue;
    size_t queue_head, queue_cap;

    struct sl_mutex start_mutex; /* starting workers, against each other and against stopping */
    _Atomic int64_t references;
    bool permanent;
    int worker_count;
    int64_t spin_ns;
    struct sl_pool_help help;
    struct sl_pool *previous, *following; /* registry */
    struct slot slots[SLOTS];
    struct worker workers[];
};

/* This thread as a worker; NULL on all other threads. */
static _Thread_local struct worker *self;

/* Tasks that run on a thread which asked for them, see `run_here`. */
static _Thread_local struct {
    int depth;
    size_t first; /* of `tasks`: the oldest not yet run */
    SL_VEC(struct task) tasks;
} here;

/* All pools, for fork; the shared one. */
static struct sl_mutex registry_mutex = SL_MUTEX_INIT;
static struct sl_pool *registry;
static struct sl_pool *_Atomic shared_pool;
static struct sl_once fork_watch = SL_ONCE_INIT;

/* How long to look for something before sleeping. */
static int64_t spin_ns(const struct sl_pool *pool) { return sl_pool_help_is_busy(&pool->help) ? 0 : pool->spin_ns; }

static int lowest_bit(uint64_t mask) { return __builtin_ctzll(mask); }

/* ---- queues ---- */

/* Worker's own ring: false when it is full. */
static bool ring_put(struct worker *w, struct task task) {
    uint32_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);
    if (tail - atomic_load_explicit(&w->head, memory_order_acquire) >= RING) return false;
    struct cell *cell = &w->ring[tail % RING];
    atomic_store_explicit(&cell->fn, task.fn, memory_order_relaxed);
    atomic_store_explicit(&cell->arg, task.arg, memory_order_relaxed);
    atomic_store(&w->tail, tail + 1);
    return true;
}

static struct task cell_get(struct cell *cell) {
    return (struct task){atomic_load_explicit(&cell->fn, memory_order_relaxed),
                         atomic_load_explicit(&cell->arg, memory_order_relaxed)};
}

/* The oldest task of a ring. A cell read while others take and refill it is thrown away: `head` has moved then. */
static bool ring_take(struct task *task, struct worker *w) {
    uint32_t head = atomic_load_explicit(&w->head, memory_order_acquire);
    while (head != atomic_load_explicit(&w->tail, memory_order_acquire)) {
        struct task seen = cell_get(&w->ring[head % RING]);
        if (atomic_compare_exchange_weak_explicit(&w->head, &head, head + 1, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            *task = seen;
            return true;
        }
    }
    return false;
}

/* Moves the older half of `victim`'s tasks into `w`'s empty ring, but for the oldest, which goes to `*task`. Returns
 * how many tasks it took. */
static uint32_t ring_steal(struct task *task, struct worker *w, struct worker *victim) {
    uint32_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);
    uint32_t head = atomic_load_explicit(&victim->head, memory_order_acquire);
    for (;;) {
        uint32_t n = atomic_load_explicit(&victim->tail, memory_order_acquire) - head;
        if (n == 0) return 0;
        if (n > RING) { /* `head` is old */
            head = atomic_load_explicit(&victim->head, memory_order_acquire);
            continue;
        }
        n -= n / 2;
        struct task oldest = cell_get(&victim->ring[head % RING]);
        for (uint32_t i = 1; i < n; i++) {
            struct task seen = cell_get(&victim->ring[(head + i) % RING]);
            struct cell *cell = &w->ring[(tail + i - 1) % RING];
            atomic_store_explicit(&cell->fn, seen.fn, memory_order_relaxed);
            atomic_store_explicit(&cell->arg, seen.arg, memory_order_relaxed);
        }
        if (atomic_compare_exchange_weak_explicit(&victim->head, &head, head + n, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            if (n > 1) atomic_store(&w->tail, tail + n - 1);
            *task = oldest;
            return n;
        }
    }
}

/* Doubles the shared queue. */
static bool queue_grow(struct sl_pool *pool, size_t n) {
    size_t cap = pool->queue_cap ? 2 * pool->queue_cap : 64;
    if (cap > SIZE_MAX / sizeof(struct task)) return false;
    struct task *grown = sl_malloc(cap * sizeof(struct task));
    if (!grown) return false;
    for (size_t i = 0; i < n; i++) grown[i] = pool->queue[(pool->queue_head + i) & (pool->queue_cap - 1)];
    sl_free(pool->queue);
    pool->queue = grown;
    pool->queue_cap = cap;
    pool->queue_head = 0;
    return true;
}

/* False when memory is out. */
static bool queue_put(struct sl_pool *pool, struct task task) {
    sl_mutex_lock(&pool->mutex);
    size_t n = atomic_load_explicit(&pool->queued, memory_order_relaxed);
    bool room = n < pool->queue_cap || queue_grow(pool, n);
    if (room) {
        pool->queue[(pool->queue_head + n) & (pool->queue_cap - 1)] = task;
        atomic_store(&pool->queued, n + 1);
    }
    sl_mutex_unlock(&pool->mutex);
    return room;
}

/* The oldest task of the shared queue, and this worker's share of the others into its ring: visible there before
 * they are gone here. Returns how many it took. */
static size_t queue_take(struct task *task, struct sl_pool *pool, struct worker *w) {
    if (atomic_load_explicit(&pool->queued, memory_order_relaxed) == 0) return 0;
    sl_mutex_lock(&pool->mutex);
    size_t n = atomic_load_explicit(&pool->queued, memory_order_relaxed), taken = 0;
    size_t share = n / (size_t)pool->worker_count;
    if (share > BATCH) share = BATCH;
    if (share == 0) share = n > 0;
    while (taken < share) {
        struct task next = pool->queue[(pool->queue_head + taken) & (pool->queue_cap - 1)];
        if (taken == 0) *task = next;
        else if (!ring_put(w, next)) break;
        taken++;
    }
    if (taken) {
        pool->queue_head = (pool->queue_head + taken) & (pool->queue_cap - 1);
        atomic_store(&pool->queued, n - taken);
    }
    sl_mutex_unlock(&pool->mutex);
    return taken;
}

/* ---- job slots ---- */

static bool slot_has_room(struct slot *slot, uint64_t *members) {
    *members = atomic_load(&slot->members);
    return (uint32_t)*members > 0 && (uint32_t)*members < *members >> 32;
}

static bool slot_enter(struct slot *slot) {
    uint64_t members;
    while (slot_has_room(slot, &members))
        if (atomic_compare_exchange_weak_explicit(&slot->members, &members, members + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static void slot_leave(struct sl_pool *pool, struct slot *slot) {
    if ((uint32_t)atomic_fetch_sub_explicit(&slot->members, 1, memory_order_acq_rel) == 1)
        atomic_fetch_or_explicit(&pool->free_slots, UINT64_C(1) << (slot - pool->slots), memory_order_release);
}

/* Takes parts until there are none. Exactly one member finds that just all were taken before it: it closes the slot.
 * True when this call finished the job's last part. */
static bool slot_run(struct sl_pool *pool, struct slot *slot, bool is_caller) {
    const uint64_t one = is_caller ? UINT64_C(1) << 32 : 1;
    int64_t mine = 0, front, back;
    for (;; mine++) {
        uint64_t taken = atomic_fetch_add_explicit(&slot->taken, one, memory_order_relaxed);
        front = (int64_t)(taken >> 32);
        back = (int64_t)(uint32_t)taken;
        if (front + back >= slot->parts) break;
        slot->fn(slot->arg, is_caller ? front : slot->parts - 1 - back);
    }
    if (front + back == slot->parts) atomic_fetch_and(&pool->open, ~(UINT64_C(1) << (slot - pool->slots)));
    return mine && atomic_fetch_add(&slot->done, mine) + mine == slot->parts;
}

/* How long a thread has slept as a caller whose parts others had. */
static _Thread_local int64_t slept_ns;

/* A helper that was put aside for so long finished the last part while the caller slept. */
static void was_last(struct sl_pool *pool, const struct slot *slot, int64_t began, int64_t now, int64_t aside) {
    const int64_t waited = now - slot->sleeps_since, lost = aside < waited ? aside : waited;
    if (lost > SL_POOL_HELP_LATE_NS) sl_pool_help_was_late(&pool->help, began, now, slot->is_long ? 0 : lost);
}

/* A helper that finishes the last part, of a caller that sleeps, says so when it was put aside on the way. What long parts
 * wait for, other than the parts that they share out, is nobody's loss. */
static void slot_help(struct sl_pool *pool, struct slot *slot) {
    const int64_t began = sl_clock_ns(), had = sl_thread_clock_ns(), slept = slept_ns;
    const bool is_last = slot_run(pool, slot, false) && atomic_exchange(&slot->signal, FINISHED) == SLEEPING;
    if (is_last || sl_pool_help_is_busy(&pool->help)) {
        const int64_t now = sl_clock_ns(), gave = sl_thread_clock_ns() - had;
        const int64_t aside = now - began - gave - (slept_ns - slept);
        sl_pool_help_gave(&pool->help, gave);
        if (is_last) was_last(pool, slot, began, now, aside);
    }
    if (is_last) sl_unpark(&slot->signal, 1);
    slot_leave(pool, slot);
}

/* Takes part in a job of short parts, whoever's it is; false when there is none. Not while it does so already. */
static bool help_any(struct sl_pool *pool) {
    static _Thread_local bool is_helping;
    bool helped = false;
    if (is_helping) return false;
    is_helping = true;
    for (uint64_t open = atomic_load_explicit(&pool->open, memory_order_relaxed); open && !helped; open &= open - 1) {
        struct slot *slot = &pool->slots[lowest_bit(open)];
        if (!slot_enter(slot)) continue;
        helped = !slot->is_long;
        if (helped) slot_help(pool, slot);
        else slot_leave(pool, slot);
    }
    is_helping = false;
    return helped;
}

/* The caller: until the parts that others took are finished. */
static void slot_wait(struct sl_pool *pool, struct slot *slot) {
    int64_t give_up = 0;
    for (unsigned i = 1; atomic_load_explicit(&slot->done, memory_order_acquire) != slot->parts; i++) {
        if (slot->is_long && help_any(pool)) give_up = 0;
        sl_thread_pause();
        if (i % 16) continue;
        int64_t now = sl_clock_ns();
        if (give_up == 0) give_up = now + spin_ns(pool);
        if (now < give_up) continue;
        uint32_t running = RUNNING;
        slot->sleeps_since = now;
        if (!atomic_compare_exchange_strong(&slot->signal, &running, SLEEPING)) continue; /* finished just now */
        while (atomic_load_explicit(&slot->done, memory_order_acquire) != slot->parts)
            sl_park(&slot->signal, SLEEPING, 0);
        slept_ns += sl_clock_ns() - now;
        return;
    }
}

static struct slot *slot_claim(struct sl_pool *pool) {
    uint64_t mask = atomic_load_explicit(&pool->free_slots, memory_order_relaxed);
    while (mask)
        if (atomic_compare_exchange_weak_explicit(&pool->free_slots, &mask, mask & (mask - 1), memory_order_acquire,
                                                  memory_order_relaxed))
            return &pool->slots[lowest_bit(mask)];
    return NULL;
}

/* ---- waking ---- */

/* Wakes the workers of a mask word, which are off the parked mask and counted as spinning. Each wakes half of the
 * rest. */
static void wake_workers(struct sl_pool *pool, int word, uint64_t mask) {
    while (mask) {
        struct worker *w = &pool->workers[word * 64 + lowest_bit(mask)];
        mask &= mask - 1;
        uint64_t rest = mask;
        for (int keep = (__builtin_popcountll(mask) + 1) / 2; keep > 0; keep--) rest &= rest - 1;
        mask &= ~rest;
        atomic_store_explicit(&w->wake_next, rest, memory_order_relaxed);
        atomic_store_explicit(&w->awake, 1, memory_order_release);
        sl_unpark(&w->awake, 1);
    }
}

/* Takes up to `most` workers off a word of the parked mask and counts them as spinning. */
static uint64_t claim_parked(struct sl_pool *pool, int word, int most) {
    uint64_t mask = atomic_load(&pool->parked[word]), wanted = mask;
    if (mask == 0) return 0;
    for (int extra = __builtin_popcountll(mask) - most; extra > 0; extra--)
        wanted &= ~(UINT64_C(1) << (63 - __builtin_clzll(wanted)));
    uint64_t got = atomic_fetch_and(&pool->parked[word], ~wanted) & wanted;
    if (got) atomic_fetch_add(&pool->spinning, __builtin_popcountll(got));
    return got;
}

/* Wakes up to `most` sleeping workers; returns how many. */
static int wake_parked(struct sl_pool *pool, int most) {
    int woken = 0;
    for (int word = 0; word * 64 < pool->worker_count && woken < most; word++) {
        uint64_t got = claim_parked(pool, word, most - woken);
        woken += __builtin_popcountll(got);
        wake_workers(pool, word, got);
    }
    return woken;
}

/* ---- workers ---- */

static bool has_work(struct sl_pool *pool) {
    uint64_t members;
    for (uint64_t open = atomic_load(&pool->open); open; open &= open - 1)
        if (slot_has_room(&pool->slots[lowest_bit(open)], &members)) return true;
    if (atomic_load(&pool->queued)) return true; /* before the rings: tasks move from here to there */
    int reach = atomic_load(&pool->reach);
    for (int i = 0; i < reach; i++)
        if (atomic_load(&pool->workers[i].head) != atomic_load(&pool->workers[i].tail)) return true;
    return false;
}

static void worker_main(void *arg);

/* One more worker, if there may be one. It is counted as spinning from before it runs. */
static bool start_worker(struct sl_pool *pool) {
    sl_mutex_lock(&pool->start_mutex);
    int index = atomic_load(&pool->started);
    bool ok = index < pool->worker_count && !atomic_load(&pool->stopping);
    if (ok) {
        atomic_fetch_add(&pool->spinning, 1);
        atomic_store(&pool->reach, index + 1);
        ok = sl_thread_start(&pool->workers[index].thread, "sluice", 0, worker_main, &pool->workers[index], NULL) ==
             SL_OK;
        if (ok) atomic_store(&pool->started, index + 1);
        else atomic_fetch_sub(&pool->spinning, 1);
    }
    sl_mutex_unlock(&pool->start_mutex);
    /* Somebody may have relied on the spinner that there was not. */
    if (!ok && has_work(pool)) wake_parked(pool, 1);
    return ok;
}

static void wake_one(struct sl_pool *pool) {
    if (atomic_load(&pool->spinning) > 0 || wake_parked(pool, 1)) return;
    if (atomic_load_explicit(&pool->started, memory_order_relaxed) < pool->worker_count) start_worker(pool);
}

struct work {
    struct slot *slot; /* entered; or NULL: */
    struct task task;
};

/* One look at everything. `spinning`: this worker is counted as such. */
static bool find_work(struct work *work, struct worker *w, bool spinning) {
    struct sl_pool *pool = w->pool;
    for (uint64_t open = atomic_load_explicit(&pool->open, memory_order_relaxed); open; open &= open - 1) {
        work->slot = &pool->slots[lowest_bit(open)];
        if (slot_enter(work->slot)) return true;
    }
    work->slot = NULL;

    size_t taken = 0;
    if (++w->looks % FAIRNESS == 0) taken = queue_take(&work->task, pool, w);
    if (taken == 0 && ring_take(&work->task, w)) return true;
    if (taken == 0) taken = queue_take(&work->task, pool, w);
    if (taken == 0) {
        uint32_t reach = (uint32_t)atomic_load_explicit(&pool->reach, memory_order_relaxed);
        w->random = w->random * 1664525 + 1013904223; /* the Numerical Recipes generator */
        uint32_t at = (w->random >> 16) % reach;
        for (uint32_t i = 0; i < reach && taken == 0; i++, at = at + 1 == reach ? 0 : at + 1)
            if (at != (uint32_t)w->index) taken = ring_steal(&work->task, w, &pool->workers[at]);
    }
    if (taken > 1 && !spinning) wake_one(pool); /* tasks that nobody saw while they moved */
    return taken > 0;
}

/* Sleeps unless there is work. Counted as spinning before and after. */
static void park_worker(struct worker *w) {
    struct sl_pool *pool = w->pool;
    _Atomic uint64_t *parked = &pool->parked[w->index / 64];
    uint64_t bit = UINT64_C(1) << (w->index % 64);
    atomic_store_explicit(&w->awake, 0, memory_order_relaxed);
    atomic_fetch_or(parked, bit);
    atomic_fetch_sub(&pool->spinning, 1);
    if ((has_work(pool) || atomic_load(&pool->stopping)) && (atomic_fetch_and(parked, ~bit) & bit)) {
        atomic_fetch_add(&pool->spinning, 1);
        return;
    }
    /* Also when somebody else took the bit off: the waking is on its way. */
    while (atomic_load_explicit(&w->awake, memory_order_acquire) == 0) sl_park(&w->awake, 0, 0);
    wake_workers(pool, w->index / 64, atomic_load_explicit(&w->wake_next, memory_order_relaxed));
}

/* Looks until there is work (true) or the pool ends (false). Counted as spinning. */
static bool spin_for_work(struct work *work, struct worker *w) {
    struct sl_pool *pool = w->pool;
    for (;;) {
        const int64_t spin = spin_ns(pool), give_up = spin ? sl_clock_ns() + spin : 0;
        do {
            if (find_work(work, w, true)) return true;
            for (int i = 0; i < 16 && give_up; i++) {
                sl_thread_pause();
                if (atomic_load_explicit(&pool->open, memory_order_relaxed) |
                    atomic_load_explicit(&pool->queued, memory_order_relaxed))
                    break;
            }
        } while (give_up && sl_clock_ns() < give_up);
        if (find_work(work, w, true)) return true;
        if (atomic_load(&pool->stopping)) return false;
        park_worker(w);
    }
}

static void end_pool(struct sl_pool *pool);

static void worker_main(void *arg) {
    struct worker *w = self = arg;
    struct sl_pool *pool = w->pool;
    struct work work;
    bool spinning = true, running = true;
    sl_float_mode_enter(); /* tasks and parts are pieces of kernels */
    while (running) {
        running = find_work(&work, w, spinning);
        if (!running) {
            if (!spinning) atomic_fetch_add(&pool->spinning, 1);
            spinning = true;
            running = spin_for_work(&work, w);
        }
        if (spinning && atomic_fetch_sub(&pool->spinning, 1) == 1 && has_work(pool)) wake_one(pool);
        spinning = false;
        if (!running) break;
        if (work.slot) slot_help(pool, work.slot);
        else work.task.fn(work.task.arg);
        if (self != w) return; /* a forked child has come back from a task: nothing here is its own */
    }
    if (w->ends_pool) {
        sl_thread_detach_self();
        end_pool(pool);
    }
}

/* ---- life ---- */

/* Nobody is in the middle of making a queue longer when the child gets its copy. */
static void prepare_fork(void) {
    sl_mutex_lock(&registry_mutex);
    for (struct sl_pool *pool = registry; pool; pool = pool->following) sl_mutex_lock(&pool->mutex);
}

static void parent_forked(void) {
    for (struct sl_pool *pool = registry; pool; pool = pool->following) sl_mutex_unlock(&pool->mutex);
    sl_mutex_unlock(&registry_mutex);
}

/* The pool as if nothing had been asked of it yet. Tasks that were queued belong to the parent. */
static void reset_pool(struct sl_pool *pool) {
    sl_mutex_init(&pool->start_mutex);
    pool->queue_head = 0;
    atomic_store(&pool->queued, 0);
    atomic_store(&pool->open, 0);
    atomic_store(&pool->free_slots, UINT64_MAX);
    atomic_store(&pool->spinning, 0);
    atomic_store(&pool->started, 0);
    atomic_store(&pool->reach, 0);
    for (int i = 0; i < MASK_WORDS; i++) atomic_store(&pool->parked[i], 0);
    for (int i = 0; i < SLOTS; i++) atomic_store(&pool->slots[i].members, 0);
    for (int i = 0; i < pool->worker_count; i++) {
        struct worker *w = &pool->workers[i];
        atomic_store(&w->head, 0);
        atomic_store(&w->tail, 0);
        w->pool = pool;
        w->index = i;
        w->random = (uint32_t)i;
    }
}

static void child_forked(void) {
    sl_park_forget();
    self = NULL;
    for (struct sl_pool *pool = registry; pool; pool = pool->following) {
        sl_mutex_unlock(&pool->mutex); /* this thread locked it before the fork */
        reset_pool(pool);
    }
    sl_mutex_unlock(&registry_mutex);
}

static sl_code watch_forks(void *arg, struct sl_error *err) {
    (void)arg;
    if (pthread_atfork(prepare_fork, parent_forked, child_forked) == 0) return SL_OK;
    return sl_fail(err, SL_RESOURCE_EXHAUSTED, "could not register fork handlers");
}

/* Spinning pays only when every thread has a processor to itself. */
static int64_t spin_time(int workers) {
    int64_t us = sl_env_number(SL_ENV_SPIN_US, workers < sl_cpu_count() ? SPIN_US : 0);
    return 1000 * (us < SPIN_US_MAX ? us : SPIN_US_MAX);
}

/* With the registry's mutex held. NULL when memory is out. */
static struct sl_pool *new_pool(int threads) {
    int workers = threads < 1 ? 0 : threads > SL_POOL_THREADS_MAX ? WORKERS_MAX : threads - 1;
    size_t bytes = sizeof(struct sl_pool) + (size_t)workers * sizeof(struct worker);
    struct sl_pool *pool = sl_alloc_aligned(64, bytes);
    if (!pool) return NULL;
    memset(pool, 0, bytes);
    pool->worker_count = workers;
    pool->spin_ns = spin_time(workers);
    sl_pool_help_init(&pool->help, workers);
    atomic_init(&pool->references, 1);
    sl_mutex_init(&pool->mutex);
    reset_pool(pool);
    pool->following = registry;
    if (registry) registry->previous = pool;
    registry = pool;
    return pool;
}

sl_code sl_pool_create(struct sl_pool **pool, int threads, struct sl_error *err) {
    if (threads < 0) return sl_fail(err, SL_INVALID_ARGUMENT, "a pool cannot have %d threads", threads);
    SL_TRY(sl_once_run(&fork_watch, watch_forks, NULL, err));
    sl_mutex_lock(&registry_mutex);
    *pool = new_pool(threads);
    sl_mutex_unlock(&registry_mutex);
    return *pool ? SL_OK : sl_fail_memory(err, sizeof **pool);
}

struct sl_pool *sl_pool_shared(void) {
    struct sl_pool *pool = atomic_load_explicit(&shared_pool, memory_order_acquire);
    if (pool) return pool;
    bool watched = sl_once_run(&fork_watch, watch_forks, NULL, NULL) == SL_OK;
    sl_mutex_lock(&registry_mutex);
    pool = atomic_load_explicit(&shared_pool, memory_order_relaxed);
    if (!pool && watched) {
        long long threads = sl_env_number(SL_ENV_THREADS, 0);
        if (threads > SL_POOL_THREADS_MAX) threads = SL_POOL_THREADS_MAX;
        pool = new_pool(threads > 0 ? (int)threads : sl_cpu_count());
        if (pool) pool->permanent = true;
        atomic_store_explicit(&shared_pool, pool, memory_order_release);
    }
    sl_mutex_unlock(&registry_mutex);
    /* Out of memory: everything runs on the caller until a later call succeeds. */
    static struct sl_pool fallback = {.permanent = true};
    return pool ? pool : &fallback;
}

struct sl_pool *sl_pool_ref(struct sl_pool *pool) {
    if (!pool->permanent) atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
    return pool;
}

/* Joins the workers (but for this thread) and frees the pool. */
static void end_pool(struct sl_pool *pool) {
    int started = atomic_load(&pool->started);
    for (int i = 0; i < started; i++)
        if (&pool->workers[i] != self) sl_thread_join(&pool->workers[i].thread);
    sl_mutex_lock(&registry_mutex);
    if (pool->previous) pool->previous->following = pool->following;
    else registry = pool->following;
    if (pool->following) pool->following->previous = pool->previous;
    sl_mutex_unlock(&registry_mutex);
    sl_mutex_clear(&pool->mutex);
    sl_mutex_clear(&pool->start_mutex);
    sl_free(pool->queue);
    sl_free(pool);
}

void sl_pool_unref(struct sl_pool *pool) {
    if (!pool || pool->permanent) return;
    if (atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) != 1) return;
    bool by_worker = sl_pool_is_worker(pool);
    if (by_worker) self->ends_pool = true;
    sl_mutex_lock(&pool->start_mutex); /* no worker starts after this */
    atomic_store(&pool->stopping, true);
    sl_mutex_unlock(&pool->start_mutex);
    wake_parked(pool, WORKERS_MAX);
    if (!by_worker) end_pool(pool);
}

int sl_pool_threads(const struct sl_pool *pool) { return pool->worker_count + 1; }

int sl_pool_started(const struct sl_pool *pool) { return atomic_load_explicit(&pool->started, memory_order_relaxed); }

int sl_pool_helpers(const struct sl_pool *pool) { return atomic_load_explicit(&pool->help.most, memory_order_relaxed); }

bool sl_pool_is_worker(const struct sl_pool *pool) { return self && self->pool == pool; }

/* ---- services ---- */

/* Keeps a task for `run_here`. False when memory is out. */
static bool keep_task(struct task task) {
    if (here.first > 0 && here.tasks.n == here.tasks.cap) { /* close the gap rather than grow */
        here.tasks.n -= here.first;
        memmove(here.tasks.items, here.tasks.items + here.first, here.tasks.n * sizeof task);
        here.first = 0;
    }
    return sl_vec_push(&here.tasks, task) == 0;
}

/* Runs a task on this thread at once. A chain of tasks that each submit the next would nest without end: from some
 * depth on tasks are kept, and the innermost running one's caller runs them. */
static void run_here(struct task task) {
    if (here.depth >= INLINE_DEPTH && keep_task(task)) return;
    here.depth++;
    task.fn(task.arg);
    if (here.depth == INLINE_DEPTH && here.tasks.cap) {
        while (here.first < here.tasks.n) {
            struct task next = here.tasks.items[here.first++];
            next.fn(next.arg);
        }
        sl_vec_free(&here.tasks);
        here.first = 0;
    }
    here.depth--;
}

void sl_pool_submit(struct sl_pool *pool, void (*fn)(void *arg), void *arg) {
    struct task task = {fn, arg};
    bool served = pool->worker_count > 0 &&
                  (atomic_load_explicit(&pool->started, memory_order_acquire) > 0 || start_worker(pool));
    if (served) served = (sl_pool_is_worker(pool) && ring_put(self, task)) || queue_put(pool, task);
    if (served) wake_one(pool);
    else run_here(task);
}

/* Gets up to `wanted` workers to look for work: those that spin already count. */
static void wake_helpers(struct sl_pool *pool, int wanted) {
    wanted -= atomic_load(&pool->spinning);
    if (wanted <= 0) return;
    wanted -= wake_parked(pool, wanted);
    while (wanted > 0 && atomic_load_explicit(&pool->started, memory_order_relaxed) < pool->worker_count &&
           start_worker(pool))
        wanted--;
}

static int helpers_now(struct sl_pool *pool) {
    int workers = pool->worker_count;
    if (!sl_pool_help_is_busy(&pool->help)) return workers;
    return sl_pool_help_most(&pool->help, workers, sl_clock_ns());
}

void sl_pool_parallel_as(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg,
                         unsigned manner) {
    int helpers = parts > 1 && parts <= PARTS_MAX ? helpers_now(pool) : 0;
    struct slot *slot = helpers > 0 ? slot_claim(pool) : NULL;
    if (!slot) {
        for (int64_t part = 0; part < parts; part++) fn(arg, part);
        return;
    }
    if (parts - 1 < helpers) helpers = (int)(parts - 1);
    slot->fn = fn;
    slot->arg = arg;
    slot->parts = parts;
    slot->is_long = manner & SL_POOL_LONG;
    atomic_store_explicit(&slot->taken, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->done, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->signal, RUNNING, memory_order_relaxed);
    atomic_store_explicit(&slot->members, (uint64_t)(helpers + 1) << 32 | 1, memory_order_release);
    atomic_fetch_or(&pool->open, UINT64_C(1) << (slot - pool->slots));
    if (!(manner & SL_POOL_AWAKE)) wake_helpers(pool, helpers);
    if (!slot_run(pool, slot, true)) slot_wait(pool, slot);
    slot_leave(pool, slot);
}

void sl_pool_parallel(struct sl_pool *pool, int64_t parts, void (*fn)(void *arg, int64_t part), void *arg) {
    sl_pool_parallel_as(pool, parts, fn, arg, 0);
}
