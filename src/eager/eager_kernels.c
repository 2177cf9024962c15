/* The table of prepared kernels: open addressing, replaced as a whole when it grows or forgets. */
#include "eager/eager_kernels.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "os/thread.h"

struct sl_eager_table {
    size_t n, cap; /* `cap` is a power of two, at least twice `n` */
    _Atomic(struct sl_eager_kernel *) slots[];
};

enum { FIRST_CAP = 64 };

uint64_t sl_eager_key_hash(const struct sl_eager_key *key) {
    uint64_t hash = sl_hash_mix((uint64_t)(uintptr_t)key->op, sl_eager_attrs_hash(key->attrs));
    if (key->device.n) hash = sl_hash_mix(hash, sl_hash_name(key->device.p, key->device.n));
    return hash + key->is_soft + 2 * (uint64_t)key->is_wrapped;
}

void sl_eager_kernel_unref(struct sl_eager_kernel *k) {
    if (!k || atomic_fetch_sub_explicit(&k->refs, 1, memory_order_acq_rel) != 1) return;
    sl_kernel_instance_unref(k->instance);
    sl_eager_attrs_clear(&k->attrs);
    if (k->def) sl_function_unref(k->def);
    sl_free(k);
}

/* ---- reading */

/* Each thread counts on a line of its own, as far as there are lines. */
static atomic_uint *reader_count(struct sl_eager_kernels *kernels) {
    static atomic_uint threads;
    static _Thread_local unsigned mine; /* 0: not known yet */
    if (!mine) mine = atomic_fetch_add(&threads, 1) % SL_EAGER_READERS + 1;
    return &kernels->readers[mine - 1].n;
}

/* Until all who were reading have stopped: what was taken out before may go. */
static void wait_for_readers(struct sl_eager_kernels *kernels) {
    for (int i = 0; i < SL_EAGER_READERS; i++)
        while (atomic_load(&kernels->readers[i].n)) sl_thread_yield();
}

static bool is_for(const struct sl_eager_kernel *k, const struct sl_eager_key *key) {
    return k->hash == key->hash && k->op == key->op && k->is_soft == key->is_soft && k->is_wrapped == key->is_wrapped &&
           sl_str_eq(k->device_asked, key->device) && sl_eager_attrs_equal(&k->attrs, key->attrs);
}

static struct sl_eager_kernel *find_in(struct sl_eager_table *table, const struct sl_eager_key *key) {
    if (!table) return NULL;
    for (size_t at = key->hash & (table->cap - 1);; at = (at + 1) & (table->cap - 1)) {
        struct sl_eager_kernel *k = atomic_load_explicit(&table->slots[at], memory_order_acquire);
        if (!k || is_for(k, key)) return k;
    }
}

struct sl_eager_kernel *sl_eager_kernels_find(struct sl_eager_kernels *kernels, const struct sl_eager_key *key) {
    atomic_uint *reading = reader_count(kernels);
    atomic_fetch_add(reading, 1);
    struct sl_eager_kernel *k = find_in(atomic_load(&kernels->table), key);
    if (k) atomic_fetch_add_explicit(&k->refs, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(reading, 1, memory_order_release);
    return k;
}

/* ---- changing, with the mutex held */

static void put(struct sl_eager_table *table, struct sl_eager_kernel *k) {
    size_t at = k->hash & (table->cap - 1);
    while (atomic_load_explicit(&table->slots[at], memory_order_relaxed)) at = (at + 1) & (table->cap - 1);
    atomic_store_explicit(&table->slots[at], k, memory_order_release);
    table->n++;
}

static struct sl_eager_table *table_of(struct sl_eager_kernels *kernels) {
    return atomic_load_explicit(&kernels->table, memory_order_relaxed);
}

/* A table with room for one more; NULL when memory is out. */
static struct sl_eager_table *with_room(struct sl_eager_kernels *kernels) {
    struct sl_eager_table *old = table_of(kernels);
    if (old && 2 * (old->n + 1) <= old->cap) return old;
    const size_t cap = old ? 2 * old->cap : FIRST_CAP;
    struct sl_eager_table *made = sl_calloc(1, sizeof *made + cap * sizeof *made->slots);
    if (!made) return NULL;
    made->cap = cap;
    for (size_t i = 0; old && i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k) put(made, k);
    }
    atomic_store(&kernels->table, made);
    wait_for_readers(kernels);
    sl_free(old);
    return made;
}

struct sl_eager_kernel *sl_eager_kernels_add(struct sl_eager_kernels *kernels, struct sl_eager_kernel *made) {
    const struct sl_eager_key key = {made->op,      &made->attrs,     made->device_asked,
                                     made->is_soft, made->is_wrapped, made->hash};
    sl_mutex_lock(&kernels->mutex);
    struct sl_eager_kernel *k = find_in(table_of(kernels), &key);
    struct sl_eager_table *table = k ? NULL : with_room(kernels);
    if (!k) k = made;
    if (table) {
        atomic_fetch_add(&made->refs, 1);
        put(table, made);
    }
    atomic_fetch_add(&k->refs, 1);
    sl_mutex_unlock(&kernels->mutex);
    return k;
}

static bool is_of(const struct sl_eager_kernel *k, const struct sl_op *op) { return !op || k->op == op; }

/* Those of `op` go, or all with NULL; the others move to a new table. When there is no memory for that, all go: they
 * are made again when they are wanted. */
static void drop(struct sl_eager_kernels *kernels, const struct sl_op *op) {
    struct sl_eager_table *old = table_of(kernels);
    if (!old) return;
    struct sl_eager_table *kept = op ? sl_calloc(1, sizeof *kept + old->cap * sizeof *kept->slots) : NULL;
    if (kept) kept->cap = old->cap;
    for (size_t i = 0; kept && i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k && !is_of(k, op)) put(kept, k);
    }
    atomic_store(&kernels->table, kept);
    wait_for_readers(kernels);
    for (size_t i = 0; i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k && (!kept || is_of(k, op))) sl_eager_kernel_unref(k);
    }
    sl_free(old);
}

void sl_eager_kernels_drop(struct sl_eager_kernels *kernels, const struct sl_op *op) {
    sl_mutex_lock(&kernels->mutex);
    drop(kernels, op);
    sl_mutex_unlock(&kernels->mutex);
}

void sl_eager_kernels_clear(struct sl_eager_kernels *kernels) { sl_eager_kernels_drop(kernels, NULL); }

void sl_eager_kernels_init(struct sl_eager_kernels *kernels) {
    sl_mutex_init(&kernels->mutex);
    atomic_init(&kernels->table, NULL);
    for (int i = 0; i < SL_EAGER_READERS; i++) atomic_init(&kernels->readers[i].n, 0);
}
