/* The table of prepared kernels: open addressing, replaced as a whole when it grows or forgets. */
#include "eager/eager_kernels.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "os/thread.h"
#include "runtime/instances.h"

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
    sl_free(k->own_types);
    if (k->function) sl_instance_unref(k->function);
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
    if (k) {
        atomic_fetch_add_explicit(&k->refs, 1, memory_order_relaxed);
        if (!atomic_load_explicit(&k->is_used, memory_order_relaxed))
            atomic_store_explicit(&k->is_used, true, memory_order_relaxed);
    }
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

static bool has(struct sl_eager_table *table, const struct sl_eager_kernel *k) {
    if (!table) return false;
    struct sl_eager_kernel *there;
    for (size_t at = k->hash & (table->cap - 1);; at = (at + 1) & (table->cap - 1)) {
        there = atomic_load_explicit(&table->slots[at], memory_order_relaxed);
        if (!there || there == k) return there;
    }
}

static bool stays(const struct sl_eager_kernel *k) { return k->is_pinned || k->age < 2; }

static struct sl_eager_table *new_table(size_t cap) {
    struct sl_eager_table *made = sl_calloc(1, sizeof *made + cap * sizeof *made->slots);
    if (made) made->cap = cap;
    return made;
}

/* Puts another table in the place of the one that is there, of which those go that it does not have. */
static void replace(struct sl_eager_kernels *kernels, struct sl_eager_table *made) {
    struct sl_eager_table *old = table_of(kernels);
    atomic_store(&kernels->table, made);
    wait_for_readers(kernels);
    for (size_t i = 0; old && i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k && !has(made, k)) sl_eager_kernel_unref(k);
    }
    sl_free(old);
}

/* Ages all by one; counts those that are to stay. */
static size_t look_at_ages(struct sl_eager_table *table) {
    size_t n = 0;
    for (size_t i = 0; i < table->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&table->slots[i], memory_order_relaxed);
        if (!k) continue;
        const bool is_used = atomic_exchange_explicit(&k->is_used, false, memory_order_relaxed);
        k->age = is_used ? 0 : k->age < 2 ? (uint8_t)(k->age + 1) : 2;
        k->is_pinned = k->is_pinned || (is_used && k->instance && sl_op_is_stateful(k->op));
        n += stays(k);
    }
    return n;
}

/* A table with room for one more; NULL when memory is out. */
static struct sl_eager_table *with_room(struct sl_eager_kernels *kernels) {
    struct sl_eager_table *old = table_of(kernels);
    if (old && 2 * (old->n + 1) <= old->cap) return old;
    const bool forgets = old && old->n >= SL_EAGER_KEPT;
    const size_t kept = forgets ? look_at_ages(old) : 0;
    struct sl_eager_table *made = new_table(!old                              ? FIRST_CAP
                                            : forgets && 3 * kept <= old->cap ? old->cap
                                                                              : 2 * old->cap);
    for (size_t i = 0; old && made && i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k && (!forgets || stays(k))) put(made, k);
    }
    if (made) replace(kernels, made);
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

static bool names(const struct sl_pb_NameAttrList *f, const struct sl_op *function) {
    return f && sl_str_eq(f->name, function->name);
}

static bool is_of(const struct sl_eager_kernel *k, const struct sl_op *function) {
    if (k->op == function) return true;
    for (int a = 0; a < k->op->n_attrs; a++) {
        const struct sl_pb_AttrValue *v = k->attrs.items[a].value;
        if (!v) continue;
        if (v->which == SL_PB_AttrValue_func && names(v->func, function)) return true;
        if (v->which != SL_PB_AttrValue_list || !v->list) continue;
        for (size_t i = 0; i < v->list->func.n; i++)
            if (names(&v->list->func.items[i], function)) return true;
    }
    return false;
}

/* When there is no memory for another table, all go: they are made again when they are wanted. */
void sl_eager_kernels_drop(struct sl_eager_kernels *kernels, const struct sl_op *function) {
    sl_mutex_lock(&kernels->mutex);
    struct sl_eager_table *old = table_of(kernels), *made = old ? new_table(old->cap) : NULL;
    for (size_t i = 0; made && i < old->cap; i++) {
        struct sl_eager_kernel *k = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (k && !is_of(k, function)) put(made, k);
    }
    replace(kernels, made);
    sl_mutex_unlock(&kernels->mutex);
}

void sl_eager_kernels_clear(struct sl_eager_kernels *kernels) {
    sl_mutex_lock(&kernels->mutex);
    replace(kernels, NULL);
    sl_mutex_unlock(&kernels->mutex);
}

void sl_eager_kernels_init(struct sl_eager_kernels *kernels) {
    sl_mutex_init(&kernels->mutex);
    atomic_init(&kernels->table, NULL);
    for (int i = 0; i < SL_EAGER_READERS; i++) atomic_init(&kernels->readers[i].n, 0);
}
