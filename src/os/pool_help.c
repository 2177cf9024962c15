#include "os/pool_help.h"

void sl_pool_help_init(struct sl_pool_help *help, int workers) {
    atomic_store_explicit(&help->is_busy, false, memory_order_relaxed);
    atomic_store_explicit(&help->most, workers, memory_order_relaxed);
    atomic_store_explicit(&help->pause_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&help->changed_ns, INT64_MIN / 2, memory_order_relaxed);
    atomic_store_explicit(&help->given_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&help->lost_ns, 0, memory_order_relaxed);
}

int sl_pool_help_most(struct sl_pool_help *help, int workers, int64_t now) {
    if (!sl_pool_help_is_busy(help)) return workers;
    int most = atomic_load_explicit(&help->most, memory_order_relaxed);
    int64_t changed = atomic_load_explicit(&help->changed_ns, memory_order_relaxed);
    if (now - changed < atomic_load_explicit(&help->pause_ns, memory_order_relaxed)) return most;
    /* One of those who find that the pause is over changes something. */
    if (!atomic_compare_exchange_strong(&help->changed_ns, &changed, now)) return most;
    if (most < workers) atomic_store_explicit(&help->most, ++most, memory_order_relaxed);
    else atomic_store_explicit(&help->is_busy, false, memory_order_relaxed);
    return most;
}

void sl_pool_help_gave(struct sl_pool_help *help, int64_t ns) {
    atomic_fetch_add_explicit(&help->given_ns, ns, memory_order_relaxed);
}

void sl_pool_help_was_late(struct sl_pool_help *help, int64_t since, int64_t now, int64_t lost) {
    int64_t changed = atomic_load_explicit(&help->changed_ns, memory_order_relaxed);
    lost += atomic_fetch_add_explicit(&help->lost_ns, lost, memory_order_relaxed);
    if (since <= changed || !atomic_compare_exchange_strong(&help->changed_ns, &changed, now)) return;
    int64_t pause = atomic_load_explicit(&help->pause_ns, memory_order_relaxed);
    /* Long after the last pause it is another story. */
    if (pause == 0 || now - changed > 16 * pause) pause = SL_POOL_HELP_PAUSE_NS;
    else pause = pause < SL_POOL_HELP_PAUSE_MOST_NS / 2 ? 2 * pause : SL_POOL_HELP_PAUSE_MOST_NS;
    atomic_store_explicit(&help->pause_ns, pause, memory_order_relaxed);
    int64_t given = atomic_exchange_explicit(&help->given_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&help->lost_ns, 0, memory_order_relaxed);
    if (!atomic_exchange_explicit(&help->is_busy, true, memory_order_relaxed) || lost <= given) return;
    int most = atomic_load_explicit(&help->most, memory_order_relaxed);
    atomic_store_explicit(&help->most, most - (most + 3) / 4, memory_order_relaxed);
}
